"""Hostile layouts stop: within a second or so, without much memory, on any thread, while compiling as while running."""

from __future__ import annotations

import re
import resource
import threading
from typing import Any

import pytest
from jinja2 import DictLoader, TemplateError, TemplateSyntaxError
from markupsafe import Markup

from cardgen.text import bounds
from cardgen.text.bounds import Exhausted, TooMuch
from cardgen.text.sandbox import Sandbox, reason, split_hint

TEN = "{% set n = '0123456789' %}"


def loops(depth: int, body: str) -> str:
    return TEN + "".join(f"{{% for i{d} in n %}}" for d in range(depth)) + body + "{% endfor %}" * depth


HOSTILE: dict[str, str] = {
    "loops": loops(6, ""),
    "loops that print": loops(4, "x" * 5000),
    "loops that print a value": TEN + "{% set x %}" + "y" * 50_000 + "{% endset %}" + loops(4, "{{ x }}"),
    "text doubled": "{% set x = 'aa' %}" + "{% set x = x ~ x %}" * 60,
    "text doubled by printing": "{% set x %}aa{% endset %}" + "{% set x %}{{ x }}{{ x }}{% endset %}" * 60,
    "text doubled by adding": "{% set x = 'aa' %}" + "{% set x = x + x %}" * 60,
    "list doubled": "{% set x = [1] %}" + "{% set x = x + x %}" * 60,
    "list of itself": "{% set x = [1] %}" + "{% set x = [x, x] %}" * 60 + "{{ x == x }}",
    "tuple of itself": "{% set x = (1,) %}" + "{% set x = (x, x) %}" * 60 + "{{ [x] | unique | list }}",
    "mapping of itself": "{% set x = {'a': 1} %}" + "{% set x = {'a': x, 'b': x} %}" * 60 + "{{ x | string }}",
    "replace": "{% set x = 'x' %}" + "{% set x = x | replace('x', 'xxxxxxxxxx') %}" * 20,
    "replace nothing": "{% set x = 'x' %}" + "{% set x = x | replace('', 'xxxxxxxxxx') %}" * 20,
    "escape": "{% set x = '&&&&&&&&&&' %}" + "{% set x = x | escape | string | escape | string %}" * 20,
    "join": loops(2, "{% set x = n | join('" + "y" * 15_000 + "') %}"),
    "map and list": loops(5, "{% set x = n | map('list') | list %}"),
    "sort": loops(5, "{% set x = n | list | sort | list %}"),
    "batch with fill": "{{ [1] | batch(10 ** 9, 'x') | list }}",
    "slice": "{{ [1] | slice(10 ** 9) | list }}",
    "round": "{{ 1.5 | round(10 ** 9, 'floor') }}",
    "power": "{{ 9 ** (9 ** 9) }}",
    "macro in itself": "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "macro twice in itself": (
        "{% macro f(n) %}{% if n > 0 %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(100) }}"
    ),
    "macro twice in itself, in silence": (
        "{% macro f(n) %}{% if n > 0 and f(n - 1) == f(n - 1) %}{% endif %}{% endmacro %}{{ f(100) }}"
    ),
    "callers": "{% macro f() %}{{ caller() }}{{ caller() }}{% endmacro %}" + "{% call f() %}" * 30 + "x" + "{% endcall %}" * 30,
    "loop in itself": TEN + "{% for a in n recursive %}{{ loop(n) }}{% endfor %}",
    "loop in itself, bounded": TEN + "{% for a in n recursive %}{% if loop.depth < 9 %}{{ loop(n) }}{% endif %}{% endfor %}",
    "include of itself": "{% include 'include of itself' %}",
    "import of itself": "{% import 'import of itself' as x %}",
    "extends itself": "{% extends 'extends itself' %}",
    "filter blocks": "{% filter escape %}" * 30 + "&" * 1000 + "{% endfilter %}" * 30,
    "comparisons": TEN + "{% set x = n * 1 %}",
    "searches": "{% set x %}" + "a" * 190_000 + "b{% endset %}" + loops(4, "{% if x ~ 'c' in x %}{% endif %}"),
    "deep conditions": "{% if true %}" * 99 + "{% endif %}" * 99,
    "deep loops": TEN + "{% for a in n %}" * 30 + "{% endfor %}" * 30,
    "deep brackets": "{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}",
    "deep lists": "{{ " + "[" * 95 + "1" + "]" * 95 + " }}",
    "a long sum": "{{ " + "1 + " * 3000 + "1 }}",
    "a long condition": "{% if 0 %}" + "{% elif 0 %}" * 3000 + "{% endif %}",
    "a long number": "{{ " + "9" * 5000 + " }}",
    "a long number in hexadecimal": "{{ 0x" + "f" * 50_000 + " }}",
    "a number without end": "{{ 1e999 }}",
    "many braces": "{" * 100_000,
    "many openings": "{{ " * 50_000,
    "many comments": "{# " * 50_000,
    "many raws": "{% raw %}" * 20_000,
    "many parts": "x{{ 1 }}" * 25_000,
}  # fmt: skip
# What is merely large, and done in no time.
HARMLESS = {"deep conditions", "escape", "filter blocks"}


def environment() -> Sandbox:
    return Sandbox(loader=DictLoader(HOSTILE), autoescape=True)


def render(name: str) -> Exception | None:
    sandbox = environment()
    try:
        template = sandbox.get_template(name)
        sandbox.restart()
        template.render()
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_layouts_stop(name: str) -> None:
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    said: list[Exception | None] = []
    used = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    thread = threading.Thread(target=lambda: said.append(render(name)))
    thread.start()
    thread.join()
    used = resource.getrusage(resource.RUSAGE_SELF).ru_utime - used
    (error,) = said
    if name not in HARMLESS:
        assert isinstance(error, (TemplateError, TooMuch, RecursionError)), repr(error)
        assert reason(error)
    assert used < 4  # of processor time, a second of which is the bound
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory < 200_000  # kB


def out(source: str, **values: Any) -> str:
    sandbox = Sandbox(autoescape=True)
    return sandbox.from_string(source).render(**values)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{{ a }} & {{ b }}", "&lt;x&gt; & &lt;y&gt;"),
        ("{{ a ~ b }}", "&lt;x&gt;&lt;y&gt;"),
        ("{{ a | safe }}{{ (a | safe) ~ b }}", "<x><x>&lt;y&gt;"),
        ("{% for n in [1, 2, 3] %}{{ loop.index }}/{{ loop.length }}{% if not loop.last %}, {% endif %}{% endfor %}", "1/3, 2/3, 3/3"),
        ("{% macro m(x, y='d') %}<b>{{ x }}{{ y }}{% endmacro %}{{ m(a) }}{{ m('1', y='2') }}", "<b>&lt;x&gt;d<b>12"),
        ("{% macro m() %}[{{ caller() }}]{% endmacro %}{% call m() %}{{ a }}{% endcall %}", "[&lt;x&gt;]"),
        ("{% set x %}<i>{{ a }}</i>{% endset %}{{ x }}{{ x ~ '!' }}", "<i>&lt;x&gt;</i><i>&lt;x&gt;</i>!"),
        ("{% for k, v in {'a': 1, 'b': 2} | items %}{{ k }}{{ v }}{% endfor %}", "a1b2"),
        ("{% for t in tree recursive %}{{ t.n }}{{ loop(t.c) }}{% endfor %}", "123"),
        ("{% filter upper %}{{ b }}{% endfilter %}", "&LT;Y&GT;"),
        ("{% for n in [] %}x{% else %}none{% endfor %}{{ true }}{{ 1.5 }}{{ 'abc'[1] }}{{ [1, 2][-1] }}", "noneTrue1.5b2"),
        ("{% block x %}{{ a }}{% endblock %}", "&lt;x&gt;"),
        ("{% with x = 1 %}{{ x }}{% endwith %}{% raw %}{{ x }}{% endraw %}", "1{{ x }}"),
    ],
)  # fmt: skip
def test_what_layouts_do_they_do_as_ever(source: str, text: str) -> None:
    tree = [{"n": 1, "c": [{"n": 2, "c": []}]}, {"n": 3, "c": []}]
    assert out(source, a="<x>", b="<y>", tree=tree) == text


def test_markup_stays_markup() -> None:
    assert out("{{ x }}{{ x ~ '<' }}{{ [x, '<'] | join }}", x=Markup("<b>")) == "<b><b>&lt;<b>&lt;"


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("{{ none }}", "the value is none"),
        ("{{ [1] }}", "a list cannot be printed"),
        ("{{ {'a': 1} }}", "a mapping cannot be printed"),
        ("{% macro m() %}{% endmacro %}{{ m }}", "a macro cannot be printed"),
        ("{{ 'a' ~ none }}", "the value is none"),
        ("{{ ''.__class__ }}", "text has no `__class__`"),
        ("{{ x.append(1) }}", "a list has no `append`"),
        ("{{ self.__init__ }}", "has no `__init__`"),
        ("{{ loop }}", "there is no `loop`"),
        ("{{ range(9) }}", "there is no `range`"),
        ("{{ cycler() }}", "there is no `cycler`"),
        ("{{ namespace() }}", "there is no `namespace`"),
        ("{{ joiner() }}", "there is no `joiner`"),
        ("{{ lipsum() }}", "there is no `lipsum`"),
        ("{{ 'x'() }}", "."),
        ("{{ caller() }}", "there is no `caller`"),
    ],
)
def test_what_layouts_may_not(source: str, problem: str) -> None:
    with pytest.raises((TooMuch, TemplateError, TypeError)) as error:
        out(source, x=[1])
    assert re.search(problem, reason(error.value))


@pytest.mark.parametrize("name", ["center", "format", "wordwrap", "indent", "pprint", "tojson", "urlize", "random", "attr", "xmlattr", "groupby", "dictsort", "filesizeformat", "striptags", "wordcount", "forceescape"])  # fmt: skip
def test_filters_that_are_not_on_the_list(name: str) -> None:
    with pytest.raises(TemplateSyntaxError) as error:
        out(f"{{{{ 1 | {name} }}}}")
    assert reason(error.value).startswith(f"there is no filter `{name}`")


def test_filters_by_name_are_bounded_as_well() -> None:
    with pytest.raises(TooMuch, match="too large a number of parts"):
        out("{{ [[1]] | map('batch', 10 ** 9, 1) | list | string }}")


def test_nothing_runs_while_a_template_is_compiled() -> None:
    sandbox = Sandbox(autoescape=True)
    ran: list[str] = []
    sandbox.filters["mine"] = lambda value: ran.append(value) or "x"
    template = sandbox.from_string("{{ 'a' | mine }}{% set x = 'b' | mine %}{{ ('c' | mine) ~ 'd' }}")
    assert ran == []
    assert template.render() == "xxd"
    assert ran == ["a", "b", "c"]


def test_each_run_has_a_purse_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MAX_LOOP_STEPS", 5)
    sandbox = Sandbox(autoescape=True)
    template = sandbox.from_string("{% for n in x %}{% endfor %}")
    for _ in range(3):
        sandbox.restart()
        template.render(x=[1, 2, 3, 4])
    with pytest.raises(Exhausted):
        template.render(x=[1, 2])


def test_hints_are_split_from_messages() -> None:
    assert split_hint("there is no `x`; did you mean `y`?") == ("there is no `x`", "did you mean `y`?")
    assert split_hint("there is no `x`; known: a, b") == ("there is no `x`", "known: a, b")
    assert split_hint("a; b") == ("a; b", "")


def test_what_was_compiled_before_counts_all_the_same() -> None:
    """A template that another environment compiled runs with this one's filters, each of them counted."""
    source = "{{ text | grow }}"
    for _ in range(2):
        sandbox = Sandbox(loader=DictLoader({"grows": source}))
        sandbox.filters["grow"] = lambda text: text * 10_000_000
        template = sandbox.get_template("grows")
        sandbox.restart()
        with pytest.raises(TooMuch):
            template.render(text="a lot ")


def test_a_template_of_another_text_is_compiled_anew() -> None:
    said = [
        Sandbox(loader=DictLoader({"one": text})).get_template("one").render() for text in ("first", "second", "first")
    ]
    assert said == ["first", "second", "first"]

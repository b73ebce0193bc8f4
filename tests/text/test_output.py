"""What templates print: the same as Jinja prints, and counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment, UndefinedError
from markupsafe import Markup

from cardgen.text.bounds import MAX_WORK, Exhausted
from cardgen.text.sandbox import Sandbox

TEMPLATES = (
    "<p>{{ a }}</p>",
    "{{ a }}{{ b }}",
    "{% for x in items %}<i>{{ x }}</i>{{ loop.index0 * 2 + 1 }}{% endfor %}",
    "{% macro m(t) %}<b>{{ t }}</b>{% endmacro %}{{ m(a) }} & {{ m(b) | upper }}",
    "{% set held %}[{{ a }}]{% endset %}{{ held }}{{ 'x' ~ a }}",
    "{% if a %}{{ a | replace('a', '<') }}{% else %}nothing{% endif %} \"quoted\" 'text'",
    "{% autoescape false %}{{ a }}<{{ b }}>{% endautoescape %}{{ a }}",
    "{{ 'constant <' }}{{ 1 }}{{ 2.5 }}{{ true }}",
)


@pytest.mark.parametrize("source", TEMPLATES)
@given(a=st.text(max_size=20), b=st.one_of(st.integers(), st.floats(allow_nan=False), st.booleans(), st.text()))
def test_the_sandbox_prints_what_jinja_prints(source: str, a: str, b: object) -> None:
    values = {"a": a, "b": b, "items": [a, b, Markup("<u>"), 3]}
    plain = Environment(autoescape=True).from_string(source).render(values)
    assert Sandbox(autoescape=True).from_string(source).render(values) == plain


def test_what_is_not_there_is_told_when_it_is_printed() -> None:
    with pytest.raises(UndefinedError, match="nowhere"):
        Sandbox(autoescape=True).from_string("<p>{{ nowhere }}</p>").render()


@pytest.mark.parametrize("body", ["x" * 3000, "{{ a }}" + "x" * 3000, "{{ a * 1 }}{{ a }}" + "x" * 3000])
def test_letters_of_the_template_are_counted_as_often_as_they_are_printed(body: str) -> None:
    steps = MAX_WORK // 3000
    source = "{% for x in items %}{% for y in items %}" + body + "{% endfor %}{% endfor %}"
    sandbox = Sandbox(autoescape=True)
    enough = [0] * int(steps**0.5 - 2)
    sandbox.restart()
    assert len(sandbox.from_string(source).render(items=enough, a=1)) <= MAX_WORK
    sandbox.restart()
    with pytest.raises(Exhausted):
        sandbox.from_string(source).render(items=[0] * int(steps**0.5 + 3), a=1)


def test_nothing_is_worked_out_while_compiling() -> None:
    sandbox = Sandbox(autoescape=True)
    template = sandbox.from_string("{{ 9**(9**9) }}")  # harmless until it is run
    with pytest.raises(Exception, match="too large"):
        template.render()

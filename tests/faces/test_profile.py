"""The card profile: what is in it passes, what is not is named with its place and with what to use instead."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.diagnostics import Report
from cardgen.faces import profile
from cardgen.faces.assets import Assets
from cardgen.faces.layouts import Layouts
from cardgen.faces.lint import Linter
from cardgen.faces.lint_css import lint_sheet, lint_style
from cardgen.faces.lint_html import lint_template
from cardgen.faces.make import FaceMaker
from cardgen.load.project import load_project
from cardgen.pipeline.build import check
from cardgen.pipeline.targets import choose
from cardgen.workers import Workers
from tests.support import load, write_project

ROLES = ("text", "display", "symbols")


def of_sheet(text: str) -> list[tuple[str, str]]:
    return [(f"{found.line}:{found.column}", found.problem) for found in lint_sheet(text, ROLES)]


def of_template(text: str) -> list[tuple[str, str]]:
    return [(f"{found.line}:{found.column}", found.problem) for found in lint_template(text, ROLES)]


@pytest.mark.parametrize(
    "css",
    [
        ".a, .b .c, .d > p, td:first-child, li:last-child { left: -3mm; top: 1.5em; width: 100%; height: 0 }",
        ".a::before { content: 'x' } .a:after { content: \"y\" ' z' }",
        ":root { --ink: #1f2022; --gap: 2mm } .a { color: var(--ink); gap: var(--gap, 1mm) }",
        ".a { width: calc(100% - 2 * (3mm + var(--gap))); line-height: calc(1.2 * 1) }",
        ".a { color: #abc; background-color: rgba(0, 0, 0, 50%); border-color: currentColor transparent red }",
        ".a { background: #fff url(art/paper.svg) left top / cover no-repeat }",
        ".a { background-image: url('art/paper.svg'); background-image: url( art/paper.svg ) }",
        ".a { border: 0.3mm solid #1f2022; border-top: none; border-radius: 1mm 50% }",
        ".a { transform: rotate(90deg); transform: rotate(-270deg); transform: rotate(0); transform: none }",
        ".a { display: flex; flex: 1 1 0; justify-content: space-between; align-items: center; flex-wrap: wrap }",
        ".a { display: table-cell; vertical-align: middle; border-collapse: collapse; list-style: square inside }",
        ".a { font-family: display, 'text', symbols; font-weight: 700; font-style: italic; letter-spacing: 0.1em }",
        ".a { font-feature-settings: \"tnum\", 'smcp' 1; hyphens: auto; hyphenate-limit-zone: 8mm }",
        ".a { object-fit: cover; object-position: center 20%; opacity: 0.5; z-index: -1; color: inherit }",
        ".A { COLOR: Red; Width: 3MM } P { margin: 0 auto } /* a comment */ .b { margin: 0 /* none */ }",
        "",
    ],
)
def test_the_profile_takes_it(css: str) -> None:
    assert of_sheet(css) == []


@pytest.mark.parametrize(
    ("css", "place", "problem", "hint"),
    [
        ("\n.a { float: left }", "2:6", "the property `float`", "absolutely"),
        (".a { grid-template-columns: 1fr }", "1:6", "the property `grid-template-columns`", "flex rows"),
        (".a { display: grid }", "1:15", "`grid` in `display`", "flex rows"),
        (".a { display: blok }", "1:15", "`blok` in `display`", "did you mean `block`?"),
        (".a { position: fixed }", "1:16", "`fixed` in `position`", "absolute"),
        (".a { box-shadow: 0 0 1mm #000 }", "1:6", "the property `box-shadow`", "SVG"),
        (".a { -weasy-hyphens: auto }", "1:6", "the property `-weasy-hyphens`", "write `hyphens`"),
        (".a { colour: red }", "1:6", "the property `colour`", "did you mean `color`?"),
        (".a { width: 12px }", "1:13", "`12px` in `width`", "it is `3.175mm`"),
        (".a { width: 1e999px }", "1:13", "`1e999px` in `width`", "mm, pt, em and %"),
        (".a { width: 2in }", "1:13", "`2in` in `width`", "it is `50.8mm`"),
        (".a { width: 50vw }", "1:13", "`50vw` in `width`", "mm, pt, em and %"),
        (".a { font-size: 2rem }", "1:17", "`2rem` in `font-size`", "use `em`"),
        (".a { width: 12 }", "1:13", "`12` in `width`", "did you mean `12mm`?"),
        (".a { z-index: 1.5 }", "1:15", "`1.5` in `z-index`", "a whole number"),
        (".a { padding: auto }", "1:15", "`auto` in `padding`", "it takes a length, a percentage"),
        (".a { margin: 1mm 2mm 3mm 4mm 5mm }", "1:6", "`margin` with 5 values", "at most 4"),
        (".a { color: #12345 }", "1:13", "`#12345` in `color`", "it takes a colour"),
        (".a { color: hsl(1, 2%, 3%) }", "1:13", "`hsl(…)` in `color`", "#rrggbb"),
        (".a { background: linear-gradient(red, blue) }", "1:18", "`linear-gradient(…)` in `background`", "SVG file"),
        (".a { background-image: url(http://a.b/c.png) }", "1:24", "`url(http://a.b/c.png)` in", "of the project"),
        ('.a { background-image: url("data:x") }', "1:24", '`url("data:x")` in', "of the project"),
        (".a { background-image: url(//a.b/c.png) }", "1:24", "`url(//a.b/c.png)` in", "of the project"),
        (".a { transform: rotate(45deg) }", "1:17", "`rotate(45deg)` in `transform`", "90deg"),
        (".a { transform: scale(2) }", "1:17", "`scale(…)` in `transform`", "give the box its size"),
        (".a { width: min(3mm, 50%) }", "1:13", "`min(…)` in `width`", "calc"),
        (".a { width: calc(3px + 1mm) }", "1:13", "`calc(3px + 1mm)` in `width`", "it is `0.794mm`"),
        (".a { width: calc(max(1mm, 2mm)) }", "1:13", "`calc(max(1mm, 2mm))` in", "no place in a sum"),
        (".a { font-family: Arial }", "1:19", "`Arial` in `font-family`", "display, symbols, text"),
        (".a { font-family: text, sans-serif }", "1:25", "`sans-serif` in `font-family`", "a role"),
        (".a { color: red !important }", "1:6", "`!important` of `color`", "one class more"),
        (".a { --shadow: 3px }", "1:16", "`3px` in `--shadow`", "0.794mm"),
        (".a { content: 'x' }", "1:6", "`content` of an element", "::before"),
        (".a, .b::before { content: 'x' }", "1:18", "`content` of an element", "::before"),
        ("#a { color: red }", "1:1", "the selector `#a`", "class: `.a`"),
        ("* { color: red }", "1:1", "the selector `*`", "name the elements"),
        ("[data-x] { color: red }", "1:1", "the selector `[data-x]`", "class"),
        (".a + .b { color: red }", "1:4", "`+` in a selector", "class"),
        (".a:nth-child(2) { color: red }", "1:4", "the selector `:nth-child(2)`", "class"),
        (".a:frist-child { color: red }", "1:4", "the selector `:frist-child`", "`:first-child`?"),
        (".a::first-line { color: red }", "1:5", "the selector `::first-line`", ""),
        ("figure { color: red }", "1:1", "the element `figure` in a selector", "use `div`"),
        ("@media print { .a { color: red } }", "1:1", "`@media`", "leave it out"),
        ("@font-face { font-family: x }", "1:1", "`@font-face`", "fonts.yaml"),
        ("@import 'a.css';", "1:1", "`@import`", "`css`"),
        (".a { @media print { } }", "1:6", "`@media`", "leave it out"),
        (".a { .b { color: red } }", "1:6", "a rule inside a rule", "whole selector"),
    ],
)
def test_a_style_sheet_outside_the_profile(css: str, place: str, problem: str, hint: str) -> None:
    (found,) = lint_sheet(css, ROLES)
    assert f"{found.line}:{found.column}" == place
    assert problem in found.problem
    assert hint in found.hint
    assert not found.broken


@pytest.mark.parametrize("css", [".a { color red }", ".a { color: red; width }", ".a", "}"])
def test_a_style_sheet_that_cannot_be_read(css: str) -> None:
    assert any(found.broken for found in lint_sheet(css, ROLES))


@pytest.mark.parametrize(
    "text",
    [
        '<div class="a {{ x }}" data-layer="background" style="color: {{ ink }}; width: {{ w }}mm">{{ text }}</div>',
        '<p style="width: {{ w }}%; left: -{{ x }}mm; color: #{{ c }}; background: rgb({{ r }}, 0, 0)">a < b & c</p>',
        '<p style="{{ fit_style(field, min) }}"></p><p style="{{- fit_style(\'a\') -}}; color: red"></p>',
        '<p style="color: {% if a %}red{% else %}#fff{% endif %}; {% if b %}width: 3mm;{% endif %} left: 0"></p>',
        '{# <video> #}<!-- <video> -->{% raw %}<video>{% endraw %}<br><img src="{{ a }}" alt="">',
        "{% if a %}<b>x</b>{% else %}<i>y</i>{% endif %}{% for x in y %}<li>{{ x }}</li>{% endfor %}",
        '{% set x %}<p>{{ "</p>" }}</p>{% endset %}{% set y = "<p>" %}{% call fit("a", min=0.5) %}<p>x</p>{% endcall %}',
        '<svg viewBox="0 0 1 1"><g fill="red"><path d="M0 0"/></g><clipPath id="c"></clipPath></svg>',
        '{% include "a" %}{% from "b" import c %}{% import "d" as e %}',
        "<TABLE><TBODY><TR><TD COLSPAN=2>x</TD></TR></TBODY></TABLE>",
    ],
)
def test_the_profile_takes_a_template(text: str) -> None:
    assert of_template(text) == []


@pytest.mark.parametrize(
    ("text", "place", "problem", "hint"),
    [
        ('<p>\n  <video src="x"></video></p>', "2:3", "the element `<video>`", ""),
        ("<style></style>", "1:1", "the element `<style>`", "style sheet"),
        ('<a href="x">y</a>', "1:1", "the element `<a>`", "no links"),
        ("<svg><filter></filter></svg>", "1:6", "the element `<filter>`", "SVG file"),
        ('<p onclick="x"></p>', "1:4", "the attribute `onclick`", ""),
        ('<img width="3" src="x">', "1:6", "the attribute `width`", "as a style"),
        ('{# \n #}<p style="float: left"></p>', "2:14", "the property `float`", "absolutely"),
        ('<p style="width: {{ a }}mm;\n color: 3"></p>', "2:9", "`3` in `color`", ""),
        ('<p style="color: {% if a %}12mm{% else %}red{% endif %}"></p>', "1:28", "`12mm` in `color`", ""),
        ('<p style="{% if a %}float: left;{% endif %} color: red"></p>', "1:21", "the property `float`", ""),
        ('<p style="{{ name }}: red"></p>', "1:11", "a computed property name", ""),
        ('<p style="{{ anything }}"></p>', "1:11", "a computed declaration", ""),
        ('<p style="color: red; {{ anything }}"></p>', "1:23", "a computed declaration", ""),
        ("<p {{ attributes }}></p>", "1:4", "an attribute with a computed name", ""),
        ("<{{ name }}>", "1:1", "an element with a computed name", ""),
        ("{% include name %}", "1:1", "`include` with a computed name", "if"),
        ("<!DOCTYPE html>", "1:1", "`<!`", "adds the page"),
        ("<p><b>x</p>", "1:4", "`<b>` that is not closed", "write `</b>` before `</p>`"),
        ("<p>x", "1:1", "`<p>` that is not closed", "write `</p>`"),
        ("x</p>", "1:2", "`</p>` that closes nothing", ""),
        ("{% if a %}<p>{% else %}<b></b>{% endif %}", "1:11", "`<p>` that is not closed", "end of the branch"),
        ("{% for x in y %}<p>{% endfor %}", "1:17", "`<p>` that is not closed", "end of the branch"),
        ("<p>{% if a %}</p>{% endif %}</p>", "1:14", "`</p>` that closes nothing", "outside of this branch"),
    ],
)
def test_a_template_outside_the_profile(text: str, place: str, problem: str, hint: str) -> None:
    found = next(lint_template(text, ROLES))
    assert f"{found.line}:{found.column}" == place
    assert problem in found.problem
    assert hint in found.hint
    assert len(list(lint_template(text, ROLES))) == 1


def test_a_tag_without_an_end_cannot_be_read() -> None:
    (found,) = lint_template('<p>x</p>\n <div class="a"', ROLES)
    assert (found.line, found.column, found.broken) == (2, 2, True)


@given(st.text(alphabet="<>/p{}%#\"' =:;abc\n", max_size=60))
def test_no_template_breaks_the_lint(text: str) -> None:
    for found in lint_template(text, ROLES):
        assert 1 <= found.line <= text.count("\n") + 1


@given(st.text(alphabet="{}()[];:,.#@!*/\\\"' 1mpxa-\n\x00", max_size=60))
def test_no_style_breaks_the_lint(text: str) -> None:
    for found in [*lint_sheet(text, ROLES), *lint_style(text, ROLES)]:
        assert found.line >= 1


@pytest.mark.parametrize("piece", ["<a", '<a "', "<b>", "</b>", "{% if a %}<b>", "<p style='", "<!--", "a<b "])
def test_hostile_templates_cost_no_more_than_their_length(piece: str) -> None:
    started = time.process_time()
    for number, _ in enumerate(lint_template(piece * (200_000 // len(piece)), ROLES)):
        if number > 100:
            break
    assert time.process_time() - started < 10


LAYOUT = """\
{% set profile = "card" %}
{% set css = ["g/item.css"] %}
{% from "_base/macros.html.j2" import fit %}
{% call fit("name") %}{{ card.name }}{% endcall %}
{% include "g/_part.html.j2" %}
"""


def problems(folder: Path) -> list[str]:
    report = Report()
    project = load_project(folder, report)
    assert project is not None
    maker = FaceMaker(project, report)
    game = project.games["g"]
    for card in game.cards.values():
        assert maker.make(card, game, "front") is not None
    return [f"{item.span}: {item.code}: {item.message}" for item in report]


def test_a_layout_is_held_to_the_profile_it_states(tmp_path: Path) -> None:
    folder = write_project(
        tmp_path,
        {
            "layouts/g/item.html.j2": LAYOUT,
            "layouts/g/_part.html.j2": "<b>x</b>\n<hr>",
            "layouts/g/item.css": ".fit { position: absolute }\n.a { float: left }\n",
        },
    )
    assert problems(folder) == [
        "layouts/g/_part.html.j2:2:1: CG305: the element `<hr>` is outside the card profile",
        "layouts/g/item.css:2:6: CG305: the property `float` is outside the card profile",
    ]


def test_a_layout_that_states_no_profile_may_use_everything(tmp_path: Path) -> None:
    changes = {"layouts/g/item.css": ".a { float: left }"}
    assert problems(write_project(tmp_path, changes)) == []


def test_an_unknown_profile_is_a_mistake(tmp_path: Path) -> None:
    changes = {"layouts/g/item.html.j2": '{% set profile = "cord" %}<p>x</p>'}
    assert problems(write_project(tmp_path, changes)) == [
        "layouts/g/item.html.j2:1:1: CG104: there is no profile `cord`"
    ]


def test_the_table_is_sound() -> None:
    for name, known in profile.PROPERTIES.items():
        assert known.kinds or known.words, name
        assert known.most >= 1
    assert not profile.INSTEAD.keys() & profile.PROPERTIES.keys()
    assert not profile.INSTEAD_ELEMENTS.keys() & profile.ELEMENTS
    assert not profile.INSTEAD_FUNCTIONS.keys() & profile.FUNCTIONS.keys()


def test_the_docs_are_current(root: Path) -> None:
    found = subprocess.run(
        [sys.executable, root / "docs/make_card_profile.py", "--check"], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr


def test_every_shipped_layout_of_a_card_keeps_to_the_profile(root: Path) -> None:
    report = Report()
    project = load(root)
    layouts = Layouts(project.shelf, report)
    linter = Linter(layouts, Assets(project.shelf), project.fonts, report)
    # Those of cards; pages and screens may use all that the engine has.
    kinds = [kind for game in project.games.values() for kind in game.kinds.values()]
    names = sorted({name for kind in kinds for name in (kind.front, kind.back) if name is not None})
    assert len(names) >= 20
    for name in names:
        layout = layouts.get(name)
        assert layout is not None
        assert layout.profile == "card", f"layouts/{name}.html.j2 does not state its profile"
        linter.lint(layout)
    assert [f"{item.span}: {item.message}" for item in report] == []


@pytest.mark.parametrize(
    "css",
    [
        ".a{width:" + "(" * 50_000,
        ".a{width:calc(" + "(" * 50_000 + ")" * 50_000 + ")}",
        ".a{" * 50_000,
        ".a " * 50_000 + "{left:0}",
        ".a{color:" + "rgb(" * 20_000,
        ".a{--x:" + "{" * 30_000,
        "@media{" * 30_000,
    ],
    ids=lambda css: css[:20],
)
def test_a_style_sheet_without_bottom_is_told(tmp_path: Path, css: str) -> None:
    for stated in ('{% set profile = "card" %}', ""):
        layout = stated + '{% set css = ["g/item.css"] %}<p class="a">{{ card.name }}</p>'
        project = load(write_project(tmp_path, {"layouts/g/item.html.j2": layout, "layouts/g/item.css": css}))
        report = Report()
        check(project, choose(project, (), ()), Workers(), report)
        assert len(report) or "{--x" in css or " .a" in css

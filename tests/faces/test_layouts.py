"""Layouts: what they state, what they see, and what stops them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostics import Report
from cardgen.faces.make import FaceMaker
from cardgen.model.face import Face
from tests.support import edit, load, write_project

LAYOUT = "layouts/g/item.html.j2"


def make(tmp_path: Path, layout: str, report: Report, card: str = "axe") -> Face | None:
    project = load(write_project(tmp_path, {LAYOUT: layout}))
    game = project.games["g"]
    return FaceMaker(project, report).make(game.cards[card], game, "front")


def html(tmp_path: Path, layout: str) -> str:
    report = Report()
    face = make(tmp_path, layout, report)
    assert face is not None, [item.message for item in report]
    assert not report.items
    return face.html.strip()


@pytest.mark.parametrize(
    ("layout", "expected"),
    [
        ("{{ card.id }} {{ card.kind }} {{ card.name }} {{ card.points }} {{ card.double }}", "axe item Axe 1 2"),
        ("{{ labels.points }} {{ game.title }} {{ game.dice.white.title }}", "Points Test Game White die"),
        ("{{ face.side }} {{ face.lang }} {{ face.trim.width }} {{ face.trim.bleed }}", "front en 63.0 3.0"),
        ("{{ face.backgrounds }} {{ face.low_ink }}", "True False"),
        ("{% for band in game.tracks.threat.bands %}{{ band.id }}{{ band.start }}{{ loop.index }} {% endfor %}",
         "low11 high32"),
        ("{{ card.rules|markup }}", "<p><b>Chop</b> it.</p>"),
        ("{{ '<b>&' }}", "&lt;b&gt;&amp;"),
    ],
)  # fmt: skip
def test_what_a_layout_sees(tmp_path: Path, layout: str, expected: str) -> None:
    assert html(tmp_path, layout) == expected


@pytest.mark.parametrize(
    ("layout", "code", "line", "word"),
    [
        ("ok\n{{ card.naem }}", "CG302", 2, "naem"),
        ("ok\n\n{{ nothing }}", "CG302", 3, "nothing"),
        ("{% if %}", "CG301", 1, "Expected"),
        ("a\n{% for x in [1] %}", "CG301", 2, "endfor"),
        ("{{ card.__class__ }}", "CG302", 1, "__class__"),
        ("{{ card.name.upper() }}", "CG302", 1, "upper"),
        ("{{ ''.join(['a']) }}", "CG302", 1, "join"),
        ("{{ card.name|nosuch }}", "CG301", 1, "nosuch"),
        ("{% include '../../../etc/passwd' %}", "CG302", 1, "passwd"),
        ("{% for a in 'x' * 10 %}{% endfor %}", "CG302", 1, "operators are for numbers"),
        ("{{ 9 ** (9 ** 9) }}", "CG302", 1, "too large"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "CG302", 0, "without end"),
        ("{% set engine = 'weasyprnt' %}", "CG303", 1, "weasyprnt"),
        ("{% set css = ['g/none.css'] %}", "CG001", 1, "g/none.css"),
    ],
)
def test_what_stops_a_layout(tmp_path: Path, layout: str, code: str, line: int, word: str) -> None:
    report = Report()
    assert make(tmp_path, layout, report) is None
    (item,) = report.sorted()
    assert item.code == code
    assert word in item.message
    assert item.span is not None and item.span.file == LAYOUT
    if line:
        assert item.span.line == line


def test_an_endless_loop_stops(tmp_path: Path) -> None:
    tens = "[" + ",".join("1" * 40) + "]"
    loop = "".join(f"{{% for v{n} in {tens} %}}" for n in range(6)) + "x" + "{% endfor %}" * 6
    report = Report()
    assert make(tmp_path, loop, report) is None
    assert "steps of `for` loops" in report.sorted()[0].message


def test_the_hint_names_the_nearest_field(tmp_path: Path) -> None:
    report = Report()
    make(tmp_path, "{{ card.naem }}", report)
    assert report.sorted()[0].hint == "did you mean `name`?"


def test_a_broken_card_leaves_the_others(tmp_path: Path) -> None:
    report = Report()
    layout = "{% if card.id == 'axe' %}{{ card.nothing }}{% endif %}fine"
    project = load(write_project(tmp_path, {LAYOUT: layout}))
    game = project.games["g"]
    maker = FaceMaker(project, report)
    assert maker.make(game.cards["axe"], game, "front") is None
    rope = maker.make(game.cards["rope"], game, "front")
    assert rope is not None and rope.html == "fine"


def test_a_face_has_the_fits_it_declares(tmp_path: Path) -> None:
    project = load(write_project(tmp_path))
    game = project.games["g"]
    face = FaceMaker(project, Report()).make(game.cards["axe"], game, "front")
    assert face is not None
    assert dict(face.fits) == {"name": 0.5, "rules": 0.8}


KEY_CHANGES = {
    "text": edit("cards/g/cards/items.yaml", "name: Axe", "name: Hatchet"),
    "layout": edit(LAYOUT, '<div class="ground">', '<div class="ground two">'),
    "style": edit("layouts/g/item.css", "#336699", "#336698"),
}


@pytest.mark.parametrize("what", sorted(KEY_CHANGES))
def test_the_key_changes_with_whatever_the_picture_depends_on(tmp_path: Path, what: str) -> None:
    keys = []
    for folder, change in (("one", {}), ("same", {}), ("other", KEY_CHANGES[what])):
        project = load(write_project(tmp_path / folder, change))
        game = project.games["g"]
        face = FaceMaker(project, Report()).make(game.cards["axe"], game, "front")
        assert face is not None
        keys.append(face.key)
    assert keys[0] == keys[1] != keys[2]


def test_the_key_changes_with_a_picture(tmp_path: Path) -> None:
    layout = {LAYOUT: '<img src="{{ art_url("dot.svg") }}">'}
    keys = []
    for colour in ("red", "blue"):
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z" fill="{colour}"/></svg>'
        project = load(write_project(tmp_path / colour, {**layout, "cards/g/art/dot.svg": svg}))
        game = project.games["g"]
        face = FaceMaker(project, Report()).make(game.cards["axe"], game, "front")
        assert face is not None
        keys.append(face.key)
    assert keys[0] != keys[1]


def test_a_key_does_not_depend_on_the_other_cards(tmp_path: Path) -> None:
    keys = []
    for folder, more in (("one", {}), ("two", {"cards/g/cards/more.yaml": "saw: {kind: item, name: Saw}\n"})):
        project = load(write_project(tmp_path / folder, more))
        game = project.games["g"]
        face = FaceMaker(project, Report()).make(game.cards["rope"], game, "front")
        assert face is not None
        keys.append(face.key)
    assert keys[0] == keys[1]

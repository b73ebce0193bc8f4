"""Which texts stand in which boxes, and what translators are told of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostics import Report
from cardgen.geometry import Size
from cardgen.model.face import Face
from cardgen.model.game import Game
from cardgen.model.trim import Trim
from cardgen.pipeline.translation.boxes import Boxed, boxed_texts, notes_of
from cardgen.pipeline.translation.contents import Contents, Finder
from cardgen.workers import Workers
from tests.support import BASE, load, write_project

TRIM = Trim("t", "t", Size(63.0, 88.0), 3.0)
CHANGES = {
    "cards/g/game.yaml": BASE["cards/g/game.yaml"].replace(
        "labels: {points: Points}",
        "labels: {points: Points, hint: Keep it dry and sharp}\n"
        "tables:\n  events:\n    title: Events\n    columns: [Roll, What happens]\n"
        "    rows: [['1', Nothing happens at all.], ['2', 'It [star] rains on the camp.']]\n",
    )
    + "  sheets: {title: Sheets, version: '1', components: [sheet]}\n",
    "cards/g/components/sheet.yaml": "sheet: {make: table, title: The events, tables: [events]}\n",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_project(tmp_path_factory.mktemp("p"), CHANGES)


@pytest.fixture(scope="module")
def game(root: Path) -> Game:
    return load(root, Report()).games["g"]


def face(html: str, label: str = "axe/front", component: str = "") -> Face:
    return Face("k", label, "g", "g/item", "front", TRIM, "en", "weasyprint", (), html, {}, (), component)


def box(field: str, body: str) -> str:
    return f'<div class="fit {field}" id="fit-{field}"><div class="fit-text" id="fit-{field}-text" style="">{body}</div></div>'


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("Axe", Contents(3, ("axe/name",), True)),
        ("<p><b>Chop</b> it.</p>", Contents(8, ("axe/rules",), True)),
        ("<p>Axe:</p><p><b>Chop</b> it.</p>", Contents(13, ("axe/name", "axe/rules"), False)),
        ("<span>Axe</span><span>Points</span>", Contents(9, ("axe/name", "labels/points"), False)),
        ("<p>Well: keep it dry and sharp</p>", Contents(27, (), False)),
        ("<p>Well: Keep it dry and sharp</p>", Contents(27, ("labels/hint",), False)),
        (
            "<table><tr><td>1<td>Nothing happens at all.</td></tr></table>",
            Contents(25, ("tables/events.rows.0.1",), False),
        ),
        ("<p>It <img src='star'> rains on the camp.</p>", Contents(21, ("tables/events.rows.1.1",), True)),
        ("Rope", Contents(4, (), False)),
        ("Axes", Contents(4, (), False)),
        ("", Contents(0, (), False)),
    ],
)
def test_texts_are_found_by_their_words(game: Game, body: str, found: Contents) -> None:
    assert Finder(game).boxes(face(box("a", body)))["a"] == found


def test_each_box_is_read_by_itself(game: Game) -> None:
    html = f"<h1>Axe</h1>{box('a', 'Axe')}<p>Points</p>{box('b.c', '<div>Points<br></div>')}"
    boxes = Finder(game).boxes(face(html))
    assert {field: item.contexts for field, item in boxes.items()} == {"a": ("axe/name",), "b.c": ("labels/points",)}


def test_a_component_may_show_any_card(game: Game) -> None:
    assert Finder(game).boxes(face(box("a", "Rope"), "pawns/rope", "pawns"))["a"].contexts == ("rope/name",)
    assert Finder(game).boxes(face(box("a", "The events"), "sheet-1", "sheet"))["a"].contexts == (
        "components/sheet.title",
    )
    assert Finder(game).boxes(face(box("a", "The events"), "pawns-1", "pawns"))["a"].contexts == ()


def boxed(
    name: str, characters: int, scale: float = 1.0, fill: float = 0.9, whole: bool = True, high: float = 20.0
) -> Boxed:
    return Boxed(name, (name,), whole, f"l{high}", "f", "en", characters, 50.0, high, scale, scale < 1, fill, 0.0)


def test_the_box_that_holds_the_least_is_told() -> None:
    notes = notes_of(
        [boxed("a", 90), boxed("a", 40, high=12.0), boxed("b", 200, 0.5), boxed("c", 100, whole=False, high=30.0)]
    )
    assert notes["a"] == "box 50 × 12 mm; at full size it holds about 44 characters"
    assert notes["b"] == "box 50 × 20 mm; at full size it holds about 100 characters"
    assert notes["c"] == "shares a box of 50 × 30 mm; at full size it holds about 111 characters in all"


def test_a_box_of_its_own_says_more_than_a_shared_one() -> None:
    notes = notes_of([boxed("a", 90), boxed("a", 20, whole=False, high=30.0)])
    assert notes["a"].startswith("box 50 × 20 mm")


@pytest.mark.slow
def test_cards_and_components_are_measured(root: Path, game: Game) -> None:
    project = load(root, Report())
    notes = notes_of(boxed_texts(project, [project.games["g"]], ["en"], Workers(), Report()))
    assert notes["axe/name"].startswith("box 55 × 6 mm; at full size it holds at least")
    assert notes["tables/events.rows.0.1"].startswith("shares a box of ")
    assert "labels/hint" not in notes, "it stands nowhere"

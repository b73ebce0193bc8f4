"""Which texts stand in which boxes, and what translators are told of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostics import Report
from cardgen.geometry import Size
from cardgen.model.face import Face, Lines
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
    return Face("k", label, "g", "g/item", "front", TRIM, "en", "weasyprint", (), html.encode(), {}, (), component)


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


def line(
    name: str, characters: int, natural: float, scale: float = 1.0, wraps: bool = True, rows: int = 1, high: float = 5.0
) -> Boxed:
    """A text in a box of 50 mm with room for `rows` lines of 4 mm; `natural` as it is set."""
    lines = Lines(natural, 1, 4.0 * scale, 50.0, 4.0 * rows + 1, wraps, "text 400", 3.0 * scale)
    return Boxed(name, (name,), True, f"l{high}", "f", "es", characters, 50.0, high, scale, False, 0.2, 0.0, lines)


def test_the_box_that_holds_the_least_is_told() -> None:
    notes = notes_of(
        [boxed("a", 90), boxed("a", 40, high=12.0), boxed("b", 200, 0.5), boxed("c", 100, whole=False, high=30.0)]
    )
    assert notes["a"] == "box 50 × 12 mm; at full size it holds about 44 characters"
    assert notes["b"] == "box 50 × 20 mm; at full size it holds about 100 characters"
    assert notes["c"] == "shares a box of 50 × 30 mm; at full size it holds about 111 characters in all"


def test_a_single_line_holds_what_its_width_has_room_for_and_not_what_stood_in_it() -> None:
    # 100 letters of 1.25 mm at full size
    assert notes_of([line("a", 100, 125.0)])["a"] == (
        "box 50 × 5 mm, one line; at full size it holds about 40 characters of average width"
    )
    # what was set at half its size is as long as at full size, had it room
    assert "about 40 characters" in notes_of([line("a", 100, 62.5, scale=0.5)])["a"]


def test_a_short_text_is_measured_by_the_letters_of_its_type() -> None:
    """`Ill` is narrow; the next label will not be."""
    notes = notes_of([line("short", 3, 1.5), line("long", 97, 123.5, high=9.0)])
    assert "about 40 characters" in notes["short"]


def test_what_may_not_break_has_one_line_however_high_its_box_is() -> None:
    assert ", one line;" in notes_of([line("a", 100, 125.0, wraps=False, rows=3)])["a"]
    two = notes_of([line("a", 100, 125.0, rows=2)])["a"]
    assert two == "box 50 × 5 mm; at full size it holds about 74 characters"


@pytest.mark.parametrize("engine", ["weasyprint", "card"])
def test_as_many_letters_as_were_told_fit_and_a_tenth_more_do_not(tmp_path: Path, engine: str) -> None:
    word = "Hatchet of the old camp by the river "
    layout = "layouts/g/item.html.j2"
    stated = f'{{% set engine = "{engine}" %}}\n' + BASE[layout]

    def scale(name: str) -> tuple[float, str]:
        cards = f"axe: {{kind: item, name: '{name}'}}\n"
        root = write_project(tmp_path / str(len(name)), {layout: stated, "cards/g/cards/items.yaml": cards})
        project = load(root, Report())
        (found,) = (
            item
            for item in boxed_texts(project, [project.games["g"]], ["en"], Workers(), Report())
            if item.name == "axe/name"
        )
        return found.scale, notes_of([found])["axe/name"]

    _, note = scale(word.strip())
    told = int(note.split()[-5])
    assert note == f"box 55 × 6 mm, one line; at full size it holds about {told} characters of average width"
    assert scale((word * 3)[:told].strip())[0] == 1
    assert scale((word * 3)[: round(told * 1.1)])[0] < 1


def test_a_box_of_its_own_says_more_than_a_shared_one() -> None:
    notes = notes_of([boxed("a", 90), boxed("a", 20, whole=False, high=30.0)])
    assert notes["a"].startswith("box 50 × 20 mm")


@pytest.mark.slow
def test_cards_and_components_are_measured(root: Path, game: Game) -> None:
    project = load(root, Report())
    notes = notes_of(boxed_texts(project, [project.games["g"]], ["en"], Workers(), Report()))
    assert notes["axe/name"].startswith("box 55 × 6 mm, one line; at full size it holds about")
    assert notes["tables/events.rows.0.1"].startswith("shares a box of ")
    assert "labels/hint" not in notes, "it stands nowhere"

"""Reference tables: every row is printed once, where there is room for it, in type that can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.components.columns import column_widths
from cardgen.components.reference import make_table
from cardgen.components.room import lines_of, text_em, word_ems
from cardgen.diagnostics import Report, Span
from cardgen.errors import CannotMake
from cardgen.geometry import Size
from cardgen.load.project import load_project
from cardgen.model.component import Component, Reference
from cardgen.model.cutout import Cutout
from cardgen.model.game import Game, Keyword, Table

SHIPPED = ("twd", "arena", "zombies", "zcorps")


def game(*tables: Table, keywords: dict[str, Keyword] | None = None) -> Game:
    none: dict[str, Any] = {}
    return Game(
        "game", "A Game", "", "1", "en", ("en",), "", "", none, none, keywords or {}, none,
        {table.id: table for table in tables}, none, none, none, none, none, "en",
    )  # fmt: skip


def component(options: Reference, back: str = "") -> Component:
    return Component("look-up", "Look up", "table", options, "", back, Span("components/reference.yaml", 1, 1), {})


def made(*tables: Table, **options: Any) -> list[Cutout]:
    names = tuple(table.id for table in tables)
    return make_table(component(Reference(tables=names, **options)), game(*tables))


def shown(cutouts: list[Cutout]) -> list[tuple[str, list[str]]]:
    """(table, row) in the order that faces show them."""
    panels: list[Any] = [panel.values for cutout in cutouts for panel in cutout.panels if "columns" in panel.values]
    return [
        (table["id"], row)
        for values in panels
        for column in values["columns"]
        for table in column["tables"]
        for row in table["rows"]
    ]


def table(id: str, rows: int, text: str = "What it does.", columns: int = 2) -> Table:
    return Table(
        id, f"Table {id}", ("Name", "Rule", "More")[:columns], tuple((f"Row {n}", *[text] * (columns - 1)) for n in range(rows))
    )  # fmt: skip


WORDS = st.lists(
    st.sampled_from(["a", "walker", "Зона смерти", "[black]", "2–3", "initiative"]), min_size=1, max_size=14
)
TABLES = st.lists(st.tuples(st.integers(1, 14), st.integers(1, 3), WORDS.map(" ".join)), min_size=1, max_size=5).map(
    lambda made: tuple(table(f"t{at}", rows, text, columns) for at, (rows, columns, text) in enumerate(made))
)


@given(TABLES, st.sampled_from(["card", "page"]))
def test_every_row_stands_once(tables: tuple[Table, ...], form: Any) -> None:
    rows = shown(made(*tables, form=form))
    assert sorted(rows) == sorted((item.id, list(row)) for item in tables for row in item.rows)
    for item in tables:
        assert [row for id, row in rows if id == item.id] == [list(row) for row in item.rows]


@given(TABLES, st.sampled_from(["card", "page"]))
def test_type_is_never_too_small_and_boxes_stay_on_the_face(tables: tuple[Table, ...], form: Any) -> None:
    least = 6.5 if form == "card" else 8.0
    for cutout in made(*tables, form=form):
        for panel in cutout.panels:
            values: Any = panel.values
            if "columns" not in values:
                continue
            # The layout may make it `least` times as small, and its heads `header` times.
            assert values["points"] * values["least"] >= least - 0.01
            assert values["points"] * values["header"] >= least - 0.01
            right = 0.0
            for column in values["columns"]:
                assert column["x"] >= right - 1e-6
                right = column["x"] + column["width"]
                assert (
                    right <= cutout.size.width - 3 + 1e-6 and column["y"] + column["height"] <= cutout.size.height - 3
                )
                for shown in column["tables"]:
                    assert sum(cell["percent"] for cell in shown["columns"]) == pytest.approx(100, abs=0.1)


@given(st.lists(st.lists(WORDS.map(" ".join), min_size=4, max_size=4), min_size=1, max_size=4), st.floats(25, 90))
def test_columns_share_the_width_and_hold_their_words(cells: list[list[str]], width: float) -> None:
    columns = [[word_ems(cell) for cell in column] for column in cells]
    widths = column_widths(columns, width, 1.0)
    assert sum(widths) == pytest.approx(width)
    least = [max(max(words) for words in column) + 1.0 for column in columns]
    if sum(least) <= width * 0.8:
        assert all(has >= needs - 1e-6 for has, needs in zip(widths, least, strict=True))


def test_a_long_column_takes_what_a_short_one_leaves() -> None:
    rows = [word_ems(text) for text in ("Head", "Yes", "No")], [word_ems("many words " * 12)] * 3
    short, long = column_widths(rows, 40.0, 0.7)
    assert short == pytest.approx(text_em(word_ems("Head")) + 0.7, abs=1.5)
    assert long == pytest.approx(40.0 - short)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("two words", 2),
        ("[noise] Noise", 1),
        ("on a [star] it", 2),
        ("[black] [white] dice", 1),
        ("Rifle (2) now", 2),
        ("", 0),
    ],
)
def test_words_stay_together_as_the_markup_holds_them(text: str, words: int) -> None:
    assert len(word_ems(text)) == words


def test_lines_are_counted_as_they_break() -> None:
    words = (3.0, 3.0, 3.0)
    assert lines_of(words, 3.0) == 3
    assert lines_of(words, 6.3) == 2
    assert lines_of(words, 9.6) == 1
    assert lines_of((20.0,), 5.0) == 1
    assert lines_of((), 5.0) == 1


def test_two_tables_are_the_sides_of_one_card() -> None:
    text = "Takes up to two different actions, in any order, after the panic check."
    (card,) = made(table("a", 8, text), table("b", 8, text))
    assert card.size == Size(63, 88) and card.bleed == 3 and card.is_card
    front, back = card.panels
    assert (front.side, back.side) == ("front", "back")
    assert [id for id, _ in shown([card])] == ["a"] * 8 + ["b"] * 8


def test_the_last_of_an_odd_number_has_a_back_all_the_same() -> None:
    text = "Takes up to two different actions, in any order, after the panic check, and more words that fill the card."
    cards = made(table("a", 10, text), table("b", 10, text), table("c", 10, text))
    assert all(card.two_sided for card in cards)
    sides = [panel.layout for card in cards for panel in card.panels]
    assert sides.count("_base/table-card-back") <= 1


def test_a_back_of_its_own_stands_behind_every_card() -> None:
    text = "Takes up to two different actions, in any order, after the panic check."
    tables = table("a", 8, text), table("b", 8, text)
    cards = make_table(component(Reference(tables=("a", "b")), back="game/back"), game(*tables))
    assert [panel.layout for card in cards for panel in card.panels] == ["_base/table-card", "game/back"] * 2


def test_a_page_holds_what_cards_hold_and_prints_on_a4_and_letter() -> None:
    tables = [table(str(at), 6) for at in range(5)]
    (page,) = made(*tables, form="page")
    assert page.size == Size(186, 250) and not page.two_sided
    assert len(shown([page])) == 30


def test_keywords_are_a_table_under_the_title() -> None:
    words = {
        "club": Keyword("club", "Club", "Knocks over."),
        "attach": Keyword("attach", "Attach", "To an item.", "text"),
    }
    (card,) = make_table(component(Reference(keywords=True)), game(keywords=words))
    assert [row for _, row in shown([card])] == [["Club", "Knocks over."], ["Attach (X)", "To an item."]]
    values: Any = card.panels[0].values
    assert values["columns"][0]["tables"][0]["title"] == "Look up"


@pytest.mark.parametrize(
    ("options", "tables", "path", "says"),
    [
        ({}, [], "tables", "at least one"),
        ({"keywords": True}, [], "keywords", "no keywords"),
        ({"width": 300.0}, [table("a", 2)], "width", "at most 186 x 250 mm"),
        ({"height": 300.0}, [table("a", 2)], "height", "at most 186 x 250 mm"),
        ({"height": 34.0}, [table("a", 2)], "height", "no room"),
        ({}, [table("a", 2, "word " * 400)], "tables", "row 1 of the table `a` takes"),
        ({}, [table("a", 2, "unbreakable" * 8)], "tables", "`form: page`"),
        ({"form": "page"}, [table("a", 2, "unbreakable" * 30)], "tables", "use fewer columns"),
    ],
)
def test_what_no_face_can_hold_is_told(options: dict[str, Any], tables: list[Table], path: str, says: str) -> None:
    with pytest.raises(CannotMake) as caught:
        made(*tables, **options)
    assert caught.value.path == path
    assert says in str(caught.value)


@pytest.mark.parametrize("name", SHIPPED)
def test_all_tables_of_a_shipped_game_are_printed(root: Path, name: str) -> None:
    project = load_project(root, Report())
    assert project is not None
    shipped = project.games[name]
    references = [item for item in shipped.components.values() if isinstance(item.options, Reference)]
    printed = {id for item in references for id, _ in shown(make_table(item, shipped))}
    # The crowd's table is the arena's public sheet.
    assert set(shipped.tables) - printed <= {"public-events"}
    pages = [item for item in references if isinstance(item.options, Reference) and item.options.form == "page"]
    assert pages and any(isinstance(item.options, Reference) and item.options.form == "card" for item in references)


def test_every_use_of_the_action_die_is_told(root: Path) -> None:
    project = load_project(root, Report())
    assert project is not None
    rows = {row[0]: row[1:] for row in project.games["twd"].tables["action-die"].rows}
    starts = [
        "Initiative", "Panic check", "Climbing", "Keep Calm", "Order", "Ammo", "Shot into", "Unreliable", "Club", "Sharp",
        "Bite", "End of turn, each prone", "End of turn, each bitten", "Solo", "Chance", "Cards",
    ]  # fmt: skip
    assert all(any(row.startswith(start) for row in rows) for start in starts)
    assert len(rows) == len(starts)


def test_sizes_follow_from_the_points(root: Path) -> None:
    project = load_project(root, Report())
    assert project is not None
    for points, board, walkers, cars, barriers, tokens in project.games["twd"].tables["sizes"].rows:
        limit = int(points)
        squares = 1 if limit <= 300 else 2
        assert board == ('20×20"' if squares == 1 else '40×20"')
        assert int(walkers) == -(-limit // 15)
        assert (int(cars), int(barriers)) == (4 * squares, 6 * squares)
        assert int(tokens) == (5 if limit <= 100 else 6 if limit <= 250 else 7)

"""Grids: the facts about what fits, the words for what does not, and what holds for every grid."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cardgen.errors import DoesNotFit
from cardgen.geometry import EPSILON_MM, Box, Size
from cardgen.model.sheet import PAPERS, Grid, SheetTemplate
from cardgen.model.trim import Trim
from cardgen.sheets.grid import compute_grid, largest_bleed
from cardgen.sheets.room import LEAST_MARGIN, LEAST_MARK, mark_room

A4, LETTER = PAPERS["a4"].size, PAPERS["letter"].size
MakeTrim = Callable[..., Trim]
MakeTemplate = Callable[..., SheetTemplate]


# --- the facts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("paper", "left", "top"), [(A4, 10.5, 16.5), (LETTER, 13.45, 7.7)])
def test_what_3x3_of_63x88_leaves(paper: Size, left: float, top: float, trim: MakeTrim, template: MakeTemplate) -> None:
    sheet = template(columns=3, rows=3, orientation="portrait", bleed="none", marks="none")
    block = compute_grid(sheet, trim(63, 88), paper).block
    assert (block.x, block.y) == pytest.approx((left, top))
    assert (paper.width - block.right, paper.height - block.bottom) == pytest.approx((left, top))


@pytest.mark.parametrize(
    ("paper", "card", "margin", "across", "down"),
    [
        (A4, Size(63, 88), 5, 1.83, 3.83),
        (A4, Size(63.5, 88.9), 5, 1.58, None),
        (LETTER, Size(63, 88), 5, None, 0.90),
        (LETTER, Size(63.5, 88.9), 5, None, 0.45),
        (A4, Size(63, 88), 3, 2.5, None),
        (A4, Size(63.5, 88.9), 3, 2.25, None),
        (LETTER, Size(63, 88), 3, None, 1.57),
        (LETTER, Size(63.5, 88.9), 3, None, 1.12),
    ],
)
def test_the_largest_bleed_that_each_card_of_3x3_can_carry(
    paper: Size, card: Size, margin: float, across: float | None, down: float | None
) -> None:
    found = largest_bleed(card, 3, 3, paper, margin)
    for value, expected in zip(found, (across, down), strict=True):
        if expected is not None:
            assert value == pytest.approx(expected, abs=0.006)
    # The figures of the facts are the smaller of the two directions.
    assert min(found) == pytest.approx(min(value for value in (across, down) if value is not None), abs=0.006)


@given(st.sampled_from([A4, LETTER]), st.sampled_from([Size(63, 88), Size(63.5, 88.9)]), st.sampled_from([3.0, 5.0]))
def test_the_largest_bleed_fits_and_a_hair_more_does_not(paper: Size, card: Size, margin: float) -> None:
    most = min(largest_bleed(card, 3, 3, paper, margin))
    card_trim = Trim("t", "t", card, bleed=10.0)
    sheet = SheetTemplate("t", 1, "t", "a4", 3, 3, "portrait", margin, bleed="each", marks="none", turn=False)
    assert len(compute_grid(replace(sheet, bleed_amount=most), card_trim, paper).slots) == 9
    with pytest.raises(DoesNotFit):
        compute_grid(replace(sheet, bleed_amount=most + 0.01), card_trim, paper)


@pytest.mark.parametrize(
    ("width", "height", "columns", "rows", "turned"),
    [
        (41, 63, 3, 7, True),
        (44, 68, 4, 4, False),
        (57.15, 88.9, 2, 5, True),
        (59, 92, 3, 3, False),
        (70, 120, 2, 2, False),
        (70, 70, 2, 4, False),
        (63, 88, 3, 3, False),
    ],
)
def test_the_best_gapless_fits_on_a4(
    width: float, height: float, columns: int, rows: int, turned: bool, trim: MakeTrim, template: MakeTemplate
) -> None:
    sheet = template(orientation="portrait", bleed="none", marks="none", margin=5.0)
    grid = compute_grid(sheet, trim(width, height), A4)
    assert (grid.columns, grid.rows, grid.turned) == (columns, rows, turned)


def test_bleed_of_3_mm_on_each_makes_2x4_turned(trim: MakeTrim, template: MakeTemplate) -> None:
    grid = compute_grid(template(orientation="portrait", bleed="each"), trim(63, 88), A4)
    assert (grid.columns, grid.rows, grid.turned, len(grid.slots)) == (2, 4, True, 8)
    assert grid.gap == 6


def test_bleed_at_the_outer_edge_keeps_3x3(trim: MakeTrim, template: MakeTemplate) -> None:
    grid = compute_grid(template(bleed="outer"), trim(63, 88), A4)
    assert (grid.columns, grid.rows, grid.turned, grid.bleed) == (3, 3, False, 3)


def test_the_marks_of_a4_3x3_with_outer_bleed(trim: MakeTrim, template: MakeTemplate) -> None:
    # 10.5 mm at the sides less 3 mm bleed: the mark comes 1 mm near the art, is 3 mm long and ends 3.5 mm from the edge.
    room = mark_room(10.5 - 3.0, 5.0)
    assert room is not None
    assert (room.away, room.length) == (1.0, 3.0)


@pytest.mark.parametrize(
    ("room", "away", "length"),
    [
        (30.0, 2.0, 15.0),  # as long as a mark gets
        (16.0, 2.0, 9.0),  # to the paper margin
        (10.0, 2.0, 3.0),  # the least mark at the full distance
        (9.5, 1.5, 3.0),  # then nearer to the art
        (9.0, 1.0, 3.0),
        (8.0, 1.0, 3.0),  # then into the margin
        (7.0, 1.0, 3.0),
        (6.9, None, None),  # else none
    ],
)
def test_how_a_mark_gives_way(room: float, away: float | None, length: float | None) -> None:
    found = mark_room(room, 5.0)
    if away is None:
        assert found is None
    else:
        assert found is not None
        assert (found.away, found.length) == pytest.approx((away, length))


def test_a_small_margin_of_ones_own_is_never_widened() -> None:
    found = mark_room(5.5, 1.5)
    assert found is not None
    assert (found.away, found.length) == pytest.approx((1.0, 3.0))


# --- what is refused -------------------------------------------------------------------------------------------------


def refusal(sheet: SheetTemplate, card: Trim, paper: Size) -> str:
    with pytest.raises(DoesNotFit) as caught:
        compute_grid(sheet, card, paper)
    return str(caught.value)


def test_3x3_with_3_mm_on_each_is_refused_with_what_fits(trim: MakeTrim, template: MakeTemplate) -> None:
    sheet = template(columns=3, rows=3, orientation="portrait", bleed="each", marks="none")
    assert refusal(sheet, trim(63, 88), A4) == (
        "3 x 3 pieces of 63 x 88 mm with 3 mm bleed on each do not fit on paper of 210 x 297 mm with margins of 5 mm: "
        "7 mm too wide; the largest grid that does is 2 x 4, turned, portrait: 8 pieces "
        "(3 x 3 fits with 1.83 mm bleed on each; 3 x 3 fits with bleed around the block only)"
    )


def test_letter_has_no_room_for_marks_beside_3_mm_of_bleed(trim: MakeTrim, template: MakeTemplate) -> None:
    sheet = template(columns=3, rows=3, orientation="portrait")
    assert refusal(sheet, trim(63, 88), LETTER) == (
        "3 x 3 pieces of 63 x 88 mm with 3 mm bleed around the block do not fit on paper of 215.9 x 279.4 mm with "
        "margins of 5 mm and crop marks: 4.6 mm too high; the largest grid that does is 2 x 4, turned, portrait: "
        "8 pieces (3 x 3 fits with 0.7 mm bleed around the block)"
    )


def test_a_piece_larger_than_the_paper_is_refused(trim: MakeTrim, template: MakeTemplate) -> None:
    words = refusal(template(), trim(300, 300), A4)
    assert words.startswith("pieces of 300 x 300 mm")
    assert "not even one piece fits" in words
    assert "110 mm too wide and 23 mm too high" in words


def test_marks_in_the_gap_need_a_gap(trim: MakeTrim, template: MakeTemplate) -> None:
    assert "need a gap" in refusal(template(marks="in-gap"), trim(63, 88), A4)
    assert compute_grid(template(marks="in-gap", gap=4.0), trim(63, 88), A4).gap == 4


def test_pieces_beyond_counting_are_refused(trim: MakeTrim, template: MakeTemplate) -> None:
    assert "more than the 10000" in refusal(template(), trim(1, 1, bleed=0), A4)


@given(st.data())
def test_what_a_refusal_proposes_does_fit(data: st.DataObject) -> None:
    sheet = data.draw(templates().filter(lambda sheet: sheet.columns * sheet.rows))
    card, paper = data.draw(trims()), data.draw(papers())
    try:
        compute_grid(sheet, card, paper)
    except DoesNotFit as error:
        if "need a gap" in str(error):
            return
        proposed = re.search(r"is (\d+) x (\d+)(, turned)?, (portrait|landscape): (\d+) piece", str(error))
        if proposed is None:
            assert "not even one piece fits" in str(error) or "more than" in str(error)
            return
        columns, rows, turned, lies, count = proposed.groups()
        found: Any = replace(
            sheet,
            columns=int(columns),
            rows=int(rows),
            turn=bool(turned),
            orientation=str(lies),  # type: ignore[arg-type]
        )
        assert int(count) == int(columns) * int(rows)
        if int(count) <= 10_000:
            assert len(compute_grid(found, card, paper).slots) == int(count)


# --- what holds for every grid ---------------------------------------------------------------------------------------


def trims() -> st.SearchStrategy[Trim]:
    sides = st.floats(12, 150).map(lambda value: round(value, 2))
    return st.builds(
        lambda width, height, bleed: Trim("t", "t", Size(width, height), bleed),
        sides,
        sides,
        st.floats(0, 5).map(lambda value: round(value, 2)),
    )


def papers() -> st.SearchStrategy[Size]:
    return st.sampled_from([paper.size for paper in PAPERS.values()])


def templates() -> st.SearchStrategy[SheetTemplate]:
    return st.builds(
        SheetTemplate,
        id=st.just("t"),
        version=st.just(1),
        title=st.just("t"),
        paper=st.just("a4"),
        columns=st.integers(0, 5),
        rows=st.integers(0, 5),
        orientation=st.sampled_from(["auto", "portrait", "landscape"]),
        margin=st.sampled_from([0.0, 3.0, 5.0, 10.0]),
        gap=st.sampled_from([0.0, 0.0, 2.0, 6.5]),
        bleed=st.sampled_from(["outer", "each", "none"]),
        bleed_amount=st.sampled_from([None, 0.0, 1.5, 9.0]),
        marks=st.sampled_from(["margin", "full", "corner", "in-gap", "none"]),
        turn=st.sampled_from([None, True, False]),
    )


def grids() -> st.SearchStrategy[tuple[Grid, SheetTemplate, Trim, Size]]:
    def compute(parts: tuple[SheetTemplate, Trim, Size]) -> tuple[Grid, SheetTemplate, Trim, Size] | None:
        try:
            return compute_grid(*parts), *parts
        except DoesNotFit:
            return None

    return st.tuples(templates(), trims(), papers()).map(compute).filter(lambda found: found is not None)  # type: ignore[return-value]


@given(grids())
def test_slots_lie_within_the_margins_apart_and_in_the_middle(made: tuple[Grid, SheetTemplate, Trim, Size]) -> None:
    grid, sheet, card, paper = made
    width, height = grid.paper.width, grid.paper.height
    printable = Box(sheet.margin, sheet.margin, width - 2 * sheet.margin, height - 2 * sheet.margin)
    assert printable.contains(grid.art)
    assert len(grid.slots) == grid.columns * grid.rows
    assert {width, height} == {paper.width, paper.height}
    size = card.size.turned() if grid.turned else card.size
    for index, slot in enumerate(grid.slots):
        assert (slot.width, slot.height) == (size.width, size.height)
        assert not any(slot.overlaps(other) for other in grid.slots[:index])
    block = grid.block
    assert block.x == pytest.approx(width - block.right)
    assert block.y == pytest.approx(height - block.bottom)


@given(grids())
def test_rows_run_from_left_to_right_and_downwards_a_gap_apart(made: tuple[Grid, SheetTemplate, Trim, Size]) -> None:
    grid, sheet, card, _ = made
    for index, slot in enumerate(grid.slots):
        row, column = divmod(index, grid.columns)
        if column:
            left = grid.slots[index - 1]
            assert slot.y == left.y
            assert slot.x - left.right == pytest.approx(grid.gap, abs=1e-9)
        if row:
            above = grid.slots[index - grid.columns]
            assert slot.x == above.x
            assert slot.y - above.bottom == pytest.approx(grid.gap, abs=1e-9)
    assert grid.bleed <= card.bleed
    if sheet.bleed == "each":
        assert grid.gap >= 2 * grid.bleed
    if sheet.bleed == "none":
        assert grid.bleed == 0


@given(grids())
def test_a_template_gets_what_it_fixes(made: tuple[Grid, SheetTemplate, Trim, Size]) -> None:
    grid, sheet, _, _ = made
    assert sheet.columns in (0, grid.columns)
    assert sheet.rows in (0, grid.rows)
    assert sheet.turn in (None, grid.turned)
    if sheet.orientation != "auto":
        assert (grid.paper.width > grid.paper.height) == (sheet.orientation == "landscape")


@given(grids())
def test_as_many_as_fit_means_that_no_more_do(made: tuple[Grid, SheetTemplate, Trim, Size]) -> None:
    grid, sheet, card, paper = made
    lies = "landscape" if grid.paper.width > grid.paper.height else "portrait"
    for more in ({"columns": grid.columns + 1}, {"rows": grid.rows + 1}):
        if all(getattr(sheet, key) == 0 for key in more):
            fixed: Any = {"columns": grid.columns, "rows": grid.rows, "turn": grid.turned, "orientation": lies} | more
            with pytest.raises(DoesNotFit):
                compute_grid(replace(sheet, **fixed), card, paper)


@given(grids())
def test_turning_is_for_more_pieces_only(made: tuple[Grid, SheetTemplate, Trim, Size]) -> None:
    grid, sheet, card, paper = made
    if sheet.turn is None and grid.turned:
        try:
            upright = compute_grid(replace(sheet, turn=False), card, paper)
        except DoesNotFit:
            return
        assert len(upright.slots) < len(grid.slots)


@given(grids())
def test_marks_in_the_margin_always_find_room(made: tuple[Grid, SheetTemplate, Trim, Size]) -> None:
    grid, sheet, _, _ = made
    if sheet.marks == "margin":
        for side in (grid.art.x, grid.art.y):
            room = mark_room(side, sheet.margin)
            assert room is not None
            assert room.length >= LEAST_MARK
            assert side - room.away - room.length >= min(LEAST_MARGIN, sheet.margin) - EPSILON_MM


def test_one_face_a_page_is_the_trim_with_its_bleed(trim: MakeTrim, template: MakeTemplate) -> None:
    grid = compute_grid(template(paper=None, bleed="each", margin=0.0, marks="none"), trim(63, 88), None)
    assert grid.paper == Size(69, 94)
    assert grid.slots == (Box(3, 3, 63, 88),)
    assert grid.art == Box(0, 0, 69, 94)

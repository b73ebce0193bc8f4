"""Crop marks: one a cut, away from the art, inside the paper."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cardgen.geometry import Box
from cardgen.model.drawing import Path
from cardgen.model.sheet import PAPERS, Grid, SheetTemplate
from cardgen.model.trim import Trim
from cardgen.sheets.grid import compute_grid
from cardgen.sheets.marks import LIGHT_GREY, MARK_WIDTH, crop_marks

A4 = PAPERS["a4"].size
MakeTrim = Callable[..., Trim]
MakeTemplate = Callable[..., SheetTemplate]
Line = tuple[tuple[float, float], tuple[float, float]]


def lines_of(paths: tuple[Path, ...]) -> set[Line]:
    return {(line[0], line[-1]) for path in paths for line in path.lines}


def upright(lines: set[Line]) -> set[Line]:
    return {line for line in lines if line[0][0] == line[1][0]}


def level(lines: set[Line]) -> set[Line]:
    return {line for line in lines if line[0][1] == line[1][1]}


@pytest.fixture
def nine(trim: MakeTrim, template: MakeTemplate) -> Grid:
    return compute_grid(template(orientation="portrait"), trim(63, 88), A4)


def test_one_mark_at_both_ends_of_every_cut(nine: Grid) -> None:
    lines = lines_of(crop_marks(nine, nine.slots, "margin", 3.0))
    assert sorted({line[0][0] for line in upright(lines)}) == [10.5, 73.5, 136.5, 199.5]
    assert sorted({line[0][1] for line in level(lines)}) == [16.5, 104.5, 192.5, 280.5]
    assert len(lines) == 16


def test_marks_stand_in_the_margin_away_from_the_art_and_off_the_edge(nine: Grid) -> None:
    lines = lines_of(crop_marks(nine, nine.slots, "margin", 3.0))
    assert ((10.5, 5.0), (10.5, 11.5)) in lines  # above: 2 mm from the bleed at 13.5, to the margin of 5 mm
    assert ((3.5, 16.5), (6.5, 16.5)) in lines  # at the side: 1 mm from the bleed at 7.5, 3 mm long
    for (x0, y0), (x1, y1) in lines:
        assert not Box(min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0)).grown(0.9).overlaps(nine.art)
        assert min(x0, x1) >= 3
        assert max(x0, x1) <= 207
        assert min(y0, y1) >= 3
        assert max(y0, y1) <= 294


def test_marks_are_thin_black_strokes(nine: Grid) -> None:
    (path,) = crop_marks(nine, nine.slots, "margin", 3.0)
    assert (path.width, path.stroke, path.fill, path.dash) == (MARK_WIDTH, (0, 0, 0), None, ())


def test_two_marks_where_a_gap_parts_the_cards(trim: MakeTrim, template: MakeTemplate) -> None:
    grid = compute_grid(template(orientation="portrait", bleed="each"), trim(63, 88), A4)
    xs = sorted({line[0][0] for line in upright(lines_of(crop_marks(grid, grid.slots, "margin", 3.0)))})
    assert xs == [14.0, 102.0, 108.0, 196.0]


def test_an_incomplete_sheet_has_marks_for_its_cards_only(nine: Grid) -> None:
    lines = lines_of(crop_marks(nine, nine.slots[:2], "margin", 3.0))
    assert sorted({line[0][0] for line in upright(lines)}) == [10.5, 73.5, 136.5]
    assert sorted({line[0][1] for line in level(lines)}) == [16.5, 104.5]
    # At the block's edge, where a full sheet has them: a stack is cut along one set of marks.
    assert lines < lines_of(crop_marks(nine, nine.slots, "margin", 3.0))


def test_no_cards_or_no_marks_wanted_make_no_marks(nine: Grid) -> None:
    assert crop_marks(nine, (), "margin", 3.0) == ()
    assert crop_marks(nine, nine.slots, "none", 3.0) == ()


@pytest.mark.parametrize("marks", ["full", "corner"])
def test_marks_on_the_art_are_dashed_black_over_light_grey(nine: Grid, marks: str) -> None:
    below, above = crop_marks(nine, nine.slots, marks, 3.0)  # type: ignore[arg-type]
    assert (below.stroke, below.dash) == (LIGHT_GREY, ())
    assert above.stroke == (0, 0, 0)
    assert above.dash
    assert below.lines == above.lines


def test_full_marks_cross_the_block_to_the_end_of_the_bleed(nine: Grid) -> None:
    lines = lines_of(crop_marks(nine, nine.slots, "full", 3.0))
    assert ((73.5, 13.5), (73.5, 283.5)) in lines
    assert ((7.5, 104.5), (202.5, 104.5)) in lines
    assert len(lines) == 8


def test_full_marks_of_an_incomplete_sheet_end_with_its_cards(nine: Grid) -> None:
    lines = lines_of(crop_marks(nine, nine.slots[:4], "full", 3.0))
    assert ((73.5, 13.5), (73.5, 195.5)) in lines
    assert ((136.5, 13.5), (136.5, 107.5)) in lines
    assert ((7.5, 192.5), (76.5, 192.5)) in lines


@pytest.mark.parametrize(("corner", "arm"), [(3.0, 3.0), (2.5, 2.5), (5.0, 3.0), (0.0, 1.5)])
def test_corner_marks_go_with_the_rounded_corner(nine: Grid, corner: float, arm: float) -> None:
    lines = lines_of(crop_marks(nine, nine.slots, "corner", corner))
    assert ((73.5 - arm, 104.5), (73.5 + arm, 104.5)) in lines
    assert ((73.5, 104.5 - arm), (73.5, 104.5 + arm)) in lines
    assert len(lines) == 2 * 16


def test_marks_in_the_gap_never_touch_a_card(trim: MakeTrim, template: MakeTemplate) -> None:
    sheet = template(columns=3, rows=3, orientation="portrait", bleed="each", bleed_amount=1.8, marks="in-gap")
    grid = compute_grid(sheet, trim(63, 88), A4)
    lines = lines_of(crop_marks(grid, grid.slots, "in-gap", 3.0))
    printable = Box(5, 5, 200, 287)
    for (x0, y0), (x1, y1) in lines:
        box = Box(min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0))
        assert not any(box.overlaps(slot) for slot in grid.slots)
        assert printable.contains(box)
    # A crossing of two gaps shows both edges of both neighbours, each once.
    crossing = Box(grid.slots[0].right, grid.slots[0].bottom, 3.6, 3.6).grown(0.01)
    inside = [line for line in lines if all(crossing.contains(Box(x, y, 0, 0)) for x, y in line)]
    assert len(inside) == 4


def test_marks_never_enter_the_margin_of_the_printer(trim: MakeTrim, template: MakeTemplate) -> None:
    sheet = template(columns=3, rows=7, turn=True, bleed="none", marks="full")
    grid = compute_grid(sheet, trim(41, 63), A4)
    for marks in ("full", "corner"):
        for (x0, y0), (x1, y1) in lines_of(crop_marks(grid, grid.slots, marks, 3.0)):  # type: ignore[arg-type]
            assert min(x0, y0) >= 5
            assert max(x0, x1) <= 205
            assert max(y0, y1) <= 292

"""Cut lists: every straight piece comes free, whole, by cuts that go from edge to edge."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.geometry import Box
from cardgen.model.drawing import Path, Text
from cardgen.model.sheet import Cut, Laid
from cardgen.sheets.cut_marks import cut_marks
from cardgen.sheets.cutting import cut_list

FRAME = Box(0, 0, 200, 280)


def laid(*boxes: Box, straight: bool = True) -> list[Laid]:
    return [Laid(str(index), "", box, straight) for index, box in enumerate(boxes)]


def grid(columns: int, rows: int, width: float, height: float, gap: float = 0.0) -> list[Laid]:
    return laid(
        *(
            Box(10 + column * (width + gap), 10 + row * (height + gap), width, height)
            for row in range(rows)
            for column in range(columns)
        )
    )


def crosses(cut: Cut, box: Box, slack: float = 0.01) -> bool:
    if cut.axis == "upright":
        return box.x + slack < cut.at < box.right - slack and cut.start < box.bottom - slack and cut.end > box.y + slack
    return box.y + slack < cut.at < box.bottom - slack and cut.start < box.right - slack and cut.end > box.x + slack


def covered(axis: str, at: float, start: float, end: float, cuts: Sequence[Cut]) -> bool:
    """Whether cuts follow one another along a side of a piece, from one of its corners to the other."""
    reached = start
    for cut in sorted((cut for cut in cuts if cut.axis == axis and abs(cut.at - at) < 0.01), key=lambda cut: cut.start):
        if cut.start <= reached + 0.01:
            reached = max(reached, cut.end)
    return reached >= end - 0.01


def check_cuts(cuts: Sequence[Cut], pieces: Sequence[Laid], frame: Box) -> None:
    """All that makes a list of cuts one that a person can follow to its end."""
    assert [cut.number for cut in cuts] == list(range(1, len(cuts) + 1))
    for piece in pieces:
        box = piece.box
        assert not any(crosses(cut, box) for cut in cuts)
        if piece.straight:
            assert covered("upright", box.x, box.y, box.bottom, cuts)
            assert covered("upright", box.right, box.y, box.bottom, cuts)
            assert covered("level", box.y, box.x, box.right, cuts)
            assert covered("level", box.bottom, box.x, box.right, cuts)
    for index, cut in enumerate(cuts):
        low, high = (frame.y, frame.bottom) if cut.axis == "upright" else (frame.x, frame.right)
        for end, edge in ((cut.start, low), (cut.end, high)):
            # At a mark in the margin, or at a cut made before: never beyond the marks, never ending in a piece.
            on_earlier = any(
                other.axis != cut.axis
                and abs(other.at - end) < 0.01
                and other.start - 0.01 <= cut.at <= other.end + 0.01
                for other in cuts[:index]
            )
            # Cuts of one round that cross are made through each other, whichever comes first.
            assert abs(end - edge) < 0.01 or on_earlier


def test_a_grid_is_cut_by_its_lines() -> None:
    pieces = grid(3, 3, 50, 70)
    cuts = cut_list(pieces, FRAME)
    assert cuts is not None
    check_cuts(cuts, pieces, FRAME)
    assert [(cut.axis, cut.at) for cut in cuts] == [
        *(("upright", at) for at in (10, 60, 110, 160)),
        *(("level", at) for at in (10, 80, 150, 220)),
    ]
    assert {(cut.start, cut.end) for cut in cuts} == {(0, 280), (0, 200)}


def test_a_gap_takes_two_cuts() -> None:
    cuts = cut_list(grid(2, 1, 50, 70, gap=6), FRAME)
    assert cuts is not None
    assert [cut.at for cut in cuts if cut.axis == "upright"] == [10, 60, 66, 116]


def test_strips_that_are_divided_alike_are_cut_together() -> None:
    # Four columns of small pieces beside one that is as high as they are: first the two are parted, then the columns
    # share their level cuts. Column by column it would take 4 + 4 x 8.
    pieces = [*grid(4, 9, 13, 13), Laid("pawn", "", Box(62, 10, 25, 106), True)]
    cuts = cut_list(pieces, FRAME)
    assert cuts is not None
    check_cuts(cuts, pieces, FRAME)
    assert len(cuts) < 22


def test_a_pinwheel_cannot_be_cut() -> None:
    pieces = laid(
        Box(10, 10, 60, 30), Box(70, 10, 30, 60), Box(40, 70, 60, 30), Box(10, 40, 30, 60), Box(40, 40, 30, 30)
    )
    assert cut_list(pieces, FRAME) is None


def test_scissors_need_no_cuts() -> None:
    pinwheel = (Box(10, 10, 60, 30), Box(70, 10, 30, 60), Box(40, 70, 60, 30), Box(10, 40, 30, 60))
    assert cut_list(laid(*pinwheel, straight=False), FRAME) == ()


def test_gaps_between_outlined_pieces_are_cut_where_straight_ones_lie_behind() -> None:
    # No line along the straight piece's edge passes: they all cross the outlined ones.
    pieces = [
        *laid(Box(10, 10, 80, 30), Box(94, 10, 80, 30), Box(10, 50, 40, 80), Box(130, 50, 44, 80), straight=False),
        *laid(Box(60, 20 + 30, 20, 60), Box(84, 50, 36, 76)),
        *laid(Box(10, 140, 70, 40), Box(84, 140, 90, 40), straight=False),
    ]
    cuts = cut_list(pieces, FRAME)
    assert cuts is not None
    check_cuts(cuts, pieces, FRAME)


def test_nothing_laid_is_not_cut() -> None:
    assert cut_list([], FRAME) == ()


@st.composite
def cut_up(draw: st.DrawFn) -> list[Laid]:
    """A sheet that was cut by a guillotine: so there is a way to cut it again."""
    boxes = [Box(10, 10, 180, 260)]
    for _ in range(draw(st.integers(0, 25))):
        at = draw(st.integers(0, len(boxes) - 1))
        box = boxes[at]
        gap, share = draw(st.sampled_from([0.0, 0.0, 4.0])), draw(st.floats(0.2, 0.8))
        if draw(st.booleans()):
            first = round((box.width - gap) * share, 4)
            if min(first, box.width - gap - first) < 5:
                continue
            boxes[at : at + 1] = [
                Box(box.x, box.y, first, box.height),
                Box(box.x + first + gap, box.y, box.width - first - gap, box.height),
            ]
        else:
            first = round((box.height - gap) * share, 4)
            if min(first, box.height - gap - first) < 5:
                continue
            boxes[at : at + 1] = [
                Box(box.x, box.y, box.width, first),
                Box(box.x, box.y + first + gap, box.width, box.height - first - gap),
            ]
    return [Laid(str(index), "", box, draw(st.integers(0, 3)) > 0) for index, box in enumerate(boxes)]


@given(cut_up())
def test_what_a_guillotine_made_it_can_make_again(pieces: list[Laid]) -> None:
    cuts = cut_list(pieces, FRAME)
    assert cuts is not None
    check_cuts(cuts, pieces, FRAME)


# --- marks -----------------------------------------------------------------------------------------------------------


def test_long_cuts_have_numbered_marks_at_both_ends() -> None:
    pieces = grid(2, 2, 50, 70)
    frame = Box(8, 8, 104, 144)
    cuts = cut_list(pieces, frame)
    assert cuts is not None
    path, *numbers = cut_marks(cuts, pieces, frame, frame.grown(3), "margin")
    assert isinstance(path, Path)
    assert len(path.lines) == 2 * len(cuts)
    assert ((10, 5), (10, 8)) in path.lines
    assert ((112, 80), (115, 80)) in path.lines
    told = [item.text for item in numbers if isinstance(item, Text)]
    assert sorted(told) == sorted(2 * [str(cut.number) for cut in cuts])


def test_inner_cuts_have_ticks_along_themselves() -> None:
    # Two halves, divided differently.
    pieces = laid(Box(10, 10, 50, 40), Box(10, 50, 50, 60), Box(60, 10, 50, 70), Box(60, 80, 50, 30))
    frame = Box(8, 8, 104, 104)
    cuts = cut_list(pieces, frame)
    assert cuts is not None
    check_cuts(cuts, pieces, frame)
    *_, grey, black = cut_marks(cuts, pieces, frame, frame.grown(3), "margin")
    assert isinstance(black, Path)
    assert isinstance(grey, Path)
    assert black.lines == grey.lines
    assert black.dash
    # The cut at 50 goes from the left margin to the line at 60, and has its tick there.
    assert ((58.5, 50), (60, 50)) in black.lines


@pytest.mark.parametrize(("marks", "paths"), [("none", 0), ("full", 2), ("corner", 2)])
def test_other_kinds_of_marks(marks: str, paths: int) -> None:
    pieces = grid(2, 2, 50, 70)
    cuts = cut_list(pieces, FRAME)
    assert cuts is not None
    made = cut_marks(cuts, pieces, FRAME, FRAME, marks)  # type: ignore[arg-type]
    assert len(made) == paths
    if marks == "full":
        assert isinstance(made[0], Path)
        assert len(made[0].lines) == len(cuts)

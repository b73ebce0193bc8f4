"""Sheets that are folded: behind every front lies its back, far enough from the fold, or there is no such sheet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cardgen.errors import DoesNotFit
from cardgen.geometry import Box, Size
from cardgen.model.drawing import Path, Text
from cardgen.model.sheet import PAPERS, Imposition, Imprint, Piece, Placement, SheetTemplate
from cardgen.model.trim import Trim
from cardgen.sheets.gutterfold import FOLD_ROOM
from cardgen.sheets.impose import impose

A4 = PAPERS["a4"].size
IMPRINT = Imprint("Equipment", "1.2", "en", "Somebody, CC BY 4.0")
POKER = Trim("poker-eu", "Standard card", Size(63, 88))
FREE = SheetTemplate("t", 1, "t", "a4")


def cards(count: int, without: set[int] = frozenset()) -> list[Piece]:  # type: ignore[assignment]
    return [Piece(f"front-{i}", None if i in without else f"back-{i}", f"card-{i}") for i in range(count)]


def fold(
    pieces: list[Piece], template: SheetTemplate = FREE, trim: Trim = POKER, paper: str = "a4", total: int = 0
) -> Imposition:
    return impose(pieces, template, trim, PAPERS[paper].size, IMPRINT, "gutterfold", total=total)


foldings = st.builds(
    lambda count, without, orientation, bleed, marks, paper, width, height: (
        Trim("t", "T", Size(width, height)),
        fold(
            cards(count, without),
            SheetTemplate("t", 1, "t", paper, orientation=orientation, bleed=bleed, marks=marks),
            Trim("t", "T", Size(width, height)),
            paper,
        ),
    ),
    st.integers(1, 20),
    st.sets(st.integers(1, 20)),
    st.sampled_from(["auto", "portrait"]),
    st.sampled_from(["outer", "each", "none"]),
    st.sampled_from(["margin", "full", "corner", "none"]),
    st.sampled_from(["a4", "letter"]),
    st.floats(25, 88),
    st.floats(25, 88),
)


def behind(imposition: Imposition, x: float, y: float) -> tuple[float, float]:
    """Where a point lies after folding along the level line in the middle of the paper: seen from above, on paper."""
    return x, imposition.paper.height - y


def halves(imposition: Imposition, placements: tuple[Placement, ...]) -> tuple[list[Placement], dict[str, Placement]]:
    middle = imposition.paper.height / 2
    above = [placement for placement in placements if placement.trim.bottom < middle]
    below = {placement.label: placement for placement in placements if placement.trim.y > middle}
    assert len(above) + len(below) == len(placements)
    return above, below


@given(foldings)
def test_folded_every_back_lies_behind_its_front_the_same_way_up(folding: tuple[Trim, Imposition]) -> None:
    trim, imposition = folding
    width, height = trim.size.width, trim.size.height
    printed = []
    for sheet in imposition.sheets:
        assert sheet.side == "front"
        fronts, backs = halves(imposition, sheet.placements)
        for front in fronts:
            printed.append(front.face)
            back = backs.pop(front.label, None)
            if back is None:
                continue
            assert back.face == front.face.replace("front", "back")
            # Top behind top, and the back's right edge behind the front's left one.
            for mine, other in (((width / 2, 0), (width / 2, 0)), ((0, height / 2), (width, height / 2))):
                assert back.matrix.apply(*other) == pytest.approx(behind(imposition, *front.matrix.apply(*mine)))
            for before, after in ((front.trim, back.trim), (front.clip, back.clip)):
                x, y = behind(imposition, before.x, before.bottom)
                assert (after.x, after.y) == pytest.approx((x, y))
                assert (after.width, after.height) == pytest.approx((before.width, before.height))
        assert not backs
    assert printed == [f"front-{i}" for i in range(len(printed))]
    assert imposition.duplex is None


@given(foldings)
def test_nothing_comes_near_the_fold(folding: tuple[Trim, Imposition]) -> None:
    _, imposition = folding
    middle = imposition.paper.height / 2
    for sheet in imposition.sheets:
        for placement in sheet.placements:
            assert not placement.clip.overlaps(
                Box(0, middle - FOLD_ROOM + 1e-6, imposition.paper.width, 2 * FOLD_ROOM - 2e-6)
            )
        paths = [item for item in sheet.drawing.over if isinstance(item, Path)]
        crossing = [
            line for path in paths for line in path.lines if min(y for _, y in line) < middle < max(y for _, y in line)
        ]
        # The ruler may stand in the side margin; no mark goes over the fold.
        art = min(placement.clip.x for placement in sheet.placements)
        right = max(placement.clip.right for placement in sheet.placements)
        assert all(line[0][0] < art or line[0][0] > right for line in crossing)


@given(foldings)
def test_the_fold_is_drawn_once_over_the_whole_paper(folding: tuple[Trim, Imposition]) -> None:
    _, imposition = folding
    paper = imposition.paper
    for sheet in imposition.sheets:
        paths = [item for item in sheet.drawing.over if isinstance(item, Path)]
        lines = [path for path in paths if any(all(y == paper.height / 2 for _, y in line) for line in path.lines)]
        assert [path.lines for path in lines] == [(((5, paper.height / 2), (paper.width - 5, paper.height / 2)),)]
        assert lines[0].dash
        assert [item.text for item in sheet.drawing.over if isinstance(item, Text)].count("fold here") == 1


def test_marks_stand_on_the_half_of_the_fronts_alone() -> None:
    (sheet,) = fold(cards(4), replace(FREE, ruler=False, labels=False)).sheets
    middle = A4.height / 2
    paths = [item for item in sheet.drawing.over if isinstance(item, Path)]
    assert all(y <= middle for path in paths for line in path.lines for _, y in line)
    # Two columns of touching cards have three upright cuts, with a mark at either end; two rows likewise.
    assert sum(len(path.lines) for path in paths) == 6 + 6 + 1


def test_as_many_as_one_half_holds() -> None:
    imposition = fold(cards(9))
    assert [len(sheet.placements) for sheet in imposition.sheets] == [8, 8, 2]
    assert imposition.grid is not None
    assert (imposition.grid.columns, imposition.grid.rows, imposition.grid.turned) == (2, 2, True)
    assert [placement.label for placement in imposition.sheets[2].placements] == ["card-8", "card-8"]


def test_without_a_single_back_nothing_is_folded() -> None:
    imposition = fold(cards(9, set(range(9))))
    assert [len(sheet.placements) for sheet in imposition.sheets] == [9]


def test_one_face_a_page_is_not_folded() -> None:
    single = SheetTemplate("s", 1, "s", None, margin=0, bleed="each", marks="none", ruler=False, labels=False)
    imposition = impose(cards(2), single, POKER, None, IMPRINT, "gutterfold")
    assert [sheet.side for sheet in imposition.sheets] == ["front", "back"] * 2


def test_what_does_not_fit_is_told_with_the_largest_grid() -> None:
    with pytest.raises(DoesNotFit) as told:
        fold(cards(1), SheetTemplate("a4-3x3", 1, "Nine", "a4", 3, 3, "portrait"))
    assert str(told.value) == (
        "3 x 3 pieces of 63 x 88 mm with 3 mm bleed do not fit on one half of a folded sheet of 210 x 297 mm, 5 mm away "
        "from the fold; the largest grid that does is 2 x 2, turned, portrait: 4 pieces"
    )


def test_a_piece_larger_than_half_the_paper() -> None:
    with pytest.raises(DoesNotFit, match="not even one piece fits"):
        fold(cards(1), FREE, Trim("big", "Big", Size(150, 140)))


@given(st.integers(1, 40), st.integers(1, 5), st.integers(1, 5), st.booleans())
def test_the_grid_that_a_refusal_names_does_fit(count: int, columns: int, rows: int, turn: bool) -> None:
    template = replace(FREE, columns=columns, rows=rows, turn=turn)
    try:
        fold(cards(count), template)
    except DoesNotFit as error:
        named = str(error).rpartition("is ")[2].partition(":")[0]
        grid, *words = named.split(", ")
        across, down = map(int, grid.split(" x "))
        fits = replace(FREE, columns=across, rows=down, turn="turned" in words, orientation=words[-1])  # type: ignore[arg-type]
        fold(cards(1), fits)

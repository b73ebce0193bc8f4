"""Imposition: copies, incomplete sheets, and backs that lie behind their fronts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cardgen.errors import DoesNotFit
from cardgen.geometry import Box, Size
from cardgen.model.drawing import Drawing, Path, Text
from cardgen.model.sheet import PAPERS, Flip, Imposition, Imprint, Piece, Placement, Sheet, SheetTemplate
from cardgen.model.trim import Trim
from cardgen.sheets.flip import mirror
from cardgen.sheets.impose import impose

A4 = PAPERS["a4"].size
IMPRINT = Imprint("Equipment", "1.2", "en")
POKER = Trim("poker-eu", "Standard card", Size(63, 88))
NINE = SheetTemplate("a4-3x3", 1, "Nine", "a4", 3, 3, "portrait")
SINGLE = SheetTemplate("single-1up", 1, "One", None, margin=0.0, bleed="each", marks="none", ruler=False, labels=False)


def cards(count: int, back: bool = True) -> list[Piece]:
    return [Piece(f"front-{i}", f"back-{i}" if back else None, f"card-{i}") for i in range(count)]


def sides(imposition: Imposition) -> list[tuple[int, str]]:
    return [(sheet.number, sheet.side) for sheet in imposition.sheets]


def faces(sheet: Sheet) -> list[str]:
    return [placement.face for placement in sheet.placements]


def same(first: Box, second: Box) -> bool:
    return first.contains(second) and second.contains(first)


# --- order and copies ------------------------------------------------------------------------------------------------


def test_copies_follow_each_other_in_order() -> None:
    pieces = [Piece("a", None, "A", copies=2), Piece("b", None, "B", copies=0), Piece("c", None, "C", copies=9)]
    imposition = impose(pieces, NINE, POKER, A4, IMPRINT)
    assert [faces(sheet) for sheet in imposition.sheets] == [["a", "a", *"ccccccc"], ["c", "c"]]
    assert [placement.label for placement in imposition.sheets[0].placements][:3] == ["A", "A", "C"]


@given(st.lists(st.integers(0, 12), max_size=12))
def test_every_copy_is_placed_once_and_sheets_are_full_but_the_last(copies: list[int]) -> None:
    pieces = [Piece(f"f{i}", None, f"c{i}", count) for i, count in enumerate(copies)]
    imposition = impose(pieces, NINE, POKER, A4, IMPRINT)
    placed = [face for sheet in imposition.sheets for face in faces(sheet)]
    assert placed == [piece.front for piece in pieces for _ in range(piece.copies)]
    assert all(len(sheet.placements) == 9 for sheet in imposition.sheets[:-1])
    assert [sheet.number for sheet in imposition.sheets] == list(range(1, len(imposition.sheets) + 1))


def test_nothing_to_print_makes_no_sheets() -> None:
    assert impose([], NINE, POKER, A4, IMPRINT).sheets == ()


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(DoesNotFit):
        impose(cards(1), replace(NINE, columns=4), POKER, A4, IMPRINT)


# --- where a card may paint ------------------------------------------------------------------------------------------


def test_a_card_bleeds_where_no_neighbour_stands() -> None:
    (sheet,) = impose(cards(4, back=False), NINE, POKER, A4, IMPRINT).sheets
    first, second, third, fourth = sheet.placements
    # The first row: left and above always, below only where the second row is empty, right only at the end.
    assert same(first.clip, first.trim.grown_sides(3, 3, 0, 0))
    assert same(second.clip, second.trim.grown_sides(0, 3, 0, 3))
    assert same(third.clip, third.trim.grown_sides(0, 3, 3, 3))
    assert same(fourth.clip, fourth.trim.grown_sides(3, 0, 3, 3))


def test_the_card_in_the_middle_of_a_full_sheet_does_not_bleed() -> None:
    (sheet,) = impose(cards(9, back=False), NINE, POKER, A4, IMPRINT).sheets
    middle = sheet.placements[4]
    assert middle.clip == middle.trim


def test_each_card_bleeds_on_its_own_all_round() -> None:
    template = replace(NINE, columns=0, rows=0, bleed="each")
    (sheet,) = impose(cards(5, back=False), template, POKER, A4, IMPRINT).sheets
    assert all(same(placement.clip, placement.trim.grown(3)) for placement in sheet.placements)


@pytest.mark.parametrize("bleed", ["outer", "each", "none"])
def test_a_card_without_bleed_ends_at_its_cut(bleed: str) -> None:
    template = replace(NINE, columns=0, rows=0, bleed=bleed)  # type: ignore[arg-type]
    pieces = [replace(piece, bleed=False) for piece in cards(3)]
    for sheet in impose(pieces, template, POKER, A4, IMPRINT).sheets:
        assert all(placement.clip == placement.trim for placement in sheet.placements)


@given(count=st.integers(1, 20), bleed=st.sampled_from(["outer", "each", "none"]), gap=st.sampled_from([0.0, 2.0, 8.0]))
def test_no_card_paints_over_another(count: int, bleed: str, gap: float) -> None:
    template = SheetTemplate("t", 1, "t", "a4", gap=gap, bleed=bleed)  # type: ignore[arg-type]
    for sheet in impose(cards(count), template, Trim("m", "m", Size(44, 68)), A4, IMPRINT).sheets:
        for placement in sheet.placements:
            assert placement.clip.contains(placement.trim)
            others = [other for other in sheet.placements if other is not placement]
            assert not any(placement.clip.overlaps(other.trim) for other in others)


# --- where a face goes -----------------------------------------------------------------------------------------------


def on_sheet(placement: Placement, x: float, y: float) -> tuple[float, float]:
    return placement.matrix.apply(x, y)


@pytest.mark.parametrize("turn", [False, True])
def test_a_faces_trim_covers_its_slot(turn: bool) -> None:
    template = SheetTemplate("t", 1, "t", "a4", turn=turn)
    for sheet in impose(cards(5), template, POKER, A4, IMPRINT).sheets:
        for placement in sheet.placements:
            assert same(placement.matrix.apply_box(Box(0, 0, 63, 88)), placement.trim)


def test_a_turned_card_has_its_top_at_the_right() -> None:
    (sheet,) = impose(cards(1, back=False), SheetTemplate("t", 1, "t", "a4", turn=True), POKER, A4, IMPRINT).sheets
    placement = sheet.placements[0]
    middle_of_top = on_sheet(placement, 31.5, 0)
    assert middle_of_top == pytest.approx((placement.trim.right, placement.trim.y + 31.5))


# --- backs -----------------------------------------------------------------------------------------------------------

impositions = st.builds(
    lambda count, orientation, turn, flip, bleed, without: impose(
        [replace(piece, back=None) if i in without else piece for i, piece in enumerate(cards(count))],
        SheetTemplate("t", 1, "t", "a4", orientation=orientation, turn=turn, bleed=bleed),
        POKER,
        A4,
        IMPRINT,
        "duplex",
        flip,
    ),
    st.integers(1, 20),
    st.sampled_from(["portrait", "landscape"]),
    st.sampled_from([False, True]),
    st.sampled_from(["long-edge", "short-edge"]),
    st.sampled_from(["outer", "each", "none"]),
    st.sets(st.integers(1, 20)),
)


def turned_over(imposition: Imposition) -> Callable[[float, float], tuple[float, float]]:
    """Where a point of a sheet's front is found on its back, told by how paper is turned and by nothing else."""
    paper, flip = imposition.paper, imposition.duplex
    long_edge_stands_upright = paper.height >= paper.width
    turns_about_upright_axis = long_edge_stands_upright == (flip == "long-edge")
    if turns_about_upright_axis:
        return lambda x, y: (paper.width - x, y)
    return lambda x, y: (x, paper.height - y)


@given(impositions)
def test_behind_every_front_lies_its_own_back_the_same_way_up(imposition: Imposition) -> None:
    over = turned_over(imposition)
    pairs = list(zip(imposition.sheets[::2], imposition.sheets[1::2], strict=True))
    for front, back in pairs:
        assert (front.number, front.side, back.side) == (back.number, "front", "back")
        behind = {placement.label: placement for placement in back.placements}
        for placement in front.placements:
            number = placement.face.removeprefix("front-")
            other = behind.pop(placement.label, None)
            if other is None:
                continue
            assert other.face == f"back-{number}"
            # The top of the back lies behind the top of the front, its right edge behind the front's left one.
            assert on_sheet(other, 31.5, 0) == pytest.approx(over(*on_sheet(placement, 31.5, 0)))
            assert on_sheet(other, 63, 44) == pytest.approx(over(*on_sheet(placement, 0, 44)))
            assert on_sheet(other, 31.5, 88) == pytest.approx(over(*on_sheet(placement, 31.5, 88)))
            for mine, theirs in ((placement.trim, other.trim), (placement.clip, other.clip)):
                corners = [over(x, y) for x in (mine.x, mine.right) for y in (mine.y, mine.bottom)]
                assert min(corners) == pytest.approx((theirs.x, theirs.y))
                assert max(corners) == pytest.approx((theirs.right, theirs.bottom))
        assert not behind


@given(
    st.builds(Size, st.floats(50, 500), st.floats(50, 500)),
    st.sampled_from(["long-edge", "short-edge"]),
    st.builds(Box, st.floats(0, 100), st.floats(0, 100), st.floats(1, 90), st.floats(1, 90)),
    st.integers(0, 3),
)
def test_flipping_twice_changes_nothing(paper: Size, flip: Flip, box: Box, turns: int) -> None:
    view = mirror(paper, flip)
    assert same(view.box(view.box(box)), box)
    assert view.point(*view.point(box.x, box.y)) == pytest.approx((box.x, box.y))
    assert view.turns(view.turns(turns)) == turns


@given(st.builds(Size, st.floats(50, 500), st.floats(50, 500)))
def test_lying_paper_swaps_the_edges(paper: Size) -> None:
    if paper.width != paper.height:
        assert mirror(paper, "long-edge").upright == mirror(paper.turned(), "short-edge").upright
        assert mirror(paper, "long-edge").upright != mirror(paper, "short-edge").upright


def test_portrait_mirrors_columns_and_keeps_backs_upright() -> None:
    _, back = impose(cards(4), NINE, POKER, A4, IMPRINT).sheets
    slots = [(round(p.trim.x, 3), round(p.trim.y, 3)) for p in back.placements]
    # Three from right to left, then the incomplete row at the right.
    assert slots == [(136.5, 16.5), (73.5, 16.5), (10.5, 16.5), (136.5, 104.5)]
    assert {(p.matrix.a, p.matrix.d) for p in back.placements} == {(1, 1)}


def test_landscape_mirrors_rows_and_stands_backs_on_their_heads() -> None:
    template = SheetTemplate("t", 1, "t", "a4", 4, 2, "landscape", turn=False)
    _, back = impose(cards(5), template, POKER, A4, IMPRINT).sheets
    slots = [(round(p.trim.x, 3), round(p.trim.y, 3)) for p in back.placements]
    assert slots == [(22.5, 105), (85.5, 105), (148.5, 105), (211.5, 105), (22.5, 17)]
    assert {(p.matrix.a, p.matrix.d) for p in back.placements} == {(-1, -1)}


def test_a_back_has_no_marks_and_no_ruler_but_says_that_it_is_one() -> None:
    front, back = impose(cards(9), NINE, POKER, A4, IMPRINT).sheets
    assert any(isinstance(item, Path) for item in front.drawing.over)
    assert [item.text for item in back.drawing.over if isinstance(item, Text)] == ["Equipment · sheet 1 of 1 · back"]
    assert not any(isinstance(item, Path) for item in back.drawing.over)


def test_a_sheet_without_a_single_back_still_has_its_other_side() -> None:
    pieces = [*cards(9, back=False), Piece("f", "b", "last")]
    imposition = impose(pieces, NINE, POKER, A4, IMPRINT)
    # Else the second sheet's front would be printed on the first one's back.
    assert sides(imposition) == [(1, "front"), (1, "back"), (2, "front"), (2, "back")]
    assert faces(imposition.sheets[1]) == []


@pytest.mark.parametrize(("pieces", "backs"), [(cards(3), "none"), (cards(3, back=False), "duplex")])
def test_without_backs_there_is_no_duplex(pieces: Sequence[Piece], backs: str) -> None:
    imposition = impose(pieces, NINE, POKER, A4, IMPRINT, backs)  # type: ignore[arg-type]
    assert sides(imposition) == [(1, "front")]
    assert imposition.duplex is None
    assert imposition.backs is None


@given(st.integers(1, 20), st.sampled_from(["long-edge", "short-edge"]))
def test_separate_backs_are_those_of_the_duplex_file(count: int, flip: Flip) -> None:
    duplex = impose(cards(count), NINE, POKER, A4, IMPRINT, "duplex", flip)
    separate = impose(cards(count), NINE, POKER, A4, IMPRINT, "separate", flip)
    assert separate.backs is not None
    assert separate.sheets == duplex.sheets[::2]
    assert separate.backs.sheets == duplex.sheets[1::2]
    assert (duplex.duplex, separate.duplex, separate.backs.duplex) == (flip, None, None)


# --- one face a page -------------------------------------------------------------------------------------------------


def test_one_face_a_page() -> None:
    pieces = [*cards(2), Piece("lone", None, "lone", copies=2)]
    imposition = impose(pieces, SINGLE, POKER, None, IMPRINT)
    assert [faces(sheet) for sheet in imposition.sheets] == [
        ["front-0"], ["back-0"], ["front-1"], ["back-1"], ["lone"], ["lone"]
    ]  # fmt: skip
    for sheet in imposition.sheets:
        assert sheet.paper == Size(69, 94)
        assert sheet.drawing == Drawing()
        assert sheet.trim == Box(3, 3, 63, 88)
        assert sheet.bleed == Box(0, 0, 69, 94)
        (placement,) = sheet.placements
        assert placement.clip == Box(0, 0, 69, 94)
        # Nothing is flipped: every page stands upright.
        assert on_sheet(placement, 0, 0) == (3, 3)
    assert imposition.duplex is None


def test_a_sheet_of_many_has_no_trim_box_of_its_own() -> None:
    (sheet,) = impose(cards(9, back=False), NINE, POKER, A4, IMPRINT).sheets
    assert sheet.trim is None
    assert sheet.bleed is None


def test_notes_are_told_once_and_belong_to_the_imposition() -> None:
    template = SheetTemplate("t", 1, "t", "a4", bleed="none", marks="none")
    imposition = impose(cards(3, back=False), template, Trim("big", "big", Size(200, 287)), A4, IMPRINT)
    assert [note.subject for note in imposition.notes].count("ruler") == 1


def test_a_template_may_do_without_ruler_and_labels() -> None:
    (sheet,) = impose(
        cards(9, back=False), replace(NINE, ruler=False, labels=False, marks="none"), POKER, A4, IMPRINT
    ).sheets
    assert sheet.drawing == Drawing()

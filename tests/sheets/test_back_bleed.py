"""Backs that bleed more than their fronts, and never over another back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cardgen.geometry import Box, Size
from cardgen.model.drawing import Text
from cardgen.model.sheet import PAPERS, Imposition, Imprint, Piece, SheetTemplate
from cardgen.model.trim import Trim
from cardgen.sheets.impose import impose

A4 = PAPERS["a4"].size
IMPRINT = Imprint("Equipment", "1.2", "en")
CARD = Trim("t", "T", Size(63, 88), bleed=5.0)


def make(count: int, trim: Trim = CARD, **options: object) -> Imposition:
    template = replace(SheetTemplate("t", 1, "t", "a4"), **options)  # type: ignore[arg-type]
    pieces = [Piece(f"f{i}", f"b{i}", f"c{i}") for i in range(count)]
    return impose(pieces, template, trim, A4, IMPRINT)


def bleeds(imposition: Imposition, index: int = 0) -> tuple[float, float, float, float]:
    placement = imposition.sheets[1].placements[index]
    trim, clip = placement.trim, placement.clip
    sides = (trim.x - clip.x, trim.y - clip.y, clip.right - trim.right, clip.bottom - trim.bottom)
    left, top, right, bottom = (round(side, 6) for side in sides)
    return left, top, right, bottom


def test_around_the_block_backs_bleed_as_far_as_the_sheet_says() -> None:
    imposition = make(9, columns=3, rows=3, bleed_amount=2.0, back_bleed=4.0)
    # Seen from behind, the first card stands at the right.
    assert bleeds(imposition, 0) == (0, 4, 4, 0)
    front = imposition.sheets[0].placements[0]
    assert front.clip == front.trim.grown_sides(2, 2, 0, 0)


def test_no_further_than_layouts_paint() -> None:
    assert bleeds(make(1, bleed_amount=2.0, back_bleed=9.0)) == (5, 5, 5, 5)


def test_into_the_gap_up_to_its_middle() -> None:
    imposition = make(4, columns=2, rows=2, gap=3.0, bleed_amount=2.0, back_bleed=4.0)
    assert bleeds(imposition, 0) == (1.5, 4, 4, 1.5)


def test_into_an_empty_slot() -> None:
    assert bleeds(make(1, columns=2, rows=2, gap=0.0, bleed_amount=1.0, back_bleed=4.0)) == (4, 4, 4, 4)


def test_backs_bleed_where_fronts_do_not() -> None:
    assert bleeds(make(1, bleed="none", back_bleed=4.0)) == (4, 4, 4, 4)


def test_not_stated_backs_bleed_like_fronts() -> None:
    for bleed in ("outer", "each", "none"):
        imposition = make(4, bleed=bleed, gap=4.0, bleed_amount=2.0)
        front, back = (sheet.placements for sheet in imposition.sheets)
        for mine, other in zip(front, back, strict=True):
            assert (mine.clip.width, mine.clip.height) == pytest.approx((other.clip.width, other.clip.height))


def test_a_card_without_bleed_has_a_back_without() -> None:
    pieces = [Piece("f", "b", "c", bleed=False)]
    imposition = impose(pieces, SheetTemplate("t", 1, "t", "a4", back_bleed=4.0), CARD, A4, IMPRINT)
    assert bleeds(imposition) == (0, 0, 0, 0)


def test_labels_make_room() -> None:
    imposition = make(9, columns=3, rows=3, bleed_amount=1.0, back_bleed=5.0, marks="none")
    back = imposition.sheets[1]
    art = [placement.clip for placement in back.placements]
    for text in (item for item in back.drawing.over if isinstance(item, Text)):
        assert not any(box.overlaps(Box(text.x, text.y - 2, 0.1, 2)) for box in art)


@given(
    st.integers(1, 20),
    st.sampled_from(["outer", "each", "none"]),
    st.floats(0, 8),
    st.floats(0, 4),
    st.floats(0, 12),
    st.sets(st.integers(0, 20)),
)
def test_no_back_paints_where_another_one_does(
    count: int, bleed: str, gap: float, amount: float, back: float, without: set[int]
) -> None:
    template = SheetTemplate("t", 1, "t", "a4", gap=gap, bleed=bleed, bleed_amount=amount, back_bleed=back)  # type: ignore[arg-type]
    pieces = [Piece(f"f{i}", None if i in without else f"b{i}", f"c{i}") for i in range(count)]
    imposition = impose(pieces, template, Trim("m", "M", Size(44, 68), bleed=5.0), A4, IMPRINT)
    paper = Box(0, 0, imposition.paper.width, imposition.paper.height)
    fronts = {placement.label: placement for sheet in imposition.sheets[::2] for placement in sheet.placements}
    for sheet in imposition.sheets:
        if sheet.side == "front":
            continue
        for placement in sheet.placements:
            assert placement.clip.contains(placement.trim)
            assert paper.contains(placement.clip)
            front = fronts[placement.label]
            assert placement.clip.width >= front.clip.width - 1e-6
            others = [other for other in sheet.placements if other is not placement]
            assert not any(placement.clip.overlaps(other.trim) for other in others)

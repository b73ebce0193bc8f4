"""The order of a booklet's pages, and that what is folded and stapled can be read from the first page to the last."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.geometry import Size
from cardgen.model.sheet import Flip, Imprint, SheetTemplate
from cardgen.sheets.booklet import SIGNATURE, booklet, leaves, page_size
from cardgen.sheets.flip import mirror

A4, LETTER = Size(210.0, 297.0), Size(215.9, 279.4)
TEMPLATE = SheetTemplate("booklet", 1, "Booklet", "a4")
IMPRINT = Imprint("Rules", "1", "en")


def read(pages: int) -> list[int]:
    """The pages of the folded booklet from front to back: right-hand sides outwards in, then left-hand ones."""
    found: list[int] = []
    for signature in leaves(pages):
        found += [page for leaf in signature for page in (leaf.right, leaf.behind_right)]
        found += [page for leaf in reversed(signature) for page in (leaf.behind_left, leaf.left)]
    return found


def test_eight_pages_by_hand() -> None:
    ((outer, inner),) = leaves(8)
    assert (outer.left, outer.right, outer.behind_left, outer.behind_right) == (8, 1, 7, 2)
    assert (inner.left, inner.right, inner.behind_left, inner.behind_right) == (6, 3, 5, 4)


@given(st.integers(1, 300))
def test_folded_sheets_are_read_in_order(pages: int) -> None:
    order = read(pages)
    assert order == list(range(1, len(order) + 1))
    assert len(order) % 4 == 0 and pages <= len(order) < pages + 4


@given(st.integers(1, 300))
def test_signatures_are_even_and_not_too_thick(pages: int) -> None:
    thick = [len(signature) for signature in leaves(pages)]
    assert max(thick) <= SIGNATURE and max(thick) - min(thick) <= 1


def test_a_page_is_half_the_paper() -> None:
    assert page_size(A4) == Size(148.5, 210.0)
    assert page_size(LETTER) == Size(139.7, 215.9)


@pytest.mark.parametrize("flip", ["long-edge", "short-edge"])
@given(pages=st.integers(1, 60))
def test_behind_every_page_lies_the_next_one_upright(flip: Flip, pages: int) -> None:
    keys = [f"page-{number}" for number in range(1, pages + 1)]
    made = booklet(keys, "rules", TEMPLATE, A4, IMPRINT, flip)
    turned = mirror(made.paper, flip)
    assert made.duplex == flip and made.paper == Size(297.0, 210.0)
    sides = [sheet.side for sheet in made.sheets]
    assert sides == ["front", "back"] * (len(sides) // 2)
    placed = [item.face for sheet in made.sheets for item in sheet.placements]
    assert sorted(placed) == sorted(keys)
    for front, back in zip(made.sheets[::2], made.sheets[1::2], strict=True):
        behind = {item.trim: item for item in back.placements}
        for item in front.placements:
            number = int(item.face.removeprefix("page-"))
            partner = number + 1 if number % 2 else number - 1
            other = behind.get(turned.box(item.trim))
            if partner <= pages:
                assert other is not None and other.face == f"page-{partner}"
                # Its top lies behind the front's top: the page's upper left corner is at the slot's own, or at the
                # opposite one where the paper turns about its level axis.
                x, y = other.matrix.apply(0.0, 0.0)
                slot = other.trim
                expected = (slot.x, slot.y) if turned.upright else (slot.right, slot.bottom)
                assert (round(x, 6), round(y, 6)) == pytest.approx(expected)
            else:
                assert other is None


@pytest.mark.parametrize("flip", ["long-edge", "short-edge"])
@given(pages=st.integers(1, 120), thickness=st.floats(0.0, 0.3))
def test_when_folded_all_pages_end_at_the_same_distance_from_the_outer_edge(
    flip: Flip, pages: int, thickness: float
) -> None:
    """Folding is done here: a sheet that lies in n others has its fold n thicknesses nearer to the front edge."""
    keys = [str(number) for number in range(1, pages + 1)]
    made = booklet(keys, "rules", TEMPLATE, A4, IMPRINT, flip, thickness)
    page = page_size(A4)
    around = [n for signature in leaves(pages) for n in range(len(signature))]
    ends = []
    for sheet, depth in zip(made.sheets, [n for n in around for _ in ("front", "back")], strict=True):
        for item in sheet.placements:
            # How far the page's outer edge is from the sheet's fold, then from the spine of the whole signature.
            from_fold = max(abs(item.trim.x - page.width), abs(item.trim.right - page.width))
            ends.append(from_fold + depth * thickness)
            # What is painted stays on its own half, and the matrix puts the page where its trim is.
            assert item.clip.x in (pytest.approx(0.0), pytest.approx(page.width))
            corners = [item.matrix.apply(0.0, 0.0), item.matrix.apply(page.width, page.height)]
            assert min(x for x, _ in corners) == pytest.approx(item.trim.x, abs=1e-6)
            assert max(x for x, _ in corners) == pytest.approx(item.trim.right, abs=1e-6)
    assert ends == pytest.approx([page.width] * len(keys))


def test_the_middle_of_a_signature_moves_by_hand() -> None:
    """Twelve pages on paper of 0.1 mm: 6 and 7 lie 0.2 mm nearer to the fold, each from its own side."""
    made = booklet([str(n) for n in range(1, 13)], "rules", TEMPLATE, A4, IMPRINT, "short-edge", 0.1)
    at = {int(item.face): round(item.trim.x, 6) for sheet in made.sheets for item in sheet.placements}
    assert at[1] == 148.5 and at[12] == 0.0
    assert at[3] == 148.4 and at[10] == 0.1
    assert at[7] == 148.3 and at[6] == 0.2

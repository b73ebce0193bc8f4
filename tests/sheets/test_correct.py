"""What is undone of a printer, and what stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.geometry import Matrix, Size
from cardgen.model.printer import Offset, Printer
from cardgen.model.sheet import PAPERS, UNMOVED, Flip, Imprint, Piece, SheetTemplate
from cardgen.model.trim import Trim
from cardgen.sheets.correct import corrected, misprint, offset_of
from cardgen.sheets.impose import impose

A4 = PAPERS["a4"].size
IMPRINT = Imprint("Equipment", "1.2", "en")
POKER = Trim("poker-eu", "Standard card", Size(63, 88))
PIECES = [Piece(f"f{i}", f"b{i}", f"c{i}") for i in range(3)]

offsets = st.builds(Offset, st.floats(-10, 10), st.floats(-10, 10))
printers = st.builds(
    Printer,
    st.just("p"),
    st.sampled_from(["long-edge", "short-edge"]),
    st.floats(0.95, 1.05),
    st.floats(0.95, 1.05),
    st.floats(-3, 3),
    st.none() | offsets,
    st.none() | offsets,
)


@given(
    printers,
    st.sampled_from(["portrait", "landscape"]),
    st.sampled_from(["duplex", "separate", "none", "gutterfold"]),
    st.sampled_from(["long-edge", "short-edge"]),
    st.floats(0, 210),
    st.floats(0, 297),
)
def test_what_the_printer_does_to_a_corrected_page_puts_all_in_its_place(
    printer: Printer, orientation: str, backs: str, flip: Flip, x: float, y: float
) -> None:
    template = SheetTemplate("t", 1, "t", "a4", orientation=orientation)  # type: ignore[arg-type]
    plain = impose(PIECES, template, POKER, A4, IMPRINT, backs, flip)  # type: ignore[arg-type]
    both = corrected(plain, printer, flip)
    for before, after in ((plain, both), *([(plain.backs, both.backs)] if plain.backs else [])):
        assert before is not None
        assert after is not None
        for sheet, moved in zip(before.sheets, after.sheets, strict=True):
            assert (moved.paper, moved.placements, moved.drawing) == (sheet.paper, sheet.placements, sheet.drawing)
            landed = misprint(printer, sheet.paper, sheet.side, flip).apply(*moved.correction.apply(x, y))
            assert landed == pytest.approx((x, y), abs=1e-9)


def test_fronts_are_scaled_about_the_middle_and_nothing_else() -> None:
    printer = Printer("p", "long-edge", 0.99, 0.98, 1.0, Offset(3, 4))
    matrix = misprint(printer, A4, "front", "long-edge")
    assert matrix.apply(105, 148.5) == pytest.approx((105, 148.5))
    assert matrix.apply(205, 248.5) == pytest.approx((204, 246.5))


def test_backs_are_moved_right_and_down_and_turned_clockwise() -> None:
    moved = misprint(Printer("p", portrait=Offset(3, -4)), A4, "back", "long-edge")
    assert moved.apply(10, 20) == pytest.approx((13, 16))
    x, y = misprint(Printer("p", turn=1.0), A4, "back", "long-edge").apply(205, 148.5)
    assert (x, y) == pytest.approx((204.985, 150.245), abs=1e-3)


def test_on_lying_paper_the_edges_change_places() -> None:
    matrix = misprint(Printer("p", scale_short=0.99, scale_long=0.98), A4.turned(), "front", "long-edge")
    assert (matrix.a, matrix.d) == (0.98, 0.99)


def test_along_the_other_edge_the_offset_is_the_other_way() -> None:
    printer = Printer("p", "long-edge", portrait=Offset(1, -2))
    assert offset_of(printer, A4, "long-edge") == Offset(1, -2)
    assert offset_of(printer, A4, "short-edge") == Offset(-1, 2)
    assert offset_of(printer, A4.turned(), "long-edge") is None


def test_what_was_not_measured_moves_nothing() -> None:
    assert misprint(Printer("p"), A4, "back", "long-edge") == Matrix()


def test_without_a_printer_nothing_is_corrected() -> None:
    imposition = impose(PIECES, SheetTemplate("t", 1, "t", "a4"), POKER, A4, IMPRINT)
    assert corrected(imposition, None, "long-edge") is imposition
    assert {sheet.correction for sheet in imposition.sheets} == {UNMOVED}


def test_one_face_a_page_is_for_no_printer() -> None:
    single = SheetTemplate("s", 1, "s", None, margin=0, bleed="each", marks="none", ruler=False, labels=False)
    imposition = impose(PIECES, single, POKER, None, IMPRINT)
    assert corrected(imposition, Printer("p", portrait=Offset(3, 3)), "long-edge") is imposition

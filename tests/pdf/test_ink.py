"""Ink, counted on pages whose colours are known."""

from __future__ import annotations

import io

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.pdf.ink import Ink, ink_of


def painted(*colours: tuple[float, float, float], part: float = 1.0) -> bytes:
    """A PDF with a page of 100 x 100 pt for each colour, its left `part` painted with it."""
    pdf = pikepdf.new()
    for red, green, blue in colours:
        content = pikepdf.Stream(pdf, f"{red} {green} {blue} rg 0 0 {100 * part} 100 re f".encode())
        page = pikepdf.Dictionary(
            Type=pikepdf.Name.Page, MediaBox=[0, 0, 100, 100], Contents=pdf.make_indirect(content)
        )
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    target = io.BytesIO()
    pdf.save(target)
    return target.getvalue()


@pytest.mark.parametrize(
    ("colour", "expected"),
    [
        ((1, 1, 1), Ink()),
        ((0, 0, 0), Ink(black=1)),
        ((0.5, 0.5, 0.5), Ink(black=0.5)),
        ((0, 1, 1), Ink(cyan=1)),
        ((1, 0, 1), Ink(magenta=1)),
        ((1, 1, 0), Ink(yellow=1)),
        ((1, 0, 0), Ink(magenta=1, yellow=1)),
    ],
)
def test_pure_colours(colour: tuple[float, float, float], expected: Ink) -> None:
    found = ink_of(painted(colour), 1)
    for name in ("cyan", "magenta", "yellow", "black"):
        assert getattr(found, name) == pytest.approx(getattr(expected, name), abs=0.005)


@given(st.lists(st.tuples(*[st.floats(0, 1).map(lambda x: round(x, 2))] * 3), min_size=1, max_size=4))
def test_the_ink_of_a_file_is_that_of_its_pages(colours: list[tuple[float, float, float]]) -> None:
    whole = ink_of(painted(*colours), len(colours))
    parts = [ink_of(painted(colour), 1) for colour in colours]
    assert whole.total == pytest.approx(sum(part.total for part in parts), abs=1e-9)
    assert 0 <= whole.total <= 3 * len(colours)


def test_half_a_page_takes_half_the_ink() -> None:
    assert ink_of(painted((0, 0, 0), part=0.5), 1).total == pytest.approx(0.5, abs=0.03)

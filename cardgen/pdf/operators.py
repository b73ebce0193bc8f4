"""Numbers and matrices as PDF content writes them: points, y upwards, where cardgen has millimetres, y downwards."""

from __future__ import annotations

from functools import lru_cache

from cardgen.geometry import Box, Matrix, Polygon, Size
from cardgen.units import mm_to_pt


# The places on a sheet are the same on every sheet.
@lru_cache(maxsize=4096)
def number(value: float) -> str:
    """A number for a content stream or a box: four decimals of a point are 35 nanometres."""
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def numbers(*values: float) -> str:
    """Numbers parted by spaces."""
    return " ".join(number(value) for value in values)


def rectangle(box: Box, height: float) -> tuple[float, float, float, float]:
    """The lower left corner and the size, in points, of a box on a page of `height` mm."""
    return mm_to_pt(box.x), mm_to_pt(height - box.bottom), mm_to_pt(box.width), mm_to_pt(box.height)


def corners(box: Box, height: float) -> tuple[float, float, float, float]:
    """The lower left and the upper right corner, in points, of a box on a page of `height` mm."""
    x, y, width, rise = rectangle(box, height)
    return x, y, x + width, y + rise


def polygon(points: Polygon, height: float) -> str:
    """The operators that make a closed path of points in mm on a page of `height` mm."""
    moves = (numbers(mm_to_pt(x), mm_to_pt(height - y)) for x, y in points)
    return " ".join(f"{at} {'l' if index else 'm'}" for index, at in enumerate(moves)) + " h"


def placing(matrix: Matrix, face: Size, bleed: float, height: float) -> Matrix:
    """The matrix for `cm` that takes a face's page to a sheet of `height` mm.

    `matrix` takes the face's millimetres (origin the trim's top left corner, y down) to the sheet's; the page of the
    face, `face` being its trim in mm, starts `bleed` mm further out and, like every PDF page, at its lower left.
    """
    # Page points to face millimetres, scaled: flip about the page's height, move the origin to the trim's corner.
    page_height = face.height + 2 * bleed
    to_face = Matrix(d=-1.0, e=-mm_to_pt(bleed), f=mm_to_pt(page_height - bleed))
    on_sheet = Matrix(matrix.a, matrix.b, matrix.c, matrix.d, mm_to_pt(matrix.e), mm_to_pt(matrix.f))
    to_page = Matrix(d=-1.0, f=mm_to_pt(height))
    return to_face.then(on_sheet).then(to_page)


def on_page(matrix: Matrix, height: float) -> str:
    """The numbers for `cm` that do to a page of `height` mm what `matrix` does in its millimetres, y down."""
    flip = Matrix(d=-1.0, f=mm_to_pt(height))
    m = flip.then(Matrix(matrix.a, matrix.b, matrix.c, matrix.d, mm_to_pt(matrix.e), mm_to_pt(matrix.f))).then(flip)
    # More decimals than elsewhere: what is left out is multiplied by the size of the page.
    return " ".join(f"{value:.8f}" for value in (m.a, m.b, m.c, m.d, m.e, m.f))

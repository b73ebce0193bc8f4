"""Outlines as PDF operators: numbers, rounded boxes, and the borders around them, with the shapes that the reference
engine gives them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import floor, pi, sqrt

from cardgen.faces.card.display import SQUARE, Border, Radii, Rect

# How far the control points of a round corner are from where the curve ends, as a part of the radius.
_CORNER = 0.55
# The same for dots.
ROUND = 1 / sqrt(pi)


def num(value: float) -> str:
    """A number for a content stream: three decimals of a CSS pixel are a quarter of a micrometre."""
    # 0 and -0 are equal, and so are what is made of them once and found again: they must look alike.
    return f"{value + 0.0:.3f}".rstrip("0").rstrip(".")


def nums(*values: float) -> str:
    """Numbers parted by spaces."""
    return " ".join([f"{value + 0.0:.3f}".rstrip("0").rstrip(".") for value in values])


def fitted(rect: Rect, radii: Radii) -> Radii:
    """Radii scaled down together until neighbours do not overlap (CSS Backgrounds, corner-overlap)."""
    if radii is SQUARE or radii == SQUARE:
        return SQUARE
    _, _, width, height = rect
    (tlx, tly), (trx, try_), (brx, bry), (blx, bly) = radii
    sums = ((width, tlx + trx), (width, blx + brx), (height, tly + bly), (height, try_ + bry))
    ratio = min([1.0, *(max(room, 0.0) / taken for room, taken in sums if taken > 0)])
    return (
        (tlx * ratio, tly * ratio),
        (trx * ratio, try_ * ratio),
        (brx * ratio, bry * ratio),
        (blx * ratio, bly * ratio),
    )


def inset(rect: Rect, radii: Radii, widths: tuple[float, float, float, float]) -> tuple[Rect, Radii]:
    """A box and its radii within borders of these widths (top, right, bottom, left)."""
    (x, y, width, height), (top, right, bottom, left) = rect, widths
    inner = (x + left, y + top, width - left - right, height - top - bottom)
    if radii is SQUARE:
        return inner, SQUARE
    (tlx, tly), (trx, try_), (brx, bry), (blx, bly) = radii
    shrunk = (
        (tlx - left, tly - top),
        (trx - right, try_ - top),
        (brx - right, bry - bottom),
        (blx - left, bly - bottom),
    )
    (tl, tr, br, bl) = ((max(0.0, across), max(0.0, along)) for across, along in shrunk)
    return inner, fitted(inner, (tl, tr, br, bl))


@lru_cache(maxsize=10_000)
def rounded(rect: Rect, radii: Radii) -> str:
    """The path of a box with radii as a style sheet gives them."""
    return box(rect, fitted(rect, radii))


def box(rect: Rect, radii: Radii = SQUARE) -> str:
    """The path of a box with round corners; the radii are taken as `fitted` gives them."""
    x, y, width, height = rect
    if radii is SQUARE or all(0 in corner for corner in radii):
        return f"{nums(x, y, width, height)} re\n"
    (tlx, tly), (trx, try_), (brx, bry), (blx, bly) = radii
    right, bottom, k = x + width, y + height, 1 - _CORNER
    return (
        f"{nums(x + tlx, y)} m\n{nums(right - trx, y)} l\n"
        f"{nums(right - trx * k, y, right, y + try_ * k, right, y + try_)} c\n{nums(right, bottom - bry)} l\n"
        f"{nums(right, bottom - bry * k, right - brx * k, bottom, right - brx, bottom)} c\n{nums(x + blx, bottom)} l\n"
        f"{nums(x + blx * k, bottom, x, bottom - bly * k, x, bottom - bly)} c\n{nums(x, y + tly)} l\n"
        f"{nums(x, y + tly * k, x + tlx * k, y, x + tlx, y)} c\n"
    )


def ellipse(cx: float, cy: float, rx: float, ry: float, k: float = ROUND) -> str:
    """The closed path of an ellipse in four curves."""
    kx, ky = rx * k, ry * k
    return (
        f"{nums(cx + rx, cy)} m\n{nums(cx + rx, cy + ky, cx + kx, cy + ry, cx, cy + ry)} c\n"
        f"{nums(cx - kx, cy + ry, cx - rx, cy + ky, cx - rx, cy)} c\n"
        f"{nums(cx - rx, cy - ky, cx - kx, cy - ry, cx, cy - ry)} c\n"
        f"{nums(cx + kx, cy - ry, cx + rx, cy - ky, cx + rx, cy)} c\nh\n"
    )


@lru_cache(maxsize=10_000)
def ring(border: Border) -> str:
    """The path of everything between a border's outer and inner edge, to be filled by the even-odd rule."""
    outer = fitted(border.rect, border.radii)
    inner_rect, inner = inset(border.rect, outer, border.widths)
    return box(inner_rect, inner) + box(border.rect, outer)


def side(border: Border, index: int) -> str:
    """The path of the part of a border's box that belongs to one side (0 top, 1 right, 2 bottom, 3 left): it ends on
    lines from the outer corners inwards."""
    x, y, width, height = border.rect
    top, right, bottom, left = border.widths
    (tl, tr, br, bl) = fitted(border.rect, border.radii)
    inward = (
        _towards((x, y), 1, 1, tl, (left, top)),
        _towards((x + width, y), -1, 1, tr, (right, top)),
        _towards((x + width, y + height), -1, -1, br, (right, bottom)),
        _towards((x, y + height), 1, -1, bl, (left, bottom)),
    )
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    one, two = index, (index + 1) % 4
    points = (corners[two], corners[one], inward[one], inward[two])
    return "".join(f"{nums(*point)} {'l' if at else 'm'}\n" for at, point in enumerate(points)) + "h\n"


def _towards(
    corner: tuple[float, float], across: int, along: int, radius: tuple[float, float], widths: tuple[float, float]
) -> tuple[float, float]:
    """Where two sides part: the end of the round corner where that is inside of both, else the inner corner."""
    reach = radius if radius[0] > widths[0] and radius[1] > widths[1] else widths
    return corner[0] + across * reach[0], corner[1] + along * reach[1]


def dashes(border: Border, index: int) -> str:
    """The operators that dash or dot one side of a border with square corners.

    There is a dash or a dot in each corner and the gaps between are even.
    """
    x, y, width, height = border.rect
    thick, dotted = border.widths[index], border.styles[index] == "dotted"
    length = width if index in (0, 2) else height
    half = thick / 2
    ends = half if dotted else 0.0
    line = (
        (x + ends, y + half, x + width - ends, y + half),
        (x + width - half, y + ends, x + width - half, y + height - ends),
        (x + ends, y + height - half, x + width - ends, y + height - half),
        (x + half, y + ends, x + half, y + height - ends),
    )[index]
    if dotted:
        gaps = max(1, floor(length / (2 * thick)))
        pattern = _dots((length - thick - 0.02) / gaps)
    else:
        pattern = num(length / (2 * floor(length / (6 * thick)) + 1))
    return f"{_pen(thick, dotted, pattern)}{nums(*line[:2])} m\n{nums(*line[2:])} l\nS\n"


def round_dashes(border: Border, index: int) -> str:
    """The operators that dash or dot a border with round corners all around, as it is on one of its sides."""
    thick, dotted = border.widths[index], border.styles[index] == "dotted"
    outer = fitted(border.rect, border.radii)
    top, right, bottom, left = (width / 2 for width in border.widths)
    rect, radii = inset(border.rect, outer, (top, right, bottom, left))
    # A quarter of an ellipse is shorter than its two radii by about this part.
    length = 2 * (rect[2] + rect[3]) - sum(across + along for across, along in radii) * (1 - pi / 4)
    step = length / max(1, round(length / (2 * thick if dotted else 6 * thick)))
    pattern = _dots(step) if dotted else num(step / 2)
    return f"{_pen(thick, dotted, pattern)}{box(rect, radii)}h\nS\n"


def _dots(step: float) -> str:
    # A dash of no length with round ends is a dot; PDFium takes a tenth of a unit for none, and the row drifts.
    # The last one would be lost by rounding, if the line were not a little longer.
    return f"0.01 {step - 0.01:.5f}"


def _pen(thick: float, dotted: bool, pattern: str) -> str:
    return f"{num(thick)} w {int(dotted)} J [{pattern}] 0 d\n"


def visible_sides(border: Border) -> Iterator[int]:
    """The sides of a border that are drawn, in the order in which they are."""
    for index in (2, 3, 1, 0):
        if border.widths[index] > 0 and border.styles[index] != "none" and border.colours[index][3] > 0:
            yield index

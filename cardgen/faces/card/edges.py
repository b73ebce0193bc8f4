"""What the edges and limits of a box make of a width of its content, before the box around is known."""

from __future__ import annotations

from math import inf

from cardgen.faces.card.boxes import Box
from cardgen.faces.card.style import Length, Style
from cardgen.faces.card.values import Dim


def fixed_edges(style: Style) -> float:
    """Padding and border at the sides, as far as they are lengths."""
    paddings = (style.padding_left, style.padding_right)
    return style.border_left_width + style.border_right_width + sum(p for p in paddings if not isinstance(p, Dim))


def adjusted(box: Box, width: float, outer: bool, left: bool = True, right: bool = True) -> float:
    """A content width within the box's limits, with its edges if `outer`."""
    style = box.style
    least = style.min_width if isinstance(style.min_width, float) else 0.0
    most = style.max_width if isinstance(style.max_width, float) else inf
    if box.kind == "picture" and box.natural is not None and box.natural.ratio is not None:
        ratio = box.natural.ratio
        if isinstance(style.min_height, float):
            least = max(least, style.min_height * ratio)
        if isinstance(style.max_height, float) and style.max_height != inf:
            most = min(most, style.max_height * ratio)
    width = max(least, min(width, most))
    return edged(box, width, left, right) if outer else width


def edged(box: Box, width: float, left: bool = True, right: bool = True) -> float:
    """A width with margins, borders and padding; parts of the box around are parts of the whole."""
    style = box.style
    borders = box.borders
    part = 0.0
    for is_there, names, border in (
        (left, (style.margin_left, style.padding_left), borders[3] if borders else style.border_left_width),
        (right, (style.margin_right, style.padding_right), borders[1] if borders else style.border_right_width),
    ):
        if is_there:
            width += border
            for value in names:
                px, of_it = _split(value)
                width, part = width + px, part + of_it
    return width / (1 - part) if part < 1 else 0.0


def _split(value: Length | None) -> tuple[float, float]:
    return (value.px, value.part) if isinstance(value, Dim) else (value or 0.0, 0.0)

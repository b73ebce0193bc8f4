"""Used values: what the edges and sizes of a box come to inside of the box that contains it, in px."""

from __future__ import annotations

from math import inf
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from cardgen.faces.card.boxes import Box
from cardgen.faces.card.style import Length, Style
from cardgen.faces.card.values import Dim, used


class Used(Struct):
    """Edges (margin, padding, border by top, right, bottom, left) and content sizes; None is `auto`.

    Layout fills in what was `auto` and what a box is stretched to.
    """

    mt: float | None
    mr: float | None
    mb: float | None
    ml: float | None
    pt: float
    pr: float
    pb: float
    pl: float
    bt: float
    br: float
    bb: float
    bl: float
    width: float | None
    height: float | None
    min_width: float
    max_width: float
    min_height: float
    max_height: float

    @property
    def across(self) -> float:
        """Padding and border, left and right."""
        return self.pl + self.pr + self.bl + self.br

    @property
    def along(self) -> float:
        """Padding and border, above and below."""
        return self.pt + self.pb + self.bt + self.bb

    def without_auto_margins(self) -> Used:
        """The same, with margins of `auto` made 0."""
        self.mt, self.mr, self.mb, self.ml = self.mt or 0.0, self.mr or 0.0, self.mb or 0.0, self.ml or 0.0
        return self


# What does not depend on the box around, by style.
_FIXED: dict[Style, tuple[Any, ...]] = {}
_MOST = 20_000


def _maybe(value: Length | None, base: float) -> float | None:
    return None if value is None else used(value, base)


def used_values(box: Box, width: float, height: float | None) -> Used:
    """The used values of a box in one of these content sizes (None: that height follows from what it holds)."""
    style = box.style
    if not style.is_relative and box.borders is None:
        fixed = _FIXED.get(style)
        if fixed is None:
            if len(_FIXED) >= _MOST:
                _FIXED.clear()
            fixed = _FIXED[style] = astuple(_worked_out(box, 0.0, 0.0))
        return Used(*fixed)
    return _worked_out(box, width, height)


def _worked_out(box: Box, width: float, height: float | None) -> Used:
    style = box.style
    borders = box.borders or _borders(style)
    if height is None:
        tall = None if isinstance(style.height, Dim) else style.height
        least, most = (
            used(style.min_height or 0.0, 0.0),
            used(style.max_height, inf) if style.max_height != inf else inf,
        )
    else:
        tall = _maybe(style.height, height)
        least, most = used(style.min_height or 0.0, height), used(style.max_height, height)
    values = Used(
        _maybe(style.margin_top, width),
        _maybe(style.margin_right, width),
        _maybe(style.margin_bottom, width),
        _maybe(style.margin_left, width),
        used(style.padding_top, width),
        used(style.padding_right, width),
        used(style.padding_bottom, width),
        used(style.padding_left, width),
        *borders,
        _maybe(style.width, width),
        tall,
        used(style.min_width or 0.0, width),
        used(style.max_width, width),
        least,
        most,
    )
    if style.box_sizing == "border-box":
        _shrink(values)
    return values


def _borders(style: Style) -> tuple[float, float, float, float]:
    return style.border_top_width, style.border_right_width, style.border_bottom_width, style.border_left_width


def _shrink(values: Used) -> None:
    """From sizes with border and padding to those of the content."""
    across, along = values.across, values.along
    values.width = None if values.width is None else max(0.0, values.width - across)
    values.height = None if values.height is None else max(0.0, values.height - along)
    values.min_width, values.max_width = max(0.0, values.min_width - across), max(0.0, values.max_width - across)
    values.min_height, values.max_height = max(0.0, values.min_height - along), max(0.0, values.max_height - along)


def fill_width(values: Used, width: float) -> None:
    """The width and the side margins of a block in one that is `width` wide."""
    around = values.across
    if values.width is None:
        values.width = width - around - (values.ml or 0.0) - (values.mr or 0.0)
    values.width = max(values.min_width, min(values.max_width, values.width))
    rest = width - around - values.width
    if rest - (values.ml or 0.0) - (values.mr or 0.0) < 0:
        values.ml, values.mr = values.ml or 0.0, values.mr or 0.0
    if values.ml is None and values.mr is None:
        values.ml = values.mr = rest / 2
    elif values.ml is None:
        values.ml = rest - (values.mr or 0.0)
    elif values.mr is None:
        values.mr = rest - values.ml

"""Pictures: how large they are, and where in their box they are drawn."""

from __future__ import annotations

from cardgen.faces.card.boxes import Box
from cardgen.faces.card.fragments import Fragment
from cardgen.faces.card.natural import Natural
from cardgen.faces.card.sizes import concrete, within
from cardgen.faces.card.used import Used
from cardgen.faces.card.values import used


def lay_picture(box: Box, values: Used, width: float, is_block: bool) -> Fragment:
    """Lay out a picture in a box that is `width` wide; what of its values was `auto` is settled then."""
    natural = box.natural
    assert natural is not None
    if values.width is None and values.height is None:
        values.width, values.height = _own_size(natural, values, width)
        _limit_both(values)
    else:
        if values.width is None:
            values.width = _width_by_height(natural, values.height or 0.0)
        values.width = max(values.min_width, min(values.max_width, values.width))
        if values.height is None:
            values.height = _height_by_width(natural, values.width)
        values.height = max(values.min_height, min(values.max_height, values.height))
    if is_block:
        _side_margins(values, width)
    fragment = Fragment(
        box, values.width + values.across, values.height + values.along,
        border=(values.bt, values.br, values.bb, values.bl), padding=(values.pt, values.pr, values.pb, values.pl),
    )  # fmt: skip
    fragment.drawn = _drawn(box, values)
    return fragment


def _side_margins(values: Used, width: float) -> None:
    rest = width - values.across - (values.width or 0.0)
    if values.ml is None and values.mr is None:
        values.ml = values.mr = max(0.0, rest / 2)
    elif values.ml is None:
        values.ml = max(0.0, rest - (values.mr or 0.0))
    values.mr = values.mr or 0.0


def _own_size(natural: Natural, values: Used, width: float) -> tuple[float, float]:
    if natural.width is not None:
        own = natural.width
    elif natural.ratio is not None and natural.height is not None:
        own = natural.height * natural.ratio
    elif natural.ratio is not None:
        own = width - values.across - (values.ml or 0.0) - (values.mr or 0.0)
    else:
        own = 300.0
    if natural.height is not None:
        return own, natural.height
    return own, own / natural.ratio if natural.ratio else 150.0


def _width_by_height(natural: Natural, height: float) -> float:
    if natural.ratio is not None:
        return height * natural.ratio
    return 300.0 if natural.width is None else natural.width


def _height_by_width(natural: Natural, width: float) -> float:
    if natural.ratio:
        return width / natural.ratio
    return 150.0 if natural.height is None else natural.height


def _limit_both(values: Used) -> None:
    """Keep a picture that has only its natural size within its limits, and in its ratio as far as these allow."""
    width, height = values.width or 1e-6, values.height or 1e-6
    most_width, most_height = max(values.min_width, values.max_width), max(values.min_height, values.max_height)
    wide = (width > most_width) - (width < values.min_width)
    tall = (height > most_height) - (height < values.min_height)
    if wide and tall and wide == tall:
        # Both too large, or both too small: the greater fault decides.
        limit_width, limit_height = (most_width, most_height) if wide > 0 else (values.min_width, values.min_height)
        by_width = (limit_width / width <= limit_height / height) == (wide > 0)
        wide, tall = (wide, 0) if by_width else (0, tall)
    if wide and tall:
        values.width = most_width if wide > 0 else values.min_width
        values.height = most_height if tall > 0 else values.min_height
    elif wide:
        values.width = most_width if wide > 0 else values.min_width
        values.height = min(most_height, max(values.min_height, values.width * height / width))
    elif tall:
        values.height = most_height if tall > 0 else values.min_height
        values.width = min(most_width, max(values.min_width, values.height * width / height))


def _drawn(box: Box, values: Used) -> tuple[float, float, float, float]:
    """The rectangle that the whole picture fills, relative to the border box."""
    natural, style = box.natural, box.style
    assert natural is not None and values.width is not None and values.height is not None
    width, height = values.width, values.height
    if style.object_fit != "fill":
        width, height = within(natural.ratio, width, height, style.object_fit == "cover")
    across, along = style.object_position
    x = values.bl + values.pl + used(across, values.width - width)
    y = values.bt + values.pt + used(along, values.height - height)
    return x, y, width, height


def background_size(natural: Natural, size: object, width: float, height: float) -> tuple[float, float]:
    """The size of a background picture in a box of this padding box."""
    if isinstance(size, str):
        return within(natural.ratio, width, height, size == "cover")
    assert isinstance(size, tuple)
    across, along = size
    return concrete(
        natural, None if across is None else used(across, width), None if along is None else used(along, height),
        width, height,
    )  # fmt: skip

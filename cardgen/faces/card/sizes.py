"""How wide boxes are by themselves: with every possible line break, and with none."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.faces.card.boxes import Box
from cardgen.faces.card.breaking import breaks_between, gap_width, hyphenated, letters, text_width, unit_width, units_of
from cardgen.faces.card.columns import columns_of, table_width
from cardgen.faces.card.edges import adjusted, fixed_edges
from cardgen.faces.card.natural import Natural
from cardgen.faces.card.style import Style
from cardgen.faces.card.values import Dim


def shrunk_to_fit(box: Box, room: float) -> float:
    """The content width of a box that is as wide as what it holds, but not wider than the room unless it must be."""
    widest = most_width(box, outer=False)
    return widest if widest <= room else min(max(least_width(box, outer=False), room), widest)


def least_width(box: Box, outer: bool = True) -> float:
    """The width of a box with every possible line break, with its edges if `outer`."""
    return width_of(box, True, outer)


def most_width(box: Box, outer: bool = True) -> float:
    """The width of a box with no line break but those it is told to make, with its edges if `outer`."""
    return width_of(box, False, outer)


def width_of(box: Box, is_least: bool, outer: bool) -> float:
    """`least_width` or `most_width`."""
    style = box.style
    if box.kind == "table":
        return table_width(columns_of(box, width_of), box, is_least, outer)
    if box.kind == "picture":
        return adjusted(box, _picture_width(box, is_least), outer)
    if box.kind != "cell" and isinstance(style.width, float) and box.kind != "flex":
        width = style.width
        if style.box_sizing == "border-box":
            width = max(0.0, width - fixed_edges(style))
        return adjusted(box, width, outer)
    if box.kind == "flex":
        parts = [width_of(child, is_least, True) for child in box.inside if child.is_item]
        in_row = style.flex_direction == "row" and (not is_least or style.flex_wrap == "nowrap")
        return adjusted(box, (sum(parts) if in_row else max(parts)) if parts else 0.0, outer)
    if box.kind == "cell" and not is_least and isinstance(style.width, float):
        width = style.width - (fixed_edges(style) if style.box_sizing == "border-box" else 0.0)
        return max(adjusted(box, max(0.0, width), outer), width_of(box, True, outer))
    return adjusted(box, _content_width(box, is_least), outer)


def _content_width(box: Box, is_least: bool) -> float:
    if box.has_lines:
        return _lines_width(box, is_least)
    widths = [width_of(child, is_least, True) for child in box.inside if not child.is_absolute]
    return max(widths, default=0.0)


def _picture_width(box: Box, is_least: bool) -> float:
    style, natural = box.style, box.natural
    assert natural is not None
    if isinstance(style.width, float):
        return style.width
    if isinstance(style.width, Dim) or (is_least and isinstance(style.max_width, Dim)):
        return 0.0
    height = style.height if isinstance(style.height, float) else None
    width, _ = concrete(natural, None, height, *((0.0, 0.0) if is_least else (300.0, 150.0)))
    return width


def concrete(
    natural: Natural, width: float | None, height: float | None, default_width: float, default_height: float
) -> tuple[float, float]:
    """The size of a picture of which only some measures are stated (CSS Images, default sizing)."""
    if width is not None and height is not None:
        return width, height
    if width is not None:
        if natural.ratio is not None:
            return width, width / natural.ratio
        return width, default_height if natural.height is None else natural.height
    if height is not None:
        if natural.ratio is not None:
            return height * natural.ratio, height
        return default_width if natural.width is None else natural.width, height
    if natural.width is not None or natural.height is not None:
        return concrete(natural, natural.width, natural.height, default_width, default_height)
    return within(natural.ratio, default_width, default_height)


def within(ratio: float | None, width: float, height: float, is_cover: bool = False) -> tuple[float, float]:
    """The largest size of a ratio inside of a rectangle; or the smallest that covers it."""
    if ratio is None:
        return width, height
    if is_cover != (width > height * ratio):
        return height * ratio, height
    return width, width / ratio


# --- text ---------------------------------------------------------------------------------------------------------


def _lines_width(box: Box, is_least: bool) -> float:
    widths = list(_line_widths(box.inside, box.style, is_least, [True]))
    if isinstance(box.style.text_indent, float):
        widths[0] += box.style.text_indent
    if not is_least:
        widths[-1] -= _trailing(box.inside)
    return max(widths)


def _trailing(boxes: tuple[Box, ...]) -> float:
    """The width of the space that ends a row of boxes: it takes no room at the end of a line."""
    last = boxes[-1] if boxes else None
    if last is not None and last.kind == "inline":
        return _trailing(last.inside)
    is_space = last is not None and last.kind == "text" and last.style.collapses and last.text.endswith(" ")
    return last.style.space if last is not None and is_space else 0.0


def _line_widths(boxes: tuple[Box, ...], style: Style, is_least: bool, starts: list[bool]) -> Iterator[float]:
    """The widths of the lines that boxes in a row make. `starts` tells whether a line begins here."""
    current, gap = 0.0, 0.0
    for child in boxes:
        if child.is_absolute:
            continue
        if child.kind == "inline":
            lines = list(_line_widths(child.inside, child.style, is_least, starts))
            if len(lines) == 1:
                lines[0] = adjusted(child, lines[0], True)
            else:
                lines[0] = adjusted(child, lines[0], True, right=False)
                lines[-1] = adjusted(child, lines[-1], True, left=False)
        elif child.kind == "text":
            if not child.text:
                continue
            lines = _text_widths(child, is_least, starts[0])
            if not is_least:
                gap = 0.0
        else:
            width = width_of(child, is_least, True)
            lines = [0.0, width, 0.0] if is_least and style.wraps else [width]
            starts[0] = is_least and style.wraps
        yield from ()
        current += lines[0]
        if len(lines) > 1:
            yield current
            yield from lines[1:-1]
            current = lines[-1]
        starts[0] = len(lines) > 1 and lines[-1] == 0.0
    yield current + gap


def _text_widths(box: Box, is_least: bool, is_start: bool) -> list[float]:
    style = box.style
    wraps, collapses = style.wraps, style.collapses
    lines: list[float] = []
    current, gap = 0.0, 0.0
    for unit in units_of(style, box.text):
        if is_start and collapses and not unit.text and not unit.feed and not lines and not current:
            continue
        width = unit_width(style, unit)
        if is_least and wraps:
            lines += _parts(style, unit.text, width)
            continue
        current += gap + width + unit.kern * style.size / 1000
        gap = gap_width(style, unit)
        if unit.feed:
            lines.append(current + (0.0 if collapses else gap))
            current, gap = 0.0, 0.0
    if is_least and wraps:
        if not lines:
            return [0.0]
        if breaks_between(box.text[-1], "a"):
            lines.append(0.0)
        return lines
    return [*lines, current + gap]


def _parts(style: Style, text: str, width: float) -> list[float]:
    """The widths of what a word may be cut into."""
    if style.overflow_wrap == "anywhere":
        return [text_width(style, letter) for letter in letters(text)]
    starts = hyphenated(style, text)
    if not starts:
        return [width]
    ends = [*(len(start) for start in reversed(starts)), len(text)]
    found, before = [], 0
    for end in ends:
        found.append(text_width(style, text[before:end] + (style.hyphenate_character if end < len(text) else "")))
        before = end
    return found

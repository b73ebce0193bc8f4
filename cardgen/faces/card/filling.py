"""How much goes into a line: as much as fits, words cut at hyphens where they may be."""

from __future__ import annotations

from cardgen.faces.card.breaking import SOFT_HYPHEN, Unit, hyphenated, letters, may_hyphenate, text_width
from cardgen.faces.card.items import Item

# Widths are sums of rounded numbers.
SLACK = 1e-3


def fill(items: list[Item], start: int, room: float) -> tuple[int, bool]:
    """Where the line that begins at `start` ends, and whether it has to. A word may be cut in two on the way."""
    x, gap, best, is_empty = 0.0, 0.0, -1, True
    index = start
    while index < len(items):
        item = items[index]
        if item.kind == "text":
            unit = item.unit
            assert unit is not None
            if is_empty and not unit.text and not unit.feed and item.box.style.collapses:
                item.gap = 0.0
                items[index].unit = _NOTHING
                index += 1
                continue
            width = item.width if item.box.style.collapses else item.width + item.gap
            if unit.kern and index > start:
                x += unit.kern * item.box.style.size / 1000
            hyphen = _soft_width(item) if unit.soft and item.may_break else 0.0
            if x + gap + width > room + SLACK:
                cut = _cut(items, index, x + gap, room, best, is_empty)
                if cut:
                    return index + 1, False
                if best > 0:
                    return _soft_end(items, best), False
            is_empty = False
            x, gap = x + gap + item.width, item.gap
            if unit.feed:
                return index + 1, True
            if item.may_break and (not hyphen or x + hyphen <= room + SLACK):
                best = index + 1
        elif item.kind != "absent":
            if (item.kind == "atom" or item.width) and x + gap + item.width > room + SLACK and best > 0:
                return _soft_end(items, best), False
            if item.kind == "atom" or item.width:
                x, gap = x + gap + item.width, 0.0
            is_empty = is_empty and item.kind != "atom"
            if item.may_break:
                best = index + 1
        index += 1
    return len(items), False


_NOTHING = Unit("", 0, (), False, False)


def _soft_end(items: list[Item], end: int) -> int:
    """A line's end; a soft hyphen there becomes a hyphen."""
    last = items[end - 1]
    if last.unit is not None and last.unit.soft:
        last.hyphen = last.box.style.hyphenate_character
    return end


def _soft_width(item: Item) -> float:
    return text_width(item.box.style, item.box.style.hyphenate_character)


def _cut(items: list[Item], index: int, x: float, room: float, best: int, is_empty: bool) -> bool:
    """Cut the word at `index`, which does not fit, if it may be cut: its first part takes its place."""
    item = items[index]
    style, unit = item.box.style, item.unit
    assert unit is not None
    if not style.wraps:
        return False
    if SOFT_HYPHEN not in item.box.text and may_hyphenate(style, room - x, room):
        parts = hyphenated(style, unit.text)
        hyphen = style.hyphenate_character
        for part in parts:
            width = text_width(style, part + hyphen)
            if x + width <= room + SLACK or (part is parts[-1] and best <= 0):
                _divide(items, index, part, width, hyphen)
                return True
    if is_empty and best <= 0 and style.overflow_wrap != "normal" and item.width > room:
        return _cut_anywhere(items, index, room - x)
    return False


def _cut_anywhere(items: list[Item], index: int, room: float) -> bool:
    item = items[index]
    style, unit = item.box.style, item.unit
    assert unit is not None
    part = ""
    width = 0.0
    for letter in letters(unit.text):
        wider = text_width(style, part + letter)
        if part and wider > room + SLACK:
            break
        part, width = part + letter, wider
    if part == unit.text:
        return False
    _divide(items, index, part, width, "")
    return True


def _divide(items: list[Item], index: int, part: str, width: float, hyphen: str) -> None:
    """Make two pieces of one."""
    item = items[index]
    unit, style = item.unit, item.box.style
    assert unit is not None
    rest = unit.text[len(part) :]
    behind = Unit(rest, unit.spaces, (), unit.feed, unit.soft)
    first = Unit(part, 0, (), False, False)
    items[index : index + 1] = [
        Item("text", item.box, width, 0.0, first, may_break=True, hyphen=hyphen),
        Item("text", item.box, text_width(style, rest), item.gap, behind, may_break=item.may_break),
    ]


def trim_end(items: list[Item], start: int, end: int) -> None:
    """Take away the spaces at the end of a line."""
    for index in range(end - 1, start - 1, -1):
        item = items[index]
        if item.kind == "close":
            continue
        unit = item.unit
        if unit is None or not item.box.style.collapses:
            return
        item.gap = 0.0
        item.unit = Unit(unit.text, 0, unit.words, unit.feed, unit.soft)
        if unit.text:
            return

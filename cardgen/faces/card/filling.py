"""How much goes into a line: as much as fits, words cut at hyphens where they may be."""

from __future__ import annotations

from bisect import bisect_right

from cardgen.faces.card.breaking import SOFT_HYPHEN, hyphenated, letters, may_hyphenate, text_width
from cardgen.faces.card.items import Item
from cardgen.faces.card.pieces import cut
from cardgen.faces.card.style import Style

# Widths are sums of rounded numbers.
SLACK = 1e-3
# Where a line may end: behind an item, of a text before one of its pieces.
_End = tuple[int, int] | None


def fill(items: list[Item], start: int, room: float) -> tuple[int, bool]:
    """Where the line that begins at `start` ends, and whether it has to. A text may be divided on the way."""
    x, gap, is_empty = 0.0, 0.0, True
    best: _End = None
    most = room + SLACK
    index = start
    while index < len(items):
        item = items[index]
        pieces = item.pieces
        if pieces is not None:
            style = item.box.style
            wraps, collapses, last = style.wraps, style.collapses, item.last
            can_skip = pieces.is_plain and collapses
            at = item.first
            while at < last:
                kern = pieces.kerns[at] if index > start or at > item.first else 0.0
                if can_skip:
                    # All that fits is passed over at once.
                    base = pieces.starts[at] - kern
                    end = bisect_right(pieces.ends, most - x - gap + base, at, last)
                    if end > at:
                        x, gap, is_empty = x + gap + pieces.ends[end - 1] - base, pieces.gaps[end - 1], False
                        if end == last and not item.may_break:
                            best = (index, end - 1) if wraps and end - 1 > at else best
                        elif wraps or end == last:
                            best = (index, end)
                        at = end
                        continue
                unit = pieces.units[at]
                if is_empty and not unit.text and not unit.feed and collapses:
                    at += 1
                    item.first = at
                    continue
                width = pieces.widths[at]
                may_break = wraps if at + 1 < last else item.may_break
                hyphen = _soft_width(style) if unit.soft and may_break else 0.0
                x += kern
                if x + gap + (width if collapses else width + pieces.gaps[at]) > most:
                    end = _cut(items, index, at, x + gap, room, best, is_empty)
                    if end or best is not None:
                        return end or _ended(items, best), False
                is_empty = False
                x, gap = x + gap + width, pieces.gaps[at]
                at += 1
                if unit.feed:
                    return _divided(items, index, at), True
                if may_break and (not hyphen or x + hyphen <= most):
                    best = (index, at)
        elif item.kind != "absent":
            if (item.kind == "atom" or item.width) and x + gap + item.width > most and best is not None:
                return _ended(items, best), False
            if item.kind == "atom" or item.width:
                x, gap = x + gap + item.width, 0.0
            is_empty = is_empty and item.kind != "atom"
            if item.may_break:
                best = (index, 0)
        index += 1
    return len(items), False


def _divided(items: list[Item], index: int, at: int) -> int:
    """Make two of a text before one of its pieces, unless it ends there: where the first ends."""
    item = items[index]
    if item.pieces is not None and at < item.last:
        rest = Item("text", item.box, pieces=item.pieces, first=at, last=item.last, may_break=item.may_break)
        item.last = at
        items.insert(index + 1, rest)
    return index + 1


def _ended(items: list[Item], best: _End) -> int:
    """End a line; a soft hyphen there becomes a hyphen."""
    assert best is not None
    index, at = best
    end = _divided(items, index, at)
    last = items[index]
    if last.pieces is not None and last.pieces.units[last.last - 1].soft:
        last.hyphen = last.box.style.hyphenate_character
    return end


def _soft_width(style: Style) -> float:
    return text_width(style, style.hyphenate_character)


def _cut(items: list[Item], index: int, at: int, x: float, room: float, best: _End, is_empty: bool) -> int:
    """Cut the word `at` of a text, which does not fit, if it may be cut: where the line ends then; else 0."""
    item = items[index]
    style, pieces = item.box.style, item.pieces
    assert pieces is not None
    if not style.wraps:
        return 0
    text = pieces.units[at].text
    if SOFT_HYPHEN not in item.box.text and may_hyphenate(style, room - x, room):
        parts = hyphenated(style, text)
        hyphen = style.hyphenate_character
        for part in parts:
            width = text_width(style, part + hyphen)
            if x + width <= room + SLACK or (part is parts[-1] and best is None):
                return _cut_at(items, index, at, len(part), width, hyphen)
    if is_empty and best is None and style.overflow_wrap != "normal" and pieces.widths[at] > room:
        return _cut_anywhere(items, index, at, room - x)
    return 0


def _cut_anywhere(items: list[Item], index: int, at: int, room: float) -> int:
    item = items[index]
    assert item.pieces is not None
    style, text = item.box.style, item.pieces.units[at].text
    part = ""
    width = 0.0
    for letter in letters(text):
        wider = text_width(style, part + letter)
        if part and wider > room + SLACK:
            break
        part, width = part + letter, wider
    return 0 if part == text else _cut_at(items, index, at, len(part), width, "")


def _cut_at(items: list[Item], index: int, at: int, length: int, width: float, hyphen: str) -> int:
    """Make two pieces of the one `at` of a text, which becomes three: what is before, the first letters, the rest."""
    item = items[index]
    pieces, box = item.pieces, item.box
    assert pieces is not None
    rest_width = text_width(box.style, pieces.units[at].text[length:])
    begin, rest = cut(box.style, pieces, at, item.last, length, (width, rest_width))
    items[index : index + 1] = [
        *([Item("text", box, pieces=pieces, first=item.first, last=at)] if at > item.first else []),
        Item("text", box, pieces=begin, last=1, may_break=True, hyphen=hyphen),
        Item("text", box, pieces=rest, last=len(rest.units), may_break=item.may_break),
    ]
    return index + 2 if at > item.first else index + 1


def trim_end(items: list[Item], start: int, end: int) -> None:
    """Take away the spaces at the end of a line."""
    for index in range(end - 1, start - 1, -1):
        item = items[index]
        if item.kind == "close":
            continue
        if item.pieces is None or not item.box.style.collapses:
            return
        item.is_trimmed = True
        if item.text:
            return

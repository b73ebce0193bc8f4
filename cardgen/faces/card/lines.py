"""Text in lines: what stands in a row is cut where it may be cut, set on a common baseline and aligned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from cardgen.faces.card.boxes import Box
from cardgen.faces.card.breaking import (
    SOFT_HYPHEN,
    Unit,
    breaks_between,
    extent,
    gap_width,
    glyphs_of,
    heights,
    hyphenated,
    letters,
    may_hyphenate,
    text_width,
    unit_width,
    units_of,
)
from cardgen.faces.card.fragments import Fragment, Waiting
from cardgen.faces.card.style import Style
from cardgen.faces.card.used import Used, used_values
from cardgen.faces.card.values import used

# Widths are sums of rounded numbers.
SLACK = 1e-3
# What stands for a picture where lines are broken: it is like an ideograph.
_ATOM = "\u2e80"
# Lays out what stands in a line as one: (box, width around, height around, what waits) -> its fragment, with margins.
Lay = Callable[[Box, float, "float | None", list[Waiting]], tuple[Fragment, float]]


@dataclass(slots=True, eq=False)
class Item:
    """A step along a line: a piece of text, a thing in the line, the begin or end of an inline box, a place left free.

    `width` in px counts for the line, `gap` only if something follows in it.
    """

    kind: Literal["text", "atom", "open", "close", "absent"]
    box: Box
    width: float = 0.0
    gap: float = 0.0
    unit: Unit | None = None
    fragment: Fragment | None = None
    values: Used | None = None
    may_break: bool = False
    waiting: tuple[Waiting, ...] = ()
    # a part of a word, whose hyphen is still to be set
    hyphen: str = ""


def lay_lines(
    box: Box, width: float, height: float | None, waiting: list[Waiting], lay: Lay, resolve: Callable[..., None]
) -> list[Fragment]:
    """The lines of a box that is `width` wide, from 0 downwards; they lie in its content box."""
    items = _items(box, width, height, lay)
    lines: list[Fragment] = []
    opened: list[Item] = []
    start, y = 0, 0.0
    indent = used(box.style.text_indent, width)
    while start < len(items):
        end, is_forced = _fill(items, start, width - indent)
        is_last = end >= len(items)
        line = _Line(box.style, opened, indent, resolve)
        _trim_end(items, start, end)
        for item in items[start:end]:
            line.add(item)
        fragment = line.finish(width, is_forced or is_last)
        if fragment.height or fragment.inside or fragment.width:
            fragment.y = y
            y += fragment.height
            line.place_waiting(waiting, fragment)
            lines.append(fragment)
            indent = 0.0
        start = end
    return lines


def _items(box: Box, width: float, height: float | None, lay: Lay) -> list[Item]:
    """What stands in the lines of a box, one after the other, with the places where they may break."""
    items: list[Item] = []
    _collect(box.inside, width, height, lay, items)
    _mark_breaks(items, box.style)
    return items


def _collect(boxes: Sequence[Box], width: float, height: float | None, lay: Lay, items: list[Item]) -> None:
    for box in boxes:
        if box.is_absolute:
            items.append(Item("absent", box))
        elif box.kind == "text":
            _collect_text(box, items)
        elif box.kind == "inline":
            values = used_values(box, width, height).without_auto_margins()
            assert values.ml is not None and values.mr is not None
            items.append(Item("open", box, values.ml + values.bl + values.pl, values=values))
            _collect(box.inside, width, height, lay, items)
            items.append(Item("close", box, values.mr + values.br + values.pr, values=values))
        else:
            own: list[Waiting] = []
            fragment, outer = lay(box, width, height, own)
            items.append(Item("atom", box, outer, fragment=fragment, waiting=tuple(own)))


def _collect_text(box: Box, items: list[Item]) -> None:
    style = box.style
    if not box.text:
        return
    wraps = style.wraps
    for unit in units_of(style, box.text):
        items.append(Item("text", box, unit_width(style, unit), gap_width(style, unit), unit, may_break=wraps))
    items[-1].may_break = False


def _mark_breaks(items: list[Item], style: Style) -> None:
    """Say where a line may break between texts and things that follow each other, behind or before inline boxes."""
    styles = [style]
    before, place, depth = "", -1, 0
    for index, item in enumerate(items):
        if item.kind == "open":
            styles.append(item.box.style)
        elif item.kind == "close":
            styles.pop()
            if len(styles) <= depth:
                depth, place = len(styles), index
        elif item.kind != "absent":
            first, last = _ends(item)
            if before and place >= 0 and not items[place].may_break and styles[depth - 1].wraps:
                items[place].may_break = breaks_between(before, first)
            before, place, depth = last, index, len(styles)


def _ends(item: Item) -> tuple[str, str]:
    """The first and last character."""
    unit = item.unit
    if unit is None:
        return _ATOM, _ATOM
    text = unit.text + " " * min(1, unit.spaces)
    return (text[0], text[-1]) if text else ("", "")


def _fill(items: list[Item], start: int, room: float) -> tuple[int, bool]:
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


def _trim_end(items: list[Item], start: int, end: int) -> None:
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


class _Line:
    """A line that is being filled. `opened` are the inline boxes that go on from the line before; it is kept up."""

    def __init__(self, style: Style, opened: list[Item], indent: float, resolve: Callable[..., None]) -> None:
        self.style, self.opened, self.resolve = style, opened, resolve
        half = (style.line - style.font_size) / 2
        self.root = Fragment(None, 0.0, style.font_size, above=half, baseline=style.baseline, outer=style.line)
        self.stack = [self.root]
        self.x = indent
        self.is_empty = True
        # a text that goes on: its box, and what it holds so far
        self.box: Box | None = None
        self.parts: list[str] = []
        self.absent: list[tuple[Fragment, Fragment, float]] = []
        self.inner: list[tuple[Fragment, tuple[Waiting, ...]]] = []
        for item in opened:
            self._push(item, 0.0)

    def add(self, item: Item) -> None:
        """Put the next step into the line."""
        if item.kind == "text":
            assert item.unit is not None
            if self.box is not item.box:
                self._end_text()
                self.box = item.box
            text = item.unit.text
            self.parts += (text, " " * item.unit.spaces, item.hyphen)
            self.is_empty = self.is_empty and not (text and item.box.style.font_size) and not item.unit.feed
            return
        self._end_text()
        if item.kind == "open":
            self.opened.append(item)
            self._push(item, item.width)
            self.is_empty = self.is_empty and not _has_edges(item.values)
        elif item.kind == "close":
            self.opened.pop()
            self._pop(item.width, item.values)
        elif item.kind == "atom":
            assert item.fragment is not None
            fragment = item.fragment
            fragment.x = self.x + (fragment.x or 0.0)
            self.stack[-1].inside.append(fragment)
            if item.waiting:
                self.inner.append((fragment, item.waiting))
            self.x += item.width
            self.is_empty = False
        else:
            fragment = Fragment(item.box, 0.0, 0.0, x=self.x)
            self.stack[-1].inside.append(fragment)
            self.absent.append((fragment, self.stack[-1], self.x))

    def _push(self, item: Item, width: float) -> None:
        values, style = item.values, item.box.style
        assert values is not None and values.ml is not None
        left = width > 0 or not self.opened or item is self.opened[-1]
        border = (values.bt, 0.0, values.bb, values.bl if width else 0.0)
        padding = (values.pt, 0.0, values.pb, values.pl if width else 0.0)
        height = style.font_size + values.along
        above = (style.line - style.font_size) / 2 - values.bt - values.pt
        fragment = Fragment(
            item.box, 0.0, height, x=self.x + (values.ml if width and left else 0.0), border=border, padding=padding,
            above=above, outer=style.line, baseline=style.baseline,
        )  # fmt: skip
        self.stack[-1].inside.append(fragment)
        self.stack.append(fragment)
        self.x += width

    def _pop(self, width: float, values: Used | None) -> None:
        self._end_text()
        fragment = self.stack.pop()
        right = 0.0
        if values is not None:
            assert values.mr is not None
            right = values.br + values.pr
            top, _, bottom, left = fragment.border
            fragment.border = (top, values.br, bottom, left)
            top, _, bottom, left = fragment.padding
            fragment.padding = (top, values.pr, bottom, left)
        fragment.width = self.x + right - fragment.x
        self.x += width

    def _end_text(self) -> None:
        """Set what was gathered of a text."""
        box, self.box = self.box, None
        text = "".join(self.parts)
        self.parts = []
        if box is None or not text or not box.style.font_size:
            return
        style = box.style
        runs = glyphs_of(style.text, style.lang, text)
        width = extent(runs, style.size, style.letter_spacing, style.word_spacing)
        ascent, descent = heights(runs, style.size)
        half = (style.line - ascent - descent) / 2
        self.stack[-1].inside.append(
            Fragment(
                box,
                width,
                ascent + descent,
                x=self.x,
                above=half,
                outer=style.line,
                baseline=half + ascent,
                runs=runs,
                letter=style.letter_spacing,
                word=style.word_spacing,
                text=text,
            )  # fmt: skip
        )
        self.x += width

    def finish(self, width: float, is_last: bool) -> Fragment:
        """The line, its parts in their places; at (0, 0) or, aligned, to the right of that."""
        self._end_text()
        while len(self.stack) > 1:
            self._pop(0.0, None)
        root = self.root
        root.width = self.x
        if self.is_empty:
            root.height = 0.0
            root.inside = [each for each, _, _ in self.absent]
            root.width = 0.0
            return root
        root.x = self._align(width, is_last)
        bottom, top = _stacked(root, self.style)
        root.height, root.baseline = bottom - top, -top
        _settle(root, 0.0, top)
        return root

    def _align(self, width: float, is_last: bool) -> float:
        room = width - self.root.width
        align = self.style.text_align
        if room <= 0 or align in {"left", "start"}:
            return 0.0
        if align == "justify":
            count = _spaces(self.root)
            if count and not is_last and self.style.collapses:
                _widen(self.root, room / count, 0.0)
                self.root.width = width
            return 0.0
        return room / 2 if align == "center" else room

    def place_waiting(self, waiting: list[Waiting], line: Fragment) -> None:
        """Hand on what was taken out of the line, with the place where it would stand."""
        offsets = _offsets(line)
        for fragment, parent, x in self.absent:
            box = fragment.box
            assert box is not None
            px, py = offsets.get(id(parent), (0.0, 0.0))
            # A block would begin the next line.
            x, y = (x, 0.0) if box.style.was_inline else (0.0, line.height)
            own = Waiting(fragment, x, y, x - px, y - py)
            self._hand_on(own, parent, line, waiting, offsets)
        for fragment, inner in self.inner:
            px, py = offsets.get(id(fragment), (0.0, 0.0))
            for each in inner:
                each.x, each.y = each.x + px, each.y + py
                self._hand_on(each, fragment, line, waiting, offsets)

    def _hand_on(
        self, own: Waiting, inside: Fragment, line: Fragment, waiting: list[Waiting],
        offsets: dict[int, tuple[float, float]],
    ) -> None:  # fmt: skip
        holder = _relative_around(line, inside)
        if holder is not None and holder is not own.fragment:
            px, py = offsets[id(holder)]
            own.x, own.y = own.x - px, own.y - py
            self.resolve(own, holder)
            return
        own.x, own.y = own.x + line.x, own.y + line.y
        waiting.append(own)


def _relative_around(line: Fragment, inside: Fragment) -> Fragment | None:
    """The innermost inline box around a fragment of a line that contains absolute boxes."""
    found: Fragment | None = None

    def visit(fragment: Fragment, holder: Fragment | None) -> bool:
        nonlocal found
        if fragment.box is not None and fragment.box.kind == "inline" and fragment.box.style.position == "relative":
            holder = fragment
        if fragment is inside:
            found = holder
            return True
        return any(visit(child, holder) for child in fragment.inside)

    visit(line, None)
    return found


def _offsets(line: Fragment) -> dict[int, tuple[float, float]]:
    """Where each part of a line lies in it."""
    found = {id(line): (0.0, 0.0)}
    todo = [(line, 0.0, 0.0)]
    while todo:
        parent, x, y = todo.pop()
        for child in parent.inside:
            found[id(child)] = (x + child.x, y + child.y)
            if child.box is not None and child.box.kind == "inline":
                todo.append((child, x + child.x, y + child.y))
    return found


def _has_edges(values: Used | None) -> bool:
    """Whether an inline box without a text makes a line nevertheless."""
    if values is None:
        return False
    edges = (values.mt, values.mr, values.mb, values.ml, values.pt, values.pr, values.pb, values.pl)
    return any(edges) or any((values.bt, values.br, values.bb, values.bl))


def _settle(parent: Fragment, x: float, y: float) -> None:
    """From places along the line, and over or under its baseline, to places in each other."""
    for child in parent.inside:
        own_x, own_y = child.x, child.y
        if child.box is not None and child.box.kind == "inline":
            _settle(child, own_x, own_y)
        child.x, child.y = own_x - x, own_y - y
        _shift_relative(child)


def _shift_relative(fragment: Fragment) -> None:
    style = fragment.box.style if fragment.box is not None else None
    if style is not None and style.position == "relative" and fragment.box is not None and fragment.box.kind != "text":
        left, right, top, bottom = (
            used(side or 0.0, 0.0) for side in (style.left, style.right, style.top, style.bottom)
        )
        fragment.x += left if style.left is not None else -right
        fragment.y += top if style.top is not None else -bottom


# --- vertical places ----------------------------------------------------------------------------------------------


def _stacked(line: Fragment, style: Style) -> tuple[float, float]:
    """Give the parts of a line their vertical places, the baseline at 0: its lowest and highest edge."""
    later: list[Fragment] = []
    bottom, top = _subtree(line, style, later)
    # A part that is aligned with the whole line is measured by itself.
    parts = []
    for part in later:
        assert part.box is not None
        parts.append((part, part.box.style, *_subtree(part, part.box.style, later)))
    if parts:
        bottom = max(bottom, top + max(low - high for _, _, low, high in parts))
    for part, own, low, high in parts:
        _lower(part, top - high if own.vertical_align == "top" else bottom - low)
    return bottom, top


def _lower(part: Fragment, by: float) -> None:
    part.y += by
    if part.box is not None and part.box.kind == "inline":
        for child in part.inside:
            if child.box is None or not _is_line_aligned(child.box):
                _lower(child, by)


def _is_line_aligned(box: Box) -> bool:
    return box.kind != "text" and box.style.vertical_align in {"top", "bottom"}


def _subtree(part: Fragment, style: Style, later: list[Fragment]) -> tuple[float, float]:
    """The lowest and highest edge of a part with all that is aligned with it, its baseline at 0."""
    top = -part.baseline
    bottom = top + part.outer
    if part.box is None or part.box.kind == "inline":
        low, high = _inside(part, style, later, 0.0)
        bottom, top = max(bottom, low), min(top, high)
    else:
        part.y = top + part.above
    return bottom, top


def _inside(part: Fragment, style: Style, later: list[Fragment], baseline: float) -> tuple[float, float]:
    low, high = float("-inf"), float("inf")
    for child in part.inside:
        box = child.box
        assert box is not None
        if box.is_absolute:
            continue
        align = box.style.vertical_align if box.kind != "text" else "baseline"
        if align == "baseline":
            own = baseline
        elif not isinstance(align, str):
            own = baseline - align
        else:
            own = _aligned(align, part, style, child, baseline)
        top = own - child.baseline
        child.y = top + child.above
        if align in {"top", "bottom"}:
            later.append(child)
            continue
        bottom = top + child.outer
        low, high = max(low, bottom), min(high, top)
        if box.kind == "inline":
            inner_low, inner_high = _inside(child, box.style, later, own)
            low, high = max(low, inner_low), min(high, inner_high)
    return low, high


def _aligned(align: str, part: Fragment, style: Style, child: Fragment, baseline: float) -> float:
    """Where the baseline of a child comes to lie."""
    if align == "middle":
        ex = style.font_size * style.text.metrics.x_height
        return baseline - (ex + child.outer) / 2 + child.baseline
    content_top = baseline - part.baseline + part.above + part.border[0] + part.padding[0]
    if align == "text-top":
        return content_top + child.baseline
    if align == "text-bottom":
        return content_top + style.font_size - child.outer + child.baseline
    return 0.0


def _spaces(part: Fragment) -> int:
    """How many spaces of a line can be widened."""
    if part.runs:
        return part.text.count(" ") + part.text.count("\u00a0")
    if part.box is None or part.box.kind == "inline":
        return sum(_spaces(child) for child in part.inside)
    return 0


def _widen(part: Fragment, by: float, moved: float) -> float:
    """Widen the spaces of a line; what follows moves to the right."""
    part.x += moved
    if part.runs:
        more = _spaces(part) * by
        part.word += by
        part.width += more
        return moved + more
    if part.box is None or part.box.kind == "inline":
        before = moved
        for child in part.inside:
            moved = _widen(child, by, moved)
        part.width += moved - before
    return moved

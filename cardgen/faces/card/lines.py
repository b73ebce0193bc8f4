"""Text in lines: what stands in a row is cut where it may be cut, set on a common baseline and aligned."""

from __future__ import annotations

from collections.abc import Callable

from cardgen.faces.card.boxes import Box
from cardgen.faces.card.breaking import setting_of
from cardgen.faces.card.filling import fill, trim_end
from cardgen.faces.card.fragments import Fragment, Waiting
from cardgen.faces.card.items import Item, Lay, items_of
from cardgen.faces.card.style import Style
from cardgen.faces.card.used import Used
from cardgen.faces.card.values import used
from cardgen.faces.card.verticals import stacked


def lay_lines(
    box: Box, width: float, height: float | None, waiting: list[Waiting], lay: Lay, resolve: Callable[..., None]
) -> list[Fragment]:
    """The lines of a box that is `width` wide, from 0 downwards; they lie in its content box."""
    items = items_of(box, width, height, lay)
    lines: list[Fragment] = []
    opened: list[Item] = []
    start, y = 0, 0.0
    indent = used(box.style.text_indent, width)
    while start < len(items):
        end, is_forced = fill(items, start, width - indent)
        is_last = end >= len(items)
        line = _Line(box.style, opened, indent, resolve)
        trim_end(items, start, end)
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
        # of things in the line: the margin on their left, and their width with both
        self.margins: dict[int, tuple[float, float]] = {}
        self.inner: list[tuple[Fragment, tuple[Waiting, ...]]] = []
        for item in opened:
            self._push(item, 0.0)

    def add(self, item: Item) -> None:
        """Put the next step into the line."""
        if item.pieces is not None:
            if self.box is not item.box:
                self._end_text()
                self.box = item.box
            text = item.text
            self.parts += (text, item.hyphen)
            if self.is_empty:
                feeds = item.first < item.last and item.pieces.units[item.last - 1].feed
                self.is_empty = not feeds and not (item.box.style.font_size and text.strip(" "))
            return
        if self.box is not None:
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
            self.margins[id(fragment)] = (fragment.x, item.width)
            fragment.x += self.x
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
        if box is None:
            return
        text = "".join(self.parts)
        self.parts = []
        if not text or not box.style.font_size:
            return
        style = box.style
        runs, width, ascent, descent, missing = setting_of(style, text)
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
                missing=missing,
            )
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
        if self.style.is_rtl:
            self._mirror(root, 0.0, root.width)
        bottom, top = stacked(root, self.style)
        root.height, root.baseline = bottom - top, -top
        _settle(root, 0.0, top)
        return root

    def _align(self, width: float, is_last: bool) -> float:
        room = width - self.root.width
        align = self.style.text_align
        if align in {"start", "end"} or room <= 0:
            align = "right" if (align == "end" and room > 0) != self.style.is_rtl else "left"
        if align == "left":
            return 0.0
        if align == "justify":
            count = _spaces(self.root)
            if count and not is_last and self.style.collapses:
                _widen(self.root, room / count, 0.0)
                self.root.width = width
                return 0.0
            return room if self.style.is_rtl else 0.0
        return room / 2 if align == "center" else room

    def _mirror(self, part: Fragment, left: float, right: float) -> None:
        """Set what is in a part of the line from the right to the left."""
        for child in part.inside:
            before, whole = self.margins.get(id(child), (0.0, child.width))
            start = left + right - (child.x - before) - whole + before
            if child.box is not None and child.box.kind == "inline":
                _move(child, start - child.x)
                self._mirror(child, child.x, child.x + child.width)
            else:
                child.x = start

    def place_waiting(self, waiting: list[Waiting], line: Fragment) -> None:
        """Hand on what was taken out of the line, with the place where it would stand."""
        if not self.absent and not self.inner:
            return
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


def _move(part: Fragment, by: float) -> None:
    """Move an inline box along its line, with all that is in it."""
    part.x += by
    for child in part.inside:
        if child.box is not None and child.box.kind == "inline":
            _move(child, by)
        else:
            child.x += by


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

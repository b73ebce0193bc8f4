"""Tables: the widths of their columns, the heights of their rows, and borders that cells share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from cardgen.faces.card.boxes import Box
from cardgen.faces.card.columns import Columns, columns_of, table_width, widen
from cardgen.faces.card.fragments import Fragment, Waiting, waiting_in
from cardgen.faces.card.sizes import width_of
from cardgen.faces.card.used import Used, used_values

# `blocks.lay_container`, which lays out a cell.
LayContainer = Callable[..., Any]


def lay_table(
    table: Box, values: Used, width: float, waiting: list[Waiting], lay_container: LayContainer,
    resolve: Callable[..., None],
) -> Fragment:  # fmt: skip
    """Lay out a table in a box that is `width` wide. `values` takes its own width."""
    shared = table.shared
    if shared is not None:
        values.bt, values.br, values.bb, values.bl = table.borders or (0.0, 0.0, 0.0, 0.0)
    columns = _widths(table, values, width)
    is_shared = table.style.border_collapse == "collapse"
    across, along = (0.0, 0.0) if is_shared else table.style.border_spacing
    own = waiting_in(table, waiting)
    layer = _Rows(table, values, columns, across, along, own, lay_container)
    height = layer.lay()
    content = max(values.height or 0.0, height)
    fragment = Fragment(
        table, (values.width or 0.0) + values.across, content + values.along,
        border=(values.bt, values.br, values.bb, values.bl), padding=(values.pt, values.pr, values.pb, values.pl),
    )  # fmt: skip
    fragment.inside = layer.groups
    if shared is not None:
        fragment.rules = shared.rules(layer.lefts, columns, layer.tops, layer.heights, table.style.is_rtl)
    if own is not waiting:
        for each in own:
            resolve(each, fragment)
    return fragment


def _widths(table: Box, values: Used, width: float) -> list[float]:
    """The widths of the columns; the table's own is settled with them."""
    if table.style.table_layout == "fixed" and values.width is not None:
        return _fixed_widths(table, values)
    columns = columns_of(table, width_of)
    least, most = (table_width(columns, table, is_least, False) for is_least in (True, False))
    room = width - (values.ml or 0.0) - (values.mr or 0.0) - values.across
    if values.width is None:
        values.width = max(least, min(room, most))
    else:
        values.width = max(values.width, least)
    if not columns.least:
        return []
    return _auto_widths(columns, values.width - columns.spacing)


def _auto_widths(columns: Columns, room: float) -> list[float]:
    """Share out the room between what the columns need at least and what they would have at most."""
    count = range(len(columns.least))
    by_percent, by_stated, most = columns.least[:], columns.least[:], columns.most[:]
    for at in count:
        if columns.percents[at]:
            by_percent[at] = max(columns.percents[at] / 100 * room, columns.least[at])
            by_stated[at] = most[at] = by_percent[at]
        elif columns.is_stated[at]:
            by_stated[at] = columns.most[at]
    guesses = (columns.least, by_percent, by_stated, most)
    if room * (1 + 1e-9) >= sum(most):
        widen(columns, room - sum(most), most)
        return most
    lower = upper = guesses[0]
    for guess in guesses:
        if sum(guess) > room * (1 + 1e-9):
            break
        lower = guess
    for guess in reversed(guesses):
        if sum(guess) < room * (1 - 1e-9):
            break
        upper = guess
    added = [high - low for low, high in zip(lower, upper, strict=True)]
    if not sum(added):
        return upper[:]
    share = (room - sum(lower)) / sum(added)
    return [low + more * share for low, more in zip(lower, added, strict=True)]


def _fixed_widths(table: Box, values: Used) -> list[float]:
    """The widths that the first row states; the other columns share the rest."""
    first = next((row for group in table.inside[:1] for row in group.inside[:1]), None)
    cells = first.inside if first is not None else ()
    gap = table.style.border_spacing[0] if table.style.border_collapse == "separate" else 0.0
    assert values.width is not None
    widths: list[float | None] = [None] * sum(cell.colspan for cell in cells)
    at = 0
    for cell in cells:
        own = used_values(cell, values.width, values.height)
        if own.width is not None:
            free = [column for column in range(at, at + cell.colspan) if widths[column] is None]
            rest = own.width + own.across - gap * (cell.colspan - 1)
            rest -= sum(widths[column] or 0.0 for column in range(at, at + cell.colspan))
            for column in free:
                widths[column] = rest / len(free)
        at += cell.colspan
    gaps = gap * (len(widths) + 1)
    taken = sum(width or 0.0 for width in widths) + gaps
    free = [column for column, width in enumerate(widths) if width is None]
    for column in free:
        widths[column] = (values.width - taken) / len(free) if values.width >= taken else 0.0
    found = [width or 0.0 for width in widths]
    more = values.width - sum(found) - gaps
    if more <= 0:
        values.width -= more
    elif found:
        found = [width + more / len(found) for width in found]
    return found


class _Cell(Struct):
    """A laid out cell: the height that it states, and that of what it holds."""

    fragment: Fragment
    stated: float | None
    content: float
    waiting: tuple[int, int]


class _Rows:
    """Lays out the rows of a table, from its content's top down."""

    def __init__(
        self, table: Box, values: Used, columns: list[float], across: float, along: float, waiting: list[Waiting],
        lay_container: LayContainer,
    ) -> None:  # fmt: skip
        self.table, self.values, self.columns = table, values, columns
        self.across, self.along, self.waiting, self.lay_container = across, along, waiting, lay_container
        self.left, self.top = values.bl + values.pl, values.bt + values.pt
        self.lefts: list[float] = []
        x = self.left
        for width in columns:
            x += across
            self.lefts.append(x)
            x += width
        self.wide = x - self.left - across
        if table.style.is_rtl:
            # The first column is the one at the right.
            end = self.left + x + across
            self.lefts = [end - left - width for left, width in zip(self.lefts, columns, strict=True)]
        self.groups: list[Fragment] = []
        # of each row
        self.tops: list[float] = []
        self.heights: list[float] = []

    def lay(self) -> float:
        """Lay out all groups of rows: the height of the table's content."""
        y = self.top + self.along
        for group in self.table.inside:
            part = Fragment(group, self.wide, 0.0, x=self.left + self.across, y=y)
            y = self._group(group, part, y)
            part.height = y - part.y - (self.along if group.inside else 0.0)
            self.groups.append(part)
            if not group.inside:
                y += self.along
        return y - self.top

    def _group(self, group: Box, part: Fragment, y: float) -> float:
        ending: list[list[tuple[_Cell, Fragment]]] = [[] for _ in group.inside]
        for number, row in enumerate(group.inside):
            values = used_values(row, self.values.width or 0.0, self.values.height)
            fragment = Fragment(row, self.wide, 0.0, y=y - part.y)
            cells = [self._cell(cell, fragment, part) for cell in row.inside]
            by_baseline = [cell for cell in cells if _align(cell) == "baseline"]
            highest = max((cell.fragment.baseline for cell in by_baseline), default=0.0)
            for cell in by_baseline:
                self._pad_top(cell, highest - cell.fragment.baseline)
            for cell, box in zip(cells, row.inside, strict=False):
                ending[min(number + box.rowspan, len(ending)) - 1].append((cell, fragment))
            height = 0.0
            if ending[number]:
                bottoms = [own.y + cell.fragment.height - fragment.y for cell, own in ending[number]]
                height = max(0.0, *bottoms)
                if values.height is not None:
                    height = max(values.height, *(cell.fragment.height for cell, _ in ending[number]))
            fragment.height = height
            fragment.baseline = highest if by_baseline else height
            for cell, own in ending[number]:
                self._fill(cell, fragment.y + height - own.y)
            part.inside.append(fragment)
            self.tops.append(y)
            self.heights.append(height)
            for each in cells:
                self._hand_on(each, fragment.x + part.x, y)
            y += height + self.along
        return y

    def _cell(self, box: Box, row: Fragment, group: Fragment) -> _Cell:
        start = len(self.waiting)
        widths = self.columns[box.column : box.column + box.colspan]
        values = used_values(box, self.values.width or 0.0, self.values.height).without_auto_margins()
        values.mt = values.ml = values.mb = values.mr = 0.0
        stated = values.height
        values.height = None
        values.width = sum(widths) + self.across * (len(widths) - 1) - values.across
        values.min_width = 0.0
        fragment: Fragment = self.lay_container(box, values, self.waiting).fragment
        content = fragment.height - values.along
        if stated is not None:
            fragment.height = max(content, stated) + values.along
        spanned = self.lefts[box.column : box.column + box.colspan]
        left = min(spanned, default=self.left)
        fragment.x = left - group.x - row.x
        found = first_baseline(fragment)
        fragment.baseline = fragment.height - values.pb - values.bb if found is None else found
        row.inside.append(fragment)
        return _Cell(fragment, stated, content, (start, len(self.waiting)))

    def _hand_on(self, cell: _Cell, x: float, y: float) -> None:
        for each in self.waiting[slice(*cell.waiting)]:
            each.x, each.y = each.x + x + cell.fragment.x, each.y + y

    def _pad_top(self, cell: _Cell, by: float) -> None:
        """Move what a cell holds down; the cell grows."""
        if not by:
            return
        fragment = cell.fragment
        top, right, bottom, left = fragment.padding
        fragment.padding = (top + by, right, bottom, left)
        fragment.height += by
        self._lower(cell, by)

    def _lower(self, cell: _Cell, by: float) -> None:
        for part in cell.fragment.inside:
            part.y += by
        for each in self.waiting[slice(*cell.waiting)]:
            each.y += by

    def _fill(self, cell: _Cell, height: float) -> None:
        """Make a cell as high as its row; what it holds stands where `vertical-align` says."""
        align, fragment = _align(cell), cell.fragment
        more = height - fragment.height
        if more:
            before = more if align == "bottom" else more / 2 if align == "middle" else 0.0
            self._pad_top(cell, before)
            top, right, bottom, left = fragment.padding
            fragment.padding = (top, right, bottom + more - before, left)
            fragment.height += more - before
        if cell.stated is not None:
            free = cell.stated - cell.content
            shift = free / 2 if align == "middle" else free if align == "bottom" else 0.0
            if shift > 0:
                self._lower(cell, shift)


def _align(cell: _Cell) -> str:
    box = cell.fragment.box
    align = box.style.vertical_align if box is not None else "baseline"
    return align if isinstance(align, str) and align in {"top", "middle", "bottom"} else "baseline"


def first_baseline(fragment: Fragment) -> float | None:
    """Where the first baseline in a cell lies below its top: that of a line, or of a row of a table in it."""
    if fragment.box is None or fragment.box.kind == "row":
        return fragment.baseline
    for part in fragment.inside:
        if part.box is None or not part.box.is_absolute:
            found = first_baseline(part)
            if found is not None:
                return part.y + found
    return None

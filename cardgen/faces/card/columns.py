"""How wide the columns of a table would be: least, most, and in percent (CSS Tables, as the reference engine does it)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import inf

from msgspec import Struct

from cardgen.faces.card.boxes import Box
from cardgen.faces.card.edges import adjusted, edged
from cardgen.faces.card.values import Dim

# The width of a box: (box, with every line break, with edges).
WidthOf = Callable[[Box, bool, bool], float]


class Columns(Struct):
    """The widths of the columns in px, their shares in percent, and whether their width is stated."""

    least: list[float]
    most: list[float]
    percents: list[float]
    is_stated: list[bool]
    # whether a cell begins in the column
    has_cells: list[bool]
    # the room between and around columns
    spacing: float

    def table_most(self) -> float:
        """The width of a table in which no line breaks."""
        free = sum(most for most, percent in zip(self.most, self.percents, strict=True) if not percent)
        left = (100 - sum(self.percents)) / 100
        large = (free / left if left else (sys.maxsize if free else 0)) if self.percents else 0
        small = [most / (percent / 100) for most, percent in zip(self.most, self.percents, strict=True) if percent]
        return self.spacing + max([sum(self.most), large, *small])


def columns_of(table: Box, width_of: WidthOf) -> Columns:
    """The columns of a table."""
    cells = [cell for group in table.inside for row in group.inside for cell in row.inside]
    count = max((cell.column + cell.colspan for cell in cells), default=0)
    separate = table.style.border_collapse == "separate"
    gap = table.style.border_spacing[0] if separate else 0.0
    starts = {cell.column for cell in cells}
    spacing = gap * (1 + len(starts)) if count else 0.0
    columns = Columns(
        [0.0] * count, [0.0] * count, [0.0] * count, [False] * count, [i in starts for i in range(count)], spacing
    )
    spans = []
    for cell in cells:
        if cell.colspan > 1:
            spans.append(cell)
            continue
        at = cell.column
        least = width_of(cell, True, True)
        columns.least[at] = max(columns.least[at], least)
        columns.most[at] = max(columns.most[at], least, width_of(cell, False, True))
        columns.percents[at] = max(columns.percents[at], _percent(cell))
        columns.is_stated[at] = columns.is_stated[at] or isinstance(cell.style.width, float)
    _share_percents(columns, spans)
    for at in range(count):
        columns.percents[at] = min(columns.percents[at], 100 - sum(columns.percents[:at]))
    for cell in spans:
        between = gap * (cell.colspan - 1)
        own = range(cell.column, cell.column + cell.colspan)
        for widths, is_least in ((columns.least, True), (columns.most, False)):
            more = width_of(cell, is_least, True) - sum(widths[at] for at in own) - between
            if more > 0:
                widen(columns, more, widths, own)
    return columns


def _percent(cell: Box) -> float:
    style = cell.style

    def of(value: object, otherwise: float) -> float:
        return value.part * 100 if isinstance(value, Dim) and not value.px else otherwise

    return max(of(style.min_width, 0.0), min(of(style.width, 0.0), of(style.max_width, inf)))


def _share_percents(columns: Columns, spans: list[Box]) -> None:
    """Give columns without a share of their own what is left of those of the cells that span them."""
    for span in sorted({cell.colspan for cell in spans}):
        before = columns.percents[:]
        for cell in spans:
            own = range(cell.column, cell.column + cell.colspan)
            open_columns = [at for at in own if before[at] == 0]
            missing = max(0.0, _percent(cell) - sum(before[at] for at in own))
            if cell.colspan != span or not missing or not open_columns:
                continue
            whole = sum(columns.most[at] for at in open_columns)
            for at in open_columns:
                share = columns.most[at] / whole if whole else 1 / len(open_columns)
                columns.percents[at] = max(columns.percents[at], missing * share)


def widen(columns: Columns, more: float, widths: list[float], own: range | None = None) -> None:
    """Share out room among columns, in place: first those that ask for no width, by how wide they would be."""
    own = range(len(widths)) if own is None else own
    free = [at for at in own if not columns.is_stated[at] and columns.percents[at] == 0]
    stated = [at for at in own if columns.is_stated[at] and columns.percents[at] == 0 and columns.most[at] > 0]
    shared = [at for at in own if columns.percents[at] > 0 and columns.most[at] > 0]
    growing = [at for at in free if columns.most[at] > 0]
    if growing:
        chosen, weights = growing, [columns.most[at] for at in growing]
    elif free:
        chosen, weights = free, [1.0] * len(free)
    elif stated:
        chosen, weights = stated, [columns.most[at] for at in stated]
    elif shared:
        chosen, weights = shared, [columns.percents[at] for at in shared]
    else:
        chosen = [at for at in own if columns.has_cells[at]] or list(own)
        weights = [1.0] * len(chosen)
    whole = sum(weights)
    for at, weight in zip(chosen, weights, strict=True):
        widths[at] += more * weight / whole


def table_width(columns: Columns, table: Box, is_least: bool, outer: bool) -> float:
    """The content width of a table by itself, with its edges if `outer`."""
    own = columns.spacing + sum(columns.least) if is_least else columns.table_most()
    stated = table.style.width if isinstance(table.style.width, float) else own
    width = max(own, adjusted(table, stated, False))
    return edged(table, width) if outer else width

"""One table set in a given width: how wide its columns are and how high its rows. In em of its type."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from cardgen.components.room import lines_of, text_em, word_ems
from cardgen.model.game import Table

Words = tuple[float, ...]

LINE = 1.2  # em, as in the layouts
HEADER = 0.88  # of the text's size, where that is not too small
_PAD_X, _PAD_Y = 0.34, 0.24  # em, on either side of a cell
_SHORT = 4.2  # em, a cell that never breaks


class Measured(Struct, frozen=True):
    """A table with the words of its cells in em, and its columns' widths and rows' heights in em of its type."""

    table: Table
    header: float
    rows: tuple[float, ...]
    widths: tuple[float, ...]
    # columns whose cells never break, and those of numbers, which stand in the middle
    short: tuple[bool, ...]
    numbers: tuple[bool, ...]


def least_em(table: Table) -> float:
    """The width in em below which a word would not fit its column."""
    return sum(_unbroken(column) + 2 * _PAD_X for column in _columns(table))


def _columns(table: Table) -> list[list[Words]]:
    """By column the words of its cells in em, the head first; bold letters take a little more, heads are smaller."""
    heads = [tuple(em * 0.96 for em in word_ems(text)) for text in table.columns] or [()] * len(table.rows[0])
    cells = [[word_ems(cell) for cell in row] for row in table.rows]
    cells = [[tuple(em * 1.07 for em in row[0]), *row[1:]] for row in cells]
    return [[head, *column] for head, column in zip(heads, map(list, zip(*cells, strict=True)), strict=True)]


def measure(table: Table, em: float) -> Measured:
    """The table set `em` wide."""
    columns = _columns(table)
    widths = column_widths(columns, em, 2 * _PAD_X)
    heights = [
        max(lines_of(column[row], width - 2 * _PAD_X) for column, width in zip(columns, widths, strict=True))
        for row in range(len(table.rows) + 1)
    ]
    header = heights[0] * LINE * HEADER + _PAD_Y if table.columns else 0.0
    rows = tuple(lines * LINE + 2 * _PAD_Y for lines in heights[1:])
    short = tuple(_is_short(column) for column in columns)
    numbers = tuple(
        few and all(not cell or cell == "–" or any(c.isdigit() for c in cell) for cell in cells)
        for few, cells in zip(short, zip(*table.rows, strict=True), strict=True)
    )
    return Measured(table, header, rows, tuple(width / em for width in widths), short, numbers)


def _is_short(column: Sequence[Words]) -> bool:
    """Whether no cell below the head is so long that it may break."""
    return max(text_em(words) for words in column[1:]) <= _SHORT


def _unbroken(column: Sequence[Words]) -> float:
    """The width that the column needs at least."""
    least = max(max(words, default=0.0) for words in column)
    return max(least, *(text_em(words) for words in column[1:])) if _is_short(column) else least


def column_widths(columns: Sequence[Sequence[Words]], width: float, pad: float) -> list[float]:
    """Widths of the columns, `width` in all: as wide as their texts if there is room, else so that the rows are low.

    Each column has room for its longest word where that can be. The unit is the words' own.
    """
    least = [_unbroken(column) + pad for column in columns]
    wanted = [max(text_em(words) for words in column) + pad for column in columns]
    spare = width - sum(wanted)
    if spare >= 0:
        return [want + spare / len(columns) for want in wanted]
    free = width - sum(least)
    if free <= 0:
        return [one * width / sum(least) for one in least]
    more = [want - one for want, one in zip(wanted, least, strict=True)]
    widths = [one + free * extra / sum(more) for one, extra in zip(least, more, strict=True)]
    cost = _cost(columns, widths, pad)
    for step in (width / 12, width / 24, width / 48, width / 96):
        better = True
        while better:
            better = False
            for giver in range(len(columns)):
                for taker in range(len(columns)):
                    if giver == taker or widths[giver] - step < least[giver]:
                        continue
                    tried = list(widths)
                    tried[giver] -= step
                    tried[taker] += step
                    if (price := _cost(columns, tried, pad)) < cost - 1e-9:
                        widths, cost, better = tried, price, True
    return widths


def _cost(columns: Sequence[Sequence[Words]], widths: Sequence[float], pad: float) -> float:
    """The lines that the rows take, and a little for how full these are: that tells which way to go."""
    cost = 0.0
    for row in range(len(columns[0])):
        cells = [(column[row], width - pad) for column, width in zip(columns, widths, strict=True)]
        cost += max(lines_of(words, room) for words, room in cells)
        cost += 0.1 * max(text_em(words) / room for words, room in cells)
    return cost

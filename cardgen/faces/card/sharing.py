"""Borders that the cells of a table share (`border-collapse: collapse`): which of them wins, and where it is drawn."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from cardgen.faces.card.boxes import Box
from cardgen.faces.card.display import BorderStyle, Colour
from cardgen.faces.card.fragments import Rule
from cardgen.faces.card.style import CLEAR

_RANK = {"none": 0, "dotted": 1, "dashed": 2, "solid": 3}


class _Edge(Struct, frozen=True):
    """A border: it wins by being wider, then by its style, then by coming first. Inside of a cell there is none."""

    rank: tuple[int, float, int]
    width: float = 0.0
    style: BorderStyle = "none"
    colour: Colour = CLEAR


_WEAK = _Edge((0, 0.0, 0))
_INSIDE = _Edge((1, 0.0, 9))


class Shared(Struct):
    """The borders of a grid: upright ones by row and column line, level ones by row line and column."""

    upright: list[list[_Edge]]
    level: list[list[_Edge]]

    def rules(
        self, lefts: list[float], widths: list[float], tops: list[float], heights: list[float], is_rtl: bool
    ) -> tuple[Rule, ...]:
        """The borders as lines, those that win drawn last. Columns and rows lie at these places."""
        if not lefts or not tops:
            return ()
        if is_rtl:
            turned = Shared([line[::-1] for line in self.upright], [line[::-1] for line in self.level])
            return turned.rules(lefts[::-1], widths[::-1], tops, heights, False)
        x, y = [*lefts, lefts[-1] + widths[-1]], [*tops, tops[-1] + heights[-1]]
        found: list[tuple[tuple[int, float, int], Rule]] = []
        for edge, row, column, is_upright in self._in_order():
            if not edge.width or not edge.colour[3]:
                continue
            if is_upright:
                start = y[row] - self._half(self.level, ((row, column - 1), (row, column)))
                end = y[row + 1] + self._half(self.level, ((row + 1, column - 1), (row + 1, column)))
                rule = Rule(x[column], start, end - start, True, edge.width, edge.style, edge.colour)
            else:
                start = x[column] - self._half(self.upright, ((row - 1, column), (row, column)))
                end = x[column + 1] + self._half(self.upright, ((row - 1, column + 1), (row, column + 1)))
                rule = Rule(start, y[row], end - start, False, edge.width, edge.style, edge.colour)
            found.append((edge.rank, rule))
        found.sort(key=lambda entry: entry[0])
        return tuple(rule for _, rule in found)

    def _in_order(self) -> Iterator[tuple[_Edge, int, int, bool]]:
        for column, edge in enumerate(self.level[0]):
            yield edge, 0, column, False
        for row, line in enumerate(self.upright):
            yield line[0], row, 0, True
            for column in range(len(line) - 1):
                yield line[column + 1], row, column + 1, True
                yield self.level[row + 1][column], row + 1, column, False

    def _half(self, lines: list[list[_Edge]], places: tuple[tuple[int, int], ...]) -> float:
        widths = [
            lines[row][column].width
            for row, column in places
            if 0 <= row < len(lines) and 0 <= column < len(lines[row])
        ]
        return max(widths, default=0.0) / 2


def shared_borders(table: Box) -> Shared | None:
    """Settle the borders of a table's cells, and give each its half of them; None for an empty table."""
    rows = [row for group in table.inside for row in group.inside]
    wide = max((cell.column + cell.colspan for row in rows for cell in row.inside), default=0)
    if not wide:
        table.borders = None
        return None
    shared = Shared([[_WEAK] * (wide + 1) for _ in rows], [[_WEAK] * wide for _ in range(len(rows) + 1)])
    for y, row in enumerate(rows):
        for cell in row.inside:
            for line in range(y, y + cell.rowspan):
                for x in range(cell.column + 1, cell.column + cell.colspan):
                    shared.upright[line][x] = _INSIDE
                if line > y:
                    for x in range(cell.column, cell.column + cell.colspan):
                        shared.level[line][x] = _INSIDE
            _claim(shared, cell, cell.column, y, cell.colspan, cell.rowspan)
    for y, row in enumerate(rows):
        _claim(shared, row, 0, y, wide, 1)
    y = 0
    for group in table.inside:
        _claim(shared, group, 0, y, wide, len(group.inside))
        y += len(group.inside)
    _claim(shared, table, 0, 0, wide, len(rows))
    for y, row in enumerate(rows):
        row.borders = (0.0, 0.0, 0.0, 0.0)
        for cell in row.inside:
            left, right, bottom = cell.column, cell.column + cell.colspan, y + cell.rowspan
            top, end, low, start = (
                max(edge.width for edge in shared.level[y][left:right]) / 2,
                max(shared.upright[line][right].width for line in range(y, bottom)) / 2,
                max(edge.width for edge in shared.level[bottom][left:right]) / 2,
                max(shared.upright[line][left].width for line in range(y, bottom)) / 2,
            )
            cell.borders = (top, start, low, end) if table.style.is_rtl else (top, end, low, start)
    for group in table.inside:
        group.borders = (0.0, 0.0, 0.0, 0.0)
    top, end, low, start = (
        max(edge.width for edge in shared.level[0]) / 2,
        shared.upright[0][wide].width / 2,
        max(edge.width for edge in shared.level[-1]) / 2,
        shared.upright[0][0].width / 2,
    )
    table.borders = (top, start, low, end) if table.style.is_rtl else (top, end, low, start)
    return shared


def _claim(shared: Shared, box: Box, x: int, y: int, wide: int, high: int) -> None:
    """Let the borders of a box around a part of the grid win where nothing stronger is."""
    style = box.style
    top, right, bottom, left = (
        _Edge((0, width, _RANK[how]), width, how, colour)
        for width, how, colour in (
            (style.border_top_width, style.border_top_style, style.border_top_color),
            (style.border_right_width, style.border_right_style, style.border_right_color),
            (style.border_bottom_width, style.border_bottom_style, style.border_bottom_color),
            (style.border_left_width, style.border_left_style, style.border_left_color),
        )
    )
    for row in range(y, y + high):
        for column, edge in ((x, right if style.is_rtl else left), (x + wide, left if style.is_rtl else right)):
            if shared.upright[row][column].rank < edge.rank:
                shared.upright[row][column] = edge
    for column in range(x, x + wide):
        for line, edge in ((y, top), (y + high, bottom)):
            if shared.level[line][column].rank < edge.rank:
                shared.level[line][column] = edge

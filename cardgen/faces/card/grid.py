"""The boxes of a table: what is missing between table, groups, rows and cells, and where each cell is in the grid."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cardgen.faces.card.boxes import Box, Kind, Source, arranged
from cardgen.faces.card.cascade import Node
from cardgen.faces.card.sharing import shared_borders
from cardgen.faces.card.style import Style


def as_table(kind: Kind, style: Style, source: Source, inside: list[Box], node: Node) -> Box:
    """A table, a group of rows or a row, with the boxes in it that CSS asks for. Cells of a table know their column."""
    inside = [box for box in inside if box.kind != "text" or box.text.strip()]

    def cell(boxes: list[Box]) -> Box:
        held, has_lines = arranged(boxes, node.nameless("block"), source)
        return Box("cell", node.nameless("table-cell"), source, held, has_lines)

    def row(boxes: list[Box]) -> Box:
        return Box("row", node.nameless("table-row"), source, tuple(_wrapped(boxes, {"cell"}, cell)))

    def group(boxes: list[Box]) -> Box:
        return Box("group", node.nameless("table-row-group"), source, tuple(boxes))

    if kind == "row":
        return Box(kind, style, source, tuple(_wrapped(inside, {"cell"}, cell)))
    rows = list(_wrapped(inside, {"row", "group"} if kind == "table" else {"row"}, row))
    if kind == "group":
        return Box(kind, style, source, tuple(rows))
    groups = list(_wrapped(rows, {"group"}, group))
    header = next((box for box in groups if box.style.display == "table-header-group"), None)
    if header is not None:
        header.is_header = True
        groups = [header, *(box for box in groups if box is not header)]
    for each in groups:
        _place(each)
    table = Box(kind, style, source, tuple(groups))
    if style.border_collapse == "collapse":
        table.shared = shared_borders(table)
    return table


def _wrapped(boxes: Iterable[Box], kinds: set[str], wrap: Callable[[list[Box]], Box]) -> list[Box]:
    """The boxes, with those that are of no such kind put into boxes that are."""
    found: list[Box] = []
    others: list[Box] = []
    for box in boxes:
        if box.kind in kinds:
            if others:
                found.append(wrap(others))
                others = []
            found.append(box)
        else:
            others.append(box)
    if others:
        found.append(wrap(others))
    return found


def _place(group: Box) -> None:
    """Give the cells of a group their columns; a cell that spans rows takes room in those below."""
    taken: list[set[int]] = [set() for _ in group.inside]
    for number, row in enumerate(group.inside):
        column = 0
        for cell in row.inside:
            while column in taken[number]:
                column += 1
            cell.column = column
            below = len(group.inside) - number
            cell.rowspan = below if cell.rowspan == 0 else min(cell.rowspan, below)
            for other in range(number + 1, number + cell.rowspan):
                taken[other].update(range(column, column + cell.colspan))
            column += cell.colspan

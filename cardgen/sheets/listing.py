"""A short list on a sheet, where nothing else lies: in the empty slots of a grid, beside what is packed. Millimetres."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from msgspec.structs import replace

from cardgen.geometry import Box, Size, bounds
from cardgen.model.drawing import Drawing, Path, Text
from cardgen.model.sheet import PAPERS, Imposition, Sheet
from cardgen.sheets.pack import packed_area
from cardgen.units import pt_to_mm

SIZE, HEADING_SIZE, LEADING = 8.0, 9.0, 1.35
# A list stays so far away from what is cut.
AWAY = 5.0
CELL = 2.0
# Narrower or lower than this it would be no list.
LEAST = Size(40.0, 16.0)
_WIDEST = 75.0


def with_list(imposition: Imposition, heading: str, lines: Sequence[str], more: str = "+ {count}") -> Imposition:
    """The imposition with a list on its last front sheet; unchanged where that has no room left.

    Lines that find no room are counted in the last one, which is `more` with their number.
    """
    last, box = _place(imposition)
    if last is None or box is None or not lines:
        return imposition
    drawn = Drawing(last.drawing.under, (*last.drawing.over, *_drawn(box, heading, lines, more)))
    sheets = tuple(replace(sheet, drawing=drawn) if sheet is last else sheet for sheet in imposition.sheets)
    return replace(imposition, sheets=sheets)


def holds_list(imposition: Imposition, count: int) -> bool:
    """Whether `with_list` would find room for so many lines."""
    _, box = _place(imposition)
    return box is not None and count <= _rows(box)


def _place(imposition: Imposition) -> tuple[Sheet | None, Box | None]:
    """The last front sheet and the largest free place on it."""
    last = next((sheet for sheet in reversed(imposition.sheets) if sheet.side == "front"), None)
    return last, _free(imposition, last) if last is not None else None


def _rows(box: Box) -> int:
    return int((box.bottom - _rule(box)) / (pt_to_mm(SIZE) * LEADING))


def _rule(box: Box) -> float:
    """Where the line below the heading stands."""
    return box.y + pt_to_mm(HEADING_SIZE) + 1.2


def _free(imposition: Imposition, sheet: Sheet) -> Box | None:
    """The largest place inside of a sheet's area where neither pieces nor marks stand."""
    if imposition.template.paper is None:
        return None
    grid = imposition.grid
    paper = PAPERS[imposition.template.paper].size
    area = grid.block if grid is not None else packed_area(imposition.template, paper).pieces
    taken = [placed.trim.grown(AWAY) for placed in sheet.placements] + [laid.box.grown(AWAY) for laid in sheet.laid]
    for item in sheet.drawing.over:
        if isinstance(item, Path):
            taken += [bounds(line).grown(1.0) for line in item.lines]
    return largest_free(area, taken)


def largest_free(area: Box, taken: Sequence[Box]) -> Box | None:
    """The largest box of at least LEAST inside `area` that is clear of all `taken`, to the cell of a raster of 2 mm."""
    columns, rows = int(area.width / CELL), int(area.height / CELL)
    heights, best = [0] * columns, (0, Box(0.0, 0.0, 0.0, 0.0))
    for row in range(rows):
        blocked = [False] * columns
        top = area.y + row * CELL
        for box in taken:
            if box.y < top + CELL and box.bottom > top:
                first = min(columns, max(0, int((box.x - area.x) // CELL)))
                last = max(first, min(columns, ceil((box.right - area.x) / CELL)))
                blocked[first:last] = [True] * (last - first)
        heights = [0 if wall else height + 1 for height, wall in zip(heights, blocked, strict=True)]
        # The largest box that ends in this row: bars that rise wait until one lower than they are ends them.
        waiting: list[tuple[int, int]] = []
        for column, height in enumerate([*heights, 0]):
            start = column
            while waiting and waiting[-1][1] >= height:
                start, high = waiting.pop()
                box = Box(area.x + start * CELL, top + CELL - high * CELL, (column - start) * CELL, high * CELL)
                if box.width >= LEAST.width and box.height >= LEAST.height and (column - start) * high > best[0]:
                    best = ((column - start) * high, box)
            waiting.append((start, height))
    return best[1] if best[0] else None


def _drawn(box: Box, heading: str, lines: Sequence[str], more: str) -> list[Path | Text]:
    width, step = min(box.width, _WIDEST), pt_to_mm(SIZE) * LEADING
    baseline = box.y + pt_to_mm(HEADING_SIZE)
    rule, rows = _rule(box), _rows(box)
    shown = list(lines)
    if len(lines) > rows:
        # Not str.format: a translation's stray brace must not stop a build.
        shown = [*lines[: rows - 1], more.replace("{count}", str(len(lines) - rows + 1))]
    return [
        Text(box.x, baseline, heading, HEADING_SIZE, room=width),
        Path((((box.x, rule), (box.x + width, rule)),), width=0.2),
        *(Text(box.x, rule + (row + 1) * step, line, SIZE, room=width) for row, line in enumerate(shown)),
    ]

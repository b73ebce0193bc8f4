"""A short list on a sheet, where nothing else lies: in an empty slot of a grid, beside what is packed. Millimetres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cardgen.geometry import Box, Size
from cardgen.model.drawing import Drawing, Path, Text
from cardgen.model.sheet import PAPERS, Imposition, Sheet
from cardgen.sheets.pack import packed_area
from cardgen.units import pt_to_mm

SIZE, HEADING_SIZE, LEADING = 8.0, 9.0, 1.35
# A list stays so far away from slots, from what is cut, and from marks.
AWAY = 5.0
# Narrower or lower than this it would be no list.
LEAST = Size(40.0, 16.0)
_WIDEST = 75.0


def with_list(imposition: Imposition, heading: str, lines: Sequence[str]) -> Imposition:
    """The imposition with a list on its last front sheet; unchanged where that has no room left.

    Lines that find no room are counted in the last one (`+ 3`).
    """
    last = next((sheet for sheet in reversed(imposition.sheets) if sheet.side == "front"), None)
    if last is None or not lines:
        return imposition
    box = _free(imposition, last)
    if box is None:
        return imposition
    drawn = Drawing(last.drawing.under, (*last.drawing.over, *_drawn(box, heading, lines)))
    sheets = tuple(replace(sheet, drawing=drawn) if sheet is last else sheet for sheet in imposition.sheets)
    return replace(imposition, sheets=sheets)


def _free(imposition: Imposition, sheet: Sheet) -> Box | None:
    """A place on a sheet where neither pieces nor marks stand."""
    if imposition.template.paper is None:
        return None
    grid = imposition.grid
    if grid is not None:
        empty = [slot for slot in grid.slots if not any(slot.overlaps(placed.trim) for placed in sheet.placements)]
        return _usable(empty[0].grown(-AWAY)) if empty else None
    area = packed_area(imposition.template, PAPERS[imposition.template.paper].size).pieces
    boxes = [laid.box for laid in sheet.laid] or [placed.clip for placed in sheet.placements]
    left, top = min(box.x for box in boxes) - AWAY, min(box.y for box in boxes) - AWAY
    right, bottom = max(box.right for box in boxes) + AWAY, max(box.bottom for box in boxes) + AWAY
    around = [
        Box(area.x, bottom, area.width, area.bottom - bottom),
        Box(right, area.y, area.right - right, area.height),
        Box(area.x, area.y, area.width, top - area.y),
        Box(area.x, area.y, left - area.x, area.height),
    ]
    usable = [box for box in around if _usable(box)]
    return max(usable, key=lambda box: box.width * box.height, default=None)


def _usable(box: Box) -> Box | None:
    return box if box.width >= LEAST.width and box.height >= LEAST.height else None


def _drawn(box: Box, heading: str, lines: Sequence[str]) -> list[Path | Text]:
    width, step = min(box.width, _WIDEST), pt_to_mm(SIZE) * LEADING
    baseline = box.y + pt_to_mm(HEADING_SIZE)
    rule = baseline + 1.2
    rows = int((box.bottom - rule) / step)
    shown = list(lines) if len(lines) <= rows else [*lines[: rows - 1], f"+ {len(lines) - rows + 1}"]
    return [
        Text(box.x, baseline, heading, HEADING_SIZE, room=width),
        Path((((box.x, rule), (box.x + width, rule)),), width=0.2),
        *(Text(box.x, rule + (row + 1) * step, line, SIZE, room=width) for row, line in enumerate(shown)),
    ]

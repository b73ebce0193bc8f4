"""The QR code on a sheet: where to tell of a mistake, and about what. Millimetres.

It stands in the margin, beside the labels; where that is too narrow, among the pieces, where the sheet is waste.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from cardgen.geometry import Box, Matrix, Point, bounds
from cardgen.model.drawing import Path, Text
from cardgen.model.sheet import SheetNote
from cardgen.sheets.labels import Labelled
from cardgen.sheets.margins import CLEARANCE, Place

# A telephone reads modules from 0.25 mm up at reading distance; larger ones only look loud.
SIZES = (0.35, 0.3, 0.25)
# ISO/IEC 18004, 6.3.8: the quiet zone is four modules wide. A place keeps its clearance from art and marks already.
QUIET = 4


NO_ROOM = SheetNote("code", "no room for the QR code of `report_url`")


def with_code(margin: Labelled, address: str, art: Box | None = None, taken: Sequence[Box] = ()) -> Labelled:
    """The margin with a code in what the labels left of it, else in `art`, clear of all that is `taken` there.

    Where there is no room at all, that is told.
    """
    if not address:
        return margin
    rows = modules(address)
    for size in SIZES:
        quiet = max(0.0, QUIET * size - CLEARANCE)
        side = len(rows) * size + 2 * quiet
        for index, place in enumerate(margin.places):
            if place.thickness >= side and place.length >= side:
                places = list(margin.places)
                places[index] = place.after(side + CLEARANCE)
                return replace(margin, items=(*margin.items, _drawn(rows, size, quiet, place)), places=tuple(places))
    for size in SIZES if art is not None else ():
        quiet = max(QUIET * size, CLEARANCE)
        side = len(rows) * size + 2 * quiet
        corner = free_square(art, taken, side) if art is not None else None
        if corner is not None:
            place = Place(side, side, Matrix(e=corner[0], f=corner[1]), 0)
            return replace(margin, items=(*margin.items, _drawn(rows, size, quiet, place)))
    return replace(margin, notes=(*margin.notes, NO_ROOM))


def standing(items: Iterable[Path | Text], boxes: Iterable[Box]) -> list[Box]:
    """What a code must keep clear of among the pieces: their boxes, and each line that is drawn."""
    lines = [bounds(line) for item in items if isinstance(item, Path) for line in item.lines]
    return [*boxes, *(line.grown(CLEARANCE / 2) for line in lines)]


def free_square(area: Box, taken: Sequence[Box], side: float) -> Point | None:
    """The top left corner of a square in `area` that is clear of all `taken`: the lowest, then the rightmost.

    A free square can be pushed down and right until it meets something, so that only such places are looked at.
    """
    inside = [box for box in taken if box.overlaps(area)]
    lows = sorted({area.bottom - side, *(box.y - side for box in inside)}, reverse=True)
    for top in lows:
        if not area.y <= top <= area.bottom - side:
            continue
        row = Box(area.x, top, area.width, side)
        for left in _lefts(area, [box for box in inside if box.overlaps(row)], side):
            return left, top
    return None


def _lefts(area: Box, taken: Sequence[Box], side: float) -> Iterator[float]:
    """Where squares may begin in a row, pushed to the right."""
    end = area.right
    for box in sorted(taken, key=lambda box: -box.right):
        if end - box.right >= side:
            yield end - side
        end = min(end, box.x)
    if end - area.x >= side:
        yield end - side


def _drawn(rows: tuple[tuple[bool, ...], ...], size: float, left: float, place: Place) -> Path:
    """The dark modules, those beside each other in a row as one rectangle, in the middle of the place's thickness."""
    top = (place.thickness - len(rows) * size) / 2
    lines = []
    for y, row in enumerate(rows):
        start = None
        for x, dark in enumerate((*row, False)):
            if dark and start is None:
                start = x
            elif not dark and start is not None:
                x0, x1 = left + start * size, left + x * size
                y0, y1 = top + y * size, top + (y + 1) * size
                lines.append(((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
                start = None
    return place.path(Path(tuple(lines), stroke=None, fill=(0.0, 0.0, 0.0), closed=True))


@lru_cache(maxsize=256)
def modules(address: str) -> tuple[tuple[bool, ...], ...]:
    """The dark modules of an address's code, row by row."""
    import segno

    code = segno.make(address, error="l", micro=False, encoding="utf-8" if not address.isascii() else None)
    return tuple(tuple(bool(module) for module in row) for row in code.matrix)

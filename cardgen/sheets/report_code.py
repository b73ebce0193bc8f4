"""The QR code in a sheet's margin: where to tell of a mistake, and about what. Millimetres."""

from __future__ import annotations

from functools import lru_cache

from cardgen.model.drawing import Path
from cardgen.sheets.labels import Labelled
from cardgen.sheets.margins import CLEARANCE, Place

# A telephone reads modules from 0.25 mm up at reading distance; larger ones only look loud.
SIZES = (0.35, 0.3, 0.25)
# ISO/IEC 18004, 6.3.8: the quiet zone is four modules wide. A place keeps its clearance from art and marks already.
QUIET = 4


def with_code(margin: Labelled, address: str) -> Labelled:
    """The margin with a code in what the labels left of it, if there is room: the address stands in words as well."""
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
                return Labelled((*margin.items, _drawn(rows, size, quiet, place)), margin.notes, tuple(places))
    return margin


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

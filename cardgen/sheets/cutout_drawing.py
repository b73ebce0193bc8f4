"""What a sheet shows of its cutouts besides their faces: outlines, folds, glue, notes. Millimetres.

A solid line is cut. A mountain fold (the print outside of the edge) is dashed, a valley fold dash-dotted. Where glue
goes is hatched: lines show on any printer, in grey as in colour, and take little ink.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from cardgen.geometry import Matrix, Point, Polygon, moved, rotation
from cardgen.model.cutout import Cutout
from cardgen.model.drawing import BLACK, Colour, Drawing, Path, Text
from cardgen.sheets.marks import LIGHT_GREY

LINE_WIDTH = 0.15
HALO_WIDTH = 0.5
WHITE: Colour = (1.0, 1.0, 1.0)
HATCH_WIDTH = 0.12
HATCH_STEP = 1.2
HATCH_GREY: Colour = (0.55, 0.55, 0.55)
# Dashes and gaps in mm; a dash-dotted line tells itself from a dashed one at arm's length.
MOUNTAIN = (2.0, 1.0)
VALLEY = (3.0, 0.9, 0.6, 0.9)


def draw_cutouts(laid: Iterable[tuple[Cutout, Matrix, int]]) -> Drawing:
    """The lines and notes of cutouts on a sheet: each with the matrix from its mm to the sheet's and its quarter turns.

    Lines of one kind are one path, however many cutouts there are. All of it lies over the faces: the strips of a map
    that are glued are printed, too.
    """
    outlines: list[Polygon] = []
    slits: list[Polygon] = []
    mountain: list[Polygon] = []
    valley: list[Polygon] = []
    glue: list[Polygon] = []
    notes: list[Text] = []
    for cutout, matrix, turns in laid:
        outlines += [moved(cut, matrix) for cut in cutout.cuts]
        slits += [moved(slit, matrix) for slit in cutout.slits]
        for fold in cutout.folds:
            (mountain if fold.kind == "mountain" else valley).append(moved(fold.line, matrix))
        for area in cutout.glue:
            glue += hatch(moved(area.area, matrix))
        for note in cutout.notes:
            x, y = matrix.apply(note.x, note.y)
            notes.append(Text(x, y, note.text, note.size, "middle", turns=turns, room=note.room))
    over: list[Path | Text] = []
    if glue:
        over.append(Path(tuple(glue), HATCH_GREY, width=HATCH_WIDTH))
    if mountain or valley:
        # Light grey below the dashes: a fold shows on dark faces too.
        over.append(Path((*mountain, *valley), LIGHT_GREY, width=LINE_WIDTH))
    over += [
        Path(tuple(lines), BLACK, width=LINE_WIDTH, dash=dash)
        for lines, dash in ((mountain, MOUNTAIN), (valley, VALLEY))
        if lines
    ]
    for lines, closed in ((outlines, True), (slits, False)):
        if lines:
            # White on either side of the black: a cut shows on the darkest of faces.
            over.append(Path(tuple(lines), WHITE, width=HALO_WIDTH, closed=closed))
            over.append(Path(tuple(lines), width=LINE_WIDTH, closed=closed))
    return Drawing(over=(*over, *notes))


def hatch(polygon: Polygon, step: float = HATCH_STEP) -> list[Polygon]:
    """Parallel lines at 45 degrees, `step` mm apart, inside of a polygon."""
    level, back = rotation(45.0), rotation(-45.0)
    turned = moved(polygon, level)
    low, high = min(y for _, y in turned), max(y for _, y in turned)
    first = math.floor(low / step) + 1
    lines: list[Polygon] = []
    # Half a millionth off: a line through a corner would meet it twice or not at all.
    for y in (step * count + 5e-7 for count in range(first, math.ceil(high / step))):
        crossings = sorted(_crossings(turned, y))
        lines += [
            (back.apply(start, y), back.apply(end, y))
            for start, end in zip(crossings[::2], crossings[1::2], strict=False)
        ]
    return lines


def _crossings(polygon: Sequence[Point], y: float) -> Iterator[float]:
    for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (y0 < y) != (y1 < y):
            yield x0 + (y - y0) / (y1 - y0) * (x1 - x0)

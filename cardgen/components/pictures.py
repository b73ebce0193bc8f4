"""Small pictures of cutouts for the assembly page: the same lines that the sheet shows, made smaller. Millimetres.

Pictures are values, the `d` of SVG paths among them; the layout gives them colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cardgen.geometry import Box, Matrix, Point, Polygon, Size, bounds, box_points, moved
from cardgen.model.cutout import Cutout

# How many decimals a point has: a thousandth of a millimetre is finer than any printer.
_DECIMALS = 3


def path(polygon: Polygon, closed: bool = True) -> str:
    """The `d` of an SVG path through the points of a polygon."""
    steps = " L".join(f"{_number(x)} {_number(y)}" for x, y in polygon)
    return f"M{steps}{' Z' if closed else ''}" if polygon else ""


def paths(polygons: Iterable[Polygon], closed: bool = True) -> str:
    """The `d` of one SVG path through all polygons."""
    return " ".join(path(polygon, closed) for polygon in polygons)


def _number(value: float) -> str:
    return f"{round(value, _DECIMALS):g}" if abs(value) > 10**-_DECIMALS else "0"


def extent(cutout: Cutout) -> Box:
    """The box around all that the sheet draws of a cutout but its notes, in the cutout's mm."""
    return bounds(box_points(Box(0.0, 0.0, cutout.size.width, cutout.size.height)), *cutout.cuts)


def picture(cutout: Cutout, scale: float) -> dict[str, Any]:
    """A cutout as it lies flat, `scale` times as large: its size in mm and the paths of what is cut, folded and glued.

    `faces` are what is printed, `straight` the box of a piece that is cut along marks, `numbers` stand at (x, y) their
    middles: those beside the tabs where the cutout has them, else those of the tabs.
    """
    box = extent(cutout)
    matrix = Matrix(scale, 0.0, 0.0, scale, -box.x * scale, -box.y * scale)
    own = box_points(Box(0.0, 0.0, cutout.size.width, cutout.size.height))
    return {
        "width": round(box.width * scale, 2),
        "height": round(box.height * scale, 2),
        "faces": [path(moved(face, matrix)) for face in faces(cutout)],
        "straight": path(moved(own, matrix)) if cutout.straight else "",
        "cuts": paths(moved(cut, matrix) for cut in cutout.cuts),
        "slits": paths((moved(slit, matrix) for slit in cutout.slits), False),
        "mountain": paths((moved(fold.line, matrix) for fold in cutout.folds if fold.kind == "mountain"), False),
        "valley": paths((moved(fold.line, matrix) for fold in cutout.folds if fold.kind == "valley"), False),
        "glue": paths(moved(glue.area, matrix) for glue in cutout.glue),
        "numbers": _numbers(cutout, matrix),
    }


def faces(cutout: Cutout) -> list[Polygon]:
    """The outlines of what is printed in front, without bleed, in the cutout's mm."""
    found = []
    for panel in cutout.panels:
        if panel.side == "front":
            size = panel.trim.size
            shape = panel.shape or box_points(Box(0.0, 0.0, size.width, size.height))
            found.append(moved(shape, panel.matrix))
    return found


def _numbers(cutout: Cutout, matrix: Matrix) -> list[Mapping[str, object]]:
    notes = [note for note in cutout.notes if note.text.isdigit()]
    if notes:
        # A note stands on its baseline: its middle is a third of an em higher.
        places = [(note.text, (note.x, note.y - note.size * 25.4 / 72 / 3)) for note in notes]
    else:
        places = [(glue.name, _middle(glue.area)) for glue in cutout.glue if glue.name]
    named = [(text, matrix.apply(*place)) for text, place in places]
    return [{"text": text, "x": round(x, 2), "y": round(y, 2)} for text, (x, y) in named]


def _middle(polygon: Polygon) -> Point:
    return sum(x for x, _ in polygon) / len(polygon), sum(y for _, y in polygon) / len(polygon)


def fitting(sizes: Iterable[Size], room: Size, gap: float) -> float:
    """The largest scale, 1 at most, at which sizes beside each other, `gap` mm apart, fit a room."""
    sizes = list(sizes)
    free = room.width - gap * (len(sizes) - 1)
    return min(1.0, free / sum(size.width for size in sizes), room.height / max(size.height for size in sizes))

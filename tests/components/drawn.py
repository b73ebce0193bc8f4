"""What is drawn on the pages of a PDF, as boxes in mm: read from the content, not from a picture of it."""

from __future__ import annotations

from pathlib import Path

import pikepdf

from cardgen.geometry import Box, Matrix, bounds

MM = 25.4 / 72
_CLOSED_BY = {"f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "n"}
_POINTS = {"m": (0,), "l": (0,), "c": (0, 2, 4), "v": (0, 2), "y": (0, 2)}


def boxes_of(pdf: Path, page: int = 0) -> list[Box]:
    """The box around every path that a page paints, in mm from its top left corner. Of curves the ends count, not what
    pulls them: a circle drawn as four quarters has its true box.
    """
    with pikepdf.open(pdf) as document:
        shown = document.pages[page]
        height = float(shown.mediabox[3]) * MM
        found: list[Box] = []
        _walk(shown, shown.resources, Matrix(MM, 0, 0, -MM, 0, height), found)
        return found


def _walk(content: pikepdf.Object | pikepdf.Page, resources: pikepdf.Object, to_mm: Matrix, found: list[Box]) -> None:
    stack: list[Matrix] = []
    points: list[tuple[float, float]] = []
    for operands, operator in pikepdf.parse_content_stream(content):
        sign = str(operator)
        if sign == "q":
            stack.append(to_mm)
        elif sign == "Q":
            to_mm = stack.pop()
        elif sign == "cm":
            to_mm = Matrix(*(float(value) for value in operands)).then(to_mm)
        elif sign == "re":
            x, y, width, height = (float(value) for value in operands)
            points += [to_mm.apply(x, y), to_mm.apply(x + width, y + height)]
        elif sign in _POINTS:
            values = [float(value) for value in operands]
            # Of the three points of a curve the last is on it.
            at = _POINTS[sign][-1]
            points.append(to_mm.apply(values[at], values[at + 1]))
        elif sign in _CLOSED_BY:
            if points and sign != "n":
                found.append(bounds(tuple(points)))
            points = []
        elif sign == "Do":
            form = resources.XObject[str(operands[0])]
            if form.Subtype == "/Form":
                own = Matrix(*(float(value) for value in form.get("/Matrix", [1, 0, 0, 1, 0, 0])))
                _walk(form, form.get("/Resources", resources), own.then(to_mm), found)

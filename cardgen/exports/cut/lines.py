"""The lines of a sheet that a machine cuts and folds, from the same values that the sheet is drawn from. Millimetres."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct

from cardgen.exports.cut.shared import Layer, Line, cut_once
from cardgen.geometry import EPSILON_MM, Box, Point, Polygon, Size
from cardgen.model.sheet import Imposition, Sheet
from cardgen.sheets.registration import registration_marks

LAYERS: tuple[Layer, ...] = ("cut", "slit", "fold", "registration")
# The bulge of a quarter circle: the tangent of a quarter of its angle, as DXF has it.
QUARTER = math.tan(math.pi / 8)


class Guide(Struct, frozen=True):
    """All lines of one sheet, by piece; `sheet` is the sheet's name and number."""

    sheet: str
    number: int
    paper: Size
    lines: tuple[Line, ...]


def guides(imposition: Imposition, name: str, corner: float) -> Iterator[Guide]:
    """The guides of all front sheets; `corner` is the radius of the corners of a grid's pieces in mm."""
    for sheet in imposition.sheets:
        if sheet.side == "front":
            marks = [
                Line("registration", "registration mark", points, (0.0,) * len(points), path.closed)
                for path in registration_marks(imposition.template, sheet.paper)
                for points in path.lines
            ]
            lines = (*cut_once(_lines(sheet, corner)), *marks)
            yield Guide(f"{name} {sheet.number}", sheet.number, sheet.paper, lines)


def _lines(sheet: Sheet, corner: float) -> Iterator[Line]:
    if not sheet.laid:
        for placement in sheet.placements:
            yield rounded("cut", placement.label, placement.trim, corner)
    for piece in sheet.laid:
        if piece.straight:
            yield rounded("cut", piece.title, piece.box, piece.corner)
        yield from (_polygon("cut", piece.title, outline, True) for outline in piece.outlines)
        yield from (_polygon("slit", piece.title, slit, False) for slit in piece.slits)
        yield from (_polygon("fold", piece.title, fold, False) for fold in piece.folds)


def _polygon(layer: Layer, name: str, points: Polygon, closed: bool) -> Line:
    return Line(layer, name, points, (0.0,) * len(points), closed)


def rounded(layer: Layer, name: str, box: Box, radius: float) -> Line:
    """A box whose corners are rounded with `radius` mm, as far as its sides allow; from its top left corner clockwise."""
    r = min(radius, box.width / 2, box.height / 2)
    if r <= EPSILON_MM:
        corners = ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))
        return Line(layer, name, corners, (0.0,) * 4, True)
    points: list[Point] = [
        (box.x + r, box.y),
        (box.right - r, box.y),
        (box.right, box.y + r),
        (box.right, box.bottom - r),
        (box.right - r, box.bottom),
        (box.x + r, box.bottom),
        (box.x, box.bottom - r),
        (box.x, box.y + r),
    ]
    return Line(layer, name, tuple(points), (0.0, QUARTER) * 4, True)

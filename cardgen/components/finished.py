"""Small pictures of finished pieces: dice, folded scenery and pawns, seen from above at an angle. Millimetres.

Space is right-handed: x to the right, y away, z upwards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from cardgen.components.pictures import faces, path
from cardgen.components.prism import Profile
from cardgen.components.scenery import folded_profile
from cardgen.components.solids import Vector, dot, solid
from cardgen.geometry import Matrix, Point, Polygon, Size, bounds, moved
from cardgen.model.component import Component, Net, Pawns, Scenery
from cardgen.model.cutout import Cutout

# The eye stands to the right of the front and above it, by these angles.
_AROUND, _ABOVE = math.radians(32), math.radians(26)
_EYE: Vector = (
    math.sin(_AROUND) * math.cos(_ABOVE),
    -math.cos(_AROUND) * math.cos(_ABOVE),
    math.sin(_ABOVE),
)
_RIGHT: Vector = (math.cos(_AROUND), math.sin(_AROUND), 0.0)
_UP: Vector = (-math.sin(_AROUND) * math.sin(_ABOVE), math.cos(_AROUND) * math.sin(_ABOVE), math.cos(_ABOVE))
# Where the light comes from: above, in front, a little from the left.
_LIGHT: Vector = (-0.35, -0.45, 0.82)


class _Face(Struct, frozen=True):
    """A flat face in space, its corners counter-clockwise as they are seen from outside; `open` ones have two sides."""

    corners: tuple[Vector, ...]
    open: bool = False


def finished(component: Component, cutouts: Sequence[Cutout], room: Size) -> dict[str, Any] | None:
    """The piece that the first of its cutouts becomes, on the base that another may be, as large as the room allows: its size in mm and its visible faces from back to
    front, each with the `light` on it from 0 to 1. None for pieces that stay flat."""
    options = component.options
    if isinstance(options, Net):
        form = solid(options.solid)
        space = [_Face(tuple(form.points(face))) for face in range(len(form.faces))]
    elif isinstance(options, Scenery) and cutouts[0].folds:
        space = _drawn_out(*folded_profile(options))
    elif isinstance(options, Pawns):
        base = next((cutout.cuts[0] for cutout in cutouts[1:] if cutout.cuts and not cutout.folds), ())
        space = _standing(cutouts[0], base)
    else:
        return None
    return _projected(space, room)


def _drawn_out(profile: Profile, depth: float) -> list[_Face]:
    high = max(y for _, y in profile.points)

    def at(point: Point, away: float) -> Vector:
        return point[0], away, high - point[1]

    sides = [
        _Face((at(start, 0.0), at(end, 0.0), at(end, depth), at(start, depth)), True) for start, end in profile.edges
    ]
    near = tuple(at(point, 0.0) for point in reversed(profile.points))
    return [*sides, _Face(near)]


def _standing(cutout: Cutout, base: Polygon) -> list[_Face]:
    """A pawn's front, upright on the middle of its base."""
    front = faces(cutout)[0]
    # Which way up the front lies on the strip is told by its matrix.
    upright = cutout.panels[0].matrix.d >= 0
    box = bounds(front)
    half = box.width / 2

    def at(x: float, y: float) -> Vector:
        return (x - box.x - half, 0.0, box.bottom - y) if upright else (box.right - x - half, 0.0, y - box.y)

    plate = _Face(tuple(at(x, y) for x, y in front), True)
    if not base:
        return [plate]
    ground = bounds(base)
    middle = ground.x + ground.width / 2, ground.y + ground.height / 2
    return [_Face(tuple((x - middle[0], middle[1] - y, 0.0) for x, y in base), True), plate]


def _projected(space: Sequence[_Face], room: Size) -> dict[str, Any]:
    visible = [face for face in space if face.open or dot(_normal(face), _EYE) > 1e-9]
    # What is nearer to the eye is painted over what is farther away.
    visible.sort(key=_nearness)
    flat = [tuple((dot(corner, _RIGHT), -dot(corner, _UP)) for corner in face.corners) for face in visible]
    box = bounds(*flat)
    scale = min(room.width / box.width, room.height / box.height)
    matrix = Matrix(scale, 0.0, 0.0, scale, -box.x * scale, -box.y * scale)
    return {
        "width": round(box.width * scale, 2),
        "height": round(box.height * scale, 2),
        "faces": [
            {"path": path(moved(polygon, matrix)), "light": round(_lit(face), 3)}
            for polygon, face in zip(flat, visible, strict=True)
        ],
    }


def _nearness(face: _Face) -> float:
    return sum(dot(corner, _EYE) for corner in face.corners) / len(face.corners)


def _normal(face: _Face) -> Vector:
    """The direction that a face looks in, of length 1; by all corners, so that the first three may be in line."""
    x = y = z = 0.0
    for (x0, y0, z0), (x1, y1, z1) in zip(face.corners, (*face.corners[1:], face.corners[0]), strict=True):
        x += (y0 - y1) * (z0 + z1)
        y += (z0 - z1) * (x0 + x1)
        z += (x0 - x1) * (y0 + y1)
    length = math.hypot(x, y, z)
    return x / length, y / length, z / length


def _lit(face: _Face) -> float:
    normal = _normal(face)
    if face.open and dot(normal, _EYE) < 0:
        normal = (-normal[0], -normal[1], -normal[2])
    return max(0.0, dot(normal, _LIGHT))

"""The solids of dice: corners by formula, faces as their convex hull, numbers by rule. Nothing is typed in.

Space is right-handed; the corners of a face run counter-clockwise as they are seen from outside.
"""

from __future__ import annotations

import itertools
import math
from functools import cache

from msgspec import Struct

Vector = tuple[float, float, float]

# Corners of a face lie in one plane, and two faces are opposite, within this share of the solid's size.
FLAT = 1e-9
_GOLDEN = (1 + math.sqrt(5)) / 2


class Solid(Struct, frozen=True):
    """A solid whose opposite faces are 1 apart: its corners, the corners of each face, the opposite of each face.

    `numbers` are the faces' numbers from 1 on. `poles` are corners that the tops of signs point to; without any, a sign
    stands on an edge, its top to the corner or edge opposite.
    """

    id: str
    corners: tuple[Vector, ...]
    faces: tuple[tuple[int, ...], ...]
    opposite: tuple[int, ...]
    numbers: tuple[int, ...]
    poles: tuple[int, ...] = ()

    def points(self, face: int) -> list[Vector]:
        """The corners of a face in space."""
        return [self.corners[corner] for corner in self.faces[face]]

    def normal(self, face: int) -> Vector:
        """The direction that a face looks in, of length 1."""
        return _normal(*self.points(face)[:3])


@cache
def solid(id: str) -> Solid:
    """The solid of a die, `d6` to `d20`."""
    corners = _CORNERS[id]()
    faces = _hull(corners)
    normals = [_normal(*[corners[corner] for corner in face[:3]]) for face in faces]
    inner = min(dot(normals[0], corners[corner]) for corner in faces[0])
    corners = [scale(corner, 0.5 / inner) for corner in corners]
    opposite = tuple(
        min(range(len(faces)), key=lambda other: dot(normals[face], normals[other])) for face in range(len(faces))
    )
    # The two corners of a d10 where five faces meet; a sign's top points to them.
    poles = tuple(range(2)) if id == "d10" else ()
    return Solid(id, tuple(corners), tuple(faces), opposite, _numbers(faces, normals, opposite, poles), poles)


def dot(a: Vector, b: Vector) -> float:
    """The scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """The vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def minus(a: Vector, b: Vector) -> Vector:
    """From b to a."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def scale(a: Vector, by: float) -> Vector:
    """The vector `by` times as long."""
    return a[0] * by, a[1] * by, a[2] * by


def _normal(a: Vector, b: Vector, c: Vector) -> Vector:
    found = cross(minus(b, a), minus(c, a))
    return scale(found, 1 / math.sqrt(dot(found, found)))


def _cyclic(points: list[Vector]) -> list[Vector]:
    return [point for x, y, z in points for point in ((x, y, z), (y, z, x), (z, x, y))]


def _cube() -> list[Vector]:
    return [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]


def _octahedron() -> list[Vector]:
    return _cyclic([(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0)])


def _dodecahedron() -> list[Vector]:
    return _cube() + _cyclic([(0.0, y / _GOLDEN, z * _GOLDEN) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


def _icosahedron() -> list[Vector]:
    return _cyclic([(0.0, y, z * _GOLDEN) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


def _trapezohedron() -> list[Vector]:
    """Ten kites: two poles, and between them a belt of ten corners that stand above and below by turns.

    With the poles at heights +-p and the belt at distance 1, a kite is flat when pole, the middle of its two upper
    corners (at cos 36 from the axis, height b) and its lower corner (at 1, height -b) lie on one line, which gives
    b = p (1 - cos 36) / (1 + cos 36). p is free; it is chosen so that all twelve corners lie on one sphere, as on the
    dice that are sold (p^2 = 1 + b^2): the upper and lower kites then meet at right angles.
    """
    share = (1 - math.cos(math.pi / 5)) / (1 + math.cos(math.pi / 5))
    pole = 1 / math.sqrt(1 - share * share)
    belt = share * pole
    around = [
        (math.cos(turn * math.pi / 5), math.sin(turn * math.pi / 5), belt * (-1) ** (turn + 1)) for turn in range(10)
    ]
    return [(0.0, 0.0, pole), (0.0, 0.0, -pole), *around]


_CORNERS = {
    "d6": _cube,
    "d8": _octahedron,
    "d10": _trapezohedron,
    "d12": _dodecahedron,
    "d20": _icosahedron,
}


def _hull(corners: list[Vector]) -> list[tuple[int, ...]]:
    """The faces of a convex solid around the origin: every plane through three corners with all others behind it."""
    found: dict[frozenset[int], tuple[int, ...]] = {}
    for a, b, c in itertools.combinations(range(len(corners)), 3):
        normal = _normal_or_none(corners[a], corners[b], corners[c])
        if normal is None:
            continue
        if dot(normal, corners[a]) < 0:
            normal = scale(normal, -1)
        heights = [dot(normal, minus(corner, corners[a])) for corner in corners]
        if max(heights) > FLAT:
            continue
        on = frozenset(at for at, height in enumerate(heights) if height > -FLAT)
        if on not in found:
            found[on] = _around(sorted(on), corners, normal)
    return sorted(found.values())


def _normal_or_none(a: Vector, b: Vector, c: Vector) -> Vector | None:
    found = cross(minus(b, a), minus(c, a))
    length = math.sqrt(dot(found, found))
    return scale(found, 1 / length) if length > FLAT else None


def _around(face: list[int], corners: list[Vector], normal: Vector) -> tuple[int, ...]:
    """The corners of a face counter-clockwise as seen from where its normal points to, from the first one on."""
    middle = scale(_total([corners[at] for at in face]), 1 / len(face))
    right = minus(corners[face[0]], middle)
    up = cross(normal, right)

    def angle(at: int) -> float:
        spoke = minus(corners[at], middle)
        return math.atan2(dot(spoke, up), dot(spoke, right)) % (2 * math.pi) if at != face[0] else 0.0

    return tuple(sorted(face, key=angle))


def _total(points: list[Vector]) -> Vector:
    return sum(p[0] for p in points), sum(p[1] for p in points), sum(p[2] for p in points)


def _numbers(
    faces: list[tuple[int, ...]], normals: list[Vector], opposite: tuple[int, ...], poles: tuple[int, ...]
) -> tuple[int, ...]:
    """The faces' numbers: opposite ones sum to N + 1 (facts, "Dice"), and around every corner they sum to much the same.

    Where there are poles, the odd numbers lie around one and the even ones around the other. Of two mirror images the
    one is taken whose 1, 2 and 3 run counter-clockwise (around their corner, on a d6).
    """
    count = len(faces)
    pairs = [(face, opposite[face]) for face in range(count) if face < opposite[face]]
    # numbers[pair] is the number of the pair's first face
    numbers = [at + 1 for at in range(len(pairs))]
    if poles:
        # the first face of each pair is the one at the first pole: 1 3 5 7 9
        pairs = [pair if poles[0] in faces[pair[0]] else pair[::-1] for pair in pairs]
        numbers = [2 * at + 1 for at in range(len(pairs))]

    def spread(numbers: list[int]) -> list[int]:
        of = [0] * count
        for (front, back), number in zip(pairs, numbers, strict=True):
            of[front], of[back] = number, count + 1 - number
        return of

    corners = sorted({corner for face in faces for corner in face})
    meeting = [[at for at, face in enumerate(faces) if corner in face] for corner in corners]

    def unevenness(numbers: list[int]) -> float:
        of = spread(numbers)
        return sum((sum(of[face] for face in there) - len(there) * (count + 1) / 2) ** 2 for there in meeting)

    def improved(best: list[int]) -> list[int]:
        least, better = unevenness(best), True
        while better:
            better = False
            for changed in _changes(best, count, turned=not poles):
                found = unevenness(changed)
                if found < least - FLAT:
                    best, least, better = changed, found, True
                    break
        return best

    # Improved step by step from several beginnings, as one alone may end where no single step helps.
    starts = [numbers[at:] + numbers[:at] for at in range(len(numbers))]
    if not poles:
        starts += [[count + 1 - n if at % 2 else n for at, n in enumerate(start)] for start in starts]
    best = min((improved(start) for start in starts), key=unevenness)
    of = spread(best)
    first = [of.index(number) for number in (1, 2, 3)]
    if dot(normals[first[0]], cross(normals[first[1]], normals[first[2]])) < 0:
        # The mirror image: every number where its opposite was.
        of = [count + 1 - number for number in of]
    return tuple(of)


def _changes(numbers: list[int], count: int, turned: bool) -> list[list[int]]:
    """All numberings that are one step away: two pairs exchanged, or a pair turned round."""
    found = []
    for a, b in itertools.combinations(range(len(numbers)), 2):
        swapped = list(numbers)
        swapped[a], swapped[b] = swapped[b], swapped[a]
        found.append(swapped)
        if turned:
            found.append([count + 1 - n if at in (a, b) else n for at, n in enumerate(swapped)])
    if turned:
        found += [[count + 1 - n if at == a else n for at, n in enumerate(numbers)] for a in range(len(numbers))]
    return found

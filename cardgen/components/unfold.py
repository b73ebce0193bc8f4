"""Unfolding: a solid's faces laid flat along a spanning tree of them, so that none overlap and the whole is compact.

The plane is the paper's, printed side up: y downwards, faces as they are seen from outside. Points are complex numbers
in here, because a move in the plane is then one multiplication and one sum.
"""

from __future__ import annotations

import cmath
import itertools
import math
from collections.abc import Iterable, Sequence
from functools import cache

from msgspec import Struct

from cardgen.components.solids import Solid, cross, dot, minus, scale, solid
from cardgen.geometry import EPSILON_MM, Polygon

# What nets are compact for: A4 within margins of 10 mm, as the largest edges of the facts ("Dice") are stated for. mm.
ROOM = (190.0, 277.0)

# A side of a face: the face, and the place among its corners where the side begins.
Side = tuple[int, int]


class Flat(Struct, frozen=True):
    """A solid laid flat, in its own lengths: each face's corners in their order, the top left of all at 0, 0.

    `folds` are sides of faces that stay together, each with the same side of the other face; `joins` those that were
    cut, in the order in which they close: each pair lies side by side once those before it are joined.
    """

    solid: Solid
    faces: tuple[Polygon, ...]
    folds: tuple[tuple[Side, Side], ...]
    joins: tuple[tuple[Side, Side], ...]
    # the sides that were cut, in their order along the outline, counter-clockwise on paper
    outline: tuple[Side, ...]

    def beyond(self, side: Side) -> Side:
        """The same side of the face on its other side."""
        return _neighbours(self.solid.id)[side[0]][side[1]]

    def side(self, side: Side) -> tuple[complex, complex]:
        """The two ends of a side in the plane."""
        points = self.faces[side[0]]
        return complex(*points[side[1]]), complex(*points[(side[1] + 1) % len(points)])


@cache
def unfolded(id: str) -> Flat:
    """The net of a solid, by search; the same one every time."""
    form = solid(id)
    return _flat(form, min(_candidates(form), key=lambda placed: _score(placed.values(), True)))


def fits(width: float, height: float) -> float:
    """The share of the room that a thing of this size takes, in the direction and the way round where it fits best."""
    return max(min(width, height) / ROOM[0], max(width, height) / ROOM[1])


def overlap(a: Sequence[complex], b: Sequence[complex], slack: float = EPSILON_MM) -> bool:
    """Whether two convex polygons, clockwise on paper, share an area, rather than an edge or a corner."""
    for one, other in ((a, b), (b, a)):
        for p, q in _sides(one):
            # With the side turned level, what lies inside of it has a greater y.
            along = (q - p) / abs(q - p)
            if all(((z - p) / along).imag <= slack for z in other):
                return False
    return True


def _sides(points: Sequence[complex]) -> Iterable[tuple[complex, complex]]:
    return itertools.pairwise((*points, points[0]))


def _local(form: Solid, face: int) -> list[complex]:
    """A face in its own plane as it is seen from outside, its corners in the solid's order: counter-clockwise."""
    points = form.points(face)
    normal = form.normal(face)
    right = minus(points[1], points[0])
    right = scale(right, 1 / math.sqrt(dot(right, right)))
    up = cross(normal, right)
    return [complex(dot(minus(p, points[0]), right), -dot(minus(p, points[0]), up)) for p in points]


@cache
def _neighbours(id: str) -> tuple[tuple[Side, ...], ...]:
    """For each face and each of its sides, the same side of the face beyond."""
    form = solid(id)
    sides = {
        (corners[at], corners[(at + 1) % len(corners)]): (face, at)
        for face, corners in enumerate(form.faces)
        for at in range(len(corners))
    }
    return tuple(tuple(sides[q, p] for p, q in itertools.pairwise((*face, face[0]))) for face in form.faces)


_Placed = dict[int, list[complex]]


def _attached(form: Solid, placed: _Placed, side: Side) -> list[complex]:
    """Where the face beyond `side` of a placed face comes to lie when it is unfolded about that side."""
    face, at = side
    beyond, there = _neighbours(form.id)[face][at]
    here, local = placed[face], _local(form, beyond)
    p, q = here[at], here[(at + 1) % len(here)]
    # Seen from the other face the side runs the other way.
    lp, lq = local[(there + 1) % len(local)], local[there]
    turn = (q - p) / (lq - lp)
    return [p + (z - lp) * turn for z in local]


def _candidates(form: Solid) -> Iterable[_Placed]:
    """Nets around a straight trunk: a walk from face to face that leaves each by the side that is as many sides on as
    two numbers say by turns, until it comes back; every other face then hangs where the net stays smallest.

    All faces of these solids are alike, so every walk may begin at the first one.
    """
    beyond = _neighbours(form.id)
    count = len(form.faces[0])
    for begin, *steps in itertools.product(range(count), range(1, count), range(1, count)):
        placed: _Placed = {0: _local(form, 0)}
        face, leaving = 0, begin
        for turn in itertools.count():
            following, entering = beyond[face][leaving]
            if following in placed:
                break
            placed[following] = _attached(form, placed, (face, leaving))
            face, leaving = following, (entering + steps[turn % 2]) % count
        if _hang(form, placed):
            yield placed


def _hang(form: Solid, placed: _Placed) -> bool:
    """Add the faces that are missing, each where the net stays smallest; False when one finds no room."""
    while len(placed) < len(form.faces):
        best: tuple[tuple[float, ...], int, list[complex]] | None = None
        for face, at in [(known, at) for known, points in placed.items() for at in range(len(points))]:
            beyond = _neighbours(form.id)[face][at][0]
            if beyond in placed:
                continue
            points = _attached(form, placed, (face, at))
            if any(overlap(points[::-1], other[::-1]) for other in placed.values()):
                continue
            score = _score([*placed.values(), points], False)
            if best is None or score < best[0]:
                best = score, beyond, points
        if best is None:
            return False
        placed[best[1]] = best[2]
    return True


def _score(faces: Iterable[Sequence[complex]], exactly: bool) -> tuple[float, ...]:
    """Smaller is better: the share of the paper, then the area around, then how far from the middle the corners lie."""
    faces = [*faces]
    points = [z for face in faces for z in face]
    turns = _turns(faces if exactly else faces[:1])
    share, around = min((fits(*size), size[0] * size[1]) for size in (_size(points, turn) for turn in turns))
    middle = sum(points) / len(points)
    return round(share, 9), round(around, 9), round(sum(abs(z - middle) ** 2 for z in points), 9)


def _turns(faces: Sequence[Sequence[complex]]) -> list[complex]:
    """The turns that lay a side of a face level."""
    angles = (cmath.phase(q - p) % (math.pi / 2) for face in faces for p, q in _sides(face))
    # Equal but for rounding is equal.
    different = {round(angle, 6): angle for angle in angles}
    return [cmath.rect(1, -angle) for _, angle in sorted(different.items())]


def _size(points: Iterable[complex], turn: complex) -> tuple[float, float]:
    turned = [z * turn for z in points]
    xs, ys = [z.real for z in turned], [z.imag for z in turned]
    return max(xs) - min(xs), max(ys) - min(ys)


def _flat(form: Solid, placed: _Placed) -> Flat:
    faces = [placed[face] for face in range(len(form.faces))]
    points = [z for face in faces for z in face]
    turn = min(_turns(faces), key=lambda turn: (round(fits(*_size(points, turn)), 9), cmath.phase(turn)))
    # Upright, as most things on a sheet are; wide ones are turned by whoever packs them.
    width, height = _size(points, turn)
    turn *= 1j if height > width else 1
    faces = [[z * turn for z in face] for face in faces]
    corner = complex(min(z.real for face in faces for z in face), min(z.imag for face in faces for z in face))
    faces = [[z - corner for z in face] for face in faces]
    folds, cut = [], []
    for face, sides in enumerate(_neighbours(form.id)):
        for at, (other, there) in enumerate(sides):
            p, q = faces[face][at], faces[face][(at + 1) % len(sides)]
            r, s = faces[other][(there + 1) % len(faces[other])], faces[other][there]
            together = abs(p - r) < EPSILON_MM and abs(q - s) < EPSILON_MM
            if not together:
                cut.append((face, at))
            elif face < other:
                folds.append(((face, at), (other, there)))
    outline = _outline(form, faces, cut)
    return Flat(
        form,
        tuple(tuple((z.real, z.imag) for z in face) for face in faces),
        tuple(folds),
        tuple(_closing(form, outline)),
        tuple(outline),
    )


def _outline(form: Solid, faces: list[list[complex]], cut: list[Side]) -> list[Side]:
    """The cut sides in their order along the outline."""
    beyond, left = _neighbours(form.id), set(cut)
    ordered, side = [], cut[0]
    while side in left:
        ordered.append(side)
        left.discard(side)
        face, at = side
        # On to the next side of the outline: turn about the end corner, through the folds that meet there.
        face, at = face, (at + 1) % len(faces[face])
        while (face, at) not in left and (face, at) != cut[0]:
            face, at = beyond[face][at]
            at = (at + 1) % len(faces[face])
        side = face, at
    return ordered


def _closing(form: Solid, outline: list[Side]) -> Iterable[tuple[Side, Side]]:
    """The pairs of cut sides as a zip closes them: always two that follow each other on what is still open."""
    beyond, rest = _neighbours(form.id), list(outline)
    while rest:
        for at, (face, side) in enumerate(rest):
            following = (at + 1) % len(rest)
            if beyond[face][side] == rest[following]:
                yield rest[at], rest[following]
                rest = [side for place, side in enumerate(rest) if place not in (at, following)]
                break
        else:  # pragma: no cover - the outline of a tree of faces always closes so
            raise AssertionError("the outline does not close")

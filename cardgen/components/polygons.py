"""Polygons on paper: whether they overlap, whether one lies in another, and grown by a margin. Millimetres."""

from __future__ import annotations

import math
from collections.abc import Iterator

from cardgen.geometry import EPSILON_MM, Point, Polygon, area

_INWARDS = 1e-4


def edges(polygon: Polygon) -> Iterator[tuple[Point, Point]]:
    """The edges of a polygon, the last one back to its first point."""
    return zip(polygon, (*polygon[1:], *polygon[:1]), strict=True)


def inside(point: Point, polygon: Polygon) -> bool:
    """Whether a point lies inside of a simple polygon and not on its edge."""
    x, y = point
    if any(_distance(point, edge) <= EPSILON_MM for edge in edges(polygon)):
        return False
    crossed = 0
    for (x0, y0), (x1, y1) in edges(polygon):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            crossed += 1
    return crossed % 2 == 1


def overlap(one: Polygon, other: Polygon) -> bool:
    """Whether two simple polygons share an area, not only an edge or a corner."""
    return (
        any(_cross(a, b) for a in edges(one) for b in edges(other))
        or any(inside(point, other) for point in _probes(one))
        or any(inside(point, one) for point in _probes(other))
    )


def within(inner: Polygon, outer: Polygon) -> bool:
    """Whether `inner` lies in `outer`, touching its edges at most."""
    if any(_cross(a, b) for a in edges(inner) for b in edges(outer)):
        return False
    return all(inside(point, outer) or _on_edge(point, outer) for point in _probes(inner))


def grown(polygon: Polygon, by: float) -> Polygon:
    """A simple polygon with its edges moved outwards by `by` mm; pointed corners are cut off at twice that."""
    turn = 1.0 if area(polygon) > 0 else -1.0
    points: list[Point] = []
    count = len(polygon)
    for at, (x, y) in enumerate(polygon):
        a, b = _normal(polygon[at - 1], (x, y), turn), _normal((x, y), polygon[(at + 1) % count], turn)
        along = 1 + a[0] * b[0] + a[1] * b[1]
        if along > 0.5:
            points.append((x + by * (a[0] + b[0]) / along, y + by * (a[1] + b[1]) / along))
        else:
            points += [(x + by * a[0], y + by * a[1]), (x + by * b[0], y + by * b[1])]
    return tuple(points)


def _normal(start: Point, end: Point, turn: float) -> Point:
    long = math.dist(start, end)
    return (end[1] - start[1]) / long * turn, -(end[0] - start[0]) / long * turn


def _probes(polygon: Polygon) -> Iterator[Point]:
    # Corners alone would miss a polygon whose corners all lie on the other's edges: points just inside of its own edges
    # tell on which side of those it lies.
    turn = 1.0 if area(polygon) > 0 else -1.0
    for start, end in edges(polygon):
        x, y = _normal(start, end, turn)
        yield start
        yield (start[0] + end[0]) / 2 - x * _INWARDS, (start[1] + end[1]) / 2 - y * _INWARDS


def _on_edge(point: Point, polygon: Polygon) -> bool:
    return any(_distance(point, edge) <= EPSILON_MM for edge in edges(polygon))


def _distance(point: Point, edge: tuple[Point, Point]) -> float:
    (x, y), ((x0, y0), (x1, y1)) = point, edge
    square = (x1 - x0) ** 2 + (y1 - y0) ** 2
    part = 0.0 if square == 0 else min(1.0, max(0.0, ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / square))
    return math.hypot(x - x0 - part * (x1 - x0), y - y0 - part * (y1 - y0))


def _cross(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    """Whether two edges cross in a point that is an end of neither."""

    def side(edge: tuple[Point, Point], point: Point) -> float:
        (x0, y0), (x1, y1) = edge
        long = math.hypot(x1 - x0, y1 - y0) or 1.0
        return ((x1 - x0) * (point[1] - y0) - (y1 - y0) * (point[0] - x0)) / long

    def apart(a: float, b: float) -> bool:
        return (a > EPSILON_MM and b < -EPSILON_MM) or (a < -EPSILON_MM and b > EPSILON_MM)

    return apart(side(one, other[0]), side(one, other[1])) and apart(side(other, one[0]), side(other, one[1]))

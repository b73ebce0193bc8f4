"""Sizes, boxes and matrices. Millimetres; the origin is the top left corner, y grows downwards."""

from __future__ import annotations

import math
from functools import lru_cache

from msgspec import Struct

# Smaller than any printer can place and far larger than the rounding of sums of millimetres.
EPSILON_MM = 1e-6

Point = tuple[float, float]
# Points in mm, in order; where it means an area the last is joined to the first.
Polygon = tuple[Point, ...]


class Size(Struct, frozen=True):
    """A width and a height in mm."""

    width: float
    height: float

    def turned(self) -> Size:
        """The same size lying on its side."""
        return Size(self.height, self.width)


class Box(Struct, frozen=True):
    """A rectangle in mm by its top left corner and its size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of the right edge, mm."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of the bottom edge, mm."""
        return self.y + self.height

    def grown(self, by: float) -> Box:
        """The box with `by` mm more on every side (less when negative)."""
        return Box(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def grown_sides(self, left: float, top: float, right: float, bottom: float) -> Box:
        """The box with its own growth in mm on each side."""
        return Box(self.x - left, self.y - top, self.width + left + right, self.height + top + bottom)

    def contains(self, other: Box) -> bool:
        """Whether `other` lies inside, within rounding."""
        return (
            other.x >= self.x - EPSILON_MM
            and other.y >= self.y - EPSILON_MM
            and other.right <= self.right + EPSILON_MM
            and other.bottom <= self.bottom + EPSILON_MM
        )

    def overlaps(self, other: Box) -> bool:
        """Whether the two share an area, not only an edge."""
        return (
            self.x < other.right - EPSILON_MM
            and other.x < self.right - EPSILON_MM
            and self.y < other.bottom - EPSILON_MM
            and other.y < self.bottom - EPSILON_MM
        )


class Matrix(Struct, frozen=True):
    """An affine map (x, y) -> (a x + c y + e, b x + d y + f), in mm, y downwards."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def then(self, other: Matrix) -> Matrix:
        """The map that applies this one first and `other` after it."""
        return Matrix(
            other.a * self.a + other.c * self.b,
            other.b * self.a + other.d * self.b,
            other.a * self.c + other.c * self.d,
            other.b * self.c + other.d * self.d,
            other.a * self.e + other.c * self.f + other.e,
            other.b * self.e + other.d * self.f + other.f,
        )

    def apply(self, x: float, y: float) -> tuple[float, float]:
        """Where the point (x, y), in mm, is taken."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def apply_box(self, box: Box) -> Box:
        """The smallest upright box around the image of `box`."""
        corners = [self.apply(x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
        left, top = min(x for x, _ in corners), min(y for _, y in corners)
        return Box(left, top, max(x for x, _ in corners) - left, max(y for _, y in corners) - top)

    def inverse(self) -> Matrix:
        """The map back. Raises ValueError when there is none."""
        det = self.a * self.d - self.b * self.c
        if det == 0:
            raise ValueError("the matrix flattens the plane: it has no inverse")
        return Matrix(
            self.d / det,
            -self.b / det,
            -self.c / det,
            self.a / det,
            (self.c * self.f - self.d * self.e) / det,
            (self.b * self.e - self.a * self.f) / det,
        )


def translation(x: float, y: float) -> Matrix:
    """A move by (x, y) mm."""
    return Matrix(e=x, f=y)


def quarter_turns(turns: int, size: Size) -> Matrix:
    """A turn of a face of `size` by quarter turns clockwise, moved back so that its top left corner is at 0, 0."""
    # Written out rather than by cosines: a card turned by a quarter must land on exact millimetres.
    match turns % 4:
        case 0:
            return Matrix()
        case 1:
            return Matrix(0.0, 1.0, -1.0, 0.0, size.height, 0.0)
        case 2:
            return Matrix(-1.0, 0.0, 0.0, -1.0, size.width, size.height)
        case _:
            return Matrix(0.0, -1.0, 1.0, 0.0, 0.0, size.width)


def rotation(degrees: float) -> Matrix:
    """A turn about the origin, clockwise on paper."""
    angle = math.radians(degrees)
    return Matrix(math.cos(angle), math.sin(angle), -math.sin(angle), math.cos(angle), 0.0, 0.0)


def box_points(box: Box) -> Polygon:
    """The corners of a box, clockwise on paper from its top left one."""
    return (box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom)


def bounds(*polygons: Polygon) -> Box:
    """The smallest upright box around all points, in mm. Raises ValueError when there are none."""
    xs = [x for polygon in polygons for x, _ in polygon]
    ys = [y for polygon in polygons for _, y in polygon]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def moved(polygon: Polygon, matrix: Matrix) -> Polygon:
    """The polygon with every point taken through `matrix`."""
    return tuple(matrix.apply(x, y) for x, y in polygon)


def circle(x: float, y: float, radius: float, steps: int = 120) -> Polygon:
    """A circle about (x, y) as a polygon, clockwise on paper from its top: at 120 mm across and 120 steps the chords
    are 0.02 mm away from it."""
    angles = (2 * math.pi * step / steps for step in range(steps))
    return tuple((x + radius * math.sin(angle), y - radius * math.cos(angle)) for angle in angles)


def area(polygon: Polygon) -> float:
    """The area of a simple polygon in square mm; positive when its points run clockwise on paper."""
    pairs = zip(polygon, (*polygon[1:], *polygon[:1]), strict=True)
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairs) / 2


# Most faces of a component have the same form, and a circle has many sides.
@lru_cache(maxsize=256)
def inscribed(polygon: Polygon) -> tuple[float, float, float]:
    """The middle and radius, in mm, of the largest circle inside a convex polygon, to a thousandth of a millimetre."""
    sides = []
    turn = 1.0 if area(polygon) > 0 else -1.0
    for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], *polygon[:1]), strict=True):
        length = math.hypot(x1 - x0, y1 - y0)
        if length > EPSILON_MM:
            sides.append((-(y1 - y0) / length * turn, (x1 - x0) / length * turn, x0, y0))

    def room(x: float, y: float) -> float:
        return min((x - x0) * a + (y - y0) * b for a, b, x0, y0 in sides)

    box = bounds(polygon)
    x, y, step = box.x + box.width / 2, box.y + box.height / 2, max(box.width, box.height) / 2
    # The room is concave: going uphill from anywhere, by ever smaller steps, ends at its top.
    while step > 1e-4:
        around = [(x + step * math.cos(a), y + step * math.sin(a)) for a in (math.pi * n / 8 for n in range(16))]
        best = max(around, key=lambda point: room(*point))
        if room(*best) > room(x, y) + 1e-9:
            x, y = best
        else:
            step /= 2
    return x, y, room(x, y)

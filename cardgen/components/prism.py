"""Fold-up prisms: a profile that is drawn out to a depth, as one net to cut, fold and glue. Millimetres.

The profile is a chain of points, clockwise on paper, as it is seen from its near end: every edge of the chain becomes a
face of the strip, and the two ends hang on one of these faces. On the net, as on the finished piece, the print is seen
from outside: the near end lies left of the strip, the far end right of it, and the chain runs down the page.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from cardgen.components.polygons import overlap, within
from cardgen.errors import CannotMake
from cardgen.geometry import EPSILON_MM, Matrix, Point, Polygon, bounds, moved, rotation, translation
from cardgen.model.cutout import Fold

# A tab's slanted ends: steeper ones meet in the corners, flatter ones leave nothing to glue.
_SLANT = math.radians(45)
# Air between a tab and what lies beside it on the net.
_AIR = math.radians(4)
# Edges shorter than this are held by their neighbours, tabs less deep than this hold nothing.
_LEAST_EDGE = 4.0
_LEAST_TAB = 2.0


class Profile(Struct, frozen=True):
    """A chain of points, x to the right, y down, its box at 0, 0; `names` has one for each edge of the chain.

    When `closed`, an edge from the last point to the first is a face as well, and has a name.
    """

    points: Polygon
    names: tuple[str, ...]
    closed: bool

    @property
    def edges(self) -> tuple[tuple[Point, Point], ...]:
        """The edges that are faces of the strip, from the first to the last."""
        ring = (*self.points, self.points[0]) if self.closed else self.points
        return tuple(pairwise(ring))


class Face(Struct, frozen=True):
    """A face of the net: where it lies, and the matrix that takes it, seen upright from its own top left corner, there.

    `polygon` is in the net's mm, `shape` in the face's own, whose box is `width` x `height`.
    """

    name: str
    polygon: Polygon
    shape: Polygon
    width: float
    height: float
    matrix: Matrix


class Tab(Struct, frozen=True):
    """A tab of the net, the face that it hangs on and the one that it is glued behind, at which of its edges."""

    polygon: Polygon
    of: str
    meets: str
    edge: tuple[Point, Point]


class Net(Struct, frozen=True):
    """A prism's net: faces (ends first), tabs in the order of gluing, folds, and the one outline to cut."""

    faces: tuple[Face, ...]
    tabs: tuple[Tab, ...]
    folds: tuple[Fold, ...]
    outline: Polygon

    @property
    def area(self) -> float:
        """What its box takes of the paper, in square mm."""
        box = bounds(self.outline)
        return box.width * box.height


NEAR, FAR = "near", "far"


def prism_net(profile: Profile, depth: float, tab: float) -> Net:
    """The net of `profile` drawn out by `depth` mm, with tabs `tab` mm deep where there is room for it.

    The ends hang on the face that makes the smallest net. Raises CannotMake when no net lies flat without overlaps.
    """
    nets = [net for hinge in range(len(profile.edges)) if (net := _net(profile, depth, tab, hinge)) is not None]
    if not nets:
        raise CannotMake(
            f"found no net with tabs of {tab:g} mm that lies flat; expected room for tabs of {_LEAST_TAB:g} mm at "
            "least: less slender sides or a larger piece would do",
            "tab",
        )
    return min(nets, key=lambda net: round(net.area, 3))


def lengths(profile: Profile) -> tuple[float, ...]:
    """How long each face of the strip is along the chain, in mm."""
    return tuple(math.dist(start, end) for start, end in profile.edges)


def corners(profile: Profile) -> tuple[float, ...]:
    """The angle inside of the profile at each of its points, in radians, below and above a straight one."""
    points = profile.points
    angles = []
    for at, (x, y) in enumerate(points):
        (x0, y0), (x1, y1) = points[at - 1], points[(at + 1) % len(points)]
        turn = math.atan2(y1 - y, x1 - x) - math.atan2(y - y0, x - x0)
        angles.append(math.pi - math.remainder(turn, 2 * math.pi))
    return tuple(angles)


def _net(profile: Profile, depth: float, tab: float, hinge: int) -> Net | None:
    long = lengths(profile)
    starts = [sum(long[:at]) for at in range(len(long) + 1)]
    strip = tuple(_strip_face(profile, at, starts, depth) for at in range(len(long)))
    near, far = _ends(profile, hinge, starts[hinge], depth)
    if any(overlap(near.polygon, face.polygon) for face in strip):
        return None
    sides = [_side_tab(profile, at, hinge, tab, starts) for at in range(len(long))]
    if any(found is None for found in sides):
        return None
    left = [_mirrored(found) if found else () for found in sides]
    right = [moved(found, translation(depth, 0.0)) if found else () for found in sides]
    if any(overlap(found, end) for found, end in _pairs(left, near.polygon)):
        return None
    closing = _closing(starts[-1], depth, min(tab, long[0] * 0.8)) if profile.closed else ()
    ends = (*left, *right, closing, near.polygon, far.polygon)
    if closing and any(overlap(closing, other) for other in ends if other and other is not closing):
        return None
    names = profile.names
    tabs = [Tab(found, names[at], FAR, _edge(far.polygon, at)) for at, found in enumerate(right) if found]
    tabs += [Tab(found, names[at], NEAR, _edge(near.polygon, at)) for at, found in enumerate(left) if found]
    tabs += [Tab(closing, names[-1], names[0], ((0.0, 0.0), (depth, 0.0)))] if closing else []
    outline = _outline(profile, hinge, starts, depth, left, right, closing, (near, far))
    return Net((near, far, *strip), tuple(tabs), tuple(_folds(profile, starts, depth, sides, hinge)), outline)


def _edge(polygon: Polygon, at: int) -> tuple[Point, Point]:
    return polygon[at], polygon[(at + 1) % len(polygon)]


def _pairs(tabs: Sequence[Polygon], end: Polygon) -> Iterator[tuple[Polygon, Polygon]]:
    return ((found, end) for found in tabs if found)


def _mirrored(polygon: Polygon) -> Polygon:
    return tuple((-x, y) for x, y in polygon)


def _strip_face(profile: Profile, at: int, starts: Sequence[float], depth: float) -> Face:
    top, bottom = starts[at], starts[at + 1]
    height = bottom - top
    (_, y0), (_, y1) = profile.edges[at]
    # Where the chain runs upwards, down the page is up the face.
    upright = y1 >= y0 - EPSILON_MM
    matrix = Matrix(e=0.0, f=top) if upright else Matrix(-1.0, 0.0, 0.0, -1.0, depth, bottom)
    shape = ((0.0, 0.0), (depth, 0.0), (depth, height), (0.0, height))
    return Face(profile.names[at], moved(shape, Matrix(f=top)), shape, depth, height, matrix)


def _ends(profile: Profile, hinge: int, top: float, depth: float) -> tuple[Face, Face]:
    (x0, y0), (x1, y1) = profile.edges[hinge]
    turn = rotation(90 - math.degrees(math.atan2(y1 - y0, x1 - x0)))
    at_x, at_y = turn.apply(x0, y0)
    near = turn.then(translation(-at_x, top - at_y))
    box = bounds(profile.points)
    flipped = Matrix(a=-1.0, e=box.width)
    far = flipped.then(near).then(Matrix(a=-1.0, e=depth))
    behind = moved(profile.points, flipped)
    return (
        Face(NEAR, moved(profile.points, near), profile.points, box.width, box.height, near),
        Face(FAR, moved(behind, far), behind, box.width, box.height, far),
    )


def _side_tab(profile: Profile, at: int, hinge: int, tab: float, starts: Sequence[float]) -> Polygon | None:
    """The tab at the right of a face when the strip's right edge is x = 0; empty where none is needed, None where there
    is no room. Glued, it lies inside the end and beside its neighbours' tabs: each takes half of the corner.
    """
    long = starts[at + 1] - starts[at]
    if at == hinge or long < _LEAST_EDGE:
        return ()
    angles = corners(profile)
    count, last = len(profile.points), len(profile.edges) - 1
    slants = []
    for point, neighbour in ((at, at - 1), ((at + 1) % count, at + 1)):
        slant = min(_SLANT, angles[point] / 2)
        around = neighbour % (last + 1) if profile.closed else neighbour
        # Beside the hinge the end hangs at the corner: the tab has what is left of a straight angle.
        if around == hinge and 0 <= neighbour <= last:
            slant = min(slant, math.pi - angles[point] - _AIR if angles[point] < math.pi else slant)
        slants.append(slant)
    if min(slants) < _AIR:
        return None
    lost = [1 / math.tan(slant) for slant in slants]
    deep = min(tab, 0.75 * long / sum(lost))
    start, end = profile.edges[at]
    while deep >= _LEAST_TAB - EPSILON_MM:
        a, b = deep * lost[0], deep * lost[1]
        if within(_glued(start, end, a, b, deep), profile.points):
            return ((0.0, starts[at]), (deep, starts[at] + a), (deep, starts[at + 1] - b), (0.0, starts[at + 1]))
        deep *= 0.92
    return None


def _glued(start: Point, end: Point, a: float, b: float, deep: float) -> Polygon:
    """A tab as it lies inside the profile, on the edge from `start` to `end`."""
    long = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / long, (end[1] - start[1]) / long
    # The profile runs clockwise on paper: its inside is to the right of the way.
    return (
        start,
        (start[0] + ux * a - uy * deep, start[1] + uy * a + ux * deep),
        (end[0] - ux * b - uy * deep, end[1] - uy * b + ux * deep),
        end,
    )


def _closing(top: float, depth: float, deep: float) -> Polygon:
    cut = min(deep, depth / 4)
    return ((0.0, top), (depth, top), (depth - cut, top + deep), (cut, top + deep))


def _folds(
    profile: Profile, starts: Sequence[float], depth: float, tabs: Sequence[Polygon | None], hinge: int
) -> Iterator[Fold]:
    angles = corners(profile)
    inner = len(profile.edges) if profile.closed else len(profile.edges) - 1
    for at in range(1, inner + 1):
        angle = angles[at % len(angles)]
        yield Fold(((0.0, starts[at]), (depth, starts[at])), "mountain" if angle < math.pi else "valley")
    for at, found in enumerate(tabs):
        if found or at == hinge:
            for x in (0.0, depth):
                yield Fold(((x, starts[at]), (x, starts[at + 1])))


def _outline(
    profile: Profile,
    hinge: int,
    starts: Sequence[float],
    depth: float,
    left: Sequence[Polygon],
    right: Sequence[Polygon],
    closing: Polygon,
    ends: tuple[Face, Face],
) -> Polygon:
    """The boundary, clockwise from the strip's top left corner."""
    count = len(profile.points)
    # Down an end's free points: from the hinge's first point backwards round to its second.
    around = [(hinge - step) % count for step in range(count)]
    points: list[Point] = [(0.0, 0.0), (depth, 0.0)]
    far = ends[1].polygon
    for at in range(len(starts) - 1):
        points += [far[point] for point in around] if at == hinge else right[at]
        points.append((depth, starts[at + 1]))
    points += [closing[2], closing[3]] if closing else []
    points.append((0.0, starts[-1]))
    near = ends[0].polygon
    for at in reversed(range(len(starts) - 1)):
        points += reversed([near[point] for point in around] if at == hinge else left[at])
        points.append((0.0, starts[at]))
    return _without_repeats(points)


def _without_repeats(points: Sequence[Point]) -> Polygon:
    kept: list[Point] = []
    for point in points:
        if not kept or math.dist(point, kept[-1]) > EPSILON_MM:
            kept.append(point)
    while len(kept) > 1 and math.dist(kept[0], kept[-1]) <= EPSILON_MM:
        kept.pop()
    return tuple(kept)

"""Fold-up prisms, folded in arithmetic: the edges meet, the tabs lie behind what they hold, nothing overlaps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.components.polygons import edges, grown, inside, overlap, within
from cardgen.components.prism import FAR, NEAR, Net, Profile, prism_net
from cardgen.components.profiles import BARRIERS, CARS, barrier_profile, box_profile, car_profile
from cardgen.errors import CannotMake
from cardgen.geometry import Box, Polygon, area, box_points, moved

Vector = tuple[float, float, float]
# Rows of a rotation and a move.
Place = tuple[Vector, Vector, Vector, Vector]
FLAT: Place = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0))

SHAPES = st.one_of(
    st.builds(car_profile, st.sampled_from(sorted(CARS)), st.floats(60, 140), st.floats(24, 45)),
    st.builds(barrier_profile, st.sampled_from(sorted(BARRIERS)), st.floats(18, 40), st.floats(18, 40)),
    st.builds(box_profile, st.floats(8, 60), st.floats(10, 90)),
)


def applied(place: Place, x: float, y: float, z: float = 0.0) -> Vector:
    a, b, c, move = place
    return tuple(a[k] * x + b[k] * y + c[k] * z + move[k] for k in range(3))  # type: ignore[return-value]


def folded(place: Place, start: tuple[float, float], end: tuple[float, float], angle: float) -> Place:
    """The place of what is turned about the edge from `start` to `end` of a face at `place`; z is towards the eye."""
    long = math.dist(start, end)
    x, y = (end[0] - start[0]) / long, (end[1] - start[1]) / long
    c, s = math.cos(angle), math.sin(angle)
    # Rodrigues about (x, y, 0): the images of the axes.
    a = (c + x * x * (1 - c), x * y * (1 - c), -y * s)
    b = (x * y * (1 - c), c + y * y * (1 - c), x * s)
    n = (y * s, -x * s, c)
    px, py = start
    move = tuple((px, py, 0)[k] - a[k] * px - b[k] * py for k in range(3))
    rows = [applied(place, *axis) for axis in (a, b, n)]
    origin = applied(place, 0, 0)
    return (
        *(tuple(row[k] - origin[k] for k in range(3)) for row in rows),  # type: ignore[return-value]
        applied(place, *move),
    )


def shared(one: Polygon, other: Polygon) -> tuple[tuple[float, float], tuple[float, float]]:
    """The edge that two polygons of the net have in common, in the order of the first."""
    for start, end in edges(one):
        for a, b in edges(other):
            if math.dist(start, b) < 1e-6 and math.dist(end, a) < 1e-6:
                return start, end
            if math.dist(start, a) < 1e-6 and math.dist(end, b) < 1e-6:
                return start, end
    raise AssertionError("the two share no edge")


def away(place: Place, one: Polygon, other: Polygon, angle: float) -> Place:
    """`other` turned about the edge that it shares with `one`, away from the eye when the angle is positive."""
    start, end = shared(one, other)
    cx, cy = (sum(values) / len(other) for values in zip(*other, strict=True))
    for sign in (1, -1):
        trial = folded(FLAT, start, end, sign * 1e-3)
        if applied(trial, cx, cy)[2] < 0:
            return folded(place, start, end, sign * angle)
    raise AssertionError("an edge through the middle")


def inner_angles(points: Polygon) -> list[float]:
    """The angles inside of a polygon that runs clockwise on paper, from its edges' directions."""
    found = []
    for at, (x, y) in enumerate(points):
        (x0, y0), (x1, y1) = points[at - 1], points[(at + 1) % len(points)]
        back, ahead = math.atan2(y0 - y, x0 - x), math.atan2(y1 - y, x1 - x)
        found.append((back - ahead) % math.tau)
    return found


def put_together(profile: Profile, net: Net) -> dict[str, Place]:
    """Where every face is when all folds are made."""
    strip = net.faces[2:]
    angles = inner_angles(profile.points)
    places = {strip[0].name: FLAT}
    for number, (one, other) in enumerate(pairwise(strip), 1):
        places[other.name] = away(places[one.name], one.polygon, other.polygon, math.pi - angles[number])
    for end in net.faces[:2]:
        hinge = next(face for face in strip if _touch(face.polygon, end.polygon))
        places[end.name] = away(places[hinge.name], hinge.polygon, end.polygon, math.pi / 2)
    return places


def _touch(one: Polygon, other: Polygon) -> bool:
    try:
        return bool(shared(one, other))
    except AssertionError:
        return False


def corners_of(net: Net, places: dict[str, Place], name: str) -> list[Vector]:
    face = next(face for face in net.faces if face.name == name)
    return [applied(places[name], *point) for point in face.polygon]


def made(profile: Profile, depth: float, tab: float) -> Net | None:
    try:
        return prism_net(profile, depth, tab)
    except CannotMake:
        return None


@given(SHAPES, st.floats(20, 110), st.floats(3, 8))
def test_every_edge_meets_its_partner(profile: Profile, depth: float, tab: float) -> None:
    net = made(profile, depth, tab)
    if net is None:
        return
    places = put_together(profile, net)
    near, far = corners_of(net, places, NEAR), corners_of(net, places, FAR)
    for at, face in enumerate(net.faces[2:]):
        top_left, top_right, bottom_right, bottom_left = corners_of(net, places, face.name)
        after = (at + 1) % len(near)
        for mine, other in (
            (top_left, near[at]),
            (bottom_left, near[after]),
            (top_right, far[at]),
            (bottom_right, far[after]),
        ):
            assert math.dist(mine, other) < 1e-6
    assert math.dist(near[0], far[0]) == pytest.approx(depth)


@given(SHAPES, st.floats(20, 110), st.floats(3, 8))
def test_glued_tabs_lie_on_the_faces_that_they_hold(profile: Profile, depth: float, tab: float) -> None:
    net = made(profile, depth, tab)
    if net is None:
        return
    places = put_together(profile, net)
    faces = {face.name: face for face in net.faces}
    for found in net.tabs:
        of, meets = faces[found.of], faces[found.meets]
        angle = math.pi / 2 if found.meets in {NEAR, FAR} else math.pi - inner_angles(profile.points)[0]
        place = away(places[of.name], of.polygon, found.polygon, angle)
        # Back on the flat net, through the held face's place, which keeps lengths: its inverse is its transpose.
        back = [onto(places[meets.name], applied(place, *point)) for point in found.polygon]
        assert all(abs(z) < 1e-6 for _, _, z in back)
        flat = tuple((x, y) for x, y, _ in back)
        assert within(flat, meets.polygon), (found.of, found.meets)


def onto(place: Place, point: Vector) -> Vector:
    a, b, c, move = place
    from_origin = [point[k] - move[k] for k in range(3)]
    return tuple(sum(axis[k] * from_origin[k] for k in range(3)) for axis in (a, b, c))  # type: ignore[return-value]


@given(SHAPES, st.floats(20, 110), st.floats(3, 8))
def test_nothing_overlaps_and_the_outline_holds_it_all(profile: Profile, depth: float, tab: float) -> None:
    net = made(profile, depth, tab)
    if net is None:
        return
    parts = [face.polygon for face in net.faces] + [found.polygon for found in net.tabs]
    assert not any(overlap(one, other) for one, other in combinations(parts, 2))
    whole = sum(abs(area(part)) for part in parts)
    assert area(net.outline) == pytest.approx(whole, rel=1e-9)
    assert all(within(part, net.outline) for part in parts)


@given(SHAPES, st.floats(20, 110), st.floats(3, 8))
def test_faces_are_seen_upright_where_they_lie(profile: Profile, depth: float, tab: float) -> None:
    net = made(profile, depth, tab)
    if net is None:
        return
    for face in net.faces:
        placed = moved(face.shape, face.matrix)
        assert {(round(x, 6), round(y, 6)) for x, y in placed} == {(round(x, 6), round(y, 6)) for x, y in face.polygon}
        # Turned, never mirrored: words on it can be read.
        matrix = face.matrix
        assert matrix.a * matrix.d - matrix.b * matrix.c == pytest.approx(1)
    places = put_together(profile, net)
    ups = {name: down_of(net, places, name) for name in (NEAR, "front", "back", "far") if name in places}
    assert all(math.dist(ups[NEAR], up) < 1e-6 for name, up in ups.items() if name == FAR)


def down_of(net: Net, places: dict[str, Place], name: str) -> Vector:
    """Which way is down on a face when the piece is put together."""
    face = next(face for face in net.faces if face.name == name)
    top, bottom = (applied(places[name], *face.matrix.apply(0, y)) for y in (0.0, 1.0))
    return tuple(bottom[k] - top[k] for k in range(3))  # type: ignore[return-value]


def test_valleys_are_where_the_profile_turns_inwards() -> None:
    net = prism_net(car_profile("sedan", 95, 30), 40, 6)
    kinds = [fold.kind for fold in net.folds[:6]]
    assert kinds == ["mountain", "valley", "mountain", "mountain", "valley", "mountain"]


def test_a_box_is_the_net_one_knows() -> None:
    net = prism_net(box_profile(30, 30), 30, 6)
    assert sorted(face.name for face in net.faces) == ["back", "base", "far", "front", "near", "top"]
    # Two ends with three tabs each, and the one that closes the strip.
    assert len(net.tabs) == 7


def test_a_piece_too_slender_for_tabs_is_refused() -> None:
    with pytest.raises(CannotMake, match="found no net with tabs of 6 mm") as refused:
        prism_net(box_profile(1.5, 60), 80, 6)
    assert refused.value.path == "tab"


SQUARE = box_points(Box(0, 0, 10, 10))
HOOK: Polygon = ((0, 0), (10, 0), (10, 10), (8, 10), (8, 2), (0, 2))


@pytest.mark.parametrize(
    ("other", "answer"),
    [
        (box_points(Box(10, 0, 5, 10)), False),
        (box_points(Box(9.9, 0, 5, 10)), True),
        (box_points(Box(2, 2, 2, 2)), True),
        (SQUARE, True),
        (box_points(Box(-5, 3, 20, 2)), True),
        (box_points(Box(10, 10, 3, 3)), False),
    ],
)
def test_overlap(other: Polygon, answer: bool) -> None:
    assert overlap(SQUARE, other) is overlap(other, SQUARE) is answer


def test_a_hook_has_room_inside_of_its_box() -> None:
    assert not overlap(HOOK, box_points(Box(1, 3, 6, 6)))
    assert not within(box_points(Box(1, 3, 6, 6)), HOOK)
    assert within(box_points(Box(1, 0, 6, 2)), HOOK)
    assert inside((9, 9), HOOK)
    assert not inside((5, 5), HOOK)


@given(st.sampled_from([SQUARE, HOOK, tuple(reversed(HOOK))]), st.floats(0.1, 0.9))
def test_grown_polygons_hold_the_old_ones(polygon: Sequence[tuple[float, float]], by: float) -> None:
    bigger = grown(tuple(polygon), by)
    assert within(tuple(polygon), bigger)
    assert abs(area(bigger)) == pytest.approx(
        abs(area(tuple(polygon))) + by * sum(math.dist(a, b) for a, b in edges(tuple(polygon))) + 4 * by * by
    )

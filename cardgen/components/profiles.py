"""The forms of fold-up scenery as profiles: cars, barriers and boxes, in parts of their length and height."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from cardgen.components.prism import Profile
from cardgen.geometry import Point, Polygon


class Body(Struct, frozen=True):
    """A car's body from its rear bottom to its front bottom, nose to the right; both axes in parts of its size.

    `names` are its faces in that order. `cabin` are the four points of its windows: rear bottom, rear top, front top,
    front bottom.
    """

    points: Polygon
    names: tuple[str, ...]
    cabin: tuple[int, int, int, int]


# Roof corners stay below 60 degrees of slope, so that a windscreen's tabs lie flat beside the sides; hoods and trunks lie
# low enough for the tabs of the windows above them.
CARS: Mapping[str, Body] = {
    "sedan": Body(
        ((0, 1), (0, 0.50), (0.17, 0.45), (0.28, 0), (0.61, 0), (0.74, 0.45), (1, 0.55), (1, 1)),
        ("rear", "trunk", "rear-window", "roof", "windscreen", "hood", "front"),
        (2, 3, 4, 5),
    ),
    "hatchback": Body(
        ((0, 1), (0, 0.44), (0.10, 0), (0.56, 0), (0.71, 0.44), (1, 0.56), (1, 1)),
        ("rear", "rear-window", "roof", "windscreen", "hood", "front"),
        (1, 2, 3, 4),
    ),
    "pickup": Body(
        ((0, 1), (0, 0.47), (0.41, 0.47), (0.43, 0), (0.65, 0), (0.77, 0.45), (1, 0.52), (1, 1)),
        ("rear", "bed", "rear-window", "roof", "windscreen", "hood", "front"),
        (2, 3, 4, 5),
    ),
    "van": Body(
        ((0, 1), (0, 0.46), (0.03, 0), (0.70, 0), (0.85, 0.46), (1, 0.55), (1, 1)),
        ("rear", "rear-window", "roof", "windscreen", "hood", "front"),
        (1, 2, 3, 4),
    ),
}

# Half of a barrier's profile, from the ground up: parts of half its width (0 in the middle) and of its height.
BARRIERS: Mapping[str, tuple[Point, ...]] = {
    "jersey": ((1, 1), (0.58, 0.68), (0.34, 0)),
    "trestle": ((1, 1), (0.16, 0)),
}


def car_profile(style: str, length: float, height: float) -> Profile:
    """A car of `length` x `height` mm; open below."""
    body = CARS[style]
    return Profile(_sized(body.points, length, height), body.names, False)


def barrier_profile(style: str, width: float, height: float) -> Profile:
    """A barrier `width` mm wide at its foot, the same from both sides, with a base."""
    half = BARRIERS[style]
    left = [((1 - x) / 2, y) for x, y in half]
    right = [((1 + x) / 2, y) for x, y in reversed(half)]
    names = {
        2: ("back", "top", "front", "base"),
        3: ("back-foot", "back", "top", "front", "front-foot", "base"),
    }[len(half)]
    return Profile(_sized((*left, *right), width, height), names, True)


def box_profile(width: float, height: float) -> Profile:
    """A box `width` x `height` mm as it is seen from its end, with a base."""
    return Profile(_sized(((0, 1), (0, 0), (1, 0), (1, 1)), width, height), ("back", "top", "front", "base"), True)


def _sized(points: Polygon, width: float, height: float) -> Polygon:
    return tuple((round(x * width, 6), round(y * height, 6)) for x, y in points)

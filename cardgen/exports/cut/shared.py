"""Edges that touching pieces share: a knife goes along each of them once. Millimetres."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cardgen.geometry import Point

# What a machine does along a line: cut a piece free, cut inside of it, fold; or nothing: registration marks are there to
# lay the guide over the machine's own.
Layer = Literal["cut", "slit", "fold", "registration"]


class Line(Struct, frozen=True):
    """One line: its corners in mm, y downwards, and how each of its sides bulges (0: straight; an arc's is the tangent
    of a quarter of its angle, positive where it turns clockwise on paper). `name` is the piece's, for people."""

    layer: Layer
    name: str
    points: tuple[Point, ...]
    bulges: tuple[float, ...]
    closed: bool


# Edges that lie less than this apart are one: a tenth of what a knife's blade is thick.
SAME = 0.01

# A side of a line: from, to, bulge.
_Side = tuple[Point, Point, float]
# What was cut along level or upright lines, by the line's place in steps of SAME: its exact place, where it begins and ends.
_Cuts = dict[tuple[bool, int], list[tuple[float, float, float]]]


def cut_once(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, in their order; what of a cut an earlier one has made already is left out, and the rest is open lines.

    Level and upright sides are looked at: pieces touch along these. An outline that shares nothing stays closed.
    """
    done: _Cuts = {}
    for line in lines:
        if line.layer != "cut" or not line.closed:
            yield line
            continue
        sides = list(zip(line.points, (*line.points[1:], line.points[0]), line.bulges, strict=True))
        left = [list(_left_of(side, done)) for side in sides]
        for side in sides:
            _note(side, done)
        if all(parts == [side] for parts, side in zip(left, sides, strict=True)):
            yield line
        else:
            yield from _open(line, [part for parts in left for part in parts])


def _along(side: _Side) -> tuple[bool, float, float, float] | None:
    """Of a level or upright side: whether it is upright, its place, and where it begins and ends; None of any other."""
    (x0, y0), (x1, y1), bulge = side
    if bulge:
        return None
    if abs(x0 - x1) < SAME <= abs(y0 - y1):
        return True, x0, y0, y1
    if abs(y0 - y1) < SAME <= abs(x0 - x1):
        return False, y0, x0, x1
    return None


def _note(side: _Side, done: _Cuts) -> None:
    along = _along(side)
    if along is not None:
        upright, place, start, end = along
        done.setdefault((upright, round(place / SAME)), []).append((place, min(start, end), max(start, end)))


def _left_of(side: _Side, done: _Cuts) -> Iterator[_Side]:
    """The parts of a side that are still to be cut, from its beginning to its end."""
    along = _along(side)
    if along is None:
        yield side
        return
    upright, place, start, end = along
    step = round(place / SAME)
    near = [
        cut for at in (step - 1, step, step + 1) for cut in done.get((upright, at), ()) if abs(cut[0] - place) < SAME
    ]
    low, high = min(start, end), max(start, end)
    free: list[tuple[float, float]] = []
    at = low
    for _, first, last in sorted(near, key=lambda cut: cut[1]):
        if first > at + SAME:
            free.append((at, min(first, high)))
        at = max(at, last)
        if at >= high:
            break
    if at < high - SAME:
        free.append((at, high))
    if free == [(low, high)]:
        yield side
        return
    (x, y), _, _ = side
    for one, other in free if start < end else [(last, first) for first, last in reversed(free)]:
        yield ((x, one), (x, other), 0.0) if upright else ((one, y), (other, y), 0.0)


def _open(line: Line, sides: list[_Side]) -> Iterator[Line]:
    """The sides that are left of an outline as open lines, as long as they can be; one that went over the beginning of
    the outline is not parted there."""
    runs: list[list[_Side]] = []
    for side in sides:
        if runs and runs[-1][-1][1] == side[0]:
            runs[-1].append(side)
        else:
            runs.append([side])
    if len(runs) > 1 and runs[-1][-1][1] == runs[0][0][0]:
        runs[0] = [*runs.pop(), *runs[0]]
    for run in runs:
        points = (run[0][0], *(end for _, end, _ in run))
        yield replace(line, points=points, bulges=(*(bulge for _, _, bulge in run), 0.0), closed=False)

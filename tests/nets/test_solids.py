"""The solids of dice, held to what is known of them."""

from __future__ import annotations

import itertools
import math

import pytest

from cardgen.components.solids import Solid, cross, dot, minus, solid

# corners, faces, sides of a face
KNOWN = {"d6": (8, 6, 4), "d8": (6, 8, 3), "d10": (12, 10, 4), "d12": (20, 12, 5), "d20": (12, 20, 3)}
SOLIDS = [pytest.param(solid(id), id=id) for id in KNOWN]


def sides(form: Solid, face: int) -> list[float]:
    points = form.points(face)
    return [math.dist(p, q) for p, q in itertools.pairwise((*points, points[0]))]


@pytest.mark.parametrize("form", SOLIDS)
def test_corners_faces_and_sides_are_as_many_as_they_should_be(form: Solid) -> None:
    corners, faces, count = KNOWN[form.id]
    assert (len(form.corners), len(form.faces)) == (corners, faces)
    assert {len(face) for face in form.faces} == {count}
    edges = {frozenset(pair) for face in form.faces for pair in itertools.pairwise((*face, face[0]))}
    assert corners - len(edges) + faces == 2


@pytest.mark.parametrize("form", SOLIDS)
def test_faces_are_flat_and_look_outwards(form: Solid) -> None:
    for face in range(len(form.faces)):
        first, *rest = form.points(face)
        assert all(abs(dot(form.normal(face), minus(point, first))) < 1e-12 for point in rest)
        assert dot(form.normal(face), first) == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize("form", SOLIDS)
def test_opposite_faces_are_parallel_one_apart_and_sum_to_their_number_and_one(form: Solid) -> None:
    count = len(form.faces)
    assert sorted(form.numbers) == list(range(1, count + 1))
    for face, other in enumerate(form.opposite):
        assert dot(form.normal(face), form.normal(other)) == pytest.approx(-1, abs=1e-12)
        assert form.numbers[face] + form.numbers[other] == count + 1


@pytest.mark.parametrize("form", [p for p in SOLIDS if p.id != "d10"])
def test_regular_faces_have_equal_sides(form: Solid) -> None:
    long = [side for face in range(len(form.faces)) for side in sides(form, face)]
    assert max(long) - min(long) < 1e-12


def test_kites_are_alike_and_flat_and_the_belts_of_a_d10_meet_at_right_angles() -> None:
    form = solid("d10")
    shapes = {tuple(round(side, 9) for side in sorted(sides(form, face))) for face in range(10)}
    assert len(shapes) == 1
    ((short, also_short, long, also_long),) = shapes
    assert short == also_short < long == also_long
    assert {round(math.hypot(*corner), 12) for corner in form.corners} == {round(math.hypot(*form.corners[0]), 12)}
    upper = [face for face in range(10) if form.poles[0] in form.faces[face]]
    for face in upper:
        below = [
            other for other in range(10) if other not in upper and len({*form.faces[face]} & {*form.faces[other]}) == 2
        ]
        assert len(below) == 2
        assert all(dot(form.normal(face), form.normal(other)) == pytest.approx(0, abs=1e-12) for other in below)


def test_a_western_d6_runs_counter_clockwise() -> None:
    form = solid("d6")
    one, two, three = (form.normal(form.numbers.index(number)) for number in (1, 2, 3))
    assert dot(one, cross(two, three)) == pytest.approx(1)


def test_odd_numbers_lie_around_one_pole_of_a_d10() -> None:
    form = solid("d10")
    for pole in form.poles:
        parities = {form.numbers[face] % 2 for face in range(10) if pole in form.faces[face]}
        assert len(parities) == 1


@pytest.mark.parametrize(("id", "most"), [("d8", 4), ("d12", 3.5), ("d20", 0.5)])
def test_numbers_are_spread_evenly_around_the_corners(id: str, most: float) -> None:
    form = solid(id)
    for corner in range(len(form.corners)):
        there = [form.numbers[face] for face in range(len(form.faces)) if corner in form.faces[face]]
        assert abs(sum(there) - len(there) * (len(form.faces) + 1) / 2) <= most

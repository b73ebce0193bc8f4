"""Boxes and matrices: y grows downwards, turns are clockwise."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cardgen.geometry import Box, Matrix, Size, quarter_turns, rotation, translation

lengths = st.floats(-1000, 1000)
sides = st.floats(0.1, 1000)
boxes = st.builds(Box, lengths, lengths, sides, sides)
sizes = st.builds(Size, sides, sides)
points = st.tuples(lengths, lengths)
entries = st.floats(-5, 5)
matrices = st.builds(Matrix, entries, entries, entries, entries, lengths, lengths)


def close(first: tuple[float, float], second: tuple[float, float], within: float = 1e-6) -> bool:
    return math.dist(first, second) <= within


@given(matrices, matrices, points)
def test_then_applies_one_matrix_after_the_other(first: Matrix, second: Matrix, point: tuple[float, float]) -> None:
    assert close(first.then(second).apply(*point), second.apply(*first.apply(*point)))


@given(matrices, matrices, matrices, points)
def test_composition_is_associative(a: Matrix, b: Matrix, c: Matrix, point: tuple[float, float]) -> None:
    assert close(a.then(b).then(c).apply(*point), a.then(b.then(c)).apply(*point), 1e-5)


@given(matrices, points)
def test_the_inverse_takes_points_back(matrix: Matrix, point: tuple[float, float]) -> None:
    assume(abs(matrix.a * matrix.d - matrix.b * matrix.c) > 0.01)
    assert close(matrix.inverse().apply(*matrix.apply(*point)), point, 1e-4)
    assert close(matrix.apply(*matrix.inverse().apply(*point)), point, 1e-4)


def test_a_flattening_matrix_has_no_inverse() -> None:
    with pytest.raises(ValueError, match="no inverse"):
        Matrix(1, 2, 2, 4).inverse()


@given(lengths, lengths, points)
def test_a_translation_moves(x: float, y: float, point: tuple[float, float]) -> None:
    assert close(translation(x, y).apply(*point), (point[0] + x, point[1] + y))
    assert close(translation(x, y).then(translation(-x, -y)).apply(*point), point)


def test_a_quarter_turn_is_clockwise() -> None:
    # The top left corner of an upright card comes to the top right, its top right one to the bottom right.
    turn = quarter_turns(1, Size(63, 88))
    assert turn.apply(0, 0) == (88, 0)
    assert turn.apply(63, 0) == (88, 63)
    assert turn.apply(0, 88) == (0, 0)


@given(sizes, st.integers(-9, 9))
def test_a_turned_card_fills_its_turned_box(size: Size, turns: int) -> None:
    expected = size.turned() if turns % 2 else size
    assert quarter_turns(turns, size).apply_box(Box(0, 0, size.width, size.height)) == Box(
        0, 0, expected.width, expected.height
    )


@given(sizes, st.integers(0, 3), st.integers(0, 3), points)
def test_quarter_turns_add_up(size: Size, first: int, second: int, point: tuple[float, float]) -> None:
    middle = size.turned() if first % 2 else size
    both = quarter_turns(first, size).then(quarter_turns(second, middle))
    assert close(both.apply(*point), quarter_turns(first + second, size).apply(*point))


@given(sizes, st.integers(0, 3), points)
def test_quarter_turns_are_rotations(size: Size, turns: int, point: tuple[float, float]) -> None:
    turned, rotated = quarter_turns(turns, size), rotation(90 * turns)
    origin = turned.apply(0, 0)
    x, y = rotated.apply(*point)
    assert close(turned.apply(*point), (x + origin[0], y + origin[1]))


@given(boxes, st.floats(0, 100))
def test_a_box_grown_contains_itself_and_shrinks_back(box: Box, by: float) -> None:
    grown = box.grown(by)
    assert grown.contains(box)
    back = grown.grown(-by)
    assert close((back.x, back.y), (box.x, box.y))
    assert close((back.right, back.bottom), (box.right, box.bottom))
    same = box.grown_sides(by, by, by, by)
    assert grown.contains(same)
    assert same.contains(grown)


def test_each_side_grows_by_its_own() -> None:
    assert Box(10, 20, 30, 40).grown_sides(left=1, top=2, right=3, bottom=4) == Box(9, 18, 34, 46)


@given(boxes)
def test_boxes_that_share_an_edge_do_not_overlap(box: Box) -> None:
    assert box.overlaps(box)
    assert not box.overlaps(Box(box.right, box.y, box.width, box.height))
    assert not box.overlaps(Box(box.x, box.bottom, box.width, box.height))


@given(boxes, boxes)
def test_overlapping_is_mutual_and_containing_is_overlapping(first: Box, second: Box) -> None:
    assert first.overlaps(second) == second.overlaps(first)
    if first.contains(second):
        assert first.overlaps(second)


@given(matrices, boxes)
def test_the_image_of_a_box_holds_the_images_of_its_points(matrix: Matrix, box: Box) -> None:
    image = matrix.apply_box(box).grown(1e-6)
    for x, y in ((box.x, box.y), (box.right, box.bottom), (box.x + box.width / 2, box.y + box.height / 3)):
        px, py = matrix.apply(x, y)
        assert image.x <= px <= image.right
        assert image.y <= py <= image.bottom

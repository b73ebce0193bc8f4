"""The QR code in a sheet's margin: the right modules, in a free place, with its quiet zone."""

from __future__ import annotations

import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st

from cardgen.geometry import Box, Matrix, bounds
from cardgen.model.drawing import Path
from cardgen.sheets.labels import Labelled
from cardgen.sheets.margins import CLEARANCE, Place
from cardgen.sheets.report_code import QUIET, SIZES, free_square, modules, with_code

ADDRESS = "https://example.org/g/items?v=1"


def drawn(length: float, thickness: float) -> Labelled:
    place = Place(length, thickness, Matrix(e=10.0, f=20.0), 0)
    return with_code(Labelled((), (), (place,)), ADDRESS)


def read(path: Path, size: float, left: float, top: float, count: int) -> list[list[bool]]:
    """The modules that a path paints, looked up at the middle of each."""
    rows = [[False] * count for _ in range(count)]
    for line in path.lines:
        (x0, y0), (x1, _), (_, y1), _ = line
        for y in range(count):
            for x in range(count):
                middle = (left + (x + 0.5) * size, top + (y + 0.5) * size)
                if x0 < middle[0] < x1 and y0 < middle[1] < y1:
                    rows[y][x] = True
    return rows


@pytest.mark.parametrize(("thickness", "size"), [(7.6, 0.25), (9.5, 0.3), (30.0, 0.35)])
def test_the_code_says_the_address(thickness: float, size: float) -> None:
    made = drawn(60.0, thickness)
    (path,) = made.items
    assert isinstance(path, Path) and path.fill == (0.0, 0.0, 0.0) and path.stroke is None
    code = segno.make(ADDRESS, error="l", micro=False)
    expected = [[bool(module) for module in row] for row in code.matrix]
    left = min(x for line in path.lines for x, _ in line)
    top = min(y for line in path.lines for _, y in line)
    assert read(path, size, left, top, len(expected)) == expected
    assert left - 10.0 + CLEARANCE >= QUIET * size - 1e-9, "four modules are free, with what the place keeps anyway"
    (rest,) = made.places
    assert rest.length < 60.0 - len(expected) * size


@pytest.mark.parametrize("turned", [False, True])
def test_where_there_is_no_room_there_is_no_code_and_that_is_told(turned: bool) -> None:
    small = min(SIZES) * len(modules(ADDRESS)) - 0.5
    made = drawn(small, 60.0) if turned else drawn(60.0, small)
    assert made.items == ()
    assert [note.subject for note in made.notes] == ["code"]


def test_it_stands_among_the_pieces_where_the_margin_is_narrow() -> None:
    area = Box(5.0, 10.0, 100.0, 100.0)
    taken = [Box(5.0, 10.0, 100.0, 60.0), Box(60.0, 70.0, 45.0, 40.0)]
    made = with_code(Labelled((), (), ()), ADDRESS, area, taken)
    (path,) = made.items
    assert isinstance(path, Path) and not made.notes
    box = bounds([point for line in path.lines for point in line])
    quiet = QUIET * min(SIZES)
    assert area.x <= box.x - quiet and box.bottom + quiet <= area.bottom
    assert not any(box.grown(quiet - 1e-6).overlaps(other) for other in taken)


def test_a_full_sheet_has_no_code_among_its_pieces() -> None:
    taken = [Box(x, y, 6.0, 6.0) for x in range(0, 50, 9) for y in range(0, 50, 9)]
    made = with_code(Labelled((), (), ()), ADDRESS, Box(0.0, 0.0, 51.0, 51.0), taken)
    assert made.items == () and len(made.notes) == 1


BOXES = st.lists(
    st.builds(Box, st.integers(-5, 45), st.integers(-5, 45), st.integers(1, 30), st.integers(1, 30)), max_size=12
)


@given(BOXES, st.integers(3, 25))
def test_a_free_square_is_found_when_there_is_one(taken: list[Box], side: int) -> None:
    """Beside all whole positions, one by one."""
    area = Box(0.0, 0.0, 40.0, 40.0)
    free = [
        (x, y)
        for y in range(41 - side)
        for x in range(41 - side)
        if not any(Box(x, y, side, side).overlaps(box) for box in taken)
    ]
    found = free_square(area, taken, side)
    if not free:
        assert found is None
    else:
        assert found == max(free, key=lambda corner: (corner[1], corner[0]))


def test_nothing_to_say_is_nothing_drawn() -> None:
    margin = Labelled((), (), (Place(60.0, 30.0, Matrix(), 0),))
    assert with_code(margin, "") is margin

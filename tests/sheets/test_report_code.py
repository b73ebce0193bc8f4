"""The QR code in a sheet's margin: the right modules, in a free place, with its quiet zone."""

from __future__ import annotations

import pytest
import segno

from cardgen.geometry import Matrix
from cardgen.model.drawing import Path
from cardgen.sheets.labels import Labelled
from cardgen.sheets.margins import CLEARANCE, Place
from cardgen.sheets.report_code import QUIET, SIZES, modules, with_code

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


def test_where_there_is_no_room_there_is_no_code() -> None:
    small = min(SIZES) * len(modules(ADDRESS)) - 0.5
    assert drawn(60.0, small).items == ()
    assert drawn(small, 60.0).items == ()


def test_nothing_to_say_is_nothing_drawn() -> None:
    margin = Labelled((), (), (Place(60.0, 30.0, Matrix(), 0),))
    assert with_code(margin, "") is margin

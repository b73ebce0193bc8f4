"""Round templates: the circle, the hole, the directions, and what the page shows of them in mm."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import cardgen
from cardgen.components.discs import make_disc
from cardgen.diagnostics import Span
from cardgen.errors import CannotMake
from cardgen.geometry import bounds
from cardgen.model.component import Component, Disc
from cardgen.model.cutout import Cutout
from tests.components.drawn import boxes_of
from tests.nets.games import dice_game
from tests.support import edit, write_project


def disc(**options: object) -> Cutout:
    made = replace(Disc(), **options)  # type: ignore[arg-type]
    (found,) = make_disc(Component("d", "D", "disc", made, "", "", Span("x.yaml", 1, 1), {}), dice_game())
    return found


@given(st.floats(20, 180), st.floats(0, 8))
def test_a_disc_is_cut_as_a_circle(across: float, hole: float) -> None:
    made = disc(diameter=across, hole=hole)
    middle = across / 2
    for cut, radius in zip(made.cuts, (across / 2, hole / 2), strict=False):
        assert all(math.dist(point, (middle, middle)) == pytest.approx(radius) for point in cut)
    assert len(made.cuts) == (2 if hole else 1)
    # The chords stay within a tenth of what a hand cuts.
    box = bounds(made.cuts[0])
    assert box.width == pytest.approx(across, abs=0.1)


def test_an_outline_is_not_cut_out() -> None:
    made = disc(form="outline", hole=15.0)
    assert made.straight
    assert made.size.width == 120 + 2 * 9


def test_ten_directions_are_36_degrees_apart_and_start_at_nought() -> None:
    ways = disc(diameter=100.0, directions=10).panels[0].values["directions"]
    assert isinstance(ways, list)
    assert [way["number"] for way in ways] == list(range(10))
    assert [way["angle"] for way in ways] == [36 * at for at in range(10)]
    assert (ways[0]["x"], ways[0]["y"]) == pytest.approx((0, -1))
    # Clockwise on paper: the third of ten points to the right and down a little.
    assert ways[3]["x"] > 0.9
    assert ways[3]["y"] > 0.3


def test_a_hole_that_leaves_no_disc_is_refused() -> None:
    with pytest.raises(CannotMake, match="a hole of 110 mm would do") as refused:
        disc(hole=115.0)
    assert refused.value.path == "hole"


def test_the_outline_of_a_cd_has_its_size_on_the_page(tmp_path: Path) -> None:
    prints = 'prints:\n  cd: {title: CD, version: "1", components: [cd]}\n'
    game = edit("cards/g/game.yaml", 'prints:\n  items: {title: Items, version: "1", kinds: [item]}\n', prints)
    component = "cd: {make: disc, title: CD, form: outline, diameter: 120mm, hole: 15mm}\n"
    _, report = cardgen.build(
        write_project(tmp_path, {**game, "cards/g/components/c.yaml": component}), tmp_path / "out"
    )
    assert not report.items, [item.message for item in report]
    boxes = boxes_of(tmp_path / "out" / "g" / "en" / "cd.pdf")
    round_ones = [box for box in boxes if box.width > 10 and abs(box.width - box.height) < 0.01]
    assert any(box.width == pytest.approx(120, abs=0.02) for box in round_ones)
    assert any(box.width == pytest.approx(15, abs=0.02) for box in round_ones)

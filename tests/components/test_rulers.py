"""Rulers: exact in what the maker returns and in the PDF, read from its content in mm."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cardgen
from cardgen.components.rulers import UNITS, make_ruler
from cardgen.diagnostics import Span
from cardgen.errors import CannotMake
from cardgen.geometry import Box, bounds
from cardgen.model.component import Component, Ruler, Stop
from cardgen.model.cutout import Cutout
from tests.components.drawn import boxes_of
from tests.nets.games import dice_game
from tests.support import edit, write_project

GAME = dice_game()


def ruler(unit: str, *places: float, behind: tuple[float, ...] = ()) -> list[Cutout]:
    stops, back = (tuple(Stop(f"s{at:g}", at, f"Stop {at:g}") for at in row) for row in (places, behind))
    options = Ruler(unit, stops, back)  # type: ignore[arg-type]
    return make_ruler(Component("rule", "Rule", "ruler", options, "", "", Span("x.yaml", 1, 1), {}), GAME)


def test_eight_inches_are_one_piece_from_edge_to_edge() -> None:
    (made,) = ruler("in", 1, 2, 4, 5, 6, 8)
    assert made.size.width == pytest.approx(203.2)
    assert made.straight
    assert made.two_sided
    bands = made.panels[0].values["bands"]
    assert [band["x"] + band["width"] for band in bands] == pytest.approx([25.4, 50.8, 101.6, 127, 152.4, 203.2])


def test_twenty_four_inches_are_three_parts_that_join_at_whole_inches() -> None:
    parts = ruler("in", 6, 8, 24)
    assert [part.size.width for part in parts] == pytest.approx([203.2 + 15, 203.2 + 15, 203.2])
    assert [part.label for part in parts] == ["rule/A", "rule/B", "rule/C"]
    assert [[item.meets for item in part.glue] for part in parts] == [["B"], ["C"], []]
    assert bounds(parts[0].glue[0].area) == Box(203.2, 0, pytest.approx(15), 22)


@given(
    st.sampled_from(sorted(UNITS)),
    st.lists(st.integers(1, 60), min_size=1, max_size=8, unique=True),
    st.lists(st.integers(1, 60), max_size=4, unique=True),
)
def test_the_parts_laid_together_are_one_scale(unit: str, places: list[int], behind: list[int]) -> None:
    parts = ruler(unit, *places, behind=tuple(behind))
    mm = UNITS[unit]
    total = max(*places, *behind, 0) * mm
    joins = [15.0 if part.glue else 0.0 for part in parts]
    printed = [part.size.width - join for part, join in zip(parts, joins, strict=True)]
    assert sum(printed) == pytest.approx(total)
    assert all(part.size.width <= 250.0001 for part in parts)
    assert all(abs(long / mm - round(long / mm)) < 1e-6 for long in printed)
    start = 0.0
    found: dict[str, set[float]] = {"front": set(), "back": set()}
    for part, long in zip(parts, printed, strict=True):
        for panel in part.panels:
            ticks = panel.values["ticks"]
            assert isinstance(ticks, list)
            for tick in ticks:
                # Seen from behind, the zero end is at the right.
                at = tick["x"] if panel.side == "front" else part.size.width - tick["x"]
                if tick["whole"]:
                    assert (start + at) / mm == pytest.approx(tick["count"], abs=1e-3)
                    found[panel.side].add(tick["count"])
            bands = panel.values["bands"]
            assert isinstance(bands, list)
            ends = [band for band in bands if band["ends"]]
            for band in ends:
                edge = band["x"] + band["width"] if panel.side == "front" else part.size.width - band["x"]
                assert (start + edge) / mm == pytest.approx(float(band["at"]), abs=1e-3)
        start += long
    # Every unit is there on both sides, whatever is covered where parts join.
    assert found["front"] == found["back"] == set(range(round(total / mm) + 1))


def test_two_stops_at_one_place_are_refused() -> None:
    options = Ruler("in", (Stop("a", 4), Stop("b", 4)))
    with pytest.raises(CannotMake, match="found `b` and `a` at the same 4 in") as refused:
        make_ruler(Component("r", "R", "ruler", options, "", "", Span("x", 1, 1), {}), GAME)
    assert refused.value.path == "stops.b.at"


COMPONENTS = """\
rule: {make: ruler, title: Rule, unit: in, stops: {near: {at: 2.5, title: Near}, far: {at: 7}}}
metric: {make: ruler, title: Metric, unit: cm, stops: {far: {at: 20, title: Far}}}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("rulers")
    prints = """\
prints:
  rule: {title: Rule, version: "1", components: [rule]}
  metric: {title: Metric, version: "1", components: [metric]}
"""
    game = edit("cards/g/game.yaml", 'prints:\n  items: {title: Items, version: "1", kinds: [item]}\n', prints)
    _, report = cardgen.build(write_project(root, {**game, "cards/g/components/r.yaml": COMPONENTS}), root / "out")
    assert not report.items, [item.message for item in report]
    return root / "out" / "g" / "en"


def thin(pdf: Path, page: int, wide: float) -> list[float]:
    """The middles, along the ruler, of bars of that width that cross its edge; from the first to the last."""
    boxes = boxes_of(pdf, page)
    lengthwise = [(box.x + box.width / 2, box.width, box.height) for box in boxes]
    upright = [(box.y + box.height / 2, box.height, box.width) for box in boxes]
    found = [
        sorted({round(at, 2) for at, thick, long in row if abs(thick - wide) < 0.02 and long > 2})
        for row in (lengthwise, upright)
    ]
    return max(found, key=len)


@pytest.mark.parametrize("page", [0, 1])
@pytest.mark.parametrize(("name", "step", "count"), [("rule", 25.4 / 4, 29), ("metric", 5.0, 41)])
def test_ticks_stand_where_they_should_in_the_pdf(built: Path, name: str, step: float, count: int, page: int) -> None:
    ticks = thin(built / f"{name}.pdf", page, 0.2)
    assert len(ticks) == count
    assert [after - before for before, after in itertools.pairwise(ticks)] == pytest.approx(
        [step] * (count - 1), abs=0.02
    )
    assert ticks[-1] - ticks[0] == pytest.approx(step * (count - 1), abs=0.01)


def test_stops_stand_where_they_should_in_the_pdf(built: Path) -> None:
    stops, ticks = thin(built / "rule.pdf", 0, 0.6), thin(built / "rule.pdf", 0, 0.2)
    near, far = sorted(min(abs(stop - end) for end in (ticks[0], ticks[-1])) for stop in stops)
    # One at the end of the scale, the other 2.5 in from its beginning.
    assert near == pytest.approx(0, abs=0.02)
    assert min(abs(far - 2.5 * 25.4), abs(177.8 - far - 2.5 * 25.4)) == pytest.approx(0, abs=0.02)

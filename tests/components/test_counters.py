"""Counters: circles and squares of their size, sides that stay apart, as many as are asked for."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.components.counters import BLEED, LARGEST, PUNCH_MARGIN, PUNCHES, make_counters
from cardgen.components.shades import lightness
from cardgen.diagnostics import Report, Span
from cardgen.errors import CannotMake
from cardgen.geometry import area, bounds
from cardgen.load.project import load_project
from cardgen.model.component import Component, CounterItem, Counters, CounterSide
from cardgen.model.cutout import Cutout
from cardgen.model.game import Game

HEART, BITE = CounterSide(icon="health", colour="#d5e3da"), CounterSide(icon="bite", colour="#b23a28", ink="#ffffff")


def made(*items: CounterItem, **options: Any) -> list[Cutout]:
    none: dict[str, Any] = {}
    game = Game(
        "game", "A Game", "", "1", "en", ("en",), "", "", none, none, none, none, none, none, none, none, none, none, "en"
    )  # fmt: skip
    piece = Counters(items=items, **options)
    return make_counters(Component("tokens", "Tokens", "counters", piece, "", "", Span("c.yaml", 1, 1), {}), game)


def refused(path: str, *items: CounterItem, **options: Any) -> str:
    with pytest.raises(CannotMake) as error:
        made(*items, **options)
    assert error.value.path == path
    return str(error.value)


@given(st.floats(8, LARGEST - 2 * BLEED))
def test_a_round_counter_is_cut_along_a_circle_of_its_size(size: float) -> None:
    (counter,) = made(CounterItem("health", "Health", HEART, BITE), size=size)
    (cut,) = counter.cuts
    box = bounds(cut)
    assert box.width == pytest.approx(size) and box.height == pytest.approx(size)
    assert area(cut) == pytest.approx(math.pi * size * size / 4, rel=1e-3)
    # In the middle of its room, on both sides: turned over, the back lies behind the front.
    assert box.x + box.width / 2 == pytest.approx(counter.size.width / 2)
    assert [panel.side for panel in counter.panels] == ["front", "back"]
    for panel in counter.panels:
        assert panel.outline is not None
        painted = bounds(panel.outline)
        assert painted.width == pytest.approx(size + 2 * BLEED)
        assert painted.x >= -1e-9 and painted.right <= counter.size.width + 1e-9
        assert panel.matrix.apply(size / 2, size / 2) == pytest.approx(
            (counter.size.width / 2, counter.size.height / 2)
        )


@given(st.floats(8, LARGEST))
def test_square_counters_share_their_cuts(size: float) -> None:
    (counter,) = made(CounterItem("health", "Health", HEART, BITE), shape="square", size=size)
    assert counter.straight and counter.bleed == 0 and counter.two_sided
    assert (counter.size.width, counter.size.height) == (size, size)


@pytest.mark.parametrize("size", [12.7, 16.0, 19.0, 20.0, 22.0, 25.0, 25.4, 29.0, 30.0])
def test_punches_have_room_and_are_told(size: float) -> None:
    (counter,) = made(CounterItem("health", "Health", HEART), size=size)
    margin = (counter.size.width - size) / 2
    if size in PUNCHES:
        assert margin == pytest.approx(PUNCH_MARGIN)
        (note,) = counter.notes
        assert note.text == f"Ø{size:g}"
        # Beside the counter and its bleed, not on it.
        middle = counter.size.width / 2
        assert math.hypot(note.x - middle, note.y - 1 - middle) > size / 2 + BLEED
    else:
        assert margin == pytest.approx(BLEED) and not counter.notes


def test_a_series_is_a_counter_for_each_sign() -> None:
    turns = CounterItem("turns", "Turns", HEART, BITE, copies=2, series=("1", "2", "+3"))
    counters = made(turns, CounterItem("one", "One", HEART), size=20.0)
    assert [counter.label for counter in counters] == [
        "tokens/turns-1",
        "tokens/turns-2",
        "tokens/turns-3",
        "tokens/one",
    ]
    assert [panel.values["sign"] for counter in counters[:3] for panel in counter.panels] == [
        "1",
        "1",
        "2",
        "2",
        "+3",
        "+3",
    ]
    assert [counter.copies for counter in counters] == [2, 2, 2, 1]
    assert counters[2].title == "Turns +3" and {counter.group for counter in counters} == {"tokens"}


def test_what_cannot_be_made_is_told() -> None:
    assert "186 mm would do" in refused("size", CounterItem("a", "A", HEART), size=200.0, shape="square")
    assert "183 mm would do" in refused("size", CounterItem("a", "A", HEART), size=185.0)
    assert "this side is empty" in refused("items.a.front", CounterItem("a", "A"))
    assert "this side is empty" in refused("items.a.back", CounterItem("a", "A", HEART, CounterSide()))
    worded = CounterItem("a", "A", CounterSide(icon="health", text="Health"))
    assert "an icon alone, would do" in refused("items.a.front.text", worded, size=12.7)
    assert made(CounterItem("a", "A", series=("1",)), size=12.7)


def test_layouts_may_be_replaced() -> None:
    piece = Counters(items=(CounterItem("a", "A", HEART, BITE),))
    component = Component("tokens", "Tokens", "counters", piece, "mine/front", "mine/back", Span("c.yaml", 1, 1), {})
    (counter,) = make_counters(component, None)  # type: ignore[arg-type]
    assert [panel.layout for panel in counter.panels] == ["mine/front", "mine/back"]


@pytest.mark.parametrize("name", ["twd", "arena", "zombies", "zcorps"])
def test_the_sides_of_shipped_counters_differ_in_grey(root: Path, name: str) -> None:
    project = load_project(root, Report())
    assert project is not None
    items = [
        item
        for component in project.games[name].components.values()
        if isinstance(component.options, Counters)
        for item in component.options.items
    ]
    assert items
    for item in items:
        for side in (item.front, item.back):
            assert side is None or abs(lightness(side.colour) - lightness(side.ink)) > 40, item.id
        if item.back is not None:
            assert abs(lightness(item.front.colour) - lightness(item.back.colour)) > 25, item.id


def test_twd_has_nine_supply_counters_and_a_bite_behind_health(root: Path) -> None:
    project = load_project(root, Report())
    assert project is not None
    game = project.games["twd"]
    (supply,) = make_counters(game.components["supply-counters"], game)
    assert supply.copies == 9 and supply.two_sided
    (health,) = make_counters(game.components["health-counters"], game)
    assert [panel.values["icon"] for panel in health.panels] == ["pulse", "bite"]

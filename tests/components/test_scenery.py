"""Scenery: what the makers return for a component, and what the shipped sets have of it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cardgen.components.makers import MAKERS
from cardgen.components.polygons import inside, within
from cardgen.components.scenery import STYLES, make_scenery
from cardgen.diagnostics import Span
from cardgen.errors import CannotMake
from cardgen.geometry import Box, area, bounds, box_points, moved
from cardgen.model.component import Component, Scenery
from cardgen.model.cutout import Cutout
from cardgen.model.game import Game
from tests.nets.games import dice_game
from tests.support import load

ROOT = Path(__file__).resolve().parents[2]
GAME = dice_game()
FOLDED = [(form, style) for form in ("car", "barrier", "wall", "box") for style in STYLES[form]]


def scenery(layout: str = "", back: str = "", **options: object) -> Component:
    made = replace(Scenery(), **options)  # type: ignore[arg-type]
    return Component("piece", "A piece", "scenery", made, layout, back, Span("x.yaml", 1, 1), {})


def cutout(**options: object) -> Cutout:
    (made,) = make_scenery(scenery(**options), GAME)
    return made


@cache
def shipped(game: str) -> Game:
    return load(ROOT).games[game]


@pytest.mark.parametrize(("form", "style"), FOLDED)
def test_a_folded_piece_lies_in_its_box(form: str, style: str) -> None:
    made = cutout(form=form, style=style, length=90.0, width=30.0, height=32.0, each=3)
    sheet = box_points(Box(0, 0, made.size.width + 0.001, made.size.height + 0.001))
    for panel in made.panels:
        assert panel.outline is not None
        assert within(panel.outline, sheet)
        # What shows of it lies inside of what it paints.
        assert within(moved(panel.shape, panel.matrix), panel.outline)
    assert within(made.cuts[0], sheet)
    assert made.copies == 3
    # On the tab, and beside the edge that it meets wherever there is room.
    names = [note.text for note in made.notes]
    assert sorted(set(names), key=int) == [item.name for item in made.glue]
    assert all(names.count(name) <= 2 for name in names) and len(names) >= 1.5 * len(made.glue)
    for item in made.glue:
        first, *others = (note for note in made.notes if note.text == item.name)
        assert inside((first.x, first.y - 0.6), item.area)
        assert not any(inside((note.x, note.y - 0.6), made.cuts[0]) for note in others)
    assert [item.name for item in made.glue] == [str(number) for number in range(1, len(made.glue) + 1)]


@pytest.mark.parametrize("style", STYLES["car"])
def test_a_car_has_the_size_that_it_states(style: str) -> None:
    made = cutout(form="car", style=style, length=95.0, width=40.0, height=30.0)
    sides = {panel.label: panel.trim.size for panel in made.panels}
    assert (sides["piece/near"].width, sides["piece/near"].height) == (95, 30)
    assert all(size.width == 40 for label, size in sides.items() if label not in {"piece/near", "piece/far"})
    # Nose to the right on the near side, to the left on the far one.
    assert [panel.values["facing"] for panel in made.panels[:2]] == ["right", "left"]


def test_a_face_paints_on_no_other_face_of_the_strip() -> None:
    made = cutout(form="car", style="sedan", length=95.0, width=40.0, height=30.0)
    strip = made.panels[2:]
    for at, panel in enumerate(strip):
        for other in strip[at + 1 :]:
            one, two = bounds(panel.outline or ()), bounds(moved(other.shape, other.matrix))
            assert not one.overlaps(two), (panel.label, other.label)
    # The ends are drawn first, so that the strip covers what they paint beyond their edge.
    assert [panel.label for panel in made.panels[:2]] == ["piece/near", "piece/far"]


@given(st.sampled_from(STYLES["flat"]), st.floats(20, 180), st.floats(10, 180), st.sampled_from(["", "clean", "burnt"]))
def test_a_flat_piece_is_cut_along_its_box(style: str, length: float, width: float, behind: str) -> None:
    made = cutout(form="flat", style=style, length=length, width=width, behind=behind)
    box = bounds(made.cuts[0])
    assert (box.x, box.y, box.width, box.height) == pytest.approx((0, 0, length, width))
    assert made.two_sided == bool(behind)
    assert [panel.values["finish"] for panel in made.panels] == ["worn", behind][: len(made.panels)]


def test_a_trapdoor_has_a_lid_inside_of_its_rim() -> None:
    made = cutout(form="hole", style="trap", length=60.0, width=50.0, rim=11.0)
    outer, inner = made.cuts
    assert bounds(inner) == Box(11, 11, 38, 28)
    assert within(inner, outer)
    assert area(outer) > area(inner)
    assert len(cutout(form="hole", style="pit", length=60.0, width=50.0).cuts) == 1


def test_layouts_may_be_the_games_own() -> None:
    (made,) = make_scenery(scenery("g/wreck", "g/burnt", form="flat"), GAME)
    assert [panel.layout for panel in made.panels] == ["g/wreck", "g/burnt"]
    assert {panel.layout for panel in cutout(form="box").panels} == {"_base/scenery"}


def test_spots_are_the_same_every_time() -> None:
    assert cutout(form="car") == cutout(form="car")


@pytest.mark.parametrize(
    ("options", "words", "path"),
    [
        ({"form": "car", "style": "gate"}, "found the style `gate` for the form `car`; expected one of sedan", "style"),
        ({"form": "box", "art": "a.svg"}, "only flat pieces take one", "art"),
        ({"form": "hole", "length": 40.0, "width": 20.0, "rim": 8.0}, "a rim of 7.5 mm would do", "rim"),
        ({"form": "wall", "width": 1.0, "height": 40.0}, "lies flat", "tab"),
    ],
)
def test_what_cannot_be_made_is_told(options: dict[str, object], words: str, path: str) -> None:
    with pytest.raises(CannotMake, match=words) as refused:
        cutout(**options)
    assert refused.value.path == path


@pytest.mark.parametrize("form", [("car", "barrier"), ("flat", "flat")])
def test_a_square_of_the_table_gets_four_cars_and_six_barriers(form: tuple[str, str]) -> None:
    pieces = [item for item in shipped("twd").components.values() if isinstance(item.options, Scenery)]
    counts = {"cars": 0, "barriers": 0}
    for item in pieces:
        options = item.options
        assert isinstance(options, Scenery)
        what = "cars" if options.style in STYLES["car"] else "barriers"
        if options.form == form[what == "barriers"]:
            counts[what] += options.each
    assert counts == {"cars": 4, "barriers": 6}


@pytest.mark.parametrize("game", ["twd", "arena", "zcorps"])
def test_what_is_shipped_fits_on_both_papers(game: str) -> None:
    made = [
        piece
        for item in shipped(game).components.values()
        if item.make in {"scenery", "ruler", "disc", "map"}
        for piece in MAKERS[item.make](item, shipped(game))
    ]
    assert made
    for piece in made:
        short, long = sorted((piece.size.width, piece.size.height))
        assert short <= 186 and long <= 250, piece.label

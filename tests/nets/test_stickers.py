"""Dice as stickers: what they show, how large they are, what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cardgen.components.dice_faces import die_values, numeral_values
from cardgen.components.stickers import END, make_stickers
from cardgen.diagnostics import Span
from cardgen.errors import CannotMake
from cardgen.geometry import area, bounds
from cardgen.model.component import Component, Stickers
from cardgen.model.cutout import Cutout
from cardgen.model.game import Game
from tests.nets.games import FIVE, SCATTER, WHITE, dice_game


def made(game: Game | None = None, **options: object) -> list[Cutout]:
    component = Component("s", "S", "stickers", Stickers(**options), "", "", Span("dice.yaml", 1, 1), {})  # type: ignore[arg-type]
    return make_stickers(component, game or dice_game())


def test_a_strip_for_each_die_with_six_faces() -> None:
    strips = made(sets=2)
    assert [(strip.label, strip.title, strip.copies) for strip in strips] == [
        ("s/white", "White die", 2),
        ("s/scatter", "Scatter", 2),
    ]
    white = strips[0]
    assert [panel.values["sign"] for panel in white.panels] == list(WHITE.faces)
    assert [note.text for note in white.notes] == ["16 mm"]
    assert white.straight
    assert white.size.height == 13
    assert white.size.width == 6 * 13 + END


def test_a_die_named_twice_is_made_twice() -> None:
    assert [(strip.label, strip.copies) for strip in made(dice=("white", "scatter", "white"), sets=3)] == [
        ("s/white", 6),
        ("s/scatter", 3),
    ]


@given(size=st.floats(8, 60), inset=st.floats(0, 2))
def test_stickers_are_smaller_than_the_face_by_the_inset_and_lie_side_by_side(size: float, inset: float) -> None:
    for strip in made(size=size, inset=inset):
        edge = size - 2 * inset
        for at, panel in enumerate(strip.panels):
            assert panel.outline is not None
            box = bounds(panel.outline)
            assert (box.x, box.y, box.width, box.height) == pytest.approx((at * edge, 0, edge, edge))
            assert (panel.trim.size.width, panel.trim.size.height) == (edge, edge)
            assert panel.matrix.apply(0, 0) == pytest.approx((box.x, box.y))
        assert sum(area(panel.outline or ()) for panel in strip.panels) == pytest.approx(6 * edge * edge)
        # Every cut between two stickers has its marks, and so has the end that is held.
        assert sorted({round(x, 6) for slit in strip.slits for x, _ in slit}) == pytest.approx(
            [n * edge for n in range(1, 7)], abs=1e-5
        )


@pytest.mark.parametrize(
    ("options", "path", "words"),
    [
        ({"size": 3.0}, "size", "a die of 3 mm is too small for stickers; 6 mm or more would do"),
        ({"inset": 8.0}, "inset", "an inset of 8 mm on every side leaves 0 mm of a face of 16 mm; an inset of 6 mm"),
        ({"size": 8.0, "inset": 2.5}, "inset", "an inset of 2.5 mm on every side leaves 3 mm of a face of 8 mm"),
        ({"dice": ("white", "five")}, "dice.1", "the die `five` has 5 faces; stickers are for the 6 faces of a cube"),
        ({"dice": ("green",)}, "dice.0", "there is no die `green`"),
    ],
)
def test_what_cannot_be_made_is_said(options: dict[str, object], path: str, words: str) -> None:
    with pytest.raises(CannotMake) as caught:
        made(**options)
    assert str(caught.value).startswith(words)
    assert caught.value.path == path


def test_a_game_without_cubes_has_no_stickers() -> None:
    with pytest.raises(CannotMake, match="the game has no die with 6 faces"):
        made(dice_game(FIVE))


def test_whole_numbers_count_successes_unless_they_are_all_different() -> None:
    counted = die_values(WHITE)
    assert [face["form"] for face in counted] == ["icon", "count", "count", "count", "count", "count"]
    assert counted[0]["icon"] == "blank"
    assert (counted[5]["successes"], counted[5]["headshots"]) == (2, 1)
    numerals = die_values(FIVE)
    assert [(face["form"], face["sign"]) for face in numerals] == [("number", str(n)) for n in range(1, 6)]


def test_icons_turned_icons_and_words() -> None:
    faces = die_values(SCATTER)
    assert [face["form"] for face in faces] == ["icon", "icon", "icon", "count", "word", "count"]
    assert [(face["icon"], face["turn"]) for face in faces[:3]] == [("arrow", 0.0), ("arrow", -60.5), ("star", 0.0)]
    assert (faces[3]["successes"], faces[3]["headshots"]) == (0, 1)


def test_a_face_has_the_looks_and_the_letter_of_its_die() -> None:
    for face in die_values(WHITE):
        assert (face["colour"], face["ink"], face["letter"], face["die"]) == ("#f6f1e4", "#1f2022", "S", "white")
    assert {face["letter"] for face in die_values(WHITE, letter=False)} == {""}


def test_only_numerals_that_read_as_another_one_are_underlined() -> None:
    def marked(count: int, first: int) -> list[object]:
        return [face["sign"] for face in numeral_values(count, first) if face["underlined"]]

    assert marked(6, 1) == []
    assert marked(10, 0) == ["6", "9"]
    assert marked(20, 1) == ["6", "9"]
    assert marked(99, 1)[:6] == ["6", "9", "16", "18", "19", "61"]
    zero_to_nine = replace(FIVE, faces=("6", "9", "8", "0", "1"))
    assert [face["underlined"] for face in die_values(zero_to_nine)] == [True, True, False, False, False]

"""Sheets of cards: one for each card, of the size that is stated, with what the card names."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.components.sheets import make_sheets
from cardgen.diagnostics import Span
from cardgen.errors import CannotMake
from cardgen.geometry import Size
from cardgen.model.component import Component, Sheets
from cardgen.model.game import Game
from tests.rules.shipped import project


@pytest.fixture(scope="module")
def game() -> Game:
    return project().games["zcorps"]


def component(options: Sheets, layout: str = "zcorps/sheet") -> Component:
    return Component("pages", "Pages", "sheets", options, layout, "", Span("components/sheets.yaml", 1, 1), {})


def test_a_sheet_for_each_card_with_the_cards_that_it_names(game: Game) -> None:
    made = make_sheets(component(Sheets(kinds=("person",), width=148.0, height=210.0, each=2)), game)
    people = [card for card in game.cards.values() if card.kind == "person"]
    assert [cutout.label for cutout in made] == [f"pages/{card.id}" for card in people]
    for cutout, card in zip(made, people, strict=True):
        (panel,) = cutout.panels
        assert (cutout.size, cutout.copies, cutout.is_card) == (Size(148.0, 210.0), 2, True)
        values: Any = panel.values
        assert values["card"]["id"] == card.id
        assert set(values["cards"]) == set(card.values["carries"])
        assert all(named["worth"] == game.cards[id].values["worth"] for id, named in values["cards"].items())


def test_what_says_too_little_is_refused(game: Game) -> None:
    with pytest.raises(CannotMake, match="state `layout`"):
        make_sheets(component(Sheets(kinds=("person",)), layout=""), game)
    with pytest.raises(CannotMake, match="expected `kinds` or a `deck`"):
        make_sheets(component(Sheets()), game)

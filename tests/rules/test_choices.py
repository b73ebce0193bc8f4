"""Catalogues: what a kind of band may choose from, and what of it nobody can have."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from cardgen.diagnostics import Report
from cardgen.load.project import load_project
from cardgen.model.card import Card
from cardgen.model.game import Game
from cardgen.rules.choices import Catalogue, catalogue_of
from cardgen.rules.filters import updated

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def arena() -> Game:
    report = Report()
    project = load_project(ROOT, report)
    assert project is not None and not report.has_errors()
    return project.games["arena"]


def changed(game: Game, id: str, **values: object) -> Game:
    card = game.cards[id]
    return structs.replace(game, cards={**game.cards, id: structs.replace(card, values={**card.values, **values})})


def judged(game: Game) -> Catalogue:
    return catalogue_of(game, game.bands["warband"])


def test_the_shipped_catalogue_is_large_and_open(arena: Game) -> None:
    found = judged(arena)
    assert (found.closed, found.barred) == ((), ())
    assert len(found.options) >= 150
    assert sum(1 for id in (item.card for item in found.cards) if not arena.cards[id].values["celebrity"]) >= 24
    gods = {arena.cards[item.card].values["god"] for item in found.cards}
    assert len(gods) == 17
    factions = arena.packs["arena"].tables["factions"]
    for faction in factions.values():
        assert gods & set(faction["gods"])
    kinds = {arena.cards[item.option].kind for item in found.options}
    assert kinds == {"trait", "feat", "action", "weapon-set", "armour", "item"}
    # Common actions are nobody's choice.
    assert not any(arena.cards[item.option].values.get("common") for item in found.options)


def test_an_option_that_asks_for_two_things_that_never_meet(arena: Game) -> None:
    found = judged(changed(arena, "thick-hide", races=("dwarf",), professions=("priest",)))
    (closed,) = found.closed
    assert (closed.option, closed.of, closed.to) == ("thick-hide", "traits", "")
    assert closed.broken in (("ADM-022",), ("ADM-022b",))


def test_an_option_beyond_every_natural_maximum(arena: Game) -> None:
    needs = {"soul": None, "agility": None, "strength": None, "mind": None, "popularity": None, "combat": None}
    found = judged(changed(arena, "crowd-shy", needs={**needs, "shooting": 10, "strength": 10}))
    assert [item.option for item in found.closed] == ["crowd-shy"]


def test_what_an_option_asks_for_may_be_brought_along(arena: Game) -> None:
    found = {item.option: item for item in judged(arena).options}
    # Nobody is born with a buckle to repair: an armour brings it.
    assert arena.cards[found["spare-buckle"].by].kind == "armour"
    assert found["second-wind"].by == ""


def test_a_card_that_no_band_can_field(arena: Game) -> None:
    found = judged(changed(arena, "quarry-thane", availability=0))
    (barred,) = found.barred
    assert (barred.card, barred.broken) == ("quarry-thane", ("ADM-016",))


def test_six_hundred_options_are_looked_through_in_seconds(arena: Game) -> None:
    options = [item.option for item in judged(arena).options]
    more: dict[str, Card] = {}
    for number in range(600 - len(options)):
        card = arena.cards[options[number % len(options)]]
        more[f"option-{number}"] = structs.replace(card, id=f"option-{number}")
    large = structs.replace(arena, cards={**arena.cards, **more})
    start = time.process_time()
    found = judged(large)
    assert len(found.options) == 600 and found.closed == ()
    assert time.process_time() - start < 15


numbers = st.dictionaries(st.sampled_from("abcd"), st.none() | st.integers())


@given(numbers, numbers)
def test_updated_takes_what_is_stated_and_no_other_key(
    own: dict[str, int | None], other: dict[str, int | None]
) -> None:
    made = updated(own, other)
    assert made.keys() == own.keys()
    for name, value in made.items():
        assert value == (own[name] if other.get(name) is None else other[name])
    assert updated(own, None) == own

"""What shipped cards print of their own odds is what `cardgen odds` says, and what counting by hand says."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from cardgen.diagnostics import Report
from cardgen.faces.make import FaceMaker
from cardgen.model.card import Card
from cardgen.model.game import Game
from cardgen.model.odds import Chance, chance_view, whole_percent
from cardgen.pipeline.odds import answer, card_with_odds
from tests.rules.shipped import project, translated

LANGUAGES = ("en", "es", "ru")


@cache
def _maker() -> FaceMaker:
    return FaceMaker(project(), Report())


def in_language(game: str, lang: str) -> Game:
    source = project().games[game]
    return source if lang == "en" else translated(source, lang)


def shown(card: Card, game: Game, side: str = "front") -> list[str]:
    """The per cent that one side of a card shows, as texts, in order."""
    maker = _maker()
    face = maker.make(card_with_odds(game, card, maker.report), game, side)  # type: ignore[arg-type]
    assert face is not None and not maker.report.items, [item.message for item in maker.report.items]
    cells = re.findall(
        r'<div class="odds-share">([^<]+)<|<td class="pass">([^<]+)<|<b>([^<]+)<span class="odds-p', face.html
    )
    return [next(part for part in cell if part).replace("&lt;", "<").replace("&gt;", ">") for cell in cells]


def told(game: Game, call: str, result: str, least: int | None = None) -> str:
    """What `cardgen odds CALL` says of a result, or of so many and more, as cards write it."""
    chance = _chance(game.id, call, result)
    return whole_percent(float(chance.of(True) if least is None else chance.at_least(least)))


@cache
def _chance(game: str, call: str, result: str) -> Chance:
    # numbers do not depend on the language
    (chance,) = answer(project().games[game], call, [result]).chances
    return chance


def weapons(game: Game) -> list[Card]:
    kinds = ("equipment", "supply")
    return [card for card in game.cards.values() if card.kind in kinds and card.values.get("is_weapon")]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_weapons_show_the_chances_of_their_own_dice(lang: str) -> None:
    game = in_language("twd", lang)
    found = weapons(game)
    assert len([card for card in found if card.values["dice"]]) >= 15
    for card in found:
        dice: Any = card.values.get("dice") or []
        if not dice:
            assert shown(card, game) == []
            continue
        faces = [[(int(face[0]) if face[0].isdigit() else 0, "!" in face) for face in die.faces] for die in dice]
        rolls = list(product(*faces))
        sums = [sum(number for number, _ in roll) for roll in rolls]
        counted = [
            Fraction(sum(1 for one in sums if one >= least), len(rolls)) for least in (1, 2, 3) if least <= max(sums)
        ]
        headshots = Fraction(sum(1 for roll in rolls if any(hit for _, hit in roll)), len(rolls))
        expected = [whole_percent(float(share)) for share in [*counted, *([headshots] if headshots else [])]]
        assert shown(card, game) == expected, card.id
        pool = "+".join(f"1{die.id}" for die in dice)
        assert expected[0] == told(game, f"alone({pool})", "successes", 1)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_gear_shows_what_its_damage_comes_to(lang: str) -> None:
    game = in_language("zcorps", lang)
    gear = [card for card in game.cards.values() if card.kind == "gear"]
    armed = [card for card in gear if card.values.get("damage")]
    assert len(armed) >= 15
    for card in gear:
        damage: Any = card.values.get("damage")
        if not damage:
            assert shown(card, game) == []
            continue
        usual = (10, 15, 20, 25) if damage["dice"] > 3 else (5, 10, 15, 20)
        call = f"test({damage['dice']}, {damage['pips']})"
        assert shown(card, game) == [told(game, call, "total", least) for least in usual], card.id


@pytest.mark.parametrize("lang", LANGUAGES)
def test_characters_show_what_each_code_passes(lang: str) -> None:
    game = in_language("zcorps", lang)
    people = [card for card in game.cards.values() if card.kind == "person"]
    for card in people:
        values: Any = card.values
        codes = [*values["characteristics"].values(), *values["skills"]]
        expected = [
            told(game, f"test({code['dice']}, {code['pips']}, {difficulty})", "passed")
            for code in codes
            for difficulty in (10, 15, 20)
        ]
        assert shown(card, game, "back") == expected, card.id


def test_a_code_by_hand() -> None:
    """2D against 10: the wild die alone shows 6 and more, or 4 and 5 beside a 6 and a 5."""
    game = project().games["zcorps"]
    wild = {n: Fraction(1, 6) for n in range(1, 6)} | {6 + n: Fraction(1, 36) for n in range(1, 6)}
    wild[12] = Fraction(1, 36)  # and more
    by_hand = sum(share / 6 for number, share in wild.items() for other in range(1, 7) if number + other >= 10)
    assert told(game, "test(2)", "total", 10) == whole_percent(float(by_hand)) == "24"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_event_cards_show_the_chance_that_they_make(lang: str) -> None:
    game = in_language("zombies", lang)
    calls = {
        "hedge-shears": ("fight(0, 1)", "wins"),
        "frying-pan": ("fight(0, 1)", "wins"),
        "nail-gun": ("fight(1)", "wins"),
        "one-in-the-barrel": ("fight(1)", "wins"),
        "steady-breath": ("second-die", "wins"),
        "second-look": ("second-search", "useful"),
    }
    for card in game.cards.values():
        if card.kind == "event":
            expected = [told(game, *calls[card.id])] if card.id in calls else []
            assert shown(card, game) == expected, card.id


def test_event_cards_by_hand() -> None:
    game = project().games["zombies"]
    two = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    again = sum(max(a + b, max(a, b) + c) >= 7 for a, b in two for c in range(1, 7))
    assert told(game, "second-die", "wins") == whole_percent(again / 216) == "81"
    assert told(game, "fight(0, 1)", "wins") == whole_percent(sum(a + b + 1 >= 7 for a, b in two) / 36) == "72"
    # ZOM: search finds something on 11 to 19; a second roll where the first did not
    assert told(game, "second-search", "useful") == whole_percent(float(1 - Fraction(11, 20) ** 2)) == "70"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_player_cards_show_fights_with_none_one_and_two_bullets(lang: str) -> None:
    game = in_language("zombies", lang)
    for card in game.cards.values():
        if card.kind == "player":
            # facts: 7/12 and, with a bullet, 5/6
            assert shown(card, game) == ["58", "83", "97"]
    assert [told(game, f"fight({n})", "wins") for n in range(3)] == ["58", "83", "97"]


def test_what_is_shown_is_the_view_of_what_is_told() -> None:
    game = project().games["twd"]
    card = card_with_odds(game, game.cards["fire-axe"], Report())
    held: Any = card.values["odds"]
    assert held["alone"]["results"]["successes"] == chance_view(answer(game, "alone(1blue)").chances[0])


def test_per_cent_never_lie_about_what_is_possible_or_certain() -> None:
    shares = (0.0, 0.001, 0.004, 0.5, 0.996, 0.9999, 1.0)
    assert [whole_percent(share) for share in shares] == ["0", "<1", "<1", "50", ">99", ">99", "100"]

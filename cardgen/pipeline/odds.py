"""Odds of a game: calls of its situations computed with its dice and its rules, and given to cards as plain values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct, structs

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.model.card import Card
from cardgen.model.component import Component, OddsCards
from cardgen.model.game import Die, Game
from cardgen.model.odds import Chance, Situation, chance_view
from cardgen.odds.compute import chances, given_of, pool_situation
from cardgen.odds.pools import OddsProblem, read_call
from cardgen.rules.missing import MissingData
from cardgen.rules.packs import evaluate
from cardgen.text.expressions import Expression, ExpressionError, compile_expression


class Answer(Struct, frozen=True):
    """What was asked, as a situation and what it was told, and the chances of its results."""

    situation: Situation
    given: Mapping[str, str]
    chances: tuple[Chance, ...]


def answer(game: Game, text: str, only: Collection[str] = ()) -> Answer:
    """The odds of a call such as `attack(2white, 1red)`, or of bare dice; of `only` some results, if any are named.

    Raises OddsProblem.
    """
    call = read_call(text)
    if call is None or (call.name not in game.odds and call.name in game.dice and not call.placed and not call.named):
        situation, given = pool_situation(text, game.dice), dict[str, str]()
    elif call.name not in game.odds:
        hint = did_you_mean(call.name, [*game.odds, *game.dice])
        raise OddsProblem(
            f"there are no odds `{call.name}`" + (f"; {hint}" if hint else f"; known: {', '.join(game.odds)}")
        )
    else:
        situation = game.odds[call.name]
        given = given_of(situation, call)
    found = chances(situation, given, game.dice, lambda name, told: _formula(game, name, told), only)
    told = {
        name: given.get(name, item.dice if item.number is None else str(item.number))
        for name, item in situation.given.items()
    }
    return Answer(situation, told, found)


def asked(found: Answer) -> str:
    """What was asked, in words: the situation and what it was told that differs from what it takes for granted; all
    that it was told where nothing differs."""
    situation = found.situation
    usual = {name: item.dice if item.number is None else str(item.number) for name, item in situation.given.items()}
    told = {name: value for name, value in found.given.items() if value != usual[name]} or found.given
    given = ", ".join(f"{situation.given[name].title} {value or '0'}" for name, value in told.items())
    return situation.title + (f": {given}" if given else "")


def _formula(game: Game, name: str, arguments: Mapping[str, Any]) -> Any:
    pack = game.packs.get(game.rules)
    formula = pack.formulas.get(name) if pack is not None else None
    if pack is None or formula is None:
        hint = did_you_mean(name, pack.formulas) if pack is not None else ""
        raise OddsProblem(f"the rules have no formula `{name}`" + (f"; {hint}" if hint else ""))
    try:
        return evaluate(formula, arguments, pack, game, {})
    except (ExpressionError, MissingData) as error:
        raise OddsProblem(f"formula `{name}`: {error}") from None


def check_odds(game: Game, report: Report) -> None:
    """Report situations that cannot be computed with what they take for granted, and cards whose odds cannot be."""
    for situation in game.odds.values():
        try:
            chances(situation, {}, game.dice, lambda name, told: _formula(game, name, told))
        except OddsProblem as error:
            report.add("CG670", situation.span, odds=situation.id, problem=str(error))


def with_answers(game: Game, component: Component, report: Report) -> Game:
    """The game with the answer to every call of a component of odds; what cannot be computed is reported."""
    assert isinstance(component.options, OddsCards)
    wanted: dict[str, set[str] | None] = {}
    places: dict[str, Span] = {}
    for face in component.options.faces:
        for call in face.calls:
            # None stands for every result.
            asked = wanted.get(call, set())
            wanted[call] = asked | {*face.results} if face.results and asked is not None else None
            places.setdefault(call, component.place(f"faces.{face.id}.asks"))
    answers: dict[str, tuple[Chance, ...]] = {}
    for call, results in wanted.items():
        try:
            answers[call] = answer(game, call, results or ()).chances
        except OddsProblem as error:
            if not any(item.span == places[call] for item in report.items):
                report.add("CG406", places[call], component=component.id, problem=f"`{call}`: {error}")
    return structs.replace(game, answers=answers)


def with_odds(game: Game, report: Report) -> Game:
    """The game with `odds` among the values of every card whose kind declares some: plain values for its layout.

    Cards that have theirs keep them.
    """
    known: dict[tuple[object, ...], dict[str, object]] = {}
    cards = {}
    for card in game.cards.values():
        declared = game.kinds[card.kind].odds
        wanted = declared and "odds" not in card.values
        cards[card.id] = _with_odds(game, card, known, report) if wanted else card
    return structs.replace(game, cards=cards)


def card_with_odds(game: Game, card: Card, report: Report) -> Card:
    """One card with its odds worked out anew."""
    return _with_odds(game, card, {}, report) if game.kinds[card.kind].odds else card


def _with_odds(game: Game, card: Card, known: dict[tuple[object, ...], dict[str, object]], report: Report) -> Card:
    found: dict[str, object] = {}
    for name, wanted in game.kinds[card.kind].odds.items():
        situation = game.odds.get(wanted.of)
        if situation is None:
            hint = did_you_mean(wanted.of, game.odds)
            if not any(item.span == wanted.span for item in report.items):
                report.add("CG104", wanted.span, hint, what="odds", name=wanted.of)
            found[name] = None
            continue
        try:
            context = {"card": {"id": card.id, "kind": card.kind, "copies": card.copies, **card.values}}
            if wanted.when and not _compiled(wanted.when).run(context):
                found[name] = None
                continue
            given = {key: _told(_compiled(source).run(context)) for key, source in wanted.given.items()}
            for result in wanted.results:
                if result not in situation.results:
                    hint = did_you_mean(result, situation.results)
                    raise OddsProblem(f"`{situation.id}` has no result `{result}`" + (f"; {hint}" if hint else ""))
            key = (situation.id, wanted.results, *sorted(given.items()))
            if key not in known:
                made = chances(situation, given, game.dice, lambda id, told: _formula(game, id, told), wanted.results)
                known[key] = view(situation.title, made)
            found[name] = known[key]
        except (OddsProblem, ExpressionError) as error:
            found[name] = None
            report.add("CG671", wanted.span, odds=name, card=card.id, problem=str(error))
    return structs.replace(card, values={**card.values, "odds": found})


@lru_cache(maxsize=1024)
def _compiled(source: str) -> Expression:
    """Every card of a kind is asked the same."""
    return compile_expression(source)


def _told(value: object) -> str:
    """What an expression over a card gives: a list of dice as a pool, anything else as it is written."""
    if isinstance(value, (list, tuple)):
        names = [item.id for item in value if isinstance(item, Die)]
        return "+".join(f"{names.count(name)}{name}" for name in dict.fromkeys(names)) or "0"
    return "0" if value is None else str(value)


def view(title: str, found: tuple[Chance, ...]) -> dict[str, object]:
    """Chances as plain values for layouts: a result by its id, percentages as numbers, fractions as text."""
    return {"title": title, "results": {chance.id: chance_view(chance) for chance in found}}

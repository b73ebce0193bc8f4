"""A band's entries as cards to print: each its own card, trained and equipped as the band says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import structs

from cardgen.diagnostics import Report
from cardgen.model.band import Band, Entry
from cardgen.model.card import Card, Deck
from cardgen.model.game import BandKind, Game, Kind, Print
from cardgen.rules.costs import priced, readings_of
from cardgen.rules.language import compile_rule
from cardgen.rules.missing import MissingData
from cardgen.rules.packs import context_of
from cardgen.text.expressions import Expression, ExpressionError, compile_expression


def entry_cards(game: Game, band: Band, report: Report) -> list[Card]:
    """The cards of all entries of a band, in their order; entries without a card have none.

    What cannot be worked out is reported and is `none` on the card.
    """
    kind, pack = game.bands[band.kind], game.packs[band.pack]
    base = {**context_of(pack, game), "rulings": readings_of(pack, band.rulings)}
    seen = {**base, "band": priced(kind, band.values, base)}
    entries: Any = seen["band"].get(kind.entries) or ()
    made = (_card(game, band, kind, item, number, seen, report) for number, item in enumerate(entries, 1))
    return [card for card in made if card is not None]


def entry_card(game: Game, band: Band, number: int, report: Report) -> Card | None:
    """The card of one entry of a band, counted from 1; None when the entry has no card or there is no such entry."""
    wanted = entry_id(band, number)
    return next((card for card in entry_cards(game, band, report) if card.id == wanted), None)


def entry_id(band: Band, number: int) -> str:
    """The id of the card of an entry, counted from 1."""
    return f"{band.id}-{number}"


def entry_ids(band: Band, kind: BandKind) -> list[str]:
    """The ids that the cards of a band's entries have."""
    entries: Any = band.values.get(kind.entries) or ()
    return [entry_id(band, number) for number in range(1, len(entries) + 1)]


def own_card(kind: BandKind, item: Any) -> Any:
    """The card that an entry of a band is of, as rules see it; None for none."""
    own = kind.own
    if own is None:
        return None
    return item if not own[0] else item.get(own[0])


def _card(
    game: Game, band: Band, kind: BandKind, item: Any, number: int, seen: Mapping[str, Any], report: Report
) -> Card | None:
    own = own_card(kind, item)
    stamp = item.get(kind.choices.version) if kind.choices is not None and kind.choices.version else None
    base, version = game.card_of(str(own["id"]), stamp) if own is not None else (None, "")
    if base is None:
        return None
    # Of an entry that was kept at a version, that is the version of the game.
    seen = {**seen, "game": {**seen["game"], "version": version}}
    stated: dict[str, object] = {}
    for name, source in kind.card.items():
        try:
            stated[name] = compile_rule(source).run({**seen, "it": item})
        except (ExpressionError, MissingData) as error:
            stated[name] = None
            report.add("CG630", kind.span, field=name, entry=entry_id(band, number), problem=str(error))
    span = item.span if isinstance(item, Entry) else band.values.span
    made = Card(entry_id(band, number), base.kind, {**base.values, **stated}, 1, span, {})
    return _worked_out(game, made, stated, kind, report)


def _worked_out(game: Game, card: Card, stated: Mapping[str, object], kind: BandKind, report: Report) -> Card:
    """The card with the fields that follow from others computed anew, but for those that the band states."""
    # what was computed for the card that this one is made of is no longer so
    values = {name: value for name, value in card.values.items() if name != "odds"}
    for name, expression in _derived(game.kinds[card.kind]):
        if name not in stated:
            try:
                values[name] = expression.run({"card": {"id": card.id, "kind": card.kind, "copies": 1, **values}})
            except ExpressionError as error:
                values[name] = None
                report.add("CG630", kind.span, field=name, entry=card.id, problem=str(error))
    return structs.replace(card, values=values)


def band_card_id(band: Band) -> str:
    """The id of the card that a whole band is."""
    return f"{band.id}-card"


def with_band_card(game: Game, band: Band, report: Report) -> Game:
    """The game with the card that a whole band is, as `itself` of its kind says; unchanged where that says nothing.

    What cannot be worked out is reported and is `none` on the card.
    """
    kind, pack = game.bands[band.kind], game.packs[band.pack]
    itself = kind.itself
    if itself is None:
        return game
    named: Any = band.values.get(itself.of) if itself.of else None
    base = game.cards.get(str(named["id"])) if named is not None else None
    values: dict[str, object] = {name: field.default for name, field in game.kinds[itself.kind].fields.items()}
    seen = {**context_of(pack, game), "rulings": readings_of(pack, band.rulings), "band": band.values}
    stated: dict[str, object] = {}
    for name, source in itself.shows.items():
        try:
            stated[name] = compile_rule(source).run(seen)
        except (ExpressionError, MissingData) as error:
            stated[name] = None
            report.add("CG630", kind.span, field=name, entry=band_card_id(band), problem=str(error))
    values |= {**(base.values if base is not None else {}), **stated}
    card = Card(band_card_id(band), itself.kind, values, 1, band.values.span, {})
    return structs.replace(game, cards={**game.cards, card.id: _worked_out(game, card, stated, kind, report)})


def _derived(kind: Kind) -> Iterator[tuple[str, Expression]]:
    """The derived fields of a kind that loaded, in an order in which they can be computed."""
    left = {name: _compiled(source) for name, source in kind.derived.items()}
    while left:
        ready = [name for name, item in left.items() if not {of for _, of in item.attributes} & (left.keys() - {name})]
        for name in ready or list(left):
            yield name, left.pop(name)


@lru_cache(maxsize=1024)
def _compiled(source: str) -> Expression:
    return compile_expression(source)


def with_entries(game: Game, band: Band, report: Report) -> tuple[Game, Print]:
    """The game with the cards of a band's entries and a deck of them, and a print of that deck."""
    cards = entry_cards(game, band, report)
    span = band.values.span
    deck = Deck(band.id, band.title, {card.id: 1 for card in cards}, span)
    changed = structs.replace(
        game, cards={**game.cards, **{card.id: card for card in cards}}, decks={**game.decks, deck.id: deck}
    )
    return changed, Print(band.id, band.title, game.version, "", deck.id, (), None, "duplex", span)

"""Cards once more, by another layout at another size: character sheets, rosters. Millimetres."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cardgen.components.trims import derived_trim
from cardgen.errors import CannotMake
from cardgen.model.card import Card, card_view
from cardgen.model.component import Component, Sheets
from cardgen.model.cutout import Cutout, Panel
from cardgen.model.game import Field, Game


def make_sheets(component: Component, game: Game) -> list[Cutout]:
    """A sheet for each card. `piece` has the `card`, and `cards`: those that it names, by id. Raises CannotMake."""
    options = component.options
    assert isinstance(options, Sheets)
    if not component.layout:
        raise CannotMake("nothing says how these sheets look; state `layout`", "layout")
    trim = derived_trim(options.width, options.height)
    made = []
    for card, copies in _cards(options, game):
        label = f"{component.id}/{card.id}"
        values = {"title": component.title, "card": card_view(card), "cards": _named(card, game)}
        panel = Panel(label, component.layout, trim, values)
        made.append(Cutout(label, component.title, trim.size, (panel,), copies=copies, group=component.id))
    return made


def _cards(options: Sheets, game: Game) -> list[tuple[Card, int]]:
    """The cards, and how many sheets of each."""
    if options.only is not None:
        return [(game.cards[id], copies) for id, copies in options.only.items() if id in game.cards]
    if options.deck is not None:
        return [(game.cards[id], options.each) for id in game.decks[options.deck].cards if id in game.cards]
    if not options.kinds:
        raise CannotMake("sheets of nothing: expected `kinds` or a `deck`", "kinds")
    return [(card, options.each) for kind in options.kinds for card in game.cards.values() if card.kind == kind]


def _named(card: Card, game: Game) -> dict[str, dict[str, object]]:
    """The cards that a card's fields name, as layouts see them."""
    fields = game.kinds[card.kind].fields
    ids = (id for name, field in fields.items() for id in _ids(card.values.get(name), field))
    return {id: card_view(game.cards[id]) for id in ids if id in game.cards}


def _ids(value: object, field: Field) -> Iterator[str]:
    if field.type == "card":
        if isinstance(value, str):
            yield value
    elif field.of is not None and value:
        items = value.values() if isinstance(value, Mapping) else value
        for item in items:  # type: ignore[attr-defined]
            yield from _ids(item, field.of)
    elif field.fields and isinstance(value, Mapping):
        for name, inner in field.fields.items():
            yield from _ids(value.get(name), inner)

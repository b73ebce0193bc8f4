"""Cards that no print prints, because nobody put them into a deck."""

from __future__ import annotations

from collections.abc import Collection

from cardgen.diagnostics import Report
from cardgen.model.game import Game


def check_printed(game: Game, prints: Collection[str], report: Report) -> None:
    """Report each card that is in no deck, while cards of its kind are printed by decks alone.

    `prints` are the ids of the prints that are looked at. A card of no copies is meant to stay unprinted. Where
    something is wrong nothing is said: the deck that has the card may be what could not be read.
    """
    if game.partial or report.has_errors():
        return
    by_kind = {kind for item in game.prints.values() for kind in item.kinds}
    somewhere = {id for deck in game.decks.values() for id in deck.cards}
    # the decks that print cards of a kind, and the prints that are made of them
    decks: dict[str, dict[str, str]] = {}
    for item in game.prints.values():
        deck = game.decks.get(item.deck or "")
        for id in deck.cards if deck is not None and item.id in prints else ():
            if id in game.cards and deck is not None:
                decks.setdefault(game.cards[id].kind, {}).setdefault(deck.id, item.id)
    for card in game.cards.values():
        at = decks.get(card.kind)
        if card.copies and at and card.kind not in by_kind and card.id not in somewhere:
            files = " or ".join(f"`{game.decks[id].span.file}`" for id in at)
            hint = f"name it in {files}; a card that is not to be printed has `copies: 0`"
            named = ", ".join(f"`{id}` (print `{made}`)" for id, made in at.items())
            report.add("CG124", card.span, hint, card=card.id, kind=card.kind, decks=named)

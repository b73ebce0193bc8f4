"""Cards and decks."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from cardgen.diagnostics import Span

NOWHERE = Span("")


class Card(Struct, frozen=True):
    """One card: the values of its kind's fields, derived fields included, and where each was written.

    `places` maps a path such as `dice.0` to the (line, column) of its value in `file`.
    """

    id: str
    kind: str
    values: Mapping[str, object]
    copies: int
    span: Span
    places: Mapping[str, tuple[int, int]]
    # False when a value was wrong and reported: what stands in its place was never written
    sound: bool = True
    # the layout of its back, in place of its deck's or kind's
    back: str | None = None
    # its own version and the date of its last correction (yyyy-mm-dd), where it has any
    revision: str = ""
    errata: str = ""

    def place(self, path: str) -> Span:
        """Where the value at `path` stands; the card's own place when it was not written."""
        line, column = self.places.get(path, (self.span.line, self.span.column))
        return Span(self.span.file, line, column)


def card_view(card: Card) -> dict[str, object]:
    """A card as expressions and layouts see it."""
    return {
        "id": card.id,
        "kind": card.kind,
        "copies": card.copies,
        "back": card.back,
        "revision": card.revision,
        "errata": card.errata,
        **card.values,
    }


class Deck(Struct, frozen=True):
    """How many copies of which cards, in the order they are printed."""

    id: str
    title: str
    cards: Mapping[str, int]
    span: Span
    # the layout of its cards' backs, in place of their kinds', and where it stands
    back: str | None = None
    back_span: Span = NOWHERE
    # cards that it names and that could not be read
    lost: tuple[str, ...] = ()


def back_of(card: Card, deck: Deck | None, kind_back: str | None) -> str | None:
    """The layout of a card's back: what the card states, else the deck it is printed in, else its kind."""
    return card.back or (deck.back if deck is not None else None) or kind_back

"""A kit: what one evening's bands need on paper, as `kit:` of game.yaml states it. Expressions as written."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from cardgen.diagnostics import Span

# What a part is printed on, which is also what parts one file of a kit from the next.
Stock = Literal["card", "label", "paper"]


class KitPart(Struct, frozen=True):
    """One line of a kit.

    Cards: `cards`, over `it`, an entry of a band (the cards it brings), `brings`, over `band`, `entries`, every entry as
    the card that it is printed as, `itself`, every band as the card that it is, or a whole `deck`. Components:
    `component`, of these cards where it is made of cards, `each` times where that is stated. `when` leaves the part out
    where it is not so. `each` and `when` see `setup`, the set-up lines of the first band, and `bands`.
    """

    deck: str
    component: str
    cards: str
    each: str
    when: str
    stock: Stock
    span: Span
    entries: bool = False
    itself: bool = False
    brings: str = ""

    @property
    def of_cards(self) -> bool:
        """Whether it says which cards, for itself or for a component that is made of them."""
        return bool(self.cards or self.brings or self.entries or self.itself)

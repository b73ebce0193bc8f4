"""Bands: what a player fields, as the game declares it, and what it is judged by."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from cardgen.diagnostics import Span


class Entry(dict[str, object]):
    """A mapping that expressions read, where it was written, and what messages call it (empty: by its name).

    Records of bands and cards in rules are entries.
    """

    __slots__ = ("called", "span")

    def __init__(self, values: Mapping[str, object], span: Span, called: str = "") -> None:
        super().__init__(values)
        self.span = span
        self.called = called


class Waiver(Struct, frozen=True):
    """A rule that the players agreed to leave aside, and why."""

    rule: str
    reason: str
    span: Span


class Band(Struct, frozen=True):
    """One band: its values as expressions see them, the rulings it is played by, what it waives.

    `expected` is the verdict that its author says it should get, for bands that serve as examples; empty for none.
    """

    id: str
    title: str
    kind: str
    pack: str
    values: Entry
    rulings: Mapping[str, str]
    waivers: tuple[Waiver, ...]
    expected: str
    expected_rules: tuple[str, ...]
    file: str
    # where its rulings and expected rules are named, by id
    places: Mapping[str, Span] = field(default_factory=dict)
    # the values as they are written that hold more than ASCII, by path (`entries.0.name`): a font may lack their letters
    texts: Mapping[str, tuple[str, Span]] = field(default_factory=dict)


def deck_entry(title: str, copies: Mapping[str, int], cards: Mapping[str, Entry], span: Span) -> Entry:
    """A deck as rules see it: its title, and `cards`, each with `card` and `copies`."""
    items = tuple(Entry({"card": cards[id], "copies": count}, span) for id, count in copies.items())
    return Entry({"title": title, "cards": items}, span)

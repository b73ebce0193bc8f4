"""What may be chosen for the entries of a band: which options nobody can have, which cards no band can field.

An option is open to a card when an entry of that card that has it breaks no rule about entries which it does not break
without it. What the option asks for may be brought along: the entry's values at their most, and one more option.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from cardgen.model.band import Entry
from cardgen.model.card import Card, card_view
from cardgen.model.game import BandKind, Choices, Field, Game
from cardgen.model.rules import Finding, Pack
from cardgen.rules.costs import priced, readings_of
from cardgen.rules.engine import judge
from cardgen.rules.language import compile_rule
from cardgen.rules.missing import MissingData
from cardgen.rules.packs import context_of
from cardgen.text.expressions import ExpressionError

_Wrong = frozenset[tuple[str, str]]


class Open(Struct, frozen=True):
    """An option, the list that holds it, and how it was found to be open: to which card, with which other option.

    `to` is empty when no card can have it; `broken` then names the rules that are broken where the fewest are.
    """

    option: str
    of: str
    to: str = ""
    by: str = ""
    broken: tuple[str, ...] = ()


class Fielded(Struct, frozen=True):
    """A card that bands field; `broken` says what is wrong with the best band that was tried, nothing when it is legal."""

    card: str
    broken: tuple[str, ...] = ()


class Catalogue(Struct, frozen=True):
    """What one kind of band may choose from."""

    kind: BandKind
    cards: tuple[Fielded, ...]
    options: tuple[Open, ...]

    @property
    def closed(self) -> tuple[Open, ...]:
        """The options that nobody can have."""
        return tuple(option for option in self.options if not option.to)

    @property
    def barred(self) -> tuple[Fielded, ...]:
        """The cards that no legal band can field."""
        return tuple(card for card in self.cards if card.broken)


def catalogue_of(game: Game, kind: BandKind) -> Catalogue:
    """Every card and every option of a kind of band that states its choices."""
    assert kind.choices is not None
    trying = _Trying(game, kind, kind.choices)
    cards = tuple(trying.fielded(card) for card in trying.cards)
    return Catalogue(kind, cards, tuple(trying.open(name, card) for name, card in trying.options()))


class _Trying:
    """Judges entries of one kind of band by the rules that are about entries."""

    def __init__(self, game: Game, kind: BandKind, choices: Choices) -> None:
        self.game, self.kind, self.choices = game, kind, choices
        self.pack: Pack = game.packs[kind.pack]
        self.record = kind.entry
        own = kind.own
        assert own is not None  # options are lists of a record whose first card is its own
        self.own, field = own
        about = [
            rule for rule in self.pack.rules.values() if rule.scope == "band" and kind.id in (rule.kinds or [kind.id])
        ]
        self.rules = [rule for rule in about if rule.severity == "error"]
        self.of_entries = [rule for rule in self.rules if rule.each == f"band.{kind.entries}"]
        self.base = {**context_of(self.pack, game), "rulings": readings_of(self.pack, {})}
        self.views = {card.id: Entry(card_view(card), card.span) for card in game.cards.values()}
        self.cards = [card for card in game.cards.values() if not field.kinds or card.kind in field.kinds]
        self.bare = {card.id: self._entry(card) for card in self.cards}
        self.best = {id: self._best(entry) for id, entry in self.bare.items()}
        self.wrong = {id: self._wrong(entry) for id, entry in self.best.items()}
        # With every helper at once: what is still wrong then, no single one can mend.
        self.helpers = [(name, card) for name in choices.helped_by for card in self._kin(name)]
        self.laden = {id: self._laden(entry) for id, entry in self.best.items()}
        self.wrong_laden = {id: self._wrong(entry) for id, entry in self.laden.items()}
        self.helps: dict[tuple[str, str], bool] = {}
        self.words = {card.id: _words(card.values) for card in self.cards}

    def options(self) -> Iterator[tuple[str, Card]]:
        """Every option with the list that holds it, each once."""
        seen = set()
        for name in self.choices.options:
            field = self.record.fields[name].of
            assert field is not None
            for card in self.game.cards.values():
                if card.id not in seen and card.kind in (field.kinds or [card.kind]) and not self._skipped(card):
                    seen.add(card.id)
                    yield name, card

    def open(self, name: str, option: Card) -> Open:
        """Whether any card can have the option."""
        fewest: _Wrong | None = None
        wanted = _words(option.values)
        # Who has most of the words that the option names (its race, its god) can most likely have it.
        for card in sorted(self.cards, key=lambda card: -len(wanted & self.words[card.id])):
            entry = _added(self.best[card.id], name, self.views[option.id])
            wrong = self._wrong(entry) - self.wrong[card.id]
            by = "" if not wrong else self._helper(card, entry, name, option)
            if not wrong or by:
                return Open(option.id, name, card.id, by)
            fewest = wrong if fewest is None or len(wrong) < len(fewest) else fewest
        return Open(option.id, name, broken=tuple(sorted({rule for rule, _ in fewest or ()})))

    def fielded(self, card: Card) -> Fielded:
        """Whether a band of this card alone can be legal, whatever is chosen for the band itself."""
        fewest: set[str] | None = None
        for values in self._bands(self.bare[card.id]):
            context = {**self.base, "band": priced(self.kind, values, self.base)}
            found = judge(self.pack, self.rules, context, card.id, card.span, {}, {}, self.game)
            wrong = {finding.rule for finding in found if finding.verdict == "illegal"}
            fewest = wrong if fewest is None or len(wrong) < len(fewest) else fewest
            if not wrong:
                break
        return Fielded(card.id, tuple(sorted(fewest or ())))

    def _bands(self, entry: Entry) -> Iterator[Entry]:
        """Bands of one entry: with nothing else stated, and with each value of each choice of the band."""
        empty = {name: _nothing(field) for name, field in self.kind.fields.items()}
        plain = {"title": "", "kind": self.kind.id, **empty, self.kind.entries: (entry,)}
        for name, field in self.kind.fields.items():
            for value in field.values if field.type == "choice" else ():
                yield Entry({**plain, name: value}, entry.span)
        yield Entry(plain, entry.span)

    def _entry(self, card: Card) -> Entry:
        empty = {name: _nothing(field) for name, field in self.record.fields.items()}
        return Entry({**empty, self.own: self.views[card.id]}, card.span)

    def _best(self, entry: Entry) -> Entry:
        values = dict(entry)
        for name, source in self.choices.best.items():
            try:
                value = compile_rule(source).run({**self.base, "it": entry})
            except (ExpressionError, MissingData):
                continue
            fields = self.record.fields[name].fields
            values[name] = {**dict.fromkeys(fields), **value} if isinstance(value, Mapping) else value
        return Entry(values, entry.span)

    def _helper(self, card: Card, entry: Entry, name: str, option: Card) -> str:
        """The other option that brings what this one asks for, the first that does; empty for none."""
        if self._wrong(_added(self.laden[card.id], name, self.views[option.id])) - self.wrong_laden[card.id]:
            return ""
        for where, other in self.helpers:
            if other.id == option.id or not self._can_have(card, where, other):
                continue
            if not self._wrong(_added(entry, where, self.views[other.id])) - self.wrong[card.id]:
                return other.id
        return ""

    def _can_have(self, card: Card, name: str, helper: Card) -> bool:
        """Whether an entry of the card may have a helper by itself."""
        key = card.id, helper.id
        if key not in self.helps:
            wrong = self._wrong(_added(self.best[card.id], name, self.views[helper.id]))
            self.helps[key] = not wrong - self.wrong[card.id]
        return self.helps[key]

    def _laden(self, entry: Entry) -> Entry:
        for name, card in self.helpers:
            entry = _added(entry, name, self.views[card.id])
        return entry

    def _kin(self, name: str) -> list[Card]:
        field = self.record.fields[name].of
        assert field is not None
        return [card for card in self.game.cards.values() if card.kind in (field.kinds or [card.kind])]

    def _skipped(self, card: Card) -> bool:
        if not self.choices.skip:
            return False
        try:
            return bool(compile_rule(self.choices.skip).run({**self.base, "option": self.views[card.id]}))
        except (ExpressionError, MissingData):
            return False  # what it says nothing about, it does not skip

    def _wrong(self, entry: Entry) -> _Wrong:
        """What rules about entries find wrong with one; what they cannot judge counts as well."""
        values = Entry({name: _nothing(field) for name, field in self.kind.fields.items()}, entry.span)
        values["title"], values["kind"], values[self.kind.entries] = "", self.kind.id, (entry,)
        found: Sequence[Finding] = judge(
            self.pack, self.of_entries, {**self.base, "band": values}, "", entry.span, {}, {}, self.game
        )
        return frozenset((finding.rule, finding.verdict) for finding in found if finding.verdict != "legal")


def _nothing(field: Field) -> Any:
    """The value of a field that nobody stated."""
    if field.type == "list":
        return ()
    return {name: _nothing(sub) for name, sub in field.fields.items()} if field.type == "record" else field.default


def _words(value: Any) -> frozenset[str]:
    """Every text inside of a value, in one piece."""
    if isinstance(value, str):
        return frozenset({value})
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    return frozenset(word for item in inner for word in _words(item))


def _added(entry: Entry, name: str, option: Entry) -> Entry:
    chosen: Any = entry[name]
    return Entry({**entry, name: (*chosen, option)}, entry.span)

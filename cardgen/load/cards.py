"""Reads cards and decks of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.load import nodes, shapes
from cardgen.load.definitions import CARD_ID, DECK, RESERVED_CARDS, card_shape
from cardgen.load.fields import Known, finish, key_of, read_default
from cardgen.load.game import card_view
from cardgen.load.nodes import Node
from cardgen.load.reader import BAD, Reader
from cardgen.model.card import Card, Deck
from cardgen.model.game import Field, Kind
from cardgen.text.expressions import Expression, ExpressionError

Derived = Mapping[str, list[tuple[str, Expression]]]


def read_cards(
    root: Node,
    file: str,
    kinds: Mapping[str, Kind],
    known: Known,
    derived: Derived,
    cards: dict[str, Card],
    report: Report,
) -> None:
    """Add the cards of one file to `cards`; what is wrong is reported and left out."""
    if not isinstance(root, nodes.Map):
        Reader(report).wrong(root, "a mapping of id to card")
        return
    keys = {kind.id: {name: key_of(field, known) for name, field in kind.fields.items()} for kind in kinds.values()}
    for id, entry in root.entries.items():
        if Reader(report).read(nodes.Scalar(id, entry.key, True), CARD_ID) is BAD:
            continue
        if id in RESERVED_CARDS:
            report.add("CG106", entry.key, what="card", name=id)
            continue
        if id in cards:
            report.add("CG105", entry.key, what="card", name=id, other=f"; the first one is at {cards[id].span}")
            continue
        kind = _kind_of(entry.value, id, kinds, report)
        if kind is not None:
            card = _card(entry.value, id, entry.key, kind, keys[kind.id], known, derived.get(kind.id, []), report)
            if card is not None:
                cards[id] = card


def _kind_of(node: Node, id: str, kinds: Mapping[str, Kind], report: Report) -> Kind | None:
    if not isinstance(node, nodes.Map):
        Reader(report).wrong(node, f"card `{id}`: a mapping")
        return None
    entry = node.entries.get("kind")
    if entry is None:
        report.add("CG025", node.span, key="kind", what=f"card `{id}`")
        return None
    name = Reader(report).read(entry.value, shapes.Name("kind", tuple(kinds)))
    return None if name is BAD else kinds[name]


def _card(
    node: Node,
    id: str,
    place: Span,
    kind: Kind,
    keys: dict[str, shapes.Key],
    known: Known,
    derived: list[tuple[str, Expression]],
    report: Report,
) -> Card | None:
    reader = Reader(report)
    raw = reader.read(node, card_shape(keys, kind.id, id))
    if raw is BAD:
        return None
    values: dict[str, Any] = {}
    for name, field in kind.fields.items():
        value = raw[name]
        if value is None:
            value = read_default(field, known, name, place.file, reader)
        values[name] = finish(value, field, known, name, place.file, reader)
    card = Card(id, kind.id, values, raw["copies"], place, reader.places)
    for name, expression in derived:
        try:
            values[name] = expression.run({"card": card_view(card)})
        except ExpressionError as error:
            values[name] = None
            report.add("CG115", place, card=id, field=name, problem=str(error))
    return card


def check_references(cards: Mapping[str, Card], kinds: Mapping[str, Kind], report: Report) -> None:
    """Report references from card to card that point nowhere or to a card of the wrong kind."""
    for card in cards.values():
        for name, field in kinds[card.kind].fields.items():
            _check_reference(card, card.values[name], field, name, cards, report)


def _check_reference(
    card: Card, value: Any, field: Field, path: str, cards: Mapping[str, Card], report: Report
) -> None:
    if value is None:
        return
    match field.type:
        case "card":
            fitting = [id for id, other in cards.items() if not field.kinds or other.kind in field.kinds]
            if value not in fitting:
                what = " or ".join(field.kinds) or "card"
                report.add("CG104", card.place(path), did_you_mean(value, fitting), what=what, name=value)
        case "list" | "bands" | "record":
            items = value.items() if isinstance(value, Mapping) else enumerate(value)
            for key, item in items:
                inner = field.fields[str(key)] if field.type == "record" else field.of
                assert inner is not None
                _check_reference(card, item, inner, f"{path}.{key}", cards, report)


def read_deck(root: Node, id: str, file: str, cards: Mapping[str, Card], report: Report) -> Deck | None:
    """One deck; cards that do not exist are reported and left out."""
    reader = Reader(report)
    raw = reader.read(root, DECK)
    if raw is BAD:
        return None
    wanted: dict[str, int] = {}
    for name, copies in raw["cards"].items():
        if name in cards:
            wanted[name] = copies
        else:
            place = reader.span(file, f"cards.{name}")
            report.add("CG104", place, did_you_mean(name, cards), what="card", name=name)
    return Deck(id, raw["title"], wanted, reader.span(file, ""))

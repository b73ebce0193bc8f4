"""Reads cards and decks of a game."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from msgspec import Struct, field, structs

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.load import nodes, shapes
from cardgen.load.definitions import CARD_ID, DECK, RESERVED_CARDS, card_shape
from cardgen.load.fields import Known, finish, key_of
from cardgen.load.nodes import Node
from cardgen.load.reader import BAD, Reader
from cardgen.load.recall import Block, Blocks, blocks_of
from cardgen.model.card import Card, Deck, card_view
from cardgen.model.game import Field, Kind
from cardgen.text.expressions import Expression, ExpressionError, TooCostly
from cardgen.text.hashes import begun, written
from cardgen.text.sandbox import split_hint


class KindRules(Struct, frozen=True):
    """How cards of one kind are read: the kind, its lost fields, its derived fields in order."""

    kind: Kind
    lost: frozenset[str]
    derived: tuple[tuple[str, Expression, Span], ...]
    # derived fields that took too long on one card: they are not tried on the others
    costly: set[str] = field(default_factory=set)
    # a hash of all that a card of the kind is read with besides its text; empty when nobody recalls cards
    read_with: bytes = b""


def with_hash(rules: KindRules, known: Known) -> KindRules:
    """The rules with a hash of all that a card of the kind is read with, for somebody who recalls cards."""
    lost = {section: sorted(names) for section, names in sorted(known.lost.items())}
    derived = [(name, place) for name, _, place in rules.derived]
    text = written(rules.kind, sorted(rules.lost), derived, structs.replace(known, lost={}), lost)
    return rules if text is None else structs.replace(rules, read_with=begun(text).digest())


def read_cards(
    root: Node | Blocks,
    rules: Mapping[str, KindRules],
    known: Known,
    cards: dict[str, Card],
    declared: dict[str, Span],
    report: Report,
) -> tuple[bool, bool]:
    """Add the cards of one file to `cards`; what is wrong is reported and left out. Whether it holds cards at all, and
    whether some were read now that can be recalled by another process.

    `declared` takes the place of every card, sound or not, so that references to it are not wrong as well.
    """
    if isinstance(root, nodes.Map):
        root = blocks_of(root)
    if not isinstance(root, Blocks):
        Reader(report).wrong(root, "a mapping of id to card")
        return False, False
    shape_keys = {id: _keys(item, known) for id, item in rules.items()}
    reads = {id: item.read_with for id, item in rules.items() if item.read_with}
    new = False
    for block in root.items:
        id, place = block.key, block.place
        if id in declared:
            report.add("CG105", place, what="card", name=id, other=f"; the first one is at {declared[id]}")
            continue
        declared[id] = place
        last = block.card(reads, known)
        if last is not None:
            card, told = last
            report.extend(told)
        else:
            card, kept = _read_card(block, rules, shape_keys, known, report)
            new |= kept
        if card is not None:
            cards[id] = card
    return not root.torn, new


def _read_card(
    block: Block,
    rules: Mapping[str, KindRules],
    keys: Mapping[str, dict[str, shapes.Key]],
    known: Known,
    report: Report,
) -> tuple[Card | None, bool]:
    """The card of a block, and whether it is kept for another process; None after reporting why there is none."""
    id, place = block.key, block.place
    if Reader(report).read(nodes.Scalar(id, place, True), CARD_ID) is BAD:
        return None, False
    if id in RESERVED_CARDS:
        report.add("CG106", place, what="card", name=id)
        return None, False
    before = len(report.items)
    kind = _kind_of(block.node(), id, known, report)
    if kind is None or kind not in rules:
        return None, False
    card = _card(block.node(), id, place, rules[kind], keys[kind], known, report)
    if not rules[kind].read_with:
        return card, False
    return card, block.keep(kind, rules[kind].read_with, card, tuple(report.items[before:]))


def _keys(rules: KindRules, known: Known) -> dict[str, shapes.Key]:
    keys = {name: key_of(field, known) for name, field in rules.kind.fields.items()}
    return keys | {name: shapes.Key(shapes.Anything(), None) for name in rules.lost}


def _kind_of(node: Node, id: str, known: Known, report: Report) -> str | None:
    if not isinstance(node, nodes.Map):
        Reader(report).wrong(node, f"a mapping for the card `{id}`", "a card is written as lines of `field: value`")
        return None
    entry = node.entries.get("kind")
    if entry is None:
        hint = f"known: {', '.join(known.kinds)}" if len(known.kinds) <= 12 else ""
        if not node.torn:
            report.add("CG025", node.span, hint, key="kind", what=f"card `{id}`")
        return None
    name = Reader(report).read(entry.value, shapes.Name("kind", known.kinds, known.lost_in("kinds")))
    return None if name is BAD else str(name)


def _card(
    node: Node,
    id: str,
    place: Span,
    rules: KindRules,
    keys: dict[str, shapes.Key],
    known: Known,
    report: Report,
) -> Card | None:
    reader = Reader(report)
    kind = rules.kind
    raw = reader.read(node, card_shape(keys, kind.id, id))
    if raw is BAD:
        return None
    values: dict[str, Any] = {
        name: finish(raw[name], field, known, name, place.file, reader) for name, field in kind.fields.items()
    }
    values |= dict.fromkeys((*rules.lost, *kind.derived))
    sound = not reader.bad and not reader.has_unknown
    # A kind may have fields of these names: then they are nothing but its fields.
    revision, errata = ("" if name in kind.fields else str(raw[name] or "") for name in ("revision", "errata"))
    card = Card(id, kind.id, values, raw["copies"], place, reader.places, sound, raw["back"], revision, errata)
    _check_limits(card, kind, report)
    for name, expression, where in rules.derived:
        if name in rules.costly:
            continue
        try:
            values[name] = expression.run({"card": card_view(card)})
        except ExpressionError as error:
            if isinstance(error, TooCostly):
                rules.costly.add(name)
            # A value that could not be read is `none`, and an expression may well stumble over that.
            if sound:
                problem, hint = split_hint(str(error))
                report.add("CG115", where, hint, card=id, field=name, problem=problem)
    return card


def _check_limits(card: Card, kind: Kind, report: Report) -> None:
    """Report values that are printed above what the card itself says is their most."""
    for name, item in kind.fields.items():
        most, printed = card.values[name], card.values.get(item.limits) if item.limits else None
        if not isinstance(most, Mapping) or not isinstance(printed, Mapping):
            continue
        for sub, high in most.items():
            now = printed.get(sub)
            if high is not None and now is not None and now > high:
                hint = f"raise `{name}.{sub}` or lower `{item.limits}.{sub}`"
                report.add("CG128", card.place(f"{name}.{sub}"), hint, field=sub, most=high, printed=now)


def check_references(
    cards: Mapping[str, Card], declared: Mapping[str, Span], kinds: Mapping[str, Kind], report: Report
) -> None:
    """Report references from card to card that point nowhere or to a card of the wrong kind."""
    lost = declared.keys() - cards.keys()
    referring = {id for id, kind in kinds.items() if any(map(_refers, kind.fields.values()))}
    for card in cards.values():
        if card.kind in referring:
            check_references_of(card, cards, lost, kinds, report)


def _refers(field: Field) -> bool:
    """Whether there may be references to cards in a field's values."""
    inner = [*field.fields.values(), *((field.of,) if field.of is not None else ())]
    return field.type == "card" or any(map(_refers, inner))


def check_references_of(
    card: Card, cards: Mapping[str, Card], lost: Set[str], kinds: Mapping[str, Kind], report: Report
) -> None:
    """As `check_references` for one card; `lost` are ids of cards that could not be read."""
    for name, kept in kinds[card.kind].fields.items():
        _check_reference(card, card.values[name], kept, name, cards, lost, report)


def _check_reference(
    card: Card, value: Any, field: Field, path: str, cards: Mapping[str, Card], lost: Set[str], report: Report
) -> None:
    if value is None:
        return
    match field.type:
        case "card":
            if value in lost or (value in cards and (not field.kinds or cards[value].kind in field.kinds)):
                return
            fitting = [id for id, other in cards.items() if not field.kinds or other.kind in field.kinds]
            what = " or ".join(field.kinds) or "card"
            hint = did_you_mean(value, fitting)
            if value in cards:
                hint = f"`{value}` is of kind {cards[value].kind}"
            report.add("CG104", card.place(path), hint, what=what, name=value)
        case "list" | "bands" | "record":
            items = value.items() if isinstance(value, Mapping) else enumerate(value)
            for key, item in items:
                inner = field.fields[str(key)] if field.type == "record" else field.of
                assert inner is not None
                _check_reference(card, item, inner, f"{path}.{key}", cards, lost, report)


def read_deck(
    root: Node, id: str, file: str, cards: Mapping[str, Card], declared: Mapping[str, Span] | None, report: Report
) -> Deck | None:
    """One deck; cards that do not exist are reported and are its `lost` ones, as are those of unusable copies.

    `declared` of None says that a file of cards could not be read: it may hold whatever is missing.
    """
    reader = Reader(report)
    raw = reader.read(root, DECK)
    if raw is BAD:
        return None
    wanted: dict[str, int] = {}
    for name, copies in raw["cards"].items():
        if name in cards:
            wanted[name] = copies
        elif declared is not None and name not in declared:
            place = reader.key_span(file, f"cards.{name}")
            report.add("CG104", place, did_you_mean(name, cards), what="card", name=name)
    lost = (*(name for name in raw["cards"] if name not in wanted), *sorted(reader.lost("cards") - wanted.keys()))
    return Deck(id, raw["title"], wanted, reader.span(file, ""), raw["back"], reader.span(file, "back"), lost)

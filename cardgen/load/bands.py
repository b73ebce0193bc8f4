"""Reads band kinds (game.yaml) and bands (`cards/<game>/bands/*.yaml`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.load import nodes, shapes
from cardgen.load.fields import Known, finish, key_of, make_fields
from cardgen.load.nodes import Node
from cardgen.load.reader import BAD, Reader
from cardgen.load.rule_shapes import band_shape
from cardgen.model.band import Band, Entry, Waiver
from cardgen.model.card import Card, card_view
from cardgen.model.game import BandKind, Choices, Field, Itself, Kind

RESERVED = ("title", "kind", "rules", "rulings", "waivers", "expect")


def make_band_kind(id: str, raw: dict[str, Any], file: str, reader: Reader, known: Known) -> BandKind | None:
    """A band kind from what was read, or None after reporting what is wrong with it."""
    path = f"bands.{id}"
    fields = make_fields(raw["fields"], RESERVED, f"{path}.fields", file, reader, known)
    entries = fields.get(raw["entries"])
    if entries is None or entries.type != "list":
        place = reader.span(file, f"{path}.entries")
        lists = [name for name, field in fields.items() if field.type == "list"]
        if raw["entries"] not in raw["fields"] or entries is not None:
            reader.report.add(
                "CG104", place, did_you_mean(raw["entries"], lists), what="list field", name=raw["entries"]
            )
        return None
    return BandKind(
        id,
        raw["title"],
        raw["pack"],
        fields,
        raw["entries"],
        raw["name"],
        raw["cost"],
        raw["limit"],
        raw["unit"],
        reader.span(file, path),
        raw["card"],
        Choices(**raw["choices"]) if raw["choices"] else None,
        Itself(**raw["itself"]) if raw["itself"] else None,
        raw["at_one_table"],
        raw["states"],
        raw["summary"],
    )


def check_band_kind(kind: BandKind, kinds: Mapping[str, Kind], file: str, places: Reader) -> None:
    """Report what the printed cards and the choices of a kind of band name and what does not exist."""
    report, path = places.report, f"bands.{kind.id}"
    own = kind.own
    shown = {
        name
        for id, item in kinds.items()
        if own is not None and (not own[1].kinds or id in own[1].kinds)
        for name in (*item.fields, *item.derived)
    }
    for name in kind.card:
        if name not in shown:
            place = places.key_span(file, f"{path}.card.{name}")
            report.add("CG104", place, did_you_mean(name, shown), what="field of the entries' cards", name=name)
    _check_itself(kind, kinds, file, places)
    if kind.choices is None:
        return
    fields = kind.entry.fields
    lists = [name for name, item in fields.items() if item.type == "list" and item.of and item.of.type == "card"]
    records = [name for name, item in fields.items() if item.type == "record"]
    texts = [name for name, item in fields.items() if item.type == "text"]
    for key, names, known, what in (
        ("options", kind.choices.options, lists, "list of cards"),
        ("helped_by", kind.choices.helped_by, list(kind.choices.options), "list among the options"),
        ("best", tuple(kind.choices.best), list(fields), "field of an entry"),
        ("printed", tuple(kind.choices.printed), records, "record of an entry"),
        ("least", tuple(kind.choices.least), records, "record of an entry"),
        (
            "fixed",
            tuple(kind.choices.fixed),
            [sub for name in records for sub in fields[name].fields],
            "field of a record",
        ),
        ("version", (kind.choices.version,) if kind.choices.version else (), texts, "text field of an entry"),
    ):
        for index, name in enumerate(names):
            if name not in known:
                at = {"options": f".{index}", "helped_by": f".{index}", "version": ""}.get(key, f".{name}")
                where = f"{path}.choices.{key}{at}"
                report.add("CG104", places.span(file, where), did_you_mean(name, known), what=what, name=name)


def _check_itself(kind: BandKind, kinds: Mapping[str, Kind], file: str, places: Reader) -> None:
    """Report what the card of a whole band names and what does not exist."""
    if kind.itself is None:
        return
    path, itself = f"bands.{kind.id}.itself", kind.itself
    if itself.kind not in kinds:
        if itself.kind not in places.lost("kinds"):
            hint = did_you_mean(itself.kind, kinds)
            places.report.add("CG104", places.span(file, f"{path}.kind"), hint, what="kind", name=itself.kind)
        return
    cards = [name for name, item in kind.fields.items() if item.type == "card"]
    if itself.of and itself.of not in cards:
        hint = did_you_mean(itself.of, cards)
        places.report.add("CG104", places.span(file, f"{path}.of"), hint, what="field of a card", name=itself.of)
    shown = (*kinds[itself.kind].fields, *kinds[itself.kind].derived)
    for name in itself.shows:
        if name not in shown:
            hint = did_you_mean(name, shown)
            place = places.key_span(file, f"{path}.shows.{name}")
            places.report.add("CG104", place, hint, what=f"field of `{itself.kind}`", name=name)


def card_entries(cards: Iterable[Card]) -> dict[str, Entry]:
    """Cards as rules see them."""
    return {card.id: Entry(card_view(card), card.span) for card in cards}


def _scalars(node: Node, path: str) -> Iterator[tuple[str, nodes.Scalar]]:
    """Every value that is written below a node, with its path."""
    match node:
        case nodes.Scalar():
            yield path, node
        case nodes.Map():
            for key, entry in node.entries.items():
                yield from _scalars(entry.value, f"{path}.{key}".lstrip("."))
        case nodes.Sequence():
            for index, item in enumerate(node.items):
                yield from _scalars(item, f"{path}.{index}")


class BandReader:
    """Reads bands of one game: what references point to, and the cards they become."""

    def __init__(
        self,
        kinds: Mapping[str, BandKind],
        known: Known,
        cards: Mapping[str, Entry],
        report: Report,
        kept: Mapping[str, Mapping[str, Entry]] = MappingProxyType({}),
    ) -> None:
        self.kinds = kinds
        self.known = known
        self.cards = cards
        # of catalogues before this one, by version
        self.kept = kept
        self.report = report

    def read(self, root: Node, file: str) -> Band | None:
        """One band, or None after reporting why it cannot be judged."""
        if not isinstance(root, nodes.Map):
            Reader(self.report).wrong(root, "a mapping", "a band is written as lines of `key: value`")
            return None
        entry = root.entries.get("kind")
        kind_id = next(iter(self.kinds), "") if len(self.kinds) == 1 and entry is None else ""
        if entry is not None:
            kind_id = Reader(self.report).read(entry.value, shapes.Name("band kind", tuple(self.kinds)))
        if kind_id not in self.kinds:
            if entry is None:
                self.report.add("CG025", root.span, f"known: {', '.join(self.kinds)}", key="kind", what="band")
            return None
        kind = self.kinds[kind_id]
        reader = Reader(self.report)
        before = len(self.report.items)
        keys = {name: key_of(field, self.known) for name, field in kind.fields.items()}
        if "kind" not in root.entries:
            root = nodes.Map(
                {**root.entries, "kind": nodes.Entry(root.span, nodes.Scalar(kind_id, root.span, True))}, root.span
            )
        raw = reader.read(root, band_shape(keys))
        if raw is BAD:
            return None
        values = self.values(raw, kind.fields, file, reader)
        if len(self.report.items) > before:
            # What could not be read might be what breaks a rule: a verdict over the rest would be a guess.
            return None
        waivers = tuple(
            Waiver(rule, reason, reader.span(file, f"waivers.{rule}")) for rule, reason in raw["waivers"].items()
        )
        expected = raw["expect"] or {"verdict": "", "rules": ()}
        return Band(
            id=Path(file).stem,
            title=raw["title"],
            kind=kind_id,
            pack=raw["rules"] or kind.pack,
            values=Entry({"title": raw["title"], "kind": kind_id, **values}, reader.span(file, "")),
            rulings=raw["rulings"],
            waivers=waivers,
            expected=expected["verdict"],
            expected_rules=expected["rules"],
            file=file,
            places={"": reader.span(file, "rules")}
            | {id: reader.span(file, f"rulings.{id}") for id in raw["rulings"]}
            | {id: reader.span(file, f"expect.rules.{n}") for n, id in enumerate(expected["rules"])},
            texts={path: (item.text, item.span) for path, item in _scalars(root, "") if not item.text.isascii()},
        )

    def example(self, node: Node, kind: BandKind, file: str) -> Entry | None:
        """A band of which an example states only what its rule looks at; nothing is required."""
        reader = Reader(self.report)
        keys = {name: shapes.Key(key_of(field, self.known).shape, None) for name, field in kind.fields.items()}
        raw = reader.read(node, shapes.Record("example", keys, code="CG102"))
        if raw is BAD or reader.bad:
            return None
        values = self.values(raw, kind.fields, file, reader)
        return Entry({"title": "example", "kind": kind.id, **values}, node.span)

    def values(self, raw: Mapping[str, Any], fields: Mapping[str, Field], file: str, reader: Reader) -> dict[str, Any]:
        """The finished values of a band's fields, cards in place of their ids."""
        found: dict[str, Any] = {}
        for name, field in fields.items():
            value = finish(raw[name], field, self.known, name, file, reader)
            found[name] = self._entry(value, field, name, file, reader, self.cards)
        return found

    def _entry(self, value: Any, field: Field, path: str, file: str, reader: Reader, cards: Mapping[str, Entry]) -> Any:
        if value is None:
            return None
        match field.type:
            case "card":
                return self._card(value, field, reader.span(file, path), cards)
            case "list":
                assert field.of is not None
                items = [
                    self._entry(item, field.of, f"{path}.{n}", file, reader, cards) for n, item in enumerate(value)
                ]
                return tuple(item for item in items if item is not None)
            case "record":
                cards = self._cards_of(value, field, cards)
                values = {
                    name: self._entry(value[name], sub, f"{path}.{name}", file, reader, cards)
                    for name, sub in field.fields.items()
                }
                return Entry(values, reader.span(file, path))
            case _:
                return value

    def _cards_of(self, value: Mapping[str, Any], field: Field, cards: Mapping[str, Entry]) -> Mapping[str, Entry]:
        """The cards that an entry has which was kept at a version: as they were then, and the others as they are."""
        choices = next((kind.choices for kind in self.kinds.values() if kind.entry is field), None)
        older = self.kept.get(str(value.get(choices.version))) if choices is not None and choices.version else None
        return cards if older is None else {**cards, **older}

    def _card(self, id: str, field: Field, place: Span, cards: Mapping[str, Entry]) -> Entry | None:
        card = cards.get(id)
        if card is not None and (not field.kinds or card["kind"] in field.kinds):
            # The same card, told at the place where the band names it.
            return Entry(card, place)
        fitting = [name for name, other in cards.items() if not field.kinds or other["kind"] in field.kinds]
        hint = did_you_mean(id, fitting) if card is None else f"`{id}` is of kind {card['kind']}"
        self.report.add("CG104", place, hint, what=" or ".join(field.kinds) or "card", name=id)
        return None

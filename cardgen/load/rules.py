"""Reads rule packs: `cards/<game>/rules/*.yaml`. What is wrong with a pack is told when it loads, not when it judges."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.load import nodes, shapes
from cardgen.load.bands import BandReader
from cardgen.load.definitions import CARD_ID
from cardgen.load.nodes import Node
from cardgen.load.reader import BAD, Reader
from cardgen.load.rule_shapes import PACK
from cardgen.model.band import deck_entry
from cardgen.model.rules import Example, Formula, Note, Pack, Remedy, Rule, Ruling, Setup

_PLACE = re.compile(r"\{(\w+)\}")
_BRACE = re.compile(r"\{[^{}\s]*\}?|\}")
# Operators that compare with nothing.
_ALONE = ("true", "empty")


class RawPack(Struct, frozen=True):
    """A pack that was read and not yet joined with what it extends; `cast` are the cards of its examples, unread."""

    id: str
    extends: str
    raw: Mapping[str, Any]
    reader: Reader
    file: str
    cast: Node | None


def read_pack(root: Node, file: str, report: Report) -> RawPack | None:
    """A pack's file, or None after reporting why not."""
    reader = Reader(report)
    raw = reader.read(root, PACK)
    if raw is BAD:
        return None
    return RawPack(Path(file).stem, raw["extends"], raw, reader, file, raw["cast"])


def make_pack(pack: RawPack, bands: BandReader) -> Pack:
    """The pack as values. `bands` reads its examples; it knows the game's cards and the pack's cast."""
    raw, file, report = pack.raw, pack.file, pack.reader.report

    def span(path: str) -> Span:
        return pack.reader.span(file, path)

    rulings = {
        name: Ruling(name, item["question"], item["readings"], item["default"], item["source"], span(f"rulings.{name}"))
        for name, item in raw["rulings"].items()
    }
    for name, ruling in rulings.items():
        if ruling.default not in ruling.readings:
            hint = did_you_mean(ruling.default, ruling.readings)
            report.add("CG104", span(f"rulings.{name}.default"), hint, what="reading", name=ruling.default)
    rules = {}
    for name, item in raw["rules"].items():
        _check_rule(name, item, span, report)
        examples = _examples(item, f"rules.{name}", bands, span, file)
        rules[name] = _rule(name, item, examples, span(f"rules.{name}"))
    notes = {
        name: Note(name, item["title"], item["question"], item["answer"], item["source"], item["touches"], span(f"notes.{name}"))
        for name, item in raw["notes"].items()
    }  # fmt: skip
    setup = {}
    for name, item in raw["setup"].items():
        if bool(item["formula"]) == bool(item["value"]):
            report.add("CG605", span(f"setup.{name}"), line=name)
        setup[name] = Setup(
            name, item["title"], item["source"], item["formula"], item["given"], item["value"], span(f"setup.{name}")
        )
    return Pack(
        id=pack.id,
        title=raw["title"],
        about=raw["about"],
        documents=raw["documents"],
        rulings=rulings,
        rules=rules,
        notes=notes,
        formulas={name: _formula(name, item, span) for name, item in raw["formulas"].items()},
        setup=setup,
        tables=raw["tables"],
        span=span(""),
        title_span=span("title"),
    )


def _check_rule(id: str, raw: Mapping[str, Any], span: Any, report: Report) -> None:
    path = f"rules.{id}"
    alone = raw["op"] in _ALONE
    if bool(raw["limit"]) == alone:
        hint = "leave out `limit`" if alone else "state `limit`"
        report.add("CG601", span(path), hint, rule=id, op=raw["op"])
    for index, item in enumerate(raw["mend"]):
        # Either something goes, or a field gets a value.
        if bool(item["leave_out"]) == bool(item["set"]) or bool(item["set"]) != bool(item["to"]):
            hint = "state `leave_out`, or `set` and `to`"
            report.add("CG025", span(f"{path}.mend.{index}"), hint, key="leave_out` or `set", what="mend of a rule")
    names = set(_PLACE.findall(raw["message"]))
    for needed in ("actual",) if alone else ("actual", "limit"):
        # The figures are what a player asks for first: no message goes without them.
        if needed not in names:
            report.add("CG602", span(f"{path}.message"), rule=id, name=needed)
    known = {"subject", "actual", "limit", "over", "under", "offenders", *raw["values"]}
    for text in ("message", "fix"):
        for name in sorted(set(_PLACE.findall(raw[text])) - known):
            report.add("CG603", span(f"{path}.{text}"), did_you_mean(name, known), rule=id, name=name)
        odd = _BRACE.search(_PLACE.sub("", raw[text]))
        if odd is not None:
            hint = "name what the rule computes, or add it to `values`"
            report.add("CG603", span(f"{path}.{text}"), hint, rule=id, name=odd[0].strip("{}"))


def _examples(raw: Mapping[str, Any], path: str, bands: BandReader, span: Any, file: str) -> tuple[Example, ...]:
    found = []
    for verdict in ("legal", "illegal", "unknown"):
        for index, item in enumerate(raw["examples"][verdict]):
            given = _given(raw, item["given"], bands, file)
            if given is not None:
                found.append(Example(given, verdict, item["rulings"], span(f"{path}.examples.{verdict}.{index}")))
    return tuple(found)


def _given(raw: Mapping[str, Any], node: Node, bands: BandReader, file: str) -> dict[str, Any] | None:
    """What an example's expressions see: a card by its id, or a band of which only some fields are stated."""
    if raw["scope"] == "card":
        if not isinstance(node, nodes.Scalar) or node.text not in bands.cards:
            name = node.text if isinstance(node, nodes.Scalar) else "?"
            bands.report.add("CG104", node.span, did_you_mean(name, bands.cards), what="card", name=name)
            return None
        return {"card": bands.cards[node.text]}
    if raw["scope"] == "deck":
        return _deck(node, bands)
    kind = bands.kinds.get(raw["kinds"][0]) if raw["kinds"] else next(iter(bands.kinds.values()), None)
    if kind is None:
        bands.report.add(
            "CG104",
            node.span,
            did_you_mean(str(raw["kinds"]), bands.kinds),
            what="band kind",
            name=", ".join(raw["kinds"]),
        )
        return None
    band = bands.example(node, kind, file)
    return None if band is None else {"band": band}


def _deck(node: Node, bands: BandReader) -> dict[str, Any] | None:
    """A deck of an example: cards and their copies."""
    raw = Reader(bands.report).read(node, shapes.Mapped(CARD_ID, shapes.Integer(0, 999)))
    if raw is BAD:
        return None
    for name in raw:
        if name not in bands.cards:
            bands.report.add("CG104", node.span, did_you_mean(name, bands.cards), what="card", name=name)
            return None
    return {"deck": deck_entry("example", raw, bands.cards, node.span)}


def _rule(id: str, raw: Mapping[str, Any], examples: tuple[Example, ...], span: Span) -> Rule:
    plain = {key: value for key, value in raw.items() if key not in ("examples", "mend")}
    mend = tuple(Remedy(**item) for item in raw["mend"])
    return Rule(id=id, examples=examples, span=span, mend=mend, **plain)


def _formula(id: str, raw: Mapping[str, Any], span: Any) -> Formula:
    path = f"formulas.{id}"
    examples = tuple(
        (item["given"], item["is"], item["rulings"], span(f"{path}.examples.{index}"))
        for index, item in enumerate(raw["examples"])
    )
    return Formula(
        id, raw["title"], raw["source"], raw["arguments"], raw["value"], examples, raw["rulings"], span(path)
    )


def extend_packs(packs: Mapping[str, Pack], bases: Mapping[str, str], report: Report) -> dict[str, Pack]:
    """Every pack with what it extends inside it; its own entries win. Unknown and circular bases are reported."""
    done: dict[str, Pack] = {}

    def resolve(id: str, path: tuple[str, ...]) -> Pack:
        if id in done:
            return done[id]
        pack, base = packs[id], bases[id]
        if base and base not in packs:
            report.add("CG104", pack.span, did_you_mean(base, packs), what="rule pack", name=base)
        elif base in (*path, id) and base:
            report.add("CG604", pack.span, packs=" -> ".join((*path, id, base)))
        elif base:
            under = resolve(base, (*path, id))
            pack = replace(
                pack,
                documents={**under.documents, **pack.documents},
                rulings={**under.rulings, **pack.rulings},
                rules={**under.rules, **pack.rules},
                notes={**under.notes, **pack.notes},
                formulas={**under.formulas, **pack.formulas},
                setup={**under.setup, **pack.setup},
                tables={**under.tables, **pack.tables},
            )
        done[id] = pack
        return pack

    return {id: resolve(id, ()) for id in packs}

"""What a band's entries cost, known to its rules as `it.cost`: prices may depend on the readings of rulings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.model.band import Entry
from cardgen.model.game import BandKind
from cardgen.model.rules import Pack
from cardgen.rules.language import compile_rule
from cardgen.rules.memory import Memory
from cardgen.rules.missing import MissingData
from cardgen.text.expressions import ExpressionError


def readings_of(pack: Pack, rulings: Mapping[str, str]) -> dict[str, str]:
    """The reading of every ruling of a pack: those of `rulings`, else the defaults."""
    return {id: rulings.get(id, ruling.default) for id, ruling in pack.rulings.items()}


def priced(kind: BandKind, values: Entry, context: Mapping[str, Any], memory: Memory | None = None) -> Entry:
    """A band whose entries are called as its kind says and have their `cost`, unless they state one.

    The cost is None where it is not known. `context` is what expressions see besides `it`; what `memory` knows is not
    worked out again.
    """
    entries = values.get(kind.entries)
    if not isinstance(entries, tuple):
        return values
    made = tuple(_known(kind, item, context, memory) for item in entries)
    return Entry({**values, kind.entries: made}, values.span)


def _known(kind: BandKind, item: Any, context: Mapping[str, Any], memory: Memory | None) -> Any:
    if memory is None:
        return _priced(kind, item, {**context, "it": item})
    known = memory.priced.get(id(item))
    if known is None:
        known = memory.priced[id(item)] = item, _priced(kind, item, {**context, "it": item})
    return known[1]


def _priced(kind: BandKind, item: Any, context: Mapping[str, Any]) -> Any:
    if not isinstance(item, Entry):
        return item
    called = value_of(kind.name, context) if kind.name else None
    values = dict(item)
    if kind.cost and item.get("cost") is None:
        values["cost"] = value_of(kind.cost, context)
    return Entry(values, item.span, str(called) if called is not None else "")


def value_of(source: str, context: Mapping[str, Any]) -> Any:
    """The value of an expression, None when it has none."""
    try:
        return compile_rule(source).run(context)
    except (ExpressionError, MissingData):
        return None

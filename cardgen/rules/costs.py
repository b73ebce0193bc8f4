"""What a band's entries cost, known to its rules as `it.cost`: prices may depend on the readings of rulings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.model.band import Entry
from cardgen.model.game import BandKind
from cardgen.model.rules import Pack
from cardgen.rules.language import compile_rule
from cardgen.rules.missing import MissingData
from cardgen.text.expressions import ExpressionError


def readings_of(pack: Pack, rulings: Mapping[str, str]) -> dict[str, str]:
    """The reading of every ruling of a pack: those of `rulings`, else the defaults."""
    return {id: rulings.get(id, ruling.default) for id, ruling in pack.rulings.items()}


def priced(kind: BandKind, values: Entry, context: Mapping[str, Any]) -> Entry:
    """A band in which every entry that is a record has its `cost`, unless it states one; None where it is not known.

    `context` is what expressions see besides `it`.
    """
    entries = values.get(kind.entries)
    if not kind.cost or not isinstance(entries, tuple):
        return values
    made = tuple(_priced(item, value_of(kind.cost, {**context, "it": item})) for item in entries)
    return Entry({**values, kind.entries: made}, values.span)


def _priced(item: Any, cost: Any) -> Any:
    if not isinstance(item, Entry) or item.get("cost") is not None:
        return item
    return Entry({**item, "cost": cost}, item.span)


def value_of(source: str, context: Mapping[str, Any]) -> Any:
    """The value of an expression, None when it has none."""
    try:
        return compile_rule(source).run(context)
    except (ExpressionError, MissingData):
        return None

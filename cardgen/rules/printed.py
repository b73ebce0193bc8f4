"""What the entries of a band have printed on their cards where they state nothing else: it needs no statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cardgen.model.band import Entry
from cardgen.model.game import BandKind
from cardgen.rules.costs import value_of


def printed_of(kind: BandKind, item: Any, context: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """By the name of each record of an entry that is trained, what is printed of its values.

    `context` is what expressions see besides the entry.
    """
    stated = kind.choices.printed if kind.choices is not None else {}
    found = {record: value_of(source, {**context, "it": item}) for record, source in stated.items()}
    return {record: value for record, value in found.items() if isinstance(value, Mapping)}


def is_printed(kind: BandKind, values: Entry, path: Sequence[str | int], new: Any, context: Mapping[str, Any]) -> bool:
    """Whether `new` at a path of a band's values is what is printed there anyway."""
    if new is None or len(path) != 4 or path[0] != kind.entries:
        return False
    items: Any = values[kind.entries]
    printed = printed_of(kind, items[path[1]], context).get(str(path[2]), {})
    return bool(printed.get(str(path[3])) == new)

"""What rules need beyond arithmetic: pure functions over plain values, each usable as a filter in an expression."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from jinja2 import Undefined

from cardgen.model.lack import Lack
from cardgen.rules.missing import MissingData

MAX_STEPS = 1000


def ceil(value: float) -> int:
    """The least whole number that is not below `value`."""
    return math.ceil(_exact(value))


def floor(value: float) -> int:
    """The greatest whole number that is not above `value`."""
    return math.floor(_exact(value))


def _exact(value: float) -> Fraction:
    # 0.1 + 0.2 should not be a hair above 0.3 when it is rounded up.
    return Fraction(value).limit_denominator(1_000_000)


def total(items: Sequence[Any]) -> Any:
    """The sum of a list of numbers."""
    result: Any = 0
    for item in items:
        result += item
    return result


def sum_to(start: int, end: int, reading: str = "per_step") -> int:
    """The sum of the values that are reached step by step from `start` to `end`: `5|sum_to(7)` is 6 + 7.

    Going down gives back what going up would have cost: `7|sum_to(5)` is -(7 + 6). The reading `final` counts the
    highest value alone: 7 and -7.
    """
    if reading == "final":
        return (end > start) * end - (end < start) * start
    low, high = sorted((start, end))
    # The sum of low + 1 ... high, by Gauss rather than by steps.
    total = (high * (high + 1) - low * (low + 1)) // 2
    return total if end >= start else -total


def majority(count: int, reading: str = "ceil") -> int:
    """How many of `count` are "half plus one": half is rounded up or down as `reading` says; never more than all."""
    half = math.ceil(count / 2) if reading == "ceil" else math.floor(count / 2)
    return min(count, half + 1)


def repeated(items: Sequence[Any], attribute: str = "") -> list[Any]:
    """The items whose value (of a dotted attribute) stands in the list more than once, in their order."""
    values = [_at(item, attribute) if attribute else item for item in items]
    return [item for item, value in zip(items, values, strict=True) if values.count(value) > 1]


def steps(start: float, by: float) -> list[float]:
    """Every value above nothing on the way down: `22|steps(10)` is 22, 12 and 2. Raises ValueError without end."""
    if by <= 0 or start / by > MAX_STEPS:
        raise ValueError(f"more than {MAX_STEPS} steps of {by:g} from {start:g}")
    return [start - by * step for step in range(math.ceil(_exact(start / by)))]


def minority(items: Sequence[Any], attribute: str) -> list[Any]:
    """The items that differ from what most have in common, in their order; all of them when no value leads."""
    values = [_at(item, attribute) for item in items]
    most = max(map(values.count, values), default=0)
    leading = {value for value in values if values.count(value) == most}
    return [item for item, value in zip(items, values, strict=True) if len(leading) > 1 or value not in leading]


def having(items: Sequence[Any], attribute: str, values: Sequence[Any]) -> list[Any]:
    """The items whose attribute is a list that holds one of `values`."""
    return [item for item in items if any(value in values for value in _at(item, attribute))]


def cards(value: Any, kinds: Sequence[str] = (), skip: Sequence[str] = ()) -> list[Any]:
    """Every card inside a value, however deep, in its order: those of some kinds, leaving out what stands under `skip`.

    `it|cards(["equipment"], ["to"])` is all the equipment of an entry, whichever of its fields holds it.
    """
    if isinstance(value, Mapping):
        if "id" in value and "kind" in value:
            return [value] if not kinds or value["kind"] in kinds else []
        return [card for name, inner in value.items() if name not in skip for card in cards(inner, kinds, skip)]
    if isinstance(value, (list, tuple)):
        return [card for inner in value for card in cards(inner, kinds, skip)]
    return []


def _at(item: Any, path: str) -> Any:
    """The value at a dotted path inside of mappings. Raises MissingData where there is none."""
    for name in path.split("."):
        item = item.get(name) if isinstance(item, Mapping) else getattr(item, name, None)
        if item is None:
            raise MissingData(Lack("not_stated", path))
    return item


def lookup(key: Any, table: Any, column: str = "") -> Any:
    """What a table says of `key`.

    A mapping gives its value. A list of mappings gives the row whose `from` (default: no bound) and `to` (default: no
    bound) enclose the number, or the row whose first value is the key. `column` picks one value of the row. Raises
    MissingData when the table says nothing.
    """
    row: Any = None
    if isinstance(table, Mapping):
        if key not in table:
            raise MissingData(Lack("not_in_table", str(key)))
        row = table[key]
    else:
        row = next((row for row in table if _matches(row, key)), None)
        if row is None:
            raise MissingData(Lack("no_row", str(key)))
    return row[column] if column else row


def _matches(row: Any, key: Any) -> bool:
    if isinstance(row, Mapping) and ("from" in row or "to" in row):
        low, high = row.get("from"), row.get("to")
        return (low is None or key >= low) and (high is None or key <= high)
    first = next(iter(row.values())) if isinstance(row, Mapping) else row[0]
    return bool(first == key)


def without(items: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """The items that are not among `others`."""
    return [item for item in items if item not in others]


def among(items: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """The items that are among `others`."""
    return [item for item in items if item in others]


def unmet(items: Sequence[Any], attribute: str, values: Sequence[Any]) -> list[Any]:
    """The items whose list (at a key) asks for something and finds none of it in `values`: a hat for cats or dogs, on
    a horse. An item that asks for nothing is for all.
    """
    asked = [(item, item.get(attribute) or ()) for item in items]
    return [item for item, words in asked if words and not any(word in values for word in words)]


def titled(value: Any, titles: Mapping[str, str]) -> Any:
    """What a value is called, or each of a list: itself where it has no title."""
    if isinstance(value, (list, tuple)):
        return [titled(item, titles) for item in value]
    return titles.get(value, value) if isinstance(value, str) else value


def flat(items: Sequence[Any]) -> list[Any]:
    """A list of lists as one list; a single value counts as a list of one, what is not stated as an empty one."""
    found: list[Any] = []
    for inner in items:
        if isinstance(inner, (list, tuple)):
            found += inner
        elif isinstance(inner, Undefined):
            try:
                str(inner)  # a name that does not exist complains; what is declared and not stated is left out
            except MissingData:
                continue
        elif inner is not None:
            found.append(inner)
    return found


def updated(record: Mapping[str, Any], other: Any) -> dict[str, Any]:
    """A record with what another one states in place of its own: `{a: 1, b: 2}|updated({b: 3})` is `{a: 1, b: 3}`."""
    if not isinstance(other, Mapping):
        return dict(record)
    return {name: value if other.get(name) is None else other[name] for name, value in record.items()}


def trained(items: Sequence[Any]) -> list[Any]:
    """The entries that were trained, not born with: those whose `innate` is absent or false."""
    return [item for item in items if not (isinstance(item, Mapping) and item.get("innate"))]


def unplaced(items: Sequence[Any], slots: Sequence[str], attribute: str = "fits") -> list[Any]:
    """The items for which no slot is left when as many as possible are placed, in their order.

    A slot is a word. An item fits the slots that its `attribute` lists; one that lists a slot as `slot*2` takes two of
    them at once. Among equal choices earlier items are placed first.
    """
    names = sorted(set(slots))
    start = tuple(list(slots).count(name) for name in names)
    options = [_options(_at(item, attribute), names) for item in items]

    @cache
    def best(index: int, free: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        """(how many of the items from `index` on can be placed, those that are left over)."""
        if index == len(items):
            return 0, ()
        placed, left = best(index + 1, free)
        result = (placed, (index, *left))
        for slot, count in options[index]:
            if free[slot] >= count:
                after = tuple(number - count if at == slot else number for at, number in enumerate(free))
                placed, left = best(index + 1, after)
                # Not only more: on a tie the one that places this item wins.
                if placed + 1 >= result[0] and (placed + 1 > result[0] or index in result[1]):
                    result = (placed + 1, left)
        return result

    return [items[index] for index in best(0, start)[1]]


def _options(words: Sequence[str], names: Sequence[str]) -> list[tuple[int, int]]:
    found = []
    for word in words:
        slot, _, count = str(word).partition("*")
        if slot in names:
            found.append((names.index(slot), int(count) if count else 1))
    return found


FILTERS: Mapping[str, Callable[..., Any]] = {
    "ceil": ceil,
    "floor": floor,
    "total": total,
    "sum_to": sum_to,
    "majority": majority,
    "repeated": repeated,
    "steps": steps,
    "minority": minority,
    "having": having,
    "cards": cards,
    "lookup": lookup,
    "without": without,
    "among": among,
    "flat": flat,
    "titled": titled,
    "unmet": unmet,
    "updated": updated,
    "trained": trained,
    "slots": unplaced,
}

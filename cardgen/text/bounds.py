"""What an expression or a layout may spend, and the filters it may use, bounded.

A unit is a loop step, a call, a character or a list item, whichever is made. Everything that makes something spends,
so that no template runs long or grows large, whatever it is built of; a limit on processor time stands behind that.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from time import perf_counter, thread_time
from typing import Any

from jinja2 import Undefined, pass_context
from jinja2.runtime import Context
from msgspec import Struct

from cardgen.model.band import Entry

MAX_TEXT = 200_000
MAX_ITEMS = 20_000
MAX_LOOP_STEPS = 100_000
MAX_WORK = 5_000_000
MAX_SECONDS = 1.0
# How many times something is spent between two looks at the clock.
_BETWEEN = 50

# Jinja's own filters that make nothing large from something small once their numbers are bounded.
SAFE_FILTERS = (
    "abs", "batch", "capitalize", "count", "d", "default", "e", "escape", "first", "float", "int", "items", "join",
    "last", "length", "list", "lower", "map", "max", "min", "reject", "rejectattr", "replace", "reverse", "round",
    "safe", "select", "selectattr", "slice", "sort", "string", "sum", "title", "trim", "truncate", "unique", "upper",
)  # fmt: skip


class TooMuch(Exception):
    """An expression or a layout that asks for more than its bounds allow, or for what cannot be."""


class Exhausted(TooMuch):
    """What it costs is more than one run may spend: another run would not be cheaper."""


class _Spent:
    """What one run of one thread has spent. A plain object, because every look into a `threading.local` costs."""

    __slots__ = ("end", "looks", "steps", "total", "until")

    def __init__(self) -> None:
        self.total = 0
        self.steps = 0
        self.looks = 0
        self.until = perf_counter() + MAX_SECONDS / 2
        self.end: float | None = None


class Purse(threading.local):
    """Counts what one run spends, for each thread by itself. Raises TooMuch when it is empty."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """A full purse for the next run."""
        self._spent = _Spent()

    def spend(self, amount: int = 1) -> None:
        """Spend some of it."""
        spent = self._spent
        spent.total += amount
        spent.looks += 1
        if spent.looks >= _BETWEEN or spent.total > MAX_WORK:
            self._look(spent)

    def _look(self, spent: _Spent) -> None:
        spent.looks = 0
        if spent.total > MAX_WORK:
            raise Exhausted(f"it makes more than {MAX_WORK} characters and values on the way")
        # The time of day is cheap to ask for and says little on a busy machine. Once half of the time is over by it,
        # the other half is counted as what this thread gets of the processor.
        if perf_counter() > spent.until:
            if spent.end is None:
                spent.end = thread_time() + MAX_SECONDS / 2
            elif thread_time() > spent.end:
                raise Exhausted("it takes longer than a second")

    def step(self) -> None:
        """Spend a step of a loop."""
        spent = self._spent
        spent.steps += 1
        if spent.steps > MAX_LOOP_STEPS:
            raise Exhausted(f"more than {MAX_LOOP_STEPS} steps of `for` loops")
        self.spend()

    def weigh(self, value: Any) -> Any:
        """Spend what a value takes to make or to look at; the value itself, unless it is too large."""
        if isinstance(value, str):
            if len(value) > MAX_TEXT:
                raise TooMuch(f"a text grows longer than {MAX_TEXT} characters")
            self.spend(1 + len(value))
        elif isinstance(value, (list, tuple, dict)):
            self.spend(_items(value))
        else:
            self.spend()
        return value


def _items(value: Any) -> int:
    """How many values a list or mapping holds, at every depth: lists that share parts count them as often."""
    count, todo = 0, [value]
    while todo:
        item = todo.pop()
        count += 1
        if isinstance(item, (list, tuple)):
            todo += item
        elif isinstance(item, dict) and not isinstance(item, Entry):
            # An entry is data that was loaded: a list of entries refers to them and makes nothing.
            todo += item.values()
        elif isinstance(item, str):
            count += len(item) // 64
        if count + len(todo) > MAX_ITEMS:
            raise TooMuch(f"a list grows larger than {MAX_ITEMS} values")
    return count


def printed(value: Any) -> Any:
    """A value as it may stand in the output. Raises TooMuch for what nobody wants to read on a card."""
    if isinstance(value, (str, Undefined)):
        return value
    if isinstance(value, (bool, int, float)):
        return str(value)
    if value is None:
        raise TooMuch("the value is none; print it inside `{% if … %}` or give it a `| default(…, true)`")
    if isinstance(value, (list, tuple)):
        raise TooMuch("a list cannot be printed; go through it with `for` or `join` its texts")
    fields = value.__struct_fields__ if isinstance(value, Struct) else ()
    known = f"; known: {', '.join(fields)}" if fields else ""
    raise TooMuch(f"{kind_of(value)} cannot be printed, only its fields{known}")


def kind_of(value: Any) -> str:
    """What a value is, for messages."""
    if isinstance(value, str):
        return "text"
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, Mapping):
        return "a mapping"
    return _KINDS.get(type(value).__name__, f"a {type(value).__name__.lower()}")


_KINDS: Mapping[str, str] = {
    "NoneType": "none", "int": "a number", "float": "a number", "bool": "true or false", "KeywordUse": "a keyword",
    "TrackBand": "a band",
}  # fmt: skip


_PASS_CONTEXT = getattr(pass_context(lambda: None), "jinja_pass_arg", None)


def bounded(name: str, function: Callable[..., Any], purse: Purse) -> Callable[..., Any]:
    """A filter that spends for what it takes and for what it makes. It is never run while a template is compiled."""
    wants = getattr(function, "jinja_pass_arg", None)
    check = _CHECKS.get(name)

    @pass_context
    def run(context: Context, value: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(value, (str, list, tuple)):
            purse.weigh(value)
        if check is not None:
            check(value, *args, **kwargs)
        first: tuple[Any, ...] = ()
        if wants is _PASS_CONTEXT and wants is not None:
            first = (context,)
        elif wants is not None:
            first = (context.eval_ctx if wants.name == "eval_context" else context.environment,)
        made = function(*first, value, *args, **kwargs)
        if isinstance(made, Iterator):
            made = _taken(made, purse)
        return purse.weigh(made)

    run.__dict__["bounded"] = True
    return run


def _taken(items: Iterator[Any], purse: Purse) -> list[Any]:
    taken = []
    for item in items:
        purse.spend()
        taken.append(item)
        if len(taken) > MAX_ITEMS:
            raise TooMuch(f"a list grows larger than {MAX_ITEMS} values")
    return taken


def _number(value: Any, most: int, what: str) -> None:
    if isinstance(value, (int, float)) and abs(value) > most:
        raise TooMuch(f"{value} is too large {what}")


def _parts(value: Any, count: Any = 0, *rest: Any, **named: Any) -> None:
    for number in (count, named.get("linecount"), named.get("slices")):
        _number(number, 1000, "a number of parts")


def _digits(value: Any, precision: Any = 0, *rest: Any, **named: Any) -> None:
    for number in (precision, named.get("precision")):
        _number(number, 15, "a number of decimals")


def _replacement(value: Any, old: Any = "", new: Any = "", *rest: Any, **named: Any) -> None:
    text, old, new = str(value), str(named.get("old", old)), str(named.get("new", new))
    if len(text) + text.count(old) * max(0, len(new) - len(old)) > MAX_TEXT:
        raise TooMuch(f"a text grows longer than {MAX_TEXT} characters")


def _joined(value: Any, d: Any = "", *rest: Any, **named: Any) -> None:
    items = value if isinstance(value, (list, tuple)) else ()
    length = sum(len(item) if isinstance(item, str) else 1 for item in items) + len(items) * len(str(d))
    if length > MAX_TEXT:
        raise TooMuch(f"a text grows longer than {MAX_TEXT} characters")


def _summed(value: Any, attribute: Any = None, start: Any = 0, **named: Any) -> None:
    # The sum of lists grows with the square of their number.
    items = [start, *(value if attribute is None and isinstance(value, (list, tuple)) else ())]
    if any(isinstance(item, (list, tuple)) for item in items):
        raise TooMuch("`sum` is for numbers")


_CHECKS: Mapping[str, Callable[..., None]] = {
    "batch": _parts,
    "slice": _parts,
    "round": _digits,
    "replace": _replacement,
    "join": _joined,
    "sum": _summed,
}

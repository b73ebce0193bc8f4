"""The Jinja sandbox that expressions and layouts share: no methods, strict attributes, bounded operators and loops."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, cast

from jinja2 import StrictUndefined, Undefined, nodes
from jinja2.runtime import LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment

MAX_INT_BITS = 256
MAX_TEXT = 200_000
MAX_LOOP_STEPS = 100_000

# Jinja's own filters that neither loop without bound nor build large values from small ones.
SAFE_FILTERS = frozenset(
    [
        "abs",
        "batch",
        "capitalize",
        "count",
        "d",
        "default",
        "e",
        "escape",
        "first",
        "float",
        "int",
        "items",
        "join",
        "last",
        "length",
        "list",
        "lower",
        "map",
        "max",
        "min",
        "reject",
        "rejectattr",
        "replace",
        "reverse",
        "round",
        "safe",
        "select",
        "selectattr",
        "slice",
        "sort",
        "string",
        "sum",
        "title",
        "trim",
        "truncate",
        "unique",
        "upper",
    ]
)


class TooMuch(Exception):
    """An expression or a layout that asks for more than its bounds allow."""


class Sandbox(ImmutableSandboxedEnvironment):
    """An environment in which attributes are data, operators are bounded and loops are counted.

    Constant folding is off, so that no expression runs while it is compiled.
    """

    intercepted_binops = frozenset(["+", "-", "*", "/", "//", "%", "**"])

    def __init__(self, **options: Any) -> None:
        super().__init__(undefined=StrictUndefined, optimized=False, **options)
        self.filters = {name: self.filters[name] for name in SAFE_FILTERS}
        self.globals.clear()
        self._steps = 0
        self.filters["_counted"] = self._counted

    def restart(self) -> None:
        """Begin counting loop steps anew: called before each rendering."""
        self._steps = 0

    def _counted(self, items: Iterable[Any]) -> Iterator[Any]:
        # A for loop is the only way to run long; `~` in a loop the only way to grow a text.
        for item in items:
            self._steps += 1
            if self._steps > MAX_LOOP_STEPS:
                raise TooMuch(f"more than {MAX_LOOP_STEPS} steps of `for` loops")
            yield item

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        for loop in tree.find_all(nodes.For):
            loop.iter = nodes.Filter(loop.iter, "_counted", [], [], None, None, lineno=loop.lineno)
        tree.set_environment(self)
        return tree

    def getattr(self, obj: Any, attribute: str) -> Any:
        """An attribute is a key of a mapping or a field of one of our values; nothing else has any."""
        return self.getitem(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """As `getattr`; a list or a text by index as well."""
        if isinstance(obj, Undefined):
            return obj[argument]
        if isinstance(obj, Mapping):
            if argument in obj:
                return obj[argument]
        elif isinstance(argument, str):
            if _has(cast(Hashable, type(obj)), argument):
                return getattr(obj, argument)
        elif isinstance(obj, (tuple, list, str)) and isinstance(argument, (int, slice)):
            try:
                return obj[argument]
            except IndexError:
                pass
        return self.undefined(obj=obj, name=argument)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Run an operator on operands that cannot make it explode. Raises TooMuch."""
        if not (_is_number(left) and _is_number(right)):
            if operator != "+" or type(left) is not type(right):
                kinds = f"{_kind(left)} {operator} {_kind(right)}"
                raise TooMuch(f"`{kinds}`: operators are for numbers; use `~` or filters for texts")
            if len(left) + len(right) > MAX_TEXT:
                raise TooMuch("a text or list grows too long")
        elif operator == "**" and (abs(right) > 64 or _bits(left) > 64):
            raise TooMuch(f"`{left} ** {right}` is too large")
        elif _bits(left) > MAX_INT_BITS or _bits(right) > MAX_INT_BITS:
            raise TooMuch("a number grows too large")
        return super().call_binop(context, operator, left, right)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float))


def _bits(value: Any) -> int:
    return value.bit_length() if isinstance(value, int) else 0


def _kind(value: Any) -> str:
    return {str: "text", tuple: "list", list: "list", type(None): "nothing"}.get(type(value), type(value).__name__)


@cache
def _has(kind: Hashable, name: str) -> bool:
    if name.startswith("_"):
        return False
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        public = {field.name for field in dataclasses.fields(kind)}
        return name in public or isinstance(getattr(kind, name, None), property)
    # Jinja's own loop counter shows its state as properties and its helpers as methods.
    return kind is LoopContext and hasattr(kind, name)

"""Expressions over cards: the little language of derived fields and rules. No calls, no methods, no surprises."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jinja2 import TemplateError, Undefined, nodes
from msgspec import Struct

from cardgen.diagnostics import did_you_mean
from cardgen.errors import CardgenError
from cardgen.text.bounds import Exhausted
from cardgen.text.sandbox import Sandbox, reason

MAX_SOURCE = 2000
MAX_NODES = 500

_ALLOWED = (
    nodes.Template, nodes.Output, nodes.Const, nodes.Name, nodes.Getattr, nodes.Getitem, nodes.Filter, nodes.Test,
    nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not, nodes.CondExpr, nodes.Add, nodes.Sub, nodes.Mul,
    nodes.Concat, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow, nodes.Neg, nodes.Pos, nodes.List, nodes.Tuple, nodes.Keyword,
)  # fmt: skip

_NAMES: Mapping[type[nodes.Node], str] = {nodes.Call: "a call", nodes.Dict: "a mapping", nodes.Slice: "a slice"}


class ExpressionError(CardgenError):
    """An expression that cannot be read or run; the message says why."""


class TooCostly(ExpressionError):
    """An expression that takes too much to run; it will for other values as well."""


class Expression(Struct, frozen=True):
    """A compiled expression, the names it reads and the attributes it reads of each."""

    source: str
    names: frozenset[str]
    attributes: frozenset[tuple[str, str]]
    run: Callable[[Mapping[str, Any]], Any]


class Language:
    """A dialect of expressions: its filters, and whether what nobody stated raises an error of its own.

    With `missing`, a key whose value is None raises that error when it is used (`is defined` and `default` see it).
    """

    def __init__(self, filters: Mapping[str, Callable[..., Any]] | None = None, missing: type[Exception] | None = None):
        self._missing = missing
        self._sandbox = Sandbox(autoescape=False, missing=missing)
        # Layout filters have no business in a verdict.
        for name in ("safe", "escape", "e"):
            del self._sandbox.filters[name]
        self._sandbox.filters.update(filters or {})

    def compile(self, source: str) -> Expression:
        """Compile an expression. Raises ExpressionError for anything but a bounded expression over data."""
        if len(source) > MAX_SOURCE:
            raise ExpressionError(f"the expression is longer than {MAX_SOURCE} characters")
        if not source.strip():
            raise ExpressionError("the expression is empty")
        if "{{" in source or "{%" in source:
            raise ExpressionError("an expression is written without `{{` and `{%`")
        try:
            tree = self._sandbox.parse("{{ " + source + "\n}}")
            found = list(_walk(tree))
            self._check(tree, found)
            compiled = self._sandbox.compile_expression(f"{source}\n", undefined_to_none=False)
        except TemplateError as error:
            raise ExpressionError(self._complaint(source, error)) from None
        names = frozenset(node.name for node in found if isinstance(node, nodes.Name))
        attributes = frozenset(pair for node in found if (pair := _attribute(node)))

        def run(context: Mapping[str, Any]) -> Any:
            self._sandbox.restart()
            try:
                value = compiled(**context)
                if isinstance(value, Undefined):
                    str(value)  # an undefined value complains only when it is used
                return value
            except Exception as error:  # whatever an expression makes of its values is its author's mistake
                if self._missing is not None and isinstance(error, self._missing):
                    raise
                kind = TooCostly if isinstance(error, Exhausted) else ExpressionError
                raise kind(reason(error)) from None

        return Expression(source, names, attributes, run)

    def _complaint(self, source: str, error: TemplateError) -> str:
        """What the parser says about the source by itself, without the braces that were put around it."""
        try:
            self._sandbox.compile_expression(source)
        except (TemplateError, RecursionError, ValueError) as other:
            if isinstance(other, TemplateError):
                error = other
        problem = error.message or "it cannot be read"
        if problem == "chunk after expression":
            return "found more behind the end of the expression"
        return re.sub("'?end of (template|print statement)'?", "the end of the expression", problem)

    def _check(self, tree: nodes.Template, found: list[nodes.Node]) -> None:
        if len(found) > MAX_NODES:
            raise ExpressionError(f"the expression has more than {MAX_NODES} parts")
        if len(tree.body) != 1 or not isinstance(tree.body[0], nodes.Output) or len(tree.body[0].nodes) != 1:
            raise ExpressionError("an expression is one value")
        for node in found:
            if not isinstance(node, _ALLOWED):
                name = _NAMES.get(type(node), type(node).__name__.lower())
                raise ExpressionError(f"{name} cannot be used in expressions")
            if isinstance(node, nodes.Filter):
                self._check_name("filter", node.name, self._sandbox.filters)
            elif isinstance(node, nodes.Test):
                self._check_name("test", node.name, self._sandbox.tests)

    def _check_name(self, what: str, name: str, known: Mapping[str, Any]) -> None:
        if name not in known or name.startswith("_"):
            hint = did_you_mean(name, (word for word in known if not word.startswith("_")))
            raise ExpressionError(f"there is no {what} `{name}`" + (f"; {hint}" if hint else ""))


_PLAIN = Language()


def compile_expression(source: str) -> Expression:
    """Compile an expression of a derived field. Raises ExpressionError."""
    return _PLAIN.compile(source)


def _attribute(node: nodes.Node) -> tuple[str, str] | None:
    """The name and the attribute of `name.attribute` and `name["attribute"]`."""
    if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name):
        return node.node.name, node.attr
    if isinstance(node, nodes.Getitem) and isinstance(node.node, nodes.Name) and isinstance(node.arg, nodes.Const):
        return node.node.name, str(node.arg.value)
    return None


def _walk(tree: nodes.Node) -> Iterator[nodes.Node]:
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        todo += node.iter_child_nodes()

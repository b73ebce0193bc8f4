"""Expressions over cards: the little language of derived fields and rules. No calls, no methods, no surprises."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jinja2 import TemplateError, Undefined, nodes

from cardgen.errors import CardgenError
from cardgen.text.sandbox import Sandbox, TooMuch

MAX_SOURCE = 2000
MAX_NODES = 500

_ALLOWED = (
    nodes.Template, nodes.Output, nodes.Const, nodes.Name, nodes.Getattr, nodes.Getitem, nodes.Filter, nodes.Test,
    nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not, nodes.CondExpr, nodes.Add, nodes.Sub, nodes.Mul,
    nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow, nodes.Neg, nodes.Pos, nodes.List, nodes.Tuple, nodes.Keyword,
)  # fmt: skip


class ExpressionError(CardgenError):
    """An expression that cannot be read or run; the message says why."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A compiled expression, the names it reads and the attributes it reads of each."""

    source: str
    names: frozenset[str]
    attributes: frozenset[tuple[str, str]]
    run: Callable[[Mapping[str, Any]], Any]


_SANDBOX = Sandbox(autoescape=False)
# Layout filters have no business in a verdict.
for _name in ("safe", "escape", "e"):
    del _SANDBOX.filters[_name]


def compile_expression(source: str) -> Expression:
    """Compile an expression. Raises ExpressionError for anything but a bounded expression over data."""
    if len(source) > MAX_SOURCE:
        raise ExpressionError(f"the expression is longer than {MAX_SOURCE} characters")
    try:
        tree = _SANDBOX.parse("{{ (" + source + "\n) }}")
    except TemplateError as error:
        raise ExpressionError(str(error)) from None
    except RecursionError:
        raise ExpressionError("the expression is nested too deeply") from None
    found = list(_walk(tree))
    if len(found) > MAX_NODES:
        raise ExpressionError("the expression is too large")
    if len(tree.body) != 1 or not isinstance(tree.body[0], nodes.Output) or len(tree.body[0].nodes) != 1:
        raise ExpressionError("an expression is one value, without `{{` or `{%`")
    for node in found:
        if not isinstance(node, _ALLOWED):
            raise ExpressionError(f"`{type(node).__name__.lower()}` is not allowed in an expression")
        if isinstance(node, nodes.Filter) and node.name not in _SANDBOX.filters:
            raise ExpressionError(f"unknown filter `{node.name}`")
    names = frozenset(node.name for node in found if isinstance(node, nodes.Name))
    attributes = frozenset(
        (node.node.name, node.attr)
        for node in found
        if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name)
    )
    compiled = _SANDBOX.compile_expression(f"({source}\n)", undefined_to_none=False)

    def run(context: Mapping[str, Any]) -> Any:
        _SANDBOX.restart()
        try:
            value = compiled(**context)
            if isinstance(value, Undefined):
                str(value)  # an undefined value complains only when it is used
            return value
        except TemplateError as error:
            raise ExpressionError(error.message or "it cannot be evaluated") from None
        except (TooMuch, ArithmeticError, TypeError, ValueError) as error:
            raise ExpressionError(str(error) or type(error).__name__) from None

    return Expression(source, names, attributes, run)


def _walk(node: nodes.Node) -> Iterator[nodes.Node]:
    yield node
    for child in node.iter_child_nodes():
        yield from _walk(child)

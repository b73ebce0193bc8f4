"""The Jinja sandbox that expressions and layouts share: no methods, strict attributes, everything bounded."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cache
from types import CodeType
from typing import Any, cast

from jinja2 import BytecodeCache, StrictUndefined, TemplateSyntaxError, Undefined, nodes, pass_context
from jinja2.bccache import Bucket
from jinja2.runtime import Context, LoopContext, markup_join, str_join
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape
from msgspec import Struct

from cardgen.diagnostics import did_you_mean
from cardgen.model.lack import Lack
from cardgen.text.bounds import MAX_TEXT, SAFE_FILTERS, Purse, TooMuch, bounded, kind_of, printed
from cardgen.text.output import CountingGenerator

__all__ = ["Sandbox", "TooMuch", "reason", "split_hint"]

MAX_INT_BITS = 256
# Of one template: how much of it, and how deep.
MAX_NODES = 50_000
MAX_DEPTH = 100
# Sums and products of such numbers are far below any bound.
_PLAIN_NUMBERS, _TAME, _SMALL = (int, float), frozenset("+-*"), 1_000_000_000


# Compiled templates by name and text, for a process that stays: an editor asks for the same layout at every key.
_MOST_COMPILED = 500
_COMPILED: dict[tuple[str, str], CodeType] = {}


class _Compiled(BytecodeCache):
    """Keeps what environments of loaders compile: all of them compile alike."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take over what is known."""
        cast(Sandbox, bucket.environment).bind()
        bucket.code = _COMPILED.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled just now."""
        if bucket.code is not None:
            if len(_COMPILED) >= _MOST_COMPILED:
                _COMPILED.clear()
            _COMPILED[bucket.key, bucket.checksum] = bucket.code


class Sandbox(ImmutableSandboxedEnvironment):
    """An environment in which attributes are data, and whatever a template does spends from a purse.

    Templates are rewritten before they are compiled: loops, lists and `~` go through filters that count, output through
    methods. The filters take the context, so that none of them is run while a template is compiled.
    """

    code_generator_class = CountingGenerator

    intercepted_binops = frozenset(["+", "-", "*", "/", "//", "%", "**"])

    def __init__(self, missing: type[Exception] | None = None, **options: Any) -> None:
        super().__init__(undefined=StrictUndefined, optimized=False, bytecode_cache=_Compiled(), **options)
        self._missing = missing
        self.purse = Purse()
        self.filters = {name: self.filters[name] for name in SAFE_FILTERS}
        self.globals.clear()
        for name in ("counted", "made", "joined"):
            self.filters[f"_{name}"] = _own(getattr(self, f"_{name}"))

    def restart(self) -> None:
        """Begin counting anew: called before each run."""
        self.purse.restart()

    def bind(self) -> None:
        """Have every filter counted, those that were added as well: before a template is compiled, or used again."""
        for key, function in list(self.filters.items()):
            if not getattr(function, "bounded", False):
                self.filters[key] = bounded(key, function, self.purse)

    # --- what templates are rewritten to ------------------------------------------------------------------------------

    def _counted(self, context: Context | None, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self.purse.step()
            yield item

    def _made(self, context: Context, value: Any) -> Any:
        return self.purse.weigh(value)

    def _joined(self, context: Context, parts: list[Any]) -> Any:
        parts = [printed(part) for part in parts]
        length = sum(len(part) for part in parts if isinstance(part, str))
        if length > MAX_TEXT:
            raise TooMuch(f"a text grows longer than {MAX_TEXT} characters")
        self.purse.spend(length)
        return (markup_join if context.eval_ctx.autoescape else str_join)(parts)

    def escaped(self, value: Any, beside: int = 0) -> str:
        """A value as it stands in HTML; `beside` counts the template's own letters around it."""
        kind = type(value)
        if kind is Markup or kind is str:
            self.purse.spend(len(value) + beside)
            # Markup is escaped already, and many texts are a word.
            return value if kind is Markup or value.isalnum() else escape(value)
        text = printed(value)
        if not isinstance(text, str):  # undefined: it says so when it is made text
            return escape(text)
        self.purse.spend(len(text) + beside)
        return escape(text)

    def unescaped(self, value: Any, beside: int = 0) -> str:
        """A value as it stands in plain text."""
        text = str(printed(value))
        self.purse.spend(len(text) + beside)
        return text

    def stated(self, text: str) -> str:
        """Letters of the template itself."""
        self.purse.spend(len(text))
        return text

    # --- compiling ----------------------------------------------------------------------------------------------------

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        try:
            tree = super()._parse(source, name, filename)
        except (RecursionError, ValueError, OverflowError) as error:
            raise TemplateSyntaxError(_unreadable(error), 1, name, filename) from None
        _check_size(tree, name, filename)
        return tree

    def _generate(self, source: nodes.Template, name: Any, filename: Any, defer_init: bool = False) -> str:
        self.bind()
        _rewrite(source)
        source.set_environment(self)
        try:
            return super()._generate(source, name, filename, defer_init)
        except (RecursionError, ValueError, OverflowError) as error:
            raise TemplateSyntaxError(_unreadable(error), 1, name, filename) from None

    def _compile(self, source: str, filename: str) -> Any:
        try:
            return super()._compile(source, filename)
        except (RecursionError, MemoryError, ValueError, SyntaxError) as error:
            # The generated Python nests further than Python allows.
            raise TemplateSyntaxError(_unreadable(error), 1, None, filename) from None

    # --- running ------------------------------------------------------------------------------------------------------

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805
        """Call a macro or one of our own functions; each call counts, and so do the loops that call themselves."""
        __self.purse.spend()
        if isinstance(__obj, LoopContext) and args:
            args = (__self._counted(None, args[0]), *args[1:])
        return super().call(__context, __obj, *args, **kwargs)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """An attribute is a key of a mapping or a field of one of our values; nothing else has any."""
        # As `getitem` does, for what is asked for most.
        if type(obj) is dict and (value := obj.get(attribute)) is not None:
            return value
        return self.getitem(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """As `getattr`; a list or a text by index as well."""
        if type(argument) is str and _has(cast(Hashable, type(obj)), argument):
            return getattr(obj, argument)
        if isinstance(obj, Undefined):
            # Of what nobody stated nothing is stated either: `default` and `is defined` see it at any depth.
            return obj if self._missing is not None and obj._undefined_exception is self._missing else obj[argument]
        if isinstance(obj, Mapping):
            if isinstance(argument, Hashable) and argument in obj:
                if obj[argument] is None and self._missing is not None:
                    lack = Lack("not_stated", str(argument))
                    return self.undefined(cast(Any, lack), obj, str(argument), cast(Any, self._missing))
                return obj[argument]
        elif isinstance(obj, (tuple, list, str)) and isinstance(argument, (int, slice)):
            try:
                return obj[argument]
            except IndexError:
                pass
        return self.undefined(_absent(obj, argument), obj, argument)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Run an operator on operands that cannot make it explode. Raises TooMuch."""
        plain = type(left) in _PLAIN_NUMBERS and type(right) in _PLAIN_NUMBERS and operator in _TAME
        if plain and -_SMALL < left < _SMALL and -_SMALL < right < _SMALL:
            return self.binop_table[operator](left, right)
        for side in (left, right):
            if isinstance(side, Undefined):
                str(side)  # complains by its name
        if not (_is_number(left) and _is_number(right)):
            same = any(isinstance(left, kind) and isinstance(right, kind) for kind in (str, list, tuple))
            if operator != "+" or not same:
                kinds = f"{kind_of(left)} {operator} {kind_of(right)}"
                raise TooMuch(f"`{kinds}`: operators are for numbers; use `~` or filters for texts")
            if isinstance(left, str) and len(left) + len(right) > MAX_TEXT:
                raise TooMuch(f"a text grows longer than {MAX_TEXT} characters")
            return self.purse.weigh(super().call_binop(context, operator, left, right))
        if operator == "**" and (abs(right) > 64 or _bits(left) > 64):
            raise TooMuch(f"`{left} ** {right}` is too large")
        if _bits(left) > MAX_INT_BITS or _bits(right) > MAX_INT_BITS:
            raise TooMuch("a number grows too large")
        return super().call_binop(context, operator, left, right)


def _own(function: Any) -> Any:
    # Taking the context keeps Jinja from running a filter while it compiles.
    @pass_context
    def run(context: Context, value: Any) -> Any:
        return function(context, value)

    run.__dict__["bounded"] = True
    return run


def _rewrite(node: nodes.Node) -> None:
    """Put a counting filter around everything that repeats or grows. Works in place, from the leaves up."""
    for field, value in list(node.iter_fields()):
        if isinstance(value, list):
            setattr(node, field, [_rewritten(item) if isinstance(item, nodes.Node) else item for item in value])
        elif isinstance(value, nodes.Node):
            setattr(node, field, _rewritten(value))
    if isinstance(node, nodes.For):
        node.iter = _filter(node.iter, "_counted")


def _rewritten(node: nodes.Node) -> nodes.Node:
    _rewrite(node)
    if isinstance(node, nodes.Concat):
        return _filter(nodes.List(node.nodes, lineno=node.lineno), "_joined")
    if isinstance(node, (nodes.List, nodes.Tuple, nodes.Dict)) and getattr(node, "ctx", "load") == "load":
        return _filter(node, "_made")
    return node


def _filter(node: Any, name: str) -> nodes.Filter:
    return nodes.Filter(node, name, [], [], None, None, lineno=node.lineno)


def _check_size(tree: nodes.Template, name: str | None, filename: str | None) -> None:
    todo: list[tuple[nodes.Node, int, int]] = [(tree, 0, 1)]
    count = 0
    while todo:
        node, depth, line = todo.pop()
        count += 1
        line = node.lineno or line
        if depth > MAX_DEPTH or count > MAX_NODES:
            problem = f"nested deeper than {MAX_DEPTH} levels" if depth > MAX_DEPTH else "it is too long"
            raise TemplateSyntaxError(problem, line, name, filename)
        if isinstance(node, nodes.Const) and isinstance(node.value, float) and not math.isfinite(node.value):
            raise TemplateSyntaxError("a number is too large", line, name, filename)
        todo += [(child, depth + 1, line) for child in node.iter_child_nodes()]


def _unreadable(error: BaseException) -> str:
    if isinstance(error, (ValueError, OverflowError)) and not isinstance(error, SyntaxError):
        return "a number is too large"
    return "it is nested too deeply"


def _absent(obj: Any, argument: Any) -> str:
    """What is said about a key or field that is not there."""
    if isinstance(obj, Mapping):
        known = [key for key in obj if isinstance(key, str)]
    elif isinstance(obj, Struct):
        known = list(obj.__struct_fields__)
    else:
        known_filter = f"; did you mean the filter `| {argument}`?" if argument in SAFE_FILTERS else ""
        return f"{kind_of(obj)} has no `{argument}`{known_filter}"
    hint = did_you_mean(str(argument), known)
    return f"there is no `{argument}`" + (f"; {hint}" if hint else "")


def split_hint(message: str) -> tuple[str, str]:
    """A message of the sandbox as what is wrong, and what may help."""
    problem, mark, hint = message.partition("; did you mean ")
    if not mark:
        problem, mark, hint = message.partition("; known: ")
    return problem, f"{mark}{hint}".removeprefix("; ")


_WORDS = {
    "str": "text",
    "Markup": "text",
    "NoneType": "none",
    "int": "a number",
    "float": "a number",
    "dict": "a mapping",
}
_WORDS |= {"tuple": "a list", "list": "a list", "bool": "true or false"}


def reason(error: Exception) -> str:
    """Why a run failed, in words that name no Python types."""
    text = str(getattr(error, "message", None) or error).strip() or type(error).__name__
    text = text.splitlines()[0]
    compared = re.fullmatch(r"'(\S+)' not supported between instances of '(\w+)' and '(\w+)'", text)
    if compared:
        sign, left, right = compared.groups()
        return f"`{sign}` cannot compare {_WORDS.get(left, left)} with {_WORDS.get(right, right)}"
    listed = re.search(r"^'(\w+)' object is not iterable|^argument of type '(\w+)' is not iterable", text)
    if listed:
        name = listed[1] or listed[2]
        return f"expected a list, found {_WORDS.get(name, name)}"
    missing = re.fullmatch(r"No (filter|test) named '(.+)'\.", text)
    if missing:
        hint = did_you_mean(missing[2], SAFE_FILTERS) if missing[1] == "filter" else ""
        return f"there is no {missing[1]} `{missing[2]}`" + (f"; {hint}" if hint else "")
    undefined = re.fullmatch(r"'(\w+)' is undefined", text)
    return f"there is no `{undefined[1]}`" if undefined else text


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float))


def _bits(value: Any) -> int:
    return value.bit_length() if isinstance(value, int) else 0


@cache
def _has(kind: Hashable, name: str) -> bool:
    if name.startswith("_"):
        return False
    if isinstance(kind, type) and issubclass(kind, Mapping):
        return False  # whose keys count
    if isinstance(kind, type) and issubclass(kind, Struct):
        return name in kind.__struct_fields__ or isinstance(getattr(kind, name, None), property)
    # Jinja's own loop counter shows its state as properties and its helpers as methods.
    return kind is LoopContext and hasattr(kind, name)

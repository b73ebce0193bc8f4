"""Reads nodes against shapes: every mistake is reported at its place, and whatever is sound is kept."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.errors import UnitError
from cardgen.load import nodes, shapes
from cardgen.load.nodes import Node, describe
from cardgen.text.decode import CONTROL
from cardgen.units import format_mm, parse_length

# What reading returns instead of a value that was reported.
BAD: Any = object()

_WHOLE, _DECIMAL = re.compile(r"[-+]?\d{1,15}"), re.compile(r"[-+]?(\d{1,15}(\.\d{1,15})?|\.\d{1,15})")
_TRUE = ("true", "yes", "on")
_FALSE = ("false", "no", "off")
_LENGTHS = "a length is written `63mm`, `2.5in`, `1/8in`, `0.5cm` or `10pt`"
BOOLEAN_WORDS = (*_TRUE, *_FALSE)


class Reader:
    """Reads one file; remembers by dotted paths where each value stood, which were unusable, what mappings held."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.places: dict[str, tuple[int, int]] = {}
        self.keys: dict[str, tuple[int, int]] = {}
        self.names: dict[str, tuple[str, ...]] = {}
        self.bad: set[str] = set()
        # whether a key was reported that nobody knows: one that is meant by it may have its default now
        self.has_unknown = False

    def read(self, node: Node, shape: shapes.Shape, path: str = "") -> Any:
        """The value of `node` as `shape` wants it, or BAD after reporting why not."""
        self.places[path] = (node.span.line, node.span.column)
        value = BAD if isinstance(node, nodes.Broken) else _READERS[type(shape)](self, node, shape, path)
        if value is BAD:
            self.bad.add(path)
        return value

    def written(self, path: str) -> bool:
        """Whether the file states a value at `path`, usable or not."""
        return path in self.places

    def lost(self, path: str) -> frozenset[str]:
        """The keys of the mapping at `path` whose values were reported as unusable."""
        start = f"{path}." if path else ""
        below = (bad.removeprefix(start) for bad in self.bad if bad.startswith(start))
        return frozenset(name for name in below if name and "." not in name)

    def whole(self, path: str) -> bool:
        """Whether nothing at `path` or below it was reported as unusable."""
        return not any(bad == path or bad.startswith(f"{path}.") for bad in self.bad)

    def span(self, file: str, path: str) -> Span:
        """Where the value at `path` stood; the nearest enclosing value when it was not written."""
        while path and path not in self.places:
            path = path.rpartition(".")[0]
        line, column = self.places.get(path, (0, 0))
        return Span(file, line, column)

    def key_span(self, file: str, path: str) -> Span:
        """Where the key of a free mapping stood."""
        return Span(file, *self.keys.get(path, (0, 0)))

    def wrong(self, node: Node, expected: str, hint: str = "", code: str = "CG020") -> Any:
        """Report that something else was expected here."""
        if not isinstance(node, nodes.Broken):
            if node == nodes.Scalar("", node.span, True) and not hint:
                hint = "give it a value, or leave the key out"
            self.report.add(code, node.span, hint, expected=expected, found=describe(node))
        return BAD


def _scalar(reader: Reader, node: Node, expected: str) -> str | None:
    if isinstance(node, nodes.Scalar):
        return node.text
    reader.wrong(node, expected)
    return None


def _text(reader: Reader, node: Node, shape: shapes.Text, path: str) -> Any:
    if not isinstance(node, nodes.Scalar):
        char = "[" if isinstance(node, nodes.Sequence) else "{"
        return reader.wrong(node, shape.what, f"a text that starts with `{char}` needs quotes")
    # Files are looked through as a whole; what is typed into a form is not from a file.
    if (control := CONTROL.search(node.text)) is not None:
        reader.report.add("CG008", node.span, found=f"U+{ord(control[0]):04X}")
        return BAD
    text = node.text if node.text.isascii() else unicodedata.normalize("NFC", node.text)
    # What must match a pattern is compared as it is written: no two spellings of one id.
    if not shape.pattern:
        text = text.strip("\n" if shape.multiline else None)
    if len(text) > shape.max_length:
        reader.report.add("CG023", node.span, length=len(text), limit=shape.max_length)
        return BAD
    if shape.pattern and re.fullmatch(shape.pattern, text) is None:
        return reader.wrong(node, shape.what)
    if not shape.multiline and "\n" in text:
        return reader.wrong(node, "one line of text", "write it on one line")
    return text


def _number(reader: Reader, node: Node, shape: shapes.Integer | shapes.Number, path: str) -> Any:
    whole = isinstance(shape, shapes.Integer)
    expected = "a whole number" if whole else "a number"
    text = _scalar(reader, node, expected)
    if text is None:
        return BAD
    # At most 15 digits: what a float and a JSON reader keep exactly.
    if (_WHOLE if whole else _DECIMAL).fullmatch(text) is None or not text.isascii():
        hint = "numbers have at most 15 digits" if re.fullmatch(r"[-+]?\d+(\.\d+)?", text) and len(text) > 15 else ""
        return reader.wrong(node, expected, hint or ("a decimal point is written `.`" if "," in text else ""))
    value: int | float = int(text) if whole else float(text)
    return _in_range(reader, node, value, shape.min, shape.max, str)


def _in_range(
    reader: Reader,
    node: Node,
    value: float,
    low: float | None,
    high: float | None,
    show: Callable[[Any], str],
) -> Any:
    if (low is not None and value < low) or (high is not None and value > high):
        reader.report.add("CG022", node.span, found=show(value), allowed=_allowed(low, high, show))
        return BAD
    return value


def _allowed(low: float | None, high: float | None, show: Callable[[Any], str] = str) -> str:
    if low is None or high is None:
        return f"at least {show(low)}" if low is not None else f"at most {show(high)}"
    return f"{show(low)} to {show(high)}" if low != high else f"exactly {show(low)}"


def _boolean(reader: Reader, node: Node, shape: shapes.Boolean, path: str) -> Any:
    text = _scalar(reader, node, "true or false")
    if text is None:
        return BAD
    if text.lower() in _TRUE:
        return True
    if text.lower() in _FALSE:
        return False
    return reader.wrong(node, "true or false")


def _measure(reader: Reader, node: Node, shape: shapes.Measure, path: str) -> Any:
    text = _scalar(reader, node, "a length")
    if text is None:
        return BAD
    try:
        length = parse_length(text)
    except UnitError as error:
        hint = str(error)
        return reader.wrong(node, "a length", _LENGTHS if hint.startswith("expected") else hint, code="CG021")
    return _in_range(reader, node, length.mm, shape.min, shape.max, lambda mm: f"{format_mm(mm)}mm")


def _choice(reader: Reader, node: Node, shape: shapes.Choice, path: str) -> Any:
    text = _scalar(reader, node, f"one of {shape.told()}")
    if text is None:
        return BAD
    if text not in shape.values:
        guess = shape.meant(text)
        hint = f"did you mean `{guess}`?" if guess else ""
        reader.report.add("CG024", node.span, hint, found=describe(node), values=shape.told())
        return BAD
    return text


def _name(reader: Reader, node: Node, shape: shapes.Name, path: str) -> Any:
    text = _scalar(reader, node, f"the name of a {shape.what}")
    if text is None:
        return BAD
    if not text:
        return reader.wrong(node, f"the name of a {shape.what}")
    if text in shape.lost:
        return BAD
    if shape.known is not None and text not in shape.known:
        reader.report.add("CG104", node.span, did_you_mean(text, shape.known), what=shape.what, name=text)
        return BAD
    return text


def _sequence(reader: Reader, node: Node, shape: shapes.Sequence, path: str) -> Any:
    if not isinstance(node, nodes.Sequence):
        one = isinstance(node, nodes.Scalar) and re.fullmatch(r"[\w.-]+", node.text)
        hint = f"write `[{node.text}]`" if one else "a list is written `[a, b]` or as lines that start with `- `"  # type: ignore[union-attr]
        return reader.wrong(node, "a list", hint)
    if not shape.min_items <= len(node.items) <= shape.max_items:
        reader.report.add("CG026", node.span, found=len(node.items), allowed=_allowed(shape.min_items, shape.max_items))
    values = [reader.read(item, shape.of, f"{path}.{index}") for index, item in enumerate(node.items)]
    return tuple(value for value in values if value is not BAD)


def _mapped(reader: Reader, node: Node, shape: shapes.Mapped, path: str) -> Any:
    if not isinstance(node, nodes.Map):
        return reader.wrong(node, shape.what, "a mapping is written as lines of `key: value`")
    most = shape.max_items
    if len(node.entries) < shape.min_items or (most is not None and len(node.entries) > most):
        reader.report.add("CG026", node.span, found=len(node.entries), allowed=_allowed(shape.min_items, most))
    values: dict[str, Any] = {}
    reader.names[path] = tuple(node.entries)
    for key, entry in node.entries.items():
        inner = f"{path}.{key}".lstrip(".")
        name = reader.read(nodes.Scalar(key, entry.key, True), shape.key, inner)
        reader.keys[inner] = (entry.key.line, entry.key.column)
        value = reader.read(entry.value, shape.of, inner)
        if name is not BAD and value is not BAD:
            values[name] = value
    return values


def _record(reader: Reader, node: Node, shape: shapes.Record, path: str) -> Any:
    if not isinstance(node, nodes.Map):
        return reader.wrong(node, f"a mapping for the {shape.what}", "a mapping is written as lines of `key: value`")
    for key, entry in node.entries.items():
        if key not in shape.keys:
            hint = did_you_mean(key, shape.keys)
            if " " in key and entry.value == nodes.Scalar("", entry.value.span, True):
                hint = "a text with a comma needs quotes inside `{…}`"
            reader.report.add(shape.code, entry.key, hint, key=key, what=shape.what)
            reader.has_unknown = True
    values: dict[str, Any] = {}
    missing = False
    start = f"{path}." if path else ""
    for key, declared in shape.keys.items():
        found = node.entries.get(key)
        if found is None:
            if declared.default is shapes.REQUIRED:
                if not node.torn:
                    reader.report.add("CG025", node.span, key=key, what=shape.what)
                missing = True
            else:
                values[key] = declared.default
            continue
        value = reader.read(found.value, declared.shape, start + key)
        if value == "" and declared.default is shapes.REQUIRED:
            reader.report.add("CG020", found.value.span, expected=f"a value for `{key}`", found="nothing")
            reader.bad.add(start + key)
            value = BAD
        if value is BAD:
            missing = missing or declared.default is shapes.REQUIRED
            value = declared.default
        values[key] = value
    return BAD if missing else values


def _either(reader: Reader, node: Node, shape: shapes.Either, path: str) -> Any:
    match node:
        case nodes.Scalar():
            chosen = shape.scalar
        case nodes.Sequence():
            chosen = shape.sequence
        case _:
            chosen = shape.mapping
    return reader.wrong(node, shape.what) if chosen is None else reader.read(node, chosen, path)


def _anything(reader: Reader, node: Node, shape: shapes.Anything, path: str) -> Any:
    return BAD


def _raw(reader: Reader, node: Node, shape: shapes.Raw, path: str) -> Any:
    return node


def _data(reader: Reader, node: Node, shape: shapes.Data, path: str) -> Any:
    match node:
        case nodes.Map(entries=entries):
            return {key: _data(reader, entry.value, shape, path) for key, entry in entries.items()}
        case nodes.Sequence(items=items):
            return tuple(_data(reader, item, shape, path) for item in items)
        case nodes.Scalar(text=text, plain=plain):
            return _typed(text) if plain else text


def _typed(text: str) -> Any:
    if re.fullmatch(r"[-+]?\d{1,15}", text):
        return int(text)
    if re.fullmatch(r"[-+]?\d{1,15}\.\d{1,15}", text):
        return float(text)
    return {"true": True, "false": False, "yes": True, "no": False, "null": None, "": None}.get(text, text)


def _later(reader: Reader, node: Node, shape: shapes.Later, path: str) -> Any:
    return reader.read(node, shape.get(), path)


_READERS: dict[type, Callable[[Reader, Node, Any, str], Any]] = {
    shapes.Text: _text,
    shapes.Integer: _number,
    shapes.Number: _number,
    shapes.Boolean: _boolean,
    shapes.Measure: _measure,
    shapes.Choice: _choice,
    shapes.Name: _name,
    shapes.Anything: _anything,
    shapes.Data: _data,
    shapes.Raw: _raw,
    shapes.Sequence: _sequence,
    shapes.Mapped: _mapped,
    shapes.Record: _record,
    shapes.Either: _either,
    shapes.Later: _later,
}

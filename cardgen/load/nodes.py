"""YAML as nodes with positions. PyYAML parses; the values are built here, so that nothing loses its place.

Scalars stay as they are written: whether `no` is a word or a boolean is for the reader of the field to say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import yaml

from cardgen.diagnostics import Report, Span

MAX_DEPTH = 40
# How many nodes aliases may add to a file before it counts as an attempt to exhaust memory.
MAX_ALIASED = 10_000
MAX_NODES = 2_000_000

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f]")
_TAB = re.compile(r"^(?:[ ]*\t|[^#\"'\n]*[:\-?]\t)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar as written; `plain` when it stood without quotes or block marks."""

    text: str
    span: Span
    plain: bool


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list."""

    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Entry:
    """A key's place and its value."""

    key: Span
    value: Node


@dataclass(frozen=True, slots=True)
class Map:
    """A mapping; duplicate keys have been reported and left out."""

    entries: Mapping[str, Entry]
    span: Span


Node = Scalar | Sequence | Map


def describe(node: Node) -> str:
    """What a node is, for `expected …, found …`."""
    match node:
        case Map():
            return "a mapping"
        case Sequence():
            return "a list"
        case Scalar(text="", plain=True):
            return "nothing"
        case Scalar(text=text, plain=True) if re.fullmatch(r"[-+]?\d+(\.\d+)?", text):
            return f"the number {text}"
        case Scalar(text=text):
            return f"`{text}`"


def parse_yaml(data: bytes, file: str, report: Report) -> Node | None:
    """The root node of a YAML file, or None after reporting why there is none."""
    text = _decode(data, file, report)
    if text is None:
        return None
    loader_class = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loader = loader_class(text)
    try:
        root = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        span = Span(file, mark.line + 1, mark.column + 1) if mark else Span(file)
        report.add("CG003", span, problem=(error.problem or "not YAML").strip())
        return None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        report.add("CG003", Span(file), problem=str(error).splitlines()[0] if str(error) else "nested too deeply")
        return None
    finally:
        loader.dispose()
    if root is None:
        report.add("CG009", Span(file, 1, 1))
        return None
    return _Builder(file, report).build(root, 0)


def _decode(data: bytes, file: str, report: Report) -> str | None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        report.add("CG002", Span(file), found="UTF-16", hint="save the file as UTF-8")
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        span = Span(file, before.count("\n") + 1, len(before) - before.rfind("\n"))
        report.add("CG002", span, found=f"byte 0x{data[error.start]:02x}", hint="save the file as UTF-8")
        return None
    for pattern, code in ((_CONTROL, "CG008"), (_TAB, "CG004")):
        match = pattern.search(text)
        if match is not None:
            end = match.end() - 1
            line_start = text.rfind("\n", 0, end) + 1
            span = Span(file, text.count("\n", 0, end) + 1, end - line_start + 1)
            report.add(code, span, found=f"U+{ord(text[end]):04X}")
            return None
    return text


class _Builder:
    """Turns PyYAML's nodes into ours. A class only because the recursion shares bounds and the report."""

    def __init__(self, file: str, report: Report) -> None:
        self.file = file
        self.report = report
        self.nodes = 0
        self.seen: set[int] = set()
        self.open: set[int] = set()
        self.aliased = 0
        self.stopped = False

    def build(self, node: yaml.Node, depth: int) -> Node | None:
        span = Span(self.file, node.start_mark.line + 1, node.start_mark.column + 1)
        if not self._within_bounds(node, span, depth):
            return None
        if isinstance(node, yaml.ScalarNode):
            if node.tag.startswith("!") and node.tag != "!":
                self.report.add("CG011", span, tag=node.tag)
                return None
            return Scalar(node.value, span, node.style is None)
        self.open.add(id(node))
        built: Node
        if isinstance(node, yaml.SequenceNode):
            items = [self.build(item, depth + 1) for item in node.value]
            built = Sequence(tuple(item for item in items if item is not None), span)
        else:
            assert isinstance(node, yaml.MappingNode)
            built = Map(self._entries(node, depth), span)
        self.open.discard(id(node))
        return built

    def _within_bounds(self, node: yaml.Node, span: Span, depth: int) -> bool:
        if self.stopped:
            return False
        self.nodes += 1
        if id(node) in self.seen:
            self.aliased += 1
        self.seen.add(id(node))
        if self.aliased > MAX_ALIASED or self.nodes > MAX_NODES or id(node) in self.open:
            self.report.add("CG006", span, limit=MAX_ALIASED)
            self.stopped = True
            return False
        if depth > MAX_DEPTH:
            self.report.add("CG007", span, limit=MAX_DEPTH)
            self.stopped = True
            return False
        return True

    def _entries(self, node: yaml.MappingNode, depth: int) -> dict[str, Entry]:
        entries: dict[str, Entry] = {}
        for key, value in node.value:
            place = Span(self.file, key.start_mark.line + 1, key.start_mark.column + 1)
            if not isinstance(key, yaml.ScalarNode):
                self.report.add("CG010", place)
                continue
            if key.value == "<<" and key.style is None:
                self.report.add("CG012", place)
                continue
            if key.value in entries:
                first = entries[key.value].key
                self.report.add("CG005", place, key=key.value, hint=f"the first one is on line {first.line}")
                continue
            built = self.build(value, depth + 1)
            if built is not None:
                entries[key.value] = Entry(place, built)
        return entries

"""YAML as nodes with positions. PyYAML's parser gives events; the values are built here, so that nothing is lost.

Scalars stay as they are written: whether `no` is a word or a boolean is for the reader of the field to say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml
from msgspec import Struct

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.load.syntax import explain
from cardgen.text.decode import CONTROL, decode_text, place_of

MAX_DEPTH = 40
MAX_NODES = 500_000
# How many values aliases may add to a file before it counts as an attempt to exhaust memory.
MAX_ALIASED = 10_000

_TAB = re.compile(r"^(?:[ ]*\t|[^#\"'\n]*[:\-?]\t)", re.MULTILINE)


class Scalar(Struct, frozen=True):
    """A scalar as written; `plain` when it stood without quotes or block marks."""

    text: str
    span: Span
    plain: bool


class Sequence(Struct, frozen=True):
    """A list."""

    items: tuple[Node, ...]
    span: Span


class Entry(Struct, frozen=True):
    """A key's place and its value."""

    key: Span
    value: Node


class Map(Struct, frozen=True):
    """A mapping; duplicate keys have been reported and left out. `torn`: so has a key that nobody can name."""

    entries: Mapping[str, Entry]
    span: Span
    torn: bool = False


class Broken(Struct, frozen=True):
    """A value that was reported and cannot be read; whatever stands for it is taken without another word."""

    span: Span


Node = Scalar | Sequence | Map | Broken


def describe(node: Node) -> str:
    """What a node is, for `expected …, found …`."""
    match node:
        case Map():
            return "a mapping"
        case Sequence():
            return "a list"
        case Broken():
            return "nothing"
        case Scalar(text="", plain=True):
            return "nothing"
        case Scalar(text=text, plain=True) if re.fullmatch(r"[-+]?\d+(\.\d+)?", text) and len(text) < 40:
            return f"the number {text}"
        case Scalar(text=text):
            return f"`{text if len(text) <= 60 else text[:57] + '...'}`"


def parse_yaml(data: bytes, file: str, report: Report) -> Node | None:
    """The root node of a YAML file, or None after reporting why there is none."""
    text = decode_text(data, file, report)
    if text is None:
        return None
    tab = _TAB.search(text) if "\t" in text else None
    if tab is not None:
        report.add("CG004", place_of(text, tab.end() - 1, file))
        return None
    loader_class: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loader = loader_class(text)
    try:
        return _Builder(loader, file, report).document()
    except yaml.YAMLError as error:
        report.items.append(explain(error, text, file))
        return None
    except _Stop:
        return None
    finally:
        loader.dispose()


def parse_block(text: str, file: str, line: int) -> tuple[Node, int] | None:
    """The root node of a part of a file that begins at `line`, and how many nodes it has.

    None when there is anything to say of it, or when it names or repeats anchors: only the file as a whole tells.
    """
    report = Report()
    if CONTROL.search(text) or _TAB.search(text):
        return None
    loader_class: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loader = loader_class(text)
    try:
        builder = _Builder(loader, file, report, line - 1)
        root = builder.document()
    except (yaml.YAMLError, _Stop):
        return None
    finally:
        loader.dispose()
    return None if root is None or report.items or builder.anchors else (root, builder.nodes)


class _Stop(Exception):
    """A bound was passed and has been reported: the rest of the file is not read."""


class _Anchor(Struct, frozen=True):
    """What aliases repeat; `size` of None while it is still open."""

    node: Node | None
    size: int | None = None


class _Builder:
    """Turns events into nodes. A class only because the recursion shares bounds, anchors and the report."""

    def __init__(self, loader: Any, file: str, report: Report, above: int = 0) -> None:
        self.next = loader.get_event
        # lines of the file that stand above what is parsed
        self.above = above + 1
        self.file = file
        self.report = report
        self.nodes = 0
        self.aliased = 0
        self.anchors: dict[str, _Anchor] = {}

    def document(self) -> Node | None:
        """The only document of the stream."""
        event = self.next()
        while not isinstance(event, (yaml.DocumentStartEvent, yaml.StreamEndEvent)):
            event = self.next()
        if isinstance(event, yaml.StreamEndEvent):
            self.report.add("CG009", Span(self.file, 1, 1))
            return None
        root = self._build(self.next(), 0)
        self.next()
        after = self.next()
        if isinstance(after, yaml.DocumentStartEvent):
            hint = "split the file, or leave out the line `---`"
            self.report.add("CG003", self._span(after), hint, problem="a second document starts here")
        return None if isinstance(root, Broken) else root

    def _span(self, event: Any) -> Span:
        return Span(self.file, event.start_mark.line + self.above, event.start_mark.column + 1)

    def _build(self, event: Any, depth: int) -> Node:
        """The node that `event` begins."""
        mark = event.start_mark
        span = Span(self.file, mark.line + self.above, mark.column + 1)
        if type(event) is yaml.ScalarEvent and event.anchor is None and event.tag is None:
            self._count(span, depth)
            return self._scalar(event, span)
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event, span)
        before = self.nodes + self.aliased
        self._count(span, depth)
        anchor = getattr(event, "anchor", None)
        if anchor:
            self.anchors[anchor] = _Anchor(None)
        built: Node
        if isinstance(event, yaml.ScalarEvent):
            built = self._scalar(event, span)
        elif isinstance(event, yaml.SequenceStartEvent):
            built = Sequence(tuple(self._items(depth)), span)
        else:
            built = self._map(depth, span)
        # `!` alone only says that a scalar is text, which it is.
        if event.tag not in (None, "!"):
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            self.report.add("CG011", span, "leave it out", tag=tag)
            built = Broken(span)
        if anchor:
            self.anchors[anchor] = _Anchor(built, self.nodes + self.aliased - before)
        return built

    def _count(self, span: Span, depth: int) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self.report.add("CG014", span, "split the file", limit=MAX_NODES)
            raise _Stop
        if depth > MAX_DEPTH:
            self.report.add("CG007", span, limit=MAX_DEPTH)
            raise _Stop

    def _alias(self, event: Any, span: Span) -> Node:
        name = event.anchor
        found = self.anchors.get(name)
        if found is None:
            hint = did_you_mean(name, self.anchors) or "a text that starts with `*` needs quotes"
            self.report.add("CG104", span, hint, what="anchor", name=name)
            return Broken(span)
        if found.node is None or found.size is None:
            self.report.add("CG013", span, name=name)
            raise _Stop
        self.aliased += found.size
        if self.aliased > MAX_ALIASED:
            self.report.add("CG006", span, limit=MAX_ALIASED)
            raise _Stop
        return found.node

    def _scalar(self, event: Any, span: Span) -> Node:
        style = event.style
        # Escapes in double quotes can spell what a file may not hold.
        if style == '"' and (control := CONTROL.search(event.value)) is not None:
            self.report.add("CG008", span, found=f"U+{ord(control[0]):04X}")
            return Broken(span)
        # The C parser says "" of a plain scalar, the Python one None.
        return Scalar(event.value, span, not style)

    def _items(self, depth: int) -> list[Node]:
        items = []
        while not isinstance(event := self.next(), yaml.SequenceEndEvent):
            items.append(self._build(event, depth + 1))
        return items

    def _map(self, depth: int, span: Span) -> Map:
        entries: dict[str, Entry] = {}
        torn = False
        while not isinstance(event := self.next(), yaml.MappingEndEvent):
            key = self._build(event, depth + 1)
            place = key.span if type(event) is yaml.ScalarEvent else self._span(event)
            value = self._build(self.next(), depth + 1)
            if type(key) is not Scalar:
                torn = True
                if not isinstance(key, Broken):
                    self.report.add("CG010", place)
            elif key.text == "<<" and key.plain:
                torn = True
                self.report.add("CG012", place)
            elif key.text in entries:
                hint = f"the first one is on line {entries[key.text].key.line}"
                self.report.add("CG005", place, hint, key=key.text)
            else:
                entries[key.text] = Entry(place, value)
        return Map(entries, span, torn)

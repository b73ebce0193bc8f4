"""What reading a project again can take from the last time: files, their nodes, cards. For a process that stays.

Nothing here is a second way to read: what is recalled is what the same functions gave for the same input.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from msgspec import Struct, field

from cardgen.diagnostics import Diagnostic, Report
from cardgen.files import Shelf
from cardgen.load.nodes import MAX_NODES, Entry, Map, Node, parse_block, parse_yaml
from cardgen.model.card import Card

# A key of the outermost mapping, at the beginning of a line; and any line that begins with something else than space,
# a comment or an item of a list.
_KEY = re.compile(r"^[\w.-]+:(?=\s|$)", re.MULTILINE)
_OUTER = re.compile(r"^[^\s#-]", re.MULTILINE)
# What is more than a comment or an empty line: none of it stands before the first key.
_SAYS = re.compile(r"^[ \t]*[^\s#]", re.MULTILINE)


class _Block(Struct, frozen=True):
    """A key of the outermost mapping with its value, as it stands in a file from some line on."""

    key: str
    entry: Entry
    nodes: int


class _File(Struct):
    """A file as it was read last: its bytes, its node and what was said of it, its blocks by text and line."""

    data: bytes
    root: Node | None
    told: tuple[Diagnostic, ...]
    blocks: dict[tuple[str, int], _Block] = field(default_factory=dict)


class Recall(Struct):
    """What was read last."""

    files: dict[str, _File] = field(default_factory=dict)
    # by the id of the node, which is held with it: what the card was read with, the card, what was said of it
    cards: dict[int, tuple[Node, object, Card | None, tuple[Diagnostic, ...]]] = field(default_factory=dict)
    _cards_before: dict[int, tuple[Node, object, Card | None, tuple[Diagnostic, ...]]] = field(default_factory=dict)
    _values: dict[object, object] = field(default_factory=dict)

    def begin(self) -> None:
        """Begin reading again: what is not asked for until the next time is forgotten then."""
        self._cards_before, self.cards = self.cards, {}

    def same(self, name: object, value: object) -> object:
        """The value, or the one of that name that was given before, when they are equal: to be compared by identity."""
        known = self._values.get(name)
        if known != value:
            self._values[name] = known = value
        return known

    def card(self, node: Node, read_with: object) -> tuple[Card | None, tuple[Diagnostic, ...]] | None:
        """The card that was read from this very node with this very value, and what was said of it."""
        known = self.cards.get(id(node)) or self._cards_before.get(id(node))
        if known is None or known[0] is not node or known[1] is not read_with:
            return None
        self.cards[id(node)] = known
        return known[2:]

    def node(self, data: bytes, name: str, report: Report) -> Node | None:
        """As `parse_yaml`. Of a file of which a part has changed, that part is parsed."""
        known = self.files.get(name)
        if known is not None and known.data == data:
            report.extend(known.told)
            return known.root
        blocks = _blocks(data, name, known.blocks if known is not None else {})
        if blocks is not None:
            # The root stands where its first key does.
            first = next(iter(blocks.values())).entry.key
            root: Node | None = Map({block.key: block.entry for block in blocks.values()}, first)
            self.files[name] = _File(data, root, (), blocks)
            return root
        own = Report()
        root = parse_yaml(data, name, own)
        self.files[name] = _File(data, root, tuple(own.items))
        report.extend(own.items)
        return root


class RecallingShelf(Shelf, frozen=True):
    """A shelf that remembers what was read from it. It travels without its memory."""

    recall: Recall = field(default_factory=Recall)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RecallingShelf) and self.roots == other.roots

    def __hash__(self) -> int:
        return hash(self.roots)

    def __reduce__(self) -> tuple[type[Shelf], tuple[Any, ...]]:
        """How it is pickled."""
        return Shelf, (self.roots,)


def _blocks(data: bytes, name: str, known: dict[tuple[str, int], _Block]) -> dict[tuple[str, int], _Block] | None:
    """The blocks of a file, those that are known as they are; None when it has to be read as a whole.

    That is so when it is not a plain mapping of plain keys, or when there is anything to say about it.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if any(ending in text for ending in "\r\x85\u2028\u2029"):
        return None  # lines end otherwise for those who count them
    starts = [match.start() for match in _KEY.finditer(text)]
    if not starts or len(starts) != len(_OUTER.findall(text)) or _SAYS.search(text[: starts[0]]):
        return None
    found: dict[tuple[str, int], _Block] = {}
    keys: set[str] = set()
    line, count = 1 + text.count("\n", 0, starts[0]), 1
    for start, end in pairwise([*starts, len(text)]):
        part = text[start:end]
        block = known.get((part, line)) or _block(part, name, line)
        if block is None or block.key in keys:
            return None
        keys.add(block.key)
        found[part, line] = block
        count += block.nodes
        line += part.count("\n")
    return found if count <= MAX_NODES else None


def _block(text: str, name: str, line: int) -> _Block | None:
    parsed = parse_block(text, name, line)
    if parsed is None:
        return None
    root, nodes = parsed
    if not isinstance(root, Map) or len(root.entries) != 1 or root.torn:
        return None
    ((key, entry),) = root.entries.items()
    return _Block(key, entry, nodes)

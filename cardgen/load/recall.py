"""What reading a project again can take from the last time: files, their nodes, cards; the cards from another process.

Nothing here is a second way to read: what is recalled is what the same functions gave for the same input.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import blake2b
from itertools import pairwise
from typing import Any

from msgspec import Struct, field

from cardgen.diagnostics import Diagnostic, Report, Span
from cardgen.files import Shelf
from cardgen.load.fields import Known
from cardgen.load.kept_cards import KeptCard, card_of, kept
from cardgen.load.nodes import MAX_NODES, Entry, Map, Node, parse_block, parse_yaml
from cardgen.model.card import Card

# A key of the outermost mapping, at the beginning of a line; and any line that begins with something else than space,
# a comment or an item of a list.
_KEY = re.compile(r"^[\w.-]+:(?=\s|$)", re.MULTILINE)
_OUTER = re.compile(r"^[^\s#-]", re.MULTILINE)
# What is more than a comment or an empty line: none of it stands before the first key.
_SAYS = re.compile(r"^[ \t]*[^\s#]", re.MULTILINE)


class Block(Struct):
    """A key of the outermost mapping with its value, as it stands in a file from some line on; parsed when it is asked
    for, and with the card that was read of it. Without a text when only the file as a whole could be parsed."""

    key: str
    place: Span
    text: str
    nodes: int
    parsed: Node | None = None
    # the card that was read of it last: its kind, what it was read with, itself, what was said of it; and as data
    read: tuple[str, bytes, Card | None, tuple[Diagnostic, ...]] | None = None
    data: KeptCard | None = None

    def node(self) -> Node:
        """The value."""
        if self.parsed is None:
            found = parse_block(self.text, self.place.file, self.place.line)
            assert found is not None and isinstance(found[0], Map)  # it was parsed before
            self.parsed = found[0].entries[self.key].value
        return self.parsed

    def at(self, line: int) -> Block:
        """The same block at a line of the file."""
        if line == self.place.line:
            return self
        return Block(self.key, Span(self.place.file, line, 1), self.text, self.nodes, data=self.data)

    def card(self, reads: Mapping[str, bytes], known: Known) -> tuple[Card | None, tuple[Diagnostic, ...]] | None:
        """The card that was read of this very text, and what was said of it; None when it was read with something else
        than `reads` says of its kind, which `known` is part of."""
        if self.read is not None:
            kind, read_with, card, told = self.read
            return (card, told) if reads.get(kind) == read_with else None
        if self.data is None or reads.get(self.data.kind) != self.data.read_with:
            return None
        card = card_of(self.data, self.key, self.place, known)
        self.read = card.kind, self.data.read_with, card, ()
        return card, ()

    def keep(self, kind: str, read_with: bytes, card: Card | None, told: tuple[Diagnostic, ...]) -> bool:
        """Keep the card that was read of it just now; whether another process could have it."""
        self.read = kind, read_with, card, told
        self.data = kept(card, read_with) if self.text and card is not None and card.sound and not told else None
        if self.data is not None:
            self.parsed = None  # its text says it as well, should anybody ask again
        return self.data is not None


class Blocks(Struct, frozen=True):
    """The outermost mapping of a file. `torn` as of `Map`."""

    items: tuple[Block, ...]
    torn: bool = False


def blocks_of(root: Map) -> Blocks:
    """The blocks of a mapping that was parsed as a whole."""
    return Blocks(tuple(Block(id, entry.key, "", 0, entry.value) for id, entry in root.entries.items()), root.torn)


class KeptBlock(Struct, frozen=True, array_like=True):
    """A block of which nothing was to be said, for another process: that has its text already."""

    key: str
    nodes: int
    card: KeptCard


# By the names of files, by the hashes of texts.
KeptBlocks = dict[str, dict[bytes, KeptBlock]]


class _File(Struct):
    """A file as it was read last: its bytes, its node, its blocks and what was said of it."""

    data: bytes
    root: Node | None
    told: tuple[Diagnostic, ...]
    blocks: Blocks | None = None


class Recall(Struct):
    """What was read last."""

    # blocks that another process has kept
    kept: KeptBlocks = field(default_factory=dict)
    files: dict[str, _File] = field(default_factory=dict)
    # whether something was read that another process could have
    is_new: bool = False
    _cards: dict[str, _File] = field(default_factory=dict)

    def node(self, data: bytes, name: str, report: Report) -> Node | None:
        """As `parse_yaml`. Of a file of which a part has changed, that part is parsed."""
        known = self.files.get(name)
        if known is not None and known.data == data:
            report.extend(known.told)
            return known.root
        blocks = _blocks(data, name, _by_text(known), {})
        if blocks is not None:
            # The root stands where its first key does.
            entries = {block.key: Entry(block.place, block.node()) for block in blocks.items}
            root: Node | None = Map(entries, blocks.items[0].place)
            self.files[name] = _File(data, root, (), blocks)
            return root
        own = Report()
        root = parse_yaml(data, name, own)
        self.files[name] = _File(data, root, tuple(own.items))
        report.extend(own.items)
        return root

    def blocks(self, data: bytes, name: str, report: Report) -> Node | Blocks | None:
        """As `node`, of a file of cards: what was read of a block before need not be parsed."""
        known = self._cards.get(name)
        if known is None or known.data != data:
            blocks = _blocks(data, name, _by_text(known), self.kept.get(name, {}))
            own = Report()
            root = parse_yaml(data, name, own) if blocks is None else None
            if isinstance(root, Map):
                blocks = blocks_of(root)
            self._cards[name] = known = _File(data, root, tuple(own.items), blocks)
        report.extend(known.told)
        return known.blocks or known.root

    def to_keep(self) -> KeptBlocks:
        """What another process can have."""
        return {
            name: {_hash(block.text): KeptBlock(block.key, block.nodes, block.data)
                   for block in file.blocks.items if block.data is not None}
            for name, file in self._cards.items() if file.blocks is not None
        }  # fmt: skip


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


def _by_text(known: _File | None) -> dict[str, Block]:
    if known is None or known.blocks is None:
        return {}
    return {block.text: block for block in known.blocks.items if block.text}


def _hash(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=32).digest()


def _blocks(data: bytes, name: str, known: Mapping[str, Block], kept: Mapping[bytes, KeptBlock]) -> Blocks | None:
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
    found: dict[str, Block] = {}
    line, count = 1 + text.count("\n", 0, starts[0]), 1
    for start, end in pairwise([*starts, len(text)]):
        part = text[start:end]
        block = known.get(part)
        if block is not None:
            block = block.at(line)
        elif kept and (had := kept.get(_hash(part))) is not None:
            block = Block(had.key, Span(name, line, 1), part, had.nodes, data=had.card)
        else:
            block = _block(part, name, line)
        if block is None or block.key in found:
            return None
        found[block.key] = block
        count += block.nodes
        line += part.count("\n")
    return Blocks(tuple(found.values())) if count <= MAX_NODES else None


def _block(text: str, name: str, line: int) -> Block | None:
    parsed = parse_block(text, name, line)
    if parsed is None:
        return None
    root, nodes = parsed
    if not isinstance(root, Map) or len(root.entries) != 1 or root.torn:
        return None
    ((key, entry),) = root.entries.items()
    return Block(key, entry.key, text, nodes, entry.value) if entry.key == Span(name, line, 1) else None

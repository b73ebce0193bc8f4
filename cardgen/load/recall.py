"""What reading a project again can take from the last time: files, their nodes, cards; the cards from another process.

Nothing here is a second way to read: what is recalled is what the same functions gave for the same input.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from hashlib import blake2b
from itertools import pairwise
from operator import is_
from typing import Any, TypeVar

from msgspec import Struct, field

from cardgen.diagnostics import Diagnostic, Report, Span
from cardgen.files import FileStamp, Shelf, file_stamp
from cardgen.load.fields import Known
from cardgen.load.kept_cards import KeptCard, card_of, kept
from cardgen.load.nodes import MAX_NODES, Entry, Map, Node, parse_block, parse_yaml
from cardgen.model.card import Card

T = TypeVar("T")

# A key of the outermost mapping, at the beginning of a line; and any line that begins with something else than space,
# a comment or an item of a list.
_KEY = re.compile(r"[\w.-]+:(?=\s|$)")
_OUTER = re.compile(r"\n[^\s#-]")  # begun with a letter, which is searched fast
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
        return Block(self.key, Span(self.place.file, line, 1), self.text, self.nodes, data=self.as_data())

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
        self.read, self.data = (kind, read_with, card, told), None
        if self._is_sound:
            self.parsed = None  # its text says it as well, should anybody ask again
        return self._is_sound

    @property
    def _is_sound(self) -> bool:
        """Whether the card that was read of it last is whole, and nothing was to be said of it."""
        if self.read is None or not self.text:
            return False
        _, _, card, told = self.read
        return card is not None and card.sound and not told

    def as_data(self) -> KeptCard | None:
        """The card as data, made when somebody wants it; None when it would not come back as it is."""
        if self.data is None and self.read is not None and self._is_sound:
            _, read_with, card, _ = self.read
            self.data = kept(card, read_with) if card is not None else None
        return self.data


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


class _File(Struct):
    """A file as it was read last: its bytes, its node, its blocks and what was said of it."""

    data: bytes
    root: Node | None
    told: tuple[Diagnostic, ...]
    blocks: Blocks | None = None


class Recall(Struct):
    """What was read last."""

    # blocks that another process has kept, by the hashes of their texts
    kept: Mapping[bytes, KeptBlock] = field(default_factory=dict)
    files: dict[str, _File] = field(default_factory=dict)
    fonts: dict[str, tuple[FileStamp, bytes]] = field(default_factory=dict)
    # whether something was read that another process could have
    is_new: bool = False
    _cards: dict[str, _File] = field(default_factory=dict)
    _made: dict[str, tuple[tuple[object, ...], Any]] = field(default_factory=dict)

    def made(self, name: str, of: tuple[Node | None, ...], make: Callable[[Report], T], report: Report) -> T:
        """What `make` gives, or what it gave by that name when it was made of the very same nodes and nothing was said."""
        known = self._made.get(name)
        if known is not None and len(known[0]) == len(of) and all(map(is_, known[0], of)):
            found: T = known[1]
            return found
        own = Report()
        found = make(own)
        report.extend(own.items)
        if own.items or None in of:
            self._made.pop(name, None)
        else:
            self._made[name] = of, found
        return found

    def node(self, data: bytes, name: str, report: Report) -> Node | None:
        """As `parse_yaml`. Of a file of which a part has changed, that part is parsed."""
        known = self.files.get(name)
        if known is not None and known.data == data:
            report.extend(known.told)
            return known.root
        # Blocks are of use to whoever reads a file again: for the first time it takes longer by them.
        blocks = _blocks(data, name, _by_text(known), {}) if known is not None else None
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
            blocks = _blocks(data, name, _by_text(known), self.kept)
            own = Report()
            root = parse_yaml(data, name, own) if blocks is None else None
            if isinstance(root, Map):
                blocks = blocks_of(root)
            self._cards[name] = known = _File(data, root, tuple(own.items), blocks)
        report.extend(known.told)
        return known.blocks or known.root

    def to_keep(self) -> dict[bytes, KeptBlock]:
        """What another process can have."""
        blocks = (block for file in self._cards.values() if file.blocks is not None for block in file.blocks.items)
        return {
            _hash(block.text): KeptBlock(block.key, block.nodes, data)
            for block in blocks
            if (data := block.as_data()) is not None
        }


class RecallingShelf(Shelf, frozen=True):
    """A shelf that remembers what was read from it. It travels without its memory."""

    recall: Recall = field(default_factory=Recall)

    def read(self, name: str, limit: int) -> bytes:
        """As of any shelf; of a font that did not change the very same bytes, whose hashes are known already."""
        if not name.startswith("fonts/"):
            return super().read(name, limit)
        path = self.find(name)
        before = file_stamp(path) if path is not None else None
        known = self.recall.fonts.get(name)
        if known is not None and known[0] == before and len(known[1]) <= limit:
            return known[1]
        data = super().read(name, limit)
        # What was written just now may be written again within the same tick of the clock.
        if before is not None and before == file_stamp(path) and before.is_settled:
            self.recall.fonts[name] = before, data
        else:
            self.recall.fonts.pop(name, None)
        return data

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
    starts = [match.start() + 1 for match in _OUTER.finditer(text)]
    if _OUTER.match(f"\n{text[:1]}"):
        starts.insert(0, 0)
    if not starts or not all(_KEY.match(text, start) for start in starts) or _SAYS.search(text[: starts[0]]):
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

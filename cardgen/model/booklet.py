"""Booklets: texts in blocks, as Markdown has them, with what is set between them from the game's own data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from cardgen.diagnostics import Span

BlockKind = Literal["heading", "paragraph", "bullet", "number", "quote", "insert", "break"]
# What `{word …}` on a line of its own sets: `contents`, `dice`, `keywords`, `table ID`, `track ID`, `notes PACK`,
# `odds CALL`.
INSERTS = ("contents", "dice", "keywords", "notes", "odds", "table", "track")


class Block(Struct, frozen=True):
    """One block: its text with inline markup, or what is inserted; `context` is what translators know it by.

    `level` is that of a heading from 1, or how deep a list's item stands.
    """

    kind: BlockKind
    text: str
    context: str
    span: Span
    level: int = 1
    insert: str = ""


class Booklet(Struct, frozen=True):
    """A booklet of a game; `title` is its first heading."""

    id: str
    title: str
    blocks: tuple[Block, ...]
    span: Span
    # what its inserts show, by their text, where that has to be computed
    answers: Mapping[str, object] = field(default_factory=dict)

"""Reads booklets: Markdown of `cards/<game>/booklets/*.md`, its blocks by markdown-it, its inline markup our own.

Translators know a block by the heading that it stands below and its number there (`booklets/rules.setting-up.2`), so
that what is written elsewhere in a booklet leaves its translation alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.errors import FileProblem
from cardgen.files import Shelf
from cardgen.model.booklet import INSERTS, Block, Booklet
from cardgen.text.decode import decode_text

if TYPE_CHECKING:
    from markdown_it.token import Token

MAX_BOOKLET = 200_000
_INSERT = re.compile(r"\{\s*([a-z]+)(?:\s+(.*?))?\s*\}")
# What Markdown can say and a booklet cannot, by markdown-it's token.
_UNKNOWN = {
    "code_block": "an indented block",
    "fence": "a block of code",
    "html_block": "HTML",
    "table_open": "a table; name one of game.yaml in `{table ID}`",
}


def read_booklets(shelf: Shelf, game: str, known: Mapping[str, Collection[str]], report: Report) -> dict[str, Booklet]:
    """The booklets of a game by id; what is wrong is reported. `known` has what inserts may name, by their word."""
    found: dict[str, Booklet] = {}
    for name in shelf.names(f"cards/{game}/booklets", ".md"):
        id = name.rpartition("/")[2].removesuffix(".md")
        try:
            text = decode_text(shelf.read(name, MAX_BOOKLET), name, report)
        except FileProblem as error:
            report.add("CG001", Span(name), problem=str(error))
            continue
        if text is None:
            continue
        if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", id):
            report.add("CG020", Span(name), expected="lower-case letters, digits and hyphens", found=f"`{id}`")
            continue
        blocks = tuple(_named(_blocks(text, name, report), id))
        for block in blocks:
            if block.insert:
                _check(block, known, report)
        heading = next((block for block in blocks if block.kind == "heading" and block.level == 1), None)
        if heading is None:
            report.add("CG680", Span(name, 1, 1), booklet=id)
            continue
        found[id] = Booklet(id, heading.text, blocks, Span(name, 1, 1))
    return found


def _check(block: Block, known: Mapping[str, Collection[str]], report: Report) -> None:
    """Report an insert that does not exist, or that names what does not."""
    word, _, rest = block.insert.partition(" ")
    if word not in INSERTS:
        report.add(
            "CG681", block.span, did_you_mean(word, INSERTS), insert=block.insert, problem=f"there is no `{word}`"
        )
        return
    named = known.get(word)
    if named is None:
        if word in ("contents", "dice", "keywords") and rest:
            report.add("CG681", block.span, insert=block.insert, problem=f"`{word}` stands alone")
        return
    for name in rest.split() or [""]:
        if name not in named:
            problem = f"there is no {word} `{name}`" if name else f"say which, as in `{{{word} NAME}}`"
            report.add("CG681", block.span, did_you_mean(name, named), insert=block.insert, problem=problem)


def _blocks(text: str, file: str, report: Report) -> Iterator[Block]:
    """The blocks of a Markdown text, without their names."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    kinds: list[str] = []
    lists: list[str] = []
    quoted = 0
    skip = ""
    for token in tokens:
        if skip:
            skip = "" if token.type == skip else skip
            continue
        line = (token.map[0] if token.map else 0) + 1
        span = Span(file, line, 1)
        if token.type in _UNKNOWN:
            report.add("CG682", span, found=_UNKNOWN[token.type])
            skip = token.type.replace("_open", "_close") if token.type.endswith("_open") else ""
        elif token.type == "hr":
            yield Block("break", "", "", span)
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            lists.append("bullet" if token.type.startswith("bullet") else "number")
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.type in ("blockquote_open", "blockquote_close"):
            quoted += 1 if token.type.endswith("open") else -1
        elif token.type == "heading_open":
            kinds.append(token.tag)
        elif token.type == "inline":
            yield _block(token, span, kinds, lists, quoted)
            kinds.clear()


def _block(token: Token, span: Span, kinds: list[str], lists: list[str], quoted: int) -> Block:
    text = " ".join(line.strip() for line in token.content.splitlines())
    if kinds:
        return Block("heading", text, "", span, int(kinds[0][1:]))
    insert = _INSERT.fullmatch(text)
    if insert:
        return Block("insert", "", "", span, insert=" ".join(part for part in insert.groups() if part))
    if lists:
        return Block("bullet" if lists[-1] == "bullet" else "number", text, "", span, len(lists))
    return Block("quote" if quoted else "paragraph", text, "", span)


def _named(blocks: Iterator[Block], booklet: str) -> Iterator[Block]:
    """The blocks with the contexts of their texts; a heading of a name that was there gets a number."""
    section, number = "start", 0
    used: dict[str, int] = {}
    for block in blocks:
        if block.kind == "heading":
            slug = re.sub(r"[^a-z0-9]+", "-", block.text.lower()).strip("-")[:40] or "section"
            used[slug] = used.get(slug, 0) + 1
            section, number = slug if used[slug] == 1 else f"{slug}-{used[slug]}", 0
        if not block.text:
            yield block
            continue
        name = f"booklets/{booklet}.{section}.{number}"
        number += 1
        yield Block(block.kind, block.text, name, block.span, block.level, block.insert)

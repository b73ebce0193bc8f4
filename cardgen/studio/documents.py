"""Documents: what is edited. A card is an entry of a file of cards, a band is a file."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from msgspec import Struct

from cardgen.diagnostics import Report, Span
from cardgen.errors import FileProblem
from cardgen.files import MAX_YAML, Shelf, own_path, read_bounded, remove_file, write_atomic
from cardgen.load import yamledit
from cardgen.load.nodes import parse_yaml
from cardgen.load.trees import Tree, tree_of
from cardgen.model.game import Field, Game
from cardgen.studio.broken import Broken, put_aside

Group = Literal["cards", "bands"]
COPIES = Field("integer", about="How many of it are printed.", min=0, max=999)
TITLE = Field("text", required=True, max_length=120)


class Document(Struct, frozen=True):
    """One thing to edit: of which game, in which file, under which key (None: the file is it), with which fields."""

    game: str
    group: Group
    id: str
    kind: str
    file: str
    key: str | None
    fields: Mapping[str, Field]

    @property
    def url(self) -> str:
        """Where Studio shows it."""
        name = self.id if self.group == "cards" else self.file.split("/bands/", 1)[1].removesuffix(".yaml")
        return f"/g/{self.game}/{self.group}/{quote(name)}"


def card_document(game: Game, id: str) -> Document | None:
    """The card `id`; None when the game has none."""
    card = game.cards.get(id)
    if card is None:
        return None
    fields = {**game.kinds[card.kind].fields, "copies": COPIES}
    return Document(game.id, "cards", id, card.kind, card.span.file, id, fields)


def band_document(game: Game, name: str, tree: Mapping[str, Tree]) -> Document | None:
    """The band in `bands/<name>.yaml` that says `tree`; None when no kind of band fits."""
    stated = tree.get("kind")
    kind = stated if isinstance(stated, str) else next(iter(game.bands), "") if len(game.bands) == 1 else ""
    if kind not in game.bands:
        return None
    file = f"cards/{game.id}/bands/{name}.yaml"
    fields = {"title": TITLE, **game.bands[kind].fields}
    return Document(game.id, "bands", Path(name).name, kind, file, None, fields)


def read_text(shelf: Shelf, file: str) -> str:
    """The text of a file of the project; empty when there is none. Raises FileProblem."""
    if shelf.find(file) is None:
        return ""
    try:
        return shelf.read(file, MAX_YAML).decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise FileProblem(f"`{file}` is not UTF-8; save it as UTF-8 by hand first") from None


def read_tree(shelf: Shelf, file: str, key: str | None) -> dict[str, Tree] | None:
    """What a file says at `key`; None when it says nothing there. Raises FileProblem for a broken file."""
    return tree_in(read_text(shelf, file), file, key)


def tree_in(text: str, file: str, key: str | None) -> dict[str, Tree] | None:
    """What the text of a file says at `key`; None when it says nothing there. Raises Broken."""
    if not text.strip():
        return None
    report = Report()
    root = parse_yaml(text.encode(), file, report)
    if root is None or report.has_errors():
        first = next(iter(report.sorted()), None)
        span = (first.span if first is not None else None) or Span(file)
        lines = text.splitlines()
        line = lines[span.line - 1] if 0 < span.line <= len(lines) else ""
        raise Broken(span, first.message if first is not None else "it cannot be read", line.strip()[:200])
    tree = tree_of(root)
    found = tree.get(key) if isinstance(tree, dict) and key is not None else tree
    return found if isinstance(found, dict) else None


def write_tree(shelf: Shelf, document: Document, tree: Mapping[str, Tree] | None) -> bytes:
    """Write what a document says, None to remove it; the bytes of its file afterwards.

    A shipped file is never changed: a copy of the project's own takes its place. Raises FileProblem.
    """
    target = own_path(shelf, document.file)
    text = read_text(shelf, document.file)
    if tree is None:
        if document.key is None:
            remove_file(target)
            return b""
        changed = yamledit.remove(text, document.key)
    else:
        changed = yamledit.edit(text, document.key, tree, document.fields)
    data = changed.encode()
    if target.exists() and read_bounded(target, document.file, MAX_YAML) == data:
        return data
    write_atomic(target, data)
    return data


def write_over(shelf: Shelf, document: Document, good: str, tree: Mapping[str, Tree]) -> str:
    """Write a document into its file as that was when it was `good`; the name of the file that keeps what was there.

    Raises FileProblem.
    """
    target = own_path(shelf, document.file)
    data = yamledit.edit(good, document.key, tree, document.fields).encode()
    aside = put_aside(target, read_bounded(target, document.file, MAX_YAML))
    write_atomic(target, data)
    return document.file.rpartition("/")[0] + "/" + aside.name


def revision(tree: Mapping[str, Tree] | None) -> str:
    """A short name for what a document says: equal names mean equal trees."""
    return hashlib.sha256(json.dumps(tree, sort_keys=True).encode()).hexdigest()[:16]


def folder_of(person: str, known: Collection[str] = ()) -> str:
    """The folder of somebody's bands: their name as they write it, accents and capitals too; empty for nobody.

    What no file system can do without harm is left out. Somebody who is `known` in other capitals is the same.
    """
    kept = "".join(char if char.isalnum() or char in "-_' " else " " for char in unicodedata.normalize("NFC", person))
    name = " ".join(kept.split())[:40].strip()
    while len(name.encode()) > 120:
        name = name[:-1].strip()
    return next((one for one in known if one.casefold() in (name.casefold(), slug(name)) and name), name)


def person_of(folder: str) -> str:
    """What somebody is called whose bands lie in `folder`: as it is written, or an id as words."""
    return folder if folder != slug(folder) else folder.replace("-", " ").title()


def slug(text: str) -> str:
    """A text as part of an id or a file's name: lower-case letters, digits, hyphens; empty when nothing is left."""
    bare = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", bare).strip("-")[:50].strip("-")

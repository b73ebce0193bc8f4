"""Writes a changed catalog into the file that is there: what did not change keeps its lines, order and comments."""

from __future__ import annotations

import polib

from cardgen.i18n.catalog import Catalog, Entry
from cardgen.i18n.poedit import edit_all, edit_header
from cardgen.i18n.writer import po_entry
from cardgen.model.game import Game


def kept_po(game: Game, text: str, own: Catalog, catalog: Catalog) -> str:
    """The file `text`, of which `own` was read, with what `catalog` says otherwise.

    What is no text of the game and new is kept as obsolete, behind the rest. Raises ValueError for a file that cannot
    be read whole, or whose header has no line for each field.
    """
    order = list(game.strings)
    at = {context: number for number, context in enumerate(order)}
    changed = [
        (po_entry(game, context, game.strings[context], entry), order[: at[context]])
        for context, entry in catalog.entries.items()
        if context in game.strings and not _same(own.entries.get(context), entry)
    ]
    # New ones stand in the game's order behind those that are there.
    changed.sort(key=lambda pair: len(pair[1]))
    if changed:
        text = edit_all(text, changed)
    fields = {name: value for name, value in catalog.headers.items() if own.headers.get(name) != value}
    if fields:
        text = edit_header(text, fields)
    if catalog.comments and not own.comments:
        text = "".join(f"# {line}".rstrip() + "\n" for line in catalog.comments) + text
    for context, entry in catalog.entries.items():
        if context not in game.strings and context not in own.entries:
            gone = polib.POEntry(msgctxt=context, msgid=entry.source, msgstr=entry.target, obsolete=True)
            text = f"{text.rstrip()}\n\n{str(gone).rstrip()}\n"
    return text


def _same(old: Entry | None, new: Entry) -> bool:
    return old is not None and _said(old) == _said(new)


def _said(entry: Entry) -> tuple[object, ...]:
    return entry.source, entry.target, entry.fuzzy, entry.previous, entry.comments

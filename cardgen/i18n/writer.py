"""Writes a catalog as a PO file that Poedit, Weblate and OmegaT take, by polib: every text of the game in its order.

Nothing in it depends on the day: the same catalog gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping

import polib

from cardgen.i18n.catalog import Catalog, Entry
from cardgen.i18n.comments import comment_of
from cardgen.i18n.states import limit_of, normal, state_of
from cardgen.model.game import Game, Source
from cardgen.text.markup import icons_of

# Weblate checks what this names (its documentation, "Translation placeholders"); others leave it alone. No comma in
# it: flags are separated by commas.
PLACEHOLDERS = r'placeholders:r"\[[a-z0-9_-]+\]"'


def write_po(game: Game, catalog: Catalog, notes: Mapping[str, str] | None = None) -> bytes:
    """The PO file of a game (in its source language) with what is translated so far.

    A stale translation stands beside the source as it is now, marked as fuzzy, with the source it was made from above
    it. `notes` are further comments by msgctxt: the box that a text stands in and how much of it fits. What is no text
    of the game any more is kept as obsolete.
    """
    file = polib.POFile(wrapwidth=100)
    file.header = "\n".join(catalog.comments or (f"{game.title}, {catalog.lang}.",))
    file.metadata = header_of(game, catalog)
    for context, source in game.strings.items():
        file.append(po_entry(game, context, source, catalog.entries.get(context), (notes or {}).get(context, "")))
    for context, entry in catalog.entries.items():
        if context not in game.strings:
            file.append(polib.POEntry(msgctxt=context, msgid=entry.source, msgstr=entry.target, obsolete=True))
    text = str(file).rstrip("\n") + "\n"
    if catalog.obsolete:
        text += "\n" + "\n".join(catalog.obsolete) + "\n"
    return text.encode("utf-8")


def header_of(game: Game, catalog: Catalog) -> dict[str, str]:
    """The fields of the header: those that are there, and what every tool wants."""
    return {
        "Project-Id-Version": f"{game.id} {game.version}",
        "PO-Revision-Date": "2025-01-01 00:00+0000",
        "Last-Translator": "FULL NAME",
        "Language-Team": catalog.lang,
        "MIME-Version": "1.0",
        **catalog.headers,
        "Language": catalog.lang,
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }


def po_entry(game: Game, context: str, source: Source, entry: Entry | None, note: str = "") -> polib.POEntry:
    """One text as an entry of a PO file."""
    made = polib.POEntry(msgctxt=context, msgid=normal(source.text), comment=comment_of(game, context))
    if source.rich and icons_of(source.text):
        made.flags.append(PLACEHOLDERS)
    most = limit_of(game, context)
    if most is not None:
        # Weblate knows the flag; who works elsewhere reads the comment.
        made.flags.append(f"max-length:{most}")
        made.comment += f"\nat most {most} characters"
    if note:
        made.comment += f"\n{note}"
    if entry is None:
        return made
    made.msgstr, made.tcomment = entry.target, "\n".join(entry.comments)
    state = state_of(source, entry)
    if state == "stale":
        # polib writes no previous text that is empty; there is none: what was translated had a source.
        made.previous_msgid = entry.previous if entry.previous and entry.source == made.msgid else entry.source
    if state in ("stale", "unreviewed"):
        made.flags.insert(0, "fuzzy")
    return made

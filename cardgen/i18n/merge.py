"""Takes a file that comes back from a translator into the catalog of a project.

Entries are matched by msgctxt alone, and flags are believed only when they say that something is wrong: programs drop
flags, so their absence says nothing. Nothing that the project has is lost, and nothing is taken that cannot be printed.
"""

from __future__ import annotations

from msgspec import Struct, structs

from cardgen.diagnostics import Report, did_you_mean
from cardgen.i18n.catalog import Catalog, Entry
from cardgen.i18n.states import normal, state_of
from cardgen.i18n.translate import sound
from cardgen.model.game import Game

# Header fields that say who did what; the others are the project's own.
_THEIRS = ("Last-Translator", "PO-Revision-Date", "Language-Team", "X-Translators", "X-Generator", "Plural-Forms")


class Merged(Struct, frozen=True):
    """A catalog after an import, and what became of each text that the file had something new to say about."""

    catalog: Catalog
    added: tuple[str, ...]
    changed: tuple[str, ...]
    stale: tuple[str, ...]
    refused: tuple[str, ...]
    confirmed: tuple[str, ...] = ()


def merge(game: Game, own: Catalog, theirs: Catalog, report: Report, confirmed: bool = False) -> Merged:
    """The catalog `own` with what `theirs` brings.

    `confirmed` says that a translator has read the stale translations that come back unchanged. What cannot be
    printed is reported; it is kept, marked as fuzzy, where the project has nothing better. Unknown contexts are kept
    as obsolete.
    """
    entries = dict(own.entries)
    added, changed, stale, refused, right = [], [], [], [], []
    for context, new in theirs.entries.items():
        source, old = game.strings.get(context), own.entries.get(context)
        if source is None:
            report.add("CG204", new.place, did_you_mean(context, game.strings), context=context)
            if old is None and new.target.strip():
                entries[context] = new
            continue
        if not new.target.strip():
            continue
        if not sound(context, source, new.target, new.span, report):
            refused.append(context)
            if old is not None and state_of(source, old) in ("done", "same"):
                report.add("CG239", new.place, context=context)
            else:
                entries[context] = structs.replace(new, fuzzy=True)
            continue
        made = _taken(source.text, old, new)
        if new.source == normal(source.text) and _lost_its_mark(source.text, old, new):
            if confirmed:
                made = structs.replace(new, previous="")
                right.append(context)
            else:
                report.add("CG236", new.place, context=context)
        entries[context] = made
        if old is None or not old.target.strip():
            added.append(context)
        elif old.target != made.target:
            changed.append(context)
        if state_of(source, made) == "stale":
            stale.append(context)
    headers = {**own.headers, **{name: text for name, text in theirs.headers.items() if name in _THEIRS and text}}
    # The lines of both would be there twice: what is out in a file came from here.
    obsolete = own.obsolete if own.entries else theirs.obsolete
    comments = own.comments or theirs.comments
    catalog = structs.replace(own, entries=entries, headers=headers, comments=comments, obsolete=obsolete)
    return Merged(catalog, tuple(added), tuple(changed), tuple(stale), tuple(refused), tuple(right))


def _taken(source: str, old: Entry | None, new: Entry) -> Entry:
    """The new entry, or the old one where it says the same and knows more: what it was made from, comments."""
    if old is None:
        return new
    comments = new.comments or old.comments
    if old.target == new.target and old.source != normal(source):
        # It is still the translation of an older text, whatever stands above it now.
        fuzzy = old.fuzzy or new.fuzzy
        return structs.replace(old, comments=comments, fuzzy=fuzzy, span=new.span, place=new.place)
    if old.target == new.target and old.previous and not new.fuzzy:
        return structs.replace(old, comments=comments)
    return structs.replace(new, comments=comments)


def _lost_its_mark(source: str, old: Entry | None, new: Entry) -> bool:
    """Whether a translation that was stale comes back as it was, and nothing says so any more."""
    if old is None or new.fuzzy or old.target != new.target:
        return False
    return old.source != normal(source) or bool(old.fuzzy and old.previous)

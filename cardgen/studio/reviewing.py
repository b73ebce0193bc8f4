"""Reviewing a translation: its texts by card and state, what is said of them, and saving one without losing another's."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, structs

from cardgen.diagnostics import Diagnostic, Report, Span
from cardgen.errors import FileProblem
from cardgen.files import MAX_PO, own_path, write_atomic
from cardgen.i18n.catalog import Catalog, Entry
from cardgen.i18n.poedit import edit_po
from cardgen.i18n.revise import Verdict, revised
from cardgen.i18n.states import TextState, limit_of, normal, state_in, state_of, states_of
from cardgen.i18n.translate import sound
from cardgen.i18n.wording import check_wording
from cardgen.i18n.writer import po_entry, write_po
from cardgen.model.font import in_language
from cardgen.model.game import Game, Source
from cardgen.model.translation import STATES
from cardgen.pipeline.languages import catalog_name
from cardgen.pipeline.texts import check_texts, role_characters
from cardgen.pipeline.translation.exchange import own_catalog
from cardgen.pipeline.versions.pairs import differing
from cardgen.studio.naming import label_of, name_of
from cardgen.studio.workshop import Workshop

# What can be asked for: all that is not done, everything, one state, what does not fit its box, what there are remarks on.
FILTERS = ("open", "all", *STATES[1:], "unfit", "remarks", "done")


class Row(Struct, frozen=True):
    """One text to review. `was` and `now` are the older source and the source in parts, where it changed since."""

    context: str
    unit: str
    field: str
    state: str
    source: Source
    target: str
    comments: tuple[str, ...]
    revision: str
    most: int | None
    was: Sequence[Mapping[str, str]] = ()
    now: Sequence[Mapping[str, str]] = ()


class Unit(Struct, frozen=True):
    """A card, or a section of the game, with its texts."""

    id: str
    title: str
    is_card: bool
    rows: tuple[Row, ...]


class SavedText(Struct, frozen=True):
    """How a save went. `row` is the text as the file has it now; `taken` says that somebody else changed it and that
    this is shown, `conflict` that both sides changed it, `problem` why nothing was written or accepted."""

    row: Row
    written: bool
    taken: bool = False
    conflict: bool = False
    problem: tuple[Diagnostic, ...] = ()


def catalog_in(workshop: Workshop, game: Game, lang: str) -> Catalog:
    """The translation as its file has it. Raises FileProblem when it cannot be read without losing something."""
    report = Report()
    catalog = own_catalog(workshop.project, game, lang, report)
    if catalog is None:
        first = next(iter(report.sorted()), None)
        raise FileProblem(f"{first.span}: {first.message}" if first is not None else catalog_name(game.id, lang))
    return catalog


def units_of(game: Game, catalog: Catalog) -> list[Unit]:
    """All texts in the order of the game, by card or section."""
    found: dict[str, list[Row]] = {}
    for item in states_of(game, catalog, catalog.lang):
        row = row_of(game, item)
        found.setdefault(row.unit, []).append(row)
    units = []
    for id, rows in found.items():
        card = game.cards.get(id)
        title = name_of(card.values, card.id) if card is not None else label_of(id)
        units.append(Unit(id, title, card is not None, tuple(rows)))
    return units


def row_of(game: Game, item: TextState) -> Row:
    """One text with what a reviewer sees of it."""
    unit, _, rest = item.context.partition("/")
    entry = item.entry
    was: Sequence[Mapping[str, str]] = ()
    now: Sequence[Mapping[str, str]] = ()
    if item.state == "stale" and entry is not None:
        was, now = differing(_older(item.source, entry), item.source.text)
    field, _, part = rest.partition(".")
    return Row(
        item.context,
        unit,
        " ".join(filter(None, (label_of(field), part))) if unit in game.cards else rest,
        item.state,
        item.source,
        item.target,
        entry.comments if entry is not None else (),
        revision_of(item.source, entry),
        limit_of(game, item.context),
        was,
        now,
    )


def revision_of(source: Source, entry: Entry | None) -> str:
    """A short name for a text and its translation as they are: what a reviewer has seen."""
    seen = [source.text]
    if entry is not None and entry.target:
        state = state_of(source, entry)
        seen += [state, entry.target, _older(source, entry) if state == "stale" else ""]
    return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:16]


def _older(source: Source, entry: Entry) -> str:
    """The source that a stale translation was made from. One that was exported stands beside the source as it is now,
    and keeps the older one above it."""
    return entry.previous if entry.previous and entry.source == normal(source.text) else entry.source


def counts_of(units: Iterable[Unit]) -> dict[str, int]:
    """How many texts each filter shows that needs no drawing and no checks."""
    counts = dict.fromkeys(("open", "all", *STATES), 0)
    for unit in units:
        for row in unit.rows:
            counts[row.state] += 1
            counts["all"] += 1
            counts["open"] += row.state != "done"
    return counts


def is_shown(row: Row, wanted: str, listed: frozenset[str]) -> bool:
    """Whether a filter shows the text; `listed` are those that do not fit, or that there are remarks on."""
    if wanted in ("unfit", "remarks"):
        return row.context in listed
    return wanted == "all" or row.state == wanted or (wanted == "open" and row.state != "done")


# --- saving ----------------------------------------------------------------------------------------------------------


def save_text(
    workshop: Workshop,
    game_id: str,
    lang: str,
    context: str,
    text: str,
    seen: str,
    shown: str,
    verdict: Verdict,
) -> SavedText | None:
    """Write one translation; None when the game has no such text (any more).

    `seen` is the revision that the page shows and `shown` the translation it shows. What somebody else wrote since is
    never overwritten unasked: it is shown when nothing was typed here, and a conflict when both sides wrote; who then
    saves with what the conflict shows as seen has chosen. Raises FileProblem when the file cannot be read or written.
    """
    with workshop.lock:
        game = workshop.project.games[game_id]
        source = game.strings.get(context)
        if source is None:
            return None
        catalog = catalog_in(workshop, game, lang)
        old = catalog.entries.get(context)
        target = old.target if old is not None else ""
        # Forms send lines as the mail does.
        text, shown = (normal(item.replace("\r\n", "\n")) for item in (text, shown))
        if not source.rich:
            text = text.rstrip("\n")
        typed = text != shown
        overtaken = revision_of(source, old) != seen
        if overtaken and text != target:
            if not typed:
                return SavedText(_row(game, lang, context, old), False, taken=True)
            if target != shown:
                return SavedText(_row(game, lang, context, old), False, conflict=True)
        # A translation is accepted for the source that was read, and for no other.
        if verdict == "accepted" and overtaken:
            verdict = "draft"
        report = Report()
        problem: tuple[Diagnostic, ...] = ()
        if text.strip() and not sound(context, source, text, Span(context), report):
            problem = tuple(report)
            verdict = "doubted"
        if not text.strip() and verdict == "accepted":
            verdict = "draft"
        entry = revised(source, old, text, verdict)
        if old is None or _changed(old, entry):
            if old is None and not entry.target:
                return SavedText(_row(game, lang, context, None), False)
            name = catalog_name(game.id, lang)
            write_atomic(own_path(workshop.project.shelf, name), _edited(workshop, game, catalog, context, entry))
            workshop.wrote_translation(game.id, lang, name)
    row = _row(game, lang, context, entry)
    told = {"url": f"/g/{game.id}/review/{lang}", "context": context, "revision": row.revision}
    workshop.hub.tell("studio-translated", told)
    return SavedText(row, True, taken=overtaken, problem=problem)


def _edited(workshop: Workshop, game: Game, catalog: Catalog, context: str, entry: Entry) -> bytes:
    """The bytes of the translation's file with one entry changed."""
    shelf, name = workshop.project.shelf, catalog_name(game.id, catalog.lang)
    if shelf.find(name) is None:
        return write_po(game, structs.replace(catalog, entries={context: entry}))
    text = shelf.read(name, MAX_PO).decode("utf-8-sig")
    order = list(game.strings)
    wanted = po_entry(game, context, game.strings[context], entry)
    return edit_po(text, wanted, order[: order.index(context)]).encode()


def _changed(old: Entry, new: Entry) -> bool:
    return any(getattr(old, name) != getattr(new, name) for name in ("source", "target", "fuzzy", "previous"))


def _row(game: Game, lang: str, context: str, entry: Entry | None) -> Row:
    state = state_in(game, context, entry, lang)
    return row_of(game, TextState(context, "", "", state, game.strings[context], entry))


# --- what is said of texts -------------------------------------------------------------------------------------------


def remarks_on(
    workshop: Workshop, game: Game, catalog: Catalog, texts: Mapping[str, str] | None = None
) -> dict[str, list[Diagnostic]]:
    """What the checks say of translations, by msgctxt: of `texts` as they are typed, else of the whole catalog.

    Drafts are looked at as if they were finished: it is before they are accepted that remarks help.
    """
    report = Report()
    strings: Mapping[str, Source] = game.strings
    entries = {context: structs.replace(entry, span=Span(context)) for context, entry in catalog.entries.items()}
    if texts is not None:
        sources = {game.strings[context].text for context in texts}
        strings = {id: source for id, source in strings.items() if id in texts or source.text in sources}
        for context, text in texts.items():
            # What is typed is looked at as if it were finished.
            old = entries.get(context)
            comments = old.comments if old is not None else ()
            entries[context] = Entry(
                normal(strings[context].text), normal(text), False, Span(context), Span(context), "", comments
            )
    else:
        for context, held_entry in catalog.entries.items():
            if context in strings and held_entry.fuzzy and held_entry.source == normal(strings[context].text):
                entries[context] = structs.replace(entries[context], fuzzy=False, previous="")
    # Texts that are looked at come last, so that it is they that differ from the others.
    order = sorted(strings, key=lambda context: texts is not None and context in texts)
    small = structs.replace(game, strings={context: strings[context] for context in order}, lang=catalog.lang)
    held = structs.replace(catalog, entries=entries)
    printed = {}
    for context, source in small.strings.items():
        entry = entries.get(context)
        if entry is None or not entry.target.strip() or (texts is not None and context not in texts):
            continue
        if sound(context, source, entry.target, Span(context), report):
            printed[context] = entry.target
    check_wording(small, held, report)
    looked_at = structs.replace(small, strings={context: small.strings[context] for context in printed})
    characters = role_characters(workshop.project.shelf, in_language(workshop.project.fonts, catalog.lang), Report())
    check_texts(looked_at, printed, held, workshop.project.shelf, characters, report)
    found: dict[str, list[Diagnostic]] = {}
    for item in report:
        if item.span is not None and (texts is None or item.span.file in texts):
            found.setdefault(item.span.file, []).append(item)
    return found

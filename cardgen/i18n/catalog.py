"""Reads a PO file into a catalog. Entries are matched by msgctxt alone (docs/format.md, Translations)."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from cardgen.diagnostics import Report, Span
from cardgen.i18n.pofile import Item, parse_po
from cardgen.text.decode import decode_text


@dataclass(frozen=True, slots=True)
class Entry:
    """One translation: the source it was made from, the target, where the target and the msgctxt stand."""

    source: str
    target: str
    fuzzy: bool
    span: Span
    place: Span


@dataclass(frozen=True, slots=True)
class Catalog:
    """All translations of a game into one language, by msgctxt."""

    lang: str
    file: str
    entries: Mapping[str, Entry]
    # whether entries were left out because they could not be read
    partial: bool = False


def read_catalog(data: bytes, lang: str, file: str, report: Report) -> Catalog | None:
    """The catalog of a PO file, or None after reporting why it cannot be used. Sound entries of a broken file count."""
    text = decode_text(data, file, report)
    if text is None:
        return None
    if not text.strip():
        report.add("CG009", Span(file, 1, 1))
        return None
    entries: dict[str, Entry] = {}
    told = len(report.items)
    items = parse_po(text, file, report)
    partial = len(report.items) > told
    for item in items:
        source, target = item.texts["msgid"], item.texts["msgstr"]
        context = item.context
        if context is None:
            if source:
                report.add("CG210", item.places["msgid"], source=source[:60])
            else:
                _check_header(target, lang, item, report)
            continue
        place = item.places["msgctxt"]
        if context in entries:
            hint = f"the first one is on line {entries[context].place.line}"
            report.add("CG205", place, hint, context=context)
            continue
        source, target = (unicodedata.normalize("NFC", text) for text in (source, target))
        entries[context] = Entry(source, target, item.fuzzy, item.places["msgstr"], place)
    return Catalog(lang, file, entries, partial)


def _check_header(text: str, lang: str, item: Item, report: Report) -> None:
    fields = dict(line.split(":", 1) for line in text.split("\n") if ":" in line)
    language = fields.get("Language", "").strip().replace("_", "-")
    if language and language.partition("-")[0] != lang.partition("-")[0]:
        report.add("CG207", item.places["msgstr"], found=language, expected=lang)

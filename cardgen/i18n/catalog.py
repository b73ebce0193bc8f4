"""Reads a PO file into a catalog. Entries are matched by msgctxt alone (docs/format.md, Translations)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from msgspec import Struct, field

from cardgen.diagnostics import Report, Span
from cardgen.i18n.pofile import Item, obsolete_lines, parse_po
from cardgen.text.decode import decode_text


class Entry(Struct, frozen=True):
    """One translation: the source it was made from, the target, where the target and the msgctxt stand.

    `previous` is an older source, of a translation that an export marked as stale; `comments` are the translator's.
    """

    source: str
    target: str
    fuzzy: bool
    span: Span
    place: Span
    previous: str = ""
    comments: tuple[str, ...] = ()


class Catalog(Struct, frozen=True):
    """All translations of a game into one language, by msgctxt."""

    lang: str
    file: str
    entries: Mapping[str, Entry]
    # whether entries were left out because they could not be read
    partial: bool = False
    # the fields of the header, the comments above it, and the lines that keep what is no text any more
    headers: Mapping[str, str] = field(default_factory=dict)
    comments: tuple[str, ...] = ()
    obsolete: tuple[str, ...] = ()

    @property
    def translators(self) -> str:
        """Who made it, for the credits: the header's X-Translators, else Last-Translator, without addresses."""
        stated = self.headers.get("X-Translators") or self.headers.get("Last-Translator", "")
        names = re.sub(r"\s*<[^>]*>", "", stated).strip()
        return "" if names.upper() in {"FULL NAME", "AUTOMATICALLY GENERATED"} else names


def read_catalog(data: bytes, lang: str, file: str, report: Report, stated: str = "its name") -> Catalog | None:
    """The catalog of a PO file, or None after reporting why it cannot be used. Sound entries of a broken file count.

    `stated` is what says that it is in `lang`.
    """
    text = decode_text(data, file, report)
    if text is None:
        return None
    if not text.strip():
        report.add("CG009", Span(file, 1, 1))
        return None
    entries: dict[str, Entry] = {}
    headers: dict[str, str] = {}
    comments: tuple[str, ...] = ()
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
                headers, comments = header_fields(target), tuple(item.comments)
                _check_header(headers, lang, stated, item, report)
            continue
        place = item.places["msgctxt"]
        if context in entries:
            hint = f"the first one is on line {entries[context].place.line}"
            report.add("CG205", place, hint, context=context)
            continue
        source, target = (unicodedata.normalize("NFC", text) for text in (source, target))
        previous = unicodedata.normalize("NFC", item.previous or "")
        comment = tuple(item.comments)
        entries[context] = Entry(source, target, item.fuzzy, item.places["msgstr"], place, previous, comment)
    return Catalog(lang, file, entries, partial, headers, comments, obsolete_lines(text))


def header_fields(text: str) -> dict[str, str]:
    """The fields of a PO header, by name."""
    lines = (line.partition(":") for line in text.split("\n") if ":" in line)
    return {name.strip(): value.strip() for name, _, value in lines}


def _check_header(fields: Mapping[str, str], lang: str, stated: str, item: Item, report: Report) -> None:
    language = fields.get("Language", "").replace("_", "-")
    if language and language.partition("-")[0] != lang.partition("-")[0]:
        report.add("CG207", item.places["msgstr"], found=language, stated=stated, expected=lang)

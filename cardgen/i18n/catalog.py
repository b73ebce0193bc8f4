"""Reads a PO file into a catalog. Entries are matched by msgctxt alone (docs/format.md, Translations)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

import polib

from cardgen.diagnostics import Report, Span


@dataclass(frozen=True, slots=True)
class Entry:
    """One translation: the source it was made from, the target, where it stands."""

    source: str
    target: str
    fuzzy: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Catalog:
    """All translations of a game into one language, by msgctxt."""

    lang: str
    file: str
    entries: Mapping[str, Entry]


def read_catalog(data: bytes, lang: str, file: str, report: Report) -> Catalog | None:
    """The catalog of a PO file, or None after reporting why it cannot be used."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        report.add("CG002", Span(file, line, 1), "save the file as UTF-8", found=f"byte 0x{data[error.start]:02x}")
        return None
    if "\0" in text:
        report.add("CG008", Span(file, text.count("\n", 0, text.index("\0")) + 1, 1), found="U+0000")
        return None
    try:
        # A text of several lines is never taken for a path, which polib would open.
        parsed = polib.pofile(text.replace("\r\n", "\n") + "\n\n", wrapwidth=0)
    except (OSError, ValueError, IndexError, KeyError, AttributeError, TypeError) as error:
        found = re.search(r"line (\d+)", str(error))
        span = Span(file, int(found[1]), 1) if found else Span(file)
        report.add("CG201", span, problem=_reason(error))
        return None
    language = parsed.metadata.get("Language", "").replace("_", "-")
    if language and language.partition("-")[0] != lang.partition("-")[0]:
        report.add("CG207", Span(file, 1, 1), found=language, expected=lang)
    entries: dict[str, Entry] = {}
    for item in parsed:
        if item.obsolete or item.msgctxt is None:
            continue
        span = Span(file, item.linenum or 0, 1)
        if item.msgctxt in entries:
            report.add("CG205", span, context=item.msgctxt)
            continue
        target = unicodedata.normalize("NFC", item.msgstr)
        entries[item.msgctxt] = Entry(item.msgid, target, item.fuzzy, span)
    return Catalog(lang, file, entries)


def _reason(error: Exception) -> str:
    text = str(error).splitlines()[0] if str(error) else ""
    # polib names the file or repeats its text; the reason stands behind.
    return re.sub(r"^.*?(Syntax error|syntax error|unescaped)", r"\1", text)[:200] or "not readable as gettext PO"

"""Changes one translation in a PO file and nothing else: other entries, comments, order and line breaks stay."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polib

from cardgen.diagnostics import Report
from cardgen.i18n.pofile import Item, parse_po

# Programs break lines at 76 to 100 characters; a file with longer ones was not broken by any.
_LONGEST = 120
WRAP = 100


def edit_po(text: str, wanted: polib.POEntry, before: Sequence[str]) -> str:
    """The file `text` with the entry `wanted` in place of the one of its msgctxt: source, translation, marks.

    Comments of the file's own stay as they are. An entry that is not there yet is put behind the last of the contexts
    `before` that is. Raises ValueError for a file that cannot be read whole: nothing of it would be safe.
    """
    report = Report()
    items = parse_po(text, "", report)
    if report.items:
        raise ValueError("the file cannot be read whole")
    lines = text.split("\n")
    wrap = WRAP if all(len(line) <= _LONGEST for line in lines) else 0
    places = {item.context: item for item in items if item.context is not None}
    found = places.get(wanted.msgctxt)
    if found is None:
        behind = next((places[context] for context in reversed(before) if context in places), None)
        at = _end(lines, behind) if behind is not None else _last(lines)
        return "\n".join([*lines[:at], "", *_written(wanted, wrap), *_rest(lines[at:])])
    first, end = _begin(lines, found), _end(lines, found)
    comments = [line for line in lines[first:end] if re.match(r"\s*#(?![,|])", line)]
    flags = [
        flag
        for line in lines[first:end]
        if line.strip().startswith("#,")
        for flag in (part.strip() for part in line.strip()[2:].split(","))
        if flag and flag != "fuzzy"
    ]
    if wanted.fuzzy:
        flags.insert(0, "fuzzy")
    made = polib.POEntry(
        msgctxt=wanted.msgctxt, msgid=wanted.msgid, msgstr=wanted.msgstr, previous_msgid=wanted.previous_msgid
    )
    new = _written(made, wrap)
    # What says the same keeps its own line breaks.
    if found.texts["msgid"] == wanted.msgid:
        new = _with_part(new, "msgid", _part(lines[first:end], "msgid"))
    if found.texts["msgstr"] == wanted.msgstr:
        new = _with_part(new, "msgstr", _part(lines[first:end], "msgstr"))
    head = [*comments, *([f"#, {', '.join(flags)}"] if flags else [])]
    ending = "\r" if lines[end - 1].endswith("\r") else ""
    return "\n".join([*lines[:first], *(line.rstrip("\r") + ending for line in (*head, *new)), *lines[end:]])


def _begin(lines: Sequence[str], item: Item) -> int:
    """The first line of an entry: the comments above its first keyword belong to it."""
    at = min(place.line for place in item.places.values()) - 1
    while at > 0 and re.match(r"\s*#(?!~)", lines[at - 1]):
        at -= 1
    return at


def _end(lines: Sequence[str], item: Item) -> int:
    """The line behind an entry."""
    at = max(place.line for place in item.places.values())
    while at < len(lines) and lines[at].strip().startswith('"'):
        at += 1
    return at


def _last(lines: Sequence[str]) -> int:
    """Where an entry goes that has none before it: behind everything but what is kept for later."""
    at = len(lines)
    while at > 0 and (not lines[at - 1].strip() or lines[at - 1].startswith("#~")):
        at -= 1
    return at


def _rest(lines: Sequence[str]) -> list[str]:
    return list(lines) if any(line.strip() for line in lines) else [""]


def _written(entry: polib.POEntry, wrap: int) -> list[str]:
    return str(entry.__unicode__(wrapwidth=wrap)).rstrip("\n").split("\n")


def _part(lines: Sequence[str], keyword: str) -> list[str]:
    """The lines of one keyword of an entry."""
    start = next(at for at, line in enumerate(lines) if re.match(rf"\s*{keyword}(?=[\s\"])", line))
    end = start + 1
    while end < len(lines) and lines[end].strip().startswith('"'):
        end += 1
    return list(lines[start:end])


def _with_part(lines: list[str], keyword: str, part: Sequence[str]) -> list[str]:
    old = _part(lines, keyword)
    at = next(at for at, line in enumerate(lines) if line.startswith(f"{keyword} "))
    return [*lines[:at], *part, *lines[at + len(old) :]]

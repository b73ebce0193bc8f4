"""Changes one translation in a PO file and nothing else: other entries, comments, order and line breaks stay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import polib

from cardgen.diagnostics import Report
from cardgen.i18n.pofile import Item, parse_po

# Programs break lines at 76 to 100 characters; a file with longer ones was not broken by any.
_LONGEST = 120
WRAP = 100


def edit_po(text: str, wanted: polib.POEntry, before: Sequence[str]) -> str:
    """The file `text` with the entry `wanted` in place of the one of its msgctxt: source, translation, marks.

    Comments of the file's own stay as they are, but for a translator's where `wanted` has others. An entry that is not
    there yet is put behind the last of the contexts `before` that is. Raises ValueError for a file that cannot be read
    whole: nothing of it would be safe.
    """
    return edit_all(text, [(wanted, before)])


def edit_all(text: str, wanted: Iterable[tuple[polib.POEntry, Sequence[str]]]) -> str:
    """As `edit_po`, for several entries, each with the contexts before it. Raises ValueError as that does."""
    report = Report()
    items = parse_po(text, "", report)
    if report.items:
        raise ValueError("the file cannot be read whole")
    lines = text.split("\n")
    wrap = WRAP if all(len(line) <= _LONGEST for line in lines) else 0
    places = {item.context: item for item in items if item.context is not None}
    ending = "\r" if lines[0].endswith("\r") else ""
    # What each puts in place of which lines: at one place what is put in comes before what is changed, in its order.
    edits: list[tuple[int, int, list[str]]] = []
    for entry, before in wanted:
        found = places.get(entry.msgctxt)
        if found is None:
            behind = next((places[context] for context in reversed(before) if context in places), None)
            at = _end(lines, behind) if behind is not None else _last(lines)
            edits.append((at, at, ["", *_written(entry, wrap)]))
        else:
            first, end = _begin(lines, found), _end(lines, found)
            edits.append((first, end, _edited(lines[first:end], found, entry, wrap)))
    for first, end, new in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        lines[first:end] = [line.rstrip("\r") + ending for line in new]
    if lines[-1]:
        lines.append("")
    return "\n".join(lines)


def _edited(lines: Sequence[str], found: Item, wanted: polib.POEntry, wrap: int) -> list[str]:
    """The lines of an entry as they are to be; what says the same stays as it is written."""
    comments = [line for line in lines if re.match(r"\s*#(?![,|])", line)]
    stated = wanted.tcomment.split("\n") if wanted.tcomment else []
    if stated and stated != found.comments:
        others = [line for line in comments if re.match(r"\s*#[^\s]", line)]
        comments = [*(f"# {line}".rstrip() for line in stated), *others]
    flags = [
        flag
        for line in lines
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
        new = _with_part(new, "msgid", _part(lines, "msgid"))
    if found.texts["msgstr"] == wanted.msgstr:
        new = _with_part(new, "msgstr", _part(lines, "msgstr"))
    return [*comments, *([f"#, {', '.join(flags)}"] if flags else []), *new]


def edit_header(text: str, fields: Mapping[str, str]) -> str:
    """The file with these fields of its header, each in place of the one of its name, new ones behind the others.

    Raises ValueError for a file without a header that has a line for each field.
    """
    lines = text.split("\n")
    header = next((item for item in parse_po(text, "", Report()) if item.context is None), None)
    if header is None or not re.search(r'msgstr\s+""\s*$', lines[header.places["msgstr"].line - 1]):
        raise ValueError("the file has no header with a line for each field")
    ending = "\r" if lines[0].endswith("\r") else ""
    for name, value in fields.items():
        first, end = header.places["msgstr"].line, _end(lines, header)
        at = next((n for n in range(first, end) if lines[n].strip().startswith(f'"{name}:')), end)
        # a program may have broken the field into several strings
        behind = next((n + 1 for n in range(at, end) if lines[n].rstrip().endswith('\\n"')), end)
        lines[at:behind] = [f'"{name}: {polib.escape(value)}\\n"{ending}']
    return "\n".join(lines)


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

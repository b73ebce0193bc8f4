"""What a sheet says of itself in its margins: ruler, title and version, number, template, credits. Millimetres.

All of it keeps to the free places of the margin. What finds none is left out and told, never printed over the art.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from cardgen.model.drawing import Path, Text
from cardgen.model.sheet import Imprint, SheetNote, SheetTemplate, SheetWords
from cardgen.sheets.margins import Area, Place, free_places
from cardgen.sheets.ruler import RULER_LENGTH, RULER_THICKNESS, ruler
from cardgen.units import pt_to_mm

# Font sizes in pt, best first; below the last a label can be read no more.
SIZES = (6.0, 5.5, 5.0, 4.5)
LEADING = 1.2
# Ascent in em, with room for accents on capitals.
_ASCENT = 0.95
# Mean advance of a letter in em: this stage knows no font. Text.room keeps the writer from exceeding it.
_ADVANCE, _WIDE_ADVANCE = 0.52, 1.0
# A font may run wider than that by so much before the writer has to shrink it.
_SLACK = 1.15
# No line is broken into a column narrower than this.
_NARROW = 30.0
# Space after the ruler and after a block of text that share a place.
_SPACING = 4.0
_SEPARATOR = " · "


class Labelled(Struct, frozen=True):
    """What goes into a sheet's margins, what found no room there, and the places that are left."""

    items: tuple[Path | Text, ...]
    notes: tuple[SheetNote, ...]
    places: tuple[Place, ...]


def front_blocks(
    imprint: Imprint, template: SheetTemplate, words: SheetWords, number: int, total: int
) -> tuple[tuple[str, ...], ...]:
    """The blocks of lines on a front sheet: what it is, then which sheet it is and how to print it."""
    return (
        (_join(_title(imprint, words), imprint.remark), *filter(None, (imprint.credits, _translation(imprint, words)))),
        (
            _join(_sheet(words, number, total), _template(template)),
            words.scale,
        ),
    )


def _translation(imprint: Imprint, words: SheetWords) -> str:
    """Who translated it, that it is unofficial, and where to tell of mistakes, if that can be typed."""
    translated = words.translated.replace("{names}", imprint.translators) if imprint.translators else ""
    address = imprint.report.partition("://")[2]
    told = "" if not address else words.report.replace("{address}", address)
    return _join(translated, told)


def back_blocks(imprint: Imprint, words: SheetWords, number: int, total: int) -> tuple[tuple[str, ...], ...]:
    """The one small block on a back sheet: what it is the back of."""
    return ((_join(imprint.title, _sheet(words, number, total), words.back),),)


def with_ruler(area: Area, marks: Sequence[Path], words: SheetWords, wanted: bool = True) -> Labelled:
    """The margin around an area's art and its marks, with the ruler in it if it is `wanted` and has room: below if
    possible, else above, else along the sides."""
    places = list(free_places(area, marks))
    if not wanted:
        return Labelled((), (), tuple(places))
    items: list[Path | Text] = []
    if _place_ruler(places, items, words):
        return Labelled(tuple(items), (), tuple(places))
    return Labelled((), (SheetNote("ruler", "the margins have no room for a ruler of 50 mm"),), tuple(places))


def with_labels(margin: Labelled, blocks: Sequence[Sequence[str]]) -> Labelled:
    """The margin with blocks of lines in what was left of it. What has no room is named in the notes."""
    places, items, notes = list(margin.places), list(margin.items), list(margin.notes)
    for block in blocks:
        if _place_lines(places, items, block):
            continue
        # Not as a block; then each line where it can.
        for line in block:
            if not _place_lines(places, items, (line,)):
                notes.append(SheetNote("labels", f"the margins have no room for the label “{line}”"))
    return Labelled(tuple(items), tuple(notes), tuple(places))


def _place_ruler(places: list[Place], items: list[Path | Text], words: SheetWords) -> bool:
    for index, place in enumerate(places):
        if place.length >= RULER_LENGTH and place.thickness >= RULER_THICKNESS:
            items += [
                place.path(item) if isinstance(item, Path) else place.text(item)
                for item in ruler(words, place.thickness)
            ]
            places[index] = place.after(RULER_LENGTH + _SPACING)
            return True
    return False


def _place_lines(places: list[Place], items: list[Path | Text], lines: Sequence[str]) -> bool:
    # Whole lines nearly at full size look best; after that, broken lines, ever smaller, but not in a narrow column.
    whole = [(size, False) for size in SIZES[:2]]
    for size, broken in [*whole, *((size, True) for size in SIZES)]:
        em = pt_to_mm(size)
        for index, place in enumerate(places):
            if broken and place.length < _NARROW:
                continue
            parts = [part for line in lines for part in wrap(line, place.length / em)] if broken else list(lines)
            height = len(parts) * LEADING * em
            longest = max(map(_ems, parts), default=0.0) * em
            if height > place.thickness or longest > place.length:
                continue
            top, room = (place.thickness - height) / 2, min(place.length, longest * _SLACK)
            items += [
                place.text(Text(0.0, top + (row * LEADING + _ASCENT) * em, part, size, room=room))
                for row, part in enumerate(parts)
            ]
            places[index] = place.after(min(place.length, room + _SPACING))
            return True
    return False


def wrap(line: str, ems: float) -> list[str]:
    """A line broken at spaces into parts of at most `ems` em, where words allow."""
    if _ems(line) <= ems:
        return [line]
    parts: list[str] = []
    # At spaces alone: a no-break space is none.
    for word in re.split(r"[ \t\n]+", line.strip()):
        if parts and _ems(f"{parts[-1]} {word}") <= ems:
            parts[-1] = f"{parts[-1]} {word}"
        else:
            parts.append(word)
    return parts


@lru_cache(maxsize=4096)
def _ems(text: str) -> float:
    return sum(_WIDE_ADVANCE if unicodedata.east_asian_width(letter) in "WF" else _ADVANCE for letter in text)


def _template(template: SheetTemplate) -> str:
    """The template and its version, which is part of the name of one that a machine's files are made for."""
    version = f"v{template.version}"
    return template.id if template.id.endswith(f"-{version}") else f"{template.id} {version}"


def _title(imprint: Imprint, words: SheetWords) -> str:
    version = words.version.replace("{version}", imprint.version) if imprint.version else ""
    return _join(f"{imprint.title} {version}".strip(), imprint.lang)


def _sheet(words: SheetWords, number: int, total: int) -> str:
    # Not str.format: a translation's stray brace must not stop a build.
    return words.sheet.replace("{number}", str(number)).replace("{total}", str(total))


def _join(*parts: str) -> str:
    return _SEPARATOR.join(part for part in parts if part)

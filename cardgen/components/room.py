"""How much room a text takes, told from its letters alone: what makers plan with before anything is drawn.

The widths are those of the shipped text face (Fira Sans Condensed, its `hmtx`), in em and by groups, rounded up; a
layout's fitted boxes take up what another font needs more.
"""

from __future__ import annotations

import re

PT_MM = 25.4 / 72

# An icon or a die as the macros of _base set it.
_ICON_EM = 1.3
_SPACE_EM = 0.24
_OTHER_EM = 0.55
_GROUPS = {
    0.28: " \u00a0ijlI.,:;!'|·’",
    0.4: 'frtcszJ()-"/гт1*[]?“”„',
    0.5: "aegkvxyуэкхзаевчLFEETSPY2345679ELГЕТСУ+−×",
    0.63: "DHNUOQ&ИНОПЙЦЛм",
    0.75: "mwMW—ЖФМЫжыфшщю%",
    0.86: "ШЩЮ@…",
}
_EM = {letter: em for em, letters in _GROUPS.items() for letter in letters}
_MARKS = re.compile(r"\\([\\\[\]*])|\[([a-z0-9][a-z0-9_-]*)\]|\*\*?")
_ICON = "\0"
# What the markup and the macros of _base keep on one line: an icon and the word behind it, icons in a row, a word and
# the face of a die behind it, a word and a bracket.
_HELD = re.compile(r"(?<=\]) (?=[\w\[])| (?=\[(?:star|blank)\]|\()")


def word_ems(text: str) -> tuple[float, ...]:
    """The widths in em of what a text with inline markup cannot be broken into; icons count as they are drawn."""
    held = _HELD.sub("\u00a0", text)
    drawn = _MARKS.sub(lambda mark: mark[1] or (_ICON if mark[2] else ""), held)
    return tuple(sum(map(_em, word)) for word in re.split(r"[ \t\n]+", drawn.strip()) if word)


def _em(letter: str) -> float:
    return _ICON_EM if letter == _ICON else _EM.get(letter, _OTHER_EM)


def text_em(words: tuple[float, ...]) -> float:
    """The width in em of words on one line."""
    return sum(words) + _SPACE_EM * max(0, len(words) - 1)


def lines_of(words: tuple[float, ...], em: float) -> int:
    """How many lines `em` wide the words take; a word that is longer has a line of its own."""
    lines, used = 1, 0.0
    for word in words:
        if used and used + _SPACE_EM + word > em + 1e-9:
            lines, used = lines + 1, word
        else:
            used += word + (_SPACE_EM if used else 0.0)
    return lines

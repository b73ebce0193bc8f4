"""Sheets' own texts set in fonts: ruler numerals, titles, credits.

Letter by letter, since labels are short and plain; only scripts from right to left are shaped, whose letters join.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from cardgen.pdf.drawing import Run
from cardgen.pdf.fonts import FontBook
from cardgen.text.direction import visual_parts

if TYPE_CHECKING:
    import pikepdf


class LabelFonts:
    """The fonts of a sheet's own texts, in order of preference; each character takes the first that has it."""

    def __init__(self, book: FontBook, files: Iterable[bytes], name_of: Callable[[pikepdf.Object], str]) -> None:
        self._book, self._files, self._name_of = book, tuple(files), name_of
        self._opened: list[tuple[str, bytes, Any]] = []
        # Numerals and words of one sheet come back on the next.
        self._known: dict[str, list[Run]] = {}
        self._letter: dict[str, tuple[str, str, float]] = {}

    def typeset(self, text: str) -> list[Run]:
        """The runs of glyphs for a line of text. A character that no font has becomes the first font's box for missing
        ones; `missing_letters` tells them beforehand. Raises ValueError without any font."""
        if text not in self._known:
            self._known[text] = self._typeset(text)
        return self._known[text]

    def _typeset(self, text: str) -> list[Run]:
        if not self._opened:
            self._open()
        runs: list[Run] = []
        for part, leftwards in visual_parts(unicodedata.normalize("NFC", text)):
            for name, drawn, advance in self._shaped(part) if leftwards else self._letters(part):
                if runs and runs[-1][0] == name:
                    runs[-1] = (name, runs[-1][1] + drawn, runs[-1][2] + advance)
                else:
                    runs.append((name, drawn, advance))
        return runs

    def _letters(self, text: str) -> Iterator[Run]:
        for letter in text:
            if letter not in self._letter:
                digest, data, font, glyph = self._find(letter)
                wide = font.get_glyph_h_advance(glyph) / font.face.upem
                self._letter[letter] = self._drawn(digest, data, [(glyph, wide)])
            yield self._letter[letter]

    def _drawn(self, digest: str, data: bytes, glyphs: list[tuple[int, float]]) -> Run:
        name = self._name_of(self._book.add(digest, partial(bytes, data)))
        self._book.draw(digest, [glyph for glyph, _ in glyphs])
        return name, "".join(f"{glyph:04x}" for glyph, _ in glyphs), sum(wide for _, wide in glyphs)

    def _shaped(self, text: str) -> Iterator[Run]:
        """Letters that run leftwards, joined as their script has it, in the order in which they stand from the left."""
        import uharfbuzz

        parts = [(found[:3], letter) for letter in text for found in [self._find(letter)]]
        for (digest, data, font), group in reversed([(key, [*some]) for key, some in groupby(parts, itemgetter(0))]):
            buffer = uharfbuzz.Buffer()
            buffer.add_str("".join(letter for _, letter in group))
            buffer.guess_segment_properties()
            buffer.direction = "rtl"
            uharfbuzz.shape(font, buffer)
            places = zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
            yield self._drawn(
                digest, data, [(info.codepoint, place.x_advance / font.face.upem) for info, place in places]
            )

    def _open(self) -> None:
        import uharfbuzz

        if not self._files:
            raise ValueError("a sheet with texts needs at least one label font")
        for data in self._files:
            self._opened.append((hashlib.sha256(data).hexdigest(), data, uharfbuzz.Font(uharfbuzz.Face(data))))

    def _find(self, letter: str) -> tuple[str, bytes, Any, int]:
        for digest, data, font in self._opened:
            glyph = font.get_nominal_glyph(ord(letter))
            if glyph:
                return digest, data, font, int(glyph)
        return *self._opened[0], 0


def missing_letters(texts: Iterable[str], files: Iterable[bytes]) -> str:
    """The characters of `texts` that none of the font files has, sorted."""
    import uharfbuzz

    letters = {letter for text in texts for letter in unicodedata.normalize("NFC", text)}
    for data in files:
        font = uharfbuzz.Font(uharfbuzz.Face(data))
        letters = {letter for letter in letters if not font.get_nominal_glyph(ord(letter))}
    return "".join(sorted(letters))

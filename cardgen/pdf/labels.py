"""Sheets' own texts set in fonts: ruler numerals, titles, credits. Letter by letter, since labels are short and plain."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from cardgen.pdf.drawing import Run
from cardgen.pdf.fonts import FontBook

if TYPE_CHECKING:
    import pikepdf


class LabelFonts:
    """The fonts of a sheet's own texts, in order of preference; each character takes the first that has it."""

    def __init__(self, book: FontBook, files: Iterable[bytes], name_of: Callable[[pikepdf.Object], str]) -> None:
        self._book, self._files, self._name_of = book, tuple(files), name_of
        self._opened: list[tuple[str, bytes, Any]] = []
        # Numerals and words of one sheet come back on the next.
        self._known: dict[str, list[Run]] = {}

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
        for letter in unicodedata.normalize("NFC", text):
            digest, data, font, glyph = self._find(letter)
            advance = font.get_glyph_h_advance(glyph) / font.face.upem
            name = self._name_of(self._book.add(digest, partial(bytes, data)))
            self._book.draw(digest, [glyph])
            if runs and runs[-1][0] == name:
                runs[-1] = (name, f"{runs[-1][1]}{glyph:04x}", runs[-1][2] + advance)
            else:
                runs.append((name, f"{glyph:04x}", advance))
        return runs

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

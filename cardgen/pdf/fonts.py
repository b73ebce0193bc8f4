"""Fonts in a file: each once, with the union of the glyphs that all faces and labels drew.

Renderings carry whole fonts, since each knows only its own glyphs. Here the glyphs are joined by the digest of the
font file, the file is cut down to them with glyph ids kept (the contents name glyphs by id), and everything the PDF
says of a font is read from the font itself. So the result depends on what is drawn, not on who drew it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from cardgen.errors import CardgenError
from cardgen.model.painted import FontUse
from cardgen.pdf.embed import embed
from cardgen.pdf.glyphs import drawn_glyphs

if TYPE_CHECKING:
    import pikepdf


class _Font(Struct):
    """A font on its way into a file. `reference` is its dictionary there, filled in by FontBook.finish."""

    data: Callable[[], bytes]
    reference: pikepdf.Object
    # The glyphs drawn, each with the texts that it was said to stand for.
    glyphs: dict[int, set[str]] = field(default_factory=dict)
    # Widths in 1/1000 em of ids that the font does not have: a layout engine's stand-ins for missing characters.
    strange: dict[int, float] = field(default_factory=dict)


class FontBook:
    """The fonts of one file."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._fonts: dict[str, _Font] = {}

    def add(self, digest: str, data: Callable[[], bytes]) -> pikepdf.Object:
        """The dictionary in the file of the font with the sha256 `digest`; `data` reads its whole file."""
        if digest not in self._fonts:
            import pikepdf

            self._fonts[digest] = _Font(data, self._pdf.make_indirect(pikepdf.Dictionary()))
        return self._fonts[digest].reference

    def draw(self, digest: str, glyphs: Iterable[int], use: FontUse | None = None) -> None:
        """Say that glyphs of an added font are drawn; `use` tells what they stand for."""
        font = self._fonts[digest]
        for glyph in glyphs:
            texts = font.glyphs.setdefault(glyph, set())
            if use is not None and glyph in use.unicode:
                texts.add(use.unicode[glyph])
            if use is not None and glyph in use.widths:
                font.strange[glyph] = use.widths[glyph]

    def tell(self, digest: str, glyph: int, text: str) -> None:
        """Say what a drawn glyph of an added font stands for, where the font does not tell."""
        self._fonts[digest].glyphs[glyph].add(text)

    def finish(self) -> None:
        """Subset every font and write its dictionaries."""
        for digest, font in self._fonts.items():
            embed(self._pdf, font.reference, font.data(), digest, font.glyphs, font.strange)


class SourceFonts:
    """The fonts of one rendering, by the names that they have there."""

    def __init__(self, book: FontBook, uses: Iterable[FontUse]) -> None:
        self._book, self._uses = book, {use.name: use for use in uses}
        # The glyphs told to the book so far, by the name of a font that a content was found to set.
        self._told: dict[str, set[int]] = {}

    def font(self, name: str, found: pikepdf.Object) -> pikepdf.Object | None:
        """The font in the file for the font `found` under a name; None where the rendering does not say what it is."""
        use = self._uses.get(name)
        if use is None:
            return None
        self._told.setdefault(name, set())
        return self._book.add(use.digest, partial(_font_file, found, name))

    def drawn_in(self, content: bytes) -> None:
        """Take note of the glyphs that a content stream draws, whose fonts were all asked for."""
        drawn = drawn_glyphs(content)
        for name, told in self._told.items():
            use = self._uses[name]
            glyphs = (set(use.unicode) if drawn is None else drawn.get(name, set())) - told
            if glyphs:
                self._book.draw(use.digest, glyphs, use)
                told |= glyphs


def _font_file(font: Any, name: str) -> bytes:
    """The whole font file that a rendering embeds for a font."""
    descriptor = font.DescendantFonts[0].FontDescriptor
    for key in ("/FontFile2", "/FontFile3"):
        if key in descriptor:
            return bytes(descriptor[key].read_bytes())
    raise CardgenError(f"the font {name} is not embedded in its rendering")

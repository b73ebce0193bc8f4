"""Faces drawn for the tests by WeasyPrint itself, in the smallest possible way; and parts of pages as colours."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct

from cardgen.geometry import Size
from cardgen.model.face import Rendering
from cardgen.model.painted import FontUse
from cardgen.model.trim import Trim

ROOT = Path(__file__).resolve().parent.parent.parent
TEXT_FONT = ROOT / "fonts" / "fira-sans-condensed" / "FiraSansCondensed-Regular.ttf"
BOLD_FONT = ROOT / "fonts" / "fira-sans-condensed" / "FiraSansCondensed-Bold.ttf"
WIDE_FONT = ROOT / "fonts" / "dejavu-sans" / "DejaVuSans.ttf"

POKER = Trim("poker-eu", "Standard card", Size(63.0, 88.0))

# What a face's body is: markup, its origin the page's corner (the bleed's), by the face's key.
Faces = Mapping[str, str]
Make = Callable[..., Rendering]


def draw_faces(faces: Faces, trim: Trim = POKER, css: str = "", font: Path = TEXT_FONT) -> Rendering:
    """A rendering as the faces' engine makes it: a page each, uncompressed, whole fonts. `css` adds to the page's."""
    # Before WeasyPrint is imported: it must find no system fonts.
    os.environ["FONTCONFIG_FILE"] = str(ROOT / "cardgen" / "faces" / "no-system-fonts.conf")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import weasyprint

        width, height = trim.size.width + 2 * trim.bleed, trim.size.height + 2 * trim.bleed
        style = f"""
            @font-face {{ font-family: Test; src: url({font.as_uri()}) }}
            @page {{ size: {width}mm {height}mm; margin: 0 }}
            body {{ margin: 0; font: 10pt Test }}
            .face {{ position: relative; width: {width}mm; height: {height}mm; overflow: hidden }}
            .face + .face {{ break-before: page }}
            .trim {{ position: absolute; left: {trim.bleed}mm; top: {trim.bleed}mm;
                     width: {trim.size.width}mm; height: {trim.size.height}mm }}
            {css}
        """
        body = "".join(f'<div class="face">{markup}</div>' for markup in faces.values())
        uses: dict[str, FontUse] = {}

        def collect(document: Any, pdf: Any) -> None:
            for used in document.fonts.values():
                known = uses.get(used.hash)
                uses[used.hash] = FontUse(
                    used.hash,
                    sha256(used.file_content).hexdigest(),
                    {**(known.unicode if known else {}), **used.to_unicode},
                    {**(known.widths if known else {}), **used.widths},
                )

        complaints: list[str] = []
        handler = logging.Handler(logging.WARNING)
        handler.emit = lambda record: complaints.append(record.getMessage())  # type: ignore[method-assign]
        weasyprint.LOGGER.addHandler(handler)
        try:
            pdf = weasyprint.HTML(string=f"<style>{style}</style>{body}").write_pdf(
                full_fonts=True, uncompressed_pdf=True, finisher=collect
            )
        finally:
            weasyprint.LOGGER.removeHandler(handler)
        # A misspelt style would make a test that tests nothing.
        assert not complaints, complaints
    return Rendering(pdf, tuple(faces), trim, trim.bleed, tuple(uses.values()))


class Pixels(Struct, frozen=True):
    """A part of a page as colours, measured in millimetres from the page's top left corner."""

    left: float
    top: float
    dpi: float
    width: int
    height: int
    data: bytes

    def at(self, x: float, y: float) -> tuple[int, int, int]:
        """The colour at a point of the page, in mm."""
        column, row = round((x - self.left) / 25.4 * self.dpi - 0.5), round((y - self.top) / 25.4 * self.dpi - 0.5)
        assert 0 <= column < self.width
        assert 0 <= row < self.height
        start = 3 * (row * self.width + column)
        red, green, blue = self.data[start : start + 3]
        return red, green, blue

    def dark_along(self, y: float) -> list[float]:
        """The middles, in mm, of all dark runs of pixels on the level line at y mm."""
        row = round((y - self.top) / 25.4 * self.dpi - 0.5)
        line = self.data[3 * row * self.width : 3 * (row + 1) * self.width : 3]
        return [self.left + middle / self.dpi * 25.4 for middle in _runs(line)]

    def dark_down(self, x: float) -> list[float]:
        """The middles, in mm, of all dark runs of pixels on the upright line at x mm."""
        column = round((x - self.left) / 25.4 * self.dpi - 0.5)
        line = self.data[3 * column :: 3 * self.width]
        return [self.top + middle / self.dpi * 25.4 for middle in _runs(line)]


def _runs(line: bytes) -> list[float]:
    runs, start = [], None
    for index, value in enumerate(line + b"\xff"):
        if value < 128 and start is None:
            start = index
        elif value >= 128 and start is not None:
            runs.append((start + index) / 2)
            start = None
    return runs

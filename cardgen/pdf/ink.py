"""How much ink a file takes, looked at as a printer would: cyan, magenta, yellow and what they share as black."""

from __future__ import annotations

from msgspec import Struct

from cardgen.pdf.raster import page_image

# Ink is an average over whole pages: a fine picture says no more than a coarse one. 18 dpi are 149 x 210 dots of A4.
DPI = 18.0


class Ink(Struct, frozen=True):
    """The ink of a file in whole pages: 1.0 of cyan is one page covered with solid cyan, or ten pages with a tenth."""

    cyan: float = 0.0
    magenta: float = 0.0
    yellow: float = 0.0
    black: float = 0.0

    @property
    def total(self) -> float:
        """All four, in whole pages."""
        return self.cyan + self.magenta + self.yellow + self.black

    def plus(self, other: Ink) -> Ink:
        """The ink of both."""
        return Ink(
            self.cyan + other.cyan, self.magenta + other.magenta, self.yellow + other.yellow, self.black + other.black
        )


def ink_of(pdf: bytes, pages: int) -> Ink:
    """What all `pages` of a PDF take. Printers mix by profiles of their own: an estimate, good for comparing.

    Grey is counted as black alone, as full black generation prints it.
    """
    from PIL import ImageChops, ImageOps, ImageStat

    found = Ink()
    for index in range(pages):
        cyan, magenta, yellow = ImageOps.invert(page_image(pdf, index, DPI)).split()
        black = ImageChops.darker(ImageChops.darker(cyan, magenta), yellow)
        inks = [ImageChops.subtract(ink, black) for ink in (cyan, magenta, yellow)]
        found = found.plus(Ink(*(ImageStat.Stat(ink).mean[0] / 255 for ink in (*inks, black))))
    return found

"""The pictures of a rendering: each read once, with what is to be said of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cardgen.errors import FileProblem, PictureProblem
from cardgen.faces.assets import Assets
from cardgen.faces.card.canvas import Parts
from cardgen.faces.card.svg_read import Svg, parse
from cardgen.faces.images import placeholder, serve
from cardgen.model.painted import Blob, Part, PictureUse

_MM_PER_PX = 25.4 / 96


@dataclass(frozen=True, slots=True)
class Raster:
    """A raster picture: its image object, and its size in pixels."""

    part: Part
    pixels: tuple[int, int]


class Pictures:
    """Pictures by address. Those that cannot be drawn have a drawing in their place that nobody overlooks."""

    def __init__(self, assets: Assets, parts: Parts) -> None:
        self._assets, self._parts = assets, parts
        self._known: dict[str, Raster | Svg] = {}
        # (address, why it could not be drawn), and addresses that lead out of the project.
        self.undrawn: dict[str, str] = {}
        self.refused: dict[str, None] = {}

    def get(self, url: str) -> Raster | Svg:
        """The picture behind an address."""
        if url not in self._known:
            try:
                self._known[url] = self._read(*serve(self._assets, url))
            except PictureProblem as problem:
                self.spoil(url, problem)
            except FileProblem:
                self.refused[url] = None
                self._known[url] = parse(placeholder(self._assets))
        return self._known[url]

    def spoil(self, url: str, problem: PictureProblem) -> None:
        """Take note that a picture cannot be drawn, and why."""
        self.undrawn[url] = str(problem)
        self._known[url] = parse(placeholder(self._assets))

    def _read(self, data: bytes, mime: str) -> Raster | Svg:
        if mime == "image/svg+xml":
            return parse(data)
        # Pillow is loaded by the first raster picture: most decks have none.
        from cardgen.faces.card.raster import image_parts

        part, mask, pixels = image_parts(Blob(data))
        if mask is not None:
            self._parts.add(mask)
        return Raster(part, pixels)


def coarsest(uses: Iterable[PictureUse]) -> tuple[PictureUse, ...]:
    """Of each picture the use with the fewest pixels to the inch."""
    found: dict[str, PictureUse] = {}
    for use in uses:
        if use.url not in found or use.dpi < found[use.url].dpi:
            found[use.url] = use
    return tuple(found[url] for url in sorted(found))


def use_of(url: str, picture: Raster, width: float, height: float) -> PictureUse:
    """That a picture is printed in a size in px."""
    return PictureUse(url, picture.pixels, (width * _MM_PER_PX, height * _MM_PER_PX))

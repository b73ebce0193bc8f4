"""The pictures of a rendering: each read once, with what is to be said of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from html import escape

from msgspec import Struct

from cardgen.errors import EngineMissing, FileProblem, PictureProblem
from cardgen.faces.assets import Assets
from cardgen.faces.card.canvas import Parts
from cardgen.faces.card.fonts import FontSet
from cardgen.faces.card.svg_read import Svg, parse
from cardgen.faces.engines import Job, render
from cardgen.faces.images import placeholder, serve
from cardgen.geometry import Size
from cardgen.model.face import Face
from cardgen.model.font import FontRole
from cardgen.model.painted import Blob, DrawnPage, Part, PictureUse
from cardgen.model.trim import Trim

_MM_PER_PX = 25.4 / 96


class Raster(Struct, frozen=True):
    """A raster picture: its image object, and its size in pixels."""

    part: Part
    pixels: tuple[int, int]


class Hard(Struct, frozen=True):
    """An SVG drawing that this engine does not draw, and why."""

    why: str


class Pictures:
    """Pictures by address. Those that cannot be drawn have a drawing in their place that nobody overlooks."""

    def __init__(self, assets: Assets, parts: Parts, fontset: FontSet) -> None:
        self._assets, self._parts, self._fontset = assets, parts, fontset
        self._known: dict[str, Raster | Svg | Hard] = {}
        self._by_reference: dict[tuple[str, float, float], Part] = {}
        # (address, why it could not be drawn), and addresses that lead out of the project.
        self.undrawn: dict[str, str] = {}
        self.refused: dict[str, None] = {}

    def get(self, url: str) -> Raster | Svg | Hard:
        """The picture behind an address."""
        if url not in self._known:
            try:
                self._known[url] = self._read(*serve(self._assets, url))
            except PictureProblem as problem:
                self._spoil(url, str(problem))
            except FileProblem:
                self.refused[url] = None
                self._known[url] = parse(placeholder(self._assets))
        return self._known[url]

    def harden(self, url: str, problem: PictureProblem) -> None:
        """Take note that a drawing cannot be drawn by this engine, and why."""
        self._known[url] = Hard(str(problem))

    def by_reference(self, url: str, width: float, height: float) -> Part | None:
        """A drawing in a size in px as the reference engine draws it; None where that cannot, which is noted."""
        key = (url, round(width, 2), round(height, 2))
        if key not in self._by_reference:
            try:
                self._by_reference[key] = drawn_by_reference(self._assets, self._fontset.roles, *key)
            except PictureProblem as problem:
                found = self._known[url]
                self._spoil(url, f"{found.why} ({problem})" if isinstance(found, Hard) else str(problem))
                return None
        return self._by_reference[key]

    def _spoil(self, url: str, why: str) -> None:
        self.undrawn[url] = why
        self._known[url] = parse(placeholder(self._assets))

    def _read(self, data: bytes, mime: str) -> Raster | Svg | Hard:
        if mime == "image/svg+xml":
            try:
                return parse(data)
            except PictureProblem as problem:
                return Hard(str(problem))
        # Pillow is loaded by the first raster picture: most decks have none.
        from cardgen.faces.card.raster import image_parts

        part, mask, pixels = image_parts(Blob(data))
        if mask is not None:
            self._parts.add(mask)
        return Raster(part, pixels)


def drawn_by_reference(assets: Assets, roles: Mapping[str, FontRole], url: str, width: float, height: float) -> Part:
    """An SVG file in a size in px, drawn by the reference engine: for filters, patterns and all else that a drawing
    may have and a card seldom needs. Raises PictureProblem where that engine is not installed or fails."""
    trim = Trim("picture", "", Size(width * _MM_PER_PX, height * _MM_PER_PX), 0.0, 0.0, 0.0)
    look = f"position:absolute;left:0;top:0;width:{width}px;height:{height}px"
    html = f'<img src="{escape(url)}" style="{look}">'
    face = Face("picture", url, "", "", "front", trim, "", "weasyprint", (), html.encode(), {})
    try:
        drawn = render(Job((face,), assets, roles))
    except EngineMissing as missing:
        raise PictureProblem(str(missing)) from None
    problems = [why for _, why in (*drawn.failures, *drawn.undrawn)]
    if problems or not drawn.keys:
        raise PictureProblem(problems[0] if problems else "the reference engine cannot load the fonts")
    name = sha256(f"{assets.digest(url)} {width} {height}".encode()).hexdigest()[:16]
    return Part("XObject", f"X{name}", b"", page=DrawnPage(Blob(drawn.pdf), drawn.fonts))


def use_of(url: str, picture: Raster, width: float, height: float) -> PictureUse:
    """That a picture is printed in a size in px."""
    return _use(url, picture.pixels, width * _MM_PER_PX, height * _MM_PER_PX)


# What faces share is sent and held once.
@lru_cache(maxsize=1000)
def _use(url: str, pixels: tuple[int, int], width: float, height: float) -> PictureUse:
    return PictureUse(url, pixels, (width, height))

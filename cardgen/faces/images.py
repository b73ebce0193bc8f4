"""Looks at pictures before an engine does, and gives it what it can draw.

What cannot be drawn is replaced by a placeholder that nobody overlooks.
"""

from __future__ import annotations

from hashlib import sha256
from importlib import import_module
from typing import Any, Literal

from msgspec import Struct

from cardgen.errors import FileProblem, PictureProblem
from cardgen.faces.assets import Assets, picture_name
from cardgen.faces.svg import check_svg
from cardgen.files import MAX_ICON

# Bounds and thresholds, stated in docs/images.md.
MAX_PIXELS = 100_000_000
MIN_DPI = 200
PLACEHOLDER = "layouts/_base/missing.svg"

_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "MPO": "image/jpeg", "WEBP": "image/webp", "GIF": "image/gif"}
_SVG_TYPE = "image/svg+xml"

Note = Literal["cmyk", "deep", "turned", "animated"]
NOTES: dict[Note, str] = {
    "cmyk": "is CMYK: it goes into the PDF unchanged, and screens and printers show its colours differently",
    "deep": "has 16 bits a channel; it is printed with 8",
    "turned": "is stored turned; it is printed upright",
    "animated": "is animated; its first picture is printed",
}


class Picture(Struct, frozen=True):
    """What a look at a picture's file found. Sizes in pixels, as it is printed; 0 x 0 for a drawing."""

    format: str
    width: int = 0
    height: int = 0
    notes: tuple[Note, ...] = ()
    # fonts that an SVG drawing's texts ask for
    fonts: frozenset[str] = frozenset()
    # whether an SVG drawing says how large it is
    is_sized: bool = True

    @property
    def mime(self) -> str:
        """The MIME type of the file."""
        return _TYPES.get(self.format, _SVG_TYPE)


# What was found of pictures, by digest: the portraits of a deck are looked at in every job.
_MOST_LOOKS = 1000
_LOOKS: dict[bytes, Picture] = {}


def look(data: bytes) -> Picture:
    """What kind of picture this is. Raises PictureProblem when it is none that can be drawn."""
    digest = sha256(data).digest()
    found = _LOOKS.get(digest)
    if found is None:
        if len(_LOOKS) >= _MOST_LOOKS:
            _LOOKS.clear()
        found = _LOOKS[digest] = _look(data)
    return found


def _look(data: bytes) -> Picture:
    if not data:
        raise PictureProblem("the file is empty")
    if data[:200].lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0").startswith(b"<"):
        drawing = check_svg(data)
        return Picture("SVG", fonts=drawing.fonts, is_sized=drawing.is_sized)
    found: Picture = _raster().look_raster(data)
    return found


def convert(data: bytes, picture: Picture) -> tuple[bytes, str]:
    """The bytes and MIME type that an engine draws rightly; the same bytes whenever they will do.

    A photograph keeps its compressed data and loses its EXIF. Raises PictureProblem when a picture that must be
    converted cannot be decoded.
    """
    if not {"turned", "deep"}.intersection(picture.notes):
        return (_raster().without_exif(data) if picture.mime == "image/jpeg" else data), picture.mime
    made: tuple[bytes, str] = _raster().convert_raster(data, picture)
    return made


def serve(assets: Assets, url: str) -> tuple[bytes, str]:
    """What an engine gets for an address: a picture it can draw, else the placeholder.

    Raises FileProblem for what is no picture and cannot be read.
    """
    data, mime = b"", _SVG_TYPE
    if picture_name(url) is None:
        return assets.read(url)
    try:
        data, _ = assets.read(url)
        data, mime = convert(data, look(data))
    except FileProblem:
        data = placeholder(assets)
    return data, mime


def placeholder(assets: Assets) -> bytes:
    """The drawing that stands for a picture that is not there. Raises FileProblem."""
    return assets.shelf.read(PLACEHOLDER, MAX_ICON)


def _raster() -> Any:
    # Pillow is loaded by the first raster picture: most decks have none.
    return import_module("cardgen.faces.raster")

"""Faces as PDF content that needs no further work: operators, and the parts that they name.

A part is named by what it is, so that equal parts of several workers' faces are one part, and nothing is renamed.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import ClassVar, Literal
from weakref import WeakValueDictionary

from msgspec import Struct

Category = Literal["ExtGState", "Font", "Pattern", "Shading", "XObject"]
# (category, name) of parts that a content uses.
Uses = tuple[tuple[Category, str], ...]


class Blob:
    """Bytes that many renderings share: a font file, a photograph. Of equal ones there is one in a process, also when
    they come from another process."""

    __slots__ = ("__weakref__", "data", "digest")
    _known: ClassVar[WeakValueDictionary[str, Blob]] = WeakValueDictionary()

    digest: str
    data: bytes

    def __new__(cls, data: bytes) -> Blob:
        """The blob of these bytes; `digest` is their sha256."""
        digest = sha256(data).hexdigest()
        found = cls._known.get(digest)
        if found is None:
            found = super().__new__(cls)
            found.digest, found.data = digest, data
            cls._known[digest] = found
        return found

    def __reduce__(self) -> tuple[type[Blob], tuple[bytes]]:
        """How it is pickled."""
        return Blob, (self.data,)


class FontUse(Struct, frozen=True):
    """One font of a rendering: the PDF resource name it has there and the glyphs that were drawn.

    `digest` is the sha256 of the whole font file, `unicode` maps a glyph id to its text, `widths` to its advance in
    1/1000 em.
    """

    name: str
    digest: str
    unicode: Mapping[int, str]
    widths: Mapping[int, float]


class PictureUse(Struct, frozen=True):
    """The coarsest use of a raster picture in a rendering: its size in pixels, and as it is printed, in mm."""

    url: str
    pixels: tuple[int, int]
    printed: tuple[float, float]

    @property
    def dpi(self) -> float:
        """Pixels to the inch, in the direction that has fewer."""
        return min(count / (mm / 25.4) for count, mm in zip(self.pixels, self.printed, strict=True))


class Bits(int):
    """A set of small numbers, each a bit. A type of its own, so that what stores it knows how."""

    __slots__ = ()


class Glyphs(Struct, frozen=True):
    """The glyphs that a content draws in one font, whose file has the sha256 `font`: each id is a bit of `ids`.

    `texts` tells what those stand for whose text is not the font's to tell: ligatures, small capitals.
    """

    font: str
    ids: Bits
    texts: tuple[tuple[int, str], ...] = ()


class DrawnPage(Struct, frozen=True):
    """What another engine drew: a PDF of one page with whole fonts, and these fonts."""

    pdf: Blob
    fonts: tuple[FontUse, ...]


class Part(Struct, frozen=True):
    """A resource of a PDF. `entries` are those of its dictionary, as a PDF writes them; `stream` its data, encoded as
    they say. What its own contents use is in `uses` and `glyphs`; `mask` names the picture that is its soft mask. A form
    that another engine drew has a `page` in place of all that."""

    category: Category
    name: str
    entries: bytes
    stream: Blob | None = None
    uses: Uses = ()
    glyphs: tuple[Glyphs, ...] = ()
    mask: str = ""
    page: DrawnPage | None = None


class PaintedFace(Struct, frozen=True):
    """One face: operators on a page of trim and bleed, what they use, and how it uses pictures."""

    content: bytes
    uses: Uses
    glyphs: tuple[Glyphs, ...]
    pictures: tuple[PictureUse, ...] = ()


class Painted(Struct, frozen=True):
    """The faces of a rendering in the order of its keys, the parts that they name, and the font files."""

    faces: tuple[PaintedFace, ...]
    parts: tuple[Part, ...]
    fonts: tuple[Blob, ...]


def font_name(digest: str) -> str:
    """The name in contents of the font whose file has a sha256."""
    return f"F{digest[:10]}"

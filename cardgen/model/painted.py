"""Faces as PDF content that needs no further work: operators, and the parts that they name.

A part is named by what it is, so that equal parts of several workers' faces are one part, and nothing is renamed.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar, Literal
from weakref import WeakValueDictionary

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


@dataclass(frozen=True, slots=True)
class Part:
    """A resource of a PDF. `entries` are those of its dictionary, as a PDF writes them; `stream` its data, encoded as
    they say. What its own contents use is in `uses` and `glyphs`; `mask` names the picture that is its soft mask."""

    category: Category
    name: str
    entries: bytes
    stream: Blob | None = None
    uses: Uses = ()
    glyphs: tuple[tuple[str, bytes], ...] = ()
    mask: str = ""


@dataclass(frozen=True, slots=True)
class PaintedFace:
    """One face: operators on a page of trim and bleed, and what they use.

    `glyphs` are those it draws: the sha256 of a font file, and sorted glyph ids of two bytes each.
    """

    content: bytes
    uses: Uses
    glyphs: tuple[tuple[str, bytes], ...]


@dataclass(frozen=True, slots=True)
class Painted:
    """The faces of a rendering in the order of its keys, the parts that they name, and the font files."""

    faces: tuple[PaintedFace, ...]
    parts: tuple[Part, ...]
    fonts: tuple[Blob, ...]


def font_name(digest: str) -> str:
    """The name in contents of the font whose file has a sha256."""
    return f"F{digest[:10]}"

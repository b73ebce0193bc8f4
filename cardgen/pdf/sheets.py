"""Sheets as they are stored: compressed, and remembered by what they show, for somebody who writes the same ones again."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from hashlib import sha256

from msgspec import Struct

from cardgen.model.painted import Bits, Category, Glyphs, PaintedFace, Uses
from cardgen.pdf.painted import COMPRESSION


class StoredSheet(Struct, frozen=True, array_like=True):
    """The content of a sheet, compressed; and what the painted faces on it use, where it is known by these."""

    data: bytes
    uses: Uses = ()
    glyphs: tuple[Glyphs, ...] = ()


class Sheets:
    """The sheets of the last file by hashes of what they show. What a file does not have is not kept for the next."""

    def __init__(self, before: Mapping[bytes, StoredSheet] | None = None) -> None:
        self.now: dict[bytes, StoredSheet] = {}
        # whether there is any now that was not there before
        self.is_new = False
        self._before = before or {}

    def find(self, shown: bytes) -> StoredSheet | None:
        """The sheet that showed the same."""
        found = self.now.get(shown) or self._before.get(shown)
        if found is not None:
            self.now[shown] = found
        return found

    def keep(self, shown: bytes, sheet: StoredSheet) -> StoredSheet:
        """Keep a sheet that was made just now; the same one."""
        self.now[shown] = sheet
        self.is_new = True
        return sheet

    def deflated(self, content: bytes) -> bytes:
        """A content as it is stored, of a sheet that nothing else is known of."""
        shown = sha256(content).digest()
        found = self.find(shown) or self.keep(shown, StoredSheet(deflated(content)))
        return found.data


def deflated(content: bytes) -> bytes:
    """A sheet's content as it is stored: the least that a decoder of Flate reads as `content`, or nearly."""
    return zlib.compress(content, COMPRESSION)


def used_by(faces: Iterable[PaintedFace]) -> tuple[Uses, tuple[Glyphs, ...]]:
    """What faces use together, in the order in which they do."""
    uses: dict[tuple[Category, str], None] = {}
    ids: dict[str, int] = {}
    texts: dict[str, dict[tuple[int, str], None]] = {}
    for face in faces:
        uses |= dict.fromkeys(face.uses)
        for one in face.glyphs:
            ids[one.font] = ids.get(one.font, 0) | one.ids
            texts.setdefault(one.font, {}).update(dict.fromkeys(one.texts))
    return tuple(uses), tuple(Glyphs(font, Bits(bits), tuple(texts[font])) for font, bits in ids.items())

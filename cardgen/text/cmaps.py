"""Which characters a font can draw, and which characters a text needs."""

from __future__ import annotations

import unicodedata
from collections.abc import Set
from functools import lru_cache

from cardgen.errors import FileProblem

# Characters that draw nothing and need no glyph.
_SILENT = {"Cc", "Cf", "Zl", "Zp"}
_TABLES = {b"cmap", b"head", b"hhea", b"hmtx", b"maxp"}
_MAGIC = (b"\x00\x01\x00\x00", b"OTTO", b"true")


@lru_cache(maxsize=64)
def characters_of(data: bytes) -> frozenset[int]:
    """The code points a TrueType or OpenType file has glyphs for. Raises FileProblem for anything else."""
    import uharfbuzz

    if data[:4] not in _MAGIC:
        raise FileProblem("not a TrueType or OpenType font (TTF or OTF)")
    _check_tables(data)
    face = uharfbuzz.Face(data)
    found = frozenset(face.unicodes)
    if not face.glyph_count or not found:
        raise FileProblem("a broken font: it maps no characters to glyphs")
    return found


def _check_tables(data: bytes) -> None:
    """Raises FileProblem when the tables that every font has are not all there, or do not lie within the file."""
    count = int.from_bytes(data[4:6], "big")
    records = [data[at : at + 16] for at in range(12, 12 + 16 * count, 16)]
    for record in records:
        start, length = int.from_bytes(record[8:12], "big"), int.from_bytes(record[12:16], "big")
        if len(record) < 16 or start + length > len(data):
            raise FileProblem("a broken font: its end is missing")
    missing = sorted(_TABLES - {record[:4] for record in records})
    if missing:
        raise FileProblem(f"a broken font: it has no table `{missing[0].decode()}`")


def lacking(text: str, characters: frozenset[int]) -> set[int]:
    """The code points of a text that need a glyph and are not among those that have one."""
    missing = set(map(ord, set(text))) - characters
    return {point for point in missing if unicodedata.category(chr(point)) not in _SILENT}


def show(points: Set[int]) -> str:
    """Code points for people: each character with its number."""
    shown = ", ".join(f"`{chr(point)}` (U+{point:04X})" for point in sorted(points)[:8])
    return shown if len(points) <= 8 else f"{shown} and {len(points) - 8} more"

"""Which characters a font can draw, and which characters a text needs."""

from __future__ import annotations

import unicodedata
from collections.abc import Set
from functools import lru_cache

from cardgen.errors import FileProblem

# Characters that draw nothing and need no glyph.
_SILENT = {"Cc", "Cf", "Zl", "Zp"}
_MAGIC = (b"\x00\x01\x00\x00", b"OTTO", b"true")


@lru_cache(maxsize=64)
def characters_of(data: bytes) -> frozenset[int]:
    """The code points a TrueType or OpenType file has glyphs for. Raises FileProblem for anything else."""
    import uharfbuzz

    if data[:4] not in _MAGIC:
        raise FileProblem("not a TrueType or OpenType font (TTF or OTF)")
    face = uharfbuzz.Face(data)
    found = frozenset(face.unicodes)
    if not face.glyph_count or not found:
        raise FileProblem("a broken font: it maps no characters to glyphs")
    return found


def lacking(text: str, characters: frozenset[int]) -> set[int]:
    """The code points of a text that need a glyph and are not among those that have one."""
    missing = set(map(ord, text)) - characters
    return {point for point in missing if unicodedata.category(chr(point)) not in _SILENT}


def show(points: Set[int]) -> str:
    """Code points for people: each character with its number."""
    shown = ", ".join(f"`{chr(point)}` (U+{point:04X})" for point in sorted(points)[:8])
    return shown if len(points) <= 8 else f"{shown} and {len(points) - 8} more"

"""Which characters a font can draw, and which characters a text needs."""

from __future__ import annotations

import io
import unicodedata
from functools import lru_cache

from fontTools.ttLib import TTFont, TTLibError

from cardgen.errors import FileProblem

# Characters that draw nothing and need no glyph.
_SILENT = {"Cc", "Cf", "Zl", "Zp"}


@lru_cache(maxsize=64)
def characters_of(data: bytes) -> frozenset[int]:
    """The code points a font file has glyphs for. Raises FileProblem for what is not a font."""
    try:
        with TTFont(io.BytesIO(data), lazy=True) as font:
            return frozenset(font.getBestCmap() or ())
    except (TTLibError, OSError, KeyError, ValueError, AssertionError, EOFError) as error:
        raise FileProblem(f"not a TrueType or OpenType font: {error or type(error).__name__}") from None
    except Exception as error:  # fontTools meets broken tables with whatever struct or index error comes first
        raise FileProblem(f"a broken font: {type(error).__name__}") from None


def needed(text: str) -> set[int]:
    """The code points that a text needs glyphs for."""
    return {ord(char) for char in text if unicodedata.category(char) not in _SILENT}


def show(points: set[int]) -> str:
    """Code points for people: each character with its number."""
    return ", ".join(f"`{chr(point)}` (U+{point:04X})" for point in sorted(points)[:8])

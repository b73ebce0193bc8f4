"""Fonts as a language has them set: larger or smaller, moved up or down, for the same size in a style sheet.

It is done to the font, not to layouts, so that every layout takes it up and none can forget it: letters are drawn in a
larger or smaller em square, and the line's ascent and descent are moved against each other. Only what is embedded in a
document is changed; the files stay as they are.
"""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

from fontTools.ttLib import TTFont, TTLibError

# OpenType's bounds on units per em.
_LEAST, _MOST = 16, 16384


@lru_cache(maxsize=32)
def sized(data: bytes, size: float, offset: float) -> bytes:
    """The font with its letters at `size` percent, moved down by `offset` percent of the font size (up below 0).

    A font that cannot be read is given back as it is: who loads it tells.
    """
    try:
        font = TTFont(BytesIO(data), lazy=True, recalcTimestamp=False, recalcBBoxes=False)
        units = font["head"].unitsPerEm
        new = max(_LEAST, min(_MOST, round(units * 100 / size)))
        font["head"].unitsPerEm = new
        down = round(new * offset / 100)
        font["hhea"].ascent += down
        font["hhea"].descent += down
        if "OS/2" in font:
            table = font["OS/2"]
            table.sTypoAscender += down
            table.sTypoDescender += down
            table.usWinAscent = max(0, table.usWinAscent + down)
            table.usWinDescent = max(0, table.usWinDescent - down)
        if "CFF " in font:
            font["CFF "].cff.topDictIndex[0].FontMatrix = [1 / new, 0, 0, 1 / new, 0, 0]
        target = BytesIO()
        font.save(target, reorderTables=False)
        return target.getvalue()
    except (TTLibError, KeyError, AttributeError, ValueError, AssertionError, OverflowError):
        return data

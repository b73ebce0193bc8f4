"""Which glyphs a content stream draws, font by font: what a font must keep, and nothing else.

A rendering tells the glyphs of all its faces together. Which faces share a rendering depends on how the work was dealt
out, and a file must not; so the glyphs are read from the contents of the faces that are placed.
"""

from __future__ import annotations

import re
from array import array
from sys import byteorder

_SET_FONT = re.compile(rb"/([^\x00\t\n\f\r /<>\[\](){}%]+)\s+[-+0-9.]+\s+Tf\b")
_HEX = re.compile(rb"<((?:[0-9A-Fa-f]{4})*)>")
_TEXT = b"BT"


def drawn_glyphs(content: bytes) -> dict[str, set[int]] | None:
    """The two-byte glyph ids that `content` draws, by font name; None where it cannot be told for sure.

    Sure is: texts are hex strings of whole ids, and each text object sets its font before it draws, as WeasyPrint's do.
    """
    if b"(" in content or b"%" in content:
        return None
    before, *rest = _SET_FONT.split(content)
    if not _silent_after_begin(before):
        return None
    parts: dict[bytes, list[bytes]] = {}
    for name, part in zip(rest[::2], rest[1::2], strict=True):
        # A second text object in the part must not draw before its own font comes.
        if _TEXT in part and not _silent_after_begin(part):
            return None
        parts.setdefault(name, []).append(part)
    glyphs = {}
    for name, found in parts.items():
        drawn = b"".join(found)
        strings = _HEX.findall(drawn)
        if len(strings) != drawn.count(b"<"):
            return None
        glyphs[name.decode("utf-8")] = _ids(b"".join(strings))
    return glyphs


def _silent_after_begin(part: bytes) -> bool:
    _, begun, after = part.partition(_TEXT)
    return not begun or b"<" not in after


def _ids(digits: bytes) -> set[int]:
    ids = array("H", bytes.fromhex(digits.decode("ascii")))
    if byteorder == "little":
        ids.byteswap()
    return set(ids)

"""Text of files that are not UTF-8: what it says in an encoding that somebody may have saved it in."""

from __future__ import annotations

import codecs
import re

# Those that are offered, by the name that programs call them by; the first is what most editors save in.
ENCODINGS = {"cp1252": "Windows-1252", "cp1251": "Windows-1251", "iso8859-15": "ISO 8859-15", "utf-16": "UTF-16"}
_LETTERS = re.compile(rb"[\xc0-\xff]{3}")


def is_utf8(data: bytes) -> bool:
    """Whether a file is UTF-8 throughout."""
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    return True


def guessed(data: bytes) -> str:
    """The encoding that a file which is not UTF-8 was most likely saved in.

    Words of letters beyond ASCII are Cyrillic; letters here and there are of a Latin alphabet.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    return "cp1251" if _LETTERS.search(data) else "cp1252"


def text_in(data: bytes, encoding: str) -> str:
    """What a file says: what is UTF-8 is read so, every other byte in `encoding`, and none of them is lost.

    A byte that stands for nothing in it is the character of its number, as in ISO 8859-1.
    """
    if encoding == "utf-16":
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", f"cardgen-{encoding}")


def _handler(encoding: str) -> None:
    def handle(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        bad = error.object[error.start : error.end]
        return "".join(_character(byte, encoding) for byte in bad), error.end

    codecs.register_error(f"cardgen-{encoding}", handle)


def _character(byte: int, encoding: str) -> str:
    return bytes([byte]).decode(encoding, "ignore") or chr(byte)


for _name in ENCODINGS:
    if _name != "utf-16":
        _handler(_name)

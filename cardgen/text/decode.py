"""Bytes of a text file as text: UTF-8, without control characters, or a message that says where and why not."""

from __future__ import annotations

import re

from cardgen.diagnostics import Report, Span

# What YAML, gettext and CSS read as a line break or not at all, what nobody sees, and what turns the order of what stands
# behind it, so that a text does not read as it is written: tab and line breaks are allowed, and marks of direction.
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def place_of(text: str, at: int, file: str) -> Span:
    """The line and column of an index into the text of a file."""
    return Span(file, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


def decode_text(data: bytes, file: str, report: Report) -> str | None:
    """The text of a file, its byte order mark left off; None after reporting why there is none."""
    if data.startswith(_UTF16):
        report.add("CG002", Span(file, 1, 1), found="UTF-16", hint="save the file as UTF-8")
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", "replace")
        span = place_of(before, len(before), file)
        report.add("CG002", span, found=f"byte 0x{data[error.start]:02x}", hint="save the file as UTF-8")
        return None
    match = CONTROL.search(text)
    if match is not None:
        # Text of Latin letters in UTF-16 has a zero at every other byte.
        hint = "it looks like UTF-16; save the file as UTF-8" if data[:64].count(0) > len(data[:64]) // 4 else ""
        report.add("CG008", place_of(text, match.start(), file), hint, found=f"U+{ord(match[0]):04X}")
        return None
    return text

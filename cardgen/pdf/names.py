"""Names of resources in content streams, and how to change them.

A name means something only together with its operator: `/s0 gs` is a graphics state, `/s0 sh` a shading. A pattern
finds both at once in a stream of numbers, operators and hex strings, in a few milliseconds a megabyte; what it could misread
(strings in parentheses, comments, inline images) sends a stream to the slow, full tokeniser.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pikepdf

# The resource category that an operator's name belongs to.
CATEGORIES = {
    b"Do": "XObject",
    b"gs": "ExtGState",
    b"sh": "Shading",
    b"scn": "Pattern",
    b"SCN": "Pattern",
    b"cs": "ColorSpace",
    b"CS": "ColorSpace",
    b"Tf": "Font",
}
# (category, name) -> the name to write; all names without their slash.
Rename = Callable[[str, bytes], bytes]

_NAMED = re.compile(
    rb"/([^\x00\t\n\f\r /<>\[\](){}%]+)(\s+(?:[-+]?[0-9.]+\s+)?)(Do|gs|sh|scn|SCN|cs|CS|Tf)(?![^\x00\t\n\f\r /<>\[\](){}%])"
)
# Strings and comments, and the operator that opens an inline image's data.
_MISREADABLE = (b"(", b"%", b" ID", b"\nID", b"\rID", b"\tID")


def rename(content: bytes, new_name: Rename) -> bytes:
    """`content` with every resource name replaced by what `new_name` says."""
    if any(mark in content for mark in _MISREADABLE):
        return _rename_slowly(content, new_name)
    return _NAMED.sub(
        lambda match: b"/" + new_name(CATEGORIES[match[3]], match[1]) + match[2] + match[3],
        content,
    )


def _rename_slowly(content: bytes, new_name: Rename) -> bytes:
    import pikepdf

    pdf = pikepdf.new()
    instructions: list[pikepdf.ContentStreamInstruction | pikepdf.ContentStreamInlineImage] = []
    for instruction in pikepdf.parse_content_stream(pikepdf.Stream(pdf, content)):
        if isinstance(instruction, pikepdf.ContentStreamInlineImage):
            instructions.append(instruction)
            continue
        operands, operator = list(instruction.operands), instruction.operator
        category = CATEGORIES.get(bytes(operator))
        # The name comes first with Tf and last with the colours; all others have but the one.
        where = 0 if category == "Font" else -1
        if category and operands and isinstance(operands[where], pikepdf.Name):
            operands[where] = _renamed(operands[where], category, new_name)
        instructions.append(pikepdf.ContentStreamInstruction(operands, operator))
    return pikepdf.unparse_content_stream(instructions)


def _renamed(name: pikepdf.Object, category: str, new_name: Rename) -> pikepdf.Object:
    import pikepdf

    return pikepdf.Name("/" + new_name(category, bytes(str(name)[1:], "utf-8")).decode("utf-8"))

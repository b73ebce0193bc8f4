"""Texts of other programs as inline markup: HTML as card databases have it, and plain text."""

from __future__ import annotations

import html
import re

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)[^<>]*?/?>")
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "cite": "*"}
# A name in brackets is an icon there as it is here.
_ICON = re.compile(r"\[([A-Za-z0-9][A-Za-z0-9_ -]*)\]")


def from_plain(text: str) -> str:
    """A plain text as inline markup that reads the same: what would be taken for markup has a backslash."""
    return re.sub(r"([\\\[*])", r"\\\1", text)


def from_html(text: str) -> str:
    """HTML as inline markup: bold, italic, line breaks, paragraphs and lists; other tags fall away.

    Icons are names in brackets already (`[action]`); their names are written as files are.
    """
    parts: list[str] = []
    end = 0
    for match in _TAG.finditer(text):
        parts.append(_literal(text[end : match.start()]))
        end = match.end()
        name = match[2].lower()
        if name in _MARKS:
            parts.append(_MARKS[name])
        elif name == "br":
            parts.append("\n")
        elif name == "li":
            parts.append("" if match[1] else "\n- ")
        elif name in ("p", "ul", "ol"):
            parts.append("\n\n")
    parts.append(_literal(text[end:]))
    lines = "".join(parts).split("\n")
    joined = "\n".join(re.sub(r"[ \t]+", " ", line).strip() for line in lines)
    return re.sub(r"\n{3,}", "\n\n", joined).strip()


def _literal(text: str) -> str:
    text = html.unescape(text)
    found = []
    end = 0
    for match in _ICON.finditer(text):
        found.append(from_plain(text[end : match.start()]))
        found.append(f"[{match[1].lower().replace(' ', '-')}]")
        end = match.end()
    return "".join([*found, from_plain(text[end:])])

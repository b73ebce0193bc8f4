"""Texts of other programs as inline markup: HTML as card databases have it, and plain text."""

from __future__ import annotations

import html
import re
from collections.abc import Collection

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)[^<>]*?/?>")
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "cite": "*"}
# A name in brackets is an icon there as it is here.
_ICON = re.compile(r"\[([A-Za-z0-9][A-Za-z0-9_ -]*)\]")
# Traits stand so in many databases.
_DOUBLE = re.compile(r"\[(\[[^\[\]]*\])\]")


def from_plain(text: str) -> str:
    """A plain text as inline markup that reads the same: what would be taken for markup has a backslash."""
    return re.sub(r"([\\\[*])", r"\\\1", text)


def names_in_brackets(text: str) -> list[str]:
    """The names that stand in brackets in a text, as icons are named, in order, as often as they stand."""
    return [_name(match) for match in _ICON.finditer(_DOUBLE.sub(r"\1", html.unescape(_TAG.sub("", text))))]


def _name(match: re.Match[str]) -> str:
    return match[1].lower().replace(" ", "-")


def from_html(text: str, icons: Collection[str] | None = None) -> str:
    """HTML as inline markup: bold, italic, line breaks, paragraphs and lists; other tags fall away.

    Icons are names in brackets already (`[action]`); their names are written as files are. What stands in brackets and
    is none of `icons`, if these are given, stays as it is read: `[Trait]`. So it does in double brackets, once.
    """
    parts: list[str] = []
    end = 0
    for match in _TAG.finditer(text):
        parts.append(_literal(text[end : match.start()], icons))
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
    parts.append(_literal(text[end:], icons))
    lines = "".join(parts).split("\n")
    joined = "\n".join(re.sub(r"[ \t]+", " ", line).strip() for line in lines)
    return re.sub(r"\n{3,}", "\n\n", joined).strip()


def _literal(text: str, icons: Collection[str] | None) -> str:
    text = _DOUBLE.sub(r"\1", html.unescape(text))
    found = []
    end = 0
    for match in _ICON.finditer(text):
        found.append(from_plain(text[end : match.start()]))
        known = icons is None or _name(match) in icons
        found.append(f"[{_name(match)}]" if known else from_plain(match[0]))
        end = match.end()
    return "".join([*found, from_plain(text[end:])])

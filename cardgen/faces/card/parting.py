"""Cuts the HTML of a face into the elements that it holds, without parsing it: most of them stand on many faces."""

from __future__ import annotations

import re

_BEGIN = re.compile(r"[ \t\n\r\f]*(?:(<([a-z][a-z0-9]*)(?:[ \t\n\r\f][^<>]*)?>)|\Z)")
# Elements without an end.
_EMPTY = frozenset(["br", "img"])
# Whole tags only, so that what looks like one is none of an attribute's text; nothing whose text is no HTML.
_SOUND = re.compile(
    r"""(?:[^<]++|<(?!/?(?:script|style|textarea|title|xmp|iframe|noembed|noframes|plaintext|!))"""
    r"""(?:[^<>"']|"[^"<>]*"|'[^'<>]*')*+>)*+""",
    re.IGNORECASE,
)


def elements_of(html: str) -> list[tuple[str, bool]] | None:
    """The elements one after the other, each as it is written, and whether there is space before it; None where there
    is more than elements and spaces, or where only a parser can tell.

    One that is no `is_sound` may be cut at the wrong place.
    """
    found: list[tuple[str, bool]] = []
    begin, end = _BEGIN.match, 0
    while True:
        start = begin(html, end)
        if start is None:
            return None
        tag = start[2]
        if tag is None:
            return found
        at, is_spaced = start.start(1), start.start(1) > end
        end = start.end()
        if tag not in _EMPTY:
            close, same = f"</{tag}>", f"<{tag}"
            depth = 1
            while depth:
                inner, end = end, html.find(close, end)
                if end < 0:
                    return None
                depth -= 1
                if same in html[inner:end]:
                    depth += html.count(f"{same} ", inner, end) + html.count(f"{same}>", inner, end)
                end += len(close)
        found.append((html[at:end], is_spaced))


def is_sound(element: str) -> bool:
    """Whether every tag in the text of an element is one, so that it ends where `elements_of` has cut it."""
    return _SOUND.fullmatch(element) is not None

"""Writing from right to left: which languages are, and in which order the parts of a line stand."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from unicodedata import bidirectional

# By their primary subtag; the scripts are Arabic, Hebrew, Thaana and Syriac (CLDR 46, `characterOrder`).
_RIGHT_TO_LEFT = frozenset({"ar", "arc", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "syr", "ug", "ur", "yi"})

# Letters to the right, letters to the left, numbers; all else takes the direction of what it stands between.
_KINDS = {"L": "L", "R": "R", "AL": "R", "EN": "N", "AN": "N"}


def is_rtl(lang: str) -> bool:
    """Whether a language is written from right to left."""
    return lang.replace("_", "-").partition("-")[0].lower() in _RIGHT_TO_LEFT


def visual_parts(text: str) -> list[tuple[str, bool]]:
    """A line in the order in which its parts stand on paper, from the left: (part, whether its letters run leftwards).

    The Unicode bidirectional algorithm (UAX #9) without embeddings, which a line of a label has none of: parts of one
    direction, numbers among letters from right to left, and what has no direction between them.
    """
    kinds = [_KINDS.get(bidirectional(letter), " ") for letter in text]
    strong = [kind for kind in kinds if kind in "LR"]
    if "R" not in strong:
        return [(text, False)] if text else []
    base = strong[0]
    # A number belongs to the letters before it: among those from right to left it is a part of its own.
    before = base
    for at, kind in enumerate(kinds):
        if kind == "N" and before == "L":
            kinds[at] = "L"
        before = kind if kind in "LR" else before
    for at, kind in enumerate(kinds):
        if kind == " ":
            left = next((one for one in reversed(kinds[:at]) if one != " "), base)
            right = next((one for one in kinds[at + 1 :] if one != " "), base)
            sides = {"R" if one == "N" else one for one in (left, right)}
            kinds[at] = sides.pop() if len(sides) == 1 else base
    parts = [
        ("".join(letter for _, letter in group), kind)
        for kind, group in groupby(zip(kinds, text, strict=True), itemgetter(0))
    ]
    ordered: list[tuple[str, str]] = []
    if base == "R":
        ordered = parts[::-1]
    else:
        for is_left, group in groupby(parts, lambda part: part[1] == "L"):
            found = list(group)
            ordered += found if is_left else found[::-1]
    return [(part, kind == "R") for part, kind in ordered]

"""A card's values as the short texts that the ledger keeps, so that a change can be told in words."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator, Mapping

from cardgen.model.game import KeywordUse

# Of a longer text the beginning is kept, and a hash of the whole, by which a change further down is seen.
LONGEST = 400
MOST_DEPTH, MOST_VALUES = 5, 60


def texts_of(values: Mapping[str, object]) -> dict[str, str]:
    """Every value that says something, by its path (`results.calm`), as text; at most 60 of them."""
    found: dict[str, str] = {}
    for name, value in values.items():
        for path, text in _texts(value, str(name), 0):
            if text and len(found) < MOST_VALUES:
                found[path] = shortened(text)
    return found


def shortened(text: str) -> str:
    """A text as the ledger keeps it: NFC, without space around it, cut when it is long."""
    text = unicodedata.normalize("NFC", text).strip()
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST].rstrip()}… #{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def _texts(value: object, path: str, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        if depth < MOST_DEPTH:
            for name, item in value.items():
                yield from _texts(item, f"{path}.{name}", depth + 1)
    elif isinstance(value, (list, tuple)):
        if any(isinstance(item, (Mapping, list, tuple)) for item in value):
            for at, item in enumerate(value):
                yield from _texts(item, f"{path}.{at}", depth + 1)
        else:
            yield path, ", ".join(_one(item) for item in value)
    else:
        yield path, _one(value)


def _one(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.6g}"
        case KeywordUse(keyword, parameter):
            return keyword.title if parameter is None else f"{keyword.title} ({parameter})"
        case str() | int():
            return str(value)
    # A die, a track: what it is called is what a person can tell apart.
    return str(getattr(value, "id", ""))

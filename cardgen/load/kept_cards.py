"""Cards as plain data that outlives a process: what was read of a card once need not be read again.

A card is kept when there was nothing to say about it, and when all of its values come back as they are.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from cardgen.diagnostics import Span
from cardgen.load.fields import Known
from cardgen.model.card import Card
from cardgen.model.game import Die, KeywordUse

# The key of a mapping that stands for what is no plain data: no field, band or track is called so.
_REFERENCE = ""
_LEAST, _MOST = -(2**63), 2**63 - 1
_AS_THEY_ARE = (str, int, float, bool, type(None))


class KeptCard(Struct, frozen=True, array_like=True):
    """A card without its id and place; the lines of its `places` count from its first. `read_with` is a hash of all that
    it was read with besides its text."""

    read_with: bytes
    kind: str
    values: dict[str, Any]
    copies: int
    places: dict[str, tuple[int, int]]
    back: str | None
    revision: str
    errata: str


def kept(card: Card, read_with: bytes) -> KeptCard | None:
    """The card as data; None when it would not come back as it is."""
    try:
        values = {name: _plain(value) for name, value in card.values.items()}
    except (ValueError, TypeError):
        return None
    places = {path: (line - card.span.line, column) for path, (line, column) in card.places.items()}
    return KeptCard(read_with, card.kind, values, card.copies, places, card.back, card.revision, card.errata)


def card_of(data: KeptCard, id: str, place: Span, known: Known) -> Card:
    """The card that was kept, at its place now; `known` is what it was read with."""
    values = {
        name: value if type(value) in _AS_THEY_ARE else _value(value, known) for name, value in data.values.items()
    }
    above = place.line
    places = {path: (line + above, column) for path, (line, column) in data.places.items()}
    return Card(id, data.kind, values, data.copies, place, places, True, data.back, data.revision, data.errata)


def _plain(value: object) -> Any:
    """A value as data. Raises TypeError or ValueError for what would not come back as it is."""
    kind = type(value)
    if isinstance(value, str) and kind is str:
        value.encode()  # a lone surrogate is no text that can be written
        return value
    if kind in (float, bool, type(None)):
        return value
    if isinstance(value, int) and kind is int and _LEAST <= value <= _MOST:
        return value
    if isinstance(value, tuple) and kind is tuple:
        return [_plain(item) for item in value]
    if isinstance(value, dict) and kind is dict and all(type(key) is str and key != _REFERENCE for key in value):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, Die):
        return {_REFERENCE: ["die", value.id]}
    if isinstance(value, KeywordUse):
        return {_REFERENCE: ["keyword", value.keyword.id, _plain(value.value)]}
    raise TypeError(kind.__name__)


def _value(data: Any, known: Known) -> Any:
    if isinstance(data, list):
        return tuple(_value(item, known) for item in data)
    if not isinstance(data, dict):
        return data
    match data.get(_REFERENCE):
        case ["die", id]:
            return known.dice[id]
        case ["keyword", id, parameter]:
            return KeywordUse(known.keywords[id], parameter)
    return {key: _value(item, known) for key, item in data.items()}

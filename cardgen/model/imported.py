"""The map of an import: what of foreign card data goes where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field


class FieldMap(Struct, frozen=True):
    """Where a field's value is found, what stands in its place, what its values are called, and its markup."""

    key: str
    default: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    markup: Literal["none", "html", "cardgen"] = "none"


class ImportMap(Struct, frozen=True):
    """One kind of card out of many JSON files; keys have dots into what lies inside."""

    game: str
    kind: str
    cards: str
    list_key: str
    id_key: str
    copies_key: str
    only: Mapping[str, tuple[str, ...]]
    fields: Mapping[str, FieldMap]
    translations: str
    languages: tuple[str, ...]

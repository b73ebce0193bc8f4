"""The map of an import: what of foreign card data goes where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class FieldMap:
    """Where a field's value is found, what stands in its place, what its values are called, and its markup."""

    key: str
    default: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    markup: Literal["none", "html", "cardgen"] = "none"


@dataclass(frozen=True, slots=True)
class ImportMap:
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

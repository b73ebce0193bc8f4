"""Reads the map of an import: which JSON files hold cards, and which of their keys is which field (docs/importing.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.diagnostics import Report
from cardgen.load.nodes import Node
from cardgen.load.reader import BAD, Reader
from cardgen.load.shapes import (
    IDENT,
    LANGUAGE,
    Choice,
    Either,
    Key,
    Mapped,
    Record,
    Sequence,
    Text,
)
from cardgen.model.imported import FieldMap, ImportMap

_PATH = Text(max_length=200, pattern=r"[^\s/][^\s]*", what="a path below the map's folder")
_KEY = Text(max_length=120, what="a key of the JSON, with dots into what lies inside")
_FIELD = Record(
    "field map",
    {
        "from": Key(_KEY, about="the key that holds it"),
        "default": Key(Text(), "", "what stands where the key is absent"),
        "values": Key(Mapped(Text(), Text()), {}, "what each value is called here"),
        "markup": Key(
            Choice(("none", "html", "cardgen")),
            "none",
            "html: <b>, <i>, <br> and lists become inline markup; cardgen: it is inline markup already",
        ),
    },
)
IMPORT_MAP = Record(
    "import map",
    {
        "game": Key(IDENT, about="the game of the project that the cards go into"),
        "kind": Key(IDENT, about="the kind that they are of"),
        "cards": Key(_PATH, about="the files, one a pack, such as `pack/*.json`"),
        "list": Key(_KEY, "", "the key that holds the list, where the file is no list itself"),
        "id": Key(_KEY, about="the key by which a card is known in every file"),
        "copies": Key(_KEY, "", "the key that holds how many there are"),
        "only": Key(Mapped(Text(), Either(Text(), Sequence(Text(), 1))), {}, "keys and the values that they must have"),
        "fields": Key(Mapped(Text(max_length=60), Either(_KEY, None, _FIELD, "a key or a field map"), 1)),
        "translations": Key(_PATH, "", "the same files in a language, with `{lang}` and `{file}`"),
        "languages": Key(Sequence(LANGUAGE), (), "the languages to take"),
    },
)


def read_import_map(root: Node, report: Report) -> ImportMap | None:
    """The map, or None after reporting what is wrong with it."""
    raw = Reader(report).read(root, IMPORT_MAP)
    if raw is BAD:
        return None
    only: Mapping[str, Any] = raw["only"]
    return ImportMap(
        game=raw["game"],
        kind=raw["kind"],
        cards=raw["cards"],
        list_key=raw["list"],
        id_key=raw["id"],
        copies_key=raw["copies"],
        only={key: (value,) if isinstance(value, str) else tuple(value) for key, value in only.items()},
        fields={name: _field(item) for name, item in raw["fields"].items()},
        translations=raw["translations"],
        languages=tuple(raw["languages"]),
    )


def _field(item: Any) -> FieldMap:
    if isinstance(item, str):
        return FieldMap(item)
    return FieldMap(item["from"], item["default"], item["values"], item["markup"])

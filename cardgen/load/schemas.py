"""The JSON Schema of every kind of file; of cards, for the games of a project."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cardgen.files import write_atomic
from cardgen.load import definitions, shapes, shared_shapes
from cardgen.load.component_shapes import MAKES, component_shape
from cardgen.load.exports import EXPORT
from cardgen.load.fields import Known, key_of
from cardgen.load.import_map import IMPORT_MAP
from cardgen.load.jsonschema import json_schema
from cardgen.load.project import icon_names
from cardgen.load.rule_shapes import PACK, band_shape
from cardgen.load.translation_shapes import GLOSSARY
from cardgen.model.game import Field, Game
from cardgen.model.project import Project

_FIXED: dict[str, tuple[shapes.Shape, str]] = {
    "project.schema.json": (definitions.PROJECT, "cardgen.yaml"),
    "game.schema.json": (definitions.GAME, "cards/<game>/game.yaml"),
    "deck.schema.json": (definitions.DECK, "cards/<game>/decks/*.yaml"),
    "trims.schema.json": (definitions.TRIMS, "layouts/_trims.yaml"),
    "sheet.schema.json": (definitions.SHEET, "layouts/_sheets/*.yaml"),
    "rules.schema.json": (PACK, "cards/<game>/rules/*.yaml"),
    "export.schema.json": (EXPORT, "layouts/_exports/*.yaml"),
    "words.schema.json": (shared_shapes.WORDS, "layouts/_words.yaml"),
    "fonts.schema.json": (shared_shapes.FONTS, "fonts/fonts.yaml"),
    "import.schema.json": (IMPORT_MAP, "the map of an import"),
    "glossary.schema.json": (GLOSSARY, "cards/<game>/glossary/*.yaml"),
}


def schemas(project: Project | None) -> dict[str, dict[str, Any]]:
    """File name -> schema. Cards have one for each game, since each game states its own fields."""
    found = {name: json_schema(shape, title) for name, (shape, title) in _FIXED.items()}
    found["components.schema.json"] = _components()
    if project is not None:
        for game in project.games.values():
            known = Known(game.dice, game.keywords, game.tracks, icon_names(project.shelf, game.id), tuple(game.kinds))
            found[f"{game.id}-cards.schema.json"] = _cards(game, known)
            if game.bands:
                found[f"{game.id}-bands.schema.json"] = _bands(game, known)
    return found


def write_schemas(project: Project | None, folder: Path) -> list[Path]:
    """Write every schema into `folder`, and say where. Raises FileProblem when the disk refuses."""
    written = []
    for name, schema in schemas(project).items():
        text = json.dumps(schema, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
        write_atomic(folder / name, text.encode())
        written.append(folder / name)
    return written


def _components() -> dict[str, Any]:
    makes = []
    for make in MAKES:
        schema = json_schema(component_shape(make, ""), make)
        schema.pop("$schema")
        schema["properties"]["make"] = {"enum": [make], "description": "what is made"}
        makes.append(schema)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "cards/<game>/components/*.yaml",
        "type": "object",
        "additionalProperties": {"oneOf": makes},
    }


def _cards(game: Game, known: Known) -> dict[str, Any]:
    kinds = [
        _kind(definitions.card_shape(_keys(kind.fields, known), kind.id, ""), kind.id, kind.title, "the kind of piece")
        for kind in game.kinds.values()
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"cards of {game.title}",
        "type": "object",
        "additionalProperties": {"oneOf": kinds},
    }


def _bands(game: Game, known: Known) -> dict[str, Any]:
    kinds = [
        _kind(band_shape(_keys(kind.fields, known)), kind.id, kind.title, "the kind of band")
        for kind in game.bands.values()
    ]
    if len(kinds) == 1:
        kinds[0]["required"].remove("kind")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"bands of {game.title}",
        **(kinds[0] if len(kinds) == 1 else {"oneOf": kinds}),
    }


def _keys(fields: Mapping[str, Field], known: Known) -> dict[str, shapes.Key]:
    return {name: key_of(field, known) for name, field in fields.items()}


def _kind(shape: shapes.Shape, id: str, title: str, about: str) -> dict[str, Any]:
    schema = json_schema(shape, title)
    schema.pop("$schema")
    schema["properties"]["kind"] = {"enum": [id], "description": about}
    return schema

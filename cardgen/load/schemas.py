"""The JSON Schema of every kind of file; of cards, for the games of a project."""

from __future__ import annotations

from typing import Any

from cardgen.load import definitions, shapes
from cardgen.load.fields import Known, key_of
from cardgen.load.jsonschema import json_schema
from cardgen.load.project import icon_names
from cardgen.model.game import Game
from cardgen.model.project import Project

_FIXED: dict[str, tuple[shapes.Shape, str]] = {
    "project.schema.json": (definitions.PROJECT, "cardgen.yaml"),
    "game.schema.json": (definitions.GAME, "cards/<game>/game.yaml"),
    "deck.schema.json": (definitions.DECK, "cards/<game>/decks/*.yaml"),
    "trims.schema.json": (definitions.TRIMS, "layouts/_trims.yaml"),
    "sheet.schema.json": (definitions.SHEET, "layouts/_sheets/*.yaml"),
    "words.schema.json": (definitions.WORDS, "layouts/_words.yaml"),
    "fonts.schema.json": (definitions.FONTS, "fonts/fonts.yaml"),
}


def schemas(project: Project | None) -> dict[str, dict[str, Any]]:
    """File name -> schema. Cards have one for each game, since each game states its own fields."""
    found = {name: json_schema(shape, title) for name, (shape, title) in _FIXED.items()}
    if project is not None:
        for game in project.games.values():
            found[f"{game.id}-cards.schema.json"] = _cards(game, icon_names(project.shelf, game.id))
    return found


def _cards(game: Game, icons: tuple[str, ...]) -> dict[str, Any]:
    known = Known(game.dice, game.keywords, game.tracks, icons, tuple(game.kinds))
    kinds = []
    for kind in game.kinds.values():
        keys = {name: key_of(field, known) for name, field in kind.fields.items()}
        schema = json_schema(definitions.card_shape(keys, kind.id, ""), kind.title)
        schema.pop("$schema")
        schema["properties"]["kind"] = {"enum": [kind.id], "description": "the kind of piece"}
        kinds.append(schema)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"cards of {game.title}",
        "type": "object",
        "additionalProperties": {"oneOf": kinds},
    }

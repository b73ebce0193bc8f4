"""The shipped files: they load without a word, and the schemas for editors take every one of them."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from cardgen.diagnostics import Report
from cardgen.load.project import load_project
from cardgen.load.schemas import schemas
from tests.load.test_reader import Editor

ROOT = Path(__file__).resolve().parent.parent.parent

# Which schema describes which files; `{game}` is the folder under cards/.
FILES = {
    "project.schema.json": "cardgen.yaml",
    "game.schema.json": "cards/*/game.yaml",
    "deck.schema.json": "cards/*/decks/**/*.yaml",
    "{game}-cards.schema.json": "cards/*/cards/**/*.yaml",
    "trims.schema.json": "layouts/_trims.yaml",
    "sheet.schema.json": "layouts/_sheets/**/*.yaml",
    "words.schema.json": "layouts/_words.yaml",
    "fonts.schema.json": "fonts/fonts.yaml",
}
GAMES = yaml.safe_load((ROOT / "cardgen.yaml").read_text("utf-8"))["games"]


def game_of(path: Path) -> str:
    """The game whose file it is; empty for what all games share."""
    parts = path.relative_to(ROOT).parts
    return parts[1] if parts[0] == "cards" else ""


PAIRS = [
    (path, schema.format(game=game_of(path)))
    for schema, pattern in FILES.items()
    for path in sorted(ROOT.glob(pattern))
    if game_of(path) in {"", *GAMES}
]


@pytest.fixture(scope="module")
def made() -> dict[str, dict[str, object]]:
    report = Report()
    project = load_project(ROOT, report)
    assert [f"{item.span}: {item.message}" for item in report] == []
    return schemas(project)


def test_there_are_files_of_every_kind() -> None:
    assert {schema for _, schema in PAIRS} == {schema.format(game=game) for schema in FILES for game in GAMES}


@pytest.mark.parametrize(("path", "schema"), PAIRS, ids=lambda value: str(value).removeprefix(f"{ROOT}/"))
def test_the_schema_takes_the_file(path: Path, schema: str, made: dict[str, dict[str, object]]) -> None:
    jsonschema.validate(yaml.load(path.read_text("utf-8"), Editor), made[schema])


@pytest.mark.parametrize(("path", "schema"), PAIRS, ids=lambda value: str(value).removeprefix(f"{ROOT}/"))
def test_the_file_names_its_schema(path: Path, schema: str) -> None:
    first = path.read_text("utf-8").split("\n", 1)[0]
    stated = first.removeprefix("# yaml-language-server: $schema=")
    assert (path.parent / stated).resolve() == ROOT / "docs/schema" / schema


@pytest.mark.parametrize("schema", [name for name in FILES if "{" not in name])
def test_the_schemas_in_docs_are_current(schema: str, made: dict[str, dict[str, object]]) -> None:
    stored = json.loads((ROOT / "docs/schema" / schema).read_text("utf-8"))
    assert stored == json.loads(json.dumps(made[schema])), "run `cardgen schema docs/schema`"

"""A field's `max_length` holds for translations, and translators are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostics import Report, Span
from cardgen.i18n.catalog import Catalog, Entry
from cardgen.i18n.states import limit_of
from cardgen.i18n.wording import check_wording
from cardgen.i18n.writer import write_po
from cardgen.model.game import Game
from tests.support import BASE, load, write_project

NOWHERE = Span("es.po", 1, 1)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    fields = """\
      name: {type: text, required: true, max_length: 10}
      parts: {type: list, of: {type: record, fields: {title: {type: text, max_length: 5}}}}
      words: {type: list, of: {type: text, max_length: 6}}
      levels: {type: bands, track: threat, of: {type: rich, max_length: 7}}
"""
    text = BASE["cards/g/game.yaml"].replace("      name: {type: text, required: true}\n", fields)
    cards = BASE["cards/g/cards/items.yaml"].replace(
        "  name: Axe\n", "  name: Axe\n  parts: [{title: A}]\n  words: [one]\n  levels: {low: Low, high: High}\n"
    )
    folder = write_project(
        tmp_path_factory.mktemp("p"),
        {"cards/g/game.yaml": text.replace("[en]", "[en, es]"), "cards/g/cards/items.yaml": cards},
    )
    return load(folder).games["g"]


@pytest.mark.parametrize(
    ("context", "most"),
    [
        ("axe/name", 10),
        ("axe/parts.0.title", 5),
        ("axe/words.0", 6),
        ("axe/levels.low", 7),
        ("axe/rules", None),
        ("labels/points", None),
        ("nobody/name", None),
        ("axe/nothing.0", None),
    ],
)
def test_where_a_text_has_a_limit(game: Game, context: str, most: int | None) -> None:
    assert limit_of(game, context) == most


@pytest.mark.parametrize(("target", "told"), [("Hachuela", []), ("Hachas muy largas", ["CG240"])])
def test_a_longer_translation_is_told(game: Game, target: str, told: list[str]) -> None:
    report = Report()
    check_wording(game, Catalog("es", "es.po", {"axe/name": Entry("Axe", target, False, NOWHERE, NOWHERE)}), report)
    assert [item.code for item in report] == told


def test_translators_are_told(game: Game, tmp_path: Path) -> None:
    text = write_po(game, Catalog("es", "es.po", {})).decode()
    entry = text[text.index("#. Item: Axe: name") :].partition("\n\n")[0]
    assert (
        entry
        == '#. Item: Axe: name\n#. at most 10 characters\n#, max-length:10\nmsgctxt "axe/name"\nmsgid "Axe"\nmsgstr ""'
    )

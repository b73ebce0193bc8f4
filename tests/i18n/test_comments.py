"""Each text says in a line what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostics import Report
from cardgen.i18n.comments import comment_of
from cardgen.load.project import load_project
from cardgen.model.game import Game

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def game() -> Game:
    project = load_project(ROOT, Report())
    assert project is not None
    return project.games["twd"]


@pytest.mark.parametrize(
    ("context", "comment"),
    [
        ("hatchet/name", "Equipment: Camp Hatchet: name (The card's name)"),
        ("labels/points", "A word of the layouts: points"),
        ("game/title", "The game: title"),
        ("dice/red.title", "Die red: its name"),
        ("keywords/sharp.title", "Keyword sharp: its name"),
        ("keywords/armour-piercing.text", "Keyword armour-piercing (Armour Piercing): its rule"),
        ("tracks/threat.calm", "Track threat: calm"),
        ("tables/panic.title", "Table panic: its name"),
        ("tables/panic.columns.1", "Table panic: head of column 2"),
        ("tables/panic.rows.3.1", "Table panic: row 4, column 2 (“5”, “What the survivor does”)"),
        ("tables/panic.rows.3.0", "Table panic: row 4, column 1 (“Roll”)"),
    ],
)
def test_comments(game: Game, context: str, comment: str) -> None:
    assert context in game.strings
    assert comment_of(game, context) == comment


def test_every_text_has_one_line(game: Game) -> None:
    comments = {context: comment_of(game, context) for context in game.strings}
    assert not [context for context, comment in comments.items() if not comment or "\n" in comment]
    # Hardly two texts are told alike.
    assert len(set(comments.values())) > 0.98 * len(comments)

"""`cardgen explain` of what is no rule: cards, dice, situations, sources; and which language its lines are in."""

from __future__ import annotations

import pytest

from cardgen.rules.explain import explain
from cardgen.rules.things import explain_things, names_of_things
from tests.cli.test_odds import cardgen
from tests.rules.test_spoken import project, translated


@pytest.mark.parametrize(
    ("asked", "lines"),
    [
        ("hatchet", ("hatchet: Camp Hatchet", "  Points: 8", "  see also: sharp, Sharp (FAQ-006)")),
        ("CAMP hatchet", ("hatchet: Camp Hatchet",)),
        ("wick", ("  Character points: 5", "  Stress: 0", "  see also: dodge, Dodge")),
        ("nailed-bat", ("  Damage: Dice 3, Pips 0",)),
        ("wild", ("wild: Wild die", "  faces: 1, 2, 3, 4, 5, 6", "  odds: cardgen odds 2wild --game zcorps")),
        ("s0", ("S0: The playtest rules in Spanish, by their page numbers",)),
        # Two games have one: both are told.
        ("attack", ("attack: Attack and defence", "  odds: cardgen odds attack --game twd", "attack: Attack")),
    ],
)
def test_what_a_game_has_is_explained(asked: str, lines: tuple[str, ...]) -> None:
    done = cardgen("explain", asked)
    assert (done.returncode, done.stderr) == (0, "")
    assert set(lines) <= set(done.stdout.splitlines())


def test_icons_are_told_by_their_names() -> None:
    told = cardgen("explain", "hatchet").stdout
    assert "Attack with [white] [white] alone" in told and "**" not in told
    assert "tira [black]: con [star]" in cardgen("explain", "sharp", "--lang", "es").stdout


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("", "what is to be explained?"),
        (" ", "what is to be explained?"),
        ("hatchett", "there is nothing called `hatchett`; did you mean `hatchet`?"),
        ("zzzzzz", "`cardgen rules` lists rules and notes"),
    ],
)
def test_what_there_is_not(asked: str, said: str) -> None:
    done = cardgen("explain", asked)
    assert done.returncode == 2 and said in done.stderr and "``" not in done.stderr


@pytest.mark.parametrize("game", sorted(project().games))
@pytest.mark.parametrize("lang", ["en", "es", "ru"])
def test_everything_can_be_explained(game: str, lang: str) -> None:
    spoken = translated(project().games[game], lang)
    for name in names_of_things(spoken):
        assert all(text.strip() for text in explain_things(spoken, name)), name
        assert explain_things(spoken, name.upper()), name


@pytest.mark.parametrize("lang", ["es", "ru"])
def test_what_has_no_translation_is_marked(lang: str) -> None:
    """The command speaks English, a game's texts the language; packs' remarks are in the packs' language only."""
    for source in project().games.values():
        game = translated(source, lang)
        for pack in game.packs.values():
            for rule in pack.rules.values():
                lines = (explain(game, pack, rule.id) or "").splitlines()
                assert lines[0] == f"{rule.id}: {game.words[f'rules/{rule.id}.title']}"
                assert f"  says: {game.words[f'rules/{rule.id}.message']}" in lines
                assert not rule.about or f"  (en) {rule.about}" in lines
            for formula in pack.formulas.values():
                assert f"(en) {formula.title}" in (explain(game, pack, formula.id) or "")

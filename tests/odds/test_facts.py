"""The shipped games' odds against numbers worked out by hand: facts of the rules, and dice counted one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from cardgen.diagnostics import Report
from cardgen.load.project import load_project
from cardgen.model.game import Game
from cardgen.model.odds import Chance
from cardgen.pipeline.odds import answer, check_odds

ROOT = Path(__file__).resolve().parent.parent.parent

RED, WHITE = (0, 0, 1, 1, 1, 2), (0, 1, 1, 1, 2, 2)
BLUE = (1, 1, 2, 2, 2, 3)


@pytest.fixture(scope="module")
def games() -> dict[str, Game]:
    project = load_project(ROOT, Report())
    assert project is not None
    return dict(project.games)


def result(game: Game, call: str, id: str) -> Chance:
    return next(chance for chance in answer(game, call).chances if chance.id == id)


def yes(game: Game, call: str, id: str) -> Fraction:
    return result(game, call, id).of(True)


def test_every_situation_of_every_game_can_be_computed(games: dict[str, Game]) -> None:
    report = Report()
    for game in games.values():
        check_odds(game, report)
        assert game.odds, game.id
    assert not report.items


@pytest.mark.parametrize(
    ("die", "mean"),
    [("red", Fraction(5, 6)), ("orange", Fraction(5, 6)), ("white", Fraction(7, 6)), ("blue", Fraction(11, 6))],
)
def test_means_of_the_playtest_dice(games: dict[str, Game], die: str, mean: Fraction) -> None:
    assert result(games["twd"], f"1{die}", "total").mean == mean


def test_headshots_of_the_playtest_dice(games: dict[str, Game]) -> None:
    assert result(games["twd"], "white", "!").at_least(1) == Fraction(1, 6)
    assert result(games["twd"], "blue", "!").at_least(1) == Fraction(1, 3)


def test_an_attack_counted_face_by_face(games: dict[str, Game]) -> None:
    ways = [(sum(hit), block) for *hit, block in product(WHITE, BLUE, RED)]
    wins = Fraction(sum(1 for hit, block in ways if hit > block), len(ways))
    assert yes(games["twd"], "attack(1white+1blue, 1red)", "wins") == wins
    # T08: of four successes against two, two get through; equal rolls do nothing (FAQ-012).
    assert result(games["twd"], "attack(1blue, 3blue)", "damage").of(0) == 1 - yes(
        games["twd"], "attack(1blue, 3blue)", "wins"
    )


def test_no_headshot_without_a_win(games: dict[str, Game]) -> None:
    for defence in ("0", "1red", "2blue"):
        call = f"attack(2white, {defence})"
        assert yes(games["twd"], call, "headshot") <= yes(games["twd"], call, "wins")


@pytest.mark.parametrize(("walkers", "dice"), [(1, 1), (2, 3), (3, 6), (4, 10), (5, 15), (6, 20), (7, 25)])
def test_walkers_roll_as_many_dice_as_the_rules_say(games: dict[str, Game], walkers: int, dice: int) -> None:
    damage = result(games["twd"], f"walkers({walkers}, 0)", "damage")
    assert damage.outcomes[-1][0] == 2 * dice
    assert damage.mean == dice * Fraction(5, 6)
    wounds = yes(games["twd"], f"walkers({walkers}, 1white)", "wounds")
    assert yes(games["twd"], f"walkers({walkers}, 1white)", "bitten") == wounds / 2


def test_panic_and_ammo(games: dict[str, Game]) -> None:
    does = result(games["twd"], "panic", "does")
    assert does.of("acts") == Fraction(1, 2)
    assert does.of("one") == Fraction(1, 6)
    assert all(does.of(word) == Fraction(1, 12) for word in ("runs", "noise", "hides", "fights"))
    # The blue die has no blank.
    assert yes(games["twd"], "ammo(3blue)", "empty") == 0
    assert yes(games["twd"], "ammo(2white)", "empty") == (1 - Fraction(5, 6) ** 2) / 2


def one_die(attribute: int) -> dict[int, Fraction]:
    """What one ten-sided die comes to, by the rules: S2 p5, p21."""
    found = {0: Fraction(0), 1: Fraction(0), 2: Fraction(0)}
    for face in range(10):
        if face == 0:
            if attribute == 10:
                found[2] += Fraction(1, 20)
                found[0] += Fraction(1, 20)
            else:
                found[0] += Fraction(1, 10)
        elif face == attribute:
            found[2] += Fraction(1, 10)
        else:
            found[1 if face == 1 or face < attribute else 0] += Fraction(1, 10)
    return found


@pytest.mark.parametrize("attribute", range(1, 11))
def test_one_die_of_the_arena(games: dict[str, Game], attribute: int) -> None:
    chance = result(games["arena"], f"check(1, {attribute})", "successes")
    assert {value: share for value, share in one_die(attribute).items() if share} == dict(chance.outcomes)


def test_many_dice_and_counters_of_the_arena(games: dict[str, Game]) -> None:
    own, other = one_die(6), one_die(5)
    ways = list(product(own, own, other))
    wins = sum((own[a] * own[b] * other[c] for a, b, c in ways if a + b > c), Fraction(0))
    assert yes(games["arena"], "contest(2, 6, 1, 5)", "wins") == wins
    # Two or more noughts are a public event (p46).
    assert yes(games["arena"], "check(2, 6)", "event") == Fraction(1, 100)
    assert yes(games["arena"], "check(2, 10)", "event") == Fraction(1, 100)


def test_souls_of_the_arena(games: dict[str, Game]) -> None:
    # A08: 6 + 3 - 2 = 7 or less holds; a 0 fails whatever the limit.
    assert yes(games["arena"], "stability(6, 3, 2)", "holds") == Fraction(7, 10)
    assert yes(games["arena"], "stability(10, 6, 0)", "holds") == Fraction(9, 10)
    effect = result(games["arena"], "instability(2)", "effect")
    assert [effect.of(word) for word in effect.values] == [
        Fraction(3, 10),
        Fraction(2, 10),
        Fraction(1, 10),
        Fraction(1, 10),
        Fraction(3, 10),
    ]


def test_fights_and_searches_of_the_zombies(games: dict[str, Game]) -> None:
    game = games["zombies"]
    assert yes(game, "fight", "wins") == Fraction(7, 12)
    assert yes(game, "fight(1)", "wins") == Fraction(5, 6)
    assert yes(game, "duel", "wins") == Fraction(5, 12)
    # However many bullets: a rolled 2 is lost.
    assert yes(game, "fight(5)", "wins") == yes(game, "duel(6)", "wins") == Fraction(35, 36)
    finds = result(game, "search", "finds")
    assert [share for _, share in finds.outcomes] == [
        Fraction(1, 2),
        Fraction(3, 20),
        Fraction(3, 20),
        Fraction(3, 20),
        Fraction(1, 20),
    ]
    assert yes(game, "helicopter(2)", "leaves") == 1 - Fraction(19, 20) ** 2


def test_dice_codes(games: dict[str, Game]) -> None:
    game = games["zcorps"]
    # D01: 3D and one point are five dice, two of them wild; two points six.
    assert result(game, "test(3, 0, 10, 1)", "total").outcomes[0] == (5, Fraction(1, 6**5))
    assert result(game, "test(3, 0, 10, 2)", "total").outcomes[0] == (6, Fraction(1, 6**6))
    # 3D+2 doubled is 6D+4, and nothing is carried (C62).
    assert result(game, "test(6, 4, 10)", "total").outcomes[0][0] == 10
    assert yes(game, "test(3, 0, 10)", "trouble") == Fraction(1, 6)
    # One wild die alone: 6 or more is a 6; 7 and more are as probable, since a 6 is rolled on.
    assert yes(game, "test(1, 0, 6)", "passed") == yes(game, "test(1, 0, 7)", "passed") == Fraction(1, 6)
    assert yes(game, "test(1, 0, 13)", "passed") == Fraction(1, 36)


def test_the_highest_die_taken_away(games: dict[str, Game]) -> None:
    # Two dice at 7: counted by hand for the faces of the ordinary die (o) and the first face of the wild one (w).
    passed = Fraction(0)
    for o in range(1, 7):
        for w in range(1, 7):
            total = o + w - (max(o, w) if w == 1 else 0)
            # A 6 is rolled on and adds 1 at least, which is enough here.
            passed += Fraction(1, 36) if total >= 7 or w == 6 else Fraction(0)
    assert yes(games["zcorps"], "test(2, 0, 7)", "harsh") == passed


def test_stress_and_aftermath(games: dict[str, Game]) -> None:
    after = result(games["zcorps"], "stress(3, 0, 10)", "after")
    assert after.of("best") == after.of("worst") == Fraction(1, 6)
    # D03: 1, 9, 46, 104, 46, 9, 1 of 216.
    stays = result(games["zcorps"], "aftermath", "stays")
    assert [share * 216 for _, share in stays.outcomes] == [1, 9, 46, 104, 46, 9, 1]

"""Odds against dice that are really rolled: seeded, and within five standard errors."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

from cardgen.diagnostics import Report
from cardgen.load.project import load_project
from cardgen.model.game import Game
from cardgen.pipeline.odds import answer

ROOT = Path(__file__).resolve().parent.parent.parent
TRIES = 20_000


@pytest.fixture(scope="module")
def games() -> dict[str, Game]:
    project = load_project(ROOT, Report())
    assert project is not None
    return dict(project.games)


def agrees(game: Game, call: str, id: str, hits: int) -> None:
    chance = next(item for item in answer(game, call).chances if item.id == id)
    expected = float(chance.of(True))
    error = math.sqrt(expected * (1 - expected) / TRIES)
    assert abs(hits / TRIES - expected) <= 5 * error, (call, expected, hits / TRIES)


def shown(game: Game, dice: random.Random, *names: str) -> list[str]:
    return [dice.choice(game.dice[name].faces) for name in names]


def number(face: str) -> int:
    digits = face.rstrip("!")
    return int(digits) if digits.isdigit() else 0


def test_attacks(games: dict[str, Game]) -> None:
    dice, game = random.Random(1), games["twd"]
    wins = heads = 0
    for _ in range(TRIES):
        hit = shown(game, dice, "white", "white", "blue")
        block = shown(game, dice, "red", "white")
        if sum(map(number, hit)) > sum(map(number, block)):
            wins += 1
            heads += any("!" in face for face in hit)
    agrees(game, "attack(2white+1blue, 1red+1white)", "wins", wins)
    agrees(game, "attack(2white+1blue, 1red+1white)", "headshot", heads)


def test_walkers(games: dict[str, Game]) -> None:
    dice, game = random.Random(2), games["twd"]
    bitten = 0
    for _ in range(TRIES):
        hit = sum(map(number, shown(game, dice, *["red"] * 6)))
        block = sum(map(number, shown(game, dice, "blue", "blue", "white")))
        bitten += hit > block and shown(game, dice, "black") == ["star"]
    agrees(game, "walkers(3, 2blue+1white)", "bitten", bitten)


def successes(dice: random.Random, count: int, attribute: int) -> int:
    total = 0
    for _ in range(count):
        face = dice.randrange(10)
        if face == 0:
            total += 2 if attribute == 10 and dice.randrange(10) % 2 == 0 else 0
        elif face == attribute:
            total += 2
        elif face == 1 or face < attribute:
            total += 1
    return total


@pytest.mark.parametrize(("own", "other"), [((3, 6), (2, 7)), ((2, 10), (2, 10)), ((4, 3), (1, 9))])
def test_contests(games: dict[str, Game], own: tuple[int, int], other: tuple[int, int]) -> None:
    dice = random.Random(3)
    wins = sum(successes(dice, *own) > successes(dice, *other) for _ in range(TRIES))
    agrees(games["arena"], f"contest({own[0]}, {own[1]}, {other[0]}, {other[1]})", "wins", wins)


def test_dice_codes_with_wild_dice(games: dict[str, Game]) -> None:
    dice = random.Random(4)
    passed = harsh = 0
    for _ in range(TRIES):
        faces = [dice.randint(1, 6) for _ in range(4)]
        total, best, first = sum(faces), max(faces), 0
        for which in ("wild", "extra"):
            face = dice.randint(1, 6)
            first = face if which == "wild" else first
            best = max(best, face)
            total += face
            while face == 6:
                face = dice.randint(1, 6)
                total += face
        passed += total + 1 >= 24
        harsh += total + 1 - (best if first == 1 else 0) >= 24
    # 3D+1 with two points: four ordinary dice, the wild one and the extra one.
    agrees(games["zcorps"], "test(3, 1, 24, 2)", "passed", passed)
    agrees(games["zcorps"], "test(3, 1, 24, 2)", "harsh", harsh)


def test_fights(games: dict[str, Game]) -> None:
    dice = random.Random(5)
    wins = 0
    for _ in range(TRIES):
        total = dice.randint(1, 6) + dice.randint(1, 6)
        wins += total > 2 and total + 2 >= 7
    agrees(games["zombies"], "fight(1)", "wins", wins)

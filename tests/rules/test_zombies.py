"""The pack of zombies on the worked examples Z01 and Z02 of its source, and on what the source leaves open."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.diagnostics import Report
from cardgen.load.project import load_project
from cardgen.model.game import Game
from cardgen.pipeline.verdicts import check_rules
from cardgen.rules.bands import judge_band
from tests.rules.shipped import ROOT, broken, judged, places, project, shipped_bands, text_of, translated, value


@pytest.fixture(scope="module")
def game() -> Game:
    return project().games["zombies"]


# --- the worked examples ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seats"), [(5, 2), (3, 1), (2, 1), (4, 2), (6, 3), (1, 0)])
def test_z01_seats(game: Game, players: int, seats: int) -> None:
    assert value(game, "seats", players=players) == seats


def test_z01_a_third_of_the_kills(game: Game) -> None:
    assert [value(game, "placed", kills=kills) for kills in (0, 2, 3, 7, 9)] == [0, 0, 1, 2, 3]


def test_z01_zombies_moved(game: Game) -> None:
    assert value(game, "zombies_moved", roll=4) == 8
    assert value(game, "zombies_moved", roll=6) == 12 == 2 * 2 + 8
    assert value(game, "zombies_may", roll=6, twice=2, once=8)
    assert not value(game, "zombies_may", roll=5, twice=1, once=1)


def test_z02_the_stack(game: Game) -> None:
    # C50: only twenty-one with the helipad put it in exactly the lower two thirds.
    assert value(game, "stack_size", box=30) == 21
    assert value(game, "helipad_places", box=30) == [8, 21]
    assert 21 - 8 + 1 == 21 * 2 / 3


@pytest.mark.parametrize("place", range(1, 26))
def test_z02_where_the_helipad_may_lie(game: Game, place: int) -> None:
    text = text_of(game, "saturday-opening").replace("helipad: 14", f"helipad: {place}")
    assert (judged(game, text).verdict == "legal") == (8 <= place <= 21)


@given(st.randoms(use_true_random=False))
def test_z02_whoever_sets_up_by_the_text_is_legal(rng: random.Random) -> None:
    game = project().games["zombies"]
    tiles = ["tile"] * 20
    rng.shuffle(tiles)
    top, rest = tiles[:7], [*tiles[7:], "helipad"]
    rng.shuffle(rest)
    stack = [*top, *rest]
    place = stack.index("helipad") + 1
    low, high = value(game, "helipad_places", box=30)
    assert len(stack) == value(game, "stack_size", box=30)
    assert low <= place <= high


# --- fights and searches ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bullets", "strong", "ways"), [
    (0, False, 21), (1, False, 30), (2, False, 35), (3, False, 35), (0, True, 15), (1, True, 21), (5, True, 35),
])  # fmt: skip
def test_odds_of_a_fight_are_those_of_all_throws(game: Game, bullets: int, strong: bool, ways: int) -> None:
    # 21/36 is 7/12, 15/36 is 5/12, 30/36 is 5/6.
    won = [
        value(game, "fight", roll=one + two, bullets=bullets, strong=strong)
        for one, two in product(range(1, 7), repeat=2)
    ]
    assert sum(won) == ways == value(game, "winning_throws", bullets=bullets, strong=strong)


@given(st.integers(3, 12), st.booleans())
def test_the_bullets_needed_are_enough_and_none_too_many(roll: int, strong: bool) -> None:
    game = project().games["zombies"]
    needed = value(game, "bullets_needed", roll=roll, strong=strong)
    assert value(game, "fight", roll=roll, bullets=needed, strong=strong)
    assert needed == 0 or not value(game, "fight", roll=roll, bullets=needed - 1, strong=strong)


def test_no_bullets_help_against_a_natural_two(game: Game) -> None:
    assert not value(game, "fight", roll=2, bullets=9, strong=False)


def test_every_face_of_the_search_finds_one_thing(game: Game) -> None:
    # C51: 110 is 1 to 10, 1719 is 17 to 19.
    found = [value(game, "search", roll=int(face)) for face in game.dice["d20"].faces]
    assert [found.count(what) for what in ("nothing", "life", "bullet", "event", "attack")] == [10, 3, 3, 3, 1]


def test_printed_tables_say_what_the_formulas_compute(game: Game) -> None:
    for players, seats in game.tables["seats"].rows:
        assert value(game, "seats", players=int(players)) == int(seats)
    rows = game.packs["zombies"].tables["search"]
    printed = [row[0].partition("–") for row in game.tables["search"].rows]
    assert [(int(low), int(high or low)) for low, _, high in printed] == [(row["from"], row["to"]) for row in rows]  # type: ignore[attr-defined]


# --- tables -----------------------------------------------------------------------------------------------------------


def test_what_is_shipped_holds() -> None:
    # Its texts and drawings are looked at with all others, by the program that is installed.
    report = Report()
    shipped = load_project(ROOT, report)
    assert shipped is not None
    check_rules(shipped, shipped.games["zombies"], report)
    assert not report.items, [item.message for item in report]


@pytest.mark.parametrize(
    ("band", "verdict"),
    [("saturday-opening", "legal"), ("late-shift", "legal"), ("rushed", "illegal"), ("kitchen-table", "unknown")],
)
def test_shipped_tables(game: Game, band: str, verdict: str) -> None:
    assert judge_band(game, shipped_bands(game)[band]).verdict == verdict


OPENING = [
    ("red: 2", "red: 1", "ZOM-001", "Red attack die: 1 on the table; at least 2 needed"),
    ("d20: 1", "d20: 0", "ZOM-001", "Twenty-sided die: 0 on the table; at least 1 needed"),
    ("corner: 2", "corner: 3", "ZOM-002", "Corner: 3 left in the box; it must be 2"),
    ("stack: 21", "stack: 20", "ZOM-003", "the size of the stack is 20; it must be 21"),
    ("helipad: 14", "helipad: 7", "ZOM-003b", "the helipad is tile 7 of the stack; it must be one of 8"),
    ("start: plaza", "start: helipad", "ZOM-003c", "the game starts on Helipad; it must start on Central plaza"),
    ("Noor, life: 3", "Noor, life: 4", "ZOM-004", "Noor starts with 4 life; it must be 3"),
    ("Ilya, life: 3, bullets: 5", "Ilya, life: 3, bullets: 6", "ZOM-004b", "Ilya starts with a bullet count of 6"),
    ("Tomek, life: 3, bullets: 5, hand: 3", "Tomek, life: 3, bullets: 5, hand: 4", "ZOM-C52",
     "Tomek has a hand of 4; the limit is 3"),
]  # fmt: skip
PLAY = [
    ("Ruth, life: 5", "Ruth, life: 6", "ZOM-004c", "Ruth has 6 life; the limit is 5"),
    ("Oona, life: 2", "Oona, life: 0", "ZOM-004d", "Oona is alive with 0 life; it takes at least 1"),
    ("turning, life: 3", "turning, life: 5", "ZOM-005", "Sam turns and has 5 life; it must be 3"),
    ("hand: 3, kills", "hand: 2, kills", "ZOM-005b", "Sam turns with a hand of 2; it must be 3"),
    ("nearest: 3", "nearest: 3, uses: [power-cut]", "ZOM-005c", "Sam turns and still has in play: Power Cut"),
    ("[dinner-bell, cold", "[first-aid-tin, cold", "ZOM-005d",
     "Lucía is a zombie player and cannot use: First-Aid Tin"),
    ("kills: 7", "kills: 9", "ZOM-006", "Sam had killed 9 and places 2 on turning; it must be 3"),
    ("nearest: 3", "nearest: 2", "ZOM-006b", "Sam places a zombie at a distance of 2 from a living player"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("band", "old", "new", "rule", "message"),
    [("saturday-opening", *case) for case in OPENING] + [("late-shift", *case) for case in PLAY],
)
def test_one_change_breaks_one_rule_and_is_named(
    game: Game, band: str, old: str, new: str, rule: str, message: str
) -> None:
    text = text_of(game, band)
    assert text.count(old) == 1
    found = judged(game, text.replace(old, new))
    assert found.verdict == "illegal"
    ((at, said),) = broken(found)
    assert at == rule
    assert message in said
    (finding,) = found.problems
    assert finding.fix and finding.actual in said


def test_seats_count_everybody_and_the_helicopter_holds_half(game: Game) -> None:
    text = text_of(game, "late-shift")
    two = text.replace("bullets: 3, hand: 2}", "bullets: 3, hand: 2, aboard: yes}")
    three = two.replace("bullets: 9, hand: 0,", "bullets: 9, hand: 0, aboard: yes,")
    assert judged(game, two).verdict == "legal"
    ((rule, said),) = broken(judged(game, three))
    assert rule == "ZOM-007"
    assert said.endswith("3 aboard the helicopter (Oona, Pavel, Ruth); it seats 2")


def test_bullets_have_no_limit_once_the_game_runs(game: Game) -> None:
    text = text_of(game, "late-shift").replace("bullets: 9", "bullets: 99")
    assert judged(game, text).verdict == "legal"


def test_a_zombie_player_uses_what_is_no_weapon_no_combat_no_medikit(game: Game) -> None:
    usable = {}
    for card in game.cards.values():
        if card.kind == "event":
            text = text_of(game, "late-shift").replace("dinner-bell, cold-sandwich", card.id)
            usable[card.id] = judged(game, text).verdict == "legal"
    refused = {id for id, may in usable.items() if not may}
    for_the_living = {"weapon", "combat", "medikit"}
    assert refused == {
        id for id in usable if game.cards[id].values["type"] in for_the_living and not game.cards[id].values["exempt"]
    }
    assert {"hedge-shears", "nail-gun", "steady-breath", "first-aid-tin"} <= refused
    assert {id for id, may in usable.items() if may} >= {"cold-sandwich", "dinner-bell"}
    # what the rule says is what the card shows
    assert refused == {id for id in usable if not game.cards[id].values["for_zombies"]}


def test_the_stack_on_the_table_card_is_the_one_that_the_rules_ask_for(game: Game) -> None:
    """30 tiles, 8 that stay in the box, 21 in the stack, the helipad under seven: ZOM-002, ZOM-003, C50."""
    card = game.cards["helipad-card"].values
    assert [card[name] for name in ("box", "left_out", "stack", "top", "below")] == [30, 8, 21, 7, 13]
    text = text_of(game, "saturday-opening")
    assert f"stack: {card['stack']}" in text
    for place in range(1, card["stack"] + 2):
        verdict = judged(game, text.replace("helipad: 14", f"helipad: {place}")).verdict
        assert verdict == ("legal" if card["top"] < place <= card["stack"] else "illegal")


@given(st.permutations(range(5)))
def test_the_order_of_players_decides_nothing(order: list[int]) -> None:
    game = project().games["zombies"]
    text = text_of(game, "late-shift").replace("kills: 7", "kills: 9").replace("Ruth, life: 5", "Ruth, life: 6")
    head, _, tail = text.partition("players:\n")
    lines = tail.splitlines()
    shuffled = head + "players:\n" + "\n".join(lines[at] for at in order) + "\n"
    assert broken(judged(game, shuffled)) == broken(judged(game, text))


# --- translations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["es", "ru"])
def test_translated_messages_keep_their_figures(game: Game, lang: str) -> None:
    words: Any = translated(game, lang).words
    for rule in game.packs["zombies"].rules.values():
        for part, text in (("message", rule.message), ("fix", rule.fix)):
            assert places(words[f"rules/{rule.id}.{part}"]) == places(text), rule.id


# --- what a newcomer found ------------------------------------------------------------------------------------------


def late_shift(game: Game, old: str, new: str) -> list[str]:
    text = text_of(game, "late-shift")
    assert old in text
    return [finding.rule for finding in judged(game, text.replace(old, new)).problems]


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("state: zombie, life: 2", "state: zombie, life: 4", "ZOM-005e"),
        ("kills: 4, placed: 1", "kills: 4, placed: 3", "ZOM-006c"),
        ("kills: 4, placed: 1", "kills: 4, placed: 1, nearest: 2", "ZOM-006d"),
        ("name: Sam", "name: Ruth", "ZOM-PLAYERS-c"),
    ],
)
def test_zombie_players_in_play_are_checked(game: Game, old: str, new: str, rule: str) -> None:
    assert late_shift(game, old, new) == [rule]


@pytest.mark.parametrize("players", range(1, 9))
def test_as_many_players_as_the_kit_prints(game: Game, players: int) -> None:
    names = "\n".join(f"  - {{name: P{number}}}" for number in range(players))
    verdict = judged(game, f"title: T\nphase: planned\nplayers:\n{names}\n").verdict
    assert (verdict == "legal") == (2 <= players <= 6)


def test_two_players_are_not_the_same_person(game: Game) -> None:
    text = text_of(game, "friday").replace("who: cook", "who: jogger")
    assert [finding.rule for finding in judged(game, text).problems] == ["ZOM-PLAYERS-b"]


def test_every_card_in_use_is_listed(game: Game) -> None:
    told = {line.name: line.details for line in judged(game, text_of(game, "rushed")).entries}
    # Beside its cards, what the file states of somebody is told: it is what the table has to know.
    assert told["Jonas"] == ("Nail Gun", "State: Zombie", "Life 2", "Wrong Turning")


def test_the_place_of_the_helipad_is_a_range(game: Game) -> None:
    told = {line.id: line.value for line in judged(game, text_of(game, "friday")).setup}
    assert told["helipad"] == "8–21"

"""The pack of zcorps on the worked examples D01 to D04 of its source, and on what the source leaves open."""

from __future__ import annotations

from itertools import groupby, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.diagnostics import Report
from cardgen.load.project import load_project
from cardgen.model.game import Game
from cardgen.pipeline.entries import band_card_id, with_band_card
from cardgen.pipeline.verdicts import check_rules
from cardgen.rules.bands import judge_band
from tests.rules.shipped import ROOT, broken, judged, places, project, shipped_bands, text_of, translated, value


@pytest.fixture(scope="module")
def game() -> Game:
    return project().games["zcorps"]


# --- the worked examples ----------------------------------------------------------------------------------------------


def test_d01_dice_codes(game: Game) -> None:
    # C61 and C62: a first point brings two dice, doubling carries nothing.
    assert [value(game, "dice_rolled", dice=3, points=points) for points in range(4)] == [3, 5, 6, 7]
    assert value(game, "doubled", dice=3, pips=2) == [6, 4]
    assert value(game, "code", dice=6, pips=4) == "6D+4"
    assert value(game, "bonus", dice=4, pips=0, more=1, add=0) == [5, 0]


def test_d02_initiative(game: Game) -> None:
    scores = {"Bob": 22, "Alice": 18, "Greg": 9}
    turns = [(turn, name) for name, score in scores.items() for turn in value(game, "turns", score=score)]
    assert [(name, turn) for turn, name in sorted(turns, reverse=True)] == [
        ("Bob", 22), ("Alice", 18), ("Bob", 12), ("Greg", 9), ("Alice", 8), ("Bob", 2),
    ]  # fmt: skip
    assert value(game, "order", scores=list(scores.values())) == [22, 18, 12, 9, 8, 2]
    # C60: an action for every ten points that were begun.
    assert [value(game, "actions", score=score) for score in (22, 18, 9, 20, 10, 0)] == [3, 2, 1, 2, 1, 0]


@pytest.mark.parametrize(
    ("margin", "wound"),
    [(-3, "unhurt"), (0, "unhurt"), (3, "stunned"), (4, "wounded"), (8, "wounded"), (9, "incapacitated"),
     (12, "incapacitated"), (13, "mortal"), (15, "mortal"), (16, "dead"), (40, "dead")],
)  # fmt: skip
def test_d03_wounds(game: Game, margin: int, wound: str) -> None:
    level = value(game, "wound", margin=margin, before=0)
    assert next(band.id for band in game.tracks["wounds"].bands if band.start <= level <= band.end) == wound


def test_d03_trauma_weights(game: Game) -> None:
    rolls = sorted(sum(throw) for throw in product(range(1, 7), repeat=3))
    left = [value(game, "aftermath", roll=roll) for roll in rolls]
    assert [len(list(same)) for _, same in groupby(left)] == [1, 9, 46, 104, 46, 9, 1]
    rows: Any = game.packs["zcorps"].tables["aftermath"]
    ways = [value(game, "aftermath_ways", low=row["from"], high=row["to"]) for row in rows]
    assert ways == [1, 9, 46, 104, 46, 9, 1]


def test_d04_related_skills(game: Game) -> None:
    assert value(game, "related", total=17, difficulty=10) == 4
    assert value(game, "related", total=7, difficulty=10) == -1
    # C66 read otherwise.
    assert value(game, "related", {"C66": "away"}, total=7, difficulty=10) == -2


# --- what the source leaves open --------------------------------------------------------------------------------------


def test_every_contradiction_is_decided(game: Game) -> None:
    pack = game.packs["zcorps"]
    assert {f"C{number}" for number in range(60, 70)} <= {*pack.rulings, *pack.notes}
    defaults = {id: ruling.default for id, ruling in pack.rulings.items()}
    assert defaults == {"C63": "worse", "C63b": "table", "C64": "first", "C65": "each", "C66": "up"}


def test_a_wound_on_a_severe_one(game: Game) -> None:
    assert value(game, "wound", margin=5, before=2) == 3
    assert value(game, "wound", margin=5, before=3) == 4
    assert value(game, "wound", {"C63": "same"}, margin=5, before=3) == 3


def test_a_mortal_blow(game: Game) -> None:
    assert value(game, "wound", {"C63b": "dies"}, margin=13, before=0) == 6
    assert value(game, "wound", {"C63b": "dies"}, margin=12, before=0) == 4


def test_ten_minutes(game: Game) -> None:
    assert [value(game, "late_help", minutes=minutes) for minutes in (4, 9, 10, 11, 15)] == [1, 1, 1, 2, 2]
    assert value(game, "late_help", {"C64": "second"}, minutes=10) == 2


@given(st.integers(0, 20), st.integers(0, 2))
def test_halving_undoes_doubling(dice: int, pips: int) -> None:
    game = project().games["zcorps"]
    twice, more = value(game, "doubled", dice=dice, pips=pips)
    assert value(game, "halved", dice=twice, pips=more) == [dice, pips]


@given(st.integers(0, 20), st.integers(0, 2))
def test_halving_by_thirds_gives_a_code(dice: int, pips: int) -> None:
    game = project().games["zcorps"]
    half, rest = value(game, "halved", {"C65": "thirds"}, dice=dice, pips=pips)
    assert 0 <= rest <= 2
    assert 3 * dice + pips <= 2 * (3 * half + rest) <= 3 * dice + pips + 1


@given(st.integers(-30, 30), st.integers(0, 6))
def test_no_hit_heals(margin: int, before: int) -> None:
    game = project().games["zcorps"]
    after = value(game, "wound", margin=margin, before=before)
    assert before <= after <= 6
    assert value(game, "wound", margin=margin + 1, before=before) >= (after if before < 2 else before)


@given(st.integers(0, 200))
def test_as_many_turns_as_actions(score: int) -> None:
    game = project().games["zcorps"]
    turns = value(game, "turns", score=score)
    assert len(turns) == value(game, "actions", score=score)
    assert all(turn > 0 for turn in turns)


@given(st.integers(0, 5), st.booleans(), st.integers(1, 6))
def test_stress_stays_on_its_track(stress: int, passed: bool, wild: int) -> None:
    game = project().games["zcorps"]
    after = value(game, "stress_after", stress=stress, passed=passed, wild=wild)
    assert 0 <= after <= 5
    assert abs(after - stress) <= 2


def test_difficulty_is_never_below_three(game: Game) -> None:
    assert value(game, "difficulty", modifiers=[]) == 10
    assert value(game, "difficulty", modifiers=[-5, -12]) == 3
    assert value(game, "difficulty", modifiers=[10, 6, 3]) == 29


# --- printed tables ---------------------------------------------------------------------------------------------------


def test_the_printed_stress_table_is_the_one_that_counts(game: Game) -> None:
    rows: Any = game.packs["zcorps"].tables["stress"]
    titles = {game.keywords[id].title: id for id in game.packs["zcorps"].tables["characteristics"]}  # type: ignore[attr-defined]
    for row, (state, test, penalties) in zip(rows, game.tables["stress"].rows, strict=True):
        band = next(band for band in game.tracks["stress"].bands if band.start == row["level"])
        assert state == f"{row['level']} {band.title}"
        assert int(test) == row["test"] == value(game, "stress_test", stress=row["level"])
        lost = dict.fromkeys(titles.values(), 0)
        for part in penalties.split("; ") if row["level"] in range(1, 5) else ():
            names, _, dice = part.rpartition(" −")
            lost |= {titles[name]: int(dice.removesuffix("D")) for name in names.split(", ")}
        assert lost == {id: row[id] for id in lost}


def test_the_printed_wounds_are_those_of_the_track(game: Game) -> None:
    bands = {band.title: band.start for band in game.tracks["wounds"].bands}
    for margin, title, effect in game.tables["wounds"].rows:
        again = margin.endswith(" again")
        low = int(margin.removesuffix(" again").partition("–")[0].rstrip("+"))
        level = value(game, "wound", margin=low, before=2 if again else 0)
        assert level == bands[title]
        if effect.startswith("−"):
            assert int(effect[1]) == value(game, "penalty", wounds=level)


def test_the_printed_aftermath_is_the_one_that_counts(game: Game) -> None:
    for roll, title in game.tables["aftermath"].rows:
        for edge in roll.split("–"):
            assert value(game, "aftermath", roll=int(edge)).replace("-", " ") == title.lower()


# --- characters -------------------------------------------------------------------------------------------------------


def test_what_is_shipped_holds() -> None:
    # Its texts and drawings are looked at with all others, by the program that is installed.
    report = Report()
    shipped = load_project(ROOT, report)
    assert shipped is not None
    check_rules(shipped, shipped.games["zcorps"], report)
    assert not report.items, [item.message for item in report]


@pytest.mark.parametrize(("band", "verdict"), [
    ("nadia-ferro", "legal"), ("emmerich-falk", "legal"), ("bo-lindqvist", "illegal"), ("teodora-quill", "unknown"),
])  # fmt: skip
def test_shipped_characters(game: Game, band: str, verdict: str) -> None:
    assert judge_band(game, shipped_bands(game)[band]).verdict == verdict


def test_the_setup_tells_what_is_left_after_stress_and_wounds(game: Game) -> None:
    found = judge_band(game, shipped_bands(game)["emmerich-falk"])
    lines = {line.name: line.value for line in found.setup}
    # Agility 3D, less 1D for stress and 1D for the wound; Strength 3D+2 and a door.
    assert lines["Initiative, less stress and wounds"] == "1D"
    assert lines["Resistance to damage, with armour"] == "4D+2"
    assert lines["Difficulty of a stress test"] == 12
    assert lines["Character points left after these tests"] == 0


NADIA = [
    ("strength: {dice: 2, pips: 1}", "strength: {dice: 2, pips: 3}", "D6-001", "Strength ends in +3; allowed: 0"),
    ("medicine, under: knowledge, dice: 5, pips: 1", "medicine, under: knowledge, dice: 5, pips: 4", "D6-001b",
     "Medicine ends in +4; allowed: 0"),
    ("name: dodge, under: agility", "name: search, under: perception", "D6-SHEET",
     "on the sheet more than once: Search"),
    ("dodge, under: agility", "dodge, under: run", "D6-SHEET-b", "Dodge belongs to no characteristic: Run"),
    ("points: 3, extra", "points: 4, extra", "D6-003", "Medicine: 4 character points on one roll; the limit is 3"),
    ("character_points: 5", "character_points: 2", "D6-003b",
     "3 spent in character points on Medicine; the supply is 2"),
    ("nerve: [repeat]", "nerve: [repeat, double]", "D6-004", "Swim: 2 nerve points on one test; the limit is 1"),
    ("nerve_points: 1", "nerve_points: 0", "D6-004b", "1 spent in nerve points on Swim; the supply is 0"),
    ("extra_dice: 2", "extra_dice: 4", "D6-007", "Medicine: +4D for taking more time; the limit is +3D"),
    ("extra_dice: 2", "aim_dice: 1", "D6-007c", "aiming does not help Medicine"),
    ("difficulty: 20", "difficulty: 2", "D6-008", "Medicine: difficulty 2; it is never below 3"),
    ("strength: {dice: 2, pips: 1}", "strength: {dice: 1, pips: 1}", "D6-010c", "Swim was never learnt: 0D left"),
]  # fmt: skip
FALK = [
    ("agility: {dice: 3}", "agility: {dice: 2}", "D6-010", "Agility: 0D left after stress and wounds"),
    ("command, under: presence, dice: 3", "command, under: presence, dice: 2", "D6-010b", "Command: 0D left"),
]


@pytest.mark.parametrize(
    ("band", "old", "new", "rule", "message"),
    [("nadia-ferro", *case) for case in NADIA] + [("emmerich-falk", *case) for case in FALK],
)
def test_one_change_breaks_one_rule_and_is_named(
    game: Game, band: str, old: str, new: str, rule: str, message: str
) -> None:
    text = text_of(game, band)
    assert text.count(old) == 1
    if rule == "D6-004":
        text = text.replace("nerve_points: 1", "nerve_points: 2")
    found = judged(game, text.replace(old, new))
    assert found.verdict == "illegal"
    (finding,) = (finding for finding in found.problems if finding.severity == "error")
    assert finding.rule == rule and message in finding.message and finding.fix


def test_aiming_stops_at_three_dice(game: Game) -> None:
    text = text_of(game, "bo-lindqvist").replace("pips: 3", "pips: 2").replace("points: 4, aim", "points: 3, aim")
    assert judged(game, text).verdict == "legal"
    ((rule, said),) = broken(judged(game, text.replace("aim_dice: 3", "aim_dice: 4")))
    assert rule == "D6-007b"
    assert said == "Firearms: +4D for aiming; the limit is +3D"


@pytest.mark.parametrize(("state", "left"), [("stress: 5", "Agility, Command, Drive, Melee"), ("wounds: 5", "Agility")])
def test_who_is_out_cold_only_tests_what_decides(game: Game, state: str, left: str) -> None:
    text = text_of(game, "emmerich-falk")
    name = state.partition(":")[0]
    old = next(line for line in text.splitlines() if line.startswith(f"{name}:"))
    found = dict(broken(judged(game, text.replace(old, state))))
    assert left in found["D6-010d"]
    calm = text.partition("rolls:")[0].replace(old, state) + "rolls:\n  - {name: strength}\n"
    assert judged(game, calm).verdict == "legal"


@given(st.integers(0, 4), st.integers(0, 4), st.integers(1, 6))
def test_what_is_left_decides_whether_a_skill_can_be_rolled(stress: int, wounds: int, dice: int) -> None:
    game = project().games["zcorps"]
    text = f"""
title: T
stress: {stress}
wounds: {wounds}
character_points: 0
nerve_points: 0
characteristics: {{agility: {{dice: 3}}, strength: {{dice: 3}}, knowledge: {{dice: 3}}, dexterity: {{dice: 3}},
  perception: {{dice: 3}}, presence: {{dice: 3}}}}
skills: [{{name: run, under: agility, dice: {dice}}}]
rolls: [{{name: run}}]
"""
    left = dice - [0, 0, 1, 1, 2][stress] - [0, 1, 1, 2, 3][wounds]
    found = judged(game, text)
    assert (found.verdict == "legal") == (left >= 1)
    told = [finding.rule for finding in found.problems if finding.severity == "error"]
    assert told == ([] if left >= 1 else ["D6-010b"])


SOUND = """
title: Somebody
characteristics:
  agility: {dice: 3}
  strength: {dice: 3}
  knowledge: {dice: 2}
  dexterity: {dice: 3, pips: 1}
  perception: {dice: 3}
  presence: {dice: 3}
skills: [{name: firearms, under: dexterity, dice: 4}, {name: search, under: perception, dice: 3}]
character_points: 5
nerve_points: 1
stress: 0
wounds: 0
carries: []
rolls: []
"""


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("", "", []),
        ("agility: {dice: 3}", "agility: {dice: 12}", []),
        ("agility: {dice: 3}", "agility: {dice: 13}", [("D6-CODE", "Agility has 13D; allowed: 1 to 12")]),
        ("agility: {dice: 3}", "agility: {dice: 999999}", [("D6-CODE", "Agility has 999999D; allowed: 1 to 12")]),
        ("strength: {dice: 3}", "strength: {dice: 0}", [("D6-CODE", "Strength has 0D; allowed: 1 to 12")]),
        ("dice: 4}", "dice: 13}", [("D6-CODE-b", "Firearms has 13D; allowed: 1 to 12")]),
        (
            "firearms, under: dexterity", "firearms, under: agility",
            [("D6-SHEET-c", "Firearms belongs to Dexterity, not to Agility")],
        ),
        (
            "under: dexterity, dice: 4", "under: dexterity, dice: 3",
            [("D6-SHEET-d", "Firearms: 9 pips in all, three to a die; its characteristic has 10")],
        ),
        ("under: dexterity, dice: 4", "under: dexterity, dice: 3, pips: 1", []),
    ],
)  # fmt: skip
def test_absurd_codes_are_told(game: Game, old: str, new: str, told: list[tuple[str, str]]) -> None:
    found = judged(game, SOUND.replace(old, new) if old else SOUND)
    assert broken(found) == told
    advice = [rule for rule, _ in told] == ["D6-SHEET-d"]
    assert found.verdict == ("legal" if not told or advice else "illegal")


def test_every_skill_has_its_characteristic_and_the_shipped_cards_keep_to_it(game: Game) -> None:
    rows = game.packs["zcorps"].tables["belongs"]
    belongs = {row["skill"]: row["under"] for row in rows}
    six = set(game.packs["zcorps"].tables["characteristics"])
    assert set(belongs) == set(game.keywords) - six and set(belongs.values()) <= six
    for card in game.cards.values():
        for skill in card.values.get("skills") or ():
            assert belongs[skill["name"].id] == skill["under"].id, card.id


# --- translations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["es", "ru"])
def test_translated_messages_keep_their_figures(game: Game, lang: str) -> None:
    words: Any = translated(game, lang).words
    for rule in game.packs["zcorps"].rules.values():
        for part, text in (("message", rule.message), ("fix", rule.fix)):
            assert places(words[f"rules/{rule.id}.{part}"]) == places(text), rule.id


# --- the cards ----------------------------------------------------------------------------------------------------------

SIX = ("agility", "strength", "knowledge", "dexterity", "perception", "presence")


def people(game: Game) -> list[Any]:
    return [card.values for card in game.cards.values() if card.kind == "person"]


def pips(code: Any) -> int:
    return 3 * int(code["dice"]) + int(code["pips"])


def test_the_codes_on_cards_are_those_of_the_formulas(game: Game) -> None:
    for person in people(game):
        for name in SIX:
            code = person["characteristics"][name]
            given = {"dice": code["dice"], "pips": code["pips"]}
            assert person[f"{name}_code"] == value(game, "code", **given)
            for derived, formula in (("untrained", "unskilled"), ("doubled", "doubled")):
                dice, rest = value(game, formula, **given)
                assert person[f"{name}_{derived}"] == value(game, "code", dice=dice, pips=rest)
        assert person["initiative"] == person["agility_code"]
        assert person["resistance"] == person["strength_code"]


def test_characters_are_worth_the_same_and_carry_about_as_much(game: Game) -> None:
    assert len(people(game)) >= 12
    for person in people(game):
        six = person["characteristics"]
        above = [pips(skill) - pips(six[skill["under"].id]) for skill in person["skills"]]
        assert all(gain > 0 for gain in above), person["name"]
        assert person["worth"] == sum(pips(six[name]) for name in SIX) + sum(above) == 69, person["name"]
        assert 18 <= sum(game.cards[id].values["worth"] for id in person["carries"]) <= 24, person["name"]


def test_gear_is_weighed_by_its_pips_and_its_reach(game: Game) -> None:
    gear = {card.id: card.values for card in game.cards.values() if card.kind == "gear"}
    assert len(gear) >= 30
    for item in gear.values():
        damage = pips(item["damage"]) if item["damage"] else 0
        reach = item["ranges"][1] // 25 if item["ranges"] else 0
        bonus = 3 * item["bonus"]["dice"] + item["bonus"]["add"] if item["bonus"] else 0
        assert item["worth"] == max(1, damage + reach + bonus), item["name"]
    # +3D of a burst carries nothing: 5D becomes 8D
    assert (gear["service-rifle"]["code"], gear["service-rifle"]["burst_code"]) == ("5D", "8D")
    assert gear["stab-vest"]["bonus_code"] == "1D+1"


def test_the_example_of_turns_is_that_of_the_rules(game: Game) -> None:
    scores = list(game.cards["order-card"].values["example"])
    assert value(game, "order", scores=scores) == [22, 18, 12, 9, 8, 2]


def test_the_state_of_a_character_is_on_its_own_card(game: Game) -> None:
    text = text_of(game, "wick").replace("stress: 0", "stress: 2").replace("wounds: 0", "wounds: 1")
    band = judged(game, text).band
    report = Report()
    card = with_band_card(game, band, report).cards[band_card_id(band)]
    assert [item.message for item in report] == []
    assert (card.values["stress"], card.values["wounds"], card.values["initiative"]) == (2, 1, "4D+1")
    told = {line.id: line.value for line in judged(game, text).setup}
    # the checklist's is less one die for stress and one for the wound
    assert told["initiative"] == "2D+1"


@pytest.mark.parametrize(
    ("stress", "wounds", "initiative", "penalty"),
    [
        (0, 4, "1D+1", "3"),
        (0, 5, "– (Mortally wounded)", "–"),
        (0, 6, "– (Dead)", "–"),
        (5, 0, "– (Shocked)", "–"),
        (5, 6, "– (Dead)", "–"),
        (4, 0, "2D+1", "0"),
    ],
)
def test_who_is_down_has_no_initiative_and_the_set_up_says_why(
    game: Game, stress: int, wounds: int, initiative: str, penalty: str
) -> None:
    text = text_of(game, "wick").replace("stress: 0", f"stress: {stress}").replace("wounds: 0", f"wounds: {wounds}")
    told = {line.id: str(line.value) for line in judged(game, text).setup}
    assert (told["initiative"], told["penalty"]) == (initiative, penalty)

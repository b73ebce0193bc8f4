"""The pack of arena on the worked examples A01 to A10 of its source, and on what the source leaves open."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cardgen.diagnostics import Report
from cardgen.load.nodes import parse_yaml
from cardgen.load.project import band_reader, load_bands
from cardgen.model.band import Entry
from cardgen.model.game import Game
from cardgen.model.project import Project
from cardgen.pipeline.languages import in_language
from cardgen.pipeline.verdicts import check_rules
from cardgen.rules.bands import Judgement, judge_band
from cardgen.rules.filters import majority, sum_to
from cardgen.rules.packs import evaluate
from tests.support import load

FILE = "cards/arena/bands/one.yaml"
ATTRIBUTES = ("agility", "strength", "mind", "movement", "popularity", "combat", "shooting", "armour")
RULINGS = {
    "C32": "per_step",
    "C33": "mirror",
    "C34": "ceil",
    "C35": "trained_only",
    "C36": "after_training",
    "C37": "three",
}
Judge = Callable[..., Judgement]


@pytest.fixture(scope="module")
def project(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The shipped game, in which the cast of its examples may be recruited."""
    made = tmp_path_factory.mktemp("arena")
    (made / "cardgen.yaml").write_text("name: test\ngames: [arena]\n", "utf-8")
    pack, cast = (root / "cards/arena/rules/arena.yaml").read_text("utf-8").split("\ncast:\n")
    for folder in ("cards", "rules"):
        (made / "cards/arena" / folder).mkdir(parents=True)
    (made / "cards/arena/cards/cast.yaml").write_text(re.sub(r"^  ", "", cast, flags=re.M), "utf-8")
    (made / "cards/arena/rules/arena.yaml").write_text(pack, "utf-8")
    return load(made)


@pytest.fixture(scope="module")
def game(project: Project) -> Game:
    return project.games["arena"]


@pytest.fixture(scope="module")
def judge(project: Project, game: Game) -> Judge:
    """Judges a band of which a test writes what it is about."""

    def run(avatars: str = "", rulings: str = "{}", **fields: Any) -> Judgement:
        lines = {"kind": "warband", "faction": "rayviel", "gold": 9000, **fields}
        if avatars:
            lines["avatars"] = f"[{avatars}]"
        text = "".join(f"{key}: {value}\n" for key, value in lines.items() if value is not None)
        report = Report()
        node = parse_yaml(f"title: The Band\nrulings: {rulings}\n{text}".encode(), FILE, report)
        assert node is not None
        band = band_reader(project.shelf, game, report).read(node, FILE)
        assert band is not None and not report.items, [item.message for item in report]
        return judge_band(game, band)

    return run


def many(**cards: int) -> str:
    """Avatars of the cast, so many of each."""
    return ", ".join(f"{{card: cast-{name}}}" for name, count in cards.items() for _ in range(count))


def broken(judgement: Judgement) -> list[str]:
    return sorted({finding.rule for finding in judgement.problems if finding.severity == "error"})


def figures(judgement: Judgement, rule: str) -> tuple[str, str]:
    """What a rule found and what it allows."""
    found = next(item for item in judgement.findings if item.rule == rule)
    return found.actual, found.limit


def formula(game: Game, name: str, rulings: dict[str, str] | None = None, **given: Any) -> Any:
    pack = game.packs["arena"]
    return evaluate(pack.formulas[name], given, pack, game, rulings or {})


# --- what is shipped --------------------------------------------------------------------------------------------------


def test_the_shipped_pack_cards_and_bands_hold(project: Project, game: Game) -> None:
    report = Report()
    check_rules(project, game, report)
    found = [f"{item.span}: {item.message}" for item in report if "cast.yaml" not in str(item.span)]
    assert found == []


def test_shipped_bands_are_of_every_verdict(project: Project, game: Game) -> None:
    bands = load_bands(project.shelf, game, Report())
    assert len(bands) == 11
    assert {band.expected for band in bands} == {"legal", "illegal", "unknown"}
    assert len({band.values.get("faction") for band in bands}) >= 6
    assert {band.values.get("level") for band in bands} >= {"village", "citadel", "capital"}


def test_defaults_are_those_of_the_design(game: Game) -> None:
    assert {id: ruling.default for id, ruling in game.packs["arena"].rulings.items()} == RULINGS


def test_every_avatar_type_has_a_legal_build(judge: Judge, game: Game) -> None:
    factions: Any = game.packs["arena"].tables["factions"]
    faction = {god: name for name, row in factions.items() for god in row["gods"]}
    for id, card in game.cards.items():
        if card.kind == "avatar" and not id.startswith("cast-"):
            assert judge(f"{{card: {id}}}", faction=faction[card.values["god"]]).verdict == "legal", id


def test_common_actions_are_known_to_the_rules(game: Game) -> None:
    common = {id for id, card in game.cards.items() if card.values.get("common") and not id.startswith("cast-")}
    assert common == set(game.packs["arena"].tables["common"])  # type: ignore[call-overload]


def test_types_cost_what_the_catalogue_says(game: Game) -> None:
    """Half of what training from 3 would cost, 5 for each die above seven, and what is innate."""
    for id, card in game.cards.items():
        if card.kind != "avatar" or id.startswith("cast-"):
            continue
        values: Any = card.values
        printed = {name: values["attributes"][name] for name in ATTRIBUTES}
        cost = sum((2 if name in ATTRIBUTES[:3] else 1) * sum_to(3, value) for name, value in printed.items()) // 2
        cost += 5 * (values["action_dice"] + values["combat_dice"] - 7)
        innate = [option for options in (values["innate"] or {}).values() for option in options]
        costs: list[Any] = [game.cards[option].values["cost"] for option in innate]
        assert values["cost"] == cost + sum(costs), id


LISTS = {
    "trait": "traits",
    "feat": "feats",
    "action": "actions",
    "weapon-set": "weapons",
    "armour": "armour",
    "item": "items",
}


# --- the worked examples ----------------------------------------------------------------------------------------------

PRINTED = (
    "traits: [cast-grit, cast-loud], feats: [cast-trick, cast-knack], actions: [cast-dash, cast-hop, cast-shot, "
    "cast-feint, cast-shove, cast-trip], weapons: [cast-bow]"
)


def test_a01_the_printed_card(judge: Judge) -> None:
    found = judge(f"{{card: cast-fencer, {PRINTED}}}")
    assert figures(found, "ADM-009") == ("4", "4")
    assert figures(found, "ADM-010") == ("3", "4")
    assert figures(found, "ADM-011") == ("3", "2")
    assert broken(found) == ["ADM-011"]


def test_a01_innate_actions_and_celebrities(judge: Judge) -> None:
    born = judge("{card: cast-born}")
    assert broken(born) == []
    assert born.alternatives["C35", "all"] == "illegal"
    assert figures(judge("{card: cast-born}", "{C35: all}"), "ADM-011") == ("3", "2")
    assert broken(judge(f"{{card: cast-star, {PRINTED}}}", faction="gollnir")) == ["ADM-017"]
    assert broken(judge(f"{{card: cast-star, {PRINTED}}}")) == []


@pytest.mark.parametrize(
    ("train", "per_step", "final"),
    [
        ("{}", 47, 47),
        ("{agility: 6}", 59, 59),
        ("{combat: 7}", 60, 54),
        ("{strength: 6}", 69, 59),
        ("{mind: 4}", 25, 35),
    ],
)
def test_a02_training(judge: Judge, train: str, per_step: int, final: int) -> None:
    avatar = f"{{card: cast-fencer, train: {train}}}"
    assert judge(avatar).total == per_step
    assert judge(avatar, "{C32: final}").total == final
    assert judge(avatar, gold=per_step).verdict == "legal"
    assert broken(judge(avatar, gold=per_step - 1)) == ["ADM-001"]


def test_a02_as_a_formula(game: Game) -> None:
    cases = [(5, 6, 2, 12, 12), (5, 7, 1, 13, 7), (4, 6, 2, 22, 12)]
    for old, new, factor, per_step, final in cases:
        assert formula(game, "training", old=old, new=new, factor=factor) == per_step
        assert formula(game, "training", {"C32": "final"}, old=old, new=new, factor=factor) == final
    assert formula(game, "training", old=6, new=4, factor=2) == -22
    assert formula(game, "training", {"C33": "none"}, old=6, new=4, factor=2) == 0


def test_a03_popularity_and_soul(judge: Judge, game: Game) -> None:
    assert [formula(game, "options_most", popularity=n) for n in (7, 3, 2)] == [4, 0, 0]
    assert [formula(game, "items_most", soul=n) for n in (4, 3, 0)] == [3, 2, 0]
    three = "items: [cast-charm, cast-charm, cast-charm]"
    assert broken(judge(f"{{card: cast-fencer, {three}}}")) == []
    assert broken(judge(f"{{card: cast-star, impostor: yes, {three}}}")) == ["ADM-013"]
    assert figures(judge(f"{{card: cast-star, impostor: yes, {three}}}"), "ADM-013") == ("3", "2")
    assert broken(judge("{card: cast-fencer, train: {popularity: 3}, traits: [cast-grit]}")) == ["ADM-009"]


@pytest.mark.parametrize(
    ("faction", "avatars", "ceil", "floor"),
    [
        ("rayviel", many(fencer=3, smith=2), ["ADM-017"], []),
        ("rayviel", many(fencer=4, smith=1), [], []),
        ("rayviel", many(fencer=4, brute=1), ["ADM-017b"], ["ADM-017b"]),
        ("gollnir", many(smith=4, guard=1), [], []),
        ("gollnir", many(smith=4, fencer=1), ["ADM-017b"], ["ADM-017b"]),
        ("drakojia", many(ash=3, shade=1), [], []),
        ("khorvas", many(shade=3, ash=1), ["ADM-017b"], ["ADM-017b"]),
    ],
)
def test_a04_factions(judge: Judge, faction: str, avatars: str, ceil: list[str], floor: list[str]) -> None:
    assert broken(judge(avatars, faction=faction)) == ceil
    assert broken(judge(avatars, "{C34: floor}", faction=faction)) == floor


def test_a05_half_plus_one(game: Game) -> None:
    assert [formula(game, "majority", avatars=n) for n in range(1, 10)] == [1, 2, 3, 3, 4, 4, 5, 5, 6]
    floor = {"C34": "floor"}
    assert [formula(game, "majority", floor, avatars=n) for n in range(1, 10)] == [1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert [majority(n) for n in (1, 5)] == [1, 4]


def test_a06_damage_and_impact(game: Game) -> None:
    assert formula(game, "damage", force=9, armour=4) == 5
    net = formula(game, "net", gained=3, countered=1)
    force = formula(game, "impact_force", strength=5, weapon=1, successes=net)
    assert (net, force, formula(game, "damage", force=force, armour=4)) == (2, 8, 4)
    assert formula(game, "impact_effect", force=9, strength=8) == "holds"
    assert formula(game, "impact_effect", force=10, strength=8) == "moved-and-checked"


def test_a07_successes(game: Game) -> None:
    assert formula(game, "successes", rolled=[4, 8, 2], value=6) == 2
    assert formula(game, "successes", rolled=[2, 5], value=5) == 3
    goblin = formula(game, "successes", rolled=[4, 6], value=5)
    dwarf = formula(game, "successes", rolled=[6], value=6)
    assert (goblin, dwarf, formula(game, "net", gained=goblin, countered=dwarf)) == (1, 2, 0)
    # C24: the text counts two.
    assert formula(game, "successes", rolled=[9, 4], value=5) == 1


def test_a08_locations_and_souls(game: Game) -> None:
    where = formula(game, "location", rolled=[6, 3, 3, 8, 8])
    assert {name: where.count(name) for name in where} == {"agility": 1, "combat": 2, "mind": 2}
    assert formula(game, "stability", mind=6, soul=3, foreign=2) == 7
    assert formula(game, "instability", rolled=6, foreign=2) == "frozen"
    assert formula(game, "stability", mind=4, soul=1, foreign=2) == 3
    assert formula(game, "stability", mind=4, soul=3, foreign=2) == 5


def test_a09_boosts_and_scale(game: Game) -> None:
    assert formula(game, "move_boost", movement=7) == 4
    assert formula(game, "spell_boost", mind=6, fragments=3) + 18 == 27
    assert formula(game, "scale", centimetres=300) == 5


def test_a10_levels(judge: Judge, game: Game) -> None:
    golds = {600: "village", 800: "village", 801: "citadel", 1200: "city", 1500: "capital"}
    assert {gold: formula(game, "level", gold=gold) for gold in golds} == golds
    advice = {gold: [item.rule for item in judge(many(fencer=1), gold=gold).problems] for gold in (1500, 1501)}
    assert "ADM-002" not in advice[1500] and "ADM-002" in advice[1501]
    assert judge(many(fencer=1), gold=1501).verdict == "legal"


# --- rulings ----------------------------------------------------------------------------------------------------------


def test_the_other_reading_is_told_where_it_matters(judge: Judge) -> None:
    assert judge(many(fencer=3, smith=2)).alternatives["C34", "floor"] == "legal"
    assert judge("{card: cast-fencer, train: {agility: 1}}").alternatives["C37", "one"] == "legal"
    low = "{card: cast-smith, train: {popularity: 5}, traits: [cast-grit], feats: [cast-trick]}"
    assert judge(low, faction="gollnir").alternatives["C36", "printed"] == "illegal"
    cheap = judge("{card: cast-fencer, train: {combat: 4}}", gold=42)
    assert (cheap.verdict, cheap.alternatives["C33", "none"]) == ("legal", "illegal")


@given(st.dictionaries(st.sampled_from(ATTRIBUTES), st.integers(3, 10)), st.sampled_from(["per_step", "final"]))
def test_cost_is_the_sum_of_its_attributes(judge: Judge, train: dict[str, int], reading: str) -> None:
    printed = dict(zip(ATTRIBUTES, (5, 4, 6, 5, 7, 5, 4, 4), strict=True))
    cost = 47
    for name, value in train.items():
        cost += (2 if name in ("agility", "strength", "mind") else 1) * sum_to(printed[name], value, reading)
    stated = ", ".join(f"{name}: {value}" for name, value in train.items())
    assert judge(f"{{card: cast-fencer, train: {{{stated}}}}}", f"{{C32: {reading}}}").total == cost


# --- what a player is told --------------------------------------------------------------------------------------------

BASE = (
    "{card: cast-fencer, name: Ada, weapons: [cast-bow], traits: [cast-grit], actions: [cast-shot, cast-feint]}",
    "{card: cast-fencer, name: Bo, train: {agility: 6}, feats: [cast-trick], items: [cast-relic]}",
    "{card: cast-guard, name: Cy, armour: [cast-coat]}",
    "{card: cast-smith, name: Di, traits: [cast-grudge]}",
)


@pytest.mark.parametrize(
    ("old", "new", "rule", "message"),
    [
        ("agility: 6", "agility: 9", "ADM-007-agility", "Bo is trained to Agility 9; its type allows 3 to 8"),
        ("agility: 6", "shooting: 5", "ADM-007-shooting", "Bo is trained to Shooting skill 5; its type allows 3 to 4"),
        ("agility: 6", "soul: 5", "ADM-007b", "Bo states a Soul of 5; its type has 4"),
        ("[cast-relic]", "[cast-charm, cast-charm, cast-charm, cast-charm]", "ADM-013", "Bo carries magic items: 4"),
        ("[cast-coat]", "[cast-coat], items: [cast-relic]", "ADM-014", "The band has 2 of Relic; it may have 1"),
        ("[cast-bow]", "[cast-bow, cast-blade, cast-blade]", "ADM-015", "Ada has 3 combinations of weapons; 2 are"),
        ("[cast-coat]", "[cast-coat, cast-coat]", "ADM-015b", "Cy wears 2 armours; 1 is allowed"),
        ("cast-smith, name: Di, traits: [cast-grudge]", "cast-brute, name: Di", "ADM-017b", "allied with it: Di"),
        ("[cast-trick]", "[cast-trick], impostor: yes", "ADM-019c", "Bo is marked as an impostor"),
        ("[cast-bow]", "[cast-bow], favourite: cast-trip", "ADM-021b", "Ada has Trip as its favourite action"),
        ("[cast-grit]", "[cast-grudge]", "ADM-022", "Ada has options that are not open to its race: Grudge"),
        ("armour: [cast-coat]", "actions: [cast-spell]", "ADM-022b", "Cy has options that are not open to its prof"),
        ("[cast-grudge]", "[cast-grudge], items: [cast-relic]", "ADM-022c", "Di has options that its god does not"),
        ("[cast-bow]", "[cast-blade]", "ADM-022d", "Ada has options that its armament does not allow: Shot"),
        ("[cast-trick]", "[cast-strength]", "ADM-022-strength", "Bo has Strength 4; of its options, Asks Strength"),
        ("[cast-trick]", "[cast-quiet], traits: [cast-loud]", "ADM-022e", "exclude each other: Loud, Quiet"),
        ("cast-shot, cast-feint", "cast-shot, walk", "ADM-023", "Ada is trained in what everyone can do: Walk"),
    ],
)
def test_one_change_is_one_message(judge: Judge, old: str, new: str, rule: str, message: str) -> None:
    sound = ", ".join(BASE)
    assert judge(sound, gold=400).verdict == "legal"
    found = judge(sound.replace(old, new, 1), gold=400)
    extra = {"ADM-014"} if rule == "ADM-022c" else set()
    assert set(broken(found)) - extra == {rule}
    told = next(item for item in found.problems if item.rule == rule)
    assert message in told.message
    assert told.fix and "{" not in told.message + told.fix


def test_all_mistakes_are_told_at_once_in_every_order(judge: Judge) -> None:
    avatars = [
        "{card: cast-fencer, name: Ada, train: {agility: 9}, traits: [cast-grudge]}",
        "{card: cast-brute, name: Bo, armour: [cast-coat, cast-coat]}",
        "{card: cast-star, name: Cy}",
        "{card: cast-star, name: Di, impostor: yes, items: [cast-charm, cast-charm, cast-charm]}",
    ]
    first = None
    for seed in range(6):
        random.Random(seed).shuffle(avatars)
        found = judge(", ".join(avatars), gold=100)
        told = [(item.rule, item.message, item.offenders) for item in found.problems]
        assert told == (first or told)
        first = told
    assert first is not None and len({rule for rule, *_ in first if rule != "ADM-002"}) == 7


def test_what_is_not_stated_is_unknown_and_nothing_else(judge: Judge) -> None:
    assert judge(many(fencer=1), gold=None).verdict == "unknown"
    assert [item.rule for item in judge(many(fencer=1), gold=None).problems] == ["ADM-001"]
    assert [item.rule for item in judge(many(fencer=1), faction=None).problems if item.verdict == "unknown"] == [
        "ADM-017",
        "ADM-017b",
    ]
    both = judge("{card: cast-fencer, armour: [cast-coat, cast-coat]}", gold=None)
    assert both.verdict == "illegal"


def test_a_card_that_is_illegal_makes_its_band_illegal(judge: Judge) -> None:
    assert broken(judge("{card: cast-wishful}")) == ["ADM-021"]
    assert broken(judge("{card: cast-pedestrian}")) == ["ADM-023b"]
    assert broken(judge("{card: cast-fencer, actions: [cast-free-spell]}")) == ["ADM-012c"]


def test_celebrities_in_a_band_and_in_a_game(judge: Judge) -> None:
    assert broken(judge(many(star=2))) == ["ADM-016", "ADM-019"]

    def played(first: str, second: str) -> list[str]:
        players = ", ".join(
            f"{{name: {name}, team: {team}, gold: 800, celebrities: [{celebrity}]}}"
            for name, team, celebrity in (("Ada", "home", first), ("Bo", "visitor", second))
        )
        size = {"length": 60, "width": 50, "scenery": 6, "entrances": 3}
        fields: dict[str, Any] = {"kind": "encounter", "faction": None, "level": "village", "gold": 800, **size}
        return broken(judge(players=f"[{players}]", **fields))

    real, false = "{card: cast-star}", "{card: cast-star, impostor: yes}"
    assert played(real, false) == played("", "") == []
    assert played(real, real) == played(false, false) == ["ADM-019b"]


@pytest.mark.parametrize("lang", ["es", "ru"])
def test_messages_are_translated_with_every_figure(project: Project, game: Game, lang: str) -> None:
    report = Report()
    other = in_language(game, lang, project.shelf, {}, report)
    pack = game.packs["arena"]
    for rule in pack.rules.values():
        for part in ("message", "fix"):
            text = other.words[f"rules/{rule.id}.{part}"]
            assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", getattr(rule, part))), rule.id
            assert text != getattr(rule, part)
    assert all(f"notes/{note}.answer" in other.words for note in pack.notes)
    band = next(band for band in load_bands(project.shelf, game, Report()) if band.id == "landslide")
    told = {item.rule: item.message for item in judge_band(other, band, compare=False).problems}
    assert {"es": "cuesta 986 mo; el límite es 980", "ru": "цена 986 зм, предел 980"}[lang] in told["ADM-001"]


def test_a_band_of_two_hundred_is_judged(project: Project, game: Game) -> None:
    """Fully equipped: what expressions may hold is bounded, and a large band must not pass for an attack."""
    band = next(band for band in load_bands(project.shelf, game, Report()) if band.id == "the-undercroft")
    entries: Any = band.values["avatars"]
    large = replace(band, values=Entry({**band.values, "avatars": entries * 50}, band.values.span))
    found = judge_band(game, large, compare=False)
    assert [item.message for item in found.findings if item.verdict == "unknown"] == []
    assert found.total == 50 * judge_band(game, band, compare=False).total
    assert {item.actual for item in found.problems if item.rule == "ADM-016"} == {"150", "50"}

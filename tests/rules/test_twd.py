"""The packs of twd on the worked examples T01 to T09 of the sources, and on what the sources leave open."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardgen.diagnostics import Report
from cardgen.load.project import load_bands
from cardgen.model.band import Entry
from cardgen.model.game import Game
from cardgen.model.project import Project
from cardgen.model.rules import Finding
from cardgen.pipeline.languages import in_language
from cardgen.pipeline.verdicts import check_rules
from cardgen.rules.bands import Judgement, judge_band
from cardgen.rules.packs import evaluate
from cardgen.rules.suggest import mend
from tests.support import load

LEADER = "members: [{card: ana, leader: yes}]"
Judge = Callable[..., Judgement]


@pytest.fixture(scope="module")
def project(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The shipped game, in which the cast of its examples may be fielded."""
    made = tmp_path_factory.mktemp("twd")
    (made / "cardgen.yaml").write_text("name: test\ngames: [twd]\n", "utf-8")
    pack = (root / "cards/twd/rules/twd-playtest.yaml").read_text("utf-8")
    cast = pack.split("\ncast:\n")[1]
    for folder in ("cards", "rules", "bands"):
        (made / "cards/twd" / folder).mkdir(parents=True)
    (made / "cards/twd/cards/cast.yaml").write_text(re.sub(r"^  ", "", cast, flags=re.M), "utf-8")
    # A card may stand in the cards or in a cast, not in both.
    (made / "cards/twd/rules/twd-playtest.yaml").write_text(
        pack.split("\n# Seen by examples only.\n")[0] + "\n", "utf-8"
    )
    return load(made)


@pytest.fixture(scope="module")
def game(project: Project) -> Game:
    return project.games["twd"]


@pytest.fixture
def judge(project: Project, game: Game) -> Judge:
    def run(text: str, pack: str = "twd-playtest") -> Judgement:
        file = project.shelf.roots[0] / "cards/twd/bands/one.yaml"
        file.write_text(f"title: The Group\nrules: {pack}\n{text}\n", "utf-8")
        report = Report()
        bands = load_bands(project.shelf, game, report)
        assert not report.items, [item.message for item in report]
        return judge_band(game, next(band for band in bands if band.id == "one"))

    return run


def broken(judgement: Judgement, severity: str = "error") -> list[str]:
    return sorted({finding.rule for finding in judgement.problems if finding.severity == severity})


def finding(judgement: Judgement, rule: str) -> Finding:
    return next(item for item in judgement.problems if item.rule == rule)


def formula(game: Game, name: str, rulings: dict[str, str] | None = None, **given: Any) -> Any:
    pack = game.packs["twd-playtest"]
    return evaluate(pack.formulas[name], given, pack, game, rulings or {})


# --- what is shipped --------------------------------------------------------------------------------------------------


def test_the_shipped_packs_cards_decks_and_bands_hold(root: Path) -> None:
    shipped = load(root)
    report = Report()
    check_rules(shipped, shipped.games["twd"], report)
    assert [f"{item.span}: {item.message}" for item in report] == []
    bands = load_bands(shipped.shelf, shipped.games["twd"], report)
    assert sorted(band.expected for band in bands) == ["illegal"] * 3 + ["legal"] * 5 + ["unknown"]
    assert {band.values["limit"] for band in bands} == {100, 150, 250, 300, None}


def test_every_entry_of_the_sources_has_its_place(game: Game) -> None:
    pack = game.packs["twd-released"]
    known = {*pack.rules, *pack.notes}
    assert {f"TWD-{n:03}" for n in range(1, 29)} <= known
    assert {f"FAQ-{n:03}" for n in range(1, 15)} <= known
    sources = [rule.source for rule in pack.rules.values()] + [note.source for note in pack.notes.values()]
    sources += [line.source for line in pack.setup.values()]
    assert [source for source in sources if not re.match(r"(TWD-\d+, )?S[04] \S", source)] == []
    advice = {id for id, rule in pack.rules.items() if rule.severity == "warning"}
    assert advice == {"TWD-009b", "TWD-011", "TWD-014", "TWD-015", "TWD-025", "TWD-026", "TWD-C11", "FAQ-005b"}


def test_the_game_has_the_track_the_keywords_and_the_walker_of_the_rules(game: Game) -> None:
    tables = game.packs["twd-playtest"].tables
    rows: Any = tables["threat_bands"]
    track = game.tracks["threat"]
    assert [(row["band"], row["from"], row["to"]) for row in rows] == [
        (band.id, band.start, band.end) for band in track.bands
    ]  # C01
    assert (track.start, track.end) == (1, 18)  # TWD-022
    words: Any = tables["keywords"]
    assert set().union(*words.values()) == set(game.keywords)
    # C02, C03: red and orange are alike, and blue has no blank that could ask for an ammo roll.
    assert game.dice["red"].faces == game.dice["orange"].faces
    assert "blank" not in game.dice["blue"].faces
    assert not any("!" in face for face in game.dice["red"].faces)  # C14


# --- T01 to T09 -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "walkers"), [(50, 4), (100, 7), (150, 10), (180, 12), (200, 14), (250, 17), (300, 20)]
)
def test_t01_walkers(game: Game, judge: Judge, points: int, walkers: int) -> None:
    assert formula(game, "walkers", points=points) == walkers
    judgement = judge(f"limit: {points}\n{LEADER}\nsetup: {{walkers: {walkers}}}")
    assert {line.name: line.value for line in judgement.setup}["Walkers"] == walkers
    assert "TWD-016" not in broken(judgement)
    assert "TWD-016" in broken(judge(f"limit: {points}\n{LEADER}\nsetup: {{walkers: {walkers + 1}}}"))


@pytest.mark.parametrize(("points", "tokens"), [(100, 5), (101, 6), (250, 6), (251, 7)])
def test_t02_tokens(game: Game, judge: Judge, points: int, tokens: int) -> None:
    assert formula(game, "tokens_to_win", points=points) == tokens
    assert broken(judge(f"limit: {points}\n{LEADER}\nsetup: {{to_win: {tokens}}}")) == []
    assert broken(judge(f"limit: {points}\n{LEADER}\nsetup: {{to_win: {tokens - 1}}}")) == ["TWD-019"]


@pytest.mark.parametrize(("points", "board", "cars", "barriers"), [(300, "20x20", 4, 6), (301, "40x20", 8, 12)])
def test_t02_boards(game: Game, judge: Judge, points: int, board: str, cars: int, barriers: int) -> None:
    assert formula(game, "board", points=points) == board
    width, depth = board.split("x")
    setup = f"setup: {{board: {{width: {width}, depth: {depth}}}, cars: {cars}, barriers: {barriers}, tokens: 9}}"
    judgement = judge(f"limit: {points}\n{LEADER}\n{setup}")
    assert judgement.verdict == "legal"
    assert "TWD-015" not in broken(judgement, "warning")


@pytest.mark.parametrize(("walkers", "dice"), [(1, 1), (2, 3), (3, 6), (4, 10), (5, 15), (6, 20), (7, 25)])
def test_t03_walker_dice(game: Game, walkers: int, dice: int) -> None:
    assert formula(game, "walker_dice", walkers=walkers) == dice


@pytest.mark.parametrize(
    ("threat", "nerve", "outcome"),
    [(3, "low", "none"), (8, "low", "roll"), (9, "low", "fail"), (13, "medium", "roll"), (14, "medium", "fail"),
     (18, "high", "roll")],
)  # fmt: skip
def test_t04_panic(game: Game, threat: int, nerve: str, outcome: str) -> None:
    assert formula(game, "panic", threat=threat, nerve=nerve) == outcome
    # C05: the sentence above the list, which makes an equal band a failure.
    other = "fail" if outcome == "roll" else outcome
    assert formula(game, "panic", {"C05": "fail"}, threat=threat, nerve=nerve) == other


T05 = "limit: 100\nmembers: [{card: ana, leader: yes, hands: [axe], body: vest}, {card: luis%s}]"


def test_t05_points(judge: Judge) -> None:
    legal = judge(T05 % "")
    assert (legal.verdict, legal.total, legal.limit) == ("legal", 100, 100)
    illegal = judge(T05 % ", pack: [rope]")
    assert broken(illegal) == ["TWD-001"]
    found = finding(illegal, "TWD-001")
    assert (found.actual, found.limit, found.offenders) == ("105", "100", ("Rope",))
    assert found.message == "The Group costs 105 points; the limit is 100 (over by 5)"
    assert "Rope" in found.fix


@pytest.mark.parametrize(
    ("members", "rules", "offenders"),
    [
        ("{card: ana, leader: yes}, {card: bea}", ["TWD-002"], ("Ana", "Bea")),
        ("{card: ana, leader: yes}, {card: big-anselm}, {card: bea}, {card: luis}", ["TWD-002"], ("Bea",)),
        ("{card: ana, leader: yes}, {card: ana-veteran}", ["TWD-003"], ("Ana", "Ana, Veteran")),
        ("{card: ana, leader: yes}, {card: luis, leader: yes}", ["TWD-004"], ("Ana", "Luis")),
        ("{card: ana}, {card: luis}", ["TWD-004"], ("Ana", "Luis")),
    ],
)
def test_t06_who_may_stand_together(judge: Judge, members: str, rules: list[str], offenders: tuple[str, ...]) -> None:
    judgement = judge(f"limit: 200\nmembers: [{members}]")
    assert broken(judgement) == rules
    assert finding(judgement, rules[0]).offenders == offenders


FULL = "hands: [rifle, knife], head: helmet, body: vest, pack: [medkit, rope"


@pytest.mark.parametrize(
    ("items", "rules"),
    [
        (f"{FULL}]", []),
        (f"{FULL}, flail]", ["TWD-008"]),
        ("hands: [maul, knife]", ["TWD-009"]),
        ("hands: [rifle, knife], pack: [maul]", []),
        (f"{FULL}], attached: [{{item: scope, to: rifle}}]", []),
        ("hands: [pistol], attached: [{item: scope, to: pistol}]", ["TWD-010"]),
        ("hands: [pistol, scope]", []),
        ("hands: [pistol], attached: [{item: scope, to: rifle}]", ["TWD-010b"]),
        ("hands: [helmet]", ["TWD-006"]),
        ("hands: [rifle, knife, rope]", ["TWD-006b"]),
        ("head: vest, body: helmet", ["TWD-007"]),
        ("carries: [rope, medkit, vest, helmet, knife, rifle]", []),
        ("carries: [rope, medkit, vest, helmet, knife, rifle, pistol]", ["TWD-005"]),
        ("carries: [knife, rifle, maul, rope]", []),
        ("carries: [knife, rifle, maul, rope, medkit]", ["TWD-005"]),
    ],
)
def test_t07_slots(judge: Judge, items: str, rules: list[str]) -> None:
    assert broken(judge(f"limit: 200\nmembers: [{{card: ana, leader: yes, {items}}}]")) == rules


def test_t07_an_attached_item_still_costs(judge: Judge) -> None:
    text = "limit: 100\nmembers: [{card: ana, leader: yes, hands: [rifle], attached: [{item: scope, to: rifle}]}]"
    assert judge(text).total == 40 + 18 + 5


def test_t08_damage(game: Game) -> None:
    assert formula(game, "damage", attack=4, defence=2) == 2
    assert formula(game, "damage", attack=2, defence=4) == 0
    # FAQ-012, C03: no damage, no headshot.
    assert formula(game, "damage_with_headshots", attack=3, defence=3, headshots=2) == 0


@pytest.mark.parametrize(
    ("text", "errors", "advice"),
    [
        ("limit: 100\nsolo: yes\ndecks: {supplies: [starter], events: [prelude]}", [], []),
        ("limit: 100\ndecks: {supplies: [starter], events: [prelude]}", ["FAQ-001"], []),
        ("limit: 200\ndecks: {supplies: [starter], events: [starter, walker-booster]}", [], ["FAQ-005b"]),
        ("limit: 300\ndecks: {supplies: [starter], events: [starter, walker-booster]}", [], []),
        ("limit: 300\nbeginner: yes\ndecks: {events: [starter, roamer-booster]}", ["FAQ-005"], []),
        ("limit: 100\ndecks: {supplies: [starter, starter], events: [starter]}", ["FAQ-002"], []),
        ("limit: 100\ndecks: {supplies: [starter], events: [starter, forest]}", ["FAQ-003"], []),
        ("limit: 100\nagreed: yes\ndecks: {supplies: [this-set], events: [forest, night]}", [], []),
    ],
)
def test_t09_decks(judge: Judge, text: str, errors: list[str], advice: list[str]) -> None:
    judgement = judge(f"{text}\n{LEADER}", "twd-released")
    assert (broken(judgement), broken(judgement, "warning")) == (errors, advice)


def test_t09_decks_that_nobody_stated_are_unknown_and_only_by_the_released_rules(judge: Judge) -> None:
    text = f"limit: 100\n{LEADER}"
    assert judge(text, "twd-released").verdict == "unknown"
    assert judge(text).verdict == "legal"


# --- what the sources leave open --------------------------------------------------------------------------------------


def test_c06_three_squares_have_more_cars_than_tokens(judge: Judge) -> None:
    setup = "setup: {board: {width: 60, depth: 20}, cars: 12, barriers: 18, tokens: 9}"
    assert broken(judge(f"limit: 300\n{LEADER}\n{setup}")) == ["TWD-018b"]


def test_c07_usual_limits_have_two_readings(judge: Judge) -> None:
    assert broken(judge(f"limit: 200\n{LEADER}"), "warning") == []
    assert broken(judge(f"limit: 200\nrulings: {{C07: printed}}\n{LEADER}"), "warning") == ["TWD-014"]


def test_c09_a_bulky_ranged_weapon_is_advice(judge: Judge) -> None:
    judgement = judge("limit: 100\nmembers: [{card: ana, leader: yes, hands: [cannon]}]")
    assert (judgement.verdict, broken(judgement, "warning")) == ("legal", ["TWD-009b"])


def test_c11_the_same_equipment_twice(judge: Judge) -> None:
    text = "limit: 200\n%smembers: [{card: ana, leader: yes, hands: [rifle]}, {card: luis, hands: [rifle]}]"
    assert broken(judge(text % ""), "warning") == ["TWD-C11"]
    assert broken(judge(text % "rulings: {C11: any}\n"), "warning") == []


def test_restrictions_are_data_of_the_cards(judge: Judge) -> None:
    assert broken(judge("limit: 100\nmembers: [{card: ana, leader: yes, hands: [relic]}]")) == ["TWD-013"]
    assert broken(judge("limit: 100\nmembers: [{card: luis, leader: yes, hands: [relic], body: badge}]")) == []
    assert broken(judge("limit: 100\nmembers: [{card: loner, leader: yes, pack: [rope]}]")) == ["TWD-013b"]


def test_found_items_do_not_begin_the_game(judge: Judge) -> None:
    assert broken(judge("limit: 100\nmembers: [{card: ana, leader: yes, pack: [binoculars]}]")) == ["TWD-027b"]


def test_a_card_that_is_illegal_makes_its_band_illegal(judge: Judge) -> None:
    assert broken(judge("limit: 100\nmembers: [{card: ana, leader: yes, hands: [daft-knife]}]")) == ["TWD-023"]


@pytest.mark.parametrize(
    ("members", "mends"),
    [
        ("{card: ana}, {card: luis}", {"Leader of Ana: yes", "Leader of Luis: yes"}),
        ("{card: ana, leader: yes, hands: [rifle], attached: [{item: rope, to: rifle}]}", {"leave out Rope (Ana)"}),
    ],
)
def test_the_smallest_mends(game: Game, judge: Judge, members: str, mends: set[str]) -> None:
    found = mend(game, judge(f"limit: 100\nmembers: [{members}]").band)
    assert found.exact
    assert mends <= {change for one in found.mends for change in one.changes}


# --- messages ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["es", "ru"])
def test_messages_are_whole_in_every_language(root: Path, lang: str) -> None:
    shipped = load(root)
    report = Report()
    game = in_language(shipped.games["twd"], lang, shipped.shelf, {}, report)
    assert [item.message for item in report if "rules/" in item.message] == []
    for id, rule in game.packs["twd-released"].rules.items():
        for part, text in (("message", rule.message), ("fix", rule.fix)):
            said = game.words[f"rules/{id}.{part}"]
            assert set(re.findall(r"\{\w+\}", said)) == set(re.findall(r"\{\w+\}", text)), f"{id}.{part}"
    # Names and keywords are translated; verdicts are not.
    for band in load_bands(shipped.shelf, game, report):
        judgement = judge_band(game, band)
        assert judgement.verdict == band.expected, band.title
        assert {item.rule for item in judgement.problems} == set(band.expected_rules)
        assert not any("{" in item.message + item.fix for item in judgement.problems)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_entries_means_nothing(root: Path, seed: int) -> None:
    shipped = load(root)
    game = shipped.games["twd"]
    for band in load_bands(shipped.shelf, game, Report()):
        members: Any = band.values["members"]
        shuffled = tuple(Entry({key: _shuffled(item[key], seed) for key in item}, item.span) for item in members)
        values = Entry({**band.values, "members": _shuffled(shuffled, seed)}, band.values.span)
        said = [
            [(item.rule, item.verdict, item.message, item.fix) for item in judge_band(game, band, used).problems]
            for used in (band.values, values)
        ]
        assert said[0] == said[1], band.title


def _shuffled(value: Any, seed: int) -> Any:
    if not isinstance(value, tuple):
        return value
    items = list(value)
    random.Random(seed).shuffle(items)
    return tuple(items)

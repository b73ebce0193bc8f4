"""What rules say would mend a band does mend it, and is worked out without a search."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from cardgen.diagnostics import Report
from cardgen.load.nodes import parse_yaml
from cardgen.load.project import band_reader, load_project
from cardgen.model.band import Band, Entry
from cardgen.model.game import Game
from cardgen.model.rules import Example, Rule
from cardgen.rules.bands import judge_band
from cardgen.rules.changes import at_once, changes_of
from cardgen.rules.costs import priced, readings_of
from cardgen.rules.engine import judge
from cardgen.rules.memory import Memory
from cardgen.rules.mends import in_the_end, stated_mends, together
from cardgen.rules.packs import context_of
from cardgen.rules.phrases import Phrase, phrase
from cardgen.rules.suggest import mend, relieve
from tests.rules.shipped import shipped_bands, translated

ROOT = Path(__file__).resolve().parents[2]


@cache
def games() -> dict[str, Game]:
    project = load_project(ROOT, Report())
    assert project is not None
    return dict(project.games)


def band_of(text: str, game: str = "arena") -> Band:
    actions = [card.id for card in games()[game].cards.values() if card.kind == "action" and not card.values["common"]]
    text = text.replace("FAVOURITE", actions[0]) if "FAVOURITE" in text else text
    project = load_project(ROOT, Report())
    assert project is not None
    report = Report()
    node = parse_yaml(text.encode(), "band.yaml", report)
    assert node is not None
    band = band_reader(project.shelf, games()[game], report).read(node, f"cards/{game}/bands/band.yaml")
    assert band is not None, [item.message for item in report.sorted()]
    return band


def mended_rules() -> list[tuple[str, str]]:
    return [
        (game.id, rule.id) for game in games().values() for rule in game.packs[game.rules].rules.values() if rule.mend
    ]


def _band(game: Game, example: Example) -> Band:
    values = example.given["band"]
    assert isinstance(values, Entry)
    kind = game.bands[str(values["kind"])]
    empty = {name: () if field.type == "list" else field.default for name, field in kind.fields.items()}
    whole = Entry({**empty, **values}, values.span)
    return Band("x", "x", kind.id, kind.pack, whole, dict(example.rulings), (), "", (), "")


def _breaks(game: Game, band: Band, rule: Rule, values: Entry) -> bool:
    kind, pack = game.bands[band.kind], game.packs[band.pack]
    context = context_of(pack, game)
    context["band"] = priced(kind, values, {**context, "rulings": readings_of(pack, band.rulings)})
    found = judge(pack, [rule], context, "x", None, band.rulings, {}, game)
    return any(item.verdict == "illegal" for item in found)


@pytest.mark.parametrize(("game_id", "rule_id"), mended_rules())
def test_a_stated_mend_ends_what_its_rule_finds(game_id: str, rule_id: str) -> None:
    """Of every illegal example of the rule: step by step, nothing is illegal by it in the end."""
    game = games()[game_id]
    rule = game.packs[game.rules].rules[rule_id]
    only = replace(
        game, packs={game.rules: replace(game.packs[game.rules], rules={rule.id: replace(rule, severity="error")})}
    )
    for example in rule.examples:
        # What a type is born with cannot be left out.
        if example.verdict != "illegal" or example.rulings.get("C35") == "all":
            continue
        band = _band(game, example)
        for _ in range(6):
            if not _breaks(game, band, rule, band.values):
                break
            stated = [item for items in stated_mends(only, band).values() for item in items]
            assert stated, (rule.id, example.span)
            assert stated[0].values is not None
            band = replace(band, values=stated[0].values)
        assert not _breaks(game, band, rule, band.values), (rule.id, example.span)


BROKEN = """title: Broken
kind: warband
faction: gollnir
gold: 900
avatars:
  - {card: rime-breaker, name: Ash, train: {agility: 10, combat: 10}, traits: [long-memory, stone-mason]}
  - {card: quarry-thane, name: Bo, feats: [shoulder-roll], favourite: FAVOURITE}
"""


def test_every_finding_of_a_band_has_its_mend_and_all_go_together() -> None:
    game, band = games()["arena"], band_of(BROKEN)
    before = judge_band(game, band, compare=False)
    stated = stated_mends(game, band)
    told = {(rule, subject): [item.changes for item in items] for (rule, subject), items in stated.items()}
    assert told["ADM-007-agility", "Ash"] == [("set Agility of Ash to 7",)]
    assert told["ADM-007-combat", "Ash"] == [("set Combat skill of Ash to 9",)]
    # Both at once: to leave out one of two ends nothing, which is why a search for single changes finds none.
    assert [len(changes) for changes in told["ADM-022", "Ash"]] == [2]
    assert told["ADM-022-agility", "Bo"] == [("set Agility of Bo to 5",), ("leave out Shoulder Roll (Bo)",)]
    assert told["ADM-021b", "Bo"] == [("Favourite action of Bo: not stated",)]
    assert {item.rule for item in before.findings if item.counts} >= {rule for rule, _ in told}
    whole = together(game, band)
    assert whole is not None and whole.mend.values is not None
    after = judge_band(game, band, whole.mend.values, compare=False)
    assert whole.legal == (after.verdict == "legal")
    mended = {item.rule for item in before.findings if item.counts} - {
        item.rule for item in after.findings if item.counts
    }
    assert {"ADM-007-agility", "ADM-007-combat", "ADM-022", "ADM-021b"} <= mended


def test_what_is_remembered_of_entries_changes_no_finding() -> None:
    """Judgements with a memory are those without one, for every change that a search tries."""
    game, band = games()["arena"], band_of(BROKEN)
    memory = Memory()
    changes = changes_of(game, game.bands[band.kind], band.values)
    for change in changes[::9]:
        plain = judge_band(game, band, change.values, compare=False)
        known = judge_band(game, band, change.values, compare=False, memory=memory)
        assert (plain.findings, plain.entries, plain.limit) == (known.findings, known.entries, known.limit)


def test_a_search_looks_only_where_what_is_wrong_can_lie_and_stops_in_time() -> None:
    game = games()["arena"]
    band = band_of(BROKEN.replace(", favourite: FAVOURITE", "").replace(", feats: [shoulder-roll]", ""))
    found = relieve(game, band, 20).single
    assert all("Bo" not in item.changes[0] for items in found.values() for item in items if "ADM-007" in str(items))
    assert mend(game, band, most=50, seconds=60).tried <= 50


@pytest.mark.parametrize("name", ["landslide", "the-pale-instance", "twd:crossing-100", "twd:line-nine-150"])
def test_single_changes_are_joined_into_a_whole_mend(name: str) -> None:
    """Bands with more wrong than a search by depth gets through: what ends one thing each ends all when made at once."""
    game_id, _, id = name.rpartition(":")
    game = games()[game_id or "arena"]
    band = band_of((ROOT / f"cards/{game.id}/bands/{id}.yaml").read_text("utf-8"), game.id)
    relief = relieve(game, band, 60, swaps=False)
    wrong = {(item.rule, item.subject) for item in judge_band(game, band, compare=False).findings if item.counts}
    assert set(relief.single) == wrong
    assert relief.whole
    for found in relief.whole:
        assert found.values is not None
        assert judge_band(game, band, found.values, compare=False).verdict == "legal"
        assert len(found.changes) == len(found.phrases) <= len(wrong)


def test_changes_made_at_once_are_those_made_one_by_one() -> None:
    game, band = games()["arena"], band_of(BROKEN)
    kind = game.bands[band.kind]
    changes = {change.text: change for change in changes_of(game, kind, band.values)}
    ash, feat, bo = (changes[text] for text in ("leave out Ash", "leave out Shoulder Roll (Bo)", "leave out Bo"))
    lower = next(change for text, change in changes.items() if text.startswith("lower Agility of Ash"))
    both = at_once(band.values, [ash, feat])
    assert both["avatars"] == changes_of_text(game, band, ash.values, "leave out Shoulder Roll (Bo)")["avatars"]
    # What lies in what is left out needs no change, in whatever order they come.
    assert at_once(band.values, [lower, ash]) == at_once(band.values, [ash, lower]) == ash.values
    assert at_once(band.values, [feat, bo]) == bo.values
    assert at_once(band.values, [ash, bo])["avatars"] == ()
    assert at_once(band.values, []) == band.values


def changes_of_text(game: Game, band: Band, values: Entry, text: str) -> Entry:
    return next(c.values for c in changes_of(game, game.bands[band.kind], values) if c.text == text)


def test_a_fix_that_comes_back_to_what_is_printed_states_nothing() -> None:
    """A value set or lowered to the printed one is left out, and a record of training that is empty then goes with it."""
    game = games()["arena"]
    kind = game.bands["warband"]
    # Of this type the shooting skill has no maximum: 3 is printed, and all that training allows is 3.
    text = """title: Back
kind: warband
faction: gollnir
gold: 900
avatars:
  - {card: quarry-thane, name: Ash, train: {shooting: 5}}
  - {card: quarry-thane, name: Bo, train: {shooting: 4, agility: 5}}
"""
    band = band_of(text)
    stated = stated_mends(game, band)
    (ash,), (bo,) = stated["ADM-007-shooting", "Ash"], stated["ADM-007-shooting", "Bo"]
    assert ash.changes == ("set Shooting skill of Ash back to 3, as printed",)
    assert ash.values is not None and bo.values is not None
    assert next(item["train"] for item in ash.values["avatars"]) is None
    bos = [item["train"] for item in bo.values["avatars"]][1]
    assert (bos["shooting"], bos["agility"]) == (None, 5)
    whole = together(game, band)
    assert whole is not None and whole.mend.values is not None
    first, second = (item["train"] for item in whole.mend.values["avatars"])
    assert first is None and second["shooting"] is None and second["agility"] == 5
    # So do the single changes of a search, alone and made at once, in whatever order.
    changes = {change.text: change for change in changes_of(game, kind, band.values)}
    assert "lower Shooting skill of Ash from 5 to 4" in changes
    assert "lower Shooting skill of Ash from 5 to 3" not in changes
    backs = [change for text, change in changes.items() if text.endswith("back to 3, as printed")]
    backs.append(changes["set Agility of Bo back to 4, as printed"])
    assert len(backs) == 3
    for several in (backs, backs[::-1]):
        assert [item["train"] for item in at_once(band.values, several)["avatars"]] == [None, None]
    # What is stated as it is printed is no training, and nobody is told of it.
    same = band_of(text.replace("shooting: 5", "agility: 4").replace("agility: 5", "mind: 5"))
    assert [line.details for line in judge_band(game, same, compare=False).entries] == [
        ("Quarry Thane",), ("Quarry Thane", "Shooting skill 4"),
    ]  # fmt: skip


def test_a_large_band_with_much_wrong_is_mended_by_what_its_rules_state() -> None:
    """Decks from everywhere, a set-up that is wrong, a found item at the start: more than any search finds."""
    game = games()["twd"]
    band = shipped_bands(game)["beginners-250"]
    whole = together(game, band)
    assert whole is not None and whole.legal and whole.mend.values is not None
    assert whole.mend.changes == (
        "set Supply deck to Starter set",
        "set Event deck to Starter set",
        "set Walkers to 17",
        "set Tokens that win to 6",
        "leave out Nail Bat (Dutch Obi)",
    )
    assert judge_band(game, band, whole.mend.values, compare=False).verdict == "legal"
    ended = {rule for rule, _ in stated_mends(game, band)}
    assert {"FAQ-001", "FAQ-002", "FAQ-003", "FAQ-005", "TWD-016", "TWD-019", "TWD-027b"} >= ended != set()


def test_what_is_set_is_said_by_its_titles_in_the_language() -> None:
    game = translated(games()["twd"], "es")
    whole = together(game, shipped_bands(game)["beginners-250"])
    assert whole is not None
    told = {dict(item.values).get("after") for item in whole.mend.phrases}
    assert told >= {"Caja de inicio", "17", "6"}


def test_a_change_takes_the_place_of_an_earlier_one_of_the_same_field() -> None:
    def said(*phrases: Phrase) -> list[str]:
        return [str(item) for item in in_the_end(phrases)]

    first, last = phrase("set", "Bo", field="Mind", after=3), phrase("reset", "Bo", field="Mind", after=5)
    other, copy = phrase("set", "Ash", field="Mind", after=3), phrase("leave_out", "Bo", what="Charm")
    assert said(first, other, copy, copy, last) == [str(item) for item in (other, copy, copy, last)]

"""The engine on a small game: verdicts, what findings say, and what must never depend on anything else."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cardgen.diagnostics import Report
from cardgen.load.project import load_bands
from cardgen.model.band import Entry
from cardgen.rules.bands import Judgement, judge_band
from cardgen.rules.packs import check_pack
from cardgen.rules.suggest import fill, mend
from tests.rules.conftest import BANDS, PACK, Bands
from tests.support import BASE, load, write_project

GOOD = "title: Good\nlimit: 5\nleader: axe\nmembers: [{card: axe}, {card: rope, carries: [rope]}]\n"


def judged(bands: Bands, text: str) -> Judgement:
    game, (band,) = bands(one=text)
    return judge_band(game, band)


def broken(judgement: Judgement) -> list[str]:
    return [finding.rule for finding in judgement.problems if finding.counts]


def test_a_legal_band_with_its_bill_and_setup(bands: Bands) -> None:
    found = judged(bands, GOOD)
    assert found.verdict == "legal"
    assert [(line.name, line.value) for line in found.entries] == [("Axe", 1), ("Rope", 2)]
    assert (found.total, found.limit) == (3, 5)
    assert [(line.name, line.value, line.source) for line in found.setup] == [("Size of the table", 1, "R p1")]


@pytest.mark.parametrize(
    ("text", "rules", "message"),
    [
        ("limit: 2\nmembers: [{card: axe}, {card: rope, carries: [rope]}]", ["X-001"],
         "B costs 3; the limit is 2 (over by 1)"),
        ("limit: 9\nleader: rope\nmembers: [{card: axe}]", ["X-002"], "Rope leads and is not among Axe"),
        ("limit: 9\nmembers: [{card: axe}, {card: axe}]", ["X-003"], "Axe, Axe stand more than once"),
        ("limit: 9\nmembers: [{card: axe}, {card: rope, skill: 7}]", ["X-004"],
         "Rope has skill 7; allowed: 1 to 3"),
    ],
)  # fmt: skip
def test_what_is_broken_is_said_with_its_figures(bands: Bands, text: str, rules: list[str], message: str) -> None:
    found = judged(bands, f"title: B\n{text}\n")
    assert found.verdict == "illegal"
    assert broken(found) == rules
    assert [finding.message for finding in found.problems if finding.counts] == [message]


def test_all_rules_run_whatever_the_others_found(bands: Bands) -> None:
    text = "title: B\nlimit: 0\nleader: rope\nmembers: [{card: axe, skill: 0}, {card: axe}]\n"
    assert broken(judged(bands, text)) == ["X-001", "X-002", "X-003", "X-004"]


def test_the_offender_is_named_with_its_place(bands: Bands) -> None:
    found = judged(bands, "title: B\nlimit: 9\nmembers:\n  - {card: axe}\n  - {card: rope, skill: 7}\n")
    (finding,) = [finding for finding in found.problems if finding.counts]
    assert finding.offenders == ("Rope",)
    assert str(finding.span) == "cards/g/bands/one.yaml:5:5"


def test_what_nobody_stated_is_unknown_and_not_wrong(bands: Bands) -> None:
    found = judged(bands, "title: B\nmembers: [{card: axe}]\n")
    assert found.verdict == "unknown"
    assert broken(found) == ["X-001"]
    assert "`limit` is not stated" in found.problems[0].message


def test_illegal_outweighs_unknown(bands: Bands) -> None:
    assert judged(bands, "title: B\nmembers: [{card: axe}, {card: axe}]\n").verdict == "illegal"


def test_advice_decides_nothing(bands: Bands) -> None:
    found = judged(bands, "title: B\nlimit: 9\nmembers: [{card: rope}]\n")
    assert found.verdict == "legal"
    assert [(finding.rule, finding.severity) for finding in found.problems] == [("X-005", "warning")]


def test_the_other_reading_is_told(bands: Bands) -> None:
    text = "title: B\nlimit: 9\nlevel: 6\nmembers: [{card: axe}, {card: rope}, {card: dear}]\n"
    text = text.replace("{card: dear}", "{card: rope, skill: 2}")
    found = judged(bands, text)
    assert found.alternatives == {("HALF", "floor"): "illegal"}  # the rope stands twice
    text = "title: B\nlimit: 9\nlevel: 6\nmembers: [{card: axe}, {card: rope}]\n"
    assert judged(bands, text).alternatives == {("HALF", "floor"): "illegal"}


def test_a_band_may_choose_its_reading(bands: Bands) -> None:
    cards = "saw: {kind: item, name: Saw}\nhammer: {kind: item, name: Hammer}\n"
    text = "title: B\nlimit: 9\nlevel: 6\nmembers: [{card: axe}, {card: rope}, {card: saw}, {card: hammer}]\n"
    game, found = bands({"cards/g/cards/more.yaml": cards}, own=text, other=f"{text}rulings: {{HALF: floor}}\n")
    other, own = (judge_band(game, band) for band in sorted(found, key=lambda band: band.id))
    assert [finding.limit for finding in own.findings if finding.rule == "X-006"] == ["3"]
    assert [finding.limit for finding in other.findings if finding.rule == "X-006"] == ["3"]
    assert {finding.rulings["HALF"] for finding in other.findings if finding.rule == "X-006"} == {"floor"}


def test_a_waiver_lifts_a_rule_and_is_kept(bands: Bands) -> None:
    found = judged(bands, "title: B\nlimit: 0\nmembers: [{card: axe}]\nwaivers: {X-001: Agreed.}\n")
    assert found.verdict == "legal"
    assert [(finding.rule, finding.waiver) for finding in found.problems] == [("X-001", "Agreed.")]


def test_an_illegal_card_makes_its_band_illegal(bands: Bands) -> None:
    cards = "dear: {kind: item, name: Dear, points: 12}\n"
    game, (band,) = bands(
        {
            "cards/g/cards/dear.yaml": cards,
            "cards/g/rules/main.yaml": PACK.replace("  dear: {k", "  dear2: {k").replace(
                "given: dear}", "given: dear2}"
            ),
        },
        one="title: B\nlimit: 90\nmembers: [{card: axe, carries: [dear]}]\n",
    )
    found = judge_band(game, band)
    assert found.verdict == "illegal"
    assert broken(found) == ["Y-001"]


def test_the_order_of_entries_changes_nothing(bands: Bands) -> None:
    text = "title: B\nlimit: 1\nleader: rope\nmembers: [{card: axe, skill: 9}, {card: axe}, {card: rope}]\n"
    game, (band,) = bands(one=text)
    members = band.values["members"]
    assert isinstance(members, tuple)
    seen = set()
    for order in permutations(members):
        values = Entry({**band.values, "members": order}, band.values.span)
        found = judge_band(game, band, values)
        seen.add((found.verdict, tuple(sorted((f.rule, f.subject, f.message, f.offenders) for f in found.problems))))
    assert len(seen) == 1


def test_every_example_of_the_pack_gets_its_verdict_and_a_wrong_one_is_told(bands: Bands) -> None:
    game, _ = bands()
    report = Report()
    check_pack(game.packs["main"], game, report)
    assert not report.items, [item.message for item in report]
    wrong = PACK.replace("legal: [{given: {limit: 9,", "legal: [{given: {limit: 0,")
    game, _ = bands({"cards/g/rules/main.yaml": wrong})
    check_pack(game.packs["main"], game, report)
    assert [item.message for item in report] == ["rule `X-001` is illegal on an example that says legal"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("actual: it.skill", "actual: it.skil", None),
        ("limit: band.limit\n", "limit: band.limt\n", "`band` has no `limt`"),
        ("actual: card.points", "actual: card.ponts", "`card` has no `ponts`"),
        ("band.members|repeated", "band.members|repeted", "there is no filter `repeted`"),
        ("limit: 9\n", "limit: nine\n", "there is no `nine`"),
    ],
)
def test_a_misspelt_name_is_an_error_of_the_pack(bands: Bands, old: str, new: str, problem: str | None) -> None:
    assert old in PACK
    game, _ = bands({"cards/g/rules/main.yaml": PACK.replace(old, new)})
    report = Report()
    check_pack(game.packs["main"], game, report)
    messages = [item.message for item in report]
    assert messages
    assert problem is None or any(problem in message for message in messages), messages


def test_mends_are_the_fewest_changes(bands: Bands) -> None:
    game, (band,) = bands(one="title: B\nlimit: 9\nmembers: [{card: axe, skill: 4}, {card: rope}]\n")
    found = mend(game, band)
    assert found.exact
    assert all(len(item.changes) == 1 for item in found.mends)
    assert ("lower skill of Axe from 4 to 3",) in [item.changes for item in found.mends]
    assert ("leave out Axe",) in [item.changes for item in found.mends]


def test_a_mend_says_when_it_stopped_early(bands: Bands) -> None:
    game, (band,) = bands(one="title: B\nlimit: 0\nmembers: [{card: axe}, {card: rope}]\n")
    found = mend(game, band, most=1)
    assert not found.exact


def test_filling_reaches_the_limit(bands: Bands) -> None:
    cards = "".join(f"c{n}: {{kind: item, name: C{n}, points: {n}}}\n" for n in range(2, 8))
    game, (band,) = bands({"cards/g/cards/c.yaml": cards}, one="title: B\nlimit: 12\nmembers: [{card: axe}]\n")
    found = fill(game, band, [f"c{n}" for n in range(2, 8)])
    assert found.exact
    assert found.mends[0].total == 12
    assert [item.total for item in found.mends] == sorted((item.total for item in found.mends), reverse=True)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.sampled_from(["axe", "rope"]), st.integers(0, 5)), min_size=1, max_size=4), st.integers(0, 6)
)
def test_actual_and_limit_stand_in_every_message(bands: Bands, members: list[tuple[str, int]], limit: int) -> None:
    lines = ", ".join(f"{{card: {card}, skill: {skill}}}" for card, skill in members)
    game, (band,) = bands(one=f"title: B\nlimit: {limit}\nmembers: [{lines}]\n")
    for finding in judge_band(game, replace(band, title="B"), compare=False).problems:
        assert finding.actual in finding.message
        assert finding.op == "empty" or finding.limit in finding.message


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("formula: size,", "formula: siez,", "CG104"),
        ("given: {limit: band.limit}", "given: {}", "CG025"),
        ("given: {limit: band.limit}", "given: {limit: band.limit, other: 1}", "CG617"),
        ("kinds: [item]", "kinds: [itme]", "CG617"),
        ("touches: [X-001]", "touches: [X-009]", "CG617"),
        ("    rulings: [HALF]\n    examples:\n      legal: [{given: {members: [{card: axe}]}}]", "    examples:\n      legal: [{given: {members: [{card: axe}]}}]", "CG618"),
        ("each: band.members\n", "each: band.limit\n", "CG607"),
        ('limit: "[1, 3]"', 'limit: "3"', "CG607"),
    ],
)  # fmt: skip
def test_mistakes_of_a_pack_are_told_by_the_pack(bands: Bands, old: str, new: str, code: str) -> None:
    assert old in PACK
    game, _ = bands({"cards/g/rules/main.yaml": PACK.replace(old, new)})
    report = Report()
    check_pack(game.packs["main"], game, report)
    assert code in {item.code for item in report}, [item.message for item in report]


@pytest.mark.parametrize(
    "message", ["{actual} of {limit}, {band.limit}", "{actual} of {limit}, {over", "{actual} of {limit!r}"]
)
def test_braces_that_mean_nothing_are_refused(tmp_path: Path, message: str) -> None:
    pack = PACK.replace("{subject} costs {actual}; the limit is {limit} (over by {over})", message)
    root = write_project(
        tmp_path, {"cards/g/game.yaml": BASE["cards/g/game.yaml"] + BANDS, "cards/g/rules/main.yaml": pack}
    )
    report = Report()
    load(root, report)
    assert "CG603" in {item.code for item in report}, [item.message for item in report]


@pytest.mark.parametrize(
    "text",
    [
        "title: B\nlimit: 9\nmembers: [{card: axe, carry: [rope]}]\n",
        "title: B\nlimit: 9\nmembres: [{card: axe}]\n",
        "title: B\nlimit: 9\nmembers: [{card: axe}]\nwaivers: {X-001: ''}\n",
        "title: B\nlimit: 9\nlimit: 2\nmembers: [{card: axe}]\n",
        "title: B\nlimit: 9\nmembers: [{card: axe, card: rope}]\n",
    ],
)
def test_a_band_with_mistakes_in_its_file_gets_no_verdict(tmp_path: Path, text: str) -> None:
    root = write_project(
        tmp_path,
        {
            "cards/g/game.yaml": BASE["cards/g/game.yaml"] + BANDS,
            "cards/g/rules/main.yaml": PACK,
            "cards/g/bands/one.yaml": text,
        },
    )
    project, report = load(root), Report()
    assert load_bands(project.shelf, project.games["g"], report) == []
    assert report.has_errors()


def test_entries_of_one_name_are_told_apart_in_mends(bands: Bands) -> None:
    text = "title: B\nlimit: 3\nmembers: [{card: axe, carries: [rope, rope]}, {card: axe}]\n"
    game, (band,) = bands({"cards/g/rules/main.yaml": PACK}, one=text)
    changes = {change for item in mend(game, band).mends for change in item.changes}
    assert "leave out Axe no. 1" in changes
    assert any("Rope no. 2" in change for change in changes) or len(changes) > 1

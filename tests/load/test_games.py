"""Games, cards and decks as values: defaults, references, derived fields, what translators see, one mistake at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardgen.diagnostics import Report
from cardgen.load.project import load_project
from cardgen.model.card import Card
from cardgen.model.game import Game, KeywordUse
from tests.support import BASE, edit, write_project

GAME = "cards/g/game.yaml"


def load(root: Path, changes: dict[str, str | None]) -> tuple[Game | None, list[str]]:
    report = Report()
    project = load_project(write_project(root, changes), report)
    assert project is not None
    return project.games.get("g"), [f"{item.span} {item.code}: {item.message}" for item in report]


def card(root: Path, fields: str, values: str) -> tuple[Card, list[str]]:
    """The card `axe` with more values, of a kind with more fields."""
    game = BASE[GAME].replace("      points: {type", f"{fields}\n      points: {{type")
    items = BASE["cards/g/cards/items.yaml"].replace('  rules: "**Chop** it."\n', f"{values}\n")
    loaded, problems = load(root, {GAME: game, "cards/g/cards/items.yaml": items})
    assert loaded is not None
    return loaded.cards["axe"], problems


@pytest.mark.parametrize(
    ("field", "written", "value"),
    [
        ("{type: text}", "no", "no"),
        ("{type: rich}", "|\n    a\n\n    - b", "a\n\n- b"),
        ("{type: integer}", "-3", -3),
        ("{type: number}", "2.5", 2.5),
        ("{type: boolean}", "yes", True),
        ("{type: choice, values: [a, b]}", "b", "b"),
        ("{type: choice, values: {a: A, b: B}}", "a", "a"),
        ("{type: card}", "rope", "rope"),
        ("{type: card, kinds: [item]}", "rope", "rope"),
        ("{type: icon}", "star", "star"),
        ("{type: image}", "a/b.svg", "a/b.svg"),
        ("{type: length}", "1/4in", 6.35),
        ("{type: list, of: {type: integer}}", "[1, 2]", (1, 2)),
        ("{type: record, fields: {a: {type: text}, b: {type: integer, default: 2}}}", "{a: x}", {"a": "x", "b": 2}),
        ("{type: bands, track: threat, of: {type: integer}}", "{high: 2, low: 1}", {"low": 1, "high": 2}),
    ],
)
def test_values_of_every_type(tmp_path: Path, field: str, written: str, value: Any) -> None:
    axe, problems = card(tmp_path, f"      x: {field}", f"  x: {written}")
    assert (axe.values["x"], problems) == (value, [])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("{type: text}", None),
        ("{type: text, default: none yet}", "none yet"),
        ("{type: text, default: a text that is longer than thirty characters}", "a text that is longer than thirty characters"),
        ("{type: integer, default: 7}", 7),
        ("{type: boolean, default: no}", False),
        ("{type: length, default: 1cm}", 10.0),
        ("{type: choice, values: [a, b], default: b}", "b"),
        ("{type: list, of: {type: text}}", ()),
        ("{type: record, fields: {a: {type: text, default: x}}}", None),
    ],
)  # fmt: skip
def test_what_is_not_written_is_the_default(tmp_path: Path, field: str, value: Any) -> None:
    axe, problems = card(tmp_path, f"      x: {field}", "")
    assert (axe.values["x"], problems) == (value, [])


def test_dice_and_keywords_are_values_of_the_game(tmp_path: Path) -> None:
    fields = (
        "      d: {type: die}\n      k: {type: list, of: {type: keyword}}\n      w: {type: keyword, default: sharp}"
    )
    axe, problems = card(tmp_path, fields, "  d: white\n  k: [sharp, {shots: 2}]")
    game, _ = load(tmp_path, {})
    assert game is not None and problems == []
    assert axe.values["d"] == game.dice["white"]
    sharp, shots = game.keywords["sharp"], game.keywords["shots"]
    assert axe.values["k"] == (KeywordUse(sharp), KeywordUse(shots, 2))
    assert axe.values["w"] == KeywordUse(sharp)
    assert KeywordUse(shots, 2).title == "Shots (2)"


def test_derived_fields_are_computed_in_the_order_of_their_need(tmp_path: Path) -> None:
    changes = edit(
        GAME,
        "      double: card.points * 2\n",
        "      last: card.middle + 1\n      middle: card['first'] * 10\n      first: card.points + game_less\n".replace(
            " + game_less", ""
        ),
    )
    game, problems = load(tmp_path, dict(changes))
    assert game is not None and problems == []
    assert {name: game.cards["axe"].values[name] for name in ("first", "middle", "last")} == {
        "first": 1, "middle": 10, "last": 11,
    }  # fmt: skip


def test_decks_keep_their_order_and_copies(tmp_path: Path) -> None:
    game, problems = load(tmp_path, {"cards/g/decks/d.yaml": "title: D\ncards: {rope: 3, axe: 0}\n"})
    assert game is not None and problems == []
    assert list(game.decks["d"].cards.items()) == [("rope", 3), ("axe", 0)]


def test_translators_see_every_text_at_its_place(tmp_path: Path) -> None:
    fields = (
        "      size: {type: choice, values: {s: Small}}\n      hidden: {type: text, translate: false}\n"
        "      parts: {type: list, of: {type: record, fields: {a: {type: text}, b: {type: rich}}}}\n"
        "      k: {type: keyword}"
    )
    values = "  hidden: x\n  parts:\n    - {a: one}\n    - {b: two}\n  k: sharp"
    axe, _ = card(tmp_path, fields, values)
    report = Report()
    project = load_project(tmp_path, report)
    assert project is not None
    strings = project.games["g"].strings
    assert {name: source.text for name, source in strings.items() if name.startswith("axe/")} == {
        "axe/name": "Axe", "axe/parts.0.a": "one", "axe/parts.1.b": "two",
    }  # fmt: skip
    assert strings["kinds/item.size.s"].text == "Small"
    assert strings["axe/parts.1.b"].rich and not strings["axe/parts.0.a"].rich
    assert str(strings["axe/parts.1.b"].span) == "cards/g/cards/items.yaml:7:11"
    assert str(strings["tracks/threat.low"].span).startswith(f"{GAME}:17:26")
    assert axe.place("parts.0") == strings["axe/parts.0.a"].span.__class__("cards/g/cards/items.yaml", 6, 7)


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('colour: "#ffffff"', "colour: white", "CG020"),
        ("parameter: integer, text: It shoots.", "parameter: number, text: It shoots.", "CG024"),
        ("to: 2, colour", "to: two, colour", "CG020"),
        ("name: {type: text, required: true}", "name: {type: txt, required: true}", "CG024"),
        ("double: card.points * 2", "double: card.points *", "CG110"),
        ("trim: poker-eu", "trim: poker-eux", "CG104"),
        ("front: g/item", "front: g/iten", "CG104"),
        ('version: "1", kinds: [item]}', 'version: "1", kinds: [itme]}', "CG104"),
        ("type: card, kinds: [item]", "type: card, kinds: [itme]", "CG104"),
        ("letter: W", "letter: WWWW", "CG023"),
        ("    title: Item\n", "", "CG025"),
    ],
)
def test_one_mistake_is_one_message(tmp_path: Path, old: str, new: str, place: str) -> None:
    """Whatever depends on what is broken says nothing more."""
    cards = """\
axe: {kind: item, name: Axe, dice: [white], words: [sharp, {shots: 2}], results: {low: a, high: b}}
rope: {kind: item, name: Rope, next: axe}
"""
    fields = """\
      dice: {type: list, of: {type: die}}
      words: {type: list, of: {type: keyword}}
      results: {type: bands, track: threat, of: {type: text}}
      next: {type: card, kinds: [item]}
"""
    game = BASE[GAME].replace("    derived:\n", f"{fields}    derived:\n")
    sound, problems = load(tmp_path, {GAME: game, "cards/g/cards/items.yaml": cards})
    assert sound is not None and problems == []
    assert game.count(old) == 1
    deck = "title: D\ncards: {axe: 1, rope: 1}\n"
    _, problems = load(
        tmp_path, {GAME: game.replace(old, new), "cards/g/cards/items.yaml": cards, "cards/g/decks/d.yaml": deck}
    )
    assert len(problems) == 1, problems
    assert f" {place}: " in problems[0]


def test_a_broken_card_is_not_missed(tmp_path: Path) -> None:
    cards = "axe: {kind: item, nam: Axe}\nrope: {kind: item, name: Rope}\n"
    deck = "title: D\ncards: {axe: 1, rope: 1}\n"
    _, problems = load(tmp_path, {"cards/g/cards/items.yaml": cards, "cards/g/decks/d.yaml": deck})
    assert [problem.split(" ")[1] for problem in problems] == ["CG025:", "CG102:"]


def test_a_file_that_cannot_be_read_hides_what_decks_want(tmp_path: Path) -> None:
    deck = "title: D\ncards: {axe: 1, saw: 1}\n"
    _, problems = load(tmp_path, {"cards/g/cards/more.yaml": "saw: [", "cards/g/decks/d.yaml": deck})
    assert [problem.split(" ")[1] for problem in problems] == ["CG003:"]


@pytest.mark.parametrize(
    ("most", "told"),
    [
        ("{type: record, limits: trained, fields: {a: {type: integer}}}", ""),
        ("{type: record, limits: traned, fields: {a: {type: integer}}}", "`traned`"),
        ("{type: record, limits: most, fields: {a: {type: integer}}}", "`most`"),
        ("{type: record, limits: name, fields: {a: {type: integer}}}", "`name`"),
        ("{type: record, limits: trained, fields: {b: {type: integer}}}", "`b`"),
        ("{type: integer, limits: trained}", "CG108"),
    ],
)
def test_a_record_limits_a_record_beside_it_field_by_field(tmp_path: Path, most: str, told: str) -> None:
    trained = "      trained: {type: record, fields: {a: {type: integer}, c: {type: integer}}}\n"
    for inside in (False, True):
        fields = f"{trained}      most: {most}\n"
        if inside:
            fields = "      whole:\n        type: record\n        fields:\n" + fields.replace("      ", " " * 10)
        if inside and "limits: name" in most:
            continue
        game = BASE[GAME].replace("    derived:\n", f"{fields}    derived:\n")
        _, problems = load(tmp_path, {GAME: game})
        assert (len(problems), told in "".join(problems)) == (1 if told else 0, True), problems
        place = next((n for n, line in enumerate(game.splitlines(), 1) if " most:" in line), 0)
        assert not told or problems[0].startswith(f"{GAME}:{place}:"), problems


@pytest.mark.parametrize(("most", "told"), [("3", "CG128"), ("4", ""), ("5", "")])
def test_a_value_above_its_own_most_is_told_at_its_place(tmp_path: Path, most: str, told: str) -> None:
    fields = (
        "      trained: {type: record, fields: {a: {type: integer}, c: {type: integer}}}\n"
        "      most: {type: record, limits: trained, fields: {a: {type: integer}}}\n"
    )
    game = BASE[GAME].replace("    derived:\n", f"{fields}    derived:\n")
    saw = "saw:\n  kind: item\n  name: Saw\n  copies: 1\n  trained: {a: 4, c: 9}\n  most:\n    a: MOST\n".replace(
        "MOST", most
    )
    _, problems = load(tmp_path, {GAME: game, "cards/g/cards/more.yaml": saw})
    assert [problem.split(" ")[:2] for problem in problems] == (
        [["cards/g/cards/more.yaml:7:8", f"{told}:"]] if told else []
    )

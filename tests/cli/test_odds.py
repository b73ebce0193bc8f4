"""`cardgen odds`, and `cardgen explain` of a keyword: text, JSON, languages, and what is said of mistakes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


def cardgen(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "cardgen", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def test_text_has_titles_fractions_and_bars() -> None:
    done = cardgen("odds", "attack(2white, 1red)")
    assert (done.returncode, done.stderr) == (0, "")
    assert "The attacker wins: 80.09 %  173/216" in done.stdout
    assert "source: S0 p14" in done.stdout and "█" in done.stdout


def test_another_language_says_the_same() -> None:
    done = cardgen("odds", "attack(2white, 1red)", "--lang", "ru")
    assert "Атакующий побеждает: 80.09 %  173/216" in done.stdout


def test_json_has_exact_fractions() -> None:
    told = json.loads(cardgen("odds", "search", "--format", "json").stdout)
    assert (told["game"], told["situation"]) == ("zombies", "search")
    outcomes = {item["value"]: item["chance"] for item in told["results"]["finds"]["outcomes"]}
    assert outcomes == {"nothing": "1/2", "life": "3/20", "bullet": "3/20", "card": "3/20", "attack": "1/20"}


def test_without_an_expression_the_situations_are_listed() -> None:
    assert "  attack(attack=2white, defence=1red)  Attack and defence" in cardgen("odds").stdout
    listed = json.loads(cardgen("odds", "--format", "json", "--game", "arena").stdout)
    assert [game["game"] for game in listed] == ["arena"] and "check" in listed[0]["situations"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("2red",), "`--game twd`"),
        (("2whit", "--game", "twd"), "did you mean `white`?"),
        (("atack(2white)", "--game", "twd"), "did you mean `attack`?"),
        (("attack(2white, 1red, 3)", "--game", "twd"), "3 things"),
        (("attack(", "--game", "twd"), "the `(` at character 7 is not closed; did you mean `attack()`?"),
        (("search(",), "error: `search(`: the `(` at character 7 is not closed; did you mean `search()`?"),
        (("attack((2)white, 1red",), "the `(` at character 7 is not closed; did you mean `attack((2)white, 1red)`?"),
        (("search)",), "error: `search)`: the `)` at character 7 closes nothing; did you mean `search`?"),
        (("fight(bullets=",), "error: `fight(bullets=`: the `(` at character 6 is not closed\n"),
        (("attack(2whte, 1red)",), "error: there is no die `whte`; did you mean `white`?\n"),
        (("2white+1d9",), "error: there is no die `d9`; known: black, blue,"),
        (("2d6",), "error: twd: there is no die `d6`; known: black"),
        (("attack(2white, 1rd)",), "error: there is no die `rd`; did you mean `red`?"),
        (("second-serch",), "error: there are no odds `second-serch`; did you mean `second-search`?"),
        (("check(dice=11)", "--game", "arena"), "from 1 to 10"),
        (("500white",), "more than 100"),
        (("", "--game", "twd"), "no dice"),
        (("2white+",), "error: `2white+`: there are no dice before or behind a `+`; take it out, or name them\n"),
        (("+2white", "--game", "twd"), "error: `+2white`: there are no dice before or behind a `+`"),
        (("2white", "--game", "tdw"), "did you mean `twd`?"),
    ],
)
def test_mistakes_are_usage(arguments: tuple[str, ...], said: str) -> None:
    done = cardgen("odds", *arguments)
    assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr


def test_explain_tells_a_keyword_with_its_rulings() -> None:
    told = cardgen("explain", "sharp").stdout
    assert told.startswith("sharp: Sharp\n") and "FAQ-006: Bonus damage" in told
    assert "FAQ-006" in cardgen("explain", "sharp", "--lang", "ru").stdout


@pytest.mark.parametrize(
    ("asked", "lang", "first"),
    [
        ("faq-007", "en", "FAQ-007: "),
        ("twd-001", "es", "TWD-001: "),
        ("SHARP", "en", "sharp: Sharp"),
        ("cg102", "en", "CG102 ("),
    ],
)
def test_explain_takes_any_case(asked: str, lang: str, first: str) -> None:
    assert cardgen("explain", asked, "--lang", lang).stdout.startswith(first)


def test_explain_takes_the_printed_title() -> None:
    told = cardgen("explain", "острое", "--lang", "ru")
    assert (told.returncode, told.stdout.split(":")[0]) == (0, "sharp")
    assert cardgen("explain", "Seats in the helicopter").stdout.startswith("ZOM-007: ")


@pytest.mark.parametrize(("lang", "no", "yes"), [("en", "no", "yes"), ("es", "no", "sí"), ("ru", "нет", "да")])
def test_yes_and_no_are_values_of_json_and_words_of_the_language(lang: str, no: str, yes: str) -> None:
    told = json.loads(cardgen("odds", "search", "--lang", lang, "--format", "json").stdout)
    outcomes = told["results"]["useful"]["outcomes"]
    assert [(item["value"], item["title"]) for item in outcomes] == [(False, no), (True, yes)]


def test_what_hardly_ever_happens_is_told_in_one_line() -> None:
    done = cardgen("odds", "test(5, 1)", "--game", "zcorps")
    rows = [line for line in done.stdout.splitlines() if "or more" in line]
    assert "less than 0.01 %" in rows[-1] and sum("less than" in row for row in rows) == 1
    assert not any(" 0.00 % or more" in row for row in rows)

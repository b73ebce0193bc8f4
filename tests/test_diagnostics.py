"""The table of codes, the report, and what is printed of them."""

from __future__ import annotations

import ast
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.codes import CODES
from cardgen.diagnostics import Diagnostic, Report, Span, did_you_mean, nearest, printable

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted((ROOT / "cardgen").rglob("*.py"))


def uses() -> Iterator[tuple[str, str, set[str] | None]]:
    """Where the program makes a diagnostic: place, code, names of the arguments (None when they are not written out)."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            called, first = node.func, node.args[0]
            adds = isinstance(called, ast.Attribute) and called.attr == "add"
            makes = isinstance(called, ast.Name) and called.id == "Diagnostic"
            if not (adds or makes) or not isinstance(first, ast.Constant) or not isinstance(first.value, str):
                continue
            if not first.value.startswith("CG"):
                continue
            names: set[str] | None = {word.arg for word in node.keywords if word.arg} - {"span", "hint"}
            if any(word.arg is None for word in node.keywords):
                names = None
            if makes:
                given = node.args[1]
                assert isinstance(given, ast.Dict)
                names = {str(key.value) for key in given.keys if isinstance(key, ast.Constant)}
            yield f"{path.relative_to(ROOT)}:{node.lineno}", first.value, names


def placeholders(code: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(CODES[code].message) if name}


def test_every_use_gives_what_its_message_needs() -> None:
    wrong = [
        f"{place}: {code} takes {sorted(placeholders(code))}, gets {sorted(names)}"
        for place, code, names in uses()
        if names is not None and names != placeholders(code)
    ]
    assert wrong == []


def test_every_code_is_used_and_every_used_code_is_in_the_table() -> None:
    # Some codes are chosen by a variable, so that any mention in the program counts as a use.
    text = "".join(path.read_text("utf-8") for path in SOURCES if path.name != "codes.py")
    assert {code for code in CODES if f'"{code}"' not in text} == set()
    assert {code for _, code, _ in uses()} <= CODES.keys()


def test_every_code_is_produced_by_a_test() -> None:
    texts = [
        path.read_text("utf-8")
        for path in sorted((ROOT / "tests").rglob("*"))
        if path.suffix in {".py", ".txt", ".yaml"} and path != Path(__file__)
    ]
    assert {code for code in CODES if not any(code in text for text in texts)} == set()


def test_what_each_problem_befell_is_an_argument_of_its_message() -> None:
    # `lang` may be left out of the message; then the languages are simply one.
    assert {
        code: code_.each for code, code_ in CODES.items() if not set(code_.each) <= placeholders(code) | {"lang"}
    } == {}


def test_the_page_of_errors_is_current() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "make_errors.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_place_is_shown_as_editors_read_it() -> None:
    assert str(Span("cards/g/a.yaml", 3, 7)) == "cards/g/a.yaml:3:7"
    assert str(Span("cards/g/a.yaml")) == "cards/g/a.yaml"
    assert str(Span("a\n\x1b[31m\udce9.yaml", 1, 1)) == r"a\n\x1b[31m\udce9.yaml:1:1"


@given(st.text())
def test_what_is_printed_is_printable(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert len(shown) <= 10 * 300
    shown.encode("utf-8")
    if text.isprintable() and len(text) <= 300:
        assert shown == text


def test_problems_are_sorted_by_place() -> None:
    report = Report()
    report.add("CG005", Span("b", 1, 1), key="x")
    report.add("CG005", Span("a", 10, 1), key="x")
    report.add("CG009", Span("a", 9, 1))
    report.add("CG001", None, problem="first, being nowhere")
    assert [str(item.span) for item in report] == ["None", "a:9:1", "a:10:1", "b:1:1"]


def test_the_same_problem_is_told_once() -> None:
    report = Report()
    for _ in range(3):
        report.add("CG009", Span("a", 1, 1))
    (item,) = report
    assert item.message == "the file is empty"


def test_one_cause_with_many_victims_is_told_once_with_their_number() -> None:
    report = Report()
    for card in ("rope", "axe", "saw"):
        for lang in ("es", "en"):
            report.add("CG302", Span("l", 2, 1), face=f"{card}/front", lang=lang, problem="there is no `x`")
    report.add("CG302", Span("l", 3, 1), face="axe/front", lang="en", problem="there is no `x`")
    assert [item.message for item in report] == [
        "axe/front (en): there is no `x` (and 5 more)",
        "axe/front (en): there is no `x`",
    ]


@given(st.permutations(range(6)))
def test_reports_do_not_depend_on_the_order_of_discovery(order: list[int]) -> None:
    items = [
        Diagnostic("CG302", {"face": f"c{n % 3}/front", "lang": "en", "problem": f"p{n % 2}"}, Span("l", n % 2, 1))
        for n in range(6)
    ]
    report, other = Report(list(items)), Report([items[n] for n in order])
    assert report.sorted() == other.sorted()


def test_warnings_count_when_one_is_strict() -> None:
    report = Report()
    report.add("CG116", Span("cardgen.yaml", 1, 1))
    assert not report.has_errors()
    assert report.has_errors(strict=True)


@pytest.mark.parametrize(
    ("name", "known", "found"),
    [
        ("cots", ["cost", "name", "colour"], "cost"),
        ("smal", ["small", "large"], "small"),
        ("hatchet", ["axe", "camp-hatchet"], "camp-hatchet"),
        ("oswald-bold.ttf", ["oswald"], "oswald"),
        ("center", ["e", "d", "int"], None),
        ("x" * 100_000, ["x", "y"], None),
        ("anything", [], None),
    ],
)
def test_the_nearest_name(name: str, known: list[str], found: str | None) -> None:
    assert nearest(name, known) == found


def test_a_hint_offers_the_nearest_name_or_all_when_they_are_few() -> None:
    assert did_you_mean("cots", ["cost"]) == "did you mean `cost`?"
    assert did_you_mean("zzz", ["b", "a"]) == "known: a, b"
    assert did_you_mean("zzz", [f"a{n}" for n in range(13)]) == ""

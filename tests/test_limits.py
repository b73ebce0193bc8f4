"""docs/limits.md says what the constants of the program say."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parent.parent / "docs" / "limits.md"
ROWS = re.findall(r"^\| ([^|]+) \| ([\d ]+)( [a-zA-Z]+)? \| `([\w.]+)` \|$", PAGE.read_text("utf-8"), re.MULTILINE)
UNITS = {"MB": 1_000_000, "kB": 1_000}


def test_there_are_rows() -> None:
    assert len(ROWS) == PAGE.read_text("utf-8").count("| `cardgen.") > 20


@pytest.mark.parametrize(("what", "number", "unit", "constant"), ROWS, ids=[row[3] for row in ROWS])
def test_the_page_says_what_the_program_does(what: str, number: str, unit: str, constant: str) -> None:
    module, _, name = constant.rpartition(".")
    stated = int(number.replace(" ", "")) * UNITS.get(unit.strip(), 1)
    assert getattr(import_module(module), name) == stated, what


def test_every_filter_is_on_the_page_of_expressions() -> None:
    from cardgen.text.bounds import SAFE_FILTERS

    page = PAGE.with_name("expressions.md").read_text("utf-8")
    aliases = {"d": "default", "e": "escape"}
    assert [name for name in SAFE_FILTERS if f"`{aliases.get(name, name)}" not in page] == []

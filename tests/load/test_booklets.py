"""Booklets: what Markdown becomes, how translators know it, and what is said of what a booklet cannot hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostics import Report
from cardgen.i18n.translate import translate
from tests.support import load, write_project

TEXT = """\
# Rules

A short *text* with a [star]
over two lines.

{contents}

## Setting up

1. First.
2. Second.

- One
  - Within

> Remember.

---

{track threat}

## Setting up

Again.
"""
FILE = "cards/g/booklets/rules.md"


def codes(root: Path, text: str) -> list[str]:
    report = Report()
    load(write_project(root, {FILE: text}), report)
    return [f"{item.code}:{item.span.line if item.span else 0}" for item in report]


def test_blocks_and_their_names(tmp_path: Path) -> None:
    project = load(write_project(tmp_path, {FILE: TEXT}))
    book = project.games["g"].booklets["rules"]
    assert book.title == "Rules"
    found = [(block.kind, block.text or block.insert, block.level) for block in book.blocks]
    assert found == [
        ("heading", "Rules", 1),
        ("paragraph", "A short *text* with a [star] over two lines.", 1),
        ("insert", "contents", 1),
        ("heading", "Setting up", 2),
        ("number", "First.", 1),
        ("number", "Second.", 1),
        ("bullet", "One", 1),
        ("bullet", "Within", 2),
        ("quote", "Remember.", 1),
        ("break", "", 1),
        ("insert", "track threat", 1),
        ("heading", "Setting up", 2),
        ("paragraph", "Again.", 1),
    ]
    named = [block.context.removeprefix("booklets/rules.") for block in book.blocks if block.text]
    assert named[:4] == ["rules.0", "rules.1", "setting-up.0", "setting-up.1"]
    assert named[-2:] == ["setting-up-2.0", "setting-up-2.1"]
    assert [str(block.span.line) for block in book.blocks][:5] == ["1", "3", "6", "8", "10"]


def test_what_is_written_in_another_section_leaves_names_alone(tmp_path: Path) -> None:
    before = load(write_project(tmp_path / "one", {FILE: TEXT})).games["g"]
    after = load(write_project(tmp_path / "two", {FILE: TEXT.replace("{contents}", "More.\n\n{contents}")})).games["g"]
    told = {name: source.text for name, source in before.strings.items() if name.startswith("booklets/")}
    again = {name: source.text for name, source in after.strings.items() if name.startswith("booklets/")}
    assert again == {**told, "booklets/rules.rules.2": "More."}


def test_a_booklet_in_another_language(tmp_path: Path) -> None:
    game = load(write_project(tmp_path, {FILE: TEXT})).games["g"]
    told = translate(game, "es", {"booklets/rules.rules.0": "Reglas", "booklets/rules.setting-up.2": "Segundo."})
    book = told.booklets["rules"]
    assert book.title == book.blocks[0].text == "Reglas"
    assert [block.text for block in book.blocks if block.kind == "number"] == ["First.", "Segundo."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Only text.\n", ["CG680:1"]),
        ("# A\n\n{tabel x}\n", ["CG681:3"]),
        ("# A\n\n{track thread}\n", ["CG681:3"]),
        ("# A\n\n{track}\n", ["CG681:3"]),
        ("# A\n\n{contents all}\n", ["CG681:3"]),
        ("# A\n\n```\ncode\n```\n", ["CG682:3"]),
        ("# A\n\n<div>\n</div>\n", ["CG682:3"]),
        ("# A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", ["CG682:3"]),
    ],
)
def test_what_a_booklet_cannot_hold(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert codes(tmp_path, text) == expected


def test_a_print_of_a_booklet_that_is_not_there(tmp_path: Path) -> None:
    from tests.support import edit

    printed = '  items: {title: Items, version: "1", kinds: [item]}\n'
    more = printed + '  book: {title: Book, version: "1", booklet: rulse}\n'
    report = Report()
    load(write_project(tmp_path, {FILE: TEXT, **edit("cards/g/game.yaml", printed, more)}), report)
    assert [(item.code, item.hint) for item in report] == [("CG104", "did you mean `rules`?")]

"""Cards that nobody put into a deck are told of; cards that are printed otherwise, or not meant to be, are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostics import Report
from cardgen.pipeline.build import check
from cardgen.pipeline.targets import choose
from cardgen.workers import open_workers
from tests.support import BASE, load, write_project

BY_DECK = BASE["cards/g/game.yaml"].replace("kinds: [item]}", "deck: some}")
DECK = {"cards/g/decks/some.yaml": "title: Some\ncards: {axe: 1}\n", "cards/g/game.yaml": BY_DECK}
UNUSED = {"cards/g/decks/more.yaml": "title: More\ncards: {rope: 1}\n"}


def found(tmp_path: Path, changes: dict[str, str], target: str = "g") -> Report:
    report = Report()
    project = load(write_project(tmp_path, changes), report)
    with open_workers(1) as workers:
        check(project, choose(project, [target], [], report), workers, report)
    return report


def test_a_card_in_no_deck_is_told_of_with_the_decks_that_it_could_be_in(tmp_path: Path) -> None:
    report = found(tmp_path, DECK)
    (item,) = report.items
    assert (item.code, str(item.span)) == ("CG124", "cards/g/cards/items.yaml:5:1")
    assert item.message == (
        "card `rope` is in no deck and is not printed; cards of kind `item` are printed by `some` (print `items`)"
    )
    assert "`cards/g/decks/some.yaml`" in item.hint and "copies: 0" in item.hint
    assert report.has_errors(strict=True) and not report.has_errors()


@pytest.mark.parametrize(
    "changes",
    [
        {"cards/g/game.yaml": BASE["cards/g/game.yaml"]},
        {"cards/g/game.yaml": BY_DECK + '  all: {title: All, version: "1", kinds: [item]}\n'},
        {"cards/g/cards/items.yaml": BASE["cards/g/cards/items.yaml"].replace("copies: 2", "copies: 0")},
        UNUSED,
    ],
    ids=["printed by kind", "printed by kind too", "no copies", "in a deck for something else"],
)
def test_a_card_that_is_printed_or_not_meant_to_be_is_not_told_of(tmp_path: Path, changes: dict[str, str]) -> None:
    assert [item.code for item in found(tmp_path, DECK | changes).items] == []


def test_a_print_that_is_not_looked_at_tells_of_nothing(tmp_path: Path) -> None:
    other = '  other: {title: Other, version: "1", components: [strip]}\n'
    strip = {"cards/g/components/all.yaml": "strip: {make: track, title: Strip, tracks: [threat]}\n"}
    report = found(tmp_path, DECK | strip | {"cards/g/game.yaml": BY_DECK + other}, "g/other")
    assert [item.code for item in report.items] == []

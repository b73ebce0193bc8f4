"""What a translation becomes when it is typed, accepted or doubted."""

from __future__ import annotations

import pytest

from cardgen.diagnostics import Span
from cardgen.i18n.catalog import Entry
from cardgen.i18n.revise import Verdict, revised
from cardgen.i18n.states import state_of
from cardgen.model.game import Source

HERE = Span("es.po", 1, 1)
SOURCE = Source("Camp axe", HERE, False)


def entry(source: str, target: str, fuzzy: bool = False, previous: str = "") -> Entry:
    return Entry(source, target, fuzzy, HERE, HERE, previous, ("ok CG232: it is said so",))


OLD: dict[str, Entry | None] = {
    "missing": None,
    "done": entry("Camp axe", "Hacha"),
    "stale": entry("Axe", "Hacha"),
    "exported stale": entry("Camp axe", "Hacha", True, "Axe"),
    "unreviewed": entry("Camp axe", "Hacha", True),
}


@pytest.mark.parametrize(
    ("was", "verdict", "state"),
    [
        ("missing", "draft", "unreviewed"),
        ("missing", "accepted", "done"),
        ("missing", "doubted", "unreviewed"),
        ("done", "draft", "done"),
        ("done", "doubted", "unreviewed"),
        ("stale", "draft", "stale"),
        ("stale", "doubted", "stale"),
        ("stale", "accepted", "done"),
        ("exported stale", "draft", "stale"),
        ("exported stale", "accepted", "done"),
        ("unreviewed", "draft", "unreviewed"),
        ("unreviewed", "accepted", "done"),
    ],
)
def test_states(was: str, verdict: Verdict, state: str) -> None:
    old = OLD[was]
    new = revised(SOURCE, old, "Hacha de campo", verdict)
    assert state_of(SOURCE, new) == state
    assert new.target == "Hacha de campo"
    if old is not None:
        assert new.comments == old.comments
    if state == "stale":
        # What it was made from is still known.
        assert "Axe" in (new.source, new.previous)


@pytest.mark.parametrize("verdict", ["draft", "accepted", "doubted"])
def test_a_text_that_is_emptied_is_missing(verdict: Verdict) -> None:
    assert state_of(SOURCE, revised(SOURCE, OLD["stale"], "  ", verdict)) == "missing"


def test_letters_are_composed() -> None:
    assert revised(SOURCE, None, "Cafe\u0301", "accepted").target == "Caf\u00e9"

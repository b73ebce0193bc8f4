"""What rules see of a band besides what it states: costs of entries, and what nobody stated at any depth."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.diagnostics import Span
from cardgen.model.band import Entry
from cardgen.model.game import BandKind
from cardgen.rules.costs import priced
from cardgen.rules.filters import sum_to, unmet
from cardgen.rules.language import compile_rule
from cardgen.rules.missing import MissingData

HERE = Span("bands/x.yaml", 1, 1)


def entry(**values: Any) -> Entry:
    return Entry(values, HERE)


def kind(cost: str) -> BandKind:
    return BandKind("group", "Group", "pack", {}, "members", "", cost, "", "", HERE)


def test_entries_know_what_they_cost_under_a_reading() -> None:
    band = entry(title="x", members=(entry(low=5, high=7), entry(low=2, high=1)))
    cost = kind("it.low|sum_to(it.high, rulings.C1)")
    for reading, costs in {"per_step": [13, -2], "final": [7, -2]}.items():
        seen: Any = priced(cost, band, {"rulings": {"C1": reading}})
        assert [item["cost"] for item in seen["members"]] == costs
        assert [item.span for item in seen["members"]] == [HERE, HERE]
    assert "cost" not in band["members"][0]  # type: ignore[index]


def test_a_cost_that_cannot_be_known_is_missing_not_nothing() -> None:
    band = priced(kind("it.base + it.more"), entry(title="x", members=(entry(base=1, more=None),)), {})
    with pytest.raises(MissingData, match="`cost` is not stated"):
        compile_rule('band.members|sum(attribute="cost")').run({"band": band})


def test_a_stated_cost_is_kept() -> None:
    band: Any = priced(kind("1"), entry(title="x", members=(entry(cost=9),)), {})
    assert band["members"][0]["cost"] == 9


@pytest.mark.parametrize(("start", "end", "cost"), [(5, 7, 7), (7, 5, -7), (4, 4, 0)])
def test_the_reading_that_counts_the_highest_value_alone(start: int, end: int, cost: int) -> None:
    assert sum_to(start, end, "final") == cost


def test_of_what_nobody_stated_nothing_is_stated() -> None:
    it = {"train": None, "pop": 4}
    assert compile_rule("it.train.pop|default(it.pop)").run({"it": it}) == 4
    assert compile_rule("it.train.pop is defined").run({"it": it}) is False
    assert compile_rule('[it]|selectattr("train.pop", "defined")|list').run({"it": it}) == []
    with pytest.raises(MissingData, match="`train` is not stated"):
        compile_rule("it.train.pop + 1").run({"it": it})


def test_what_asks_for_something_and_finds_none_of_it() -> None:
    hat, scarf, bell = {"for": ("cat", "dog")}, {"for": ()}, {"for": None}
    assert unmet([hat, scarf, bell], "for", ["horse"]) == [hat]
    assert unmet([hat, scarf, bell], "for", ["horse", "dog"]) == []
    assert unmet([scarf], "for", []) == []

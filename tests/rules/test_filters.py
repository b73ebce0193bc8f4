"""The filters of rules, on the worked examples of the source documents."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.rules.filters import (
    FILTERS,
    cards,
    ceil,
    having,
    lookup,
    majority,
    minority,
    repeated,
    steps,
    sum_to,
    trained,
    unplaced,
)
from cardgen.rules.language import compile_rule
from cardgen.rules.missing import MissingData
from cardgen.text.expressions import ExpressionError


def test_majority_in_both_readings() -> None:
    # Arena Deathmatch p10, contradiction C34; worked example A05.
    assert [majority(n, "ceil") for n in range(1, 10)] == [1, 2, 3, 3, 4, 4, 5, 5, 6]
    assert [majority(n, "floor") for n in range(1, 10)] == [1, 2, 2, 3, 3, 4, 4, 5, 5]


def test_training_step_by_step() -> None:
    # Arena Deathmatch p10, ruling C32; worked example A02.
    assert sum_to(5, 7) == 13
    assert 2 * sum_to(4, 6) == 22
    assert sum_to(7, 5) == -13
    assert sum_to(4, 4) == 0


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_the_path_of_training_does_not_matter(a: int, b: int, c: int) -> None:
    assert sum_to(a, b) + sum_to(b, c) == sum_to(a, c)


def test_steps_down_stop_above_nothing() -> None:
    # D6 initiative, worked example D02.
    assert [steps(score, 10) for score in (22, 9, 20, 0, -3)] == [[22, 12, 2], [9], [20, 10], [], []]
    for start, by in ((1e15, 1), (5, 0), (5, -1)):
        with pytest.raises(ValueError, match="more than 1000 steps"):
            steps(start, by)


@pytest.mark.parametrize(
    ("points", "walkers"), [(50, 4), (100, 7), (150, 10), (180, 12), (200, 14), (250, 17), (300, 20)]
)
def test_rounding_up(points: int, walkers: int) -> None:
    assert ceil(points / 15) == walkers


def test_rounding_is_not_misled_by_binary_fractions() -> None:
    assert ceil(0.1 + 0.2) == 1
    assert ceil((0.1 + 0.2) * 10) == 3


TABLE = [{"to": 100, "counters": 5}, {"from": 101, "to": 250, "counters": 6}, {"from": 251, "counters": 7}]


@pytest.mark.parametrize(("limit", "counters"), [(1, 5), (100, 5), (101, 6), (250, 6), (251, 7), (900, 7)])
def test_lookup_in_ranges(limit: int, counters: int) -> None:
    assert lookup(limit, TABLE, "counters") == counters


def test_lookup_that_finds_nothing_is_missing_data() -> None:
    with pytest.raises(MissingData, match="no row of the table covers `5`"):
        lookup(5, [{"from": 6, "to": 7}])
    with pytest.raises(MissingData, match="`x` is not in the table"):
        lookup("x", {"y": 1})


def test_repeated_names_all_that_stand_more_than_once() -> None:
    items = [{"n": "a"}, {"n": "b"}, {"n": "a"}]
    assert repeated(items, "n") == [items[0], items[2]]
    assert repeated([1, 2, 3]) == []


def test_minority_names_whoever_differs_from_most() -> None:
    a, b = {"faction": "a"}, {"faction": "b"}
    assert minority([a, b, a], "faction") == [b]
    assert minority([a, b], "faction") == [a, b]
    assert minority([a, a], "faction") == minority([], "faction") == []


def test_having_looks_into_lists() -> None:
    items = [{"only": ("runner", "leader")}, {"only": ()}, {"only": ("brawler",)}]
    assert having(items, "only", ["leader", "brawler"]) == [items[0], items[2]]


def test_cards_are_found_however_deep() -> None:
    ana, axe, scope = ({"id": id, "kind": kind} for id, kind in (("ana", "s"), ("axe", "e"), ("scope", "e")))
    members = ({"card": ana, "hands": (axe,), "head": None, "attached": ({"item": scope, "to": axe},)},)
    assert cards(members) == [ana, axe, scope, axe]
    assert cards(members, ["e"], ["to"]) == [axe, scope]
    assert cards(ana, ["e"]) == cards(3) == []


def test_flat_leaves_out_what_is_not_stated_and_nothing_else() -> None:
    member = {"hands": ("axe",), "head": None, "body": {"id": "vest"}, "pack": ()}
    run = compile_rule("[it.hands, it.head, it.body, it.pack]|flat").run
    assert run({"it": member}) == ["axe", {"id": "vest"}]
    with pytest.raises(ExpressionError, match="there is no `hed`"):
        compile_rule("[it.hands, it.hed]|flat").run({"it": member})


def test_trained_leaves_out_what_is_innate() -> None:
    assert trained([{"id": 1, "innate": True}, {"id": 2}, {"id": 3, "innate": False}]) == [
        {"id": 2},
        {"id": 3, "innate": False},
    ]


def item(name: str, *fits: str) -> dict[str, Any]:
    return {"id": name, "fits": fits}


GUN, KNIFE, HELMET = item("gun", "hand", "pack"), item("knife", "hand", "pack"), item("helmet", "head", "pack")
BULKY, ROPE = item("bulky", "hand*2", "pack"), item("rope", "hand", "pack")


@pytest.mark.parametrize(
    ("items", "slots", "left"),
    [
        ([GUN, KNIFE, HELMET], "hand hand head", []),
        ([GUN, KNIFE, ROPE], "hand hand pack", []),
        ([GUN, KNIFE, ROPE], "hand hand", ["rope"]),
        # A bulky item takes both hands, or one place in the pack (S0 p33).
        ([BULKY, KNIFE], "hand hand", ["knife"]),
        ([BULKY, KNIFE, GUN], "hand hand pack", []),
        ([BULKY, KNIFE], "hand hand pack", []),
        ([HELMET], "hand hand", ["helmet"]),
    ],
)  # fmt: skip
def test_slots(items: list[dict[str, Any]], slots: str, left: list[str]) -> None:
    assert [one["id"] for one in unplaced(items, slots.split())] in (
        [*left],
        [items[0]["id"]] if left == ["knife"] else left,
    )


@given(
    st.lists(st.sampled_from([GUN, KNIFE, HELMET, BULKY, ROPE]), max_size=5),
    st.lists(st.sampled_from(["hand", "head", "pack"]), max_size=5),
)
def test_as_many_as_possible_are_placed_whatever_the_order(items: list[dict[str, Any]], slots: list[str]) -> None:
    counts = {len(unplaced(order, slots)) for order in permutations(items)}
    assert len(counts) == 1


def test_every_filter_says_what_it_does() -> None:
    assert all(function.__doc__ for function in FILTERS.values())


def test_a_large_step_is_no_loop() -> None:
    most = 99_999_999_999
    assert sum_to(1, most) == most * (most + 1) // 2 - 1
    assert sum_to(most, 1) == 1 - most * (most + 1) // 2

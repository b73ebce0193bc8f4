"""What holds of any dice, what calls and pools may look like, and what is said of those that cannot be computed."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.diagnostics import Span
from cardgen.model.game import Die
from cardgen.model.odds import Chance, Derived, Given, Result, RollSpec, Situation, chance_view
from cardgen.odds.compute import chances, face_view, given_of, pool_situation
from cardgen.odds.pools import MOST_DICE, Call, OddsProblem, read_call, read_pool


def die(id: str, *faces: str) -> Die:
    return Die(id, id, id[0], "#ffffff", "#000000", id, faces)


DICE = {
    item.id: item for item in (die("red", "blank", "1", "1", "2"), die("blue", "1", "2!", "3!"), die("d6", *"123456"))
}


def situation(result: str, *, dice: str = "own", values: dict[str, str] | None = None, **roll: str) -> Situation:
    return Situation(
        "s",
        "S",
        "",
        "",
        {"own": Given("own", "Own", "2red"), "n": Given("n", "N", number=2, min=0, max=9)},
        {"twice": Derived("n * 2")},
        {"hit": RollSpec("hit", dice, {"total": "face.number"}, {"best": "face.number"}, **roll)},
        {"r": Result("r", "R", result, values or {})},
        Span(""),
    )


def of(made: Situation, **told: object) -> Chance:
    return chances(made, told, DICE)[0]


POOLS = st.dictionaries(st.sampled_from(sorted(DICE)), st.integers(0, 4), max_size=3)


@given(POOLS)
@settings(max_examples=60, deadline=None)
def test_chances_sum_to_one_and_means_add_up(pool: dict[str, int]) -> None:
    chance = of(situation("hit.total"), own=pool)
    assert sum(share for _, share in chance.outcomes) == 1
    each = {
        id: Fraction(sum(int(str(face_view(face)["number"])) for face in item.faces), len(item.faces))
        for id, item in DICE.items()
    }
    assert chance.mean == sum((count * each[id] for id, count in pool.items()), Fraction(0))


@given(POOLS, st.sampled_from(sorted(DICE)), st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_one_die_more_is_never_worse(pool: dict[str, int], more: str, least: int) -> None:
    made = situation(f"hit.total >= {least}")
    assert of(made, own={**pool, more: pool.get(more, 0) + 1}).of(True) >= of(made, own=pool).of(True)


@given(POOLS)
@settings(max_examples=40, deadline=None)
def test_the_greatest_is_that_of_the_faces(pool: dict[str, int]) -> None:
    best = of(situation("hit.best"), own=pool)
    total = of(situation("hit.total"), own=pool)
    assert best.mean is not None and total.mean is not None and best.mean <= total.mean
    # All dice must stay below for the greatest to stay below.
    below = Fraction(1)
    for id, count in pool.items():
        faces = [int(str(face_view(face)["number"])) for face in DICE[id].faces]
        below *= Fraction(sum(1 for face in faces if face < 2), len(faces)) ** count
    assert best.at_least(2) == 1 - below


def test_a_die_that_is_rolled_again() -> None:
    chance = of(situation("hit.total >= 8", dice="1d6", again="face.number == 6"))
    assert chance.of(True) == Fraction(1, 6) * Fraction(5, 6)
    once = of(situation("hit.total", dice="1d6", again="face.again == 0 and face.number == 6"))
    assert once.outcomes[-1] == (12, Fraction(1, 36))


def test_counts_of_dice_may_be_computed() -> None:
    assert of(situation("hit.total", dice="(twice - 1)d6"), n=2).outcomes[0] == (3, Fraction(1, 216))
    assert of(situation("hit.total", dice="own+(n)d6"), own="1blue", n=1).outcomes[0] == (2, Fraction(1, 18))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2red+1blue", {"red": 2, "blue": 1}),
        (" 2 red + blue ", {"red": 2, "blue": 1}),
        ("1red+1red", {"red": 2}),
        ("3*red", {"red": 3}),
        ("0", {}),
        ("", {}),
        ("0red", {}),
    ],
)
def test_pools(text: str, expected: dict[str, int]) -> None:
    assert read_pool(text, DICE) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2gren", "no die `gren`"),
        ("2rad", "did you mean `red`"),
        ("2red-1blue", "no die `red-1blue`"),
        ("red+", "no dice before or behind"),
        (f"{MOST_DICE + 1}red", "more than"),
        ("(n)red", "write a number"),
    ],
)
def test_pools_that_are_none(text: str, said: str) -> None:
    with pytest.raises(OddsProblem, match=said):
        read_pool(text, DICE)


def test_calls() -> None:
    assert read_call("attack(2white, defence=1red)") == Call("attack", ("2white",), {"defence": "1red"})
    assert read_call("panic") == Call("panic", (), {})
    assert read_call("panic()") == Call("panic", (), {})
    assert read_call("2white+1blue") is None
    assert given_of(situation("n"), Call("s", ("1blue",), {"n": "3"})) == {"own": "1blue", "n": "3"}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (Call("s", ("1", "2", "3"), {}), "3 things"),
        (Call("s", (), {"ovn": "1"}), "did you mean `own`"),
        (Call("s", ("1red",), {"own": "1red"}), "twice"),
    ],
)
def test_calls_that_do_not_fit(call: Call, said: str) -> None:
    with pytest.raises(OddsProblem, match=said):
        given_of(situation("n"), call)


@pytest.mark.parametrize(
    ("made", "told", "said"),
    [
        (situation("hit.totl"), {}, "did you mean `total`"),
        (situation("hid.total"), {}, "no `hid`"),
        (situation("hit.total / 2"), {}, "whole numbers"),
        (situation('"won"'), {}, "says nothing"),
        (situation("hit.total", values={"won": "Won"}), {}, "none of them"),
        (situation("hit.total"), {"n": "many"}, "whole number"),
        (situation("hit.total"), {"n": 10}, "from 0 to 9"),
        (situation("hit.total + "), {}, "s"),
        (situation("hit.total", dice="(own)d6"), {}, "no `own`"),
        (situation("hit.total", dice="(0 - n)d6"), {}, "-2 dice"),
    ],
)
def test_what_cannot_be_computed(made: Situation, told: dict[str, object], said: str) -> None:
    with pytest.raises(OddsProblem, match=said):
        chances(made, told, DICE)


def test_bare_dice_show_their_total_and_their_signs() -> None:
    found = {chance.id: chance for chance in chances(pool_situation("2blue", DICE), {}, DICE)}
    assert list(found) == ["total", "!"]
    assert found["!"].of(2) == Fraction(4, 9)
    with pytest.raises(OddsProblem):
        pool_situation("0", DICE)


def test_plain_values_for_layouts() -> None:
    view = chance_view(of(situation("hit.total >= 2")))
    assert view["yes"] == 68.75
    bars = chance_view(of(situation("hit.total")))
    assert bars["yes"] is None and bars["mean"] == 2.0
    assert [bar["fraction"] for bar in bars["bars"]] == ["1/16", "1/4", "3/8", "1/4", "1/16"]  # type: ignore[attr-defined]

"""Stamps: one text on each item of a list, every other character as it was."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cardgen.load.stamps import stamp

WORDS = st.text("ab c#:ñ", min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("m:\n  - {a: 1}  # c\n", 'm:\n  - {a: 1, v: "2"}  # c\n'),
        ("m:\n  - {a: [x, y]\n    }\n", 'm:\n  - {a: [x, y], v: "2"\n    }\n'),
        ("m:\n  - {v: '1', a: 1}\n", 'm:\n  - {v: "2", a: 1}\n'),
        ("m:\n  - a: 1 # c\n    b: x\n", 'm:\n  - a: 1 # c\n    b: x\n    v: "2"\n'),
        ("m:\n  - a: 1\n    b:\n      - x\nn: 1\n", 'm:\n  - a: 1\n    v: "2"\n    b:\n      - x\nn: 1\n'),
        ("m:\n  - a: 1", 'm:\n  - a: 1\n    v: "2"\n'),
        ("m: [{a: 1}]\n", 'm: [{a: 1, v: "2"}]\n'),
    ],
)
def test_one_item(before: str, after: str) -> None:
    assert stamp(before, "m", "v", {0: "2"}) == after


@pytest.mark.parametrize("text", ["m: x\n", "m: [x]\n", "m:\n  - {}\n", "m:\n  - v: |\n      x\n"])
def test_what_it_does_not_write(text: str) -> None:
    assert stamp(text, "m", "v", {0: "2"}) is None


@given(
    st.lists(st.dictionaries(st.sampled_from("abcv"), WORDS, min_size=1), min_size=1, max_size=4), WORDS, st.booleans()
)
def test_what_comes_out_says_just_that(items: list[dict[str, str]], value: str, flow: bool) -> None:
    text = yaml.safe_dump({"x": 1, "m": items, "z": 2}, allow_unicode=True, default_flow_style=flow, sort_keys=False)
    made = stamp(text, "m", "v", dict.fromkeys(range(len(items)), value))
    assert made is not None
    assert yaml.safe_load(made) == {"x": 1, "m": [{**item, "v": value} for item in items], "z": 2}

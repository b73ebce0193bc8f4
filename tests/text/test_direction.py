"""Lines of labels in scripts that are written from right to left."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.text.direction import is_rtl, visual_parts


@pytest.mark.parametrize(
    ("lang", "rtl"), [("ar", True), ("he-IL", True), ("fa_IR", True), ("es", False), ("az", False), ("ja", False)]
)
def test_languages(lang: str, rtl: bool) -> None:
    assert is_rtl(lang) is rtl


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("sheet 1", [("sheet 1", False)]),
        ("1–2", [("1–2", False)]),
        ("שלום", [("שלום", True)]),
        ("שלום עולם", [("שלום עולם", True)]),
        # Hebrew first: the line begins at the right.
        ("גיליון 12 מתוך 3", [("3", False), (" מתוך ", True), ("12", False), ("גיליון ", True)]),
        ("שלום: abc v0.1", [("abc v0.1", False), ("שלום: ", True)]),
        # Latin first: what is Hebrew runs leftwards inside of it.
        ("abc שלום עולם xyz", [("abc ", False), ("שלום עולם", True), (" xyz", False)]),
        ("abc שלום 12 עולם", [("abc ", False), (" עולם", True), ("12", False), ("שלום ", True)]),
    ],
)
def test_parts_stand_as_they_are_read(text: str, parts: list[tuple[str, bool]]) -> None:
    assert visual_parts(text) == parts


@given(st.text(st.sampled_from("ab 12.:שלםا·"), max_size=30))
def test_nothing_is_lost(text: str) -> None:
    parts = visual_parts(text)
    assert sorted("".join(part for part, _ in parts)) == sorted(text)
    assert all(part for part, _ in parts)
    for part, leftwards in parts:
        kinds = {unicodedata.bidirectional(letter) for letter in part}
        assert not (kinds & {"R", "AL"}) if not leftwards else not (kinds & {"L"})

"""What changed between two texts is in sight."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.i18n.around import LEAST, ROOM, around

LONG = "When this survivor swaps items, friends within its Kill Zone may rearrange theirs as well, and what it hands over may go straight into a pack."


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("Axe", "Hatchet", ("Axe", "Hatchet")),
        ("One\nline", "Two\nlines", ("One\\nline", "Two\\nlines")),
        (
            LONG,
            LONG.replace("straight", "at once"),
            ("…it hands over may go straight into a pack.", "…it hands over may go at once into a pack."),
        ),
        (
            LONG,
            LONG.replace(" as well", ""),
            (
                "…Zone may rearrange theirs as well, and what it hands…",
                "…Kill Zone may rearrange theirs, and what it hands over…",
            ),
        ),
        ("", LONG, ("", "When this survivor swaps items…r may go straight into a pack.")),
    ],
)
def test_the_change_is_shown_with_what_stands_beside_it(old: str, new: str, shown: tuple[str, str]) -> None:
    assert around(old, new) == shown


@given(st.text(max_size=300), st.text(max_size=300))
def test_no_more_is_shown_than_there_is_room_for(old: str, new: str) -> None:
    for text, shown in zip((old, new), around(old, new), strict=True):
        assert len(shown.replace("\\n", "\n")) <= ROOM + 1 + 2 * (LEAST + 1)
        assert len(text) > ROOM or shown == text.replace("\n", "\\n")


@given(st.lists(st.text("abc", min_size=1, max_size=6), min_size=60, max_size=60), st.integers(0, 59))
def test_the_word_that_changed_is_always_there(words: list[str], at: int) -> None:
    other = [*words[:at], "XYZ", *words[at + 1 :]]
    assert "XYZ" in around(" ".join(words), " ".join(other))[1]

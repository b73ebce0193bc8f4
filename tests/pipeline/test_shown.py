"""Texts beside cards read as the cards do: icons and emphasis, not their marks."""

from __future__ import annotations

import pytest

from cardgen.pipeline.versions.pairs import differing
from cardgen.pipeline.versions.shown import Shown, shown

ICONS = {"star", "white"}


def same(text: str) -> list[dict[str, str]]:
    return [{"kind": "same", "text": text}]


def test_marks_become_what_they_mean() -> None:
    assert shown(same(r"**Chop [white]:** \[or *so*"), True, ICONS) == [
        Shown("same", "Chop ", bold=True),
        Shown("same", "[white]", "white", bold=True),
        Shown("same", ":", bold=True),
        Shown("same", " "),
        Shown("same", "["),
        Shown("same", "or "),
        Shown("same", "so", italic=True),
    ]


@pytest.mark.parametrize("text", ["**Chop it.", "*a **b* c**", "2 * 3"])
def test_marks_that_are_not_sound_stay(text: str) -> None:
    assert shown(same(text), True, ICONS) == [Shown("same", text)]


def test_an_icon_that_there_is_not_is_named() -> None:
    assert shown(same("a [sucess]"), True, ICONS)[1] == Shown("same", "[sucess]")


def test_a_text_that_is_not_rich_is_shown_as_it_is() -> None:
    assert shown(same("**not** [star]"), False, ICONS) == [Shown("same", "**not** [star]")]


def test_emphasis_goes_on_over_what_differs() -> None:
    _, now = differing("**Chop it** now", "**Chop them [star]** now")
    found = shown(now, True, ICONS)
    assert "".join(part.text for part in found) == "Chop them [star] now"
    assert [(part.icon, part.kind) for part in found if part.icon] == [("star", "ins")]
    assert [part.bold for part in found] == [*[True] * (len(found) - 1), False]

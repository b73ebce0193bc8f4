"""The shape of a game's odds in game.yaml, and what is made of it. docs/odds.md tells the same in prose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.load.reader import Reader
from cardgen.load.shapes import IDENT, Integer, Key, Mapped, Record, Text
from cardgen.model.odds import Derived, Given, Result, RollSpec, Situation

_NAME = Text(max_length=40, pattern=r"[a-z][a-z0-9_]*", what="a name (lower-case letters, digits, `_`)")
_TITLE = Text(max_length=200)
_EXPRESSION = Text(max_length=2000, multiline=True, what="an expression")
_POOL = Text(max_length=200, what="dice such as `2white+1blue`")

SITUATION = Record(
    "odds",
    {
        "title": Key(_TITLE),
        "about": Key(Text(max_length=1000, multiline=True), ""),
        "source": Key(_TITLE, "", "document and page"),
        "given": Key(
            Mapped(
                _NAME,
                Record(
                    "thing that is given",
                    {
                        "title": Key(_TITLE),
                        "dice": Key(_POOL, "", "the dice when nothing else is said"),
                        "number": Key(Integer(-1000, 1000), None, "in place of dice: the number when nothing is said"),
                        "min": Key(Integer(-1000, 1000), 0),
                        "max": Key(Integer(-1000, 1000), 100),
                    },
                ),
            ),
            {},
            "what it is told, in the order of a call: dice, or a number",
        ),
        "derived": Key(
            Mapped(
                _NAME,
                Record(
                    "derived number",
                    {
                        "value": Key(_EXPRESSION, ""),
                        "formula": Key(_NAME, "", "a formula of the game's rules"),
                        "given": Key(Mapped(_NAME, _EXPRESSION), {}, "its arguments"),
                    },
                ),
            ),
            {},
            "numbers made of what is given",
        ),
        "rolls": Key(
            Mapped(
                _NAME,
                Record(
                    "roll",
                    {
                        "dice": Key(_POOL, about="dice, or what is given; `(n)red` for a number of them"),
                        "count": Key(Mapped(_NAME, _EXPRESSION), {}, "over `face`, added up over all dice"),
                        "highest": Key(Mapped(_NAME, _EXPRESSION), {}, "over `face`, the greatest of all dice"),
                        "again": Key(_EXPRESSION, "", "over `face`: whether that die is rolled once more"),
                    },
                ),
                1,
            ),
        ),
        "results": Key(
            Mapped(
                IDENT,
                Record(
                    "result",
                    {
                        "title": Key(_TITLE),
                        "value": Key(_EXPRESSION, about="over the rolls and what is given"),
                        "values": Key(Mapped(IDENT, _TITLE), {}, "the titles of what it may be, in their order"),
                    },
                ),
                1,
            ),
        ),
    },
)


def make_situations(raw: Mapping[str, Any], file: str, reader: Reader) -> dict[str, Situation]:
    """The situations of a game; whether their expressions hold is for the check to try."""
    return {
        id: Situation(
            id,
            item["title"],
            item["about"],
            item["source"],
            {name: Given(name, **given) for name, given in item["given"].items()},
            {name: Derived(made["value"], made["formula"], made["given"]) for name, made in item["derived"].items()},
            {name: RollSpec(name, **roll) for name, roll in item["rolls"].items()},
            {name: Result(name, **result) for name, result in item["results"].items()},
            reader.span(file, f"odds.{id}"),
        )
        for id, item in raw.items()
    }

"""Odds as data: the situations that a game's dice decide, and what came of one that was computed."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct, field

from cardgen.diagnostics import Span

# What a result may come out as: a number, yes or no, or the id of one of its values.
Outcome = int | bool | str


class Given(Struct, frozen=True):
    """What a situation is told: dice (`dice`, a pool such as `2white+1blue`) or a number between `min` and `max`."""

    id: str
    title: str
    dice: str = ""
    number: int | None = None
    min: int = 0
    max: int = 100


class Derived(Struct, frozen=True):
    """A number made of what is given: an expression, or a formula of the game's rules and its arguments."""

    value: str
    formula: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)


class RollSpec(Struct, frozen=True):
    """Dice that are rolled together, and what of them is read.

    `count` adds up an expression over `face` for every die, `highest` keeps the greatest. A die for which `again` holds
    is rolled once more, and what it shows then is read as well.
    """

    id: str
    dice: str
    count: Mapping[str, str]
    highest: Mapping[str, str] = field(default_factory=dict)
    again: str = ""


class Result(Struct, frozen=True):
    """What is asked of the rolls: an expression, and the titles of what it may come out as."""

    id: str
    title: str
    value: str
    values: Mapping[str, str] = field(default_factory=dict)


class Situation(Struct, frozen=True):
    """A named situation of a game: what it is told, what is rolled, what is asked."""

    id: str
    title: str
    about: str
    source: str
    given: Mapping[str, Given]
    derived: Mapping[str, Derived]
    rolls: Mapping[str, RollSpec]
    results: Mapping[str, Result]
    span: Span


class Chance(Struct, frozen=True):
    """One result with the exact probability of everything it may come out as, in order; they sum to 1."""

    id: str
    title: str
    outcomes: tuple[tuple[Outcome, Fraction], ...]
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def mean(self) -> Fraction | None:
        """The mean of a result that is a number; None of any other."""
        if any(isinstance(value, (bool, str)) for value, _ in self.outcomes):
            return None
        return sum((value * chance for value, chance in self.outcomes if not isinstance(value, str)), Fraction(0))

    def of(self, wanted: Outcome) -> Fraction:
        """The probability of one outcome."""
        return sum((chance for value, chance in self.outcomes if value == wanted), Fraction(0))

    def at_least(self, least: int) -> Fraction:
        """The probability of a number of `least` or more."""
        return sum(
            (chance for value, chance in self.outcomes if isinstance(value, int) and value >= least), Fraction(0)
        )


def whole_percent(share: float) -> str:
    """Whole per cent of a share of 1, but never 0 or 100 of what is possible or not certain."""
    percent = round(share * 100)
    if percent == 0 and share > 0:
        return "<1"
    return ">99" if percent == 100 and share < 1 else str(percent)


def chance_view(chance: Chance) -> dict[str, object]:
    """One result: `yes` in per cent where it is yes or no, else `bars` from the first outcome to the last.

    `whole` is per cent as a text, `more` that of so many or more.
    """
    flags = all(isinstance(value, bool) for value, _ in chance.outcomes)
    bars: list[dict[str, object]] = []
    left = Fraction(1)
    for value, share in chance.outcomes:
        number = not isinstance(value, (bool, str))
        bars.append(
            {
                "value": str(value).lower() if isinstance(value, bool) else value,
                "title": chance.values.get(str(value), str(value)),
                "percent": round(float(share * 100), 2),
                "whole": whole_percent(float(share)),
                "fraction": str(share),
                "at_least": round(float(left * 100), 2) if number else None,
                "more": whole_percent(float(left)) if number else "",
            }
        )
        left -= share
    mean = chance.mean
    return {
        "title": chance.title,
        "yes": round(float(chance.of(True) * 100), 2) if flags else None,
        "whole": whole_percent(float(chance.of(True))) if flags else "",
        "fraction": str(chance.of(True)) if flags else "",
        "mean": None if mean is None or flags else round(float(mean), 2),
        "bars": [] if flags else bars,
    }

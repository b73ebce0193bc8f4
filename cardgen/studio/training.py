"""What may be trained: what is printed, how far each value goes, and what nobody changes, for the fields of a form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cardgen.model.band import Band
from cardgen.model.game import Game
from cardgen.rules.costs import priced, readings_of, value_of
from cardgen.rules.packs import context_of


@dataclass(frozen=True, slots=True)
class Span:
    """What is printed of a value, the least and the most that it may become; `fixed` says why it may not.

    `unstated`: its card does not say how high anything goes, which should be told, for it may have been forgotten.
    """

    printed: str
    least: str = ""
    most: str = ""
    fixed: str = ""
    unstated: bool = False


def training(game: Game, band: Band) -> dict[str, Span]:
    """Of every value of a band's entries that is trained, how far it goes, by its path in the form."""
    kind, pack = game.bands[band.kind], game.packs[band.pack]
    choices = kind.choices
    found: dict[str, Span] = {}
    if choices is None or not choices.printed:
        return found
    base = {**context_of(pack, game), "rulings": readings_of(pack, band.rulings)}
    entries: Any = priced(kind, band.values, base).get(kind.entries) or ()
    reasons = {
        name: game.words.get(f"rules/{rule}.title", pack.rules[rule].title)
        for name, rule in choices.fixed.items()
        if rule in pack.rules
    }
    for place, item in enumerate(entries):
        seen = {**base, "it": item, "band": band.values}
        for record, source in choices.printed.items():
            printed = value_of(source, seen)
            if not isinstance(printed, Mapping):
                continue
            least = value_of(choices.least[record], seen) if record in choices.least else None
            most = value_of(choices.best[record], seen) if record in choices.best else None
            for name in kind.entry.fields[record].fields:
                start = printed.get(name)
                if start is None:
                    continue
                # What has no most of its own goes no higher than it is printed.
                high = most.get(name) if isinstance(most, Mapping) else None
                low = least.get(name) if isinstance(least, Mapping) else least
                found[f"{kind.entries}.{place}.{record}.{name}"] = Span(
                    str(start),
                    "" if low is None else str(low),
                    str(start if high is None else high) if record in choices.best else "",
                    reasons.get(name, ""),
                    record in choices.best and not isinstance(most, Mapping),
                )
    return found

"""What may be trained: what is printed, how far each value goes, and what nobody changes, for the fields of a form."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from cardgen.model.band import Band
from cardgen.model.game import BandKind, Field, Game, Kind
from cardgen.pipeline.entries import own_card
from cardgen.rules.costs import priced, readings_of, value_of
from cardgen.rules.packs import context_of
from cardgen.studio.naming import label_of, name_of


class Span(Struct, frozen=True):
    """What is printed of a value, the least and the most that it may become; `fixed` says why it may not.

    Nothing is printed of what is not known yet.
    """

    printed: str
    least: str = ""
    most: str = ""
    fixed: str = ""


class Untrained(Struct, frozen=True):
    """An entry whose type states no most of anything: what the type is called, its id, and the field that would say it.

    `title` is what forms call that field; both are empty where the type has none.
    """

    name: str
    card: str
    field: str = ""
    title: str = ""


class Training(Struct, frozen=True):
    """How far the values of a band's entries are trained, and who trains nothing, both by path in the form."""

    spans: dict[str, Span]
    untrained: dict[str, Untrained]


def training(game: Game, band: Band, places: Sequence[int]) -> Training:
    """Of every value of a band's entries that is trained, how far it goes; of every record of them, whether any does.

    `places` are those that the entries have in the form.
    """
    kind, pack = game.bands[band.kind], game.packs[band.pack]
    choices = kind.choices
    found = Training({}, {})
    if choices is None or not choices.printed:
        return found
    base = {**context_of(pack, game), "rulings": readings_of(pack, band.rulings)}
    entries: Any = priced(kind, band.values, base).get(kind.entries) or ()
    reasons = fixed_in(game, kind)
    for place, item in zip(places, entries, strict=True):
        seen = {**base, "it": item, "band": band.values}
        for record, source in choices.printed.items():
            printed = value_of(source, seen)
            if not isinstance(printed, Mapping):
                continue
            least = value_of(choices.least[record], seen) if record in choices.least else None
            most = value_of(choices.best[record], seen) if record in choices.best else None
            if record in choices.best and not (isinstance(most, Mapping) and any(v is not None for v in most.values())):
                found.untrained[f"{kind.entries}.{place}.{record}"] = _untrained(game, own_card(kind, item))
            for name in kind.entry.fields[record].fields:
                start = printed.get(name)
                if start is None:
                    continue
                # What has no most of its own goes no higher than it is printed.
                high = most.get(name) if isinstance(most, Mapping) else None
                low = least.get(name) if isinstance(least, Mapping) else least
                found.spans[f"{kind.entries}.{place}.{record}.{name}"] = Span(
                    str(start),
                    "" if low is None else str(low),
                    str(start if high is None else high) if record in choices.best else "",
                    reasons.get(name, ""),
                )
    return found


def untold(game: Game, kind: BandKind, count: int) -> dict[str, Span]:
    """The spans of `count` entries as long as nothing is known of them: what nobody changes says so even then."""
    reasons, printed = fixed_in(game, kind), kind.choices.printed if kind.choices is not None else {}
    return {
        f"{kind.entries}.{place}.{record}.{name}": Span("", fixed=reasons.get(name, ""))
        for place in range(count)
        for record in printed
        for name in kind.entry.fields[record].fields
    }


def beyond(span: Span, text: str) -> bool:
    """Whether what is stated is a whole number that the value of an entry may not become, wherever its field ends."""
    if not all(re.fullmatch(r"-?\d{1,9}", figure) for figure in (text, span.least, span.most)):
        return False
    return not int(span.least) <= int(text) <= int(span.most)


def _untrained(game: Game, card: Any) -> Untrained:
    name, id = (name_of(card, str(card["id"])), str(card["id"])) if card is not None else ("", "")
    kind = game.kinds.get(str(card["kind"])) if card is not None else None
    field, item = limits_in(kind) or ("", None)
    return Untrained(name, id, field, label_of(field, item) if field else "")


def limits_in(kind: Kind | None) -> tuple[str, Field] | None:
    """The field of a kind of card that says how far another may be trained."""
    return next(((name, item) for name, item in (kind.fields if kind else {}).items() if item.limits), None)


def fixed_in(game: Game, kind: BandKind) -> dict[str, str]:
    """Why some values of a kind of band's entries are never trained, by the name of their field."""
    rules, stated = game.packs[kind.pack].rules, kind.choices.fixed if kind.choices is not None else {}
    return {
        name: game.words.get(f"rules/{rule}.title", rules[rule].title) for name, rule in stated.items() if rule in rules
    }


def fixed_on(game: Game, card_kind: str) -> dict[str, str]:
    """Why some values of cards of a kind are never trained in any band, by the name of their field."""
    own = [kind for kind in game.bands.values() if kind.own is not None and card_kind in kind.own[1].kinds]
    return {name: text for kind in own if kind.pack in game.packs for name, text in fixed_in(game, kind).items()}

"""What a kit holds: from the parts that a game states and the bands that play to cards and components with copies."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardgen.diagnostics import Report
from cardgen.model.component import Component, Pawns
from cardgen.model.game import Game
from cardgen.model.kit import KitPart
from cardgen.rules.bands import Judgement
from cardgen.rules.engine import label
from cardgen.rules.filters import cards
from cardgen.rules.language import compile_rule
from cardgen.rules.missing import MissingData
from cardgen.text.expressions import ExpressionError

# More of one thing than anybody sets on a table is a mistake in an expression.
MOST = 999


@dataclass(frozen=True, slots=True)
class Wanted:
    """One part worked out: cards by id with copies, or a component, of these cards and as often as `each` says."""

    part: KitPart
    cards: Mapping[str, int]
    component: Component | None = None
    each: int | None = None


def kit_of(game: Game, judgements: Sequence[Judgement], report: Report) -> list[Wanted]:
    """The parts that these bands need; what cannot be worked out is reported and left out."""
    setup = {line.id: line.value for line in judgements[0].setup}
    _compare(judgements, report)
    seen = {"setup": setup, "bands": tuple(judgement.band.values for judgement in judgements)}
    found = []
    for part in game.kit:
        try:
            if part.when and not compile_rule(part.when).run(seen):
                continue
            wanted = _wanted(part, game, judgements, seen)
        except (ExpressionError, MissingData) as error:
            report.add("CG408", part.span, problem=str(error))
            continue
        if isinstance(wanted, str):
            report.add("CG408", part.span, problem=wanted)
        elif wanted is not None:
            found.append(wanted)
    return found


def _wanted(part: KitPart, game: Game, judgements: Sequence[Judgement], seen: Mapping[str, Any]) -> Wanted | str | None:
    """One part; a text says what is wrong with it, None that nothing of it is needed."""
    if part.deck:
        deck = game.decks.get(part.deck)
        return f"there is no deck `{part.deck}`" if deck is None else Wanted(part, deck.cards)
    chosen = _named(part, judgements) if part.cards else Counter[str]()
    if not part.component:
        return Wanted(part, chosen) if chosen else None
    component = game.components.get(part.component)
    if component is None:
        return f"there is no component `{part.component}`"
    each = None
    if part.each:
        count = compile_rule(part.each).run(seen)
        if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= MOST:
            return f"`each` of `{component.id}` gives {label(count)}, and not a number from 0 to {MOST}"
        each = count
    if each == 0:
        return None
    options = component.options
    if isinstance(options, Pawns):
        if part.cards and not chosen:
            return None
        if part.cards:
            options = dataclasses.replace(options, only=chosen)
        elif each is not None:
            options = dataclasses.replace(options, each=each)
        component, each = dataclasses.replace(component, options=options), None
    return Wanted(part, chosen, component, each)


def _named(part: KitPart, judgements: Sequence[Judgement]) -> Counter[str]:
    """The cards that the entries of all bands bring, with copies."""
    return Counter(str(card["id"]) for judgement in judgements for card in _of_band(part, judgement))


def _of_band(part: KitPart, judgement: Judgement) -> Iterator[Mapping[str, Any]]:
    entries: Any = judgement.band.values.get(judgement.kind.entries) or ()
    for entry in entries:
        value = compile_rule(part.cards).run({"it": entry, "band": judgement.band.values})
        yield from cards(value)


def _compare(judgements: Sequence[Judgement], report: Report) -> None:
    """Report what the bands would set up differently: a kit is for one table."""
    for index, line in enumerate(judgements[0].setup):
        values = [judgement.setup[index].value for judgement in judgements if len(judgement.setup) > index]
        if any(value != line.value for value in values):
            shown = ", ".join("?" if value is None else label(value) for value in values)
            report.add("CG407", judgements[1].band.values.span, line=line.name, values=shown)

"""What a kit holds: from the parts that a game states and the bands that play to cards and components with copies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, structs

from cardgen.diagnostics import Report, did_you_mean
from cardgen.model.component import Component, Pawns, Sheets
from cardgen.model.game import Game
from cardgen.model.kit import KitPart
from cardgen.pipeline.entries import band_card_id, entry_ids
from cardgen.rules.bands import Judgement, Line
from cardgen.rules.engine import label
from cardgen.rules.filters import cards
from cardgen.rules.language import compile_rule
from cardgen.rules.missing import MissingData
from cardgen.text.expressions import ExpressionError

# More of one thing than anybody sets on a table is a mistake in an expression.
MOST = 999
# What expressions of a part see.
_TABLE, _ENTRY = {"setup", "bands"}, {"it", "band"}


class Wanted(Struct, frozen=True):
    """One part worked out: cards by id with copies, or a component, of these cards and as often as `each` says."""

    part: KitPart
    cards: Mapping[str, int]
    component: Component | None = None
    each: int | None = None


class KitParts(Struct, frozen=True):
    """The parts that bands need, and the names of those that could not be worked out."""

    wanted: tuple[Wanted, ...]
    missing: tuple[str, ...]


def kit_of(game: Game, judgements: Sequence[Judgement], report: Report) -> KitParts:
    """The parts that these bands need; what cannot be worked out is reported and left out."""
    setup = {line.id: line.value for line in judgements[0].setup}
    _compare(game, judgements, report)
    seen = {"setup": setup, "bands": tuple(judgement.band.values for judgement in judgements)}
    found, missing = [], []
    for part in game.kit:
        try:
            if part.when and not compile_rule(part.when).run(seen):
                continue
            wanted = _wanted(part, game, judgements, seen)
        except (ExpressionError, MissingData) as error:
            wanted = str(error)
        if isinstance(wanted, str):
            report.add("CG408", part.span, problem=wanted)
            component = game.components.get(part.component)
            named = part.component or part.deck or part.cards or part.brings
            missing.append(component.title if component is not None else named)
        elif wanted is not None:
            found.append(wanted)
    return KitParts(tuple(found), tuple(missing))


def check_kit(game: Game, report: Report) -> None:
    """Report the parts that no band could make good: unknown names, expressions that do not compile."""
    lines = {line.id for pack in game.packs.values() for line in pack.setup.values()}
    for part in game.kit:
        for what, name, known in (("deck", part.deck, game.decks), ("component", part.component, game.components)):
            if name and name not in known and not game.partial:
                report.add("CG104", part.span, did_you_mean(name, known), what=what, name=name)
        component = game.components.get(part.component)
        if part.of_cards and component is not None and not isinstance(component.options, (Pawns, Sheets)):
            problem = f"pawns and sheets are made of cards, and `{component.id}` is not"
            report.add("CG408", part.span, problem=problem)
        if part.itself and not any(kind.itself for kind in game.bands.values()):
            report.add("CG408", part.span, problem="no kind of band says what card it is `itself`")
        sources = ((part.each, _TABLE), (part.when, _TABLE), (part.cards, _ENTRY), (part.brings, {"band"}))
        for source, seen in sources:
            if not source:
                continue
            try:
                expression = compile_rule(source)
            except ExpressionError as error:
                report.add("CG408", part.span, problem=str(error))
                continue
            for name in sorted(expression.names - seen):
                report.add("CG408", part.span, did_you_mean(name, seen), problem=f"there is no `{name}`")
            for name, attribute in sorted(expression.attributes):
                if name == "setup" and attribute not in lines:
                    hint = did_you_mean(attribute, lines)
                    report.add("CG408", part.span, hint, problem=f"no set-up line is called `{attribute}`")


def _wanted(part: KitPart, game: Game, judgements: Sequence[Judgement], seen: Mapping[str, Any]) -> Wanted | str | None:
    """One part; a text says what is wrong with it, None that nothing of it is needed."""
    if part.deck:
        deck = game.decks.get(part.deck)
        return f"there is no deck `{part.deck}`" if deck is None else Wanted(part, deck.cards)
    chosen = _chosen(part, game, judgements)
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
    if isinstance(options, (Pawns, Sheets)):
        if part.of_cards and not chosen:
            return None
        if part.of_cards:
            options = structs.replace(options, only=chosen)
        elif each is not None:
            options = structs.replace(options, each=each)
        component, each = structs.replace(component, options=options), None
    return Wanted(part, chosen, component, each)


def _chosen(part: KitPart, game: Game, judgements: Sequence[Judgement]) -> Counter[str]:
    """The cards that a part says, with copies; an entry or a band that is printed as none has none."""
    if part.entries or part.itself:
        made = [
            id
            for judgement in judgements
            for id in (entry_ids(judgement.band, judgement.kind) if part.entries else [band_card_id(judgement.band)])
        ]
        return Counter(id for id in made if id in game.cards)
    if part.brings:
        brings = compile_rule(part.brings)
        found = (card for judgement in judgements for card in cards(brings.run({"band": judgement.band.values})))
        return Counter(str(card["id"]) for card in found)
    return _named(part, judgements) if part.cards else Counter()


def _named(part: KitPart, judgements: Sequence[Judgement]) -> Counter[str]:
    """The cards that the entries of all bands bring, with copies."""
    return Counter(str(card["id"]) for judgement in judgements for card in _of_band(part, judgement))


def _of_band(part: KitPart, judgement: Judgement) -> Iterator[Mapping[str, Any]]:
    entries: Any = judgement.band.values.get(judgement.kind.entries) or ()
    for entry in entries:
        value = compile_rule(part.cards).run({"it": entry, "band": judgement.band.values})
        yield from cards(value)


def _compare(game: Game, judgements: Sequence[Judgement], report: Report) -> None:
    """Report what the parts depend on and the bands would set up differently: a kit is for one table."""
    sources = [source for part in game.kit for source in (part.each, part.when) if source]
    read = {name for source in sources for name in _attributes_of_setup(source)}
    for line, values in disagreements(judgements):
        if line.id in read:
            shown = ", ".join("?" if value is None else label(value, game.says) for value in values)
            report.add("CG407", judgements[1].band.values.span, line=line.name, values=shown)


def _attributes_of_setup(source: str) -> set[str]:
    try:
        return {attribute for name, attribute in compile_rule(source).attributes if name == "setup"}
    except ExpressionError:
        return set()  # told where the part is worked out


def disagreements(judgements: Sequence[Judgement]) -> list[tuple[Line, list[Any]]]:
    """The set-up lines that these bands do not agree on, and the value that each has."""
    found = []
    for line in judgements[0].setup:
        values = [other.value for judgement in judgements for other in judgement.setup if other.id == line.id]
        if any(value != line.value for value in values):
            found.append((line, values))
    return found

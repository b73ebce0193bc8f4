"""Judges a band: every finding, the verdict, what each entry costs, what is left, and the set-up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from cardgen.model.band import Band, Entry
from cardgen.model.game import BandKind, Field, Game
from cardgen.model.rules import Finding, Pack, Setup, Verdict
from cardgen.rules.costs import priced, readings_of, value_of
from cardgen.rules.engine import judge, label, verdict_of
from cardgen.rules.language import compile_rule
from cardgen.rules.memory import Memory
from cardgen.rules.missing import MissingData
from cardgen.rules.packs import context_of, evaluate
from cardgen.rules.printed import printed_of
from cardgen.text.expressions import ExpressionError


class Line(Struct, frozen=True):
    """One line of a band's bill or set-up: what, and how much; None when it cannot be said."""

    name: str
    value: Any
    source: str = ""
    # what belongs to it: the cards an entry names besides its own
    details: tuple[str, ...] = ()
    id: str = ""


class Judgement(Struct, frozen=True):
    """All that is known of a band. `alternatives` are verdicts under readings that differ from the band's own."""

    band: Band
    kind: BandKind
    pack: Pack
    findings: tuple[Finding, ...]
    entries: tuple[Line, ...]
    limit: Any
    setup: tuple[Line, ...]
    # what it is called where it is shown to people, in the game's language, and what is told of the whole
    title: str
    summary: str
    alternatives: Mapping[tuple[str, str], Verdict] = field(default_factory=dict)

    @property
    def verdict(self) -> Verdict:
        """Illegal over unknown over legal."""
        return verdict_of(self.findings)

    @property
    def total(self) -> Any:
        """What all entries cost; None when one is not known."""
        costs = [line.value for line in self.entries]
        return None if any(cost is None for cost in costs) else sum(costs)

    @property
    def problems(self) -> tuple[Finding, ...]:
        """Findings that are not legal, errors before advice, by rule and subject."""
        rank = {"error": 0, "warning": 1, "info": 2}
        bad = [finding for finding in self.findings if finding.verdict != "legal"]
        return tuple(sorted(bad, key=lambda item: (rank[item.severity], item.rule, item.subject, item.message)))


def judge_band(
    game: Game, band: Band, values: Entry | None = None, compare: bool = True, memory: Memory | None = None
) -> Judgement:
    """Judge a band, or other `values` in its place; `compare` also tries every other reading of the rulings.

    What `memory` knows of entries that are the same as before, by the band's own readings, is not worked out again.
    """
    kind, pack = game.bands[band.kind], game.packs[band.pack]
    used = band.values if values is None else values
    waivers = {waiver.rule: waiver.reason for waiver in band.waivers}

    def findings(rulings: Mapping[str, str], memory: Memory | None = None) -> list[Finding]:
        context = context_of(pack, game)
        context["band"] = priced(kind, used, {**context, "rulings": readings_of(pack, rulings)}, memory)
        rules = [
            rule for rule in pack.rules.values() if rule.scope == "band" and band.kind in (rule.kinds or [band.kind])
        ]
        found = judge(pack, rules, context, band.title, used.span, rulings, waivers, game, memory)
        return found + _cards(game, pack, used, rulings, waivers, memory)

    own = findings(band.rulings, memory)
    alternatives: dict[tuple[str, str], Verdict] = {}
    if compare:
        # Only rulings that a rule at work here depends on can change the verdict.
        asked = {id for finding in own for id in finding.rulings}
        for id in sorted(asked):
            ruling = pack.rulings[id]
            for reading in ruling.readings:
                if reading != band.rulings.get(id, ruling.default):
                    alternatives[id, reading] = verdict_of(findings({**band.rulings, id: reading}))
    base = {**context_of(pack, game), "rulings": readings_of(pack, band.rulings)}
    entries = tuple(_line(kind, item, base, memory) for item in used.get(kind.entries) or ())  # type: ignore[attr-defined]
    seen = {**base, "band": used}
    limit = value_of(kind.limit, seen) if kind.limit else None
    setup = tuple(_setup(line, pack, game, used, band.rulings) for line in pack.setup.values())
    called = value_of(kind.itself.shows.get("name", ""), seen) if kind.itself else None
    summary = value_of(kind.summary, seen) if kind.summary else None
    title, told = str(called or band.title), "" if summary is None else label(summary)
    return Judgement(band, kind, pack, tuple(own), entries, limit, setup, title, told, alternatives)


def _cards(
    game: Game,
    pack: Pack,
    values: Entry,
    rulings: Mapping[str, str],
    waivers: Mapping[str, str],
    memory: Memory | None,
) -> list[Finding]:
    """Card rules for every card that the band names: a card that is illegal makes its band illegal."""
    rules = [rule for rule in pack.rules.values() if rule.scope == "card"]
    found: list[Finding] = []
    seen: set[str] = set()
    for card in cards_named(values):
        id = str(card["id"])
        if id in seen:
            continue
        seen.add(id)
        known = memory.cards.get((id, card.span)) if memory is not None else None
        if known is None:
            fitting = [rule for rule in rules if not rule.kinds or card["kind"] in rule.kinds]
            context = {**context_of(pack, game), "card": card}
            known = judge(pack, fitting, context, label(card), card.span, rulings, waivers, game)
            if memory is not None:
                memory.cards[id, card.span] = known
        found += known
    return found


def cards_named(value: Any) -> list[Entry]:
    """The cards inside a band's values, in their order."""
    if isinstance(value, Entry):
        if "kind" in value and "id" in value:
            return [value]
        return [card for item in value.values() for card in cards_named(item)]
    if isinstance(value, tuple):
        return [card for item in value for card in cards_named(item)]
    return []


def _line(kind: BandKind, item: Any, base: Mapping[str, Any], memory: Memory | None) -> Line:
    if memory is None:
        return _entry(kind, item, base)
    if id(item) not in memory.lines:
        memory.lines[id(item)] = item, _entry(kind, item, base)
    line: Line = memory.lines[id(item)][1]
    return line


def _entry(kind: BandKind, item: Any, base: Mapping[str, Any]) -> Line:
    seen = {**base, "it": item}
    name = value_of(kind.name, seen) if kind.name else label(item)
    cards = cards_named(item)
    # An entry that is called what its first card is called has been told of it.
    rest = cards[1:] if cards and label(cards[0]) == str(name) else cards
    told = value_of(kind.states, seen) if kind.states else None
    stated = (label(told),) if told is not None else tuple(_stated(item, kind.entry, printed_of(kind, item, base)))
    details = (*(label(card) for card in rest[:1]), *stated, *(label(card) for card in rest[1:]))
    if cards and label(cards[0]) == str(name):
        details = (*stated, *(label(card) for card in rest))
    return Line(str(name), value_of(kind.cost, seen) if kind.cost else None, details=details)


def _stated(item: Any, field: Field, printed: Mapping[str, Any]) -> Iterator[str]:
    """What an entry states beside its cards, as it is told: what it is trained to, whether it leads.

    What is stated as it is printed is not told.
    """
    if not isinstance(item, Mapping) or field.type != "record":
        return
    for name, sub in field.fields.items():
        value = item.get(name)
        title = sub.title or name
        if sub.type == "record" and isinstance(value, Mapping):
            told = printed.get(name)
            yield from _stated(value, sub, told if isinstance(told, Mapping) else {})
        elif sub.type == "boolean" and value is True:
            yield title
        elif sub.type == "integer" and value is not None and value != printed.get(name):
            yield f"{title} {label(value)}"
        elif sub.type == "choice" and value is not None:
            yield f"{title}: {sub.values.get(str(value), value)}"


def _setup(line: Setup, pack: Pack, game: Game, band: Entry, rulings: Mapping[str, str]) -> Line:
    title = game.words.get(f"setup/{line.id}.title", line.title)
    seen = {**context_of(pack, game), "band": band, "rulings": readings_of(pack, rulings)}
    try:
        if line.value:
            value = compile_rule(line.value).run(seen)
        else:
            given = {name: compile_rule(source).run(seen) for name, source in line.arguments.items()}
            value = evaluate(pack.formulas[line.formula], given, pack, game, rulings)
    except (ExpressionError, MissingData, KeyError):
        value = None
    return Line(title, value, line.source, id=line.id)

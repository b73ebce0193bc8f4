"""What rules themselves say would mend a band: worked out at once, without a search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cardgen.model.band import Band, Entry
from cardgen.model.game import BandKind, Field, Game
from cardgen.model.rules import Remedy, Rule
from cardgen.model.wording import field_at
from cardgen.rules.bands import judge_band
from cardgen.rules.changes import replaced, without
from cardgen.rules.costs import priced, readings_of
from cardgen.rules.engine import label, measured
from cardgen.rules.filters import titled
from cardgen.rules.language import compile_rule
from cardgen.rules.memory import Memory
from cardgen.rules.missing import MissingData
from cardgen.rules.packs import context_of
from cardgen.rules.phrases import Phrase, phrase
from cardgen.rules.printed import is_printed
from cardgen.rules.suggest import Mend, Suggestions, entries_gone, mend, ranked
from cardgen.rules.wrongs import Key, lessens, wrong_in
from cardgen.text.expressions import ExpressionError

# Phrases about what a field becomes.
_OF_FIELDS = ("set", "reset", "clear", "yes", "no")
# How many mends are applied one after the other, at most.
MOST_STEPS = 40
MOST_STATED = 3


class Together(Struct, frozen=True):
    """Mends applied one after the other, what the band costs then, and whether it is legal."""

    mend: Mend
    legal: bool


def stated_mends(game: Game, band: Band, memory: Memory | None = None) -> dict[Key, list[Mend]]:
    """By rule and subject of each finding that counts, what its rule says would end it and what adds nothing wrong.

    What leaves out whole entries comes last.
    """
    memory, kind = memory or Memory(), game.bands[band.kind]
    before = judge_band(game, band, compare=False, memory=memory)
    wrong = wrong_in(before)
    counting = {(item.rule, item.subject) for item in before.findings if item.counts}
    found: dict[Key, list[Mend]] = {}
    for key, phrases, values in _proposed(game, band, memory):
        if key not in counting:
            continue
        after = judge_band(game, band, values, compare=False, memory=memory)
        known = found.setdefault(key, [])
        left = wrong_in(after)
        if lessens(wrong, left) and len(known) < MOST_STATED:
            gone = entries_gone(kind, band.values, values)
            texts = tuple(map(str, phrases))
            known.append(Mend(texts, after.total, values, phrases=phrases, gone=gone, left=len(left)))
    return {key: sorted(items, key=lambda item: item.gone) for key, items in found.items() if items}


def together(game: Game, band: Band) -> Together | None:
    """The mends of all findings that go together: the first of one, then of what is wrong after it, until none is left.

    What ends most goes first, and then what changes least: what must go for one rule may be what is too much by another.
    None when fewer than two changes were found, or nobody would be left.
    """
    memory, now = Memory(), band
    phrases: list[Phrase] = []
    for _ in range(MOST_STEPS):
        stated = stated_mends(game, now, memory)
        if not stated:
            break
        best = min(stated, key=lambda key: (stated[key][0].left, len(stated[key][0].phrases), key))
        step = stated[best][0]
        assert step.values is not None
        phrases += step.phrases
        now = replace(now, values=step.values)
    phrases = in_the_end(phrases)
    entries = game.bands[band.kind].entries
    if len(phrases) < 2 or not now.values[entries]:
        return None
    judged = judge_band(game, now, compare=False, memory=memory)
    gone = entries_gone(game.bands[band.kind], band.values, now.values)
    made = Mend(tuple(map(str, phrases)), judged.total, now.values, phrases=tuple(phrases), gone=gone)
    return Together(made, judged.verdict == "legal")


def suggested(game: Game, band: Band) -> Suggestions:
    """The mends of an illegal band that a search finds; where none keeps every entry, what its rules state as well."""
    found = mend(game, band)
    if any(not item.gone for item in found.mends):
        return found
    whole = together(game, band)
    if whole is None or not whole.legal:
        return found
    before = judge_band(game, band, compare=False).total or 0
    others = [item for item in found.mends if item.values != whole.mend.values]
    return Suggestions(ranked([whole.mend, *others], before), False, found.tried)


def in_the_end(phrases: Sequence[Phrase]) -> list[Phrase]:
    """Changes made one after the other, without those that a later one takes the place of."""
    kept: dict[object, Phrase] = {}
    for number, item in enumerate(phrases):
        told = dict(item.values)
        # Whatever else is done, such as one of several copies left out, is done as often as it is told.
        key: object = (told["field"], told.get("whose", "")) if item.id.partition("_")[0] in _OF_FIELDS else number
        kept.pop(key, None)
        kept[key] = item
    return list(kept.values())


def _proposed(game: Game, band: Band, memory: Memory) -> Iterator[tuple[Key, tuple[Phrase, ...], Entry]]:
    """Every change that a broken rule of a band states, and the band's values after it."""
    pack, kind = game.packs[band.pack], game.bands[band.kind]
    context = {**context_of(pack, game), "rulings": readings_of(pack, band.rulings)}
    context["band"] = seen = priced(kind, band.values, context, memory)
    for rule in pack.rules.values():
        if not rule.mend or rule.scope != "band" or band.kind not in (rule.kinds or [band.kind]):
            continue
        for subject, case in _broken(rule, context, band.title):
            for remedy in rule.mend:
                try:
                    made = _Remedying(kind, band.values, seen, case, context).apply(remedy)
                except (ExpressionError, MissingData, TypeError, ValueError, KeyError):
                    continue
                if made is not None:
                    yield (rule.id, subject), *made


def _broken(rule: Rule, context: Mapping[str, Any], title: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """What a rule is broken by: what it is called, and all that its mends see."""
    try:
        items: Sequence[Any] = compile_rule(rule.each).run(context) if rule.each else [None]
    except (ExpressionError, MissingData):
        return
    for item in items:
        case = {**context, "it": item} if rule.each else dict(context)
        try:
            found = measured(rule, case)
            if found is None or found[2]:
                continue
            case |= {name: compile_rule(source).run(case) for name, source in rule.values.items()}
        except (ExpressionError, MissingData, TypeError, ValueError, KeyError):
            continue
        yield (label(item) if rule.each else title), {**case, "actual": found[0], "limit": found[1]}


class _Remedying:
    """One remedy of one broken rule, on a band's values; `seen` are these as rules see them, priced."""

    def __init__(
        self, kind: BandKind, values: Entry, seen: Entry, case: Mapping[str, Any], context: Mapping[str, Any]
    ) -> None:
        self.kind, self.values, self.case, self.context = kind, values, case, context
        entries: Any = seen.get(kind.entries) or ()
        self.place = {id(item): index for index, item in enumerate(entries)}
        self.names = [label(item) for item in entries]

    def apply(self, remedy: Remedy) -> tuple[tuple[Phrase, ...], Entry] | None:
        """What is changed, and the values after it; None when there is nothing to change."""
        return self._leave_out(remedy) if remedy.leave_out else self._set(remedy)

    def _run(self, source: str) -> Any:
        return compile_rule(source).run(self.case)

    def _few(self, items: Any, remedy: Remedy) -> list[Any]:
        """The items that are meant, the last first; at most as many as the remedy says."""
        listed = items if isinstance(items, (list, tuple)) else [items]
        most = self._run(remedy.most) if remedy.most else len(listed)
        return list(reversed(listed))[: max(0, int(most))]

    def _leave_out(self, remedy: Remedy) -> tuple[tuple[Phrase, ...], Entry] | None:
        going = self._few(self._run(remedy.leave_out), remedy)
        entries = {self.place[id(item)] for item in going if id(item) in self.place}
        cards = [item for item in going if id(item) not in self.place]
        own = self.place.get(id(self.case.get("it")))
        phrases = [phrase("leave_out", what=self.names[index]) for index in sorted(entries)]
        kept: list[Any] = []
        old: Any = self.values[self.kind.entries]
        # Of an entry the rule speaks of, else of all, the last first.
        for index in reversed(range(len(old))):
            item, field = old[index], self.kind.entry
            if index in entries:
                continue
            if own in (None, index) and isinstance(item, Entry):
                gone: list[Any] = []
                item = _without(item, field, cards, gone)
                phrases += [phrase("leave_out", self.names[index], what=card) for card in gone]
            kept.append(item)
        if not phrases:
            return None
        return tuple(phrases), Entry({**self.values, self.kind.entries: tuple(reversed(kept))}, self.values.span)

    def _set(self, remedy: Remedy) -> tuple[tuple[Phrase, ...], Entry] | None:
        value = self._run(remedy.to)
        value = tuple(value) if isinstance(value, list) else value  # as lists of a band are
        steps = remedy.set.split(".")
        if remedy.of or "it" in self.case:
            targets = self._few(self._run(remedy.of) if remedy.of else [self.case["it"]], remedy)
            places = sorted(self.place[id(item)] for item in targets if id(item) in self.place)
            starts: list[tuple[str | int, ...]] = [(self.kind.entries, index) for index in places]
            fields: Mapping[str, Field] = self.kind.entry.fields
        else:
            starts, fields = [()], self.kind.fields
        field = field_at(fields, steps)
        values, phrases = self.values, []
        for start in starts:
            path = (*start, *steps)
            old = _at(values, path)
            # What comes back to what is printed is not stated any more.
            back = is_printed(self.kind, values, path, value, self.context)
            if field is None or old == value or (back and old is None):
                continue
            whose = self.names[int(start[1])] if start else ""
            if back:
                phrases.append(phrase("reset", whose, field=field.title or steps[-1], after=value))
            else:
                phrases.append(_said(field, steps[-1], whose, old, value))
            values = _filled(values, path, self.kind)
            values = without(values, path) if back or value is None else replaced(values, path, value)
        return (tuple(phrases), values) if phrases else None


def _said(field: Field, name: str, whose: str, old: Any, value: Any) -> Phrase:
    title = field.title or name
    if value is None:
        return phrase("clear", whose, field=title)
    if isinstance(value, bool):
        return phrase("yes" if value else "no", whose, field=title)
    values = (field.of or field).values
    return phrase("set", whose, field=title, after=titled(value if isinstance(value, tuple) else str(value), values))


def _without(value: Any, field: Field, cards: list[Any], gone: list[Any]) -> Any:
    """An entry without some of the cards in its lists, each of them once; what went is added to `gone`."""
    if field.type == "list" and isinstance(value, tuple):
        kept = []
        for item in reversed(value):
            at = next((n for n, card in enumerate(cards) if _same(card, item)), None)
            if at is None:
                kept.append(item)
            else:
                gone.append(item)
                del cards[at]
        return tuple(reversed(kept))
    if field.type == "record" and isinstance(value, Entry):
        changed = {name: _without(value.get(name), sub, cards, gone) for name, sub in field.fields.items()}
        return Entry({**value, **changed}, value.span, value.called)
    return value


def _same(card: Any, item: Any) -> bool:
    return card is item or (
        isinstance(item, Mapping) and isinstance(card, Mapping) and card.get("id") == item.get("id")
    )


def _at(value: Any, path: Sequence[str | int]) -> Any:
    for step in path:
        value = None if value is None else value[step] if isinstance(step, int) else value.get(step)
    return value


def _filled(values: Entry, path: Sequence[str | int], kind: BandKind) -> Entry:
    """Values in which the records on the way to a path are there."""
    for end in range(1, len(path)):
        if _at(values, path[:end]) is None:
            field = field_at(kind.entry.fields, [str(step) for step in path[2:end]])
            empty = Entry(dict.fromkeys(field.fields if field is not None else ()), values.span)
            values = replaced(values, path[:end], empty)
    return values

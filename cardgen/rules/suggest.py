"""What would mend a band, and what would fill it: a search, exact while it is small, and honest when it is not."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cardgen.model.band import Band, Entry
from cardgen.model.card import card_view
from cardgen.model.game import BandKind, Field, Game
from cardgen.rules.bands import Judgement, judge_band
from cardgen.rules.engine import label
from cardgen.rules.memory import Memory, about_item
from cardgen.rules.phrases import Phrase, phrase

MAX_DEPTH = 3
MAX_TRIES = 4000
MAX_SECONDS = 10.0
MAX_SHOWN = 5
# how far a value of an entry is lowered in one change
MOST_LOWERED = 7
Path = tuple[str | int, ...]


class Change(Struct, frozen=True):
    """One change in words, and the band's values after it; a swap is one of many, and tried after what is not."""

    phrase: Phrase
    values: Entry
    swap: bool = False

    @property
    def text(self) -> str:
        """The change in words."""
        return str(self.phrase)


class Mend(Struct, frozen=True):
    """Changes that together make a band legal, what it costs then, and its values after them."""

    changes: tuple[str, ...]
    total: Any
    values: Entry | None = None
    swaps: int = 0
    phrases: tuple[Phrase, ...] = ()


class Suggestions(Struct, frozen=True):
    """The smallest mends or fullest bands that were found; `exact` says that nothing better was left untried."""

    mends: tuple[Mend, ...]
    exact: bool
    tried: int


class _Tries:
    """Counts judgements and looks at the clock, so that a search ends."""

    def __init__(self, most: int, seconds: float = MAX_SECONDS) -> None:
        self.most = most
        self.made = 0
        self.until = time.monotonic() + seconds
        self.memory = Memory()

    @property
    def over(self) -> bool:
        """Whether there is nothing left to spend."""
        return self.made >= self.most or time.monotonic() > self.until

    def judge(self, game: Game, band: Band, values: Entry) -> Judgement | None:
        """The judgement of changed values; None when the search is over."""
        if self.over:
            return None
        self.made += 1
        return judge_band(game, band, values, compare=False, memory=self.memory)


# What is wrong with a band: (rule, subject, actual) of each finding that counts.
_Wrong = frozenset[tuple[str, str, str]]


class _State(Struct, frozen=True):
    """A band on the way to a mend: what was changed, in any order, and what is still wrong."""

    changes: tuple[str, ...]
    values: Entry
    wrong: _Wrong
    swaps: int = 0
    phrases: tuple[Phrase, ...] = ()
    places: frozenset[int] | None = None


def mend(game: Game, band: Band, most: int = MAX_TRIES, seconds: float = MAX_SECONDS) -> Suggestions:
    """The fewest changes that make an illegal band legal: drops, swaps, lower values, yes for no.

    One change more at a time, up to MAX_DEPTH: all mends of the first depth that has any, those that keep most of the
    cost first, and last those that would cost more than before. A change is built upon when it alters what is wrong without adding to it; the most promising first.
    """
    tries = _Tries(most, seconds)
    kind = game.bands[band.kind]
    before = judge_band(game, band, compare=False)
    front: list[_State] = [_State((), band.values, wrong_in(before), places=_places(before))]
    seen: set[tuple[str, ...]] = {()}
    for _ in range(MAX_DEPTH):
        found: list[Mend] = []
        following: list[_State] = []
        for state in front:
            if tries.over:
                break
            for change in _changes(game, kind, state.values, state.places):
                changes = tuple(sorted((*state.changes, change.text)))
                if changes in seen:
                    continue
                judged = tries.judge(game, band, change.values)
                if judged is None:
                    break
                seen.add(changes)
                wrong, swaps = wrong_in(judged), state.swaps + change.swap
                phrases = tuple(sorted((*state.phrases, change.phrase), key=str))
                if judged.verdict == "legal":
                    found.append(Mend(changes, judged.total, change.values, swaps, phrases))
                elif wrong != state.wrong and len(wrong) <= len(state.wrong):
                    following.append(_State(changes, change.values, wrong, swaps, phrases, _places(judged)))
        if found or tries.over:
            return Suggestions(_ranked(found, before.total or 0), not tries.over, tries.made)
        front = sorted(following, key=lambda state: (len(state.wrong), state.changes))
    return Suggestions((), True, tries.made)


def relieve(game: Game, band: Band, seconds: float = MAX_SECONDS) -> dict[tuple[str, str], tuple[Mend, ...]]:
    """For each finding that counts, by rule and subject, the single changes that end it and add nothing wrong.

    Swaps come last, those that end most first, then those that keep most of the cost.
    """
    tries = _Tries(MAX_TRIES, seconds)
    before = judge_band(game, band, compare=False)
    start = wrong_in(before)
    found: dict[tuple[str, str], list[tuple[bool, int, Mend]]] = {}
    for change in _changes(game, game.bands[band.kind], band.values, _places(before)):
        judged = tries.judge(game, band, change.values)
        if judged is None:
            break
        wrong = wrong_in(judged)
        if wrong < start:
            made = Mend((change.text,), judged.total, change.values, phrases=(change.phrase,))
            for rule, subject, _ in start - wrong:
                found.setdefault((rule, subject), []).append((change.swap, len(wrong), made))
    ranked = {}
    for key, items in found.items():
        items.sort(key=lambda item: (*item[:2], -(item[2].total or 0), item[2].changes))
        ranked[key] = tuple(item for *_, item in items[:MAX_SHOWN])
    return ranked


def wrong_in(judgement: Judgement) -> _Wrong:
    """What is wrong with a band, as it can be compared."""
    return frozenset((item.rule, item.subject, item.actual) for item in judgement.findings if item.counts)


def _ranked(mends: Iterable[Mend], before: Any) -> tuple[Mend, ...]:
    # Whoever plays wants to keep what they chose: the dearest legal band first, but nobody asked to spend more, nor to
    # have something else where it is enough to do without.
    def rank(item: Mend) -> tuple[Any, ...]:
        total = item.total or 0
        return total > before, -total, item.swaps, item.changes

    return tuple(islice(sorted(mends, key=rank), MAX_SHOWN))


def _places(judgement: Judgement) -> frozenset[int] | None:
    """The entries in which all that counts lies, by their places; None where it may lie anywhere."""
    kind, pack = judgement.kind, judgement.pack
    names = set()
    for item in judgement.findings:
        rule = pack.rules[item.rule]
        if item.counts and (rule.each != f"band.{kind.entries}" or not about_item(rule, "band")):
            return None
        if item.counts:
            names.add(item.subject)
    places = frozenset(place for place, line in enumerate(judgement.entries) if line.name in names)
    return places if names <= {line.name for line in judgement.entries} else None


def _changes(game: Game, kind: BandKind, values: Entry, places: frozenset[int] | None = None) -> list[Change]:
    """Every change that is tried, of entries those at `places`, those first of which there are few: time may not
    suffice for all."""
    return sorted(_all_changes(game, kind, values, places), key=lambda change: change.swap)


def _all_changes(game: Game, kind: BandKind, values: Entry, places: frozenset[int] | None) -> Iterator[Change]:
    for name, field in kind.fields.items():
        if places is None or name == kind.entries:
            yield from _of_field(game, kind, values, values[name], field, (name,), "", places)


def _of_field(
    game: Game,
    kind: BandKind,
    root: Entry,
    value: Any,
    field: Field,
    path: Path,
    owner: str,
    places: frozenset[int] | None = None,
) -> Iterator[Change]:
    # An entry says whose it is; what stands beside the entries says where.
    place = _title(path[0], kind.fields[str(path[0])])
    whose = owner or (place if path[0] != kind.entries else "")
    title = _title(path[-1], field)
    if value is None:
        return
    if field.type == "list" and field.of is not None:
        names = _told_apart(value)
        for index, item in enumerate(value):
            if places is not None and index not in places:
                continue
            rest = value[:index] + value[index + 1 :]
            yield Change(phrase("leave_out", whose, what=names[index]), replaced(root, path, rest))
            inner = owner or (names[index] if path[0] == kind.entries else "")
            yield from _of_field(game, kind, root, item, field.of, (*path, index), inner)
    elif field.type == "record":
        for name, sub in field.fields.items():
            yield from _of_field(game, kind, root, value[name], sub, (*path, name), owner)
    elif field.type == "card":
        yield from _swaps(game, root, value, field, path, "" if owner == label(value) else whose)
    elif field.type == "integer":
        low = field.min if field.min is not None else 0
        # What an entry has too much of may be far too much; what the players agreed on is changed a little only.
        for lower in range(value - 1, max(low, value - (MOST_LOWERED if owner else 1)) - 1, -1):
            told = phrase("lower", owner, field=title, before=value, after=lower)
            yield Change(told, replaced(root, path, lower))
    elif field.type == "choice":
        for other, called in field.values.items():
            if other != value:
                before = field.values.get(value, value)
                told = phrase("choose", owner, field=title, after=called, before=before)
                yield Change(told, replaced(root, path, other))
    elif field.type == "boolean" and owner:
        yield Change(phrase("no" if value else "yes", owner, field=title), replaced(root, path, not value))


def _title(name: str | int, field: Field) -> str:
    """What a field is called; an item of a list has no name of its own."""
    return field.title or str(name)


def _told_apart(items: Sequence[Any]) -> list[str]:
    """What items are called; those of one name are numbered in their order."""
    names = [label(item) for item in items]
    return [
        f"{name} no. {names[:index].count(name) + 1}" if names.count(name) > 1 else name
        for index, name in enumerate(names)
    ]


def _swaps(game: Game, root: Entry, value: Entry, field: Field, path: Path, whose: str) -> Iterator[Change]:
    for card in game.cards.values():
        # A swap is for something of its own kind: a rifle for a pistol, not for a helmet.
        if card.id != value["id"] and card.kind == value["kind"] and (not field.kinds or card.kind in field.kinds):
            other = Entry(card_view(card), value.span)
            yield Change(phrase("swap", whose, after=other, before=value), replaced(root, path, other), swap=True)


def replaced(value: Any, path: Sequence[str | int], new: Any) -> Any:
    """A copy of nested entries and tuples with one value replaced."""
    if not path:
        return new
    head, rest = path[0], path[1:]
    if isinstance(head, int):
        return (*value[:head], replaced(value[head], rest, new), *value[head + 1 :])
    return Entry({**value, head: replaced(value[head], rest, new)}, value.span)


def fill(game: Game, band: Band, candidates: Sequence[str], most: int = MAX_TRIES) -> Suggestions:
    """The dearest legal bands that add candidates (ids of cards, each at most as often as it is named) up to the limit.

    Depth first over the candidates, bounded by what is left of the limit and by the best that was found.
    """
    kind = game.bands[band.kind]
    now = judge_band(game, band, compare=False)
    costs = [(id, _cost(game, band, kind, id)) for id in candidates]
    open_items = sorted(((cost, id) for id, cost in costs if cost is not None and cost > 0), reverse=True)
    room = (now.limit or 0) - (now.total or 0)
    tries = _Tries(most)
    best: list[Mend] = []

    def search(at: int, chosen: tuple[str, ...], left: Any) -> None:
        if tries.over:
            return
        rest = sum(cost for cost, _ in open_items[at:])
        worst = best[-1].total if len(best) >= MAX_SHOWN else None
        if worst is not None and now.limit - left + min(left, rest) <= worst:
            return
        if at == len(open_items):
            if chosen:
                _keep(chosen, best, tries, game, band, kind)
            return
        cost, id = open_items[at]
        if cost <= left:
            search(at + 1, (*chosen, id), left - cost)
        search(at + 1, chosen, left)

    search(0, (), room)
    return Suggestions(tuple(best), not tries.over, tries.made)


def _keep(chosen: tuple[str, ...], best: list[Mend], tries: _Tries, game: Game, band: Band, kind: BandKind) -> None:
    judged = tries.judge(game, band, _with(game, band, kind, chosen))
    if judged is None or judged.verdict != "legal":
        return
    texts = tuple(sorted(f"add {game.cards[id].values.get('name') or id}" for id in chosen))
    if all(texts != other.changes for other in best):
        best.append(Mend(texts, judged.total))
        best.sort(key=lambda item: (-item.total, item.changes))
        del best[MAX_SHOWN:]


def _with(game: Game, band: Band, kind: BandKind, ids: Sequence[str]) -> Entry:
    """The band with plain entries for some cards added."""
    record = kind.fields[kind.entries].of
    assert record is not None
    added = tuple(_plain_entry(game, band, record, id) for id in ids)
    return Entry({**band.values, kind.entries: (*_entries(band, kind), *added)}, band.values.span)


def _entries(band: Band, kind: BandKind) -> tuple[Any, ...]:
    value = band.values[kind.entries]
    return value if isinstance(value, tuple) else ()


def _plain_entry(game: Game, band: Band, field: Field, id: str) -> Any:
    card = game.cards[id]
    entry = Entry(card_view(card), band.values.span)
    if field.type == "card":
        return entry
    main = next(name for name, sub in field.fields.items() if sub.type == "card" and _takes(sub, card.kind))
    empty: dict[str, Any] = {name: () if sub.type == "list" else sub.default for name, sub in field.fields.items()}
    return Entry({**empty, main: entry}, band.values.span)


def _takes(field: Field, kind: str) -> bool:
    return not field.kinds or kind in field.kinds


def addable(game: Game, kind: BandKind) -> list[str]:
    """The cards that could be entries of a band of this kind."""
    field = kind.fields[kind.entries].of
    assert field is not None
    fields = [field] if field.type == "card" else [sub for sub in field.fields.values() if sub.type == "card"][:1]
    return [id for id, card in game.cards.items() if any(_takes(sub, card.kind) for sub in fields)]


def _cost(game: Game, band: Band, kind: BandKind, id: str) -> Any:
    alone = replace(band, values=_with(game, band, kind, [id]))
    judged = judge_band(game, alone, compare=False)
    return judged.entries[-1].value

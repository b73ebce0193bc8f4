"""What would mend a band, and what would fill it: a search, exact while it is small, and honest when it is not."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from cardgen.model.band import Band, Entry
from cardgen.model.card import card_view
from cardgen.model.game import BandKind, Field, Game
from cardgen.rules.bands import Judgement, judge_band
from cardgen.rules.changes import Change, at_once, changes_of, fewest, gets_twice
from cardgen.rules.memory import Memory, about_item
from cardgen.rules.phrases import Phrase
from cardgen.rules.wrongs import Key, Wrong, ended, lessens, wrong_in

MAX_DEPTH = 3
MAX_TRIES = 4000
MAX_SECONDS = 10.0
MAX_SHOWN = 5
# how many joins of single changes are judged
MOST_JOINED = 40
# what joining may take beside a search that took all of its time
JOIN_SECONDS = 1.0


class Mend(Struct, frozen=True):
    """Changes that together make a band legal, what it costs then, and its values after them.

    `gone` is how many whole entries they leave out, `left` how much is wrong after those that do not mend all.
    """

    changes: tuple[str, ...]
    total: Any
    values: Entry | None = None
    swaps: int = 0
    phrases: tuple[Phrase, ...] = ()
    gone: int = 0
    left: int = 0


class Suggestions(Struct, frozen=True):
    """The smallest mends or fullest bands that were found; `exact` says that nothing better was left untried."""

    mends: tuple[Mend, ...]
    exact: bool
    tried: int


class Relief(Struct, frozen=True):
    """What ends findings one by one, by rule and subject, and what ends all of them when it is made at once; `exact`
    says that every single change was tried."""

    single: dict[Key, tuple[Mend, ...]]
    whole: tuple[Mend, ...]
    exact: bool


class _Single(Struct, frozen=True):
    """A change that ends findings and adds nothing wrong: how much is wrong after it, and what the band costs then."""

    change: Change
    left: Wrong
    total: Any
    gone: int

    @property
    def rank(self) -> tuple[Any, ...]:
        """Without a whole entry comes last, then swaps; those that end most first, then those that keep most of the cost."""
        return self.gone, self.change.swap, len(self.left), -(self.total or 0), self.change.text


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


class _State(Struct, frozen=True):
    """A band on the way to a mend: what was changed, in any order, and what is still wrong."""

    changes: tuple[str, ...]
    values: Entry
    wrong: Wrong
    swaps: int = 0
    phrases: tuple[Phrase, ...] = ()
    places: frozenset[int] | None = None


def mend(game: Game, band: Band, most: int = MAX_TRIES, seconds: float = MAX_SECONDS) -> Suggestions:
    """The fewest changes that make an illegal band legal: drops, swaps, lower values, yes for no.

    One change more at a time, up to MAX_DEPTH: all mends of the first depth that has any, those that keep most of the
    cost first, then swaps, those that would cost more than before, and last what leaves out whole entries. Where all
    that is wrong lies in entries, a depth that has nothing but the last is not enough. A change is built upon when it alters what is wrong without
    adding to it; the most promising first. A band that has many things wrong is beyond such a search: of it the single
    changes are joined that end one thing each, and then nothing says that fewer would not do.
    """
    tries = _Tries(most, seconds)
    kind = game.bands[band.kind]
    before = judge_band(game, band, compare=False)
    start = wrong_in(before)
    front: list[_State] = [_State((), band.values, start, places=_places(before))]
    seen: set[tuple[str, ...]] = {()}
    singles: list[_Single] = []
    found: list[Mend] = []
    for _ in range(MAX_DEPTH):
        following: list[_State] = []
        for state in front:
            if tries.over:
                break
            for change in changes_of(game, kind, state.values, state.places):
                changes = tuple(sorted((*state.changes, change.text)))
                if changes in seen:
                    continue
                judged = tries.judge(game, band, change.values)
                if judged is None:
                    break
                seen.add(changes)
                wrong, swaps = wrong_in(judged), state.swaps + change.swap
                gone = entries_gone(kind, band.values, change.values)
                if not state.changes and lessens(state.wrong, wrong):
                    singles.append(_Single(change, wrong, judged.total, gone))
                phrases = tuple(sorted((*state.phrases, change.phrase), key=str))
                if judged.verdict == "legal":
                    found.append(Mend(changes, judged.total, change.values, swaps, phrases, gone))
                elif wrong != state.wrong and len(wrong) <= len(state.wrong):
                    following.append(_State(changes, change.values, wrong, swaps, phrases, _places(judged)))
        if any(not item.gone for item in found) or (found and _places(before) is None):
            return Suggestions(ranked(found, before.total or 0), not tries.over, tries.made)
        if tries.over:
            break
        front = sorted(following, key=_promising)
    exact = not tries.over
    tries.until = max(tries.until, time.monotonic() + JOIN_SECONDS)
    whole = _joined(game, band, start, _by_finding(singles, start), tries)
    texts = {item.changes for item in found}
    found += (item for item in whole if item.changes not in texts)
    return Suggestions(ranked(found, before.total or 0), exact and not whole, tries.made)


def _promising(state: _State) -> tuple[Any, ...]:
    """Where least is wrong is looked at first, and of what is as wrong, what puts no card for another."""
    return len(state.wrong), sum(item.amiss for item in state.wrong), state.swaps, state.changes


def relieve(game: Game, band: Band, seconds: float = MAX_SECONDS, swaps: bool = True) -> Relief:
    """The single changes that end findings and add nothing wrong, and several of them that together end all.

    What a finding names is changed first; without `swaps` nothing is tried that puts one card for another.
    """
    tries = _Tries(MAX_TRIES, seconds)
    kind, before = game.bands[band.kind], judge_band(game, band, compare=False, memory=tries.memory)
    start = wrong_in(before)
    singles: list[_Single] = []
    for change in _blamed_first(changes_of(game, kind, band.values, _places(before)), before):
        if change.swap and not swaps:
            continue
        judged = tries.judge(game, band, change.values)
        if judged is None:
            break
        wrong = wrong_in(judged)
        if lessens(start, wrong):
            singles.append(_Single(change, wrong, judged.total, entries_gone(kind, band.values, change.values)))
    exact = swaps and not tries.over
    options = _by_finding(singles, start)
    tries.until = max(tries.until, time.monotonic() + min(seconds, JOIN_SECONDS) / 2)
    whole = ranked(_joined(game, band, start, options, tries), before.total or 0)
    shown = {key: tuple(_alone(item) for item in items[:MAX_SHOWN]) for key, items in options.items()}
    return Relief(shown, whole, exact)


def _alone(single: _Single) -> Mend:
    change = single.change
    return Mend((change.text,), single.total, change.values, int(change.swap), (change.phrase,), single.gone)


def _by_finding(singles: Iterable[_Single], start: Wrong) -> dict[Key, list[_Single]]:
    """The changes that end each finding, the best first."""
    found: dict[Key, list[_Single]] = {}
    for single in sorted(singles, key=lambda single: single.rank):
        for key in sorted(ended(start, single.left)):
            found.setdefault(key, []).append(single)
    return found


def _joined(
    game: Game, band: Band, start: Wrong, options: Mapping[Key, Sequence[_Single]], tries: _Tries
) -> list[Mend]:
    """Mends made of a change for each finding: the best of each, then with another for one of them."""
    keys = sorted({item.key for item in start})
    if len(keys) < 2 or any(key not in options for key in keys):
        return []
    found: list[Mend] = []
    seen: set[tuple[str, ...]] = set()
    others = ({key: place} for place in range(1, MAX_SHOWN) for key in keys if place < len(options[key]))
    for other in islice(chain([{}], others), MOST_JOINED):
        chosen: list[_Single] = []
        for key in sorted(keys, key=lambda key: key not in other):
            # What another change ends already needs none of its own.
            if all(key in {item.key for item in single.left} for single in chosen):
                chosen.append(options[key][other.get(key, 0)])
        changes = [single.change for single in chosen]
        texts = tuple(sorted({change.text for change in changes}))
        if texts in seen or gets_twice(changes):
            continue
        seen.add(texts)
        values = at_once(band.values, changes)
        judged = tries.judge(game, band, values)
        if judged is None:
            break
        kind = game.bands[band.kind]
        if judged.verdict == "legal" and len(_entries(values, kind)) >= fewest(kind):
            gone = entries_gone(kind, band.values, values)
            phrases = tuple(sorted({change.phrase for change in changes}, key=str))
            found.append(Mend(texts, judged.total, values, sum(change.swap for change in changes), phrases, gone))
    return found


def _blamed_first(changes: Iterable[Change], judgement: Judgement) -> list[Change]:
    """Changes in their order, but swaps last, and first those of entries that what is wrong names."""
    names = {name for item in judgement.findings if item.counts for name in (item.subject, *item.offenders)}
    blamed = {place for place, line in enumerate(judgement.entries) if line.name in names}

    def late(change: Change) -> tuple[bool, bool]:
        head, *rest = change.path
        return change.swap, head == judgement.kind.entries and bool(rest) and rest[0] not in blamed

    return sorted(changes, key=late)


def entries_gone(kind: BandKind, before: Entry, after: Entry) -> int:
    """How many of a band's entries are not in it after a change of its values."""
    return max(0, len(_entries(before, kind)) - len(_entries(after, kind)))


def ranked(mends: Iterable[Mend], before: Any) -> tuple[Mend, ...]:
    """The best of some mends of a band that costs `before`, in their order."""

    # Whoever plays wants to keep what they chose, and most of all who fights for them; nobody asked to spend more, nor to
    # have something else where it is enough to do without. The dearest legal band comes first then.
    def rank(item: Mend) -> tuple[Any, ...]:
        total = item.total or 0
        return item.gone, total > before, item.swaps, -total, item.changes

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
    return Entry({**band.values, kind.entries: (*_entries(band.values, kind), *added)}, band.values.span)


def _entries(values: Entry, kind: BandKind) -> tuple[Any, ...]:
    value = values[kind.entries]
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

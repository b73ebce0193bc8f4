"""Bands as they are edited: read, judged, mended, recruited into."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from cardgen.diagnostics import Report
from cardgen.errors import CardgenError
from cardgen.load.project import band_reader
from cardgen.load.trees import Planting, Tree
from cardgen.load.yamlitems import origins
from cardgen.model.band import Band, Entry
from cardgen.model.card import Card, card_view
from cardgen.model.game import BandKind, Die, Field, Game, KeywordUse
from cardgen.pipeline.entries import own_card
from cardgen.pipeline.verdicts import known_rules
from cardgen.rules.bands import Judgement, judge_band
from cardgen.rules.changes import born_with
from cardgen.rules.costs import priced, readings_of, value_of
from cardgen.rules.memory import Memory
from cardgen.rules.mends import stated_mends, together
from cardgen.rules.packs import context_of
from cardgen.rules.phrases import Phrase
from cardgen.rules.suggest import Mend, addable, mend, relieve
from cardgen.rules.wrongs import worsened, wrong_in
from cardgen.studio.documents import Document
from cardgen.studio.saying import Problems, by_path
from cardgen.studio.unread import excused, unread

if TYPE_CHECKING:
    from cardgen.studio.workshop import Workshop

# How long a search for mends may take, in seconds: somebody waits for the first answer, and works on before the second.
QUICK_SECONDS = 0.6
MEND_SECONDS = 6.0
# Why nobody needs what their type gives them; a page says it in its words.
BORN = "born"


def read_band(
    workshop: Workshop, document: Document, tree: Mapping[str, Tree], shown: Game | None = None
) -> tuple[Band | None, Problems, Planting]:
    """The band that a tree describes and what is wrong with it, by path; `shown` is its game in another language."""
    game, report, planting = shown or workshop.project.games[document.game], Report(), Planting(document.file)
    node = planting.plant(dict(tree))
    band = band_reader(workshop.project.shelf, game, report).read(node, document.file)
    if band is not None and not known_rules(game, band, report):
        band = None
    return band, excused(by_path(report, planting), game, unread(workshop, game)), planting


def judged(game: Game, band: Band, compare: bool = False) -> Judgement | None:
    """The band's judgement; None when the rules themselves fail on it."""
    try:
        return judge_band(game, band, compare=compare)
    except (CardgenError, ArithmeticError, TypeError, KeyError):
        return None


# --- trees of values -------------------------------------------------------------------------------------------------


def plain(value: Any, field: Field) -> Tree | None:
    """A finished value as its author would write it; None for nothing."""
    if value is None or value == ():
        return None
    match field.type:
        case "card":
            return str(value["id"])
        case "list":
            assert field.of is not None
            # An item that states nothing keeps its place.
            bare: Tree | None = {} if field.of.type == "record" else None
            items = (bare if made is None else made for made in (plain(item, field.of) for item in value))
            return [item for item in items if item is not None]
        case "record":
            found = {name: plain(value.get(name), sub) for name, sub in field.fields.items()}
            return {name: item for name, item in found.items() if item is not None} or None
        case "boolean":
            return "yes" if value else "no"
    if isinstance(value, Die):
        return value.id
    if isinstance(value, KeywordUse):
        return value.id if value.value is None else {value.id: str(value.value)}
    return str(value)


def patched(tree: Tree | None, before: Tree | None, after: Tree | None) -> Tree | None:
    """`tree` with what differs between `before` and `after`; what both have in common stays as it is written."""
    if before == after:
        return tree
    if isinstance(before, dict) and isinstance(after, dict):
        base = tree if isinstance(tree, dict) else {}
        found: dict[str, Tree] = {}
        for key in (*base, *(key for key in after if key not in base)):
            item = patched(base.get(key), before.get(key), after.get(key))
            if item is not None:
                found[key] = item
        return found
    if isinstance(before, list) and isinstance(after, list) and isinstance(tree, list) and len(tree) == len(before):
        if len(before) == len(after):
            items = [patched(*three) for three in zip(tree, before, after, strict=True)]
        else:
            items = [
                item if number is None else patched(tree[number], before[number], item)
                for item, number in zip(after, origins(before, after), strict=True)
            ]
        return [item for item in items if item is not None]
    return after


def changed_tree(tree: Mapping[str, Tree], before: Entry, after: Entry, fields: Mapping[str, Field]) -> dict[str, Tree]:
    """A band's tree with the change from one set of values to another."""
    record = Field("record", fields={name: field for name, field in fields.items() if name in before})
    found = patched(dict(tree), plain(before, record), plain(after, record))
    return found if isinstance(found, dict) else dict(tree)


def with_entries(game: Game, document: Document, tree: Mapping[str, Tree], ids: Sequence[str]) -> dict[str, Tree]:
    """The tree with cards recruited as new entries."""
    kind = game.bands[document.kind]
    field = kind.fields[kind.entries]
    old = tree.get(kind.entries)
    entries = list(old) if isinstance(old, list) else []
    return {**tree, kind.entries: [*entries, *(new_item(field, game.cards[id]) for id in ids if id in game.cards)]}


def stamped(
    game: Game, document: Document, before: Mapping[str, Tree], after: dict[str, Tree], version: str
) -> dict[str, Tree]:
    """The tree with the catalogue's version on the entries that `after` has behind those of `before`.

    Only where the game has a field for it (`choices.version`), and nobody filled it.
    """
    kind = game.bands[document.kind]
    field = kind.choices.version if kind.choices is not None else ""
    old, new = before.get(kind.entries), after.get(kind.entries)
    if not field or not isinstance(new, list):
        return after
    known = len(old) if isinstance(old, list) else 0
    made = [{**item, field: version} if isinstance(item, dict) and item and field not in item else item for item in new]
    return {**after, kind.entries: [*new[:known], *made[known:]]}


def with_choices(workshop: Workshop, document: Document, tree: dict[str, Tree]) -> dict[str, Tree]:
    """The tree of a new band with those of its choices stated without which the rules could not judge it.

    Of their values the one that breaks fewest rules: whoever recruits somebody mostly wants the band that they fight in.
    """
    game = workshop.project.games[document.game]

    def wrong(tried: Mapping[str, Tree]) -> tuple[bool, int]:
        band, _, _ = read_band(workshop, document, tried)
        judgement = judged(game, band) if band is not None else None
        counted = [item for item in judgement.findings if item.counts] if judgement is not None else []
        return judgement is None or any(item.verdict == "unknown" for item in counted), len(counted)

    for name, field in game.bands[document.kind].fields.items():
        if field.type != "choice" or name in tree or field.default is not None:
            continue
        now = wrong(tree)
        if not now[0]:
            break
        best = min(({**tree, name: value} for value in field.values), key=wrong)
        tree = best if wrong(best) < now else tree
    return tree


def versions_of(kind: BandKind, band: Band) -> dict[str, list[str]]:
    """The versions of the catalogue that entries of a band were made with, and whose they are, as they are called."""
    field = kind.choices.version if kind.choices is not None else ""
    found: dict[str, list[str]] = {}
    items: Any = band.values.get(kind.entries) or ()
    for item in items if field else ():
        if isinstance(item, Entry) and item.get(field):
            own = own_card(kind, item)
            name = item.get("name") or (own or {}).get("name") or item.called
            found.setdefault(str(item[field]), []).append(str(name))
    return dict(sorted(found.items()))


def new_item(field: Field, card: Card | None, text: str = "") -> Tree:
    """What a new item of a list is at first: about a card, or with a text."""
    inner = field.of
    assert inner is not None
    if inner.type == "record":
        main = next(
            (n for n, sub in inner.fields.items() if sub.type == "card" and (card is None or _takes(sub, card))), ""
        )
        return {main: card.id if card is not None else text} if main and (card is not None or text) else {}
    return card.id if card is not None else text


def _takes(field: Field, card: Card) -> bool:
    return not field.kinds or card.kind in field.kinds


def skipped(game: Game, document: Document) -> frozenset[str]:
    """The cards that nobody chooses as an option of a band's entries, as `choices.skip` of its kind says."""
    kind = game.bands.get(document.kind) if document.group == "bands" else None
    if kind is None or kind.choices is None or not kind.choices.skip:
        return frozenset()
    base = context_of(game.packs[kind.pack], game)
    return frozenset(
        id
        for id, card in game.cards.items()
        if value_of(kind.choices.skip, {**base, "option": Entry(card_view(card), card.span)}) is True
    )


def recruits(game: Game, kind: str) -> list[Card]:
    """The cards that a band of this kind may recruit."""
    field = game.bands[kind].fields[game.bands[kind].entries].of
    if field is None or (field.type not in {"card", "record"}):
        return []
    return [game.cards[id] for id in addable(game, game.bands[kind])]


def price_of(game: Game, card: Card) -> tuple[Any, str]:
    """What a card costs and in what: by itself as a band's entry, else as it states; None where it costs nothing."""
    span = card.span
    for kind in game.bands.values():
        if kind.cost and kind.own is not None and card.kind in kind.own[1].kinds:
            pack = game.packs.get(kind.pack)
            if pack is not None:
                entry = _item(Entry(card_view(card), span), kind.entry)
                base = {**context_of(pack, game), "rulings": readings_of(pack, {})}
                empty = {name: () if sub.type == "list" else sub.default for name, sub in kind.fields.items()}
                values = priced(kind, Entry({**empty, kind.entries: (entry,)}, span), base)
                (made,) = values[kind.entries]  # type: ignore[misc]
                return made.get("cost"), kind.unit  # type: ignore[has-type]
    unit = next((kind.unit for kind in game.bands.values() if kind.unit), "")
    stated = card.values.get("cost", card.values.get("points"))
    return (stated, unit) if isinstance(stated, (int, float)) and not isinstance(stated, bool) else (None, "")


# --- in workers ------------------------------------------------------------------------------------------------------


class Task(Struct, frozen=True):
    """A band to think about in a worker. The game goes along once pickled; workers keep the last ones."""

    game: bytes
    band: Band


@lru_cache(maxsize=4)
def _game(data: bytes) -> Game:
    game: Game = pickle.loads(data)
    return game


class FoundMend(Struct, frozen=True):
    """The changes as phrases, the cost then, the values then."""

    changes: tuple[Phrase, ...]
    total: Any
    values: Entry


class Stated(Struct, frozen=True):
    """What rules themselves say would mend a band, by rule and subject; all that goes together, and whether the band is
    legal then."""

    single: dict[tuple[str, str], list[FoundMend]]
    together: FoundMend | None
    legal: bool


def warm(task: Task) -> None:
    """Do what a search does, and forget it: whoever asks next need not wait for the game to be read and its rules to be
    compiled."""
    relieve(_game(task.game), task.band, QUICK_SECONDS, swaps=False)


def find_stated(task: Task) -> Stated:
    """What would mend a band as its rules state it: this needs no search."""
    game = _game(task.game)
    single = {key: _found(mends) for key, mends in stated_mends(game, task.band).items()}
    whole = together(game, task.band)
    return Stated(single, _found([whole.mend])[0] if whole is not None else None, whole is not None and whole.legal)


def find_mends(task: Task) -> tuple[list[FoundMend], bool]:
    """The smallest mends of a band, and whether nothing better was left untried."""
    found = mend(_game(task.game), task.band, seconds=MEND_SECONDS)
    return _found(found.mends), found.exact


class FoundRelief(Struct, frozen=True):
    """Single changes that end one finding each, by its rule and subject, and what ends all when it is made at once."""

    single: dict[tuple[str, str], list[FoundMend]]
    whole: list[FoundMend]


def find_relief(task: Task, quick: bool) -> FoundRelief:
    """What ends findings one by one, and several of them together; quickly without what puts one card for another."""
    found = relieve(_game(task.game), task.band, QUICK_SECONDS if quick else MEND_SECONDS, swaps=not quick)
    return FoundRelief({key: _found(mends) for key, mends in found.single.items()}, _found(found.whole))


def _found(mends: Sequence[Mend]) -> list[FoundMend]:
    return [FoundMend(item.phrases, item.total, item.values) for item in mends if item.values is not None]


def reasons_against(task: Task, path: tuple[str | int, ...], ids: Sequence[str]) -> dict[str, str]:
    """Why each of some cards does not go with a band when it is put at `path` (a list gets it, a field becomes it).

    The message of the first finding that was not there before, or is worse than before; what names cards that should not
    be there comes before what counts them; of what the entry's own card gives it, BORN. A card without one is not named.
    """
    game = _game(task.game)
    memory = Memory()
    now = judge_band(game, task.band, compare=False, memory=memory)
    before = wrong_in(now)
    found: dict[str, str] = {}
    kind = game.bands[task.band.kind]
    born = born_with(game, kind, task.band.values, path)
    for id in ids:
        if id in born:
            found[id] = BORN
            continue
        card = Entry(card_view(game.cards[id]), task.band.values.span)
        try:
            values = _put(task.band.values, path, card, kind.fields)
            judgement = judge_band(game, task.band, values, compare=False, memory=memory)
        except (CardgenError, ArithmeticError, TypeError, KeyError, IndexError):
            continue
        worse = worsened(before, wrong_in(judgement))
        new = [item for item in judgement.problems if (item.rule, item.subject) in worse and item not in now.findings]
        for item in sorted((item for item in new if item.counts), key=lambda item: item.op != "empty")[:1]:
            found[id] = f"{item.rule}: {item.message}"
    return found


def _put(value: Any, path: Sequence[str | int], card: Entry, fields: Mapping[str, Field]) -> Any:
    head, rest = str(path[0]), path[1:]
    field = fields[head]
    old = value.get(head)
    return Entry({**value, head: _put_in(old, rest, card, field)}, value.span)


def _put_in(value: Any, path: Sequence[str | int], card: Entry, field: Field) -> Any:
    if field.type == "list" and field.of is not None:
        items = value or ()
        if not path:
            return (*items, _item(card, field.of))
        index = int(path[0])
        return (*items[:index], _put_in(items[index], path[1:], card, field.of), *items[index + 1 :])
    if field.type == "record" and path:
        return _put(value or Entry(dict.fromkeys(field.fields), card.span), path, card, field.fields)
    return card


def _item(card: Entry, field: Field) -> Any:
    if field.type != "record":
        return card
    main = next(
        n for n, sub in field.fields.items() if sub.type == "card" and (not sub.kinds or card["kind"] in sub.kinds)
    )
    empty = {name: () if sub.type == "list" else sub.default for name, sub in field.fields.items()}
    return Entry({**empty, main: card}, card.span)

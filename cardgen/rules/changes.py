"""Every single change that could mend a band, and several of them made at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from cardgen.model.band import Entry
from cardgen.model.card import card_view
from cardgen.model.game import BandKind, Field, Game
from cardgen.model.sheet import SheetWords
from cardgen.rules.costs import readings_of
from cardgen.rules.engine import fill, label
from cardgen.rules.packs import context_of
from cardgen.rules.phrases import Phrase, phrase
from cardgen.rules.printed import printed_of

# how far a value of an entry is lowered in one change
MOST_LOWERED = 7
Path = tuple[str | int, ...]


class Change(Struct, frozen=True):
    """One change: in words, at its path in the band's values as they are, and these values after it.

    `gone` leaves out what is there, else `new` takes its place; a swap is one of many, and tried after what is not.
    """

    phrase: Phrase
    values: Entry
    path: Path
    new: Any = None
    gone: bool = False
    swap: bool = False

    @property
    def text(self) -> str:
        """The change in words."""
        return str(self.phrase)


def at_once(values: Entry, changes: Iterable[Change]) -> Entry:
    """Values after several changes of them; what lies in something that is left out needs no change."""
    listed = {change.path: change for change in changes}
    gone = {path for path, change in listed.items() if change.gone}
    inside = {path for path in listed if any(path[:end] in gone for end in range(1, len(path)))}
    for path, change in listed.items():
        if not change.gone and path not in inside:
            values = without(values, path) if change.new is None else replaced(values, path, change.new)
    # The last first: the places of those before it stay what they are.
    for path in sorted(gone - inside, reverse=True):
        items = _at(values, path[:-1])
        values = replaced(values, path[:-1], (*items[: int(path[-1])], *items[int(path[-1]) + 1 :]))
    return values


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def changes_of(game: Game, kind: BandKind, values: Entry, places: frozenset[int] | None = None) -> list[Change]:
    """Every change that is tried, of entries those at `places`, those first of which there are few: time may not
    suffice for all."""
    return sorted(_all_changes(game, kind, values, places), key=lambda change: change.swap)


def _all_changes(game: Game, kind: BandKind, values: Entry, places: frozenset[int] | None) -> Iterator[Change]:
    pack = game.packs.get(kind.pack)
    base = {**context_of(pack, game), "rulings": readings_of(pack, {})} if pack is not None else {}
    entries: Any = values[kind.entries] or ()
    printed: dict[Path, Mapping[str, Any]] = {
        (kind.entries, place, record): told
        for place, item in enumerate(entries)
        if places is None or place in places
        for record, told in printed_of(kind, item, base).items()
    }
    for name, field in kind.fields.items():
        if places is None or name == kind.entries:
            yield from _of_field(game, kind, values, values[name], field, (name,), "", printed, places)


def _of_field(
    game: Game,
    kind: BandKind,
    root: Entry,
    value: Any,
    field: Field,
    path: Path,
    owner: str,
    printed: Mapping[Path, Mapping[str, Any]],
    places: frozenset[int] | None = None,
    held: frozenset[str] = frozenset(),
) -> Iterator[Change]:
    # An entry says whose it is; what stands beside the entries says where.
    place = _title(path[0], kind.fields[str(path[0])])
    whose = owner or (place if path[0] != kind.entries else "")
    title = _title(path[-1], field)
    if value is None:
        return
    if field.type == "list" and field.of is not None:
        names = _told_apart(value, game.says)
        # A list that is too short makes the file one that nobody can read.
        least = fewest(kind) if path == (kind.entries,) else field.min_items
        held = _held(game, kind, root, path, value, field.of)
        for index, item in enumerate(value):
            if places is not None and index not in places:
                continue
            if len(value) > least:
                rest = value[:index] + value[index + 1 :]
                told = phrase("leave_out", whose, what=names[index])
                yield Change(told, replaced(root, path, rest), (*path, index), gone=True)
            inner = owner or (names[index] if path[0] == kind.entries else "")
            yield from _of_field(game, kind, root, item, field.of, (*path, index), inner, printed, held=held)
    elif field.type == "record":
        main = _main(field)
        for name, sub in field.fields.items():
            has = held if name == main else frozenset()
            yield from _of_field(game, kind, root, value[name], sub, (*path, name), owner, printed, held=has)
    elif field.type == "card":
        yield from _swaps(game, root, value, field, path, "" if owner == label(value) else whose, held)
    elif field.type == "integer":
        low = field.min if field.min is not None else 0
        # What an entry has too much of may be far too much; what the players agreed on is changed a little only.
        for lower in range(value - 1, max(low, value - (MOST_LOWERED if owner else 1)) - 1, -1):
            # What comes back to what is printed is not stated any more.
            if printed.get(path[:-1], {}).get(str(path[-1])) == lower:
                yield Change(phrase("reset", owner, field=title, after=lower), without(root, path), path)
                continue
            told = phrase("lower", owner, field=title, before=value, after=lower)
            yield Change(told, replaced(root, path, lower), path, lower)
    elif field.type == "choice":
        for other, called in field.values.items():
            if other != value:
                before = field.values.get(value, value)
                told = phrase("choose", owner, field=title, after=called, before=before)
                yield Change(told, replaced(root, path, other), path, other)
    elif field.type == "boolean" and owner:
        told = phrase("no" if value else "yes", owner, field=title)
        yield Change(told, replaced(root, path, not value), path, not value)


def fewest(kind: BandKind) -> int:
    """How many entries a band has at least: one of nobody is none, whatever its file allows."""
    return max(1, kind.fields[kind.entries].min_items)


def _title(name: str | int, field: Field) -> str:
    """What a field is called; an item of a list has no name of its own."""
    return field.title or str(name)


def _told_apart(items: Sequence[Any], says: SheetWords) -> list[str]:
    """What items are called; those of one name are numbered in their order."""
    names = [label(item) for item in items]

    def numbered(index: int, name: str) -> str:
        return fill(says.numbered, {"name": name, "number": str(names[:index].count(name) + 1)})

    return [numbered(index, name) if names.count(name) > 1 else name for index, name in enumerate(names)]


def _main(field: Field) -> str:
    """The card that a record is about, the first of it; empty for none."""
    return next((name for name, sub in field.fields.items() if sub.type == "card"), "")


def _held(game: Game, kind: BandKind, root: Entry, path: Path, items: Sequence[Any], of: Field) -> frozenset[str]:
    """The ids of what an entry has in one of its lists, and of what its own card lists: nothing else becomes one of them.

    Empty for the list of the entries: two of them may be alike.
    """
    if path[0] != kind.entries or len(path) < 2:
        return frozenset()
    main = _main(of)
    has = [item.get(main) if of.type == "record" else item for item in items if isinstance(item, Mapping)]
    found = {str(card["id"]) for card in has if isinstance(card, Mapping)}
    return frozenset(found) | born_with(game, kind, root, path)


def born_with(game: Game, kind: BandKind, root: Entry, path: Path) -> frozenset[str]:
    """The ids of what the own card of the entry at a path lists: whoever is of that card has them already."""
    if path[0] != kind.entries or len(path) < 3:
        return frozenset()
    entry, own = _at(root, path[:2]), kind.own
    card = entry.get(own[0]) if own is not None and isinstance(entry, Mapping) else None
    return frozenset(_listed(card, game.kinds[card["kind"]].fields)) if isinstance(card, Mapping) else frozenset()


def _listed(values: Mapping[str, Any], fields: Mapping[str, Field]) -> Iterator[str]:
    """The ids in the lists of cards that a card states, such as what its type is born with."""
    for name, field in fields.items():
        value = values.get(name)
        if field.type == "list" and field.of is not None and field.of.type == "card":
            yield from value or ()
        elif field.type == "record" and isinstance(value, Mapping):
            yield from _listed(value, field.fields)


def gets_twice(changes: Iterable[Change]) -> bool:
    """Whether several changes put one card into one list of an entry."""
    places = []
    for change in changes:
        if change.swap:
            last = max((at for at, step in enumerate(change.path) if isinstance(step, int)), default=0)
            places += [(change.path[:last], change.new["id"])] if last > 1 else []
    return len(set(places)) < len(places)


def _swaps(
    game: Game, root: Entry, value: Entry, field: Field, path: Path, whose: str, held: frozenset[str]
) -> Iterator[Change]:
    for card in game.cards.values():
        if card.id in held:
            continue
        # A swap is for something of its own kind: a rifle for a pistol, not for a helmet.
        if card.id != value["id"] and card.kind == value["kind"] and (not field.kinds or card.kind in field.kinds):
            other = Entry(card_view(card), value.span)
            told = phrase("swap", whose, after=other, before=value)
            yield Change(told, replaced(root, path, other), path, other, swap=True)


def replaced(value: Any, path: Sequence[str | int], new: Any) -> Any:
    """A copy of nested entries and tuples with one value replaced."""
    if not path:
        return new
    head, rest = path[0], path[1:]
    if isinstance(head, int):
        return (*value[:head], replaced(value[head], rest, new), *value[head + 1 :])
    return Entry({**value, head: replaced(value[head], rest, new)}, value.span)


def without(values: Entry, path: Sequence[str | int]) -> Entry:
    """Values that state nothing at a path, nor a record that would state nothing any more."""
    cleared: Entry = replaced(values, path, None)
    record: Any = cleared
    for step in path[:-1]:
        record = record[step]
    if len(path) > 1 and isinstance(path[-1], str) and isinstance(path[-2], str) and set(record.values()) <= {None}:
        return without(cleared, path[:-1])
    return cleared

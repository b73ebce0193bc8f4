"""What has changed between a snapshot and the one that would be made now. By content: names alone change nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardgen.model.ledger import Cause, Change, Changes, Part, PrintedItem, Snapshot, ValueChange

_Look = tuple[tuple[str, ...], tuple[str, ...], str]


def compare(old: Snapshot, new: Snapshot, title: str, since: str, unknown: Iterable[str] = ()) -> Changes:
    """Every card that is new, changed, gone, or wanted more or less often.

    A card that only has another id is the same card. Of the cards in `unknown`, which have errors, nothing is said.
    """
    unseen = frozenset(unknown)
    pairs = dict(_pairs(old, new, unseen))
    causes = tuple(_causes(old, new))
    found = [change for label, item in new.items.items() if (change := _change(label, item, old, pairs, causes))]
    met = {*pairs.values(), *unseen}
    found += [
        Change(label, item.title, "gone", item.copies, 0, old_label=label, old_title=item.title)
        for label, item in old.items.items()
        if label not in met
    ]
    same = len(new.items) - sum(change.kind != "gone" for change in found)
    return Changes(new.game, new.lang, new.print, title, since, tuple(found), same, tuple(sorted(unseen)))


def _pairs(old: Snapshot, new: Snapshot, unseen: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The label now and then of everything that is in both."""
    yield from ((label, label) for label in new.items if label in old.items)
    left: dict[_Look, list[str]] = {}
    for label, item in old.items.items():
        if label not in new.items and label not in unseen:
            left.setdefault(_look(item), []).append(label)
    for label, item in new.items.items():
        if label not in old.items and left.get(_look(item)):
            yield label, left[_look(item)].pop(0)


def _look(item: PrintedItem) -> _Look:
    return item.front, item.back, item.shape


def _change(
    label: str, item: PrintedItem, old: Snapshot, pairs: dict[str, str], causes: tuple[Cause, ...]
) -> Change | None:
    if label not in pairs:
        return Change(label, item.title, "new", 0, item.copies)
    before, was = old.items[pairs[label]], pairs[label]
    parts = tuple(_parts(before, item))
    if parts:
        values = tuple(_values(before, item))
        why: tuple[Cause, ...] = causes if causes or values else ("shared",)
        return Change(label, item.title, "changed", before.copies, item.copies, parts, values, why, was, before.title)
    if before.copies != item.copies:
        return Change(label, item.title, "copies", before.copies, item.copies, old_label=was, old_title=before.title)
    return None


def _parts(old: PrintedItem, new: PrintedItem) -> Iterator[Part]:
    if old.front != new.front:
        yield "front"
    if old.back != new.back:
        yield "back"
    if old.shape != new.shape:
        yield "shape"


def _values(old: PrintedItem, new: PrintedItem) -> Iterator[ValueChange]:
    for name in dict.fromkeys((*new.values, *old.values)):
        before, after = old.values.get(name, ""), new.values.get(name, "")
        if before != after:
            yield ValueChange(name, before, after)


def _causes(old: Snapshot, new: Snapshot) -> Iterator[Cause]:
    if old.layouts != new.layouts:
        yield "layout"
    if old.fonts != new.fonts:
        yield "fonts"
    if old.options.codes != new.options.codes:
        yield "codes"

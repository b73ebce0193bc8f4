"""What an avatar keeps that is kept at its version: the cards that it has, as the catalogue before said them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from cardgen.diagnostics import Report
from cardgen.files import MAX_YAML, Shelf, own_path, read_bounded
from cardgen.load.bands import card_entries
from cardgen.load.catalogues import own_file
from cardgen.load.kept import kept_name, kept_text
from cardgen.load.nodes import parse_yaml
from cardgen.load.trees import Tree, tree_of
from cardgen.model.band import Entry
from cardgen.model.game import BandKind, Game
from cardgen.pipeline.catalogues.compare import (
    BandChange,
    EntryChange,
    cards_in,
    compare_band,
    renewed_values,
    stamped_entry,
)
from cardgen.pipeline.catalogues.install import Change


def kept_before(bands: Collection[BandChange], old: Game, before: str, after: str) -> frozenset[tuple[str, int]]:
    """The entries that an earlier update kept, as bands' names and numbers: their values are stored by their version."""
    return frozenset(
        (band.name, entry.number)
        for band in bands
        for entry in band.entries
        if entry.version in old.kept and entry.version not in (before, after)
    )


def decided(
    bands: Collection[BandChange], kept: Collection[tuple[str, int]], old: Game, new: Game, before: str
) -> list[BandChange]:
    """What changes for the bands when some entries stay at their version and all others are made anew."""
    found = []
    for band in bands:
        kind = old.bands[band.band.kind]
        items: Any = band.band.values.get(kind.entries) or ()
        lines = {
            entry.number: _as_kept(items[entry.number - 1], entry, kind, old, new, before)
            for entry in band.entries
            if (band.name, entry.number) in kept
        }
        found.append(compare_band(band.band, old, new, lines) if lines else band)
    return found


def _as_kept(item: Entry, entry: EntryChange, kind: BandKind, old: Game, new: Game, before: str) -> Entry:
    """An entry that stays at its version as bands are read then: with the cards of that version, or on paper alone."""
    version = entry.version or before
    stamp = kind.choices.version if kind.choices is not None else ""
    if version != before or not keeps_values(old, before, new.version, entry):
        stored = old.kept.get(version, {}) if version != new.version else {}
        item = renewed_values(item, card_entries([*new.cards.values(), *stored.values()]))
    made: Entry = stamped_entry(item, stamp, version)
    return made


def keeps_values(old: Game, before: str, after: str, entry: EntryChange) -> bool:
    """Whether an entry that is kept keeps its values: it was made with what is replaced, or they are stored already.

    A catalogue that calls itself as the one before leaves nothing to tell them apart by.
    """
    version = entry.version or before
    return version != after and (version == before or version in old.kept)


def kept_change(
    shelf: Shelf,
    old: Game,
    bands: Collection[BandChange],
    kept: Collection[tuple[str, int]],
    before: str,
    after: str,
) -> Change | None:
    """The file of kept cards with those of the entries that are kept now; None when it has nothing to take in.

    Cards of a player's own are left out: no catalogue changes them. Raises FileProblem.
    """
    cards: dict[str, Tree] = {}
    texts: dict[str, Tree] = {}
    for id in _named(old, bands, kept, before, after):
        file = old.cards[id].span.file
        if file == own_file(old.id, old.cards[id].kind):
            continue
        if file not in texts:
            root = parse_yaml(shelf.read(file, MAX_YAML), file, Report())
            texts[file] = tree_of(root) if root is not None else {}
        tree = texts[file]
        if isinstance(tree, dict) and id in tree:
            cards[id] = tree[id]
    if not cards:
        return None
    path, name = own_path(shelf, kept_name(old.id)), kept_name(old.id)
    was = read_bounded(path, name, MAX_YAML) if path.exists() else None
    text = kept_text((was or b"").decode("utf-8-sig"), before, cards)
    return Change(name, was, text.encode())


def _named(
    old: Game, bands: Collection[BandChange], kept: Collection[tuple[str, int]], before: str, after: str
) -> Iterator[str]:
    """The cards of the entries that were made with what is replaced and are kept, each once."""
    found: dict[str, None] = {}
    for band in bands:
        items: Any = band.band.values.get(old.bands[band.band.kind].entries) or ()
        for entry in band.entries:
            if (band.name, entry.number) in kept and before != after and (entry.version or before) == before:
                found |= dict.fromkeys(id for id in cards_in(items[entry.number - 1]) if id in old.cards)
    return iter(found)

"""What an avatar keeps that is kept at its version: the cards that it has, as the catalogue before said them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from cardgen.diagnostics import Report
from cardgen.files import MAX_YAML, Shelf, own_path, read_bounded
from cardgen.load.catalogues import own_file
from cardgen.load.kept import kept_name, kept_text
from cardgen.load.nodes import parse_yaml
from cardgen.load.trees import Tree, tree_of
from cardgen.model.game import Game
from cardgen.pipeline.catalogues.compare import BandChange, EntryChange, cards_in
from cardgen.pipeline.catalogues.install import Change


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

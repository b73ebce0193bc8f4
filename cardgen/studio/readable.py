"""What of a band can be read while something in it is wrong, so that the rest of its form goes on telling what it tells."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import TYPE_CHECKING

from cardgen.load.trees import Tree
from cardgen.model.band import Band
from cardgen.model.game import Game
from cardgen.studio.bandroom import read_band
from cardgen.studio.beginnings import least
from cardgen.studio.documents import Document

if TYPE_CHECKING:
    from cardgen.studio.workshop import Workshop

# What is left out may leave something else wanting: a record, then its entry.
ROUNDS = 6


def readable(
    workshop: Workshop, document: Document, tree: Mapping[str, Tree], game: Game
) -> tuple[Band | None, tuple[int, ...]]:
    """The band without what is wrong in it, and the places that its entries have in `tree`; None when nothing is left.

    A value that is wrong is left out, an entry only where it cannot be read without; what the band itself has to state
    is the least that it may say.
    """
    name = game.bands[document.kind].entries
    kept = deepcopy(dict(tree))
    entries = kept.get(name)
    places = list(range(len(entries))) if isinstance(entries, list) else []
    for _ in range(ROUNDS):
        band, errors, _ = read_band(workshop, document, kept, game)
        if band is not None:
            return band, tuple(places)
        entries = kept.get(name)
        gone: set[int] = set()
        # The last of a list first, so that the places of the others hold.
        for steps in sorted((path.split(".") for path in errors if path), key=_order, reverse=True):
            entry = int(steps[1]) if steps[0] == name and len(steps) > 1 and steps[1].isdigit() else None
            if entry is not None:
                if len(steps) == 2 or not _left_out(kept, steps):
                    gone.add(entry)
            elif not _left_out(kept, steps) and steps[0] in document.fields:
                made = least(document.fields[steps[0]], "", game)
                if made is not None:
                    kept[steps[0]] = made
        if isinstance(entries, list):
            kept[name] = [item for at, item in enumerate(entries) if at not in gone]
            places = [place for at, place in enumerate(places) if at not in gone]
    return None, ()


def _order(steps: list[str]) -> list[tuple[int, str]]:
    return [(int(step), "") if step.isdigit() else (0, step) for step in steps]


def _left_out(tree: Tree, steps: list[str]) -> bool:
    """Take out of a tree what stands at a path; whether something stood there."""
    *way, last = steps
    for step in way:
        if isinstance(tree, dict) and step in tree:
            tree = tree[step]
        elif isinstance(tree, list) and step.isdigit() and int(step) < len(tree):
            tree = tree[int(step)]
        else:
            return False
    if isinstance(tree, dict) and last in tree:
        del tree[last]
        return True
    if isinstance(tree, list) and last.isdigit() and int(last) < len(tree):
        del tree[int(last)]
        return True
    return False

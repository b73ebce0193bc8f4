"""Merging: two hands changed what a third text was the beginning of."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from cardgen.load.trees import Tree


class Conflict(Struct, frozen=True):
    """One field that both sides changed, each to something else; None is: left out."""

    path: str
    mine: Tree | None
    theirs: Tree | None


class Merged(Struct, frozen=True):
    """The result; `taken` are the paths at which `theirs` was followed, `conflicts` what has to be asked (mine stands)."""

    tree: dict[str, Tree]
    taken: tuple[str, ...]
    conflicts: tuple[Conflict, ...]


def merge(
    base: Mapping[str, Tree], mine: Mapping[str, Tree], theirs: Mapping[str, Tree], choices: Mapping[str, str]
) -> Merged:
    """Three-way merge of mappings, field by field; a list is one field.

    `choices` says, by path, whether "mine" or "theirs" holds where both changed.
    """
    taken: list[str] = []
    conflicts: list[Conflict] = []
    tree = _merge(base, mine, theirs, choices, "", taken, conflicts)
    return Merged(tree, tuple(taken), tuple(conflicts))


def _merge(
    base: Mapping[str, Tree],
    mine: Mapping[str, Tree],
    theirs: Mapping[str, Tree],
    choices: Mapping[str, str],
    path: str,
    taken: list[str],
    conflicts: list[Conflict],
) -> dict[str, Tree]:
    merged: dict[str, Tree] = {}
    # The order is theirs, which is the file's; what only mine has comes behind it.
    for key in (*theirs, *(key for key in mine if key not in theirs)):
        old, own, other = base.get(key), mine.get(key), theirs.get(key)
        here = f"{path}.{key}" if path else key
        chosen: Tree | None
        if own == other or other == old:
            chosen = own
        elif own == old:
            chosen = other
            taken.append(here)
        elif isinstance(own, dict) and isinstance(other, dict):
            chosen = _merge(old if isinstance(old, dict) else {}, own, other, choices, here, taken, conflicts)
        elif here in choices:
            chosen = other if choices[here] == "theirs" else own
        else:
            chosen = own
            conflicts.append(Conflict(here, own, other))
        if chosen is not None:
            merged[key] = chosen
    return merged

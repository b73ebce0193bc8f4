"""What the form of an editor states: a band's or card's tree, and what is done to it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from msgspec import Struct

from cardgen.load.trees import Tree
from cardgen.model.game import Game
from cardgen.studio import bandroom
from cardgen.studio.documents import Document
from cardgen.studio.sent import Sent, operate, settled, tree_from
from cardgen.studio.workshop import Workshop


def tree_in(sent: Sent, name: str) -> dict[str, Tree]:
    """A tree that a page keeps for itself in a hidden field; empty when it is not one."""
    try:
        found = json.loads(sent.one(name) or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) and _is_tree(found) else {}


def texts_in(sent: Sent, name: str) -> list[str]:
    """Texts that a page keeps for itself; none when they are not that."""
    try:
        found = json.loads(sent.one(name) or "[]")
    except ValueError:
        return []
    return found if isinstance(found, list) and all(isinstance(text, str) for text in found) else []


def _is_tree(value: object, depth: int = 0) -> bool:
    if depth > 30:
        return False
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_tree(item, depth + 1) for key, item in value.items())
    return isinstance(value, str) or (isinstance(value, list) and all(_is_tree(item, depth + 1) for item in value))


class Said(Struct, frozen=True):
    """What a form says: `base` is what the file said when the page was made, `tree` what the form says now.

    `again` is whether the form has to be shown anew, `did` what was done to a list, with its place (see `settled`).
    """

    base: dict[str, Tree]
    again: bool
    tree: dict[str, Tree]
    did: str = ""


def said(workshop: Workshop, sent: Sent, document: Document) -> Said:
    """What a form says. What it has stored is made from the source's names, whatever language the page is in."""
    game = workshop.project.games[document.game]
    base, shown = tree_in(sent, "_base"), tree_in(sent, "_shown")
    tree = tree_in(sent, "_tree") or tree_from(sent, document.fields, shown, game)
    stated = bool(sent.one("_tree"))
    operation, did = sent.one("_op"), ""
    if operation:
        did = settled(tree, operation, document.fields, game)
        tree, stated = operate(tree, did, document.fields, game), True
    if document.group == "bands":
        recruited = [id for text in sent.values.get("_recruit", []) for id in text.split()]
        if recruited:
            tree, stated = bandroom.with_entries(game, document, tree, recruited), True
        if not operation:
            tree = bandroom.stamped(game, document, shown, tree, workshop.catalogue_version(game))
        readings = {name[2:]: texts[-1] for name, texts in sent.values.items() if name.startswith("r.")}
        if readings:
            tree = _with_readings(tree, readings, game)
    stated = stated or any(name.startswith("a.") and any(texts) for name, texts in sent.values.items())
    return Said(base, stated, tree, did)


def _with_readings(tree: dict[str, Tree], readings: Mapping[str, str], game: Game) -> dict[str, Tree]:
    """The band with its rulings; those that are as the pack has them are not stated."""
    stated = tree.get("rules")
    kind = game.bands.get(str(tree.get("kind", ""))) or next(iter(game.bands.values()))
    pack = game.packs.get(stated if isinstance(stated, str) and stated else kind.pack)
    old = tree.get("rulings")
    rulings: dict[str, Tree] = dict(old) if isinstance(old, dict) else {}
    for id, reading in readings.items():
        if pack is None or id not in pack.rulings:
            continue
        if reading == pack.rulings[id].default:
            rulings.pop(id, None)
        else:
            rulings[id] = reading
    rest = {key: value for key, value in tree.items() if key != "rulings"}
    if rulings == old:
        return tree
    return {**rest, "rulings": rulings} if rulings else rest

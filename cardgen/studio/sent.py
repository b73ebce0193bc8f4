"""What comes back from a form: the tree that it says, and its lists in another order.

Names of inputs: `v.PATH` is a value, `l.PATH` says that a list was shown, `i.PATH` is an index of it (in their order), `b.PATH` says that a box was shown
(an unticked one sends nothing), `p.PATH` is a keyword's parameter, `a.PATH` a card or word to add to a list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from cardgen.load.trees import Tree
from cardgen.model.game import Field, Game
from cardgen.studio.bandroom import new_item
from cardgen.studio.naming import name_in

YES = ("true", "yes", "on")
MOST_ITEMS = 1000


class Sent:
    """What a form sent: every name with its texts, in their order."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        self.values: dict[str, list[str]] = {}
        for name, text in pairs:
            self.values.setdefault(name, []).append(text)

    def one(self, name: str) -> str | None:
        """The last text of a name."""
        return self.values[name][-1] if self.values.get(name) else None


def tree_from(sent: Sent, fields: Mapping[str, Field], base: Mapping[str, Tree], game: Game) -> dict[str, Tree]:
    """The tree that a form says. What the form does not show stays as it is in `base`, in its order."""
    found = dict(base)
    for name, item in fields.items():
        value = _value(sent, name, item, base.get(name), game)
        if value is None:
            found.pop(name, None)
        else:
            found[name] = value
    return found


def _value(sent: Sent, path: str, item: Field, old: Tree | None, game: Game) -> Tree | None:
    match item.type:
        case "list":
            assert item.of is not None
            if sent.one(f"l.{path}") is None:
                return old
            entries: list[Tree] = []
            olds = old if isinstance(old, list) else []
            for index in sent.values.get(f"i.{path}", [])[:MOST_ITEMS]:
                known = olds[int(index)] if index.isdigit() and int(index) < len(olds) else None
                value = _value(sent, f"{path}.{index}", item.of, known, game)
                entries.append(value if value is not None else {} if item.of.type == "record" else "")
            added = sent.one(f"a.{path}")
            if added:
                bare = added == "-"
                entries.append(new_item(item, None if bare else game.cards.get(added), "" if bare else added))
            return entries or (None if old is None or olds else old)
        case "record":
            return _record(sent, {f"{path}.{n}": (n, sub) for n, sub in item.fields.items()}, old, game)
        case "bands":
            assert item.of is not None
            bands = game.tracks[item.track].bands
            return _record(sent, {f"{path}.{band.id}": (band.id, item.of) for band in bands}, old, game)
        case "boolean":
            if sent.one(f"b.{path}") is None:
                return old
            ticked = sent.one(f"v.{path}") is not None
            stated = old if isinstance(old, str) else ""
            if ticked == (stated in YES if stated else item.default is True):
                return old
            return "yes" if ticked else "no"
        case "keyword":
            name = sent.one(f"v.{path}")
            if name is None:
                return old
            parameter = (sent.one(f"p.{path}") or "").strip()
            keyword = game.keywords.get(name)
            if name and parameter and keyword is not None and keyword.parameter != "none":
                return {name: parameter}
            return name or None
        case _:
            text = sent.one(f"v.{path}")
            if text is None:
                return old
            text = text.replace("\r\n", "\n")
            # Spaces at the ends are no part of a text, but taking away those that the file has is no change to make.
            if isinstance(old, str) and text.strip() == old.strip():
                return old
            return text.strip() or None


def _record(sent: Sent, inner: Mapping[str, tuple[str, Field]], old: Tree | None, game: Game) -> Tree | None:
    olds = old if isinstance(old, dict) else {}
    found = dict(olds)
    for path, (name, sub) in inner.items():
        value = _value(sent, path, sub, olds.get(name), game)
        if value is None:
            found.pop(name, None)
        else:
            found[name] = value
    return found or (old if old == {} else None)


def settled(
    tree: Mapping[str, Tree], operation: str, fields: Mapping[str, Field] | None = None, game: Game | None = None
) -> str:
    """An operation (see `operate`) with the place that it leads to: a twin stands behind the last copy of its group.

    Copies of "Ash" are those called "Ash 2", "Ash 3"; what has no name stands right behind what it is a copy of.
    """
    word, _, told = operation.partition(":")
    path = told.partition(":")[0]
    parts = path.split(".")
    if word != "twin" or len(parts) < 2 or not parts[-1].isdigit():
        return operation
    at, last = int(parts[-1]), int(parts[-1])
    names, own = _names_at(tree, parts[:-1], fields or {}, game)
    if own is not None and at < len(names) and (bare := _bare(names[at])):
        copies = [n for n, name in enumerate(names) if re.search(r" \d+$", name) and name == _numbered(bare, name, own)]
        last = max(at, *copies) if copies else at
    return f"{word}:{path}:{last + 1}"


def operate(
    tree: Mapping[str, Tree], operation: str, fields: Mapping[str, Field] | None = None, game: Game | None = None
) -> dict[str, Tree]:
    """The tree after `remove:PATH`, `up:PATH`, `down:PATH`, `twin:PATH` or `move:PATH:PLACE` of a list's item.

    Places are counted from 0; anything else changes nothing. By `fields` and `game` (in its source language, as the
    name is stored) a twin is found a place and a name of its own where it can have one.
    """
    word, _, told = settled(tree, operation, fields, game).partition(":")
    path, _, place = told.partition(":")
    parts = path.split(".")
    if word not in {"remove", "up", "down", "twin", "move"} or len(parts) < 2 or not parts[-1].isdigit():
        return dict(tree)
    at = int(parts[-1])
    to = {"up": at - 1, "down": at + 1}.get(word, int(place) if place.isdigit() else at)
    found = _operated(dict(tree), parts, word, max(0, to))
    if word == "twin" and isinstance(found, dict):
        _rename(found, parts[:-1], to, fields or {}, game)
    return found if isinstance(found, dict) else dict(tree)


def _list_at(
    tree: Mapping[str, Tree], path: Sequence[str], fields: Mapping[str, Field]
) -> tuple[list[Tree], Field | None]:
    """The list at a path, and the record of its items; None where they are none that have names of their own."""
    items: Tree | None = dict(tree)
    field: Field | None = Field("record", fields=fields)
    for part in path:
        if isinstance(items, list) and part.isdigit() and int(part) < len(items):
            items, field = items[int(part)], field.of if field is not None else None
        elif isinstance(items, dict):
            items, field = items.get(part), field.fields.get(part) if field is not None else None
        else:
            return [], None
    record = field.of if field is not None else None
    own = record.fields.get("name") if record is not None else None
    named = isinstance(items, list) and own is not None and own.type == "text"
    return items if isinstance(items, list) else [], record if named else None


def _names_at(
    tree: Mapping[str, Tree], path: Sequence[str], fields: Mapping[str, Field], game: Game | None
) -> tuple[list[str], Field | None]:
    """What the items of a list are called, and the field of their own name if they have one."""
    items, record = _list_at(tree, path, fields)
    return (
        ([name_in(item, record, game) for item in items], record.fields["name"]) if record is not None else ([], None)
    )


def _bare(name: str) -> str:
    return re.sub(r" \d+$", "", name)


def _numbered(bare: str, number: str, own: Field) -> str:
    """A name with a number, as long as its field lets it be; the number may be that at the end of another name."""
    end = f" {number.rpartition(' ')[2]}"
    return f"{bare[: (own.max_length or 80) - len(end)]}{end}"


def _rename(
    tree: dict[str, Tree], path: Sequence[str], at: int, fields: Mapping[str, Field], game: Game | None
) -> None:
    """Call item `at` of the list at `path` as none of the others: "Ash", "Ash 2", "Ash 3"."""
    names, own = _names_at(tree, path, fields, game)
    if own is None or at >= len(names) or not (bare := _bare(names[at])):
        return
    items, _ = _list_at(tree, path, fields)
    item = items[at]
    if isinstance(item, dict):
        tried = (_numbered(bare, str(n), own) for n in range(2, len(names) + 3))
        items[at] = {**item, "name": next(name for name in tried if name not in names)}


def _operated(tree: Tree, parts: Sequence[str], word: str, to: int) -> Tree:
    head, rest = parts[0], parts[1:]
    if isinstance(tree, dict):
        if head not in tree:
            return tree
        inner = _operated(tree[head], rest, word, to)
        changed = {**tree, head: inner}
        if inner == []:
            del changed[head]
        return changed
    if not isinstance(tree, list) or not head.isdigit() or int(head) >= len(tree):
        return tree
    index = int(head)
    if rest:
        return [*tree[:index], _operated(tree[index], rest, word, to), *tree[index + 1 :]]
    items = list(tree)
    if word == "twin":
        items.insert(to, items[index])
        return items
    item = items.pop(index)
    if word != "remove":
        items.insert(to, item)
    return items

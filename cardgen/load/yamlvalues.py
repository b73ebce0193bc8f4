"""Nodes of a YAML file as ruamel.yaml has them: changed where they differ, made where there are none."""

from __future__ import annotations

import io
from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import LiteralScalarString

from cardgen.load.trees import Tree
from cardgen.model.game import Field

WIDTH = 118


def new_yaml() -> YAML:
    """A reader and writer that keeps quotes and comments."""
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = WIDTH
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def dumped(value: Any) -> str:
    """A node as text."""
    target = io.StringIO()
    new_yaml().dump(value, target)
    return target.getvalue()


def update_map(node: CommentedMap, new: Mapping[str, Tree], fields: Mapping[str, Field]) -> None:
    """Have a mapping say `new`; what it says already stays as it is written."""
    for key in [key for key in node if str(key) not in new]:
        del node[key]
    known = {str(key): key for key in node}
    wished = list(fields)
    for name, value in new.items():
        field = fields.get(name)
        if name in known:
            node[known[name]] = changed_node(node[known[name]], value, field)
            continue
        place = wished.index(name) if name in wished else len(wished)
        at = sum(1 for key in node if str(key) in wished[:place] or str(key) not in wished)
        node.insert(at, name, made_node(value, field, flow=_is_flow(node)))


def changed_node(old: Any, new: Tree, field: Field | None) -> Any:
    """The node with what differs put right, so that comments and quotes of the rest stay."""
    if isinstance(old, CommentedMap) and isinstance(new, dict):
        update_map(old, new, field.fields if field is not None else {})
        return old
    if isinstance(old, CommentedSeq) and isinstance(new, list):
        _update_list(old, new, field.of if field is not None else None)
        return old
    if not isinstance(new, (dict, list)) and _plain(old) == new:
        return old
    return made_node(new, field, flow=_is_flow(old))


def _update_list(node: CommentedSeq, new: list[Tree], field: Field | None) -> None:
    old = [_plain(item) for item in node]
    order = permutation(old, new)
    if order is not None:
        items, comments = list(node), dict(node.ca.items)
        node.ca.items.clear()
        for place, number in enumerate(order):
            node[place] = items[number]
            if number in comments:
                node.ca.items[place] = comments[number]
        return
    matcher = SequenceMatcher(None, [repr(item) for item in old], [repr(item) for item in new], autojunk=False)
    sample = node[0] if len(node) else None
    for tag, a, b, c, d in reversed(matcher.get_opcodes()):
        if tag == "equal":
            continue
        shared = min(b - a, d - c)
        for offset in range(shared):
            node[a + offset] = changed_node(node[a + offset], new[c + offset], field)
        for index in range(b - 1, a + shared - 1, -1):
            del node[index]
        for offset in range(shared, d - c):
            flow = _is_flow(node) or _is_flow(sample)
            node.insert(a + offset, made_node(new[c + offset], field, flow=flow or None))


def _is_flow(node: Any) -> bool | None:
    """Whether a collection is written in brackets; None for what is no collection."""
    return bool(node.fa.flow_style()) if isinstance(node, (CommentedMap, CommentedSeq)) else None


def _plain(node: Any) -> Tree:
    """The tree of a loaded node, scalars as close to their text as a loader keeps them."""
    if isinstance(node, Mapping):
        return {str(key): _plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_plain(item) for item in node]
    if isinstance(node, bool):
        return "true" if node else "false"
    return "" if node is None else str(node)


def made_node(
    value: Tree,
    field: Field | None,
    fields: Mapping[str, Field] | None = None,
    flow: bool | None = None,
    block: bool = False,
) -> Any:
    """A new node. Short collections go in brackets, as they do in hand-written cards."""
    if isinstance(value, dict):
        inner = fields if fields is not None else field.fields if field is not None else {}
        made = CommentedMap({key: made_node(item, inner.get(key), flow=flow) for key, item in value.items()})
        if not block and (flow or (flow is None and is_short(value))):
            made.fa.set_flow_style()
        return made
    if isinstance(value, list):
        of = field.of if field is not None else None
        items = CommentedSeq([made_node(item, of, flow=flow) for item in value])
        # A list of things with fields of their own has a line for each.
        lines = any(isinstance(item, dict) for item in value)
        if flow or (flow is None and is_short(value) and not lines):
            items.fa.set_flow_style()
        return items
    if "\n" in value:
        return LiteralScalarString(value if value.endswith("\n") else f"{value}\n")
    if field is not None and field.type in {"text", "rich"}:
        return value
    loaded = YAML(typ="safe", pure=True).load(value) if value and value[0] in "-+.0123456789tf" else value
    # Numbers and truths go without quotes where writing them gives the very text back.
    if isinstance(loaded, (int, float)) and dumped(CommentedSeq([loaded])).strip().removeprefix("- ") == value:
        return loaded
    return value


def is_short(value: Tree) -> bool:
    """Whether a value goes in brackets on one line."""
    if isinstance(value, str):
        return "\n" not in value
    items = list(value.values()) if isinstance(value, dict) else value
    return len(str(value)) <= 90 and all(is_short(item) for item in items)


def permutation(old: Tree, new: Tree) -> list[int] | None:
    """Where each item of `new` stands in `old`, if one list is the other in another order."""
    if not isinstance(old, list) or not isinstance(new, list) or len(old) != len(new):
        return None
    left = list(range(len(old)))
    order = []
    for item in new:
        place = next((number for number in left if old[number] == item), None)
        if place is None:
            return None
        left.remove(place)
        order.append(place)
    return order

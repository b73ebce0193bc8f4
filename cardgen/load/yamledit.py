"""Changes one mapping inside of a YAML file and leaves every other byte alone.

Only the lines of fields that changed are written anew, by ruamel.yaml, which keeps the comments inside of them. What
comes out is read back and compared with what was wanted; where the lines of a file do not allow that (flow style,
anchors), ruamel.yaml writes the whole mapping, and where even that fails nothing is written.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError
from ruamel.yaml.scalarstring import LiteralScalarString

from cardgen.diagnostics import Report, Span
from cardgen.errors import FileProblem
from cardgen.load import nodes
from cardgen.load.nodes import parse_yaml
from cardgen.load.trees import Tree, tree_of
from cardgen.model.game import Field

WIDTH = 118


def edit(text: str, key: str | None, new: Mapping[str, Tree], fields: Mapping[str, Field]) -> str:
    """The file's text with the mapping at `key` (None: the root) changed to `new`; a key that is not there is appended.

    Raises FileProblem when the file cannot be read or cannot be changed safely.
    """
    root = _root(text)
    old_tree = tree_of(root)
    assert isinstance(old_tree, dict)
    if key is None:
        wanted: Tree = dict(new)
        target: nodes.Node = root
    else:
        wanted = {**old_tree, key: dict(new)}
        if key not in root.entries:
            return _checked(_appended(text, key, new, fields), wanted)
        target = root.entries[key].value
    if wanted == old_tree:
        return text
    if key is None and not root.entries:
        gap = "\n" if text and not text.endswith("\n") else ""
        return _checked(f"{text}{gap}{_dump(_made(dict(new), None, fields, block=True))}", wanted)
    for way in (_by_lines, _by_mapping):
        changed = way(text, root, target, key, new, fields)
        if changed is not None and _says(changed, wanted):
            return changed
    raise FileProblem("this file is written in a way that cannot be changed safely; edit it by hand")


def remove(text: str, key: str) -> str:
    """The file's text without the entry `key` of its root. Raises FileProblem as `edit` does."""
    root = _root(text)
    tree = tree_of(root)
    assert isinstance(tree, dict)
    if key not in tree:
        return text
    lines = text.splitlines(keepends=True)
    start = root.entries[key].key.line - 1
    end = _end(lines, root, key)
    changed = "".join(lines[:start] + lines[end:])
    return _checked(changed, {name: value for name, value in tree.items() if name != key})


def _root(text: str) -> nodes.Map:
    report = Report()
    if not text.strip() or all(line.lstrip().startswith("#") for line in text.splitlines() if line.strip()):
        return nodes.Map({}, Span("file", 1, 1))
    root = parse_yaml(text.encode(), "file", report)
    if not isinstance(root, nodes.Map) or report.has_errors():
        problem = report.items[0].message if report.items else "it is no mapping"
        raise FileProblem(f"the file has mistakes that must be mended by hand first: {problem}")
    return root


def _says(text: str, wanted: Tree) -> bool:
    try:
        return tree_of(_root(text)) == wanted
    except FileProblem:
        return False


def _checked(text: str, wanted: Tree) -> str:
    if not _says(text, wanted):
        raise FileProblem("this file is written in a way that cannot be changed safely; edit it by hand")
    return text


def _appended(text: str, key: str, new: Mapping[str, Tree], fields: Mapping[str, Field]) -> str:
    gap = "" if not text or text.endswith("\n") else "\n"
    made = CommentedMap({key: _made(dict(new), None, fields, block=True)})
    return f"{text}{gap}\n{_dump(made)}"


# --- by lines --------------------------------------------------------------------------------------------------------


def _by_lines(
    text: str,
    root: nodes.Map,
    target: nodes.Node,
    key: str | None,
    new: Mapping[str, Tree],
    fields: Mapping[str, Field],
) -> str | None:
    """Only changed fields' lines are written anew; None when fields do not begin lines of their own."""
    if not isinstance(target, nodes.Map) or not target.entries:
        return None
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    starts = {name: entry.key.line - 1 for name, entry in target.entries.items()}
    indent = target.entries[next(iter(target.entries))].key.column - 1
    outer = -1 if key is None else root.entries[key].key.line - 1
    for name, entry in target.entries.items():
        line = lines[starts[name]] if starts[name] < len(lines) else ""
        if entry.key.column - 1 != indent or line[:indent].strip() or starts[name] == outer:
            return None
    if len(set(starts.values())) != len(starts):
        return None
    last = len(lines) if key is None else _end(lines, root, key)
    order = sorted(starts, key=lambda name: starts[name])
    old = tree_of(target)
    assert isinstance(old, dict)
    pieces: dict[str, list[str]] = {}
    for name, following in zip(order, [*order[1:], None], strict=True):
        end = starts[following] if following is not None else last
        body = lines[starts[name] : end]
        tail = _trailing(body, indent)
        own, rest = body[: len(body) - tail], body[len(body) - tail :]
        if name not in new:
            own = []
        elif new[name] != old[name]:
            changed = _moved(own, indent, name, old[name], new[name])
            if changed is None:
                changed = _rewritten(own, indent, name, new[name], fields.get(name))
            if changed is None:
                return None
            own = changed
        pieces[name] = own + rest
    wished = [name for name in fields if name in new]
    for name in new:
        if name in pieces:
            continue
        added = _indented(_dump(CommentedMap({name: _made(new[name], fields.get(name))})), indent)
        # Behind the field that the game declares before it.
        place = wished.index(name) if name in wished else len(wished)
        before = next((other for other in reversed(wished[:place]) if other in pieces), order[-1])
        body = pieces[before]
        tail = _trailing(body, indent)
        pieces[before] = body[: len(body) - tail] + added + body[len(body) - tail :]
    head = min(starts.values())
    return "".join(lines[:head] + [line for name in order for line in pieces[name]] + lines[last:])


def _end(lines: list[str], root: nodes.Map, key: str) -> int:
    """The line behind the last one of a root entry, comments before the next one left to that."""
    start = root.entries[key].key.line - 1
    later = [entry.key.line - 1 for entry in root.entries.values() if entry.key.line - 1 > start]
    end = min(later, default=len(lines))
    return end - _trailing(lines[start:end], 0)


def _trailing(lines: list[str], indent: int) -> int:
    """How many lines at the end are empty or comments that stand no deeper than `indent`."""
    count = 0
    for line in reversed(lines[1:]):
        bare = line.strip()
        if bare and not (bare.startswith("#") and len(line) - len(line.lstrip()) <= indent):
            break
        count += 1
    return count


def _rewritten(own: list[str], indent: int, name: str, value: Tree, field: Field | None) -> list[str] | None:
    """The lines of one field with its value changed."""
    try:
        loaded = _yaml().load("".join(line[indent:] if line[:indent].isspace() else line for line in own))
    except YAMLError:
        return None
    if not isinstance(loaded, CommentedMap) or name not in loaded:
        return None
    loaded[name] = _changed(loaded[name], value, field)
    return _indented(_dump(loaded), indent)


def _moved(own: list[str], indent: int, name: str, old: Tree, new: Tree) -> list[str] | None:
    """The lines of a list whose items only changed places, each with its comments; None when there is more to it."""
    order = _permutation(old, new)
    if order is None:
        return None
    root = parse_yaml(
        "".join(line[indent:] if line[:indent].isspace() else line for line in own).encode(), "", Report()
    )
    found = root.entries[name].value if isinstance(root, nodes.Map) and name in root.entries else None
    if not isinstance(found, nodes.Sequence) or len(found.items) != len(order):
        return None
    # A comment above an item is about it; what stands beside it is in its lines anyway.
    starts = []
    for item in found.items:
        line = item.span.line - 1
        if not own[line].lstrip().startswith("- ") or line == 0:
            return None
        while line > 1 and own[line - 1].lstrip().startswith("#"):
            line -= 1
        starts.append(line)
    if sorted(set(starts)) != starts:
        return None
    pieces = [own[start:end] for start, end in zip(starts, [*starts[1:], len(own)], strict=True)]
    return own[: starts[0]] + [line for number in order for line in pieces[number]]


def _permutation(old: Tree, new: Tree) -> list[int] | None:
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


def _indented(text: str, indent: int) -> list[str]:
    return [f"{' ' * indent}{line}" if line.strip() else line for line in text.splitlines(keepends=True)]


# --- by the whole mapping --------------------------------------------------------------------------------------------


def _by_mapping(
    text: str,
    root: nodes.Map,
    target: nodes.Node,
    key: str | None,
    new: Mapping[str, Tree],
    fields: Mapping[str, Field],
) -> str | None:
    lines = text.splitlines(keepends=True)
    start, end = (0, len(lines)) if key is None else (root.entries[key].key.line - 1, _end(lines, root, key))
    for from_line, to_line in dict.fromkeys(((start, end), (0, len(lines)))):
        try:
            loaded = _yaml().load("".join(lines[from_line:to_line]))
            if key is None:
                _update(loaded, new, fields)
            elif isinstance(loaded.get(key), CommentedMap):
                _update(loaded[key], new, fields)
            else:
                loaded[key] = _made(dict(new), None, fields)
            return "".join(lines[:from_line]) + _dump(loaded) + "".join(lines[to_line:])
        except YAMLError:
            continue
    return None


# --- values ----------------------------------------------------------------------------------------------------------


def _yaml() -> YAML:
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = WIDTH
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def _dump(value: Any) -> str:
    target = io.StringIO()
    _yaml().dump(value, target)
    return target.getvalue()


def _update(node: CommentedMap, new: Mapping[str, Tree], fields: Mapping[str, Field]) -> None:
    for key in [key for key in node if str(key) not in new]:
        del node[key]
    known = {str(key): key for key in node}
    wished = list(fields)
    for name, value in new.items():
        field = fields.get(name)
        if name in known:
            node[known[name]] = _changed(node[known[name]], value, field)
            continue
        place = wished.index(name) if name in wished else len(wished)
        at = sum(1 for key in node if str(key) in wished[:place] or str(key) not in wished)
        node.insert(at, name, _made(value, field, flow=_is_flow(node)))


def _changed(old: Any, new: Tree, field: Field | None) -> Any:
    """The node with what differs put right, so that comments and quotes of the rest stay."""
    if isinstance(old, CommentedMap) and isinstance(new, dict):
        _update(old, new, field.fields if field is not None else {})
        return old
    if isinstance(old, CommentedSeq) and isinstance(new, list):
        _update_list(old, new, field.of if field is not None else None)
        return old
    if not isinstance(new, (dict, list)) and _plain(old) == new:
        return old
    return _made(new, field, flow=_is_flow(old))


def _update_list(node: CommentedSeq, new: list[Tree], field: Field | None) -> None:
    old = [_plain(item) for item in node]
    order = _permutation(old, new)
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
            node[a + offset] = _changed(node[a + offset], new[c + offset], field)
        for index in range(b - 1, a + shared - 1, -1):
            del node[index]
        for offset in range(shared, d - c):
            flow = _is_flow(node) or _is_flow(sample)
            node.insert(a + offset, _made(new[c + offset], field, flow=flow or None))


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


def _made(
    value: Tree,
    field: Field | None,
    fields: Mapping[str, Field] | None = None,
    flow: bool | None = None,
    block: bool = False,
) -> Any:
    """A new node. Short collections go in brackets, as they do in hand-written cards."""
    if isinstance(value, dict):
        inner = fields if fields is not None else field.fields if field is not None else {}
        made = CommentedMap({key: _made(item, inner.get(key), flow=flow) for key, item in value.items()})
        if not block and (flow or (flow is None and _is_short(value))):
            made.fa.set_flow_style()
        return made
    if isinstance(value, list):
        of = field.of if field is not None else None
        items = CommentedSeq([_made(item, of, flow=flow) for item in value])
        if flow or (flow is None and _is_short(value)):
            items.fa.set_flow_style()
        return items
    if "\n" in value:
        return LiteralScalarString(value if value.endswith("\n") else f"{value}\n")
    if field is not None and field.type in {"text", "rich"}:
        return value
    loaded = YAML(typ="safe", pure=True).load(value) if value and value[0] in "-+.0123456789tf" else value
    # Numbers and truths go without quotes where writing them gives the very text back.
    if isinstance(loaded, (int, float)) and _dump(CommentedSeq([loaded])).strip().removeprefix("- ") == value:
        return loaded
    return value


def _is_short(value: Tree) -> bool:
    if isinstance(value, str):
        return "\n" not in value
    items = list(value.values()) if isinstance(value, dict) else value
    return len(str(value)) <= 90 and all(_is_short(item) for item in items)

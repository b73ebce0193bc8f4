"""Changes one mapping inside of a YAML file and leaves every other byte alone.

Only the lines of fields that changed are written anew, by ruamel.yaml, which keeps the comments inside of them. What
comes out is read back and compared with what was wanted; where the lines of a file do not allow that (flow style,
anchors), ruamel.yaml writes the whole mapping, and where even that fails nothing is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import YAMLError

from cardgen.diagnostics import Report, Span
from cardgen.errors import FileProblem
from cardgen.load import nodes
from cardgen.load.nodes import parse_yaml
from cardgen.load.trees import Tree, tree_of
from cardgen.load.yamlitems import by_items, indented
from cardgen.load.yamlvalues import changed_node, dumped, made_node, new_yaml, update_map
from cardgen.model.game import Field


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
        return _checked(f"{text}{gap}{dumped(made_node(dict(new), None, fields, block=True))}", wanted)
    for way in (_by_lines, partial(_by_lines, items=False), _by_mapping):
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
    made = CommentedMap({key: made_node(dict(new), None, fields, block=True)})
    return f"{text}{gap}\n{dumped(made)}"


# --- by lines --------------------------------------------------------------------------------------------------------


def _by_lines(
    text: str,
    root: nodes.Map,
    target: nodes.Node,
    key: str | None,
    new: Mapping[str, Tree],
    fields: Mapping[str, Field],
    items: bool = True,
) -> str | None:
    """Only changed fields' lines are written anew; None when fields do not begin lines of their own.

    Of lists only the lines of changed `items`, where that is possible.
    """
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
            changed = by_items(own, indent, name, old[name], new[name], fields.get(name)) if items else None
            if changed is None:
                changed = _rewritten(own, indent, name, new[name], fields.get(name))
            if changed is None:
                return None
            own = changed
        pieces[name] = own + rest
    wished = [name for name in fields if name in new]
    for name in sorted(
        new.keys() - pieces.keys(), key=lambda name: (wished.index(name) if name in wished else len(wished), name)
    ):
        added = indented(dumped(CommentedMap({name: made_node(new[name], fields.get(name))})), indent)
        # Behind the field that the game declares before it.
        place = wished.index(name) if name in wished else len(wished)
        before = next((other for other in reversed(wished[:place]) if other in pieces), order[-1])
        # What the game does not declare, such as `kind`, stays where it is.
        while before != order[-1] and (after := order[order.index(before) + 1]) not in wished:
            before = after
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
        loaded = new_yaml().load("".join(line[indent:] if line[:indent].isspace() else line for line in own))
    except YAMLError:
        return None
    if not isinstance(loaded, CommentedMap) or name not in loaded:
        return None
    loaded[name] = changed_node(loaded[name], value, field)
    return indented(dumped(loaded), indent)


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
            loaded = new_yaml().load("".join(lines[from_line:to_line]))
            if key is None:
                update_map(loaded, new, fields)
            elif isinstance(loaded.get(key), CommentedMap):
                update_map(loaded[key], new, fields)
            else:
                loaded[key] = made_node(dict(new), None, fields)
            return "".join(lines[:from_line]) + dumped(loaded) + "".join(lines[to_line:])
        except YAMLError:
            continue
    return None

"""Changes a list in a YAML file item by item: the lines of items that stay, and the comments above them, stay."""

from __future__ import annotations

from msgspec import Struct
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError

from cardgen.diagnostics import Report
from cardgen.load import nodes
from cardgen.load.nodes import parse_yaml
from cardgen.load.trees import Tree
from cardgen.load.yamlvalues import changed_node, dumped, is_short, made_node, new_yaml
from cardgen.model.game import Field

# How deep a dash stands where the writer writes a list by itself.
_OFFSET = 2


class _Piece(Struct, frozen=True):
    """The lines of an item: comments above it, which are about it, and itself with what stands beside it."""

    above: list[str]
    lines: list[str]


def by_items(own: list[str], indent: int, name: str, old: Tree, new: Tree, field: Field | None) -> list[str] | None:
    """The lines of a field whose value is a list, changed from `old` to `new`.

    None when its items do not begin lines of their own, or there are none before or after.
    """
    if not isinstance(old, list) or not isinstance(new, list) or not old or not new:
        return None
    found = _pieces(own, indent, name)
    if found is None or len(found[1]) != len(old):
        return None
    head, pieces = found
    depth = len(pieces[0].lines[0]) - len(pieces[0].lines[0].lstrip())
    of = field.of if field is not None else None
    lines = list(head)
    for value, number in zip(new, origins(old, new), strict=True):
        if number is None:
            lines += indented(_item(made_node(value, of)), depth)
            continue
        piece = pieces[number]
        lines += piece.above
        if value == old[number]:
            lines += piece.lines
            continue
        changed = _changed(piece.lines, depth, value, of)
        if changed is None:
            return None
        lines += changed
    return lines


def _pieces(own: list[str], indent: int, name: str) -> tuple[list[str], list[_Piece]] | None:
    """The lines before the first item, and each item's."""
    text = "".join(line[indent:] if line[:indent].isspace() else line for line in own)
    root = parse_yaml(text.encode(), "", Report())
    found = root.entries[name].value if isinstance(root, nodes.Map) and name in root.entries else None
    if not isinstance(found, nodes.Sequence) or not found.items:
        return None
    places: list[tuple[int, int]] = []
    for item in found.items:
        line = item.span.line - 1
        if line == 0 or not own[line].lstrip().startswith("- "):
            return None
        above = line
        while above > 1 and own[above - 1].lstrip().startswith("#"):
            above -= 1
        places.append((above, line))
    ends = [*(above for above, _ in places[1:]), len(own)]
    if any(above < before for (above, _), (_, before) in zip(places[1:], places, strict=False)):
        return None
    made = [_Piece(own[above:line], own[line:end]) for (above, line), end in zip(places, ends, strict=True)]
    return own[: places[0][0]], made


def origins(old: list[Tree], new: list[Tree]) -> list[int | None]:
    """Which item of `old` each item of `new` was: the same, wherever it stood; else one that is no more, in order."""
    left = list(range(len(old)))
    origins: list[int | None] = []
    for place, value in enumerate(new):
        same = [number for number in left if old[number] == value]
        number = place if place in same else same[0] if same else None
        origins.append(number)
        if number is not None:
            left.remove(number)
    for place, value in enumerate(new):
        # What was edited is where it was; with several, the one nearest by.
        akin = [number for number in left if _akin(old[number], value, len(old) == len(new))]
        if origins[place] is None and akin:
            nearest = min(akin, key=lambda number: (abs(number - place), number))
            origins[place] = nearest
            left.remove(nearest)
    return origins


def _akin(old: Tree, new: Tree, as_many: bool) -> bool:
    """Whether one may be the other, edited: mappings that have something in common, else any in place of another."""
    if isinstance(old, dict) and isinstance(new, dict):
        return any(old.get(key) == value for key, value in new.items())
    return as_many and not isinstance(old, dict) and not isinstance(new, dict)


def _changed(lines: list[str], depth: int, value: Tree, field: Field | None) -> list[str] | None:
    """The lines of one item with its value changed."""
    try:
        # As deep as it is written, so that comments beside it stay where they are.
        loaded = new_yaml().load("".join(_shifted(line, _OFFSET - depth) for line in lines))
    except YAMLError:
        return None
    if not isinstance(loaded, CommentedSeq) or len(loaded) != 1:
        return None
    loaded[0] = changed_node(loaded[0], value, field)
    if isinstance(loaded[0], CommentedMap) and loaded[0].fa.flow_style() and not is_short(value):
        # A line that would be broken somewhere in its middle is better read as several.
        loaded[0].fa.set_block_style()
    return indented(_item(loaded), depth)


def _item(value: object) -> str:
    """An item of a list as text that begins with its dash."""
    text = dumped(value if isinstance(value, CommentedSeq) else CommentedSeq([value]))
    return "".join(_shifted(line, -_OFFSET) for line in text.splitlines(keepends=True))


def _shifted(line: str, by: int) -> str:
    """A line, deeper by so many columns, or less deep as far as it may be."""
    if by >= 0 or not line.strip():
        return " " * max(0, by) + line if line.strip() else line
    return line[min(-by, len(line) - len(line.lstrip())) :]


def indented(text: str, indent: int) -> list[str]:
    """The lines of a text, deeper by `indent`."""
    return [f"{' ' * indent}{line}" if line.strip() else line for line in text.splitlines(keepends=True)]

"""Trees of plain text: what a file or a form says, before anybody asks what its fields are.

Every scalar is the text that was written, which is how cards and bands are read anyway; so what an editor shows, what
it compares and what it writes are the same thing.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.diagnostics import Span
from cardgen.load import nodes
from cardgen.load.nodes import Node

Tree = dict[str, "Tree"] | list["Tree"] | str


def tree_of(node: Node) -> Tree:
    """The tree of a node; what was broken is empty text."""
    match node:
        case nodes.Map():
            return {key: tree_of(entry.value) for key, entry in node.entries.items()}
        case nodes.Sequence():
            return [tree_of(item) for item in node.items]
        case nodes.Scalar():
            return node.text
        case _:
            return ""


class Planting:
    """Turns trees into nodes whose places are numbers: line n stands for the nth path.

    So a problem that names a place names, by `path`, the field of a form that it is about.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.paths: list[str] = []

    def plant(self, tree: Tree, path: str = "") -> Node:
        """The node of a tree that stands at `path`."""
        span = self._span(path)
        if isinstance(tree, dict):
            entries = {}
            for key, value in tree.items():
                inner = self.plant(value, f"{path}.{key}" if path else key)
                entries[key] = nodes.Entry(inner.span, inner)
            return nodes.Map(entries, span)
        if isinstance(tree, list):
            return nodes.Sequence(tuple(self.plant(item, f"{path}.{n}") for n, item in enumerate(tree)), span)
        return nodes.Scalar(tree, span, True)

    def path(self, span: Span | None) -> str | None:
        """The path that a place stands for; None for a place in another file."""
        if span is None or span.file != self.file or not 1 <= span.line <= len(self.paths):
            return None
        return self.paths[span.line - 1]

    def _span(self, path: str) -> Span:
        self.paths.append(path)
        return Span(self.file, len(self.paths), 1)


def leaves(tree: Tree, path: str = "") -> Iterator[tuple[str, str]]:
    """Every path and text of a tree."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from leaves(value, f"{path}.{key}" if path else key)
    elif isinstance(tree, list):
        for index, value in enumerate(tree):
            yield from leaves(value, f"{path}.{index}")
    else:
        yield path, tree

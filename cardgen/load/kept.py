"""Cards as catalogues before the one that a project has said them, for the entries of bands that were kept at these.

They stand in `cards/<game>/kept.yaml`: versions, and below each the cards as they were written.
"""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.diagnostics import Report, Span
from cardgen.errors import FileProblem
from cardgen.files import Shelf
from cardgen.load import nodes, yamledit
from cardgen.load.cards import KindRules, read_cards
from cardgen.load.fields import Known
from cardgen.load.nodes import parse_yaml
from cardgen.load.reader import Reader
from cardgen.load.shared import read_node
from cardgen.load.trees import Tree, tree_of
from cardgen.model.card import Card

_HEAD = "# Cards of older catalogues, for whoever in a band was kept at one of them; see `cardgen catalogue update`.\n"


def kept_name(game: str) -> str:
    """The file that holds a game's cards of older catalogues."""
    return f"cards/{game}/kept.yaml"


def read_kept(
    shelf: Shelf, game: str, rules: Mapping[str, KindRules], known: Known, report: Report
) -> dict[str, dict[str, Card]]:
    """The cards of older catalogues by version; what is wrong with them is reported and left out."""
    name = kept_name(game)
    try:
        if shelf.find(name) is None:
            return {}
    except FileProblem as error:
        report.add("CG001", Span(name), problem=str(error))
        return {}
    root = read_node(shelf, name, report)
    if root is None:
        return {}
    if not isinstance(root, nodes.Map):
        Reader(report).wrong(root, "a mapping of versions to their cards")
        return {}
    found: dict[str, dict[str, Card]] = {version: {} for version in root.entries}
    for version, entry in root.entries.items():
        read_cards(entry.value, rules, known, found[version], {}, report)
    return found


def kept_text(text: str, version: str, cards: Mapping[str, Tree]) -> str:
    """The text of that file with the cards of a version as well. Raises FileProblem when it cannot be changed safely."""
    text = text or _HEAD
    root = parse_yaml(text.encode(), "kept.yaml", Report())
    told = tree_of(root) if root is not None else {}
    old = told.get(version) if isinstance(told, dict) else None
    return yamledit.edit(text, version, {**(old if isinstance(old, dict) else {}), **cards}, {})

"""Reads one card of a game that is loaded: what an editor does at every keystroke."""

from __future__ import annotations

from cardgen.diagnostics import Report
from cardgen.files import Shelf
from cardgen.load import nodes
from cardgen.load.cards import KindRules, check_references_of, read_cards
from cardgen.load.fields import Known
from cardgen.load.game import compile_derived
from cardgen.load.nodes import Node
from cardgen.load.project import icon_names
from cardgen.load.reader import Reader
from cardgen.model.card import Card
from cardgen.model.game import Game


class CardReader:
    """Reads cards of one game as its loader does. What the game itself has wrong was told when it was loaded."""

    def __init__(self, shelf: Shelf, game: Game) -> None:
        self.game = game
        self.known = Known(game.dice, game.keywords, game.tracks, icon_names(shelf, game.id), tuple(game.kinds))
        silent = Report()
        places = Reader(silent)
        file = f"cards/{game.id}/game.yaml"
        self.rules = {
            kind.id: KindRules(kind, frozenset(), tuple(compile_derived(kind, file, places, silent)))
            for kind in game.kinds.values()
        }

    def read(self, id: str, node: Node, file: str, report: Report) -> Card | None:
        """The card `id` from its node, or None after reporting why there is none."""
        found: dict[str, Card] = {}
        root = nodes.Map({id: nodes.Entry(node.span, node)}, node.span)
        read_cards(root, self.rules, self.known, found, {}, report)
        card = found.get(id)
        if card is not None:
            cards = {**self.game.cards, id: card}
            check_references_of(card, cards, frozenset(), self.game.kinds, report)
        return card

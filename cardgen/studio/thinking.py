"""What workers who search for mends need to know, sent to them before anybody waits for it."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cardgen.load.trees import Tree
from cardgen.model.game import Game
from cardgen.studio import bandroom
from cardgen.studio.documents import Document

if TYPE_CHECKING:
    from cardgen.studio.app import Studio

# The games that were sent to workers last, with what they are as bytes: the same bytes are the same game there.
_KEPT = 4
_PICKLED: dict[int, tuple[Game, bytes]] = {}


def pickled(game: Game) -> bytes:
    """A game as workers are sent it."""
    known = _PICKLED.get(id(game))
    if known is None:
        known = game, pickle.dumps(game)
        while len(_PICKLED) >= _KEPT:
            _PICKLED.pop(next(iter(_PICKLED)), None)
        _PICKLED[id(game)] = known
    return known[1]


def warm(studio: Studio, game: Game, document: Document, tree: Mapping[str, Tree]) -> None:
    """Have every worker that thinks know the game of a band that was just opened, once for each game that is read."""
    if studio.warmed is game:
        return
    band, _, _ = bandroom.read_band(studio.workshop, document, tree, game)
    if band is None:
        return
    studio.warmed = game
    task = bandroom.Task(pickled(game), band)
    for _ in range(studio.previews.thinkers.jobs):
        studio.previews.thinkers.submit(bandroom.warm, task)

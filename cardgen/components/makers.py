"""The makers by the word that a component's `make` has for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cardgen.components.counters import make_counters
from cardgen.components.nets import make_net
from cardgen.components.reference import make_table
from cardgen.components.stickers import make_stickers
from cardgen.components.tracks import make_track
from cardgen.model.component import Component
from cardgen.model.cutout import Cutout
from cardgen.model.game import Game

Maker = Callable[[Component, Game], list[Cutout]]

MAKERS: Mapping[str, Maker] = {
    "counters": make_counters,
    "net": make_net,
    "stickers": make_stickers,
    "table": make_table,
    "track": make_track,
}

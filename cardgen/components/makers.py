"""The makers by the word that a component's `make` has for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cardgen.components.assembly import make_assembly
from cardgen.components.counters import make_counters
from cardgen.components.discs import make_disc
from cardgen.components.maps import make_map
from cardgen.components.nets import make_net
from cardgen.components.odds import make_odds
from cardgen.components.pawns import make_pawns
from cardgen.components.reference import make_table
from cardgen.components.rulers import make_ruler
from cardgen.components.rulings import make_rulings
from cardgen.components.scenery import make_scenery
from cardgen.components.sheets import make_sheets
from cardgen.components.stickers import make_stickers
from cardgen.components.tracks import make_track
from cardgen.model.component import Component
from cardgen.model.cutout import Cutout
from cardgen.model.game import Game

Maker = Callable[[Component, Game], list[Cutout]]

MAKERS: Mapping[str, Maker] = {
    "assembly": make_assembly,
    "counters": make_counters,
    "disc": make_disc,
    "map": make_map,
    "net": make_net,
    "odds": make_odds,
    "pawns": make_pawns,
    "ruler": make_ruler,
    "rulings": make_rulings,
    "scenery": make_scenery,
    "sheets": make_sheets,
    "stickers": make_stickers,
    "table": make_table,
    "track": make_track,
}

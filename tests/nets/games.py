"""A game with a few dice and nothing else."""

from __future__ import annotations

from cardgen.model.game import Die, Game

WHITE = Die("white", "White die", "S", "#f6f1e4", "#1f2022", "", ("blank", "1", "1", "1", "2", "2!"))
FIVE = Die("five", "Die of five", "F", "#b23a28", "#f6f1e4", "", ("1", "2", "3", "4", "5"))
SCATTER = Die(
    "scatter", "Scatter", "S", "#b23a28", "#f6f1e4", "", ("arrow:0", "arrow:-60.5", "star", "0!", "Hit!", "12")
)


def dice_game(*dice: Die) -> Game:
    """A game with these dice; without any, with the three above."""
    known = {die.id: die for die in dice or (WHITE, FIVE, SCATTER)}
    return Game("g", "G", "", "1", "en", ("en",), "", "", {}, known, {}, {}, {}, {}, {}, {}, {}, {}, "en")

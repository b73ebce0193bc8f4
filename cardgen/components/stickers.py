"""The faces of dice as stickers: a strip for each die, to be cut straight. Millimetres."""

from __future__ import annotations

from collections import Counter

from cardgen.components.dice_faces import die_of, die_values
from cardgen.components.trims import derived_trim
from cardgen.errors import CannotMake
from cardgen.geometry import Box, Polygon, Size, box_points, translation
from cardgen.model.component import Component, Stickers
from cardgen.model.cutout import Cutout, Note, Panel
from cardgen.model.game import Die, Game
from cardgen.units import format_mm

LAYOUT = "_base/die-face"
FACES = 6
# Below it nobody can hold the die; below the other nobody can peel the sticker or tell what is on it.
LEAST_DIE = 6.0
LEAST_STICKER = 4.0
# Beside a strip: what size of die it is for. The fingers hold it here while the stickers come off.
END = 11.0
# Half the length of the marks where cuts meet: they lie in the white between two stickers.
_MARK = 0.5


def make_stickers(component: Component, game: Game) -> list[Cutout]:
    """A strip of six stickers for each of the dice, in the order of the faces' numbering.

    A sticker is as large as a face of the die (16 mm usual) less the inset on every side (about 1.5 mm; print facts,
    "Dice"). Raises CannotMake for a die that is too small, an inset that leaves no sticker, and dice that are no cubes.
    """
    options = component.options
    assert isinstance(options, Stickers)
    if options.size < LEAST_DIE:
        size = format_mm(options.size)
        raise CannotMake(
            f"a die of {size} mm is too small for stickers; {format_mm(LEAST_DIE)} mm or more would do", "size"
        )
    edge = options.size - 2 * options.inset
    if edge < LEAST_STICKER:
        most = format_mm(max(0.0, (options.size - LEAST_STICKER) / 2))
        raise CannotMake(
            f"an inset of {format_mm(options.inset)} mm on every side leaves {format_mm(max(0.0, edge))} mm of a face "
            f"of {format_mm(options.size)} mm; an inset of {most} mm or less leaves a sticker of "
            f"{format_mm(LEAST_STICKER)} mm",
            "inset",
        )
    dice = _dice(options, game)
    # A die that is named twice is wanted twice.
    copies = Counter(die.id for die in dice)
    different = {die.id: die for die in dice}
    return [_strip(component, die, edge, options, copies[die.id]) for die in different.values()]


def _dice(options: Stickers, game: Game) -> list[Die]:
    named = [die_of(game, id, f"dice.{at}") for at, id in enumerate(options.dice)]
    for at, die in enumerate(named):
        if len(die.faces) != FACES:
            raise CannotMake(
                f"the die `{die.id}` has {len(die.faces)} faces; stickers are for the {FACES} faces of a cube",
                f"dice.{at}",
            )
    cubes = named or [die for die in game.dice.values() if len(die.faces) == FACES]
    if not cubes:
        raise CannotMake(f"the game has no die with {FACES} faces, and stickers are for those of a cube", "dice")
    return cubes


def _strip(component: Component, die: Die, edge: float, options: Stickers, copies: int) -> Cutout:
    trim = derived_trim(edge, edge)
    panels = tuple(
        Panel(
            f"{component.id}/{die.id}/{at + 1}",
            component.layout or LAYOUT,
            trim,
            values,
            translation(at * edge, 0.0),
            box_points(Box(at * edge, 0.0, edge, edge)),
        )
        for at, values in enumerate(die_values(die))
    )
    wide = FACES * edge
    return Cutout(
        f"{component.id}/{die.id}",
        die.title,
        Size(wide + END, edge),
        panels,
        slits=tuple(mark for at in range(1, FACES + 1) for mark in _marks(at * edge, edge)),
        notes=(Note(wide + END / 2, edge / 2 + 0.6, f"{format_mm(options.size)} mm", 5.5),),
        copies=options.sets * copies,
        group=component.id,
    )


def _marks(x: float, height: float) -> tuple[Polygon, Polygon]:
    # Marks instead of lines: what is left of them after a cut that is a little off does not show on a sticker.
    return ((x, 0.0), (x, 2 * _MARK)), ((x, height - 2 * _MARK), (x, height))

"""What components may state, by maker: the keys are the fields of the options in `model/component.py`."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.load.definitions import FILE_ID, PATH, TITLE
from cardgen.load.shapes import (
    COLOUR,
    IDENT,
    Boolean,
    Choice,
    Integer,
    Key,
    Mapped,
    Measure,
    Number,
    Record,
    Sequence,
    Text,
)
from cardgen.model import component as model

SIGN = Text(max_length=12)
COPIES = Integer(1, 500)
# Below 6 mm nobody can hold a die, or cut its faces.
DIE_SIZE = Measure(6, 100)
TAB = Measure(2, 20)

STICKERS = {
    "dice": Key(Sequence(IDENT, 1), (), "the game's dice; default: all"),
    "size": Key(DIE_SIZE, 16.0, "the edge of the dice the stickers are for"),
    "inset": Key(Measure(0, 10), 1.5, "how much smaller a sticker is on every side"),
    "sets": Key(COPIES, 1, "how many of each die"),
}
NET = {
    "solid": Key(Choice(("d6", "d8", "d10", "d12", "d20")), "d6"),
    "die": Key(IDENT, "", "whose faces it shows; default: numerals"),
    "size": Key(DIE_SIZE, 20.0, "the distance between opposite faces"),
    "tab": Key(TAB, 5.0, "the depth of the glue tabs"),
    "first": Key(Integer(0, 1), 1, "the first numeral"),
    "sets": Key(COPIES, 1),
}
TRACK = {
    "tracks": Key(Sequence(IDENT, 1, 12), about="the game's tracks"),
    "form": Key(Choice(("strip", "board")), "strip"),
    "cell": Key(Measure(4, 60), 9.0, "the width of a step"),
    "height": Key(Measure(8, 200), 26.0),
    "marker": Key(Choice(("none", "arrow", "slider")), "none", "what shows the place on it"),
    "per_row": Key(Integer(0, 100), 0, "steps in a row of a board; 0: as many as fit"),
    "each": Key(Sequence(IDENT, 1, 20), (), "labels of the game: the first track once for each, under that name"),
    "table": Key(IDENT, "", "a table below a board's first track, with a column or a row for each of its bands"),
    "aside": Key(IDENT, "", "a table at the foot of a board"),
    "notes": Key(Sequence(Text(max_length=300), 1, 12), (), "lines at the foot of a board"),
    "sets": Key(COPIES, 1),
}
PAWNS = {
    "kinds": Key(Sequence(IDENT, 1), (), "every card of these kinds"),
    "deck": Key(IDENT, None, "a deck file; or state `kinds`"),
    "each": Key(Integer(0, 100), 0, "how many of each; 0: the card's copies"),
    "fold": Key(Choice(("head", "feet")), "head", "where the two sides meet"),
    "foot": Key(Choice(("slot", "folded", "tab")), "slot"),
    "base": Key(Choice(("none", "round", "square", "oblong")), "none"),
    "base_size": Key(Measure(10, 80), 25.0, "an oblong base is 1.6 times as wide"),
    "base_from": Key(IDENT, "", "the cards' field with the size of their bases in mm, in place of `base_size`"),
    "also": Key(IDENT, "", "the cards' text field that tells those of one name apart, shown behind the name"),
    "picture": Key(IDENT, "pawn", "the cards' field with their picture, or several that copies take in turn"),
    "width": Key(Measure(8, 2000), 0.0, "default: 25mm, or as wide as the base"),
    "height": Key(Measure(10, 2000), 0.0, "default: 42mm, more on a base wider than 25mm"),
}
COUNTER_SIDE = Record(
    "side of a counter",
    {
        "icon": Key(IDENT, ""),
        "sign": Key(SIGN, "", "a number or a letter"),
        "text": Key(TITLE, ""),
        "colour": Key(COLOUR, "#f6f1e4"),
        "ink": Key(COLOUR, "#1f2022"),
        "turn": Key(Number(-360, 360), 0.0, "degrees clockwise that the icon is turned by"),
    },
)
COUNTER = Record(
    "counter",
    {
        "title": Key(TITLE),
        "front": Key(COUNTER_SIDE),
        "back": Key(COUNTER_SIDE, None),
        "copies": Key(COPIES, 1),
        "series": Key(Sequence(SIGN, 1, 100), (), "one counter for each sign"),
    },
)
COUNTERS = {
    "items": Key(Mapped(IDENT, COUNTER, 1)),
    "shape": Key(Choice(("round", "square")), "round"),
    "size": Key(Measure(8, 180), 25.0, "the diameter, or the edge"),
}
FINISHES = ("clean", "worn", "burnt")
SCENERY = {
    "form": Key(Choice(("flat", "box", "car", "barrier", "wall", "hole")), "flat"),
    "style": Key(IDENT, "", "which drawing; default: the form's first"),
    "finish": Key(Choice(FINISHES), "worn"),
    "behind": Key(Choice(FINISHES), "", "the finish of a flat piece's back; default: no back"),
    "length": Key(Measure(5, 2000), 80.0),
    "width": Key(Measure(2, 2000), 40.0),
    "height": Key(Measure(2, 2000), 25.0),
    "rim": Key(Measure(2, 100), 8.0, "how broad the rim of a hole is"),
    "tab": Key(TAB, 6.0),
    "text": Key(TITLE, ""),
    "art": Key(PATH, "", "a picture in place of a drawing, for flat pieces"),
    "colour": Key(COLOUR, "#8a8f94"),
    "each": Key(COPIES, 1, "how many"),
}
STOP = Record(
    "stop of a ruler",
    {
        "at": Key(Number(0.1, 200), about="in the ruler's unit, from its end"),
        "title": Key(TITLE, "", "what the distance is for"),
    },
)
RULER = {
    "unit": Key(Choice(("in", "cm")), "in"),
    "stops": Key(Mapped(IDENT, STOP, 1)),
    "behind": Key(Mapped(IDENT, STOP), {}, "what stands on its back; default: the scale alone"),
    "width": Key(Measure(16, 80), 22.0),
    "each": Key(COPIES, 1, "how many"),
}
DISC = {
    "diameter": Key(Measure(10, 2000), 120.0),
    "form": Key(Choice(("disc", "outline")), "disc"),
    "hole": Key(Measure(0, 100), 0.0, "the diameter of the hole in its middle"),
    "icon": Key(IDENT, ""),
    "text": Key(TITLE, ""),
    "colour": Key(COLOUR, "#b23a28"),
    "directions": Key(Integer(0, 36), 0, "how many numbered arrows stand around it"),
    "first": Key(Integer(0, 1), 0, "the first number"),
}
ZONE = Record(
    "zone",
    {
        "title": Key(TITLE),
        "x": Key(Measure(0, 5000)),
        "y": Key(Measure(0, 5000)),
        "width": Key(Measure(1, 5000)),
        "height": Key(Measure(1, 5000)),
        "round": Key(Boolean(), False),
        "colour": Key(COLOUR, "#d5e3da"),
        "pattern": Key(Choice(("none", "hatch", "dots")), "none"),
    },
)
MAP = {
    "width": Key(Measure(50, 5000), 508.0),
    "depth": Key(Measure(50, 5000), 508.0),
    "unit": Key(Choice(("in", "cm")), "in", "what its lengths are said in"),
    "grid": Key(Measure(5, 500), 25.4, "the distance of the grid's lines"),
    "form": Key(Choice(("page", "tiled")), "page"),
    "overlap": Key(Measure(0, 50), 10.0),
    "zones": Key(Mapped(IDENT, ZONE), {}),
    "notes": Key(Sequence(Text(max_length=300)), ()),
}
REFERENCE = {
    "tables": Key(Sequence(IDENT, 1), (), "the game's tables"),
    "form": Key(Choice(("card", "page", "screen")), "card"),
    "width": Key(Measure(30, 2000), 0.0, "default: 63 mm, 186 mm for pages, 119 mm for a panel of a screen"),
    "height": Key(Measure(40, 2000), 0.0, "default: 88 mm, 250 mm for pages, 186 mm for screens"),
    "keywords": Key(Boolean(), False, "all keywords as one more table"),
    "sets": Key(COPIES, 1, "how many of each"),
}
SHEETS = {
    "kinds": Key(Sequence(IDENT, 1), (), "every card of these kinds"),
    "deck": Key(IDENT, None, "a deck file; or state `kinds`"),
    "each": Key(COPIES, 1, "how many of each"),
    "width": Key(Measure(40, 186), 186.0),
    "height": Key(Measure(40, 250), 250.0),
}
ASSEMBLY = {"of": Key(Sequence(IDENT, 1), (), "the components it explains; default: all that is not only cut")}

ODDS_FACE = Record(
    "face of odds",
    {
        "title": Key(TITLE),
        "asks": Key(Text(max_length=300, what="a call such as `attack(2white, {column})`")),
        "results": Key(Sequence(IDENT, 1), (), "which results of the situation; default: all"),
        "rows": Key(Sequence(TITLE, 1, 20), (), "what stands for `{row}` in turn; makes it a table"),
        "columns": Key(Sequence(TITLE, 1, 8), (), "what stands for `{column}` in turn"),
        "row_title": Key(TITLE, ""),
        "column_title": Key(TITLE, ""),
    },
)
ODDS = {"faces": Key(Mapped(IDENT, ODDS_FACE, 1)), "sets": Key(COPIES, 1, "how many of each")}
RULINGS = {
    "pack": Key(Text(max_length=60, what="a rule pack"), "", "whose notes; default: the pack that judges the game"),
    "notes": Key(Sequence(Text(max_length=40, what="the id of a note"), 1), (), "which, in order; default: all"),
    "sets": Key(COPIES, 1, "how many of each"),
}

# By the word of `make`: the options' class and the keys that state them.
MAKES: Mapping[str, tuple[type, dict[str, Key]]] = {
    "stickers": (model.Stickers, STICKERS),
    "net": (model.Net, NET),
    "track": (model.TrackPiece, TRACK),
    "pawns": (model.Pawns, PAWNS),
    "counters": (model.Counters, COUNTERS),
    "scenery": (model.Scenery, SCENERY),
    "ruler": (model.Ruler, RULER),
    "disc": (model.Disc, DISC),
    "map": (model.Map, MAP),
    "table": (model.Reference, REFERENCE),
    "sheets": (model.Sheets, SHEETS),
    "odds": (model.OddsCards, ODDS),
    "rulings": (model.RulingCards, RULINGS),
    "assembly": (model.Assembly, ASSEMBLY),
}

# Records that are kept by name, and the class that each becomes.
NAMED: Mapping[str, type] = {
    "items": model.CounterItem,
    "faces": model.OddsFace,
    "zones": model.Zone,
    "stops": model.Stop,
    "behind": model.Stop,
}
# The classes of records inside of those.
INSIDE: Mapping[str, type] = {"front": model.CounterSide, "back": model.CounterSide}


def component_shape(make: str, id: str) -> Record:
    """The shape of one component made by `make`."""
    keys = {
        "make": Key(Choice(tuple(MAKES))),
        "title": Key(TITLE),
        "layout": Key(FILE_ID, "", "the layout of its faces, in place of the maker's own"),
        "back": Key(FILE_ID, "", "the layout of what is behind"),
        **MAKES[make][1],
    }
    return Record(f"{make} `{id}`", keys, code="CG102")

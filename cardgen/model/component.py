"""Components: what a game needs besides cards, as `cards/<game>/components/*.yaml` states it. Lengths in mm.

Every maker has options of its own: one frozen class here, one shape in `load/component_shapes.py`, one module in
`components/`. A field marked `SCALES` takes part in `--scale`; one marked `WORDS` is a text that translators see.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from cardgen.diagnostics import Span

SCALES = {"scales": True}
WORDS = {"words": True}


@dataclass(frozen=True, slots=True)
class Stickers:
    """The faces of dice as stickers. `size` is the die's edge; a sticker is smaller by `inset` on every side.

    A die is named as often as there are of it; without any, there is one of each of the game's with six faces.
    """

    dice: tuple[str, ...] = ()
    size: float = field(default=16.0, metadata=SCALES)
    inset: float = field(default=1.5, metadata=SCALES)
    sets: int = 1


@dataclass(frozen=True, slots=True)
class Net:
    """A die to fold and glue. `size` is the distance between opposite faces; `die` names whose faces it shows, empty
    for numerals from `first` on. Tabs are `tab` deep where there is room, else less."""

    solid: Literal["d6", "d8", "d10", "d12", "d20"] = "d6"
    die: str = ""
    size: float = field(default=20.0, metadata=SCALES)
    tab: float = field(default=5.0, metadata=SCALES)
    first: int = 1
    sets: int = 1


@dataclass(frozen=True, slots=True)
class TrackPiece:
    """Numbered tracks as a strip or a board, with what marks the place on them. `cell` is a step's width."""

    tracks: tuple[str, ...] = ()
    form: Literal["strip", "board"] = "strip"
    cell: float = field(default=9.0, metadata=SCALES)
    height: float = field(default=26.0, metadata=SCALES)
    marker: Literal["none", "arrow", "slider"] = "none"
    per_row: int = 0
    # labels of the game: the first track once for each of them, under that name
    each: tuple[str, ...] = ()
    # a table below a board's first track, a column to each of its bands
    table: str = ""
    # another one at a board's foot, and a few lines beside it
    aside: str = ""
    notes: tuple[str, ...] = field(default=(), metadata=WORDS)
    sets: int = 1


@dataclass(frozen=True, slots=True)
class Pawns:
    """Fold-over standees, one for each card. `width` and `height` are a side's; 0: 25 x 42 mm, more on a wider base."""

    kinds: tuple[str, ...] = ()
    deck: str | None = None
    # how many of each card, instead of its copies; where there are several they are lettered
    each: int = 0
    fold: Literal["head", "feet"] = "head"
    foot: Literal["slot", "folded", "tab"] = "slot"
    base: Literal["none", "round", "square", "oblong"] = "none"
    base_size: float = field(default=25.0, metadata=SCALES)
    # the field of a card that holds the size of its base in mm, in place of `base_size`
    base_from: str = ""
    # the cards' text field that tells those of one name apart, and the field that holds their pictures
    also: str = ""
    picture: str = "pawn"
    width: float = field(default=0.0, metadata=SCALES)
    height: float = field(default=0.0, metadata=SCALES)
    # what lengths that are not stated here are multiplied by
    factor: float = field(default=1.0, metadata=SCALES)
    # the cards themselves, by id, with copies: what a kit asks for
    only: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class CounterSide:
    """One side of a counter: an icon, a number or letter, a line of words, any of them empty."""

    icon: str = ""
    sign: str = ""
    text: str = field(default="", metadata=WORDS)
    colour: str = "#f6f1e4"
    ink: str = "#1f2022"
    # quarter or finer turns of the icon, in degrees clockwise: an arrow that points somewhere
    turn: float = 0.0


@dataclass(frozen=True, slots=True)
class CounterItem:
    """One kind of counter. With `series`, one counter for each sign of it, in place of the sides' own."""

    id: str
    title: str = field(metadata=WORDS)
    front: CounterSide = CounterSide()
    back: CounterSide | None = None
    copies: int = 1
    series: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Counters:
    """Counters, one- or two-sided. `size` is the diameter or the edge."""

    items: tuple[CounterItem, ...] = ()
    shape: Literal["round", "square"] = "round"
    size: float = field(default=25.0, metadata=SCALES)


@dataclass(frozen=True, slots=True)
class Scenery:
    """A piece of scenery, flat or to fold up. `length` x `width` on the table, `height` above it."""

    form: Literal["flat", "box", "car", "barrier", "wall", "hole"] = "flat"
    # what is drawn: one of the drawings that `components/scenery.py` lists for the form
    style: str = ""
    finish: Literal["clean", "worn", "burnt"] = "worn"
    # the finish of a flat piece's back; empty: nothing is printed there
    behind: Literal["", "clean", "worn", "burnt"] = ""
    length: float = field(default=80.0, metadata=SCALES)
    width: float = field(default=40.0, metadata=SCALES)
    height: float = field(default=25.0, metadata=SCALES)
    # how broad the rim of a hole is
    rim: float = field(default=8.0, metadata=SCALES)
    tab: float = field(default=6.0, metadata=SCALES)
    text: str = field(default="", metadata=WORDS)
    # a picture of the art folder in place of a drawing, for flat pieces
    art: str = ""
    colour: str = "#8a8f94"
    each: int = 1


@dataclass(frozen=True, slots=True)
class Stop:
    """A distance that a ruler names: `at` is in the ruler's unit from its end."""

    id: str
    at: float
    title: str = field(default="", metadata=WORDS)


@dataclass(frozen=True, slots=True)
class Ruler:
    """A two-sided ruler from 0 to its longest stop; longer than the paper, it comes in parts to be joined.

    `stops` stand on its front; `behind` on its back, empty: nothing but the scale.
    """

    unit: Literal["in", "cm"] = "in"
    stops: tuple[Stop, ...] = ()
    behind: tuple[Stop, ...] = ()
    width: float = 22.0
    each: int = 1


@dataclass(frozen=True, slots=True)
class Disc:
    """A round template, to cut out or to trace: `outline` prints only its edge, for a clear disc laid over it.

    `hole` is the diameter of the hole in its middle. With `directions`, so many arrows stand around, numbered from
    `first` on.
    """

    diameter: float = 120.0
    form: Literal["disc", "outline"] = "disc"
    hole: float = 0.0
    icon: str = ""
    text: str = field(default="", metadata=WORDS)
    colour: str = "#b23a28"
    directions: int = 0
    first: int = 0


@dataclass(frozen=True, slots=True)
class Zone:
    """An area of a map, measured from its top left corner, and what it is called there."""

    id: str
    title: str = field(metadata=WORDS)
    x: float
    y: float
    width: float
    height: float
    round: bool = False
    colour: str = "#d5e3da"
    pattern: Literal["none", "hatch", "dots"] = "none"


@dataclass(frozen=True, slots=True)
class Map:
    """A board drawn to scale: on one page, or in full size over pages that overlap. Zones lie on each other in order."""

    width: float = 508.0
    depth: float = 508.0
    # the unit of its lengths as people say them, and the distance of the grid's lines
    unit: Literal["in", "cm"] = "in"
    grid: float = 25.4
    form: Literal["page", "tiled"] = "page"
    overlap: float = 10.0
    zones: tuple[Zone, ...] = ()
    notes: tuple[str, ...] = field(default=(), metadata=WORDS)


@dataclass(frozen=True, slots=True)
class Reference:
    """Tables as reference cards, two faces each, as pages, or as the panels of a folding screen, two to a sheet, with
    its `back` towards the other side of the table. A `width` or `height` of 0 is the form's own: 63 x 88 mm, 186 x 250
    mm, and 119 x 186 mm."""

    tables: tuple[str, ...] = ()
    form: Literal["card", "page", "screen"] = "card"
    width: float = 0.0
    height: float = 0.0
    # all the game's keywords as one more table, under the component's title
    keywords: bool = False
    sets: int = 1


@dataclass(frozen=True, slots=True)
class Sheets:
    """Cards once more, by another layout at another size: character sheets, rosters. `layout` draws them; it sees the
    card and, by their ids, the cards that it names."""

    kinds: tuple[str, ...] = ()
    deck: str | None = None
    each: int = 1
    width: float = 186.0
    height: float = 250.0
    only: Mapping[str, int] | None = None  # as in Pawns


@dataclass(frozen=True, slots=True)
class Assembly:
    """A page that says how to fold and glue, with pictures made from the same geometry. Of no component named: of all
    but tables and what is only cut along marks."""

    of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OddsFace:
    """One face of odds. `asks` is a call of a situation of the game, such as `attack(2white, 1red)`.

    Without rows, all of its `results` (empty: every one) are shown, numbers as bars. With them, one result as a table:
    `{row}` and `{column}` in the call stand for each of `rows` and `columns`.
    """

    id: str
    title: str = field(metadata=WORDS)
    asks: str
    results: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    row_title: str = field(default="", metadata=WORDS)
    column_title: str = field(default="", metadata=WORDS)

    def call(self, row: str = "", column: str = "") -> str:
        """The call of one cell."""
        return self.asks.replace("{row}", row).replace("{column}", column)

    @property
    def calls(self) -> tuple[str, ...]:
        """Every call that the face needs."""
        return tuple(self.call(row, column) for row in self.rows or ("",) for column in self.columns or ("",))


@dataclass(frozen=True, slots=True)
class OddsCards:
    """Exact odds of the game's dice as cards, two faces each: tables, or bars."""

    faces: tuple[OddsFace, ...] = ()
    sets: int = 1


@dataclass(frozen=True, slots=True)
class RulingCards:
    """Rulings of play (the notes of the game's rules) as cards, two faces each. Without `notes`, all of the pack's."""

    pack: str = ""
    notes: tuple[str, ...] = ()
    sets: int = 1


Options = (
    Stickers
    | Net
    | TrackPiece
    | Pawns
    | Counters
    | Scenery
    | Ruler
    | Disc
    | Map
    | Reference
    | Sheets
    | Assembly
    | OddsCards
    | RulingCards
)


@dataclass(frozen=True, slots=True)
class Component:
    """One component of a game: who makes it, from what, and the layouts of its faces (empty: the maker's own)."""

    id: str
    title: str
    make: str
    options: Options
    layout: str
    back: str
    span: Span
    # where its values were written: a path such as `size` to (line, column)
    places: Mapping[str, tuple[int, int]]

    def place(self, path: str) -> Span:
        """Where the value at `path` stands; the nearest value around it when it was not written."""
        while path and path not in self.places:
            path = path.rpartition(".")[0]
        line, column = self.places.get(path, (self.span.line, self.span.column))
        return Span(self.span.file, line, column)


def words_of(value: Any, path: str = "") -> list[tuple[str, str]]:
    """(path, text) of every text inside of options that translators see."""
    if isinstance(value, tuple):
        named = ((getattr(item, "id", str(at)), item) for at, item in enumerate(value))
        return [found for name, item in named for found in words_of(item, _join(path, name))]
    if not dataclasses.is_dataclass(value):
        return []
    found: list[tuple[str, str]] = []
    for part in dataclasses.fields(value):
        inner, below = getattr(value, part.name), _join(path, part.name)
        if not part.metadata.get("words"):
            found += words_of(inner, below)
        elif isinstance(inner, tuple):
            found += [(f"{below}.{at}", text) for at, text in enumerate(inner)]
        else:
            found.append((below, inner))
    return found


def with_words(value: Any, texts: Mapping[str, str], path: str = "") -> Any:
    """`value` with the texts that `texts` has for their paths."""
    if isinstance(value, tuple):
        return tuple(
            with_words(item, texts, _join(path, getattr(item, "id", str(at)))) for at, item in enumerate(value)
        )
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return value
    changed: dict[str, Any] = {}
    for part in dataclasses.fields(value):
        inner, below = getattr(value, part.name), _join(path, part.name)
        if not part.metadata.get("words"):
            changed[part.name] = with_words(inner, texts, below)
        elif isinstance(inner, tuple):
            changed[part.name] = tuple(texts.get(f"{below}.{at}", text) for at, text in enumerate(inner))
        else:
            changed[part.name] = texts.get(below, inner)
    return dataclasses.replace(value, **changed)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def path_of(value: Any, wanted: str, path: str = "") -> str:
    """The path of the first option that is the text `wanted`; empty when there is none."""
    if value == wanted:
        return path
    if isinstance(value, tuple):
        inner = [(getattr(item, "id", str(at)), item) for at, item in enumerate(value)]
    elif dataclasses.is_dataclass(value):
        inner = [(part.name, getattr(value, part.name)) for part in dataclasses.fields(value)]
    else:
        return ""
    return next((found for name, item in inner if (found := path_of(item, wanted, _join(path, name)))), "")


def scaled(options: Any, factor: float) -> Any:
    """Options with every length that scales times `factor`; None when none does: a ruler at 75 % would lie."""
    lengths = [part.name for part in dataclasses.fields(options) if part.metadata.get("scales")]
    if not lengths:
        return None
    return dataclasses.replace(options, **{name: getattr(options, name) * factor for name in lengths})

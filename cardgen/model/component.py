"""Components: what a game needs besides cards, as `cards/<game>/components/*.yaml` states it. Lengths in mm.

Every maker has options of its own: one frozen class here, one shape in `load/component_shapes.py`, one module in
`components/`. A field that is `Scaled` takes part in `--scale`; one that is `Words` is a text that translators see.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, get_type_hints

from msgspec import Struct, structs

from cardgen.diagnostics import Span

SCALES = "scales"
WORDS = "words"
Scaled = Annotated[float, SCALES]
Words = Annotated[str, WORDS]
ManyWords = Annotated[tuple[str, ...], WORDS]


class Stickers(Struct, frozen=True):
    """The faces of dice as stickers. `size` is the die's edge; a sticker is smaller by `inset` on every side.

    A die is named as often as there are of it; without any, there is one of each of the game's with six faces.
    """

    dice: tuple[str, ...] = ()
    size: Scaled = 16.0
    inset: Scaled = 1.5
    sets: int = 1


class Net(Struct, frozen=True):
    """A die to fold and glue. `size` is the distance between opposite faces; `die` names whose faces it shows, empty
    for numerals from `first` on. Tabs are `tab` deep where there is room, else less."""

    solid: Literal["d6", "d8", "d10", "d12", "d20"] = "d6"
    die: str = ""
    size: Scaled = 20.0
    tab: Scaled = 5.0
    first: int = 1
    sets: int = 1


class TrackPiece(Struct, frozen=True):
    """Numbered tracks as a strip or a board, with what marks the place on them. `cell` is a step's width."""

    tracks: tuple[str, ...] = ()
    form: Literal["strip", "board"] = "strip"
    cell: Scaled = 9.0
    height: Scaled = 26.0
    marker: Literal["none", "arrow", "slider"] = "none"
    per_row: int = 0
    # labels of the game: the first track once for each of them, under that name
    each: tuple[str, ...] = ()
    # a table below a board's first track, a column to each of its bands
    table: str = ""
    # another one at a board's foot, and a few lines beside it
    aside: str = ""
    notes: ManyWords = ()
    sets: int = 1


class Pawns(Struct, frozen=True):
    """Fold-over standees, one for each card. `width` and `height` are a side's; 0: 25 x 42 mm, more on a wider base."""

    kinds: tuple[str, ...] = ()
    deck: str | None = None
    # how many of each card, instead of its copies; where there are several they are lettered
    each: int = 0
    fold: Literal["head", "feet"] = "head"
    foot: Literal["slot", "folded", "tab"] = "slot"
    base: Literal["none", "round", "square", "oblong"] = "none"
    base_size: Scaled = 25.0
    # the field of a card that holds the size of its base in mm, in place of `base_size`
    base_from: str = ""
    # the cards' text field that tells those of one name apart, and the field that holds their pictures
    also: str = ""
    picture: str = "pawn"
    width: Scaled = 0.0
    height: Scaled = 0.0
    # what lengths that are not stated here are multiplied by
    factor: Scaled = 1.0
    # the cards themselves, by id, with copies: what a kit asks for
    only: Mapping[str, int] | None = None


class CounterSide(Struct, frozen=True):
    """One side of a counter: an icon, a number or letter, a line of words, any of them empty."""

    icon: str = ""
    sign: str = ""
    text: Words = ""
    colour: str = "#f6f1e4"
    ink: str = "#1f2022"
    # quarter or finer turns of the icon, in degrees clockwise: an arrow that points somewhere
    turn: float = 0.0


class CounterItem(Struct, frozen=True):
    """One kind of counter. With `series`, one counter for each sign of it, in place of the sides' own."""

    id: str
    title: Words
    front: CounterSide = CounterSide()
    back: CounterSide | None = None
    copies: int = 1
    series: tuple[str, ...] = ()


class Counters(Struct, frozen=True):
    """Counters, one- or two-sided. `size` is the diameter or the edge."""

    items: tuple[CounterItem, ...] = ()
    shape: Literal["round", "square"] = "round"
    size: Scaled = 25.0


class Scenery(Struct, frozen=True):
    """A piece of scenery, flat or to fold up. `length` x `width` on the table, `height` above it."""

    form: Literal["flat", "box", "car", "barrier", "wall", "hole"] = "flat"
    # what is drawn: one of the drawings that `components/scenery.py` lists for the form
    style: str = ""
    finish: Literal["clean", "worn", "burnt"] = "worn"
    # the finish of a flat piece's back; empty: nothing is printed there
    behind: Literal["", "clean", "worn", "burnt"] = ""
    length: Scaled = 80.0
    width: Scaled = 40.0
    height: Scaled = 25.0
    # how broad the rim of a hole is
    rim: Scaled = 8.0
    tab: Scaled = 6.0
    text: Words = ""
    # a picture of the art folder in place of a drawing, for flat pieces
    art: str = ""
    colour: str = "#8a8f94"
    each: int = 1


class Stop(Struct, frozen=True):
    """A distance that a ruler names: `at` is in the ruler's unit from its end."""

    id: str
    at: float
    title: Words = ""


class Ruler(Struct, frozen=True):
    """A two-sided ruler from 0 to its longest stop; longer than the paper, it comes in parts to be joined.

    `stops` stand on its front; `behind` on its back, empty: nothing but the scale.
    """

    unit: Literal["in", "cm"] = "in"
    stops: tuple[Stop, ...] = ()
    behind: tuple[Stop, ...] = ()
    width: float = 22.0
    each: int = 1


class Disc(Struct, frozen=True):
    """A round template, to cut out or to trace: `outline` prints only its edge, for a clear disc laid over it.

    `hole` is the diameter of the hole in its middle. With `directions`, so many arrows stand around, numbered from
    `first` on.
    """

    diameter: float = 120.0
    form: Literal["disc", "outline"] = "disc"
    hole: float = 0.0
    icon: str = ""
    text: Words = ""
    colour: str = "#b23a28"
    directions: int = 0
    first: int = 0


class Zone(Struct, frozen=True):
    """An area of a map, measured from its top left corner, and what it is called there."""

    id: str
    title: Words
    x: float
    y: float
    width: float
    height: float
    round: bool = False
    colour: str = "#d5e3da"
    pattern: Literal["none", "hatch", "dots"] = "none"


class Map(Struct, frozen=True):
    """A board drawn to scale: on one page, or in full size over pages that overlap. Zones lie on each other in order."""

    width: float = 508.0
    depth: float = 508.0
    # the unit of its lengths as people say them, and the distance of the grid's lines
    unit: Literal["in", "cm"] = "in"
    grid: float = 25.4
    form: Literal["page", "tiled"] = "page"
    overlap: float = 10.0
    zones: tuple[Zone, ...] = ()
    notes: ManyWords = ()


class Reference(Struct, frozen=True):
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


class Sheets(Struct, frozen=True):
    """Cards once more, by another layout at another size: character sheets, rosters. `layout` draws them; it sees the
    card and, by their ids, the cards that it names."""

    kinds: tuple[str, ...] = ()
    deck: str | None = None
    each: int = 1
    width: float = 186.0
    height: float = 250.0
    only: Mapping[str, int] | None = None  # as in Pawns


class Assembly(Struct, frozen=True):
    """A page that says how to fold and glue, with pictures made from the same geometry. Of no component named: of all
    but tables and what is only cut along marks."""

    of: tuple[str, ...] = ()


class OddsFace(Struct, frozen=True):
    """One face of odds. `asks` is a call of a situation of the game, such as `attack(2white, 1red)`.

    Without rows, all of its `results` (empty: every one) are shown, numbers as bars. With them, one result as a table:
    `{row}` and `{column}` in the call stand for each of `rows` and `columns`.
    """

    id: str
    title: Words
    asks: str
    results: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    row_title: Words = ""
    column_title: Words = ""

    def call(self, row: str = "", column: str = "") -> str:
        """The call of one cell."""
        return self.asks.replace("{row}", row).replace("{column}", column)

    @property
    def calls(self) -> tuple[str, ...]:
        """Every call that the face needs."""
        return tuple(self.call(row, column) for row in self.rows or ("",) for column in self.columns or ("",))


class OddsCards(Struct, frozen=True):
    """Exact odds of the game's dice as cards, two faces each: tables, or bars."""

    faces: tuple[OddsFace, ...] = ()
    sets: int = 1


class RulingCards(Struct, frozen=True):
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


class Component(Struct, frozen=True):
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


@cache
def _marked(options: type[Struct], mark: str) -> tuple[str, ...]:
    """The fields of a maker's options that bear a mark."""
    hints = get_type_hints(options, include_extras=True)
    return tuple(name for name in options.__struct_fields__ if mark in getattr(hints[name], "__metadata__", ()))


def words_of(value: Any, path: str = "") -> list[tuple[str, str]]:
    """(path, text) of every text inside of options that translators see."""
    if isinstance(value, tuple):
        named = ((getattr(item, "id", str(at)), item) for at, item in enumerate(value))
        return [found for name, item in named for found in words_of(item, _join(path, name))]
    if not isinstance(value, Struct):
        return []
    found: list[tuple[str, str]] = []
    for name in value.__struct_fields__:
        inner, below = getattr(value, name), _join(path, name)
        if name not in _marked(type(value), WORDS):
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
    if not isinstance(value, Struct) or isinstance(value, type):
        return value
    changed: dict[str, Any] = {}
    for name in value.__struct_fields__:
        inner, below = getattr(value, name), _join(path, name)
        if name not in _marked(type(value), WORDS):
            changed[name] = with_words(inner, texts, below)
        elif isinstance(inner, tuple):
            changed[name] = tuple(texts.get(f"{below}.{at}", text) for at, text in enumerate(inner))
        else:
            changed[name] = texts.get(below, inner)
    return structs.replace(value, **changed)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def path_of(value: Any, wanted: str, path: str = "") -> str:
    """The path of the first option that is the text `wanted`; empty when there is none."""
    if value == wanted:
        return path
    if isinstance(value, tuple):
        inner = [(getattr(item, "id", str(at)), item) for at, item in enumerate(value)]
    elif isinstance(value, Struct):
        inner = [(name, getattr(value, name)) for name in value.__struct_fields__]
    else:
        return ""
    return next((found for name, item in inner if (found := path_of(item, wanted, _join(path, name)))), "")


def scaled(options: Any, factor: float) -> Any:
    """Options with every length that scales times `factor`; None when none does: a ruler at 75 % would lie."""
    lengths = _marked(options.__class__, SCALES)
    if not lengths:
        return None
    return structs.replace(options, **{name: getattr(options, name) * factor for name in lengths})

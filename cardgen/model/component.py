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
    """The faces of dice as stickers. `size` is the die's edge; a sticker is smaller by `inset` on every side."""

    dice: tuple[str, ...] = ()
    size: float = field(default=16.0, metadata=SCALES)
    inset: float = field(default=1.5, metadata=SCALES)
    sets: int = 1


@dataclass(frozen=True, slots=True)
class Net:
    """A die to fold and glue. `size` is the distance between opposite faces; `die` names whose faces it shows, empty
    for numerals from `first` on."""

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
    # a table whose rows follow below the first track, a column to each of its bands
    table: str = ""
    sets: int = 1


@dataclass(frozen=True, slots=True)
class Pawns:
    """Fold-over standees, one for each card. `width` and `height` are a side's; 0 follows from the base."""

    kinds: tuple[str, ...] = ()
    deck: str | None = None
    # how many of each card, instead of its copies; lettered from the second on
    each: int = 0
    fold: Literal["head", "feet"] = "head"
    foot: Literal["slot", "folded", "tab"] = "slot"
    base: Literal["none", "round", "square", "oblong"] = "none"
    base_size: float = field(default=25.0, metadata=SCALES)
    width: float = field(default=25.0, metadata=SCALES)
    height: float = field(default=42.0, metadata=SCALES)
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
    length: float = field(default=80.0, metadata=SCALES)
    width: float = field(default=40.0, metadata=SCALES)
    height: float = field(default=25.0, metadata=SCALES)
    tab: float = field(default=6.0, metadata=SCALES)
    text: str = field(default="", metadata=WORDS)
    art: str = ""
    colour: str = "#8a8f94"
    each: int = 1


@dataclass(frozen=True, slots=True)
class Ruler:
    """A two-sided range ruler: `stops` are in `unit`s from its end; those of `back` stand behind."""

    unit: Literal["in", "cm"] = "in"
    stops: tuple[float, ...] = (1, 2, 4, 5, 6, 8)
    back: tuple[float, ...] = ()
    # more than the longest stop that fits the paper is printed in parts, to be joined
    width: float = 22.0


@dataclass(frozen=True, slots=True)
class Disc:
    """A round template, to cut out or to trace: `outline` prints only its edge, for a clear disc laid over it."""

    diameter: float = 120.0
    form: Literal["disc", "outline"] = "disc"
    hole: float = 0.0
    icon: str = ""
    text: str = field(default="", metadata=WORDS)


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
    """A board drawn to scale: on one page, or in full size over pages that overlap."""

    width: float = 508.0
    depth: float = 508.0
    grid: float = 25.4
    form: Literal["page", "tiled"] = "page"
    overlap: float = 10.0
    zones: tuple[Zone, ...] = ()
    notes: tuple[str, ...] = field(default=(), metadata=WORDS)


@dataclass(frozen=True, slots=True)
class Reference:
    """Tables as reference cards or pages."""

    tables: tuple[str, ...] = ()
    form: Literal["card", "page"] = "card"
    trim: str = "poker-eu"
    # all the game's keywords as one more table
    keywords: bool = False


@dataclass(frozen=True, slots=True)
class Assembly:
    """A page that says how to fold and glue, with pictures made from the same geometry."""

    of: tuple[str, ...] = ()


Options = Stickers | Net | TrackPiece | Pawns | Counters | Scenery | Ruler | Disc | Map | Reference | Assembly


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

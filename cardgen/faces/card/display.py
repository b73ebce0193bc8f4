"""What layout hands to paint: shaped text, areas, borders and pictures, where they stand on a face.

All lengths are CSS pixels (1/96 inch), the origin is the trim's top left corner, y grows downwards: what the reference
engine works in, so that the two can be compared number by number. Values only; nothing here knows of HTML or of PDF.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

# Red, green, blue and alpha, each from 0 to 1.
Colour = tuple[float, float, float, float]
# Left, top, width, height.
Rect = tuple[float, float, float, float]
# The radii (across, along) of the corners: top left, top right, bottom right, bottom left.
Radii = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
# a b c d e f, as in CSS and in PDF.
Matrix = tuple[float, float, float, float, float, float]
SQUARE: Radii = ((0.0, 0.0),) * 4
BLACK: Colour = (0.0, 0.0, 0.0, 1.0)
BorderStyle = Literal["none", "solid", "dashed", "dotted"]


class Glyph(Struct, frozen=True):
    """One glyph: its number in the font, and in 1/1000 em its advance (kerning included) and how far it is moved.

    `text` is what it stands for; the glyphs of a cluster after the first have none.
    """

    id: int
    advance: float
    dx: float
    dy: float
    text: str


class Word(Struct, frozen=True, eq=False):
    """Glyphs of one font that follow each other, in the order they are drawn in (visual order): a word, or a space.

    `width` is their advance in 1/1000 em; `clusters` how many of them take letter spacing, `spaces` word spacing;
    `missing` are the characters that the font has no glyph for: no other had one either. The same word of the same style
    is the same object, and compared as such: what is made of it is made once.
    """

    glyphs: tuple[Glyph, ...]
    width: float
    clusters: int
    spaces: int = 0
    missing: str = ""


class Run(Struct, frozen=True):
    """Words of one font, in visual order. `width` is their advance in 1/1000 em, `font` the sha256 of the font file."""

    font: str
    words: tuple[Word, ...]
    width: float

    @property
    def glyphs(self) -> tuple[Glyph, ...]:
        """All glyphs, in visual order."""
        return tuple(glyph for word in self.words for glyph in word.glyphs)

    @property
    def clusters(self) -> int:
        """How many clusters take letter spacing: spaces as well."""
        return sum(word.clusters for word in self.words)

    @property
    def spaces(self) -> int:
        """How many spaces take word spacing."""
        return sum(word.spaces for word in self.words)


class Text(Struct, frozen=True):
    """A run whose pen starts at (x, y), y on the baseline. `letter` and `word` are added after each glyph cluster and,
    besides, after each space, in px."""

    run: Run
    x: float
    y: float
    size: float
    colour: Colour
    letter: float = 0.0
    word: float = 0.0


class Area(Struct, frozen=True):
    """A filled rectangle, its corners rounded."""

    rect: Rect
    colour: Colour
    radii: Radii = SQUARE


class Border(Struct, frozen=True):
    """A border around `rect` (its outer edge): widths, styles and colours of top, right, bottom, left."""

    rect: Rect
    widths: tuple[float, float, float, float]
    styles: tuple[BorderStyle, BorderStyle, BorderStyle, BorderStyle]
    colours: tuple[Colour, Colour, Colour, Colour]
    radii: Radii = SQUARE


class Picture(Struct, frozen=True):
    """A raster picture or an SVG file of the project (its address), filling `rect`; `clip` is what is seen of it."""

    url: str
    rect: Rect
    clip: Rect | None = None
    radii: Radii = SQUARE


class Tiles(Struct, frozen=True):
    """A picture repeated over `clip`, in both directions; one of the copies fills `tile`."""

    url: str
    tile: Rect
    clip: Rect
    radii: Radii = SQUARE


class Drawing(Struct, frozen=True):
    """An `<svg>` that stands in the layout, as text, filling `rect`; `colour` is its currentColor."""

    svg: str
    rect: Rect
    colour: Colour = BLACK


class Group(Struct, frozen=True):
    """Items drawn as one: moved by `matrix`, seen within `clip`, let through by `opacity`."""

    items: tuple[Item, ...]
    clip: Rect | None = None
    radii: Radii = SQUARE
    opacity: float = 1.0
    matrix: Matrix | None = None


class Kept(Struct, frozen=True, eq=False):
    """Items that many faces show alike: the same object each time, so that they are painted once."""

    items: tuple[Item, ...]


Item = Text | Area | Border | Picture | Tiles | Drawing | Group | Kept

"""Drawings: paths and texts as values, drawn by whichever writer makes the file. Millimetres, y downwards."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Anchor = Literal["start", "middle", "end"]
# An RGB colour, each part 0..1.
Colour = tuple[float, float, float]
BLACK: Colour = (0.0, 0.0, 0.0)


class Path(Struct, frozen=True):
    """Polylines, each a tuple of (x, y) points in mm, stroked and/or filled.

    `width` is the stroke's width in mm; `dash` the lengths of dashes and gaps in mm.
    """

    lines: tuple[tuple[tuple[float, float], ...], ...]
    stroke: Colour | None = BLACK
    fill: Colour | None = None
    width: float = 0.15
    dash: tuple[float, ...] = ()
    closed: bool = False


class Text(Struct, frozen=True):
    """One line of text, its baseline starting (or centred, or ending) at (x, y) in mm.

    `size` is the font size in pt, `turns` the quarter turns clockwise about (x, y). `room` is the length in mm that
    it must not exceed: a writer, who knows the font, draws it smaller where it would; 0 is no limit.
    """

    x: float
    y: float
    text: str
    size: float = 6.0
    anchor: Anchor = "start"
    colour: Colour = BLACK
    turns: int = 0
    room: float = 0.0


class Drawing(Struct, frozen=True):
    """All that a sheet carries besides its faces, in drawing order; `under` lies below the faces, `over` above."""

    under: tuple[Path | Text, ...] = ()
    over: tuple[Path | Text, ...] = ()

"""Trims: the sizes that pieces are cut to."""

from __future__ import annotations

from msgspec import Struct

from cardgen.geometry import Size


class Trim(Struct, frozen=True):
    """A finished size. All lengths in mm.

    `bleed` is how far a layout paints beyond the cut on every side, `safe` how far inside it nothing important
    may stand, `corner` the radius of the rounded corner, 0 for a square one.
    """

    id: str
    title: str
    size: Size
    bleed: float = 3.0
    safe: float = 3.0
    corner: float = 3.0

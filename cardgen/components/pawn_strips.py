"""The strips that pawns are cut from: outlines, folds, what lies flat and what takes glue. Millimetres.

A strip is symmetrical about the middle of its length: front and back with their heads together and a foot at either
end, or with their feet together and both heads free. It is told about its middle, which is at (0, 0).
"""

from __future__ import annotations

import math

from msgspec import Struct

from cardgen.geometry import Matrix, Polygon, Size, circle, moved
from cardgen.model.component import Pawns
from cardgen.model.cutout import FoldKind

# Half an inch below the feet goes into a slotted stand (facts on print, "Dice, pawns, counters").
STAND = 12.7
# How far a foot reaches that lies flat without a base to say so, and a tab glued below a base.
FLAP = 10.0
TAB = 7.0
# How much of a side, of a round and of an angular base the part takes that goes into a slit.
SLIT_OF_SIDE, SLIT_OF_ROUND, SLIT_OF_SQUARE = 0.84, 0.72, 0.76
# Its corners are cut off by this much, so that it finds the slit.
LEAD = 1.5
# Heads are rounded off by an arc that ends 30 degrees short of the fold: a corner that closes there to nothing could
# not be cut. Its radius, as a share of the width and of the height, and at most.
ARC, ARC_OF_HEIGHT, ARC_AT_MOST = 0.56, 0.5, 16.0
SHOULDER = math.radians(60)
# A half turn about the middle, exactly: quarters of a strip must meet.
HALF_TURN = Matrix(-1.0, 0.0, 0.0, -1.0, 0.0, 0.0)


class Strip(Struct, frozen=True):
    """A strip about its middle, which is at (0, 0), with the front upright: above it where the feet are joined.

    `quarter` is the outline's part right of and below the middle, from the middle outwards; `folds` are (half a
    width, distance from the middle, kind) and stand on both sides of the middle. `top` is where the front's head is,
    `flat` the part of the front's foot that is seen from above, `glued` what takes glue of the front's half.
    """

    quarter: Polygon
    folds: tuple[tuple[float, float, FoldKind], ...]
    top: float
    flat: Polygon = ()
    glued: Polygon = ()


def head_strip(side: Size, base: Size | None, options: Pawns) -> Strip:
    """Heads joined in the middle, a foot at each end."""
    half, feet = side.width / 2, side.height
    edge = (*_shoulder(side), (half, feet))
    head: tuple[float, float, FoldKind] = (edge[0][0], 0.0, "mountain")
    if options.foot != "folded":
        length = STAND if options.foot == "slot" else TAB * options.factor
        wide = slit_width(side, base, options) / 2
        tab = ((wide, feet), (wide, feet + length - LEAD), (wide - LEAD, feet + length))
        if options.foot == "slot":
            return Strip(joined(edge, tab), (head,), 0.0)
        return Strip(joined(edge, tab), (head, (wide, feet, "valley")), 0.0, glued=both_halves(tab))
    if options.base == "round" and base is not None:
        radius = base.width / 2
        quarter = circle(0.0, feet, radius)[30:61]
    else:
        wide = (base.width if base is not None else side.width) / 2
        deep = base.height / 2 if base is not None else FLAP * options.factor
        quarter = ((wide, feet), (wide, feet + deep))
    fold: tuple[float, float, FoldKind] = (min(half, quarter[0][0]), feet, "valley")
    return Strip(joined(edge, quarter), (head, fold), 0.0, flat=both_halves(quarter))


def feet_strip(side: Size, base: Size | None, options: Pawns) -> Strip:
    """Feet joined by what goes into a stand, or by a base of two flaps and the plate below them; both heads free."""
    if options.foot == "slot":
        wide, feet = slit_width(side, base, options) / 2, STAND
        return Strip(
            joined(((wide, 0.0), (wide, feet)), _upside_down(side, feet)),
            ((wide, 0.0, "mountain"),),
            -feet - side.height,
        )
    plate = plate_of(side, base, options)
    wide, deep = plate.width / 2, plate.height / 2
    feet = 2 * deep
    folds: tuple[tuple[float, float, FoldKind], ...] = (
        (wide, deep, "mountain"),
        (min(wide, side.width / 2), feet, "valley"),
    )
    return Strip(
        joined(((wide, 0.0), (wide, feet)), _upside_down(side, feet)),
        folds,
        -feet - side.height,
        flat=((-wide, -feet), (wide, -feet), (wide, -deep), (-wide, -deep)),
        glued=((-wide, -deep), (wide, -deep), (wide, 0.0), (-wide, 0.0)) if base is not None else (),
    )


def plate_of(side: Size, base: Size | None, options: Pawns) -> Size:
    """The plate between two feet that are joined, its flaps as deep as half of it: what of the base is rectangular."""
    if base is None:
        return Size(side.width, 2 * FLAP * options.factor)
    # In a disc a rectangle of 3 : 4, whose corners lie on the edge.
    return Size(base.width * 0.6, base.width * 0.8) if options.base == "round" else base


def slit_width(side: Size, base: Size | None, options: Pawns) -> float:
    """How wide the part is that goes into a slit."""
    wide = SLIT_OF_SIDE * side.width
    if base is None:
        return wide
    return min(wide, (SLIT_OF_ROUND if options.base == "round" else SLIT_OF_SQUARE) * base.width)


def _radius(side: Size) -> float:
    return min(ARC * side.width, ARC_OF_HEIGHT * side.height, ARC_AT_MOST)


def _shoulder(side: Size, inset: float = 0.0) -> Polygon:
    """The right shoulder from the head's edge downwards, `inset` mm inside; (0, 0) is the middle of the head's edge."""
    radius = _radius(side)
    x, y = side.width / 2 - radius, radius * math.sin(SHOULDER)
    inner = radius - inset
    start = math.asin((y - inset) / inner)
    angles = [start * step / 15 for step in range(15, -1, -1)]
    return tuple((x + inner * math.cos(angle), y - inner * math.sin(angle)) for angle in angles)


def side_shape(side: Size, inset: float = 0.0) -> Polygon:
    """One side of a pawn, `inset` mm inside of its edge: rounded at the head, from its own top left corner, in mm."""
    right = (*_shoulder(side, inset), (side.width / 2 - inset, side.height - inset))
    return tuple((x + side.width / 2, y) for x, y in (*right, *((-x, y) for x, y in reversed(right))))


def _upside_down(side: Size, feet: float) -> Polygon:
    """The right edge of a side whose feet are `feet` mm below the middle and whose head is further down."""
    return ((side.width / 2, feet), *((x, feet + side.height - y) for x, y in reversed(_shoulder(side))))


def joined(*parts: Polygon) -> Polygon:
    """Parts of an outline as one, without a point twice in a row."""
    points = [point for part in parts for point in part]
    return tuple(point for at, point in enumerate(points) if at == 0 or math.dist(point, points[at - 1]) > 1e-6)


def both_halves(right: Polygon) -> Polygon:
    """The right half of an area with its left half."""
    return joined(right, tuple((-x, y) for x, y in reversed(right)))


def all_around(quarter: Polygon) -> Polygon:
    """The whole outline of a strip, clockwise on paper."""
    below = both_halves(quarter)
    around = joined(below, moved(below, HALF_TURN))
    return around[:-1] if math.dist(around[0], around[-1]) < 1e-6 else around

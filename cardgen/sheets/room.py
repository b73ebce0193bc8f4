"""How much room the margin has for crop marks, and what they take of it. Millimetres.

The numbers are those of good practice: marks 2 mm away from the art, up to 15 mm long, ending at the margin that the
printer cannot reach. Where that is too much (3 x 3 cards of 63 x 88 with 3 mm bleed leave 7.5 mm at the sides of A4)
they first come nearer to the art, then nearer to the paper's edge, and are never shorter than 3 mm.
"""

from __future__ import annotations

from msgspec import Struct

from cardgen.geometry import EPSILON_MM
from cardgen.model.sheet import Marks

MARK_AWAY = 2.0
LEAST_AWAY = 1.0
LONGEST_MARK = 15.0
LEAST_MARK = 3.0
# Inkjets leave 3 to 6 mm unprinted; a mark that ends at 3 mm shows on most of them.
LEAST_MARGIN = 3.0


class MarkRoom(Struct, frozen=True):
    """Where a mark lies between the art and the paper's edge: how far from the art it starts, how long it is."""

    away: float
    length: float


def least_edge(margin: float, bleed: float, marks: Marks) -> float:
    """The least distance in mm from the paper's edge to the cut that a margin, a bleed and crop marks need."""
    if marks != "margin":
        return margin + bleed
    return max(margin + bleed, min(margin, LEAST_MARGIN) + LEAST_MARK + LEAST_AWAY + bleed)


def mark_room(room: float, margin: float) -> MarkRoom | None:
    """How crop marks lie in `room` mm between the art (bleed included) and the paper's edge; None without room."""
    least_margin = min(margin, LEAST_MARGIN)
    if room < least_margin + LEAST_MARK + LEAST_AWAY - EPSILON_MM:
        return None
    away = min(MARK_AWAY, max(LEAST_AWAY, room - margin - LEAST_MARK))
    length = min(LONGEST_MARK, room - away - margin)
    return MarkRoom(away, max(length, LEAST_MARK))

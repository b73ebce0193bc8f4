"""Printers: how far one of them prints beside the place where it should. Millimetres and degrees."""

from __future__ import annotations

from msgspec import Struct

from cardgen.model.sheet import Flip

# A reading beyond these is a mistake of the hand or of the print dialogue. Printers at home are 3 to 4 mm off; what is
# more than 5 % too small was scaled to the page.
MOST_OFFSET = 10.0
MOST_TURN = 3.0
LEAST_SCALE, MOST_SCALE = 0.95, 1.05


class Offset(Struct, frozen=True):
    """How far a back lies right of and below its place, in mm, seen from behind with the page's top up."""

    x: float = 0.0
    y: float = 0.0


class Printer(Struct, frozen=True):
    """How a printer misses: measured once with a calibration sheet, kept in a file, undone on every sheet.

    `scale_short` and `scale_long` are how long a millimetre comes out along the short and the long edge of the paper, on
    both sides; `turn` is how far a back is turned, in degrees clockwise seen from behind. The offset of the back is
    measured for pages that stand and for such that lie, since drivers turn these one way or the other; one that was not
    measured is None. All of it is true of paper flipped along `flip`.
    """

    id: str
    flip: Flip = "long-edge"
    scale_short: float = 1.0
    scale_long: float = 1.0
    turn: float = 0.0
    portrait: Offset | None = None
    landscape: Offset | None = None

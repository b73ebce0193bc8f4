"""Which way a sheet is turned over, and where things on its front lie as seen from behind.

A stack printed on both sides is flipped by the printer along an edge. Along the long edge, a portrait sheet turns
about its upright axis: columns are mirrored. A landscape sheet turns about its level axis: rows are mirrored, and each
back stands on its head. Along the short edge the two change places. All of it follows from the one mirror here.
"""

from __future__ import annotations

from msgspec import Struct

from cardgen.geometry import Box, Size
from cardgen.model.sheet import Flip


class Mirror(Struct, frozen=True):
    """The view through a paper of `paper` mm that was flipped: about its upright axis, or about its level one."""

    paper: Size
    upright: bool

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Where the point (x, y) of one side lies on the other, in mm."""
        return (self.paper.width - x, y) if self.upright else (x, self.paper.height - y)

    def box(self, box: Box) -> Box:
        """Where a box of one side lies on the other."""
        if self.upright:
            return Box(self.paper.width - box.right, box.y, box.width, box.height)
        return Box(box.x, self.paper.height - box.bottom, box.width, box.height)

    def turns(self, turns: int) -> int:
        """The quarter turns of a back whose top edge lies behind the top edge of a front with `turns`."""
        return (-turns if self.upright else 2 - turns) % 4


def mirror(paper: Size, flip: Flip) -> Mirror:
    """The mirror of a paper (as it lies, mm) that is flipped along its long or its short edge. A square one counts as
    upright."""
    portrait = paper.height >= paper.width
    return Mirror(paper, portrait == (flip == "long-edge"))

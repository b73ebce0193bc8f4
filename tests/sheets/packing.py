"""Cutouts for the tests of packed sheets."""

from __future__ import annotations

from cardgen.geometry import Box, Polygon, Size, box_points, circle
from cardgen.model.cutout import Cutout, Panel
from cardgen.model.sheet import PAPERS, Imprint, SheetTemplate
from cardgen.model.trim import Trim

A4, LETTER = PAPERS["a4"].size, PAPERS["letter"].size
IMPRINT = Imprint("Everything", "0.5", "en", "Somebody, CC BY 4.0")
PACKED = SheetTemplate("a4-packed", 1, "Packed", "a4", orientation="portrait", bleed="each", arrange="packed")


def piece(
    label: str,
    width: float,
    height: float,
    copies: int = 1,
    bleed: float = 0.0,
    back: bool = False,
    outline: Polygon | None = None,
    group: str = "",
) -> Cutout:
    """A cutout with one face, or one on either side; cut straight unless it has an outline."""
    trim = Trim(f"{width}x{height}", "t", Size(width, height), bleed)
    panels = [Panel("front", "l", trim, {}, outline=outline, key=f"{label}-front")]
    if back:
        panels.append(Panel("back", "l", trim, {}, outline=outline, side="back", key=f"{label}-back"))
    return Cutout(
        label, label, trim.size, tuple(panels), (outline,) if outline else (), copies=copies, bleed=bleed, group=group
    )


def disc(label: str, diameter: float, copies: int = 1, back: bool = False, group: str = "") -> Cutout:
    """A round counter."""
    return piece(label, diameter, diameter, copies, back=back, outline=circle(*[diameter / 2] * 3), group=group)


def outlined(label: str, width: float, height: float, copies: int = 1) -> Cutout:
    """A piece whose outline is its box, for scissors."""
    return piece(label, width, height, copies, outline=box_points(Box(0, 0, width, height)))

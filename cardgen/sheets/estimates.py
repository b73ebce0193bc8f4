"""What printing an imposition takes: sheets, printed sides, and how well the paper is used."""

from __future__ import annotations

from msgspec import Struct

from cardgen.model.sheet import Imposition, Sheet


class Estimate(Struct, frozen=True):
    """`sheets` of paper, of which `sides` are printed; `used` is the part of the paper that becomes pieces, in percent."""

    sheets: int
    sides: int
    used: float


def estimate(imposition: Imposition) -> Estimate:
    """What an imposition takes, with its separate backs."""
    behind = imposition.backs.sheets if imposition.backs is not None else ()
    fronts = [sheet for sheet in imposition.sheets if sheet.side == "front"]
    sides = [sheet for sheet in (*imposition.sheets, *behind) if sheet.placements]
    paper = sum(sheet.paper.width * sheet.paper.height for sheet in fronts)
    return Estimate(len(fronts), len(sides), 100 * sum(map(_area, fronts)) / paper if paper else 0.0)


def _area(sheet: Sheet) -> float:
    boxes = [laid.box for laid in sheet.laid] or [placement.trim for placement in sheet.placements]
    return sum(box.width * box.height for box in boxes)

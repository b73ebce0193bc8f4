"""Undoing what a printer does wrong: where a page must be printed so that it lands where it should. Millimetres."""

from __future__ import annotations

from msgspec.structs import replace

from cardgen.geometry import Matrix, Size, rotation, translation
from cardgen.model.face import Side
from cardgen.model.printer import Offset, Printer
from cardgen.model.sheet import Flip, Imposition


def corrected(imposition: Imposition, printer: Printer | None, flip: Flip) -> Imposition:
    """The sheets, and those of a second file, as this printer must be given them when paper is flipped along `flip`.

    One face a page is for screens and print services: it stays as it is.
    """
    if printer is None or imposition.template.paper is None:
        return imposition
    sheets = tuple(
        replace(sheet, correction=misprint(printer, sheet.paper, sheet.side, flip).inverse())
        for sheet in imposition.sheets
    )
    backs = corrected(imposition.backs, printer, flip) if imposition.backs is not None else None
    return replace(imposition, sheets=sheets, backs=backs)


def misprint(printer: Printer, paper: Size, side: Side, flip: Flip) -> Matrix:
    """What the printer does to a page of a paper as it lies: fronts are scaled about the middle, backs are also turned
    about it and moved."""
    stands = paper.height >= paper.width
    across, down = printer.scale_short, printer.scale_long
    scale = Matrix(a=across, d=down) if stands else Matrix(a=down, d=across)
    x, y = paper.width / 2, paper.height / 2
    matrix = translation(-x, -y).then(scale)
    if side == "back":
        offset = offset_of(printer, paper, flip) or Offset()
        matrix = matrix.then(rotation(printer.turn)).then(translation(offset.x, offset.y))
    return matrix.then(translation(x, y))


def offset_of(printer: Printer, paper: Size, flip: Flip) -> Offset | None:
    """How far backs are off on a paper as it lies; None when that was not measured.

    Along the other edge a printer's driver turns the back by half before it is printed, while the paper goes the same
    way: what was too far right is then too far left.
    """
    offset = printer.portrait if paper.height >= paper.width else printer.landscape
    if offset is None or flip == printer.flip:
        return offset
    return Offset(-offset.x, -offset.y)

"""Where a face goes on a sheet, and what of the sheet it may paint on. Millimetres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardgen.geometry import EPSILON_MM, Box, Size, quarter_turns, translation
from cardgen.model.sheet import Grid, Piece, Placement, SheetTemplate
from cardgen.model.trim import Trim


def place(face: str, label: str, size: Size, slot: Box, clip: Box, turns: int) -> Placement:
    """A face of `size` in a slot, turned by quarter turns clockwise."""
    matrix = quarter_turns(turns, size).then(translation(slot.x, slot.y))
    return Placement(face, label, slot, clip, matrix)


def paint_boxes(grid: Grid, pieces: Sequence[Piece]) -> list[Box]:
    """Where each piece of a sheet may paint: its trim, and the bleed on the sides that it may bleed over.

    With bleed around the block a card bleeds wherever no neighbour stands, into an empty slot too: the cut there is
    the edge of the block like any other. A card without bleed ends at its cut.
    """
    boxes = []
    for index, piece in enumerate(pieces):
        slot = grid.slots[index]
        if not piece.bleed or grid.bleed_mode == "none":
            boxes.append(slot)
        elif grid.bleed_mode == "each":
            boxes.append(slot.grown(grid.bleed))
        else:
            left, top, right, bottom = _beside(grid, index, len(pieces), 0.0, grid.bleed)
            boxes.append(slot.grown_sides(left, top, right, bottom))
    return boxes


def back_boxes(grid: Grid, pieces: Sequence[Piece], bleed: float) -> list[Box]:
    """Where the back of each piece may paint, seen from the front, when backs bleed by `bleed` mm: never less than its
    front does, up to the middle of the gap to a neighbour, never beyond the paper."""
    paper = Box(0.0, 0.0, grid.paper.width, grid.paper.height)
    boxes = []
    for index, (piece, front) in enumerate(zip(pieces, paint_boxes(grid, pieces), strict=True)):
        if not piece.bleed:
            boxes.append(front)
            continue
        between = min(bleed, grid.gap / 2)
        left, top, right, bottom = _beside(grid, index, len(pieces), between, bleed)
        back = grid.slots[index].grown_sides(left, top, right, bottom)
        boxes.append(_common(_hull(front, back), paper))
    return boxes


def back_bleed(template: SheetTemplate, grid: Grid, trim: Trim) -> float:
    """How far backs may paint beyond their cut, in mm: as far as the fronts, or as the template says if that is more,
    and never more than the layouts paint."""
    return max(grid.bleed, min(template.back_bleed or 0.0, trim.bleed))


def _beside(grid: Grid, index: int, count: int, neighbour: float, free: float) -> list[float]:
    """Left, top, right, bottom: one value where another piece of the sheet stands beside it, another where none does."""
    filled: Mapping[tuple[int, int], int] = {divmod(at, grid.columns): at for at in range(count)}
    row, column = divmod(index, grid.columns)
    beside = ((row, column - 1), (row - 1, column), (row, column + 1), (row + 1, column))
    return [neighbour if at in filled else free for at in beside]


def _hull(first: Box, second: Box) -> Box:
    x, y = min(first.x, second.x), min(first.y, second.y)
    return Box(x, y, max(first.right, second.right) - x, max(first.bottom, second.bottom) - y)


def _common(box: Box, paper: Box) -> Box:
    if paper.contains(box):
        return box
    x, y = max(box.x, paper.x), max(box.y, paper.y)
    return Box(
        x, y, max(min(box.right, paper.right) - x, EPSILON_MM), max(min(box.bottom, paper.bottom) - y, EPSILON_MM)
    )

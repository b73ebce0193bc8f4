"""Crop marks. Millimetres.

Lines around each card are a known mistake: a cut that is off by a hair leaves them as an edge. So the marks stand in
the margin, away from the art; the kinds that cross the art are there for papers that leave no margin, and are dashed
black over light grey, to show on any art.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from cardgen.errors import DoesNotFit
from cardgen.geometry import EPSILON_MM, Box
from cardgen.model.drawing import BLACK, Colour, Path
from cardgen.model.sheet import Grid, Marks
from cardgen.sheets.room import MARK_AWAY, mark_room

MARK_WIDTH = 0.15
LIGHT_GREY: Colour = (0.85, 0.85, 0.85)
DASH = (1.0, 1.0)
# The arm of a corner mark on square corners; on round ones the arm is the radius, and rounding takes the mark away.
LONGEST_ARM = 3.0
SQUARE_ARM = 1.5

_Line = tuple[tuple[float, float], tuple[float, float]]


def crop_marks(grid: Grid, used: Sequence[Box], marks: Marks, corner: float) -> tuple[Path, ...]:
    """The marks for the slots `used` of a grid; `corner` is the radius of the pieces' corners in mm.

    Where pieces touch, one mark stands for the one cut that parts them; where a gap parts them there are two. Raises
    DoesNotFit when marks in the margin find no room, which a grid computed for such marks does not let happen.
    """
    if not used or marks == "none":
        return ()
    lines: Iterable[_Line]
    match marks:
        case "margin":
            return (Path(tuple(_margin(grid, used)), width=MARK_WIDTH),)
        case "full":
            lines = _full(grid, used)
        case "corner":
            lines = _corners(grid, used, min(corner, LONGEST_ARM) if corner > 0 else SQUARE_ARM)
        case _:
            lines = _in_gap(grid, used)
    unique = tuple(dict.fromkeys(lines))
    return (
        Path(unique, stroke=LIGHT_GREY, width=MARK_WIDTH),
        Path(unique, stroke=BLACK, width=MARK_WIDTH, dash=DASH),
    )


def _margin(grid: Grid, used: Sequence[Box]) -> list[_Line]:
    art = grid.art
    across, down = mark_room(art.x, grid.margin), mark_room(art.y, grid.margin)
    if across is None or down is None:
        raise DoesNotFit("the margin has no room for crop marks")
    lines: list[_Line] = []
    for x in _edges(used, _vertical):
        top, bottom = art.y - down.away, art.bottom + down.away
        lines += [((x, top - down.length), (x, top)), ((x, bottom), (x, bottom + down.length))]
    for y in _edges(used, _horizontal):
        left, right = art.x - across.away, art.right + across.away
        lines += [((left - across.length, y), (left, y)), ((right, y), (right + across.length, y))]
    return lines


def _full(grid: Grid, used: Sequence[Box]) -> list[_Line]:
    # To the end of the bleed and no further: the margin is left to the ruler.
    reach = _reach(grid, grid.bleed)
    lines: list[_Line] = []
    for x in _edges(used, _vertical):
        beside = [box for box in used if any(abs(x - edge) < EPSILON_MM for edge in _vertical(box))]
        top, bottom = min(box.y for box in beside), max(box.bottom for box in beside)
        lines.append(((x, top - reach(top)), (x, bottom + reach(grid.paper.height - bottom))))
    for y in _edges(used, _horizontal):
        beside = [box for box in used if any(abs(y - edge) < EPSILON_MM for edge in _horizontal(box))]
        left, right = min(box.x for box in beside), max(box.right for box in beside)
        lines.append(((left - reach(left), y), (right + reach(grid.paper.width - right), y)))
    return lines


def _corners(grid: Grid, used: Sequence[Box], arm: float) -> list[_Line]:
    reach = _reach(grid, arm)
    lines: list[_Line] = []
    for x, y in dict.fromkeys((_snap(x), _snap(y)) for box in used for x in _vertical(box) for y in _horizontal(box)):
        lines.append(((x - reach(x), y), (x + reach(grid.paper.width - x), y)))
        lines.append(((x, y - reach(y)), (x, y + reach(grid.paper.height - y))))
    return lines


def _in_gap(grid: Grid, used: Sequence[Box]) -> list[_Line]:
    # Across the gap to the neighbour, and as far into the margin at the block's edge: the mark then passes the bleed.
    reach = _reach(grid, max(grid.gap, grid.bleed + MARK_AWAY))
    block, paper = grid.block, grid.paper
    lines: list[_Line] = []
    for box in used:
        left = grid.gap if box.x > block.x + EPSILON_MM else reach(box.x)
        right = grid.gap if box.right < block.right - EPSILON_MM else reach(paper.width - box.right)
        top = grid.gap if box.y > block.y + EPSILON_MM else reach(box.y)
        bottom = grid.gap if box.bottom < block.bottom - EPSILON_MM else reach(paper.height - box.bottom)
        for y in _horizontal(box):
            lines += [_line(box.x - left, y, box.x, y), _line(box.right, y, box.right + right, y)]
        for x in _vertical(box):
            lines += [_line(x, box.y - top, x, box.y), _line(x, box.bottom, x, box.bottom + bottom)]
    return lines


def _reach(grid: Grid, wanted: float) -> Callable[[float], float]:
    """How far a line may go on towards the paper's edge that is `distance` mm away: never into the margin."""
    return lambda distance: max(0.0, min(wanted, distance - grid.margin))


def _vertical(box: Box) -> tuple[float, float]:
    return box.x, box.right


def _horizontal(box: Box) -> tuple[float, float]:
    return box.y, box.bottom


def _edges(used: Sequence[Box], edges: Callable[[Box], tuple[float, float]]) -> list[float]:
    return sorted({_snap(edge) for box in used for edge in edges(box)})


def _line(x0: float, y0: float, x1: float, y1: float) -> _Line:
    return (_snap(x0), _snap(y0)), (_snap(x1), _snap(y1))


def _snap(mm: float) -> float:
    # Touching cards give their shared edge twice, apart by rounding; a millionth of a millimetre makes it one.
    return round(mm, 6)

"""The calibration sheet, and what its readings say of a printer. Millimetres.

The front has a cross at A and one at B, the back a scale behind each; held to the light, the cross falls on the scale
where the printer put it. A label says how far the back is off when the cross falls on it, so that what is read is the
error itself. Two pairs of fine lines tell how long a millimetre comes out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from cardgen.errors import UsageError
from cardgen.geometry import Box, Matrix, Point, Size, box_points, moved, rotation, translation
from cardgen.model.drawing import BLACK, Colour, Drawing, Path, Text
from cardgen.model.printer import LEAST_SCALE, MOST_OFFSET, MOST_SCALE, MOST_TURN, Offset, Printer
from cardgen.model.sheet import Flip, Grid, Imposition, Imprint, Sheet, SheetTemplate, SheetWords
from cardgen.sheets.flip import mirror
from cardgen.sheets.labels import LEADING, wrap
from cardgen.units import format_mm, pt_to_mm

# How far A and B are from the middle of the paper, where it is long enough.
STATION = 85.0
# Half of a back's scale: real printers are 3 to 4 mm off.
SCALE = 8
# The numerals of a scale in points, and how many mm apart they stand, so that they can be read against the light.
NUMERALS, EVERY = 7.0, 4
# What is measured with a ruler: the longest of these that the paper holds.
LENGTHS = (300.0, 200.0, 150.0, 100.0, 50.0)
# Half the height of a digit, in em.
HALF_DIGIT = 0.345
# What a ruler line keeps of the paper's edges, both together.
_EDGES = 40.0
# Two readings that tell the distance of A and B apart by more than this contradict each other.
CONTRADICTION = 1.0

FINE, THIN, THICK = 0.08, 0.12, 0.25
NO_BREAK = "\N{NO-BREAK SPACE}"
# How many em of the estimate that lines are broken by fill one em of a column: the words' font is narrow, its Cyrillic
# letters less so.
NARROW, NARROW_CYRILLIC = 1.3, 1.14
GREY: Colour = (0.72, 0.72, 0.72)
PALE: Colour = (0.93, 0.93, 0.93)
WHITE: Colour = (1.0, 1.0, 1.0)


class Readings(Struct, frozen=True):
    """What was read from the sheet, in mm; None was not read."""

    ax: float | None = None
    ay: float | None = None
    bx: float | None = None
    by: float | None = None
    width: float | None = None
    height: float | None = None


def stations(paper: Size) -> tuple[Point, Point]:
    """A and B on the front of a paper as it lies: above and below its middle, or left and right of it."""
    x, y = paper.width / 2, paper.height / 2
    away = min(STATION, max(x, y) - 45.0)
    return ((x, y - away), (x, y + away)) if paper.height >= paper.width else ((x - away, y), (x + away, y))


def nominal(paper: Size) -> Size:
    """How far apart the lines are, across and down, that are measured with a ruler."""
    across, down = (
        next(length for length in LENGTHS if length <= side - _EDGES) for side in (paper.width, paper.height)
    )
    return Size(across, down)


def measured(readings: Readings, paper: Size, flip: Flip, known: Printer) -> Printer:
    """The printer that these readings of a sheet tell of; what they do not tell stays as it was `known`.

    `paper` is the sheet's as it lies, `flip` the edge it was turned over along. Raises UsageError for readings that no
    printer gives.
    """
    stands = paper.height >= paper.width
    size = nominal(paper)
    across = readings.width / size.width if readings.width is not None else None
    down = readings.height / size.height if readings.height is not None else None
    short, long = (across, down) if stands else (down, across)
    short = known.scale_short if short is None else short
    long = known.scale_long if long is None else long
    for name, value, scale, length in (
        ("width", readings.width, across, size.width),
        ("height", readings.height, down, size.height),
    ):
        if scale is not None and not LEAST_SCALE <= scale <= MOST_SCALE:
            raise UsageError(
                f"`{name}={format_mm(value or 0.0)}` cannot be: the lines are {format_mm(length)} mm apart, and what "
                f"printers make of that is between {format_mm(length * LEAST_SCALE)} and "
                f"{format_mm(length * MOST_SCALE)} mm; measure again, or print at 100 % and not fitted to the page"
            )
    turn = known.turn
    # Along another edge the same printer is off the other way; see `offset_of`.
    way = 1.0 if known.flip == flip else -1.0
    portrait, landscape = (
        Offset(way * offset.x, way * offset.y) if offset is not None else None
        for offset in (known.portrait, known.landscape)
    )
    if readings.ax is not None:
        scale_matrix = Matrix(a=short, d=long) if stands else Matrix(a=long, d=short)
        turn, offset = _registration(readings, paper, flip, scale_matrix)
        portrait, landscape = (offset, landscape) if stands else (portrait, offset)
    return Printer(known.id, flip, short, long, turn, portrait, landscape)


def _registration(readings: Readings, paper: Size, flip: Flip, scale: Matrix) -> tuple[float, Offset]:
    """The turn and the offset that bring the labels that were read to where the crosses were seen."""
    values = {name: getattr(readings, name) for name in ("ax", "ay", "bx", "by")}
    for name, value in values.items():
        if abs(value) > MOST_OFFSET:
            raise UsageError(
                f"`{name}={format_mm(value)}` cannot be: the scales go to {SCALE} mm, and a back that is more than "
                f"{format_mm(MOST_OFFSET)} mm off was not printed for this front"
            )
    view = mirror(paper, flip)
    to_middle = translation(-paper.width / 2, -paper.height / 2)
    seen: list[Point] = []
    label: list[Point] = []
    for station, (x, y) in zip(
        stations(paper), ((values["ax"], values["ay"]), (values["bx"], values["by"])), strict=True
    ):
        at = to_middle.apply(*view.point(*station))
        seen.append(scale.apply(*at))
        # A label stands opposite to the error that it tells.
        label.append(scale.apply(at[0] - x, at[1] - y))
    (ux, uy), (vx, vy) = (_between(seen), _between(label))
    if abs(math.hypot(ux, uy) - math.hypot(vx, vy)) > CONTRADICTION:
        along = "ay and by" if paper.height >= paper.width else "ax and bx"
        raise UsageError(f"the readings contradict each other: {along} should be the same, within 1 mm; read again")
    turn = math.degrees(math.atan2(vx * uy - vy * ux, vx * ux + vy * uy))
    if abs(turn) > MOST_TURN:
        raise UsageError(
            f"the readings say that the back is turned by {turn:.1f} degrees, and printers turn paper by less than "
            f"{format_mm(MOST_TURN)} degrees; read again, with the signs of the labels"
        )
    turned = moved(tuple(label), rotation(turn))
    x = sum(point[0] for point in seen) / 2 - sum(point[0] for point in turned) / 2
    y = sum(point[1] for point in seen) / 2 - sum(point[1] for point in turned) / 2
    return turn, Offset(x, y)


def _between(points: Sequence[Point]) -> Point:
    (x0, y0), (x1, y1) = points
    return x1 - x0, y1 - y0


# --- the sheet -------------------------------------------------------------------------------------------------------


def calibration_sheet(
    template: SheetTemplate,
    grid: Grid | None,
    paper: Size,
    imprint: Imprint,
    words: SheetWords,
    flip: Flip,
    command: Sequence[str],
    checked: str = "",
) -> Imposition:
    """The two pages: the template's cuts, crosses before scales, lines to measure, and what to do in words.

    `paper` is the paper as it lies, `grid` the cuts on it; `command` are the lines to type, `checked` the printer that
    the sheet is corrected for, in place of them.
    """
    view = mirror(paper, flip)
    here = stations(paper)
    slots = grid.slots if grid is not None else ()
    front: list[Path | Text] = [_outlines(slots)] if slots else []
    front += _instructions(paper, words, flip, command, checked)
    front += _lines(paper)
    back: list[Path | Text] = [_outlines([view.box(slot) for slot in slots])] if slots else []
    back += _note(paper, words)
    for name, station in zip("ab", here, strict=True):
        front += _cross(name, station)
        back += _scale(name, view.point(*station))
    sheets = (
        Sheet(1, "front", paper, (), Drawing(over=tuple(front))),
        Sheet(1, "back", paper, (), Drawing(over=tuple(back))),
    )
    return Imposition(sheets, template, imprint, paper, flip, grid)


def _outlines(slots: Sequence[Box]) -> Path:
    return Path(tuple(box_points(slot) for slot in slots), GREY, width=THIN, closed=True)


def _cross(name: str, at: Point) -> Iterator[Path | Text]:
    x, y = at
    arm = SCALE + 5.0
    yield Path((((x - arm, y), (x + arm, y)), ((x, y - arm), (x, y + arm))), width=THICK)
    # Below, where the other side has nothing that it would be seen on.
    yield Text(x, y + arm + 8.0, name.upper(), 20.0, "middle")


def _scale(name: str, at: Point) -> Iterator[Path | Text]:
    """Lines 1 mm apart with labels: how far the back is off where a label's line meets the cross's middle."""
    x, y = at
    fine: list[tuple[Point, ...]] = []
    thin: list[tuple[Point, ...]] = []
    ticks: list[tuple[Point, ...]] = []
    for mm in range(-SCALE, SCALE + 1):
        reach = SCALE + (1.2 if mm % EVERY == 0 else 0.9 if mm % 2 == 0 else 0.0)
        lines = thin if mm % 2 == 0 else fine
        lines += [((x + mm, y - reach), (x + mm, y + SCALE)), ((x - reach, y + mm), (x + SCALE, y + mm))]
        if mm < SCALE:
            half = mm + 0.5
            ticks += [
                ((x + half, y - SCALE), (x + half, y - SCALE - 0.7)),
                ((x - SCALE, y + half), (x - SCALE - 0.7, y + half)),
            ]
        if mm % EVERY == 0:
            label = f"{-mm:+d}" if mm else "0"
            yield Text(x + mm, y - reach - 0.6, label, NUMERALS, "middle", room=EVERY - 1.1)
            yield Text(x - reach - 0.4, y + mm + pt_to_mm(NUMERALS) * HALF_DIGIT, label, NUMERALS, "end")
    yield Path(tuple(fine), GREY, width=FINE)
    yield Path((*thin, *ticks), width=FINE)
    yield Path((((x, y - SCALE), (x, y + SCALE)), ((x - SCALE, y), (x + SCALE, y))), width=THICK)
    yield Text(x, y - SCALE - 5.0, f"{name}x", 9.0, "middle")
    yield Text(x - SCALE - 5.4, y + 1.1, f"{name}y", 9.0, "end")
    yield Text(x + SCALE + 7.0, y + 2.4, name.upper(), 20.0)


def _lines(paper: Size) -> Iterator[Path | Text]:
    """The two pairs of fine lines, each with an arrow between them that names the reading."""
    size = nominal(paper)
    left, top = (paper.width - size.width) / 2, (paper.height - size.height) / 2
    yield from _distance("width", Matrix(e=left, f=20.0), size.width, 0)
    # A quarter turn back: along is up, and the word is read from below.
    yield from _distance("height", Matrix(0.0, -1.0, 1.0, 0.0, 18.0, top + size.height), size.height, 3)


def _distance(word: str, matrix: Matrix, length: float, turns: int) -> Iterator[Path | Text]:
    half, gap = length / 2, 8.0
    ends = (((0.0, -5.0), (0.0, 5.0)), ((length, -5.0), (length, 5.0)))
    between = (((0.5, 0.0), (half - gap, 0.0)), ((half + gap, 0.0), (length - 0.5, 0.0)))
    tips = (((0.0, 0.0), (3.0, -0.9), (3.0, 0.9)), ((length, 0.0), (length - 3.0, -0.9), (length - 3.0, 0.9)))
    yield Path((_strip(matrix, half - gap, half + gap, 2.2),), None, WHITE)
    yield Path(tuple(moved(line, matrix) for line in ends), width=FINE)
    yield Path(tuple(moved(line, matrix) for line in between), width=THIN)
    yield Path(tuple(moved(tip, matrix) for tip in tips), None, BLACK)
    x, y = matrix.apply(half, 1.2)
    yield Text(x, y, word, 10.0, "middle", turns=turns)


def _strip(matrix: Matrix, start: float, end: float, above: float) -> tuple[Point, ...]:
    """The corners of a box about the line from `start` to `end`, through a matrix."""
    return moved(((start, -above), (end, -above), (end, above), (start, above)), matrix)


def _instructions(
    paper: Size, words: SheetWords, flip: Flip, command: Sequence[str], checked: str
) -> Iterator[Path | Text]:
    """The title and the steps, in the middle of the paper between A and B."""
    lies = paper.width > paper.height
    (a, _), (b, _) = stations(paper)
    # On lying paper the crosses are beside the words.
    width = min(b - a - 2 * (SCALE + 9.0), 115.0) if lies else min(paper.width - 60.0, 150.0)
    small = min(paper.width, paper.height) < 180
    left = (paper.width - width) / 2 + (0.0 if lies else 4.0)
    size = nominal(paper)
    edge = words.calibrate_long_edge if flip == "long-edge" else words.calibrate_short_edge
    measure = words.calibrate_size.replace("{width}", format_mm(size.width)).replace("{height}", format_mm(size.height))
    # A figure and its unit stay on one line.
    steps = [edge, *(re.sub(r"(?<=\d) (?=mm|мм|%)", NO_BREAK, step) for step in (measure, words.calibrate_light))]
    steps += [words.calibrate_check.replace("{printer}", checked)] if checked else [words.calibrate_type]
    pt = 8.0 if small else 10.5
    leading, indent = LEADING * 1.08 * pt_to_mm(pt), 6.0
    rows: list[tuple[float, float, str, float]] = [(0.0, 0.0, words.calibrate_title, pt * 1.9)]
    down = pt_to_mm(pt) * 2.6
    for number, step in enumerate(steps, 1):
        rows.append((0.0, down, f"{number}", pt))
        for line in _lines_of(step, (width - indent) / pt_to_mm(pt)):
            rows.append((indent, down, line, pt))
            down += leading
        down += leading * 0.45
    frame: Box | None = None
    if not checked:
        frame = Box(indent, down - leading * 0.75, width - indent, leading * (len(command) + 0.75))
        down += leading * 0.4
        for line in command:
            rows.append((indent + 2.5, down, line, pt))
            down += leading
        down += leading * 0.8
        for number, step in enumerate((words.calibrate_use, words.calibrate_try), len(steps) + 1):
            rows.append((0.0, down, f"{number}", pt))
            for line in _lines_of(step, (width - indent) / pt_to_mm(pt)):
                rows.append((indent, down, line, pt))
                down += leading
            down += leading * 0.45
    top = (paper.height - down) / 2 + pt_to_mm(pt)
    ground = Box(left - 4.0, top - pt_to_mm(pt) * 2.4, width + 8.0, down + pt_to_mm(pt) * 2.4)
    yield Path((box_points(ground),), None, WHITE, closed=True)
    if frame is not None:
        yield Path(
            (box_points(Box(left + frame.x, top + frame.y, frame.width, frame.height)),), None, PALE, closed=True
        )
    for x, y, text, points in rows:
        yield Text(left + x, top + y, text, points, room=width - x)


def _lines_of(text: str, ems: float) -> list[str]:
    """A text broken to a column of so many em."""
    return wrap(text, ems * (NARROW_CYRILLIC if re.search("[\u0400-\u04ff]", text) else NARROW))


def _note(paper: Size, words: SheetWords) -> Iterator[Path | Text]:
    """What the back says: which side it is, and how it is held."""
    x = paper.width / 2
    lines = (f"{words.calibrate_title} · {words.back}", words.calibrate_back)
    widest = min(paper.width - 40.0, 150.0)
    # Below the front's line across, where A leaves room for that.
    top = 27.0 if stations(paper)[0][1] > 60.0 else 10.0
    yield Path((box_points(Box(x - widest / 2, top, widest, 14.0)),), None, WHITE, closed=True)
    yield Text(x, top + 5.5, lines[0], 11.0, "middle", room=widest - 4.0)
    yield Text(x, top + 11.0, lines[1], 9.0, "middle", room=widest - 4.0)

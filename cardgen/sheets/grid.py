"""Grids: how many pieces of a trim a paper takes, and where each stands. Millimetres."""

from __future__ import annotations

import itertools

from msgspec import Struct
from msgspec.structs import replace

from cardgen.errors import DoesNotFit
from cardgen.geometry import EPSILON_MM, Box, Size
from cardgen.model.sheet import Grid, Orientation, SheetTemplate
from cardgen.model.trim import Trim
from cardgen.sheets.room import least_edge
from cardgen.units import format_mm

# Beyond this a sheet is no sheet but a mistake in a trim: 1 mm pieces on A3 make some hundred thousand.
MOST_SLOTS = 10_000


class _Plan(Struct, frozen=True):
    """One way to lay the pieces: the paper as it lies, the piece as it lies, and how many each way."""

    paper: Size
    piece: Size
    turned: bool
    columns: int
    rows: int
    # How much the block with all it needs around it is too large, mm; 0 when it fits.
    over_x: float
    over_y: float

    @property
    def count(self) -> int:
        return self.columns * self.rows

    @property
    def fits(self) -> bool:
        return self.over_x <= EPSILON_MM and self.over_y <= EPSILON_MM and self.count > 0


def compute_grid(template: SheetTemplate, trim: Trim, paper: Size | None) -> Grid:
    """The grid of `template` for pieces of `trim` on `paper` (mm, portrait); a paper of None is one face a page.

    Where the template leaves a choice (columns, rows, orientation, turning) the most pieces win; on a tie pieces are
    not turned, then the paper stands upright. Raises DoesNotFit, whose message says what was asked, how many mm are
    missing, and the largest grid that does fit.
    """
    bleed = bleed_of(template, trim)
    if paper is None:
        page = Size(trim.size.width + 2 * bleed, trim.size.height + 2 * bleed)
        slot = Box(bleed, bleed, trim.size.width, trim.size.height)
        return Grid(page, 1, 1, (slot,), False, 0.0, bleed, template.bleed, 0.0)
    gap = gap_of(template, bleed)
    if template.marks == "in-gap" and gap <= 0:
        raise DoesNotFit(
            "marks in the gap need a gap, and these pieces touch: give the sheet a `gap`, or other `marks`"
        )
    plan = _best(template, trim.size, paper, bleed)
    if not plan.fits:
        raise DoesNotFit(_refusal(template, trim, paper, bleed, plan))
    if plan.count > MOST_SLOTS:
        raise DoesNotFit(f"{plan.count} pieces on one sheet are more than the {MOST_SLOTS} that a sheet may hold")
    return Grid(
        paper=plan.paper,
        columns=plan.columns,
        rows=plan.rows,
        slots=_slots(plan, gap),
        turned=plan.turned,
        gap=gap,
        bleed=bleed,
        bleed_mode=template.bleed,
        margin=template.margin,
    )


def bleed_of(template: SheetTemplate, trim: Trim) -> float:
    """How far a piece may paint beyond its cut on this sheet, in mm: never more than its layout paints."""
    if template.bleed == "none":
        return 0.0
    asked = trim.bleed if template.bleed_amount is None else template.bleed_amount
    return min(asked, trim.bleed)


def gap_of(template: SheetTemplate, bleed: float) -> float:
    """The gap between trims in mm; where each card carries its own bleed it holds the two of them."""
    return max(template.gap, 2 * bleed) if template.bleed == "each" else template.gap


def largest_bleed(size: Size, columns: int, rows: int, paper: Size, margin: float) -> tuple[float, float]:
    """The largest bleed in mm, across and down, that every card of a grid can carry on its own; negative when the
    cards alone are too large. `size` and `paper` are taken as they lie."""
    return (
        (paper.width - 2 * margin - columns * size.width) / (2 * columns),
        (paper.height - 2 * margin - rows * size.height) / (2 * rows),
    )


def _best(template: SheetTemplate, size: Size, paper: Size, bleed: float) -> _Plan:
    """The plan with the most pieces among those that fit, else the one that lacks least."""
    # In order of preference: max and min take the first of equals.
    turns = (False, True) if template.turn is None else (template.turn,)
    plans = [
        _plan(template, size, sheet, turned, bleed)
        for turned, sheet in itertools.product(turns, _papers(template.orientation, paper))
    ]
    fitting = [plan for plan in plans if plan.fits]
    if fitting:
        return max(fitting, key=lambda plan: plan.count)
    return min(plans, key=lambda plan: max(plan.over_x, 0.0) + max(plan.over_y, 0.0))


def _papers(orientation: Orientation, paper: Size) -> tuple[Size, ...]:
    short, long = sorted((paper.width, paper.height))
    portrait, landscape = Size(short, long), Size(long, short)
    match orientation:
        case "portrait":
            return (portrait,)
        case "landscape":
            return (landscape,)
        case _:
            return (portrait, landscape) if long > short else (portrait,)


def _plan(template: SheetTemplate, size: Size, paper: Size, turned: bool, bleed: float) -> _Plan:
    piece = size.turned() if turned else size
    gap, edge = gap_of(template, bleed), least_edge(template.margin, bleed, template.marks)
    columns, over_x = _along(template.columns, paper.width, piece.width, gap, edge)
    rows, over_y = _along(template.rows, paper.height, piece.height, gap, edge)
    return _Plan(paper, piece, turned, columns, rows, over_x, over_y)


def _along(asked: int, paper: float, piece: float, gap: float, edge: float) -> tuple[int, float]:
    """How many pieces stand in one direction, and how many mm too long they are together."""
    count = asked or max(1, int((paper - 2 * edge + gap + EPSILON_MM) / (piece + gap)))
    return count, count * piece + (count - 1) * gap + 2 * edge - paper


def _slots(plan: _Plan, gap: float) -> tuple[Box, ...]:
    width, height = plan.piece.width, plan.piece.height
    left = (plan.paper.width - plan.columns * width - (plan.columns - 1) * gap) / 2
    top = (plan.paper.height - plan.rows * height - (plan.rows - 1) * gap) / 2
    return tuple(
        Box(left + column * (width + gap), top + row * (height + gap), width, height)
        for row in range(plan.rows)
        for column in range(plan.columns)
    )


# --- what to say when it does not fit --------------------------------------------------------------------------------


def _refusal(template: SheetTemplate, trim: Trim, paper: Size, bleed: float, plan: _Plan) -> str:
    grid = f"{plan.columns} x {plan.rows} pieces" if template.columns or template.rows else "pieces"
    missing = [
        f"{format_mm(over)} mm too {how}"
        for over, how in ((plan.over_x, "wide"), (plan.over_y, "high"))
        if over > EPSILON_MM
    ]
    needs = [f"margins of {format_mm(template.margin)} mm"]
    if template.marks == "margin":
        needs.append("crop marks")
    text = (
        f"{grid} of {_mm(trim.size)}{_bleed_words(template, bleed)} do not fit on paper of {_mm(plan.paper)}"
        f" with {' and '.join(needs)}: {' and '.join(missing)}; {_largest(template, trim, paper, bleed)}"
    )
    remedies = _remedies(template, trim, plan, bleed)
    return f"{text} ({'; '.join(remedies)})" if remedies else text


def _mm(size: Size) -> str:
    return f"{format_mm(size.width)} x {format_mm(size.height)} mm"


def _bleed_words(template: SheetTemplate, bleed: float) -> str:
    where = {"each": "on each", "outer": "around the block"}
    return f" with {format_mm(bleed)} mm bleed {where[template.bleed]}" if bleed and template.bleed != "none" else ""


def _largest(template: SheetTemplate, trim: Trim, paper: Size, bleed: float) -> str:
    """The largest grid that fits, the paper and the pieces being free to turn, in words."""
    free = replace(template, columns=0, rows=0, turn=None)
    best = _best(free, trim.size, paper, bleed)
    other = _best(replace(free, orientation="auto"), trim.size, paper, bleed)
    # Lying the other way is proposed only where it gives more than the way that was asked for.
    if not best.fits or (other.fits and other.count > best.count):
        best = other
    if not best.fits:
        return "not even one piece fits"
    turned = ", turned" if best.turned else ""
    lies = "landscape" if best.paper.width > best.paper.height else "portrait"
    pieces = "piece" if best.count == 1 else "pieces"
    return f"the largest grid that does is {best.columns} x {best.rows}{turned}, {lies}: {best.count} {pieces}"


def _remedies(template: SheetTemplate, trim: Trim, plan: _Plan, bleed: float) -> list[str]:
    """Changes of the sheet that would let the grid asked for fit."""

    def fits(**changes: object) -> bool:
        changed = replace(template, columns=plan.columns, rows=plan.rows, **changes)
        return _best(changed, trim.size, plan.paper, bleed_of(changed, trim)).fits

    found = []
    if template.bleed == "each" and not template.gap:
        most = min(largest_bleed(plan.piece, plan.columns, plan.rows, plan.paper, template.margin))
        if most > 0 and fits(bleed_amount=most):
            found.append(f"{_down(most)} mm bleed on each")
        elif most > 0 and fits(bleed_amount=most, marks="none"):
            found.append(f"{_down(most)} mm bleed on each and no marks in the margin")
    if template.bleed == "each" and fits(bleed="outer"):
        found.append("bleed around the block only")
    if template.bleed == "outer" and bleed:
        most = bleed - max(plan.over_x, plan.over_y) / 2
        if most >= 0.1:
            found.append(f"{_down(most)} mm bleed around the block")
        elif fits(bleed="none"):
            found.append("no bleed")
    if template.marks == "margin":
        if fits(marks="full"):
            found.append("other marks, such as `full`")
        elif template.bleed != "none" and not fits(bleed="none") and fits(bleed="none", marks="full"):
            found.append("no bleed and other marks, such as `full`")
    return [f"{plan.columns} x {plan.rows} fits with {change}" for change in found]


def _down(mm: float) -> str:
    """Millimetres rounded down to hundredths: what is proposed must fit."""
    return format_mm(int(mm * 100 + EPSILON_MM) / 100)

"""Sheets that are printed on one side and folded: fronts above the fold, their backs below it, upside down. Millimetres.

Folded back along the middle and glued, every back lies behind its front, however far the printer is off; then the
cards are cut, from the front.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from cardgen.errors import DoesNotFit
from cardgen.geometry import Box, Size
from cardgen.model.drawing import BLACK, Drawing, Path, Text
from cardgen.model.sheet import Grid, Imposition, Imprint, Piece, Sheet, SheetNote, SheetTemplate, SheetWords
from cardgen.model.trim import Trim
from cardgen.sheets.cutout_drawing import LINE_WIDTH, MOUNTAIN
from cardgen.sheets.flip import Mirror
from cardgen.sheets.grid import bleed_of, compute_grid
from cardgen.sheets.labels import front_blocks, with_labels, with_ruler
from cardgen.sheets.marks import crop_marks
from cardgen.sheets.paint import paint_boxes, place
from cardgen.sheets.report_code import standing, with_code
from cardgen.sheets.room import least_edge
from cardgen.units import format_mm

# From the bleed to the fold, on either side: paper that is folded is never quite flat there, and glue needs an edge.
FOLD_ROOM = 5.0
# How near to the fold a mark may come.
_MARK_TO_FOLD = 0.7
_WORD_PT = 5.0
_WORD_ABOVE = 0.8


def gutterfold(
    queue: Sequence[Piece],
    template: SheetTemplate,
    trim: Trim,
    paper: Size,
    imprint: Imprint,
    words: SheetWords,
    first: int = 1,
    total: int = 0,
) -> Imposition:
    """All sheets for `queue`, one piece for each copy, in its order, on paper of `paper` mm (portrait).

    The template's columns and rows are those of the fronts. Raises DoesNotFit, which names the largest grid that does.
    """
    if template.registration != "none":
        raise DoesNotFit(
            "no machine cuts a sheet that is folded and glued: print backs in another way, such as `duplex`"
        )
    grid = folded_grid(template, trim, paper)
    room = len(grid.slots)
    chunks = [queue[start : start + room] for start in range(0, len(queue), room)]
    made = [
        _sheet(grid, template, trim, imprint, words, number, total or len(chunks), chunk)
        for number, chunk in enumerate(chunks, first)
    ]
    return Imposition(
        sheets=tuple(sheet for sheet, _ in made),
        template=template,
        imprint=imprint,
        paper=grid.paper,
        grid=grid,
        notes=tuple(dict.fromkeys(note for _, notes in made for note in notes)),
    )


def folded_grid(template: SheetTemplate, trim: Trim, paper: Size) -> Grid:
    """The grid of the fronts, above the fold in the middle of the paper as it lies (Grid.paper).

    Where the template leaves a choice, the most pieces win; then paper that stands. Raises DoesNotFit.
    """
    found = _best(template, trim, paper)
    if found is None:
        free = replace(template, columns=0, rows=0, turn=None, orientation="auto")
        raise DoesNotFit(_refusal(template, trim, paper, _best(free, trim, paper)))
    return found


def _best(template: SheetTemplate, trim: Trim, paper: Size) -> Grid | None:
    short, long = sorted((paper.width, paper.height))
    standing, lying = Size(short, long), Size(long, short)
    lies = {"portrait": (standing,), "landscape": (lying,)}.get(template.orientation, (standing, lying))
    grids: list[Grid] = []
    for sheet in lies:
        with suppress(DoesNotFit):
            grids.append(_half(template, trim, sheet))
    # The first of equals: the paper stands.
    return max(grids, key=lambda grid: len(grid.slots), default=None)


def _half(template: SheetTemplate, trim: Trim, paper: Size) -> Grid:
    """The grid above the fold of a paper as it lies."""
    bleed = bleed_of(template, trim)
    edge = least_edge(template.margin, bleed, template.marks)
    # A paper that keeps the same edge on all four sides has just the room that the half has.
    height = paper.height / 2 - (bleed + FOLD_ROOM) + edge
    if height <= 2 * edge:
        raise DoesNotFit("nothing fits between the margin and the fold")
    half = Size(paper.width, height)
    pinned = replace(template, orientation="landscape" if half.width > half.height else "portrait")
    grid = compute_grid(pinned, trim, half)
    return replace(grid, paper=paper)


def _refusal(template: SheetTemplate, trim: Trim, paper: Size, other: Grid | None) -> str:
    bleed = bleed_of(template, trim)
    stated = template.columns and template.rows
    asked = f"{template.columns} x {template.rows} pieces" if stated else "pieces"
    text = (
        f"{asked} of {_mm(trim.size)} with {format_mm(bleed)} mm bleed do not fit on one half of a folded sheet of"
        f" {_mm(paper)}, {format_mm(FOLD_ROOM)} mm away from the fold"
    )
    if other is None:
        return f"{text}; not even one piece fits"
    turned = ", turned" if other.turned else ""
    lies = "landscape" if other.paper.width > other.paper.height else "portrait"
    pieces = "piece" if len(other.slots) == 1 else "pieces"
    largest = f"{other.columns} x {other.rows}{turned}, {lies}: {len(other.slots)} {pieces}"
    return f"{text}; the largest grid that does is {largest}"


def _mm(size: Size) -> str:
    return f"{format_mm(size.width)} x {format_mm(size.height)} mm"


class _Both(Struct, frozen=True):
    """The paper with both halves' art in its middle, for what stands in the margins."""

    paper: Size
    art: Box
    margin: float


def _sheet(
    grid: Grid,
    template: SheetTemplate,
    trim: Trim,
    imprint: Imprint,
    words: SheetWords,
    number: int,
    total: int,
    chunk: Sequence[Piece],
) -> tuple[Sheet, tuple[SheetNote, ...]]:
    folded = Mirror(grid.paper, upright=False)
    turns = 1 if grid.turned else 0
    clips = paint_boxes(grid, chunk)
    placements = [
        place(piece.front, piece.label, trim.size, grid.slots[index], clips[index], turns)
        for index, piece in enumerate(chunk)
    ]
    placements += [
        place(
            piece.back,
            piece.label,
            trim.size,
            folded.box(grid.slots[index]),
            folded.box(clips[index]),
            folded.turns(turns),
        )
        for index, piece in enumerate(chunk)
        if piece.back is not None
    ]
    fold = grid.paper.height / 2
    cuts = crop_marks(grid, grid.slots[: len(chunk)], template.marks, trim.corner)
    marks = [short for path in cuts if (short := _before(path, fold - _MARK_TO_FOLD)).lines]
    line = _fold_line(grid, fold)
    art = grid.art
    both = _Both(grid.paper, Box(art.x, art.y, art.width, grid.paper.height - 2 * art.y), grid.margin)
    blocks = front_blocks(imprint, template, words, number, total) if template.labels else ()
    labelled = with_labels(with_ruler(both, [*marks, line], words, template.ruler), blocks)
    taken = standing((*marks, line), (placement.clip for placement in placements))
    labelled = with_code(labelled, imprint.report if blocks else "", both.art, taken)
    word = Text(grid.margin, fold - _WORD_ABOVE, words.fold, _WORD_PT, room=max(art.x - grid.margin, 12.0))
    drawing = Drawing(over=(*marks, line, *((word,) if template.labels else ()), *labelled.items))
    return Sheet(number, "front", grid.paper, tuple(placements), drawing), labelled.notes


def _before(path: Path, end: float) -> Path:
    """The part of a path of level and upright lines that lies above `end`."""
    lines = tuple(tuple((x, min(y, end)) for x, y in line) for line in path.lines if min(y for _, y in line) < end)
    return replace(path, lines=lines)


def _fold_line(grid: Grid, fold: float) -> Path:
    ends = ((grid.margin, fold), (grid.paper.width - grid.margin, fold))
    return Path((ends,), BLACK, width=LINE_WIDTH, dash=MOUNTAIN)

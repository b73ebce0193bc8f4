"""Imposition: pieces to sheets. Copies in order, incomplete last sheets, backs that lie behind their fronts. Millimetres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from cardgen.geometry import Size
from cardgen.model.drawing import Drawing, Path
from cardgen.model.face import Side
from cardgen.model.sheet import (
    Backs,
    Flip,
    Grid,
    Imposition,
    Imprint,
    Piece,
    Placement,
    Sheet,
    SheetNote,
    SheetTemplate,
    SheetWords,
)
from cardgen.model.trim import Trim
from cardgen.sheets.flip import Mirror, mirror
from cardgen.sheets.gutterfold import gutterfold
from cardgen.sheets.labels import Labelled, back_blocks, front_blocks, with_labels, with_ruler
from cardgen.sheets.marks import crop_marks
from cardgen.sheets.paint import back_bleed, back_boxes, paint_boxes, place
from cardgen.sheets.registration import kept_free, registered_grid, registration_marks
from cardgen.sheets.report_code import standing, with_code

ENGLISH = SheetWords()


def impose(
    pieces: Sequence[Piece],
    template: SheetTemplate,
    trim: Trim,
    paper: Size | None,
    imprint: Imprint,
    backs: Backs = "duplex",
    flip: Flip = "long-edge",
    words: SheetWords = ENGLISH,
    first: int = 1,
    total: int = 0,
) -> Imposition:
    """All sheets for `pieces`, each as often as its copies, in the order given.

    `paper` is the paper in mm (portrait), None for one face a page. With `duplex` backs each front sheet is followed
    by its back, to be flipped by the printer along the edge that `flip` names; with `gutterfold` backs stand beside
    their fronts, to be folded behind them; with `separate` they are an imposition of their own (`Imposition.backs`), in
    the same order and mirrored the same way, for a stack that is fed again; with `none` there are none. Sheets are numbered from `first`, of `total` (0: as many as these). Raises DoesNotFit when the
    paper cannot hold the template's grid.
    """
    queue = [piece for piece in pieces for _ in range(piece.copies)]
    has_backs = backs != "none" and any(piece.back for piece in queue)
    if backs == "gutterfold" and has_backs and paper is not None:
        return gutterfold(queue, template, trim, paper, imprint, words, first, total)
    grid = registered_grid(template, trim, paper)
    chunks = [queue[start : start + len(grid.slots)] for start in range(0, len(queue), len(grid.slots))]
    # One face a page is for screens and print services: there nothing is flipped, and every page stands upright.
    seen_through = mirror(grid.paper, flip) if paper is not None else None

    kind = template.marks if paper is not None else "none"
    # All sheets but the last are filled alike, and have the same marks and the same room for labels.
    marks = {count: crop_marks(grid, grid.slots[:count], kind, trim.corner) for count in {*map(len, chunks)}}
    corners = kept_free(template, grid.paper)
    margins = {count: with_ruler(grid, (*paths, *corners), words, template.ruler) for count, paths in marks.items()}
    found = registration_marks(template, grid.paper)
    marks = {count: (*found, *paths) for count, paths in marks.items()}
    # No marks and no ruler behind: the cut follows the front, and marks a hair off would only mislead.
    # What backs bleed more is taken from the room for labels.
    bleed = back_bleed(template, grid, trim)
    margins[0] = with_ruler(replace(grid, bleed=bleed), (), words, wanted=False)
    job = _Job(template, trim, grid, bleed, imprint, words, total or len(chunks), marks, margins, single=paper is None)
    fronts = [_front(job, number, chunk) for number, chunk in enumerate(chunks, first)]
    behind = (
        [_back(job, number, chunk, seen_through) for number, chunk in enumerate(chunks, first)] if has_backs else []
    )
    imposition = Imposition(
        sheets=tuple(sheet for sheet, _ in fronts),
        template=template,
        imprint=imprint,
        paper=grid.paper,
        grid=grid,
        notes=tuple(dict.fromkeys(note for _, notes in (*fronts, *behind) for note in notes)),
    )
    back_sheets = tuple(sheet for sheet, _ in behind)
    if not has_backs:
        return imposition
    if backs == "separate":
        return replace(imposition, backs=replace(imposition, sheets=back_sheets, notes=()))
    if paper is None:
        # A piece without a back leaves no empty page here: there is no sheet whose other side it would be.
        back_sheets = tuple(sheet for sheet in back_sheets if sheet.placements)
    both = sorted((*imposition.sheets, *back_sheets), key=lambda sheet: (sheet.number, sheet.side != "front"))
    return replace(imposition, sheets=tuple(both), duplex=flip if paper is not None else None)


class _Job(Struct, frozen=True):
    """What all sheets of an imposition share."""

    template: SheetTemplate
    trim: Trim
    grid: Grid
    # how far backs paint beyond their cut
    back_bleed: float
    imprint: Imprint
    words: SheetWords
    total: int
    # Both by the number of slots filled; the margin of 0 is that of back sheets.
    marks: Mapping[int, tuple[Path, ...]]
    margins: Mapping[int, Labelled]
    single: bool


_Made = tuple[Sheet, tuple[SheetNote, ...]]


def _front(job: _Job, number: int, chunk: Sequence[Piece]) -> _Made:
    clips = paint_boxes(job.grid, chunk)
    turns = 1 if job.grid.turned else 0
    placements = tuple(
        place(piece.front, piece.label, job.trim.size, job.grid.slots[index], clips[index], turns)
        for index, piece in enumerate(chunk)
    )
    if job.single:
        return _sheet(job, number, "front", placements, Drawing()), ()
    blocks = front_blocks(job.imprint, job.template, job.words, number, job.total) if job.template.labels else ()
    labelled = with_labels(job.margins[len(chunk)], blocks)
    if blocks and job.imprint.report:
        taken = standing(job.marks[len(chunk)], clips[: len(chunk)])
        labelled = with_code(labelled, job.imprint.report, job.grid.art, taken)
    drawing = Drawing(over=(*job.marks[len(chunk)], *labelled.items))
    return _sheet(job, number, "front", placements, drawing), labelled.notes


def _back(job: _Job, number: int, chunk: Sequence[Piece], seen_through: Mirror | None) -> _Made:
    as_fronts = job.single or job.template.back_bleed is None
    clips = paint_boxes(job.grid, chunk) if as_fronts else back_boxes(job.grid, chunk, job.back_bleed)
    placements = []
    for index, piece in enumerate(chunk):
        if piece.back is None:
            continue
        slot, clip, turns = job.grid.slots[index], clips[index], 1 if job.grid.turned else 0
        if seen_through is not None:
            slot, clip, turns = seen_through.box(slot), seen_through.box(clip), seen_through.turns(turns)
        placements.append(place(piece.back, piece.label, job.trim.size, slot, clip, turns))
    if job.single or not job.template.labels:
        return _sheet(job, number, "back", tuple(placements), Drawing()), ()
    labelled = with_labels(job.margins[0], back_blocks(job.imprint, job.words, number, job.total))
    return _sheet(job, number, "back", tuple(placements), Drawing(over=labelled.items)), labelled.notes


def _sheet(job: _Job, number: int, side: Side, placements: tuple[Placement, ...], drawing: Drawing) -> Sheet:
    return Sheet(
        number=number,
        side=side,
        paper=job.grid.paper,
        placements=placements,
        drawing=drawing,
        trim=job.grid.block if job.single else None,
        bleed=job.grid.art if job.single else None,
    )

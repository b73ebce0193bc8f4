"""Cutouts of many sizes to sheets: fronts, backs that lie behind them, outlines, marks and labels. Millimetres."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from cardgen.errors import DoesNotFit
from cardgen.geometry import Box, Matrix, Size, bounds, moved, quarter_turns, translation
from cardgen.model.cutout import Cutout, Panel
from cardgen.model.drawing import Drawing, Path, Text
from cardgen.model.sheet import (
    Backs,
    Flip,
    Imposition,
    Imprint,
    Laid,
    Placement,
    Sheet,
    SheetNote,
    SheetTemplate,
    SheetWords,
)
from cardgen.sheets.arrange import Spot, arrange
from cardgen.sheets.cut_marks import cut_marks
from cardgen.sheets.cutout_drawing import draw_cutouts
from cardgen.sheets.cutting import cut_list
from cardgen.sheets.flip import Mirror, mirror
from cardgen.sheets.impose import ENGLISH
from cardgen.sheets.labels import back_blocks, front_blocks, with_labels, with_ruler
from cardgen.sheets.margins import CLEARANCE
from cardgen.sheets.registration import CORNER, FREE, INSET, STROKE, kept_free, registration_marks
from cardgen.sheets.report_code import standing, with_code
from cardgen.sheets.room import LEAST_AWAY, LEAST_MARK, mark_room
from cardgen.units import format_mm

# The height of the strips above and below that hold the ruler and the labels, two lines of 5.5 pt. With it, marks and a
# margin of 5 mm, US Letter keeps 250 mm: as much as any piece is high that is meant for both papers.
BAND = 4.7


class PackedArea(Struct, frozen=True):
    """The part of a paper that pieces and their marks may take, `art`; beyond it are ruler, labels and the margin."""

    paper: Size
    art: Box
    margin: float
    # where pieces lie, with their bleed
    pieces: Box


def packed_area(template: SheetTemplate, paper: Size) -> PackedArea:
    """The area of a packed sheet on `paper` (mm, portrait). Raises DoesNotFit when the paper has no room for one."""
    short, long = sorted((paper.width, paper.height))
    lies = Size(long, short) if template.orientation == "landscape" else Size(short, long)
    marks = LEAST_AWAY + LEAST_MARK if template.marks == "margin" else 0.0
    band = BAND + CLEARANCE if template.ruler or template.labels else 0.0
    side, above = template.margin, template.margin + band
    if template.registration != "none":
        # Beside the corners that are kept free for the marks, and below the rest of them.
        side, above = max(side, INSET + CORNER), max(above, INSET + STROKE / 2 + FREE)
    art = Box(side, above, lies.width - 2 * side, lies.height - 2 * above)
    pieces = art.grown(-marks)
    if pieces.width <= 0 or pieces.height <= 0:
        raise DoesNotFit(f"paper of {_mm(lies)} has no room left inside margins of {format_mm(template.margin)} mm")
    return PackedArea(lies, art, template.margin, pieces)


def pack(
    cutouts: Sequence[Cutout],
    template: SheetTemplate,
    paper: Size,
    imprint: Imprint,
    backs: Backs = "duplex",
    flip: Flip = "long-edge",
    words: SheetWords = ENGLISH,
    first: int = 1,
    total: int = 0,
) -> Imposition:
    """All sheets for `cutouts`, each as often as its copies, on as few as can be found and a guillotine can cut.

    The panels' keys are those of drawn faces. Pieces cut straight touch unless one of them bleeds, outlined ones have
    2 mm around them. Groups stay together; cutouts with backs come first and share their sheets with others only where
    that saves one. Backs are as `impose` makes them, but for a separate file, which ends with the last sheet that has
    any. Sheets are numbered from `first`, of `total` (0: as many as these). Raises DoesNotFit for a cutout that the paper
    cannot hold.
    """
    area = packed_area(template, paper)
    wanted = [cutout for cutout in cutouts if cutout.copies > 0]
    bleeds = [bleed_of(template, cutout) for cutout in wanted]
    for cutout, bleed in zip(wanted, bleeds, strict=True):
        _check_size(cutout, bleed, area, template)
    size = Size(area.pieces.width, area.pieces.height)
    arranged = arrange(wanted, bleeds, template.gap, size, backs != "none")
    job = _Job(wanted, bleeds, template, area, imprint, words, total or len(arranged), mirror(area.paper, flip))
    settled = [_settled(job, number, spots) for number, spots in enumerate(arranged, first)]
    fronts = [made for made, _ in settled]
    has_backs = backs != "none" and any(cutout.two_sided for cutout in wanted)
    behind = [
        _back(job, sheet.number, spots, shift)
        for ((sheet, _), shift), spots in zip(settled, arranged, strict=True)
        if has_backs
    ]
    imposition = Imposition(
        sheets=tuple(sheet for sheet, _ in fronts),
        template=template,
        imprint=imprint,
        paper=area.paper,
        notes=tuple(dict.fromkeys(note for _, notes in (*fronts, *behind) for note in notes)),
    )
    back_sheets = tuple(sheet for sheet, _ in behind)
    if not has_backs:
        return imposition
    if backs == "separate":
        # Those without come last, so that the printed stack of the others is fed again as it is.
        printed = tuple(sheet for sheet in back_sheets if sheet.placements)
        return replace(imposition, backs=replace(imposition, sheets=printed, notes=()))
    both = sorted((*imposition.sheets, *back_sheets), key=lambda sheet: (sheet.number, sheet.side != "front"))
    return replace(imposition, sheets=tuple(both), duplex=flip)


def bleed_of(template: SheetTemplate, cutout: Cutout) -> float:
    """How far a cutout may paint beyond its box on this sheet, in mm: every piece has its own bleed, or none has."""
    if template.bleed == "none":
        return 0.0
    return cutout.bleed if template.bleed_amount is None else min(cutout.bleed, template.bleed_amount)


def _check_size(cutout: Cutout, bleed: float, area: PackedArea, template: SheetTemplate) -> None:
    room = Size(area.pieces.width - 2 * bleed, area.pieces.height - 2 * bleed)
    size = cutout.size
    scale = max(
        min(room.width / size.width, room.height / size.height),
        min(room.width / size.height, room.height / size.width),
    )
    if scale >= 1 - 1e-6:
        return
    largest = math.floor(scale * 100)
    remedy = f"; it would fit at {largest} % of its size" if largest > 0 else ""
    bleeding = f" with {format_mm(bleed)} mm bleed" if bleed else ""
    raise DoesNotFit(
        f"`{cutout.label}` of {_mm(size)}{bleeding} does not fit on paper of {_mm(area.paper)}: a sheet of"
        f" {template.id} holds a piece of at most {_mm(room)}{remedy}"
    )


def _mm(size: Size) -> str:
    return f"{format_mm(size.width)} x {format_mm(size.height)} mm"


# --- one sheet -------------------------------------------------------------------------------------------------------


class _Job(Struct, frozen=True):
    """What all sheets of an imposition share."""

    cutouts: Sequence[Cutout]
    bleeds: Sequence[float]
    template: SheetTemplate
    area: PackedArea
    imprint: Imprint
    words: SheetWords
    total: int
    seen_through: Mirror


_Made = tuple[Sheet, tuple[SheetNote, ...]]
# Which part of the room that pieces leave lies left of them, and above.
_Shift = tuple[float, float]
_MIDDLE: _Shift = (0.5, 0.5)


def _settled(job: _Job, number: int, spots: Sequence[Spot]) -> tuple[_Made, _Shift]:
    """A front with its pieces in the middle, or aside where only that makes room for the code."""
    shifts = (_MIDDLE, (0.5, 0.0), (0.0, 0.5), (0.0, 0.0))
    tried = ((_front(job, number, spots, shift), shift) for shift in shifts)
    middle = next(tried)
    if _has_code(middle[0]):
        return middle
    return next((found for found in tried if _has_code(found[0])), middle)


def _has_code(made: _Made) -> bool:
    """Whether nothing is told of a code that found no room."""
    return all(note.subject != "code" for note in made[1])


def _front(job: _Job, number: int, spots: Sequence[Spot], shift: _Shift) -> _Made:
    template, cutouts = job.template, job.cutouts
    boxes = _on_paper(job, spots, shift)
    laid: list[Laid] = []
    placements: list[Placement] = []
    drawn = []
    for spot, box in zip(spots, boxes, strict=True):
        turns = 1 if spot.turned else 0
        cutout = cutouts[spot.index]
        matrix = quarter_turns(turns, cutout.size).then(translation(box.x, box.y))
        drawn.append((cutout, matrix, turns))
        laid.append(_laid(cutout, box, matrix))
        placements += [
            _place(cutout, panel, matrix, job.bleeds[spot.index]) for panel in cutout.panels if panel.side == "front"
        ]
    lines = draw_cutouts(drawn)
    art = _art(job, spots, boxes)
    frame, reach = _marks_between(job, art)
    cuts = cut_list(laid, frame)
    assert cuts is not None  # rectpack's guillotines leave nothing that cannot be cut; a property test holds it
    marks = cut_marks(cuts, laid, frame, reach, template.marks)
    blocks = front_blocks(job.imprint, template, job.words, number, job.total) if template.labels else ()
    corners = kept_free(template, job.area.paper)
    labelled = with_labels(with_ruler(job.area, corners, job.words, template.ruler), blocks)
    found = registration_marks(template, job.area.paper)
    painted = [box.grown(job.bleeds[spot.index]) for spot, box in zip(spots, boxes, strict=True)]
    taken = standing((*lines.over, *marks, *corners), painted)
    labelled = with_code(labelled, job.imprint.report if blocks else "", job.area.pieces, taken)
    drawing = Drawing(lines.under, (*lines.over, *found, *marks, *labelled.items))
    sheet = Sheet(number, "front", job.area.paper, tuple(placements), drawing, laid=tuple(laid), cuts=cuts)
    return sheet, labelled.notes


def _back(job: _Job, number: int, spots: Sequence[Spot], shift: _Shift) -> _Made:
    placements: list[Placement] = []
    for spot, front in zip(spots, _on_paper(job, spots, shift), strict=True):
        cutout, box = job.cutouts[spot.index], job.seen_through.box(front)
        turns = job.seen_through.turns(1 if spot.turned else 0)
        matrix = quarter_turns(turns, cutout.size).then(translation(box.x, box.y))
        placements += [
            _place(cutout, panel, matrix, job.bleeds[spot.index]) for panel in cutout.panels if panel.side == "back"
        ]
    blocks = back_blocks(job.imprint, job.words, number, job.total) if job.template.labels else ()
    labelled = with_labels(with_ruler(job.area, (), job.words, wanted=False), blocks)
    drawing: tuple[Path | Text, ...] = labelled.items
    return Sheet(number, "back", job.area.paper, tuple(placements), Drawing(over=drawing)), labelled.notes


def _laid(cutout: Cutout, box: Box, matrix: Matrix) -> Laid:
    corner = min((panel.trim.corner for panel in cutout.panels), default=0.0) if cutout.is_card else 0.0
    outlines, slits, folds = (
        tuple(moved(line, matrix) for line in lines)
        for lines in (cutout.cuts, cutout.slits, [fold.line for fold in cutout.folds])
    )
    return Laid(cutout.label, cutout.title, box, cutout.straight, corner, outlines, slits, folds)


def _on_paper(job: _Job, spots: Sequence[Spot], shift: _Shift) -> list[Box]:
    """The boxes of a sheet's cutouts on the paper, what they leave of the area beside them as `shift` says."""
    area = job.area.pieces
    grown = [spot.box.grown(job.bleeds[spot.index]) for spot in spots]
    left, top = min(box.x for box in grown), min(box.y for box in grown)
    right, bottom = max(box.right for box in grown), max(box.bottom for box in grown)
    x = area.x + (area.width - right + left) * shift[0] - left
    y = area.y + (area.height - bottom + top) * shift[1] - top
    return [Box(spot.box.x + x, spot.box.y + y, spot.box.width, spot.box.height) for spot in spots]


def _art(job: _Job, spots: Sequence[Spot], boxes: Sequence[Box]) -> Box:
    grown = [box.grown(job.bleeds[spot.index]) for spot, box in zip(spots, boxes, strict=True)]
    left, top = min(box.x for box in grown), min(box.y for box in grown)
    return Box(left, top, max(box.right for box in grown) - left, max(box.bottom for box in grown) - top)


def _marks_between(job: _Job, art: Box) -> tuple[Box, Box]:
    """Where the marks in the margins begin and end, around the art of one sheet."""
    area = job.area
    band = area.art.y - area.margin
    across, down = mark_room(art.x, area.margin), mark_room(art.y - band, area.margin)
    if job.template.marks != "margin" or across is None or down is None:
        # Cuts then end where the printer's reach does.
        frame = art.grown(LEAST_AWAY)
        return frame, frame
    frame = art.grown_sides(across.away, down.away, across.away, down.away)
    return frame, frame.grown_sides(across.length, down.length, across.length, down.length)


def _place(cutout: Cutout, panel: Panel, matrix: Matrix, bleed: float) -> Placement:
    """A panel on a sheet, `matrix` taking the cutout's mm there. It paints on its outline; without one on its trim, and
    over the cutout's edge, where it stands at one, by the bleed."""
    to_sheet = panel.matrix.then(matrix)
    trim = panel.matrix.apply_box(Box(0.0, 0.0, panel.trim.size.width, panel.trim.size.height))
    if panel.outline is not None:
        outline = moved(panel.outline, matrix)
        return Placement(panel.key, cutout.label, matrix.apply_box(trim), bounds(outline), to_sheet, outline)
    size = cutout.size
    sides = (trim.x, trim.y, size.width - trim.right, size.height - trim.bottom)
    clip = trim.grown_sides(*(bleed if abs(side) < 1e-3 else 0.0 for side in sides))
    return Placement(panel.key, cutout.label, matrix.apply_box(trim), matrix.apply_box(clip), to_sheet)

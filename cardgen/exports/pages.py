"""Faces at the size that somebody else wants them in: one a page, with as much bleed as is asked for. Millimetres."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from cardgen.errors import DoesNotFit
from cardgen.exports.cards import Drawn
from cardgen.geometry import EPSILON_MM, Box, Matrix, Size, translation
from cardgen.model.drawing import Drawing
from cardgen.model.face import Rendering
from cardgen.model.sheet import Imposition, Imprint, Placement, Sheet, SheetTemplate
from cardgen.pdf.writer import write_pdf
from cardgen.units import format_mm

# Layouts paint 3 mm beyond the cut; services ask for 1/8 in. What is missing is made by stretching the face under itself,
# in a strip that no knife that is off by less than the layout's own bleed comes to. More than this is left to layouts.
MOST_STRETCHED = 1.0
# A trim may be a little larger than what the service cuts it to, as 70 mm are than 2 3/4 in; this much is cut away.
MOST_CUT_AWAY = 0.5

_TEMPLATE = SheetTemplate("export", 1, "Export")


class Frame(Struct, frozen=True):
    """A face on its page: the page's size, the box that is cut out of it, and the piece's own box, in mm."""

    page: Size
    cut: Box
    trim: Box


def frame_of(trim: Size, cut: Size, bleed: float, painted: float) -> Frame:
    """How a piece of `trim` stands on a page for `cut` with `bleed` around it; it paints `painted` mm beyond its trim.

    Raises DoesNotFit when the layout paints too little or the piece is too large.
    """
    page = Size(cut.width + 2 * bleed, cut.height + 2 * bleed)
    box = Box((page.width - trim.width) / 2, (page.height - trim.height) / 2, trim.width, trim.height)
    missing = max(box.x, box.y) - painted
    if missing > MOST_STRETCHED + EPSILON_MM:
        raise DoesNotFit(
            f"{format_mm(max(box.x, box.y))} mm of bleed are wanted around pieces of {_mm(trim)}, which paint"
            f" {format_mm(painted)} mm; at most {format_mm(MOST_STRETCHED)} mm is made up"
        )
    over = max(trim.width - cut.width, trim.height - cut.height) / 2
    if over > MOST_CUT_AWAY + EPSILON_MM:
        raise DoesNotFit(f"pieces of {_mm(trim)} would lose {format_mm(over)} mm at their edges to {_mm(cut)}")
    return Frame(page, Box(bleed, bleed, cut.width, cut.height), box)


def _mm(size: Size) -> str:
    return f"{format_mm(size.width)} x {format_mm(size.height)} mm"


def pages_pdf(pages: Sequence[tuple[str | None, Frame]], drawn: Drawn, imprint: Imprint) -> bytes:
    """A PDF with a page for each face (its key; None: an empty page) and frame; TrimBox and BleedBox tell the cut and the
    bleed."""
    sheets = [
        _page(number, frame, _placements(key, frame, drawn[key]) if key is not None else ())
        for number, (key, frame) in enumerate(pages, 1)
    ]
    imposition = Imposition(tuple(sheets), _TEMPLATE, imprint, sheets[0].paper)
    used = {id(drawn[key]): drawn[key] for key, _ in pages if key is not None}
    return write_pdf(imposition, list(used.values()))


def _page(number: int, frame: Frame, placements: tuple[Placement, ...]) -> Sheet:
    paper = Box(0.0, 0.0, frame.page.width, frame.page.height)
    return Sheet(number, "front", frame.page, placements, Drawing(), trim=frame.cut, bleed=paper)


def _placements(key: str, frame: Frame, rendering: Rendering) -> tuple[Placement, ...]:
    paper = Box(0.0, 0.0, frame.page.width, frame.page.height)
    painted = frame.trim.grown(rendering.bleed)
    true = Placement(key, key, frame.trim, painted, translation(frame.trim.x, frame.trim.y))
    if painted.grown(EPSILON_MM).contains(paper):
        return (true,)
    # What the layout painted, stretched to the page's edges, under the face at its own size.
    left, top = min(painted.x, 0.0), min(painted.y, 0.0)
    across = (max(painted.right, paper.right) - left) / painted.width
    down = (max(painted.bottom, paper.bottom) - top) / painted.height
    matrix = Matrix(a=across, d=down, e=left + rendering.bleed * across, f=top + rendering.bleed * down)
    return Placement(key, key, frame.trim, paper, matrix), true

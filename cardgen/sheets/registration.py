"""Registration marks: what a cutting machine looks for to know where the sheet lies. Millimetres.

Silhouette's machines look for a filled square at the top left and for angles at the bottom left and the top right, at
the distance from the paper's edges, of the length and of the thickness that its program is told; the numbers here are
its smallest. Nothing else may be printed near the marks.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from cardgen.errors import DoesNotFit
from cardgen.geometry import Box, Size, box_points
from cardgen.model.drawing import BLACK, Path
from cardgen.model.sheet import Grid, SheetTemplate
from cardgen.model.trim import Trim
from cardgen.sheets.grid import compute_grid
from cardgen.sheets.margins import CLEARANCE
from cardgen.units import format_mm

# From the paper's edges to the marks; angles' lines have their middle there.
INSET = 10.0
SQUARE = 5.0
ARM = 5.0
STROKE = 0.5
# Around each mark nothing is printed: a corner of 6.5 mm inside of the inset.
FREE = 1.5
CORNER = SQUARE + FREE


def registration_marks(template: SheetTemplate, paper: Size) -> tuple[Path, ...]:
    """The marks that the template wants on its fronts, on `paper` mm as it lies; none where it wants none."""
    if template.registration == "none":
        return ()
    left, top, right, bottom = INSET, INSET, paper.width - INSET, paper.height - INSET
    angles = (
        ((left, bottom - ARM), (left, bottom), (left + ARM, bottom)),
        ((right - ARM, top), (right, top), (right, top + ARM)),
    )
    square = box_points(Box(left, top, SQUARE, SQUARE))
    return (
        Path((square,), stroke=None, fill=BLACK, closed=True),
        Path(angles, stroke=BLACK, width=STROKE),
    )


def kept_free(template: SheetTemplate, paper: Size) -> tuple[Path, ...]:
    """The corners around the marks, for what is put into the margins: as marks that it keeps its usual distance to."""
    return tuple(Path((box_points(corner.grown(-CLEARANCE)),)) for _, corner in _corners(template, paper))


def registered_grid(template: SheetTemplate, trim: Trim, paper: Size | None) -> Grid:
    """The grid of a template, which leaves the room that registration marks need, if it wants any.

    Where the template leaves the number of pieces open, the grid is made smaller until it does. Raises DoesNotFit.
    """
    grid = compute_grid(template, trim, paper)
    try:
        check_registration(template, grid.paper, grid.block, grid.art)
        return grid
    except DoesNotFit:
        if template.columns and template.rows:
            raise
    # Beside the corners on all sides; the labels keep their margin.
    smaller = compute_grid(replace(template, margin=max(template.margin, INSET + CORNER)), trim, paper)
    return replace(smaller, margin=template.margin)


def check_registration(template: SheetTemplate, paper: Size, block: Box, art: Box) -> None:
    """Raises DoesNotFit where the pieces (`block`) lie outside of the marks, or their bleed (`art`) comes near to one."""
    if template.registration == "none":
        return
    inside = Box(INSET, INSET, paper.width - 2 * INSET, paper.height - 2 * INSET)
    if not inside.contains(block):
        raise DoesNotFit(
            f"the pieces take {_mm(block)} and the machine cuts {_mm(inside)} between its registration marks; take fewer"
            " columns or rows"
        )
    for where, corner in _corners(template, paper):
        if art.overlaps(corner):
            across, down = min(art.right, corner.right) - max(art.x, corner.x), min(art.bottom, corner.bottom)
            down -= max(art.y, corner.y)
            raise DoesNotFit(
                f"the pieces and their bleed come {format_mm(min(across, down))} mm too near to the registration mark"
                f" {where}: {format_mm(CORNER)} mm around it stay free; take less bleed, a smaller gap or fewer pieces"
            )


def _corners(template: SheetTemplate, paper: Size) -> Iterator[tuple[str, Box]]:
    if template.registration == "none":
        return
    # Outwards the same room as inwards, and the half of a line that lies there.
    out = FREE + STROKE / 2
    side = out + CORNER
    near, right, bottom = INSET - out, paper.width - INSET - CORNER, paper.height - INSET - CORNER
    yield "at the top left", Box(near, near, side, side)
    yield "at the top right", Box(right, near, side, side)
    yield "at the bottom left", Box(near, bottom, side, side)


def _mm(box: Box) -> str:
    return f"{format_mm(box.width)} x {format_mm(box.height)} mm"

"""Sheets: named templates, the grid they give, and the placements that fill them. Millimetres."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from cardgen.geometry import Box, Matrix, Polygon, Size
from cardgen.model.drawing import Drawing

Marks = Literal["margin", "full", "corner", "in-gap", "none"]
BleedMode = Literal["outer", "each", "none"]
Orientation = Literal["auto", "portrait", "landscape"]
Backs = Literal["duplex", "gutterfold", "separate", "none"]
Flip = Literal["long-edge", "short-edge"]
Registration = Literal["none", "silhouette"]
UNMOVED = Matrix()


class Paper(Struct, frozen=True):
    """A paper size, portrait, in mm."""

    id: str
    size: Size


PAPERS: dict[str, Paper] = {
    paper.id: paper
    for paper in (
        # ISO 216, and the North American sizes of ANSI/ASME Y14.1 with legal beside them.
        Paper("a3", Size(297.0, 420.0)),
        Paper("a4", Size(210.0, 297.0)),
        Paper("a5", Size(148.0, 210.0)),
        Paper("letter", Size(215.9, 279.4)),
        Paper("legal", Size(215.9, 355.6)),
        Paper("tabloid", Size(279.4, 431.8)),
    )
}


class SheetTemplate(Struct, frozen=True):
    """A named, versioned way to put pieces on paper, as a file under `layouts/_sheets` states it. All lengths in mm.

    `paper` names a paper of PAPERS; None is one face a page, the page being the trim with its bleed. `columns` and
    `rows` of 0 mean as many as fit. `margin` is what the printer cannot reach: neither cards nor their bleed stand
    in it. `bleed` `outer` paints beyond the cut only where no neighbour stands, `each` gives every card its own
    bleed (the gap then grows to hold twice as much), `none` paints to the cut; `bleed_amount` of None is the
    trim's own. `back_bleed` is how far the backs of a grid paint beyond their cut, as far as their layouts do and no
    neighbour stands, so that a back that is printed askew shows no paper; None is as far as the fronts. `turn` lays
    the pieces on their side; None is whichever gives more.
    """

    id: str
    version: int
    title: str
    paper: str | None = None
    columns: int = 0
    rows: int = 0
    orientation: Orientation = "auto"
    margin: float = 5.0
    gap: float = 0.0
    bleed: BleedMode = "outer"
    bleed_amount: float | None = None
    back_bleed: float | None = None
    marks: Marks = "margin"
    turn: bool | None = None
    ruler: bool = True
    labels: bool = True
    # `grid`: pieces of one trim in columns and rows; `packed`: pieces of many sizes, on the fewest sheets
    arrange: Literal["grid", "packed"] = "grid"
    # the marks that a cutting machine looks for
    registration: Registration = "none"


class Grid(Struct, frozen=True):
    """A grid computed for a trim on a paper: the slots' trim boxes row by row, in mm.

    `paper` is the paper as it lies, wide when the orientation is landscape. `turned` says that pieces lie on their
    side, a quarter clockwise; `bleed` is what each card may paint beyond its own trim where nothing stands beside
    it (outer) or all round (each).
    """

    paper: Size
    columns: int
    rows: int
    slots: tuple[Box, ...]
    turned: bool
    gap: float
    bleed: float
    bleed_mode: BleedMode
    margin: float

    @property
    def block(self) -> Box:
        """The box around all slots, without bleed, in mm."""
        first, last = self.slots[0], self.slots[-1]
        return Box(first.x, first.y, last.right - first.x, last.bottom - first.y)

    @property
    def art(self) -> Box:
        """The block with the bleed around it: where paint may be, in mm."""
        return self.block.grown(self.bleed)


class Piece(Struct, frozen=True):
    """One piece to print: the keys of its faces, how many, and whether its faces paint beyond the cut.

    `label` names the card in manifests and messages.
    """

    front: str
    back: str | None
    label: str
    copies: int = 1
    bleed: bool = True


class Placement(Struct, frozen=True):
    """One face on a sheet.

    `matrix` takes the face's own mm (origin the trim's top left corner) to the sheet's; `clip` is the part of the
    sheet the face may paint on, and `outline`, where it is given, what of that; `label` names the card for manifests
    and messages.
    """

    face: str
    label: str
    trim: Box
    clip: Box
    matrix: Matrix
    outline: Polygon | None = None


class Laid(Struct, frozen=True):
    """One cutout as it lies on a packed sheet: its box in mm, and whether a knife frees it or scissors do.

    For machines: the `corner` that its box is rounded with, or the `outlines` it is cut along, then the lines that are
    cut (`slits`) and folded inside of them.
    """

    label: str
    title: str
    box: Box
    straight: bool
    corner: float = 0.0
    outlines: tuple[Polygon, ...] = ()
    slits: tuple[Polygon, ...] = ()
    folds: tuple[Polygon, ...] = ()


class Cut(Struct, frozen=True):
    """One straight cut of a packed sheet, in mm from the paper's top left corner: an upright cut lies at x = `at` and
    goes from y = `start` to `end`, a level one the other way about. `number` is its place in the order of cutting."""

    axis: Literal["upright", "level"]
    at: float
    start: float
    end: float
    number: int

    @property
    def length(self) -> float:
        """How long it is, in mm."""
        return self.end - self.start


class Sheet(Struct, frozen=True):
    """One page to print: its paper in mm, its faces and its drawing; of a packed one, what lies on it and its cuts."""

    number: int
    side: Literal["front", "back"]
    paper: Size
    placements: tuple[Placement, ...]
    drawing: Drawing
    # TrimBox and BleedBox where the page itself is what gets cut out (one face a page). A sheet of many pieces has
    # none: the paper is what a print shop delivers, and the cuts inside it are told by the marks.
    trim: Box | None = None
    bleed: Box | None = None
    laid: tuple[Laid, ...] = ()
    cuts: tuple[Cut, ...] = ()
    # Where all of it must be printed for one printer to put it where it should be, in mm; the paper stays as it is.
    correction: Matrix = UNMOVED


class SheetNote(Struct, frozen=True):
    """Something that a sheet had to leave out or move, in words: `subject` is `ruler`, `labels`, `marks`, or `code`, the
    one that says where to tell of mistakes."""

    subject: Literal["ruler", "labels", "marks", "code"]
    text: str


class SheetWords(Struct, frozen=True):
    """The words printed on sheets, to be translated. `{number}`, `{total}` and `{version}` are filled in."""

    sheet: str = "sheet {number} of {total}"
    version: str = "v{version}"
    back: str = "back"
    scale: str = "print at 100 %"
    millimetres: str = "mm"
    inches: str = "in"
    centimetres: str = "cm"
    # `{names}` and `{address}` are filled in.
    translated: str = "unofficial translation by {names}"
    report: str = "mistakes: {address}"
    # what a page of a booklet is for that its text left free
    notes_page: str = "Notes"
    yes: str = "yes"
    no: str = "no"
    none: str = "none"
    # between the whole of a number and its parts
    decimal: str = "."
    # What verdicts say of figures and of what was not stated; `{low}`, `{high}`, `{name}`, `{number}`, `{subject}` and
    # `{problem}` are filled in.
    range: str = "{low} to {high}"
    numbered: str = "{name} no. {number}"
    not_judged: str = "{subject}: cannot be judged ({problem})"
    not_stated: str = "{name} is not stated"
    not_in_table: str = "{name} is not in the table"
    no_row: str = "no row of the table covers {name}"
    # The post of a release.
    post_files: str = "To print"
    post_pages: str = "pages: {count}"
    post_changes: str = "Changes since {version}"
    post_first: str = "First release"
    post_none: str = "Nothing has changed."
    post_added: str = "new"
    post_removed: str = "gone"
    post_redrawn: str = "drawn anew"
    post_errata: str = "Corrected cards"
    post_lacking: str = "Not translated yet"
    post_credits: str = "Credits"
    # Before the names of old cards, on sheets that hold only what has changed.
    take_out: str = "take out the old"
    # Of several copies; `{count}` and `{total}` are filled in. Then where the rest of a list is.
    take_out_some: str = "{count} of {total}"
    take_out_listed: str = "+ {count}, all on the last sheet"
    take_out_told: str = "+ {count}, all told by cardgen build --changed-since"
    fold: str = "fold here"
    # The calibration sheet: what to do, what to measure, what to type.
    calibrate_title: str = "Calibration sheet"
    calibrate_long_edge: str = "Print both pages on one sheet, at 100 %, flipped along the long edge."
    calibrate_short_edge: str = "Print both pages on one sheet, at 100 %, flipped along the short edge."
    calibrate_size: str = (
        "Measure with a ruler from line to line: the width across (an exact printer gives {width} mm) and the height "
        "down ({height} mm)."
    )
    calibrate_light: str = (
        "Hold the sheet to the light, the other side towards you. At A and at B the cross of this side falls on two "
        "scales: read ax and ay, bx and by in millimetres, with their signs. Through card that no light passes, prick "
        "the middles of both crosses with a needle and read at the holes."
    )
    calibrate_type: str = "Type what you read, with a name for the printer:"
    calibrate_use: str = "From then on print with --printer and that name."
    calibrate_try: str = "To see whether it lines up, type the same with --check in place of --measured and print the sheet that it makes."
    calibrate_back: str = "This side towards you, the light behind it: read where the cross of the other side falls."
    calibrate_check: str = (
        "Corrected for `{printer}`: the cross should fall on 0 of every scale, width and height should be exact."
    )
    # The assembly page: what lines mean, what to take, and steps by name.
    legend_cut: str = "Solid line: cut here."
    legend_marks: str = "Marks at the paper’s edge: cut from mark to mark."
    legend_mountain: str = "Dashed line: fold back, the print stays outside."
    legend_valley: str = "Dash and dot: fold forward, the print goes inside."
    legend_glue: str = "Hatched: glue goes here. Numbers give the order."
    paper: str = (
        "Paper of 160 to 250 g/m² for all that is folded or stands; label paper for stickers. Print at 100 % "
        "and measure the ruler. Knife, metal ruler, a blunt point, a glue stick."
    )
    label_paper: str = "Print on label paper."
    both_sides: str = "Print on both sides; before you cut, hold the sheet to the light."
    score: str = "Score every fold along a ruler with a blunt point."
    cut_straight: str = "Cut along the marks, the long cuts first."
    cut_outline: str = "Cut along the solid outline."
    cut_inside: str = "Cut the solid lines inside it as well."
    fold_mountain: str = "Fold the dashed lines back."
    fold_valley: str = "Fold the lines of dashes and dots forward."
    glue_numbers: str = (
        "Glue the tabs in the order of their numbers, each behind the side that it meets. Hold each until it sticks."
    )
    glue_hatched: str = "Put glue on the hatched part and press the other on it."
    join_letters: str = "Lay the part with the next letter over the hatched strip and glue it."
    glue_halves: str = "Glue front and back together."
    feet_on_base: str = "Spread the feet and glue them on the base."
    feet_apart: str = "Spread the feet; it stands on them."
    into_stand: str = "Push the foot into a slotted stand."
    through_slit: str = "Push the foot through the slit of the base."
    stick: str = "Stick one on each face of a die."
    hang_on: str = "Hang it over the edge of the strip."
    slide_on: str = "Slide it over the strip."
    lay_on: str = "Lay it on the board, the tip at the number."
    # odds: a number, that number or more, its mean
    chance_exactly: str = "exactly"
    chance_or_more: str = "or more"
    chance_mean: str = "on average"
    trace: str = "Lay a clear disc on it and trace the line with a fine marker."


class Imprint(Struct, frozen=True):
    """What a file says of itself, on its sheets and in its metadata."""

    title: str
    version: str
    lang: str
    credits: str = ""
    subject: str = ""
    # said on every front sheet: a size that differs from the usual
    remark: str = ""
    # who translated it; empty in its own language
    translators: str = ""
    # where to tell of mistakes: an address with what it is about filled in
    report: str = ""
    licence: str = ""


class Imposition(Struct, frozen=True):
    """All sheets of one file, in printing order.

    `paper` is the sheets' paper as it lies, in mm; `grid` how they are divided, None where they are packed. `duplex` says that every front is
    followed by its back, and how the printer must flip. `backs` is the second file when backs are printed
    separately. `notes` tell what found no room.
    """

    sheets: tuple[Sheet, ...]
    template: SheetTemplate
    imprint: Imprint
    paper: Size
    duplex: Flip | None = None
    grid: Grid | None = None
    backs: Imposition | None = None
    notes: tuple[SheetNote, ...] = ()

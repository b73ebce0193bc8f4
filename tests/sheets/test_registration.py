"""Registration marks: where a machine looks for them, with nothing near; published sheets do not move."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.diagnostics import Report
from cardgen.errors import DoesNotFit
from cardgen.geometry import Box, Size, bounds
from cardgen.load.project import load_project
from cardgen.model.drawing import Path as Drawn
from cardgen.model.drawing import Text
from cardgen.model.sheet import PAPERS, Imposition, Piece, Sheet, SheetTemplate, SheetWords
from cardgen.sheets.impose import impose
from cardgen.sheets.labels import front_blocks
from cardgen.sheets.pack import pack
from cardgen.sheets.registration import check_registration, registration_marks
from cardgen.units import format_mm, pt_to_mm
from tests.sheets.conftest import A4, IMPRINT, LETTER, make_template, make_trim
from tests.sheets.packing import disc, piece

PROJECT = load_project(Path(__file__).resolve().parents[2], Report())
assert PROJECT is not None
SHEETS = PROJECT.sheets

# What was published. Cutting files of users are made for these numbers: a change is a new sheet, never an edit here.
# slot: x, y, width, height of a card; bleed: of its face; square, angle: points; all in mm from the top left corner.
PUBLISHED = {
    "a4-silhouette-4x2-v1": """\
paper 297 210
slot 18 15.5 63 88
slot 84 15.5 63 88
slot 150 15.5 63 88
slot 216 15.5 63 88
slot 18 106.5 63 88
slot 84 106.5 63 88
slot 150 106.5 63 88
slot 216 106.5 63 88
art 16.5 14 264 182
square 10 10 15 10 15 15 10 15
angle 10 195 10 200 15 200
angle 282 10 287 10 287 15
stroke 0.5
""",
    "letter-silhouette-4x2-v1": """\
paper 279.4 215.9
slot 13.7 19.95 63 88
slot 76.7 19.95 63 88
slot 139.7 19.95 63 88
slot 202.7 19.95 63 88
slot 13.7 107.95 63 88
slot 76.7 107.95 63 88
slot 139.7 107.95 63 88
slot 202.7 107.95 63 88
art 10.7 16.95 258 182
square 10 10 15 10 15 15 10 15
angle 10 200.9 10 205.9 15 205.9
angle 264.4 10 269.4 10 269.4 15
stroke 0.5
""",
}


def numbers(*values: float) -> str:
    return " ".join(format_mm(value) for value in values)


def full(template: SheetTemplate, count: int = 8) -> Imposition:
    paper = PAPERS[template.paper or ""].size
    return impose([Piece("f", "b", "c", copies=count)], template, make_trim(63, 88), paper, IMPRINT)


def marks(sheet: Sheet) -> tuple[Drawn, Drawn]:
    """The square and the angles of a sheet."""
    drawn = [item for item in sheet.drawing.over if isinstance(item, Drawn)]
    (square,) = (item for item in drawn if item.fill is not None)
    (angles,) = (item for item in drawn if item.width == 0.5 and item.stroke == (0, 0, 0) and not item.closed)
    assert square.stroke is None
    return square, angles


def table(template: SheetTemplate) -> str:
    imposition = full(template)
    sheet = imposition.sheets[0]
    square, angles = marks(sheet)
    boxes = [placement.trim for placement in sheet.placements]
    clips = [placement.clip for placement in sheet.placements]
    left, top = min(clip.x for clip in clips), min(clip.y for clip in clips)
    right, bottom = max(clip.right for clip in clips), max(clip.bottom for clip in clips)
    lines = [f"paper {numbers(sheet.paper.width, sheet.paper.height)}"]
    lines += [f"slot {numbers(box.x, box.y, box.width, box.height)}" for box in boxes]
    lines.append(f"art {numbers(left, top, right - left, bottom - top)}")
    lines += [f"square {numbers(*(value for point in line for value in point))}" for line in square.lines]
    lines += [f"angle {numbers(*(value for point in line for value in point))}" for line in angles.lines]
    return "\n".join([*lines, f"stroke {numbers(angles.width)}", ""])


@pytest.mark.parametrize("sheet", PUBLISHED)
def test_published_sheets_do_not_move(sheet: str) -> None:
    assert table(SHEETS[sheet]) == PUBLISHED[sheet]
    assert SHEETS[sheet].version == 1


def test_every_versioned_sheet_is_published() -> None:
    assert {id for id in SHEETS if id.rpartition("-v")[2].isdigit()} == set(PUBLISHED)


@pytest.mark.parametrize("sheet", PUBLISHED)
def test_the_name_is_printed_on_the_sheet(sheet: str) -> None:
    texts = [item.text for item in full(SHEETS[sheet]).sheets[0].drawing.over if isinstance(item, Text)]
    assert any(text.endswith(f" · {sheet}") for text in texts)
    (_, (where, _)) = front_blocks(IMPRINT, make_template(id="mine", version=3), SheetWords(), 1, 1)
    assert where.endswith("mine v3")


def near(sheet: Sheet) -> list[Box]:
    """The corners where nothing may be printed: 6.5 mm from the inset, and as much room on the other side."""
    w, h = sheet.paper.width, sheet.paper.height
    return [Box(8.5, 8.5, 8, 8), Box(w - 16.5, 8.5, 8, 8), Box(8.5, h - 16.5, 8, 8)]


def inked(sheet: Sheet) -> list[Box]:
    """Boxes of all that is printed besides the marks themselves."""
    boxes = [placement.clip for placement in sheet.placements]
    for item in (*sheet.drawing.under, *sheet.drawing.over):
        if item in marks(sheet):
            continue
        if isinstance(item, Drawn):
            boxes += [bounds(line).grown(item.width / 2) for line in item.lines]
        else:
            em = pt_to_mm(item.size)
            length = item.room or 0.6 * em * len(item.text)
            lying = Box(item.x, item.y - em, length, 1.2 * em)
            upright = Box(item.x - em, item.y - length, 1.2 * em, length)
            boxes.append(upright if item.turns % 2 else lying)
    return boxes


@pytest.mark.parametrize("sheet", [id for id in SHEETS if SHEETS[id].registration != "none"])
def test_nothing_is_printed_near_a_mark(sheet: str) -> None:
    template = SHEETS[sheet]
    if template.arrange == "grid":
        made = full(template, 13)
    else:
        cutouts = [disc("d", 30, copies=30), piece("c", 63, 88, copies=3, bleed=2, back=True), piece("b", 177, 240)]
        made = pack(cutouts, template, PAPERS[template.paper or ""].size, IMPRINT)
    assert made.notes == ()
    for page in made.sheets:
        if page.side == "back":
            continue
        square, angles = marks(page)
        assert bounds(*square.lines) == Box(10, 10, 5, 5)
        assert 0.5 <= angles.width <= 1 and len(angles.lines) == 2
        for box in inked(page):
            assert not any(box.overlaps(corner) for corner in near(page)), box
        # What is cut lies between the marks.
        inside = Box(10, 10, page.paper.width - 20, page.paper.height - 20)
        assert all(inside.contains(placement.trim) for placement in page.placements)


def test_backs_carry_no_marks() -> None:
    backs = [sheet for sheet in full(SHEETS["a4-silhouette-4x2-v1"]).sheets if sheet.side == "back"]
    assert backs and all(not isinstance(item, Drawn) for sheet in backs for item in sheet.drawing.over)


def test_other_sheets_carry_none() -> None:
    assert registration_marks(make_template(), A4) == ()


LYING = {"columns": 4, "rows": 2, "orientation": "landscape", "bleed": "each"}


@pytest.mark.parametrize(
    ("options", "width", "said"),
    [
        (
            {"columns": 3, "rows": 3, "bleed": "none"},
            64,
            "the machine cuts 190 x 277 mm between its registration marks",
        ),
        ({"columns": 2, "rows": 3}, 63, ""),
        (
            {**LYING, "bleed_amount": 2.0},
            63,
            "2 mm too near to the registration mark at the top left: 6.5 mm around it",
        ),
        ({**LYING, "bleed_amount": 1.5}, 63, ""),
    ],
)
def test_what_does_not_go_between_the_marks_is_refused(options: dict[str, object], width: float, said: str) -> None:
    template = make_template(registration="silhouette", marks="none", turn=False, **options)

    def make() -> Imposition:
        return impose([Piece("f", None, "c")], template, make_trim(width, 88), A4, IMPRINT)

    if said:
        with pytest.raises(DoesNotFit, match=said):
            make()
    else:
        assert make().notes == ()


@given(
    st.floats(30, 130), st.floats(30, 180), st.sampled_from(["each", "outer", "none"]), st.sampled_from([A4, LETTER])
)
def test_as_many_as_go_between_the_marks(width: float, height: float, bleed: str, paper: Size) -> None:
    template = make_template(registration="silhouette", marks="none", bleed=bleed)
    made = impose([Piece("f", None, "c", copies=9)], template, make_trim(width, height), paper, IMPRINT)
    assert made.grid is not None and made.grid.margin == template.margin
    for page in made.sheets:
        assert not any(placement.clip.overlaps(corner) for placement in page.placements for corner in near(page))


def test_a_sheet_that_is_folded_is_refused() -> None:
    template = make_template(registration="silhouette", marks="none")
    with pytest.raises(DoesNotFit, match="no machine cuts a sheet that is folded"):
        impose([Piece("f", "b", "c")], template, make_trim(63, 88), A4, IMPRINT, backs="gutterfold")


@given(
    st.floats(0, 200),
    st.floats(0, 280),
    st.floats(1, 200),
    st.floats(1, 280),
    st.floats(0, 3),
    st.sampled_from([A4, LETTER]),
)
def test_what_is_let_through_is_free_of_marks(
    x: float, y: float, width: float, height: float, bleed: float, paper: Size
) -> None:
    block = Box(x, y, width, height)
    template = make_template(registration="silhouette")
    try:
        check_registration(template, paper, block, block.grown(bleed))
    except DoesNotFit:
        return
    sheet = Sheet(1, "front", paper, (), full(SHEETS["a4-silhouette-4x2-v1"]).sheets[0].drawing)
    assert not any(block.grown(bleed).overlaps(corner) for corner in near(sheet))
    assert Box(10, 10, paper.width - 20, paper.height - 20).contains(block)

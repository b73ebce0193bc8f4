"""Packed sheets: nothing overlaps, everything can be cut, backs lie behind their fronts, groups stay together."""

from __future__ import annotations

import math
import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from packing import A4, IMPRINT, LETTER, PACKED, disc, outlined, piece
from test_pack_cutting import check_cuts

from cardgen.errors import DoesNotFit
from cardgen.geometry import Box, Matrix, Size, bounds, box_points, translation
from cardgen.model.cutout import Cutout, Fold, Glue, Note, Panel
from cardgen.model.drawing import Path, Text
from cardgen.model.sheet import Flip, Imposition, Sheet, SheetTemplate
from cardgen.model.trim import Trim
from cardgen.sheets.arrange import arrange
from cardgen.sheets.cutout_drawing import HATCH_STEP, MOUNTAIN, VALLEY, draw_cutouts, hatch
from cardgen.sheets.estimates import estimate
from cardgen.sheets.flip import mirror
from cardgen.sheets.pack import pack, packed_area

ODD_LENGTHS = st.sampled_from([12.7, 25.4, 57.15, 63.0, 88.0, 31.75])


@st.composite
def cutout_lists(draw: st.DrawFn, longest: int = 186) -> list[Cutout]:
    made = []
    lengths = st.one_of(st.integers(5, longest).map(float), ODD_LENGTHS)
    for index in range(draw(st.integers(1, 8))):
        kind = draw(st.sampled_from(["straight", "bleeding", "two-sided", "disc", "outlined"]))
        width, height = draw(lengths), draw(lengths)
        copies, label = draw(st.integers(0, 6)), f"p{index}"
        group = draw(st.sampled_from(["", "", "one", "two"]))
        match kind:
            case "disc":
                cutout = disc(label, min(width, height), copies, draw(st.booleans()))
            case "outlined":
                cutout = outlined(label, width, height, copies)
            case "bleeding":
                cutout = piece(label, min(width, longest - 6), height, copies, 3.0, draw(st.booleans()))
            case _:
                cutout = piece(label, width, height, copies, back=kind == "two-sided")
        made.append(replace(cutout, group=group))
    return made


def fronts(imposition: Imposition) -> list[Sheet]:
    return [sheet for sheet in imposition.sheets if sheet.side == "front"]


@settings(max_examples=60, deadline=None)
@given(cutout_lists(), st.sampled_from([A4, LETTER]), st.sampled_from([0.0, 5.0]))
def test_pieces_are_all_there_apart_inside_and_can_be_cut(cutouts: list[Cutout], paper: Size, gap: float) -> None:
    template = replace(PACKED, gap=gap)
    imposition = pack(cutouts, template, paper, IMPRINT)
    by_label = {cutout.label: cutout for cutout in cutouts}
    area = packed_area(template, paper)
    placed = Counter(laid.label for sheet in fronts(imposition) for laid in sheet.laid)
    assert placed == +Counter({cutout.label: cutout.copies for cutout in cutouts})
    for sheet in fronts(imposition):
        assert sheet.laid
        grown = []
        for laid in sheet.laid:
            cutout = by_label[laid.label]
            assert sorted((laid.box.width, laid.box.height)) == pytest.approx(
                sorted((cutout.size.width, cutout.size.height))
            )
            assert area.pieces.grown(1e-3).contains(laid.box.grown(cutout.bleed))
            room = max(cutout.bleed, gap / 2, 0 if cutout.straight else 2)
            grown.append((laid.box, laid.box.grown(room - 1e-3)))
        for index, (box, reserved) in enumerate(grown):
            for other, other_reserved in grown[:index]:
                assert not reserved.overlaps(other)
                assert not other_reserved.overlaps(box)
        frame_x = [cut.start for cut in sheet.cuts if cut.axis == "level"]
        frame_y = [cut.start for cut in sheet.cuts if cut.axis == "upright"]
        if frame_x and frame_y:
            left, top = min(frame_x), min(frame_y)
            right = max(cut.end for cut in sheet.cuts if cut.axis == "level")
            bottom = max(cut.end for cut in sheet.cuts if cut.axis == "upright")
            check_cuts(sheet.cuts, sheet.laid, Box(left, top, right - left, bottom - top))
        for placement in sheet.placements:
            others = [laid.box for laid in sheet.laid if laid.label != placement.label]
            assert not any(placement.clip.grown(-1e-3).overlaps(other) for other in others)


@settings(max_examples=40, deadline=None)
# A4 lying, with ruler and labels above and below, is 180.6 mm high.
@given(cutout_lists(170), st.sampled_from(["long-edge", "short-edge"]), st.sampled_from(["portrait", "landscape"]))
def test_behind_every_front_lies_its_back_the_same_way_up(cutouts: list[Cutout], flip: Flip, orientation: str) -> None:
    template = replace(PACKED, orientation=orientation)
    imposition = pack(cutouts, template, A4, IMPRINT, "duplex", flip)
    if imposition.duplex is None:
        assert not any(cutout.two_sided and cutout.copies for cutout in cutouts)
        return
    assert imposition.duplex == flip
    # How paper turns, told by paper and by nothing else.
    paper = imposition.paper
    upright_axis = (paper.height >= paper.width) == (flip == "long-edge")
    for front, back in zip(imposition.sheets[::2], imposition.sheets[1::2], strict=True):
        assert (front.number, front.side, back.side) == (back.number, "front", "back")
        behind = list(back.placements)
        for placement in front.placements:
            if not next(cutout for cutout in cutouts if cutout.label == placement.label).two_sided:
                continue
            other = behind.pop(0)
            assert other.face == placement.face.replace("front", "back")
            size = next(cutout.size for cutout in cutouts if cutout.label == placement.label)
            for x, y in ((0.0, 0.0), (size.width, size.height), (size.width / 3, 0.0)):
                at = placement.matrix.apply(x, y)
                through = (paper.width - at[0], at[1]) if upright_axis else (at[0], paper.height - at[1])
                assert other.matrix.apply(size.width - x, y) == pytest.approx(through)
        assert behind == []


@given(st.booleans(), st.sampled_from(["long-edge", "short-edge"]))
def test_flipped_twice_a_cutout_is_where_it_was(turned: bool, flip: Flip) -> None:
    view, box = mirror(A4, flip), Box(20, 30, 50, 70)
    assert view.box(view.box(box)) == box
    assert view.turns(view.turns(int(turned))) == int(turned)


# --- how well --------------------------------------------------------------------------------------------------------


def lower_bound(cutouts: list[Cutout]) -> int:
    """Sheets that the pieces' area alone fills, with what each needs around it."""
    area = packed_area(PACKED, A4).pieces
    used = sum(
        c.copies * (c.size.width + 2 * room) * (c.size.height + 2 * room)
        for c in cutouts
        for room in [max(c.bleed, 0 if c.straight else 2)]
    )
    return math.ceil(used / (area.width * area.height))


@pytest.mark.parametrize(
    ("cutouts", "sheets"),
    [
        ([piece("sticker", 13, 13, 280)], 1),
        ([piece("card", 63, 88, 9)], 1),
        ([piece("card", 63, 88, 36, back=True)], 4),
        ([disc("counter", 25, 54, back=True)], 1),
        ([piece("strip", 22, 203.2, 8), piece("sticker", 15, 15, 36)], 1),
        ([piece("board", 186, 250), piece("sticker", 16, 16, 11)], 1),
        ([piece("pawn", 25, 106, 14)], 1),
    ],
)
def test_as_many_as_fit_by_hand(cutouts: list[Cutout], sheets: int) -> None:
    imposition = pack(cutouts, PACKED, A4, IMPRINT)
    assert len(fronts(imposition)) == sheets


def test_three_hundred_cutouts_take_well_under_a_second() -> None:
    sizes = [(25, 25), (63, 88), (44, 68), (30, 110), (22, 180), (80, 60), (13, 13), (50, 29), (37, 41), (186, 26)]
    cutouts = [piece(f"p{i}", *sizes[i * 7 % 10], bleed=float(i % 3)) for i in range(300)]
    started = time.perf_counter()
    imposition = pack(cutouts, PACKED, A4, IMPRINT)
    # Half a second on the machine that this was written on; slower ones pass too.
    assert time.perf_counter() - started < 3
    assert len(fronts(imposition)) <= lower_bound(cutouts) * 1.15 + 1
    assert estimate(imposition).used > 55


def test_the_same_cutouts_make_the_same_sheets() -> None:
    cutouts = [piece("a", 40, 60, 7), disc("b", 25, 12, back=True), piece("c", 100, 30, 3, 2.0)]
    assert pack(cutouts, PACKED, A4, IMPRINT) == pack(cutouts, PACKED, A4, IMPRINT)


# --- what lies with what ---------------------------------------------------------------------------------------------


def test_a_group_lies_on_one_sheet() -> None:
    # Six dice of six faces, and boards that leave room for some of the faces on any sheet.
    dice = [piece(f"die{i}-{face}", 30, 30, group=f"die{i}") for face in range(6) for i in range(6)]
    boards = [piece("board", 186, 120, 3)]
    imposition = pack([*boards, *dice], PACKED, A4, IMPRINT)
    for die in range(6):
        on = {
            sheet.number for sheet in fronts(imposition) for laid in sheet.laid if laid.label.startswith(f"die{die}-")
        }
        assert len(on) == 1


def test_a_group_larger_than_a_sheet_is_parted() -> None:
    imposition = pack([piece("face", 60, 60, 30, group="die")], PACKED, A4, IMPRINT)
    assert len(fronts(imposition)) == 3


def test_two_sided_pieces_come_first_and_alone() -> None:
    cutouts = [piece("one", 90, 120, 4), piece("two", 90, 120, 4, back=True)]
    imposition = pack(cutouts, PACKED, A4, IMPRINT)
    assert [{laid.label for laid in sheet.laid} for sheet in fronts(imposition)] == [{"two"}, {"one"}]


def test_one_sided_pieces_fill_up_where_that_saves_a_sheet() -> None:
    cutouts = [piece("one", 90, 120, 2), piece("two", 90, 120, 2, back=True)]
    imposition = pack(cutouts, PACKED, A4, IMPRINT)
    assert [{laid.label for laid in sheet.laid} for sheet in fronts(imposition)] == [{"one", "two"}]


def test_without_backs_all_are_packed_together() -> None:
    cutouts = [piece("one", 90, 120, 6), piece("two", 90, 120, 6, back=True)]
    imposition = pack(cutouts, PACKED, A4, IMPRINT, "none")
    assert len(imposition.sheets) == 3
    assert imposition.duplex is None
    assert all(placement.face.endswith("front") for sheet in imposition.sheets for placement in sheet.placements)


def test_separate_backs_are_those_of_the_duplex_file_without_its_empty_pages() -> None:
    cutouts = [piece("one", 90, 120, 4), piece("two", 90, 120, 4, back=True)]
    duplex, separate = (pack(cutouts, PACKED, A4, IMPRINT, backs) for backs in ("duplex", "separate"))
    assert separate.backs is not None
    assert [(sheet.number, sheet.side) for sheet in duplex.sheets] == [
        (1, "front"), (1, "back"), (2, "front"), (2, "back")
    ]  # fmt: skip
    assert separate.sheets == duplex.sheets[::2]
    assert separate.backs.sheets == duplex.sheets[1:2]
    assert estimate(duplex).sides == estimate(separate).sides == 3


# --- what does not fit -----------------------------------------------------------------------------------------------


def test_a_piece_too_large_is_refused_with_the_scale_that_fits() -> None:
    with pytest.raises(DoesNotFit) as caught:
        pack([piece("ruler", 22, 610)], PACKED, A4, IMPRINT)
    assert str(caught.value) == (
        "`ruler` of 22 x 610 mm does not fit on paper of 210 x 297 mm: a sheet of a4-packed holds a piece of at most"
        " 192 x 267.6 mm; it would fit at 43 % of its size"
    )
    scaled = pack([piece("ruler", 22 * 0.43, 610 * 0.43)], PACKED, A4, IMPRINT)
    assert len(scaled.sheets) == 1


def test_bleed_counts_for_the_size() -> None:
    with pytest.raises(DoesNotFit, match=r"with 3 mm bleed .* at most 186 x 261.6 mm"):
        pack([piece("board", 187, 250, bleed=3.0)], PACKED, A4, IMPRINT)
    assert len(pack([piece("board", 187, 250, bleed=3.0)], replace(PACKED, bleed="none"), A4, IMPRINT).sheets) == 1


@pytest.mark.parametrize("paper", [A4, LETTER])
@pytest.mark.parametrize("cutout", [piece("p", 186, 250), outlined("p", 186, 250), outlined("p", 250, 186)])
def test_what_is_meant_for_both_papers_fits_both(cutout: Cutout, paper: Size) -> None:
    (sheet,) = pack([cutout], PACKED, paper, IMPRINT).sheets
    (laid,) = sheet.laid
    assert laid.box.width == pytest.approx(186)
    assert laid.box.x + laid.box.width / 2 == pytest.approx(paper.width / 2)
    assert bounds(*(line for path in sheet.drawing.over[:1] if isinstance(path, Path) for line in path.lines)).width > 0


def test_paper_without_room_is_refused() -> None:
    with pytest.raises(DoesNotFit, match="no room left"):
        pack([piece("p", 10, 10)], replace(PACKED, margin=80.0), Size(148, 210), IMPRINT)


def test_nothing_to_print_makes_no_sheets() -> None:
    assert pack([piece("p", 10, 10, 0)], PACKED, A4, IMPRINT).sheets == ()
    assert estimate(pack([], PACKED, A4, IMPRINT)).used == 0


# --- what is drawn ---------------------------------------------------------------------------------------------------


def test_a_panel_bleeds_over_the_cutouts_edge_only() -> None:
    trim = Trim("half", "half", Size(30, 40), 3.0)
    halves = (
        Panel("top", "l", trim, {}, key="a"),
        Panel("bottom", "l", trim, {}, translation(0, 40), key="b"),
    )
    (sheet,) = pack([Cutout("two", "Two", Size(30, 80), halves, bleed=3.0)], PACKED, A4, IMPRINT).sheets
    top, bottom = sheet.placements
    box = sheet.laid[0].box
    assert (top.clip.x, top.clip.y) == pytest.approx((box.x - 3, box.y - 3))
    assert (top.clip.width, top.clip.height) == pytest.approx((36, 43))
    assert bottom.clip.y == pytest.approx(box.y + 40)
    assert bottom.clip.bottom == pytest.approx(box.bottom + 3)


def test_a_panel_with_an_outline_paints_on_that() -> None:
    (front, back) = pack([disc("counter", 25, back=True)], PACKED, A4, IMPRINT).sheets
    (placement,) = front.placements
    assert placement.outline is not None
    assert placement.clip == bounds(placement.outline)
    middle = placement.trim.x + 12.5, placement.trim.y + 12.5
    assert all(math.dist(point, middle) == pytest.approx(12.5) for point in placement.outline)
    assert back.placements[0].outline is not None


def test_lines_are_drawn_as_the_cutout_says() -> None:
    cutout = Cutout(
        "net", "Net", Size(60, 40), (), cuts=(box_points(Box(0, 0, 60, 40)),), slits=(((5, 5), (15, 5)),),
        folds=(Fold(((20, 0), (20, 40))), Fold(((40, 0), (40, 40)), "valley")),
        glue=(Glue(box_points(Box(0, 0, 10, 40))),), notes=(Note(5, 20, "1"),),
    )  # fmt: skip
    drawing = draw_cutouts([(cutout, translation(100, 50), 0), (cutout, translation(10, 50), 0)])
    glue, _, mountain, valley, halo, outline, _, slits, *notes = drawing.over
    assert isinstance(halo, Path)
    # A cut shows on dark faces as well: white on either side of it.
    assert halo.width > 0.4 and halo.stroke == (1, 1, 1)
    assert isinstance(glue, Path)
    assert all(99.99 < x < 110.01 or 9.99 < x < 20.01 for line in glue.lines for x, _ in line)
    assert isinstance(mountain, Path)
    assert (mountain.dash, mountain.lines[0]) == (MOUNTAIN, ((120, 50), (120, 90)))
    assert isinstance(valley, Path)
    assert (valley.dash, valley.lines[1]) == (VALLEY, ((50, 50), (50, 90)))
    assert isinstance(outline, Path)
    assert (outline.closed, outline.width, outline.dash, len(outline.lines)) == (True, 0.15, (), 2)
    assert isinstance(slits, Path)
    assert slits.lines[0] == ((105, 55), (115, 55))
    assert [(note.x, note.y, note.text, note.anchor) for note in notes if isinstance(note, Text)] == [
        (105, 70, "1", "middle"), (15, 70, "1", "middle")
    ]  # fmt: skip


@given(st.floats(5, 60), st.floats(5, 60), st.floats(0, 40), st.floats(0, 40))
def test_a_hatch_keeps_inside_and_covers(width: float, height: float, x: float, y: float) -> None:
    box = Box(x, y, width, height)
    lines = hatch(box_points(box))
    assert all(box.grown(1e-6).contains(Box(*point, 0, 0)) for line in lines for point in line)
    assert all(
        math.isclose((b[1] - a[1]) / (b[0] - a[0]), -1, rel_tol=1e-6) for a, b in lines if math.dist(a, b) > 1e-3
    )
    length = sum(math.dist(a, b) for a, b in lines)
    assert length * HATCH_STEP == pytest.approx(width * height, rel=0.25)


def test_marks_ruler_and_labels_stand_apart() -> None:
    cutouts = [piece("sticker", 13, 13, 250), disc("counter", 25, 3), piece("card", 63, 88, 2, 3.0)]
    for paper in (A4, LETTER):
        imposition = pack(cutouts, PACKED, paper, IMPRINT)
        assert imposition.notes == ()
        area = packed_area(PACKED, paper)
        printable = Box(5, 5, paper.width - 10, paper.height - 10).grown(0.01)
        for sheet in imposition.sheets:
            marks = [item for item in sheet.drawing.over if isinstance(item, Path) and item.width == 0.15]
            for path in marks:
                for line in path.lines:
                    assert printable.contains(bounds(line))
            texts = [item.text for item in sheet.drawing.over if isinstance(item, Text)]
            assert f"sheet {sheet.number} of {len(imposition.sheets)} · a4-packed v1" in texts
            assert "50 mm" in texts
            labels = [item for item in sheet.drawing.over if isinstance(item, Text) and item.size > 4]
            assert all(not area.art.overlaps(Box(item.x, item.y - 1.5, 1, 1.5)) for item in labels)


def code_of(sheet: Sheet) -> Box | None:
    """Where the QR code stands: the one filled drawing of many parts."""
    found = [item for item in sheet.drawing.over if isinstance(item, Path) and item.fill == (0.0, 0.0, 0.0)]
    boxes = [bounds([point for line in path.lines for point in line]) for path in found if len(path.lines) > 50]
    return boxes[0] if boxes else None


@pytest.mark.parametrize(
    ("size", "code", "aside"), [((186, 256), True, True), ((100, 100), True, False), ((0, 0), False, False)]
)
def test_pieces_stand_aside_for_the_code_where_that_makes_room(size: tuple[int, int], code: bool, aside: bool) -> None:
    imprint = replace(IMPRINT, report="https://example.org/told?of=game/board")
    template = PACKED if code else replace(PACKED, marks="none")
    area = packed_area(template, A4)
    size = size if code else (int(area.pieces.width), int(area.pieces.height))
    made = pack([piece("board", *size, back=True)], template, A4, imprint)
    front, back = made.sheets
    box, there = front.laid[0].box, code_of(front)
    assert (there is not None) == code
    assert [note.subject for note in made.notes if note.subject == "code"] == ([] if code else ["code"])
    assert (abs(box.y + box.height / 2 - A4.height / 2) > 1) == aside
    if there is not None:
        assert not there.grown(0.9).overlaps(box)
        assert area.art.x <= there.x and there.right <= area.art.right
    # What is behind stays behind.
    behind, trim = mirror(A4, "long-edge").box(box), back.placements[0].trim
    assert (behind.x, behind.y, behind.right, behind.bottom) == pytest.approx((trim.x, trim.y, trim.right, trim.bottom))


def test_a_template_may_do_without_marks_ruler_and_labels() -> None:
    template = SheetTemplate("bare", 1, "Bare", "a4", marks="none", ruler=False, labels=False, arrange="packed")
    (sheet,) = pack([piece("board", 200, 287)], template, A4, IMPRINT).sheets
    assert sheet.drawing.over == ()


def test_a_turned_cutout_turns_its_panels() -> None:
    (sheet,) = pack([piece("long", 250, 100)], PACKED, A4, IMPRINT).sheets
    (placement,) = sheet.placements
    assert placement.matrix.apply(0, 0) == pytest.approx((placement.trim.right, placement.trim.y))
    assert (placement.trim.width, placement.trim.height) == pytest.approx((100, 250))
    assert isinstance(placement.matrix, Matrix)


def test_arranging_knows_no_paper() -> None:
    (spots,) = arrange([piece("a", 50, 30, 4)], [0.0], 0.0, Size(100, 60), True)
    assert {(spot.box.x, spot.box.y) for spot in spots} == {(0, 0), (50, 0), (0, 30), (50, 30)}

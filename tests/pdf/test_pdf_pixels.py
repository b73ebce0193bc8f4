"""Pages as they are drawn: measures, marks, bleed, and faces that look the same wherever and however they are placed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from making import POKER, Make, Pixels
from msgspec.structs import replace

from cardgen.geometry import Size
from cardgen.model.drawing import Drawing, Path, Text
from cardgen.model.sheet import PAPERS, Imposition, Imprint, Piece, Placement, Sheet, SheetTemplate
from cardgen.model.trim import Trim
from cardgen.pdf.writer import write_pdf
from cardgen.sheets.impose import impose
from cardgen.sheets.ruler import TICK_WIDTH

A4, LETTER = PAPERS["a4"].size, PAPERS["letter"].size
NINE = SheetTemplate("a4-3x3", 1, "Nine", "a4", 3, 3, "portrait")
IMPRINT = Imprint("Equipment", "1.2", "en")
Draw = Callable[..., Pixels]

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)
# A pixel of 1200 dpi is 0.02 mm.
FINE = 1200


def filled(colour: str) -> str:
    return f'<div style="position:absolute; inset:0; background:{colour}"></div>'


def nine_cards(make: Make, label_font: bytes, count: int = 9) -> bytes:
    colours = ["#ff0000", "#00ff00", "#0000ff"]
    faces = make({f"{i}": filled(colours[(i + i // 3) % 3]) for i in range(9)})
    pieces = [Piece(f"{i}", None, f"{i}") for i in range(count)]
    return write_pdf(impose(pieces, NINE, POKER, A4, IMPRINT), [faces], [label_font])


# --- measures --------------------------------------------------------------------------------------------------------


def test_the_ruler_measures_50_mm_and_2_inches_on_paper(make: Make, label_font: bytes, pixels: Draw) -> None:
    pdf = nine_cards(make, label_font)
    sheet = impose([Piece("0", None, "0")], NINE, POKER, A4, IMPRINT).sheets[0]
    line = next(
        item
        for item in sheet.drawing.over
        if isinstance(item, Path) and item.width == TICK_WIDTH and len(item.lines) > 60
    )
    (left, middle), (right, _) = line.lines[0]
    part = pixels(pdf, 1, (left - 0.5, middle - 3, right - left + 8, 6), FINE)
    # Just above the short ticks stand those of every 5 mm; at the feet of the long ones below, the inches alone.
    above = part.dark_along(middle - 0.85)
    assert len(above) == 11
    assert above[-1] - above[0] == pytest.approx(50.0, abs=0.03)
    assert all(b - a == pytest.approx(5.0, abs=0.03) for a, b in pairwise(above))
    below = part.dark_along(middle + 1.9)
    assert len(below) == 3
    assert below[-1] - below[0] == pytest.approx(50.8, abs=0.03)


def test_a_ruler_at_the_side_measures_the_same(make: Make, label_font: bytes, pixels: Draw) -> None:
    template = replace(NINE, paper="letter", bleed_amount=0.7)
    imposition = impose([Piece("0", None, "0")] * 9, template, POKER, LETTER, IMPRINT)
    pdf = write_pdf(imposition, [make({"0": filled("red")})], [label_font])
    items = imposition.sheets[0].drawing.over
    line = next(item for item in items if isinstance(item, Path) and len(item.lines) > 60)
    (middle, low), (_, high) = line.lines[0]
    part = pixels(pdf, 1, (middle - 3, high - 8, 6, low - high + 9), FINE)
    # Turned to be read from below: millimetres at the left, inches at the right.
    fives = [y for y in part.dark_down(middle - 0.85) if high - 0.2 < y < low + 0.2]
    assert fives[-1] - fives[0] == pytest.approx(50.0, abs=0.03)
    inches = [y for y in part.dark_down(middle + 1.9) if high - 0.2 < y < low + 0.2]
    assert inches[-1] - inches[0] == pytest.approx(50.8, abs=0.03)


def test_a_cut_from_mark_to_mark_gives_the_trim_size(make: Make, label_font: bytes, pixels: Draw) -> None:
    pdf = nine_cards(make, label_font)
    above = pixels(pdf, 1, (0, 6, 210, 2), FINE).dark_along(7)
    assert above == pytest.approx([10.5, 73.5, 136.5, 199.5], abs=0.015)
    # The ruler and labels stand between the marks below; those at both ends are told from it by their place.
    assert any(abs(x - 10.5) < 0.015 for x in pixels(pdf, 1, (9.5, 285, 2, 12), FINE).dark_along(291.5))
    assert any(abs(x - 199.5) < 0.015 for x in pixels(pdf, 1, (198.5, 285, 2, 12), FINE).dark_along(291.5))
    for x in (5.0, 205.0):
        down = pixels(pdf, 1, (x - 1, 0, 2, 297), FINE).dark_down(x)
        assert [y for y in down if 14 < y < 283] == pytest.approx([16.5, 104.5, 192.5, 280.5], abs=0.015)


def test_marks_keep_off_the_art_and_the_papers_edge(make: Make, label_font: bytes, pixels: Draw) -> None:
    pdf = nine_cards(make, label_font)
    left = pixels(pdf, 1, (0, 104, 12, 1), FINE)
    mark = [x / 100 for x in range(0, 750) if left.at(x / 100, 104.5) != WHITE]
    assert min(mark) == pytest.approx(3.5, abs=0.03)
    assert max(mark) == pytest.approx(6.5, abs=0.03)
    thickness = [y for y in range(10420, 10480) if left.at(5.0, y / 100) != WHITE]
    assert len(thickness) / 100 == pytest.approx(0.15, abs=0.05)


# --- bleed -----------------------------------------------------------------------------------------------------------


def test_cards_meet_at_the_cut_and_bleed_outside_it(make: Make, label_font: bytes, pixels: Draw) -> None:
    pdf = nine_cards(make, label_font)
    row = pixels(pdf, 1, (0, 50, 210, 1), FINE)
    assert row.at(7.47, 50.5) == WHITE
    assert row.at(7.53, 50.5) == RED
    assert row.at(73.47, 50.5) == RED
    assert row.at(73.53, 50.5) == GREEN
    assert row.at(136.47, 50.5) == GREEN
    assert row.at(136.53, 50.5) == BLUE
    assert row.at(202.47, 50.5) == BLUE
    assert row.at(202.53, 50.5) == WHITE


def test_a_card_bleeds_into_an_empty_place_and_not_into_its_neighbour(
    make: Make, label_font: bytes, pixels: Draw
) -> None:
    pdf = nine_cards(make, label_font, count=4)
    # The fourth card, green, stands alone in the second row: it bleeds to the right, down and to the left.
    page = pixels(pdf, 1, (0, 90, 120, 110), 600)
    assert page.at(40, 104.53) == GREEN
    assert page.at(40, 104.40) == RED
    assert page.at(76.4, 150) == GREEN
    assert page.at(76.6, 150) == WHITE
    assert page.at(40, 195.4) == GREEN
    assert page.at(40, 195.6) == WHITE
    # The second card, green, bleeds down beside it.
    assert page.at(100, 107.4) == GREEN
    assert page.at(100, 107.6) == WHITE


def test_each_card_paints_its_own_bleed_up_to_half_the_gap(make: Make, label_font: bytes, pixels: Draw) -> None:
    template = replace(NINE, columns=2, rows=4, bleed="each", turn=True)
    faces = make({"0": filled("#ff0000"), "1": filled("#00ff00")})
    pieces = [Piece("0", None, "0"), Piece("1", None, "1")]
    pdf = write_pdf(impose(pieces, template, POKER, A4, IMPRINT), [faces], [label_font])
    row = pixels(pdf, 1, (0, 40, 210, 1), FINE)
    assert row.at(104.97, 40.5) == RED
    assert row.at(105.03, 40.5) == GREEN
    assert row.at(10.97, 40.5) == WHITE
    assert row.at(11.03, 40.5) == RED


def test_one_face_a_page_bleeds_to_the_pages_edge(make: Make, pixels: Draw) -> None:
    template = SheetTemplate("one", 1, "One", None, bleed="each", marks="none", ruler=False, labels=False)
    body = filled("#ff0000") + '<div class="trim" style="background:#0000ff"></div>'
    imposition = impose([Piece("a", None, "a")], template, POKER, None, IMPRINT)
    page = pixels(write_pdf(imposition, [make({"a": body})]), 1, (0, 0, 69, 94), 600)
    assert page.at(0.05, 0.05) == page.at(68.9, 93.9) == RED
    assert page.at(2.95, 40) == RED
    assert page.at(3.05, 40) == BLUE
    assert page.at(65.95, 90.95) == BLUE
    assert page.at(66.05, 91.05) == RED


# --- faces -----------------------------------------------------------------------------------------------------------

PATTERN = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGP4z8DAwMAAAAcCAQEAAAAAAElFTkSuQmCC"
)
# All that depends on where a content stream thinks it is: a repeated image, a gradient, a group, a mask.
PLACED = """
    <div style="position:absolute; inset:0; background:repeating-linear-gradient(45deg, red 0, red 4mm, yellow 4mm, yellow 8mm)"></div>
    <svg style="position:absolute; left:10mm; top:10mm" width="40mm" height="40mm" viewBox="0 0 40 40">
        <defs>
            <linearGradient id="g"><stop stop-color="black"/><stop offset="1" stop-color="white"/></linearGradient>
            <radialGradient id="r"><stop stop-color="blue"/><stop offset="1" stop-color="blue" stop-opacity="0"/></radialGradient>
            <pattern id="p" width="5" height="5" patternUnits="userSpaceOnUse"><circle r="2" cx="2.5" cy="2.5"/></pattern>
            <mask id="m"><rect width="20" height="40" fill="white"/></mask>
        </defs>
        <rect width="40" height="10" fill="url(#g)"/>
        <rect y="10" width="40" height="10" fill="url(#r)"/>
        <rect y="20" width="40" height="10" fill="url(#p)"/>
        <rect y="30" width="40" height="10" fill="green" mask="url(#m)"/>
    </svg>
    <div style="position:absolute; left:10mm; top:55mm; width:30mm; height:10mm; opacity:.5; background:blue">text</div>
    <div style="position:absolute; left:10mm; top:70mm; width:30mm; height:12mm;
                background:linear-gradient(to right, white, black) 0 0/10mm 6mm"></div>
"""


def placed_alone(page: Size, placements: tuple[Placement, ...]) -> Imposition:
    template = SheetTemplate("t", 1, "t", None)
    return Imposition((Sheet(1, "front", page, placements, Drawing()),), template, IMPRINT, page)


def test_a_face_looks_the_same_inlined_and_as_a_form(make: Make, pixels: Draw) -> None:
    faces = make({"a": PLACED})
    template = SheetTemplate("t", 1, "t", "a4", bleed="none", marks="none", ruler=False, labels=False)
    once = impose([Piece("a", None, "a")], template, POKER, A4, IMPRINT)
    twice = impose([Piece("a", None, "a", copies=2)], template, POKER, A4, IMPRINT)
    slot = once.sheets[0].placements[0].trim
    part = (slot.x, slot.y, 63, 88)
    assert pixels(write_pdf(once, [faces]), 1, part, 150).data == pixels(write_pdf(twice, [faces]), 1, part, 150).data


def test_a_face_on_a_sheet_is_the_face_as_it_was_drawn(make: Make, pixels: Draw) -> None:
    # A trim of whole pixels at 72 dpi and their multiples: no antialiasing then depends on where it stands.
    trim = Trim("t", "t", Size(72 / 72 * 25.4, 108 / 72 * 25.4), bleed=9 / 72 * 25.4)
    faces = make({"a": PLACED}, trim)
    template = SheetTemplate("t", 1, "t", "a4", 2, 2, bleed="outer", marks="none", ruler=False, labels=False)
    imposition = impose([Piece("a", None, "a")], template, trim, Size(288 / 72 * 25.4, 360 / 72 * 25.4), IMPRINT)
    clip = imposition.sheets[0].placements[0].clip
    assert (clip.width, clip.height) == pytest.approx((90 / 72 * 25.4, 126 / 72 * 25.4))
    drawn = pixels(faces.pdf, 1, (0, 0, clip.width, clip.height), 144)
    placed = pixels(write_pdf(imposition, [faces]), 1, (clip.x, clip.y, clip.width, clip.height), 144)
    assert (drawn.width, drawn.height) == (placed.width, placed.height) == (180, 252)
    assert drawn.data == placed.data


@pytest.mark.parametrize("often", [False, True])
def test_equal_names_of_different_renderings_do_not_meet(
    often: bool, make: Make, label_font: bytes, pixels: Draw
) -> None:
    # Each rendering numbers its states, groups and patterns from zero.
    stripes = "repeating-linear-gradient({0}, {1} 0, {1} 2mm, white 2mm, white 4mm)"
    bodies = [
        filled("white") + f'<div style="position:absolute; inset:0; opacity:{opacity}; background:{colour}"></div>'
        f'<div style="position:absolute; left:10mm; top:20mm; width:20mm; height:20mm; background:{stripes.format(*stripe)}"></div>'
        for opacity, colour, stripe in ((0.2, "#ff0000", ("0deg", "green")), (0.8, "#ff0000", ("90deg", "blue")))
    ]
    renderings = [make({f"{i}": body}) for i, body in enumerate(bodies)]
    pieces = [Piece(f"{i}", None, f"{i}", copies=2 if often else 1) for i in range(2)]
    imposition = impose(pieces, NINE, POKER, A4, IMPRINT)
    page = pixels(write_pdf(imposition, renderings, [label_font]), 1, (0, 0, 210, 200), 100)
    for placement in imposition.sheets[0].placements:
        own = pixels(renderings[int(placement.face)].pdf, 1, (0, 0, 69, 94), 100)
        for x, y in ((5, 5), (40, 60), (16, 22), (18, 24), (20, 30)):
            seen = page.at(placement.trim.x + x, placement.trim.y + y)
            assert seen == pytest.approx(own.at(3 + x, 3 + y), abs=3)
    trims = [imposition.sheets[0].placements[index].trim for index in (0, -1)]
    first, second = (page.at(trim.x + 5, trim.y + 8) for trim in trims)
    assert first == pytest.approx((255, 204, 204), abs=2)
    assert second == pytest.approx((255, 51, 51), abs=2)


def test_a_back_lies_behind_its_front(make: Make, label_font: bytes, pixels: Draw) -> None:
    # A dot in the top left corner of the front, one in the top right corner of the back: held to the light they meet.
    dot = '<div style="position:absolute; {}:8mm; top:8mm; width:4mm; height:4mm; background:black"></div>'
    faces = make({"front": dot.format("left"), "back": dot.format("right")})
    pieces = [Piece("front", "back", "card", copies=2)]
    for orientation in ("portrait", "landscape"):
        for flip in ("long-edge", "short-edge"):
            template = SheetTemplate("t", 1, "t", "a4", orientation=orientation, marks="none")  # type: ignore[arg-type]
            imposition = impose(pieces, template, POKER, A4, IMPRINT, "duplex", flip)  # type: ignore[arg-type]
            pdf = write_pdf(imposition, [faces], [label_font])
            paper = imposition.paper
            whole = (0, 0, paper.width, paper.height)
            front, back = pixels(pdf, 1, whole, 50), pixels(pdf, 2, whole, 50)
            upright = (paper.height > paper.width) == (flip == "long-edge")
            for placement in imposition.sheets[0].placements:
                x, y = placement.matrix.apply(7, 7)
                assert front.at(x, y) == (0, 0, 0)
                assert back.at(*((paper.width - x, y) if upright else (x, paper.height - y))) == (0, 0, 0)


# --- drawings --------------------------------------------------------------------------------------------------------


def drawn(items: tuple[Path | Text, ...], label_font: bytes, under: bool = False) -> bytes:
    drawing = Drawing(under=items) if under else Drawing(over=items)
    sheet = Sheet(1, "front", Size(50, 40), (), drawing)
    return write_pdf(Imposition((sheet,), NINE, IMPRINT, Size(50, 40)), [], [label_font])


def test_paths_are_stroked_filled_and_dashed(label_font: bytes, pixels: Draw) -> None:
    square = ((5.0, 5.0), (15.0, 5.0), (15.0, 15.0), (5.0, 15.0))
    items = (
        Path((square,), stroke=None, fill=(1.0, 0.0, 0.0), closed=True),
        Path(
            (tuple((x + 15, y) for x, y in square),),
            stroke=(0.0, 0.0, 1.0),
            fill=(0.0, 1.0, 0.0),
            width=2.0,
            closed=True,
        ),
        Path((((5.0, 25.0), (25.0, 25.0)),), width=1.0, dash=(2.0, 3.0)),
        Path((((5.0, 30.0), (25.0, 30.0)),), stroke=None),
    )
    page = pixels(drawn(items, label_font), 1, (0, 0, 50, 40), 300)
    assert page.at(10, 10) == RED
    assert page.at(4.8, 10) == WHITE
    assert page.at(20, 10) == page.at(20.9, 10) == BLUE
    assert page.at(25, 10) == GREEN
    assert page.dark_along(25) == pytest.approx([6, 11, 16, 21], abs=0.1)
    assert page.dark_along(30) == []


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
@pytest.mark.parametrize("anchor", ["start", "middle", "end"])
def test_texts_run_the_way_they_are_turned(turns: int, anchor: str, label_font: bytes, pixels: Draw) -> None:
    text = Text(25.0, 20.0, "HHHHHH", 10.0, anchor, turns=turns)  # type: ignore[arg-type]
    page = pixels(drawn((text,), label_font), 1, (0, 0, 50, 40), 150)
    dark = [
        (x, y)
        for x in range(1, 50)
        for y in range(1, 40)
        if min(*(page.at(x + dx / 4, y + dy / 4)[0] for dx in range(-1, 2) for dy in range(-1, 2))) < 128
    ]
    across, down = [x - 25 for x, _ in dark], [y - 20 for _, y in dark]
    along, above = [
        (across, down),
        (down, [-x for x in across]),
        ([-x for x in across], [-y for y in down]),
        ([-y for y in down], across),
    ][turns]
    assert max(above) <= 0.3  # it stands on its baseline
    assert min(above) < -1
    begin, end = {"start": (0, 12), "middle": (-6, 6), "end": (-12, 0)}[anchor]
    assert begin - 1 <= min(along) <= begin + 3
    assert end - 3 <= max(along) <= end + 1


def test_a_text_never_exceeds_its_room(label_font: bytes, pixels: Draw) -> None:
    text = Text(5.0, 20.0, "MMMMMMMMMMMMMMMMMMMM", 20.0, room=30.0)
    line = pixels(drawn((text,), label_font), 1, (0, 0, 50, 40), 300).dark_along(19.5)
    assert line[0] > 5
    assert line[-1] < 35
    assert line[-1] > 33


def test_what_is_under_is_painted_over(make: Make, pixels: Draw) -> None:
    band = Path((((0.0, 47.0), (69.0, 47.0)),), stroke=(0.0, 0.0, 1.0), width=4.0)
    template = SheetTemplate("one", 1, "One", None, bleed="each", marks="none", ruler=False, labels=False)
    imposition = impose([Piece("a", None, "a")], template, POKER, None, IMPRINT)
    (sheet,) = imposition.sheets
    faces = make({"a": '<div style="position:absolute; inset:0 50% 0 0; background:#ff0000"></div>'})
    for drawing, left in ((Drawing(under=(band,)), RED), (Drawing(over=(band,)), BLUE)):
        pdf = write_pdf(replace(imposition, sheets=(replace(sheet, drawing=drawing),)), [faces])
        page = pixels(pdf, 1, (0, 0, 69, 94), 72)
        assert page.at(10, 47) == left
        assert page.at(60, 47) == BLUE


def test_black_is_grey_not_rgb(label_font: bytes) -> None:
    from cardgen.pdf.drawing import draw

    operators = draw((Path((((0.0, 0.0), (1.0, 1.0)),)),), 10.0, lambda text: [])
    assert b"0 G\n" in operators
    assert b"RG" not in operators

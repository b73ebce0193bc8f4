"""Fronts and backs as they are drawn, laid over each other: by flipping, by folding, and by a printer that misses.

Every back is drawn as its front's mirror image, each with a colour and a corner of its own. Turned over the way paper
is turned, the two pictures must be one.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

import pypdfium2
import pytest
from PIL import Image, ImageChops

from cardgen.geometry import Size
from cardgen.model.face import Rendering
from cardgen.model.printer import Offset, Printer
from cardgen.model.sheet import PAPERS, Flip, Imposition, Imprint, Piece, SheetTemplate
from cardgen.model.trim import Trim
from cardgen.pdf.writer import write_pdf
from cardgen.sheets.correct import corrected, misprint
from cardgen.sheets.impose import impose
from tests.pdf.making import draw_faces

A4 = PAPERS["a4"].size
CARD = Trim("c", "Card", Size(60, 85))
IMPRINT = Imprint("Equipment", "1.2", "en")
DPI = 50
COUNT = 13
COLOURS = ["#d03030", "#30a030", "#3030d0", "#b0a020", "#a030a0", "#20a0a0", "#606060"]


def face(index: int, side: str) -> str:
    """A ground with a bar along the left edge on fronts, along the right edge on backs; and one at the top."""
    corner = "left" if side == "front" else "right"
    colour, other = COLOURS[index % len(COLOURS)], COLOURS[(index * 3 + 1) % len(COLOURS)]
    ground = f'<div style="position:absolute; inset:0; background:{colour}55"></div>'
    bar = f'<div style="position:absolute; {corner}:0; top:0; width:{12 + index}mm; height:60%; background:{colour}"></div>'
    top = (
        f'<div style="position:absolute; {corner}:0; top:0; width:55%; height:{9 + index}mm; background:{other}"></div>'
    )
    return ground + bar + top


@pytest.fixture(scope="module")
def faces() -> Rendering:
    keys = {f"{side}-{index}": face(index, side) for index in range(COUNT) for side in ("front", "back")}
    return draw_faces(keys, CARD)


def template(orientation: str = "auto", **options: object) -> SheetTemplate:
    plain = {"marks": "none", "ruler": False, "labels": False, **options}
    return SheetTemplate("t", 1, "t", "a4", orientation=orientation, **plain)  # type: ignore[arg-type]


def pieces(count: int, without: Sequence[int] = ()) -> list[Piece]:
    return [Piece(f"front-{i}", None if i in without else f"back-{i}", f"card-{i}") for i in range(count)]


def pictures(imposition: Imposition, faces: Rendering) -> list[Image.Image]:
    document = pypdfium2.PdfDocument(io.BytesIO(write_pdf(imposition, [faces])))
    return [page.render(scale=DPI / 72).to_pil().convert("RGB") for page in document]


def differ(first: Image.Image, second: Image.Image) -> float:
    """How much of what is inked in either of two pictures differs in the other."""
    assert first.size == second.size

    def count(one: Image.Image, other: Image.Image, least: int) -> int:
        found = ImageChops.difference(one, other).convert("L").point(lambda value: 255 if value > least else 0)
        return found.histogram()[255]

    white = Image.new("RGB", first.size, "white")
    inked = count(ImageChops.darker(first, second), white, 5)
    assert inked > 100
    return count(first, second, 40) / inked


def turned_over(page: Image.Image, flip: Flip) -> Image.Image:
    """A back as it is seen through the front, told by how paper is turned and by nothing else."""
    upright = (page.height >= page.width) == (flip == "long-edge")
    return page.transpose(Image.Transpose.FLIP_LEFT_RIGHT if upright else Image.Transpose.FLIP_TOP_BOTTOM)


@pytest.mark.parametrize("orientation", ["portrait", "landscape"])
@pytest.mark.parametrize("flip", ["long-edge", "short-edge"])
@pytest.mark.parametrize("turn", [False, True])
@pytest.mark.parametrize("count", [COUNT, 1])
def test_flipped_every_back_covers_its_front(
    faces: Rendering, orientation: str, flip: Flip, turn: bool, count: int
) -> None:
    imposition = impose(pieces(count), template(orientation, turn=turn), CARD, A4, IMPRINT, "duplex", flip)
    drawn = pictures(imposition, faces)
    assert len(drawn) == 2 * -(-count // len(imposition.grid.slots if imposition.grid else ()))
    for front, back in zip(drawn[::2], drawn[1::2], strict=True):
        assert differ(front, turned_over(back, flip)) < 0.01
        # The other way they do not: the test can tell.
        wrong: Flip = "short-edge" if flip == "long-edge" else "long-edge"
        assert differ(front, turned_over(back, wrong)) > 0.2


@pytest.mark.parametrize("bleed", ["outer", "each", "none"])
def test_folded_every_back_covers_its_front(faces: Rendering, bleed: str) -> None:
    imposition = impose(pieces(COUNT), template(bleed=bleed), CARD, A4, IMPRINT, "gutterfold")
    for page in pictures(imposition, faces):
        half = page.height // 2
        above = page.crop((0, 0, page.width, half))
        below = page.crop((0, page.height - half, page.width, page.height))
        # Folding lays the lower half on the upper one's back, its lower edge at the top.
        assert differ(above, below.transpose(Image.Transpose.FLIP_TOP_BOTTOM)) < 0.01


def test_where_a_card_has_no_back_the_paper_stays_white(faces: Rendering) -> None:
    imposition = impose(pieces(9, without=[4]), template("portrait", bleed="none"), CARD, A4, IMPRINT)
    _, back = pictures(imposition, faces)
    slot = imposition.sheets[0].placements[4].trim
    x, y = (A4.width - slot.x - slot.width / 2) / 25.4 * DPI, (slot.y + slot.height / 2) / 25.4 * DPI
    assert back.getpixel((round(x), round(y))) == (255, 255, 255)


def printed(page: Image.Image, printer: Printer, paper: Size, side: str, flip: Flip) -> Image.Image:
    """The picture of a page as the printer puts it on paper."""
    back = misprint(printer, paper, side, flip).inverse()  # type: ignore[arg-type]
    dot = 25.4 / DPI
    matrix = (back.a, back.c, back.e / dot, back.b, back.d, back.f / dot)
    return page.transform(page.size, Image.Transform.AFFINE, matrix, Image.Resampling.BILINEAR, fillcolor="white")


@pytest.mark.parametrize("orientation", ["portrait", "landscape"])
@pytest.mark.parametrize("flip", ["long-edge", "short-edge"])
def test_a_printer_that_misses_is_set_right(faces: Rendering, orientation: str, flip: Flip) -> None:
    printer = Printer("crooked", "long-edge", 0.985, 1.012, 0.8, Offset(3.4, -2.6), Offset(-2.2, 3.1))
    plain = impose(pieces(COUNT), template(orientation, bleed="each"), CARD, A4, IMPRINT, "duplex", flip)
    wanted = pictures(plain, faces)
    sheets = plain.sheets

    def on_paper(drawn: list[Image.Image]) -> list[Image.Image]:
        return [
            printed(page, printer, sheet.paper, sheet.side, flip) for page, sheet in zip(drawn, sheets, strict=True)
        ]

    askew, right = on_paper(wanted), on_paper(pictures(corrected(plain, printer, flip), faces))
    for before, after, page in zip(askew, right, wanted, strict=True):
        assert differ(before, page) > 0.04
        assert differ(after, page) < 0.02
    for front, back in zip(right[::2], right[1::2], strict=True):
        assert differ(front, turned_over(back, flip)) < 0.03


def test_the_page_stays_the_paper(faces: Rendering) -> None:
    printer = Printer("crooked", "long-edge", 0.985, 1.012, 0.8, Offset(3.4, -2.6))
    imposition = corrected(impose(pieces(3), template("portrait"), CARD, A4, IMPRINT), printer, "long-edge")
    document = pypdfium2.PdfDocument(io.BytesIO(write_pdf(imposition, [faces])))
    for page in document:
        assert page.get_size() == pytest.approx((A4.width / 25.4 * 72, A4.height / 25.4 * 72), abs=1e-3)
        for box in (page.get_mediabox(), page.get_trimbox(), page.get_bleedbox()):
            assert box == pytest.approx((0, 0, A4.width / 25.4 * 72, A4.height / 25.4 * 72), abs=1e-3)

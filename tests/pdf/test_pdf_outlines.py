"""Faces on packed sheets: painted inside of their outline only, turned as their cutout says."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from making import Make, Pixels

from cardgen.geometry import Box, Matrix, Size, box_points, circle, moved, rotation, translation
from cardgen.model.cutout import Cutout, Panel
from cardgen.model.sheet import PAPERS, Imprint, SheetTemplate
from cardgen.model.trim import Trim
from cardgen.pdf.writer import write_pdf
from cardgen.sheets.pack import pack

A4 = PAPERS["a4"].size
IMPRINT = Imprint("T", "1", "en")
BARE = SheetTemplate("bare", 1, "Bare", "a4", marks="none", ruler=False, labels=False, arrange="packed")
SQUARE = Trim("square", "Square", Size(40.0, 40.0), bleed=0.0)
RED, BLUE, WHITE = (255, 0, 0), (0, 0, 255), (255, 255, 255)
# Red, with a blue lower half.
HALVES = (
    '<div style="position:absolute; inset:0; background:#ff0000"></div>'
    '<div style="position:absolute; left:0; top:50%; width:100%; height:50%; background:#0000ff"></div>'
)
Draw = Callable[..., Pixels]


@pytest.mark.parametrize("copies", [1, 2])
def test_a_face_ends_at_its_outline(copies: int, make: Make, pixels: Draw) -> None:
    outline = circle(20, 20, 20)
    disc = Cutout("disc", "Disc", SQUARE.size, (Panel("f", "l", SQUARE, {}, outline=outline, key="a"),), copies=copies)
    imposition = pack([disc], BARE, A4, IMPRINT)
    page = pixels(write_pdf(imposition, [make({"a": HALVES}, SQUARE)]), 1, (0, 0, 210, 297), 100)
    for placement in imposition.sheets[0].placements:
        box = placement.trim
        assert page.at(box.x + 20, box.y + 5) == RED
        assert page.at(box.x + 20, box.bottom - 5) == BLUE
        for x, y in ((2, 2), (38, 2), (2, 38), (38, 38)):
            assert page.at(box.x + x, box.y + y) == WHITE


def test_a_face_may_stand_at_any_angle(make: Make, pixels: Draw) -> None:
    # Turned by 45 degrees about its middle, in the middle of a cutout.
    turn = translation(-20, -20).then(rotation(45)).then(translation(30, 30))
    outline = moved(box_points(Box(0, 0, 40, 40)), turn)
    cutout = Cutout("net", "Net", Size(60, 60), (Panel("f", "l", SQUARE, {}, turn, outline, key="a"),))
    imposition = pack([cutout], BARE, A4, IMPRINT)
    page = pixels(write_pdf(imposition, [make({"a": HALVES}, SQUARE)]), 1, (0, 0, 210, 297), 100)
    box = imposition.sheets[0].laid[0].box
    # The top of the face points up and to the right.
    assert page.at(box.x + 40, box.y + 20) == RED
    assert page.at(box.x + 20, box.y + 40) == BLUE
    assert page.at(box.x + 5, box.y + 5) == WHITE
    assert page.at(box.right - 5, box.bottom - 5) == WHITE


def test_a_back_has_the_same_outline_behind_the_front(make: Make, pixels: Draw) -> None:
    corner = ((0.0, 0.0), (40.0, 0.0), (0.0, 40.0))
    # Seen from behind, the corner that is cut off lies at the other side.
    mirrored = moved(corner, Matrix(a=-1.0, e=40.0))
    panels = (
        Panel("f", "l", SQUARE, {}, outline=corner, key="a"),
        Panel("b", "l", SQUARE, {}, outline=mirrored, side="back", key="b"),
    )
    imposition = pack([Cutout("t", "T", SQUARE.size, panels)], BARE, A4, IMPRINT)
    pdf = write_pdf(imposition, [make({"a": HALVES, "b": HALVES}, SQUARE)])
    front, back = (pixels(pdf, page, (0, 0, 210, 297), 100) for page in (1, 2))
    box = imposition.sheets[0].laid[0].box
    for x, y in ((5, 5), (30, 5), (5, 30), (35, 35), (30, 20)):
        assert front.at(box.x + x, box.y + y) == back.at(210 - box.x - x, box.y + y)

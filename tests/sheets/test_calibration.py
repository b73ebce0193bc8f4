"""The calibration sheet, printed by printers that exist in arithmetic only, measured by its own marks.

`Simulated` does to points of a page what a printer does; everything that is read is read from the drawings of the sheet,
as a person would: where a cross lies between two labels, how far apart two lines are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from cardgen.errors import UsageError
from cardgen.geometry import Point, Size
from cardgen.model.drawing import Path, Text
from cardgen.model.printer import Offset, Printer
from cardgen.model.sheet import PAPERS, Flip, Imposition, Imprint, SheetTemplate, SheetWords
from cardgen.model.trim import Trim
from cardgen.sheets.calibration import THICK, Readings, calibration_sheet, measured, nominal, stations
from cardgen.sheets.correct import corrected
from cardgen.sheets.flip import mirror
from cardgen.sheets.grid import compute_grid
from cardgen.units import pt_to_mm

POKER = Trim("poker-eu", "Standard card", Size(63, 88))
IMPRINT = Imprint("Calibration sheet", "", "en")
NAMES = ("ax", "ay", "bx", "by")


class Simulated(Struct, frozen=True):
    """A printer: `x` and `y` how far backs are off, `turn` degrees clockwise, both scales."""

    x: float
    y: float
    turn: float
    short: float
    long: float

    def lands(self, paper: Size, side: str, point: Point) -> Point:
        """Where ink for a point of a page falls on that side of the paper: no formula of the program's own."""
        middle_x, middle_y = paper.width / 2, paper.height / 2
        across, down = (self.short, self.long) if paper.height >= paper.width else (self.long, self.short)
        x, y = (point[0] - middle_x) * across, (point[1] - middle_y) * down
        if side == "back":
            angle = math.radians(self.turn)
            x, y = x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
            x, y = x + self.x, y + self.y
        return x + middle_x, y + middle_y


def make(paper: Size, flip: Flip) -> Imposition:
    template = SheetTemplate("t", 1, "t", "a4", orientation="portrait" if paper.height > paper.width else "landscape")
    grid = compute_grid(template, POKER, paper)
    return calibration_sheet(template, grid, grid.paper, IMPRINT, SheetWords(), flip, ["command"])


def crosses(sheet: Imposition) -> list[Point]:
    """The middles of the crosses of the front, A first."""
    found = []
    for item in sheet.sheets[0].drawing.over:
        if isinstance(item, Path) and item.width == THICK and len(item.lines) == 2:
            ((x0, y), (x1, _)), _ = item.lines
            found.append(((x0 + x1) / 2, y))
    return found


def labels(sheet: Imposition, near: Point) -> tuple[dict[float, float], dict[float, float]]:
    """The labels of the scale near a point of the back: by the x, and by the y, of the lines that they name."""
    along: dict[float, float] = {}
    down: dict[float, float] = {}
    for item in sheet.sheets[1].drawing.over:
        if isinstance(item, Text) and item.text.lstrip("+-").isdigit() and math.dist((item.x, item.y), near) < 20:
            if item.anchor == "middle":
                along[item.x] = float(item.text)
            else:
                # The label's line lies half the height of its digits above its foot.
                down[round(item.y - 0.345 * pt_to_mm(item.size), 9)] = float(item.text)
    assert len(along) == len(down) == 5
    return along, down


def value_at(scale: dict[float, float], at: float) -> float:
    """What a scale says at a place, between its labels and beyond."""
    (first, one), *_, (last, other) = sorted(scale.items())
    return one + (at - first) / (last - first) * (other - one)


def inverse(printer: Simulated, paper: Size, goal: Point) -> Point:
    """The point of a back page whose ink falls on `goal`, found by trying."""
    x, y = goal
    for _ in range(60):
        found = printer.lands(paper, "back", (x, y))
        x, y = x + goal[0] - found[0], y + goal[1] - found[1]
    return x, y


def read(printer: Simulated, sheet: Imposition, step: float = 0.0) -> Readings:
    """What a person reads, to the nearest `step` mm."""
    paper, flip = sheet.paper, sheet.duplex
    assert flip is not None
    view = mirror(paper, flip)
    values: list[float] = []
    for station in crosses(sheet):
        # Held to the light: where the cross is seen on the back, and what is printed there.
        seen = view.point(*printer.lands(paper, "front", station))
        x, y = inverse(printer, paper, seen)
        along, down = labels(sheet, view.point(*station))
        values += [value_at(along, x), value_at(down, y)]
    values += [length(printer, sheet, 0), length(printer, sheet, 1)]
    if step:
        values = [round(value / step) * step for value in values]
    return Readings(*values)


def length(printer: Simulated, sheet: Imposition, which: int) -> float:
    """How far apart the two fine lines are, on paper: 0 across, 1 down."""
    pairs = [
        item.lines
        for item in sheet.sheets[0].drawing.over
        if isinstance(item, Path) and item.fill is None and len(item.lines) == 2 and all(len(p) == 2 for p in item.lines)
        and item.width < 0.1
    ]  # fmt: skip
    (first, _), (second, _) = pairs[which]
    a, b = (printer.lands(sheet.paper, "front", point) for point in (first, second))
    return math.dist(a, b)


simulated = st.builds(
    Simulated, st.floats(-5, 5), st.floats(-5, 5), st.floats(-1.5, 1.5), st.floats(0.97, 1.03), st.floats(0.97, 1.03)
)
papers = st.sampled_from(
    [size for id in ("a4", "letter", "a5") for size in (PAPERS[id].size, PAPERS[id].size.turned())]
)
flips = st.sampled_from(["long-edge", "short-edge"])


def error(printer: Simulated, profile: Printer, sheet: Imposition, points: Sequence[Point]) -> float:
    """How far from its place anything lands at most, on either side, when the sheet is corrected."""
    assert sheet.duplex is not None
    errors = []
    for page in corrected(sheet, profile, sheet.duplex).sheets:
        for point in points:
            landed = printer.lands(page.paper, page.side, page.correction.apply(*point))
            errors.append(math.dist(landed, point))
    return max(errors)


def places(paper: Size) -> list[Point]:
    return [(x * paper.width / 4, y * paper.height / 4) for x in range(5) for y in range(5)]


@given(simulated, papers, flips)
def test_a_measured_printer_puts_everything_in_its_place(printer: Simulated, paper: Size, flip: Flip) -> None:
    sheet = make(paper, flip)
    profile = measured(read(printer, sheet), sheet.paper, flip, Printer("home"))
    assert profile.turn == pytest.approx(printer.turn, abs=1e-3)
    assert (profile.scale_short, profile.scale_long) == pytest.approx((printer.short, printer.long), abs=1e-6)
    offset = profile.portrait if paper.height > paper.width else profile.landscape
    assert offset is not None
    assert (offset.x, offset.y) == pytest.approx((printer.x, printer.y), abs=1e-2)
    assert error(printer, profile, sheet, places(sheet.paper)) < 0.1


@given(simulated, papers, flips)
def test_read_to_half_a_millimetre_it_is_still_worth_it(printer: Simulated, paper: Size, flip: Flip) -> None:
    sheet = make(paper, flip)
    profile = measured(read(printer, sheet, 0.5), sheet.paper, flip, Printer("home"))
    middle = (sheet.paper.width / 2, sheet.paper.height / 2)
    # Half a step each way, in both directions, of one place.
    assert error(printer, profile, sheet, [middle]) < 0.4


@given(simulated)
def test_the_same_printer_flipping_along_the_other_edge(printer: Simulated) -> None:
    """Its driver turns the back by half, and the paper goes through as before."""
    a4 = PAPERS["a4"].size
    profile = measured(read(printer, make(a4, "long-edge")), a4, "long-edge", Printer("home"))
    other = replace(printer, x=-printer.x, y=-printer.y)
    sheet = make(a4, "short-edge")
    assert error(other, profile, sheet, places(a4)) < 0.1
    # Measured again that way, it is the same printer.
    again = measured(read(other, sheet), a4, "short-edge", profile)
    assert error(printer, again, make(a4, "long-edge"), places(a4)) < 0.1


@given(simulated)
def test_lying_pages_are_measured_besides(printer: Simulated) -> None:
    a4 = PAPERS["a4"].size
    standing, lying = make(a4, "long-edge"), make(a4.turned(), "long-edge")
    first = measured(read(printer, standing), a4, "long-edge", Printer("home"))
    other = replace(printer, x=printer.y, y=-printer.x)
    both = measured(read(other, lying), a4.turned(), "long-edge", first)
    assert both.portrait == first.portrait
    assert error(printer, both, standing, places(a4)) < 0.1
    assert error(other, both, lying, places(a4.turned())) < 0.1


def test_a_corrected_sheet_reads_nothing_but_zeroes() -> None:
    printer = Simulated(1.2, -0.7, 0.3, 0.994, 0.997)
    sheet = make(PAPERS["a4"].size, "long-edge")
    profile = measured(read(printer, sheet), sheet.paper, "long-edge", Printer("home"))
    (front, back) = corrected(sheet, profile, "long-edge").sheets
    view = mirror(sheet.paper, "long-edge")
    for station in crosses(sheet):
        seen = view.point(*printer.lands(sheet.paper, "front", front.correction.apply(*station)))
        zero = printer.lands(sheet.paper, "back", back.correction.apply(*view.point(*station)))
        assert math.dist(seen, zero) < 0.02


def test_what_was_not_read_is_kept() -> None:
    known = Printer("home", "long-edge", 0.99, 0.98, 0.2, Offset(1, 2), Offset(3, 4))
    a4 = PAPERS["a4"].size
    assert measured(Readings(width=148.5), a4, "long-edge", known) == known
    scaled = measured(Readings(height=199.0), a4, "long-edge", known)
    assert scaled == replace(known, scale_long=0.995)
    assert measured(Readings(0, 0, 0, 0), a4, "long-edge", known).scale_short == 0.99
    turned = measured(Readings(width=148.5), a4, "short-edge", known)
    assert (turned.portrait, turned.landscape) == (Offset(-1, -2), Offset(-3, -4))


@pytest.mark.parametrize(
    ("readings", "words"),
    [
        (Readings(40, 0, 0, 0), r"`ax=40` cannot be: .* more than 10 mm off"),
        (Readings(0, 0, 0, -11), r"`by=-11` cannot be"),
        (Readings(width=0), r"`width=0` cannot be: the lines are 150 mm apart.* between 142.5 and 157.5 mm"),
        (Readings(height=250), r"`height=250` cannot be: the lines are 200 mm apart.* between 190 and 210 mm"),
        (Readings(1, 5, 1, 0), r"ay and by should be the same"),
        (Readings(8, 0, -8, 0), r"turned by 5\.\d degrees"),
    ],
)
def test_readings_that_no_printer_gives(readings: Readings, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        measured(readings, PAPERS["a4"].size, "long-edge", Printer("home"))


@pytest.mark.parametrize("id", ["a3", "a4", "a5", "letter", "legal", "tabloid"])
@pytest.mark.parametrize("lies", [False, True])
def test_everything_stands_on_the_paper(id: str, lies: bool) -> None:
    paper = PAPERS[id].size.turned() if lies else PAPERS[id].size
    sheet = make(paper, "long-edge")
    size = nominal(paper)
    assert size.width <= paper.width - 40
    assert size.height <= paper.height - 40
    for x, y in stations(paper):
        assert min(x, y, paper.width - x, paper.height - y) >= 40
    for page in sheet.sheets:
        for item in page.drawing.over:
            points = [point for line in item.lines for point in line] if isinstance(item, Path) else [(item.x, item.y)]
            assert all(5 <= x <= paper.width - 5 and 5 <= y <= paper.height - 5 for x, y in points)


def test_the_cuts_of_the_template_are_on_both_sides() -> None:
    sheet = make(PAPERS["a4"].size, "long-edge")
    assert sheet.grid is not None
    for page, view in zip(sheet.sheets, (None, mirror(sheet.paper, "long-edge")), strict=True):
        outlines = page.drawing.over[0]
        assert isinstance(outlines, Path)
        slots = [slot if view is None else view.box(slot) for slot in sheet.grid.slots]
        assert [line[0] for line in outlines.lines] == [(slot.x, slot.y) for slot in slots]


def test_a_sheet_that_is_corrected_asks_for_nothing_to_type() -> None:
    template = SheetTemplate("t", 1, "t", "a4")
    paper = PAPERS["a4"].size
    sheet = calibration_sheet(template, None, paper, IMPRINT, SheetWords(), "long-edge", ["type this"], "home")
    texts = [item.text for item in sheet.sheets[0].drawing.over if isinstance(item, Text)]
    assert "type this" not in texts
    assert any("`home`" in text for text in texts)


@pytest.mark.parametrize("id", ["a3", "a4", "a5", "letter", "legal", "tabloid"])
@pytest.mark.parametrize("lies", [False, True])
def test_no_words_stand_on_crosses_and_scales(id: str, lies: bool) -> None:
    paper = PAPERS[id].size.turned() if lies else PAPERS[id].size
    sheet = make(paper, "long-edge")
    view = mirror(paper, "long-edge")
    places = ([*stations(paper)], [view.point(*station) for station in stations(paper)])
    for page, at in zip(sheet.sheets, places, strict=True):
        for item in page.drawing.over:
            # Lines of words have a room; labels of scales, the longest of 2 mm, are where they belong.
            if isinstance(item, Text) and item.room > 3:
                left = item.x - (item.room / 2 if item.anchor == "middle" else 0)
                for x, y in at:
                    beside = left > x + 13 or left + item.room < x - 13
                    assert beside or item.y < y - 15 or item.y - item.size * 0.35 > y + 13

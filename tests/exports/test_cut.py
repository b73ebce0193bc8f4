"""Cut guides: the same lines as the PDF's, told apart by what is done along them."""

from __future__ import annotations

import io
import math
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.diagnostics import Report
from cardgen.exports.cut.dxf import dxf
from cardgen.exports.cut.export import export_cut
from cardgen.exports.cut.lines import QUARTER, Guide, guides, rounded
from cardgen.exports.cut.shared import Line, cut_once
from cardgen.exports.cut.svg import path_data, svg
from cardgen.geometry import Box, Size
from cardgen.model.cutout import Cutout, Fold
from cardgen.model.sheet import Imposition, Piece
from cardgen.model.trim import Trim
from cardgen.pdf.writer import write_pdf
from cardgen.pipeline.build import build
from cardgen.pipeline.products import Options
from cardgen.pipeline.targets import choose
from cardgen.sheets.impose import impose
from cardgen.sheets.pack import pack
from cardgen.units import pt_to_mm
from cardgen.workers import Workers
from tests.sheets.packing import A4, IMPRINT, PACKED, disc, outlined, piece
from tests.support import edit, load, write_project

SVG = "{http://www.w3.org/2000/svg}"
NEAR = 0.01
Point = tuple[float, float]


def numbers(text: str) -> list[float]:
    return [float(part) for part in re.findall(r"-?\d+(?:\.\d+)?", text)]


def corners(d: str) -> list[Point]:
    """The points of a path: M and L take two numbers, A's last two are its end."""
    found = []
    for command, rest in re.findall(r"([MLA])([^MLAZ]*)", d):
        values = numbers(rest)
        assert len(values) == (7 if command == "A" else 2)
        found.append((values[-2], values[-1]))
    return found


def paths(text: str, layer: str) -> list[list[Point]]:
    root = ElementTree.fromstring(text.encode())
    group = root.find(f"{SVG}g[@id='{layer}']")
    return [] if group is None else [corners(path.attrib["d"]) for path in group.iter(f"{SVG}path")]


def drawn(pdf: bytes, page: int = 0) -> list[list[Point]]:
    """The polylines that a page strokes outside of faces, in mm from its top left corner."""
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        height = float(opened.pages[page].MediaBox[3])
        lines: list[list[Point]] = []
        here: list[list[Point]] = []
        for operands, operator in pikepdf.parse_content_stream(opened.pages[page]):
            name = str(operator)
            assert name != "cm" or not here
            if name in {"m", "l"}:
                x, y = (float(value) for value in operands)
                point = (pt_to_mm(x), pt_to_mm(height - y))
                if name == "m":
                    here.append([point])
                else:
                    here[-1].append(point)
            elif name in {"S", "s", "B", "f"}:
                lines += here
                here = []
    return lines


def near(one: list[Point], other: list[Point]) -> bool:
    return len(one) == len(other) and all(math.dist(a, b) < NEAR for a, b in zip(one, other, strict=True))


def folded() -> Cutout:
    """A strip with an outline, a slit and two folds."""
    made = outlined("strip", 60, 20, copies=3)
    folds = (Fold(((20, 0), (20, 20))), Fold(((40, 0), (40, 20)), "valley"))
    return Cutout("strip", "Strip & <fold>", made.size, (), made.cuts, (((5, 5), (15, 5)),), folds, copies=3)


@pytest.fixture(scope="module")
def packed() -> Imposition:
    cutouts = [disc("disc", 25, copies=7), folded()]
    bare = [Cutout(c.label, c.title, c.size, (), c.cuts, c.slits, c.folds, copies=c.copies) for c in cutouts]
    template = PACKED.__class__(**{**_fields(PACKED), "ruler": False, "labels": False, "marks": "none"})
    return pack(bare, template, A4, IMPRINT)


def _fields(template: object) -> dict[str, object]:
    return {name: getattr(template, name) for name in template.__slots__}  # type: ignore[attr-defined]


def test_the_lines_are_those_of_the_pdf(packed: Imposition) -> None:
    (guide,) = guides(packed, "Sheet", 0.0)
    text = svg(guide)
    on_paper = drawn(write_pdf(packed, []))
    assert len(paths(text, "cut")) == 10 and len(paths(text, "slit")) == 3 and len(paths(text, "fold")) == 6
    for layer in ("cut", "slit", "fold"):
        for line in paths(text, layer):
            assert any(near(line, other) for other in on_paper), f"{layer} {line[:3]}"
    # Nothing else is drawn; folds are drawn twice, light below dark.
    ours = [line for layer in ("cut", "slit", "fold") for line in paths(text, layer)]
    assert all(any(near(line, other) for other in ours) for line in on_paper)


def test_straight_pieces_are_cut_along_their_boxes() -> None:
    imposition = pack([piece("a", 63, 88, copies=2), disc("b", 20)], PACKED, A4, IMPRINT)
    (guide,) = guides(imposition, "Sheet", 3.0)
    boxes = [laid.box for laid in imposition.sheets[0].laid if laid.straight]
    found = [line.points for line in guide.lines if line.name == "a"]
    expected = [((b.x, b.y), (b.right, b.y), (b.right, b.bottom), (b.x, b.bottom)) for b in boxes]
    assert len(found) == 2
    # `piece` has trims with corners of 3 mm, the default of cards.
    for line, box in zip(found, expected, strict=True):
        xs, ys = [x for x, _ in line], [y for _, y in line]
        assert (min(xs), min(ys), max(xs), max(ys)) == pytest.approx((*box[0], *box[2]))


CARDS = {
    "cards/g/cards/items.yaml": "\n".join(f"c{n}: {{kind: item, name: Card{n}}}" for n in range(11)) + "\n",
}


def test_cards_are_cut_where_the_marks_of_the_pdf_say(tmp_path: Path) -> None:
    root = write_project(tmp_path, CARDS)
    project, report = load(root), Report()
    targets = choose(project, [], [])
    (made,) = build(project, targets, root / "output", Options(), Workers(), report).files
    written = list(export_cut(project, targets, root / "output", Options(), "svg", Workers(), report))
    assert not report.items
    assert [path.name for path in written] == ["items-1.svg", "items-2.svg"]
    for number, path in enumerate(written):
        text = path.read_text("utf-8")
        assert len(set(re.findall(r"<title>(c\d+)</title>", text))) == (9, 2)[number]
        # What is left of a corner between two cards that are cut already is an arc, which says nothing of edges.
        cards = [line for line in paths(text, "cut") if len(line) > 2]
        edges_x = {round(x, 2) for line in cards for x in (min(p[0] for p in line), max(p[0] for p in line))}
        edges_y = {round(y, 2) for line in cards for y in (min(p[1] for p in line), max(p[1] for p in line))}
        with pikepdf.open(made.path) as pdf:
            width, height = (float(side) for side in pdf.pages[number].MediaBox[2:])
        # The crop marks are the lines in the margins: level ones at the sides, upright ones above and below.
        marks = [line for line in drawn(made.path.read_bytes(), number) if len(line) == 2]
        outer = min(edges_x) - 0.5, min(edges_y) - 0.5, max(edges_x) + 0.5, max(edges_y) + 0.5
        upright = {
            round(a[0], 2)
            for a, b in marks
            if abs(a[0] - b[0]) < NEAR and abs(a[1] - b[1]) > 2.99 and (max(a[1], b[1]) < outer[1])
        }
        level = {
            round(a[1], 2)
            for a, b in marks
            if abs(a[1] - b[1]) < NEAR and abs(a[0] - b[0]) > 2.99 and (max(a[0], b[0]) < outer[0])
        }
        assert len(edges_x) == 4 - number and upright and level
        assert all(any(abs(x - mark) < NEAR + 0.01 for mark in upright) for x in edges_x)
        assert all(any(abs(y - mark) < NEAR + 0.01 for mark in level) for y in edges_y)
        root_element = ElementTree.fromstring(path.read_bytes())
        assert root_element.attrib["width"] == f"{round(pt_to_mm(width))}mm"
        assert root_element.attrib["viewBox"] == f"0 0 {round(pt_to_mm(width))} {round(pt_to_mm(height))}"


def test_a_sheet_that_is_folded_has_none(tmp_path: Path) -> None:
    change = edit("cards/g/game.yaml", "kinds: [item]}", "kinds: [item], backs: gutterfold}")
    back = change["cards/g/game.yaml"].replace("    front: g/item\n", "    front: g/item\n    back: g/item\n")
    root = write_project(tmp_path, {"cards/g/game.yaml": back})
    project, report = load(root), Report()
    targets = choose(project, [], [])
    assert not list(export_cut(project, targets, root / "o", Options(), "svg", Workers(), report))
    assert [item.code for item in report] == ["CG533"]


def test_registration_marks_are_there_to_be_laid_over_the_machines_own() -> None:
    template = PACKED.__class__("s", 1, "S", "a4", 2, 2, registration="silhouette", marks="none")
    card = Trim("t", "T", Size(63, 88))
    (guide,) = guides(impose([Piece("f", None, "c", copies=4)], template, card, A4, IMPRINT), "Sheet", 3.0)
    # The fourth card has an arc of its own between the edges that it shares.
    assert len(paths(svg(guide), "cut")) == 5
    square, *angles = paths(svg(guide), "registration")
    assert square == [(10, 10), (15, 10), (15, 15), (10, 15)]
    assert angles == [[(10, 282), (10, 287), (15, 287)], [(195, 10), (200, 10), (200, 15)]]
    assert dxf(guide).count("POLYLINE\n8\nREGISTRATION\n") == 3


def strokes(lines: list[Line]) -> list[tuple[Point, Point]]:
    """The straight sides of lines."""
    found = []
    for line in lines:
        ends = [*line.points[1:], *(line.points[:1] if line.closed else ())]
        bulges = line.bulges[: len(ends)]
        found += [(a, b) for a, b, bulge in zip(line.points, ends, bulges, strict=False) if not bulge]
    return found


def test_an_edge_that_two_cards_share_is_cut_once() -> None:
    left, right = rounded("cut", "a", Box(0, 0, 63, 88), 0.0), rounded("cut", "b", Box(63, 0, 63, 88), 0.0)
    first, second = cut_once([left, right])
    assert first == left
    assert (second.name, second.closed) == ("b", False)
    assert second.points == ((63, 0), (126, 0), (126, 88), (63, 88))
    # Apart from one another, and on the fold's layer, nothing changes.
    apart = [left, rounded("cut", "b", Box(63.5, 0, 63, 88), 3.0), rounded("fold", "c", Box(0, 0, 63, 88), 0.0)]
    assert list(cut_once(apart)) == apart


def test_of_rounded_cards_the_straight_part_is_shared() -> None:
    left, right = rounded("cut", "a", Box(0, 0, 63, 88), 3.0), rounded("cut", "b", Box(63, 0, 63, 88), 3.0)
    _, second = cut_once([left, right])
    # Round the card from the lower left corner to the upper one, both arcs with it.
    assert second.points[0] == (63, 3) and second.points[-1] == (63, 85)
    assert Counter(map(bool, second.bulges)) == {True: 4, False: 4}
    assert (63, 85, 63, 3) not in {(*a, *b) for a, b in strokes([second])}


def test_a_long_edge_is_cut_where_its_shorter_neighbours_leave_it() -> None:
    small = [rounded("cut", "s", Box(0, y, 20, 20), 0.0) for y in (10, 50)]
    (*_, large) = made = list(cut_once([*small, rounded("cut", "l", Box(20, 0, 60, 80), 0.0)]))
    on_edge = sorted((min(a[1], b[1]), max(a[1], b[1])) for a, b in strokes(made[2:]) if a[0] == b[0] == 20)
    assert on_edge == [(0, 10), (30, 50), (70, 80)]
    assert not large.closed


@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=8
    ),
    st.floats(0.1, 30).map(lambda mm: round(mm, 3)),
)
def test_every_edge_is_cut_and_none_is_twice(boxes: list[tuple[int, int, int, int]], step: float) -> None:
    lines = [
        rounded("cut", str(n), Box(x * step, y * step, w * step, h * step), 0.0) for n, (x, y, w, h) in enumerate(boxes)
    ]
    unit = Counter[tuple[int, int, bool]]()
    for a, b in strokes(list(cut_once(lines))):
        (x0, y0), (x1, y1) = sorted(
            [(round(a[0] / step), round(a[1] / step)), (round(b[0] / step), round(b[1] / step))]
        )
        unit.update([(x, y0, False) for x in range(x0, x1)] + [(x0, y, True) for y in range(y0, y1)])
    wanted = set()
    for x, y, w, h in boxes:
        wanted |= {(at, side, False) for at in range(x, x + w) for side in (y, y + h)}
        wanted |= {(side, at, True) for at in range(y, y + h) for side in (x, x + w)}
    assert set(unit) == wanted
    assert set(unit.values()) == {1}


sizes = st.floats(1, 400, allow_nan=False).map(lambda mm: round(mm, 3))


@given(sizes, sizes, sizes, sizes, st.floats(0, 20).map(lambda mm: round(mm, 3)))
def test_rounded_corners_stay_in_the_box(x: float, y: float, width: float, height: float, radius: float) -> None:
    line = rounded("cut", "c", Box(x, y, width, height), radius)
    xs, ys = [x for x, _ in line.points], [y for _, y in line.points]
    assert (min(xs), min(ys)) == pytest.approx((x, y))
    assert (max(xs), max(ys)) == pytest.approx((x + width, y + height))
    # Every arc is a quarter circle of the radius, or of half a side that is shorter.
    r = min(radius, width / 2, height / 2)
    for a, b, bulge in zip(line.points, (*line.points[1:], line.points[0]), line.bulges, strict=True):
        if bulge:
            assert bulge == QUARTER and math.dist(a, b) == pytest.approx(r * math.sqrt(2))


def test_arcs_turn_clockwise_on_paper() -> None:
    d = path_data(rounded("cut", "c", Box(10, 20, 63, 88), 3))
    assert d.startswith("M13 20 L70 20 A3 3 0 0 1 73 23 L73 105") and d.endswith("Z")


def pairs(text: str) -> list[tuple[int, str]]:
    lines = text.splitlines()
    assert len(lines) % 2 == 0
    return [(int(code), value) for code, value in zip(lines[::2], lines[1::2], strict=True)]


def test_dxf_says_the_same_with_y_upwards(packed: Imposition) -> None:
    (guide,) = guides(packed, "Sheet", 0.0)
    read = pairs(dxf(guide))
    assert read[-1] == (0, "EOF") and (9, "$INSUNITS") in read
    assert Counter(value for code, value in read if code == 0)["POLYLINE"] == len(guide.lines)
    starts = [at for at, pair in enumerate(read) if pair == (0, "POLYLINE")]
    for line, (at, end) in zip(guide.lines, pairwise([*starts, len(read)]), strict=True):
        values = read[at:end]
        assert (8, line.layer.upper()) in values and (70, str(int(line.closed))) in values
        vertices = [at for at, pair in enumerate(values) if pair == (0, "VERTEX")]
        found = [(float(values[v + 2][1]), A4.height - float(values[v + 3][1])) for v in vertices]
        assert near(found, list(line.points))


def test_dxf_arcs_turn_the_other_way() -> None:
    line = rounded("cut", "c", Box(10, 20, 63, 88), 3)
    read = pairs(dxf(Guide("s", 1, Size(210, 297), (line,))))
    assert [float(value) for code, value in read if code == 42] == pytest.approx([-QUARTER] * 4)


def test_names_are_whole_in_xml() -> None:
    line = Line("cut", 'Ä "x" <&>', ((0, 0), (1, 0), (1, 1)), (0, 0, 0), True)
    root = ElementTree.fromstring(svg(Guide("<&>", 1, Size(10, 10), (line, line))).encode())
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles == ["<&>", 'Ä "x" <&>', 'Ä "x" <&>']
    ids = [element.attrib["id"] for element in root.iter(f"{SVG}path")]
    assert len(set(ids)) == 2 and all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_.-]*", id) for id in ids)

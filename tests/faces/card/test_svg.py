"""SVG drawn by the card engine: every drawing that is shipped, what else it knows, and what it refuses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from comparing import differing, is_blank, painted, pdf_of, picture_of, reference, write
from hypothesis import given
from hypothesis import strategies as st

from cardgen.errors import EngineMissing, PictureProblem
from cardgen.faces.assets import BASE, Assets
from cardgen.faces.card.canvas import Canvas, Parts
from cardgen.faces.card.display import Area, Picture
from cardgen.faces.card.fonts import FontSet
from cardgen.faces.card.svg import SvgPainter
from cardgen.faces.card.svg_path import bounds, operators, path_data
from cardgen.faces.card.svg_read import matrix, parse, placed
from cardgen.faces.engines import Job
from cardgen.files import Shelf
from cardgen.model.face import Rendering

ROOT = Path(__file__).resolve().parents[3]
SHIPPED = sorted(str(path.relative_to(ROOT / "layouts")) for path in (ROOT / "layouts").rglob("*.svg"))
# Drawings that the reference engine draws otherwise, and why; percent of pixels allowed.
CORNERS = "it bends two corners of a round rectangle less than the other two"
SNAPPED = "an edge in the middle of a pixel falls to the other side of it"
EXPLAINED = {
    "_base/icons/blank.svg": (0.3, CORNERS),
    **{
        f"twd/icons/die-{colour}.svg": (0.7, CORNERS)
        for colour in ("black", "blue", "orange", "red", "white", "yellow")
    },
    "zcorps/art/gear-back.svg": (0.2, SNAPPED),
    "zcorps/art/screen-back.svg": (0.3, SNAPPED),
}
WIDTH = 240.0


def url_of(name: str) -> str:
    game, kind, *rest = name.split("/")
    if kind == "icons":
        return f"{BASE}icon/{game}/{rest[-1].removesuffix('.svg')}/1f2022"
    return f"{BASE}art/{game}/{'/'.join(rest)}" if kind == "art" else f"{BASE}layouts/{name}"


def difference(project: Any, url: str, size: tuple[float, float]) -> float:
    assets, fontset = Assets(project.shelf), FontSet(Assets(project.shelf), project.fonts)
    # Some drawings are white.
    ground = Area((0, 0, *size), (0.4, 0.6, 0.4, 1.0))
    paintings = painted([ground, Picture(url, (0, 0, *size))], assets, fontset, size)
    assert not paintings.undrawn and not paintings.refused, (paintings.undrawn, paintings.refused)
    ours = picture_of(pdf_of(paintings, size))
    width, height = size
    image = f'<img src="{url}" style="display: block; width: {width}px; height: {height}px">'
    theirs = reference(project, image, size, "body { background: #696 }")
    assert theirs.getextrema() != ((0x66, 0x66), (0x99, 0x99), (0x66, 0x66))
    return differing(ours, theirs)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_drawings_look_as_the_reference_engine_draws_them(project: Any, name: str) -> None:
    svg = parse((ROOT / "layouts" / name).read_bytes())
    assert svg.view is not None
    most, _ = EXPLAINED.get(name, (0.1, ""))
    assert difference(project, url_of(name), (WIDTH, round(WIDTH * svg.view[3] / svg.view[2]))) <= most


HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 100 80">'
DRAWINGS = {
    "style": '<style>.a{fill:#b23a28;stroke:#123} #b, rect.a{stroke-width:3}</style><rect class="a" x="9" y="9" '
    'width="40" height="40"/><circle id="b" class="a" cx="70" cy="30" r="15" style="fill:#2a6;opacity:.5"/>',
    "units": '<rect x="10%" y="10%" width="2cm" height="5mm" fill="teal"/><circle cx="50%" cy="50%" r="10%"/>',
    "inherit": '<g fill="none" stroke="#123" stroke-width="2" color="#b23a28"><path d="M5 5h40v30z"/>'
    '<path d="M50 5l40 10-10 20z" stroke="currentColor" stroke-linejoin="bevel"/></g>',
    "lines": '<g fill="none" stroke="black" stroke-width="4"><polyline points="10,10 30,30 50,10 70,30" '
    'stroke-linecap="round"/><polygon points="10 40 40 40 25 70"/><line x1="60" y1="40" x2="90" y2="70" '
    'stroke-dasharray="8 4" stroke-dashoffset="-3" stroke-linecap="square"/><path d="M60 70l10-20 3 20" '
    'stroke-miterlimit="20"/></g>',
    "curves": '<path fill="none" stroke="#123" d="M10 40q10-30 30 0t30 0T95 30M10 60c5-20 20-20 25 0s20 20 25 0S80 50 95 60'
    'M5 5A20 10 30 0 1 40 20a9 9 0 0130 0"/>',
    "clip": '<defs><clipPath id="c"><circle cx="40" cy="40" r="25"/><path d="M60 5h30v20h-30z"/>'
    '</clipPath></defs><rect width="100" height="80" fill="#1f4e82" clip-path="url(#c)"/>',
    "use": '<defs><g id="g"><rect width="20" height="20"/><circle cx="10" cy="25" r="8" fill="red"/></g></defs>'
    '<use href="#g" x="10" y="10"/><use xlink:href="#g" transform="translate(50 10) scale(1.5)" fill="#2a6" opacity=".5"/>',
    "linear": '<linearGradient id="l" x1="0" x2="1" y1="0" y2="1"><stop offset="0" stop-color="#f60"/><stop offset=".4" '
    'stop-color="#06f"/><stop offset="1" stop-color="#fff"/></linearGradient><rect x="5" y="5" width="90" height="70" '
    'fill="url(#l)" stroke="#000"/>',
    "user space": '<linearGradient id="a"><stop offset="20%" stop-color="#f60"/><stop offset="80%" stop-color="#06f"/>'
    '</linearGradient><linearGradient id="l" xlink:href="#a" gradientUnits="userSpaceOnUse" x1="20" y1="0" x2="60" y2="0" '
    'gradientTransform="rotate(30)"/><path d="M5 5H95V75z" fill="url(#l)"/>',
    "radial": '<radialGradient id="r" cx="50%" cy="50%" r="50%" ><stop offset="0" stop-color="#fff"/>'
    '<stop offset="1" stop-color="#b23a28"/></radialGradient><circle cx="50" cy="40" r="35" fill="url(#r)"/>',
    "fading": '<linearGradient id="l"><stop offset="0" stop-color="#f60"/><stop offset="1" stop-color="#06f" '
    'stop-opacity="0"/></linearGradient><rect width="100" height="40" y="20" fill="#2a6"/><rect x="5" y="5" width="90" '
    'height="70" fill="url(#l)"/>',
    "transforms": '<rect width="20" height="10" transform="translate(20,10) rotate(30) skewX(20) scale(2 1.5)"/><rect '
    'width="9" height="9" fill="red" transform="matrix(1 .2 -.2 1 70 40)"/><rect width="9" height="9" y="50" '
    'transform="skewY(10)" fill="blue"/>',
    "even-odd": '<path fill-rule="evenodd" stroke="red" d="M10 10h60v60h-60zM20 20h40v40h-40z"/>',
    "hidden": '<rect width="100" height="80" fill="#ddd"/><rect width="50" height="50" display="none"/><g '
    'visibility="hidden"><rect width="30" height="30"/><rect x="50" width="30" height="30" visibility="visible"/></g>',
    "text": '<text x="50" y="30" text-anchor="middle" font-family="display" font-weight="700" font-size="24" '
    'fill="#b23a28">AV12</text><text x="95" y="70" text-anchor="end" font-family="text" font-size="14" '
    'letter-spacing="1">waffle</text>',
}
# The same for these, in percent of the pixels.
SEAMS = (0.5, "its gradients have seams where their parts meet")
DARKER = (0.2, "it mixes a colour that fades with black; a circle has an edge of its colour at the radius, not outside")
ALLOWED = {"user space": SEAMS, "fading": DARKER}
ASPECTS = ["xMinYMin meet", "xMaxYMax", "xMidYMid slice", "none"]


def drawn(project: Any, folder: Path, drawing: str) -> Any:
    from msgspec.structs import replace

    write(folder, {"cards/g/art/drawing.svg": drawing.encode()})
    return replace(project, shelf=Shelf((folder, *project.shelf.roots)))


@pytest.mark.parametrize("name", list(DRAWINGS))
def test_what_svg_has(project: Any, tmp_path: Path, name: str) -> None:
    album = drawn(project, tmp_path, f"{HEAD}{DRAWINGS[name]}</svg>")
    most, _ = ALLOWED.get(name, (0.1, ""))
    assert difference(album, f"{BASE}art/g/drawing.svg", (300, 240)) <= most


@pytest.mark.parametrize("aspect", ASPECTS)
def test_a_drawing_in_room_of_another_shape(project: Any, tmp_path: Path, aspect: str) -> None:
    drawing = f'{HEAD.replace("viewBox", f"""preserveAspectRatio="{aspect}" viewBox""")}<circle cx="50" cy="40" r="39"/></svg>'
    album = drawn(project, tmp_path, drawing)
    assert difference(album, f"{BASE}art/g/drawing.svg", (300, 100)) <= 0.1


def test_a_drawing_without_a_view_box_has_its_own_size(project: Any, tmp_path: Path) -> None:
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="50mm" height="100">'
    album = drawn(project, tmp_path, f'{head}<rect width="100" height="100"/></svg>')
    assert difference(album, f"{BASE}art/g/drawing.svg", (200, 200)) <= 0.1


REFUSED = {
    "filter": '<filter id="f"/><rect width="9" height="9"/>',
    "`filter`": '<rect width="9" height="9" style="filter: url(#f)"/>',
    "mask": '<rect width="9" height="9" mask="url(#m)"/>',
    "marker-end": '<path d="M0 0h9" marker-end="url(#m)"/>',
    "pattern": '<pattern id="p"/><rect width="9" height="9" fill="url(#p)"/>',
    "image": '<image href="#x"/>',
    "tspan": "<text>a<tspan>b</tspan></text>",
    "within the `svg`": '<svg width="9" height="9"><rect width="9" height="9"/></svg>',
    "`reflect`": '<linearGradient id="l" spreadMethod="reflect"><stop/><stop offset="1"/></linearGradient>'
    '<rect width="9" height="9" fill="url(#l)"/>',
    "line with a gradient": '<linearGradient id="l"><stop/><stop offset="1" stop-color="red"/></linearGradient>'
    '<path d="M0 0h9" stroke="url(#l)"/>',
    "`a b`": "<style>a b{fill:red}</style>",
    "is no transform": '<rect width="9" height="9" transform="matrix(1 2)"/>',
    "mix-blend-mode": '<rect width="9" height="9" style="mix-blend-mode: multiply"/>',
}


@pytest.mark.parametrize("word", sorted(REFUSED))
def test_what_it_does_not_draw_it_says_by_name(word: str) -> None:
    assets = Assets(Shelf((ROOT,)))
    with pytest.raises(PictureProblem, match=re.escape(word)):
        SvgPainter(parse(f"{HEAD}{REFUSED[word]}</svg>".encode()), Canvas(Parts()), FontSet(assets, {})).draw()


HARD = {
    "pattern": '<pattern id="p" width="10" height="10" patternUnits="userSpaceOnUse"><circle cx="5" cy="5" r="4"/></pattern>'
    '<rect width="80" height="60" fill="url(#p)" stroke="red"/>',
    "mask": '<mask id="m"><rect width="50" height="80" fill="#888"/></mask><rect width="100" height="80" mask="url(#m)"/>',
    "marker": '<marker id="m" markerWidth="4" markerHeight="4" refX="2" refY="2"><circle cx="2" cy="2" r="2"/></marker>'
    '<path d="M10 10L50 60L90 10" stroke="#123" stroke-width="3" fill="none" marker-mid="url(#m)"/>',
    "text": '<text x="5" y="40" font-family="text" font-size="20">one <tspan fill="red">two</tspan></text>',
}


@pytest.mark.parametrize("name", sorted(HARD))
def test_what_it_does_not_draw_the_reference_engine_draws(project: Any, tmp_path: Path, name: str) -> None:
    album = drawn(project, tmp_path, f"{HEAD}{HARD[name]}</svg>")
    assert difference(album, f"{BASE}art/g/drawing.svg", (300, 240)) <= 0.1
    assert difference(album, f"{BASE}art/g/drawing.svg", (100, 240)) <= 0.1


def test_without_the_reference_engine_it_is_refused(
    project: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(job: Job) -> Rendering:
        raise EngineMissing("WeasyPrint finds no Pango")

    monkeypatch.setattr("cardgen.faces.card.pictures.render", missing)
    album = drawn(project, tmp_path, f"{HEAD}{HARD['mask']}</svg>")
    assets, url = Assets(album.shelf), f"{BASE}art/g/drawing.svg"
    paintings = painted([Picture(url, (0, 0, 90, 90))], assets, FontSet(assets, project.fonts), (100, 100))
    ((told, why),) = paintings.undrawn
    assert told == url and "`mask`" in why and "Pango" in why
    assert not is_blank(picture_of(pdf_of(paintings, (100, 100))))


def test_what_other_programs_leave_in_a_drawing_is_no_matter() -> None:
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:i="http://example.org/i" viewBox="0 0 9 9" i:version="1">'
        "<!-- made by hand --><title>T</title><metadata><i:x/></metadata><i:view/><defs/><g i:label='x'/></svg>"
    )
    assert [child.name for child in parse(drawing.encode()).root.children] == ["defs", "g"]


def test_elements_of_a_layout_come_in_small_letters_and_without_a_vocabulary() -> None:
    svg = parse(b'<svg viewbox="0 0 9 9"><clippath id="c"><rect width="3" height="3"/></clippath></svg>')
    assert svg.view == (0, 0, 9, 9) and svg.named["c"].name == "clippath"


@pytest.mark.parametrize(
    "drawing, word",
    [
        ("<svg><g>" * 2, "well-formed"),
        (f"<svg>{'<g>' * 200}{'</g>' * 200}</svg>", "deeper"),
        ('<svg><rect width="1e999" height="1"/></svg>', "without bounds"),
        ('<svg><g id="a"><use href="#a"/></g></svg>', "within itself"),
        (
            "<svg>"
            + "".join(f'<g id="g{n}">{f"""<use href="#g{n + 1}"/>""" * 10}</g>' for n in range(20))
            + '<path id="g20" d="M0 0h1"/></svg>',
            "draws more",
        ),
        ('<svg><rect fill="url(http://example.org/#a)"/></svg>', "never followed"),
    ],
)
def test_a_drawing_of_a_layout_is_bounded_as_files_are(drawing: str, word: str) -> None:
    with pytest.raises(PictureProblem, match=word):
        parse(drawing.encode())


@pytest.mark.parametrize(
    "data, expected",
    [
        ("M1 2L3 4", "1 2 m\n3 4 l\n"),
        ("m1,2,3,4z", "1 2 m\n4 6 l\nh\n"),
        ("M1 2h3v-4H0V0", "1 2 m\n4 2 l\n4 -2 l\n0 -2 l\n0 0 l\n"),
        ("M.5.5-1-1", "0.5 0.5 m\n-1 -1 l\n"),
        ("M1 1zl2 2", "1 1 m\nh\n3 3 l\n"),
        ("M0 0a1 1 0 010 0", "0 0 m\n"),
        ("M0 0a0 1 0 015 5", "0 0 m\n5 5 l\n"),
        ("M0 0L1 1x2 2", "0 0 m\n1 1 l\n"),
        ("M0 0L1", "0 0 m\n"),
        ("", ""),
    ],
)
def test_path_data(data: str, expected: str) -> None:
    assert operators(path_data(data)) == expected


def test_an_arc_ends_where_it_should_and_bulges_to_its_side() -> None:
    left, top, width, height = bounds(path_data("M0 0A5 5 0 0 1 10 0"))
    assert (left, width) == (pytest.approx(0, abs=0.2), pytest.approx(10, abs=0.4))
    assert top == pytest.approx(-5, abs=0.01) and height == pytest.approx(5, abs=0.01)
    # Radii that are too small are made to reach.
    assert bounds(path_data("M0 0A1 1 0 0 0 10 0"))[3] == pytest.approx(5, abs=0.01)


def test_the_order_of_transforms() -> None:
    assert matrix("translate(10 20) scale(2)") == pytest.approx((2, 0, 0, 2, 10, 20))
    assert matrix("rotate(90 5 5)") == pytest.approx((0, 1, -1, 0, 10, 0))
    with pytest.raises(PictureProblem):
        matrix("spin(4)")


@given(st.floats(1, 500), st.floats(1, 500), st.sampled_from(["xMinYMid", "xMaxYMin slice", "none", "xMidYMid"]))
def test_the_room_shows_the_part_of_the_plane_that_its_corners_come_from(
    width: float, height: float, aspect: str
) -> None:
    svg = parse(f'<svg viewBox="-5 3 40 30" preserveAspectRatio="{aspect}"/>'.encode())
    (a, _, _, d, e, f), (x, y, wide, high) = placed(svg, width, height)
    assert (a * x + e, d * y + f) == (pytest.approx(0, abs=0.3), pytest.approx(0, abs=0.3))
    assert (a * (x + wide) + e, d * (y + high) + f) == (pytest.approx(width, abs=0.6), pytest.approx(height, abs=0.6))


@given(st.text(alphabet="MmLlHhVvCcSsQqTtAaZz0123456789 .,-+e", max_size=60))
def test_any_path_data_gives_whole_segments(data: str) -> None:
    for name, values in path_data(data):
        assert len(values) == {"m": 2, "l": 2, "c": 6, "h": 0}[name]

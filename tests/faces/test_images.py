"""Pictures: every kind prints as it should; what cannot be drawn is told and replaced where everybody sees it."""

from __future__ import annotations

import io
import struct
import time
from collections.abc import Mapping
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from cardgen.diagnostics import Report
from cardgen.errors import PictureProblem
from cardgen.faces import raster
from cardgen.faces.assets import Assets, art_url
from cardgen.faces.engines import Job, render
from cardgen.faces.images import convert, look, serve
from cardgen.faces.make import FaceMaker
from cardgen.faces.svg import check_svg
from cardgen.files import Shelf, shipped_root
from cardgen.model.face import Face, Rendering
from cardgen.pipeline.build import build, check
from cardgen.pipeline.products import Options
from cardgen.pipeline.targets import choose
from cardgen.workers import Workers
from tests.faces.pictures import clear, encode, grey16, halves, sound, svg, turned
from tests.support import edit, load, write_project

LAYOUT = """\
{% set css = ["g/item.css"] %}
{% if card.art %}<img class="art" src="{{ art_url(card.art) }}">{% endif %}
"""
# 40 x 20 mm: 400 x 200 pixels make 254 dpi.
CSS = ".art { position: absolute; left: 10mm; top: 10mm; width: 40mm; height: 20mm }"


def project_of(tmp_path: Path, files: Mapping[str, bytes], names: list[str] | None = None, css: str = CSS) -> Path:
    """A project with a card for each picture that is named, `c0` and up; `files` lie in its art folder."""
    game = edit("cards/g/game.yaml", "      rules: {type: rich}", "      rules: {type: rich}\n      art: {type: image}")
    cards = "".join(
        f"c{number}:\n  kind: item\n  name: {name}\n  art: {name}\n" for number, name in enumerate(names or files)
    )
    changes = {**game, "cards/g/cards/items.yaml": cards, "layouts/g/item.html.j2": LAYOUT, "layouts/g/item.css": css}
    folder = write_project(tmp_path, changes)
    for name, data in files.items():
        path = folder / "cards/g/art" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def faces_of(folder: Path, report: Report) -> tuple[list[Face], Job]:
    project = load(folder)
    game = project.games["g"]
    maker = FaceMaker(project, report)
    made = [maker.make(card, game, "front") for card in game.cards.values()]
    faces = [face for face in made if face is not None]
    assert len(faces) == len(game.cards)
    return faces, Job(tuple(faces), Assets(project.shelf), project.fonts)


def run_check(folder: Path) -> list[str]:
    report = Report()
    project = load(folder)
    check(project, choose(project, (), ()), Workers(), report)
    return [f"{item.span}: {item.code}: {item.message}" + (f" ({item.hint})" if item.hint else "") for item in report]


def seen(rendering: Rendering) -> list[tuple[tuple[int, int, int], tuple[int, int, int]]]:
    """The colours that each page of a rendering shows in the left and the right half of its picture."""
    pages = []
    for page in pypdfium2.PdfDocument(rendering.pdf):
        image = page.render(scale=2).to_pil().convert("RGB")
        per_mm = image.width / 69
        pages.append(tuple(image.getpixel((int(x * per_mm), int(23 * per_mm))) for x in (20, 46)))
    return pages


def near(found: tuple[int, int, int], wanted: tuple[int, int, int], by: int = 6) -> bool:
    return all(abs(a - b) <= by for a, b in zip(found, wanted, strict=True))


RED, BLUE, GREYS = (255, 0, 0), (0, 128, 255), ((76, 76, 76), (104, 104, 104))


def test_every_kind_prints_as_it_should(tmp_path: Path) -> None:
    report = Report()
    files = sound()
    _, job = faces_of(project_of(tmp_path, files), report)
    rendering = render(job)
    assert not rendering.complaints and not rendering.failures
    for (name, _), (left, right) in zip(files.items(), seen(rendering), strict=True):
        if name.startswith("grey16"):
            wanted = (60_000 // 257,) * 3, (20_000 // 257,) * 3
        elif name.startswith("grey"):
            wanted = GREYS
        elif name.startswith("alpha"):
            wanted = (255, 127, 127), (127, 191, 255)
        elif name == "cmyk.jpg":
            # What pdfium makes of pure inks.
            wanted = (237, 28, 36), (0, 114, 188)
        else:
            wanted = RED, BLUE
        assert near(left, wanted[0]) and near(right, wanted[1]), (name, left, right)
    notes = {(item.arguments["name"], str(item.arguments["what"]).split()[1]) for item in report}
    assert {item.severity for item in report} == {"info"}
    assert notes == {
        ("cmyk.jpg", "CMYK:"),
        ("grey16.png", "16"),
        *((name, "stored") for name in ("turned.jpg", "turned.png", "turned.webp", "mirrored.jpg")),
        *((name, "animated;") for name in ("moving.webp", "moving.gif", "moving.png")),
    }


def test_every_kind_reaches_the_sheet(tmp_path: Path) -> None:
    report = Report()
    files = sound()
    project = load(project_of(tmp_path, files))
    built = build(project, choose(project, (), ()), tmp_path / "out", Options(), Workers(), report)
    assert not report.has_errors(strict=True), [item.message for item in report]
    (made,) = built.files
    pages = [page.render(scale=2).to_pil().convert("RGB") for page in pypdfium2.PdfDocument(made.path)]
    for number, name in enumerate(files):
        image = pages[number // 9]
        per_mm = image.width / 210
        left, top = (210 - 3 * 63) / 2 + number % 9 % 3 * 63, (297 - 3 * 88) / 2 + number % 9 // 3 * 88
        shown = [image.getpixel((int((left + x) * per_mm), int((top + 20) * per_mm))) for x in (20, 40)]
        assert shown[0] != shown[1] and (255, 255, 255) not in shown, name


@pytest.mark.parametrize("turn", range(1, 9))
@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP"])
def test_a_turned_picture_is_made_upright(turn: int, format: str) -> None:
    data = turned(turn, format)
    picture = look(data)
    assert (picture.width, picture.height) == (400, 200)
    made, mime = convert(data, picture)
    if turn == 1:
        # As it is, but for the EXIF of a photograph.
        assert made is data if format != "JPEG" else data.endswith(made[100:])
        return
    assert picture.notes == ("turned",)
    assert mime == ("image/jpeg" if format == "JPEG" else "image/png")
    with Image.open(io.BytesIO(made)) as image:
        assert image.size == (400, 200)
        assert "exif" not in image.info
        assert near(image.getpixel((50, 50)), RED) and near(image.getpixel((350, 50)), BLUE)
    assert convert(data, picture) == (made, mime)


@pytest.mark.parametrize("name", ["rgb.jpg", "upright.jpg", "cmyk.jpg", "progressive.jpg"])
def test_a_photograph_passes_unchanged(tmp_path: Path, name: str) -> None:
    files = {**sound(), "upright.jpg": turned(1, "JPEG")}
    _, job = faces_of(project_of(tmp_path, files, [name]), Report())
    with pikepdf.open(io.BytesIO(render(job).pdf)) as pdf:
        (image,) = pdf.pages[0].get("/Resources").XObject.values()
        found, data = image.read_raw_bytes(), files[name]
    # All but where and when it was taken.
    assert b"Exif" not in found
    assert found == data if name != "upright.jpg" else data.endswith(found[100:])


# --- what is missing ------------------------------------------------------------------------------------------------


def is_placeholder(pixels: tuple[tuple[int, int, int], tuple[int, int, int]], rendering: Rendering) -> bool:
    image = pypdfium2.PdfDocument(rendering.pdf)[0].render(scale=4).to_pil().convert("RGB")
    colours = {colour for _, colour in image.getcolors(1_000_000)}
    return {(201, 48, 44), (31, 32, 34)} <= colours


def test_a_missing_picture_is_told_and_seen(tmp_path: Path) -> None:
    folder = project_of(tmp_path, {"axe.png": encode(halves(), "PNG")}, ["axes.png"])
    assert run_check(folder) == [
        "cards/g/cards/items.yaml:4:8: CG307: the image `axes.png` of card `c0` is missing (did you mean `axe.png`?)"
    ]
    _, job = faces_of(folder, Report())
    rendering = render(job)
    assert not rendering.complaints
    assert is_placeholder(seen(rendering)[0], rendering)


def test_a_picture_that_appears_changes_the_faces_key(tmp_path: Path) -> None:
    data = encode(halves(), "PNG")
    folder = project_of(tmp_path, {"other.png": data}, ["axe.png"])
    keys = []
    for content in (None, data, encode(clear(), "PNG"), b"nothing", data):
        if content is not None:
            (folder / "cards/g/art/axe.png").write_bytes(content)
        (face,), _ = faces_of(folder, Report())
        keys.append(face.key)
    assert keys[1] == keys[4]
    assert len(set(keys)) == 4


def test_a_missing_picture_of_a_layout_is_told(tmp_path: Path) -> None:
    folder = project_of(tmp_path, {"axe.png": encode(halves(), "PNG")})
    layout = (
        LAYOUT + '<img class="art" src="{{ art_url("frame.svg") }}">\n<img class="art" src="{{ icon_url("heath") }}">\n'
    )
    (folder / "layouts/g/item.html.j2").write_text(layout)
    css = CSS + "\n.b { background-image: url(art/paper.svg) }"
    (folder / "layouts/g/item.css").write_text(css)
    assert run_check(folder) == [
        "layouts/g/item.css:2:28: CG307: the image `layouts/g/art/paper.svg` of style sheet `g/item.css` is missing "
        "(put it below `layouts/` or into `cards/<game>/art/` and name it from there)",
        "layouts/g/item.html.j2:3:1: CG307: the image `frame.svg` of layout `g/item` is missing (known: axe.png)",
        "layouts/g/item.html.j2:4:1: CG306: layout `g/item` (en): there is no icon `heath` (did you mean `health`?)",
    ]


def test_a_picture_outside_the_project_is_never_read(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(encode(halves(), "PNG"))
    folder = project_of(tmp_path / "project", {"axe.png": encode(halves(), "PNG")}, ["../../../../secret.png"])
    (found,) = run_check(folder)
    assert found.startswith("cards/g/cards/items.yaml:4:8: CG312: ")
    assert "climbs out" in found


# --- what is no picture ---------------------------------------------------------------------------------------------


def huge() -> bytes:
    """A PNG of 25 kB that would take 1.2 GB."""
    data = bytearray(encode(Image.new("1", (8, 8)), "PNG"))
    data[16:24] = struct.pack(">II", 20_000, 20_000)
    import zlib

    data[29:33] = struct.pack(">I", zlib.crc32(data[12:29]))
    return bytes(data)


WHOLE = sound()
BROKEN: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "the file is empty"),
    "text": (b"this is no picture", "it is none, or a broken one; pictures are PNG, JPEG, WebP, GIF or SVG"),
    "tiff": (encode(halves(), "TIFF"), "it is TIFF; pictures are"),
    "bmp": (encode(halves(), "BMP"), "it is BMP; pictures are"),
    "heic": (b"\0\0\0\x18ftypheic" + bytes(60), "it is AVIF or HEIC; pictures are"),
    "lfs": (b"version https://git-lfs.github.com/spec/v1\n", "it is Git LFS pointer"),
    "html": (b"<!doctype html><title>404</title><p>Not found", "it is not well-formed SVG"),
    "huge": (huge(), "it has more than 200 megapixels; at most 100 are read"),
    "cut-rgb.jpg": (WHOLE["rgb.jpg"][:-200], "the file is cut off"),
    "cut-rgb.png": (WHOLE["rgb.png"][:-20], "the file is cut off"),
    "cut-webp": (WHOLE["rgb.webp"][:-20], "the file is broken or cut off"),
    "cut-gif": (WHOLE["moving.gif"][:400], "the file is cut off"),
    "flipped.png": (WHOLE["rgb.png"].replace(b"IDAT", b"IDAT\1", 1), "the file is cut off"),
    "header": (WHOLE["rgb.png"][:20], "the file is broken or cut off"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_picture_is_told_and_seen(tmp_path: Path, name: str) -> None:
    data, problem = BROKEN[name]
    with pytest.raises(PictureProblem, match=problem.replace("(", r"\(")):
        look(data)
    folder = project_of(tmp_path, {"axe.png": data})
    (found,) = run_check(folder)
    assert found.startswith(f"cards/g/art/axe.png: CG312: `axe.png` is not a usable image: {problem}")
    _, job = faces_of(folder, Report())
    rendering = render(job)
    assert not rendering.complaints
    assert is_placeholder(seen(rendering)[0], rendering)


@pytest.mark.parametrize("name", [name for name in WHOLE if not name.endswith(".svg")])
def test_a_picture_is_cut_off_wherever_it_is_cut(name: str) -> None:
    """Of an animation, only the first picture counts."""
    data = WHOLE[name]
    assert look(data)
    step = max(1, len(data) // 60)
    whole = [size for size in range(1, len(data) - 3, step) if not _fails(data[:size])]
    assert whole == [] or name.startswith("moving.")


def _fails(data: bytes) -> bool:
    try:
        look(data)
    except PictureProblem:
        return True
    return False


@given(st.data())
def test_hostile_bytes_are_a_problem_or_a_picture(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(WHOLE)))
    content = bytearray(WHOLE[name])
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, min(400, len(content) - 1)))] = data.draw(st.integers(0, 255))
    try:
        picture = look(bytes(content))
        convert(bytes(content), picture)
    except PictureProblem as problem:
        assert str(problem)


def test_whatever_is_served_a_project_can_draw(tmp_path: Path) -> None:
    shelf = Shelf((project_of(tmp_path, {"axe.png": b"nothing"}), shipped_root()))
    data, mime = serve(Assets(shelf), art_url("g", "axe.png"))
    assert mime == "image/svg+xml"
    assert look(data).format == "SVG"


# --- drawings -------------------------------------------------------------------------------------------------------

BOMB = '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
) + "]>"  # fmt: skip


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"<html></html>", "its outermost element is `html`, not `svg`"),
        (b"<svg", "not well-formed SVG: unclosed token (line 1)"),
        (b"<svg>\n<g></svg>", "not well-formed SVG: mismatched tag (line 2)"),
        (b"<?xml version='1.0' encoding='klingon'?><svg/>", "not well-formed SVG: unknown encoding"),
        (svg("&j;", BOMB), "it declares entities"),
        (svg("&a;", '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>'), "it declares entities"),
        (svg('<image href="file:///etc/passwd"/>'), "it refers to `file:///etc/passwd`, which is never followed"),
        (svg('<image xlink:href="http://a.b/c.png"/>'), "it refers to `http://a.b/c.png`"),
        (svg('<use xlink:href="other.svg#a"/>'), "it refers to `other.svg#a`"),
        (svg('<image href="data:image/png;base64,AAAA"/>'), "it embeds another picture"),
        (svg('<rect fill="url(http://a.b/c.svg#d)"/>'), "it refers to `http://a.b/c.svg#d`"),
        (svg("<rect style=\"fill: URL('c.svg#d')\"/>"), "it refers to `c.svg#d`"),
        (svg("<style>@import 'a.css';</style>"), "its style imports another file"),
        (svg("<style>rect { fill: url(a.svg#b) }</style>"), "it refers to `a.svg#b`"),
        (svg("<style>@font-face { src: url(a.ttf) }</style>"), "it refers to `a.ttf`"),
        (svg("<script>alert(1)</script>"), "it holds a script"),
        (svg("<foreignObject><p>x</p></foreignObject>"), "it holds HTML"),
        (svg("<g>" * 150 + "</g>" * 150), "nested deeper than 100"),
        (svg("<g/>" * 100_001), "more than 100000 elements"),
        (svg("<!--" + "x" * 5_000_000 + "-->"), "larger than 5 MB"),
        (svg('<g id="a"><use href="#a"/></g>'), "`#a` is drawn within itself"),
        (b'<svg viewBox="0 0 a b"/>', "its `viewBox` is not four numbers"),
        (b'<svg viewBox="0 0 1"/>', "its `viewBox` is not four numbers"),
        (b'<svg viewBox="0,0 0 1"/>', "its `viewBox` has no size"),
        (b'<svg viewBox="0 0 nan 1"/>', "its `viewBox` has no size"),
        (svg('<rect width="nan"/>'), "`width` of `rect` holds a number without bounds"),
        (svg('<rect width="1e999"/>'), "`width` of `rect` holds a number without bounds"),
        (svg('<path d="M1 2L12345678901 3"/>'), "`d` of `path` holds a number without bounds"),
        (svg('<g transform="scale(-inf)"/>'), "`transform` of `g` holds a number without bounds"),
        (svg('<g style="stroke-width: infinity"/>'), "`style` of `g` holds a number without bounds"),
        (svg("".join(f'<g id="a{n}">{f"<use href=`#a{n + 1}`/>" * 10}</g>'.replace("`", '"') for n in range(9))
             + '<g id="a9"><path/></g>'), "with all that it repeats"),
        (svg("".join(f'<mask id="m{n}">{f"<g mask=`url(#m{n + 1})`/>" * 10}</mask>'.replace("`", '"')
                     for n in range(9)) + '<mask id="m9"><path/></mask><g mask="url(#m0)"/>'), "with all that it repeats"),
        (svg('<marker id="m">' + "<path/>" * 1000 + f'</marker><path marker-mid="url(#m)" d="{"M0 0" * 1000}"/>'),
         "with all that it repeats"),
    ],
)  # fmt: skip
def test_a_drawing_that_is_not_drawn(data: bytes, problem: str) -> None:
    started = time.process_time()
    with pytest.raises(PictureProblem) as found:
        check_svg(data)
    assert problem in str(found.value)
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    "data",
    [
        svg('<defs><g id="a"/></defs><use href="#a"/><use xlink:href="#a"/><rect fill="url(#b)"/>'),
        svg('<a href="https://example.org"><path d="M0 0"/></a><style>.a { fill: url(#b) }</style>'),
        svg("<title>x</title>", '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" '
            '"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'),
        b"\xef\xbb\xbf<svg/>",
        "<?xml version='1.0' encoding='utf-16'?><svg/>".encode("utf-16"),
        svg('<path id="nan" class="inf" d="M.123456789012-3e-5 1e9"/><g id="x1234567890123" fill="url(#inf)"/><use href="#" fill="#e3e33f" stroke="#1234567890"/>'),
        svg("<metadata><x xmlns='urn:x' href2='http://a'/></metadata>" + "<g>" * 90 + "</g>" * 90),
    ],
)  # fmt: skip
def test_a_drawing_that_is_drawn(data: bytes) -> None:
    assert look(data).format == "SVG"
    assert look(data).fonts == frozenset()


def test_the_deepest_drawing_is_drawn(tmp_path: Path) -> None:
    inside = '<rect width="20" height="20" fill="#f00"/><rect x="20" width="20" height="20" fill="#0080ff"/>'
    chain = "".join(f'<g id="a{n}"><use href="#a{n + 1}"/></g>' for n in range(48)) + f'<g id="a48">{inside}</g>'
    files = {
        "deep.svg": svg("<g>" * 98 + inside + "</g>" * 98),
        "chain.svg": svg(f'<defs>{chain}</defs><use href="#a0"/>'),
    }
    _, job = faces_of(project_of(tmp_path, files), Report())
    rendering = render(job)
    assert not rendering.complaints
    assert seen(rendering) == [(RED, BLUE)] * 2


def test_what_an_engine_stumbles_over_is_told_with_its_file(tmp_path: Path) -> None:
    files = {"axe.svg": svg('<g transform="rotate(x)"><path d="M0 0"/></g>')}
    assert run_check(project_of(tmp_path, files)) == [
        "cards/g/art/axe.svg: CG312: `axe.svg` is not a usable image: the engine stopped in the middle of drawing it"
    ]


def test_the_fonts_of_a_drawing_are_roles(tmp_path: Path) -> None:
    texts = {
        "a.svg": svg("<text font-family=\"text, 'Comic Sans'\">x</text>"),
        "b.svg": svg("<text>x</text>"),
        "c.svg": svg("<style>text { font-family: display }</style><text>x</text>"),
        "d.svg": svg('<g style="font-family: Arial"/>'),
    }
    assert [found.partition(" (")[0] for found in run_check(project_of(tmp_path, texts))] == [
        "cards/g/art/a.svg: CG316: `a.svg` writes text in `Comic Sans`",
        "cards/g/art/b.svg: CG316: `b.svg` writes text in `no stated font`",
    ]


# --- resolution -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("css", "dpi"),
    [
        ("width: 40mm; height: 20mm", None),
        ("width: 60mm; height: 30mm", 169),
        ("width: 40mm; height: 40mm", 127),
        ("width: 40mm; height: 40mm; object-fit: contain", None),
        ("width: 40mm; height: 40mm; object-fit: cover", 127),
        ("width: 30mm; height: 60mm; transform: rotate(90deg)", 85),
    ],
)
def test_a_coarse_picture_is_told_with_its_real_figure(tmp_path: Path, css: str, dpi: int | None) -> None:
    folder = project_of(
        tmp_path, {"a.png": encode(halves(), "PNG")}, css=f".art {{ position: absolute; left: 0; top: 0; {css} }}"
    )
    found = run_check(folder)
    if dpi is None:
        assert found == []
        return
    (line,) = found
    assert line.startswith(f"cards/g/art/a.png: CG315: c0/front: `a.png` prints at {dpi} dpi; at least 200 are wanted")
    assert "it has 400 x 200 pixels on " in line


def test_a_coarse_background_is_told(tmp_path: Path) -> None:
    css = ".art { position: absolute; width: 60mm; height: 30mm; background-image: url(art/b.png); background-size: cover }"
    folder = project_of(tmp_path, {"a.svg": svg("<g/>")}, css=css)
    path = folder / "layouts/g/art/b.png"
    path.parent.mkdir(parents=True)
    path.write_bytes(encode(halves(), "PNG"))
    (line,) = run_check(folder)
    assert line.startswith("layouts/g/art/b.png: CG315: g/item: `layouts/g/art/b.png` prints at 169 dpi")


def test_each_picture_is_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []
    monkeypatch.setattr("cardgen.faces.pictures.look", lambda data: looks.append(data) or look(data))
    report = Report()
    faces, _ = faces_of(project_of(tmp_path, {"a.png": grey16()}, ["a.png"] * 30), report)
    assert len(faces) == 30 and len(looks) == 1
    assert len(report) == 1


def test_what_a_look_finds_is_kept_in_the_process_and_what_is_broken_is_told_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks = []
    monkeypatch.setattr("cardgen.faces.images._raster", lambda: looks.append(1) or raster)
    data = encode(halves().resize((37, 11)), "PNG")
    assert look(data) == look(bytes(bytearray(data))) and len(looks) == 1
    for _ in range(2):
        with pytest.raises(PictureProblem):
            look(data[:-20])
    assert len(looks) == 3

"""Faces that were painted, on their way into a file: as they are, with what they share once, beside any others."""

from __future__ import annotations

import io
import pickle
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from making import POKER, Make, Pixels
from msgspec.structs import replace
from PIL import Image, ImageDraw

from cardgen.faces.assets import BASE, Assets
from cardgen.faces.card.display import Area, Drawing, Group, Item, Picture, Text
from cardgen.faces.card.fonts import FontSet
from cardgen.faces.card.paint import paint
from cardgen.files import Shelf
from cardgen.model.face import Rendering
from cardgen.model.painted import Blob
from cardgen.model.sheet import PAPERS, Imposition, Imprint, Piece, SheetTemplate
from cardgen.pdf.painted import face_pdf, rendering_pdf
from cardgen.pdf.raster import page_image
from cardgen.pdf.sheets import Sheets
from cardgen.pdf.writer import write_pdf
from cardgen.sheets.impose import impose
from tests.support import load

Run = Callable[..., str]
A4 = PAPERS["a4"].size
NINE = SheetTemplate("a4-3x3", 1, "Nine", "a4", 3, 3, "portrait")
SINGLE = SheetTemplate("single-1up", 1, "One", None, margin=0.0, bleed="each", marks="none", ruler=False, labels=False)
KEYS = [f"face-{number}" for number in range(11)]
FADING = (
    '<svg viewBox="0 0 20 10"><linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue" '
    'stop-opacity=".5"/></linearGradient><rect width="20" height="10" fill="url(#g)"/></svg>'
)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory, root: Path) -> tuple[Assets, FontSet]:
    """What faces are painted with: the shipped fonts, a picture that is clear in places, a photograph."""
    project = load(root)
    folder = tmp_path_factory.mktemp("art")
    art = folder / "cards" / "g" / "art"
    art.mkdir(parents=True)
    clear = Image.new("RGBA", (40, 30), (200, 40, 40, 0))
    ImageDraw.Draw(clear).ellipse((5, 5, 35, 25), fill=(30, 60, 160, 200))
    clear.save(art / "clear.png")
    Image.radial_gradient("L").convert("RGB").save(art / "photo.jpg")
    assets = Assets(Shelf((folder, *project.shelf.roots)))
    return assets, FontSet(assets, project.fonts)


def face(number: int, fontset: FontSet) -> tuple[Item, ...]:
    """A face with all that has a name in a PDF."""
    bold = fontset.style(("display", "text"), 700, False)
    plain = fontset.style(("text",), 400, False)
    items: list[Item] = [
        Area((-12, -12, 262, 357), (number / 11, 0.5, 0.6, 1.0)),
        Picture(f"{BASE}art/g/clear.png", (10, 10, 80, 60)),
        Picture(f"{BASE}art/g/photo.jpg", (100, 10, 80, 60), radii=((30.0, 30.0),) * 4),
        Picture(f"{BASE}icon/twd/die-red/1f2022", (190, 10, 30, 30)),
        Drawing(FADING, (10, 90, 80, 40)),
        Group((Area((100, 90, 50, 50), (1, 0, 0, 1)), Area((120, 110, 50, 50), (0, 0, 1, 1))), opacity=0.5),
    ]
    for style, text, y in ((bold, f"Card number {number}", 180), (plain, f"ñandú, 50 × 2, waffle {number * 7}", 210)):
        items += [Text(run, 10, y, 14, (0, 0, 0, 1)) for run in style.shape(text, "es")]
    return tuple(items)


def rendering(stage: tuple[Assets, FontSet], keys: Sequence[str]) -> Rendering:
    assets, fontset = stage
    faces = [(key, face(int(key.removeprefix("face-")), fontset)) for key in keys]
    made = paint(faces, assets, POKER, fontset)
    assert not made.undrawn and not made.failures
    return Rendering(b"", tuple(keys), POKER, POKER.bleed, (), pictures=made.pictures, painted=made.painted)


def imposed(keys: Sequence[str], template: SheetTemplate = NINE, copies: int = 1) -> Imposition:
    pieces = [Piece(key, None, key, copies) for key in keys]
    return impose(pieces, template, POKER, A4 if template.paper else None, Imprint("Painted", "1", "es"))


@pytest.fixture(scope="module")
def eleven(stage: Any) -> Rendering:
    return rendering(stage, KEYS)


@pytest.fixture(scope="module")
def written(eleven: Rendering, label_font: bytes) -> bytes:
    return write_pdf(imposed(KEYS), [eleven], [label_font])


def test_a_file_is_sound_and_its_texts_can_be_read(written: bytes, run: Run) -> None:
    assert "No syntax or stream encoding errors" in run(written, "qpdf", "--check", "{}")
    text = run(written, "pdftotext", "-layout", "{}", "-")
    for number in range(11):
        assert len(re.findall(rf"Card number {number}\b", text)) == 1
        assert f"ñandú, 50 × 2, waffle {number * 7}" in text
    rows = run(written, "pdffonts", "{}").splitlines()[2:]
    assert len(rows) == 2 and all("yes yes yes" in row for row in rows)


def test_each_thing_is_there_once(written: bytes, run: Run) -> None:
    images = [row.split()[2] for row in run(written, "pdfimages", "-list", "{}").splitlines()[2:]]
    assert images.count("smask") == 11  # listed once a use
    with pikepdf.open(io.BytesIO(written)) as pdf:
        streams = [found for found in pdf.objects if isinstance(found, pikepdf.Stream)]
        assert sum(found.get("/Subtype") == "/Image" for found in streams) == 3
        # The icon's form, and of each face the group of its mask and of its two squares, which are all equal.
        assert sum(found.get("/Subtype") == "/Form" for found in streams) == 3
        assert len({page.obj.Resources.objgen for page in pdf.pages}) == 1


def test_the_bytes_do_not_depend_on_how_the_work_was_dealt_out(stage: Any, written: bytes, label_font: bytes) -> None:
    parts = [rendering(stage, KEYS[7:]), rendering(stage, KEYS[:3]), rendering(stage, KEYS[3:7])]
    sent = [pickle.loads(pickle.dumps(part)) for part in parts]
    assert write_pdf(imposed(KEYS), sent, [label_font]) == written
    assert write_pdf(imposed(KEYS), parts[::-1], [label_font]) == written


def test_sheets_that_are_known_give_the_same_bytes(
    stage: Any, eleven: Rendering, written: bytes, label_font: bytes
) -> None:
    first = Sheets()
    assert write_pdf(imposed(KEYS), [eleven], [label_font], first) == written and len(first.now) == 2
    again = Sheets(first.now)
    assert write_pdf(imposed(KEYS), [eleven], [label_font], again) == written and not again.is_new
    # Of the faces on known sheets it is asked what they use, and nothing else.
    assert eleven.painted is not None
    blank = tuple(replace(face, content=b"") for face in eleven.painted.faces)
    emptied = replace(eleven, painted=replace(eleven.painted, faces=blank))
    assert write_pdf(imposed(KEYS), [emptied], [label_font], Sheets(first.now)) == written
    # Other faces, other places, other words, and faces that are placed more often are other sheets.
    for other in (imposed(KEYS[::-1]), imposed(KEYS[:1], copies=11), imposed(KEYS, SINGLE), imposed(KEYS[1:])):
        known = Sheets(first.now)
        assert write_pdf(other, [eleven], [label_font], known) == write_pdf(other, [eleven], [label_font])
        assert known.is_new


def test_what_workers_send_is_kept_once(eleven: Rendering) -> None:
    assert eleven.painted is not None
    sent = pickle.loads(pickle.dumps(eleven))
    assert sent == eleven
    assert sent.painted.fonts[0] is eleven.painted.fonts[0]
    assert Blob(bytes(eleven.painted.fonts[0].data)) is eleven.painted.fonts[0]


def test_a_face_that_is_placed_often_is_one_form(eleven: Rendering, label_font: bytes, pixels: Any) -> None:
    once = write_pdf(imposed(KEYS[:1]), [eleven], [label_font])
    often = write_pdf(imposed(KEYS[:1], copies=9), [eleven], [label_font])
    with pikepdf.open(io.BytesIO(often)) as pdf:
        forms = [
            found for found in pdf.objects if isinstance(found, pikepdf.Stream) and found.get("/Subtype") == "/Form"
        ]
        assert len(forms) == 4
    assert len(often) < len(once) + 3000
    part = (15.0, 20.0, 55.0, 80.0)
    assert pixels(once, 1, part, 60).data == pixels(often, 1, part, 60).data


def test_painted_faces_stand_beside_the_reference_engines_and_share_their_fonts(
    eleven: Rendering, make: Make, label_font: bytes, run: Run
) -> None:
    other = make({"other": '<div class="trim">Anders</div>'})
    pdf = write_pdf(imposed([*KEYS[:2], "other"]), [eleven, other], [label_font])
    assert "No syntax" in run(pdf, "qpdf", "--check", "{}")
    text = run(pdf, "pdftotext", "-layout", "{}", "-")
    assert "Card number 1" in text and "Anders" in text
    assert len(run(pdf, "pdffonts", "{}").splitlines()[2:]) == 2


def test_a_rendering_has_a_page_a_face_as_the_sheets_show_it(
    eleven: Rendering, label_font: bytes, pixels: Callable[..., Pixels], run: Run
) -> None:
    whole = rendering_pdf(eleven)
    assert "No syntax" in run(whole, "qpdf", "--check", "{}")
    assert "Pages:           11" in run(whole, "pdfinfo", "{}")
    single = write_pdf(imposed(KEYS, SINGLE), [eleven], [label_font])
    for page in (0, 10):
        assert page_image(whole, page, 80).tobytes() == page_image(single, page, 80).tobytes()
    assert page_image(whole, 0, 80).tobytes() != page_image(whole, 10, 80).tobytes()
    assert rendering_pdf(eleven) == whole
    alone, page = face_pdf(eleven, 10)
    assert page_image(alone, page, 80).tobytes() == page_image(whole, 10, 80).tobytes()
    assert "Pages:           1\n" in run(alone, "pdfinfo", "{}")


def test_the_reference_engines_rendering_is_its_own_pdf(make: Make) -> None:
    made = make({"a": "A"})
    assert rendering_pdf(made) == made.pdf
    assert face_pdf(made, 0) == (made.pdf, 0)


def test_a_rendering_without_faces_has_no_pages(stage: Any, eleven: Rendering, label_font: bytes) -> None:
    nothing = rendering(stage, [])
    assert rendering_pdf(nothing) == b""
    assert write_pdf(imposed(KEYS), [nothing, eleven], [label_font]) == write_pdf(imposed(KEYS), [eleven], [label_font])


def test_fonts_have_the_drawn_glyphs_only(eleven: Rendering, label_font: bytes) -> None:
    few = write_pdf(imposed(KEYS[:1], SINGLE), [eleven], [label_font])
    many = write_pdf(imposed(KEYS, SINGLE), [eleven], [label_font])

    def maps(pdf: bytes) -> list[int]:
        with pikepdf.open(io.BytesIO(pdf)) as file:
            fonts = [found for found in file.objects if isinstance(found, pikepdf.Dictionary) and "/ToUnicode" in found]
            return sorted(len(re.findall(rb"<[0-9a-f]{4}> <", bytes(font.ToUnicode.read_bytes()))) for font in fonts)

    assert len(maps(few)) == len(maps(many)) == 2
    assert sum(maps(few)) < sum(maps(many)) < 60


def test_what_another_engine_drew_stands_in_a_painted_face(stage: Any, label_font: bytes, run: Run) -> None:
    pytest.importorskip("weasyprint")
    assets, fontset = stage
    hard = assets.shelf.roots[0] / "cards" / "g" / "art" / "hard.svg"
    hard.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><pattern id="p" width=".2" height=".2"><circle '
        'cx="2" cy="2" r="2"/></pattern><rect width="40" height="20" fill="url(#p)"/><text y="15" font-family="text" '
        'font-size="8">Hard <tspan fill="red">drawn</tspan></text></svg>'
    )
    picture = Picture(f"{BASE}art/g/hard.svg", (20, 20, 160, 80))

    def made(keys: Sequence[str]) -> Rendering:
        faces = [(key, (*face(int(key[-1]), fontset), picture)) for key in keys]
        found = paint(faces, assets, POKER, fontset)
        assert not found.undrawn
        return Rendering(b"", tuple(keys), POKER, POKER.bleed, (), painted=found.painted)

    whole = write_pdf(imposed(KEYS[:3]), [made(KEYS[:3])], [label_font])
    assert "No syntax" in run(whole, "qpdf", "--check", "{}")
    assert run(whole, "pdftotext", "{}", "-").count("drawn") == 3
    assert len(run(whole, "pdffonts", "{}").splitlines()[2:]) == 2
    parts = [pickle.loads(pickle.dumps(made(keys))) for keys in (KEYS[2:3], KEYS[:2])]
    assert write_pdf(imposed(KEYS[:3]), parts, [label_font]) == whole

"""Files: sound, complete, each thing once, and the same bytes however the work was dealt out."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from xml.etree import ElementTree

import pikepdf
import pytest
from making import POKER, WIDE_FONT, Make
from msgspec.structs import replace

from cardgen.errors import CardgenError
from cardgen.model.face import Rendering
from cardgen.model.sheet import PAPERS, Imposition, Imprint, Piece, SheetTemplate
from cardgen.pdf.labels import missing_letters
from cardgen.pdf.writer import write_pdf
from cardgen.sheets.impose import impose

A4 = PAPERS["a4"].size
NINE = SheetTemplate("a4-3x3", 1, "Nine", "a4", 3, 3, "portrait")
SINGLE = SheetTemplate("single-1up", 1, "One", None, margin=0.0, bleed="each", marks="none", ruler=False, labels=False)
IMPRINT = Imprint("Equipment", "1.2", "es", "Somebody & others, CC BY 4.0", "Cards <for> a game")
Run = Callable[..., str]

DOT = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFElEQVR4nGP8z8DAwMDAxMDAAAANHQEDasKb6QAAAABJRU5E"
    "rkJggg=="
)
# A shape half seen through another, a picture, a repeated background, a gradient in an SVG: all that has a name in a PDF.
RICH = """
    <div style="position:absolute; inset:0; background:{colour}"></div>
    <div class="trim">
        <div style="opacity:{opacity}; background:red; width:20mm; height:20mm"></div>
        <img src="{dot}" style="width:9mm; height:9mm">
        <div style="width:20mm; height:12mm; background:url({dot}) 0 0/4mm 4mm"></div>
        <svg width="20mm" height="10mm"><linearGradient id="{id}"><stop stop-color="red"/>
            <stop offset="1" stop-color="blue" stop-opacity=".5"/></linearGradient>
            <rect width="100" height="60" fill="url(#{id})"/></svg>
        <p>{name}: ñandú, 50 × 2</p>
    </div>
"""


def rich(count: int) -> dict[str, str]:
    return {
        f"face-{i}": RICH.format(
            colour=f"rgb({40 * i},90,120)", opacity=0.3 + i / 20, name=f"Card number {i}", dot=DOT, id=f"gradient-{i}"
        )
        for i in range(count)
    }


def imposed(keys: list[str], template: SheetTemplate = NINE, copies: int = 1, back: str | None = None) -> Imposition:
    pieces = [Piece(key, back, key, copies) for key in keys]
    return impose(pieces, template, POKER, A4 if template.paper else None, IMPRINT)


@pytest.fixture(scope="module")
def eleven(make: Make) -> Rendering:
    return make(rich(11))


@pytest.fixture(scope="module")
def written(eleven: Rendering, label_font: bytes) -> bytes:
    return write_pdf(imposed(list(eleven.keys)), [eleven], [label_font])


# --- soundness -------------------------------------------------------------------------------------------------------


def test_a_file_is_sound(written: bytes, run: Run) -> None:
    assert "No syntax or stream encoding errors" in run(written, "qpdf", "--check", "{}")
    assert "Pages:           2" in run(written, "pdfinfo", "{}")


def test_other_readers_draw_it_without_complaint(
    written: bytes, run: Run, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("drawn")
    assert run(written, "pdftoppm", "-r", "30", "-png", "{}", str(folder / "page")) == ""
    assert len(list(folder.glob("*.png"))) == 2


def test_all_fonts_are_embedded_subset_and_there_once(written: bytes, run: Run) -> None:
    rows = run(written, "pdffonts", "{}").splitlines()[2:]
    assert len(rows) == 1  # labels and faces are set in the same file
    assert re.search(r"[A-Z]{6}\+FiraSansCondensed-Regular +CID TrueType +Identity-H +yes yes yes", rows[0])


def test_texts_can_be_read_out(written: bytes, run: Run) -> None:
    text = run(written, "pdftotext", "-layout", "{}", "-")
    for number in range(11):
        assert len(re.findall(rf"Card number {number}\b", text)) == 1
    assert text.count("ñandú, 50 × 2") == 11
    assert "Equipment v1.2 · es" in text
    assert "Somebody & others, CC BY 4.0" in text
    assert "sheet 1 of 2 · a4-3x3 v1" in text
    assert "print at 100 %" in text


def test_a_name_stands_there_as_often_as_its_copies(eleven: Rendering, label_font: bytes, run: Run) -> None:
    pieces = [Piece(key, None, key, copies) for copies, key in enumerate(eleven.keys)]
    pdf = write_pdf(impose(pieces, NINE, POKER, A4, IMPRINT), [eleven], [label_font])
    text = run(pdf, "pdftotext", "-layout", "{}", "-")
    for copies in range(11):
        assert len(re.findall(rf"Card number {copies}\b", text)) == copies


# --- each thing once -------------------------------------------------------------------------------------------------


def opened(pdf: bytes) -> pikepdf.Pdf:
    return pikepdf.open(io.BytesIO(pdf))


def test_pages_share_their_resources(written: bytes) -> None:
    with opened(written) as pdf:
        assert len({page.obj.Resources.objgen for page in pdf.pages}) == 1


def test_no_whole_font_slips_in_with_a_group_or_a_mask(written: bytes) -> None:
    # The groups of a rendering name all its fonts, whether they set text or not.
    with opened(written) as file:
        fonts = [item for item in file.objects if isinstance(item, pikepdf.Stream) and "/Length1" in item]
        assert len(fonts) == 1
        assert int(fonts[0].Length1) < 20_000
        # There is a mask, else this would show nothing.
        plain = io.BytesIO()
        file.save(plain, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    assert b"/SMask" in plain.getvalue()


def test_a_picture_is_stored_once(written: bytes, run: Run) -> None:
    images = [row.split() for row in run(written, "pdfimages", "-list", "{}").splitlines()[2:]]
    assert images
    assert len({row[10] for row in images if row[2] == "image"}) == 1


def test_a_face_placed_once_is_inlined_and_one_placed_often_is_a_form(make: Make, label_font: bytes) -> None:
    plain = make({key: f'<div class="trim">{key}</div>' for key in ("once", "twice", "back")})
    once, twice = Piece("once", "back", "once"), Piece("twice", "back", "twice", copies=2)
    pdf = write_pdf(impose([once, twice], NINE, POKER, A4, IMPRINT), [plain], [label_font])
    with opened(pdf) as file:
        contents = [page.Contents.read_bytes() for page in file.pages]
        assert sorted(file.pages[0].obj.Resources.XObject.keys()) == ["/X1", "/X2"]
    assert contents[0].count(b"/X1 Do") == 2
    assert contents[1].count(b"/X2 Do") == 3


def test_a_faces_form_keeps_its_bleed(make: Make, label_font: bytes) -> None:
    pdf = write_pdf(imposed(["a"], copies=2), [make({"a": "a"})], [label_font])
    with opened(pdf) as file:
        box = [float(side) for side in file.pages[0].obj.Resources.XObject.X1.BBox]
    assert box == pytest.approx([0, 0, 69 / 25.4 * 72, 94 / 25.4 * 72], abs=1e-3)


def test_many_copies_cost_next_to_nothing(eleven: Rendering, label_font: bytes) -> None:
    few = len(write_pdf(imposed(list(eleven.keys)[:1], copies=2), [eleven], [label_font]))
    many = len(write_pdf(imposed(list(eleven.keys)[:1], copies=90), [eleven], [label_font]))
    assert many - few < 10 * 1200  # ten pages and their labels, no tenth face


def test_fonts_hold_the_glyphs_that_are_drawn_and_no_others(make: Make, label_font: bytes) -> None:
    faces = make({"a": '<div class="trim">abc</div>', "b": '<div class="trim">xyz</div>'})
    template = replace(NINE, ruler=False, labels=False)
    with opened(write_pdf(imposed(["a"], template), [faces], [])) as file:
        (font,) = file.pages[0].obj.Resources.Font.values()
        letters = re.findall(rb"> <00([0-9a-f]{2})>", font.ToUnicode.read_bytes())
    assert letters == [b"61", b"62", b"63"]


# --- determinism -----------------------------------------------------------------------------------------------------


def test_the_same_input_gives_the_same_bytes(eleven: Rendering, label_font: bytes, written: bytes) -> None:
    assert write_pdf(imposed(list(eleven.keys)), [eleven], [label_font]) == written


def test_other_processes_and_hash_seeds_give_the_same_bytes() -> None:
    program = (
        "import sys; sys.path.insert(0, 'tests/pdf');"
        "import making, hashlib; from test_pdf_writer import *;"
        "faces = making.draw_faces(rich(3)); font = making.TEXT_FONT.read_bytes();"
        "print(hashlib.sha256(write_pdf(imposed(list(faces.keys)), [faces], [font])).hexdigest())"
    )
    digests = set()
    for seed, zone in (("0", "UTC"), ("17", "Asia/Tokyo")):
        environment = {"PYTHONHASHSEED": seed, "TZ": zone, "PATH": "/usr/bin:/bin", "PYTHONPATH": "."}
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=120
        )
        assert done.returncode == 0, done.stderr
        digests.add(done.stdout)
    assert len(digests) == 1


@pytest.mark.parametrize("cuts", [[5], [1, 2, 3], [3, 9]])
def test_it_does_not_matter_how_faces_are_dealt_out(
    cuts: list[int], make: Make, label_font: bytes, written: bytes
) -> None:
    faces = list(rich(11).items())
    edges = [0, *cuts, len(faces)]
    parts = [make(dict(faces[start:end])) for start, end in pairwise(edges)]
    assert write_pdf(imposed([key for key, _ in faces]), parts, [label_font]) == written
    assert write_pdf(imposed([key for key, _ in faces]), parts[::-1], [label_font]) == written


def test_faces_that_are_not_placed_leave_no_trace(make: Make, label_font: bytes) -> None:
    faces = rich(4)
    few = {key: faces[key] for key in list(faces)[:2]}
    keys = list(few)
    assert write_pdf(imposed(keys), [make(few)], [label_font]) == write_pdf(imposed(keys), [make(faces)], [label_font])


def test_there_are_no_dates(written: bytes, run: Run) -> None:
    assert "Date" not in run(written, "pdfinfo", "{}")
    with opened(written) as file:
        assert b"Date" not in file.Root.Metadata.read_bytes()


# --- what a file says of itself --------------------------------------------------------------------------------------


def test_title_credits_and_language(written: bytes, run: Run) -> None:
    info = run(written, "pdfinfo", "{}")
    for line in (
        "Title:           Equipment 1.2",
        "Subject:         Cards <for> a game",
        "Author:          Somebody & others, CC BY 4.0",
        "Creator:         cardgen",
    ):
        assert line in info
    with opened(written) as file:
        assert str(file.Root.Lang) == "es"


def test_xmp_says_the_same(written: bytes) -> None:
    with opened(written) as file:
        packet = file.Root.Metadata.read_bytes().decode("utf-8")
        with file.open_metadata() as metadata:
            assert metadata["dc:title"] == "Equipment 1.2"
    tree = ElementTree.fromstring(packet)
    texts = [element.text for element in tree.iter() if element.text and element.text.strip()]
    for text in ("Equipment 1.2", "Somebody & others, CC BY 4.0", "Cards <for> a game", "es", "cardgen"):
        assert text in texts


def test_a_print_dialog_is_asked_not_to_scale(written: bytes) -> None:
    with opened(written) as file:
        preferences = file.Root.ViewerPreferences
        assert preferences.PrintScaling == pikepdf.Name("/None")
        assert preferences.PickTrayByPDFSize is True
        assert "/Duplex" not in preferences


@pytest.mark.parametrize(
    ("flip", "name"), [("long-edge", "/DuplexFlipLongEdge"), ("short-edge", "/DuplexFlipShortEdge")]
)
def test_a_duplex_file_says_how_to_flip(flip: str, name: str, make: Make, label_font: bytes) -> None:
    faces = make({"front": "front", "back": "back"})
    pieces = [Piece("front", "back", "card")]
    imposition = impose(pieces, NINE, POKER, A4, IMPRINT, "duplex", flip)  # type: ignore[arg-type]
    with opened(write_pdf(imposition, [faces], [label_font])) as file:
        assert file.Root.ViewerPreferences.Duplex == pikepdf.Name(name)
        assert len(file.pages) == 2


def boxes(pdf: bytes, run: Run) -> dict[str, list[float]]:
    lines = run(pdf, "pdfinfo", "-box", "{}").splitlines()
    found = (re.match(r"(\w+Box): +(.+)", line) for line in lines)
    return {match[1]: [float(side) / 72 * 25.4 for side in match[2].split()] for match in found if match}


def test_a_sheets_boxes_are_its_paper(written: bytes, run: Run) -> None:
    assert "595.276 x 841.89 pts (A4)" in run(written, "pdfinfo", "{}")
    for box in boxes(written, run).values():
        assert box == pytest.approx([0, 0, 210, 297], abs=0.005)


def test_a_single_cards_boxes_are_its_trim_and_bleed(make: Make, run: Run) -> None:
    pdf = write_pdf(imposed(["a"], SINGLE), [make({"a": "a"})], [])
    found = boxes(pdf, run)
    assert found["TrimBox"] == pytest.approx([3, 3, 66, 91], abs=0.005)
    assert found["BleedBox"] == found["MediaBox"] == pytest.approx([0, 0, 69, 94], abs=0.005)


# --- what cannot be written ------------------------------------------------------------------------------------------


def test_a_face_that_was_not_drawn_is_named(make: Make, label_font: bytes) -> None:
    with pytest.raises(CardgenError, match="gone: its face was not drawn"):
        write_pdf(imposed(["gone"]), [make({"a": "a"})], [label_font])


def test_texts_need_a_font(make: Make) -> None:
    with pytest.raises(ValueError, match="at least one label font"):
        write_pdf(imposed(["a"]), [make({"a": "a"})])


def test_no_sheets_make_no_file() -> None:
    with pytest.raises(ValueError, match="without sheets"):
        write_pdf(imposed([]), [])


def test_a_rendering_of_which_every_face_failed_is_passed_over(make: Make, label_font: bytes) -> None:
    failed = Rendering(b"", (), POKER, 3.0, (), failures=(("b", "broken"),))
    assert write_pdf(imposed(["a"]), [failed, make({"a": "a"})], [label_font])


# --- the fonts of labels ---------------------------------------------------------------------------------------------


def test_a_label_takes_each_letter_from_the_first_font_that_has_it(make: Make, label_font: bytes, run: Run) -> None:
    imprint = replace(IMPRINT, credits="Łódź ☠ Żółw")
    imposition = impose([Piece("a", None, "a")], NINE, POKER, A4, imprint)
    pdf = write_pdf(imposition, [make({"a": "a"})], [label_font, WIDE_FONT.read_bytes()])
    assert "Łódź ☠ Żółw" in run(pdf, "pdftotext", "-layout", "{}", "-")
    fonts = run(pdf, "pdffonts", "{}")
    assert "FiraSansCondensed-Regular" in fonts
    assert "DejaVuSans" in fonts


def test_a_font_that_no_label_needs_is_not_embedded(make: Make, label_font: bytes, run: Run) -> None:
    pdf = write_pdf(imposed(["a"]), [make({"a": "a"})], [label_font, WIDE_FONT.read_bytes()])
    assert "DejaVuSans" not in run(pdf, "pdffonts", "{}")


def test_letters_that_no_font_has_are_told_beforehand(label_font: bytes) -> None:
    assert missing_letters(["Łódź ☠", "ñ 中"], [label_font]) == "☠中"
    assert missing_letters(["Łódź ☠", "ñ 中"], [label_font, WIDE_FONT.read_bytes()]) == "中"
    assert missing_letters([], [label_font]) == ""

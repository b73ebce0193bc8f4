"""Fonts in files: both kinds of outlines, the texts behind the glyphs, letters that are missing."""

from __future__ import annotations

import hashlib
import io
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTFont
from making import POKER, TEXT_FONT, Make, Pixels
from msgspec.structs import replace

from cardgen.errors import CardgenError
from cardgen.geometry import Size
from cardgen.model.drawing import Drawing, Text
from cardgen.model.painted import FontUse
from cardgen.model.sheet import Imposition, Imprint, Piece, Sheet, SheetTemplate
from cardgen.pdf.writer import write_pdf
from cardgen.sheets.impose import impose

SINGLE = SheetTemplate("one", 1, "One", None, bleed="each", marks="none", ruler=False, labels=False)
IMPRINT = Imprint("Fonts", "1", "en")


def single(keys: list[str]) -> Imposition:
    return impose([Piece(key, None, key) for key in keys], SINGLE, POKER, None, IMPRINT)


@pytest.fixture(scope="module")
def cff_font(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An OpenType font with CFF outlines: its letters are boxes, its `B` twice as high as its `A`; many glyphs between."""

    def box(height: int) -> object:
        pen = T2CharStringPen(600, None)
        pen.moveTo((50, 0))
        for point in ((550, 0), (550, height), (50, height)):
            pen.lineTo(point)
        pen.closePath()
        return pen.getCharString()

    fillers = [f"filler{i}" for i in range(200)]
    names = [".notdef", "A", *fillers, "B"]
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({0x41: "A", 0x42: "B", 0x2002: "A"})
    heights = {name: 800 if name == "B" else 400 for name in names}
    builder.setupCFF("Boxes", {}, {name: box(heights[name]) for name in names}, {})
    builder.setupHorizontalMetrics(dict.fromkeys(names, (600, 50)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Boxes", "styleName": "Regular", "psName": "Boxes-Regular"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    builder.setupPost()
    file = tmp_path_factory.mktemp("fonts") / "boxes.otf"
    builder.save(file)
    return file


def test_outlines_of_postscript_kind(
    cff_font: Path, make: Make, run: Callable[..., str], pixels: Callable[..., Pixels]
) -> None:
    body = '<div class="trim" style="font-size: 72pt; line-height: 72pt">AB</div>'
    pdf = write_pdf(single(["a"]), [make({"a": body}, font=cff_font)])
    assert "Boxes-Regular" in run(pdf, "pdffonts", "{}")
    assert "yes yes yes" in run(pdf, "pdffonts", "{}")
    assert "AB" in run(pdf, "pdftotext", "{}", "-")
    assert "No syntax" in run(pdf, "qpdf", "--check", "{}")
    page = pixels(pdf, 1, (0, 0, 69, 94), 100)
    em = 25.4
    heights = []
    for middle in (0.3, 0.9):
        column = [y / 10 for y in range(0, 400) if page.at(3 + middle * em, y / 10) == (0, 0, 0)]
        heights.append(max(column) - min(column))
    assert heights == pytest.approx([0.4 * em, 0.8 * em], abs=0.5)


def test_labels_may_be_set_in_it_too(cff_font: Path, run: Callable[..., str]) -> None:
    sheet = Sheet(1, "front", Size(50, 40), (), Drawing(over=(Text(5.0, 20.0, "ABBA"),)))
    pdf = write_pdf(Imposition((sheet,), SINGLE, IMPRINT, Size(50, 40)), [], [cff_font.read_bytes()])
    assert "ABBA" in run(pdf, "pdftotext", "{}", "-")


def characters(pdf: bytes) -> list[str]:
    """The texts that the fonts' character maps give, sorted."""
    found: list[str] = []
    with pikepdf.open(io.BytesIO(pdf)) as file:
        for font in file.pages[0].obj.Resources.Font.values():
            _, *sections = font.ToUnicode.read_bytes().split(b"beginbfchar")
            for text in re.findall(rb"<[0-9a-f]{4}> <([0-9a-f]+)>", b"".join(sections)):
                found.append(bytes.fromhex(text.decode()).decode("utf-16-be"))
    return sorted(found)


def test_a_shared_glyph_stands_for_its_plainest_character(make: Make, cff_font: Path) -> None:
    # This font draws the en space like its A. Whichever comes first, the glyph is an A to everybody who copies it.
    for body in ("A\N{EN SPACE}B", "\N{EN SPACE}AB"):
        rendering = make({"a": f'<div class="trim" style="white-space: pre">{body}</div>'}, font=cff_font)
        assert characters(write_pdf(single(["a"]), [rendering])) == ["A", "B"]


def test_a_ligature_stands_for_its_letters(make: Make, run: Callable[..., str]) -> None:
    body = '<div class="trim" style="font-variant-ligatures: common-ligatures">fi</div>'
    pdf = write_pdf(single(["a"]), [make({"a": body})])
    assert run(pdf, "pdftotext", "{}", "-").strip() == "fi"


def test_one_file_under_two_names_is_embedded_once(make: Make, run: Callable[..., str]) -> None:
    other = f"@font-face {{ font-family: Other; src: url({TEXT_FONT.as_uri()}) }}"
    body = '<div class="trim">abc <span style="font-family: Other">xyz</span></div>'
    rendering = make({"a": body}, css=other)
    assert len(rendering.fonts) == 2
    pdf = write_pdf(single(["a"]), [rendering])
    assert len(run(pdf, "pdffonts", "{}").splitlines()) == 3
    assert "abc xyz" in run(pdf, "pdftotext", "{}", "-")


def test_two_files_under_one_name_are_kept_apart(make: Make, tmp_path: Path, run: Callable[..., str]) -> None:
    # Renderings call a font by the hash of its family and style; here two files agree in both.
    other = TTFont(TEXT_FONT)
    other["name"].setName("Another-Font", 6, 3, 1, 0x409)
    other.save(tmp_path / "other.ttf")
    bodies = {"a": '<div class="trim">abc</div>', "b": '<div class="trim">xyz</div>'}
    first, second = make({"a": bodies["a"]}), make({"b": bodies["b"]}, font=tmp_path / "other.ttf")
    assert first.fonts[0].name == second.fonts[0].name
    assert first.fonts[0].digest != second.fonts[0].digest
    pdf = write_pdf(single(["a", "b"]), [first, second])
    fonts = run(pdf, "pdffonts", "{}")
    assert "FiraSansCondensed-Regular" in fonts
    assert "Another-Font" in fonts
    assert run(pdf, "pdftotext", "{}", "-").split() == ["abc", "xyz"]


def test_a_font_that_the_rendering_does_not_tell_is_copied_whole(make: Make, run: Callable[..., str]) -> None:
    rendering = replace(make({"a": '<div class="trim">abc</div>'}), fonts=())
    pdf = write_pdf(single(["a"]), [rendering])
    assert "abc" in run(pdf, "pdftotext", "{}", "-")


def test_a_font_that_is_told_and_not_embedded_is_an_error(make: Make) -> None:
    rendering = make({"a": '<div class="trim">abc</div>'})
    with pikepdf.open(io.BytesIO(rendering.pdf)) as file:
        for font in file.pages[0].obj.Resources.Font.values():
            del font.DescendantFonts[0].FontDescriptor.FontFile2
        bare = io.BytesIO()
        file.save(bare)
    with pytest.raises(CardgenError, match="is not embedded"):
        write_pdf(single(["a"]), [replace(rendering, pdf=bare.getvalue())])


def test_glyphs_that_a_font_lacks_keep_their_width(make: Make) -> None:
    rendering = make({"a": '<div class="trim">abc</div>'})
    (use,) = rendering.fonts
    strange = 60_000
    told = FontUse(use.name, use.digest, {**use.unicode, strange: "☠"}, {**use.widths, strange: 444})
    with pikepdf.open(io.BytesIO(rendering.pdf)) as file:
        page = file.pages[0].obj
        page.Contents = pikepdf.Stream(
            file, page.Contents.read_bytes().replace(b"] TJ", f"<{strange:04x}>] TJ".encode())
        )
        changed = io.BytesIO()
        file.save(changed, compress_streams=False)
    with pikepdf.open(
        io.BytesIO(write_pdf(single(["a"]), [replace(rendering, pdf=changed.getvalue(), fonts=(told,))]))
    ) as file:
        (font,) = file.pages[0].obj.Resources.Font.values()
        widths = font.DescendantFonts[0].W
        assert int(widths[-2]) == strange
        assert [int(width) for width in widths[-1]] == [444]
        assert f"<{strange:04x}> <2620>".encode() in font.ToUnicode.read_bytes()


def test_digests_are_those_of_the_files(make: Make) -> None:
    (use,) = make({"a": '<div class="trim">abc</div>'}).fonts
    assert use.digest == hashlib.sha256(TEXT_FONT.read_bytes()).hexdigest()


@pytest.mark.parametrize("module", ["cardgen.pdf.writer", "cardgen.pdf.raster", "cardgen.sheets.impose"])
def test_the_libraries_wait_until_they_are_needed(module: str) -> None:
    program = f"import sys, {module}; print(*sorted(name.partition('.')[0] for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    loaded = set(done.stdout.split())
    assert not loaded & {"pikepdf", "uharfbuzz", "pypdfium2", "reportlab", "weasyprint", "PIL", "lxml", "fontTools"}

"""A language may have files, sizes, offsets and fallbacks of its own, by role."""

from __future__ import annotations

import re
import statistics
import subprocess
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from cardgen.diagnostics import Report
from cardgen.faces.page import font_css
from cardgen.faces.sized_fonts import sized
from cardgen.model.font import FontFace, FontRole, FontTweak, in_language
from cardgen.pipeline.build import build
from cardgen.pipeline.products import Options
from cardgen.pipeline.targets import choose
from cardgen.workers import open_workers
from tests.support import edit, load, write_project

ROOT = Path(__file__).resolve().parents[2]
FONTS = """\
roles:
  text:
    faces:
      - {file: fira-sans-condensed/FiraSansCondensed-Regular.ttf, weight: 400}
      - {file: fira-sans-condensed/FiraSansCondensed-Bold.ttf, weight: 700}
    fallback: [symbols]
    languages:
      el:
        size: 94%
        offset: -4%
        faces: [{file: dejavu-sans/DejaVuSans.ttf, weight: 400}]
        fallback: []
  symbols: {faces: [{file: dejavu-sans/DejaVuSans.ttf, weight: 400}]}
"""
PO = 'msgid ""\nmsgstr "Language: el\\n"\n\nmsgctxt "axe/name"\nmsgid "Axe"\nmsgstr "Τσεκούρι"\n'


def test_a_language_has_its_own_files_and_fallbacks() -> None:
    own, other = FontFace("a.ttf", 400, "normal"), FontFace("b.ttf", 400, "normal")
    roles = {"text": FontRole("text", (own,), ("symbols",), {"ja": FontTweak(110.0, -5.0, (other,), ())})}
    assert in_language(roles, "en")["text"] == roles["text"]
    made = in_language(roles, "ja")["text"]
    changed = FontFace("b.ttf", 400, "normal", 110.0, -5.0)
    assert (made.faces, made.fallback) == ((changed,), ())
    assert in_language(roles, "ja-JP")["text"].faces == (changed,)
    assert "b.ttf?size=110&offset=-5" in font_css(in_language(roles, "ja"))


WORD = "Hxn"


def as_cff() -> bytes:
    """A font with its letters in a CFF table: a box for H, x and n."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.t2CharStringPen import T2CharStringPen

    builder = FontBuilder(1000, isTTF=False)
    names = [".notdef", "H", "x", "n"]
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(name): name for name in names[1:]})
    letters = {}
    for name in names:
        pen = T2CharStringPen(600, None)
        pen.moveTo((100, 0))
        for point in ((500, 0), (500, 700), (100, 700)):
            pen.lineTo(point)
        pen.closePath()
        letters[name] = pen.getCharString()
    builder.setupCFF("Box", {"FullName": "Box"}, letters, {})
    builder.setupHorizontalMetrics(dict.fromkeys(names, (600, 100)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Box", "styleName": "Regular", "psName": "Box-Regular"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    builder.setupPost()
    target = BytesIO()
    builder.save(target)
    return target.getvalue()


def ink(root: Path, out: Path, lang: str) -> tuple[float, float, float, float]:
    """Where the card's name is black on paper, in mm: left, top, right, bottom."""
    report = Report()
    project = load(root, report)
    with open_workers(1) as workers:
        (made,) = build(project, choose(project, [], [lang]), out, Options(), workers, report).files
    subprocess.run(["pdftoppm", "-r", "600", "-gray", "-singlefile", made.path, out / lang], check=True)
    with Image.open(out / f"{lang}.pgm") as page:
        # The first card's name box, with what is around it.
        mm = 600 / 25.4
        left, top = (210 - 3 * 63) / 2 + 2, (297 - 3 * 88) / 2 + 2
        part = page.crop(tuple(round(x * mm) for x in (left, top, left + 58, top + 14)))
        box = part.point(lambda grey: 255 if grey < 60 else 0).getbbox()
    assert box is not None
    return tuple(edge / mm for edge in box)  # type: ignore[return-value]


@pytest.mark.parametrize("kind", ["ttf", "cff"])
def test_letters_are_smaller_and_moved_where_a_language_asks_for_it(tmp_path: Path, kind: str) -> None:
    file = "dejavu-sans/DejaVuSans.ttf" if kind == "ttf" else "own/box.otf"
    fonts = (
        "roles:\n  text:\n"
        f"    faces: [{{file: {file}, weight: 400}}]\n"
        "    languages: {es: {size: 92%}, el: {size: 92%, offset: 10%}}\n"
    )
    game = edit("cards/g/game.yaml", "languages: [en]", "languages: [en, es, el]")
    po = f'msgid ""\nmsgstr ""\n\nmsgctxt "axe/name"\nmsgid "{WORD}"\nmsgstr "{WORD}"\n'
    root = write_project(
        tmp_path / "p",
        {
            **game,
            "fonts/fonts.yaml": fonts,
            "cards/g/cards/items.yaml": f"axe: {{kind: item, name: {WORD}}}\n",
            "cards/g/i18n/es.po": po,
            "cards/g/i18n/el.po": po,
            "layouts/g/item.html.j2": '{% set css = ["g/item.css"] %}\n'
            '{% from "_base/macros.html.j2" import fit %}\n{% call fit("name") %}{{ card.name }}{% endcall %}\n',
        },
    )
    if kind == "cff":
        (root / "fonts/own").mkdir()
        (root / "fonts/own/box.otf").write_bytes(as_cff())
    boxes = {lang: ink(root, tmp_path / "out", lang) for lang in ("en", "es", "el")}
    size = {lang: (box[2] - box[0], box[3] - box[1]) for lang, box in boxes.items()}
    # 12 pt are 4.23 mm; a pixel is 0.04 mm.
    assert size["es"][0] / size["en"][0] == pytest.approx(0.92, abs=0.015)
    assert size["es"][1] / size["en"][1] == pytest.approx(0.92, abs=0.03)
    assert size["el"] == pytest.approx(size["es"], abs=0.09)
    assert boxes["el"][3] - boxes["es"][3] == pytest.approx(0.10 * 12 * 25.4 / 72, abs=0.09)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["twd/equipment", "twd/reference", "twd/trackers"])
def test_shipped_layouts_take_it_up(tmp_path: Path, target: str) -> None:
    """Cards, tables and components alike, and no layout has to say anything."""
    fonts = (ROOT / "fonts/fonts.yaml").read_text("utf-8")
    widths: list[dict[str, float]] = []
    for number, size in enumerate(("", "    languages: {es: {size: 92%}}\n")):
        root = tmp_path / str(number)
        (root / "fonts").mkdir(parents=True)
        (root / "cardgen.yaml").write_text("name: own\ngames: [twd]\n", "utf-8")
        (root / "fonts/fonts.yaml").write_text(
            fonts.replace("    fallback: [symbols]\n", f"    fallback: [symbols]\n{size}").replace(
                "    fallback: [text, symbols]\n", f"    fallback: [text, symbols]\n{size}"
            ),
            "utf-8",
        )
        report = Report()
        project = load(root, report)
        with open_workers(2) as workers:
            (made,) = build(project, choose(project, [target], ["es"]), root / "out", Options(), workers, report).files
        text = subprocess.run(["pdftotext", "-bbox", made.path, "-"], capture_output=True, text=True, check=True).stdout
        found = re.findall(r'<word xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)" yMax="[\d.]+">([^<]{4,})<', text)
        widths.append({word: float(right) - float(left) for left, right, word in found})
    ratios = [widths[1][word] / wide for word, wide in widths[0].items() if word in widths[1] and wide > 5]
    # What the sheet says of itself stays; what had been set smaller needs less of that now.
    changed = [ratio for ratio in ratios if ratio < 0.99]
    assert len(changed) >= 4
    assert statistics.median(changed) == pytest.approx(0.92, abs=0.02)


def test_a_font_that_cannot_be_read_is_left_as_it_is() -> None:
    assert sized(b"no font", 92.0, 0.0) == b"no font"


def test_the_right_file_is_printed(tmp_path: Path) -> None:
    changes = edit("cards/g/game.yaml", "languages: [en]", "languages: [en, el]")
    root = write_project(tmp_path / "p", {**changes, "fonts/fonts.yaml": FONTS, "cards/g/i18n/el.po": PO})
    report = Report()
    project = load(root, report)
    with open_workers(1) as workers:
        built = build(project, choose(project, [], []), tmp_path / "out", Options(), workers, report)
    fonts = {}
    for made in built.files:
        done = subprocess.run(["pdffonts", made.path], capture_output=True, text=True, check=True)
        fonts[made.lang] = done.stdout
    assert "FiraSansCondensed-Bold" in fonts["en"]
    assert "DejaVu" in fonts["el"] and "FiraSansCondensed-Bold" not in fonts["el"]
    assert not [item.message for item in report if item.code == "CG308"], "Greek is looked up in Greek's own font"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (
            "dejavu-sans/DejaVuSans.ttf, weight: 400}]\n        fallback",
            "no/such.ttf, weight: 400}]\n        fallback",
            "CG104",
        ),
        ("        fallback: []", "        fallback: [none]", "CG104"),
        ("offset: -4%", "offset: 4mm", "CG020"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, old: str, new: str, code: str) -> None:
    assert old in FONTS
    root = write_project(tmp_path / "p", {"fonts/fonts.yaml": FONTS.replace(old, new)})
    report = Report()
    load(root, report)
    assert code in {item.code for item in report}, [item.message for item in report]

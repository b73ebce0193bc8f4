"""A language may have files, sizes, offsets and fallbacks of its own, by role."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cardgen.diagnostics import Report
from cardgen.faces.page import fallback_css, font_css
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
    assert (made.faces, made.fallback) == ((other,), ())
    assert in_language(roles, "ja-JP")["text"].faces == (other,)
    assert "b.ttf" in font_css(in_language(roles, "ja"))
    assert fallback_css(in_language(roles, "ja"), "ja") == ":root{--text-size:1.1;--text-offset:-0.05em}"


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

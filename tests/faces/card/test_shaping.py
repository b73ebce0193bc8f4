"""Fonts and shaping of the engine for the card profile, held against the reference engine."""

from __future__ import annotations

from html import escape
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.faces.assets import Assets, font_url
from cardgen.faces.card.fonts import FontSet, ink, opened
from cardgen.faces.page import font_css
from cardgen.model.font import FontRole, in_language

STYLES = [
    (("text", "symbols"), 400, False, 13.0),
    (("text", "symbols"), 700, False, 11.3),
    (("text", "symbols"), 400, True, 21.0),
    (("text", "symbols"), 600, True, 9.0),
    (("text", "symbols"), 500, False, 16.0),
    (("display", "text", "symbols"), 400, False, 17.0),
    (("display", "text", "symbols"), 700, True, 32.0),
    (("symbols",), 700, False, 12.0),
    (("missing", "symbols", "text"), 400, False, 12.0),
]
TEXTS = {
    "en": [
        "AVATAR To Vw. 1,000 waffle office ½ (x)",
        "The quick survivor waves; Yes, “quoted” — and so on …",
        "stars ★ and arrows ← → in a line ☠",
        "e\u0301 x\u0306 q\u0308, soft\u00adhyphen, no\u00a0break, zero\u200bwidth",
        "2",
        "+1 / −3",
        "  two  spaces ",
    ],
    "es": ["«¿Qué?» — preguntó Íñigo: ¡ni una señal, ni un árbol!", "Averigüe: más, sí, 3.º, AÑIL"],
    "ru": ["Быстрый выживший машет: «Да», и так далее — № 5", "Ёж, подъезд, ЩУКА; 3 раза, Тула, Год"],
}


def measured_by_weasyprint(project: Any, roles: dict[str, FontRole], lang: str, css: str) -> list[Any]:
    """The text boxes of the lines that the reference engine makes of TEXTS."""
    engine = pytest.importorskip("cardgen.faces.weasyprint")
    fonts = engine._fonts(Assets(project.shelf), font_css(roles))
    rules = f"@page {{ size: 3000px }} p {{ margin: 0; white-space: pre; {css} }}"
    paragraphs = "".join(f"<p>{escape(text)}</p>" for text in TEXTS[lang])
    html = f'<html lang="{lang}"><style>{rules}</style>{paragraphs}</html>'
    document = engine.weasyprint.HTML(string=html).render(font_config=fonts.config, stylesheets=list(fonts.sheets))
    boxes = document.pages[0]._page_box.descendants()
    return [box for box in boxes if type(box).__name__ == "TextBox"]


@pytest.mark.parametrize("families, weight, italic, size", STYLES)
@pytest.mark.parametrize("lang", sorted(TEXTS))
def test_lines_measure_what_the_reference_engine_makes_them(
    project: Any, families: tuple[str, ...], weight: int, italic: bool, size: float, lang: str
) -> None:
    roles = in_language(project.fonts, lang)
    family, style = ",".join(families), "italic" if italic else "normal"
    css = f"font: {style} {weight} {size}px {family}"
    boxes = measured_by_weasyprint(project, roles, lang, css)
    assert len(boxes) == len(TEXTS[lang])
    text_style = FontSet(Assets(project.shelf), roles).style(families, weight, italic)
    for text, box in zip(TEXTS[lang], boxes, strict=True):
        runs = text_style.shape(text, lang)
        width = sum(run.width for run in runs) * size / 1000
        # Pango rounds each glyph to 1/1024 px.
        assert width == pytest.approx(box.width, abs=len(text) / 1024 + 0.002), text
        metrics = [opened(run.font).metrics for run in runs]
        assert max(metric.ascent for metric in metrics) * size == pytest.approx(box.baseline, abs=0.01), text
        descent = max(metric.descent for metric in metrics) * size
        assert descent == pytest.approx(box.height - box.baseline, abs=0.01), text


def test_letter_spacing_undoes_ligatures_and_features_are_passed_on(fontset: FontSet) -> None:
    plain = fontset.style(("text",), 400, False)
    spaced = fontset.style(("text",), 400, False, spaced=True)
    (run,), (apart,) = plain.shape("waffle", "en"), spaced.shape("waffle", "en")
    assert len(run.glyphs) < len(apart.glyphs) == 6
    assert "".join(glyph.text for glyph in run.glyphs) == "waffle"
    assert [glyph.text for glyph in apart.glyphs] == list("waffle")
    figures = fontset.style(("text",), 400, False, features=(("tnum", 1),))
    widths = {figures.shape(digit, "en")[0].width for digit in "0123456789"}
    assert len(widths) == 1 != len({plain.shape(digit, "en")[0].width for digit in "0123456789"})
    assert fontset.style(("text",), 400, False) is plain


def test_kerning_can_be_switched_off(fontset: FontSet) -> None:
    kerned = fontset.style(("text",), 400, False).shape("AVATAR", "en")[0]
    apart = fontset.style(("text",), 400, False, kerning=False).shape("AVATAR", "en")[0]
    assert kerned.width < apart.width
    font = opened(apart.font)
    assert apart.width == pytest.approx(sum(font.natural(glyph.id) for glyph in apart.glyphs), abs=0.01)


def test_a_mark_stays_with_its_letter(fontset: FontSet) -> None:
    style = fontset.style(("display", "text", "symbols"), 600, False)
    # Oswald has no arrows: the letters around keep its font, the arrow takes one that has it.
    runs = style.shape("a → b", "en")
    assert len(runs) == 3 and runs[0].font == runs[2].font != runs[1].font
    # A letter that is composed with its mark needs no font that has the mark alone.
    (run,) = style.shape("Cafe\u0301", "en")
    assert "".join(glyph.text for glyph in run.glyphs) == "Cafe\u0301"


def test_what_draws_nothing_has_no_glyph(fontset: FontSet) -> None:
    style = fontset.style(("text",), 400, False)
    plain = style.shape("hyphen", "en")[0]
    assert style.shape("hy\u00adphen", "en")[0].width == plain.width
    assert style.shape("\u200b", "en")[0].glyphs == ()
    assert style.shape("", "en")[0].width == 0


def test_a_word_is_shaped_once_and_a_line_is_made_of_its_words(fontset: FontSet) -> None:
    style = fontset.style(("text",), 400, False)
    line, again = style.shape("one two one", "en")[0], style.shape("two one two", "en")[0]
    one, _, two, _, _ = line.words
    assert two in style.shape("one two three", "en")[0].words
    assert one.width > 0 and one.clusters == 3 and line.clusters == 11 and line.spaces == 2
    assert again.clusters == 11


def test_right_to_left_runs_are_in_visual_order(fontset: FontSet) -> None:
    (run,) = fontset.style(("symbols",), 400, False).shape("אב גד", "he", rtl=True)
    assert [glyph.text for glyph in run.glyphs] == list("דג בא")


def test_a_missing_character_is_the_first_fonts_box(fontset: FontSet) -> None:
    style = fontset.style(("text", "symbols"), 400, False)
    (run,) = style.shape("\U0001f9ff", "en")
    assert run.font == style.primary.digest and [glyph.id for glyph in run.glyphs] == [0] and run.width > 0


def test_ink_is_what_is_drawn(fontset: FontSet) -> None:
    style = fontset.style(("text",), 400, False)
    left, top, right, bottom = ink(style.shape("x", "en")[0])
    assert 0 <= left < right <= style.shape("x", "en")[0].width
    assert -top == pytest.approx(style.metrics.x_height * 1000, abs=1) and bottom == pytest.approx(0, abs=15)
    assert ink(style.shape(" ", "en")[0]) == (0, 0, 0, 0)
    assert ink(style.shape("p", "en")[0])[3] > 100


@given(weight=st.integers(100, 900), italic=st.booleans())
def test_the_nearest_face_is_taken(fontset: FontSet, project: Any, weight: int, italic: bool) -> None:
    style = fontset.style(("text",), weight, italic)
    wanted = {face.file for face in project.fonts["text"].faces if (face.style == "italic") == italic}
    digests = {opened_digest(project, file): file for file in wanted}
    assert style.primary.digest in digests
    # On fontconfig's scale 540 is in the middle of 400 and 700.
    assert ("Bold" in digests[style.primary.digest]) == (weight > 550)


def opened_digest(project: Any, file: str) -> str:
    import hashlib

    return hashlib.sha256(Assets(project.shelf).read(font_url(file))[0]).hexdigest()


@given(st.lists(st.text(alphabet="abcdefghАБВ ivyТ★\u0301", max_size=8), min_size=2, max_size=5))
def test_a_line_says_all_of_its_text_in_order(fontset: FontSet, parts: list[str]) -> None:
    text = "x" + "".join(parts)
    runs = fontset.style(("display", "text", "symbols"), 600, False).shape(text, "en")
    told = "".join(glyph.text for run in runs for glyph in run.glyphs)
    assert told == text
    assert all(before.font != after.font for before, after in pairwise(runs))

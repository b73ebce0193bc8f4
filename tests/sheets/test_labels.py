"""The ruler and the labels: exact, complete, and never over art or marks."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.errors import DoesNotFit
from cardgen.geometry import Box, Size
from cardgen.model.drawing import Path, Text
from cardgen.model.sheet import PAPERS, Grid, Imprint, SheetTemplate, SheetWords
from cardgen.model.trim import Trim
from cardgen.sheets.grid import compute_grid
from cardgen.sheets.labels import Labelled, back_blocks, front_blocks, with_labels, with_ruler
from cardgen.sheets.marks import crop_marks
from cardgen.sheets.ruler import NUMERAL_PT, RULER_LENGTH, RULER_THICKNESS, ruler
from cardgen.units import pt_to_mm

A4, LETTER = PAPERS["a4"].size, PAPERS["letter"].size
IMPRINT = Imprint("Equipment", "1.2", "es", "Somebody, CC BY 4.0")
WORDS = SheetWords()
MakeTrim = Callable[..., Trim]
MakeTemplate = Callable[..., SheetTemplate]


def lay(grid: Grid, sheet: SheetTemplate, imprint: Imprint = IMPRINT, words: SheetWords = WORDS) -> Labelled:
    marks = crop_marks(grid, grid.slots, sheet.marks, 3.0)
    return with_labels(with_ruler(grid, marks, words), front_blocks(imprint, sheet, words, 1, 3))


def texts(labelled: Labelled) -> list[str]:
    return [item.text for item in labelled.items if isinstance(item, Text)]


def extent(item: Path | Text) -> Box:
    """Where an item paints: a text by the room it was given, or by a wide font where it was given none."""
    if isinstance(item, Path):
        xs, ys = zip(*(point for line in item.lines for point in line), strict=True)
        return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)).grown(item.width / 2)
    em = pt_to_mm(item.size)
    # The numerals of the ruler are digits, without accents.
    up = (0.72 if item.size == NUMERAL_PT else 0.95) * em
    length, down = item.room or len(item.text) * em * 0.7, 0.25 * em
    match item.turns:
        case 0:
            return Box(item.x, item.y - up, length, up + down)
        case 3:
            return Box(item.x - up, item.y - length, up + down, length)
    raise AssertionError(f"a text turned by {item.turns}")


# --- the ruler -------------------------------------------------------------------------------------------------------


def test_the_ruler_measures_50_mm_and_2_inches() -> None:
    path = ruler(WORDS, RULER_THICKNESS)[0]
    assert isinstance(path, Path)
    middle = RULER_THICKNESS / 2
    above = sorted(line[0][0] for line in path.lines[1:] if line[1][1] < middle)
    below = sorted(line[0][0] for line in path.lines[1:] if line[1][1] > middle)
    assert above[-1] - above[0] == pytest.approx(50.0, abs=1e-9)
    assert below[-1] - below[0] == pytest.approx(50.8, abs=1e-9)
    assert len(above) == 51
    assert len(below) == 17
    assert all(b - a == pytest.approx(1.0) for a, b in itertools.pairwise(above))
    assert all(b - a == pytest.approx(3.175) for a, b in itertools.pairwise(below))


def test_the_rulers_long_ticks_carry_the_numerals() -> None:
    path, *numerals = ruler(SheetWords(millimetres="мм", inches="дюйма"), RULER_THICKNESS)
    assert [numeral.text for numeral in numerals if isinstance(numeral, Text)] == [
        "0", "10", "20", "30", "40", "50 мм", "0", "1", "2 дюйма"
    ]  # fmt: skip
    assert isinstance(path, Path)
    longest = max(abs(line[1][1] - line[0][1]) for line in path.lines[1:])
    long_ticks = {line[0][0] for line in path.lines[1:] if abs(line[1][1] - line[0][1]) == longest}
    for numeral in numerals:
        assert isinstance(numeral, Text)
        assert any(0 < numeral.x - x < 0.5 for x in long_ticks)


def test_the_ruler_keeps_to_its_box() -> None:
    box = Box(0, 0, RULER_LENGTH, RULER_THICKNESS).grown(0.01)
    path = ruler(WORDS, RULER_THICKNESS)[0]
    assert box.contains(extent(path))


# --- the labels ------------------------------------------------------------------------------------------------------


def test_a_sheet_says_what_it_is(trim: MakeTrim, template: MakeTemplate) -> None:
    sheet = template(id="a4-3x3", version=2)
    found = texts(lay(compute_grid(sheet, trim(63, 88), A4), sheet))
    assert found[-4:] == ["Equipment v1.2 · es", "Somebody, CC BY 4.0", "sheet 1 of 3 · a4-3x3 v2", "print at 100 %"]


def test_words_are_translated_and_stray_braces_do_no_harm(trim: MakeTrim, template: MakeTemplate) -> None:
    sheet = template()
    words = SheetWords("hoja {number} de {total} {", "versión {version}", "dorso", "imprimir al 100 %")
    found = texts(lay(compute_grid(sheet, trim(63, 88), A4), sheet, words=words))
    assert "hoja 1 de 3 { · test v1" in found
    assert "Equipment versión 1.2 · es" in found
    assert "imprimir al 100 %" in found
    assert back_blocks(IMPRINT, words, 2, 3) == (("Equipment · hoja 2 de 3 { · dorso",),)


def test_what_is_not_said_leaves_no_trace(trim: MakeTrim, template: MakeTemplate) -> None:
    sheet = template()
    found = texts(lay(compute_grid(sheet, trim(63, 88), A4), sheet, Imprint("Equipment", "", "")))
    assert "Equipment" in found
    assert not any(text.startswith("v") or text.endswith("·") for text in found)


def test_letter_3x3_has_room_at_the_sides_only(trim: MakeTrim, template: MakeTemplate) -> None:
    sheet = template(columns=3, rows=3, orientation="portrait", bleed_amount=0.7)
    labelled = lay(compute_grid(sheet, trim(63, 88), LETTER), sheet)
    assert labelled.notes == ()
    assert {item.turns for item in labelled.items if isinstance(item, Text)} == {3}


def test_a_sheet_without_margins_says_what_it_leaves_out(trim: MakeTrim, template: MakeTemplate) -> None:
    sheet = template(margin=5.0, bleed="none", marks="none")
    labelled = lay(compute_grid(sheet, trim(200, 287), A4), sheet)
    assert labelled.items == ()
    assert [note.subject for note in labelled.notes] == ["ruler", "labels", "labels", "labels", "labels"]
    assert "room for a ruler" in labelled.notes[0].text
    assert "Equipment v1.2 · es" in labelled.notes[1].text


def test_long_credits_are_broken_into_lines(trim: MakeTrim, template: MakeTemplate) -> None:
    sheet = template()
    credits = "A long list of the names of all who helped, " * 3
    labelled = lay(compute_grid(sheet, trim(63, 88), A4), sheet, Imprint("Equipment", "1", "en", credits.strip()))
    assert labelled.notes == ()
    assert " ".join(texts(labelled)).count("who helped,") == 3


@given(
    width=st.floats(25, 150),
    height=st.floats(25, 150),
    paper=st.sampled_from([A4, LETTER]),
    marks=st.sampled_from(["margin", "full", "corner", "none"]),
    bleed=st.sampled_from(["outer", "each", "none"]),
    margin=st.sampled_from([3.0, 5.0, 10.0]),
    title=st.text(st.characters(categories=["L", "N", "Zs"]), max_size=80),
)
def test_nothing_is_printed_over_art_marks_or_margin(
    width: float, height: float, paper: Size, marks: str, bleed: str, margin: float, title: str
) -> None:
    sheet = SheetTemplate("t", 1, "t", "a4", margin=margin, marks=marks, bleed=bleed)  # type: ignore[arg-type]
    try:
        grid = compute_grid(sheet, Trim("t", "t", Size(width, height)), paper)
    except DoesNotFit:
        return
    labelled = lay(grid, sheet, Imprint(title, "1.0", "en", "Some credits, somebody and somebody else"))
    drawn = [extent(Path((line,))) for path in crop_marks(grid, grid.slots, sheet.marks, 3.0) for line in path.lines]
    printable = Box(margin, margin, grid.paper.width - 2 * margin, grid.paper.height - 2 * margin).grown(0.01)
    boxes = [extent(item) for item in labelled.items if isinstance(item, Path) or item.room or len(item.text) < 3]
    for box in boxes:
        assert printable.contains(box)
        assert not box.overlaps(grid.art)
        assert not any(box.overlaps(mark) for mark in drawn)
    # Nor are labels printed over each other; the ruler's own numerals stand between its ticks.
    labels = [extent(item) for item in labelled.items if isinstance(item, Text) and item.size > 4]
    rulers = [extent(item) for item in labelled.items if isinstance(item, Path)]
    for index, label in enumerate(labels):
        assert not any(label.grown(-0.3).overlaps(other) for other in labels[:index] + rulers)

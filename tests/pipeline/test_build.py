"""From a project to printed sheets, measured with tools that cardgen did not write."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from cardgen.diagnostics import Report
from cardgen.model.product import Made
from cardgen.model.sheet import SheetWords
from cardgen.pipeline.build import build, imprint_of
from cardgen.pipeline.products import Options, make_products
from cardgen.pipeline.targets import choose
from cardgen.sheets.labels import front_blocks
from cardgen.workers import Workers
from tests.support import BASE, edit, load, write_project

BACKS = {
    **edit("cards/g/game.yaml", "    front: g/item\n", "    front: g/item\n    back: g/back\n"),
    "layouts/g/back.html.j2": '{% set css = ["g/item.css"] %}<div class="points" style="left: 5mm">behind {{ card.name }}</div>',
}


def run(*command: str | Path) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def make(root: Path, options: Options | None = None, report: Report | None = None) -> tuple[Made, ...]:
    own = Report()
    project = load(root)
    used = own if report is None else report
    built = build(project, choose(project, [], []), root / "output", options or Options(), Workers(), used)
    assert not own.items, [item.message for item in own]
    return built.files


def cards(count: int, copies: int = 1) -> dict[str, str]:
    lines = [f"c{n}: {{kind: item, name: Card{n}x, copies: {copies}}}" for n in range(count)]
    return {"cards/g/cards/items.yaml": "\n".join(lines) + "\n"}


def words(path: Path, page: int | None = None) -> Counter[str]:
    pages = ["-f", str(page), "-l", str(page)] if page else []
    return Counter(run("pdftotext", *pages, path, "-").split())


def test_every_card_is_there_as_often_as_its_copies(tmp_path: Path) -> None:
    (made,) = make(write_project(tmp_path, cards(11, copies=2)))
    assert (made.pages, made.pieces, made.copies) == (3, 11, 22)
    found = words(made.path)
    assert {name: count for name, count in found.items() if name.startswith("Card")} == {
        f"Card{n}x": 2 for n in range(11)
    }


def test_a_deck_decides_what_and_how_often(tmp_path: Path) -> None:
    changes = {
        **edit("cards/g/game.yaml", "kinds: [item]}", "deck: small}"),
        "cards/g/decks/small.yaml": "title: Small\ncards: {rope: 3, axe: 0}\n",
    }
    (made,) = make(write_project(tmp_path, changes))
    found = words(made.path)
    assert (found["Rope"], found["Axe"]) == (3, 0)


def test_the_file_is_sound_and_its_fonts_are_in_it(tmp_path: Path) -> None:
    (made,) = make(write_project(tmp_path, cards(3)))
    run("qpdf", "--check", made.path)
    fonts = run("pdffonts", made.path).splitlines()[2:]
    assert fonts
    assert all(re.search(r"yes +yes +yes +\d+ +0$", line) for line in fonts), fonts
    info = run("pdfinfo", "-box", made.path)
    assert "595.276 x 841.89 pts (A4)" in info
    assert re.search(r"Title: +Test Game: Items", info)


def test_backs_follow_their_fronts(tmp_path: Path) -> None:
    (made,) = make(write_project(tmp_path, {**cards(11), **BACKS}))
    assert made.pages == 4
    first, second = words(made.path, 2), words(made.path, 4)
    assert sum(count for name, count in first.items() if name.startswith("Card")) == 9
    assert sum(count for name, count in second.items() if name.startswith("Card")) == 2


def test_backs_in_a_file_of_their_own(tmp_path: Path) -> None:
    files = make(write_project(tmp_path, {**cards(11), **BACKS}), Options(backs="separate"))
    assert [made.path.name for made in files] == ["items-separate.pdf", "items-separate-backs.pdf"]
    assert [made.pages for made in files] == [2, 2]


def test_no_backs(tmp_path: Path) -> None:
    (made,) = make(write_project(tmp_path, {**cards(11), **BACKS}), Options(backs="none"))
    assert made.pages == 2
    assert words(made.path)["behind"] == 0


@pytest.mark.parametrize(
    ("project", "option", "sheet", "paper"),
    [
        (None, None, None, "a4"),
        (None, None, "letter-3x3", "letter"),
        (None, None, "small", "a5"),
        ("letter", None, None, "letter"),
        ("letter", None, "small", "letter"),
        (None, "letter", "a4-3x3", "letter"),
        ("letter", "a4", None, "a4"),
    ],
)
def test_whose_paper_it_is(
    tmp_path: Path, project: str | None, option: str | None, sheet: str | None, paper: str
) -> None:
    changes = {
        "cardgen.yaml": "name: test\n" + (f"paper: {project}\n" if project else ""),
        "layouts/_sheets/small.yaml": "version: 1\ntitle: Small\npaper: a5\ncolumns: 1\nrows: 1\n",
    }
    if sheet:
        changes |= edit("cards/g/game.yaml", "kinds: [item]}", f"kinds: [item], sheet: {sheet}}}")
    (made,) = make(write_project(tmp_path, changes), Options(paper=option))
    sizes = {"a4": (210, 297), "letter": (215.9, 279.4), "a5": (148, 210)}
    assert sorted(made.paper) == pytest.approx(sorted(sizes[paper]))


def test_a_sheet_that_is_asked_for_lies_on_its_own_paper(tmp_path: Path) -> None:
    root = write_project(tmp_path, {"cardgen.yaml": "name: test\npaper: a4\n"})
    (made,) = make(root, Options(sheet="letter-silhouette-4x2-v1"))
    assert made.paper == pytest.approx((279.4, 215.9))
    assert "letter-silhouette-4x2-v1" in run("pdftotext", made.path, "-")
    (made,) = make(root, Options(sheet="letter-silhouette-4x2-v1", paper="a4"))
    assert "a4-silhouette-4x2-v1" in run("pdftotext", made.path, "-")


def test_a_sheet_on_another_paper_is_another_sheet(tmp_path: Path) -> None:
    sheet = {"layouts/_sheets/small.yaml": "version: 1\ntitle: Small\npaper: a5\ncolumns: 1\nrows: 1\n"}
    (made,) = make(write_project(tmp_path, sheet), Options(sheet="small", paper="letter"))
    assert "small on letter v1" in run("pdftotext", made.path, "-")


def test_one_face_a_page(tmp_path: Path) -> None:
    (made,) = make(write_project(tmp_path, cards(2)), Options(sheet="single-1up"))
    assert made.pages == 2
    info = run("pdfinfo", "-box", made.path)
    sizes = {
        name: [round(float(value) * 25.4 / 72, 2) for value in re.findall(r"[\d.]+", line)]
        for name, line in re.findall(r"(\w+Box): +(.*)", info)
    }
    assert sizes["MediaBox"] == sizes["BleedBox"] == [0, 0, 69, 94]
    assert sizes["TrimBox"] == [3, 3, 66, 91]


def test_the_same_input_gives_the_same_bytes_and_another_does_not(tmp_path: Path) -> None:
    def digest(folder: str, count: int) -> str:
        (made,) = make(write_project(tmp_path / folder, cards(count)))
        return made.sha256

    assert digest("one", 3) == digest("two", 3) != digest("three", 4)


def test_paper_that_cannot_hold_the_grid_is_refused_with_one_that_fits(tmp_path: Path) -> None:
    sheet = "version: 1\ntitle: Too many\npaper: a4\ncolumns: 4\nrows: 3\n"
    report = Report()
    root = write_project(tmp_path, {"layouts/_sheets/big.yaml": sheet})
    assert make(root, Options(sheet="big"), report) == ()
    (item,) = report.sorted()
    assert item.code == "CG401"
    assert "4 x 3" in item.message and "largest" in item.message


def test_a_card_that_overflows_is_printed_and_reported(tmp_path: Path) -> None:
    long = "rope: {kind: item, name: Rope, rules: '" + "Far too long a text. " * 80 + "'}\n"
    report = Report()
    root = write_project(tmp_path, {"cards/g/cards/items.yaml": "axe: {kind: item, name: Axe}\n" + long})
    (made,) = make(root, None, report)
    assert made.copies == 2
    (item,) = report.sorted()
    assert item.code == "CG309"
    assert re.search(r"rope/front \(en\): `rules` overflows its box by [\d.]+ mm", item.message)
    assert item.span is not None and item.span.line == 2


def test_a_missing_glyph_names_the_character_the_font_and_the_card(tmp_path: Path) -> None:
    report = Report()
    root = write_project(tmp_path, edit("cards/g/cards/items.yaml", "name: Rope", "name: Rope 漢"))
    make(root, None, report)
    text = [item.message for item in report if item.code == "CG308"]
    assert text == ["text and display font: no glyph for `漢` (U+6F22) in `rope/name` (en)"]


PO = """\
msgid ""
msgstr "Language: es\\n"

msgctxt "axe/name"
msgid "Axe"
msgstr "Hacha"

msgctxt "rope/name"
msgid "Old rope"
msgstr "Soga"

msgctxt "axe/rules"
msgid "**Chop** it."
msgstr "Córtalo."
"""


def test_translations_are_printed_where_they_are_sound(tmp_path: Path) -> None:
    change = edit("cards/g/game.yaml", "languages: [en]", "languages: [es]")
    change = {"cards/g/game.yaml": change["cards/g/game.yaml"].replace("[es]", "[en, es]")}
    root = write_project(tmp_path, {**change, "cards/g/i18n/es.po": PO})
    report = Report()
    files = make(root, None, report)
    spanish = words(next(made.path for made in files if made.lang == "es"))
    # The rope's text changed since it was translated, the axe's rules lost their emphasis: both stay English.
    assert (spanish["Hacha"], spanish["Rope"], spanish["Soga"], spanish["Chop"]) == (1, 2, 0, 1)
    assert {item.code for item in report} == {"CG202", "CG203", "CG206"}


def test_a_project_overrides_what_is_shipped_by_name(tmp_path: Path) -> None:
    mine = "{% macro rich(text) %}mine{% endmacro %}{% macro fit(field, min=1) %}"
    mine += '<div style="position: absolute; left: 9mm; top: 9mm">{{ caller() }}</div>{% endmacro %}'
    (made,) = make(write_project(tmp_path, {"layouts/_base/macros.html.j2": mine}))
    assert words(made.path)["mine"] == 3


@pytest.mark.parametrize("marks", ["margin", "full", "corner", "none"])
def test_marks_never_touch_the_papers_edge(tmp_path: Path, marks: str) -> None:
    (made,) = make(write_project(tmp_path, cards(9)), Options(marks=marks))  # type: ignore[arg-type]
    run("pdftoppm", "-r", "72", "-gray", "-singlefile", made.path, tmp_path / "page")
    header, data = (tmp_path / "page.pgm").read_bytes().split(b"\n255\n", 1)
    width, height = map(int, header.split()[1:3])
    rows = [data[row * width : (row + 1) * width] for row in range(height)]
    edge = rows[0] + rows[-1] + bytes(row[0] for row in rows) + bytes(row[-1] for row in rows)
    assert set(edge) == {255}


@pytest.mark.parametrize(
    ("address", "found"), [("https://example.org/{id}", []), ("https://e.org/" + "x" * 250, ["es"])]
)
def test_a_translated_sheet_that_has_no_room_for_its_code_tells(tmp_path: Path, address: str, found: list[str]) -> None:
    game = edit("cards/g/game.yaml", "languages: [en]", "languages: [en, es]")["cards/g/game.yaml"]
    report = Report()
    root = write_project(tmp_path, {"cards/g/game.yaml": f"report_url: {address}\n{game}", **cards(9)})
    make(root, Options(paper="letter" if found else "a4"), report)
    told = [item for item in report if item.code == "CG241"]
    # The source language is no translation; what it says of itself needs no code.
    assert [item.arguments["lang"] for item in told] == found
    assert all(item.severity == "info" for item in told)


@pytest.mark.parametrize(
    ("stated", "address"),
    [
        ('"{id} {version} {lang}"', "g/items 1 en"),
        ("mailto:a@example.org?subject={id}%20{version}", "mailto:a@example.org?subject=g/items%201"),
        ("https://example.org/{id}?v={version}", "https://example.org/g/items?v=1"),
        ("", ""),
    ],
)
def test_the_code_says_what_a_sheet_is(tmp_path: Path, stated: str, address: str) -> None:
    head = f"report_url: {stated}\n" if stated else ""
    project = load(write_project(tmp_path, {"cards/g/game.yaml": head + BASE["cards/g/game.yaml"]}))
    (product,) = make_products(project, choose(project, [], []), Options(), Report())
    made = imprint_of(product)
    assert made.report == address
    text = " ".join(line for block in front_blocks(made, product.template, SheetWords(), 1, 1) for line in block)
    assert ("mistakes: " in text) == stated.startswith("https"), "only what can be typed is written in words"

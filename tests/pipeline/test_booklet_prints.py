"""Booklets and odds on paper: pages in order, contents that tell the truth, cards that show their own odds."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pikepdf
import pytest

from cardgen.diagnostics import Report
from cardgen.faces.make import FaceMaker
from cardgen.load.project import load_project
from cardgen.model.ledger import Ledger
from cardgen.model.sheet import PAPERS
from cardgen.pipeline.booklets import notes_faces, pages_to_bind
from cardgen.pipeline.build import build
from cardgen.pipeline.ledger.record import as_they_are
from cardgen.pipeline.odds import answer, asked
from cardgen.pipeline.products import Options
from cardgen.pipeline.targets import choose
from cardgen.sheets.booklet import page_size
from cardgen.workers import open_workers
from tests.support import BASE, load, write_project

ROOT = Path(__file__).parents[2]
PRINT = '  items: {title: Items, version: "1", kinds: [item]}\n'
ODDS = """\
odds:
  cut:
    title: Cut
    given:
      attack: {title: Attack, dice: 2white}
    rolls:
      hit: {dice: attack, count: {total: face.number}}
    results:
      cuts: {title: It cuts, value: hit.total > 0}
      depth: {title: Depth, value: hit.total}
kinds:
"""


def made(root: Path, changes: dict[str, str], target: str, options: Options = Options()) -> Path:  # noqa: B008
    project = load(write_project(root, changes))
    report = Report()
    with open_workers(1) as workers:
        built = build(project, choose(project, [target], []), root / "out", options, workers, report)
    assert [item.message for item in report] == []
    (file,) = built.files
    return file.path


def texts(path: Path) -> list[str]:
    told = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True).stdout
    return told.split("\f")[:-1]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sections = [f"## Part {number}\n\n" + "Words to fill a page. " * 150 for number in range(1, 6)]
    text = "# The book\n\n{contents}\n\n---\n\n" + "\n\n---\n\n".join(sections) + "\n\n{odds cut(2white)}\n"
    game = BASE["cards/g/game.yaml"].replace(PRINT, PRINT + '  book: {title: Book, version: "1", booklet: rules}\n')
    game = game.replace("kinds:\n", ODDS, 1)
    root = tmp_path_factory.mktemp("book")
    return made(root, {"cards/g/booklets/rules.md": text, "cards/g/game.yaml": game}, "g/book")


def test_pages_lie_where_the_folded_book_has_them(book: Path) -> None:
    pages = texts(book)
    assert len(pages) == 4  # two sheets for six pages
    assert "The book" in pages[0]
    for page, parts in zip(pages[1:], [(1,), (2, 5), (3, 4)], strict=True):
        assert {int(number) for number in re.findall(r"Part (\d)", page)} == set(parts)


def test_the_contents_name_the_pages(book: Path) -> None:
    cover = texts(book)[0]
    assert re.findall(r"Part (\d)\s+(\d)", cover) == [(str(n), str(n + 1)) for n in range(1, 6)]


def test_the_paper_lies_and_is_flipped_as_stated(book: Path) -> None:
    with pikepdf.open(book) as pdf:
        assert [round(float(value)) for value in pdf.pages[0].MediaBox] == [0, 0, 842, 595]
        assert pdf.Root.ViewerPreferences.Duplex == "/DuplexFlipLongEdge"


def numbers_of(path: Path) -> dict[str, float]:
    """Where the number of each page begins, in mm from the left, by page."""
    told = subprocess.run(["pdftotext", "-bbox", path, "-"], capture_output=True, text=True, check=True).stdout
    words = re.findall(r'<word xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>(\d)</word>', told)
    return {word: float(x) * 25.4 / 72 for x, y, word in words if not 50 < float(y) < 540}


def test_pages_of_the_inner_sheet_lie_nearer_to_the_fold_by_the_papers_thickness(tmp_path: Path) -> None:
    text = "# Book\n\n" + "\n\n---\n\n".join(["Words."] * 8)
    stated = '  book: {title: Book, version: "1", booklet: rules, paper_thickness: 0.4mm}\n'
    game = BASE["cards/g/game.yaml"].replace(PRINT, PRINT + stated)
    changes = {"cards/g/booklets/rules.md": text, "cards/g/game.yaml": game}
    as_stated = made(tmp_path / "stated", changes, "g/book", Options(flip="short-edge"))
    flat = made(tmp_path / "flat", changes, "g/book", Options(flip="short-edge", paper_thickness=0.0))
    assert (as_stated.name, flat.name) == ("book-short-edge.pdf", "book-short-edge-0mm.pdf")
    crept, before = numbers_of(as_stated), numbers_of(flat)
    assert crept.keys() == before.keys() and len(crept) >= 6
    moved = {page: round(crept[page] - before[page], 2) for page in crept}
    # 3 and 5 are right-hand pages of the inner sheet, 4 and 6 left-hand ones; 2, 7 and 8 are on the outer one.
    expected = {"3": -0.4, "5": -0.4, "4": 0.4, "6": 0.4}
    assert moved == {page: expected.get(page, 0.0) for page in moved}


def drawn(root: Path, cell: str) -> list[str]:
    """What a build tells of a booklet with a table of two columns, the second `cell`, drawn with a layout of its own."""
    game = BASE["cards/g/game.yaml"].replace(PRINT, PRINT + '  book: {title: Book, version: "1", booklet: rules}\n')
    table = f"tables:\n  deeds: {{title: Deeds, columns: [Deed, Then], rows: [[Jump, {cell}]]}}\nkinds:\n"
    css = (ROOT / "layouts/_base/booklet.css").read_text() + ".rows td { white-space: nowrap }\n"
    changes = {
        "cards/g/booklets/rules.md": "# Book\n\n{table deeds}\n",
        "cards/g/game.yaml": game.replace("kinds:\n", table, 1),
        "layouts/_base/booklet.css": css,
    }
    project = load(write_project(root, changes))
    report = Report()
    with open_workers(1) as workers:
        build(project, choose(project, ["g/book"], []), root / "out", Options(), workers, report)
    return [item.code for item in report]


def test_what_runs_off_the_page_is_told_as_on_cards(tmp_path: Path) -> None:
    assert drawn(tmp_path / "short", "You fall.") == []
    assert set(drawn(tmp_path / "long", "You fall and " * 12)) == {"CG318"}
    # Still on the paper, but where printers at home leave it white.
    assert set(drawn(tmp_path / "wide", ("You fall and " * 9)[:110])) == {"CG321"}


@pytest.mark.parametrize("name", ["arena/rules", "twd/rules", "twd/faq", "zcorps/rules", "zombies/rules"])
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_every_word_of_the_shipped_booklets_is_on_its_page(name: str, lang: str, tmp_path: Path) -> None:
    report = Report()
    project = load_project(ROOT, report)
    assert project is not None
    with open_workers(1) as workers:
        target = choose(project, [f"{name}-booklet"], [lang])
        (file,) = build(project, target, tmp_path, Options(), workers, report).files
    assert [item.message for item in report] == []
    told = subprocess.run(["pdftotext", "-bbox", file.path, "-"], capture_output=True, text=True, check=True).stdout
    words = re.findall(r'<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*)</word>', told)
    assert len(words) > 400
    for left, top, right, bottom, word in words:
        x, y, end, foot = (float(value) * 25.4 / 72 for value in (left, top, right, bottom))
        # Two pages of 148.5 x 210 mm; what printers at home leave white is free.
        page = 0 if x < 148.5 else 148.5
        assert page + 4 < x and end < page + 148.5 - 4 and y > 4 and foot < 210 - 4, word


def test_odds_stand_in_it(book: Path) -> None:
    told = "\n".join(texts(book))
    assert "It cuts" in told and "75 %" in told


def test_a_card_shows_its_own_odds(tmp_path: Path) -> None:
    layout = BASE["layouts/g/item.html.j2"].replace("import fit, rich", "import chances, fit, rich")
    layout += '<div class="odds">{{ chances(card.odds.cut.results.cuts) }}</div>\n'
    css = BASE["layouts/g/item.css"] + ".odds { position: absolute; left: 4mm; top: 30mm; width: 55mm; height: 12mm }\n"
    game = BASE["cards/g/game.yaml"].replace("kinds:\n", ODDS, 1)
    game = game.replace(
        "      rules: {type: rich}\n", "      rules: {type: rich}\n      dice: {type: list, of: {type: die}}\n"
    )
    game = game.replace("    derived:\n", "    odds:\n      cut: {of: cut, given: {attack: card.dice}}\n    derived:\n")
    cards = BASE["cards/g/cards/items.yaml"].replace("  name: Axe\n", "  name: Axe\n  dice: [white, white, white]\n")
    changes = {
        "layouts/g/item.html.j2": layout,
        "layouts/g/item.css": css,
        "cards/g/game.yaml": game,
        "cards/g/cards/items.yaml": cards,
    }
    told = texts(made(tmp_path, changes, "g/items"))[0]
    # Of three dice that show 1 half the time seven of eight cut; no dice never do.
    assert "88 %" in told and "0 %" in told


def test_odds_that_cannot_be_computed_are_told_where_they_stand(tmp_path: Path) -> None:
    game = BASE["cards/g/game.yaml"].replace("kinds:\n", ODDS.replace("hit.total > 0", "hit.totl > 0"), 1)
    project = load(write_project(tmp_path, {"cards/g/game.yaml": game}))
    report = Report()
    with open_workers(1) as workers:
        build(project, choose(project, ["g/items"], []), tmp_path / "out", Options(), workers, report)
    assert [(item.code, "did you mean `total`" in item.message) for item in report] == [("CG670", True)]


def test_a_booklet_is_not_noted_as_printed(tmp_path: Path) -> None:
    game = BASE["cards/g/game.yaml"].replace(PRINT, PRINT + '  book: {title: Book, version: "1", booklet: rules}\n')
    project = load(write_project(tmp_path, {"cards/g/booklets/rules.md": "# A\n", "cards/g/game.yaml": game}))
    report = Report()
    noted = as_they_are(project, Ledger(()), ["g"], [], Options(), report)
    assert [snapshot.name for snapshot in noted] == ["g/en/items"]
    assert [item.code for item in report] == ["CG690"]


def test_odds_of_a_card_that_cannot_be_computed(tmp_path: Path) -> None:
    game = BASE["cards/g/game.yaml"].replace("kinds:\n", ODDS, 1)
    wrong = "    odds:\n      cut: {of: cut, given: {attack: card.name}}\n      cot: {of: cot}\n    derived:\n"
    project = load(write_project(tmp_path, {"cards/g/game.yaml": game.replace("    derived:\n", wrong)}))
    report = Report()
    with open_workers(1) as workers:
        build(project, choose(project, ["g/items"], []), tmp_path / "out", Options(), workers, report)
    told = sorted({(item.code, item.hint) for item in report})
    # `Axe` and `Rope` are no dice: one message for both; and there are no odds `cot`.
    assert told == [("CG104", "did you mean `cut`?"), ("CG671", "")]


@pytest.mark.parametrize("count", range(1, 26))
def test_what_the_text_leaves_free_of_the_last_sheet_is_for_notes(count: int) -> None:
    text = [f"page {n}" for n in range(1, count + 1)]
    pages = pages_to_bind(text, ["left", "right"])
    assert pages[:count] == text
    assert len(pages) % 4 == 0 and len(pages) - count < 4, "no more of them than a sheet needs"
    for number, page in enumerate(pages[count:], count + 1):
        assert page == ("left" if number % 2 == 0 else "right"), "odd pages lie on the right"


def test_the_pages_for_notes_are_printed_and_say_so(book: Path) -> None:
    # seven pages of text on two sheets: the last one lies beside the first
    told = subprocess.run(["pdftotext", book, "-"], capture_output=True, text=True, check=True).stdout.split("\f")
    assert [page.count("Notes") for page in told[:4]] == [1, 0, 0, 0]
    assert "The book" in told[0] and "Depth" in told[1], "page 7 lies behind, beside page 2"


def test_a_page_for_notes_stands_as_high_as_its_paper(tmp_path: Path) -> None:
    project = load(write_project(tmp_path, {"cards/g/booklets/rules.md": "# Book\n\nA word.\n"}))
    game, report = project.games["g"], Report()
    counts = []
    for paper in ("a4", "letter"):
        size = page_size(PAPERS[paper].size)
        faces = notes_faces(game.booklets["rules"], game, size, FaceMaker(project, report), ())
        assert [face.label for face in faces] == ["booklets/rules/notes-left", "booklets/rules/notes-right"]
        places = [float(place) for place in re.findall(r"top: ([\d.]+)mm", faces[0].html)]
        assert places == sorted(set(places)) and size.height - 8 - 17 < places[-1] <= size.height - 17
        counts.append(len(places))
    assert counts == [21, 21] and not report.items


@pytest.mark.parametrize(
    ("call", "said"),
    [("cut(3white)", "Cut: Attack 3white"), ("cut", "Cut: Attack 2white"), ("cut(2white)", "Cut: Attack 2white")],
)
def test_odds_in_a_booklet_say_what_they_are_for(tmp_path: Path, call: str, said: str) -> None:
    game = BASE["cards/g/game.yaml"].replace("kinds:\n", ODDS, 1)
    project = load(write_project(tmp_path, {"cards/g/game.yaml": game}))
    assert asked(answer(project.games["g"], call)) == said


def test_the_shipped_odds_of_a_fight_name_the_bullets(tmp_path: Path) -> None:
    project = load_project(ROOT, Report())
    assert project is not None
    assert asked(answer(project.games["zombies"], "fight(1)")) == "Fight with a zombie: Bullets 1"

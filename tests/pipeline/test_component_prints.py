"""Prints of components from the project to the PDF: sizes in mm, wishes, what is left out, what is told."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pikepdf
import pytest

from cardgen.diagnostics import Report
from cardgen.model.product import Made
from cardgen.pipeline.build import build
from cardgen.pipeline.products import Options
from cardgen.pipeline.targets import choose
from cardgen.pipeline.wishes import Wish
from cardgen.workers import open_workers
from tests.support import BASE, load, write_project

COMPONENTS = """\
dice:
  make: stickers
  title: Dice
  dice: [six]
die:
  make: net
  title: A die
  die: six
tokens:
  make: counters
  title: Tokens
  shape: square
  size: 20mm
  items:
    coin: {title: Coin, copies: 5, front: {sign: "1"}, back: {text: Spent}}
strip:
  make: track
  title: Strip
  tracks: [threat]
"""
PRINTS = """\
  dice: {title: Dice, version: "1", components: [dice]}
  net: {title: Net, version: "1", components: [die]}
  tokens: {title: Tokens, version: "1", components: [tokens]}
  strip: {title: Strip, version: "1", components: [strip]}
"""
DIE = '  six: {title: Six, letter: S, colour: "#ffffff", faces: ["1", "2", "3", "4", "5", "6"]}\nkeywords:\n'


def made(
    tmp_path: Path, target: str, options: Options | None = None, changes: dict[str, str] | None = None
) -> tuple[tuple[Made, ...], Report]:
    files = dict(BASE)
    files["cards/g/components/all.yaml"] = COMPONENTS
    files["cards/g/game.yaml"] = files["cards/g/game.yaml"].replace("keywords:\n", DIE) + PRINTS
    report = Report()
    project = load(write_project(tmp_path, files | (changes or {})), report)
    with open_workers(1) as workers:
        targets = choose(project, [target], [], report)
        built = build(project, targets, tmp_path / "out", options or Options(), workers, report)
    return built.files, report


def told(report: Report) -> list[str]:
    return [f"{item.code} {item.message}" for item in report.items]


def test_a_build_says_what_every_file_holds(tmp_path: Path) -> None:
    files, report = made(tmp_path, "g/tokens")
    assert told(report) == []
    (item,) = files[0].contents
    assert (item.copies, item.size) == (5, (20.0, 20.0))
    # Five fronts and, behind them, five backs.
    assert files[0].copies == 10 and files[0].pages == 2


def test_the_pieces_stand_on_the_paper_as_large_as_they_are_said_to_be(tmp_path: Path) -> None:
    files, _ = made(tmp_path, "g/tokens")
    with pikepdf.open(files[0].path) as pdf:
        content = pdf.pages[0].Contents.read_bytes().decode("latin-1")
    # A clip of 20 mm is 56.6929 pt; bleed makes it wider.
    widths = {float(w) for _, _, w, h in re.findall(r"(\S+) (\S+) (\S+) (\S+) re W n", content)}
    assert all(width >= 56.69 for width in widths)
    subprocess.run(["qpdf", "--check", files[0].path], check=True, capture_output=True)


@pytest.mark.parametrize(
    ("wish", "size", "said"),
    [
        (Wish(), 13.0, ""),
        (Wish(size=12.0), 9.0, "12 mm"),
        (Wish(scale=0.75), 9.75, "12 mm (0.75 × 16 mm)"),
    ],
)
def test_dice_can_be_had_in_any_size_which_the_sheet_says(tmp_path: Path, wish: Wish, size: float, said: str) -> None:
    files, report = made(tmp_path, "g/dice", Options(wish=wish))
    assert told(report) == []
    heights = {round(min(item.size), 3) for item in files[0].contents}
    assert heights == {size}
    text = subprocess.run(["pdftotext", files[0].path, "-"], check=True, capture_output=True, text=True).stdout
    assert said in text


def test_sets_multiply_the_dice(tmp_path: Path) -> None:
    one, _ = made(tmp_path / "one", "g/dice")
    three, _ = made(tmp_path / "three", "g/dice", Options(wish=Wish(sets=3)))
    assert three[0].copies == 3 * one[0].copies


def test_what_is_measured_with_or_too_small_is_refused_with_its_reason(tmp_path: Path) -> None:
    files, report = made(tmp_path / "a", "g/dice", Options(wish=Wish(size=3.0)))
    assert not files and told(report)[0].startswith("CG406 component `dice`: ")
    files, report = made(tmp_path / "b", "g/strip", Options(wish=Wish(size=3.0)))
    assert not files and "has no `size`" in told(report)[0]


def test_a_die_with_five_faces_is_no_net_of_a_cube(tmp_path: Path) -> None:
    five = BASE["cards/g/game.yaml"].replace("keywords:\n", DIE.replace(', "6"', "")) + PRINTS
    files, report = made(tmp_path, "g/net", changes={"cards/g/game.yaml": five})
    assert not files
    (message,) = told(report)
    assert message.startswith("CG406") and "5" in message and "6" in message


def test_pieces_of_many_sizes_on_a_grid_are_told_about(tmp_path: Path) -> None:
    game = BASE["cards/g/game.yaml"].replace("keywords:\n", DIE)
    game += '  mixed: {title: M, version: "1", components: [tokens, strip], sheet: a4-3x3}\n'
    files, report = made(tmp_path, "g/mixed", changes={"cards/g/game.yaml": game})
    assert not files and [item.code for item in report.items] == ["CG403"]


def test_the_same_build_gives_the_same_bytes(tmp_path: Path) -> None:
    first, _ = made(tmp_path / "a", "g/net")
    second, _ = made(tmp_path / "b", "g/net")
    assert [item.sha256 for item in first] == [item.sha256 for item in second]


def test_cards_of_several_trims_share_a_sheet_that_a_knife_takes_apart(tmp_path: Path) -> None:
    game = BASE["cards/g/game.yaml"]
    big = "  big:\n    title: Big\n    trim: tarot\n    front: g/item\n    fields: {name: {type: text}, rules: {type: rich}, points: {type: integer}}\n"
    changes = {
        "cards/g/game.yaml": game.replace("prints:\n", big + "prints:\n").replace(
            "kinds: [item]", "kinds: [item, big]"
        ),
        "cards/g/cards/big.yaml": "map: {kind: big, name: Map, rules: Far., points: 1}\n",
    }
    report = Report()
    project = load(write_project(tmp_path, BASE | changes), report)
    with open_workers(1) as workers:
        built = build(project, choose(project, ["g/items"], []), tmp_path / "out", Options(), workers, report)
    assert told(report) == []
    (made,) = built.files
    assert made.pages == 1 and made.copies == 4
    assert {item.size for item in made.contents} == {(63.0, 88.0), (70.0, 120.0)}


def test_cards_keep_their_size_and_say_so(tmp_path: Path) -> None:
    files, report = made(tmp_path, "g/items", Options(wish=Wish(scale=0.5)))
    assert [item.code for item in report.items] == ["CG411"]
    assert files[0].contents[0].size == (63.0, 88.0)


@pytest.mark.parametrize("wish", [Wish(size=12.0), Wish(scale=0.5), Wish(sets=3)])
def test_a_file_of_cards_is_not_named_for_what_cards_do_not_do(tmp_path: Path, wish: Wish) -> None:
    files, _ = made(tmp_path, "g/items", Options(wish=wish, low_ink=True))
    assert [Path(item.path).name for item in files] == ["items-lowink.pdf"]


@pytest.mark.parametrize(
    ("target", "wish", "told_of"),
    [
        ("g/tokens", Wish(size=7.9), "at least 8 mm"),
        ("g/tokens", Wish(size=181.0), "at most 180 mm"),
        ("g/tokens", Wish(scale=0.3), "at least 8 mm"),
        ("g/tokens", Wish(scale=9.5), "at most 180 mm"),
        ("g/dice", Wish(size=5.9), "at least 6 mm"),
        ("g/dice", Wish(size=101.0), "at most 100 mm"),
        ("g/net", Wish(size=101.0), "at most 100 mm"),
        ("g/net", Wish(sets=501), "at most 500"),
        ("g/strip", Wish(scale=0.3), "at least 4 mm"),
        ("g/strip", Wish(scale=8.0), "at most 60 mm"),
    ],
)
def test_what_is_wished_for_has_the_bounds_of_what_is_written(
    tmp_path: Path, target: str, wish: Wish, told_of: str
) -> None:
    files, report = made(tmp_path, target, Options(wish=wish))
    assert not files
    (message,) = told(report)
    assert message.startswith("CG406 component `") and told_of in message


@pytest.mark.parametrize("size", [8.0, 180.0])
def test_a_counter_may_have_the_least_and_the_largest_size(tmp_path: Path, size: float) -> None:
    plain = COMPONENTS.replace(", back: {text: Spent}", "")
    files, report = made(tmp_path, "g/tokens", Options(wish=Wish(size=size)), {"cards/g/components/all.yaml": plain})
    assert told(report) == [] and files[0].contents[0].size == (size, size)


def test_a_file_of_another_size_leaves_the_usual_one_as_it_is(tmp_path: Path) -> None:
    wishes = (Wish(), Wish(size=12.5), Wish(scale=0.75), Wish(sets=3), Wish(scale=0.5, sets=2))
    names = [made(tmp_path, "g/dice", Options(wish=wish))[0][0].path.name for wish in wishes]
    assert names == ["dice.pdf", "dice-12.5mm.pdf", "dice-x0.75.pdf", "dice-3-sets.pdf", "dice-x0.5-2-sets.pdf"]

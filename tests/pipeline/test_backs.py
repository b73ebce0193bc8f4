"""Backs: whose they are (a card's, a deck's, a kind's), and where they go."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pikepdf
import pytest

from cardgen.diagnostics import Report
from cardgen.model.sheet import Backs
from cardgen.pipeline.build import build
from cardgen.pipeline.products import Options
from cardgen.pipeline.targets import choose
from cardgen.workers import Workers
from tests.support import edit, load, write_project


def back(word: str) -> str:
    return f'{{% set css = ["g/item.css"] %}}<div class="points" style="left: 5mm">{word}</div>'


LAYOUTS = {f"layouts/g/{word.lower()}.html.j2": back(word) for word in ("Kinds", "Decks", "Cards")}
CARDS = """\
axe: {kind: item, name: Axe}
rope: {kind: item, name: Rope, back: g/cards}
"""


def project(
    root: Path, kind: bool = True, deck: bool = True, extra: dict[str, str] | None = None, backs: str = ""
) -> Path:
    game = edit("cards/g/game.yaml", "kinds: [item]}", f"deck: small{backs}}}")["cards/g/game.yaml"]
    if kind:
        game = game.replace("    front: g/item\n", "    front: g/item\n    back: g/kinds\n")
    stated = "back: g/decks\n" if deck else ""
    changes = {
        **LAYOUTS,
        "cards/g/game.yaml": game,
        "cards/g/cards/items.yaml": CARDS,
        "cards/g/decks/small.yaml": f"title: Small\n{stated}cards: {{axe: 2, rope: 1}}\n",
        **(extra or {}),
    }
    return write_project(root, changes)


def make(root: Path, options: Options | None = None, report: Report | None = None) -> list[Path]:
    own = Report() if report is None else report
    loaded = load(root)
    built = build(loaded, choose(loaded, [], []), root / "output", options or Options(), Workers(), own)
    if report is None:
        assert own.items == [], [item.message for item in own]
    return [made.path for made in built.files]


def words(path: Path, page: int) -> list[str]:
    command = ["pdftotext", "-f", str(page), "-l", str(page), path, "-"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return sorted(word for word in text.split() if word in ("Kinds", "Decks", "Cards"))


@pytest.mark.parametrize(
    ("kind", "deck", "expected"),
    [
        (True, True, ["Cards", "Decks", "Decks"]),
        (True, False, ["Cards", "Kinds", "Kinds"]),
        (False, True, ["Cards", "Decks", "Decks"]),
        (False, False, ["Cards"]),
    ],
)
def test_a_cards_own_back_goes_before_its_decks_and_that_before_its_kinds(
    tmp_path: Path, kind: bool, deck: bool, expected: list[str]
) -> None:
    (path,) = make(project(tmp_path, kind, deck))
    assert words(path, 2) == expected


def test_a_print_of_kinds_knows_no_deck(tmp_path: Path) -> None:
    root = project(tmp_path)
    file = root / "cards/g/game.yaml"
    file.write_text(file.read_text().replace("deck: small}", "kinds: [item]}"))
    (path,) = make(root)
    assert words(path, 2) == ["Cards", "Kinds"]


def test_backs_that_do_not_exist_are_told_where_they_stand(tmp_path: Path) -> None:
    changes = {
        "cards/g/cards/items.yaml": "axe:\n  kind: item\n  name: Axe\n  back: g/card\nrope: {kind: item, name: Rope}\n",
        "cards/g/decks/small.yaml": "title: Small\nback: g/dekcs\ncards: {axe: 2, rope: 1}\n",
    }
    report = Report()
    load(project(tmp_path, extra=changes), report)
    assert [(str(item.span), item.code, item.hint) for item in report] == [
        ("cards/g/cards/items.yaml:4:9", "CG104", "did you mean `g/cards`?"),
        ("cards/g/decks/small.yaml:2:7", "CG104", "did you mean `g/decks`?"),
    ]


def test_back_is_no_name_for_a_field(tmp_path: Path) -> None:
    report = Report()
    changes = edit(
        "cards/g/game.yaml", "      rules: {type: rich}\n", "      rules: {type: rich}\n      back: {type: text}\n"
    )
    load(write_project(tmp_path, changes), report)
    assert [(item.code, item.arguments["name"]) for item in report] == [("CG106", "back")]


# --- where they go ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("backs", "names", "pages"),
    [
        ("duplex", ["small.pdf"], [2]),
        ("gutterfold", ["small-gutterfold.pdf"], [1]),
        ("separate", ["small-separate.pdf", "small-separate-backs.pdf"], [1, 1]),
        ("none", ["small-nobacks.pdf"], [1]),
    ],
)
def test_each_way_makes_its_files(tmp_path: Path, backs: Backs, names: list[str], pages: list[int]) -> None:
    root = project(tmp_path)
    file = root / "cards/g/game.yaml"
    file.write_text(file.read_text().replace("  items: {title: Items", "  small: {title: Items"))
    paths = make(root, Options(backs=backs))
    assert [path.name for path in paths] == names
    counted = []
    for path in paths:
        with pikepdf.open(path) as pdf:
            counted.append(len(pdf.pages))
            assert ("/Duplex" in pdf.Root.ViewerPreferences) == (backs == "duplex")
    assert counted == pages


def test_folded_fronts_and_backs_are_on_one_page(tmp_path: Path) -> None:
    (path,) = make(project(tmp_path, backs=", backs: gutterfold"))
    assert path.name == "items.pdf"
    assert words(path, 1) == ["Cards", "Decks", "Decks"]
    text = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True).stdout
    assert "fold here" in text
    assert "a4-gutterfold v1" in text


def test_a_sheet_that_is_named_is_kept_or_refused(tmp_path: Path) -> None:
    report = Report()
    assert make(project(tmp_path), Options(backs="gutterfold", sheet="a4-3x3"), report) == []
    (told,) = report
    assert told.code == "CG401"
    assert "the largest grid that does is 2 x 2, turned, portrait: 4 pieces" in told.message
    (path,) = make(project(tmp_path), Options(backs="gutterfold", sheet="a4-auto"))
    assert path.name == "items-a4-auto-gutterfold.pdf"


def test_letter_has_a_folded_sheet_of_its_own(tmp_path: Path) -> None:
    (path,) = make(project(tmp_path), Options(backs="gutterfold", paper="letter"))
    text = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True).stdout
    assert "letter-gutterfold v1" in text


def test_without_backs_nothing_is_folded(tmp_path: Path) -> None:
    changes = {"cards/g/cards/items.yaml": "axe: {kind: item, name: Axe}\nrope: {kind: item, name: Rope}\n"}
    (path,) = make(project(tmp_path, kind=False, deck=False, extra=changes), Options(backs="gutterfold"))
    text = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True).stdout
    assert "fold here" not in text
    assert "a4-3x3 v1" in text


COUNTERS = """\
tokens:
  make: counters
  title: Tokens
  size: 20mm
  items:
    one: {title: One, copies: 2, front: {text: A}BACK}
"""


@pytest.mark.parametrize("two_sided", [True, False])
def test_pieces_of_many_sizes_cannot_be_folded(tmp_path: Path, two_sided: bool) -> None:
    stated = COUNTERS.replace("BACK", ", back: {text: B}" if two_sided else "")
    changes = {
        **edit("cards/g/game.yaml", "kinds: [item]}", "components: [tokens]}"),
        "cards/g/components/tokens.yaml": stated,
    }
    report = Report()
    paths = make(write_project(tmp_path, changes), Options(backs="gutterfold"), report)
    if two_sided:
        (told,) = report
        assert told.code == "CG409"
        assert "cannot be folded behind each other: tokens" in told.message
        assert paths == []
    else:
        assert [item.message for item in report] == []
        assert len(paths) == 1

"""Kits: what two bands need, on the fewest sheets, in numbers; and what a kit refuses."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import pikepdf
import pytest
from msgspec import Struct, structs

from cardgen.diagnostics import Report, Span
from cardgen.model.kit import KitPart
from cardgen.model.product import Kit
from cardgen.pipeline.judged import judge_files
from cardgen.pipeline.kits.make import make_kit
from cardgen.pipeline.kits.pages import _pictures, _ranges
from cardgen.pipeline.kits.parts import check_kit, kit_of
from cardgen.pipeline.products import Options
from cardgen.workers import open_workers

ROOT = Path(__file__).resolve().parents[2]
BANDS = ROOT / "cards/twd/bands"


class Made(Struct, frozen=True):
    """The kit of two shipped bands of 100 points, and where it lies."""

    kit: Kit
    report: Report
    folder: Path

    def copies(self) -> Counter[str]:
        """How many of each cutout there are, by label."""
        found: Counter[str] = Counter()
        for file in self.kit.files:
            for cutout in file.product.cutouts:
                found[cutout.label] += cutout.copies
        return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    report, out = Report(), tmp_path_factory.mktemp("kit")
    found = judge_files(ROOT, [BANDS / "granary-100.yaml", BANDS / "breakwater-100.yaml"], (), report)
    assert found is not None
    project, game, judgements = found
    with open_workers(1) as workers:
        kit = make_kit(project, game, judgements, out, Options(), workers, report)
    return Made(kit, report, out / "twd/en/kit-granary-100-breakwater-100")


def test_a_kit_is_made_without_a_word(made: Made) -> None:
    assert [item.message for item in made.report.items] == []
    assert sorted(path.name for path in made.folder.iterdir()) == [
        "0-checklist.pdf", "1-card.pdf", "2-label.pdf", "3-paper.pdf",
    ]  # fmt: skip
    for path in made.folder.iterdir():
        subprocess.run(["qpdf", "--check", path], check=True, capture_output=True)


def test_it_holds_these_survivors_and_what_they_carry_and_no_others(made: Made) -> None:
    copies = made.copies()
    survivors = {"tobias-wren", "odile-marsh", "captain-rask-adrift", "skip", "doc-larrabee"}
    carried = {"hatchet", "climbing-rope", "hunting-rifle", "rifle-scope", "trench-shovel"}
    game = made.kit.files[0].product.game
    cards = {label for label in copies if label in game.cards}
    assert {card for card in cards if game.cards[card].kind == "survivor"} == survivors
    assert {card for card in cards if game.cards[card].kind == "equipment"} == carried
    assert all(copies[card] == 1 for card in survivors | carried)


def test_it_holds_the_shared_decks_whole(made: Made) -> None:
    copies, game = made.copies(), made.kit.files[0].product.game
    for deck in ("supply", "events"):
        for card, count in game.decks[deck].cards.items():
            assert copies[card] == count


def test_it_holds_a_pawn_for_each_and_a_walker_for_every_fifteen_points(made: Made) -> None:
    counts = made.kit.files[0].counts
    # Facts: T01, a limit of 100 points has seven walkers; nine supply counters; four cars and six barriers.
    assert counts["survivor-pawns"] == 5 and counts["walker-pawns"] == 7
    assert counts["supply-counters"] == 9 and counts["health-counters"] == 5
    # A set of several counters counts every one of them.
    assert counts["state-counters"] == 8 + 4 + 6
    assert sum(counts[f"wreck-{style}"] for style in ("sedan", "hatchback", "pickup", "van")) == 4
    assert counts["concrete-barriers"] + counts["trestle-barriers"] == 6
    assert "map-20x20" in counts and "map-40x20" not in counts


def test_every_copy_is_on_a_sheet_and_the_sheets_are_few(made: Made) -> None:
    for file in made.kit.files:
        fronts = [sheet for sheet in file.imposition.sheets if sheet.side == "front"]
        placed = Counter(
            label
            for sheet in fronts
            for label in ([laid.label for laid in sheet.laid] or [item.label for item in sheet.placements])
        )
        assert placed == Counter({cutout.label: cutout.copies for cutout in file.product.cutouts})
        with pikepdf.open(made.folder / file.name) as pdf:
            assert len(pdf.pages) == len(file.imposition.sheets)
    card = made.kit.files[0]
    # 64 poker cards alone fill 7.1 sheets of nine, five survivors 1.25 of four.
    assert card.sheets <= 17


def test_in_a_file_for_both_sides_every_front_has_something_behind_it(made: Made) -> None:
    imposition = made.kit.files[0].imposition
    assert imposition.duplex == "long-edge"
    sides = [(sheet.number, sheet.side) for sheet in imposition.sheets]
    assert sides == [(n, side) for n in range(1, len(sides) // 2 + 1) for side in ("front", "back")]


def test_the_sheets_are_numbered_through(made: Made) -> None:
    text = subprocess.run(
        ["pdftotext", made.folder / "1-card.pdf", "-"], check=True, capture_output=True, text=True
    ).stdout
    total = made.kit.files[0].sheets
    for number in range(1, total + 1):
        assert f"sheet {number} of {total}" in text


def test_the_checklist_says_the_verdicts_and_every_part(made: Made) -> None:
    text = subprocess.run(
        ["pdftotext", "-layout", made.folder / "0-checklist.pdf", "-"], check=True, capture_output=True, text=True
    ).stdout
    assert text.count("LEGAL") == 2
    for word in ("The Silo Watch", "The Tide Line", "Walker pawns", "Supplies", "Kill Zone", "Captain Rask"):
        assert word in text


def test_bands_that_set_up_differently_are_told_about() -> None:
    report = Report()
    found = judge_files(ROOT, [BANDS / "granary-100.yaml", BANDS / "line-nine-250.yaml"], (), report)
    assert found is not None
    kit = kit_of(found[1], found[2], report)
    assert kit.wanted and not kit.missing and {item.code for item in report.items} == {"CG407"}
    assert any("7, 17" in item.message for item in report.items)


@pytest.mark.parametrize(("numbers", "said"), [([1], "1"), ([1, 2, 3], "1–3"), ([1, 3, 4, 6], "1, 3–4, 6"), ([], "")])
def test_sheets_in_a_row_are_told_as_a_range(numbers: list[int], said: str) -> None:
    assert _ranges(numbers) == said


def test_every_front_sheet_that_is_cut_has_its_picture_with_numbered_cuts(made: Made) -> None:
    for file in made.kit.files[:2]:
        pictures = list(_pictures(file))
        shown = [n for picture in pictures for n in _expanded(str(picture["sheets"]))]
        assert sorted(shown) == list(range(1, file.sheets + 1))
        for picture in pictures:
            numbers = [cut["number"] for cut in picture["cuts"]]  # type: ignore[attr-defined]
            assert numbers == list(range(1, len(numbers) + 1))


def _expanded(ranges: str) -> list[int]:
    found: list[int] = []
    for part in ranges.split(", "):
        first, _, last = part.partition("–")
        found += range(int(first), int(last or first) + 1)
    return found


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"deck": "suply"}, "there is no deck `suply`"),
        ({"component": "pawnz"}, "there is no component `pawnz`"),
        ({"component": "walker-pawns", "each": '"many"'}, "and not a number from 0 to 999"),
        ({"component": "walker-pawns", "each": "1000"}, "gives 1000"),
        ({"component": "walker-pawns", "each": "setup.walkers +"}, ""),
        ({"cards": "it.nobody"}, ""),
    ],
)
def test_a_part_that_cannot_be_worked_out_is_told_and_left_out(part: dict[str, str], said: str) -> None:
    report = Report()
    found = judge_files(ROOT, [BANDS / "granary-100.yaml"], (), report)
    assert found is not None
    keys = {"deck": "", "component": "", "cards": "", "each": "", "when": "", "stock": "card"}
    wrong = KitPart(**(keys | part), span=Span("game.yaml", 1, 1))  # type: ignore[arg-type]
    game = structs.replace(found[1], kit=(wrong, *found[1].kit[:1]))
    kit = kit_of(game, found[2], report)
    assert len(kit.wanted) == 1 and len(kit.missing) == 1
    assert [item.code for item in report.items] == ["CG408"]
    assert said in report.items[0].message


def test_a_check_finds_what_no_band_could_make_good() -> None:
    found = judge_files(ROOT, [BANDS / "granary-100.yaml"], (), Report())
    assert found is not None
    keys = {"deck": "", "component": "", "cards": "", "each": "", "when": "", "stock": "card", "span": Span("g", 1, 1)}
    wrong = [
        {"deck": "suply"},
        {"component": "walker-pawns", "each": "setup.walker"},
        {"component": "walker-pawns", "each": "setup.walkers +"},
        {"component": "walker-pawns", "cards": "its.card"},
    ]
    report = Report()
    parts = tuple(KitPart(**(keys | part)) for part in wrong)  # type: ignore[arg-type]
    check_kit(structs.replace(found[1], kit=parts), report)
    assert [item.code for item in report.items] == ["CG104", "CG408", "CG408", "CG408"]
    assert "`walkers`" in report.items[1].hint and "`it`" in report.items[3].hint
    clean = Report()
    check_kit(found[1], clean)
    assert not clean.items

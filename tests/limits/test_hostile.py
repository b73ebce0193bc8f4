"""Sizes that nobody prints: refused with a message, in little memory, or carried."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cardgen.diagnostics import Report
from cardgen.pipeline.products import MAX_PIECES, Options, make_products
from cardgen.pipeline.targets import choose
from tests.support import BASE, load, write_project

MEMORY = 400_000_000
GAME, CARDS = "cards/g/game.yaml", "cards/g/cards/items.yaml"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits on memory are the system's")


def run(root: Path, command: str = "check") -> tuple[int, str]:
    """The exit code and what was said of a run that may have little memory."""
    code = (
        "import resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))\n"
        "from cardgen.cli import entry\n"
        "entry()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, command, "--jobs", "1", "--project", str(root)], capture_output=True, text=True
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout + done.stderr


def sparse(path: Path, size: int) -> None:
    """A file of a size that takes no room on the disk."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as stream:
        stream.truncate(size)


def test_the_memory_is_enough_for_a_sound_project(tmp_path: Path) -> None:
    code, said = run(write_project(tmp_path), "build")
    assert code == 0, said


def test_a_picture_of_a_gigabyte(tmp_path: Path) -> None:
    write_project(
        tmp_path,
        {
            GAME: BASE[GAME].replace("      rules:", "      art: {type: image}\n      rules:"),
            CARDS: BASE[CARDS].replace("  name: Axe\n", "  name: Axe\n  art: huge.png\n"),
            "layouts/g/item.html.j2": BASE["layouts/g/item.html.j2"]
            + '{% if card.art %}<img src="{{ art_url(card.art) }}">{% endif %}',
        },
    )
    sparse(tmp_path / "cards/g/art/huge.png", 1_000_000_000)
    code, said = run(tmp_path)
    assert code == 1 and "cards/g/art/huge.png" in said and "is larger than 100 MB" in said


@pytest.mark.parametrize("name", [CARDS, GAME, "cardgen.yaml", "cards/g/decks/d.yaml", "layouts/_trims.yaml"])
def test_a_yaml_file_of_fifty_megabytes(tmp_path: Path, name: str) -> None:
    write_project(tmp_path)
    sparse(tmp_path / name, 50_000_000)
    code, said = run(tmp_path)
    assert code == 1 and name in said and "is larger than 20 MB" in said


def test_as_many_values_as_a_yaml_file_may_have(tmp_path: Path) -> None:
    cards = "".join(f"c{n}: {{kind: item, name: Card {n}, points: {n % 20}}}\n" for n in range(90_000))
    write_project(tmp_path, {CARDS: cards})
    code, said = run(tmp_path)
    assert code == 1 and "CG014" in said and "500000" in said.replace(" ", "")


def deck(copies: int) -> str:
    cards = 120
    each = copies // cards
    return "title: Many\ncards: {" + ", ".join(f"c{n}: {each}" for n in range(cards)) + "}\n"


def many(root: Path, copies: int) -> Path:
    cards = "".join(f"c{n}:\n  kind: item\n  name: Card {n}\n" for n in range(120))
    prints = BASE[GAME].replace("kinds: [item]", "deck: many")
    return write_project(root, {GAME: prints, CARDS: cards, "cards/g/decks/many.yaml": deck(copies)})


def test_a_deck_of_a_hundred_thousand_copies(tmp_path: Path) -> None:
    code, said = run(many(tmp_path, 110_000), "build")
    assert code == 1 and "CG412" in said and "has 109920 pieces, more than the 50000" in said
    assert not list(tmp_path.rglob("*.pdf"))


def test_as_many_copies_as_a_print_may_have_are_a_product(tmp_path: Path) -> None:
    project = load(many(tmp_path, MAX_PIECES))
    report = Report()
    (product,) = make_products(project, choose(project, [], []), Options(), report)
    assert list(report) == [] and MAX_PIECES - 120 < sum(piece.copies for piece in product.pieces) <= MAX_PIECES


def test_ten_thousand_copies_are_printed_in_little_memory(tmp_path: Path) -> None:
    code, said = run(many(tmp_path, 10_000), "build")
    assert code == 0 and "pages, 9960 faces" in said


def test_components_are_counted_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    six = BASE[GAME].replace('faces: [blank, "1"]', 'faces: [blank, "1", "2", "3", "4", "5"]')
    game = six + '  dice: {title: Dice, version: "1", components: [dice]}\n'
    dice = "dice:\n  title: Dice\n  make: stickers\n  dice: [white]\n  sets: 50\n  size: 16mm\n"
    project = load(write_project(tmp_path, {GAME: game, "cards/g/components/dice.yaml": dice}))

    def told() -> list[str]:
        report = Report()
        make_products(project, choose(project, ["g/dice"], []), Options(), report)
        return [item.code for item in report]

    assert told() == []
    monkeypatch.setattr("cardgen.pipeline.products.MAX_PIECES", 40)
    assert told() == ["CG412"]

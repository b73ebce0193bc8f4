"""`cardgen catalogue` and `cardgen band --cards`, as people run them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


def cardgen(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "cardgen", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A project with the shipped game as its own."""
    (tmp_path / "cardgen.yaml").write_text("name: own\ngames: [arena]\n", "utf-8")
    shutil.copytree(ROOT / "cards/arena", tmp_path / "cards/arena")
    return tmp_path


def test_the_shipped_catalogue_is_counted_and_open() -> None:
    done = cardgen(ROOT, "catalogue", "arena")
    assert (done.returncode, done.stderr) == (0, "")
    assert "unreachable options: none" in done.stdout
    assert "cards without a legal band: none" in done.stdout


def test_what_nobody_can_have_is_named_with_its_place(own: Path) -> None:
    magic = own / "cards/arena/cards/magic.yaml"
    text = magic.read_text("utf-8")
    assert text.count("  gods: [yssidra]\n") == 1
    magic.write_text(text.replace("  gods: [yssidra]\n", "  gods: [yssidra]\n  races: [orc]\n"), "utf-8")
    done = cardgen(own, "catalogue", "arena", "--format", "json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    (problem,) = told["problems"]
    assert (problem["code"], problem["file"]) == ("CG631", "cards/arena/cards/magic.yaml")
    assert "no avatar can choose `undertow`" in problem["message"]
    (catalogue,) = told["catalogues"]
    closed = [option["option"] for option in catalogue["options"] if option["open_to"] is None]
    assert closed == ["undertow"]


def test_a_card_that_no_band_can_field_is_named_with_its_rule(own: Path) -> None:
    (file,) = (
        path for path in (own / "cards/arena/cards").glob("*.yaml") if "\nquarry-thane:\n" in path.read_text("utf-8")
    )
    before, name, after = file.read_text("utf-8").partition("\nquarry-thane:\n")
    changed, count = re.subn(r"\n  availability: \d+", "\n  availability: 0", after, count=1)
    assert count == 1
    file.write_text(before + name + changed, "utf-8")
    game = own / "cards/arena/game.yaml"
    game.write_text(
        re.sub(r"(availability: \{type: integer,[^}]*?min: )1", r"\g<1>0", game.read_text("utf-8")), "utf-8"
    )
    done = cardgen(own, "catalogue", "arena", "--format", "json")
    problems = json.loads(done.stdout)["problems"]
    assert [problem["code"] for problem in problems] == ["CG632"], problems
    assert "`quarry-thane`" in problems[0]["message"] and "ADM-016" in problems[0]["message"]


def test_a_game_without_choices_has_no_catalogue() -> None:
    done = cardgen(ROOT, "catalogue", "twd")
    assert done.returncode == 2
    assert "states its `choices`" in done.stderr


def test_an_unknown_game() -> None:
    done = cardgen(ROOT, "catalogue", "arenna")
    assert done.returncode == 2
    assert "did you mean `arena`?" in done.stderr


def test_a_bands_cards(tmp_path: Path) -> None:
    target = tmp_path / "cards.pdf"
    band = "cards/arena/bands/masked-ball.yaml"
    done = cardgen(ROOT, "band", band, "--lang", "es", "--cards", str(target), "--jobs", "1")
    # Nobody said yet how much gold the band may cost.
    assert done.returncode == 1 and done.stderr == ""
    text = subprocess.run(["pdftotext", target, "-"], capture_output=True, text=True, check=True).stdout
    for word in ("DOMINO", "COLOMBINE", "MORETTA", "Hoces gemelas"):
        assert word in text

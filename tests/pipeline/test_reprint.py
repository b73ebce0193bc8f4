"""Printing only what changed: the sheets, what they say, and what the commands say."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from cardgen.cli import cli
from cardgen.errors import FileProblem, UsageError
from cardgen.geometry import Box
from cardgen.pipeline.draw import draw
from cardgen.sheets.listing import LEAST, largest_free
from tests.pipeline.ledgers import bilingual, change

CARDS = "cards/g/cards/items.yaml"


def text_of(path: Path) -> str:
    done = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True, check=True)
    return done.stdout


class Table:
    """A project on a table: commands, and what they wrote."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, *arguments: str, code: int = 0) -> Result:
        jobs = [] if arguments[0] in {"printed", "changed", "identify"} else ["--jobs", "1"]
        done = CliRunner().invoke(cli, [*arguments, *jobs, "--project", str(self.root)])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == code, done.output
        return done

    def json(self, *arguments: str, code: int = 0) -> Any:
        return json.loads(self.run(*arguments, "--format", "json", code=code).stdout)

    def files(self, pattern: str) -> list[str]:
        return sorted(path.relative_to(self.root).as_posix() for path in self.root.glob(pattern))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(bilingual(tmp_path))


def test_one_changed_card_of_the_shipped_deck_is_one_sheet(tmp_path: Path, root: Path) -> None:
    for name in ("cards/twd", "layouts/twd"):
        shutil.copytree(root / name, tmp_path / name)
    (tmp_path / "cardgen.yaml").write_text("name: copy\ngames: [twd]\nlanguages: [en]\n")
    table = Table(tmp_path)
    table.run("printed", "twd/equipment", "--date", "2026-11-30")
    change(tmp_path, "cards/twd/cards/equipment.yaml", "  name: Camp Hatchet", "  name: Camp Cleaver")
    result = table.json("build", "--changed-since", "last")
    (made,) = result["files"]
    assert made["path"].endswith("output/twd/en/equipment-changed.pdf")
    # A front and its back on one sheet of paper, and nothing else.
    assert (made["pages"], made["copies"]) == (2, 2)
    assert [item["label"] for item in made["contents"]] == ["hatchet"]
    found = text_of(tmp_path / "output/twd/en/equipment-changed.pdf")
    assert "CAMP CLEAVER" in found.upper()
    assert "FIRE AXE" not in found.upper()
    (changes,) = result["changed"]
    assert changes["take_out"] == [
        {"label": "hatchet", "title": "Camp Hatchet", "copies": 1, "of": 1, "kept": 0, "code": ""}
    ]


def test_nothing_changed_is_nothing_built(table: Table) -> None:
    table.run("printed", "--date", "2026-11-30")
    done = table.run("build", "--changed-since", "last")
    assert "nothing has changed since 2026-11-30-1" in done.output
    assert table.files("output/**/*.pdf") == []


def test_the_missing_copies_are_built_and_the_old_are_told(table: Table) -> None:
    table.run("printed", "--lang", "en")
    change(table.root, CARDS, "copies: 2", "copies: 4")
    change(table.root, CARDS, "name: Axe", "name: Hatchet")
    done = table.run("build", "--changed-since", "last")
    assert "take out of g/en/items: Axe\n" in done.output
    assert table.files("output/**/*.pdf") == ["output/g/en/items-changed.pdf"]
    found = text_of(table.root / "output/g/en/items-changed.pdf")
    assert len(re.findall("Rope", found)) == 2
    # Both in the margin and in the list on the sheet.
    assert len(re.findall("Axe", found)) == 2
    assert "Take out the old" in found


def test_a_taken_out_card_alone_makes_no_sheet(table: Table) -> None:
    table.run("printed", "--lang", "en")
    change(table.root, CARDS, "copies: 2", "copies: 1")
    done = table.run("build", "--changed-since", "last")
    assert "take out of g/en/items: Rope (1 of 2)\n" in done.output
    assert table.files("output/**/*.pdf") == []


def test_prints_share_a_sheet_where_that_saves_one(table: Table) -> None:
    change(
        table.root,
        "cards/g/game.yaml",
        "items: {title: Items",
        'more: {title: More, version: "1", deck: more}\n  items: {title: Items',
    )
    (table.root / "cards/g/decks").mkdir()
    (table.root / "cards/g/decks/more.yaml").write_text("title: More\ncards: {axe: 2}\n")
    table.run("printed", "--lang", "en")
    change(table.root, CARDS, "name: Axe", "name: Hatchet")
    (made,) = table.json("build", "--changed-since", "last")["files"]
    assert made["path"].endswith("g/en/more+items-changed.pdf")
    assert (made["pages"], made["copies"]) == (1, 3)
    # A sheet that is asked for is that of each print.
    files = table.json("build", "--changed-since", "last", "--sheet", "a4-3x3")["files"]
    assert len(files) == 2


def test_after_the_changed_cards_are_printed_nothing_is_left(table: Table) -> None:
    table.run("printed")
    change(table.root, CARDS, "name: Rope", "name: Line")
    assert [item["changes"][0]["label"] for item in table.json("changed")["prints"]] == ["rope", "rope"]
    table.run("printed")
    assert [item["changes"] for item in table.json("changed")["prints"]] == [[], []]
    # What came first can still be asked for.
    (first, second) = table.files("printed/*.yaml")
    assert first.endswith("-1.yaml") and second.endswith("-2.yaml")
    assert len(table.json("changed", "--since", Path(first).stem)["prints"][0]["changes"]) == 1


def test_what_changed_is_told_in_words(table: Table) -> None:
    table.run("printed", "--lang", "en", "--name", "first")
    change(table.root, CARDS, "Chop** it.", "Chop** it well.")
    change(table.root, CARDS, "copies: 2", "copies: 3")
    done = table.run("changed")
    assert done.output.splitlines() == [
        "g/en/items, since first: 1 changed, 1 with more or fewer copies, 0 the same",
        "  changed  axe   Axe: front",
        "                 rules: `**Chop** it.` → `**Chop** it well.`",
        "  copies   rope  Rope, 2 → 3 copies",
        "1 changed, 1 with more or fewer copies, no problems",
    ]


def test_what_was_never_printed_is_left_out(table: Table) -> None:
    table.run("printed", "--lang", "en")
    done = table.run("changed", "--lang", "es")
    assert "CG421" in done.stderr
    assert done.stdout == "it cannot be told what has changed, 1 info\n"
    with pytest.raises(UsageError, match="no print of g"):
        table.run("changed", "g/nothing")


def test_without_a_note_nothing_is_built(table: Table) -> None:
    done = table.run("build", "--changed-since", "last", code=1)
    assert "CG420" in done.stderr
    assert table.files("output/**/*.pdf") == []


@pytest.mark.parametrize("date", ["yesterday", "2026-13-01", "20261130", "2026-11-30 08:00:00"])
def test_what_is_no_date(table: Table, date: str) -> None:
    with pytest.raises(UsageError, match="is no date"):
        table.run("printed", "--date", date)


def test_a_full_disk_leaves_what_was_noted(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.run("printed", "--name", "first")
    before = (table.root / "printed/first.yaml").read_bytes()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    done = table.run("printed", "--name", "second", code=1)
    assert "CG501" in done.stderr and "No space left" in done.stderr
    monkeypatch.undo()
    assert [path.name for path in (table.root / "printed").iterdir()] == ["first.yaml"]
    assert (table.root / "printed/first.yaml").read_bytes() == before
    assert "nothing changed" in table.run("changed").output


def test_a_file_where_the_notes_belong(table: Table) -> None:
    (table.root / "printed").write_text("")
    done = table.run("printed", code=1)
    assert "CG501" in done.stderr


def test_a_code_that_is_a_card(table: Table) -> None:
    table.run("printed", "--lang", "en", "--name", "first")
    note = (table.root / "printed/first.yaml").read_text()
    code = re.findall(r"front: (\w+)", note)[0][:6]
    done = table.run("identify", code.lower())
    assert done.stdout == f"{code}  Axe, front of `axe` in g/en/items; printed first; current\n"
    (face,) = table.json("identify", code)["faces"]
    assert (face["label"], face["current"], face["printings"]) == ("axe", True, ["first"])
    change(table.root, CARDS, "name: Axe", "name: Hatchet")
    assert "superseded by" in table.run("identify", code).stdout


# --- the list on the sheet -------------------------------------------------------------------------------------------

BOXES = st.builds(Box, st.floats(-50, 250), st.floats(-50, 320), st.floats(0.1, 120), st.floats(0.1, 120))


@given(st.lists(BOXES, max_size=12))
def test_the_free_place_is_free_and_inside(taken: list[Box]) -> None:
    area = Box(5.0, 10.0, 200.0, 270.0)
    found = largest_free(area, taken)
    if found is None:
        return
    assert area.grown(1e-6).contains(found)
    assert found.width >= LEAST.width and found.height >= LEAST.height
    assert not any(found.grown(-1e-6).overlaps(box) for box in taken)


def test_an_empty_sheet_is_free_and_a_full_one_is_not() -> None:
    area = Box(0.0, 0.0, 100.0, 50.0)
    assert largest_free(area, []) == area
    assert largest_free(area, [area]) is None
    assert largest_free(area, [Box(0.0, 0.0, 50.0, 50.0)]) == Box(50.0, 0.0, 50.0, 50.0)


# --- what is told of old cards ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lang", "rope", "some"), [("en", "Rope", "1 of 2"), ("es", "Cuerda", "1 de 2")])
def test_of_several_copies_it_is_told_how_many(table: Table, lang: str, rope: str, some: str) -> None:
    table.run("printed", "--lang", lang)
    change(table.root, CARDS, "copies: 2", "copies: 1")
    change(table.root, CARDS, "name: Axe", "name: Hatchet")
    if lang == "es":
        change(table.root, "cards/g/i18n/es.po", '"Axe"\nmsgstr "Hacha"', '"Hatchet"\nmsgstr "Hachuela"')
    result = table.json("build", "--changed-since", "last")
    (changes,) = result["changed"]
    assert [(one["title"], one["copies"], one["of"], one["kept"]) for one in changes["take_out"]] == [
        ("Axe" if lang == "en" else "Hacha", 1, 1, 0),
        (rope, 1, 2, 1),
    ]
    found = text_of(table.root / f"output/g/{lang}/items-changed.pdf")
    # In the margin and in the list.
    assert found.count(f"{rope} ({some})") == 2


def test_a_changed_card_of_several_copies_says_how_many(table: Table) -> None:
    table.run("printed", "--lang", "en")
    change(table.root, CARDS, "name: Rope", "name: Cord")
    assert "Cord ×2: front" in table.run("changed").output
    assert "take out of g/en/items: Rope ×2\n" in table.run("build", "--changed-since", "last").output


def test_without_its_sheet_no_card_is_taken_out(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.run("printed", "--lang", "en")
    change(table.root, CARDS, "name: Axe", "name: Hatchet")

    def full(*_: object) -> None:
        raise FileProblem("No space left on device")

    monkeypatch.setattr("cardgen.pipeline.build.write_atomic", full)
    done = table.run("build", "--changed-since", "last", code=1)
    assert "CG501" in done.stderr and "take out" not in done.stdout
    assert table.json("build", "--changed-since", "last", code=1)["changed"][0]["take_out"] == []


def test_a_card_that_cannot_be_drawn_replaces_nothing(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.run("printed", "--lang", "en")
    change(table.root, CARDS, "name: Axe", "name: Hatchet")
    change(table.root, CARDS, "name: Rope", "name: Cord")

    def without_the_first(*arguments: Any) -> Any:
        for made in draw(*arguments):
            yield structs.replace(made, keys=("lost", *made.keys[1:]))

    monkeypatch.setattr("cardgen.pipeline.ledger.rebuild.draw", without_the_first)
    done = table.run("build", "--changed-since", "last")
    assert "CG405" in done.stderr
    assert "take out of g/en/items: Rope ×2\n" in done.stdout


def test_what_stayed_noted_as_it_was_is_told_why_it_changed(table: Table) -> None:
    table.run("printed", "--lang", "en")
    change(table.root, "layouts/g/item.css", "#336699", "#336698")
    change(table.root, CARDS, "name: Axe", "name: Axe\n  points: many")
    table.run("printed", code=1)  # the rope has the new style; the axe cannot have been printed
    change(table.root, CARDS, "name: Axe\n  points: many", "name: Axe")
    told = table.run("changed").stdout
    assert "axe" in told and "front (the layout)" in told and "rope" not in told


def test_where_nothing_can_be_told_nothing_is_called_unchanged(table: Table) -> None:
    done = table.run("changed", code=1)
    assert done.stdout == "it cannot be told what has changed, 1 error\n"
    table.run("printed", "--lang", "en")
    change(table.root, CARDS, "name: Axe", "nam: Axe")
    done = table.run("changed", code=1)
    assert "nothing changed" not in done.stdout
    # A card without its name cannot be read; it is not gone for that, and stays noted as it was.
    assert done.stdout.splitlines()[-1] == "1 card of which it cannot be told, 2 errors"
    assert "unknown  axe" in done.stdout
    assert "take out" not in table.run("build", "--changed-since", "last", code=1).stdout
    table.run("printed", "--name", "typo", code=1)
    assert "axe:" in (table.root / "printed/typo.yaml").read_text("utf-8")


def test_what_is_noted_already_is_not_noted_again(table: Table) -> None:
    table.run("printed", "--lang", "en")
    before = table.files("printed/*")
    assert table.run("printed").output == "nothing new: all of it is noted as it is now, no problems\n"
    assert table.json("printed") == {"file": None, "prints": [], "problems": []}
    assert table.files("printed/*") == before
    # A name is wanted for later, whatever it stands for.
    table.run("printed", "--name", "spring")
    change(table.root, CARDS, "copies: 2", "copies: 1")
    table.run("printed")
    assert len(table.files("printed/*")) == len(before) + 2


def test_a_list_that_a_margin_does_not_hold_is_elsewhere(tmp_path: Path) -> None:
    cards = "\n".join(f"c{n:02}: {{kind: item, name: Quite A Long Name {n:02}}}" for n in range(30))
    table = Table(bilingual(tmp_path))
    (table.root / CARDS).write_text(cards + "\n", "utf-8")
    table.run("printed", "--lang", "en")
    for count, where in ((6, "all on the last sheet"), (27, "all told by cardgen build")):
        text = cards
        for n in range(count):
            text = text.replace(f"Long Name {n:02}", f"New Name {n:02}")
        (table.root / CARDS).write_text(text + "\n", "utf-8")
        done = table.run("build", "--changed-since", "last")
        assert done.stdout.count("Quite A Long Name") == count
        (path,) = (table.root / "output/g/en").glob("*.pdf")
        # Margins are read line by line, and a label may be of two.
        plain = subprocess.run(["pdftotext", "-raw", path, "-"], capture_output=True, text=True, check=True).stdout
        found = " ".join(plain.split())
        assert re.search(rf"take out the old: Quite A Long Name 00.* \+ \d+, {where}", found), found

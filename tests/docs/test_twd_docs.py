"""What docs/twd.md counts is counted here."""

from __future__ import annotations

import re
from pathlib import Path

import pikepdf
import pytest

from cardgen.diagnostics import Report
from cardgen.load.project import load_project
from cardgen.model.project import Project
from cardgen.pipeline.build import build
from cardgen.pipeline.products import Options
from cardgen.pipeline.targets import choose
from cardgen.workers import open_workers

ROOT = Path(__file__).parents[2]
TOLD = " ".join((ROOT / "docs" / "twd.md").read_text(encoding="utf-8").split())


@pytest.fixture(scope="module")
def project() -> Project:
    project = load_project(ROOT, Report())
    assert project is not None
    return project


def numbers(pattern: str) -> list[int]:
    found = re.search(pattern, TOLD)
    assert found is not None, f"docs/twd.md no longer says {pattern!r}"
    return [int(number) for number in found.groups()]


def test_rulings_are_counted_right(project: Project) -> None:
    packs = project.games["twd"].packs
    playtest, released = set(packs["twd-playtest"].notes), set(packs["twd-released"].notes)
    all_of_them = playtest | released
    told = numbers(r"(\d+) rulings, (\d+) on the playtest and (\d+) that the released game adds")
    assert told == [len(all_of_them), len(playtest), len(released - playtest)]


def test_every_ruling_is_in_the_booklet_once(project: Project) -> None:
    game = project.games["twd"]
    inserts = [block.insert.split() for block in game.booklets["faq"].blocks if block.insert]
    named = [id for word, *ids in inserts if word == "notes" for id in ids]
    assert sorted(named) == sorted({id for pack in game.packs.values() for id in pack.notes})


def test_the_contradictions_stand_in_their_own_chapter(project: Project) -> None:
    blocks = list(project.games["twd"].booklets["faq"].blocks)
    at = next(n for n, block in enumerate(blocks) if block.text == "Where the rules say two things")
    assert {"C02", "C03", "C04", "C08b", "C12"} <= set(blocks[at + 1].insert.split())


@pytest.mark.slow
def test_the_booklet_has_as_many_sheets_as_told_in_every_language(project: Project, tmp_path: Path) -> None:
    (told,) = numbers(r"booklet of (\d+) sheets in every language")
    report = Report()
    with open_workers(1) as workers:
        made = build(project, choose(project, ["twd/faq-booklet"], []), tmp_path, Options(), workers, report)
    counts = {}
    for file in made.files:
        with pikepdf.open(file.path) as pdf:
            counts[file.path.parent.name] = len(pdf.pages)
    assert counts == dict.fromkeys(("en", "es", "ru"), 2 * told)

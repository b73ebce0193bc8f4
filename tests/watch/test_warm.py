"""A process that stays writes what a fresh one writes, byte for byte, and tells the same; it does only what it must."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from PIL import Image

from cardgen.diagnostics import Report
from cardgen.load.project import load_project
from cardgen.pipeline import draw as drawing
from cardgen.pipeline.build import build
from cardgen.pipeline.keep.warm import Wanted, Warm
from cardgen.pipeline.products import Options
from cardgen.pipeline.targets import choose
from cardgen.workers import Workers
from tests.support import BASE, write_project

GAME, CARDS, LAYOUT, CSS = (
    "cards/g/game.yaml",
    "cards/g/cards/items.yaml",
    "layouts/g/item.html.j2",
    "layouts/g/item.css",
)
MORE = """\
saw:
  kind: item
  name: Saw
  points: 3
  rules: >
    It cuts **wood**
    and time.
"""


def picture(path: Path, colour: str, size: int = 600) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (size, size), colour).save(path)


def project(root: Path) -> Path:
    picture(root / "cards/g/art/face.png", "red")
    fields = BASE[GAME].replace("      rules:", "      art: {type: image}\n      rules:")
    fields += '  backs: {title: One, version: "1", deck: one}\n'
    return write_project(
        root,
        {
            GAME: fields,
            CARDS: BASE[CARDS].replace("  name: Axe\n", "  name: Axe\n  art: face.png\n") + MORE,
            "cards/g/decks/one.yaml": "title: One\ncards: {rope: 3, saw: 1}\n",
            LAYOUT: BASE[LAYOUT]
            + '{% if card.art %}<img src="{{ art_url(card.art) }}" style="position: absolute; width: 20mm">{% endif %}'
            + '<div class="points" style="left: 5mm">{{ game.cards.saw.name if game.cards.saw }}</div>',
        },
    )


def fresh(root: Path, output: Path) -> tuple[dict[str, bytes], list[str]]:
    report = Report()
    loaded = load_project(root, report)
    if loaded is not None:
        build(loaded, choose(loaded, [], [], report), output, Options(), Workers(), report)
    return read(output), told(report)


def read(output: Path) -> dict[str, bytes]:
    return {path.relative_to(output).as_posix(): path.read_bytes() for path in sorted(output.rglob("*.pdf"))}


def told(report: Report) -> list[str]:
    return [f"{item.span} {item.code} {item.message} {item.hint}" for item in report]


class Run:
    """A warm process and how many faces it has drawn."""

    def __init__(self, root: Path, output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self.output = root, output
        self.warm = Warm(Wanted(root, (), (), output, Options()))
        self.drawn: list[str] = []
        render = drawing.render

        def count(job: drawing.Job) -> drawing.Rendering:
            self.drawn += [face.label for face in job.faces]
            return render(job)

        monkeypatch.setattr(drawing, "render", count)

    def build(self) -> tuple[list[str], list[str], list[str]]:
        """What was drawn, which files were written, what was told."""
        self.drawn.clear()
        report = Report()
        written: list[str] = []
        self.warm.build(Workers(), report, lambda made: written.append(made.path.stem))
        return sorted(self.drawn), written, told(report)

    def change(self, name: str, old: str, new: str) -> None:
        path = self.root / name
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    return Run(project(tmp_path / "p"), tmp_path / "out", monkeypatch)


ALL = ["axe/front", "rope/front", "saw/front"]


def test_nothing_changed_is_nothing_done(run: Run) -> None:
    assert run.build() == (ALL, ["items", "backs"], [])
    assert run.build() == ([], [], [])


def test_one_card_is_drawn_and_one_file_written(run: Run) -> None:
    run.build()
    run.change(CARDS, "**Chop** it.", "**Chop** all.")
    assert run.build()[:2] == (["axe/front"], ["items"])
    run.change(CARDS, "  copies: 2", "  copies: 4")
    assert run.build()[:2] == ([], ["items"])
    run.change("cards/g/decks/one.yaml", "rope: 3", "rope: 2")
    assert run.build()[:2] == ([], ["backs"])


def test_a_file_that_is_gone_or_changed_by_others_is_written_again(run: Run) -> None:
    run.build()
    (run.output / "g/en/items.pdf").unlink()
    assert run.build()[:2] == ([], ["items"])
    (run.output / "g/en/backs.pdf").write_bytes(b"not ours")
    assert run.build()[:2] == ([], ["backs"])


def test_mistakes_are_told_each_time_until_they_are_mended(run: Run) -> None:
    run.build()
    run.change(CARDS, "  points: 3", "  points: 99")
    first = run.build()
    assert any("CG022" in line for line in first[2]) and any("CG405" in line for line in first[2])
    assert run.build()[1:] == ([], first[2])
    run.change(CARDS, "  points: 99", "  points: 3")
    assert run.build()[2] == []


EDITS = [
    (CARDS, "**Chop** it.", "**Chop** all of it, and [white] more."),
    (CARDS, "name: Rope", "name: A long rope"),
    (CARDS, "axe:\n", "# a line more\naxe:\n"),
    (CARDS, "name: Saw", "name: Saws"),  # which the other cards show
    (CARDS, "  points: 3", "  points: 99"),
    (CARDS, "  points: 99", "  points: 4"),
    (CARDS, "rope:\n", "rope\n"),
    (CARDS, "rope\n", "rope:\n"),
    (CARDS, "name: Axe", "name: &a Axe"),
    (CARDS, "name: A long rope", "name: *a"),
    (CARDS, "    and time.", "    and time, and [nothing]."),
    (CARDS, "[nothing]", "much " * 200),
    (CARDS, "much " * 200, "more"),
    (CARDS, "saw:\n", "axe:\n"),
    (CARDS, "\naxe:\n  kind: item\n  name: Saws", "\nsaw:\n  kind: item\n  name: Saws"),
    (GAME, "labels: {points: Points}", "labels: {points: Pts}"),
    (GAME, "double: card.points * 2", "double: card.points * 3"),
    (GAME, "max: 20", "max: 2"),
    (GAME, "max: 2,", "max: 20,"),
    (CSS, "font-size: 8pt", "font-size: 9pt"),
    (CSS, "#336699", "#993366"),
    (LAYOUT, '<div class="points">', '<div class="points">·'),
    (LAYOUT, "{{ card.points }}", "{{ card.double }}"),
    (LAYOUT, "{{ card.double }}", "{{ card.dubble }}"),
    (LAYOUT, "{{ card.dubble }}", "{{ card.points }}"),
    ("cardgen.yaml", "name: test", "name: test\npaper: letter"),
]


def test_after_every_edit_it_is_as_a_fresh_build(run: Run, tmp_path: Path) -> None:
    run.build()
    for number, (name, old, new) in enumerate(EDITS):
        run.change(name, old, new)
        *_, said = run.build()
        files, expected = fresh(run.root, tmp_path / f"fresh{number}")
        assert said == expected, (name, new)
        if files and not any(": " in line and "CG003" in line for line in expected):
            same = {path: read(run.output)[path] for path in files}
            assert same == files, (name, new)


def test_pictures_and_files_that_come_and_go(run: Run, tmp_path: Path) -> None:
    run.build()
    art, extra = run.root / "cards/g/art/face.png", run.root / "cards/g/cards/more.yaml"

    def new_picture() -> None:
        picture(art, "blue")

    def coarse() -> None:
        picture(art, "green", 60)

    def more() -> None:
        extra.write_text("drill:\n  kind: item\n  name: Drill\n  art: face.png\n")

    steps = [new_picture, coarse, new_picture, art.unlink, more, new_picture, extra.unlink]
    for number, step in enumerate(steps):
        step()
        *_, said = run.build()
        files, expected = fresh(run.root, tmp_path / f"fresh{number}")
        assert said == expected, number
        assert {path: read(run.output)[path] for path in files} == files, number


def test_many_edits_of_many_cards(run: Run, tmp_path: Path) -> None:
    rng = random.Random(7)
    cards = "".join(f"c{n}:\n  kind: item\n  name: Card {n}\n  rules: Rules of {n}.\n" for n in range(30))
    (run.root / CARDS).write_text(cards + MORE)
    (run.root / "cards/g/decks/one.yaml").write_text("title: One\ncards: {c1: 3, saw: 1}\n")
    run.build()
    for turn in range(25):
        number = rng.randrange(30)
        text = (run.root / CARDS).read_text().splitlines(keepends=True)
        at = next(index for index, line in enumerate(text) if line == f"  name: Card {number}\n") + 1
        text[at] = f"  rules: Turn {turn} of card {number}.\n"
        (run.root / CARDS).write_text("".join(text))
        drawn, written, said = run.build()
        assert said == [] and f"c{number}/front" in drawn and "items" in written
    files, _ = fresh(run.root, tmp_path / "fresh")
    assert read(run.output) == files

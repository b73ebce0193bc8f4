"""A new process that finds what earlier ones have kept writes what a fresh build writes, byte for byte, and tells the same.

It does what changed and nothing else; whatever was torn or put there by somebody else is done anew.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from cardgen.diagnostics import Report
from cardgen.faces.layouts import Layouts
from cardgen.files import shipped_root, write_cached
from cardgen.load import cards as reading
from cardgen.load.project import load_project
from cardgen.pdf.sheets import Sheets
from cardgen.pipeline import draw as drawing
from cardgen.pipeline.build import build
from cardgen.pipeline.keep import sealed
from cardgen.pipeline.keep.kept import Kept
from cardgen.pipeline.keep.sealed import Place
from cardgen.pipeline.products import Options
from cardgen.pipeline.targets import choose
from cardgen.text import settled
from cardgen.workers import Workers
from tests.support import BASE, write_project
from tests.watch.test_warm import CARDS, CSS, EDITS, GAME, LAYOUT, MORE, picture, read, told

ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M2 2h{}v20Z"/></svg>\n'
PO = """\
msgid ""
msgstr "Language: es\\n"

msgctxt "axe/name"
msgid "Axe"
msgstr "Hacha"

msgctxt "rope/name"
msgid "Rope"
msgstr "Cuerda"
"""
SECRET = b"s" * 32


def project(root: Path) -> Path:
    """Two languages, a picture, an icon, an included template, a deck, a keyword, a die, a derived field; of one print
    each card once, of the other some more often."""
    picture(root / "cards/g/art/face.png", "red")
    game = BASE[GAME].replace("languages: [en]", "languages: [en, es]")
    more = "      art: {type: image}\n      dice: {type: list, of: {type: die}}\n      words: {type: list, of: {type: keyword}}\n"
    game = game.replace("      rules:", f"{more}      rules:")
    game += '  backs: {title: One, version: "1", deck: one}\n'
    extra = "  name: Axe\n  art: face.png\n  dice: [white]\n  words: [sharp, {shots: 3}]\n"
    layout = '{% set engine = "card" %}\n{% from "g/part.html.j2" import part %}\n' + BASE[LAYOUT]
    layout += '{% if card.art %}<img src="{{ art_url(card.art) }}" style="position: absolute; width: 20mm">{% endif %}'
    layout += (
        '<div class="points" style="left: 5mm">{{ part(card) }}</div>{% if not face.low_ink %}<i>ink</i>{% endif %}'
    )
    return write_project(
        root,
        {
            GAME: game,
            CARDS: BASE[CARDS].replace("  name: Axe\n", extra).replace("it.", "it [star].").replace("  copies: 2\n", "")
            + MORE,
            "cards/g/decks/one.yaml": "title: One\ncards: {rope: 3, saw: 1}\n",
            "cards/g/i18n/es.po": PO,
            LAYOUT: layout,
            CSS: BASE[CSS] + ".icon { height: 3mm }\n",
            "layouts/g/part.html.j2": "{% macro part(card) %}{% for word in card.words %}{{ word.title }}{% endfor %}{% endmacro %}",
            "layouts/g/icons/star.svg": ICON.format(20),
        },
    )


class Processes:
    """Builds, each with what the ones before have left and nothing else; counts what each did."""

    def __init__(self, root: Path, output: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self.output = root, output
        self.did: dict[str, list[str]] = {}
        self._doing: dict[str, list[str]] = {}
        self._patch = monkeypatch
        self._count(drawing, "render", "drawn", lambda job: [face.label for face in job.faces])
        self._count(Layouts, "fill", "filled", lambda self, layout, card, *more: [card.id])
        self._count(reading, "_card", "read", lambda node, id, *more: [id])
        self._count(Sheets, "keep", "compressed", lambda self, shown, sheet: ["sheet"])

    def _count(self, owner: Any, name: str, what: str, names: Callable[..., list[str]]) -> None:
        done = getattr(owner, name)

        def counting(*given: Any) -> Any:
            self._doing.setdefault(what, []).extend(names(*given))
            return done(*given)

        self._patch.setattr(owner, name, counting)

    def build(self, options: Options = Options()) -> list[str]:  # noqa: B008 -- frozen
        """What was told; `did` is what was done, in `output` is what was written."""
        settled._known.clear()
        settled._used.clear()
        self._doing.clear()
        report = Report()
        kept = Kept(Place(self.root / ".cardgen" / "faces", SECRET), repr(options))
        loaded = load_project(self.root, report, kept.shelf(self.root))
        if loaded is not None:
            chosen = choose(loaded, [], [], report)
            build(
                loaded, chosen, self.output, options, Workers(), report,
                keeper=kept.drawings, filled=kept.filled, sheets=kept.sheets,
            )  # fmt: skip
        kept.flush()
        self.did = {what: sorted(set(names)) for what, names in self._doing.items()}
        return told(report)

    def is_as_fresh(self, output: Path, options: Options = Options()) -> bool:  # noqa: B008 -- frozen
        """Build, and compare with a build that knows nothing."""
        shutil.rmtree(self.output, ignore_errors=True)
        said = self.build(options)
        report = Report()
        loaded = load_project(self.root, report)
        if loaded is not None:
            build(loaded, choose(loaded, [], [], report), output, options, Workers(), report)
        assert said == told(report)
        assert read(self.output) == read(output)
        return bool(read(output))

    def change(self, name: str, old: str, new: str) -> None:
        path = self.root / name
        text = path.read_text("utf-8")
        assert old in text
        path.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Processes:
    return Processes(project(tmp_path / "p"), tmp_path / "out", monkeypatch)


def test_nothing_changed_is_nothing_done(processes: Processes) -> None:
    processes.build()
    assert processes.did["filled"] == processes.did["read"] == ["axe", "rope", "saw"]
    processes.build()
    assert processes.did == {}


def test_one_card_changed_is_one_card_done(processes: Processes) -> None:
    processes.build()
    processes.change(CARDS, "name: Saw", "name: Saws")
    processes.build()
    assert processes.did == {"read": ["saw"], "filled": ["saw"], "drawn": ["saw/front"], "compressed": ["sheet"]}


def test_a_line_more_moves_cards_and_does_nothing_else(processes: Processes, tmp_path: Path) -> None:
    processes.build()
    processes.change(CARDS, "axe:\n", "# a line more\naxe:\n")
    processes.build()
    assert processes.did == {}
    processes.change(CARDS, "  points: 3", "  points: 99")  # told at the line where it is now
    assert processes.is_as_fresh(tmp_path / "fresh")


MORE_EDITS = [
    ("layouts/g/part.html.j2", "{{ word.title }}", "{{ word.title }}!"),
    ("layouts/g/icons/star.svg", "h20", "h12"),
    ("cards/g/i18n/es.po", "Hacha", "Hachuela"),
    ("cards/g/i18n/es.po", "Cuerda", "Cuerda  larga"),
    (CARDS, "[star]", "[white] [star]"),
    (CARDS, "words: [sharp", "words: [{shots: 1}"),
    (GAME, "It cuts.", "It cuts deep."),
    (GAME, "title: Sharp", "title: Very sharp"),
    (GAME, 'colour: "#ffffff"', 'colour: "#eeeeee"'),
    (GAME, "title: Items", "title: All items"),
    (GAME, "kinds:\n", "# a line more\nkinds:\n"),
    ("cardgen.yaml", "name: test", "name: test\nlanguages: [es]"),
]


def test_after_every_edit_it_is_as_a_fresh_build(processes: Processes, tmp_path: Path) -> None:
    processes.build()
    edits = [edit for edit in EDITS if edit[0] != CARDS or "**Chop** it" not in edit[1]]
    for number, (name, old, new) in enumerate([*MORE_EDITS, *edits]):
        processes.change(name, old, new)
        processes.is_as_fresh(tmp_path / f"fresh{number}")


def test_pictures_icons_and_files_that_come_and_go(processes: Processes, tmp_path: Path) -> None:
    processes.build()
    root = processes.root
    art, star, more = root / "cards/g/art/face.png", root / "layouts/g/icons/star.svg", root / "cards/g/cards/more.yaml"
    steps: list[Callable[[], object]] = [
        lambda: picture(art, "blue"),
        lambda: picture(art, "green", 60),
        art.unlink,
        lambda: more.write_text("drill:\n  kind: item\n  name: Drill\n  art: face.png\n"),
        lambda: picture(art, "red"),
        star.unlink,
        lambda: star.write_text(ICON.format(18)),
        more.unlink,
    ]
    for number, step in enumerate(steps):
        step()
        processes.is_as_fresh(tmp_path / f"fresh{number}")


def test_fonts(processes: Processes, tmp_path: Path) -> None:
    fonts = processes.root / "fonts"
    shutil.copytree(shipped_root() / "fonts", fonts)
    assert processes.is_as_fresh(tmp_path / "fresh")
    text = (fonts / "fonts.yaml").read_text("utf-8")
    assert "display:" in text
    files = sorted(fonts.rglob("*.ttf"))
    shutil.copy(files[0], files[1])
    assert processes.is_as_fresh(tmp_path / "changed")
    assert processes.did["drawn"]


@pytest.mark.parametrize("options", [Options(low_ink=True), Options(paper="letter"), Options(marks="full")])
def test_options(processes: Processes, tmp_path: Path, options: Options) -> None:
    processes.build()
    assert processes.is_as_fresh(tmp_path / "fresh", options)
    assert processes.is_as_fresh(tmp_path / "again", options) and processes.did == {}
    # Even where they were kept by the same name, faces and sheets of other options are not these.
    assert processes.is_as_fresh(tmp_path / "other", structs.replace(options, no_backgrounds=True))


def test_another_version_does_everything_anew(processes: Processes, monkeypatch: pytest.MonkeyPatch) -> None:
    processes.build()
    did = processes.did
    monkeypatch.setattr(sealed, "programs", lambda: "another version")
    processes.build()
    assert processes.did == did


def values(processes: Processes) -> list[Path]:
    return sorted((processes.root / ".cardgen/faces").glob("*/*.values"))


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    at = len(data) // 3
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.parametrize("tear", [cut, flipped, lambda data: b"", lambda data: data + b"x"])
def test_what_is_torn_is_done_anew(processes: Processes, tmp_path: Path, tear: Callable[[bytes], bytes]) -> None:
    processes.build()
    did = processes.did
    for path in (*values(processes), *(processes.root / ".cardgen/faces").glob("*/*.faces")):
        path.write_bytes(tear(path.read_bytes()))
    assert processes.is_as_fresh(tmp_path / "fresh")
    assert processes.did == did


def test_what_somebody_else_sealed_or_named_otherwise_is_not_used(processes: Processes, tmp_path: Path) -> None:
    processes.build()
    files = values(processes)
    texts = [path.read_bytes() for path in files]
    assert len(files) >= 4
    for path, text in zip(files, [*texts[1:], texts[0]], strict=True):
        path.write_bytes(text)  # each sealed by this user, but as something else
    assert processes.is_as_fresh(tmp_path / "fresh") and processes.did["read"]
    place = Place(processes.root / ".cardgen" / "faces", b"t" * 32)
    place.keep("cards", {})
    assert Place(place.root, SECRET).find("cards", dict[str, dict[bytes, int]]) is None


def test_a_value_of_another_shape_is_not_used(tmp_path: Path) -> None:
    place = Place(tmp_path / ".cardgen" / "faces", SECRET)
    place.keep("cards", ["a", 1])
    assert place.find("cards", dict[str, int]) is None
    place.keep("text", "\ud800")  # which nothing could read
    assert place.find("text", str) is None
    place.keep("number", 5)
    assert place.find("number", int) == 5


def test_all_of_it_is_bounded(tmp_path: Path) -> None:
    place = Place(tmp_path / ".cardgen" / "faces", SECRET, most=5_000)
    for number in range(20):
        place.keep(f"value {number}", b"x" * 900)
        place.prune()
    assert sum(path.stat().st_size for path in place.folder.iterdir()) <= 5_000
    assert place.find("value 19", bytes) is not None and place.find("value 0", bytes) is None


def test_files_are_bounded_and_the_last_ones_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed, "MAX_FILES", 5)
    place = Place(tmp_path / ".cardgen" / "faces", SECRET)
    blob = place.folder / f"{'a' * 64}.blob"
    for number in range(12):
        place.keep(f"value {number}", number)
        write_cached(blob, (b"a picture",))
        os.utime(blob, (0, 0))  # the oldest of all: it is no file of drawings
    place.prune()
    assert blob.exists()
    assert [number for number in range(12) if place.find(f"value {number}", int) is not None] == [7, 8, 9, 10, 11]

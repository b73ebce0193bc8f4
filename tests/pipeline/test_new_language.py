"""A language that is not shipped: its words, its letters, the side that it begins on, and its release."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from cardgen.diagnostics import Report
from cardgen.pipeline.build import build
from cardgen.pipeline.products import Options
from cardgen.pipeline.targets import choose
from cardgen.pipeline.translation.credits import check_credits
from cardgen.pipeline.versions.release import release
from cardgen.workers import Workers
from tests.support import edit, load, write_project

WORDS = """\
pl:
  sheet: arkusz {number} z {total}
  version: w. {version}
  back: rewers
  scale: drukować w skali 100 %
  millimetres: mm
  inches: cali
  translated: "nieoficjalne tłumaczenie: {names}"
"""


def project(tmp_path: Path, lang: str, names: dict[str, str], **files: str) -> Path:
    game = edit("cards/g/game.yaml", "languages: [en]", f"languages: [en, {lang}]")["cards/g/game.yaml"]
    head = "subtitle: For tests\ncredits: The testers\nlicence: CC0\nreport_url: https://example.org/{id}\n"
    po = f'msgid ""\nmsgstr "Language: {lang}\\nX-Translators: Ola\\n"\n'
    root = write_project(tmp_path / "p", {"cards/g/game.yaml": head + game, **files})
    sources = {context: source.text for context, source in load(root, Report()).games["g"].strings.items()}
    for context, text in names.items():
        po += f'\nmsgctxt "{context}"\nmsgid "{sources[context]}"\nmsgstr "{text}"\n'
    (root / "cards/g/i18n").mkdir()
    (root / f"cards/g/i18n/{lang}.po").write_text(po, "utf-8")
    return root


def printed(root: Path, lang: str, report: Report) -> str:
    loaded = load(root, report)
    (made,) = build(loaded, choose(loaded, [], [lang]), root / "output", Options(), Workers(1, None), report).files
    return subprocess.run(["pdftotext", "-bbox", made.path, "-"], capture_output=True, text=True, check=True).stdout


def words_of(html: str) -> dict[str, tuple[float, float]]:
    """Where each word begins and ends on paper, in mm; of one that comes back, the first."""
    found: dict[str, tuple[float, float]] = {}
    for left, right, word in re.findall(
        r'<word xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)" yMax="[\d.]+">([^<]+)<', html
    ):
        found.setdefault(word, (float(left) * 25.4 / 72, float(right) * 25.4 / 72))
    return found


def test_a_project_adds_the_words_of_its_language(tmp_path: Path) -> None:
    root = project(tmp_path, "pl", {"axe/name": "Siekiera"}, **{"layouts/_words.yaml": WORDS})
    words = load(root, Report()).words
    assert words["pl"].sheet == "arkusz {number} z {total}"
    assert words["pl"].fold == words["en"].fold, "what is left out is English"
    assert words["es"].back == "dorso", "the shipped languages are still there"
    assert {"arkusz", "nieoficjalne"} <= words_of(printed(root, "pl", Report())).keys()


@pytest.mark.parametrize(("words", "lacks"), [("", ["layouts/_words.yaml"]), (WORDS, [])])
def test_a_translated_set_that_lacks_them_tells(tmp_path: Path, words: str, lacks: list[str]) -> None:
    root = project(tmp_path, "pl", {}, **({"layouts/_words.yaml": words} if words else {}))
    loaded = load(root, Report())
    report = Report()
    check_credits(loaded, choose(loaded, [], []), report)
    assert [item.span.file for item in report if item.span is not None] == lacks


JAPANESE = {"axe/name": "斧", "rope/name": "縄", "labels/points": "点", "kinds/item.title": "品", "game/title": "遊戯",
            "keywords/sharp.title": "鋭", "dice/white.title": "白", "prints/items.title": "品物",
            "keywords/shots.title": "射", "tracks/threat.title": "脅威"}  # fmt: skip


@pytest.mark.parametrize(("names", "codes"), [(JAPANESE, ["CG242"]), ({"axe/name": "斧"}, ["CG308"])])
def test_a_font_without_the_letters_of_a_language_is_told_once(
    tmp_path: Path, names: dict[str, str], codes: list[str]
) -> None:
    root = project(tmp_path, "ja", names)
    report = Report()
    printed(root, "ja", report)
    found = [item for item in report if item.code in ("CG308", "CG242")]
    assert [item.code for item in found] == codes
    assert all("斧" in str(item.arguments["chars"]) for item in found)


def test_a_language_from_right_to_left_begins_at_the_right(tmp_path: Path) -> None:
    names = {"axe/name": "\u05d2\u05e8\u05d6\u05df", "axe/rules": "**\u05e7\u05e6\u05e5** \u05d0\u05d5\u05ea\u05d5."}
    root = project(tmp_path, "he", names)
    text = printed(root, "he", Report())
    found = words_of(text)
    # The first card's box is 4 mm to 59 mm from its left edge, which lies 10.5 mm from the paper's.
    name = next(where for word, where in found.items() if set(word) == set("\u05d2\u05e8\u05d6\u05df"))
    assert name[1] == pytest.approx(10.5 + 59, abs=0.6)
    bold = next(where for word, where in found.items() if set(word) == set("\u05e7\u05e6\u05e5"))
    rest = next(where for word, where in found.items() if set(word) >= set("\u05d0\u05d5\u05ea"))
    assert bold[0] > rest[1] - 0.5, "what is read first stands at the right"


@pytest.mark.slow
def test_a_release_holds_nothing_of_an_attempt_that_was_refused(tmp_path: Path) -> None:
    root = project(tmp_path, "pl", {}, **{"layouts/_words.yaml": WORDS})
    loaded = load(root, Report())
    left = root / "output/release/g-1/g/ja/items.pdf"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"%PDF")
    made = release(loaded, loaded.games["g"], ["en"], root / "output/release", None, False, Workers(1, None), Report())
    assert made is not None and not left.exists()
    assert sorted(path.name for path in made.folder.iterdir()) == ["en", "release.json"]

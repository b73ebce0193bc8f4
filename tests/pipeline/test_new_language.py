"""A language that is not shipped: its words, its letters, the side that it begins on, and its release."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from msgspec import structs

from cardgen.diagnostics import Report
from cardgen.errors import UsageError
from cardgen.i18n.states import states_of
from cardgen.model.sheet import SheetWords
from cardgen.pipeline.build import build
from cardgen.pipeline.languages import in_language
from cardgen.pipeline.products import Options
from cardgen.pipeline.targets import choose
from cardgen.pipeline.translation.credits import check_credits
from cardgen.pipeline.translation.exchange import own_catalog
from cardgen.pipeline.translation.words import words_entry
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
    (made,) = build(loaded, choose(loaded, [], [lang]), root / "output", Options(), Workers(), report).files
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


def test_a_translated_set_that_lacks_them_tells(tmp_path: Path) -> None:
    root = project(tmp_path, "pl", {})

    def lacks() -> list[tuple[str, str]]:
        loaded, report = load(root, Report()), Report()
        check_credits(loaded, choose(loaded, [], []), report)
        return [(item.span.file if item.span else "", item.message) for item in report]

    ((place, told),) = lacks()
    assert place == "layouts/_words.yaml" and "an entry `pl`" in told
    file = root / "layouts/_words.yaml"
    file.write_text(WORDS, "utf-8")
    ((place, told),) = lacks()
    count = len(structs.fields(SheetWords)) - 7
    assert place == "layouts/_words.yaml" and f"{count} words of its sheets: centimetres, report" in told
    # What the command prints is the whole entry: to fill it in is all there is to do.
    entry, names = words_entry(load(root, Report()), "pl")
    assert len(names) == count and "  # still English:\n" in entry
    file.write_text(entry, "utf-8")
    words = load(root, Report()).words
    assert words["pl"].sheet == "arkusz {number} z {total}" and words["pl"].legend_cut == words["en"].legend_cut
    assert lacks() == []


@pytest.mark.parametrize("stated", [(), ("back", "sheet"), *((name,) for name in SheetWords.__struct_fields__)])
def test_any_of_the_words_may_be_left_out_and_are_english(tmp_path: Path, stated: tuple[str, ...]) -> None:
    said = "".join(f"  {name}: abc\n" for name in stated) or "  {}\n"
    root = project(tmp_path, "pl", {}, **{"layouts/_words.yaml": f"pl:\n{said}"})
    report = Report()
    loaded = load(root, report)
    assert not report.items
    assert loaded.words["pl"] == structs.replace(loaded.words["en"], **dict.fromkeys(stated, "abc"))
    check_credits(loaded, choose(loaded, [], []), report)
    (told,) = report
    assert f"{len(structs.fields(SheetWords)) - len(stated)} words of its sheets" in told.message


def test_a_shipped_game_is_given_a_language_as_the_message_says(tmp_path: Path) -> None:
    (tmp_path / "cardgen.yaml").write_text("name: fan\ngames: [zombies]\nlanguages: [en, fr]\n", "utf-8")
    report = Report()
    loaded = load(tmp_path, report)
    (told,) = report
    assert told.code == "CG119"
    with pytest.raises(UsageError) as wrong:
        choose(loaded, ["zombies/events"], ["fr"])
    said = "copy `(.+)` to `(.+)` of the project and name it in `languages` there"
    for text in (told.hint, str(wrong.value)):
        found = re.search(said, text)
        assert found is not None, text
        source, target = found.groups()
    (tmp_path / target).parent.mkdir(parents=True)
    game = Path(source).read_text("utf-8")
    assert "languages: [en, es, ru]" in game
    (tmp_path / target).write_text(game.replace("languages: [en, es, ru]", "languages: [en, es, ru, fr]"), "utf-8")
    again = Report()
    loaded = load(tmp_path, again)
    assert not again.has_errors() and choose(loaded, ["zombies/events"], ["fr"])[0].lang == "fr"
    # Of a game that has its own list, that is named.
    with pytest.raises(UsageError, match=f"name it in `languages` of `{target}`"):
        choose(loaded, [], ["de"])


def test_the_shipped_languages_have_all_words(tmp_path: Path) -> None:
    loaded = load(project(tmp_path, "es", {}), Report())
    assert [words_entry(loaded, lang)[1] for lang in ("en", "es", "ru")] == [(), (), ()]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("credits: The testers", "credits: FULL NAME", "CG243"),
        ("credits: The testers", "credits: Your name", "CG243"),
        ("https://example.org/{id}", "mailto:?subject={id}", "CG244"),
        ("https://example.org/{id}", '"mailto:"', "CG244"),
        ("https://example.org/{id}", "mailto:a@example.org?subject={id}", ""),
        ("https://example.org/{id}", '"{id} {version} {lang}"', ""),
    ],
)
def test_what_was_never_filled_in_is_told(tmp_path: Path, old: str, new: str, code: str) -> None:
    root = project(tmp_path, "es", {})
    file = root / "cards/g/game.yaml"
    file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")
    loaded, report = load(root), Report()
    check_credits(loaded, choose(loaded, [], []), report)
    assert [item.code for item in report] == ([code] if code else [])


def test_credits_are_names_and_stay(tmp_path: Path) -> None:
    root = project(tmp_path, "es", {"axe/name": "Hacha"})
    game = load(root, Report()).games["g"]
    catalog = own_catalog(load(root, Report()), game, "es", Report())
    assert {item.context: item.state for item in states_of(game, catalog, "es")}["game/credits"] == "done"
    report = Report()
    made = in_language(game, "es", load(root, Report()).shelf, {}, report)
    assert made.credits == "The testers"
    root = project(tmp_path / "b", "es", {"game/credits": "Los probadores"})
    loaded = load(root, Report())
    assert in_language(loaded.games["g"], "es", loaded.shelf, {}, report).credits == "Los probadores"


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
    made = release(loaded, loaded.games["g"], ["en"], root / "output/release", None, False, Workers(), Report())
    assert made is not None and not left.exists()
    assert sorted(path.name for path in made.folder.iterdir()) == ["en", "release.json"]

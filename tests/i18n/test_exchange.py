"""Files for translators and back: nothing is lost, nothing broken is taken, whatever rewrote the file on its way."""

from __future__ import annotations

import difflib
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from translate.storage import pypo

from cardgen.diagnostics import Report, Span
from cardgen.i18n.catalog import Catalog, Entry, read_catalog
from cardgen.i18n.keep import kept_po
from cardgen.i18n.merge import merge
from cardgen.i18n.states import normal, state_of, states_of
from cardgen.i18n.writer import write_po
from cardgen.model.game import Game, Source
from cardgen.pipeline.translation.exchange import import_po
from tests.support import BASE, edit, load, write_project

HERE = Path(__file__).parent
NOWHERE = Span("es.po", 1, 1)
TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"), include_characters='\n\t"\\'), max_size=40)


def entry(source: str, target: str, fuzzy: bool = False, previous: str = "", comments: tuple[str, ...] = ()) -> Entry:
    return Entry(source, target, fuzzy, NOWHERE, NOWHERE, previous, comments)


def base(tmp_path: Path, **files: str) -> Path:
    game = edit("cards/g/game.yaml", "languages: [en]", "languages: [en, es]")
    return write_project(tmp_path, game | files)


def game_of(tmp_path: Path) -> Game:
    return load(base(tmp_path)).games["g"]


def read(data: bytes) -> Catalog:
    report = Report()
    catalog = read_catalog(data, "es", "es.po", report)
    assert catalog is not None and not report.items, [item.message for item in report]
    return catalog


def contents(catalog: Catalog) -> dict[str, tuple[str, str, bool, str]]:
    return {context: (item.source, item.target, item.fuzzy, item.previous) for context, item in catalog.entries.items()}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return game_of(tmp_path_factory.mktemp("p"))


@st.composite
def catalogs(draw: st.DrawFn, game: Game) -> Catalog:
    """A catalog as a project may have one: done, missing, stale, fuzzy, with comments, unknown and obsolete entries."""
    entries = {}
    for context, source in game.strings.items():
        target = draw(TEXT)
        if source.rich:
            target = source.text.replace("Chop", "Corta")
        # A catalog that was read is composed.
        target = normal(target.replace("\n", " ").replace("{", "").strip())
        old = draw(st.sampled_from([source.text, source.text, f"{source.text} of old"]))
        if draw(st.booleans()):
            entries[context] = entry(old, target, draw(st.booleans()), "", tuple(draw(st.sampled_from([(), ("ok",)]))))
    return Catalog("es", "es.po", entries, headers={"Language": "es", "X-Translators": "Ana"})


@settings(max_examples=60)
@given(st.data())
def test_out_and_back_is_the_identity(game: Game, data: st.DataObject) -> None:
    own = data.draw(catalogs(game))
    first = write_po(game, own)
    merged = merge(game, own, read(first), Report())
    assert write_po(game, merged.catalog) == first
    assert not merged.added and not merged.changed
    for before, after in zip(
        states_of(game, own, "es"), states_of(game, read(write_po(game, merged.catalog)), "es"), strict=True
    ):
        assert (before.state, before.target.strip()) == (after.state, after.target.strip()), before.context


@settings(max_examples=30)
@given(st.data())
def test_a_project_that_starts_anew_from_the_file_has_it_all(game: Game, data: st.DataObject) -> None:
    own = data.draw(catalogs(game))
    written = write_po(game, own)
    merged = merge(game, Catalog("es", "es.po", {}), read(written), Report())
    states = {item.context: item.state for item in states_of(game, own, "es")}
    found = {item.context: item.state for item in states_of(game, merged.catalog, "es")}
    assert found == states


def run(command: list[str], data: bytes) -> bytes:
    done = subprocess.run(command, input=data, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def by_msgcat(data: bytes) -> bytes:
    return run(["msgcat", "--width=60", "--no-location", "-"], data)


def by_msgcat_sorted(data: bytes) -> bytes:
    return run(["msgcat", "--sort-output", "--no-wrap", "-"], data)


def by_msgattrib(data: bytes) -> bytes:
    """As a program that knows no flags: the marks are gone."""
    return run(["msgattrib", "--clear-fuzzy", "--clear-previous", "-"], data)


def by_translate_toolkit(data: bytes) -> bytes:
    store = pypo.pofile.parsestring(data)
    return bytes(store)


def sample(game: Game) -> Catalog:
    texts = {context: entry(source.text, f"ES {source.text}") for context, source in game.strings.items()}
    texts["labels/points"] = entry("Points of old", "Puntos")
    texts["rope/name"] = entry("Rope", "Cuerda", True)
    del texts["keywords/shots.text"]
    return Catalog("es", "es.po", texts, headers={"Language": "es"}, comments=("Ours.",))


@pytest.mark.parametrize("rewrite", [by_msgcat, by_msgcat_sorted, by_translate_toolkit])
def test_other_programs_may_rewrite_the_file(game: Game, rewrite: Callable[[bytes], bytes]) -> None:
    own = sample(game)
    data = write_po(game, own)
    merged = merge(game, own, read(rewrite(data)), Report())
    assert write_po(game, merged.catalog) == data


def test_a_program_that_drops_the_marks_makes_nothing_done(game: Game) -> None:
    own = sample(game)
    report = Report()
    merged = merge(game, own, read(by_msgattrib(write_po(game, own))), report)
    assert {item.context: item.state for item in states_of(game, merged.catalog, "es")}["labels/points"] == "stale"
    assert [item.code for item in report] == ["CG236"]


def test_a_translator_who_read_it_may_confirm_it(game: Game) -> None:
    own = sample(game)
    report = Report()
    merged = merge(game, own, read(by_msgattrib(write_po(game, own))), report, confirmed=True)
    assert len(merged.confirmed) > 0
    assert {item.context: item.state for item in states_of(game, merged.catalog, "es")}["labels/points"] == "done"
    assert not report.items


def test_msgfmt_accepts_what_is_written(game: Game) -> None:
    run(["msgfmt", "-c", "-o", "/dev/null", "-"], write_po(game, sample(game)))


def test_the_file_tells_what_a_translator_needs(game: Game) -> None:
    text = write_po(game, sample(game), {"axe/name": "box 55 × 6 mm"}).decode()
    assert "# Ours.\n" in text
    assert '#. Item: Axe: name\n#. box 55 × 6 mm\nmsgctxt "axe/name"\nmsgid "Axe"\nmsgstr "ES Axe"\n' in text
    assert '#, fuzzy\n#| msgid "Points of old"\nmsgctxt "labels/points"\nmsgid "Points"\nmsgstr "Puntos"\n' in text


def test_as_omegat_writes_it(tmp_path: Path) -> None:
    """OmegaT keeps the order, unwraps the texts, leaves comments out and has a header of its own."""
    root = base(tmp_path)
    project = load(root, Report())
    made = import_po(project, HERE / "omegat.po", report := Report(), "g", "es")
    assert made is not None
    # It brings a part of the texts only.
    assert [item.code for item in report] == ["CG245"], [item.message for item in report]
    assert set(made.merged.added) == {"axe/name", "axe/rules", "labels/points"}
    text = (root / "cards/g/i18n/es.po").read_text("utf-8")
    assert 'msgid "**Chop** it."\nmsgstr "**Corta**."' in text


OURS = """\
# By hand.
msgid ""
msgstr ""
"Project-Id-Version: g 1\\n"
"Last-Translator: Ana\\n"
"Language: es\\n"
"Content-Type: text/plain; charset=UTF-8\\n"

# Out of the game's order, and broken as no program of ours does.
msgctxt "rope/name"
msgid "Rope"
msgstr ""
"Cuer"
"da"

msgctxt "axe/name"
msgid "Axe"
msgstr "Hacha"

#~ msgctxt "gone/name"
#~ msgid "Gone"
#~ msgstr "Ido"
"""
THEIRS = """\
msgid ""
msgstr ""
"Project-Id-Version: g 1\\n"
"Last-Translator: Bea\\n"
"Language: es\\n"

msgctxt "axe/name"
msgid "Axe"
msgstr "Hacha grande"

msgctxt "rope/name"
msgid "Rope"
msgstr "Cuerda"

msgctxt "axe/rules"
msgid "**Chop** it."
msgstr "**Corta**."

msgctxt "saw/name"
msgid "Saw"
msgstr "Sierra"
"""


def taken(tmp_path: Path, ours: str, theirs: str) -> str:
    """The project's file after an import."""
    root = base(tmp_path, **{"cards/g/i18n/es.po": ours})
    file = tmp_path / "back.po"
    file.write_text(theirs, "utf-8")
    assert import_po(load(root, Report()), file, Report()) is not None
    return (root / "cards/g/i18n/es.po").read_bytes().decode()


def test_an_import_changes_the_lines_of_what_changed_and_no_others(tmp_path: Path) -> None:
    after = taken(tmp_path, OURS, THEIRS)
    changes = [line for line in difflib.ndiff(OURS.splitlines(), after.splitlines()) if line[0] in "+-" and line[2:]]
    assert sorted(changes) == [
        '+ "Last-Translator: Bea\\n"',
        "+ #. Item: Axe: rules",
        '+ #~ msgctxt "saw/name"',
        '+ #~ msgid "Saw"',
        '+ #~ msgstr "Sierra"',
        '+ msgctxt "axe/rules"',
        '+ msgid "**Chop** it."',
        '+ msgstr "**Corta**."',
        '+ msgstr "Hacha grande"',
        '- "Last-Translator: Ana\\n"',
        '- msgstr "Hacha"',
    ]
    # a new text stands behind the one that is before it in the game
    assert after.index("Hacha grande") < after.index('"axe/rules"') < after.index("#~")


@pytest.mark.parametrize("ours", [OURS, OURS.replace("\n", "\r\n"), by_msgcat(OURS.encode()).decode()])
def test_an_import_that_brings_nothing_leaves_the_file_as_it_is(tmp_path: Path, ours: str) -> None:
    assert (
        taken(tmp_path, ours, THEIRS.partition('msgctxt "axe/rules"')[0].replace(" grande", "").replace("Bea", "Ana"))
        == ours
    )


@settings(max_examples=60)
@given(st.data())
def test_what_is_kept_says_what_a_file_written_anew_says(game: Game, data: st.DataObject) -> None:
    own = read(write_po(game, data.draw(catalogs(game))))
    merged = merge(game, own, read(write_po(game, data.draw(catalogs(game)))), Report()).catalog
    kept = read(kept_po(game, write_po(game, own).decode(), own, merged).encode())
    anew = read(write_po(game, merged))
    assert [(item.context, item.state, item.target) for item in states_of(game, kept, "es")] == [
        (item.context, item.state, item.target) for item in states_of(game, anew, "es")
    ]
    assert kept.translators == anew.translators


BROKEN = {
    "tokens": ('msgctxt "axe/rules"\nmsgid "**Chop** it."\nmsgstr "Corta."', "CG206"),
    "unknown": ('msgctxt "axe/nam"\nmsgid "Axe"\nmsgstr "Hacha"', "CG204"),
    "twice": (
        'msgctxt "axe/name"\nmsgid "Axe"\nmsgstr "Hacha"\n\nmsgctxt "axe/name"\nmsgid "Axe"\nmsgstr "H"',
        "CG205",
    ),
    "lines": ('msgctxt "axe/name"\nmsgid "Axe"\nmsgstr "Ha\\ncha"', "CG208"),
    "not a PO file": ('msgctxt "axe/name"\nmsgid "Axe"\nmsgstr Hacha', "CG201"),
    "no context": ('msgid "Axe"\nmsgstr "Hacha"', "CG210"),
}


@pytest.mark.parametrize(("body", "code"), BROKEN.values(), ids=BROKEN)
def test_what_is_wrong_is_told_and_the_rest_is_taken(tmp_path: Path, body: str, code: str) -> None:
    root = base(tmp_path)
    file = tmp_path / "back.po"
    head = 'msgid ""\nmsgstr "Project-Id-Version: g 1\\nLanguage: es\\n"\n\n'.replace("\\n", "\\n")
    head = 'msgid ""\nmsgstr ""\n"Project-Id-Version: g 1\\n"\n"Language: es\\n"\n\n'
    file.write_text(f'{head}{body}\n\nmsgctxt "rope/name"\nmsgid "Rope"\nmsgstr "Cuerda"\n', "utf-8")
    report = Report()
    made = import_po(load(root, Report()), file, report)
    assert code in {item.code for item in report}
    assert made is not None and "rope/name" in made.merged.added


@pytest.mark.parametrize(
    ("head", "code"),
    [
        ('"Project-Id-Version: h 1\\n"\n"Language: es\\n"', "CG237"),
        ('"Project-Id-Version: g 1\\n"\n"Language: de\\n"', "CG237"),
        ('"Language: es\\n"', "CG237"),
        ('"Project-Id-Version: g 1\\n"', "CG237"),
    ],
)
def test_a_file_says_what_it_is_for(tmp_path: Path, head: str, code: str) -> None:
    root = base(tmp_path)
    file = tmp_path / "back.po"
    file.write_text(f'msgid ""\nmsgstr ""\n{head}\n\nmsgctxt "rope/name"\nmsgid "Rope"\nmsgstr "Cuerda"\n', "utf-8")
    report = Report()
    assert import_po(load(root, Report()), file, report) is None
    assert [item.code for item in report] == [code]
    assert not (root / "cards/g/i18n/es.po").exists()


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_another_encoding_is_told(tmp_path: Path, encoding: str) -> None:
    root = base(tmp_path)
    file = tmp_path / "back.po"
    text = 'msgid ""\nmsgstr ""\n"Language: es\\n"\n\nmsgctxt "rope/name"\nmsgid "Rope"\nmsgstr "Cuerda é"\n'
    file.write_bytes(text.encode(encoding))
    report = Report()
    assert import_po(load(root, Report()), file, report, "g", "es") is None
    assert [item.code for item in report] == ["CG002"]


def test_a_sound_translation_is_not_lost_to_a_broken_one(game: Game) -> None:
    own = Catalog("es", "es.po", {"axe/rules": entry("**Chop** it.", "**Corta**.")})
    theirs = Catalog("es", "back.po", {"axe/rules": entry("**Chop** it.", "Corta.")})
    report = Report()
    merged = merge(game, own, theirs, report)
    assert merged.catalog.entries["axe/rules"].target == "**Corta**."
    assert {item.code for item in report} == {"CG206", "CG239"}
    merged = merge(game, Catalog("es", "es.po", {}), theirs, Report())
    assert merged.catalog.entries["axe/rules"].fuzzy, "kept, and never printed"


def test_a_translation_of_an_older_source_stays_stale(game: Game) -> None:
    theirs = Catalog("es", "back.po", {"axe/name": entry("Ax", "Hachuela")})
    merged = merge(game, Catalog("es", "es.po", {}), theirs, Report())
    assert merged.stale == ("axe/name",)
    again = read(write_po(game, merged.catalog)).entries["axe/name"]
    assert (again.source, again.target, again.fuzzy, again.previous) == ("Axe", "Hachuela", True, "Ax")
    assert state_of(game.strings["axe/name"], again) == "stale"


def test_composed_and_decomposed_letters_are_the_same() -> None:
    source = Source("Cafe\u0301", NOWHERE, False)
    assert state_of(source, entry("Caf\u00e9", "Café bar")) == "done"


def test_an_unknown_text_is_kept_as_obsolete(game: Game) -> None:
    own = Catalog("es", "es.po", {"gone/name": entry("Gone", "Ido")})
    data = write_po(game, own)
    assert b'#~ msgctxt "gone/name"\n#~ msgid "Gone"\n#~ msgstr "Ido"' in data
    assert write_po(game, merge(game, read(data), read(data), Report()).catalog) == data
    assert BASE  # the game has no such card

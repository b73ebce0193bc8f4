"""`cardgen i18n`, `diff`, `release` and `import` as people type them: wrong usage, formats, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_cli import cardgen
from tests.support import edit, load, write_project


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_project(tmp_path / "p", edit("cards/g/game.yaml", "languages: [en]", "languages: [en, es]"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("i18n", "status", "h"), "there is no game `h`"),
        (("i18n", "status", "--lang", "de"), "there is no translation into `de`"),
        (("i18n", "status", "--lang", "de"), "to add it, name it in `languages` of `cards/g/game.yaml`"),
        (("check", "--lang", "de"), "to add it, name it in `languages` of `cards/g/game.yaml`"),
        (("i18n", "export", "--lang", "en"), "there is no translation into `en`"),
        (("i18n", "import", "x.po", "--lang", "es", "--lang", "de"), "one `--lang`"),
        (("i18n", "import"), "Missing argument"),
        (("diff", "nowhere"), "`nowhere` is no folder with a project"),
        (("diff", ".", "--game", "h"), "there is no game `h`"),
        (("release", "h"), "there is no game `h`"),
        (("import", "no.yaml"), "there is no file `no.yaml`"),
    ],
)
def test_wrong_usage(project: Path, arguments: tuple[str, ...], words: str) -> None:
    done = cardgen(project, *arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_status_as_json(project: Path) -> None:
    done = cardgen(project, "i18n", "status", "--fields", "--format", "json")
    (told,) = json.loads(done.stdout)["translations"]
    assert (told["game"], told["lang"]) == ("g", "es")
    assert told["total"]["missing"] == len(told["open"]) == 15
    assert {"group": "item", "field": "name", "done": 0, "missing": 2, "stale": 0, "unreviewed": 0, "same": 0} in told[
        "rows"
    ]


def test_an_import_that_only_tells(project: Path) -> None:
    file = project / "es.po"
    head = 'msgid ""\nmsgstr ""\n"Project-Id-Version: g 1\\n"\n"Language: es\\n"\n\n'
    file.write_text(f'{head}msgctxt "axe/name"\nmsgid "Axe"\nmsgstr "Hacha"\n', "utf-8")
    done = cardgen(project, "i18n", "import", "es.po", "--dry-run", "--format", "json")
    (told,) = json.loads(done.stdout)["files"]
    assert (told["added"], told["stale"]) == (["axe/name"], [])
    assert not (project / "cards/g/i18n/es.po").exists()
    assert cardgen(project, "i18n", "import", "es.po").returncode == 0
    assert 'msgstr "Hacha"' in (project / "cards/g/i18n/es.po").read_text("utf-8")
    assert cardgen(project, "i18n", "import", "gone.po").returncode == 1


HEAD = 'msgid ""\nmsgstr ""\n"Project-Id-Version: g 1\\n"\n"Language: es\\n"\n\n'
PLURAL = 'msgctxt "axe/name"\nmsgid "Axe"\nmsgid_plural "Axes"\nmsgstr[0] "Hacha"\nmsgstr[1] "Hachas"\n'


@pytest.mark.parametrize(
    ("data", "arguments", "said"),
    [
        (HEAD.encode(), ("--lang", "fr"), "2:1: error[CG207]: the file says it is `es`; `--lang` says `fr`\n"),
        (b"%PDF-1.7\n%\xe2\xe3\n", (), "1:1: error[CG201]: not a PO file: it begins as a PDF does\n"),
        (b"PK\x03\x04 and so on", (), "1:1: error[CG201]: not a PO file: it begins as a ZIP archive"),
        (b"axe: hacha\n", ("--lang", "es"), "1:1: error[CG201]: not a PO file: it has no `msgid`\n"),
        (b"", (), "1:1: error[CG009]: the file is empty\n"),
        ((HEAD + PLURAL).encode(), (), "8:1: error[CG247]: plural forms are not used here\n"),
        (
            (HEAD + 'msgctxt "axe/name"\nmsgid "Axe"\nmsgstr "Hacha {nothere}"\n').encode(),
            (),
            "`axe/name`: the tokens are not the source's: expected none, found `{nothere}`\n",
        ),
    ],
)
def test_what_is_wrong_with_a_file_that_comes_back(
    tmp_path: Path, data: bytes, arguments: tuple[str, ...], said: str
) -> None:
    """Told at the path as it was given, which need not lie in the project."""
    project = write_project(tmp_path / "p", edit("cards/g/game.yaml", "languages: [en]", "languages: [en, es, fr]"))
    file = tmp_path / "from afar" / "b.po"
    file.parent.mkdir()
    file.write_bytes(data)
    done = cardgen(project, "i18n", "import", str(file), *arguments)
    assert done.returncode == 1 and f"{file}:" in done.stdout + done.stderr
    assert said in done.stdout + done.stderr
    assert not (project / "cards/g/i18n/fr.po").exists()


def test_a_path_that_is_no_file_is_named_as_it_was_given(project: Path, tmp_path: Path) -> None:
    folder = cardgen(project, "i18n", "import", str(tmp_path))
    assert f"{tmp_path}: error[CG001]: `{tmp_path}` is a folder" in folder.stdout + folder.stderr
    gone = cardgen(project, "i18n", "import", "../x/gone.po")
    assert "there is no such file: `../x/gone.po`" in gone.stdout + gone.stderr


def test_a_part_of_a_file_and_a_country_are_told(project: Path) -> None:
    head = 'msgid ""\nmsgstr ""\n"Project-Id-Version: g 1\\n"\n"Language: LANG\\n"\n\n'
    text = f'{head}msgctxt "axe/name"\nmsgid "Axe"\nmsgstr "Hacha"\n'
    total = len(load(project).games["g"].strings)
    for lang, code in (("es_ES", "CG246"), ("es-MX", "CG246"), ("es", "")):
        (project / "x.po").write_text(text.replace("LANG", lang), "utf-8")
        done = cardgen(project, "i18n", "import", "x.po", "--dry-run")
        assert done.returncode == 0 and ("CG246" in done.stdout + done.stderr) == bool(code)
        assert f"[CG245]: not in the file: {total - 1} of the {total} texts of the game" in done.stdout + done.stderr
    (project / "x.po").write_text(text.replace("LANG", "pt_BR"), "utf-8")
    done = cardgen(project, "i18n", "import", "x.po")
    assert done.returncode == 1 and "CG237" in done.stdout + done.stderr


def test_the_words_of_a_language_are_printed_to_be_filled_in(project: Path) -> None:
    done = cardgen(project, "i18n", "words", "pl")
    assert done.returncode == 0 and done.stdout.startswith(
        "pl:\n  # still English:\n  sheet: sheet {number} of {total}\n"
    )
    assert cardgen(project, "i18n", "words", "pl", "--strict").returncode == 1
    assert cardgen(project, "i18n", "words", "es", "--strict").returncode == 0


def test_fit_as_json(project: Path) -> None:
    done = cardgen(project, "i18n", "fit", "--lang", "en", "--most", "1", "--jobs", "1", "--format", "json")
    (told,) = json.loads(done.stdout)["languages"]
    assert (told["texts"], told["too_long"], len(told["tightest"])) == (3, 0, 1)
    assert told["tightest"][0]["box_mm"] in ([55.0, 6.0], [55.0, 20.0])


def test_nothing_differs_from_itself(project: Path) -> None:
    done = cardgen(project, "diff", ".", "--jobs", "1")
    assert (done.returncode, done.stdout) == (0, "g en: nothing differs\ng es: nothing differs\n")

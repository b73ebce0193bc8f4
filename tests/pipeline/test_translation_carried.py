"""A translated set from its first export to a release, and what happens when the source changes afterwards."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pikepdf
import polib
import pytest

from tests.support import edit, write_project

GIT = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def cardgen(folder: Path, *arguments: str, code: int = 0) -> str:
    command = [sys.executable, "-W", "error", "-m", "cardgen", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def translate(file: Path, **texts: str) -> None:
    """As an editor does: every empty or fuzzy text gets a translation, and the file is written in the editor's way."""
    catalog = polib.pofile(str(file))
    for entry in catalog:
        if not entry.msgstr or entry.fuzzy:
            entry.msgstr = texts.get(entry.msgctxt, f"ES {entry.msgid}")
            entry.fuzzy = False
            entry.previous_msgid = None
    catalog.metadata["Last-Translator"] = "Ana <ana@example.org>"
    catalog.save(str(file))
    rewritten = subprocess.run(["msgcat", "--width=70", str(file)], capture_output=True, check=True).stdout
    file.write_bytes(rewritten)


@pytest.mark.slow
def test_a_translation_is_carried_from_export_to_release(tmp_path: Path) -> None:
    game = edit("cards/g/game.yaml", "languages: [en]", "languages: [en, es]")["cards/g/game.yaml"]
    head = "subtitle: For tests\ncredits: The testers\nlicence: CC0\nreport_url: https://example.org/{id}?v={version}\n"
    root = write_project(tmp_path / "p", {"cards/g/game.yaml": head + game})

    said = cardgen(root, "i18n", "status", "--strict", code=1)
    assert "missing" in said
    assert "CG550" in cardgen(root, "release", "--jobs", "1", code=1)

    cardgen(root, "i18n", "export", "--jobs", "1")
    file = root / "output/i18n/g/es.po"
    assert "#. box 55 × 6 mm, one line; at full size it holds about" in file.read_text("utf-8")
    translate(file, **{"axe/name": "Hacha", "axe/rules": "**Corta**lo."})
    back = cardgen(root, "i18n", "import", str(file))
    assert "added" in back
    cardgen(root, "i18n", "status", "--strict")
    cardgen(root, "check", "--strict", "--jobs", "1")

    assert "2 cards, " in cardgen(root, "i18n", "review", "--jobs", "1")
    with pikepdf.open(root / "output/g/es/review.pdf") as pdf:
        title = str(pdf.docinfo["/Title"])
    assert title.endswith(" · en → es") and ":" not in title
    pages = subprocess.run(["pdftotext", root / "output/g/es/review.pdf", "-"], capture_output=True, check=True).stdout
    assert {"Hacha", "Axe"} <= set(pages.decode().split())
    assert "Chop it." in pages.decode() and "**" not in pages.decode()
    assert {"labels/points", "ES Points", "prints/items.title"} <= set(pages.decode().replace("\u200b", "").split("\n"))

    cardgen(root, "release", "--jobs", "1")
    folder = root / "output/release/g-1"
    manifest = json.loads((folder / "release.json").read_text("utf-8"))
    assert {file["path"] for file in manifest["files"]} == {"en/g-items-v1-en.pdf", "es/g-items-v1-es.pdf"}
    assert manifest["credits"]["es"]["translators"] == "Ana"
    assert "Primera publicación" in (folder / "es/post.md").read_text("utf-8")
    sheet = subprocess.run(["pdftotext", folder / "es/g-items-v1-es.pdf", "-"], capture_output=True, check=True).stdout
    assert "traducción no oficial: Ana" in sheet.decode()
    assert "example.org/g/items?v=1" in sheet.decode()

    before = tmp_path / "before"
    shutil.copytree(root, before, ignore=shutil.ignore_patterns("output"))
    cards = root / "cards/g/cards/items.yaml"
    cards.write_text(cards.read_text("utf-8").replace("name: Axe", "name: Great Axe\n  errata: 2026-03-01"), "utf-8")
    game_file = root / "cards/g/game.yaml"
    game_file.write_text(game_file.read_text("utf-8").replace('version: "1"\nsource', 'version: "2"\nsource'), "utf-8")

    assert "stale" in cardgen(root, "i18n", "status", "--list", "--strict", code=1)
    refused = cardgen(root, "release", "--jobs", "1", code=1)
    assert "CG550" in refused and "axe/name" in refused
    assert not (root / "output/release/g-2").exists()

    cardgen(root, "i18n", "export", "--no-fit")
    assert '#| msgid "Axe"\nmsgctxt "axe/name"\nmsgid "Great Axe"\nmsgstr "Hacha"' in file.read_text("utf-8")
    assert "1 card, 0 other texts" in cardgen(root, "i18n", "review", "--open", "--jobs", "1")
    assert "1 stale" in cardgen(root, "i18n", "import", str(file)), "a file that nobody touched makes nothing done"
    cardgen(root, "i18n", "status", "--strict", code=1)
    translate(file, **{"axe/name": "Gran hacha"})
    cardgen(root, "i18n", "import", str(file))
    cardgen(root, "i18n", "status", "--strict")
    cardgen(root, "release", "--jobs", "1")
    post = (root / "output/release/g-2/es/post.md").read_text("utf-8")
    assert "Cambios desde la 1" in post and "Hacha → Gran hacha" in post and "2026-03-01" in post
    assert "[b]Gran hacha[/b]" in (root / "output/release/g-2/es/post.bbcode.txt").read_text("utf-8")

    told = json.loads(cardgen(root, "diff", str(before), "--lang", "en", "--jobs", "1", "--format", "json"))
    (difference,) = told["differences"]
    assert difference["cards"] == [
        {
            "card": "axe",
            "title": "Great Axe",
            "state": "changed",
            "changes": [
                {"field": "errata", "before": "", "after": "2026-03-01"},
                {"field": "name", "before": "Axe", "after": "Great Axe"},
            ],
        }
    ]
    assert (root / "output/g/en/diff.pdf").is_file()


def test_a_language_that_is_new_or_gone_differs(tmp_path: Path) -> None:
    game = edit("cards/g/game.yaml", "languages: [en]", "languages: [en, es]")["cards/g/game.yaml"]
    root = write_project(tmp_path / "p", {"cards/g/game.yaml": game})
    old = write_project(tmp_path / "old")
    assert "g es: new" in cardgen(root, "diff", str(old), "--jobs", "1", "--no-pdf")
    assert "g es: gone" in cardgen(old, "diff", str(root), "--jobs", "1", "--no-pdf")
    told = json.loads(cardgen(root, "diff", str(old), "--jobs", "1", "--no-pdf", "--format", "json"))
    assert [(item["lang"], item["state"]) for item in told["differences"]] == [("en", "both"), ("es", "added")]
    cards = root / "cards/g/cards/items.yaml"
    cards.write_text(cards.read_text("utf-8").replace("name: Rope", "name: Rope\n  revision: b"), "utf-8")
    said = cardgen(root, "diff", str(old), "--lang", "en", "--jobs", "1", "--no-pdf")
    assert "rope  changed\n    revision: – → b" in said


@GIT
def test_outside_of_a_repository_there_are_no_revisions(tmp_path: Path) -> None:
    root = write_project(tmp_path / "p")
    said = cardgen(root, "diff", "HEAD", code=2)
    assert "`HEAD` is no folder with a project, and this project lies in no git repository" in said
    assert "fatal" not in said


@GIT
def test_a_revision_without_the_project_is_told(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "none")
    root = write_project(tmp_path / "p")
    assert "there was no project here at `HEAD`" in cardgen(root, "diff", "HEAD", code=2)


def test_without_git_there_are_no_revisions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write_project(tmp_path / "p")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "git, which would know revisions, is not installed" in cardgen(root, "diff", "HEAD", code=2)


@GIT
def test_states_are_revisions_as_well(tmp_path: Path) -> None:
    root = write_project(tmp_path / "p")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "one")
    cards = root / "cards/g/cards/items.yaml"
    cards.write_text(cards.read_text("utf-8").replace("rope:", "cord:"), "utf-8")
    found = json.loads(cardgen(root, "diff", "HEAD", "--jobs", "1", "--no-pdf", "--format", "json"))
    assert [(card["card"], card["state"]) for card in found["differences"][0]["cards"]] == [
        ("cord", "added"),
        ("rope", "removed"),
    ]
    said = cardgen(root, "diff", "nothing-of-the-kind", code=2)
    assert "neither a folder with a project nor a revision; `git log --oneline` lists those" in said
    assert "fatal" not in said
    assert "no revision" in cardgen(root, "diff", "--", "--output=x", code=2)

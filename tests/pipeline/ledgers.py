"""What the tests of the ledger share: a small project in two languages, its notes and its changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cardgen.diagnostics import Report
from cardgen.load.ledger import read_ledger
from cardgen.model.ledger import Changes, Ledger
from cardgen.model.project import Project
from cardgen.pipeline.ledger.held import beside, changes_of, chosen, until
from cardgen.pipeline.ledger.record import as_they_are, name_for, note
from cardgen.pipeline.products import Options
from tests.support import edit, load, write_project

SPANISH = """\
msgid ""
msgstr "Language: es\\n"

""" + "\n".join(
    f'msgctxt "{context}"\nmsgid "{source}"\nmsgstr "{text}"\n'
    for context, source, text in (
        ("game/title", "Test Game", "Juego"),
        ("labels/points", "Points", "Puntos"),
        ("dice/white.title", "White die", "Dado"),
        ("keywords/sharp.title", "Sharp", "Afilado"),
        ("keywords/sharp.text", "It cuts.", "Corta."),
        ("keywords/shots.title", "Shots", "Disparos"),
        ("keywords/shots.text", "It shoots.", "Dispara."),
        ("tracks/threat.title", "Threat", "Amenaza"),
        ("tracks/threat.low", "Low", "Baja"),
        ("tracks/threat.high", "High", "Alta"),
        ("kinds/item.title", "Item", "Objeto"),
        ("prints/items.title", "Items", "Objetos"),
        ("axe/name", "Axe", "Hacha"),
        ("axe/rules", "**Chop** it.", "**Corta**."),
        ("rope/name", "Rope", "Cuerda"),
    )
)
BILINGUAL = {**edit("cards/g/game.yaml", "languages: [en]", "languages: [en, es]"), "cards/g/i18n/es.po": SPANISH}


def bilingual(folder: Path) -> Path:
    return write_project(folder, BILINGUAL)


def change(root: Path, name: str, old: str, new: str) -> None:
    text = (root / name).read_text("utf-8")
    assert old in text, f"{old!r} is not in {name}"
    (root / name).write_text(text.replace(old, new), "utf-8")


def sound(root: Path) -> tuple[Project, Ledger]:
    report = Report()
    project = load(root)
    ledger = read_ledger(project.shelf, report)
    assert not report.items, [item.message for item in report]
    return project, ledger


def printed(
    root: Path,
    date: str = "2026-11-30",
    name: str | None = None,
    targets: Sequence[str] = (),
    languages: Sequence[str] = (),
    options: Options | None = None,
) -> str:
    """Note that the project is printed as it is; the name of the printing."""
    project, ledger = sound(root)
    report = Report()
    snapshots = as_they_are(project, ledger, targets, languages, options or Options(), report)
    called = name_for(project.shelf, ledger, name, date)
    assert note(root, ledger, called, date, snapshots, report) is not None
    return called


def changed(root: Path, since: str = "last", options: Options | None = None) -> list[Changes]:
    project, ledger = sound(root)
    report = Report()
    wanted = chosen(project, ledger.latest(until(ledger, since)), (), (), report)
    return [changes_of(item) for item in beside(project, wanted, options or Options(), report)]


def told(root: Path, since: str = "last", options: Options | None = None) -> set[tuple[str, str, str, tuple[str, ...]]]:
    """Every change: its language, card, kind, and which parts differ."""
    return {
        (changes.lang, item.label, item.kind, item.parts)
        for changes in changed(root, since, options)
        for item in changes.items
    }

"""What a build does with texts that are not done."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostics import Report
from cardgen.pipeline.languages import to_print
from tests.support import edit, load, write_project

PO = """\
msgid ""
msgstr "Language: es\\n"

msgctxt "axe/name"
msgid "Ax"
msgstr "Hachuela"

#, fuzzy
msgctxt "rope/name"
msgid "Rope"
msgstr "Cuerda"

msgctxt "labels/points"
msgid "Points"
msgstr "Points"
"""


@pytest.mark.parametrize(
    ("policy", "axe", "rope", "points", "item"),
    [
        ("{}", "Axe", "Rope", "Points", "Item"),
        ("{stale: print, unreviewed: print}", "Hachuela", "Cuerda", "Points", "Item"),
        ("{stale: mark, unreviewed: mark, same: mark}", "‹?› Hachuela", "‹?› Cuerda", "‹?› Points", "Item"),
        ("{missing: mark}", "Axe", "Rope", "Points", "‹?› Item"),
    ],
)
def test_a_build_does_as_the_project_says(
    tmp_path: Path, policy: str, axe: str, rope: str, points: str, item: str
) -> None:
    root = write(tmp_path, policy)
    project = load(root)
    game = to_print(project, project.games["g"], "es", {}, Report())
    assert game is not None
    shown = (game.cards["axe"].values["name"], game.cards["rope"].values["name"], game.labels["points"])
    assert (*shown, game.kinds["item"].title) == (axe, rope, points, item)


@pytest.mark.parametrize("state", ["missing", "stale", "unreviewed", "same"])
def test_a_build_may_be_refused(tmp_path: Path, state: str) -> None:
    project = load(write(tmp_path, f"{{{state}: refuse}}"))
    report = Report()
    assert to_print(project, project.games["g"], "es", {}, report) is None
    (told,) = [item for item in report if item.code == "CG221"]
    assert state in told.message


def test_without_a_file_everything_is_missing(tmp_path: Path) -> None:
    root = write(tmp_path, "{missing: refuse}")
    (root / "cards/g/i18n/es.po").unlink()
    project = load(root)
    assert to_print(project, project.games["g"], "es", {}, Report()) is None


def test_what_is_missing_cannot_be_printed_as_it_is(tmp_path: Path) -> None:
    report = Report()
    from cardgen.load.project import load_project

    load_project(write(tmp_path, "{missing: print}"), report)
    assert "CG024" in {item.code for item in report}


def write(tmp_path: Path, policy: str) -> Path:
    game = edit("cards/g/game.yaml", "languages: [en]", "languages: [en, es]")
    return write_project(
        tmp_path / "p", {**game, "cards/g/i18n/es.po": PO, "cardgen.yaml": f"name: t\ntranslations: {policy}\n"}
    )

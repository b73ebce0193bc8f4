"""What a build does with texts that are not done."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostics import Report
from cardgen.i18n.translate import marked
from cardgen.pipeline.build import build, check
from cardgen.pipeline.languages import to_print
from cardgen.pipeline.products import Options
from cardgen.pipeline.targets import Target
from cardgen.pipeline.translation.boxes import boxed_texts
from cardgen.text.markup import to_html
from cardgen.workers import Workers
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


OTHERS = """
msgctxt "axe/rules"
msgid "**Chop** it."
msgstr "Corta."
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


def test_what_is_refused_hides_no_other_problem(tmp_path: Path) -> None:
    root = write(tmp_path, "{missing: refuse, stale: refuse}")
    path = root / "cards/g/i18n/es.po"
    path.write_text(PO.replace('"Hachuela"', '"Hachuela [nada]  de"') + OTHERS, encoding="utf-8")
    project = load(root)
    checked, built = Report(), Report()
    targets = [Target(project.games["g"], "es", tuple(project.games["g"].prints.values()))]
    check(project, targets, Workers(), checked)
    made = build(project, targets, tmp_path / "output", Options(), Workers(), built)
    expected = {"CG221", "CG203", "CG206", "CG202"}
    assert expected <= {item.code for item in checked}
    assert expected <= {item.code for item in built}
    assert made.files == ()
    assert sum(item.code == "CG221" for item in checked) == 2


def test_what_is_refused_is_measured_all_the_same(tmp_path: Path) -> None:
    root = write(tmp_path, "{missing: refuse}")
    (root / "cards/g/i18n/es.po").unlink()
    project, report = load(root), Report()
    kept = boxed_texts(project, project.games.values(), ["es"], Workers(), report)
    assert kept
    assert [item.code for item in report] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cut it.", "‹?› Cut it."),
        ("- One\n- Two", "- ‹?› One\n- Two"),
        ("  - One\n- Two", "  - ‹?› One\n- Two"),
        ("-1 to it", "‹?› -1 to it"),
        ("**Cut** it.", "‹?› **Cut** it."),
    ],
)
def test_the_mark_keeps_a_list_a_list(text: str, expected: str) -> None:
    assert marked(text) == expected
    items = to_html(text, lambda name: name).count("<li>")
    assert to_html(marked(text), lambda name: name).count("<li>") == items


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

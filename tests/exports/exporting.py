"""A small project exported by a profile, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cardgen.diagnostics import Report
from cardgen.exports.profile import Wanted, export
from cardgen.load.exports import read_exports
from cardgen.model.export import ExportProfile
from cardgen.pipeline.targets import choose
from cardgen.workers import Workers
from tests.support import edit, load, write_project

ROOT = Path(__file__).resolve().parents[2]
# One back for all.
BACKS = {
    **edit("cards/g/game.yaml", "    front: g/item\n", "    front: g/item\n    back: g/back\n"),
    "layouts/g/back.html.j2": '{% set css = ["g/back.css"] %}<div class="ground"></div>',
    "layouts/g/back.css": ".ground { position: absolute; left: -3mm; top: -3mm; width: 69mm; height: 94mm; background-color: #cc0000 }",
}
# Each card its own.
OWN_BACKS = {
    **BACKS,
    "layouts/g/back.html.j2": '{% set css = ["g/back.css"] %}<div class="ground">{{ card.name }}</div>',
    "layouts/g/back.css": BACKS["layouts/g/back.css"].replace("}", "; font: 9pt text; padding: 20mm }"),
}


def cards(count: int, copies: int = 1) -> dict[str, str]:
    lines = [f"c{n}: {{kind: item, name: Card {n}, copies: {copies}}}" for n in range(count)]
    return {"cards/g/cards/items.yaml": "\n".join(lines) + "\n"}


def trimmed(trim: str) -> dict[str, str]:
    return edit("cards/g/game.yaml", "trim: poker-eu", f"trim: {trim}")


def profiles(root: Path = ROOT) -> Mapping[str, ExportProfile]:
    report = Report()
    project = load(root)
    found = read_exports(project.shelf, project.trims, report)
    assert not report.items
    return found.sound


def exported(
    root: Path, profile: str, changes: Mapping[str, str] | None = None, report: Report | None = None, **wanted: object
) -> list[Path]:
    """What an export of the project wrote; without a report given nothing may be reported."""
    own = Report()
    project = load(write_project(root, changes))
    chosen = read_exports(project.shelf, project.trims, own).sound[profile]
    made = export(
        project,
        chosen,
        choose(project, [], []),
        root / "output",
        Wanted(**wanted),  # type: ignore[arg-type]
        Workers(),
        own if report is None else report,
    )
    paths = list(made)
    assert not own.items, [item.message for item in own]
    return paths

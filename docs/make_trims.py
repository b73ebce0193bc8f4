"""Writes docs/trims.md, the lists of trims and sheets, from the shipped files: python docs/make_trims.py."""

from __future__ import annotations

from pathlib import Path

from cardgen.diagnostics import Report
from cardgen.load.project import load_project
from cardgen.units import format_mm

ROOT = Path(__file__).resolve().parent.parent


def page() -> str:
    """The page as Markdown."""
    project = load_project(ROOT, Report())
    assert project is not None
    lines = [
        "# Trims and sheets",
        "",
        "What is shipped; a project may add its own ([format](format.md)). Made by",
        "`docs/make_trims.py`.",
        "",
    ]
    lines += ["## Trims", "", "| id | | mm | bleed | corner |", "|---|---|---|---|---|"]
    for trim in project.trims.values():
        size = f"{format_mm(trim.size.width)} x {format_mm(trim.size.height)}"
        lines.append(f"| `{trim.id}` | {trim.title} | {size} | {format_mm(trim.bleed)} | {format_mm(trim.corner)} |")
    lines += ["", "## Sheets", "", "| id | | paper | grid | bleed | marks |", "|---|---|---|---|---|---|"]
    for sheet in sorted(project.sheets.values(), key=lambda item: item.id):
        grid = f"{sheet.columns} x {sheet.rows}" if sheet.columns and sheet.rows else "as many as fit"
        grid = "packed" if sheet.arrange == "packed" else grid
        lines.append(
            f"| `{sheet.id}` | {sheet.title} | {sheet.paper or 'the face itself'} | {grid} | {sheet.bleed} | {sheet.marks} |"
        )
    lines += [
        "",
        "Where neighbouring cards differ in colour, `a4-3x3-gap` (a gap between them) or `a4-8up-bleed` (every card with its",
        "own bleed) forgives a crooked cut; `a4-3x3` needs half as many cuts.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (ROOT / "docs" / "trims.md").write_text(page(), "utf-8")

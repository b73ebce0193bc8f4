"""Writes docs/rules/<game>-<pack>.md from the shipped packs: python docs/make_rules.py."""

from __future__ import annotations

from pathlib import Path

from cardgen.diagnostics import Report
from cardgen.load.project import load_project
from cardgen.rules.explain import page

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "rules"


def pages() -> dict[str, str]:
    """File name -> Markdown, for every pack of every shipped game, and an index."""
    project = load_project(ROOT, Report())
    assert project is not None
    found: dict[str, str] = {}
    index = [
        "# The shipped rules",
        "",
        "Made from the packs by `docs/make_rules.py`; how packs are written: [rules](../rules.md).",
        "",
    ]
    for game in project.games.values():
        for pack in game.packs.values():
            name = f"{game.id}-{pack.id}.md"
            found[name] = page(game, pack)
            index.append(
                f"- [{pack.title}]({name}): {len(pack.rules)} rules, {len(pack.notes)} notes, {len(pack.formulas)} formulas"
            )
    found["README.md"] = "\n".join(index) + "\n"
    return found


def main() -> None:
    """Write the pages and take away those of packs that are gone."""
    FOLDER.mkdir(exist_ok=True)
    current = pages()
    for old in FOLDER.glob("*.md"):
        if old.name not in current:
            old.unlink()
    for name, text in current.items():
        (FOLDER / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()

"""Builds every shipped print and makes a picture of each: python docs/make_gallery.py.

The first sheet, front and back, of every print and language goes to docs/gallery/ with a page that shows them and what
somebody who looked at them thought (docs/gallery/judgements.yaml).
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import yaml
from PIL import Image

from cardgen.diagnostics import Report
from cardgen.load.project import load_project
from cardgen.model.product import Made
from cardgen.model.project import Project
from cardgen.pdf.raster import page_png
from cardgen.pipeline.build import build
from cardgen.pipeline.products import Options
from cardgen.pipeline.targets import choose
from cardgen.workers import default_jobs, open_workers

ROOT = Path(__file__).resolve().parent.parent
GALLERY = ROOT / "docs" / "gallery"
DPI = 72
COLOURS = 160


def name_of(game: str, lang: str, item: str, side: str) -> str:
    """The file name of a picture."""
    return f"{game}-{item}-{lang}-{side}.png"


def shrink(png: bytes) -> bytes:
    """The picture with few colours: flat art needs no more, and a clone stays small."""
    with Image.open(io.BytesIO(png)) as image:
        target = io.BytesIO()
        image.convert("RGB").quantize(COLOURS).save(target, "PNG", optimize=True)
    return target.getvalue()


def page(project: Project, judgements: Mapping[str, str]) -> str:
    """The gallery's page."""
    lines = ["# Gallery", "", "Made by `./run gallery` from the shipped games; one look, one line.", ""]
    for game in project.games.values():
        lines += [f"## {game.title}", "", game.subtitle, ""]
        for item in game.prints.values():
            lines += [f"### {item.title}", "", judgements[f"{game.id}/{item.id}"], ""]
            for lang in game.languages:
                sides = [name_of(game.id, lang, item.id, side) for side in ("front", "back")]
                shown = [f"![{item.title}, {lang}]({side})" for side in sides if (GALLERY / side).exists()]
                lines += [" ".join(shown), ""]
    return "\n".join(lines).rstrip() + "\n"


def pictures(made: Made, duplex: bool) -> None:
    """Write the first front of a file and, where backs follow their fronts, the first back."""
    data = made.path.read_bytes()
    sides = ["front", "back"] if duplex and made.pages > 1 else ["front"]
    for number, side in enumerate(sides):
        target = GALLERY / name_of(made.game, made.lang, made.print, side)
        target.write_bytes(shrink(page_png(data, number, DPI)))


def main() -> None:
    """Build, draw, write."""
    report = Report()
    with open_workers(default_jobs()) as workers, tempfile.TemporaryDirectory() as folder:
        project = load_project(ROOT, report)
        assert project is not None
        built = build(project, choose(project, [], []), Path(folder), Options(), workers, report)
        for old in GALLERY.glob("*.png"):
            old.unlink()
        for made in built.files:
            pictures(made, project.games[made.game].prints[made.print].backs == "duplex")
    for item in report:
        print(f"{item.span}: {item.message}", file=sys.stderr)
    judgements = yaml.safe_load((GALLERY / "judgements.yaml").read_text("utf-8"))
    (GALLERY / "README.md").write_text(page(project, judgements), "utf-8")
    print(f"{len(list(GALLERY.glob('*.png')))} pictures in docs/gallery")
    sys.exit(1 if report.has_errors() else 0)


if __name__ == "__main__":
    main()

"""Builds every shipped print and makes a picture of each: python docs/make_gallery.py, or of those that are named.

Of cards the first sheet, front and back, in every language goes to docs/gallery/, of components every front in the
game's own language, in colour and in grey; with a page that shows them and what somebody who looked at them thought
(docs/gallery/judgements.yaml).
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pikepdf
import yaml
from msgspec import structs
from PIL import Image

from cardgen.diagnostics import Report
from cardgen.load.project import load_project
from cardgen.model.game import Game, Print
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
# Of components, whose sheets are many: all fronts in one picture, a few in a row.
SMALL_DPI, SMALL_COLOURS, GREYS, A_ROW, SPACE = 50, 96, 12, 4, 8


def name_of(game: str, lang: str, item: str, side: str) -> str:
    """The file name of a picture."""
    return f"{game}-{item}-{lang}-{side}.png"


def shrink(png: bytes) -> bytes:
    """The picture with few colours: flat art needs no more, and a clone stays small."""
    with Image.open(io.BytesIO(png)) as image:
        target = io.BytesIO()
        image.convert("RGB").quantize(COLOURS).save(target, "PNG", optimize=True)
    return target.getvalue()


def sides_of(item: Print) -> tuple[str, ...]:
    """What is shown of a print: sides of its first sheet, or all of it with its colours and without."""
    return ("colour", "grey") if item.components or item.booklet else ("front", "back")


def languages_of(game: Game, item: Print) -> tuple[str, ...]:
    """The languages a print is shown in: components are shown for their form."""
    return (game.source,) if item.components or item.booklet else game.languages


def together(pages: list[bytes]) -> Image.Image:
    """Pictures of sheets, side by side in rows."""
    sheets = [Image.open(io.BytesIO(data)).convert("RGB") for data in pages]
    width, height = max(s.width for s in sheets) + SPACE, max(s.height for s in sheets) + SPACE
    rows = -(-len(sheets) // A_ROW)
    canvas = Image.new("RGB", (width * min(A_ROW, len(sheets)) + SPACE, height * rows + SPACE), "#8d979c")
    for number, sheet in enumerate(sheets):
        canvas.paste(sheet, (SPACE + number % A_ROW * width, SPACE + number // A_ROW * height))
    return canvas


def page(project: Project, judgements: Mapping[str, str]) -> str:
    """The gallery's page."""
    lines = ["# Gallery", "", "Made by `./run gallery` from the shipped games; one look, one line.", ""]
    for game in project.games.values():
        lines += [f"## {game.title}", "", game.subtitle, ""]
        for item in game.prints.values():
            lines += [f"### {item.title}", "", judgements[f"{game.id}/{item.id}"], ""]
            for lang in languages_of(game, item):
                sides = [name_of(game.id, lang, item.id, side) for side in sides_of(item)]
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


def small_pictures(made: Made, every: bool = False) -> None:
    """Write all fronts of a file, or `every` page, in one picture, in colour and in grey."""
    data = made.path.read_bytes()
    with pikepdf.open(made.path) as pdf:
        duplex = "/Duplex" in pdf.Root.get("/ViewerPreferences", {}) and made.pages > 1
        duplex = duplex and "Flip" in str(pdf.Root.ViewerPreferences.Duplex)
    fronts = range(0, made.pages, 2 if duplex and not every else 1)
    canvas = together([page_png(data, number, SMALL_DPI) for number in fronts])
    for side, picture in (
        ("colour", canvas.quantize(SMALL_COLOURS)),
        ("grey", canvas.convert("L").quantize(GREYS)),
    ):
        picture.save(GALLERY / name_of(made.game, made.lang, made.print, side), "PNG", optimize=True)


def main() -> None:
    """Build, draw, write."""
    report = Report()
    with open_workers(default_jobs()) as workers, tempfile.TemporaryDirectory() as folder:
        project = load_project(ROOT, report)
        assert project is not None
        targets = [
            structs.replace(
                target,
                prints=tuple(item for item in target.prints if target.lang in languages_of(target.game, item)),
            )
            for target in choose(project, sys.argv[1:], [])
        ]
        built = build(project, targets, Path(folder), Options(), workers, report)
        for old in [] if sys.argv[1:] else GALLERY.glob("*.png"):
            # Those of Studio are made by make_studio.py.
            if not old.name.startswith("studio-"):
                old.unlink()
        for made in built.files:
            item = project.games[made.game].prints[made.print]
            if item.components or item.booklet:
                small_pictures(made, every=bool(item.booklet))
            else:
                pictures(made, item.backs == "duplex")
    for item in report:
        print(f"{item.span}: {item.message}", file=sys.stderr)
    judgements = yaml.safe_load((GALLERY / "judgements.yaml").read_text("utf-8"))
    (GALLERY / "README.md").write_text(page(project, judgements), "utf-8")
    print(f"{len(list(GALLERY.glob('*.png')))} pictures in docs/gallery")
    sys.exit(1 if report.has_errors() else 0)


if __name__ == "__main__":
    main()

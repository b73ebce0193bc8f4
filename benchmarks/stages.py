"""Where the time of a cold build goes: processor time of each stage of the survivor job, in one process.

    python benchmarks/stages.py [--cards 900] [--runs 5]

Each run is a process of its own; the least of each stage is shown, which a busy machine disturbs least.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import commands
from measuring import environment

CODE = """
import time
clock = time.process_time
marks = [("start of Python", clock())]
def mark(name): marks.append((name, clock()))
import gc, json, sys
from pathlib import Path
gc.set_threshold(100_000, 50, 1000)
import cardgen.cli, cardgen.cli.build
mark("command line")
from cardgen.diagnostics import Report
from cardgen.load.project import load_project
from cardgen.pipeline import build as building, draw, products
from cardgen.pipeline.fonts import label_fonts
from cardgen.pipeline.languages import to_print
from cardgen.pipeline.targets import choose
from cardgen.pipeline.texts import role_characters
from cardgen.faces.make import FaceMaker
from cardgen.workers import Workers
mark("imports of the pipeline")
report, root, out = Report(), Path(sys.argv[1]), Path(sys.argv[2])
project = load_project(root, report)
mark("load")
characters = role_characters(project.shelf, project.fonts, report)
game = to_print(project, project.games["survivors"], "es", characters, report)
mark("texts")
maker = FaceMaker(project, report)
product = products.make_product(project, game, game.prints["cards"], products.Options(), maker, report)
mark("faces")
from cardgen.faces.engines import ENGINES
from importlib import import_module
import_module(ENGINES["card"])
mark("engine: imports")
renderings = list(draw.draw_each(project, [product], Workers(), report))
mark("engine: drawing")
drawn = {key: each for each in renderings for key in each.keys}
(imposition, suffix), = building.impositions(project, product, drawn, report)
mark("sheets")
building.write_product(product, imposition, drawn, label_fonts(project), out / "x.pdf", report)
mark("write")
from cardgen.pipeline.keep.disk import DiskDrawings
from cardgen.pipeline.keep.sealed import Place
store = DiskDrawings(Place(out / "kept", bytes(32)))
for rendering in renderings: store.keep(rendering)
store.flush()
mark("keep (after the files are written)")
DiskDrawings(Place(out / "kept", bytes(32))).find(product.faces.keys())
mark("find what was kept (in place of the engine)")
assert not len(report)
times = {name: at - before for (name, at), (_, before) in zip(marks, [("", 0.0), *marks])}
print(json.dumps(times))
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cards", type=int, default=900)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    least: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="cardgen-benchmarks-") as work:
        project = commands.project(given.cards, Path(work) / "project")
        for number in range(given.runs):
            out = Path(work) / f"out{number}"
            out.mkdir()
            command = [sys.executable, "-c", CODE, str(project), str(out)]
            done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment())
            for name, seconds in json.loads(done.stdout).items():
                least[name] = min(least.get(name, seconds), seconds)
    around = [name for name in least if not name.startswith(("engine", "keep", "find"))]
    whole = sum(least[name] for name in around)
    print("| stage | ms | share without the engine |\n|---|--:|--:|")
    for name, seconds in least.items():
        share = f"{seconds / whole:.0%}" if name in around else ""
        print(f"| {name} | {seconds * 1000:.0f} | {share} |")
    print(f"| all but the engine and keeping | {whole * 1000:.0f} | 100% |")


if __name__ == "__main__":
    main()

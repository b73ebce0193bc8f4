"""How long a verdict takes: a band of 200 entries by the shipped pack, and the shipped bands.

python benchmarks/rules.py
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from cardgen.diagnostics import Report
from cardgen.load.project import load_bands, load_project
from cardgen.model.band import Band, Entry
from cardgen.model.game import Game
from cardgen.rules.bands import judge_band

ROOT = Path(__file__).resolve().parent.parent
ENTRIES = 200


def large(game: Game, band: Band) -> Band:
    """The band with its entries repeated until there are 200."""
    kind = game.bands[band.kind]
    entries = band.values[kind.entries]
    assert isinstance(entries, tuple)
    many = (entries * (ENTRIES // len(entries) + 1))[:ENTRIES]
    return Band(
        band.id, band.title, band.kind, band.pack, Entry({**band.values, kind.entries: many}, band.values.span),
        band.rulings, band.waivers, "", (), band.file,
    )  # fmt: skip


def seconds(game: Game, band: Band, compare: bool) -> float:
    """How long one judgement takes."""
    started = time.perf_counter()
    judge_band(game, band, compare=compare)
    return time.perf_counter() - started


def main() -> None:
    """Measure and print, one line a game."""
    report = Report()
    project = load_project(ROOT, report)
    assert project is not None
    for game in project.games.values():
        bands = load_bands(project.shelf, game, report)
        if not bands:
            continue
        first = large(game, bands[0])
        compiling = seconds(game, first, compare=False)
        runs = [seconds(game, first, compare=False) for _ in range(5)]
        compared = seconds(game, first, compare=True)
        shipped = [seconds(game, band, compare=True) for band in bands]
        print(
            f"{game.id}: {ENTRIES} entries {statistics.median(runs):.3f} s with compiled packs, {compiling:.3f} s the first "
            f"time, {compared:.3f} s with every other reading; {len(bands)} shipped bands {sum(shipped):.3f} s"
        )


if __name__ == "__main__":
    main()

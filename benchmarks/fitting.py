"""How long one measurement of a fit takes: a text that was too long is laid out smaller, and measured again.

    python benchmarks/fitting.py [--game NAME] [--runs N]

Every card of a shipped game is drawn in its languages until its texts fit, and each trial after the first layout is
timed. Prints seconds of processor time of a trial, over all of them, in the run that was disturbed least.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping

import commands

from cardgen.diagnostics import Report
from cardgen.faces.calm import calm_collector
from cardgen.faces.card.fragments import Fragment
from cardgen.faces.card.layouter import Layouter
from cardgen.faces.card.measuring import Measured
from cardgen.faces.engines import Job
from cardgen.faces.fit import Fits
from cardgen.load.project import load_project
from cardgen.model.face import Face
from cardgen.pipeline.draw import jobs_of
from cardgen.pipeline.products import Options, make_products
from cardgen.pipeline.targets import choose


class Timed(Layouter):
    """A layouter that knows how many trials it has made, and how long they took."""

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        self.trials, self.seconds = 0, 0.0

    def tried(
        self, face: Face, root: Fragment, measured: Measured, again: Mapping[str, Fragment | None], fits: Fits
    ) -> tuple[Fragment, Measured]:
        """One trial, timed."""
        started = time.process_time()
        done = super().tried(face, root, measured, again, fits)
        self.seconds += time.process_time() - started
        self.trials += 1
        return done


def main() -> None:
    """Measure and print, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default=commands.games()[0])
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    report = Report()
    project = load_project(commands.ROOT, report)
    products = make_products(project, choose(project, [given.game], []), Options(), report)
    faces = {key: face for product in products for key, face in product.faces.items() if face.engine == "card"}
    best, trials = float("inf"), 0
    for _ in range(given.runs):
        seconds, trials = 0.0, 0
        for job in jobs_of(project, faces, 1):
            with calm_collector():
                layouter = Timed(job)
                for face in job.faces:
                    layouter.fitted(face)
            seconds, trials = seconds + layouter.seconds, trials + layouter.trials
        best = min(best, seconds)
    print(json.dumps({"game": given.game, "faces": len(faces), "trials": trials, "seconds": best / max(1, trials)}))


if __name__ == "__main__":
    main()

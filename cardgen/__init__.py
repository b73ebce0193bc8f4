"""cardgen: print-ready cards and components from YAML data and Jinja layouts.

Public are `load`, `check`, `build`, `CardgenError` and `__version__`; everything else may move without notice. Problems
of the user's files are never raised: they are in the `Report` that each function returns.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.errors import CardgenError

if TYPE_CHECKING:
    from cardgen.diagnostics import Report
    from cardgen.model.product import Made
    from cardgen.model.project import Project

__version__ = "0.1.0"
__all__ = ["CardgenError", "__version__", "build", "check", "load"]

# Importing a package sets its name in the one above it, once: so before `load` becomes the function.
import_module("cardgen.load")

# The imports stand inside of the functions: `import cardgen` alone costs nothing, and workers need only their engine.


def load(folder: Path | str) -> tuple[Project | None, Report]:
    """Load the project whose cardgen.yaml lies in `folder`; None when that file itself is unusable."""
    from cardgen.diagnostics import Report
    from cardgen.load.project import load_project

    report = Report()
    return load_project(Path(folder), report), report


def check(folder: Path | str, targets: Iterable[str] = (), languages: Iterable[str] = (), jobs: int = 1) -> Report:
    """Every problem that `cardgen check` would tell of the targets (`game` or `game/print`; default: everything).

    Raises CardgenError for a target or language that does not exist.
    """
    from cardgen.pipeline.build import check as run
    from cardgen.pipeline.targets import choose
    from cardgen.workers import open_workers

    with open_workers(jobs) as workers:
        project, report = load(folder)
        if project is not None:
            run(project, choose(project, targets, languages), workers, report)
    return report


def build(
    folder: Path | str,
    output: Path | str,
    targets: Iterable[str] = (),
    languages: Iterable[str] = (),
    jobs: int = 1,
) -> tuple[tuple[Made, ...], Report]:
    """Write what `cardgen build` would write below `output`; the files, and every problem.

    Raises CardgenError for a target or language that does not exist.
    """
    from cardgen.pipeline.build import build as run
    from cardgen.pipeline.products import Options
    from cardgen.pipeline.targets import choose
    from cardgen.workers import open_workers

    with open_workers(jobs) as workers:
        project, report = load(folder)
        if project is None:
            return (), report
        built = run(project, choose(project, targets, languages), Path(output), Options(), workers, report)
    return built.files, report

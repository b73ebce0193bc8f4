"""A project that is built again and again in one process: the same steps, with what the last build left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct, field

from cardgen.diagnostics import Report
from cardgen.faces.filled import Filled
from cardgen.files import Shelf, open_shelf
from cardgen.load.project import load_project
from cardgen.load.recall import Recall, RecallingShelf
from cardgen.model.product import Made
from cardgen.pipeline.build import build
from cardgen.pipeline.keep.memory import Drawings, Products
from cardgen.pipeline.products import Options
from cardgen.pipeline.targets import choose
from cardgen.workers import Workers


class Wanted(Struct, frozen=True):
    """What is built: the project's folder, targets as people name them, languages, where to, how."""

    root: Path
    targets: tuple[str, ...]
    languages: tuple[str, ...]
    output: Path
    options: Options


class Warm(Struct):
    """Builds what is wanted; remembers drawings and files from one build to the next."""

    wanted: Wanted
    drawings: Drawings = field(default_factory=Drawings)
    filled: Filled = field(default_factory=Filled)
    recall: Recall = field(default_factory=Recall)
    products: Products = field(default_factory=Products)

    @property
    def shelf(self) -> Shelf:
        """Where the project is read from."""
        return RecallingShelf(open_shelf(self.wanted.root).roots, self.recall)

    def build(
        self, workers: Workers, report: Report, written: Callable[[Made], None] = lambda made: None
    ) -> tuple[Made, ...]:
        """Every file of the targets as a fresh build has it; `written` is told of those that were written now.

        Raises UsageError for a target that does not exist.
        """
        self.filled.begin()
        project = load_project(self.wanted.root, report, self.shelf)
        if project is None:
            return ()
        chosen = choose(project, self.wanted.targets, self.wanted.languages, report)
        wanted = self.wanted
        return build(
            project,
            chosen,
            wanted.output,
            wanted.options,
            workers,
            report,
            written,
            self.drawings,
            self.products,
            self.filled,
        ).files

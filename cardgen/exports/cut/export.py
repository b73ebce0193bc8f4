"""Writes the cut guides of prints: a file for each front sheet, beside the PDF that the sheets are in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from cardgen.diagnostics import Report, Span
from cardgen.errors import FileProblem
from cardgen.exports.cut.dxf import dxf
from cardgen.exports.cut.lines import Guide, guides
from cardgen.exports.cut.svg import svg
from cardgen.files import write_atomic
from cardgen.model.project import Project
from cardgen.pipeline.build import impositions, imprint_of, variant
from cardgen.pipeline.draw import draw
from cardgen.pipeline.products import Options, make_products
from cardgen.pipeline.targets import Target
from cardgen.workers import Workers

Format = Literal["svg", "dxf"]
_WRITERS: Mapping[Format, Callable[[Guide], str]] = {"svg": svg, "dxf": dxf}


def export_cut(
    project: Project,
    targets: Iterable[Target],
    output: Path,
    options: Options,
    format: Format,
    workers: Workers,
    report: Report,
) -> Iterator[Path]:
    """Write `output/<game>/<lang>/cut/<print>-<sheet>.svg` (or `.dxf`) for each front sheet of a build with the same
    options, and yield each path. A print that is folded in its middle is reported: no machine cuts what is glued."""
    products = make_products(project, targets, options, report)
    # Cards that cannot be drawn are on no sheet, so their faces are drawn for the cut as well.
    drawn = {key: rendering for rendering in draw(project, products, workers, report) for key in rendering.keys}
    for product in products:
        folder = output / product.game.id / product.game.lang / "cut"
        for imposition, suffix in impositions(project, product, drawn, report):
            if suffix:
                continue  # backs are cut with their fronts
            if product.backs == "gutterfold" and product.trim is not None:
                report.add("CG533", product.print.span, "export it with `--backs duplex`", print=product.name)
                break
            corner = product.trim.corner if product.trim is not None else 0.0
            made = list(guides(imposition, imprint_of(product).title, corner))
            digits = len(str(len(made)))
            for guide in made:
                name = f"{product.print.id}{variant(product, options)}-{guide.number:0{digits}}.{format}"
                try:
                    write_atomic(folder / name, _WRITERS[format](guide).encode("utf-8"))
                except FileProblem as error:
                    report.add("CG501", Span(name), problem=str(error))
                    break
                yield folder / name

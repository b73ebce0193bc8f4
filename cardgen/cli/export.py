"""`cardgen export`: faces for screens and other programs."""

from __future__ import annotations

import sys

import click

from cardgen.cli.common import Common, common_options, own_project, relative, working
from cardgen.cli.show import counted, show, show_json, summary
from cardgen.diagnostics import Report


@click.group("export")
def export_group() -> None:
    """Write faces in other formats."""


@export_group.command("png")
@click.argument("targets", nargs=-1, metavar="[GAME[/PRINT]]...")
@click.option("--dpi", type=click.FloatRange(10, 1200), default=300, show_default=True, help="Resolution.")
@click.option("--bleed", is_flag=True, help="Keep what lies beyond the cut.")
@common_options
def png_command(targets: tuple[str, ...], dpi: float, bleed: bool, common: Common) -> None:
    """Write one PNG a face, cut to its trim, drawn by the same PDF that is printed."""
    report = Report()
    own_project(common, targets)
    paths = []
    with working(common) as workers:
        from cardgen.exports.png import export_png
        from cardgen.load.project import load_project
        from cardgen.pipeline.products import Options, make_products
        from cardgen.pipeline.targets import choose

        project = load_project(common.project, report)
        if project is not None:
            products = make_products(project, choose(project, targets, common.languages, report), Options(), report)
            paths = list(export_png(project, products, common.output, dpi, bleed, workers, report))
    if common.format == "json":
        show_json(report, files=[relative(path) for path in paths])
    else:
        show(report, common.format)
        folders = sorted({relative(path.parent) for path in paths})
        where = f" in {', '.join(folders)}" if folders else ""
        click.echo(f"{counted(len(paths), 'picture')}{where}, {summary(report)}")
    sys.exit(1 if report.has_errors(common.strict) else 0)

"""`cardgen import`: cards that people have as JSON."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cardgen.cli.common import Common, common_options, relative
from cardgen.cli.show import show, show_json, summary
from cardgen.diagnostics import Report
from cardgen.errors import UsageError


@click.command("import")
@click.argument("map_file", metavar="MAP", type=click.Path(path_type=Path))
@common_options
def import_command(map_file: Path, common: Common) -> None:
    """Take cards and translations from JSON into the project; MAP says which files, and which key is which field.

    The files lie below the map's folder: one a pack, and the same in each language, matched by the card's code.
    """
    from cardgen.load.project import load_project
    from cardgen.pipeline.importing import import_json

    report = Report()
    if common.shipped:
        raise UsageError("there is no cardgen.yaml here or above: cards are taken into a project")
    if not map_file.is_file():
        raise UsageError(f"there is no file `{map_file}`")
    # What is wrong with the project as it stands, the import may be there to mend.
    project = load_project(common.project, Report())
    if project is None:
        raise UsageError("the project cannot be read; see `cardgen check`")
    written = import_json(project, map_file, report)
    shown = [{"path": relative(item.path), "count": item.count} for item in written]
    if common.format == "json":
        show_json(report, files=shown)
    else:
        show(report, common.format)
        for line in shown:
            click.echo(f"{line['path']}  {line['count']}")
        click.echo(summary(report))
    sys.exit(1 if report.has_errors(common.strict) else 0)

"""`cardgen schema`: JSON Schemas for editors."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cardgen.cli.common import Common, common_options
from cardgen.cli.show import show_text
from cardgen.diagnostics import Report


@click.command("schema")
@click.argument("folder", required=False, metavar="[DIR]")
@common_options
def schema_command(folder: str | None, common: Common) -> None:
    """Write JSON Schemas of all file kinds to DIR (default: docs/schema of the project)."""
    from cardgen.load.project import load_project
    from cardgen.load.schemas import write_schemas

    report = Report()
    project = load_project(common.project, report)
    show_text(report)
    target = Path(folder) if folder else common.project / "docs" / "schema"
    for path in write_schemas(project, target):
        click.echo(path.as_posix())
    sys.exit(1 if report.has_errors(common.strict) else 0)

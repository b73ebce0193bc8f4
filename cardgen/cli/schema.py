"""`cardgen schema`: JSON Schemas for editors."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from cardgen.cli.common import Common, common_options
from cardgen.cli.show import show_text
from cardgen.diagnostics import Report
from cardgen.files import write_atomic


@click.command("schema")
@click.argument("folder", required=False, metavar="[DIR]")
@common_options
def schema_command(folder: str | None, common: Common) -> None:
    """Write JSON Schemas of all file kinds to DIR (default: docs/schema of the project)."""
    from cardgen.load.project import load_project
    from cardgen.load.schemas import schemas

    report = Report()
    project = load_project(common.project, report)
    show_text(report)
    target = Path(folder) if folder else common.project / "docs" / "schema"
    for name, schema in schemas(project).items():
        text = json.dumps(schema, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
        write_atomic(target / name, text.encode())
        click.echo((target / name).as_posix())
    sys.exit(1 if report.has_errors(common.strict) else 0)

"""`cardgen new`: a project that builds at once."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from cardgen.cli.common import relative
from cardgen.errors import UsageError
from cardgen.files import starter_files, write_atomic


@click.command("new")
@click.argument("folder", metavar="DIR")
def new_command(folder: str) -> None:
    """Make a small project in DIR to start from: two cards, a layout, a back, a translation."""
    from cardgen.diagnostics import Report
    from cardgen.load.project import load_project
    from cardgen.load.schemas import write_schemas

    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"`{folder}` exists and is not empty; nothing was changed")
    for name, data in starter_files():
        write_atomic(target / name, data)
    project = load_project(target.resolve(), Report())
    write_schemas(project, target / "docs" / "schema")
    click.echo(f"{relative(target)} is ready. To print it:")
    click.echo(f"  cd {folder}\n  {_program()} build")
    click.echo("Change cards/mygame/ and layouts/mygame/, then build again.")


def _program() -> str:
    program = os.environ.get("CARDGEN_PROGRAM")
    if program:
        return program
    return "cardgen" if Path(sys.argv[0]).stem == "cardgen" else f"{sys.executable} -m cardgen"

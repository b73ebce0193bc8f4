"""`cardgen new`: a project that builds at once."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import click

from cardgen.cli.common import relative, unknown
from cardgen.errors import UsageError
from cardgen.files import starter_files, write_atomic


@click.command("new")
@click.argument("folder", metavar="DIR")
@click.option("--game", "games", metavar="GAME", multiple=True, help="A shipped game to play, instead; repeatable.")
def new_command(folder: str, games: tuple[str, ...]) -> None:
    """Make a small project in DIR to start from: two cards, a layout, a back, a translation."""
    from cardgen.diagnostics import Report
    from cardgen.load.project import load_project, shipped_games
    from cardgen.load.schemas import write_schemas

    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"`{folder}` exists and is not empty; nothing was changed")
    known = shipped_games()
    for game in games:
        if game not in known:
            raise UsageError(unknown("shipped game", game, known))
    for name, data in starter_files():
        if not games or name.startswith("."):
            write_atomic(target / name, data)
    if games:
        listed = ", ".join(dict.fromkeys(games))
        head = "# yaml-language-server: $schema=docs/schema/project.schema.json\n"
        write_atomic(target / "cardgen.yaml", f"{head}name: my {listed}\ngames: [{listed}]\n".encode())
    project = load_project(target.resolve(), Report())
    write_schemas(project, target / "docs" / "schema")
    click.echo(f"{relative(target)} is ready. {'To make bands and print them' if games else 'To print it'}:")
    click.echo(f"  cd {shlex.quote(folder)}\n  {_program()} {'studio' if games else 'build'}")
    if games:
        click.echo("What you make and change lies in this folder; shipped files stay as they are.")
    else:
        click.echo("Change cards/mygame/ and layouts/mygame/, then build again.")


def _program() -> str:
    program = os.environ.get("CARDGEN_PROGRAM")
    if program:
        return program
    return "cardgen" if Path(sys.argv[0]).stem == "cardgen" else f"{sys.executable} -m cardgen"

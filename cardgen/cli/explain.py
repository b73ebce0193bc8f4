"""`cardgen explain ID` and `cardgen rules`: what the rules are, why, and by which source."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from cardgen.cli.common import Common, common_options
from cardgen.cli.show import show_text
from cardgen.diagnostics import Report, did_you_mean
from cardgen.errors import UsageError

if TYPE_CHECKING:
    from cardgen.model.project import Project


@click.command("explain")
@click.argument("id", metavar="ID")
@common_options
def explain_command(id: str, common: Common) -> None:
    """Explain one rule, note, ruling or formula, or a code of a diagnostic such as CG102."""
    from cardgen.codes import CODES
    from cardgen.rules.explain import explain, ids_of

    if id in CODES:
        code = CODES[id]
        click.echo(f"{id} ({code.severity}): {code.message}\n\n{code.about}")
        return
    project, known = _project(common), set[str]()
    for game in project.games.values():
        for pack in game.packs.values():
            text = explain(game, pack, id)
            if text is not None:
                click.echo(text)
                return
            known |= ids_of(pack)
    hint = did_you_mean(id, known)
    raise UsageError(f"there is nothing called `{id}`" + (f"; {hint}" if hint else ""))


@click.command("rules")
@click.argument("game", required=False)
@common_options
def rules_command(game: str | None, common: Common) -> None:
    """List the rules, notes and formulas of all games, or of one."""
    from cardgen.rules.explain import listing

    project = _project(common)
    if game is not None and game not in project.games:
        raise UsageError(f"there is no game `{game}`; {did_you_mean(game, project.games)}")
    for item in project.games.values():
        if game in (None, item.id):
            for pack in item.packs.values():
                click.echo(listing(item, pack))


def _project(common: Common) -> Project:
    from cardgen.load.project import load_project

    report = Report()
    project = load_project(common.project, report)
    if project is None:
        show_text(report)
        sys.exit(1)
    return project

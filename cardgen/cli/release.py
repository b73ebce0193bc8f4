"""`cardgen release`: a set as it is handed on."""

from __future__ import annotations

import sys
from contextlib import ExitStack

import click

from cardgen.cli.common import Common, common_options, own_project, relative, working
from cardgen.cli.i18n import chosen_games
from cardgen.cli.show import show, show_json, summary
from cardgen.diagnostics import Report
from cardgen.errors import UsageError


@click.command("release")
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option(
    "--since", metavar="STATE", help="What to tell changes from: a revision or folder.  [default: the last release]"
)
@click.option("--anyway", is_flag=True, help="Release although a translation is not done or a text does not fit.")
@common_options
def release_command(games: tuple[str, ...], common: Common, since: str | None, anyway: bool) -> None:
    """Write a set as it is handed on, below output/release: versioned PDFs, what changed, credits, and a post.

    It refuses while a translation is missing or stale or a check finds an error.
    """
    report = Report()
    own_project(common, games)
    written: list[str] = []
    output = common.output / "release"
    with working(common) as workers, ExitStack() as stack:
        from cardgen.load.project import load_project
        from cardgen.pipeline.versions.release import before_of, last_release, release
        from cardgen.pipeline.versions.states import state_of

        project = load_project(common.project, report)
        old = stack.enter_context(state_of(since, common.project, Report())) if since is not None else None
        for owner, game in chosen_games(project, games):
            languages = [lang for lang in common.languages or game.languages if lang in game.languages]
            if not languages:
                raise UsageError(f"{game.id} is in none of these languages")
            before = last_release(output, game)
            if since is not None:
                there = old.games.get(game.id) if old is not None else None
                before = before_of(there, old, languages) if there is not None and old is not None else None
            made = release(owner, game, languages, output, before, anyway, workers, report)
            if made is not None:
                written += [relative(path) for path in made.files]
    if common.format == "json":
        show_json(report, files=written)
    else:
        show(report, common.format)
        for name in written:
            click.echo(name)
        click.echo(summary(report))
    sys.exit(1 if (report.has_errors(common.strict) and not anyway) or not written else 0)

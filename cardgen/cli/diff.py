"""`cardgen diff`: what differs between two states of a set."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli.common import Common, common_options, relative, unknown, working
from cardgen.cli.show import counted, show, show_json
from cardgen.diagnostics import Report
from cardgen.errors import UsageError

if TYPE_CHECKING:
    from cardgen.pipeline.versions.diff import Change, Difference


@click.command("diff")
@click.argument("old", metavar="A")
@click.argument("new", metavar="B", default=".")
@click.option("--game", "games", multiple=True, metavar="GAME", help="The game to compare; repeatable.")
@click.option("--no-pdf", is_flag=True, help="Only say what differs.")
@common_options
def diff_command(old: str, new: str, common: Common, games: tuple[str, ...], no_pdf: bool) -> None:
    """What differs between two states of a set, A and B: revisions of git, or folders.  [default of B: as it is now]

    Changed cards stand side by side, old and new, in diff.pdf; exit code 0 whether anything differs or not.
    """
    report = Report()
    found: list[Difference] = []
    files: list[str] = []
    if common.shipped:
        raise UsageError("there is no cardgen.yaml here or above: states of a project are compared")
    with working(common) as workers, ExitStack() as stack:
        from cardgen.files import write_atomic
        from cardgen.pipeline.versions.diff import (
            compare_games,
            diff_pdf,
            faces_of_both,
            languages_of,
            only_in_one,
            sides,
        )
        from cardgen.pipeline.versions.states import state_of

        # What is wrong with a state is for a check of it to tell; that it cannot be read at all is told here.
        states = [stack.enter_context(state_of(name, common.project, report)) for name in (old, new)]
        before, after = states
        if before is None or after is None:
            show(report, common.format)
            sys.exit(1)
        report = Report()
        for id in games:
            if id not in after.games:
                raise UsageError(unknown("game", id, after.games))
        for id in games or dict.fromkeys([*after.games, *before.games]):
            for lang in languages_of(before, after, id):
                if common.languages and lang not in common.languages:
                    continue
                both = sides(before, after, id, lang)
                if both is None:
                    found.append(only_in_one(before, after, id, lang))
                    continue
                faces = faces_of_both(*both, Report())
                difference = compare_games(*both, faces.redrawn)
                found.append(difference)
                if difference.cards and not no_pdf:
                    path = common.output / id / lang / "diff.pdf"
                    title = f"{both[1].game.title} · {old} → {new if new != '.' else both[1].game.version}"
                    write_atomic(path, diff_pdf(*both, difference, faces, title, workers, report))
                    files.append(relative(path))
    if common.format == "json":
        show_json(report, files=files, differences=[difference_json(item) for item in found])
    else:
        show(report, common.format)
        for item in found:
            _print(item)
        for name in files:
            click.echo(name)
    sys.exit(1 if report.has_errors(common.strict) else 0)


def difference_json(item: Difference) -> dict[str, Any]:
    """What JSON says of the differences of a game in one language."""
    return {
        "game": item.game,
        "lang": item.lang,
        "state": item.whole or "both",
        "cards": [
            {"card": card.id, "title": card.title, "state": card.state, "changes": list(map(_change, card.changes))}
            for card in item.cards
        ],
        "texts": list(map(_change, item.texts)),
    }


def _change(change: Change) -> dict[str, str]:
    return {"field": change.field, "before": change.before, "after": change.after}


def _print(item: Difference) -> None:
    if item.is_empty:
        click.echo(f"{item.game} {item.lang}: nothing differs")
        return
    if item.whole:
        click.echo(f"{item.game} {item.lang}: {'new' if item.whole == 'added' else 'gone'}")
        return
    click.echo(f"{item.game} {item.lang}: {counted(len(item.cards), 'card')}, {counted(len(item.texts), 'text')}")
    for card in item.cards:
        click.echo(f"  {card.id}  {card.state}")
        for change in card.changes if card.state == "changed" else ():
            click.echo(f"    {change.field}: {change.before or '–'} → {change.after or '–'}")
    for change in item.texts:
        click.echo(f"  {change.field}: {change.before or '–'} → {change.after or '–'}")

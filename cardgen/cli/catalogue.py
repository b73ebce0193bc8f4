"""`cardgen catalogue`: what the bands of a game may choose from, and what of it nobody can have."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli.catalogue_update import update_command
from cardgen.cli.common import Common, common_options, unknown
from cardgen.cli.show import show, show_json
from cardgen.diagnostics import Report
from cardgen.errors import UsageError

if TYPE_CHECKING:
    from cardgen.model.game import Game
    from cardgen.rules.choices import Catalogue


class _OrShow(click.Group):
    """A group whose first word may also be a game: `cardgen catalogue GAME` is `cardgen catalogue show GAME`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments, with the command that they leave out."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group("catalogue", cls=_OrShow, subcommand_metavar="GAME | update PACK.zip")
def catalogue_group() -> None:
    """What the bands of a game may choose from, and newer catalogues.

    `cardgen catalogue GAME` is short for `cardgen catalogue show GAME`.
    """


@catalogue_group.command("show")
@click.argument("game", metavar="GAME")
@common_options
def show_command(game: str, common: Common) -> None:
    """Count what the bands of GAME may choose from; name options that nobody can have, cards that no band can field.

    Exit code 1 when there are any.
    """
    from cardgen.load.project import load_project
    from cardgen.rules.choices import catalogue_of

    report = Report()
    project = load_project(common.project, report)
    found = project.games.get(game) if project is not None else None
    if project is not None and found is None and not report.has_errors():
        raise UsageError(unknown("game", game, project.games))
    made: list[Catalogue] = []
    if found is not None and not found.partial:
        kinds = [kind for kind in found.bands.values() if kind.choices is not None and kind.pack in found.packs]
        if not kinds:
            raise UsageError(f"no kind of band of `{game}` states its `choices`: there is no catalogue")
        made = [catalogue_of(found, kind) for kind in kinds]
        for catalogue in made:
            _tell(found, catalogue, report)
    if common.format == "json":
        show_json(report, catalogues=[_as_json(item) for item in made])
    else:
        show(report, common.format)
        for catalogue in made:
            assert found is not None
            _print(found, catalogue)
    sys.exit(1 if report.has_errors(common.strict) else 0)


catalogue_group.add_command(update_command)


def _tell(game: Game, catalogue: Catalogue, report: Report) -> None:
    own = catalogue.kind.own
    types = " or ".join(own[1].kinds) if own is not None and own[1].kinds else "card"
    for option in catalogue.closed:
        hint = f"nearest to it: {', '.join(option.broken)} broken; see `cardgen explain`" if option.broken else ""
        card = game.cards[option.option]
        report.add("CG631", card.span, hint, types=types, option=option.option, what=option.of)
    for barred in catalogue.barred:
        problem = f"{', '.join(barred.broken)} broken"
        report.add("CG632", game.cards[barred.card].span, card=barred.card, problem=problem)


def _print(game: Game, catalogue: Catalogue) -> None:
    kind = catalogue.kind
    click.echo(f"{kind.title}: {len(catalogue.cards)} cards, {len(catalogue.options)} options")
    counts = Counter(game.cards[option.option].kind for option in catalogue.options)
    for id, count in counts.items():
        click.echo(f"  {count:>5}  {game.kinds[id].title}")
    helped = sum(1 for option in catalogue.options if option.by)
    click.echo(f"  {helped:>5}  of them need another option beside them")
    click.echo(f"unreachable options: {len(catalogue.closed) or 'none'}")
    click.echo(f"cards without a legal band: {len(catalogue.barred) or 'none'}")


def _as_json(catalogue: Catalogue) -> dict[str, Any]:
    return {
        "kind": catalogue.kind.id,
        "cards": [
            {"card": item.card, "legal": not item.broken, "broken": list(item.broken)} for item in catalogue.cards
        ],
        "options": [
            {
                "option": item.option,
                "list": item.of,
                "open_to": item.to or None,
                "with": item.by or None,
                "broken": list(item.broken),
            }
            for item in catalogue.options
        ],
    }

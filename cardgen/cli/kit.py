"""`cardgen kit`: exactly what one evening's bands need, on the fewest sheets."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli.calibrate import chosen_printer, flip_option, printer_option
from cardgen.cli.common import Common, common_options, relative, working
from cardgen.cli.show import counted, show, show_json, summary
from cardgen.diagnostics import Report
from cardgen.errors import UsageError
from cardgen.files import find_project

if TYPE_CHECKING:
    from cardgen.model.product import Kit
    from cardgen.rules.bands import Judgement


@click.command("kit")
@click.argument("files", nargs=-1, required=True, metavar="BAND [BAND]")
@click.option("--paper", type=click.Choice(["a4", "letter"]), help="Paper to print on.  [default: the project's]")
@click.option("--no-backgrounds", is_flag=True, help="Leave out background art.")
@click.option("--low-ink", is_flag=True, help="Leave out background art and large fills.")
@flip_option
@printer_option
@click.option("--anyway", is_flag=True, help="Make the kit of bands that are illegal or unknown, too.")
@common_options
def kit_command(files: tuple[str, ...], anyway: bool, printer: str | None, common: Common, **choices: Any) -> None:
    """Write what tonight's bands need, one, two or as many as the game takes: cards, pawns, tokens, scenery, dice, a checklist with cutting order.

    The bands are checked first; without --anyway nothing is printed for bands that may not play.
    """
    from cardgen.pipeline.judged import judge_files
    from cardgen.pipeline.kits.make import make_kit
    from cardgen.pipeline.products import Options

    started = time.perf_counter()
    paths = [Path(file).resolve() for file in files]
    for file, path in zip(files, paths, strict=True):
        if not path.is_file():
            raise UsageError(f"there is no file `{file}`")
    root = common.project if common.named else find_project(paths[0].parent) or common.project
    report = Report()
    chosen = chosen_printer(printer, report)
    kit: Kit | None = None
    found = judge_files(root, paths, common.languages, report)
    judgements = found[2] if found is not None else []
    most = min((judgement.kind.tables for judgement in judgements), default=len(files))
    if len(files) > most:
        raise UsageError(f"a kit of this game is for at most {counted(most, 'band')}, and these are {len(files)}")
    # Why a band may not play is told like any other problem.
    fit_to_play = bool(judgements) and (anyway or all(judgement.verdict == "legal" for judgement in judgements))
    if not fit_to_play and judgements:
        from cardgen.pipeline.verdicts import add

        for judgement in judgements:
            add(judgement.findings, report)
    if found is not None and fit_to_play and not (printer is not None and chosen is None):
        project, game, _ = found
        if not game.kit:
            raise UsageError(f"`{game.id}` does not say what a kit holds; it needs `kit:` in its game.yaml")
        with working(common) as workers:
            kit = make_kit(
                project, game, judgements, common.output, Options(**choices, printer=chosen), workers, report
            )
    if common.format == "json":
        show_json(report, **_as_json(judgements, kit))
    else:
        show(report, common.format)
        _print(judgements, kit, anyway)
        click.echo(f"{time.perf_counter() - started:.1f} s, {summary(report)}")
    sys.exit(0 if kit is not None and kit.files and not report.has_errors(common.strict) else 1)


def _print(judgements: Sequence[Judgement], kit: Kit | None, anyway: bool) -> None:
    from cardgen.rules.engine import label

    for judgement in judgements:
        total = label(judgement.total) if judgement.total is not None else "?"
        # a band of entries that cost nothing has no bill
        bill = f", {total}" if judgement.kind.cost else ""
        limit = f" of {label(judgement.limit)}" if judgement.limit is not None else ""
        unit = f" {judgement.kind.unit}" if judgement.kind.unit else ""
        click.echo(f"{judgement.title}: {judgement.verdict}{bill}{limit}{unit}")
    if kit is None:
        if judgements and not anyway:
            click.echo("nothing is printed; mend the bands, or ask for it with --anyway")
        return
    for file in kit.files:
        sides = "both sides" if file.imposition.duplex is not None else "one side"
        pieces = counted(sum(cutout.copies for cutout in file.product.cutouts), "piece")
        click.echo(f"  {file.name}: {counted(file.sheets, 'sheet')} of {_STOCKS[file.stock]}, {sides}, {pieces}")
    for made in kit.made:
        click.echo(relative(made.path))
    click.echo(f"{counted(sum(file.sheets for file in kit.files), 'sheet')} besides the checklist")


_STOCKS = {"card": "card", "label": "label paper", "paper": "plain paper"}


def _as_json(judgements: Sequence[Judgement], kit: Kit | None) -> dict[str, Any]:
    from cardgen.cli.build import manifest

    return {
        "bands": [
            {
                "title": judgement.title,
                "verdict": judgement.verdict,
                "total": judgement.total,
                "limit": judgement.limit,
            }
            for judgement in judgements
        ],
        "sheets": sum(file.sheets for file in kit.files) if kit is not None else 0,
        "files": [manifest(made) for made in kit.made] if kit is not None else [],
    }

"""`cardgen build` and `cardgen check`.

The pipeline is imported once the workers run, so that both load at the same time.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli.common import Common, common_options, relative, working
from cardgen.cli.show import show, show_json, summary
from cardgen.diagnostics import Report, did_you_mean
from cardgen.errors import UsageError

if TYPE_CHECKING:
    from cardgen.model.product import Made


@click.command("build")
@click.argument("targets", nargs=-1, metavar="[GAME[/PRINT]]...")
@click.option("--paper", type=click.Choice(["a4", "letter"]), help="Paper to print on.  [default: the project's]")
@click.option("--sheet", metavar="NAME", help="Sheet to use instead of the prints' own (layouts/_sheets).")
@click.option("--marks", type=click.Choice(["margin", "full", "corner", "in-gap", "none"]), help="Cut marks.")
@click.option("--no-backgrounds", is_flag=True, help="Leave out background art.")
@click.option("--low-ink", is_flag=True, help="Leave out background art and large fills.")
@click.option("--backs", type=click.Choice(["duplex", "separate", "none"]), help="How backs are printed.")
@common_options
def build_command(targets: tuple[str, ...], common: Common, **choices: Any) -> None:
    """Write everything to print. TARGET is a game or game/print; default: every game, in the project's languages."""
    started = time.perf_counter()
    report = Report()
    files: tuple[Made, ...] = ()
    with working(common) as workers:
        from cardgen.load.project import load_project
        from cardgen.pipeline.build import build
        from cardgen.pipeline.products import Options
        from cardgen.pipeline.targets import choose

        project = load_project(common.project, report)
        if project is not None:
            options = Options(**choices)
            if options.sheet is not None and options.sheet not in project.sheets:
                raise UsageError(f"there is no sheet `{options.sheet}`; {did_you_mean(options.sheet, project.sheets)}")
            chosen = choose(project, targets, common.languages, report)
            with _progress(common, "building"):
                files = build(project, chosen, common.output, options, workers, report).files
    if common.format == "json":
        show_json(report, files=[_manifest(made) for made in files])
    else:
        show(report, common.format)
        for made in files:
            click.echo(f"{relative(made.path)}  {made.pages} pages, {made.copies} faces, {made.size / 1000:.0f} kB")
        seconds = time.perf_counter() - started
        click.echo(f"{len(files)} files in {seconds:.1f} s, {summary(report)}")
    sys.exit(1 if report.has_errors(common.strict) else 0)


@click.command("check")
@click.argument("targets", nargs=-1, metavar="[GAME[/PRINT]]...")
@common_options
def check_command(targets: tuple[str, ...], common: Common) -> None:
    """Find what is wrong before paper is wasted: data, texts, translations, layouts, glyphs, fit."""
    report = Report()
    with working(common) as workers:
        from cardgen.load.project import load_project
        from cardgen.pipeline.build import check
        from cardgen.pipeline.targets import choose

        project = load_project(common.project, report)
        if project is not None:
            chosen = choose(project, targets, common.languages, report)
            with _progress(common, "checking"):
                check(project, chosen, workers, report)
    if common.format == "json":
        show_json(report)
    else:
        show(report, common.format)
        click.echo(summary(report))
    sys.exit(1 if report.has_errors(common.strict) else 0)


@contextlib.contextmanager
def _progress(common: Common, what: str) -> Iterator[None]:
    # On a terminal only; files, pipes and machines want no moving letters.
    if common.format != "text" or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{what} …"):
        yield


def _manifest(made: Made) -> dict[str, Any]:
    return {
        "path": relative(made.path),
        "sha256": made.sha256,
        "bytes": made.size,
        "pages": made.pages,
        "paper_mm": list(made.paper),
        "pieces": made.pieces,
        "copies": made.copies,
        "game": made.game,
        "lang": made.lang,
        "print": made.print,
        "engine": list(made.engines),
    }

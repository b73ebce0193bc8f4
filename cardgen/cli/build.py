"""`cardgen build` and `cardgen check`.

The pipeline is imported once the workers run, so that both load at the same time.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli.calibrate import chosen_printer, flip_option, printer_option
from cardgen.cli.common import (
    LENGTH,
    PERCENT,
    THICKNESS,
    Common,
    cache_option,
    common_options,
    keeping,
    noting_project,
    own_project,
    relative,
    unknown,
    working,
)
from cardgen.cli.estimate import ink_of_files, print_estimate
from cardgen.cli.show import counted, show, show_json, summary
from cardgen.diagnostics import Report
from cardgen.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from cardgen.model.product import Made
    from cardgen.pipeline.ledger.rebuild import Part
    from cardgen.workers import Workers


_LOOK = (
    click.option("--paper", type=click.Choice(["a4", "letter"]), help="Paper to print on.  [default: the project's]"),
    click.option("--sheet", metavar="NAME", help="Sheet to use instead of the prints' own (layouts/_sheets)."),
    click.option("--marks", type=click.Choice(["margin", "full", "corner", "in-gap", "none"]), help="Cut marks."),
    click.option("--no-backgrounds", is_flag=True, help="Leave out background art."),
    click.option("--low-ink", is_flag=True, help="Leave out background art and large fills."),
    click.option("--backs", type=click.Choice(["duplex", "gutterfold", "separate", "none"]), help="Where backs go."),
    flip_option,
    printer_option,
)


def look_options(function: Any) -> Any:
    """Adds the options that say how sheets look: the fields of `Options` by name, and `printer`."""
    for option in reversed(_LOOK):
        function = option(function)
    return function


@click.command("build")
@click.argument("targets", nargs=-1, metavar="[GAME[/PRINT]]...")
@look_options
@click.option("--size", type=LENGTH, help="Size of dice or counters, such as 12mm, in place of the component's own.")
@click.option("--scale", type=PERCENT, help="Scale of components, such as 75%; cards, rulers and maps keep theirs.")
@click.option("--paper-thickness", type=THICKNESS, help="Of booklets, such as 0.13mm.  [default: the print's, 0.1mm]")
@click.option("--sets", type=click.IntRange(1, 500), help="How many sets of dice or tracks.")
@click.option("--estimate", is_flag=True, help="Write the files and say what printing them takes: sheets, paper, ink.")
@click.option("--changed-since", metavar="NAME", help="Only what changed since `last`, a printing's name or a date.")
@cache_option
@common_options
def build_command(
    targets: tuple[str, ...],
    common: Common,
    size: float | None,
    scale: float | None,
    sets: int | None,
    estimate: bool,
    changed_since: str | None,
    printer: str | None,
    cache: bool,
    **choices: Any,
) -> None:
    """Write everything to print. TARGET is a game or game/print; default: every game, in the project's languages."""
    started = time.perf_counter()
    report = Report()
    files: tuple[Made, ...] = ()
    parts: tuple[Part, ...] = ()
    older: list[Path] = []
    own_project(common, targets)
    if changed_since is not None:
        noting_project(common)
    how = {**choices, "size": size, "scale": scale, "sets": sets, "printer": printer}
    with working(common, cache, once=True) as workers, keeping(common, cache, "build", targets, how) as kept:
        from cardgen.load.project import load_project
        from cardgen.pipeline.build import build, left_over
        from cardgen.pipeline.products import Options
        from cardgen.pipeline.targets import choose
        from cardgen.pipeline.wishes import Wish

        profile = chosen_printer(printer, report)
        project = load_project(common.project, report, kept.shelf(common.project) if kept is not None else None)
        # Sheets that are corrected for nothing are not what was asked for.
        if project is not None and (printer is None or profile is not None):
            options = Options(**choices, wish=Wish(size, sets, scale), printer=profile)
            if options.sheet is not None and options.sheet not in project.sheets:
                raise UsageError(unknown("sheet", options.sheet, project.sheets))
            with _progress(common, workers, "building") as tell:
                if changed_since is None:
                    chosen = choose(project, targets, common.languages, report)
                    if common.strict:
                        from cardgen.pipeline.translation.credits import check_credits

                        check_credits(project, chosen, report)
                    do = partial(build, project, chosen, common.output, options, workers, report, tell)
                    if kept is None:
                        files = do().files
                    else:
                        files = do(kept.drawings, filled=kept.filled, sheets=kept.sheets).files
                    older = left_over(chosen, common.output, options, files)
                else:
                    from cardgen.cli.rebuild import build_changed

                    built = build_changed(project, common, targets, changed_since, options, workers, report, tell)
                    files, parts = built.files, built.parts
    if common.format == "json":
        more: dict[str, Any] = {} if changed_since is None else {"changed": _taken_out(parts)}
        inks = ink_of_files(files) if estimate else {}
        more |= {"older": [relative(path) for path in older]} if older else {}
        show_json(report, files=[manifest(made) | inks.get(made.path, {}) for made in files], **more)
    else:
        show(report, common.format)
        if changed_since is not None:
            from cardgen.cli.rebuild import print_taken_out

            print_taken_out(parts)
        for path in older:
            click.echo(f"{relative(path)} is of an earlier build: nothing was written in its place", err=True)
        if estimate:
            print_estimate(files)
        if project is not None and not files and not len(report) and changed_since is None:
            click.echo("nothing to print: no game has prints", err=True)
        seconds = time.perf_counter() - started
        click.echo(f"{counted(len(files), 'file')} in {seconds:.1f} s, {summary(report)}")
    sys.exit(1 if report.has_errors(common.strict) else 0)


def _taken_out(parts: tuple[Part, ...]) -> list[dict[str, Any]]:
    from cardgen.cli.rebuild import taken_out_json

    return taken_out_json(parts)


@click.command("check")
@click.argument("targets", nargs=-1, metavar="[GAME[/PRINT]]...")
@cache_option
@common_options
def check_command(targets: tuple[str, ...], common: Common, cache: bool) -> None:
    """Find what is wrong before paper is wasted: data, texts, translations, layouts, glyphs, fit."""
    report = Report()
    own_project(common, targets)
    with working(common, cache, once=True) as workers, keeping(common, cache, "check", targets) as kept:
        from cardgen.load.project import load_project
        from cardgen.pipeline.build import check
        from cardgen.pipeline.targets import choose

        project = load_project(common.project, report, kept.shelf(common.project) if kept is not None else None)
        if project is not None:
            chosen = choose(project, targets, common.languages, report)
            if common.strict:
                from cardgen.pipeline.translation.credits import check_credits

                check_credits(project, chosen, report)
            with _progress(common, workers, "checking"):
                keeper, filled = (kept.drawings, kept.filled) if kept is not None else (None, None)
                check(project, chosen, workers, report, keeper, filled)
    if common.format == "json":
        show_json(report)
    else:
        show(report, common.format)
        click.echo(summary(report))
    sys.exit(1 if report.has_errors(common.strict) else 0)


@contextlib.contextmanager
def _progress(common: Common, workers: Workers, what: str) -> Iterator[Callable[[Made], None]]:
    """Shows that work is going on, and gives what tells of each file as soon as it is written."""

    def tell(made: Made) -> None:
        faces = f"{counted(made.pages, 'page')}, {counted(made.copies, 'face')}, {made.size / 1000:.0f} kB"
        lost = f", {counted(len(made.left_out), 'card')} left out" if made.left_out else ""
        click.echo(f"{relative(made.path)}  {faces}{lost}")

    if common.format == "json":
        yield lambda made: None
    elif not sys.stderr.isatty():
        # Files, pipes and machines want no moving letters; of a cluster they want to see that it works.
        if workers.are_remote:
            workers.progress = _tell_parts
        yield tell
    else:
        from rich.console import Console

        with Console(stderr=True).status(f"{what} …") as status:
            workers.progress = lambda done, total: status.update(f"{what} … {done} of {total} parts drawn")
            yield tell


def _tell_parts(done: int, total: int) -> None:
    if done == total or done % max(1, total // 10) == 0:
        click.echo(f"{done} of {total} parts drawn by the cluster", err=True)


def manifest(made: Made) -> dict[str, Any]:
    """What JSON says of a file."""
    return {
        "path": relative(made.path),
        "sha256": made.sha256,
        "bytes": made.size,
        "pages": made.pages,
        "paper_mm": list(made.paper),
        "sheets": made.sheets,
        "used_percent": made.used,
        "pieces": made.pieces,
        "copies": made.copies,
        "game": made.game,
        "lang": made.lang,
        "print": made.print,
        "engine": list(made.engines),
        "left_out": list(made.left_out),
        "contents": [
            {
                "label": item.label,
                "title": item.title,
                "copies": item.copies,
                "size_mm": [round(mm, 3) for mm in item.size],
            }
            for item in made.contents
        ],
    }

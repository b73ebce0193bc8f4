"""`cardgen calibrate`, and the options that choose a printer."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli.common import Common, F, common_options, relative
from cardgen.cli.show import show, show_json, summary
from cardgen.diagnostics import Report
from cardgen.errors import FileProblem, UsageError

if TYPE_CHECKING:
    from cardgen.model.printer import Printer

EDGES = click.Choice(["long-edge", "short-edge"])


def printer_option(function: F) -> F:
    """Adds `--printer` to a command, which receives the name."""
    text = "Correct the sheets for this printer, measured with `cardgen calibrate`."
    return click.option("--printer", metavar="NAME", help=text)(function)


def flip_option(function: F) -> F:
    """Adds `--flip` to a command."""
    text = "Edge that paper is turned over along.  [default: the printer's, else long-edge]"
    return click.option("--flip", type=EDGES, help=text)(function)


def chosen_printer(name: str | None, report: Report) -> Printer | None:
    """The printer of `--printer`; None without one, or after reporting that its file cannot be used."""
    if name is None:
        return None
    from cardgen.pipeline.printers import the_printer

    return the_printer(name, report)


@click.command("calibrate")
@click.option("--printer", metavar="NAME", help="Name of the profile, such as `home`.")
@click.option("--measured", metavar="READINGS", help="What was read from the sheet; writes the profile.")
@click.option("--check", is_flag=True, help="Make the sheet corrected for --printer, to see whether it lines up.")
@click.option("--sheet", metavar="NAME", help="Sheet whose cuts it shows (layouts/_sheets).  [default: nine cards]")
@click.option("--paper", type=click.Choice(["a4", "letter"]), help="Paper to print on.  [default: the project's]")
@flip_option
@common_options
def calibrate_command(
    common: Common,
    printer: str | None,
    measured: str | None,
    check: bool,
    sheet: str | None,
    paper: str | None,
    flip: Any,
) -> None:
    """Write a two-sided sheet to measure a printer with; with --measured, keep what was read as a profile.

    A profile corrects every sheet that is built with `--printer NAME`: where backs lie behind their fronts, and the size.
    """
    from cardgen.load.project import load_project
    from cardgen.pipeline.calibrate import bench, learn, write_sheet
    from cardgen.pipeline.printers import check_name, known_printers, printers_folder

    if measured is not None and check:
        raise UsageError("`--check` makes a sheet and `--measured` takes readings; use one of the two")
    if printer is None and (measured is not None or check):
        raise UsageError("name the printer, such as `--printer home`")
    if printer is not None:
        check_name(printer)
    report = Report()
    files: list[str] = []
    learnt = None
    project = load_project(common.project, report)
    if project is not None:
        table = bench(project, sheet, paper)
        known = chosen_printer(printer, report) if check else None
        edge = flip or (known.flip if known is not None else "long-edge")
        try:
            if measured is not None:
                assert printer is not None
                learnt = learn(table, measured, printer, edge, report)
            elif known is not None or not check:
                for lang in common.languages or project.languages[:1] or ("en",):
                    made = write_sheet(project, table, lang, edge, common.output, printer or "home", known)
                    files.append(relative(made))
        except FileProblem as error:
            report.add("CG501", None, problem=str(error))
    profile = learnt.path if learnt is not None else None
    replaced = learnt.replaced if learnt is not None else ()
    known_names = known_printers()
    if common.format == "json":
        show_json(
            report,
            files=files,
            profile=profile.as_posix() if profile is not None else None,
            replaced=[{"what": what, "old": old, "new": new} for what, old, new in replaced],
            printers=known_names,
        )
    else:
        show(report, common.format)
        for file in files:
            click.echo(f"{file}  print both pages on one sheet, at 100 %, and follow what it says")
        if profile is not None:
            for what, old, new in replaced:
                click.echo(f"{what}: {old} → {new}")
            click.echo(f"{profile}\nprint with `--printer {printer}`; see whether it lines up with `--check`")
        elif not files and measured is None and not report.items:
            click.echo(f"profiles are kept in {printers_folder()}")
        if printer is None and known_names:
            click.echo(f"measured so far: {', '.join(known_names)}")
        click.echo(summary(report))
    sys.exit(1 if report.has_errors(common.strict) else 0)

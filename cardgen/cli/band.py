"""`cardgen band`: a band's verdict, what it costs, its set-up, and what would mend it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli.common import Common, common_options, relative, working
from cardgen.cli.show import show, show_json
from cardgen.diagnostics import Report
from cardgen.errors import UsageError
from cardgen.files import find_project, write_atomic

if TYPE_CHECKING:
    from cardgen.model.band import Band
    from cardgen.model.game import Game
    from cardgen.model.project import Project
    from cardgen.rules.bands import Judgement
    from cardgen.rules.suggest import Suggestions


@click.command("band")
@click.argument("file", metavar="FILE")
@click.option("--pdf", metavar="PATH", help="Write a one-page roster with verdict, set-up and waivers.")
@click.option("--cards", metavar="PATH", help="Write the entries' own cards, trained and equipped, to print.")
@click.option("--suggest", is_flag=True, help="The smallest mends of an illegal band; what would fill a legal one.")
@click.option("--with", "candidates", metavar="ID,…", help="Cards that --suggest may add.  [default: all that fit]")
@common_options
def band_command(
    file: str, pdf: str | None, cards: str | None, suggest: bool, candidates: str | None, common: Common
) -> None:
    """Say whether the band in FILE is legal, what it costs, which rule says so and what would mend it.

    Exit code 1 when it is illegal or unknown.
    """
    from cardgen.pipeline.judged import judge_file

    path = Path(file)
    if not path.is_file():
        raise UsageError(f"there is no file `{file}`")
    root = common.project if common.named else find_project(path.resolve().parent) or common.project
    report = Report()
    found = judge_file(root, path.resolve(), common.languages, report)
    if found is None:
        _no_verdict(report, common)
        return
    project, game, judgement = found
    suggestions = None
    if suggest:
        with _searching():
            suggestions = _suggest(game, judgement, candidates)
    if common.format == "json":
        show_json(report, **_as_json(judgement, suggestions))
    elif common.format == "github":
        from cardgen.pipeline.verdicts import add

        add(judgement.findings, report)
        show(report, common.format)
    else:
        show(report, common.format)
        _print(judgement, suggestions)
    if pdf is not None:
        _roster(project, game, judgement, Path(pdf), report)
        click.echo(relative(Path(pdf)), err=common.format == "json")
    if cards is not None:
        printed = Report()
        _cards(project, game, judgement.band, Path(cards), common, printed)
        show(printed, "text" if common.format == "json" else common.format)
        report.extend(printed)
        click.echo(relative(Path(cards)), err=common.format == "json")
    advice = common.strict and any(finding.severity == "warning" for finding in judgement.problems)
    sys.exit(1 if judgement.verdict != "legal" or advice or report.has_errors(common.strict) else 0)


@contextmanager
def _searching() -> Iterator[None]:
    """Say, on a terminal, that a search goes on and how long it may."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    from cardgen.rules.suggest import MAX_SECONDS

    with Console(stderr=True).status(f"looking for the fewest changes, for {MAX_SECONDS:g} seconds at most …"):
        yield


def _no_verdict(report: Report, common: Common) -> None:
    if common.format == "json":
        show_json(report, verdict=None)
    else:
        show(report, common.format)
    sys.exit(1)


def _roster(project: Project, game: Game, judgement: Judgement, path: Path, report: Report) -> None:
    from cardgen.pipeline.roster import roster_pdf

    write_atomic(path, roster_pdf(project, game, judgement, report))


def _cards(project: Project, game: Game, band: Band, path: Path, common: Common, report: Report) -> None:
    from cardgen.pipeline.entry_prints import print_entries
    from cardgen.pipeline.products import Options

    with working(common) as workers:
        print_entries(project, game, band, path, Options(), workers, report)


def _suggest(game: Game, judgement: Judgement, candidates: str | None) -> Suggestions:
    from cardgen.rules.mends import suggested
    from cardgen.rules.suggest import addable, fill

    if judgement.verdict == "illegal":
        return suggested(game, judgement.band)
    wanted = [id.strip() for id in candidates.split(",")] if candidates else addable(game, judgement.kind)
    unknown = [id for id in wanted if id not in game.cards]
    if unknown:
        raise UsageError(f"there is no card `{unknown[0]}`")
    return fill(game, judgement.band, wanted)


def _print(judgement: Judgement, suggestions: Suggestions | None) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from cardgen.rules.engine import label

    console = Console(highlight=False, soft_wrap=True)
    kind = judgement.kind
    colour = {"legal": "green", "illegal": "red", "unknown": "yellow"}[judgement.verdict]
    console.print(f"[bold]{_safe(judgement.title)}[/] · {_safe(kind.title)} · {judgement.pack.id}: ", end="")
    waived = sum(1 for finding in judgement.problems if finding.waiver)
    console.print(f"[bold {colour}]{judgement.verdict}[/]" + (f" ({waived} waived)" if waived else ""))
    if judgement.summary:
        console.print(_safe(judgement.summary))
    table = Table(box=box.SIMPLE, show_footer=True, pad_edge=False)
    total = judgement.total
    table.add_column("entry", _sum(judgement))
    if kind.cost:
        table.add_column("cost", label(total) if total is not None else "?", justify="right")
    for line in judgement.entries:
        cost = ["?" if line.value is None else label(line.value)] if kind.cost else []
        table.add_row(_safe(line.name), *cost)
        if line.details:
            table.add_row(f"  [dim]{_safe(', '.join(line.details))}[/]")
    console.print(table)
    for finding in judgement.problems:
        style = {"error": "red", "warning": "yellow", "info": "blue"}[finding.severity]
        word = "waived" if finding.waiver else finding.verdict if finding.severity == "error" else finding.severity
        place = f"{finding.span}: " if finding.span else ""
        console.print(f"{_safe(place)}[{style}]{word}[/] [bold]{finding.rule}[/] {_safe(finding.message)}")
        for name, text in (("fix", finding.fix), ("why", finding.source), ("waived", finding.waiver)):
            if text:
                console.print(f"  {name}: {_safe(text)}")
    for (id, reading), verdict in judgement.alternatives.items():
        if verdict != judgement.verdict:
            console.print(f"with ruling {id} read as `{reading}`: {verdict}")
    if judgement.setup:
        setup = Table(box=box.SIMPLE, pad_edge=False)
        setup.add_column("set-up")
        setup.add_column("", justify="right")
        setup.add_column("source")
        for line in judgement.setup:
            setup.add_row(_safe(line.name), "?" if line.value is None else _safe(label(line.value)), _safe(line.source))
        console.print(setup)
    if suggestions is not None:
        _print_suggestions(console, judgement, suggestions)


def _sum(judgement: Judgement) -> str:
    """`total (limit 100 points, 2 left)`."""
    from cardgen.rules.engine import label

    limit, total, unit = judgement.limit, judgement.total, judgement.kind.unit
    if not judgement.kind.cost:
        return ""
    if limit is None or total is None:
        return f"total {unit}".rstrip() if limit is None else f"total (limit {label(limit)} {unit})".replace(" )", ")")
    left = f"{label(limit - total)} left" if total <= limit else f"over by {label(total - limit)}"
    return f"total (limit {label(limit)}{' ' + unit if unit else ''}, {left})"


def _print_suggestions(console: Any, judgement: Judgement, suggestions: Suggestions) -> None:
    from cardgen.rules.engine import label

    if suggestions.mends:
        console.print("suggestions:")
    elif judgement.verdict == "illegal":
        console.print("no suggestion found")
    else:
        # A band that breaks no rule is filled; what is mere advice is left to whoever reads it.
        advice = any(finding.severity == "warning" and not finding.waiver for finding in judgement.problems)
        console.print(f"nothing was found to add{'; the advice above is yours to take' if advice else ''}")
    for mend in suggestions.mends:
        console.print(f"  {_safe('; '.join(mend.changes))} -> {label(mend.total)} {judgement.kind.unit}")
    if not suggestions.exact:
        console.print(f"  (stopped after {suggestions.tried} tries: there may be better ones)")


def _safe(text: str) -> str:
    from rich.markup import escape

    return escape(text)


def _as_json(judgement: Judgement, suggestions: Suggestions | None) -> dict[str, Any]:
    from cardgen.rules.engine import label

    band: Band = judgement.band
    return {
        "title": judgement.title,
        "kind": band.kind,
        "pack": band.pack,
        "verdict": judgement.verdict,
        "total": judgement.total,
        "limit": judgement.limit,
        "summary": judgement.summary or None,
        "entries": [
            {"name": line.name, "details": list(line.details), "cost": line.value} for line in judgement.entries
        ],
        "findings": [
            {
                "rule": finding.rule,
                "verdict": finding.verdict,
                "severity": finding.severity,
                "subject": finding.subject,
                "place": str(finding.span) if finding.span else None,
                "actual": finding.actual,
                "op": finding.op,
                "limit": finding.limit,
                "offenders": list(finding.offenders),
                "message": finding.message or None,
                "fix": finding.fix or None,
                "source": finding.source,
                "rulings": dict(finding.rulings),
                "waiver": finding.waiver or None,
            }
            for finding in judgement.findings
        ],
        "setup": [
            {"title": line.name, "value": None if line.value is None else label(line.value), "source": line.source}
            for line in judgement.setup
        ],
        "other_readings": [
            {"ruling": id, "reading": reading, "verdict": verdict}
            for (id, reading), verdict in judgement.alternatives.items()
        ],
        "suggestions": None
        if suggestions is None
        else {
            "exact": suggestions.exact,
            "tried": suggestions.tried,
            "mends": [{"changes": list(mend.changes), "total": mend.total} for mend in suggestions.mends],
        },
    }

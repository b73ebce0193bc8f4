"""What `cardgen build --changed-since` does and says, beside the sheets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli.common import Common
from cardgen.cli.ledger import as_json, unread, wanted_of
from cardgen.diagnostics import Report

if TYPE_CHECKING:
    from cardgen.model.product import Made
    from cardgen.model.project import Project
    from cardgen.pipeline.ledger.rebuild import Part, Rebuilt
    from cardgen.pipeline.products import Options
    from cardgen.workers import Workers


def build_changed(
    project: Project,
    common: Common,
    targets: Sequence[str],
    since: str,
    options: Options,
    workers: Workers,
    report: Report,
    tell: Callable[[Made], None],
) -> Rebuilt:
    """Build what changed since a printing; nothing after reporting why that cannot be told."""
    from cardgen.load.ledger import read_ledger
    from cardgen.pipeline.ledger.held import beside
    from cardgen.pipeline.ledger.rebuild import rebuild

    ledger = read_ledger(project.shelf, report)
    wanted = [] if unread(report) else wanted_of(project, ledger, targets, common, since, report)
    return rebuild(project, beside(project, wanted, options, report), common.output, workers, report, tell)


def print_taken_out(parts: Sequence[Part]) -> None:
    """Say which old cards are not to be played with any more, now that there are sheets with the new ones."""
    from cardgen.model.sheet import SheetWords

    words = SheetWords()
    for part in parts:
        if part.old:
            click.echo(f"take out of {part.changes.name}: {', '.join(one.told(words) for one in part.old)}")
    if not any(part.changes.items or part.changes.unknown for part in parts) and parts:
        click.echo(f"nothing has changed since {', '.join(dict.fromkeys(part.changes.since for part in parts))}")


def taken_out_json(parts: Sequence[Part]) -> list[dict[str, Any]]:
    """What JSON says of a build of what changed, print by print."""
    return [
        {
            **as_json(part.changes),
            "take_out": [
                {
                    "label": one.label,
                    "title": one.title,
                    "copies": one.copies,
                    "of": one.of,
                    "kept": one.of - one.copies,
                    "code": one.code,
                }
                for one in part.old
            ],
        }
        for part in parts
    ]

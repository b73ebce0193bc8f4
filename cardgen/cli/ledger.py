"""`cardgen printed`, `cardgen changed` and `cardgen identify`: the ledger, and `build --changed-since` with it."""

from __future__ import annotations

import datetime
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click
from msgspec import structs

from cardgen.cli.common import LENGTH, PERCENT, Common, common_options, noting_project, relative
from cardgen.cli.show import counted, show, show_json, summary
from cardgen.diagnostics import Report
from cardgen.errors import UsageError
from cardgen.model.ledger import CODE_LENGTH, Change, Changes, Ledger, Printing, Sighting, Snapshot, read_code

if TYPE_CHECKING:
    from cardgen.model.project import Project
    from cardgen.pipeline.products import Options

# Of a long text so much is shown on either side of what differs in it.
_LONGEST = 60
# More cards than these that changed alike are told in one line.
_MANY = 3
_CAUSES = {
    "layout": "the layout",
    "fonts": "the fonts",
    "codes": "codes",
    "shared": "a picture, or words that cards share",
}
_LOOK = (
    click.option("--no-backgrounds", is_flag=True, help="As built with --no-backgrounds."),
    click.option("--low-ink", is_flag=True, help="As built with --low-ink."),
    click.option("--backs", type=click.Choice(["none"]), help="As built with --backs none."),
    click.option("--size", type=LENGTH, help="As built with --size."),
    click.option("--scale", type=PERCENT, help="As built with --scale."),
    click.option("--sets", type=click.IntRange(1, 500), help="As built with --sets."),
)


def _look_options(function: Any) -> Any:
    for option in reversed(_LOOK):
        function = option(function)
    return function


def _options(look: dict[str, Any]) -> Options:
    """The options that a build would have had."""
    from cardgen.pipeline.products import Options
    from cardgen.pipeline.wishes import Wish

    wish = Wish(look["size"], look["sets"], look["scale"])
    return Options(
        no_backgrounds=look["no_backgrounds"], low_ink=look["low_ink"], backs=look["backs"], wish=wish
    )  # fmt: skip


def _load(common: Common, report: Report) -> tuple[Project | None, Ledger]:
    """The project and its ledger; problems of both are reported."""
    noting_project(common)
    from cardgen.load.ledger import read_ledger
    from cardgen.load.project import load_project

    project = load_project(common.project, report)
    return project, read_ledger(project.shelf, report) if project is not None else Ledger(())


# --- printed ---------------------------------------------------------------------------------------------------------


@click.command("printed")
@click.argument("targets", nargs=-1, metavar="[GAME[/PRINT]]...")
@click.option("--name", metavar="NAME", help="What to call this printing.  [default: its date and a number]")
@click.option("--date", metavar="YYYY-MM-DD", help="When it was printed.  [default: now]")
@_look_options
@common_options
def printed_command(targets: tuple[str, ...], name: str | None, date: str | None, common: Common, **look: Any) -> None:
    """Note that everything was printed as it is now. Say it when the sheets are printed, before you change a card.

    Without a TARGET: what was noted before, as it was built then; the first time, every game in the project's
    languages. The note is a new file in the project's folder `printed`; where nothing is new, none is written unless
    it is given a --name or --date.
    """
    from cardgen.pipeline.ledger.record import as_they_are, name_for, note, nothing_new

    report = Report()
    project, ledger = _load(common, report)
    snapshots: list[Snapshot] = []
    path = None
    known = False
    if project is not None:
        when = _date(date)
        called = name_for(project.shelf, ledger, name, when)
        snapshots = as_they_are(project, ledger, targets, common.languages, _options(look), report)
        # A printing that is given a name or a date of its own is noted whatever it holds.
        known = bool(snapshots) and name is None and date is None and nothing_new(ledger, snapshots)
        if snapshots and not known:
            path = note(common.project, ledger, called, when, snapshots, report)
    if common.format == "json":
        show_json(
            report,
            file=relative(path) if path else None,
            prints=[_counts(snapshot) for snapshot in snapshots] if path else [],
        )
    else:
        show(report, common.format)
        if path is not None:
            for snapshot in snapshots:
                count = _counts(snapshot)
                click.echo(f"{snapshot.name}  {counted(count['pieces'], 'piece')}, {count['copies']} to cut out")
            click.echo(f"noted in {relative(path)}, {summary(report)}")
        elif known:
            click.echo(f"nothing new: all of it is noted as it is now, {summary(report)}")
        elif project is not None and not snapshots:
            click.echo(f"nothing to note, {summary(report)}")
    sys.exit(1 if report.has_errors(common.strict) or (path is None and not known) else 0)


def _date(given: str | None) -> str:
    from cardgen.pipeline.ledger.held import is_date

    if given is None:
        return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M:%S")
    if not is_date(given):
        raise UsageError(f"`{given}` is no date; write it as in `2026-11-30`")
    return given


def _counts(snapshot: Snapshot) -> dict[str, Any]:
    copies = sum(item.copies for item in snapshot.items.values())
    return {
        "game": snapshot.game,
        "lang": snapshot.lang,
        "print": snapshot.print,
        "pieces": len(snapshot.items),
        "copies": copies,
    }


# --- changed ---------------------------------------------------------------------------------------------------------


@click.command("changed")
@click.argument("targets", nargs=-1, metavar="[GAME[/PRINT]]...")
@click.option("--since", default="last", show_default=True, metavar="NAME", help="`last`, a printing's name or a date.")
@_look_options
@common_options
def changed_command(targets: tuple[str, ...], since: str, common: Common, **look: Any) -> None:
    """List what is not as it was printed: new, changed, gone, more or fewer copies; and what changed of it."""
    from cardgen.pipeline.ledger.held import beside, changes_of

    report = Report()
    project, ledger = _load(common, report)
    found: list[Changes] = []
    wanted: list[tuple[Printing, Snapshot]] = []
    # With a note that cannot be read, what was printed last would be told wrong.
    if project is not None and not unread(report):
        wanted = wanted_of(project, ledger, targets, common, since, report)
        found = [changes_of(item) for item in beside(project, wanted, _options(look), report)]
    if common.format == "json":
        show_json(report, prints=[as_json(changes) for changes in found])
    else:
        show(report, common.format)
        _print_changes(found)
        click.echo(f"{_total(found, [snapshot.name for _, snapshot in wanted])}, {summary(report)}")
    sys.exit(1 if report.has_errors(common.strict) else 0)


def unread(report: Report) -> bool:
    """Whether a file of the ledger was reported."""
    from cardgen.load.ledger import FOLDER

    return any(
        item.severity == "error" and item.span is not None and item.span.file.split("/")[0] == FOLDER for item in report
    )


def wanted_of(
    project: Project, ledger: Ledger, targets: Sequence[str], common: Common, since: str, report: Report
) -> list[tuple[Printing, Snapshot]]:
    """What was noted as printed since `last`, a printing or a date, of what the user named; nothing after reporting that
    nothing was noted. Raises UsageError for names that do not exist."""
    from cardgen.pipeline.ledger.held import chosen, until

    if not ledger.printings:
        report.add("CG420", None, "say `cardgen printed` when the sheets of `cardgen build` are printed")
        return []
    return chosen(project, ledger.latest(until(ledger, since)), targets, common.languages, report)


def _print_changes(found: Sequence[Changes]) -> None:
    for changes in found:
        if not changes.items and not changes.unknown:
            continue
        counts = [_of(changes.items)] if changes.items else []
        counts += [f"{len(changes.unknown)} of which it cannot be told"] if changes.unknown else []
        click.echo(f"{changes.name}, since {changes.since}: {', '.join(counts)}, {changes.same} the same")
        many = _alike(changes.items)
        for text, items in many.items():
            listed = ", ".join(item.label for item in items)
            click.echo(f"  changed  {len(items)} of them: {text}")
            click.echo(textwrap.fill(listed, 100, initial_indent=" " * 11, subsequent_indent=" " * 11))
        single = [item for item in changes.items if not any(item in items for items in many.values())]
        width = max((len(item.label) for item in single), default=0)
        for item in single:
            click.echo(f"  {item.kind:<8} {item.label:<{width}}  {_told(item)}".rstrip())
            for value in item.values:
                click.echo(f"  {'':<8} {'':<{width}}  {value.field}: {_differs(value.old, value.new)}")
        for label in changes.unknown:
            click.echo(f"  unknown  {label}  has errors")


def _alike(items: Iterable[Change]) -> dict[str, list[Change]]:
    """Changes of many cards that are told in the same words, as when a layout has changed."""
    found: dict[str, list[Change]] = {}
    for item in items:
        if item.kind == "changed" and not item.values and item.copies == item.old_copies:
            found.setdefault(_how(item), []).append(item)
    return {text: alike for text, alike in found.items() if len(alike) > _MANY}


def _how(item: Change) -> str:
    why = ", ".join(_CAUSES[cause] for cause in item.causes)
    parts = " and ".join("outline" if part == "shape" else part for part in item.parts)
    return f"{parts}{f' ({why})' if why else ''}"


def _told(item: Change) -> str:
    copies = f", {item.old_copies} → {item.copies} copies" if item.old_copies != item.copies else ""
    match item.kind:
        case "new":
            return f"{item.title} ×{item.copies}"
        case "gone":
            return f"{item.title} ×{item.old_copies}"
        case "copies":
            return f"{item.title}{copies}"
    many = f" ×{item.copies}" if item.copies > 1 and not copies else ""
    return f"{item.title}{many}: {_how(item)}{copies}"


def _differs(old: str, new: str) -> str:
    """Both texts, of long ones the part that differs with a few words around it."""
    if not old or not new:
        return f"{_quoted(old)} → {_quoted(new)}"
    start = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    # From the beginning of the word, two or three words before.
    start = old.rfind(" ", 0, max(0, start - 15)) + 1 if start > 25 else 0
    return f"{_quoted(old[start:], start)} → {_quoted(new[start:], start)}"


def _quoted(text: str, start: int = 0) -> str:
    if not text:
        return "nothing"
    line = " ".join(text.split())
    return f"`{'…' if start else ''}{line if len(line) <= _LONGEST else line[: _LONGEST - 1] + '…'}`"


def _of(items: Iterable[Change]) -> str:
    counts: dict[str, int] = {}
    for item in items:
        counts[item.kind] = counts.get(item.kind, 0) + 1
    names = {"new": "new", "changed": "changed", "copies": "with more or fewer copies", "gone": "gone"}
    return ", ".join(f"{counts[kind]} {word}" for kind, word in names.items() if kind in counts) or "nothing changed"


def _total(found: Sequence[Changes], wanted: Sequence[str]) -> str:
    """What has changed in all; of prints that are `wanted` and not `found`, and of cards with errors, nobody can tell."""
    if not found:
        return "it cannot be told what has changed"
    unknown = sum(len(changes.unknown) for changes in found)
    there = {changes.name for changes in found}
    lost = [name for name in wanted if name not in there]
    items = [item for changes in found for item in changes.items]
    parts = [_of(items)] if items or not unknown + len(lost) else []
    parts += [f"{counted(unknown, 'card')} of which it cannot be told"] if unknown else []
    parts += [f"it cannot be told of {', '.join(lost)}"] if lost else []
    return ", ".join(parts)


def as_json(changes: Changes) -> dict[str, Any]:
    """What JSON says of one print's changes."""
    return {
        "game": changes.game,
        "lang": changes.lang,
        "print": changes.print,
        "since": changes.since,
        "same": changes.same,
        "unknown": list(changes.unknown),
        "changes": [
            {
                "label": item.label,
                "title": item.title,
                "old_label": item.old_label or None,
                "old_title": item.old_title or None,
                "change": item.kind,
                "parts": list(item.parts),
                "causes": list(item.causes),
                "copies": {"old": item.old_copies, "new": item.copies},
                "to_print": item.to_print,
                "take_out": item.to_take_out,
                "values": [structs.asdict(value) for value in item.values],
            }
            for item in changes.items
        ],
    }


# --- identify --------------------------------------------------------------------------------------------------------


@click.command("identify")
@click.argument("code")
@_look_options
@common_options
def identify_command(code: str, common: Common, **look: Any) -> None:
    """Say which card a printed CODE is, when it was printed, and whether it is still the one to play with.

    Cards carry codes when cardgen.yaml says `codes: yes`. Capitals and hyphens do not matter, O is read as 0, I and L
    as 1; the beginning of a code will do where only one card has it.
    """
    from cardgen.pipeline.ledger.identify import identify

    wanted = read_code(code)
    if wanted is None:
        raise UsageError(
            f"`{code}` is no code; a code has {CODE_LENGTH} letters and digits, and no I, L, O or U, as in `7K3F9Q`"
        )
    report = Report()
    project, ledger = _load(common, report)
    found: list[Sighting] = []
    if project is not None and not unread(report):
        found = identify(project, ledger, wanted, _options(look), report)
    if common.format == "json":
        show_json(report, faces=[structs.asdict(sighting) for sighting in found])
    else:
        show(report, common.format)
        for sighting in found:
            click.echo(f"{sighting.id[:CODE_LENGTH]}  {_said(sighting)}")
    sys.exit(0 if found and not report.has_errors(common.strict) else 1)


def _said(sighting: Sighting) -> str:
    place = (
        f"{sighting.title}, {sighting.side} of `{sighting.label}` in {sighting.game}/{sighting.lang}/{sighting.print}"
    )
    printed = f"printed {', '.join(sighting.printings)}" if sighting.printings else "not noted as printed"
    if sighting.current:
        now = "current, but something else of the card has changed" if sighting.other_side_changed else "current"
    elif sighting.gone:
        now = "gone: no such card is printed any more"
    else:
        now = f"superseded by {sighting.now}"
    return f"{place}; {printed}; {now}"

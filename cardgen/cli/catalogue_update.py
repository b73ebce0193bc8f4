"""`cardgen catalogue update`: a newer catalogue from a pack; what it changes for saved bands is said first."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from cardgen.cli.common import Common, common_options, relative, unknown
from cardgen.cli.show import counted, show, show_json
from cardgen.diagnostics import Report
from cardgen.errors import UsageError

if TYPE_CHECKING:
    from cardgen.model.catalogue import CataloguePack
    from cardgen.model.game import Game
    from cardgen.model.project import Project
    from cardgen.pipeline.catalogues.compare import BandChange, EntryChange
    from cardgen.pipeline.catalogues.update import Update


@click.command("update")
@click.argument("pack", metavar="PACK.zip", type=click.Path(path_type=Path))
@click.option("--game", metavar="GAME", help="Refuse a pack of any other game.")
@click.option("--apply", is_flag=True, help="Install it; without this the changes are only shown.")
@click.option("--keep", multiple=True, metavar="BAND/ENTRY", help="An entry (number or name) to leave at its version.")
@click.option("--migrate", multiple=True, metavar="BAND/ENTRY", help="An entry that was kept, to be made anew.")
@click.option("--force", is_flag=True, help="Replace files changed by hand too; let entries have what is gone.")
@common_options
def update_command(
    pack: Path,
    game: str | None,
    apply: bool,
    keep: tuple[str, ...],
    migrate: tuple[str, ...],
    force: bool,
    common: Common,
) -> None:
    """Show what a newer catalogue changes for the saved bands; with --apply, install it.

    Who was kept before stays kept, unless `--migrate` says else.

    PACK.zip holds catalogue.yaml (`game:`, `version:`) and files below cards/<game>: cards, rules, i18n, art.
    """
    from cardgen.load.catalogues import read_catalogue_pack
    from cardgen.load.project import load_project
    from cardgen.pipeline.catalogues.update import carry_out, find_objections, find_update, stamped

    if common.shipped:
        raise UsageError("there is no cardgen.yaml here or above: a catalogue is installed in a project")
    report = Report()
    found = read_catalogue_pack(pack, report)
    if found is None:
        _end(report, common, {})
    project = load_project(common.project, report)
    old = _game(project, found, game, report)
    update = find_update(project, old, found, report) if project and old and not report.has_errors() else None
    if project is None or update is None:
        _end(report, common, {})
    update = update.decide(_kept(keep, migrate, update))
    if not force:
        find_objections(update, report)
    bands = stamped(project.shelf, update, report)
    text = common.format == "text"
    told = _as_json(update)
    if text:
        _print(update)
    if apply and not report.has_errors():
        backup = carry_out(project.shelf, update, bands)
        told |= {"installed": True, "backup": relative(backup) if backup is not None else None}
        if text:
            files, written = counted(len(update.files), "file"), counted(len(bands), "band")
            click.echo(f"installed: {files}, {written} with new versions")
            if backup is not None:
                click.echo(f"what they replaced: {relative(backup)}")
    elif text:
        click.echo("nothing is installed" if apply else "nothing is installed yet: add `--apply`")
    _end(report, common, told)


def _end(report: Report, common: Common, told: dict[str, Any]) -> NoReturn:
    if common.format == "json":
        show_json(report, **told)
    else:
        show(report, common.format)
    sys.exit(1 if report.has_errors(common.strict) else 0)


def _game(project: Project | None, pack: CataloguePack, wanted: str | None, report: Report) -> Game | None:
    """The project's game that the pack is for; None when the project has mistakes. Raises UsageError for another."""
    if wanted is not None and wanted != pack.game:
        raise UsageError(f"`{pack.name}` is a catalogue of `{pack.game}`, not of `{wanted}`")
    if project is None or report.has_errors():
        return None
    game = project.games.get(pack.game)
    if game is None:
        raise UsageError(unknown("game", pack.game, project.games))
    return game


def _kept(keep: Sequence[str], migrate: Sequence[str], update: Update) -> frozenset[tuple[str, int]]:
    """The entries that stay: who was kept before and who is now. Raises UsageError for what there is not."""
    kept, anew = _entries("--keep", keep, update.bands), _entries("--migrate", migrate, update.bands)
    for name, number in sorted(kept & anew):
        raise UsageError(f"`{name}/{number}` is to be kept and to be made anew: say `--keep` or `--migrate`")
    return (update.kept | kept) - anew


def _entries(option: str, said: Sequence[str], bands: Sequence[BandChange]) -> set[tuple[str, int]]:
    """The entries that an option names, as band and number. Raises UsageError for what there is not."""
    by_name = {item.name: item for item in bands}
    found = set()
    for told in said:
        if "/" not in told:
            raise UsageError(f"`{option} {told}`: expected BAND/ENTRY, as in `{next(iter(by_name), 'raiders')}/1`")
        # A band of somebody's own is `owner/name`; an entry's name may hold a slash as well.
        name = next((name for name in by_name if told.startswith(f"{name}/")), None)
        if name is None:
            wanted = told.rpartition("/")[0]
            raise UsageError(unknown("saved band", wanted, by_name) if by_name else "there are no saved bands")
        entry, entries = told.removeprefix(f"{name}/"), by_name[name].entries
        fitting = [item for item in entries if entry in (str(item.number), item.name)]
        if len(fitting) != 1:
            known = [f"{item.number} {item.name}" for item in entries]
            what = "several entries" if fitting else "no entry"
            raise UsageError(f"`{name}` has {what} `{entry}`; its entries: {', '.join(known)}")
        found.add((name, fitting[0].number))
    return found


# --- how it is told --------------------------------------------------------------------------------------------------


def _print(update: Update) -> None:
    files, pack, bands = update.files, update.pack, update.bands
    new = sum(1 for item in files if item.old is None)
    same = len(update.whole.files) - len(files)
    click.echo(f"{update.old.title}: catalogue {update.before} → {pack.version}")
    click.echo(f"  files: {len(files) - new} to replace, {new} to add, {same} as they are")
    for file, ids in update.own.by_file().items():
        click.echo(f"  your own, moved to {file}: {', '.join(ids)}")
    if update.gone:
        click.echo(f"  gone: {', '.join(update.gone)}")
    for band in bands:
        told = [entry for entry in band.entries if _is_told(band, entry, update)]
        if band.changes or told:
            click.echo(f"{band.band.title} ({band.name}){_verdicts(band)}")
            for entry in told:
                click.echo(_line(band, entry, update))
    changed = sum(1 for band in bands if band.changes)
    click.echo(f"{changed or 'none'} of {counted(len(bands), 'saved band')} {'changes' if changed < 2 else 'change'}")


def _is_told(band: BandChange, entry: EntryChange, update: Update) -> bool:
    return (band.name, entry.number) in update.kept or entry.changes


def _line(band: BandChange, entry: EntryChange, update: Update) -> str:
    stays = (band.name, entry.number) in update.kept
    values = stays and update.keeps_values(entry)
    kept = f" (kept at {entry.version or update.before}{'' if values else ': on paper alone'})" if stays else ""
    parts = []
    if entry.old_cost != entry.new_cost:
        parts.append(f"{_cost(entry.old_cost)} → {_cost(entry.new_cost)} {band.unit}".rstrip())
    elif stays:
        parts.append(f"stays {_cost(entry.new_cost)} {band.unit}".rstrip())
    if entry.gone:
        parts.append(f"without {', '.join(entry.gone)}")
    verdicts = _verdicts(entry).removeprefix(": ") or (entry.new if stays else "")
    said = ", ".join(part for part in (*parts, verdicts) if part)
    return f"  {entry.number} {entry.name}{kept}: {said}"


def _verdicts(item: BandChange | EntryChange) -> str:
    if item.old == item.new and not item.rules and not item.mended and not item.unjudged:
        return ""
    rules = [*item.rules, *(f"no more {rule}" for rule in item.mended)]
    if item.unjudged:
        rules.append(f"cannot be judged: {'; '.join(map(str, item.lacks)) or ', '.join(item.unjudged)}")
    verdict = item.new if item.old == item.new else f"{item.old} → {item.new}"
    return f": {verdict} ({', '.join(rules)})" if rules else f": {verdict}"


def _cost(value: Any) -> str:
    return "?" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _as_json(update: Update) -> dict[str, Any]:
    return {
        "game": update.pack.game,
        "from": update.before,
        "to": update.pack.version,
        "files": [item.file for item in update.files],
        "gone": list(update.gone),
        "moved": {file: list(ids) for file, ids in update.own.by_file().items()},
        "installed": False,
        "backup": None,
        "bands": [
            {
                "band": band.name,
                "verdict": [band.old, band.new],
                "broken": list(band.rules),
                "mended": list(band.mended),
                "unjudged": list(band.unjudged),
                "entries": [
                    {
                        "entry": entry.number,
                        "name": entry.name,
                        "cost": [entry.old_cost, entry.new_cost],
                        "verdict": [entry.old, entry.new],
                        "broken": list(entry.rules),
                        "mended": list(entry.mended),
                        "unjudged": list(entry.unjudged),
                        "gone": list(entry.gone),
                        "kept": (band.name, entry.number) in update.kept,
                        "keeps_values": update.keeps_values(entry),
                    }
                    for entry in band.entries
                    if _is_told(band, entry, update)
                ],
            }
            for band in update.bands
            if band.changes or any(_is_told(band, entry, update) for entry in band.entries)
        ],
    }

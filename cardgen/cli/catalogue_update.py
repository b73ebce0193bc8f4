"""`cardgen catalogue update`: a newer catalogue from a pack; what it changes for saved bands is said first."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from cardgen.cli.common import Common, common_options, relative, unknown
from cardgen.cli.show import counted, show, show_json
from cardgen.diagnostics import Report, Span
from cardgen.errors import UsageError

if TYPE_CHECKING:
    from cardgen.model.catalogue import CataloguePack
    from cardgen.model.game import Game
    from cardgen.model.project import Project
    from cardgen.pipeline.catalogues.compare import BandChange, EntryChange
    from cardgen.pipeline.catalogues.install import Change


@click.command("update")
@click.argument("pack", metavar="PACK.zip", type=click.Path(path_type=Path))
@click.option("--game", metavar="GAME", help="Refuse a pack of any other game.")
@click.option("--apply", is_flag=True, help="Install it; without this the changes are only shown.")
@click.option("--keep", multiple=True, metavar="BAND/ENTRY", help="An entry (number or name) to leave at its version.")
@click.option("--force", is_flag=True, help="Replace files changed by hand too; let entries have what is gone.")
@common_options
def update_command(
    pack: Path, game: str | None, apply: bool, keep: tuple[str, ...], force: bool, common: Common
) -> None:
    """Show what a newer catalogue changes for the saved bands; with --apply, install it.

    PACK.zip holds catalogue.yaml (`game:`, `version:`) and files below cards/<game>: cards, rules, i18n, art.
    """
    from cardgen.load.catalogues import read_catalogue_pack, read_installed
    from cardgen.load.project import load_project
    from cardgen.pipeline.catalogues.compare import compare_bands, gone_options, updated_game
    from cardgen.pipeline.catalogues.install import changed_by_hand, changed_files, install, stamped_bands

    if common.shipped:
        raise UsageError("there is no cardgen.yaml here or above: a catalogue is installed in a project")
    report = Report()
    found = read_catalogue_pack(pack, report)
    if found is None:
        _end(report, common, {})
    project = load_project(common.project, report)
    old = _game(project, found, game, report)
    if project is None or old is None or report.has_errors():
        _end(report, common, {})
    installed = read_installed(project.shelf, old.id, report)
    before = installed.version if installed is not None else old.version
    new = None if report.has_errors() else updated_game(project, found, report)
    if new is None:
        _end(report, common, {})
    bands = compare_bands(project.shelf, old, new, report)
    kept = _kept(keep, bands)
    changes = changed_files(project.shelf, found)
    if not force:
        _objections(changed_by_hand(changes, installed), bands, report)
    stamped = stamped_bands(project.shelf, new, bands, kept, found.version, before, report)
    _mixing(new, bands, kept, found.version, before, report)
    text = common.format == "text"
    gone = gone_options(old, new)
    told = _as_json(found, before, changes, gone, bands, kept)
    if text:
        _print(old, found, before, changes, gone, bands, kept)
    if apply and not report.has_errors():
        backup = install(project.shelf, found, changes, stamped, installed)
        told |= {"installed": True, "backup": relative(backup) if backup is not None else None}
        if text:
            click.echo(f"installed: {counted(len(changes), 'file')}, {counted(len(stamped), 'band')} with new versions")
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


def _kept(keep: Sequence[str], bands: Sequence[BandChange]) -> set[tuple[str, int]]:
    """The entries that `--keep` names, as band and number. Raises UsageError for what there is not."""
    by_id = {item.band.id: item for item in bands}
    found = set()
    for name in keep:
        id, slash, entry = name.partition("/")
        if not slash:
            raise UsageError(f"`--keep {name}`: expected BAND/ENTRY, as in `{next(iter(by_id), 'raiders')}/1`")
        if id not in by_id:
            raise UsageError(unknown("saved band", id, by_id) if by_id else "there are no saved bands to keep")
        entries = by_id[id].entries
        fitting = [item for item in entries if entry in (str(item.number), item.name)]
        if len(fitting) != 1:
            known = [f"{item.number} {item.name}" for item in entries]
            what = "several entries" if fitting else "no entry"
            raise UsageError(f"`{id}` has {what} `{entry}`; its entries: {', '.join(known)}")
        found.add((id, fitting[0].number))
    return found


def _objections(by_hand: Sequence[str], bands: Sequence[BandChange], report: Report) -> None:
    """Report what only `--force` goes over."""
    for file in by_hand:
        report.add("CG634", Span(file), "`--force` replaces it; a copy is kept", file=file)
    for entry in (entry for band in bands for entry in band.entries if entry.gone):
        hint = "take it out first; with `--force` the band cannot be read until that is done"
        report.add("CG635", entry.span, hint, entry=entry.name, options=_quoted(entry.gone))


def _mixing(
    game: Game,
    bands: Sequence[BandChange],
    kept: Collection[tuple[str, int]],
    version: str,
    before: str,
    report: Report,
) -> None:
    """Say which bands will have entries of several versions."""
    for item in bands:
        choices = game.bands[item.band.kind].choices
        if choices is None or not choices.version:
            continue
        versions = {
            (entry.version or before) if (item.band.id, entry.number) in kept else version for entry in item.entries
        }
        if len(versions) > 1:
            report.add("CG636", Span(item.band.file), band=item.band.title, versions=", ".join(sorted(versions)))


# --- how it is told --------------------------------------------------------------------------------------------------


def _print(
    game: Game,
    pack: CataloguePack,
    before: str,
    changes: Sequence[Change],
    gone: Sequence[str],
    bands: Sequence[BandChange],
    kept: Collection[tuple[str, int]],
) -> None:
    new = sum(1 for item in changes if item.old is None)
    same = len(pack.files) - len(changes)
    click.echo(f"{game.title}: catalogue {before} → {pack.version}")
    click.echo(f"  files: {len(changes) - new} to replace, {new} to add, {same} as they are")
    if gone:
        click.echo(f"  gone: {', '.join(gone)}")
    for band in bands:
        if band.changes:
            click.echo(f"{band.band.title} ({band.band.id}){_verdicts(band)}")
            for entry in band.entries:
                if entry.changes:
                    click.echo(_line(band, entry, (band.band.id, entry.number) in kept))
    changed = sum(1 for band in bands if band.changes)
    click.echo(f"{changed or 'none'} of {counted(len(bands), 'saved band')} {'changes' if changed < 2 else 'change'}")


def _line(band: BandChange, entry: EntryChange, kept: bool) -> str:
    parts = []
    if entry.old_cost != entry.new_cost:
        parts.append(f"{_cost(entry.old_cost)} → {_cost(entry.new_cost)} {band.unit}".rstrip())
    if entry.gone:
        parts.append(f"without {', '.join(entry.gone)}")
    verdicts = _verdicts(entry).removeprefix(": ")
    said = ", ".join(part for part in (*parts, verdicts) if part)
    return f"  {entry.number} {entry.name}{' (kept)' if kept else ''}: {said}"


def _verdicts(item: BandChange | EntryChange) -> str:
    if item.old == item.new and not item.rules and not item.mended:
        return ""
    rules = [*item.rules, *(f"no more {rule}" for rule in item.mended)]
    verdict = item.new if item.old == item.new else f"{item.old} → {item.new}"
    return f": {verdict} ({', '.join(rules)})" if rules else f": {verdict}"


def _cost(value: Any) -> str:
    return "?" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _as_json(
    pack: CataloguePack,
    before: str,
    changes: Sequence[Change],
    gone: Sequence[str],
    bands: Sequence[BandChange],
    kept: Collection[tuple[str, int]],
) -> dict[str, Any]:
    return {
        "game": pack.game,
        "from": before,
        "to": pack.version,
        "files": [item.file for item in changes],
        "gone": list(gone),
        "installed": False,
        "backup": None,
        "bands": [
            {
                "band": band.band.id,
                "verdict": [band.old, band.new],
                "broken": list(band.rules),
                "mended": list(band.mended),
                "entries": [
                    {
                        "entry": entry.number,
                        "name": entry.name,
                        "cost": [entry.old_cost, entry.new_cost],
                        "verdict": [entry.old, entry.new],
                        "broken": list(entry.rules),
                        "mended": list(entry.mended),
                        "gone": list(entry.gone),
                        "kept": (band.band.id, entry.number) in kept,
                    }
                    for entry in band.entries
                    if entry.changes
                ],
            }
            for band in bands
            if band.changes
        ],
    }

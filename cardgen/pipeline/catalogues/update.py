"""An update from beginning to end: what a pack means for a project, what speaks against it, and carrying it out."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from pathlib import Path

from msgspec import Struct, structs

from cardgen.diagnostics import Report, Span
from cardgen.files import MAX_YAML, Shelf
from cardgen.load.catalogues import read_installed
from cardgen.model.catalogue import CataloguePack, Installed, current_version
from cardgen.model.game import Game
from cardgen.model.project import Project
from cardgen.pipeline.catalogues.compare import BandChange, EntryChange, compare_bands, gone_options, updated_game
from cardgen.pipeline.catalogues.install import Change, changed_by_hand, changed_files, install, stamped_bands
from cardgen.pipeline.catalogues.kept import keeps_values, kept_change
from cardgen.pipeline.catalogues.own import Own, own_entries

# The entries that stay at their version: a band's name and the entry's number.
Kept = Collection[tuple[str, int]]


class Update(Struct, frozen=True):
    """A pack, the game without and with it, and what it changes: files, saved bands, options that are gone.

    `own` are cards of the player's own that stood in files of the pack; `files` has what becomes of them.
    """

    pack: CataloguePack
    old: Game
    new: Game
    installed: Installed | None
    bands: tuple[BandChange, ...]
    files: tuple[Change, ...]
    gone: tuple[str, ...]
    own: Own = Own()

    @property
    def whole(self) -> CataloguePack:
        """The pack together with the cards of the player's own that are moved."""
        return _with(self.pack, self.own)

    def keeps_values(self, entry: EntryChange) -> bool:
        """Whether an entry that is kept is priced and printed as it is; else only its paper keeps the old values."""
        return keeps_values(self.old, self.before, self.pack.version, entry)

    @property
    def before(self) -> str:
        """The version that the project has."""
        return current_version(self.installed, self.old)


def find_update(project: Project, old: Game, pack: CataloguePack, report: Report) -> Update | None:
    """What a pack changes, or None after reporting why it cannot be used. Raises FileProblem."""
    installed = read_installed(project.shelf, old.id, report)
    if report.has_errors():
        return None
    own = own_entries(project.shelf, pack, installed)
    new = updated_game(project, _with(pack, own), report)
    if new is None:
        return None
    bands = compare_bands(project.shelf, old, new, report)
    files = changed_files(project.shelf, _with(pack, own))
    return Update(pack, old, new, installed, tuple(bands), tuple(files), tuple(gone_options(old, new)), own)


def _with(pack: CataloguePack, own: Own) -> CataloguePack:
    return structs.replace(pack, files={**pack.files, **own.files})


def find_objections(update: Update, report: Report, kept: Kept = ()) -> None:
    """Report what only somebody who insists goes over: files changed by hand, entries with options that are gone.

    Who is kept keeps those as well.
    """
    files = [item for item in update.files if item.file not in update.own.files]
    for file in changed_by_hand(files, update.installed):
        report.add("CG634", Span(file), "`--force` replaces it; a copy is kept", file=file)
    every = [(band.name, entry) for band in update.bands for entry in band.entries if entry.gone]
    for entry in (entry for name, entry in every if (name, entry.number) not in kept or not update.keeps_values(entry)):
        hint = "take it out first; with `--force` the band cannot be read until that is done, unless the entry is kept"
        names = ", ".join(f"`{name}`" for name in entry.gone)
        report.add("CG635", entry.span, hint, entry=entry.name, options=names)


def stamped(shelf: Shelf, update: Update, kept: Kept, report: Report) -> list[Change]:
    """The bands' files with their new versions; what cannot be stamped, and bands that will mix, are reported."""
    changes = stamped_bands(shelf, update.new, update.bands, kept, update.pack.version, update.before, report)
    for item in update.bands:
        choices = update.new.bands[item.band.kind].choices
        if choices is None or not choices.version:
            continue
        versions = {
            (entry.version or update.before) if (item.name, entry.number) in kept else update.pack.version
            for entry in item.entries
        }
        if len(versions) > 1:
            report.add("CG636", Span(item.band.file), band=item.band.title, versions=", ".join(sorted(versions)))
    return changes


def carry_out(shelf: Shelf, update: Update, bands: list[Change], kept: Kept) -> Path | None:
    """Install the pack, write the bands and the values of who is kept, all or nothing; where what they replace is kept.

    Raises FileProblem.
    """
    values = kept_change(shelf, update.old, update.bands, kept, update.before, update.pack.version)
    others = bands if values is None else [values, *bands]
    return install(shelf, update.pack, update.files, others, update.installed)


def mark(shelf: Shelf, update: Update) -> str:
    """A short name for what an update would change: it differs when somebody changed any of that meanwhile.

    Raises FileProblem when a band is not there any more.
    """
    said = hashlib.sha256()
    for change in changed_files(shelf, update.whole):
        said.update(f"{change.file} {hashlib.sha256(change.old or b'').hexdigest()}\n".encode())
    for band in update.bands:
        said.update(f"{band.band.file} ".encode() + hashlib.sha256(shelf.read(band.band.file, MAX_YAML)).digest())
    return said.hexdigest()[:16]

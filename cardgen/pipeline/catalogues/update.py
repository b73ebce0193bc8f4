"""An update from beginning to end: what a pack means for a project, what speaks against it, and carrying it out."""

from __future__ import annotations

import hashlib
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
from cardgen.pipeline.catalogues.kept import decided, keeps_values, kept_before, kept_change
from cardgen.pipeline.catalogues.own import Own, own_entries

# The entries that stay at their version: a band's name and the entry's number.
Kept = frozenset[tuple[str, int]]


class Update(Struct, frozen=True):
    """A pack, the game without and with it, and what it changes: files, saved bands, options that are gone.

    `own` are cards of the player's own that stood in files of the pack; `files` has what becomes of them. `kept` are the
    entries that stay at their version: those that an earlier update kept, until somebody decides. What is said of
    `bands` is as if nobody were kept, before `decide`.
    """

    pack: CataloguePack
    old: Game
    new: Game
    installed: Installed | None
    bands: tuple[BandChange, ...]
    files: tuple[Change, ...]
    gone: tuple[str, ...]
    own: Own = Own()
    kept: Kept = frozenset()

    def decide(self, kept: Kept) -> Update:
        """The update with these entries kept, and with what it changes for the bands then."""
        bands = decided(self.bands, kept, self.old, self.new, self.before)
        return structs.replace(self, kept=kept, bands=tuple(bands))

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
    kept = kept_before(bands, old, current_version(installed, old), pack.version)
    return Update(pack, old, new, installed, tuple(bands), tuple(files), tuple(gone_options(old, new)), own, kept)


def _with(pack: CataloguePack, own: Own) -> CataloguePack:
    return structs.replace(pack, files={**pack.files, **own.files})


def find_objections(update: Update, report: Report) -> None:
    """Report what only somebody who insists goes over: files changed by hand, entries with options that are gone.

    Who is kept keeps those as well.
    """
    files = [item for item in update.files if item.file not in update.own.files]
    for file in changed_by_hand(files, update.installed):
        report.add("CG634", Span(file), "`--force` replaces it; a copy is kept", file=file)
    every = [(band.name, entry) for band in update.bands for entry in band.entries if entry.gone]
    for name, entry in every:
        if (name, entry.number) in update.kept and update.keeps_values(entry):
            continue
        hint = "take it out first; with `--force` the band cannot be read until that is done, unless the entry is kept"
        names = ", ".join(f"`{name}`" for name in entry.gone)
        report.add("CG635", entry.span, hint, entry=entry.name, options=names)


def stamped(shelf: Shelf, update: Update, report: Report) -> list[Change]:
    """The bands' files with their new versions; what cannot be stamped, and bands that will mix, are reported."""
    changes = stamped_bands(shelf, update.new, update.bands, update.kept, update.pack.version, update.before, report)
    for item in update.bands:
        choices = update.new.bands[item.band.kind].choices
        if choices is None or not choices.version:
            continue
        versions = {
            (entry.version or update.before) if (item.name, entry.number) in update.kept else update.pack.version
            for entry in item.entries
        }
        if len(versions) > 1:
            report.add("CG636", Span(item.band.file), band=item.band.title, versions=", ".join(sorted(versions)))
    return changes


def carry_out(shelf: Shelf, update: Update, bands: list[Change]) -> Path | None:
    """Install the pack, write the bands and the values of who is kept, all or nothing; where what they replace is kept.

    Raises FileProblem.
    """
    values = kept_change(shelf, update.old, update.bands, update.kept, update.before, update.pack.version)
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

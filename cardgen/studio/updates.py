"""A newer catalogue, looked at before it is installed: what it changes, pictures of old and new cards, and the decision.

A pack may have been made by anybody: it is read and tried in a worker, and nothing of it is in the project until
somebody decides so.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field, structs

from cardgen.diagnostics import Report
from cardgen.errors import FileProblem
from cardgen.faces.engines import Job
from cardgen.faces.make import FaceMaker
from cardgen.load.catalogues import catalogue_pack
from cardgen.load.project import load_project
from cardgen.model.band import Band, Entry
from cardgen.model.game import Game
from cardgen.pipeline.catalogues.compare import renewed_band, unpacked
from cardgen.pipeline.catalogues.update import Update, carry_out, find_objections, find_update, mark, stamped
from cardgen.pipeline.entries import entry_card
from cardgen.studio.saying import message

if TYPE_CHECKING:
    from cardgen.studio.workshop import Workshop

Side = Literal["old", "new"]
# What a pack may hold when it is looked at here: it goes from process to process. Stated in docs/studio.md.
MAX_UNPACKED = 100_000_000


class Considered(Struct, frozen=True):
    """What a worker says of a pack: the update, or why there is none; and what only somebody who insists goes over."""

    update: Update | None
    problems: tuple[str, ...]
    objections: tuple[str, ...] = ()


def consider(root: Path, game: str, name: str, data: bytes, lang: str = "en") -> Considered:
    """Read a pack and try it on the project in `root`; problems are told in `lang`. Runs in a worker."""
    report = Report()
    pack = catalogue_pack(data, name, report)
    if pack is not None and pack.game != game:
        return Considered(None, (f"`{name}` is a catalogue of `{pack.game}`, not of `{game}`",))
    if pack is not None and sum(map(len, pack.files.values())) > MAX_UNPACKED:
        size = f"`{name}` holds more than {MAX_UNPACKED // 1_000_000} MB"
        return Considered(None, (f"{size}; look at it with `cardgen catalogue update`",))
    mistakes = Report()
    project = load_project(root, mistakes) if pack is not None else None
    old = project.games.get(game) if project is not None else None
    update = None
    if mistakes.has_errors():
        return Considered(None, _told(mistakes, lang))
    if pack is not None and project is not None and old is not None:
        try:
            update = find_update(project, old, pack, report)
        except FileProblem as error:
            return Considered(None, (str(error),))
    if update is None or report.has_errors():
        return Considered(None, _told(report, lang))
    against = Report()
    find_objections(update, against)
    return Considered(update, (), _told(against, lang))


def _told(report: Report, lang: str) -> tuple[str, ...]:
    """The errors of a report, most important first, as one line each."""
    found = [item for item in report.sorted() if item.severity == "error"]
    told = [(item.span, message(lang, item)) for item in found[:30]]
    lines = [text if f"`{span}`" in text else f"{span}: {text}" for span, text in told]
    return (*lines, f"… {len(found) - 30}") if len(found) > 30 else tuple(lines)


class Pending(Struct):
    """An update that waits to be decided on: its name in addresses, what it was when it was shown, how to draw it."""

    id: str
    game: str
    update: Update
    objections: tuple[str, ...]
    mark: str
    maker: FaceMaker
    bands: Mapping[str, Band] = field(default_factory=dict)


class Installed(Struct, frozen=True):
    """How an installation went: what keeps it from being done, or where what it replaced is kept."""

    problems: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    backup: Path | None = None


class Updates:
    """The update that was looked at last: there is one at a time, for a pack may be large."""

    def __init__(self, workshop: Workshop) -> None:
        self.workshop = workshop
        self._pending: Pending | None = None
        self._open = ExitStack()

    def take(self, game: str, considered: Considered) -> Pending:
        """Keep an update until it is decided on. Raises FileProblem."""
        update = considered.update
        assert update is not None
        self.close()
        # Its pictures and cards lie in a folder of their own, before the project's, as long as they may be looked at.
        project = self._open.enter_context(unpacked(self.workshop.project, update.whole))
        maker = FaceMaker(project, Report())
        bands = {item.name: item.band for item in update.bands}
        now = mark(self.workshop.project.shelf, update)
        self._pending = Pending(secrets.token_urlsafe(8), game, update, considered.objections, now, maker, bands)
        return self._pending

    def pending(self, game: str, id: str) -> Pending | None:
        """The update of that name, if it still waits."""
        found = self._pending
        return found if found is not None and (found.id, found.game) == (id, game) else None

    def look(self, pending: Pending, band: str, number: int, side: Side) -> Job | None:
        """The work of drawing the card of an entry (counted from 1) as it is or as it will be; None when it has none."""
        found = pending.bands.get(band)
        if found is None:
            return None
        update = pending.update
        game = update.old if side == "old" else update.new
        shown = found if side == "old" else _as_new(found, number, update)
        card = entry_card(game, shown, number, Report())
        if card is None:
            return None
        if side == "old":
            with self.workshop.maker() as maker:
                face = maker.make(card, game, "front")
                assets = maker.assets
        else:
            with self.workshop.lock:
                face, assets = pending.maker.make(card, game, "front"), pending.maker.assets
        return None if face is None else Job((face,), assets, self.workshop.project.fonts, screen=True)

    def install(self, pending: Pending, kept: frozenset[tuple[str, int]], insist: bool, lang: str) -> Installed:
        """Install an update, unless what it changes was changed since it was shown, or something speaks against it."""
        workshop, update = self.workshop, structs.replace(pending.update, kept=kept)
        report, against = Report(), Report()
        find_objections(update, against)
        with workshop.lock:
            shelf = workshop.project.shelf
            try:
                if mark(shelf, update) != pending.mark:
                    return Installed(("changed",))
                if against.has_errors() and not insist:
                    pending.objections = _told(against, lang)
                    return Installed(pending.objections)
                bands = stamped(shelf, update, report)
                if report.has_errors():
                    return Installed(_told(report, lang))
                backup = carry_out(shelf, update, bands)
            except FileProblem as error:
                return Installed((str(error),))
            workshop.reload()
        workshop.hub.tell("studio-reloaded", {"generation": workshop.generation})
        self.close()
        return Installed((), tuple(message(lang, item) for item in report.sorted()), backup)

    def close(self) -> None:
        """Forget what waits, and remove its files."""
        self._pending = None
        self._open.close()


def _as_new(band: Band, number: int, update: Update) -> Band:
    """The band with the cards of the new catalogue and its version on one entry."""
    kind = update.new.bands[band.kind]
    made = renewed_band(band, update.new)
    field = kind.choices.version if kind.choices is not None else ""
    items = made.values.get(kind.entries)
    if not field or not isinstance(items, tuple) or not 0 < number <= len(items):
        return made
    entry = items[number - 1]
    fresh = Entry({**entry, field: update.pack.version}, entry.span, entry.called)
    entries = (*items[: number - 1], fresh, *items[number:])
    return structs.replace(made, values=Entry({**made.values, kind.entries: entries}, made.values.span))


def versions(workshop: Workshop, game: Game) -> list[tuple[str, str, dict[str, int]]]:
    """Every saved band of a game that states versions of its catalogue: its name, title, entries by version."""
    from cardgen.studio.bandroom import read_band, versions_of

    found = []
    for name in workshop.band_names(game):
        try:
            document = workshop.band(game, name)
            tree = workshop.tree(document) if document is not None else None
        except FileProblem:
            continue
        if document is None or tree is None:
            continue
        band, _, _ = read_band(workshop, document, tree)
        counts = (
            {version: len(names) for version, names in versions_of(game.bands[band.kind], band).items()} if band else {}
        )
        if counts:
            found.append((name, str(tree.get("title", name)), counts))
    return found

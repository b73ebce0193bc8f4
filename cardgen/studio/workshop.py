"""The workshop: the project as it is on the disk, what is made of it, and who is told when it changes."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct, field, structs

from cardgen.diagnostics import Report
from cardgen.errors import CardgenError, FileProblem
from cardgen.faces.make import FaceMaker
from cardgen.files import MAX_PO, write_atomic
from cardgen.i18n.catalog import read_catalog
from cardgen.i18n.translate import translate, usable
from cardgen.load import yamledit
from cardgen.load.catalogues import read_installed
from cardgen.load.editing import CardReader
from cardgen.load.project import load_project, shipped_games
from cardgen.load.trees import Planting, Tree
from cardgen.model.card import Card
from cardgen.model.catalogue import current_version
from cardgen.model.game import Game
from cardgen.model.project import Project
from cardgen.pipeline.translation.blame import Blame
from cardgen.studio.broken import Breakage, Broken, LastGood
from cardgen.studio.documents import (
    Document,
    band_document,
    card_document,
    read_text,
    read_tree,
    revision,
    tree_in,
    write_tree,
)
from cardgen.studio.history import Histories
from cardgen.studio.hub import Hub
from cardgen.studio.merge import Conflict, merge
from cardgen.studio.saying import Problems, by_path

PROJECT = "cardgen.yaml"
WATCHED = ("cards", "layouts", "fonts", PROJECT)
Stamps = dict[str, tuple[int, int]]


class Saved(Struct, frozen=True):
    """How a save went. `tree` is what the form should show now, `base` what the file says."""

    tree: Mapping[str, Tree]
    base: Mapping[str, Tree]
    written: bool
    taken: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    errors: Problems = field(default_factory=dict)
    problem: str = ""
    # its file is no valid YAML (nothing is written until somebody decides); the file that keeps what was written over
    broken: Breakage | None = None
    aside: str = ""


class Workshop:
    """One project, open for editing. Threads may call it; what changes it is done one at a time."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.hub = Hub()
        self.histories = Histories()
        self.lock = threading.RLock()
        self.generation = 0
        self._stamps: Stamps = {}
        self.good = LastGood()
        self._opened: dict[str, Document] = {}
        self.reload()

    # --- the project -------------------------------------------------------------------------------------------------

    def reload(self) -> None:
        """Read everything again. Raises CardgenError when cardgen.yaml itself cannot be used and nothing was read yet."""
        with self.lock:
            stamps = self._look()
            report = Report()
            project = load_project(self.root, report)
            self._stamps = stamps
            if project is None:
                if self.generation == 0:
                    first = next(iter(report.sorted()), None)
                    raise CardgenError(f"the project cannot be read: {first.span}: {first.message}" if first else "?")
                return
            self.generation += 1
            self.project: Project = project
            self.report = report
            self._readers: dict[str, CardReader] = {}
            self._texts: dict[tuple[str, str], dict[str, str]] = {}
            self._translated: dict[tuple[int, str, str], Game] = {}
            self._versions: dict[str, str] = {}
            self._maker = FaceMaker(project, Report())
            self.blame = Blame(project.shelf)

    def game(self, id: str) -> Game | None:
        """The game `id` in its source language."""
        return self.project.games.get(id)

    def _texts_of(self, file: str, lang: str) -> dict[tuple[str, str], str]:
        """What the catalog of a game that is not loaded says, by msgctxt and source; nothing where there is none."""
        try:
            catalog = read_catalog(self.project.shelf.read(file, MAX_PO), lang, file, Report())
        except FileProblem:
            return {}
        entries = catalog.entries.items() if catalog is not None else ()
        return {(context, entry.source): entry.target for context, entry in entries if entry.target and not entry.fuzzy}

    def shipped(self, lang: str = "") -> list[tuple[str, str, str]]:
        """The shipped games that the project does not have: their ids, titles and subtitles."""
        found = []
        for id in shipped_games():
            if id not in self.project.games:
                said = read_tree(self.project.shelf, f"cards/{id}/game.yaml", None) or {}
                title, subtitle = str(said.get("title", id)), str(said.get("subtitle", ""))
                texts = self._texts_of(f"cards/{id}/i18n/{lang}.po", lang)
                found.append(
                    (id, texts.get(("game/title", title), title), texts.get(("game/subtitle", subtitle), subtitle))
                )
        return found

    def take_in(self, id: str) -> None:
        """Have the project name a shipped game beside those that it has. Raises FileProblem."""
        with self.lock:
            text = read_text(self.project.shelf, PROJECT)
            said = read_tree(self.project.shelf, PROJECT, None) or {}
            games: list[Tree] = [*self.project.games, id]
            write_atomic(self.root / PROJECT, yamledit.edit(text, None, {**said, "games": games}, {}).encode())
            self.reload()
        self.hub.tell("studio-reloaded", {"generation": self.generation})

    def catalogue_version(self, game: Game) -> str:
        """The version of a game's catalogue that what is made now is made with."""
        with self.lock:
            if game.id not in self._versions:
                self._versions[game.id] = current_version(read_installed(self.project.shelf, game.id, Report()), game)
            return self._versions[game.id]

    def reader(self, game: Game) -> CardReader:
        """What reads cards of a game."""
        with self.lock:
            if game.id not in self._readers:
                self._readers[game.id] = CardReader(self.project.shelf, game)
            return self._readers[game.id]

    @contextmanager
    def maker(self) -> Iterator[FaceMaker]:
        """The maker of faces, for one caller at a time, with an empty report."""
        with self.lock:
            self._maker.report.items.clear()
            yield self._maker

    def texts(self, game: Game, lang: str) -> dict[str, str]:
        """The translations of a game that may be printed."""
        with self.lock:
            if (game.id, lang) not in self._texts:
                file, report = f"cards/{game.id}/i18n/{lang}.po", Report()
                try:
                    catalog = read_catalog(self.project.shelf.read(file, MAX_PO), lang, file, report)
                except FileProblem:
                    catalog = None
                texts = usable(game, catalog, report).texts if catalog is not None else {}
                self._texts[game.id, lang] = texts
            return self._texts[game.id, lang]

    def translated(self, game: Game, lang: str) -> Game:
        """The game in another language, as far as it is translated; itself where it has no other in that language."""
        if lang == game.source or lang not in game.languages:
            return self.project.games[game.id]
        with self.lock:
            key = (self.generation, game.id, lang)
            if key not in self._translated:
                if any(known[0] != self.generation for known in self._translated):
                    self._translated = {}
                source = self.project.games[game.id]
                self._translated[key] = translate(source, lang, self.texts(source, lang))
            return self._translated[key]

    def wrote_translation(self, game: str, lang: str, file: str) -> None:
        """Know what Studio itself wrote into the translations of a game."""
        with self.lock:
            self._stamps = self._look(file)
            self._texts.pop((game, lang), None)
            self.blame = Blame(self.project.shelf)
            self.generation += 1

    def found_by(self, game: Game, id: str) -> str:
        """The words by which a search finds a card: its name in the language of `game`, in the source, and its id."""
        cards = (game.cards[id], self.project.games[game.id].cards.get(id))
        names = [str(card.values.get(name) or "") for card in cards if card is not None for name in ("name", "version")]
        return " ".join(dict.fromkeys(filter(None, (*names, id)))).lower()

    # --- documents ---------------------------------------------------------------------------------------------------

    def card(self, game: Game, id: str) -> Document | None:
        """A card to edit; one that was opened is there as long as its file cannot be read."""
        return self._known(card_document(game, id), f"/g/{game.id}/cards/{quote(id)}")

    def band(self, game: Game, name: str) -> Document | None:
        """A band to edit; one that was opened is there as long as its file cannot be read. Raises FileProblem for another."""
        url = f"/g/{game.id}/bands/{quote(name)}"
        try:
            tree = self._read(f"cards/{game.id}/bands/{name}.yaml", None)
        except Broken:
            if (known := self._known(None, url)) is None:
                raise
            return known
        return None if tree is None else self._known(band_document(game, name, tree), url)

    def _known(self, document: Document | None, url: str) -> Document | None:
        """A document that is there, else the one that was opened at its address, if nobody can read its file now."""
        if document is not None:
            self._opened[url] = document
            return document
        opened = self._opened.get(url)
        if opened is not None:
            try:
                self.tree(opened)
            except Broken:
                return opened
            except FileProblem:
                pass
        return None

    def _read(self, file: str, key: str | None) -> dict[str, Tree] | None:
        text = read_text(self.project.shelf, file)
        tree = tree_in(text, file, key)
        self.good.note(file, text)
        return tree

    def band_names(self, game: Game) -> list[str]:
        """The bands of a game: `owner/name` or `name`."""
        start = f"cards/{game.id}/bands/"
        names = self.project.shelf.names(start.rstrip("/"), ".yaml")
        return [name.removeprefix(start).removesuffix(".yaml") for name in names]

    def tree(self, document: Document) -> dict[str, Tree] | None:
        """What the file says now."""
        return self._read(document.file, document.key)

    def read_card(self, document: Document, tree: Mapping[str, Tree]) -> tuple[Card | None, Problems, Planting]:
        """The card that a tree describes and what is wrong with it, by path."""
        game, report, planting = self.project.games[document.game], Report(), Planting(document.file)
        card = self.reader(game).read(document.id, planting.plant(dict(tree)), document.file, report)
        return card, by_path(report, planting), planting

    def check(self, document: Document, tree: Mapping[str, Tree]) -> Problems:
        """What keeps a tree from being saved, by path."""
        if document.group == "cards":
            return self.read_card(document, tree)[1]
        from cardgen.studio.bandroom import read_band

        return read_band(self, document, tree)[1]

    def save(
        self,
        document: Document,
        base: Mapping[str, Tree] | None,
        mine: Mapping[str, Tree] | None,
        choices: Mapping[str, str] | None = None,
        remember: bool = True,
    ) -> Saved:
        """Write what `mine` changed since `base` into what the file says by now; see `merge`.

        Nothing is written when both sides changed a field differently, or when what comes out cannot be read.
        """
        with self.lock:
            try:
                theirs = self.tree(document)
            except Broken as error:
                return Saved(mine or base or {}, base or {}, False, broken=self.good.breakage(error))
            except FileProblem as error:
                return Saved(mine or {}, base or {}, False, problem=str(error))
            if mine is None:
                if base is not None and theirs != base:
                    return Saved(
                        theirs or {}, theirs or {}, False, problem="it was changed meanwhile; look at it first"
                    )
                result: dict[str, Tree] | None = None
                taken: tuple[str, ...] = ()
            else:
                if theirs is None and base and "" not in (choices or {}):
                    return Saved(mine, base, False, conflicts=(Conflict("", dict(mine), None),))
                merged = merge((base if theirs is not None else None) or {}, mine, theirs or {}, choices or {})
                if merged.conflicts:
                    return Saved(merged.tree, base or {}, False, merged.taken, merged.conflicts)
                errors = self.check(document, merged.tree)
                if errors:
                    return Saved(merged.tree, theirs or {}, False, merged.taken, (), errors)
                result, taken = merged.tree, merged.taken
            if result == theirs:
                return Saved(result or {}, result or {}, True, taken)
            try:
                write_tree(self.project.shelf, document, result)
            except FileProblem as error:
                return Saved(result or {}, theirs or {}, False, taken, problem=str(error))
            if remember:
                self.histories.add(document.url, theirs, result)
            self._take_over(document, result)
        self.hub.tell("studio-changed", {"url": document.url, "revision": revision(result)})
        return Saved(result or {}, result or {}, True, taken)

    def _take_over(self, document: Document, tree: Mapping[str, Tree] | None) -> None:
        """Have the loaded game say what was just written, without reading everything again."""
        self._stamps = self._look(document.file)
        if document.group == "bands":
            return
        game = self.project.games[document.game]
        cards = dict(game.cards)
        card = self.read_card(document, tree)[0] if tree is not None else None
        if card is None:
            cards.pop(document.id, None)
        else:
            cards[document.id] = card
        game = structs.replace(game, cards=cards)
        self.project = structs.replace(self.project, games={**self.project.games, game.id: game})
        self._readers.pop(game.id, None)
        self.generation += 1

    def new(self, document: Document, tree: Mapping[str, Tree]) -> Saved:
        """Write a document that is not there yet."""
        with self.lock:
            if self.tree(document) is not None:
                return Saved(tree, {}, False, problem=f"there is a `{document.id}` already")
            return self.save(document, {}, tree)

    # --- watching ----------------------------------------------------------------------------------------------------

    def _look(self, only: str = "") -> Stamps:
        """Size and time of every file that matters; with `only`, of that one, the others as they were known."""
        if only:
            found = dict(self._stamps)
            path = self.root / only
            if path.exists():
                stat = path.stat()
                found[str(path)] = (stat.st_mtime_ns, stat.st_size)
            else:
                found.pop(str(path), None)
            return found
        found = {}
        for name in WATCHED:
            top = self.root / name
            walk = os.walk(top) if top.is_dir() else [(str(self.root), [], [name])]
            for folder, _, files in walk:
                for file in files:
                    path = Path(folder, file)
                    if file.startswith("."):
                        continue  # what is being written
                    try:
                        stat = path.stat()
                    except OSError:
                        continue
                    found[str(path)] = (stat.st_mtime_ns, stat.st_size)
        return found

    def new_files(self) -> None:
        """Know of files that Studio itself added beside cards and bands: pictures."""
        with self.lock:
            self._stamps = self._look()
            self._maker = FaceMaker(self.project, Report())

    def refresh(self) -> bool:
        """Read the project again if somebody else changed it, and tell everybody; whether somebody did."""
        stamps = self._look()
        with self.lock:
            if stamps == self._stamps:
                return False
            self._stamps = stamps
            self.reload()
        self.hub.tell("studio-reloaded", {"generation": self.generation})
        return True

    async def watch(self, seconds: float = 0.7) -> None:
        """Look for changes by others, for ever."""
        while True:
            await asyncio.sleep(seconds)
            await asyncio.to_thread(self.refresh)

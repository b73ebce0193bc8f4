"""Whether translations fit: cards drawn with what is translated so far, finished or not, and measured."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from cardgen.diagnostics import Diagnostic, Report, Span
from cardgen.faces.engines import Job, render
from cardgen.faces.fit import fits
from cardgen.i18n.catalog import Catalog
from cardgen.i18n.translate import sound, translate
from cardgen.model.face import Fit, Rendering, Side
from cardgen.model.game import Game
from cardgen.pipeline.odds import card_with_odds
from cardgen.studio.workshop import Workshop

if TYPE_CHECKING:
    from cardgen.studio.app import Studio

# So many cards are drawn at once, so that a preview does not wait long.
BATCH = 12
SIDES: tuple[Side, ...] = ("front", "back")


class Fitted(Struct, frozen=True):
    """How a text stands in its box: its size (1 is full), whether its lines are closer, how far it sticks out in mm."""

    scale: float
    tight: bool
    over: float


def printable(game: Game, catalog: Catalog, typed: Mapping[str, str] | None = None) -> dict[str, str]:
    """The translations that can be drawn, whatever their state, with what is typed in their place."""
    texts = {context: entry.target for context, entry in catalog.entries.items() if context in game.strings}
    texts |= {context: text for context, text in (typed or {}).items() if context in game.strings}
    return {
        context: text
        for context, text in texts.items()
        if text.strip() and sound(context, game.strings[context], text, Span(context), Report())
    }


def card_job(
    workshop: Workshop, game: Game, lang: str, texts: Mapping[str, str], id: str, side: Side
) -> tuple[Job | None, Diagnostic | None]:
    """The work of drawing one side of a card in a language; None and why, without a reason when it has no such side."""
    card = game.cards[id]
    if not card.sound:
        return None, None
    small = structs.replace(game, cards={id: card})
    shown = small if lang == game.source else translate(small, lang, texts)
    with workshop.maker() as maker:
        face = maker.make(card_with_odds(shown, shown.cards[id], maker.report), shown, side)
        problem = next((item for item in maker.report.sorted() if item.severity == "error"), None)
        return (None if face is None else Job((face,), maker.assets, workshop.project.fonts)), problem


def fitted(card: str, found: Iterable[Fit]) -> dict[str, Fitted]:
    """Fits by msgctxt."""
    return {f"{card}/{fit.field}": Fitted(fit.scale, fit.tight, 0.0 if fits(fit) else fit.overflow) for fit in found}


class Fitting:
    """Measures whole translations in the background, and remembers what it measured."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Fit, ...]] = {}
        self._running: dict[tuple[str, str], asyncio.Task[None]] = {}

    async def unfit(self, studio: Studio, game: Game, catalog: Catalog, patience: float) -> frozenset[str] | None:
        """The texts that do not fit; None when that is not known within `patience` seconds: the hub tells when it is."""
        jobs = await asyncio.to_thread(self._jobs, studio.workshop, game, catalog)
        missing = [job for _, job in jobs if job.faces[0].key not in self._known]
        if missing:
            key = (game.id, catalog.lang)
            task = self._running.get(key)
            if task is None or task.done():
                task = self._running[key] = asyncio.create_task(self._measure(studio, missing, key))
            done, _ = await asyncio.wait({task}, timeout=patience)
            if not done or any(job.faces[0].key not in self._known for job in missing):
                return None
        return frozenset(
            context
            for card, job in jobs
            for context, fit in fitted(card, self._known[job.faces[0].key]).items()
            if fit.over
        )

    def _jobs(self, workshop: Workshop, game: Game, catalog: Catalog) -> list[tuple[str, Job]]:
        texts = printable(game, catalog)
        found = []
        for id in game.cards:
            for side in SIDES:
                job = card_job(workshop, game, catalog.lang, texts, id, side)[0]
                if job is not None:
                    found.append((id, job))
        return found

    async def _measure(self, studio: Studio, jobs: list[Job], key: tuple[str, str]) -> None:
        groups: dict[str, list[Job]] = {}
        for job in jobs:
            face = job.faces[0]
            groups.setdefault(f"{face.layout} {face.side} {face.trim.id}", []).append(job)
        for group in groups.values():
            for start in range(0, len(group), BATCH):
                some = group[start : start + BATCH]
                whole = structs.replace(some[0], faces=tuple(job.faces[0] for job in some))
                rendering = await asyncio.wrap_future(studio.previews.thinkers.submit(measure, whole))
                # A face that cannot be drawn has no fits: the check tells about it.
                self._known |= {face.key: () for face in whole.faces}
                for fit in rendering.fits:
                    self._known[fit.key] = (*self._known[fit.key], fit)
        studio.workshop.hub.tell("studio-measured", {"url": f"/g/{key[0]}/review/{key[1]}"})


def measure(job: Job) -> Rendering:
    """What a worker does: draw, and send back the measurements alone."""
    return structs.replace(render(job), pdf=b"", fonts=())

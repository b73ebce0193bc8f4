"""Previews: the newest wish of every page is drawn, stale ones are dropped, and a crowd waits its turn."""

from __future__ import annotations

import asyncio
import itertools
from collections import OrderedDict
from concurrent.futures.process import BrokenProcessPool

from cardgen.faces.engines import DEFAULT_ENGINE, ENGINES, Job
from cardgen.model.face import Rendering
from cardgen.studio.drawing import Drawn, draw_face
from cardgen.workers import Pool, default_jobs

MOST_WAITING = 200
KEPT = 96


class Stale(Exception):
    """A newer preview was asked for by the same page."""


class Busy(Exception):
    """So many wait already that this one would come too late."""


class Previews:
    """Draws faces in workers that stay warm."""

    def __init__(self, jobs: int | None = None, engine: str = ENGINES[DEFAULT_ENGINE]) -> None:
        """`engine` is the module that the workers load at once."""
        self.jobs = jobs or max(1, min(4, default_jobs()))
        self.pool = Pool(self.jobs, warm=engine)
        # Others, so that nobody's preview waits until a search is over.
        self.thinkers = Pool(self.jobs)
        self._turns = asyncio.Semaphore(self.jobs)
        self._patient = asyncio.Semaphore(max(1, self.jobs - 1))
        self._numbers = itertools.count()
        self._newest: dict[str, int] = {}
        self._drawn: OrderedDict[tuple[str, float], Drawn] = OrderedDict()
        self._waiting = 0

    async def draw_later(self, page: str, job: Job, dpi: float) -> Drawn:
        """As `draw`, for what nobody waits for: such work never takes more than one worker."""
        async with self._patient:
            return await self.draw(page, job, dpi)

    async def draw(self, page: str, job: Job, dpi: float) -> Drawn:
        """The picture of the only face of `job`, for `page`. Raises Stale or Busy."""
        number = self._newest[page] = next(self._numbers)
        key = (job.faces[0].key, round(dpi))
        if key in self._drawn:
            self._drawn.move_to_end(key)
            del self._newest[page]
            return self._drawn[key]
        if self._waiting >= MOST_WAITING:
            raise Busy
        self._waiting += 1
        try:
            async with self._turns:
                if self._newest.get(page) != number:
                    raise Stale
                drawn = await self._asked(job, dpi)
        finally:
            self._waiting -= 1
            if self._newest.get(page) == number:
                del self._newest[page]
        self._drawn[key] = drawn
        while len(self._drawn) > KEPT:
            self._drawn.popitem(last=False)
        return drawn

    async def _asked(self, job: Job, dpi: float) -> Drawn:
        """What a worker draws. One that died is replaced and asked again; a face that ends workers is told so."""
        for _ in range(2):
            try:
                return await asyncio.wrap_future(self.pool.submit(draw_face, job, dpi))
            except BrokenProcessPool:
                continue
        face = job.faces[0]
        why = ((face.key, "the process that draws it is ended, by a picture, a font or want of memory"),)
        return Drawn(b"", Rendering(b"", (), face.trim, face.trim.bleed, (), failures=why))

    def close(self) -> None:
        """End the workers."""
        self.pool.close()
        self.thinkers.close()

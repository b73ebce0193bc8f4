"""Who is drawn when many ask: the newest wish of a page, in turn, and nobody for ever."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from typing import Any

import pytest

from cardgen.faces.engines import Job
from cardgen.geometry import Size
from cardgen.model.face import Face, Rendering
from cardgen.model.trim import Trim
from cardgen.studio import previews
from cardgen.studio.drawing import Drawn
from cardgen.studio.previews import Busy, Previews, Stale

TRIM = Trim("t", "t", Size(10.0, 10.0), bleed=0.0, safe=0.0, corner=0.0)


def job(key: str) -> Job:
    face = Face(key, key, "g", "g/l", "front", TRIM, "en", "weasyprint", (), b"", {})
    return Job((face,), None, {})  # type: ignore[arg-type]


class Slow:
    """A pool whose work is done when the test says so."""

    jobs = 1

    def __init__(self) -> None:
        self.asked: list[tuple[str, Future[Drawn]]] = []

    def submit(self, function: Any, work: Job, dpi: float) -> Future[Drawn]:
        future: Future[Drawn] = Future()
        self.asked.append((work.faces[0].key, future))
        return future

    def finish(self) -> None:
        for key, future in self.asked:
            if not future.done():
                future.set_result(Drawn(key.encode(), Rendering(b"", (), TRIM, 0.0, ())))


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Slow:
    made = Slow()
    monkeypatch.setattr(previews, "Pool", lambda jobs, warm="": made)
    return made


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_only_the_newest_wish_of_a_page_is_drawn(pool: Slow) -> None:
    async def scenario() -> None:
        made = Previews(1)
        tasks = []
        for key in "abcd":
            tasks.append(asyncio.create_task(made.draw("page", job(key), 100)))
            await settle()
        other = asyncio.create_task(made.draw("another page", job("z"), 100))
        await settle()
        while not all(task.done() for task in (*tasks, other)):
            pool.finish()
            await settle()
        assert [key for key, _ in pool.asked] == ["a", "d", "z"]
        assert tasks[3].result().png == b"d"
        assert other.result().png == b"z"
        for task in tasks[1:3]:
            with pytest.raises(Stale):
                task.result()

    asyncio.run(scenario())


def test_what_was_drawn_is_kept(pool: Slow) -> None:
    async def scenario() -> None:
        made = Previews(1)
        task = asyncio.create_task(made.draw("page", job("a"), 100))
        await settle()
        pool.finish()
        assert (await task).png == b"a"
        assert (await made.draw("other", job("a"), 100)).png == b"a"
        assert len(pool.asked) == 1
        assert not made._newest

    asyncio.run(scenario())


def test_a_crowd_is_turned_away_in_time(pool: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "MOST_WAITING", 3)

    async def scenario() -> None:
        made = Previews(1)
        tasks = [asyncio.create_task(made.draw(f"page {key}", job(key), 100)) for key in "abc"]
        await settle()
        with pytest.raises(Busy):
            await made.draw("one more", job("x"), 100)
        while not all(task.done() for task in tasks):
            pool.finish()
            await settle()
        assert [task.result().png for task in tasks] == [b"a", b"b", b"c"]

    asyncio.run(scenario())

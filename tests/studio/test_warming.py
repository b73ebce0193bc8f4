"""Workers who search for mends know the game of a band that is open before anybody asks them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardgen.studio import bandroom
from cardgen.studio.thinking import pickled
from tests.studio.conftest import Browser

URL = "/g/twd/bands/beginners-250"


def test_they_are_told_once_for_each_game_that_is_read(studio: Browser, monkeypatch: Any) -> None:
    app: Any = studio.client.app
    pool, sent = app.state.studio.previews.thinkers, []
    real: Callable[..., Any] = pool.submit

    def submit(function: Any, *arguments: Any) -> Any:
        sent.append((function, arguments))
        return real(function, *arguments)

    monkeypatch.setattr(pool, "submit", submit)
    assert studio.get("/g/twd/bands").status_code == 200
    assert sent == [], "nobody has a band open"
    assert studio.get(URL).status_code == 200
    told = [(function, arguments) for function, arguments in sent if function is bandroom.warm]
    assert len(told) == pool.jobs
    studio.get(URL)
    assert len(sent) == pool.jobs, "they know it"
    # The same bytes, so that what they know is what a search asks for.
    sent.clear()
    studio.post(f"{URL}/mends", studio.form(URL))
    ((_, (task,)),) = sent
    assert task.game is told[0][1][0].game


def test_a_game_is_the_same_bytes_as_long_as_it_is_the_same(studio: Browser) -> None:
    app: Any = studio.client.app
    game = app.state.studio.workshop.project.games["twd"]
    assert pickled(game) is pickled(game)

"""The application: what is shared by all requests, the addresses, and what answers when something is not there."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from cardgen.errors import CardgenError
from cardgen.faces.engines import engine_of
from cardgen.model.game import Game
from cardgen.studio import (
    view_bands,
    view_cards,
    view_catalogue,
    view_documents,
    view_pictures,
    view_prints,
    view_review,
    view_unread,
)
from cardgen.studio.fitting import Fitting
from cardgen.studio.once import Once
from cardgen.studio.pages import LANG_COOKIE, Pages, language
from cardgen.studio.previews import Previews
from cardgen.studio.printing import Jobs
from cardgen.studio.saying import phrase
from cardgen.studio.security import Guard
from cardgen.studio.updates import Updates
from cardgen.studio.words import LANGUAGES
from cardgen.studio.workshop import Workshop

HERE = Path(__file__).parent


class Studio:
    """What every request shares."""

    def __init__(self, root: Path, jobs: int | None = None) -> None:
        self.workshop = Workshop(root)
        self.pages = Pages()
        self.token = secrets.token_urlsafe(32)
        self.jobs = Jobs(root, self.workshop.hub)
        self.updates = Updates(self.workshop)
        self.workers = jobs
        self.fitting = Fitting()
        self.once = Once()
        # the game that the workers who search know already
        self.warmed: Game | None = None
        self._previews: Previews | None = None

    @property
    def previews(self) -> Previews:
        """Those who draw; they are there while the application runs."""
        assert self._previews is not None
        return self._previews

    def open(self) -> None:
        """Start the workers."""
        self._previews = Previews(self.workers, engine_of(self.workshop.root))

    def close(self) -> None:
        """End whatever runs."""
        self.workshop.hub.close()
        self.jobs.close()
        self.updates.close()
        if self._previews is not None:
            self._previews.close()


def hosts_of(port: int) -> list[str]:
    """The names by which this machine calls itself."""
    return [f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")]


def create_app(root: Path, hosts: Sequence[str], jobs: int | None = None, watch: bool = True) -> Starlette:
    """Studio for the project in `root`, which answers to `hosts`. Raises CardgenError when it cannot be read."""
    studio = Studio(root, jobs)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        studio.open()
        watcher = asyncio.create_task(studio.workshop.watch()) if watch else None
        try:
            yield
        finally:
            if watcher is not None:
                watcher.cancel()
                with suppress(asyncio.CancelledError):
                    await watcher
            studio.close()

    app = Starlette(
        routes=[
            Route("/", home),
            Route("/games/{game}", take_in, methods=["POST"]),
            Route("/events", events),
            Route("/token", token),
            Route("/language/{lang}", choose_language, methods=["POST"]),
            Route("/font/{file:path}", font),
            Mount("/static", StaticFiles(directory=HERE / "static")),
            *view_cards.ROUTES,
            *view_bands.ROUTES,
            *view_pictures.ROUTES,
            *view_prints.ROUTES,
            *view_catalogue.ROUTES,
            *view_review.ROUTES,
            *view_unread.ROUTES,
            *view_documents.ROUTES,
        ],
        middleware=[Middleware(Guard, hosts=hosts, token=studio.token)],
        exception_handlers={HTTPException: refused, CardgenError: failed},
        lifespan=lifespan,
    )
    app.state.studio = studio
    return app


async def home(request: Request) -> Response:
    """The games of the project."""
    studio: Studio = request.app.state.studio
    problems = [item for item in studio.workshop.report.sorted() if item.severity == "error"]
    shipped = studio.workshop.shipped(language(request))
    return studio.pages.page("home.html", request, problems=problems[:50], count=len(problems), shipped=shipped)


async def take_in(request: Request) -> Response:
    """Have the project name a shipped game."""
    studio: Studio = request.app.state.studio
    id = request.path_params["game"]
    if id not in [known for known, _, _ in studio.workshop.shipped()]:
        raise HTTPException(404)
    await asyncio.to_thread(studio.workshop.take_in, id)
    game = studio.workshop.game(id)
    panel = "bands" if game is not None and game.bands else "cards"
    return Response(status_code=204, headers={"HX-Redirect": f"/g/{id}/{panel}"})


async def events(request: Request) -> Response:
    """What happens, for as long as the page is open."""
    studio: Studio = request.app.state.studio
    return StreamingResponse(studio.workshop.hub.listen(), media_type="text/event-stream")


async def token(request: Request) -> Response:
    """The token that requests carry, for a page that was made before Studio was started anew."""
    studio: Studio = request.app.state.studio
    return PlainTextResponse(studio.token)


async def choose_language(request: Request) -> Response:
    """Remember the language of the pages."""
    lang = request.path_params["lang"]
    if lang not in LANGUAGES:
        raise HTTPException(404)
    answer = Response(status_code=204, headers={"HX-Refresh": "true"})
    answer.set_cookie(LANG_COOKIE, lang, max_age=365 * 86400, httponly=True, samesite="strict")
    return answer


async def font(request: Request) -> Response:
    """A font of the project: Studio is set in what its cards are set in."""
    studio: Studio = request.app.state.studio
    file = request.path_params["file"]
    known = {face.file for role in studio.workshop.project.fonts.values() for face in role.faces}
    if file not in known:
        raise HTTPException(404)
    data = studio.workshop.project.shelf.read(f"fonts/{file}", 40_000_000)
    return Response(data, media_type="font/ttf", headers={"cache-control": "max-age=86400"})


async def refused(request: Request, error: Exception) -> Response:
    """What is not there, or may not be done."""
    assert isinstance(error, HTTPException)
    if error.status_code == 307:
        return RedirectResponse(str(error.detail))
    detail = phrase(language(request), str(error.detail))
    if request.method != "GET" or "hx-request" in request.headers:
        return PlainTextResponse(detail, error.status_code)
    studio: Studio = request.app.state.studio
    return studio.pages.page("missing.html", request, error.status_code, detail=detail)


async def failed(request: Request, error: Exception) -> Response:
    """A mistake in the project's files, told as it is."""
    return HTMLResponse(f"<p class='error' role='alert'>{_escaped(phrase(language(request), str(error)))}</p>", 422)


def _escaped(text: str) -> str:
    from markupsafe import escape

    return str(escape(text))

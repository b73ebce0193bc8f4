"""The panel of a game's catalogue: its version, and a newer one from a pack."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cardgen.errors import FileProblem
from cardgen.studio import updates
from cardgen.studio.pages import language
from cardgen.studio.saying import phrase
from cardgen.studio.updates import Considered, Pending, Side
from cardgen.studio.view_bands import thought
from cardgen.studio.view_documents import game_of, picture_of, sent_by, studio_of
from cardgen.studio.words import say

CARD_DPI = 130.0
# How long a pack may be looked at: longer takes only one that is made to.
PATIENCE = 120.0


async def catalogue(request: Request) -> Response:
    """Which version the project has, which its bands were made with, and where to bring a newer one."""
    game, studio = game_of(request), studio_of(request)
    found = await asyncio.to_thread(updates.versions, studio.workshop, game)
    now = studio.workshop.catalogue_version(game)
    return studio.pages.page("catalogue.html", request, game=game, now=now, bands=found)


async def offer(request: Request) -> Response:
    """Take a pack in and show what it changes, or why it cannot be used."""
    game, studio = game_of(request), studio_of(request)
    async with request.form(max_files=1, max_fields=5) as form:
        sent = form.get("pack")
        if not isinstance(sent, UploadFile) or not sent.filename:
            raise HTTPException(422, say(language(request), "no_pack"))
        data, name = await sent.read(), sent.filename[-100:]
    future = studio.previews.thinkers.submit(
        updates.consider, studio.workshop.root, game.id, name, data, language(request)
    )
    try:
        considered: Considered = await asyncio.wait_for(thought(future), PATIENCE)
    except TimeoutError:
        raise HTTPException(422, say(language(request), "pack_slow")) from None
    if considered.update is None:
        return _shown(request, None, considered.problems)
    try:
        pending = await asyncio.to_thread(studio.updates.take, game.id, considered)
    except FileProblem as error:
        return _shown(request, None, (str(error),))
    return _shown(request, pending, ())


def _shown(request: Request, pending: Pending | None, problems: tuple[str, ...], **more: Any) -> Response:
    told = tuple(phrase(language(request), problem) for problem in problems)
    values: dict[str, Any] = {"game": game_of(request), "pending": pending, "problems": told, "done": None, **more}
    return studio_of(request).pages.page("catalogue_update.html", request, **values)


def _pending(request: Request) -> Pending:
    game, studio = game_of(request), studio_of(request)
    found = studio.updates.pending(game.id, request.path_params["id"])
    if found is None:
        raise HTTPException(404, say(language(request), "pack_gone"))
    return found


async def picture(request: Request) -> Response:
    """The card of an entry as it is, or as it would be."""
    pending, studio = _pending(request), studio_of(request)
    side: Side = "new" if request.path_params["side"] == "new" else "old"
    band, number = request.path_params["band"], request.path_params["number"]
    job = await asyncio.to_thread(studio.updates.look, pending, band, number, side)
    if job is None:
        raise HTTPException(404)
    return await picture_of(request, f"update/{pending.id}/{side}/{number}/{band}", job, CARD_DPI, 600)


async def install(request: Request) -> Response:
    """Install what waits, with the entries that are to be kept at their version."""
    pending, studio = _pending(request), studio_of(request)
    sent = await sent_by(request)
    # Who was kept before and is not on the page, since nothing changes for them, stays kept.
    before = pending.update.kept
    kept = frozenset(
        (item.name, entry.number)
        for item in pending.update.bands
        for entry in item.entries
        if (sent.one(f"keep.{item.name}.{entry.number}") or ("keep" if (item.name, entry.number) in before else ""))
        == "keep"
    )
    done = await asyncio.to_thread(
        studio.updates.install, pending, kept, sent.one("insist") is not None, language(request)
    )
    if done.problems == ("changed",):
        return _shown(request, None, (say(language(request), "pack_changed"),))
    if done.problems:
        return _shown(request, pending, done.problems, kept=kept)
    backup = done.backup.relative_to(studio.workshop.root.resolve()).as_posix() if done.backup is not None else ""
    return _shown(request, pending, (), done=done, backup=backup)


ROUTES = [
    Route("/g/{game}/catalogue", catalogue),
    Route("/g/{game}/catalogue", offer, methods=["POST"]),
    Route("/g/{game}/catalogue/{id}/install", install, methods=["POST"]),
    Route("/g/{game}/catalogue/{id}/{side}/{number:int}/{band:path}.png", picture),
]

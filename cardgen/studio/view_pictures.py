"""Pictures: what a game has, and what is uploaded."""

from __future__ import annotations

import asyncio

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cardgen.errors import FileProblem
from cardgen.studio.pictures import Crop, read_picture, store
from cardgen.studio.view_documents import game_of, studio_of

_TYPES = {"svg": "image/svg+xml", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "webp": "image/webp"}


async def upload(request: Request) -> Response:
    """Take a picture in; its name, or why not."""
    game, studio = game_of(request), studio_of(request)
    async with request.form(max_files=1, max_fields=20) as form:
        sent = form.get("file")
        if not isinstance(sent, UploadFile):
            raise HTTPException(422, "there is no picture")
        try:
            sides = [float(str(form.get(name, default))) for name, default in (("x", 0), ("y", 0), ("w", 1), ("h", 1))]
        except ValueError:
            raise HTTPException(422, "where to crop is told in numbers") from None
        data, called = await sent.read(), sent.filename or ""
    shelf = studio.workshop.project.shelf
    try:
        name = await asyncio.to_thread(store, shelf, game.id, called, data, Crop(*sides))
    except FileProblem as error:
        raise HTTPException(422, str(error)) from None
    await asyncio.to_thread(studio.workshop.new_files)
    return JSONResponse({"name": name, "url": f"/g/{game.id}/art/{name}"})


async def art(request: Request) -> Response:
    """A picture of a game."""
    game, file = game_of(request), request.path_params["file"]
    try:
        data = read_picture(studio_of(request).workshop.project.shelf, game.id, file)
    except FileProblem:
        raise HTTPException(404) from None
    # A drawing can hold scripts and links; alone in a tab it may do nothing.
    headers = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"}
    return Response(data, media_type=_TYPES.get(file.rpartition(".")[2].lower(), "image/gif"), headers=headers)


ROUTES = [
    Route("/g/{game}/pictures", upload, methods=["POST"]),
    Route("/g/{game}/art/{file:path}", art),
]

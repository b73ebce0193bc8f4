"""The page that mends a file of cards which cannot be read: its text, the line at fault, and saving it once it can be."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cardgen.diagnostics import Diagnostic, Report
from cardgen.files import MAX_YAML, own_path, write_atomic
from cardgen.load.nodes import parse_yaml
from cardgen.studio.pages import language
from cardgen.studio.saying import sentence
from cardgen.studio.unread import Unread, unread
from cardgen.studio.view_documents import game_of, sent_by, studio_of


def _item(request: Request) -> Unread:
    """The file that an address names. Raises HTTPException 404 for one that can be read, or that is not there."""
    game, studio = game_of(request), studio_of(request)
    wanted = f"cards/{game.id}/cards/{request.path_params['file']}"
    found = next((item for item in unread(studio.workshop, game) if item.file == wanted), None)
    if found is None:
        raise HTTPException(404)
    return found


def _first(text: str, file: str) -> Diagnostic | None:
    """What is wrong with the text of a file first; None when it can be read."""
    report = Report()
    parse_yaml(text.encode(), file, report)
    return next((item for item in report.sorted() if item.severity == "error"), None)


def _seen(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _shown(request: Request, item: Unread, data: bytes, text: str, **more: bool) -> Response:
    first = _first(text, item.file)
    line = first.span.line if first is not None and first.span is not None else item.line
    lines = text.splitlines()
    values: dict[str, Any] = {
        "game": game_of(request),
        "item": item,
        "line": line,
        "what": sentence(language(request), first) if first is not None else "",
        "text_of_line": lines[line - 1].strip()[:200] if 0 < line <= len(lines) else "",
        "text": text,
        "seen": _seen(data),
        "tried": False,
        "meanwhile": False,
        **more,
    }
    return studio_of(request).pages.page("unread_file.html", request, **values)


async def show(request: Request) -> Response:
    """The text of the file, to be mended."""
    item = _item(request)
    data = studio_of(request).workshop.project.shelf.read(item.file, MAX_YAML)
    return _shown(request, item, data, data.decode("utf-8-sig", "replace"))


async def mend(request: Request) -> Response:
    """Write the file when what is sent can be read; else say what still cannot be, and keep what was typed."""
    item, workshop, sent = _item(request), studio_of(request).workshop, await sent_by(request)
    data = workshop.project.shelf.read(item.file, MAX_YAML)
    text = (sent.one("_text") or "").replace("\r\n", "\n")
    if sent.one("_seen") != _seen(data):
        return _shown(request, item, data, data.decode("utf-8-sig", "replace"), meanwhile=True)
    if _first(text, item.file) is not None:
        return _shown(request, item, data, text, tried=True)

    def write() -> None:
        with workshop.lock:
            write_atomic(own_path(workshop.project.shelf, item.file), text.encode())
        workshop.refresh()

    await asyncio.to_thread(write)
    return Response(status_code=204, headers={"HX-Redirect": f"/g/{item.game}/bands"})


ROUTES = [
    Route("/g/{game}/unread/{file:path}", show),
    Route("/g/{game}/unread/{file:path}", mend, methods=["POST"]),
]

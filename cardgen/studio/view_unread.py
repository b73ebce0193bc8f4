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
from cardgen.studio.broken import free_name, put_aside
from cardgen.studio.encodings import ENCODINGS, guessed, is_utf8, text_in
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


def _seen(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _problem(data: bytes, file: str) -> Diagnostic | None:
    """What is wrong with a file first, its encoding before all else; None when it can be read."""
    report = Report()
    parse_yaml(data, file, report)
    return next((found for found in report.sorted() if found.severity == "error"), None)


def _shown(request: Request, item: Unread, data: bytes, text: str, encoding: str, **more: bool) -> Response:
    # While nobody tried to save it, what is told is what is wrong with the bytes: their text may be sound.
    first = _problem(text.encode() if more.get("tried") or not encoding else data, item.file)
    line = first.span.line if first is not None and first.span is not None else item.line
    lines = text.splitlines()
    values: dict[str, Any] = {
        "game": game_of(request),
        "item": item,
        "line": line,
        "what": sentence(language(request), first) if first is not None else "",
        "text_of_line": lines[line - 1].strip()[:200] if 0 < line <= len(lines) else "",
        "text": text,
        "encoding": encoding,
        "encodings": ENCODINGS,
        "column": first.span.column if first is not None and first.span is not None else 1,
        "aside": free_name(own_path(studio_of(request).workshop.project.shelf, item.file)).name if encoding else "",
        "seen": _seen(data),
        "tried": False,
        "meanwhile": False,
        **more,
    }
    return studio_of(request).pages.page("unread_file.html", request, **values)


def _encoding(data: bytes, wanted: str) -> str:
    """What a file is read in: as somebody wants it, else as it most likely is; empty for UTF-8."""
    return "" if is_utf8(data) else wanted if wanted in ENCODINGS else guessed(data)


def _text(data: bytes, encoding: str) -> str:
    return text_in(data, encoding) if encoding else data.decode("utf-8-sig")


async def show(request: Request) -> Response:
    """The text of the file, to be mended."""
    item = _item(request)
    data = studio_of(request).workshop.project.shelf.read(item.file, MAX_YAML)
    encoding = _encoding(data, request.query_params.get("as", ""))
    return _shown(request, item, data, _text(data, encoding), encoding)


async def mend(request: Request) -> Response:
    """Write the file when what is sent can be read; else say what still cannot be, and keep what was typed."""
    item, workshop, sent = _item(request), studio_of(request).workshop, await sent_by(request)
    data = workshop.project.shelf.read(item.file, MAX_YAML)
    text = (sent.one("_text") or "").replace("\r\n", "\n")
    encoding = _encoding(data, sent.one("_as") or "")
    if sent.one("_seen") != _seen(data):
        return _shown(request, item, data, _text(data, encoding), encoding, meanwhile=True)
    if _problem(text.encode(), item.file) is not None:
        return _shown(request, item, data, text, encoding, tried=True)

    def write() -> None:
        with workshop.lock:
            path = own_path(workshop.project.shelf, item.file)
            # Which letters were meant is a guess: the bytes stay beside it.
            if encoding:
                put_aside(path, data)
            write_atomic(path, text.encode())
        workshop.refresh()

    await asyncio.to_thread(write)
    return Response(status_code=204, headers={"HX-Redirect": f"/g/{item.game}/bands"})


ROUTES = [
    Route("/g/{game}/unread/{file:path}", show),
    Route("/g/{game}/unread/{file:path}", mend, methods=["POST"]),
]

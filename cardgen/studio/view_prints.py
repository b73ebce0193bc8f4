"""The print dialog, jobs and their files."""

from __future__ import annotations

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from cardgen.errors import CardgenError
from cardgen.model.game import Game
from cardgen.pipeline.printers import known_printers
from cardgen.studio.pages import language
from cardgen.studio.printing import PrintJob
from cardgen.studio.sent import Sent
from cardgen.studio.view_documents import document_of, done_already, game_of, sent_by, studio_of
from cardgen.studio.words import say

PAPERS = ("a4", "letter")
BACKS = ("duplex", "gutterfold", "separate", "none")
MARKS = ("margin", "full", "corner", "in-gap", "none")
INKS = ("full", "no-backgrounds", "low-ink")


def choices() -> dict[str, Any]:
    """What can be chosen in a print dialog."""
    try:
        printers = known_printers()
    except CardgenError:
        printers = []
    return {"papers": PAPERS, "backs": BACKS, "marks": MARKS, "inks": INKS, "printers": printers}


async def dialog(request: Request) -> Response:
    """What to print of a game, and how."""
    game, studio = game_of(request), studio_of(request)
    jobs = list(reversed(studio.jobs.jobs.values()))
    return studio.pages.page("print.html", request, game=game, jobs=jobs, **choices())


async def begin(request: Request) -> Response:
    """Print what the dialog says."""
    game, studio = game_of(request), studio_of(request)
    sent = await sent_by(request)
    prints = [id for id in sent.values.get("print", []) if id in game.prints]
    if not prints:
        raise HTTPException(422, say(language(request), "nothing_chosen"))
    if done_already(request, sent):
        return Response(status_code=204)
    titles = ", ".join(game.prints[id].title for id in prints[:3]) + (", …" if len(prints) > 3 else "")
    spec = {"targets": [f"{game.id}/{id}" for id in prints], **how(request, sent, game)}
    job = studio.jobs.start(f"{game.title}: {titles}", spec)
    return _shown(request, job)


async def begin_band(request: Request) -> Response:
    """Print a band: roster, cards, pawns and counters, as the game's kit has them."""
    game, document = document_of(request, "bands", request.path_params["name"])
    studio, sent = studio_of(request), await sent_by(request)
    if done_already(request, sent):
        return Response(status_code=204)
    tree = studio.workshop.tree(document) or {}
    title = str(tree.get("title", document.id))
    spec = {
        "band": document.file,
        "roster": say(language(request), "roster"),
        "cards": say(language(request), "cards"),
        # What a kit's files are called, by the stock that they are printed on.
        "titles": {
            "checklist": say(language(request), "kit_checklist"),
            "card": say(language(request), "kit_card"),
            "label": say(language(request), "kit_label"),
            "paper": say(language(request), "kit_paper"),
        },
        **how(request, sent, game),
    }
    return _shown(request, studio.jobs.start(title, spec))


def how(request: Request, sent: Sent, game: Game) -> dict[str, Any]:
    """The language, printer and options that a form asks for; what it does not say is left to the prints."""
    lang, ink = sent.one("lang"), sent.one("ink")
    options: dict[str, Any] = {"no_backgrounds": ink == "no-backgrounds", "low_ink": ink == "low-ink"}
    for name, known in (("paper", PAPERS), ("backs", BACKS), ("marks", MARKS)):
        if sent.one(name) in known:
            options[name] = sent.one(name)
    printer = sent.one("printer") or ""
    return {
        "lang": lang if lang in game.languages else game.source,
        "page": language(request),
        "printer": printer if printer in choices()["printers"] else "",
        "options": options,
    }


def _job(request: Request) -> PrintJob:
    job = studio_of(request).jobs.jobs.get(request.path_params["id"])
    if job is None:
        raise HTTPException(404)
    return job


def _shown(request: Request, job: PrintJob) -> Response:
    return studio_of(request).pages.page("job.html", request, job=job)


async def progress(request: Request) -> Response:
    """How far a job is."""
    return _shown(request, _job(request))


async def stop(request: Request) -> Response:
    """End a job."""
    job = _job(request)
    studio_of(request).jobs.stop(job)
    return _shown(request, job)


async def printed(request: Request) -> Response:
    """A file that a job wrote: to look at, or to keep."""
    job, number = _job(request), request.path_params["number"]
    if not 0 <= number < len(job.files) or not job.files[number].path.is_file():
        raise HTTPException(404)
    path = job.files[number].path
    kept = "attachment" if request.query_params.get("keep") else "inline"
    # The browser's own viewer draws it with styles of its own.
    headers = {"content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; object-src 'self'"}
    return FileResponse(
        path, media_type="application/pdf", filename=path.name, content_disposition_type=kept, headers=headers
    )


ROUTES = [
    Route("/g/{game}/print", dialog),
    Route("/g/{game}/print", begin, methods=["POST"]),
    Route("/g/{game}/bands/{name:path}/print", begin_band, methods=["POST"]),
    Route("/jobs/{id:int}", progress),
    Route("/jobs/{id:int}/stop", stop, methods=["POST"]),
    Route("/jobs/{id:int}/files/{number:int}", printed),
]

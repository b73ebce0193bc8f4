"""The page on which a translation is reviewed: source and translation side by side, as text and as printed cards."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from cardgen.errors import FileProblem
from cardgen.i18n.catalog import Catalog
from cardgen.i18n.revise import Verdict
from cardgen.model.face import Side
from cardgen.model.game import Game
from cardgen.studio.fitting import Fitted, card_job, fitted, printable
from cardgen.studio.naming import name_of
from cardgen.studio.pages import language
from cardgen.studio.previews import Busy, Stale
from cardgen.studio.reviewing import (
    FILTERS,
    Unit,
    catalog_in,
    counts_of,
    is_shown,
    remarks_on,
    save_text,
    units_of,
)
from cardgen.studio.saying import message, sentence
from cardgen.studio.sent import Sent
from cardgen.studio.view_documents import sent_by, source_of, studio_of
from cardgen.studio.words import say

# How many cards and sections a list names; a search finds the others.
MOST_UNITS = 400
# How long a page waits for measurements before it is shown without them, in seconds.
PATIENCE = 2.0
DPI = 110.0
VERDICTS: Mapping[str, Verdict] = {"draft": "draft", "accepted": "accepted", "doubted": "doubted"}


async def first(request: Request) -> Response:
    """Lead to the first language that the game is translated to."""
    game = source_of(request)
    languages = [lang for lang in game.languages if lang != game.source]
    if not languages:
        raise HTTPException(404, f"{game.id} is not translated: name languages in its game.yaml")
    return RedirectResponse(f"/g/{game.id}/review/{languages[0]}")


async def review(request: Request) -> Response:
    """The texts of one card or section, and the list of all that a filter shows."""
    studio = studio_of(request)
    game, lang = source_of(request), language_of(request)
    asked = request.query_params
    try:
        catalog = await asyncio.to_thread(catalog_in, studio.workshop, game, lang)
    except FileProblem as error:
        return studio.pages.page("review_broken.html", request, 422, game=game, target=lang, problem=str(error))
    units = await asyncio.to_thread(units_of, game, catalog)
    counts = counts_of(units)
    wanted = asked.get("state") or ("open" if counts["open"] else "all")
    if wanted not in FILTERS:
        raise HTTPException(404, f"there is no state `{wanted}`")
    listed: frozenset[str] | None = frozenset()
    if wanted == "remarks":
        listed = frozenset(await asyncio.to_thread(remarks_on, studio.workshop, game, catalog))
    elif wanted == "unfit":
        listed = await studio.fitting.unfit(studio, game, catalog, PATIENCE)
    known = listed if listed is not None else frozenset()
    words = asked.get("q", "").lower().split()
    shown = [unit for unit in units if any(is_shown(row, wanted, known) for row in unit.rows) and _says(unit, words)]
    id = request.path_params.get("unit") or (shown[0].id if shown else "")
    unit = next((unit for unit in units if unit.id == id), None)
    if unit is None and request.path_params.get("unit"):
        raise HTTPException(404, f"there is no `{id}`")
    rows = [row for row in unit.rows if unit.is_card or is_shown(row, wanted, known)] if unit is not None else []
    following = [one.id for one in shown]
    at = following.index(id) if id in following else -1
    kind = game.kinds[game.cards[id].kind] if unit is not None and unit.is_card else None
    return studio.pages.page(
        "review.html",
        request,
        game=game,
        target=lang,
        targets=[one for one in game.languages if one != game.source],
        filters=[(name, counts.get(name)) for name in FILTERS],
        wanted=wanted,
        measuring=listed is None,
        units=shown[:MOST_UNITS],
        more=max(0, len(shown) - MOST_UNITS),
        counts={one.id: sum(is_shown(row, wanted, known) for row in one.rows) for one in shown[:MOST_UNITS]},
        unit=unit,
        rows=rows,
        sides=[side for side in ("front", "back") if kind is not None and getattr(kind, side)],
        base=f"/g/{game.id}/review/{lang}",
        query=urlencode({name: asked[name] for name in ("state", "q") if asked.get(name)}),
        q=asked.get("q", ""),
        before=following[at - 1] if at > 0 else "",
        after=following[at + 1] if at + 1 < len(following) and following[at + 1] != id else "",
    )


def _says(unit: Unit, words: list[str]) -> bool:
    """Whether every word stands in the unit's name, sources or translations."""
    if not words:
        return True
    text = " ".join([unit.id, unit.title, *(f"{row.source.text} {row.target}" for row in unit.rows)]).lower()
    return all(word in text for word in words)


def language_of(request: Request) -> str:
    """The language that an address names. Raises HTTPException 404."""
    game, lang = source_of(request), request.path_params["lang"]
    if lang not in game.languages or lang == game.source:
        raise HTTPException(404, f"{game.id} is not translated to `{lang}`")
    return str(lang)


async def save(request: Request) -> Response:
    """Write one translation, or say why not; the row as it is now."""
    studio, game, lang = studio_of(request), source_of(request), language_of(request)
    sent = await sent_by(request)
    verdict = VERDICTS.get(sent.one("verdict") or "draft")
    if verdict is None:
        raise HTTPException(422, "there is no such verdict")
    values = [sent.one(name) or "" for name in ("context", "text", "seen", "shown")]
    try:
        saved = await asyncio.to_thread(
            save_text, studio.workshop, game.id, lang, values[0], values[1], values[2], values[3], verdict
        )
    except FileProblem as error:
        raise HTTPException(422, str(error)) from None
    if saved is None:
        raise HTTPException(404, f"there is no text `{values[0]}`")
    problem = "; ".join(message(language(request), item, game) for item in saved.problem)
    shown: dict[str, Any] = {"target": lang, "row": saved.row, "saved": saved, "problem": problem}
    row = studio.pages.text("review_row.html", request, game=game, **shown)
    catalog = await asyncio.to_thread(catalog_in, studio.workshop, game, lang)
    counts = counts_of(await asyncio.to_thread(units_of, game, catalog))
    return JSONResponse(
        {
            "row": row,
            "state": saved.row.state,
            "revision": saved.row.revision,
            "target": saved.row.target,
            "conflict": saved.conflict,
            "taken": saved.taken,
            "problem": problem,
            "counts": counts,
        }
    )


async def preview(request: Request) -> Response:
    """The card with what is typed, and what is said of each text: whether it fits, and what the checks say."""
    studio, game, lang = studio_of(request), source_of(request), language_of(request)
    sent = await sent_by(request)
    typed = {name[2:]: texts[-1].replace("\r\n", "\n") for name, texts in sent.values.items() if name[:2] == "t."}
    typed = {context: text for context, text in typed.items() if context in game.strings}
    try:
        catalog = await asyncio.to_thread(catalog_in, studio.workshop, game, lang)
    except FileProblem as error:
        raise HTTPException(422, str(error)) from None
    remarks = await asyncio.to_thread(remarks_on, studio.workshop, game, catalog, typed)
    ui = language(request)
    said = {context: [sentence(ui, item, game) for item in items] for context, items in remarks.items()}
    answer: dict[str, Any] = {"remarks": said, "fits": {}, "over": []}
    id = request.path_params["unit"]
    if id in game.cards:
        try:
            answer |= await _pictures(request, game, lang, catalog, typed, sent)
        except Stale:
            return Response(status_code=204)
        except Busy:
            return Response(status_code=503, headers={"retry-after": "1"})
    return JSONResponse(answer)


async def _pictures(
    request: Request, game: Game, lang: str, catalog: Catalog, typed: Mapping[str, str], sent: Sent
) -> dict[str, Any]:
    """Source and translation of a card as they print, and how the texts of the translation stand in their boxes."""
    studio, id, ui = studio_of(request), request.path_params["unit"], language(request)
    side: Side = "back" if sent.one("side") == "back" else "front"
    texts = await asyncio.to_thread(printable, game, catalog, typed)
    title = name_of(game.cards[id].values, id)
    answer: dict[str, Any] = {"pictures": {}, "fits": {}, "over": [], "problem": ""}
    for name, wanted in (("source", game.source), ("target", lang)):
        job, problem = await asyncio.to_thread(card_job, studio.workshop, game, wanted, texts, id, side)
        if job is None:
            answer["problem"] = answer["problem"] or (message(ui, problem, game) if problem is not None else "")
            continue
        page = f"{sent.one('page') or ''}/review/{game.id}/{id}/{name}"[:200]
        drawn = await studio.previews.draw(page, job, DPI * scale_of(sent))
        if drawn.png:
            size = job.faces[0].trim.size
            answer["pictures"][name] = {
                "png": "data:image/png;base64," + base64.b64encode(drawn.png).decode(),
                "size": [size.width, size.height],
                "alt": say(ui, f"review_{name}_of", name=title),
            }
        if name == "target":
            found = fitted(id, drawn.rendering.fits)
            answer["fits"] = {context: _told(ui, fit) for context, fit in found.items()}
            answer["over"] = [context for context, fit in found.items() if fit.over]
    return answer


def scale_of(sent: Sent) -> float:
    """How many pixels of the screen a CSS pixel has, as the page says, between 1 and 2."""
    text = sent.one("scale") or ""
    return min(2.0, max(1.0, float(text) if text.replace(".", "", 1).isdigit() else 1.0))


def _told(ui: str, fit: Fitted) -> str:
    if fit.over:
        return say(ui, "fit_over", mm=f"{fit.over:.1f}")
    if fit.scale < 1:
        return say(ui, "fit_smaller", percent=f"{fit.scale:.0%}")
    return say(ui, "fit_closer") if fit.tight else say(ui, "fit_full")


ROUTES = [
    Route("/g/{game}/review", first),
    Route("/g/{game}/review/{lang}", review),
    Route("/g/{game}/review/{lang}/save", save, methods=["POST"]),
    Route("/g/{game}/review/{lang}/{unit}", review),
    Route("/g/{game}/review/{lang}/{unit}/preview", preview, methods=["POST"]),
]

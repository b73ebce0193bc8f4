"""The panels of cards: all of a kind, and the editor of one."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cardgen.load.catalogues import own_file
from cardgen.load.definitions import RESERVED_CARDS
from cardgen.load.trees import Tree
from cardgen.model.game import Game
from cardgen.studio import faces
from cardgen.studio.beginnings import least
from cardgen.studio.broken import Broken
from cardgen.studio.documents import COPIES, Document, slug
from cardgen.studio.naming import name_of
from cardgen.studio.pages import language
from cardgen.studio.saying import worded
from cardgen.studio.view_documents import (
    broken_in_words,
    done_already,
    game_of,
    picture_of,
    sent_by,
    shown_by,
    studio_of,
    told_by,
)

THUMB_DPI = 72.0


async def cards(request: Request) -> Response:
    """All cards of a kind."""
    game = game_of(request)
    kinds = list(game.kinds.values())
    wanted = request.query_params.get("kind", kinds[0].id if kinds else "")
    if wanted not in game.kinds:
        raise HTTPException(404, f"there is no kind `{wanted}`")
    found = sorted(
        (card for card in game.cards.values() if card.kind == wanted),
        key=lambda card: name_of(card.values, card.id).lower(),
    )
    counts = {kind.id: sum(1 for card in game.cards.values() if card.kind == kind.id) for kind in kinds}
    values: dict[str, Any] = {
        "game": game,
        "kinds": kinds,
        "kind": game.kinds[wanted],
        "cards": found,
        "counts": counts,
    }
    return studio_of(request).pages.page("cards.html", request, **values)


async def card(request: Request) -> Response:
    """The editor of a card."""
    game, studio = game_of(request), studio_of(request)
    document = studio.workshop.card(game, request.path_params["name"])
    try:
        tree = studio.workshop.tree(document) if document is not None else None
    except Broken as error:
        told = broken_in_words(language(request), error)
        return studio.pages.page("missing.html", request, 422, game=game, detail=told)
    if document is None or tree is None:
        raise HTTPException(404, f"there is no card `{request.path_params['name']}`")
    kind = game.kinds[document.kind]
    return studio.pages.page("card.html", request, kind=kind, **shown_by(request, game, document, tree))


async def thumbnail(request: Request) -> Response:
    """A small picture of a card as its file has it."""
    game, studio = game_of(request), studio_of(request)
    found = game.cards.get(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    look = await asyncio.to_thread(faces.shipped_look, studio.workshop, game, found)
    if look.job is None:
        raise HTTPException(404)
    if await request.is_disconnected():
        return Response(status_code=204)
    return await picture_of(request, f"thumb/{game.id}/{game.lang}/{found.id}", look.job, THUMB_DPI, 2)


async def new_card(request: Request) -> Response:
    """Make a card: its name decides its id, what its kind asks for is filled with the least that is allowed."""
    game, studio = game_of(request), studio_of(request)
    sent = await sent_by(request)
    kind, name = game.kinds.get(sent.one("kind") or ""), (sent.one("name") or "").strip()
    id = free_id(name, game)
    if kind is None or not name:
        raise HTTPException(422, "a card needs a name")
    if done_already(request, sent):
        return Response(status_code=204)
    tree: dict[str, Tree] = {"kind": kind.id}
    twin = game.cards.get(sent.one("like") or "")
    if twin is not None and twin.kind == kind.id:
        original = studio.workshop.card(game, twin.id)
        tree = dict((studio.workshop.tree(original) if original is not None else None) or tree)
        if "name" in kind.fields:
            tree["name"] = name
    else:
        for field_name, item in kind.fields.items():
            if item.required:
                value = least(item, name if field_name == "name" else "", game)
                if value is not None:
                    tree[field_name] = value
    # Apart from the catalogue's files, which a newer one replaces.
    file = own_file(game.id, kind.id)
    document = Document(game.id, "cards", id, kind.id, file, id, {**kind.fields, "copies": COPIES})
    saved = await asyncio.to_thread(studio.workshop.new, document, tree)
    if not saved.written:
        told = told_by(worded(language(request), saved.errors, game), document, tree, game)
        reasons = "; ".join(f"{title}: {text}" if title else text for title, text in told)
        raise HTTPException(422, saved.problem or reasons)
    return Response(status_code=204, headers={"HX-Redirect": document.url})


def free_id(name: str, game: Game) -> str:
    """An id for a new card of that name: as its name, with a number when that is taken."""
    id = slug(name) or "card"
    taken = {*game.cards, *RESERVED_CARDS}
    return next(made for made in (id, *(f"{id}-{n}" for n in range(2, 10_000))) if made not in taken)


ROUTES = [
    Route("/g/{game}/cards", cards),
    Route("/g/{game}/cards/new", new_card, methods=["POST"]),
    Route("/g/{game}/cards/{name}", card),
    Route("/g/{game}/thumbs/{name}.png", thumbnail),
]

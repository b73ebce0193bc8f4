"""The panels of bands: all of them with those who may be recruited, and the editor of one."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from msgspec import Struct
from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cardgen.errors import FileProblem
from cardgen.load.trees import Tree
from cardgen.model.card import Card
from cardgen.model.game import Field, Game
from cardgen.rules.bands import Judgement
from cardgen.studio import bandroom
from cardgen.studio.beginnings import least
from cardgen.studio.broken import Broken
from cardgen.studio.documents import Document, band_document, folder_of
from cardgen.studio.naming import name_of
from cardgen.studio.pages import language
from cardgen.studio.saying import Problems, worded
from cardgen.studio.sent import Sent
from cardgen.studio.stated import said
from cardgen.studio.thinking import pickled, warm
from cardgen.studio.unread import unread
from cardgen.studio.view_cards import free_id
from cardgen.studio.view_documents import (
    broken_in_words,
    document_of,
    done_already,
    game_of,
    sent_by,
    shown_by,
    studio_of,
    told_by,
)
from cardgen.studio.view_prints import choices
from cardgen.studio.words import say
from cardgen.studio.workshop import Workshop
from cardgen.text.markup import plain


class Tile(Struct, frozen=True):
    """A band on the board: its name below `bands/`, whose it is, and its judgement, or what is wrong with its file."""

    name: str
    owner: str
    title: str
    kind: str
    judgement: Judgement | None
    problem: str = ""


def tile(workshop: Workshop, game: Game, name: str, lang: str) -> Tile:
    """The tile of one band, in the language of a page."""
    owner = name.rpartition("/")[0]
    try:
        document = workshop.band(game, name)
        tree = workshop.tree(document) if document is not None else None
    except Broken as error:
        return Tile(name, owner, name, "", None, broken_in_words(lang, error))
    except FileProblem as error:
        return Tile(name, owner, name, "", None, str(error))
    if document is None or tree is None:
        return Tile(name, owner, name, "", None, "?")
    band, errors, _ = bandroom.read_band(workshop, document, tree, game)
    judgement = bandroom.judged(game, band) if band is not None else None
    problem = _listed(lang, errors, document, tree, game)
    return Tile(name, owner, str(tree.get("title", name)), document.kind, judgement, problem)


def _listed(lang: str, problems: Problems, document: Document, tree: Mapping[str, Tree], game: Game) -> str:
    """What is wrong with a band, on one line."""
    told = told_by(worded(lang, problems, game), document, tree, game)
    return "; ".join(f"{title}: {text}" if title else text for title, text in told)


def sorted_recruits(game: Game, kind: str) -> list[Card]:
    """Whom a band of this kind may recruit, in the order in which the board shows them."""
    return sorted(bandroom.recruits(game, kind), key=lambda card: name_of(card.values, card.id).casefold())


async def bands(request: Request) -> Response:
    """The board."""
    game, studio = game_of(request), studio_of(request)
    if not game.bands:
        raise HTTPException(404, say(language(request), "no_bands"))
    names = studio.workshop.band_names(game)
    tiles = await asyncio.to_thread(lambda: [tile(studio.workshop, game, name, language(request)) for name in names])
    kind_id = request.query_params.get("kind", next(iter(game.bands)))
    kind = game.bands.get(kind_id) or next(iter(game.bands.values()))
    owner = request.query_params.get("owner", "")
    owners = sorted({item.owner for item in tiles if item.owner})
    shown = [item for item in tiles if item.kind in (kind.id, "") and (not owner or item.owner == owner)]
    values: dict[str, Any] = {
        "game": game,
        "kind": kind,
        "tiles": shown,
        "owner": owner,
        "owners": owners,
        "recruits": sorted_recruits(game, kind.id),
        "unread": unread(studio.workshop, game),
    }
    return studio.pages.page("bands.html", request, **values)


async def band(request: Request) -> Response:
    """The editor of a band."""
    game, studio = game_of(request), studio_of(request)
    try:
        document = studio.workshop.band(game, request.path_params["name"])
        tree = studio.workshop.tree(document) if document is not None else None
    except Broken as error:
        told = broken_in_words(language(request), error)
        return studio.pages.page("missing.html", request, 422, game=game, detail=told)
    except FileProblem as error:
        return studio.pages.page("missing.html", request, 422, game=game, detail=str(error))
    if document is None or tree is None:
        raise HTTPException(404, f"there is no band `{request.path_params['name']}`")
    shown = shown_by(request, game, document, tree)
    open_fixes = "mend" in request.query_params
    kind = game.bands[document.kind]
    answer = studio.pages.page("band.html", request, kind=kind, open_fixes=open_fixes, **choices(), **shown)
    answer.background = BackgroundTask(warm, studio, game, document, tree)
    return answer


async def new_band(request: Request) -> Response:
    """Make a band with those who are recruited first."""
    game, studio = game_of(request), studio_of(request)
    sent = await sent_by(request)
    title, kind = (sent.one("title") or "").strip(), game.bands.get(sent.one("kind") or "")
    names = studio.workshop.band_names(game)
    owner = folder_of(sent.one("owner") or "", {name.rpartition("/")[0] for name in names})
    if kind is None or not title:
        raise HTTPException(422, say(language(request), "needs_title"))
    if done_already(request, sent):
        return Response(status_code=204)
    tree: dict[str, Tree] = {"title": title}
    if len(game.bands) > 1:
        tree["kind"] = kind.id
    ids = [id for text in sent.values.get("_recruit", []) for id in text.split()]
    for name, item in kind.fields.items():
        if name == kind.entries:
            continue
        value = _usual_limit(studio.workshop, game, kind.limit, name) or (
            least(item, title, game) if item.required else None
        )
        if value is not None:
            tree[name] = value
    taken = {name.rpartition("/")[2] for name in names}
    id = free_id(title, game)
    id = next(made for made in (id, *(f"{id}-{n}" for n in range(2, 10_000))) if made not in taken)
    document = band_document(game, f"{owner}/{id}" if owner else id, tree)
    assert document is not None
    if not ids:
        found = sorted_recruits(game, kind.id)
        first = least(kind.fields[kind.entries], title, game) if kind.fields[kind.entries].min_items > 0 else None
        if found:
            ids = [found[0].id]
        elif first is not None:
            tree[kind.entries] = first
    tree = bandroom.with_entries(game, document, tree, ids) if ids else tree
    tree = bandroom.stamped(game, document, {}, tree, studio.workshop.catalogue_version(game))
    tree = await asyncio.to_thread(bandroom.with_choices, studio.workshop, document, tree)
    saved = await asyncio.to_thread(studio.workshop.new, document, tree)
    if not saved.written:
        raise HTTPException(422, saved.problem or _listed(language(request), saved.errors, document, tree, game))
    return Response(status_code=204, headers={"HX-Redirect": document.url})


def _usual_limit(workshop: Workshop, game: Game, limit: str, name: str) -> str | None:
    """What most bands of a game say of the field that limits them."""
    if limit != f"band.{name}":
        return None
    said_: Counter[str] = Counter()
    for other in workshop.band_names(game):
        try:
            document = workshop.band(game, other)
            tree = workshop.tree(document) if document is not None else None
        except FileProblem:
            continue
        value = (tree or {}).get(name)
        if isinstance(value, str):
            said_[value] += 1
    return said_.most_common(1)[0][0] if said_ else None


async def recruit(request: Request) -> Response:
    """Put cards into a band as it is on the disk; its tile as it is then."""
    game, document = document_of(request, "bands", request.path_params["name"])
    studio, sent = studio_of(request), await sent_by(request)
    ids = [id for text in sent.values.get("_recruit", []) for id in text.split()]

    def work() -> tuple[Tile, str]:
        tree = studio.workshop.tree(document) or {}
        after = bandroom.with_entries(game, document, tree, ids)
        version = studio.workshop.catalogue_version(game)
        saved = studio.workshop.save(document, tree, bandroom.stamped(game, document, tree, after, version))
        problem = saved.problem or _listed(language(request), saved.errors, document, saved.tree, game)
        return tile(studio.workshop, game, request.path_params["name"], language(request)), problem

    made, problem = await asyncio.to_thread(work)
    return studio.pages.page("tile.html", request, game=game, item=made, kind=game.bands[document.kind], note=problem)


async def mends(request: Request) -> Response:
    """What would mend the band that the form describes, each with a button that does it.

    First what its rules state, at once; the page then asks again, for what a quick search finds (`_search`: quick), and
    once more for what a long one finds besides (long). `_told` are the mends that the page has.
    """
    game, document = document_of(request, "bands", request.path_params["name"])
    studio, sent = studio_of(request), await sent_by(request)
    tree = said(studio.workshop, sent, document).tree
    band, _, _ = await asyncio.to_thread(bandroom.read_band, studio.workshop, document, tree, game)
    values: dict[str, Any] = {
        "game": game,
        "document": document,
        "mends": [],
        "single": [],
        "whole": None,
        "exact": True,
        "told": [],
    }
    search = sent.one("_search") or ""
    told = set(json.loads(sent.one("_told") or "[]"))
    if band is not None:

        def shown(items: Sequence[bandroom.FoundMend]) -> list[dict[str, Any]]:
            # What leads to a band that was told already is not told again, however it is called.
            made = []
            for item in items:
                after = json.dumps(bandroom.changed_tree(tree, band.values, item.values, document.fields))
                key = hashlib.sha256(after.encode()).hexdigest()[:16]
                if search and key in told:
                    continue
                told.add(key)
                made.append({"changes": item.changes, "total": item.total, "tree": after})
            return made

        def listed(found: Mapping[tuple[str, str], Sequence[bandroom.FoundMend]]) -> list[Any]:
            # What is found later for a finding that has a heading already are other ways to the same.
            made = []
            for (rule, subject), items in sorted(found.items()):
                fresh, named = shown(items), f"{rule} {subject}"
                if fresh:
                    made.append((rule, subject, fresh, named in told))
                    told.add(named)
            return made

        task = bandroom.Task(await asyncio.to_thread(pickled, game), band)
        pool = studio.previews.thinkers
        if not search:
            stated: bandroom.Stated = await thought(pool.submit(bandroom.find_stated, task))
            values["single"] = listed(stated.single)
            if stated.together is not None:
                values["whole"] = {**shown([stated.together])[0], "legal": stated.legal}
        elif search == "quick":
            relief: bandroom.FoundRelief = await thought(pool.submit(bandroom.find_relief, task, True))
            values["mends"], values["single"] = shown(relief.whole), listed(relief.single)
        else:
            # Both at the same time.
            alone = pool.submit(bandroom.find_relief, task, False)
            made, values["exact"] = await thought(pool.submit(bandroom.find_mends, task))
            relief = await thought(alone)
            values["mends"] = shown(made)
            values["single"] = listed(relief.single)
        values["told"] = sorted(told)
    values["next"] = {"": "quick", "quick": "long"}.get(search, "") if band is not None else ""
    return studio.pages.page("mends.html", request, kind=game.bands[document.kind], **values)


async def thought(future: Any) -> Any:
    """What a worker thinks of. Raises HTTPException when it died."""
    try:
        return await asyncio.wrap_future(future)
    except BrokenProcessPool:
        raise HTTPException(503, "a worker died; try again") from None


class Option(Struct, frozen=True):
    """A card that can be chosen for a field: what it is called and costs, what it says, why it does not go."""

    id: str
    title: str
    group: str
    cost: object
    text: str
    reason: str


async def options(request: Request) -> Response:
    """The cards for one field of the band that the form describes; those that do not go are told apart."""
    game, document = document_of(request, "bands", request.path_params["name"])
    studio, sent = studio_of(request), await sent_by(request)
    path = sent.one("_path") or ""
    target = field_at(document.fields, path)
    if target is None:
        raise HTTPException(404)
    of = target.of if target.type == "list" and target.of is not None else target
    if of.type == "record":
        of = next((sub for sub in of.fields.values() if sub.type == "card" and sub.required), of)
    found = [card for card in game.cards.values() if not of.kinds or card.kind in of.kinds]
    gone = bandroom.skipped(game, document) if of.type == "card" and path.count(".") > 0 else frozenset()
    found = [card for card in found if card.id not in gone]
    judged = sent.one("_judged") is not None
    reasons = await _reasons(request, document, game, path, [card.id for card in found], sent) if judged else {}
    if sent.one("_quick") is not None:
        return JSONResponse(reasons)
    shown = [
        Option(
            card.id,
            name_of(card.values, card.id),
            _group(game, card.kind, card.values),
            card.values.get("cost", card.values.get("points")),
            plain(str(card.values.get("effect") or card.values.get("rules") or card.values.get("flavour") or "")),
            reasons.get(card.id, ""),
        )
        for card in found
    ]
    shown.sort(key=lambda option: (option.group, bool(option.reason), option.title.lower()))
    values: dict[str, Any] = {"game": game, "document": document, "options": shown, "of_path": path, "judged": judged,
              "is_list": target.type == "list"}  # fmt: skip
    return studio.pages.page("options.html", request, **values)


async def _reasons(
    request: Request, document: Document, game: Game, path: str, ids: Sequence[str], sent: Sent
) -> dict[str, str]:
    """Why each of some cards does not go with the band that the form describes."""
    studio = studio_of(request)
    tree = said(studio.workshop, sent, document).tree
    band, _, _ = await asyncio.to_thread(bandroom.read_band, studio.workshop, document, tree, game)
    if band is None:
        return {}
    reasons: dict[str, str] = {}
    task, pool = bandroom.Task(await asyncio.to_thread(pickled, game), band), studio.previews.thinkers
    steps = tuple(int(part) if part.isdigit() else part for part in path.split("."))
    parts = [ids[n :: pool.jobs] for n in range(pool.jobs)]
    for answer in await asyncio.gather(
        *(thought(pool.submit(bandroom.reasons_against, task, steps, part)) for part in parts if part)
    ):
        reasons |= answer
    born = say(language(request), "born_with")
    return {id: born if reason == bandroom.BORN else reason for id, reason in reasons.items()}


def _group(game: Game, kind: str, values: Mapping[str, object]) -> str:
    """What a card is listed under: its kind, and its type where that is one of a few."""
    item = game.kinds[kind].fields.get("type")
    title = game.kinds[kind].title
    if item is not None and item.type == "choice":
        return f"{title}: {item.values.get(str(values.get('type')), '')}"
    return title


def field_at(fields: Mapping[str, Field], path: str) -> Field | None:
    """The field at a path such as `members.0.hands`; None when there is none."""
    head, _, rest = path.partition(".")
    found = fields.get(head)
    while found is not None and rest:
        head, _, rest = rest.partition(".")
        if found.type == "list" and head.isdigit():
            found = found.of
        elif found.type == "record":
            found = found.fields.get(head)
        else:
            return None
    return found


ROUTES = [
    Route("/g/{game}/bands", bands),
    Route("/g/{game}/bands/new", new_band, methods=["POST"]),
    Route("/g/{game}/bands/{name:path}/recruit", recruit, methods=["POST"]),
    Route("/g/{game}/bands/{name:path}/mends", mends, methods=["POST"]),
    Route("/g/{game}/bands/{name:path}/options", options, methods=["POST"]),
    Route("/g/{game}/bands/{name:path}", band),
]

"""What both editors do: preview while somebody types, save, undo, redo, remove."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from msgspec import structs
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cardgen.errors import FileProblem
from cardgen.faces.engines import Job
from cardgen.load.project import icon_names
from cardgen.load.trees import Tree, leaves
from cardgen.model.game import Field, Game
from cardgen.rules.engine import verdict_of
from cardgen.studio import bandroom, faces
from cardgen.studio.beginnings import still_begun
from cardgen.studio.broken import Broken
from cardgen.studio.conflicts import told
from cardgen.studio.documents import COPIES, TITLE, Document, revision
from cardgen.studio.forms import Makings, controls
from cardgen.studio.naming import label_of, title_of
from cardgen.studio.overwriting import save_over
from cardgen.studio.pages import language, said_of
from cardgen.studio.pictures import picture_names
from cardgen.studio.previews import Busy, Stale
from cardgen.studio.readable import readable
from cardgen.studio.saying import message, worded
from cardgen.studio.sent import Sent
from cardgen.studio.stated import said, texts_in, tree_in
from cardgen.studio.training import Training, beyond, fixed_on, limits_in, training, untold
from cardgen.studio.words import say
from cardgen.studio.workshop import Saved, Workshop

if TYPE_CHECKING:
    from cardgen.studio.app import Studio

MOST_FIELDS = 10_000
Shown = Mapping[str, Any]


def studio_of(request: Request) -> Studio:
    """What all requests share."""
    studio: Studio = request.app.state.studio
    return studio


async def picture_of(request: Request, name: str, job: Job, dpi: float, max_age: int) -> Response:
    """A picture that may wait for others, kept by the browser for `max_age` seconds. `name` is what it shows.

    Raises HTTPException 404 when the engine made no picture; answers 503 when there is too much to do.
    """
    try:
        drawn = await studio_of(request).previews.draw_later(name, job, dpi)
    except (Stale, Busy):
        return Response(status_code=503, headers={"retry-after": "1"})
    if not drawn.png:
        raise HTTPException(404)
    return Response(drawn.png, media_type="image/png", headers={"cache-control": f"private, max-age={max_age}"})


def source_of(request: Request) -> Game:
    """The game that an address names, as its files have it. Raises HTTPException 404."""
    game = studio_of(request).workshop.game(request.path_params["game"])
    if game is None:
        raise HTTPException(404, f"there is no game `{request.path_params['game']}`")
    return game


def game_of(request: Request) -> Game:
    """The game that an address names, in the language of the page if it has it. Raises HTTPException 404."""
    return studio_of(request).workshop.translated(source_of(request), language(request))


def document_of(request: Request, group: str, name: str) -> tuple[Game, Document]:
    """The card or band that an address names. Raises HTTPException 404, FileProblem for a broken file."""
    game, workshop = game_of(request), studio_of(request).workshop
    document = workshop.card(game, name) if group == "cards" else workshop.band(game, name)
    if document is None:
        # A card that was there a moment ago is missing because its file cannot be read: then that is the reason.
        broken = [item for item in workshop.report.sorted() if item.severity == "error" and group == "cards"]
        first = next((f"{item.span}: {message(language(request), item, game)}" for item in broken if item.span), "")
        raise HTTPException(404, first or f"there is no `{name}`")
    return game, document


async def sent_by(request: Request) -> Sent:
    """The fields of a form."""
    form = await request.form(max_fields=MOST_FIELDS, max_files=0)
    return Sent([(name, value) for name, value in form.multi_items() if isinstance(value, str)])


def done_already(request: Request, sent: Sent) -> bool:
    """Whether this very request was made before: a double click."""
    return not studio_of(request).once.first(sent.one("_once"))


def shown_by(
    request: Request, game: Game, document: Document, tree: Mapping[str, Tree], saved: Saved | None = None
) -> dict[str, Any]:
    """What the editor's body needs: controls, what the file says, what can be undone."""
    studio = studio_of(request)
    base = saved.base if saved is not None else tree
    trained = training_of(studio.workshop, game, document, tree)
    errors = worded(language(request), saved.errors, game) if saved is not None else {}
    errors = ranged(language(request), errors, tree, trained)
    makings = Makings(
        game,
        icon_names(studio.workshop.project.shelf, game.id),
        picture_names(studio.workshop.project.shelf, game.id),
        errors,
        translations(studio.workshop, game, document),
        trained.spans,
        bandroom.skipped(game, document),
        fixed_on(game, document.kind) if document.group == "cards" else {},
    )
    undo, redo = studio.workshop.histories.can(document.url)
    fields = titled(document, language(request))
    return {
        "game": game,
        "document": document,
        "controls": controls(fields, tree, makings),
        "tree": tree,
        "base": base,
        "revision": revision(base),
        "saved": saved,
        "conflicts": [told(item, fields, game) for item in saved.conflicts] if saved is not None else [],
        "undo": undo,
        "redo": redo,
        "general": errors.get("", ""),
        "untrained": trained.untrained,
        "taken": [title_of(path, fields, tree, game) for path in saved.taken] if saved is not None else [],
    }


def training_of(workshop: Workshop, game: Game, document: Document, tree: Mapping[str, Tree]) -> Training:
    """How far what a band's entries are trained in goes, of all that can be read of it; nothing of a card."""
    if document.group != "bands":
        return Training({}, {})
    kind = game.bands[document.kind]
    entries = tree.get(kind.entries)
    spans = untold(game, kind, len(entries) if isinstance(entries, list) else 0)
    band, places = readable(workshop, document, tree, game)
    if band is None:
        return Training(spans, {})
    found = training(game, band, places)
    return structs.replace(found, spans=spans | found.spans)


def ranged(lang: str, errors: Mapping[str, str], tree: Mapping[str, Tree], trained: Training) -> dict[str, str]:
    """What is wrong, by path; of a trained value that is out of any range it says that of its type."""
    texts, found = dict(leaves(dict(tree))), dict(errors)
    for path in errors:
        span, text = trained.spans.get(path), texts.get(path, "").strip()
        if span is not None and beyond(span, text):
            plain = not span.fixed and span.least != span.most
            allowed = {"found": text, "least": span.least, "most": span.most}
            found[path] = say(lang, "span_beyond", **allowed) if plain else said_of(lang, span)
    return found


def translations(workshop: Workshop, game: Game, document: Document) -> dict[str, str]:
    """What a card says in the language of the page, where that is not the one that is edited, by path."""
    if document.group != "cards" or game.lang == game.source:
        return {}
    start = f"{document.id}/"
    texts = workshop.texts(game, game.lang)
    return {context.removeprefix(start): text for context, text in texts.items() if context.startswith(start)}


def titled(document: Document, lang: str) -> dict[str, Field]:
    """The fields of a document; those that every card or band has are called as Studio calls them."""
    fields = dict(document.fields)
    if fields.get("title") == TITLE:
        fields["title"] = structs.replace(TITLE, title=say(lang, "title"))
    if fields.get("copies") == COPIES:
        fields["copies"] = structs.replace(COPIES, title=say(lang, "copies"), about=say(lang, "copies_about"))
    return fields


# --- saving ----------------------------------------------------------------------------------------------------------


async def save(request: Request) -> Response:
    """Write what the form says, or say why not."""
    studio = studio_of(request)
    _, document = document_of(request, request.path_params["group"], request.path_params["name"])
    sent = await sent_by(request)
    form = said(studio.workshop, sent, document)
    base, tree, stated = form.base, form.tree, form.again
    choices = {name[2:]: texts[-1] for name, texts in sent.values.items() if name.startswith("c.") and texts[-1]}
    if sent.one("_over"):
        saved = await asyncio.to_thread(save_over, studio.workshop, document, base, tree)
        stated = True
    else:
        saved = await asyncio.to_thread(studio.workshop.save, document, base, tree, choices)
    again = stated or bool(saved.taken) or bool(choices) or (saved.conflicts != () and saved.conflicts[0].path == "")
    answer = _answer(request, document, saved, again)
    if form.did:
        # What waits on the page is about places in lists, which this has moved.
        answer.headers["X-Studio-Did"] = quote(form.did, safe=":.")
    return answer


def _answer(request: Request, document: Document, saved: Saved, again: bool) -> Response:
    studio = studio_of(request)
    game = game_of(request)
    name = "editor_body.html" if again else "editor_state.html"
    answer = studio.pages.page(name, request, **shown_by(request, game, document, saved.tree, saved))
    if again:
        answer.headers["HX-Retarget"] = "#editor-body"
        answer.headers["HX-Reswap"] = "innerHTML"
    return answer


async def step(request: Request) -> Response:
    """Undo or redo; what others did since stays."""
    studio, back = studio_of(request), request.path_params["action"] == "undo"
    _, document = document_of(request, request.path_params["group"], request.path_params["name"])
    change = studio.workshop.histories.step(document.url, back)
    if change is None:
        try:
            tree = studio.workshop.tree(document) or {}
        except Broken as error:
            raise HTTPException(422, broken_in_words(language(request), error)) from None
        return _answer(request, document, Saved(tree, tree, True), True)
    now, then = change
    saved = await asyncio.to_thread(studio.workshop.save, document, now, then, {}, False)
    if saved.written:
        studio.workshop.histories.stepped(document.url, back)
    return _answer(request, document, saved, True)


async def remove(request: Request) -> Response:
    """Remove a card from its file, or a band's file."""
    studio = studio_of(request)
    game, document = document_of(request, request.path_params["group"], request.path_params["name"])
    sent = await sent_by(request)
    saved = await asyncio.to_thread(studio.workshop.save, document, tree_in(sent, "_base") or None, None)
    if not saved.written:
        return _answer(request, document, saved, True)
    return Response(status_code=204, headers={"HX-Redirect": f"/g/{game.id}/{document.group}"})


def told_by(
    errors: Mapping[str, str], document: Document, tree: Mapping[str, Tree], game: Game
) -> list[tuple[str, str]]:
    """What is wrong, with what the page calls the field that it is about."""
    return [(title_of(path, document.fields, tree, game) if path else "", text) for path, text in errors.items()]


def broken_in_words(lang: str, error: Broken) -> str:
    """That a file is no valid YAML, and where."""
    return say(lang, "broken_at", file=error.span.file, line=error.span.line, text=error.line)


# --- previews --------------------------------------------------------------------------------------------------------


async def preview(request: Request) -> Response:
    """The picture of what the form says, problems by field, and for a band its verdict."""
    studio = studio_of(request)
    game, document = document_of(request, request.path_params["group"], request.path_params["name"])
    sent = await sent_by(request)
    tree = said(studio.workshop, sent, document).tree
    wish = faces.Wish(
        lang=sent.one("_lang") or game.source,
        side="back" if sent.one("_side") == "back" else "front",
        entry=int(text) if (text := sent.one("_entry") or "").isdigit() else 0,
    )
    scale = sent.one("_scale") or ""
    dpi = 110.0 * min(2.0, max(1.0, float(scale) if scale.replace(".", "", 1).isdigit() else 1.0))
    answer: dict[str, Any] = {}
    lang = language(request)
    if document.group == "bands":
        look = await asyncio.to_thread(faces.band_look, studio.workshop, document, tree, wish, game)
        trained = await asyncio.to_thread(training_of, studio.workshop, game, document, tree)
        errors = ranged(lang, worded(lang, look.errors, game), tree, trained)
        told = told_by(errors, document, tree, game)
        applied = texts_in(sent, "_applied")
        values = {"game": game, "document": document, "look": look, "told": told, "applied": applied}
        answer["panel"] = studio.pages.text("band_panel.html", request, **values)
    else:
        look = await asyncio.to_thread(faces.card_look, studio.workshop, document, tree, wish, game)
        errors = worded(lang, look.errors, game)
        verdict = verdict_of(look.findings or ())
        told = told_by(errors, document, tree, game)
        begun = [label_of(name, document.fields[name]) for name in still_begun(document.fields, tree, game)]
        panel: dict[str, Any] = {"game": game, "look": look, "verdict": verdict, "begun": begun, "told": told}
        limits = limits_in(game.kinds[document.kind])
        # What was left out on purpose is no problem; whoever forgot it wants to know.
        panel["unlimited"] = label_of(*limits) if limits is not None and not tree.get(limits[0]) else ""
        panel["limits"] = f"f-{limits[0]}" if limits is not None else ""
        answer["panel"] = studio.pages.text("card_panel.html", request, **panel)
    answer["errors"] = errors
    fields = titled(document, language(request))
    answer["warnings"] = {}
    if look.job is not None:
        page = f"{sent.one('_page') or ''}{document.url}"[:200]
        try:
            drawn = await studio.previews.draw(page, look.job, dpi)
        except Stale:
            return Response(status_code=204)
        except Busy:
            return Response(status_code=503, headers={"retry-after": "1"})
        problems = await asyncio.to_thread(faces.findings, studio.workshop, look, drawn, lang)
        answer["warnings"] = dict(problems)
        if drawn.png:
            trim = look.job.faces[0].trim.size
            answer["png"] = "data:image/png;base64," + base64.b64encode(drawn.png).decode()
            answer["size"] = [trim.width, trim.height]
            answer["alt"] = say(language(request), "preview_of", name=look.title)
    if document.group == "bands":
        answer["spans"] = {
            path: [span.printed, said_of(language(request), span), span.least, span.most, span.fixed]
            for path, span in trained.spans.items()
        }
        answer["untrained"] = {
            path: studio.pages.text("untrained.html", request, game=game, of=found)
            for path, found in trained.untrained.items()
        }
    told_of = {*answer["errors"], *answer["warnings"]} - {""}
    answer["titles"] = {path: title_of(path, fields, tree, game) for path in told_of}
    return JSONResponse(answer)


ACTIONS = {"preview": preview, "save": save, "undo": step, "redo": step, "remove": remove}


async def act(request: Request) -> Response:
    """One of the actions on a document."""
    if request.path_params["group"] not in {"cards", "bands"} or request.path_params["action"] not in ACTIONS:
        raise HTTPException(404)
    try:
        return await ACTIONS[request.path_params["action"]](request)
    except Broken as error:
        raise HTTPException(422, broken_in_words(language(request), error)) from None
    except FileProblem as error:
        raise HTTPException(422, str(error)) from None


ROUTES = [Route("/g/{game}/{group}/{name:path}/{action}", act, methods=["POST"])]

"""Fills Studio's own pages."""

from __future__ import annotations

import json
import secrets
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from starlette.requests import Request
from starlette.responses import HTMLResponse

from cardgen import __version__
from cardgen.rules.engine import label, said_lack
from cardgen.rules.phrases import Phrase
from cardgen.studio.documents import person_of
from cardgen.studio.naming import label_of, name_of
from cardgen.studio.saying import phrase
from cardgen.studio.tongues import language_name
from cardgen.studio.training import Span
from cardgen.studio.words import LANGUAGES, chosen, say

if TYPE_CHECKING:
    from cardgen.studio.app import Studio

LANG_COOKIE = "studio-lang"


def say_change(lang: str, change: Phrase) -> str:
    """A change that would mend something, in words."""
    return say(lang, f"mend_{change.id}", **dict(change.values))


def said_of(lang: str, span: Span) -> str:
    """How far a value may be trained, in words."""
    if not span.printed:
        return f"{span.fixed}." if span.fixed else ""
    if span.fixed:
        return say(lang, "span_fixed", printed=span.printed, reason=span.fixed)
    if span.least == span.most != "":
        return say(lang, "span_none", printed=span.printed)
    if span.most == span.printed:
        return say(lang, "span_lower", printed=span.printed, least=span.least)
    return say(lang, "span", printed=span.printed, least=span.least, most=span.most)


@pass_context
def _phrased(context: Context, text: str) -> str:
    """What the program says, in the page's language."""
    return phrase(context["lang"], text)


@pass_context
def _figure(context: Context, value: Any) -> str:
    """A figure as the page's game says it."""
    game = context.get("game")
    return label(value, game.says) if game is not None else label(value)


class Pages:
    """Studio's templates. They are the program's, not the project's: nothing of a user's is ever run here."""

    def __init__(self) -> None:
        self.environment = Environment(
            loader=FileSystemLoader(Path(__file__).parent / "pages"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.environment.globals.update(
            label_of=label_of,
            once=partial(secrets.token_urlsafe, 12),
            language_name=language_name,
            person_of=person_of,
            name_of=name_of,
            said_lack=said_lack,
            version=__version__,
            languages=LANGUAGES,
        )
        self.environment.filters["figure"] = _figure
        self.environment.filters["phrased"] = _phrased
        self.environment.filters["json"] = partial(json.dumps, ensure_ascii=False)

    def text(self, name: str, request: Request, **values: Any) -> str:
        """A template as text."""
        studio: Studio = request.app.state.studio
        lang = language(request)
        common = {
            "t": partial(say, lang),
            "say_change": partial(say_change, lang),
            "said_of": partial(said_of, lang),
            "lang": lang,
            "token": studio.token,
            "project": studio.workshop.project,
            "path": request.url.path,
            "here": str(request.url.path) + (f"?{request.url.query}" if request.url.query else ""),
            "game": None,
            "found_by": studio.workshop.found_by,
            "games": {id: studio.workshop.translated(game, lang) for id, game in studio.workshop.project.games.items()},
        }
        return self.environment.get_template(name).render({**common, **values})

    def page(self, name: str, request: Request, status: int = 200, **values: Any) -> HTMLResponse:
        """A template as an answer."""
        return HTMLResponse(self.text(name, request, **values), status)


def language(request: Request) -> str:
    """The language of a request's page."""
    return chosen(request.cookies.get(LANG_COOKIE), request.headers.get("accept-language", ""))

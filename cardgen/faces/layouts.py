"""The Jinja environment of layouts: loading, what a layout states about itself, and filling it with a card."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from types import FrameType
from typing import Any

from jinja2 import (
    BaseLoader,
    Environment,
    TemplateError,
    TemplateNotFound,
    TemplateRuntimeError,
    TemplateSyntaxError,
    nodes,
)
from jinja2.meta import find_referenced_templates
from markupsafe import Markup, escape
from msgspec import Struct

from cardgen.diagnostics import Report, Span, did_you_mean
from cardgen.errors import FileProblem
from cardgen.faces import assets
from cardgen.faces.engines import BY_PROFILE, DEFAULT_ENGINE
from cardgen.faces.fit import FIELD_PATH, fit_mark
from cardgen.faces.views import CardsView, game_view, ink_view, trim_view
from cardgen.files import MAX_LAYOUT, Shelf
from cardgen.model.card import Card, card_view
from cardgen.model.face import LeaveOut, Side
from cardgen.model.game import Game
from cardgen.model.trim import Trim
from cardgen.text.bounds import Exhausted, kind_of
from cardgen.text.decode import decode_text
from cardgen.text.markup import to_html, to_inline_html
from cardgen.text.sandbox import Sandbox, TooMuch, reason, split_hint

MAX_HTML = 1_000_000
# Stands for a face's code until the face is filled: the code is a hash of all the rest. Letters of no alphabet, so that
# no text holds them.
CODE_MARK = "\uf8c0\uf8c1\uf8c2\uf8c3\uf8c4\uf8c5"


# What templates state, for a process that stays: they seldom change.
_MOST_TOLD = 500
_TOLD: dict[tuple[str, str, str], tuple[Mapping[str, Any], tuple[str, ...]]] = {}


class _ShelfLoader(BaseLoader):
    """Loads layouts by their name below `layouts/`, from the shelf only."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Any]:
        file = f"layouts/{template}"
        try:
            if self.shelf.find(file) is None:
                raise TemplateNotFound(template)
            data = self.shelf.read(file, MAX_LAYOUT)
        except FileProblem as error:
            raise TemplateRuntimeError(str(error)) from None
        own = Report()
        text = decode_text(data, file, own)
        if text is None:
            wrong = own.items[0]
            raise TemplateSyntaxError(wrong.message, wrong.span.line if wrong.span else 1, template, file)
        return text, file, lambda: True


class Layout(Struct, frozen=True):
    """A layout that compiled: its name, the engine, the style sheets and the profile it states."""

    name: str
    engine: str
    css: tuple[str, ...]
    profile: str = ""


class _Filling(Struct):
    """The face that is being filled: macros reach it through the environment's globals."""

    layout: str
    game: Game
    fits: dict[str, float]


class Layouts:
    """Compiles the layouts of a shelf once and fills them. Problems are reported, not raised."""

    def __init__(self, shelf: Shelf, report: Report, codes: bool = False) -> None:
        self.report = report
        self.assets = assets.Assets(shelf)
        self._code = CODE_MARK if codes else ""
        # where addresses that lead nowhere were asked for first, by layout
        self.asked: dict[str, dict[str, Span]] = {}
        self._found: dict[str, bool] = {}
        self.environment = Sandbox(loader=_ShelfLoader(shelf), autoescape=True, cache_size=400, auto_reload=False)
        self.environment.filters["markup"] = self._markup
        self.environment.filters["inline"] = self._inline
        self.environment.globals.update(icon_url=self._icon_url, art_url=self._art_url, fit_style=self._fit_style)
        self._known: dict[str, Layout | None] = {}
        self._sources: dict[str, tuple[str, list[str]]] = {}
        self._filling: _Filling | None = None
        # what all faces of a game see, and the addresses of its icons: made once, for the last game
        self._game: Game | None = None
        self._view: dict[str, object] = {}
        self._cards = CardsView()
        self._icons: dict[tuple[str, str | None], str] = {}

    def get(self, name: str) -> Layout | None:
        """The layout `game/name`, or None after reporting (once) what is wrong with it."""
        if name not in self._known:
            self._known[name] = self._read(name)
        return self._known[name]

    def _read(self, name: str) -> Layout | None:
        file = f"{name}.html.j2"
        assert self.environment.loader is not None
        try:
            source, _, _ = self.environment.loader.get_source(self.environment, file)
            stated, _ = self._told(source, file, f"layouts/{file}")
            self.environment.get_template(file)
        except TemplateSyntaxError as error:
            span = Span(error.filename or f"layouts/{file}", error.lineno, 1)
            problem, hint = split_hint(_reason(error))
            self.report.add("CG301", span, hint, problem=problem)
            return None
        except (TemplateError, RecursionError) as error:
            # A layout that is not there was told where the kind names it.
            if not isinstance(error, TemplateNotFound):
                self.report.add("CG301", Span(f"layouts/{file}", 1, 1), problem=_reason(error))
            return None
        if not source.strip():
            self.report.add("CG009", Span(f"layouts/{file}", 1, 1))
            return None
        css = stated.get("css", [])
        if not isinstance(css, list) or not all(isinstance(item, str) for item in css):
            problem = '`css` is not a list of style sheets, as in `{% set css = ["game/card.css"] %}`'
            self.report.add("CG301", Span(f"layouts/{file}", 1, 1), problem=problem)
            return None
        profile = str(stated.get("profile", ""))
        return Layout(
            name,
            str(stated.get("engine", BY_PROFILE.get(profile, DEFAULT_ENGINE))),
            tuple(css),
            profile,
        )

    def templates(self, layout: Layout) -> Iterator[tuple[str, str]]:
        """File and text of a layout and of all that it includes, imports or extends by name."""
        todo, seen = [f"{layout.name}.html.j2"], set[str]()
        while todo:
            file = todo.pop()
            if file in seen:
                continue
            seen.add(file)
            if file not in self._sources:
                self._sources[file] = self._source(file)
            source, named = self._sources[file]
            if source:
                yield f"layouts/{file}", source
            todo += named

    def _source(self, file: str) -> tuple[str, list[str]]:
        """The text of a template and the templates it names; nothing when filling it will report what is wrong."""
        assert self.environment.loader is not None
        try:
            source, _, _ = self.environment.loader.get_source(self.environment, file)
            return source, list(self._told(source, file, f"layouts/{file}")[1])
        except (TemplateError, FileProblem, RecursionError):
            return "", []

    def _told(self, source: str, file: str, where: str) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        """What a template sets to constants, and the templates it names: told by its text. Raises TemplateSyntaxError."""
        found = _TOLD.get((source, file, where))
        if found is None:
            if len(_TOLD) >= _MOST_TOLD:
                _TOLD.clear()
            tree = self.environment.parse(source, file, where)
            named = tuple(name for name in find_referenced_templates(tree) if name is not None)
            found = _TOLD[source, file, where] = _constants(tree), named
        return found

    def fill(
        self, layout: Layout, card: Card, game: Game, side: Side, trim: Trim, leave_out: tuple[LeaveOut, ...]
    ) -> tuple[str, dict[str, float]] | None:
        """The HTML of a face and its fitted fields with their least scale; None after reporting why not."""
        fields = game.kinds[card.kind].fields
        context: dict[str, object] = {
            "card": {"id": card.id, "kind": card.kind, **card.values},
            "titles": {
                name: field.values.get(str(card.values[name]), "")
                for name, field in fields.items()
                if field.type == "choice"
            },
            "face": {
                "side": side,
                "lang": game.lang,
                "trim": trim_view(trim),
                "code": self._code,
                **ink_view(leave_out),
            },
        }
        return self._fill(layout, game, context, f"{card.id}/{side}", [*card.values, *context])

    def fill_page(
        self,
        layout: Layout,
        game: Game,
        trim: Trim,
        context: Mapping[str, object],
        label: str,
        side: Side = "front",
        leave_out: tuple[LeaveOut, ...] = (),
    ) -> tuple[str, dict[str, float]] | None:
        """As `fill`, for a page or a panel that is about no one card."""
        face = {"side": side, "lang": game.lang, "trim": trim_view(trim), "code": self._code, **ink_view(leave_out)}
        return self._fill(layout, game, {**context, "face": face}, label, list(context))

    def _fill(
        self, layout: Layout, game: Game, context: Mapping[str, object], label: str, known: list[str]
    ) -> tuple[str, dict[str, float]] | None:
        self._filling = _Filling(layout.name, game, {})
        self.environment.restart()
        try:
            template = self.environment.get_template(f"{layout.name}.html.j2")
            html = template.render(game=self._view_of(game), labels=game.labels, **context)
            if len(html) > MAX_HTML:
                raise TooMuch(f"the face is larger than {MAX_HTML} characters")
        except Exception as error:  # whatever a layout makes of its values is the layout's mistake
            self._report(error, layout, label, game.lang, known)
            if isinstance(error, (Exhausted, RecursionError)):
                self._known[layout.name] = None  # it would take as long for every card
            return None
        finally:
            fits = self._filling.fits
            self._filling = None
        return html, fits

    def _view_of(self, game: Game) -> dict[str, object]:
        """A game as layouts see it, with its cards by id for those that follow a reference."""
        if self._game is not game:
            self._game, self._icons = game, {}
            self._cards = CardsView({id: card_view(card) for id, card in game.cards.items()})
            self._view = {**game_view(game), "cards": self._cards}
        self._cards.read = False
        return self._view

    @property
    def read_cards(self) -> bool:
        """Whether the last face that was filled has read other cards than its own."""
        return self._cards.read

    def _report(self, error: Exception, layout: Layout, label: str, lang: str, known: list[str]) -> None:
        file = f"layouts/{layout.name}.html.j2"
        problem, hint = split_hint(_reason(error))
        if any(item.code == "CG310" and item.arguments["problem"] == problem for item in self.report.items):
            return  # the text was told about where it stands
        undefined = re.fullmatch(r"there is no `(\w+)`", problem)
        if undefined and not hint:
            hint = did_you_mean(undefined[1], [*known, "game", "labels"])
        span = Span(*_place(error, file))
        self.report.add("CG302", span, hint, face=label, lang=lang, problem=problem)

    def _current(self) -> _Filling:
        if self._filling is None:
            raise TooMuch("macros that draw need a face; call them from a layout")
        return self._filling

    def _icon_url(self, name: str, colour: str | None = None) -> str:
        known = self._icons.get((name, colour)) if isinstance(name, str) and isinstance(colour, str | None) else None
        return known or self._find_icon(name, colour)

    def _find_icon(self, name: str, colour: str | None) -> str:
        game = self._current().game
        if not isinstance(name, str):
            raise TooMuch(f"an icon is called by its name, not by {kind_of(name)}")
        die = game.dice.get(name)
        if die is not None:
            return assets.die_url(game.id, die.icon, die.letter, die.colour, colour or die.ink)
        url = self._noted(assets.icon_url(game.id, name, colour))
        if self._found[url]:
            self._icons[name, colour] = url
        return url

    def _art_url(self, file: str) -> str:
        if not isinstance(file, str):
            raise TooMuch(f"a picture is called by the name of its file, not by {kind_of(file)}")
        return self._noted(assets.art_url(self._current().game.id, file))

    def _noted(self, url: str) -> str:
        """The address; when it leads nowhere, the line of the layout that asks for it is kept for the message."""
        if url not in self._found:
            try:
                self._found[url] = self.assets.file(url) is not None
            except FileProblem:
                self._found[url] = False
        if not self._found[url]:
            span = _calling()
            if span is not None:
                self.asked.setdefault(self._current().layout, {}).setdefault(url, span)
        return url

    def _fit_style(self, field: str, least: float = 0.7) -> str:
        if not FIELD_PATH.fullmatch(field):
            raise ValueError(f"`{field}` is not a name for a fitted box: use letters, digits, `_`, `-` and dots")
        self._current().fits[field] = min(1.0, max(0.3, float(least)))
        return fit_mark(field)

    def _icon(self, name: str) -> str:
        return f'<img class="icon" src="{escape(self._icon_url(name))}" alt="">'

    def _markup(self, text: str | None) -> Markup:
        return to_html(text or "", self._icon)

    def _inline(self, text: str | None) -> Markup:
        return to_inline_html(text or "", self._icon)


def _constants(tree: nodes.Template) -> dict[str, Any]:
    """What the layout sets to a constant at its top level: read without running it."""
    found: dict[str, Any] = {}
    for node in tree.body:
        if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name) and isinstance(node.node, nodes.Expr):
            try:
                found[node.target.name] = node.node.as_const()
            except nodes.Impossible:
                continue
    return found


def _place(error: Exception, file: str) -> tuple[str, int, int]:
    # Jinja rewrites tracebacks so that template frames carry the template's name and line.
    places = []
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name.startswith("layouts/"):
            places.append((name, trace.tb_lineno, 1))
        trace = trace.tb_next
    if not places:
        return file, 1, 1
    # Where a circle of calls happens to end says nothing; where it begins does.
    return places[0] if isinstance(error, RecursionError) else places[-1]


def _calling() -> Span | None:
    """The line of a layout that is being run, rather than the one of a shared macro that it calls."""
    frame: FrameType | None = sys._getframe()
    found = None
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith("layouts/"):
            # Jinja keeps which line of its Python comes from which line of the template, the way it marks tracebacks.
            pairs = (pair.split("=") for pair in frame.f_globals.get("debug_info", "").split("&") if pair)
            lines = [int(line) for line, code in pairs if int(code) <= frame.f_lineno]
            found = Span(name, lines[-1] if lines else 1, 1)
            if not name.startswith("layouts/_base/"):
                return found
        frame = frame.f_back
    return found


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "macros or includes call each other without end"
    if isinstance(error, TemplateNotFound):
        return f"there is no layout `{error.name}`"
    return reason(error)


def unknown_engine(layout: Layout, engines: Mapping[str, Any], report: Report) -> bool:
    """Report a layout whose engine does not exist."""
    if layout.engine in engines:
        return False
    span = Span(f"layouts/{layout.name}.html.j2", 1, 1)
    report.add("CG303", span, did_you_mean(layout.engine, engines), engine=layout.engine)
    return True

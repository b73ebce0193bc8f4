"""Makes faces: a card and a layout become markup with a key that changes whenever the picture would."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from sys import intern
from typing import TYPE_CHECKING, Any

from msgspec import structs

from cardgen.diagnostics import Report, Span, nearest
from cardgen.errors import FileProblem
from cardgen.faces.assets import Assets, font_url, foreign_in_css, urls_in, urls_of_css
from cardgen.faces.engines import ENGINES
from cardgen.faces.filled import Filled, MadeOf
from cardgen.faces.findings import REFUSED_HINT, is_told
from cardgen.faces.layouts import CODE_MARK, Layout, Layouts, unknown_engine
from cardgen.faces.lint import Linter
from cardgen.faces.pictures import Pictures
from cardgen.faces.views import game_view
from cardgen.files import MAX_STYLE
from cardgen.geometry import Box, box_points, inscribed
from cardgen.model.card import Card, Deck, back_of
from cardgen.model.cutout import Panel
from cardgen.model.face import Face, LeaveOut, Side
from cardgen.model.font import FontRole, can_draw
from cardgen.model.game import Game
from cardgen.model.project import Project
from cardgen.model.sheet import SheetWords
from cardgen.model.trim import Trim
from cardgen.text.decode import decode_text

if TYPE_CHECKING:
    from cardgen.model.component import Component

# A letter behind a tag, before the first, or behind one that never ends.
_SPOKEN = re.compile(r"(?:^|>)\s*[^<\s]|<[^>]*\Z")


class FaceMaker:
    """Fills layouts for one project; keeps what many faces share (layouts, style sheets, font hashes)."""

    def __init__(
        self,
        project: Project,
        report: Report,
        filled: Filled | None = None,
        take: Callable[[Face], None] = lambda face: None,
    ) -> None:
        """`filled` has faces of earlier times; `take` is given each face of a card or a component when it is made."""
        self.project = project
        self._take = take
        self.filled = filled
        self._shared: dict[tuple[object, ...], MadeOf] = {}
        self.assets = Assets(project.shelf)
        self.layouts = Layouts(project.shelf, report, project.codes)
        # Fonts that cannot be used are told once, not wherever one of their roles is named.
        roles = project.fonts if can_draw(project.fonts) else ()
        self.linter = Linter(self.layouts, self.assets, roles, report)
        self.pictures = Pictures(self.assets, roles, report)
        self.report = report
        self._styles: dict[Layout, str | None] = {}
        self._fonts = fonts_digest(self.assets, project.fonts)
        # what the keys of a layout's faces have in common, hashed once: its style is long
        self._begun: dict[tuple[object, ...], Any] = {}

    def make(
        self, card: Card, game: Game, side: Side, leave_out: tuple[LeaveOut, ...] = (), deck: Deck | None = None
    ) -> Face | None:
        """One side of a card, printed as part of `deck`, or None when it has no such side or after reporting why it
        failed."""
        kind = game.kinds[card.kind]
        name = kind.front if side == "front" else back_of(card, deck, kind.back)
        trim = self.project.trims.get(kind.trim)
        found = self._layout(name) if trim is not None else None
        if name is None or trim is None or found is None:
            return None
        layout, style = found
        made_of = self._made_of(layout, style, card, game, trim, side, leave_out)
        kept = self.filled.find(made_of, self.pictures.digests) if self.filled is not None and made_of else None
        if kept is not None:
            face = _face_of(layout, kept.key, kept.markup, kept.fits, f"{card.id}/{side}", game, trim, side, leave_out)
            self._take(face)
            return face
        before = len(self.report.items)
        filled = self.layouts.fill(layout, card, game, side, trim, leave_out)
        if filled is None:
            return None
        face = self._face(layout, style, filled, f"{card.id}/{side}", game, trim, side, leave_out, card)
        # What was told must be told again, and what shows other cards changes with these.
        if self.filled is not None and made_of and len(self.report.items) == before and not self.layouts.read_cards:
            urls = tuple(map(intern, urls_in(face.html)))  # most are on many faces
            if self.pictures.are_sound(urls):
                self.filled.keep(made_of, face.key, face.markup, filled[1], urls, self.pictures.digests(urls))
        self._take(face)
        return face

    def _made_of(
        self,
        layout: Layout,
        style: str,
        card: Card,
        game: Game,
        trim: Trim,
        side: Side,
        leave_out: tuple[LeaveOut, ...],
    ) -> bytes | None:
        """A hash of all that a face is made of, but for its pictures; None when nobody asks, or it cannot be told."""
        if self.filled is None:
            return None
        name = (layout, game.id, game.lang, trim, side, leave_out)
        if name not in self._shared:
            sources = (style, tuple(self.layouts.templates(layout)), self._fonts, self.project.codes)
            self._shared[name] = MadeOf(name, sources, game_view(game), game.labels)
        return self._shared[name].digest(self.filled.of_card(card))

    def make_flow(
        self,
        name: str,
        context: Mapping[str, object],
        game: Game,
        trim: Trim,
        label: str,
        leave_out: tuple[LeaveOut, ...] = (),
    ) -> Face | None:
        """A text that runs over pages as large as `trim`, or None after reporting why it failed."""
        face = self.make_page(name, context, game, trim, label, leave_out)
        return None if face is None else structs.replace(face, flow=True)

    def make_page(
        self,
        name: str,
        context: Mapping[str, object],
        game: Game,
        trim: Trim,
        label: str,
        leave_out: tuple[LeaveOut, ...] = (),
    ) -> Face | None:
        """A page that is about no card and no component, or None after reporting why it failed."""
        found = self._layout(name)
        if found is None:
            return None
        layout, style = found
        words = structs.asdict(self.project.words.get(game.lang, SheetWords()))
        filled = self.layouts.fill_page(layout, game, trim, {**context, "words": words}, label, leave_out=leave_out)
        return (
            None if filled is None else self._face(layout, style, filled, label, game, trim, "front", leave_out, None)
        )

    def make_panel(
        self, panel: Panel, component: Component, game: Game, leave_out: tuple[LeaveOut, ...] = ()
    ) -> Face | None:
        """The face of a panel of a component, or None after reporting why it failed."""
        found = self._layout(panel.layout)
        if found is None:
            return None
        layout, style = found
        words = structs.asdict(self.project.words.get(game.lang, SheetWords()))
        context = {"piece": panel.values, "shape": shape_view(panel), "words": words}
        filled = self.layouts.fill_page(layout, game, panel.trim, context, panel.label, panel.side, leave_out)
        if filled is None:
            return None
        shown = panel.values.get("card")
        card = game.cards.get(str(shown.get("id"))) if isinstance(shown, Mapping) else None
        face = self._face(layout, style, filled, panel.label, game, panel.trim, panel.side, leave_out, card, component)
        self._take(face)
        return face

    def _layout(self, name: str | None) -> tuple[Layout, str] | None:
        layout = self.layouts.get(name) if name is not None else None
        if layout is None or unknown_engine(layout, ENGINES, self.report):
            return None
        style = self._style(layout)
        return None if style is None else (layout, style)

    def _face(
        self,
        layout: Layout,
        style: str,
        filled: tuple[str, dict[str, float]],
        label: str,
        game: Game,
        trim: Trim,
        side: Side,
        leave_out: tuple[LeaveOut, ...],
        card: Card | None,
        component: Component | None = None,
    ) -> Face:
        html, fits = filled
        urls = urls_in(html)
        key = self._key(layout, trim, game.lang, html, style, leave_out, urls)
        if CODE_MARK in html:
            from cardgen.model.ledger import code_of

            html = html.replace(CODE_MARK, code_of(key))
        asked = self.layouts.asked.get(layout.name, {})
        self.pictures.report_face(urls, html, layout.name, asked, game, card, component)
        owner = component.id if component is not None else ""
        return _face_of(layout, key, html.encode(), fits, label, game, trim, side, leave_out, owner)

    def _style(self, layout: Layout) -> str | None:
        if layout not in self._styles:
            self.linter.lint(layout)
            texts: list[str] | None = []
            for name in layout.css:
                text = self._sheet(name, layout)
                if text is None or texts is None:
                    texts = None
                    continue
                urls = urls_of_css(name, text)
                texts += [text, *self.pictures.digests(urls)]
                self.pictures.report_style(name, text)
                self._refuse(name, text)
            self._styles[layout] = None if texts is None else "\n".join(texts)
        return self._styles[layout]

    def _refuse(self, name: str, text: str) -> None:
        """Report the addresses in a style sheet that lead out of the project, used or not."""
        file = f"layouts/{name}"
        for address, at in foreign_in_css(name, text):
            span = Span(file, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
            if not is_told(self.report, span):
                self.report.add("CG325", span, REFUSED_HINT, address=address)

    def _sheet(self, name: str, layout: Layout) -> str | None:
        shelf, file = self.project.shelf, f"layouts/{name}"
        try:
            return decode_text(shelf.read(file, MAX_STYLE), file, self.report)
        except FileProblem as error:
            known = [other.removeprefix("layouts/") for other in shelf.names("layouts", ".css")]
            guess = nearest(name, known) if name not in known else None
            hint = f"did you mean `{guess}`?" if guess else ""
            self.report.add("CG001", Span(f"layouts/{layout.name}.html.j2", 1, 1), hint, problem=str(error))
        return None

    def _key(
        self,
        layout: Layout,
        trim: Trim,
        lang: str,
        html: str,
        style: str,
        leave_out: tuple[LeaveOut, ...],
        urls: list[str],
    ) -> str:
        # What says nothing looks alike in every language: the sides of a car are drawn once for all of them.
        spoken = lang if _SPOKEN.search(html) else ""
        begun = self._begun.get((layout, trim, spoken, leave_out))
        if begun is None:
            parts = [layout.engine, layout.name, repr(trim), spoken, repr(leave_out), self._fonts, style, ""]
            begun = hashlib.sha256("\0".join(parts).encode())
            self._begun[layout, trim, spoken, leave_out] = begun
        digest = begun.copy()
        digest.update("\0".join([html, *self.pictures.digests(urls)]).encode())
        key: str = digest.hexdigest()
        return key


def _face_of(
    layout: Layout,
    key: str,
    markup: bytes,
    fits: Mapping[str, float],
    label: str,
    game: Game,
    trim: Trim,
    side: Side,
    leave_out: tuple[LeaveOut, ...],
    owner: str = "",
) -> Face:
    return Face(
        key, label, game.id, layout.name, side, trim, game.lang, layout.engine, layout.css, markup, fits, leave_out, owner
    )  # fmt: skip


def fonts_digest(assets: Assets, roles: Mapping[str, FontRole]) -> str:
    """A hash of the roles and of every font file in them."""
    digest = hashlib.sha256()
    for id, role in sorted(roles.items()):
        digest.update(f"{id}{role.faces}{role.fallback}{sorted(role.languages.items())}".encode())
        own = [face for tweak in role.languages.values() for face in tweak.faces]
        for face in (*role.faces, *own):
            digest.update(assets.digest(font_url(face.file)).encode())
    return digest.hexdigest()


def shape_view(panel: Panel) -> dict[str, object]:
    """What a layout knows of the form that shows: its size, its points, the middle and radius of the room in it (mm)."""
    size = panel.trim.size
    points = panel.shape or box_points(Box(0.0, 0.0, size.width, size.height))
    x, y, radius = inscribed(points)
    return {
        "width": size.width,
        "height": size.height,
        "points": points,
        "centre": {"x": round(x, 3), "y": round(y, 3)},
        "radius": round(radius, 3),
    }

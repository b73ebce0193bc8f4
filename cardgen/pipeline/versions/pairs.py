"""Pages of cards side by side: before and now, or source and translation, with the texts that differ beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Literal

from msgspec import Struct

from cardgen.diagnostics import Report
from cardgen.errors import CardgenError
from cardgen.faces.make import FaceMaker
from cardgen.geometry import Box, Matrix, Size
from cardgen.load.project import icon_names
from cardgen.model.drawing import Drawing
from cardgen.model.face import Face, Rendering
from cardgen.model.game import Game, Print
from cardgen.model.product import Product
from cardgen.model.project import Project
from cardgen.model.sheet import Imposition, Imprint, Piece, Placement, Sheet
from cardgen.pdf.writer import write_pdf
from cardgen.pipeline.draw import draw
from cardgen.pipeline.fonts import label_fonts
from cardgen.pipeline.odds import card_with_odds
from cardgen.pipeline.roster import ONE_UP, PAGE
from cardgen.pipeline.versions.shown import Part, Shown, shown
from cardgen.workers import Workers

LAYOUT = "_base/pairs"
# Millimetres, as in layouts/_base/pairs.css: where rows begin, where the two cards stand, and how large they may be.
ROWS, LEFTS, ROOM = (21.0, 88.0, 155.0, 222.0), (12.0, 63.0), Size(49.0, 65.0)
# How many characters a line of a table of texts has, that of its names, and how many lines a page, with room to spare.
TEXT_LINE, FIELD_LINE, PAGE_LINES = 54, 22, 68
_WORD = re.compile(r"\s+|[^\s]+")


class Line(Struct, frozen=True):
    """A text of a pair: what it was or is in the source, what it is now or in the translation, an older source."""

    field: str
    before: str
    after: str
    state: str = ""
    was: str = ""
    # whether `before` and `after` are of one language, so that what differs can be marked
    compared: bool = True


class Pair(Struct, frozen=True):
    """One card on both sides; a side that it is not on has no face."""

    id: str
    title: str
    state: str
    left: Face | None
    right: Face | None
    lines: tuple[Line, ...]


def pairs_pdf(
    project: Project,
    game: Game,
    what: Literal["diff", "review"],
    title: str,
    pairs: Sequence[Pair],
    drawn: Mapping[str, Rendering],
    workers: Workers,
    report: Report,
    texts: Sequence[Line] = (),
) -> bytes:
    """The pages as a PDF called `title`; `drawn` are the renderings of the pairs' faces. Raises CardgenError when a page fails.

    `texts` stand on no card; pages of them come behind, as tables.
    """
    maker = FaceMaker(project, report)
    look = _Look(game, frozenset((*icon_names(project.shelf, game.id), *game.dice)))
    tables = list(_tables(texts))
    chunks = [pairs[start : start + len(ROWS)] for start in range(0, len(pairs), len(ROWS))]
    chunks += [()] * len(tables)
    pages: list[Face] = []
    for number, chunk in enumerate(chunks, 1):
        table = tables[number - 1 - len(chunks)] if not chunk else []
        context = {
            "page": {"what": what, "title": title, "number": number, "total": len(chunks)},
            "rows": [_row(pair, top, look) for pair, top in zip(chunk, ROWS, strict=False)],
            "lines": [_line(line, line.field, look) for line in table],
        }
        face = maker.make_page(LAYOUT, context, game, PAGE, f"{what}/{number}")
        if face is None:
            raise CardgenError("the pages could not be made; see the problems above")
        pages.append(face)
    printed = Print(what, title, game.version, "", None, (), None, "none", next(iter(game.prints.values())).span)
    pieces = tuple(Piece(face.key, None, face.label, 1, bleed=False) for face in pages)
    product = Product(game, printed, PAGE, ONE_UP, "none", pieces, {face.key: face for face in pages})
    by_key = dict(drawn)
    for rendering in draw(project, [product], workers, report):
        by_key |= dict.fromkeys(rendering.keys, rendering)
    if any(face.key not in by_key for face in pages):
        raise CardgenError("the pages could not be drawn; see the problems above")
    sheets = tuple(
        _sheet(number, page, chunk, by_key) for number, (page, chunk) in enumerate(zip(pages, chunks, strict=True), 1)
    )
    imprint = Imprint(title, "", game.lang, game.credits)
    imposition = Imposition(sheets, ONE_UP, imprint, PAGE.size)
    used = {id(by_key[placement.face]): by_key[placement.face] for sheet in sheets for placement in sheet.placements}
    return write_pdf(imposition, list(used.values()), label_fonts(project))


def _tables(texts: Sequence[Line]) -> Iterator[list[Line]]:
    """The texts, page by page: as many as fill one by their length."""
    page: list[Line] = []
    height = 0
    for line in texts:
        longest = max(_lines(line.before) + _lines(line.was), _lines(line.after), _lines(line.field, FIELD_LINE))
        if page and height + longest > PAGE_LINES:
            yield page
            page, height = [], 0
        page.append(line)
        height += longest + 1
    if page:
        yield page


def _lines(text: str, width: int = TEXT_LINE) -> int:
    return sum(1 + len(part) // width for part in text.split("\n")) if text else 0


def differing(before: str, after: str) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """Both texts in parts, word by word: what is gone from the first, what is new in the second."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    left: list[dict[str, str]] = []
    right: list[dict[str, str]] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if a < b:
            left.append({"kind": "same" if kind == "equal" else "del", "text": "".join(old[a:b])})
        if c < d:
            right.append({"kind": "same" if kind == "equal" else "ins", "text": "".join(new[c:d])})
    return left, right


class _Look(Struct, frozen=True):
    """What is needed to show a text: which ones are rich, and the icons that there are."""

    game: Game
    icons: frozenset[str]

    def of(self, parts: Sequence[Part], context: str) -> list[Shown]:
        source = self.game.strings.get(context)
        return shown(parts, source is not None and source.rich, self.icons)


def _row(pair: Pair, top: float, look: _Look) -> dict[str, object]:
    face = pair.left or pair.right
    size = _shrunk(face)[0] if face is not None else ROOM
    return {
        "id": pair.id,
        "title": pair.title,
        "state": pair.state,
        "top": top,
        "width": size.width,
        "height": size.height,
        "lines": [_line(line, f"{pair.id}/{line.field}", look) for line in pair.lines],
    }


def _line(line: Line, context: str, look: _Look) -> dict[str, object]:
    if line.compared:
        before, after = differing(line.before, line.after)
    else:
        before, after = ([{"kind": "same", "text": text}] if text else [] for text in (line.before, line.after))
    was: list[dict[str, str]] = []
    if line.was:
        # Of a source that changed both what is gone and what came in is marked.
        was, before = differing(line.was, line.before)
    sides = {name: look.of(parts, context) for name, parts in (("before", before), ("after", after), ("was", was))}
    return {"field": line.field, "state": line.state, **sides}


def _shrunk(face: Face) -> tuple[Size, float]:
    size = face.trim.size
    scale = min(1.0, ROOM.width / size.width, ROOM.height / size.height)
    return Size(round(size.width * scale, 3), round(size.height * scale, 3)), scale


def _sheet(number: int, page: Face, pairs: Iterable[Pair], drawn: Mapping[str, Rendering]) -> Sheet:
    whole = Box(0.0, 0.0, PAGE.size.width, PAGE.size.height)
    placements = [Placement(page.key, page.label, whole, whole, Matrix())]
    placements += [placement for pair, top in zip(pairs, ROWS, strict=False) for placement in _cards(pair, top, drawn)]
    return Sheet(number, "front", PAGE.size, tuple(placements), Drawing(), trim=whole, bleed=whole)


def _cards(pair: Pair, top: float, drawn: Mapping[str, Rendering]) -> Iterator[Placement]:
    for face, left in zip((pair.left, pair.right), LEFTS, strict=True):
        if face is not None and face.key in drawn:
            size, scale = _shrunk(face)
            box = Box(left, top, size.width, size.height)
            yield Placement(face.key, pair.id, box, box, Matrix(scale, 0.0, 0.0, scale, left, top))


def faces_of(game: Game, ids: Iterable[str], maker: FaceMaker) -> dict[str, Face]:
    """The front of each card that has one, in the language of the game."""
    found = {}
    for id in ids:
        card = game.cards.get(id)
        if card is not None and card.sound and game.kinds[card.kind].front is not None:
            shown = card if "odds" in card.values else card_with_odds(game, card, maker.report)
            face = maker.make(shown, game, "front", ())
            if face is not None:
                found[id] = face
    return found


def draw_faces(
    project: Project, game: Game, faces: Iterable[Face], workers: Workers, report: Report
) -> dict[str, Rendering]:
    """The renderings of faces by key; of each trim and layout they are drawn together."""
    by_key = {face.key: face for face in faces}
    printed = Print("pairs", "", game.version, "", None, (), None, "none", next(iter(game.prints.values())).span)
    product = Product(game, printed, PAGE, ONE_UP, "none", (), by_key)
    found: dict[str, Rendering] = {}
    for rendering in draw(project, [product], workers, report):
        found |= dict.fromkeys(rendering.keys, rendering)
    return found

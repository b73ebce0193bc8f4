"""The boxes that texts must fit: how large, how much fits at full size, how small a language has to be set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cardgen.diagnostics import Report
from cardgen.faces.fit import fits
from cardgen.model.face import Fit
from cardgen.model.game import Game
from cardgen.model.product import Product
from cardgen.model.project import Project
from cardgen.pipeline.draw import draw
from cardgen.pipeline.products import Options, make_products
from cardgen.pipeline.targets import Target
from cardgen.text.markup import plain
from cardgen.workers import Workers


@dataclass(frozen=True, slots=True)
class Boxed:
    """A text of a card in its box. Lengths in mm; `scale` is 1 at full size, `fill` the part of the height in use."""

    context: str
    layout: str
    field: str
    lang: str
    characters: int
    width: float
    height: float
    scale: float
    tight: bool
    fill: float
    overflow: float


def boxed_texts(
    project: Project, games: Iterable[Game], languages: Iterable[str], workers: Workers, report: Report
) -> list[Boxed]:
    """Every text of a card that stands in a fitted box, as it is drawn in each language.

    What is wrong with faces and texts is for a check to tell: `report` gets only what kept them from being drawn.
    """
    targets = [
        Target(game, lang, tuple(item for item in game.prints.values() if not item.components and not item.booklet))
        for game in games
        for lang in languages
        if lang in game.languages
    ]
    quiet = Report()
    products = make_products(project, targets, Options(), quiet)
    renderings = draw(project, products, workers, quiet)
    report.extend(item for item in quiet.items if item.code in ("CG221", "CG302", "CG303", "CG322"))
    measured: dict[str, list[Fit]] = {}
    for rendering in renderings:
        for fit in rendering.fits:
            measured.setdefault(fit.key, []).append(fit)
    found: dict[tuple[str, str, str], Boxed] = {}
    for product in products:
        for item in _of_product(product, measured):
            found.setdefault((product.game.id, item.lang, item.context), item)
    return list(found.values())


def _of_product(product: Product, measured: Mapping[str, list[Fit]]) -> Iterable[Boxed]:
    game = product.game
    faces = {key: product.faces[key] for key in product.faces}
    for piece in product.pieces:
        for key in filter(None, (piece.front, piece.back)):
            for fit in measured.get(key, ()):
                context = f"{piece.label}/{fit.field}"
                source = game.strings.get(context)
                if source is None:
                    continue
                text = game.words.get(context, source.text)
                yield Boxed(
                    context,
                    faces[key].layout,
                    fit.field,
                    game.lang,
                    len(plain(text, "x") if source.rich else text),
                    fit.box.width,
                    fit.box.height,
                    fit.scale,
                    fit.tight,
                    fit.content.height / fit.box.height if fit.box.height else 0.0,
                    0.0 if fits(fit) else fit.overflow,
                )


def notes_of(texts: Iterable[Boxed]) -> dict[str, str]:
    """For each text what a translator should know of its box: its size, and how many characters fit at full size."""
    boxes: dict[tuple[str, str, float, float], list[Boxed]] = {}
    for text in texts:
        boxes.setdefault((text.layout, text.field, round(text.width, 1), round(text.height, 1)), []).append(text)
    notes = {}
    for (_, _, width, height), there in boxes.items():
        about, count = room_of(there)
        note = f"box {width:g} × {height:g} mm; at full size it holds {about} {count} characters"
        notes.update(dict.fromkeys((text.context for text in there), note))
    return notes


def room_of(texts: list[Boxed]) -> tuple[str, int]:
    """How many characters a box holds at full size, from the texts that were set in it: `about` or `at least` so many.

    What had to be set smaller fits at its scale; a box that is filled from half its height up is taken to fill evenly;
    of one whose texts all have room, only the longest is known to fit.
    """
    longest = max(text.characters for text in texts)
    known = [text.characters * text.scale**2 for text in texts if text.scale < 1]
    known += [
        text.characters / text.fill for text in texts if text.scale == 1 and text.fill >= 0.5 and text.height > 10
    ]
    if not known:
        return "at least", longest
    whole = [text.characters for text in texts if text.scale == 1]
    return "about", round(max([*known, *whole]))


def tightest(texts: Iterable[Boxed], count: int) -> list[Boxed]:
    """The texts that overflow, then those that had to be set smallest, then the fullest boxes."""
    return sorted(texts, key=lambda text: (-text.overflow, text.scale, not text.tight, -text.fill, text.context))[
        :count
    ]

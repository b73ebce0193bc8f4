"""From a product, its faces filled, to what the ledger keeps of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from msgspec import structs

from cardgen.diagnostics import Report
from cardgen.errors import FileProblem
from cardgen.faces.assets import Assets, art_url, urls_of_css
from cardgen.faces.layouts import Layouts
from cardgen.faces.make import fonts_digest
from cardgen.geometry import Polygon
from cardgen.model.card import Card
from cardgen.model.cutout import Cutout
from cardgen.model.game import Game
from cardgen.model.ledger import PrintedItem, PrintedWith, Snapshot, face_id
from cardgen.model.product import Product
from cardgen.model.project import Project
from cardgen.pipeline.ledger.values import shortened, texts_of
from cardgen.pipeline.products import Options


class Snapshots:
    """Makes snapshots of one project's products; keeps the hashes of fonts, layouts and pictures that many share."""

    def __init__(self, project: Project) -> None:
        self._assets = Assets(project.shelf)
        # What is wrong with a layout was told where its faces were made.
        self._layouts = Layouts(project.shelf, Report())
        self._fonts = face_id(fonts_digest(self._assets, project.fonts))
        self._codes = project.codes
        self._known: dict[str, str] = {}
        self._pictures: dict[str, str] = {}

    def of(self, product: Product, options: Options) -> Snapshot:
        """All that is printed of a product, as these options have it."""
        game = product.game
        items: dict[str, PrintedItem] = {}
        for piece in product.pieces:
            back = (face_id(piece.back),) if piece.back else ()
            card = game.cards.get(piece.label)
            title = _title(piece.label, card, game)
            values = {} if card is None else self._values(card, game)
            items[piece.label] = PrintedItem(title, piece.copies, (face_id(piece.front),), back, "", values)
        for cutout in product.cutouts:
            if cutout.copies > 0:
                items[_free(cutout.label, items)] = _cutout(cutout)
        names = sorted({face.layout for face in product.faces.values()})
        layouts = {name: self._layout(name) for name in names}
        with_options = structs.replace(printed_with(options), codes=self._codes)
        return Snapshot(
            game.id, game.lang, product.print.id, product.print.version, with_options, self._fonts, layouts, items
        )

    def _values(self, card: Card, game: Game) -> dict[str, str]:
        kind = game.kinds[card.kind]
        # Derived fields follow from the others.
        found = texts_of({name: card.values.get(name) for name in kind.fields})
        for name, field in kind.fields.items():
            file = card.values.get(name)
            if field.type == "image" and isinstance(file, str):
                found[name] = f"{file} #{self._picture(art_url(game.id, file))}"
        return found

    def _picture(self, url: str) -> str:
        if url not in self._pictures:
            self._pictures[url] = self._assets.digest(url)[:8]
        return self._pictures[url]

    def _layout(self, name: str) -> str:
        """A hash of a layout, of what it includes, of its styles and the pictures in those."""
        if name not in self._known:
            layout = self._layouts.get(name)
            parts = [name]
            if layout is not None:
                parts += [text for file in sorted(self._layouts.templates(layout)) for text in file]
                parts += [part for css in layout.css for part in self._style(css)]
            self._known[name] = _digest(parts)
        return self._known[name]

    def _style(self, css: str) -> list[str]:
        try:
            text = self._assets.css(css)
        except FileProblem as problem:
            return [str(problem)]
        return [text, *(self._picture(url) for url in urls_of_css(css, text))]


def printed_with(options: Options) -> PrintedWith:
    """What of the options of a build changes the look of faces."""
    wish = options.wish
    return PrintedWith(
        no_backgrounds=options.no_backgrounds and not options.low_ink,
        low_ink=options.low_ink,
        backs="none" if options.backs == "none" else None,
        size=None if wish.size is None else round(wish.size, 6),
        scale=wish.scale,
        sets=wish.sets,
    )


def _title(label: str, card: Card | None, game: Game) -> str:
    if card is not None:
        return shortened(str(card.values.get("name") or label)) or label
    component = game.components.get(label.partition("/")[0])
    return shortened(component.title) if component is not None and component.title else label


def _free(label: str, taken: Mapping[str, PrintedItem]) -> str:
    """The label, numbered when a component has several cutouts of that name."""
    number, free = 1, label
    while free in taken:
        number += 1
        free = f"{label}#{number}"
    return free


def _cutout(cutout: Cutout) -> PrintedItem:
    front = tuple(face_id(panel.key) for panel in cutout.panels if panel.side == "front")
    back = tuple(face_id(panel.key) for panel in cutout.panels if panel.side == "back")
    # The values of a net's many faces would only repeat each other.
    values = texts_of(cutout.panels[0].values) if len(front) == 1 else {}
    shape = "" if cutout.is_card else _shape(cutout)
    return PrintedItem(shortened(cutout.title) or cutout.label, cutout.copies, front, back, shape, values)


def _shape(cutout: Cutout) -> str:
    """A hash of how a cutout is cut, folded and glued, and of where its faces lie, to a hundredth of a millimetre."""
    parts = [_points([(cutout.size.width, cutout.size.height)]), f"{cutout.bleed:.2f}"]
    parts += [_points(line) for lines in (cutout.cuts, cutout.slits) for line in (*lines, ())]
    parts += [f"{fold.kind} {_points(fold.line)}" for fold in cutout.folds]
    parts += [f"{_points(glue.area)} {glue.name} {glue.meets}" for glue in cutout.glue]
    parts += [f"{_points([(note.x, note.y)])} {note.text}" for note in cutout.notes]
    for panel in cutout.panels:
        corners = [panel.matrix.apply(*point) for point in ((0.0, 0.0), (100.0, 0.0), (0.0, 100.0))]
        parts += [panel.side, _points(corners), _points(panel.outline or ())]
    return _digest(parts)


def _points(points: Iterable[tuple[float, float]] | Polygon) -> str:
    # Adding 0.0 makes 0.00 of -0.00.
    return " ".join(f"{round(x, 2) + 0.0:.2f},{round(y, 2) + 0.0:.2f}" for x, y in points)


def _digest(parts: Iterable[str]) -> str:
    return face_id(hashlib.sha256("\0".join(parts).encode()).hexdigest())

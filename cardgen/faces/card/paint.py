"""Paints display lists: the items of a face become the operators of a PDF page, and the parts that these name.

The page is trim and bleed. Its contents work in CSS pixels from the trim's corner, y downwards, as the display list.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import ceil, floor

from msgspec import Struct

from cardgen.errors import PictureProblem
from cardgen.faces.assets import Assets
from cardgen.faces.card import outlines
from cardgen.faces.card.canvas import Canvas, Parts, Piece, State
from cardgen.faces.card.display import (
    BLACK,
    SQUARE,
    Area,
    Border,
    Colour,
    Drawing,
    Group,
    Item,
    Kept,
    Picture,
    Rect,
    Text,
    Tiles,
)
from cardgen.faces.card.fonts import FontSet, opened
from cardgen.faces.card.outlines import box, nums, rounded
from cardgen.faces.card.pictures import Hard, Pictures, Raster, use_of
from cardgen.faces.card.svg import SvgPainter
from cardgen.faces.card.svg_read import Svg, parse, placed
from cardgen.faces.card.uses import coarsest
from cardgen.model.painted import Blob, Painted, PaintedFace, Part, PictureUse
from cardgen.model.trim import Trim

_MOST_PIECES = 1500
_PX_PER_MM, _PT_PER_PX, _PT_PER_MM = 96 / 25.4, 0.75, 72 / 25.4


class Paintings(Struct, frozen=True):
    """What painting a rendering's faces has come to."""

    painted: Painted
    pictures: tuple[PictureUse, ...]
    # (address of a picture, why it could not be drawn); (key of a face, the same of a drawing in it)
    undrawn: tuple[tuple[str, str], ...]
    failures: tuple[tuple[str, str], ...]
    # addresses that lead out of the project
    refused: tuple[str, ...]


def paint(faces: Iterable[tuple[str, tuple[Item, ...]]], assets: Assets, trim: Trim, fontset: FontSet) -> Paintings:
    """Paint faces, given by key and items, one after the other.

    A face with a drawing of its own that cannot be drawn is among the failures, and not among the faces.
    """
    painter = _Painter(assets, trim, fontset)
    done: list[PaintedFace] = []
    failures: list[tuple[str, str]] = []
    for key, items in faces:
        try:
            done.append(painter.face(items))
        except PictureProblem as problem:
            failures.append((key, f"a drawing in it cannot be drawn: {problem}"))
        except Exception as error:  # one face must not take the others with it
            failures.append((key, f"{type(error).__name__}: {error}".splitlines()[0][:300]))
    parts, pictures = painter.parts, painter.pictures
    files = tuple(Blob(opened(digest).data) for digest in sorted(parts.fonts))
    painted = Painted(tuple(done), tuple(parts.parts[key] for key in sorted(parts.parts)), files)
    uses = coarsest(use for face in done for use in face.pictures)
    return Paintings(painted, uses, tuple(pictures.undrawn.items()), tuple(failures), tuple(pictures.refused))


class _Painter:
    """Paints the faces of one rendering: holds what they share."""

    def __init__(self, assets: Assets, trim: Trim, fontset: FontSet) -> None:
        self.parts = Parts()
        self.pictures = Pictures(assets, self.parts, fontset)
        self._fontset = fontset
        bleed, height = trim.bleed * _PT_PER_MM, (trim.size.height + trim.bleed) * _PT_PER_MM
        self._start = f"{_PT_PER_PX} 0 0 -{_PT_PER_PX} {nums(bleed, height)} cm\n"
        edge = trim.bleed * _PX_PER_MM
        width, tall = (side * _PX_PER_MM + 2 * edge for side in (trim.size.width, trim.size.height))
        self._page: Rect = (-edge, -edge, width, tall)
        self._forms: dict[tuple[Svg, Rect], Part] = {}
        self._pieces: dict[tuple[Kept, State], tuple[Piece, tuple[PictureUse, ...]]] = {}
        # Of the face that is being painted.
        self._uses: list[PictureUse] = []

    def face(self, items: tuple[Item, ...]) -> PaintedFace:
        """Paint one face. Raises PictureProblem for a drawing in it that cannot be drawn."""
        canvas = Canvas(self.parts)
        canvas.op(self._start)
        self._uses = []
        self._items(canvas, items)
        return PaintedFace(*canvas.finish(), coarsest(self._uses))

    def _items(self, canvas: Canvas, items: tuple[Item, ...]) -> None:
        for item in items:
            if isinstance(item, Text):
                canvas.text(item)
            elif isinstance(item, Area):
                if item.colour[3] > 0 and item.rect[2] > 0 and item.rect[3] > 0:
                    canvas.fill(item.colour)
                    canvas.op(f"{rounded(item.rect, item.radii)}f\n")
            elif isinstance(item, Border):
                _border(canvas, item)
            elif isinstance(item, Picture):
                self._picture(canvas, item)
            elif isinstance(item, Kept):
                self._kept(canvas, item)
            elif isinstance(item, Tiles):
                self._tiles(canvas, item)
            elif isinstance(item, Drawing):
                self._drawing(canvas, item)
            else:
                self._group(canvas, item)

    def _kept(self, canvas: Canvas, kept: Kept) -> None:
        """Paint what many faces show alike: once from each state that it is painted from."""
        key = kept, canvas.state
        found = self._pieces.get(key)
        if found is not None and found[0].before in (None, canvas.pen):
            canvas.replay(found[0])
            self._uses += found[1]
            return
        if len(self._pieces) >= _MOST_PIECES:
            self._pieces.clear()
        others, self._uses = self._uses, []
        piece = canvas.record(lambda: self._items(canvas, kept.items))
        self._pieces[key] = piece, tuple(self._uses)
        self._uses = others + self._uses

    def _group(self, canvas: Canvas, group: Group) -> None:
        if group.opacity <= 0:
            return
        if group.opacity < 1:
            inner = Canvas(self.parts, is_form=True)
            self._moved(inner, group)
            canvas.do(inner.form(self._page, is_group=True), group.opacity)
            return
        with canvas.saved():
            self._moved(canvas, group)

    def _moved(self, canvas: Canvas, group: Group) -> None:
        if group.matrix is not None:
            canvas.move(group.matrix)
        if group.clip is not None:
            canvas.clip(rounded(group.clip, group.radii))
        self._items(canvas, group.items)

    def _picture(self, canvas: Canvas, item: Picture) -> None:
        x, y, width, height = item.rect
        if width <= 0 or height <= 0:
            return
        picture = self.pictures.get(item.url)
        clip = ""
        if item.clip is not None or item.radii != SQUARE:
            clip = rounded(item.clip or item.rect, item.radii)
        if isinstance(picture, Raster):
            self._uses.append(use_of(item.url, picture, width, height))
            canvas.place(picture.part, (width, 0, 0, -height, x, y + height), clip)
            return
        if isinstance(picture, Hard):
            drawn = self.pictures.by_reference(item.url, width, height)
            if drawn is None:
                self._picture(canvas, item)
            else:
                canvas.place(drawn, (1 / _PT_PER_PX, 0, 0, -1 / _PT_PER_PX, x, y + height), clip)
            return
        (a, b, c, d, e, f), shown = placed(picture, width, height)
        try:
            canvas.place(self._form(picture, shown), (a, b, c, d, e + x, f + y), clip)
        except PictureProblem as problem:
            self.pictures.harden(item.url, problem)
            self._picture(canvas, item)

    def _tiles(self, canvas: Canvas, item: Tiles) -> None:
        (x, y, width, height), (left, top, wide, high) = item.tile, item.clip
        if min(width, height, wide, high) <= 0:
            return
        columns = range(floor((left - x) / width), ceil((left + wide - x) / width))
        rows = range(floor((top - y) / height), ceil((top + high - y) / height))
        # A row is a form that is drawn again for each row: a fine pattern has very many tiles.
        inner = Canvas(self.parts, is_form=True)
        for column in columns:
            self._picture(inner, Picture(item.url, (column * width, 0.0, width, height)))
        row = inner.form((columns.start * width, 0.0, len(columns) * width, height))
        with canvas.saved():
            canvas.clip(rounded(item.clip, item.radii))
            for number in rows:
                canvas.place(row, (1, 0, 0, 1, x, y + number * height))

    def _form(self, svg: Svg, shown: Rect) -> Part:
        """The form of a drawing, made once for each part of its plane that is shown."""
        key = (svg, shown)
        if key not in self._forms:
            inner = Canvas(self.parts, is_form=True)
            self._svg(inner, svg, BLACK)
            self._forms[key] = inner.form(shown)
        return self._forms[key]

    def _drawing(self, canvas: Canvas, item: Drawing) -> None:
        x, y, width, height = item.rect
        if width <= 0 or height <= 0:
            return
        svg = parse(item.svg.encode())
        (a, b, c, d, e, f), shown = placed(svg, width, height)
        with canvas.saved():
            canvas.move((a, b, c, d, e + x, f + y))
            canvas.clip(box(shown))
            self._svg(canvas, svg, item.colour)

    def _svg(self, canvas: Canvas, svg: Svg, ink: Colour) -> None:
        if svg.has_text or svg.is_large:
            SvgPainter(svg, canvas, self._fontset, ink).draw()
        else:
            canvas.paste(_textless(svg, ink))


# Kept over the jobs of a process, as `parse` keeps what it read: the same art is on most faces.
@lru_cache(maxsize=512)
def _textless(svg: Svg, ink: Colour) -> Canvas:
    canvas = Canvas(Parts(), is_form=True)
    SvgPainter(svg, canvas, None, ink).draw()
    return canvas


@lru_cache(maxsize=10_000)
def _plain_ring(border: Border) -> str:
    """The ring of a border that is the same on all sides and solid; empty for any other."""
    same = len(set(border.styles)) == len(set(border.colours)) == 1 and min(border.widths) > 0
    return outlines.ring(border) if same and border.styles[0] == "solid" and border.colours[0][3] > 0 else ""


def _border(canvas: Canvas, border: Border) -> None:
    ring = _plain_ring(border)
    if ring:
        canvas.fill(border.colours[0])
        canvas.op(f"{ring}f*\n")
        return
    sides = list(outlines.visible_sides(border))
    looks = {(border.styles[side], border.colours[side]) for side in sides}
    is_even = len(sides) == 4 and len(looks) == 1 and len(set(border.widths)) == 1
    is_square = border.radii == SQUARE
    if is_even and not is_square:
        sides = sides[:1]
    for side in sides:
        with canvas.saved():
            if not is_even:
                canvas.clip(outlines.side(border, side))
            if border.styles[side] == "solid":
                canvas.fill(border.colours[side])
                canvas.op(f"{outlines.ring(border)}f*\n")
                continue
            if not is_even:
                canvas.clip(outlines.ring(border), "W*")
            canvas.stroke(border.colours[side])
            canvas.op(outlines.dashes(border, side) if is_square else outlines.round_dashes(border, side))

"""The order in which the parts of a face are drawn (CSS 2, appendix E), as the display list that paint takes."""

from __future__ import annotations

from msgspec import Struct, field

from cardgen.faces.assets import Assets
from cardgen.faces.card.boxes import Box
from cardgen.faces.card.breaking import extent
from cardgen.faces.card.display import (
    SQUARE,
    Area,
    Border,
    Drawing,
    Group,
    Item,
    Kept,
    Picture,
    Radii,
    Rect,
    Text,
    Tiles,
)
from cardgen.faces.card.fragments import Fragment, Shown
from cardgen.faces.card.natural import natural_of
from cardgen.faces.card.replaced import background_size
from cardgen.faces.card.style import CORNERS, Style
from cardgen.faces.card.values import used

_BLOCKS = frozenset(["block", "table", "flex"])


class _Layer(Struct):
    """What is drawn together: blocks first, then what is in lines, then parts that have layers of their own."""

    blocks: list[Item] = field(default_factory=list)
    content: list[Item] = field(default_factory=list)
    # (order, items)
    layers: list[tuple[int, list[Item]]] = field(default_factory=list)


def display_list(face: Fragment, assets: Assets) -> tuple[tuple[Item, ...], frozenset[str]]:
    """What a laid out face shows, in the order it is drawn in, from the trim's upper left corner; and the characters in
    it that no font has."""
    lister = _Lister(assets)
    return tuple(lister.own_layer(face, face.x, face.y)), frozenset(lister.missing)


class _Lister:
    def __init__(self, assets: Assets) -> None:
        self.assets = assets
        self.missing: set[str] = set()

    def own_layer(
        self, part: Fragment, x: float, y: float, layers: list[tuple[int, list[Item]]] | None = None
    ) -> list[Item]:
        """The items of a part that is drawn at once. With `layers`, parts inside that have layers go there instead."""
        box = part.box
        assert box is not None
        style = box.style
        layer = _Layer() if layers is None else _Layer(layers=layers)
        before: list[Item] = []
        if box.kind == "inline":
            self._in_line(part, x, y, layer)
        elif box.kind == "table":
            self._table(part, x, y, before)
        else:
            self._decorate(part, x, y, before)
        if box.kind == "picture":
            self._picture(part, x, y, layer.content)
        elif box.is_apart:
            for child in part.inside:
                self._part(child, x + child.x, y + child.y, layer)
        elif box.kind != "inline":
            for child in part.inside:
                self._visit(child, x + child.x, y + child.y, layer)
        own = [] if layers is not None else sorted(layer.layers, key=lambda entry: entry[0])
        inside = [item for order, items in own if order < 0 for item in items]
        inside += layer.blocks
        inside += layer.content
        inside += [item for order, items in own if order >= 0 for item in items]
        if style.overflow != "visible" and inside and box.kind != "picture":
            rect, radii = _padding_box(part, x, y)
            inside = [Group(tuple(inside), rect, radii)]
        items = before + inside
        if style.transform is not None and items:
            items = [Group(tuple(items), matrix=matrix_of(part, x, y))]
        if style.opacity < 1 and items:
            items = [Group(tuple(items), opacity=style.opacity)]
        return items

    def _part(self, part: Fragment, x: float, y: float, layer: _Layer) -> None:
        """An absolute part of a face; what faces have alike is listed once."""
        assert part.box is not None
        if not part.box.is_settled:
            self._visit(part, x, y, layer)
            return
        shown = part.shown
        if shown is None or shown.x != x or shown.y != y:
            own, others = _Layer(), self.missing
            self.missing = set()
            self._visit(part, x, y, own)
            layers: list[tuple[int, list[Item]]] = [(order, [Kept(tuple(items))]) for order, items in own.layers]
            shown = part.shown = Shown(x, y, layers, frozenset(self.missing))
            self.missing = others
        layer.layers += shown.layers
        self.missing |= shown.missing

    def _visit(self, part: Fragment, x: float, y: float, layer: _Layer) -> None:
        box = part.box
        if box is None:
            self._row(part, x, y, layer)
            return
        if box.kind == "text":
            self._text(part, x, y, layer.content)
            return
        style = box.style
        if has_own_layer(style):
            layer.layers.append((style.z_index or 0, self.own_layer(part, x, y)))
        elif style.position != "static":
            at = len(layer.layers)
            layer.layers.insert(at, (0, self.own_layer(part, x, y, layer.layers)))
        elif box.kind == "inline-block":
            layer.content += self.own_layer(part, x, y, layer.layers)
        elif box.kind == "inline":
            self._in_line(part, x, y, layer)
        else:
            if box.kind == "table":
                self._table(part, x, y, layer.blocks)
            elif box.kind in _BLOCKS or box.kind == "picture":
                self._decorate(part, x, y, layer.blocks)
            if box.kind == "picture":
                self._picture(part, x, y, layer.content)
            for child in part.inside:
                self._visit(child, x + child.x, y + child.y, layer)

    def _in_line(self, part: Fragment, x: float, y: float, layer: _Layer) -> None:
        self._decorate(part, x, y, layer.content)
        self._row(part, x, y, layer)

    def _row(self, part: Fragment, x: float, y: float, layer: _Layer) -> None:
        """What stands in a line, or in an inline box."""
        for child in part.inside:
            box = child.box
            if box is not None and box.kind == "text":
                self._text(child, x + child.x, y + child.y, layer.content)
            else:
                self._visit(child, x + child.x, y + child.y, layer)

    # --- what is drawn --------------------------------------------------------------------------------------------

    def _decorate(self, part: Fragment, x: float, y: float, items: list[Item]) -> None:
        """Background and border."""
        box = part.box
        assert box is not None
        if box.style.is_painted and box.style.visibility == "visible":
            self._background(part, box.style, x, y, items)
            self._border(part, box, x, y, items)

    def _background(self, part: Fragment, style: Style, x: float, y: float, items: list[Item]) -> None:
        rect = (x, y, part.width, part.height)
        radii = radii_of(part, style)
        if style.background_color[3] > 0:
            items.append(Area(rect, style.background_color, radii))
        image = style.background_image
        if image is None:
            return
        natural = natural_of(self.assets, image.url)
        if natural is None or 0 in (natural.width, natural.height):
            return
        top, right, bottom, left = part.border
        wide, high = part.width - left - right, part.height - top - bottom
        width, height = background_size(natural, style.background_size, wide, high)
        if not width or not height:
            return
        across, along = style.background_position
        at = (x + left + used(across, wide - width), y + top + used(along, high - height), width, height)
        if style.background_repeat == "no-repeat":
            items.append(Picture(image.url, at, rect, radii))
        else:
            items.append(Tiles(image.url, at, rect, radii))

    def _border(self, part: Fragment, box: Box, x: float, y: float, items: list[Item]) -> None:
        style = box.style
        if box.borders is not None or not any(part.border):
            return
        items.append(
            Border(
                (x, y, part.width, part.height),
                part.border,
                (style.border_top_style, style.border_right_style, style.border_bottom_style, style.border_left_style),
                (style.border_top_color, style.border_right_color, style.border_bottom_color, style.border_left_color),
                radii_of(part, style),
            )
        )

    def _table(self, part: Fragment, x: float, y: float, items: list[Item]) -> None:
        """The backgrounds of a table, from the whole to the cells, and its borders."""
        box = part.box
        assert box is not None
        if box.style.visibility == "visible":
            self._background(part, box.style, x, y, items)
        cells: list[tuple[Fragment, float, float]] = []
        for group in part.inside:
            own: list[tuple[Fragment, float, float]] = []
            rows: list[Item] = []
            for row in group.inside:
                row_x, row_y = x + group.x + row.x, y + group.y + row.y
                here = [(cell, row_x + cell.x, row_y + cell.y) for cell in row.inside]
                self._behind(row, here, rows)
                own += here
            self._behind(group, own, items)
            items += rows
            cells += own
        for cell, cell_x, cell_y in cells:
            assert cell.box is not None
            if cell.box.style.visibility == "visible":
                self._background(cell, cell.box.style, cell_x, cell_y, items)
        if box.shared is None:
            self._border(part, box, x, y, items)
            for cell, cell_x, cell_y in cells:
                assert cell.box is not None
                if cell.box.style.visibility == "visible":
                    self._border(cell, cell.box, cell_x, cell_y, items)
            return
        for rule in part.rules:
            if rule.is_upright:
                rect = (x + rule.x - rule.width / 2, y + rule.y, rule.width, rule.length)
                widths = (0.0, 0.0, 0.0, rule.width)
            else:
                rect = (x + rule.x, y + rule.y - rule.width / 2, rule.length, rule.width)
                widths = (rule.width, 0.0, 0.0, 0.0)
            items.append(Border(rect, widths, (rule.style,) * 4, (rule.colour,) * 4))

    def _behind(self, part: Fragment, cells: list[tuple[Fragment, float, float]], items: list[Item]) -> None:
        """The background of a row or a group of rows, behind its cells."""
        box = part.box
        assert box is not None
        if box.style.visibility == "visible" and box.style.background_color[3] > 0:
            for cell, x, y in cells:
                items.append(Area((x, y, cell.width, cell.height), box.style.background_color))

    def _picture(self, part: Fragment, x: float, y: float, items: list[Item]) -> None:
        box = part.box
        assert box is not None and part.drawn is not None
        left, top, width, height = part.drawn
        if box.style.visibility != "visible" or width <= 0 or height <= 0:
            return
        rect = (x + left, y + top, width, height)
        clip, radii = _padding_box(part, x, y)
        is_cut = radii != SQUARE or not _holds(clip, rect)
        if box.style.overflow == "visible":
            is_cut = False
        if box.svg:
            drawing = Drawing(box.svg, rect, box.style.color)
            items.append(Group((drawing,), clip, radii) if is_cut else drawing)
        else:
            items.append(Picture(box.url, rect, clip if is_cut else None, radii if is_cut else SQUARE))

    def _text(self, part: Fragment, x: float, y: float, items: list[Item]) -> None:
        box = part.box
        assert box is not None
        style = box.style
        if style.visibility != "visible":
            return
        baseline = y + part.baseline - part.above
        size = style.size
        lines = style.text_decoration_line
        metrics = style.text.metrics if lines else None
        if metrics is not None and "underline" in lines:
            thick = metrics.underline_size * size
            items.append(Area((x, baseline - metrics.underline * size, part.width, thick), style.color))
        if part.missing:
            self.missing.update(part.missing)
        if len(part.runs) == 1:
            items.append(Text(part.runs[0], x, baseline, size, style.color, part.letter, part.word))
        else:
            at = x
            for run in part.runs:
                items.append(Text(run, at, baseline, size, style.color, part.letter, part.word))
                at += extent((run,), size, part.letter, part.word)
        if metrics is not None and "line-through" in lines:
            thick = metrics.strike_size * size
            items.append(Area((x, baseline - metrics.strike * size - thick / 2, part.width, thick), style.color))


def has_own_layer(style: Style) -> bool:
    """Whether an element is drawn as one, with all that it holds."""
    return (
        style.overflow != "visible"
        or style.opacity < 1
        or style.transform is not None
        or (style.z_index is not None and style.position != "static")
    )


def matrix_of(part: Fragment, x: float, y: float) -> tuple[float, float, float, float, float, float]:
    """How an element is turned, whose border begins at (x, y)."""
    assert part.box is not None and part.box.style.transform is not None
    a, b, c, d = part.box.style.transform
    across, along = part.box.style.transform_origin
    ox, oy = x + used(across, part.width), y + used(along, part.height)
    return a, b, c, d, ox - a * ox - c * oy, oy - b * ox - d * oy


def radii_of(part: Fragment, style: Style) -> Radii:
    """The radii of the border's outer edge; where two of them meet they shrink."""
    stated = [getattr(style, f"border_{corner}_radius") for corner in CORNERS]
    if not any(stated):
        return SQUARE
    width, height = part.width, part.height
    return _fitting([(used(radius, width), used(radius, height)) for radius in stated], width, height)


def _fitting(radii: list[tuple[float, float]], width: float, height: float) -> Radii:
    radii = [(rx, ry) if rx > 0 and ry > 0 else (0.0, 0.0) for rx, ry in radii]
    (tlx, tly), (trx, try_), (brx, bry), (blx, bly) = radii
    sums = ((width, tlx + trx), (width, blx + brx), (height, tly + bly), (height, try_ + bry))
    ratio = min([1.0, *(room / both for room, both in sums if both > 0)])
    one, two, three, four = ((rx * ratio, ry * ratio) for rx, ry in radii)
    return one, two, three, four


def _padding_box(part: Fragment, x: float, y: float) -> tuple[Rect, Radii]:
    """The edge inside of the border."""
    top, right, bottom, left = part.border
    width, height = part.width - left - right, part.height - top - bottom
    rect = (x + left, y + top, width, height)
    assert part.box is not None
    outer = radii_of(part, part.box.style)
    if outer == SQUARE:
        return rect, SQUARE
    (tl, tr, br, bl) = outer
    inner = [
        (tl[0] - left, tl[1] - top),
        (tr[0] - right, tr[1] - top),
        (br[0] - right, br[1] - bottom),
        (bl[0] - left, bl[1] - bottom),
    ]
    return rect, _fitting(inner, width, height)


def _holds(outer: Rect, inner: Rect) -> bool:
    slack = 1e-3
    return (
        inner[0] >= outer[0] - slack
        and inner[1] >= outer[1] - slack
        and inner[0] + inner[2] <= outer[0] + outer[2] + slack
        and inner[1] + inner[3] <= outer[1] + outer[3] + slack
    )

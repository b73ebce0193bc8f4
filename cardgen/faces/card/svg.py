"""Draws SVG on a canvas: shapes, groups, clips, gradients, and lines of text."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot, sqrt

from cardgen.errors import PictureProblem
from cardgen.faces.card.canvas import Canvas
from cardgen.faces.card.display import BLACK, Colour, Text
from cardgen.faces.card.fonts import FontSet
from cardgen.faces.card.outlines import num, nums
from cardgen.faces.card.svg_gradient import Gradient, gradient, paint_gradient
from cardgen.faces.card.svg_path import Path, bounds, moved, operators, oval, path_data, points, rectangle, times
from cardgen.faces.card.svg_read import SHAPES, Element, Svg, colour, length, matrix, share, styled

_CAPS = {"round": 1, "square": 2}
_JOINS = {"round": 1, "bevel": 2}
# Large enough for what is drawn as one, whatever it is moved by.
_ANYWHERE = (-1e5, -1e5, 2e5, 2e5)
# How deep elements may draw others by reference.
_DEEPEST = 30
_START = {"font-family": "text", "font-size": "16"}


class SvgPainter:
    """Draws one SVG onto a canvas, in the units of its own plane. One without texts needs no fonts."""

    def __init__(self, svg: Svg, canvas: Canvas, fontset: FontSet | None, ink: Colour = BLACK) -> None:
        self._svg, self._canvas, self._fontset, self._ink = svg, canvas, fontset, ink
        _, _, self._width, self._height = svg.view or (0.0, 0.0, 300.0, 150.0)

    def draw(self) -> None:
        """Draw all of it. Raises PictureProblem for what cannot be drawn."""
        root = self._svg.root
        with self._canvas.saved():
            self._children(root, styled(root, _START), 0)

    def _children(self, element: Element, style: Mapping[str, str], depth: int) -> None:
        for child in element.children:
            self._draw(child, style, depth)

    def _draw(self, element: Element, above: Mapping[str, str], depth: int) -> None:
        if element.name not in ("g", "use", "text", "svg") and element.name not in SHAPES:
            return
        if element.name == "svg":
            raise PictureProblem("it holds an `svg` within the `svg`, which the card engine does not draw")
        if element.get("display") == "none" or depth > _DEEPEST:
            return
        style = styled(element, above)
        opacity = share(element.get("opacity", "1"))
        if opacity <= 0:
            return
        canvas = self._canvas
        with canvas.saved():
            if element.get("transform"):
                canvas.move(matrix(element.get("transform")))
            self._clip(element, style)
            if opacity < 1:
                inner = self._canvas = Canvas(canvas.parts, is_form=True)
                self._content(element, style, depth)
                self._canvas = canvas
                canvas.do(inner.form(_ANYWHERE, is_group=True), opacity)
            else:
                self._content(element, style, depth)

    def _content(self, element: Element, style: Mapping[str, str], depth: int) -> None:
        if element.name == "g":
            self._children(element, style, depth + 1)
        elif element.name == "use":
            target = self._svg.named.get(element.get("href").removeprefix("#"))
            if target is not None:
                x, y = self._point(element, "x", "y", style)
                self._canvas.move((1, 0, 0, 1, x, y))
                self._draw(target, style, depth + 1)
        elif style.get("visibility", "visible") != "visible":
            return
        elif element.name == "text":
            self._text(element, style)
        else:
            self._shape(shape(element, style, self._width, self._height), style)

    def _point(self, element: Element, x: str, y: str, style: Mapping[str, str]) -> tuple[float, float]:
        em = _em(style)
        return length(element.get(x), self._width, em), length(element.get(y), self._height, em)

    def _clip(self, element: Element, style: Mapping[str, str]) -> None:
        name = element.get("clip-path", "none")
        if name == "none":
            return
        target = self._svg.named.get(_target(name))
        if target is None or target.name != "clippath":
            return
        if target.get("clippathunits", "userSpaceOnUse") != "userSpaceOnUse" or target.get("clip-path"):
            raise PictureProblem(
                "it uses a `clipPath` in units of what is clipped, which the card engine does not draw"
            )
        path: Path = []
        rule = "W"
        base = matrix(target.get("transform"))
        for child in target.children:
            if child.name not in SHAPES:
                raise PictureProblem(f"it uses `{child.name}` in a `clipPath`, which the card engine does not draw")
            own = styled(child, style)
            outline = shape(child, own, self._width, self._height)
            path += moved(outline, times(matrix(child.get("transform")), base))
            rule = "W*" if own.get("clip-rule") == "evenodd" else rule
        # An empty clip hides everything.
        self._canvas.clip(operators(path) or "0 0 0 0 re\n", rule)

    def _shape(self, path: Path, style: Mapping[str, str]) -> None:
        if not path:
            return
        width = length(style.get("stroke-width", "1"), self._diagonal(), _em(style))
        fill, line = self._paint(style, "fill", "black"), self._paint(style, "stroke", "none") if width > 0 else None
        star = "*" if style.get("fill-rule") == "evenodd" else ""
        code = operators(path)
        if isinstance(line, Gradient):
            raise PictureProblem("it draws a line with a gradient, which the card engine does not draw")
        if isinstance(fill, Gradient):
            with self._canvas.saved():
                self._canvas.clip(code, "W" + star)
                paint_gradient(self._canvas, fill, bounds(path))
            fill = None
        if line is not None:
            self._canvas.stroke(line)
            self._canvas.op(self._pen(style, width))
        if fill is not None:
            self._canvas.fill(fill)
            self._canvas.op(f"{code}{'B' if line is not None else 'f'}{star}\n")
        elif line is not None:
            self._canvas.op(f"{code}S\n")

    def _pen(self, style: Mapping[str, str], width: float) -> str:
        pen = f"{num(width)} w {_CAPS.get(style.get('stroke-linecap', ''), 0)} J "
        pen += f"{_JOINS.get(style.get('stroke-linejoin', ''), 0)} j "
        pen += f"{num(max(1.0, length(style.get('stroke-miterlimit', '4'), default=4.0)))} M "
        parts = style.get("stroke-dasharray", "none").replace(",", " ").split()
        dash = [length(part, self._diagonal(), _em(style)) for part in parts if part != "none"]
        if not any(dash) or min(dash) < 0:
            return pen + "[] 0 d\n"
        offset = length(style.get("stroke-dashoffset", "0"), self._diagonal(), _em(style))
        whole = sum(dash) * (2 if len(dash) % 2 else 1)
        return pen + f"[{nums(*dash)}] {num(offset % whole)} d\n"

    def _diagonal(self) -> float:
        return hypot(self._width, self._height) / sqrt(2)

    def _paint(self, style: Mapping[str, str], key: str, default: str) -> Colour | Gradient | None:
        value = style.get(key, default)
        if value == "none":
            return None
        opacity = share(style.get(f"{key}-opacity", "1"))
        if value.startswith("url("):
            target = self._svg.named.get(_target(value))
            found = gradient(target, self._svg.named, opacity, self._ink) if target is not None else None
            if found is not None:
                return found
            value = value.partition(")")[2].strip() or "none"
        if value.lower() == "currentcolor":
            value = style.get("color", "currentcolor")
        found_colour = self._ink if value.lower() == "currentcolor" else colour(value)
        if found_colour is None:
            # As in the reference engine, what is no colour is black.
            found_colour = None if value == "none" else BLACK
        return None if found_colour is None else (*found_colour[:3], found_colour[3] * opacity)

    def _text(self, element: Element, style: Mapping[str, str]) -> None:
        fill = self._paint(style, "fill", "black")
        if not element.text or fill is None or self._fontset is None:
            return
        if isinstance(fill, Gradient) or style.get("stroke", "none") != "none":
            raise PictureProblem("it draws a text with more than one colour, which the card engine does not draw")
        size = _em(style)
        families = tuple(name.strip().strip("'\"") for name in style["font-family"].split(","))
        weight = {"normal": 400, "bold": 700}.get(said := style.get("font-weight", "400"), 0) or int(length(said))
        italic = style.get("font-style", "normal") != "normal"
        # The reference engine sets the letters of a drawing one by one: without kerning.
        font = self._fontset.style(families, weight or 400, italic, (), False, True)
        runs = font.shape(element.text, "")
        letter = length(style.get("letter-spacing", "0"), self._diagonal(), size)
        width = sum(run.width * size / 1000 + run.clusters * letter for run in runs) - letter
        x, y = self._point(element, "x", "y", style)
        x += length(element.get("dx"), self._width, size)
        y += length(element.get("dy"), self._height, size)
        y += _raise(element.get("dominant-baseline") or element.get("alignment-baseline"), size)
        x -= width * {"middle": 0.5, "end": 1.0}.get(style.get("text-anchor", "start"), 0.0)
        for run in runs:
            self._canvas.text(Text(run, x, y, size, fill, letter))
            x += run.width * size / 1000 + run.clusters * letter


def _raise(baseline: str, size: float) -> float:
    """How far a text is moved down for what its `y` stands for; ascent and descent as the reference engine has them."""
    if baseline in ("central", "middle"):
        return 0.3 * size
    if baseline in ("text-before-edge", "before-edge", "top", "hanging", "text-top"):
        return 0.8 * size
    return -0.2 * size if baseline in ("text-after-edge", "after-edge", "bottom", "text-bottom") else 0.0


def shape(element: Element, style: Mapping[str, str], width: float, height: float) -> Path:
    """The outline of a shape; percentages are of `width` and `height`."""
    em = _em(style)

    def across(key: str) -> float:
        return length(element.get(key), width, em)

    def along(key: str) -> float:
        return length(element.get(key), height, em)

    match element.name:
        case "path":
            return path_data(element.get("d"))
        case "circle":
            r = length(element.get("r"), hypot(width, height) / sqrt(2), em)
            return oval(across("cx"), along("cy"), r, r) if r > 0 else []
        case "ellipse":
            rx, ry = across("rx"), along("ry")
            return oval(across("cx"), along("cy"), rx, ry) if rx > 0 and ry > 0 else []
        case "rect":
            wide, high = across("width"), along("height")
            rx = across("rx") if element.get("rx") else along("ry")
            ry = along("ry") if element.get("ry") else rx
            return rectangle(across("x"), along("y"), wide, high, rx, ry) if wide > 0 and high > 0 else []
        case "line":
            return [("m", (across("x1"), along("y1"))), ("l", (across("x2"), along("y2")))]
    return points(element.get("points"), element.name == "polygon")


def _em(style: Mapping[str, str]) -> float:
    return length(style.get("font-size", "16"), 16.0, 16.0, 16.0)


def _target(value: str) -> str:
    return value.partition("(")[2].partition(")")[0].strip().strip("'\"").removeprefix("#")

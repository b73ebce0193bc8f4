"""Reads SVG drawings: elements with their attributes and styles in effect. What the engine cannot draw is refused by
its name, never left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from math import cos, radians, sin, tan
from xml.etree import ElementTree

from msgspec import Struct, field
from tinycss2.color4 import parse_color

from cardgen.errors import PictureProblem
from cardgen.faces.card.display import Colour, Matrix
from cardgen.faces.card.svg_path import times
from cardgen.faces.svg import check_svg

_UNITS = {"px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "q": 24 / 25.4}
_NUMBER = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([a-zA-Z%]*)")
_TRANSFORM = re.compile(r"([a-zA-Z]+)\s*\(([^)]*)\)")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SELECTOR = re.compile(r"([a-zA-Z]*)((?:[.#][\w-]+)*)")
# Bytes up to which what is made of a drawing is kept in a process: some thousand shapes.
_LARGE = 200_000
_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)

SHAPES = frozenset({"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"})
GRADIENTS = frozenset({"lineargradient", "radialgradient"})
_DRAWN = SHAPES | GRADIENTS | {"svg", "g", "defs", "clippath", "stop", "use", "text", "style"}
_SILENT = frozenset({"title", "desc", "metadata"})
# What a style says of an element and all that is in it.
_PAINTS = ("color", "fill", "fill-opacity", "fill-rule", "clip-rule", "visibility")
_LINES = ("width", "opacity", "linecap", "linejoin", "miterlimit", "dasharray", "dashoffset")
_LETTERS = ("font-family", "font-size", "font-weight", "font-style", "letter-spacing", "text-anchor")
_INHERITED = frozenset([*_PAINTS, "stroke", *(f"stroke-{name}" for name in _LINES), *_LETTERS])
# What may be said without a change to the picture, and what else is drawn.
_PLAIN = {
    "filter": {"none"},
    "mask": {"none"},
    "marker": {"none"},
    "marker-start": {"none"},
    "marker-mid": {"none"},
    "marker-end": {"none"},
    "mix-blend-mode": {"normal"},
    "paint-order": {"normal", "fill", "fill stroke", "fill stroke markers"},
    "vector-effect": {"none"},
}


class Element(Struct, frozen=True):
    """An element: its name and attributes in small letters, with the styles that are said of it alone."""

    name: str
    attributes: Mapping[str, str]
    children: tuple[Element, ...]
    text: str = ""

    def get(self, key: str, default: str = "") -> str:
        """An attribute."""
        return self.attributes.get(key, default)


class Svg(Struct, frozen=True, eq=False):
    """A drawing: what it holds, its elements by id, and the part of its plane that is seen (left, top, width, height;
    None where it does not say)."""

    root: Element
    named: Mapping[str, Element] = field(default_factory=dict)
    view: tuple[float, float, float, float] | None = None
    # whether fonts are needed to draw it
    has_text: bool = False
    # whether it is too large to be kept for jobs to come
    is_large: bool = False


def parse(source: bytes) -> Svg:
    """The drawing in an SVG file or in an `<svg>` of a layout. Raises PictureProblem for what cannot be drawn."""
    return _read(source) if len(source) > _LARGE else _read_once(source)


@lru_cache(maxsize=512)
def _read_once(source: bytes) -> Svg:
    return _read(source)


def _read(source: bytes) -> Svg:
    check_svg(source)
    tree = ElementTree.fromstring(source)
    rules = [rule for node in tree.iter() if _name(node) == "style" for rule in _rules(node.text or "")]
    named: dict[str, Element] = {}
    root = _element(tree, rules, named)
    return Svg(root, named, _view(root), _holds(root, "text"), len(source) > _LARGE)


def _holds(element: Element, name: str) -> bool:
    return element.name == name or any(_holds(child, name) for child in element.children)


def _name(node: ElementTree.Element) -> str:
    """The name of an SVG element in small letters (a layout's are); empty for those of other vocabularies."""
    space, _, name = node.tag.rpartition("}")
    return name.lower() if space in ("", "{http://www.w3.org/2000/svg") else ""


def _element(node: ElementTree.Element, rules: list[tuple[str, str, str]], named: dict[str, Element]) -> Element:
    name = _name(node)
    attributes = {key.rpartition("}")[2].lower(): value.strip() for key, value in node.attrib.items()}
    classes = attributes.get("class", "").split()
    # A rule of a style sheet is stronger than an attribute, and the element's own style is stronger than both.
    for selector, key, value in rules:
        if _selects(selector, name, classes, attributes.get("id")):
            attributes[key] = value
    attributes |= dict(_declarations(attributes.pop("style", "")))
    _check(name, attributes)
    inner = [child for child in node if _name(child) and _name(child) not in _SILENT and _name(child) != "style"]
    if name == "text" and inner:
        raise PictureProblem(f"it uses `{_name(inner[0])}` inside of a text, which the card engine does not draw")
    children = tuple(_element(child, rules, named) for child in inner)
    found = Element(name, attributes, children, " ".join((node.text or "").split()) if name == "text" else "")
    if "id" in attributes:
        named.setdefault(attributes["id"], found)
    return found


def _check(name: str, attributes: Mapping[str, str]) -> None:
    if name not in _DRAWN:
        raise PictureProblem(f"it uses `{name[:40]}`, which the card engine does not draw")
    for key, plain in _PLAIN.items():
        if attributes.get(key, "none" if "none" in plain else "normal") not in plain:
            raise PictureProblem(f"it uses `{key}`, which the card engine does not draw")


def _rules(text: str) -> list[tuple[str, str, str]]:
    """(selector, property, value) of a style sheet of simple selectors."""
    found = []
    rest = _COMMENT.sub("", text)
    for selectors, body in _RULE.findall(rest):
        for selector in selectors.split(","):
            if not _SELECTOR.fullmatch(selector.strip()) or not selector.strip():
                raise PictureProblem(f"its style sheet selects `{selector.strip()[:40]}`, which is not simple")
            found += [(selector.strip(), key, value) for key, value in _declarations(body)]
    return sorted(found, key=lambda rule: (rule[0].count("#"), rule[0].count(".")))


def _declarations(text: str) -> list[tuple[str, str]]:
    parts = (declaration.partition(":") for declaration in text.split(";"))
    return [
        (key.strip().lower(), value.removesuffix("!important").strip()) for key, colon, value in parts if colon.strip()
    ]


def _selects(selector: str, name: str, classes: list[str], id: str | None) -> bool:
    match = _SELECTOR.fullmatch(selector)
    if match is None or (match[1] and match[1].lower() != name):
        return False
    parts = re.findall(r"[.#][\w-]+", match[2])
    return all(part[1:] in classes if part[0] == "." else part[1:] == id for part in parts)


def styled(element: Element, above: Mapping[str, str]) -> dict[str, str]:
    """The styles in effect on an element under those of what it stands in."""
    style = dict(above)
    for key, value in element.attributes.items():
        if key in _INHERITED and value != "inherit":
            style[key] = value
    return style


def _view(root: Element) -> tuple[float, float, float, float] | None:
    numbers = [float(number) for number in re.findall(r"[-+]?[\d.]+(?:[eE][-+]?\d+)?", root.get("viewbox"))]
    if len(numbers) == 4:
        return numbers[0], numbers[1], numbers[2], numbers[3]
    width, height = root.get("width", "%"), root.get("height", "%")
    if "%" in width or "%" in height:
        return None
    return 0.0, 0.0, length(width), length(height)


def length(text: str, whole: float = 0.0, em: float = 16.0, default: float = 0.0) -> float:
    """A length in user units; a percentage is one of `whole`."""
    match = _NUMBER.match(text)
    if match is None:
        return default
    value, unit = float(match[1]), match[2].lower()
    if unit == "%":
        return value * whole / 100
    if unit in ("em", "rem", "ex"):
        return value * em * (0.5 if unit == "ex" else 1)
    return value * _UNITS.get(unit, 1.0)


def share(text: str) -> float:
    """An opacity or the place of a stop, from 0 to 1."""
    match = _NUMBER.match(text)
    value = 1.0 if match is None else float(match[1]) / (100 if match[2] == "%" else 1)
    return min(1.0, max(0.0, value))


@lru_cache(maxsize=4096)
def colour(text: str) -> Colour | None:
    """The colour of a paint; None for `none` and for what is none."""
    found = parse_color(text)
    if found is None or isinstance(found, str):
        return None
    red, green, blue, alpha = (float(value) for value in found.to("srgb"))
    return red, green, blue, alpha


def matrix(text: str) -> Matrix:
    """The matrix of a `transform` attribute. Raises PictureProblem for what is no transform."""
    whole: Matrix = (1, 0, 0, 1, 0, 0)
    for name, arguments in _TRANSFORM.findall(text):
        values = [float(number) for number, _ in _NUMBER.findall(arguments.replace(",", " "))]
        try:
            whole = times(_single(name, values), whole)
        except (IndexError, ValueError):
            raise PictureProblem(f"`{name[:20]}({arguments[:40]})` is no transform") from None
    return whole


def _single(name: str, v: list[float]) -> Matrix:
    match name.lower():
        case "matrix":
            a, b, c, d, e, f = v
            return a, b, c, d, e, f
        case "translate":
            return 1, 0, 0, 1, v[0], v[1] if len(v) > 1 else 0
        case "scale":
            return v[0], 0, 0, v[1] if len(v) > 1 else v[0], 0, 0
        case "rotate":
            c, s = cos(radians(v[0])), sin(radians(v[0]))
            turned: Matrix = (c, s, -s, c, 0, 0)
            if len(v) < 3:
                return turned
            return times(times((1, 0, 0, 1, -v[1], -v[2]), turned), (1, 0, 0, 1, v[1], v[2]))
        case "skewx":
            return 1, 0, tan(radians(v[0])), 1, 0, 0
        case "skewy":
            return 1, tan(radians(v[0])), 0, 1, 0, 0
    raise ValueError(name)


@lru_cache(maxsize=10_000)
def placed(svg: Svg, width: float, height: float) -> tuple[Matrix, tuple[float, float, float, float]]:
    """Where a drawing comes to lie in room of a size: its matrix, and the part of its plane that the room shows."""
    if svg.view is None:
        return (1, 0, 0, 1, 0, 0), (0.0, 0.0, width, height)
    x, y, wide, high = svg.view
    aspect = (svg.root.get("preserveaspectratio", "xMidYMid") or "xMidYMid").split()
    if not svg.root.get("viewbox"):
        aspect = ["none"]
    across, along = width / wide if wide else 1.0, height / high if high else 1.0
    left = top = 0.0
    if aspect[0] != "none":
        across = along = max(across, along) if "slice" in aspect else min(across, along)
        align = {"min": 0.0, "mid": 0.5, "max": 1.0}
        left = (width - wide * across) * align.get(aspect[0][1:4].lower(), 0.5)
        top = (height - high * along) * align.get(aspect[0][5:8].lower(), 0.5)
    e, f = left - x * across, top - y * along
    shown = (-e / across, -f / along, width / across, height / along) if across and along else (x, y, wide, high)
    # Rounded, so that an icon at many sizes is one.
    left, top, wide, high = (round(value, 3) for value in shown)
    return (across, 0, 0, along, e, f), (left, top, wide, high)

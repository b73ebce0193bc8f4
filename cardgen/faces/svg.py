"""Looks at SVG pictures before an engine does: well-formed, bounded, and nothing in them leads anywhere else."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import NamedTuple
from xml.parsers import expat

from msgspec import Struct, field

from cardgen.errors import PictureProblem
from cardgen.files import MB

# Bounds on a drawing, stated in docs/images.md.
MAX_SVG = 5 * MB
MAX_SVG_ELEMENTS = 100_000
MAX_SVG_DEPTH = 100

_XLINK = "http://www.w3.org/1999/xlink "
_CSS_URL = re.compile(r"url\(\s*[\"']?\s*([^\"')]*)", re.IGNORECASE)
_FAMILY = re.compile(r"font-family\s*:\s*([^;}]+)", re.IGNORECASE)
# No drawing needs them, and a PDF cannot hold them.
_NO_NUMBER = re.compile(r"(?<![\w#-])-?(?:nan|inf|infinity)(?![\w-])|\de\+?\d\d|(?<![.\d])\d{10}", re.IGNORECASE)
_SIZE = re.compile(r"[\d.]+(?:px|mm|cm|in|pt|pc|q)?", re.IGNORECASE)
_HEX = re.compile(r"#[0-9a-fA-F]+")
_NOT_NUMERIC = frozenset(["id", "class", "font-family", "href", "lang", "version", "name", "title"])
_BANNED = {
    "script": "it holds a script",
    "foreignobject": "it holds HTML (`foreignObject`), which is not drawn",
}


class Drawing(NamedTuple):
    """What is known of a drawing that may be drawn."""

    # what its texts ask for; none when there is no text
    fonts: frozenset[str]
    # whether it says how large it is, so that it can be scaled to the room it has
    is_sized: bool


class _Element(Struct):
    """An element that is open: how much is in it, and what it draws again by reference."""

    id: str | None
    size: int = 1
    # (id of what is drawn again, how often)
    refers: list[tuple[str, int]] = field(default_factory=list)


class _Reader(Struct):
    """Follows the parser's events. Raises PictureProblem at the first thing that may not be."""

    count: int = 0
    style: list[str] | None = None
    has_text: bool = False
    is_sized: bool = False
    families: set[str] = field(default_factory=set)
    open: list[_Element] = field(default_factory=list)
    named: dict[str, _Element] = field(default_factory=dict)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(" ")[2]
        self.count += 1
        if not self.open and name != "svg":
            raise PictureProblem(f"its outermost element is `{name[:40]}`, not `svg`")
        if not self.open:
            _check_view(attributes.get("viewBox"))
            self.is_sized = "viewBox" in attributes or all(
                _SIZE.fullmatch(attributes.get(side, "").strip()) for side in ("width", "height")
            )
        if self.count > MAX_SVG_ELEMENTS:
            raise PictureProblem(f"it has more than {MAX_SVG_ELEMENTS} elements")
        if len(self.open) >= MAX_SVG_DEPTH:
            raise PictureProblem(f"its elements are nested deeper than {MAX_SVG_DEPTH}")
        if name.lower() in _BANNED:
            raise PictureProblem(_BANNED[name.lower()])
        element = _Element(attributes.get("id"))
        self.open.append(element)
        for key, value in attributes.items():
            self._attribute(name, key, value, element, attributes)
        if name == "style":
            self.style = []
        elif name == "text":
            self.has_text = True

    def _attribute(self, name: str, key: str, value: str, element: _Element, attributes: dict[str, str]) -> None:
        if key in {"href", f"{_XLINK}href"} and name != "a":
            element.refers.append((_local(value), 1))
        elif key == "font-family":
            self._fonts(value)
        elif "url(" in value.lower():
            # A marker is drawn at every point of its line.
            points = len(attributes.get("d", attributes.get("points", ""))) // 4 if key.startswith("marker") else 1
            element.refers += [(_local(target), max(1, points)) for target in _CSS_URL.findall(value)]
        elif key not in _NOT_NUMERIC and " " not in key and _NO_NUMBER.search(_HEX.sub("", value)):
            raise PictureProblem(f"`{key}` of `{name[:40]}` holds a number without bounds")
        if key == "style":
            for families in _FAMILY.findall(value):
                self._fonts(families)

    def data(self, text: str) -> None:
        if self.style is not None:
            self.style.append(text)

    def end(self, tag: str) -> None:
        element = self.open.pop()
        if self.style is not None and tag.rpartition(" ")[2] == "style":
            self._sheet("".join(self.style))
            self.style = None
        if element.id is not None:
            self.named.setdefault(element.id, element)
        if self.open:
            self.open[-1].size += element.size
            self.open[-1].refers += element.refers
        else:
            self.named[""] = element

    def _sheet(self, text: str) -> None:
        if "@import" in text.lower():
            raise PictureProblem("its style imports another file, which is never followed")
        for target in _CSS_URL.findall(text):
            _local(target)
        for families in _FAMILY.findall(text):
            self._fonts(families)

    def _fonts(self, families: str) -> None:
        self.families.update(name.strip().strip("'\"") for name in families.split(","))


# What is known of drawings by the hash of their bytes: each process meets most of them again and again.
_KNOWN: dict[bytes, Drawing | str] = {}
_MOST_KNOWN = 5000


def check_svg(data: bytes) -> Drawing:
    """What an SVG picture asks for. Raises PictureProblem when it may not be drawn."""
    digest = sha256(data).digest()
    found = _KNOWN.get(digest)
    if found is None:
        try:
            found = _check(data)
        except PictureProblem as problem:
            found = str(problem)
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[digest] = found
    if isinstance(found, str):
        raise PictureProblem(found)
    return found


def _check(data: bytes) -> Drawing:
    if len(data) > MAX_SVG:
        raise PictureProblem(f"it is an SVG drawing larger than {MAX_SVG // MB} MB")
    reader = _Reader()
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.data
    parser.EntityDeclHandler = _entity
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise PictureProblem(f"it is not well-formed SVG: {reason} (line {error.lineno})") from None
    except (ValueError, LookupError) as error:  # an encoding that Python does not know
        raise PictureProblem(f"it is not well-formed SVG: {error}") from None
    if _drawn(reader.named, "", {}, ()) > MAX_SVG_ELEMENTS:
        raise PictureProblem(f"with all that it repeats it draws more than {MAX_SVG_ELEMENTS} elements")
    fonts = frozenset(reader.families or {"no stated font"}) if reader.has_text else frozenset()
    return Drawing(fonts, reader.is_sized)


def _entity(*_: object) -> None:
    raise PictureProblem("it declares entities; save it as plain SVG")


def _check_view(text: str | None) -> None:
    if text is None:
        return
    try:
        _, _, width, height = (float(part) for part in text.replace(",", " ").split())
    except ValueError:
        raise PictureProblem("its `viewBox` is not four numbers") from None
    if not (width > 0 and height > 0):
        raise PictureProblem("its `viewBox` has no size")


def _local(target: str) -> str:
    """The id that a reference names within its file."""
    target = target.strip()
    if target.startswith("#"):
        return target[1:] or " "
    if target.lower().startswith("data:"):
        raise PictureProblem("it embeds another picture; put that into a file of its own")
    if not target:
        return " "  # names nothing
    raise PictureProblem(f"it refers to `{target[:60]}`, which is never followed")


def _drawn(named: dict[str, _Element], id: str, known: dict[str, int], chain: tuple[str, ...]) -> int:
    """How many elements are drawn for one, with all it repeats by reference."""
    if id not in named:
        return 0
    if id in chain:
        raise PictureProblem(f"`#{id[:40]}` is drawn within itself")
    if len(chain) > MAX_SVG_DEPTH:
        raise PictureProblem(f"its references are nested deeper than {MAX_SVG_DEPTH}")
    if id not in known:
        element = named[id]
        chain = (*chain, id)
        known[id] = element.size + sum(_drawn(named, to, known, chain) * times for to, times in element.refers)
    return known[id]

"""Reads the HTML of a face and makes its boxes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any
from urllib.parse import urljoin

from lxml import html as lxml_html
from msgspec import Struct

from cardgen.faces.assets import BASE, Assets
from cardgen.faces.card.boxes import Box, Kind, Source, arranged, as_items, nameless
from cardgen.faces.card.cascade import Cascade, Node
from cardgen.faces.card.casing import transformed
from cardgen.faces.card.grid import as_table
from cardgen.faces.card.memory import Known, Memory
from cardgen.faces.card.natural import natural_of_svg
from cardgen.faces.card.parting import elements_of, is_sound
from cardgen.faces.card.style import Style
from cardgen.faces.fit import resolve_marks

_SVG = re.compile(r"(<svg\b[^>]*?)(/>|>.*?</svg\s*>)", re.DOTALL | re.IGNORECASE)
_FEED = re.compile(r"\r\n?")
_BREAK = re.compile(r"[\t ]*\n[\t ]*")
_SPACE = re.compile(r"[\t ]+")
# What is kept of absolute boxes: short ones, and so many.
_LONGEST, _MOST_KNOWN = 500, 600
# Elements that stand in texts, and how many of a kind are kept.
_LEAVES, _MOST_LEAVES = frozenset(["b", "em", "i", "img", "span", "strong"]), 500
_SOFT_HYPHEN = "\u00ad"
_SIGNS = {"disc": "• ", "circle": "◦ ", "square": "▪ "}
_KINDS: dict[str, Kind] = {
    "inline": "inline",
    "inline-block": "inline-block",
    "flex": "flex",
    "table": "table",
    "table-header-group": "group",
    "table-row-group": "group",
    "table-row": "row",
    "table-cell": "cell",
}


class _Made(Struct, frozen=True):
    """What an absolute box was made of, to make it once more."""

    element: Any
    parent: Node
    is_first: bool
    is_last: bool
    is_collapsing: bool
    counters: tuple[int, ...]


class Builder:
    """Makes the boxes of faces of one layout. `lang` is what the face is written in."""

    def __init__(self, cascade: Cascade, assets: Assets) -> None:
        self.cascade, self.assets = cascade, assets
        self._marks: Mapping[str, str] = {}
        self._drawings: list[str] = []
        # the face that was read last, and the element that it is, once it is parsed as a whole
        self._html, self._side = "", ""
        self._tree: Any = None
        # boxes that faces have alike, by what they are made of: of elements anywhere, and of those of a face itself
        self._known: dict[tuple[Node, str, bool], Known] = {}
        self._parts: dict[tuple[Node, str, bool, bool, bool], Known] = {}
        self.memory = Memory(assets)
        self._collapsing = False
        self._counters: list[int] = [0]

    def read(self, html: str, side: str) -> None:
        """Read the HTML of the next face."""
        self._html, self._side, self._tree, self._drawings = html, side, None, []

    def _parsed(self, html: str) -> Any:
        """The element of a face that holds this HTML."""
        text = _SVG.sub(self._drawing, html) if "<svg" in html.lower() else html
        tree = lxml_html.document_fromstring(f'<article class="face {self._side}" id="face-0">{text}</article>').body[0]
        if "<table" in text:
            for table in tree.iter("table"):
                _add_bodies(table)
        return tree

    def _drawing(self, match: re.Match[str]) -> str:
        self._drawings.append(match[0])
        return f'{match[1]} data-drawing="{len(self._drawings) - 1}"></svg>'

    def face(self, marks: Mapping[str, str]) -> Box:
        """The boxes of the face that was read; `marks` are the styles that its fitted fields have come to."""
        self._marks = marks
        self.memory.pictures = []
        self._collapsing, self._counters = False, [0]
        box = None if marks else self._of_parts()
        if box is None:
            if self._tree is None:
                self._tree = self._parsed(self._html)
            self._collapsing, self._counters = False, [0]
            box = self._element(self._tree, self.cascade.root, True, True)
        assert box is not None
        return box

    def _of_parts(self) -> Box | None:
        """The boxes of a face whose elements are all taken out of the flow: those that other faces have are not even
        parsed. None for any other face."""
        texts = elements_of(self._html)
        if not texts:
            return None
        node = self.cascade.child(
            self.cascade.root, "article", f"face {self._side}", None, None, True, True, None, None
        )
        style = node.style
        if style.white_space not in {"normal", "nowrap"} or style.display != "block" or node.before or node.after:
            return None
        known, collapsing, last = self._parts, False, len(texts) - 1
        made: list[Box | None] = []
        new: list[tuple[int, tuple[Node, str, bool, bool, bool]]] = []
        for index, (text, is_spaced) in enumerate(texts):
            collapsing = collapsing or is_spaced
            key = (node, text, index == 0, index == last, collapsing)
            found = self.memory.find(known, key)
            if found is None:
                new.append((index, key))
            made.append(None if found is None else found.box)
        if new:
            elements = self._sound([key[1] for _, key in new])
            if elements is None:
                return None
            for (index, key), element in zip(new, elements, strict=True):
                self._collapsing, start = key[4], len(self.memory.pictures)
                box = made[index] = self._element(element, node, key[2], key[3])
                if box is not None and not box.is_absolute:
                    return None
                if box is None or box.laid is not None:
                    self.memory.keep(known, _MOST_KNOWN, key, Known(box, self._collapsing), start)
        inside = tuple([box for box in made if box is not None])
        source = Source("article", "face-0", f"face {self._side}")
        return Box("block", style, source, inside, is_apart=True) if inside else None

    def _sound(self, texts: list[str]) -> list[Any] | None:
        """The parsed elements, if they are what the parser would make of them in their face."""
        if not all(map(is_sound, texts)):
            return None
        # The last element tells that all others have ended where they seemed to.
        *elements, end = self._parsed("".join([*texts, "<hr>"]))
        if end.tag != "hr" or len(elements) != len(texts):
            return None
        is_as_written = all(
            text.startswith(f"<{element.tag}") and not element.tail
            for text, element in zip(texts, elements, strict=True)
        )
        return elements if is_as_written else None

    def again(self, box: Box, marks: Mapping[str, str]) -> Box:
        """An absolute box made anew, with these styles of fitted fields."""
        self._marks = marks
        made = box.source.made
        assert isinstance(made, _Made)
        self._collapsing, self._counters = made.is_collapsing, list(made.counters)
        new = self._element(made.element, made.parent, made.is_first, made.is_last)
        assert new is not None
        new.is_item = box.is_item
        return new

    def _element(self, element: Any, parent: Node, is_first: bool, is_last: bool) -> Box | None:
        get, tag = element.get, element.tag
        inline, classes, layer = get("style"), get("class"), get("data-layer")
        if inline is not None and "--fit:" in inline:
            inline = resolve_marks(inline, self._marks) or None
        node = self.cascade.child(parent, tag, classes, inline, get("lang"), is_first, is_last, layer, get("data-ink"))
        style = node.style
        if style.display == "none":
            return None
        if style.position == "absolute" and not self._marks:
            return self._placed(element, node, parent, is_first, is_last)
        if tag in _LEAVES and not len(element):
            return self._leaf(element, node, parent, is_first, is_last)
        return self._box(element, node, parent, is_first, is_last)

    def _leaf(self, element: Any, node: Node, parent: Node, is_first: bool, is_last: bool) -> Box | None:
        """A word in bold or an icon: what stands in many texts alike is made once."""
        get = element.get
        key = (element.text, get("src"), get("alt"), self._collapsing)
        if get("id") is not None or node.style.display not in {"inline", "inline-block"}:
            return self._box(element, node, parent, is_first, is_last)
        found = self.memory.find(node.leaves, key)
        if found is not None:
            self._collapsing = found.is_spaced
            return found.box
        start = len(self.memory.pictures)
        box = self._box(element, node, parent, is_first, is_last)
        self.memory.keep(node.leaves, _MOST_LEAVES, key, Known(box, self._collapsing), start)
        return box

    def _placed(self, element: Any, node: Node, parent: Node, is_first: bool, is_last: bool) -> Box | None:
        """An absolute box. What is alike on many faces is made once, and laid out once, since nothing outside of it
        depends on it; but for what holds fitted boxes, which may be laid out again on their own."""
        html = lxml_html.tostring(element, encoding="unicode", with_tail=False)
        fitted = html.count('id="fit-')
        is_own = fitted == 2 and element.get("id", "").startswith("fit-")
        if len(html) > _LONGEST or "data-drawing" in html or "<li" in html or not (fitted == 0 or is_own):
            return self._box(element, node, parent, is_first, is_last)
        key = (node, html, self._collapsing)
        found = self.memory.find(self._known, key)
        if found is not None:
            return found.box
        start = len(self.memory.pictures)
        # A copy: what is kept must not keep the whole face.
        box = self._box(deepcopy(element) if fitted else element, node, parent, is_first, is_last, bool(fitted))
        if box is not None:
            box.laid, box.is_settled = {}, not fitted
        self.memory.keep(self._known, _MOST_KNOWN, key, Known(box, self._collapsing), start)
        return box

    def _box(
        self, element: Any, node: Node, parent: Node, is_first: bool, is_last: bool, is_refitted: bool = True
    ) -> Box | None:
        get, tag, style = element.get, element.tag, node.style
        classes, layer = get("class"), get("data-layer")
        for each in (style, node.before, node.after):
            if each is not None and each.background_image is not None:
                self.memory.size(each.background_image.url)
        made = None
        if is_refitted and style.position == "absolute":
            made = _Made(element, parent, is_first, is_last, self._collapsing, tuple(self._counters))
        source = Source(tag, get("id", ""), classes or "", layer or "", get("alt", ""), made)
        is_inline = style.display in {"inline", "inline-block"}
        if tag in {"img", "svg"}:
            return self._picture(element, style, source, is_inline)
        if tag == "br":
            return self._text("\n", node.style, source, "pre-line")
        kind = _KINDS.get(style.display, "block")
        was = self._collapsing
        lists = tag in {"ol", "ul"}
        if lists:
            self._counters.append(0)
        inside = self._inside(element, node, source)
        if lists:
            self._counters.pop()
        if kind == "inline":
            box = Box(kind, style, source, tuple(inside), is_inline=True)
        else:
            box = self._block(kind, style, source, inside, node)
            self._collapsing = was and style.position == "absolute"
        if tag in {"td", "th"}:
            box.colspan, box.rowspan = _count(get("colspan")), _count(get("rowspan"), 0)
        return box

    def _block(self, kind: Kind, style: Style, source: Source, inside: list[Box], node: Node) -> Box:
        if kind == "flex":
            return Box(kind, style, source, as_items(inside, node.nameless("block"), source))
        if kind in {"table", "group", "row"}:
            return as_table(kind, style, source, inside, node)
        held, has_lines = arranged(inside, node.nameless("block"), source)
        return Box(kind, style, source, held, has_lines, is_inline=kind == "inline-block")

    def _inside(self, element: Any, node: Node, source: Source) -> list[Box]:
        """What an element holds, texts and boxes in their order."""
        inside: list[Box] = []
        marker = self._marker(node, source) if node.style.display == "list-item" else None
        if marker is not None:
            inside.append(marker)
        if node.before is not None:
            inside.append(self._generated(node.before, source))
        text = element.text
        if text:
            self._add_text(inside, text, node.style, source)
        last, at = sum(isinstance(child.tag, str) for child in element) - 1, 0
        for child in element:
            if isinstance(child.tag, str):  # not a comment
                box = self._element(child, node, at == 0, at == last)
                at += 1
                if box is not None:
                    inside.append(box)
            text = child.tail
            if text:
                self._add_text(inside, text, node.style, source)
        if node.after is not None:
            inside.append(self._generated(node.after, source))
        if marker is not None and len(inside) == 1 and marker.is_absolute:
            # A list item without a text is as high as its sign.
            inside.append(Box("text", node.style, source, text="\u200b", is_inline=True))
        return inside

    def _add_text(self, inside: list[Box], text: str, style: Style, source: Source) -> None:
        box = self._text(text, style, source)
        if inside and inside[-1].kind == "text" and inside[-1].style is style:
            inside[-1].text += box.text
        else:
            inside.append(box)

    def _text(self, text: str, style: Style, source: Source, white_space: str | None = None) -> Box:
        """A text as it is set: white space collapsed, letters transformed."""
        white_space = white_space or style.white_space
        if "\r" in text:
            text = _FEED.sub("\n", text)
        if white_space != "pre-wrap":
            if "\n" in text or "\t" in text:
                text = _BREAK.sub("\n", text)
                if white_space != "pre-line":
                    text = text.replace("\n", " ")
            if "  " in text or "\t" in text:
                text = _SPACE.sub(" ", text)
            ends = text.endswith(" ")
            if self._collapsing and text.startswith(" "):
                text = text[1:]
            self._collapsing = ends
        else:
            self._collapsing = False
        if style.text_transform != "none":
            text = transformed(text, style.text_transform, style.lang)
        if style.hyphens == "none":
            text = text.replace(_SOFT_HYPHEN, "")
        return Box("text", style, source, text=text, is_inline=True)

    def _picture(self, element: Any, style: Style, source: Source, is_inline: bool) -> Box | None:
        url = svg = ""
        if source.tag == "img":
            url = (element.get("src") or "").strip()
            url = url if url.startswith(BASE) else urljoin(BASE, url)
            natural = self.memory.size(url) if element.get("src") else None
        else:
            svg = self._drawings[int(element.get("data-drawing", "0"))]
            natural = natural_of_svg(svg, style.font_size)
        was_collapsing = self._collapsing
        if style.position != "absolute":
            self._collapsing = False
        if natural is None:
            if not source.alt:
                return None
            self._collapsing = was_collapsing
            held = [self._text(source.alt, style, source)]
            return Box("inline", style, source, tuple(held), is_inline=True)
        return Box("picture", style, source, url=url, svg=svg, natural=natural, is_inline=is_inline)

    def _generated(self, style: Style, source: Source) -> Box:
        """The box of `::before` or `::after`."""
        text = "".join(style.content or ())
        inside = [self._text(text, style, source)] if text else []
        kind: Kind = _KINDS.get(style.display, "block")
        if kind == "inline":
            return Box(kind, style, source, tuple(inside), is_inline=True)
        held, has_lines = arranged(inside, style, source)
        self._collapsing = False
        return Box(
            "block" if kind != "inline-block" else kind,
            style,
            source,
            held,
            has_lines,
            is_inline=kind == "inline-block",
        )

    def _marker(self, node: Node, source: Source) -> Box | None:
        """The sign or number of a list item."""
        self._counters[-1] += 1
        kind = node.style.list_style_type
        if kind == "none":
            return None
        sign = f"{self._counters[-1]}. " if kind == "decimal" else _SIGNS[kind]
        style = self.cascade.marker(node, is_outside=False)
        text = Box("text", style, source, text=sign, is_inline=True)
        if node.style.list_style_position == "inside":
            self._collapsing = False
            return Box("inline", style, source, (text,), is_inline=True)
        box = nameless("block", self.cascade.marker(node, is_outside=True), source, [text], True)
        box.is_marker = True
        return box


def _add_bodies(table: Any) -> None:
    """Rows are in a body of the table, written or not."""
    body = None
    for row in list(table):
        if row.tag != "tr":
            body = None
            continue
        if body is None:
            body = table.makeelement("tbody")
            row.addprevious(body)
        body.append(row)


def _count(text: str | None, least: int = 1) -> int:
    return max(least, min(1000, int(text))) if text and text.strip().isdigit() else 1

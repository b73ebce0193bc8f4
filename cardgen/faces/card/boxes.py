"""The boxes of a face: its elements with their styles, and the boxes without an element that CSS puts between them.

Boxes say what there is; where it goes is for the layout modules, which leave them as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from cardgen.faces.card.natural import Natural
from cardgen.faces.card.style import Style

if TYPE_CHECKING:
    from cardgen.faces.card.sharing import Shared

Kind = Literal["block", "inline", "inline-block", "text", "picture", "flex", "table", "group", "row", "cell"]
_INLINE = frozenset(["inline", "inline-block", "text"])


class Source(Struct, frozen=True, eq=False):
    """The element that a box stands for, as far as anybody asks."""

    tag: str
    id: str = ""
    classes: str = ""
    layer: str = ""
    alt: str = ""
    # what it was made of, for an absolute box that may be laid out again
    made: object = None


class Box(Struct, eq=False):
    """One box. `inside` are its boxes; when `has_lines`, they flow in lines, else they stand below each other."""

    kind: Kind
    style: Style
    source: Source
    inside: tuple[Box, ...] = ()
    has_lines: bool = False
    text: str = ""
    # a picture: its address or, for a drawing in the layout, its text
    url: str = ""
    svg: str = ""
    natural: Natural | None = None
    # whether it stands in a line; a picture may or may not
    is_inline: bool = False
    # an item of a flex box
    is_item: bool = False
    # the sign of a list item, left of it
    is_marker: bool = False
    # cells: place in the grid, and the borders that they share with others (top, right, bottom, left)
    column: int = 0
    colspan: int = 1
    rowspan: int = 1
    borders: tuple[float, float, float, float] | None = None
    is_header: bool = False
    # a table whose cells share their borders
    shared: Shared | None = None
    # an absolute box that many faces have: how it was laid out, by what it was laid out in
    laid: dict[object, object] | None = None
    # whether nothing about it or in it is ever laid out again
    is_settled: bool = False
    # a face that holds nothing but absolute boxes
    is_apart: bool = False

    @property
    def is_absolute(self) -> bool:
        """Whether it is taken out of the flow."""
        return self.style.position == "absolute" and self.kind != "text"

    @property
    def is_context(self) -> bool:
        """Whether margins inside never meet those outside."""
        return self.is_absolute or self.is_item or self.kind in _CONTEXTS or self.style.overflow != "visible"


_CONTEXTS = frozenset(["inline-block", "cell", "flex", "table"])


def holds_text(box: Box) -> bool:
    """Whether it is a text that is more than a space that goes away at the begin of a line."""
    return box.kind != "text" or box.text != " " or not box.style.collapses


def nameless(kind: Kind, style: Style, source: Source, inside: Iterable[Box], has_lines: bool = False) -> Box:
    """A box that no element stands for."""
    return Box(kind, style, source, tuple(inside), has_lines)


def arranged(inside: list[Box], style: Style, source: Source) -> tuple[tuple[Box, ...], bool]:
    """What a block holds: either boxes below each other, or (second value) one row of boxes that flow in lines.

    Boxes in lines that stand beside blocks get blocks of their own, with `style`.
    """
    blocks: list[Box] = []
    line: list[Box] = []
    for box in _split(inside):
        if box.kind == "text" and not box.text:
            continue
        if (line and box.is_absolute) or (box.is_inline and not box.is_absolute):
            if line or holds_text(box):
                line.append(box)
            continue
        if line:
            blocks.append(nameless("block", style, source, line, True))
            line = []
        blocks.append(box)
    if line and not blocks:
        return tuple(line), True
    if line:
        blocks.append(nameless("block", style, source, line, True))
    return tuple(blocks), False


def _split(boxes: Iterable[Box]) -> Iterator[Box]:
    """The boxes, with inline ones that hold blocks cut into what is before, the block, and what is after it."""
    for box in boxes:
        if box.kind != "inline" or not any(_is_block(inner) for inner in _flat(box)):
            yield box
            continue
        part: list[Box] = []
        for inner in _split(box.inside):
            if _is_block(inner):
                yield Box("inline", box.style, box.source, tuple(part), is_inline=True)
                yield inner
                part = []
            else:
                part.append(inner)
        yield Box("inline", box.style, box.source, tuple(part), is_inline=True)


def _is_block(box: Box) -> bool:
    return not box.is_inline and not box.is_absolute


def _flat(box: Box) -> Iterator[Box]:
    """What stands in the lines of an inline box."""
    for inner in box.inside:
        yield inner
        if inner.kind == "inline":
            yield from _flat(inner)


def as_items(inside: list[Box], style: Style, source: Source) -> tuple[Box, ...]:
    """What a flex box holds, each as a block of its own."""
    items = []
    for box in inside:
        if box.kind == "text" and not box.text.strip(" "):
            continue
        if not box.is_absolute:
            if box.kind == "text":
                box = nameless("block", style, source, [box], True)
            elif box.kind == "inline":
                held, has_lines = arranged(list(box.inside), box.style, box.source)
                box = Box("block", box.style, box.source, held, has_lines)
            elif box.kind == "inline-block":
                box.kind = "block"
            box.is_inline = False
            box.is_item = True
        items.append(box)
    return tuple(items)

"""What stands in a row of text: pieces of it, pictures and boxes in the line, and where a line may break between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from cardgen.faces.card.boxes import Box
from cardgen.faces.card.breaking import breaks_between
from cardgen.faces.card.fragments import Fragment, Waiting
from cardgen.faces.card.pieces import Pieces, pieces_of
from cardgen.faces.card.style import Style
from cardgen.faces.card.used import Used, used_values

# What stands for a picture where lines are broken: it is like an ideograph.
_ATOM = "\u2e80"
# Lays out what stands in a line as one: (box, width around, height around, what waits) -> its fragment and its width
# with margins.
Lay = Callable[[Box, float, "float | None", list[Waiting]], tuple[Fragment, float]]


class Item(Struct, eq=False):
    """A step along a line: a text, a thing in the line, the begin or end of an inline box, a place left free.

    `width` is that of anything but a text, in px. Of a text these are the pieces from `first` to before `last`, and
    `may_break` tells of its end.
    """

    kind: Literal["text", "atom", "open", "close", "absent"]
    box: Box
    width: float = 0.0
    pieces: Pieces | None = None
    first: int = 0
    last: int = 0
    # at the end of a line, where spaces go away
    is_trimmed: bool = False
    fragment: Fragment | None = None
    values: Used | None = None
    may_break: bool = False
    waiting: tuple[Waiting, ...] = ()
    # a part of a word, whose hyphen is still to be set
    hyphen: str = ""

    @property
    def text(self) -> str:
        """What is written in the line, but for a hyphen."""
        assert self.pieces is not None
        written = self.pieces.written(self.first, self.last)
        return written.rstrip(" ") if self.is_trimmed else written


def items_of(box: Box, width: float, height: float | None, lay: Lay) -> list[Item]:
    """What stands in the lines of a box, one after the other, with the places where they may break."""
    items: list[Item] = []
    _collect(box.inside, width, height, lay, items)
    _mark_breaks(items, box.style)
    return items


def _collect(boxes: Sequence[Box], width: float, height: float | None, lay: Lay, items: list[Item]) -> None:
    for box in boxes:
        if box.is_absolute:
            items.append(Item("absent", box))
        elif box.kind == "text":
            if box.text:
                pieces = pieces_of(box.style, box.text)
                items.append(Item("text", box, 0.0, pieces, 0, len(pieces.units)))
        elif box.kind == "inline":
            values = used_values(box, width, height).without_auto_margins()
            assert values.ml is not None and values.mr is not None
            items.append(Item("open", box, values.ml + values.bl + values.pl, values=values))
            _collect(box.inside, width, height, lay, items)
            items.append(Item("close", box, values.mr + values.br + values.pr, values=values))
        else:
            own: list[Waiting] = []
            fragment, outer = lay(box, width, height, own)
            items.append(Item("atom", box, outer, fragment=fragment, waiting=tuple(own)))


def _mark_breaks(items: list[Item], style: Style) -> None:
    """Say where a line may break between texts and things that follow each other, behind or before inline boxes."""
    styles = [style]
    before, place, depth = "", -1, 0
    for index, item in enumerate(items):
        if item.kind == "open":
            styles.append(item.box.style)
        elif item.kind == "close":
            styles.pop()
            if len(styles) <= depth:
                depth, place = len(styles), index
        elif item.kind != "absent":
            first, last = _ends(item)
            if before and place >= 0 and not items[place].may_break and styles[depth - 1].wraps:
                items[place].may_break = breaks_between(before, first)
            before, place, depth = last, index, len(styles)


def _ends(item: Item) -> tuple[str, str]:
    """The first and last character."""
    if item.pieces is None:
        return _ATOM, _ATOM
    first, last = item.pieces.units[0], item.pieces.units[-1]
    return (first.text or " " * first.spaces)[:1], (" " if last.spaces else last.text)[-1:]

"""What stands in a row of text: pieces of it, pictures and boxes in the line, and where a line may break between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from cardgen.faces.card.boxes import Box
from cardgen.faces.card.breaking import Unit, breaks_between, measures_of
from cardgen.faces.card.fragments import Fragment, Waiting
from cardgen.faces.card.style import Style
from cardgen.faces.card.used import Used, used_values

# What stands for a picture where lines are broken: it is like an ideograph.
_ATOM = "\u2e80"
# Lays out what stands in a line as one: (box, width around, height around, what waits) -> its fragment and its width
# with margins.
Lay = Callable[[Box, float, "float | None", list[Waiting]], tuple[Fragment, float]]


class Item(Struct, eq=False):
    """A step along a line: a piece of text, a thing in the line, the begin or end of an inline box, a place left free.

    `width` in px counts for the line, `gap` only if something follows in it.
    """

    kind: Literal["text", "atom", "open", "close", "absent"]
    box: Box
    width: float = 0.0
    gap: float = 0.0
    unit: Unit | None = None
    fragment: Fragment | None = None
    values: Used | None = None
    may_break: bool = False
    waiting: tuple[Waiting, ...] = ()
    # a part of a word, whose hyphen is still to be set
    hyphen: str = ""


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
            _collect_text(box, items)
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


def _collect_text(box: Box, items: list[Item]) -> None:
    style = box.style
    if not box.text:
        return
    wraps = style.wraps
    for unit, width, gap in measures_of(style, box.text):
        items.append(Item("text", box, width, gap, unit, None, None, wraps))
    items[-1].may_break = False


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
    unit = item.unit
    if unit is None:
        return _ATOM, _ATOM
    text = unit.text + " " * min(1, unit.spaces)
    return (text[0], text[-1]) if text else ("", "")

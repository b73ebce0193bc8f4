"""What layout makes of boxes: rectangles with a place, in each other.

A place is relative to the upper left corner of the border of what the fragment lies in, so that a part can be moved, or
laid out again, on its own. Layout sets it when the fragment is put somewhere; nothing else about it changes then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from cardgen.faces.card.boxes import Box
from cardgen.faces.card.display import BorderStyle, Colour, Run
from cardgen.faces.card.values import used

if TYPE_CHECKING:
    from cardgen.faces.card.display import Item

# Width of top, right, bottom, left.
Edges = tuple[float, float, float, float]
NO_EDGES: Edges = (0.0, 0.0, 0.0, 0.0)


class Fragment(Struct, eq=False):
    """A laid out box: its border box, in px, and what lies in it in the order of the face's tree.

    A line has no box. `baseline` is how far the (first) line's baseline lies below the top.
    """

    box: Box | None
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0
    inside: list[Fragment] = field(default_factory=list)
    border: Edges = NO_EDGES
    padding: Edges = NO_EDGES
    # how far the margin edge is above the border, and the whole height with margins (what stands in lines)
    above: float = 0.0
    outer: float = 0.0
    baseline: float = 0.0
    # a text: its runs, and what is added after each letter and space
    runs: tuple[Run, ...] = ()
    letter: float = 0.0
    word: float = 0.0
    text: str = ""
    missing: str = ""
    # a table whose cells share their borders: those borders
    rules: tuple[Rule, ...] = ()
    # a picture: where it is drawn, relative to the fragment
    drawn: tuple[float, float, float, float] | None = None
    # what is needed to lay out an absolute box once more
    held: Held | None = None
    # of a part that faces have alike, once known: that nothing in it is fitted or out of place; what is seen of it
    is_sound: bool = False
    shown: Shown | None = None


class Shown(Struct, frozen=True):
    """What is drawn of a part that lies at (x, y): its layers (order, items), and characters that no font has."""

    x: float
    y: float
    layers: list[tuple[int, list[Item]]]
    missing: frozenset[str]


class Rule(Struct, frozen=True):
    """A border between cells: the middle of a line, from (x, y) to the right or, if upright, downwards."""

    x: float
    y: float
    length: float
    is_upright: bool
    width: float
    style: BorderStyle
    colour: Colour


class Held(Struct, frozen=True):
    """What an absolute box was laid out in: the size of the containing block's padding box, where the box would stand
    in the flow, and what leads from places in that padding box to places in the fragment that it lies in."""

    width: float
    height: float
    x: float
    y: float
    dx: float
    dy: float


class Waiting(Struct, eq=False):
    """An absolute box that waits for its containing block; (x, y) is where it would stand in the flow, relative to the
    fragment that is being laid out, (own_x, own_y) relative to the one that it lies in."""

    fragment: Fragment
    x: float
    y: float
    own_x: float
    own_y: float


class Unplaced(list[Waiting]):
    """What waits in a layout that is only measured: it is never placed."""


def waiting_in(box: Box, waiting: list[Waiting]) -> list[Waiting]:
    """Where what a box takes out of the flow waits: in a list of its own where the box is what it waits for."""
    is_own = box.style.position == "relative" and not isinstance(waiting, Unplaced)
    return [] if is_own else waiting


def shift_relative(part: Fragment, width: float, height: float) -> None:
    """Move a part that is placed relatively."""
    style = part.box.style if part.box is not None else None
    if style is None or style.position != "relative":
        return
    if style.left is not None:
        part.x += used(style.left, width)
    elif style.right is not None:
        part.x -= used(style.right, width)
    if style.top is not None:
        part.y += used(style.top, height)
    elif style.bottom is not None:
        part.y -= used(style.bottom, height)

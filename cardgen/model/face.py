"""Faces: what is to be drawn, and what an engine made of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from cardgen.geometry import Box
from cardgen.model.painted import FontUse, Painted, PictureUse
from cardgen.model.trim import Trim

Side = Literal["front", "back"]
# What a face is drawn without: art marked data-layer="background", areas marked data-ink="fill".
LeaveOut = Literal["backgrounds", "fills"]


class Face(Struct, frozen=True):
    """One face ready for an engine: markup (in UTF-8) at trim size, its origin the trim's top left corner.

    `key` is the hash of everything the picture depends on (data, layout, assets, fonts, language), so equal keys
    mean equal pictures. `label` names it in messages (`card/front`).
    """

    key: str
    label: str
    game: str
    layout: str
    side: Side
    trim: Trim
    lang: str
    engine: str
    css: tuple[str, ...]
    # bytes: thousands wait to be drawn, and a text that is sent to a worker is held twice
    markup: bytes
    # fields whose text must fit, and the least scale of each
    fits: Mapping[str, float]
    leave_out: tuple[LeaveOut, ...] = ()
    # the component that it belongs to; empty for a card's
    component: str = ""
    # whether it is a text that runs over as many pages as it needs, each as large as the trim
    flow: bool = False

    @property
    def html(self) -> str:
        """The markup as text."""
        return self.markup.decode("utf-8")


def page_key(key: str, number: int) -> str:
    """The key of a page, from 1, of a face that flows: the first has the face's own."""
    return key if number == 1 else f"{key}/{number}"


class Lines(Struct, frozen=True):
    """How the text of a fitted box runs, before the box is turned; lengths in mm, at the scale that it was set in.

    `natural` is the length of all of it on a single line, icons in it included. It stands in `count` lines, which take
    up `taken` of the box's `width` x `height`; `wraps` says whether its style lets it take more than one. `type` tells
    how its letters are set (role of font, weight, case, spacing) and `em` how large: texts of equal type have letters
    of about equal width, in em.
    """

    natural: float
    count: int
    taken: float
    width: float
    height: float
    wraps: bool
    type: str
    em: float


NO_LINES = Lines(0.0, 0, 0.0, 0.0, 0.0, True, "", 0.0)


class Fit(Struct, frozen=True):
    """How one fitted box came out. Boxes in mm from the trim's top left corner.

    `scale` is 1 for the full size, `tight` says that the leading was reduced.
    """

    key: str
    field: str
    box: Box
    content: Box
    scale: float
    tight: bool
    lines: Lines = NO_LINES

    @property
    def overflow(self) -> float:
        """How far the content stands out of its box, in mm; 0 when it fits."""
        return max(
            0.0,
            self.box.x - self.content.x,
            self.box.y - self.content.y,
            self.content.right - self.box.right,
            self.content.bottom - self.box.bottom,
        )


# What may be wrong with where a text stands: it is cut off with the trim, hidden by a box that hides what leaves it,
# leaves the box that it was given, stands nearer to the cut than the trim's `safe`; a fitted box has no height or no
# place of its own.
StrayKind = Literal["trim", "hidden", "box", "safe", "unsized", "unplaced"]


class Stray(Struct, frozen=True):
    """Text of a face that stands where it should not.

    `box` is the field of a fitted box (`is_field`), else the classes of the element; `by` is how far it stands out, in
    mm: of the trim, the box, or (`safe`) of what is left when the margin is taken away.
    """

    key: str
    kind: StrayKind
    box: str
    is_field: bool
    by: float
    text: str


class Rendering(Struct, frozen=True):
    """Many faces of one trim, in the order of `keys`: as one PDF with a page each, or `painted`.

    Every page's MediaBox is the trim grown by `bleed` mm on all sides and starts at 0 0; content streams are not
    compressed; whole fonts are embedded (the writer subsets their union, so that files of several workers join).
    What is painted has no PDF of its own; `pdf.painted.rendering_pdf` makes one of either.
    """

    pdf: bytes
    keys: tuple[str, ...]
    trim: Trim
    bleed: float
    fonts: tuple[FontUse, ...]
    fits: tuple[Fit, ...] = ()
    # (key of a face, why it could not be drawn); such a face has no page
    failures: tuple[tuple[str, str], ...] = ()
    # what the engine complained about, each once
    complaints: tuple[str, ...] = ()
    pictures: tuple[PictureUse, ...] = ()
    # (address of a picture, why the engine could not draw it)
    undrawn: tuple[tuple[str, str], ...] = ()
    # addresses that lead out of the project, which nobody followed
    refused: tuple[str, ...] = ()
    strays: tuple[Stray, ...] = ()
    # font files that the engine could not load; it has drawn nothing then
    unloaded: tuple[str, ...] = ()
    painted: Painted | None = None

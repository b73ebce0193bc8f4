"""Cutouts: pieces with more to them than one upright face: what to cut, to fold and to glue. Millimetres.

A cutout's own coordinates start at the top left corner of its `size`, y downwards; those of its back start at the top
left corner as it is seen from behind. A card is the simplest cutout: a panel in front, a panel behind, cut straight.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct, field

from cardgen.geometry import Matrix, Polygon, Size
from cardgen.model.face import Side
from cardgen.model.trim import Trim

# Mountain: the print ends up on the outside of the edge; valley: on the inside.
FoldKind = Literal["mountain", "valley"]


class Panel(Struct, frozen=True):
    """One face of a cutout: a layout, what it sees as `piece`, and where it lies.

    `matrix` takes the face's own mm (origin the trim's top left corner) to the cutout's; `outline` is what it may
    paint on, in the cutout's mm, None for its trim with the bleed that the sheet allows. `shape` are the points of
    the face that show when the piece is put together, in the face's own mm (empty: all of the trim); layouts find its
    middle and the room around that. `key` is that of the drawn face, empty until it is made.
    """

    label: str
    layout: str
    trim: Trim
    values: Mapping[str, object]
    matrix: Matrix = field(default_factory=Matrix)
    outline: Polygon | None = None
    shape: Polygon = ()
    side: Side = "front"
    key: str = ""


class Fold(Struct, frozen=True):
    """A line to fold along, in mm; mountain and valley folds are drawn differently."""

    line: Polygon
    kind: FoldKind = "mountain"


class Glue(Struct, frozen=True):
    """An area that takes glue, in mm, and the number of the edge or face that it meets (empty: none)."""

    area: Polygon
    name: str = ""
    meets: str = ""


class Note(Struct, frozen=True):
    """A few small words beside the print, never on a face: a tab's number, a letter. Baseline's middle at (x, y), mm;
    what would be longer than `room` mm is drawn smaller (0: no bound)."""

    x: float
    y: float
    text: str
    size: float = 5.0
    room: float = 0.0


class Cutout(Struct, frozen=True):
    """One thing to cut out. `label` names it in manifests and messages, `title` for people.

    `cuts` are the outlines to cut, drawn on the sheet; without any, the box of `size` is cut along crop marks.
    `slits` are lines cut inside of the outline. `bleed` is how far beyond its box it may paint, in mm. `group` keeps
    cutouts together on a sheet that belong together, as the faces of one die.
    """

    label: str
    title: str
    size: Size
    panels: tuple[Panel, ...]
    cuts: tuple[Polygon, ...] = ()
    slits: tuple[Polygon, ...] = ()
    folds: tuple[Fold, ...] = ()
    glue: tuple[Glue, ...] = ()
    notes: tuple[Note, ...] = ()
    copies: int = 1
    bleed: float = 0.0
    group: str = ""

    @property
    def straight(self) -> bool:
        """Whether it is cut along its box, with a knife from edge to edge."""
        return not self.cuts

    @property
    def two_sided(self) -> bool:
        """Whether something is printed on its back."""
        return any(panel.side == "back" for panel in self.panels)

    @property
    def is_card(self) -> bool:
        """Whether it is no more than one upright face, or one on either side, cut straight."""
        sides = [panel.side for panel in self.panels]
        plain = all(panel.outline is None and panel.matrix == Matrix() for panel in self.panels)
        return self.straight and plain and sorted(sides) in (["front"], ["back", "front"]) and not self.folds

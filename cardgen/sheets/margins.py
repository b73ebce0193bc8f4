"""Free places in a sheet's margins, for the ruler and the labels. Millimetres.

A place is a strip of the margin between two marks, seen as if it lay flat: `u` runs along it, `v` down across it, from
its own top left corner. In the side margins it is turned, to be read from below.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from msgspec import Struct

from cardgen.geometry import Box, Matrix, Size
from cardgen.model.drawing import Path, Text

# Nothing printed comes nearer than this to the art or to a mark.
CLEARANCE = 1.0


class Area(Protocol):
    """Paper with art in its middle, in mm: a grid, or what a packed sheet keeps for its pieces and their marks."""

    @property
    def paper(self) -> Size:
        """The paper as it lies."""

    @property
    def art(self) -> Box:
        """Where paint may be; the margin is what lies around it."""

    @property
    def margin(self) -> float:
        """What the printer cannot reach."""


class Place(Struct, frozen=True):
    """A free rectangle `length` by `thickness` mm; `turns` and `matrix` take what is drawn in it to the sheet."""

    length: float
    thickness: float
    matrix: Matrix
    turns: int

    def after(self, used: float) -> Place:
        """What is left of the place beyond the first `used` mm."""
        x, y = self.matrix.apply(used, 0.0)
        m = self.matrix
        return Place(self.length - used, self.thickness, Matrix(m.a, m.b, m.c, m.d, x, y), self.turns)

    def path(self, path: Path) -> Path:
        """`path`, drawn in the place's own mm, on the sheet."""
        lines = tuple(tuple(self.matrix.apply(u, v) for u, v in line) for line in path.lines)
        return Path(lines, path.stroke, path.fill, path.width, path.dash, path.closed)

    def text(self, text: Text) -> Text:
        """`text`, set in the place's own mm, on the sheet."""
        x, y = self.matrix.apply(text.x, text.y)
        turns = (text.turns + self.turns) % 4
        return Text(x, y, text.text, text.size, text.anchor, text.colour, turns, text.room)


def free_places(area: Area, marks: Iterable[Path]) -> tuple[Place, ...]:
    """The places that art, marks and the unprintable margin leave free: below, above, then the left and right side."""
    art, margin, paper = area.art, area.margin, area.paper
    printable = Box(margin, margin, paper.width - 2 * margin, paper.height - 2 * margin)
    taken = [_bounds(line).grown(CLEARANCE) for path in marks for line in path.lines]
    # Where the art comes nearer to the margin than the clearance, the side strips still end at the margin.
    below, above = min(art.bottom + CLEARANCE, printable.bottom), max(art.y - CLEARANCE, printable.y)
    left, right = art.x - CLEARANCE, art.right + CLEARANCE
    strips = (
        Box(printable.x, below, printable.width, printable.bottom - below),
        Box(printable.x, printable.y, printable.width, above - printable.y),
        Box(printable.x, above, left - printable.x, below - above),
        Box(right, above, printable.right - right, below - above),
    )
    places: list[Place] = []
    for strip, upright in zip(strips, (True, True, False, False), strict=True):
        if strip.width > 0 and strip.height > 0:
            places.extend(_places(strip, [box for box in taken if box.overlaps(strip)], upright))
    return tuple(places)


def _places(strip: Box, taken: Sequence[Box], upright: bool) -> list[Place]:
    """What the boxes taken leave of a strip, cut across: a mark in the margin spans most of its width anyway."""
    if upright:
        spans = _spans(strip.x, strip.right, [(box.x, box.right) for box in taken])
        return [Place(end - start, strip.height, Matrix(e=start, f=strip.y), 0) for start, end in spans]
    spans = _spans(strip.y, strip.bottom, [(box.y, box.bottom) for box in taken])
    # Three quarter turns: u runs upwards from the lower end, v to the right.
    return [
        Place(end - start, strip.width, Matrix(0.0, -1.0, 1.0, 0.0, strip.x, end), 3) for start, end in reversed(spans)
    ]


def _spans(start: float, end: float, taken: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    free, at = [], start
    for low, high in sorted(taken):
        if low > at:
            free.append((at, min(low, end)))
        at = max(at, high)
    if at < end:
        free.append((at, end))
    return free


def _bounds(line: Sequence[tuple[float, float]]) -> Box:
    xs, ys = [x for x, _ in line], [y for _, y in line]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))

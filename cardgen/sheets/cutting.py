"""The order in which a packed sheet is cut. Millimetres.

A packed sheet is cut in rounds. The first round's cuts go through the whole sheet, from the mark in one margin to the
mark in the other, and leave the margins whole: so no cut takes away a mark that a later one needs. They part the sheet
into cells; each further round cuts the cells of the one before it from edge to edge. A line that crosses no piece never
makes a sheet uncuttable, since what a guillotine could do in the whole it can do in each part; so every such line along
a piece's edge is cut at once, and a sheet that this does not take apart cannot be taken apart by any guillotine.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections.abc import Sequence

from cardgen.geometry import Box
from cardgen.model.sheet import Cut, Laid

_Span = tuple[float, float]
# A part of a sheet and what lies in it.
_Part = tuple[Box, list[Laid]]

# Two edges nearer than this are one cut: no knife goes between them.
SAME_MM = 0.002


def cut_list(laid: Sequence[Laid], frame: Box) -> tuple[Cut, ...] | None:
    """The cuts that free every straight piece of a sheet, in order, numbered from 1; None when no guillotine can.

    `frame` is where the marks begin, all around the pieces: the ends of the first round's cuts. Pieces with outlines
    are only kept whole: scissors free them. Within a round the long cuts come first.
    """
    cuts: list[Cut] = []
    cells = [(frame, list(laid))]
    while cells:
        made: list[Cut] = []
        inner: list[_Part] = []
        for cell, pieces in cells:
            if _is_done(cell, pieces):
                continue
            lines = _lines_of(cell, pieces)
            if lines is None:
                return None
            upright, level = lines
            made += [Cut("upright", at, cell.y, cell.bottom, 0) for at in upright]
            made += [Cut("level", at, cell.x, cell.right, 0) for at in level]
            inner += _parts(cell, pieces, upright, level)
        # Stable: cuts of one length go from left to right, from above to below.
        made.sort(key=lambda cut: -round(cut.length, 3))
        cuts += made
        cells = inner
    return tuple(Cut(cut.axis, cut.at, cut.start, cut.end, number) for number, cut in enumerate(cuts, 1))


def _lines_of(cell: Box, pieces: Sequence[Laid]) -> tuple[list[float], list[float]] | None:
    """Where a cell is cut in the next round: upright and level. None when nothing can be cut."""
    across = [(piece.box.x, piece.box.right) for piece in pieces]
    down = [(piece.box.y, piece.box.bottom) for piece in pieces]
    upright = _lines(across, _edges(pieces, True), cell.x, cell.right)
    level = _lines(down, _edges(pieces, False), cell.y, cell.bottom)
    if upright or level:
        return _parting(upright, level, across, down), _parting(level, upright, down, across)
    # Nothing but gaps between outlined pieces can be cut here, in order to get at the straight ones.
    upright, level = _gaps(across), _gaps(down)
    return (upright, level) if upright or level else None


def _parting(
    lines: list[float], crossing: Sequence[float], along: Sequence[_Span], across: Sequence[_Span]
) -> list[float]:
    """Those of the lines that free strips from waste or part strips that are divided differently.

    Strips that are divided alike stay together for one more round: there one long cut does for all of them what each
    would need a short one for. What the lines `crossing` them divide in this very round does not count.
    """
    strips: list[set[float]] = [set() for _ in range(len(lines) + 1)]
    divided = {round(at, 2) for at in crossing}
    for (low, high), sides in zip(along, across, strict=True):
        strips[bisect_left(lines, (low + high) / 2)] |= {round(side, 2) for side in sides} - divided or {math.inf}
    parting: list[float] = []
    before: set[float] = set()
    waiting: list[float] = []
    for at, strip in zip((*lines, math.inf), strips, strict=True):
        if strip and strip != before:
            # Between the two there may be a strip without pieces: both its edges are cut.
            parting += waiting
        if strip:
            waiting, before = [], strip
        waiting.append(at)
    parting += waiting[:-1]
    # Where all are alike there is nothing to wait for.
    return lines if len({frozenset(strip) for strip in strips if strip}) < 2 else parting


def _is_done(cell: Box, pieces: Sequence[Laid]) -> bool:
    straight = [piece.box for piece in pieces if piece.straight]
    if not straight:
        return True
    (box, *others) = straight
    return not others and len(pieces) == 1 and box.grown(SAME_MM).contains(cell)


def _edges(pieces: Sequence[Laid], upright: bool) -> list[float]:
    boxes = [piece.box for piece in pieces if piece.straight]
    return sorted(edge for box in boxes for edge in ((box.x, box.right) if upright else (box.y, box.bottom)))


def _lines(spans: Sequence[_Span], edges: Sequence[float], start: float, end: float) -> list[float]:
    """Those of the edges that lie between `start` and `end` and inside of no span, equal ones once."""
    merged = _merged(spans)
    starts = [low for low, _ in merged]
    found: list[float] = []
    for at in edges:
        if at < start + SAME_MM or at > end - SAME_MM or (found and at < found[-1] + SAME_MM):
            continue
        # The last span that starts clearly before the line is the only one that it can cross.
        before = bisect_left(starts, at - SAME_MM) - 1
        if before < 0 or merged[before][1] < at + SAME_MM:
            found.append(at)
    return found


def _gaps(spans: Sequence[_Span]) -> list[float]:
    merged = _merged(spans)
    return [(before[1] + after[0]) / 2 for before, after in itertools.pairwise(merged)]


def _merged(spans: Sequence[_Span]) -> list[_Span]:
    """The spans joined where they overlap by more than a knife's breadth."""
    merged: list[_Span] = []
    for low, high in sorted(spans):
        if merged and low < merged[-1][1] - SAME_MM:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return merged


def _parts(cell: Box, pieces: Sequence[Laid], upright: Sequence[float], level: Sequence[float]) -> list[_Part]:
    """The parts that a cell's cuts leave, each with what lies in it, from left to right and row by row."""
    xs, ys = (cell.x, *upright, cell.right), (cell.y, *level, cell.bottom)
    parts: dict[tuple[int, int], list[Laid]] = {}
    for piece in pieces:
        box = piece.box
        column = bisect_left(upright, box.x + box.width / 2)
        row = bisect_left(level, box.y + box.height / 2)
        parts.setdefault((row, column), []).append(piece)
    return [
        (Box(xs[column], ys[row], xs[column + 1] - xs[column], ys[row + 1] - ys[row]), parts[row, column])
        for row, column in sorted(parts)
    ]

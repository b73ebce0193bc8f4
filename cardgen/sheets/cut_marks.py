"""Marks for the cuts of a packed sheet. Millimetres.

A cut that ends at the margin has its mark there, with its number. A cut that ends inside of the sheet, at an earlier
cut, has a tick along itself, where that cut leaves it: in the waste if there is some, else a short one on the edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cardgen.geometry import Box, Point
from cardgen.model.drawing import BLACK, Path, Text
from cardgen.model.sheet import Cut, Laid, Marks
from cardgen.sheets.cutting import SAME_MM
from cardgen.sheets.marks import DASH, LIGHT_GREY, MARK_WIDTH, SQUARE_ARM

NUMBER_PT = 4.0
# A tick in the waste; one on a piece's edge is as long as a corner mark's arm.
LONGEST_TICK = 4.0
# How far a number stands from its mark, and the room that it needs beside it.
_ASIDE, _ROOM = 0.4, 2.4
# Half the height of a digit of 4 pt.
_HALF_DIGIT = 0.5

_Line = tuple[Point, Point]


def cut_marks(
    cuts: Sequence[Cut], laid: Sequence[Laid], frame: Box, reach: Box, marks: Marks
) -> tuple[Path | Text, ...]:
    """The marks of a sheet's cuts: `frame` is where the marks in the margins begin, `reach` where they end.

    `full` draws the cuts themselves, `corner` and `in-gap` the corners of straight pieces, `none` nothing.
    """
    if marks == "none":
        return ()
    if marks == "full":
        return _dashed([_along(cut, cut.start, cut.end) for cut in cuts])
    if marks != "margin":
        return _dashed([line for piece in laid if piece.straight for line in _corners(piece.box)])
    ticks: list[_Line] = []
    ends: dict[tuple[str, bool], list[Cut]] = {}
    for cut in cuts:
        low, high = (frame.y, frame.bottom) if cut.axis == "upright" else (frame.x, frame.right)
        for at, edge, first in ((cut.start, low, True), (cut.end, high, False)):
            if abs(at - edge) < SAME_MM:
                ends.setdefault((cut.axis, first), []).append(cut)
            else:
                ticks.append(_tick(cut, laid, first))
    margin: list[_Line] = []
    numbers: list[Text] = []
    for (axis, first), here in ends.items():
        here.sort(key=lambda cut: cut.at)
        inner, outer = _span(axis, first, frame, reach)
        margin += [_along(cut, min(inner, outer), max(inner, outer)) for cut in here]
        numbers += _numbers(here, outer)
    in_margin = (Path(tuple(margin), width=MARK_WIDTH),) if margin else ()
    return (*in_margin, *numbers, *_dashed(ticks))


def _span(axis: str, first: bool, frame: Box, reach: Box) -> tuple[float, float]:
    """From where to where the marks of one margin go, the inner end first."""
    if axis == "upright":
        return (frame.y, reach.y) if first else (frame.bottom, reach.bottom)
    return (frame.x, reach.x) if first else (frame.right, reach.right)


def _numbers(cuts: Sequence[Cut], outer: float) -> Iterator[Text]:
    """The numbers of cuts that end in one margin, beside the marks' outer ends, where neighbours leave room."""
    for index, cut in enumerate(cuts):
        before = cuts[index - 1].at if index else -1e9
        after = cuts[index + 1].at if index + 1 < len(cuts) else 1e9
        if after - cut.at >= _ROOM:
            side = 1
        elif cut.at - before >= 2 * _ROOM or index == 0:
            side = -1
        else:
            continue
        text = str(cut.number)
        if cut.axis == "upright":
            inward = 1 if outer < cut.start else -1
            y = outer + (2 * _HALF_DIGIT if inward > 0 else 0.0)
            yield Text(cut.at + side * _ASIDE, y, text, NUMBER_PT, "start" if side > 0 else "end")
        else:
            y = cut.at + (_ASIDE + 2 * _HALF_DIGIT if side > 0 else -_ASIDE)
            yield Text(outer, y, text, NUMBER_PT, "start" if outer < cut.start else "end")


def _tick(cut: Cut, laid: Sequence[Laid], first: bool) -> _Line:
    """The tick at one end of a cut: as far as no piece stands beside the line, or a little way along the first."""
    beside = []
    for piece in laid:
        box = piece.box
        across = (box.x, box.right) if cut.axis == "upright" else (box.y, box.bottom)
        along = (box.y, box.bottom) if cut.axis == "upright" else (box.x, box.right)
        if (
            across[0] <= cut.at + SAME_MM
            and across[1] >= cut.at - SAME_MM
            and along[1] > cut.start
            and along[0] < cut.end
        ):
            beside.append(along[0] - cut.start if first else cut.end - along[1])
    free = min(beside, default=LONGEST_TICK)
    length = min(free if free >= SQUARE_ARM else SQUARE_ARM, LONGEST_TICK, cut.length)
    return _along(cut, cut.start, cut.start + length) if first else _along(cut, cut.end - length, cut.end)


def _along(cut: Cut, start: float, end: float) -> _Line:
    if cut.axis == "upright":
        return (cut.at, start), (cut.at, end)
    return (start, cut.at), (end, cut.at)


def _corners(box: Box) -> Iterator[_Line]:
    arm = min(SQUARE_ARM, box.width / 2, box.height / 2)
    for x in (box.x, box.right):
        for y in (box.y, box.bottom):
            yield (x - arm, y), (x + arm, y)
            yield (x, y - arm), (x, y + arm)


def _dashed(lines: Sequence[_Line]) -> tuple[Path, ...]:
    unique = tuple(dict.fromkeys(lines))
    if not unique:
        return ()
    return Path(unique, LIGHT_GREY, width=MARK_WIDTH), Path(unique, BLACK, width=MARK_WIDTH, dash=DASH)

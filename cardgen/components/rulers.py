"""Range rulers: two-sided, to scale, in parts where they are longer than the paper. Millimetres."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from cardgen.components.trims import derived_trim
from cardgen.errors import CannotMake
from cardgen.geometry import EPSILON_MM, Box, Size, box_points
from cardgen.model.component import Component, Ruler, Stop
from cardgen.model.cutout import Cutout, Glue, Panel
from cardgen.model.face import Side
from cardgen.model.game import Game
from cardgen.units import format_mm

LAYOUT = "_base/ruler"
UNITS = {"in": 25.4, "cm": 10.0}
# What a part may measure: A4 and Letter with margins of 10 mm both hold it.
_LONGEST = 250.0
# The strip of a part that goes behind the next one.
_JOIN = 15.0
_BLEED = 1.5
_HALVES = {"in": 4, "cm": 2}


class _Part(Struct, frozen=True):
    """A part of a ruler from `start` to `end` mm of it, with a strip behind the next part unless it is the last."""

    number: int
    start: float
    end: float
    join: float

    @property
    def long(self) -> float:
        return self.end - self.start + self.join


def make_ruler(component: Component, game: Game) -> list[Cutout]:
    """The parts of a ruler, from its zero end on. Both sides count from that end: on the back it is to the right.

    Raises CannotMake for two stops at one place.
    """
    options = component.options
    assert isinstance(options, Ruler)
    for name, stops in (("stops", options.stops), ("behind", options.behind)):
        _check(stops, name, options.unit)
    mm = UNITS[options.unit]
    total = max(stop.at for stop in (*options.stops, *options.behind)) * mm
    parts = _parts(total, mm)
    return [_cutout(component, options, part, len(parts)) for part in parts]


def _check(stops: Sequence[Stop], name: str, unit: str) -> None:
    seen: dict[float, str] = {}
    for stop in stops:
        if stop.at in seen:
            raise CannotMake(
                f"found `{stop.id}` and `{seen[stop.at]}` at the same {format_mm(stop.at)} {unit}; expected one stop "
                "for a distance: one title may name both uses",
                f"{name}.{stop.id}.at",
            )
        seen[stop.at] = stop.id


def _parts(total: float, mm: float) -> list[_Part]:
    """The fewest parts, each but the last a whole number of units long."""
    if total <= _LONGEST + EPSILON_MM:
        return [_Part(1, 0.0, total, 0.0)]
    most = math.floor((_LONGEST - _JOIN) / mm) * mm
    count = math.ceil(total / most - EPSILON_MM)
    each = math.ceil(total / mm / count - EPSILON_MM) * mm
    return [
        _Part(at + 1, at * each, min(total, (at + 1) * each), _JOIN if at + 1 < count else 0.0) for at in range(count)
    ]


def _cutout(component: Component, options: Ruler, part: _Part, count: int) -> Cutout:
    size = Size(round(part.long, 3), options.width)
    trim = derived_trim(size.width, size.height, _BLEED)
    letter = chr(ord("A") + part.number - 1) if count > 1 else ""
    label = f"{component.id}/{letter}" if letter else component.id
    printed = size.width - part.join

    def panel(side: Side) -> Panel:
        layout = component.layout if side == "front" else component.back or component.layout
        right = printed if part.join else printed + _BLEED
        paints = box_points(Box(-_BLEED, -_BLEED, right + _BLEED, size.height + 2 * _BLEED))
        values = {
            "title": component.title,
            "unit": options.unit,
            "part": letter,
            "side": side,
            "ticks": _ticks(options, part, side),
            "bands": _bands(options, part, side),
        }
        return Panel(
            f"{label}/{side}", layout or LAYOUT, trim, values, outline=paints if side == "front" else None, side=side
        )

    glue: tuple[Glue, ...] = ()
    if part.join:
        area = box_points(Box(printed, 0.0, part.join, size.height))
        glue = (Glue(area, letter, chr(ord(letter) + 1)),)
    return Cutout(
        label,
        f"{component.title} {letter}".strip(),
        size,
        (panel("front"), panel("back")),
        glue=glue,
        copies=options.each,
        bleed=_BLEED,
        group=component.id,
    )


def _place(part: _Part, side: Side, at: float) -> float:
    """Where `at` mm of the ruler lies on a side of a part, from that side's left edge."""
    from_zero = at - part.start
    return round(from_zero if side == "front" else part.long - from_zero, 4)


def _shown(part: _Part, side: Side) -> tuple[float, float]:
    """The stretch of the ruler that a side shows: behind, the strip is what is seen of the next part's place."""
    return part.start, part.end if side == "front" else part.end + part.join


def _ticks(options: Ruler, part: _Part, side: Side) -> list[dict[str, object]]:
    """Every tick from end to end: x in mm, how many of the unit it stands for, and whether it is a whole one."""
    mm, divisions = UNITS[options.unit], _HALVES[options.unit]
    start, end = _shown(part, side)
    # At a join a figure would be cut in two: half of it lies below the next part.
    joins = {part.start if part.start else -1.0, part.end if part.join else -1.0}
    first, last = math.ceil(start * divisions / mm - EPSILON_MM), math.floor(end * divisions / mm + EPSILON_MM)
    return [
        {
            "x": _place(part, side, step * mm / divisions),
            "count": step // divisions if step % divisions == 0 else 0,
            "joins": any(abs(step * mm / divisions - at) < EPSILON_MM for at in joins),
            "whole": step % divisions == 0,
            "half": step * 2 % divisions == 0,
        }
        for step in range(first, last + 1)
    ]


def _bands(options: Ruler, part: _Part, side: Side) -> list[dict[str, object]]:
    """The stretches between the stops as far as they are shown, with what stands at the far end of each.

    `x` and `width` in mm; `ends`: whether the stop itself is on this part, else the stretch goes on; beyond the last
    stop a stretch has no number.
    """
    start, end = _shown(part, side)
    mm = UNITS[options.unit]
    stops = sorted(options.stops if side == "front" else options.behind, key=lambda stop: stop.at)
    found: list[dict[str, object]] = []
    before = 0.0
    for number, stop in enumerate([*stops, None]):
        at = stop.at * mm if stop else end
        low, high = max(before, start), min(at, end)
        before = at
        if high - low <= EPSILON_MM:
            continue
        left = _place(part, side, low if side == "front" else high)
        found.append(
            {
                "x": left,
                "width": round(high - low, 4),
                "number": number,
                "at": format_mm(stop.at) if stop else "",
                "id": stop.id if stop else "",
                "title": stop.title if stop else "",
                "ends": stop is not None and at <= end + EPSILON_MM,
            }
        )
    return found

"""Round templates: discs to cut out or to trace, with or without numbered directions. Millimetres."""

from __future__ import annotations

import math

from cardgen.components.shades import ink_on, paler
from cardgen.components.trims import derived_trim
from cardgen.errors import CannotMake
from cardgen.geometry import Polygon, Size, circle
from cardgen.model.component import Component, Disc
from cardgen.model.cutout import Cutout, Panel
from cardgen.model.game import Game

LAYOUT = "_base/disc"
_BLEED = 2.0
# Room around an outline that is not cut out, for its words and for a hand.
_AROUND = 9.0
# What must be left of a disc around its hole.
_LEAST_RING = 5.0


def make_disc(component: Component, game: Game) -> list[Cutout]:
    """One disc, or the sheet with its outline. Raises CannotMake for a hole that leaves no disc."""
    options = component.options
    assert isinstance(options, Disc)
    across, hole = options.diameter, options.hole
    if hole and across - hole < 2 * _LEAST_RING:
        raise CannotMake(
            f"found a hole of {hole:g} mm in a disc of {across:g} mm; expected {_LEAST_RING:g} mm of disc around it: "
            f"a hole of {max(0.0, across - 2 * _LEAST_RING):g} mm would do",
            "hole",
        )
    around = _AROUND if options.form == "outline" else 0.0
    size = Size(across + 2 * around, across + 2 * around)
    middle = size.width / 2
    edge = circle(middle, middle, across / 2)
    bleed = 0.0 if around else _BLEED
    values = {
        "title": component.title,
        "text": options.text,
        "icon": options.icon,
        "form": options.form,
        "colour": options.colour,
        "pale": paler(options.colour, 0.8),
        "ink": ink_on(options.colour),
        "middle": middle,
        "radius": across / 2,
        "hole": hole / 2,
        "directions": _directions(options, middle),
    }
    panel = Panel(
        component.id,
        component.layout or LAYOUT,
        derived_trim(size.width, size.height, bleed),
        values,
        outline=None if around else circle(middle, middle, across / 2 + _BLEED),
        shape=() if around else edge,
    )
    cuts: tuple[Polygon, ...] = ()
    if not around:
        cuts = (edge, circle(middle, middle, hole / 2)) if hole else (edge,)
    return [Cutout(component.id, component.title, size, (panel,), cuts, bleed=bleed)]


def _directions(options: Disc, middle: float) -> list[dict[str, object]]:
    """The directions clockwise from the top: number, angle in degrees, and the unit vector that points there."""
    found: list[dict[str, object]] = []
    for at in range(options.directions):
        angle = 360 * at / options.directions
        x, y = math.sin(math.radians(angle)), -math.cos(math.radians(angle))
        found.append({"number": at + options.first, "angle": round(angle, 3), "x": round(x, 6), "y": round(y, 6)})
    return found

"""Scenery: cars, barriers, walls and boxes to fold up, flat pieces, and holes with a lid. Millimetres."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Mapping

from msgspec import structs

from cardgen.components.polygons import grown, inside
from cardgen.components.prism import FAR, NEAR, Face, Net, Profile, prism_net
from cardgen.components.profiles import BARRIERS, CARS, barrier_profile, box_profile, car_profile
from cardgen.components.shades import paler
from cardgen.components.trims import derived_trim
from cardgen.errors import CannotMake
from cardgen.geometry import Box, Polygon, bounds, box_points, moved, translation
from cardgen.model.component import Component, Scenery
from cardgen.model.cutout import Cutout, Fold, Glue, Note, Panel
from cardgen.model.face import Side
from cardgen.model.game import Game

LAYOUT = "_base/scenery"
# The drawings of each form; the first is its own.
STYLES: Mapping[str, tuple[str, ...]] = {
    "car": tuple(CARS),
    "barrier": tuple(BARRIERS),
    "wall": ("stone", "gate"),
    "box": ("crate", "stone"),
    "hole": ("trap", "pit"),
    "flat": (*CARS, *BARRIERS, "stone", "gate", "crate"),
}
# How far print goes on beyond a fold onto a tab, or beyond a cut: no white edge where a fold or a cut is a little off.
_BLEED = 1.2
_FLAT_BLEED = 2.0
# Corners are cut off flat pieces: a square one bends up first.
_CORNER = 4.0
_SPOTS = 40
# Tabs are some 5 mm deep; their numbers are read once.
_NUMBER_PT = 5.0
# How far beside an edge the number of its tab stands: clear of what is printed beyond the cut.
_AWAY = 2.4


def make_scenery(component: Component, game: Game) -> list[Cutout]:
    """The cutout of one piece of scenery, as many times as it says.

    Raises CannotMake for a style that its form does not have, and for measures that leave nothing to fold or to cut.
    """
    options = component.options
    assert isinstance(options, Scenery)
    known = STYLES[options.form]
    if options.style and options.style not in known:
        raise CannotMake(
            f"found the style `{options.style}` for the form `{options.form}`; expected one of {', '.join(known)}",
            "style",
        )
    if options.art and options.form != "flat":
        raise CannotMake(
            f"found a picture for the form `{options.form}`; only flat pieces take one: the faces of a folded piece "
            "are drawn by its layout",
            "art",
        )
    options = structs.replace(options, style=options.style or known[0])
    return [(_flat if options.form in ("flat", "hole") else _folded)(component, options)]


def folded_profile(options: Scenery) -> tuple[Profile, float]:
    """The profile of a piece that is folded, and how far it is drawn out, in mm: a car's is its side, others' their end."""
    style = options.style or STYLES[options.form][0]
    if options.form == "car":
        return car_profile(style, options.length, options.height), options.width
    if options.form == "barrier":
        return barrier_profile(style, options.width, options.height), options.length
    return box_profile(options.width, options.height), options.length


def _folded(component: Component, options: Scenery) -> Cutout:
    """The net of a piece's profile, drawn out."""
    profile, depth = folded_profile(options)
    net = prism_net(profile, depth, options.tab)
    hinge = _hinge(net)
    outlines = [_paints(net, face, hinge) for face in net.faces]
    box = bounds(net.outline, *outlines)
    to_paper = translation(-box.x, -box.y)
    panels = tuple(
        Panel(
            f"{component.id}/{face.name}",
            component.layout or LAYOUT,
            derived_trim(round(face.width, 3), round(face.height, 3), _BLEED),
            {**_values(component, options, face.name), "facing": "left" if face.name == FAR else "right"},
            face.matrix.then(to_paper),
            moved(outline, to_paper),
            face.shape,
        )
        for face, outline in zip(net.faces, outlines, strict=True)
    )
    return Cutout(
        component.id,
        component.title,
        # Sums of slanted lengths are no round numbers; paper is.
        structs.replace(panels[0].trim.size, width=round(box.width, 3), height=round(box.height, 3)),
        panels,
        cuts=(moved(net.outline, to_paper),),
        folds=tuple(Fold(moved(fold.line, to_paper), fold.kind) for fold in net.folds),
        glue=tuple(
            Glue(moved(tab.polygon, to_paper), str(number), tab.meets) for number, tab in enumerate(net.tabs, 1)
        ),
        notes=tuple(
            note
            for number, tab in enumerate(net.tabs, 1)
            for note in (
                _number(moved(tab.polygon, to_paper), number),
                *_beside(moved(tab.edge, to_paper), moved(net.outline, to_paper), number),
            )
        ),
        copies=options.each,
    )


def _number(tab: Polygon, number: int) -> Note:
    """A tab's number, in the order of gluing, in the middle of the tab."""
    x, y = (sum(values) / len(tab) for values in zip(*tab, strict=True))
    return Note(x, y + _NUMBER_PT * 25.4 / 72 * 0.35, str(number), _NUMBER_PT)


def _beside(edge: Polygon, outline: Polygon, number: int) -> Iterator[Note]:
    """The number of the tab that meets an edge, in the waste beside it; none where the waste has no room for it."""
    (x0, y0), (x1, y1) = edge
    ux, uy = (x1 - x0) / math.dist(*edge), (y1 - y0) / math.dist(*edge)
    drop = _NUMBER_PT * 25.4 / 72 * 0.35
    # Out of the piece, whichever way its points run; from the middle towards the ends, where gaps are wider.
    for away, along in itertools.product((_AWAY, 0.7 * _AWAY), (0.5, 0.25, 0.75)):
        x, y = x0 + (x1 - x0) * along, y0 + (y1 - y0) * along
        for side in (1, -1):
            at = x + side * away * uy, y - side * away * ux
            near = x + side * 0.3 * uy, y - side * 0.3 * ux
            if not inside(at, outline) and not inside(near, outline):
                yield Note(at[0], at[1] + drop, str(number), _NUMBER_PT)
                return


def _hinge(net: Net) -> str:
    """The face that the ends hang on: the one of the strip whose sides they share."""
    edge = set(_rounded(net.faces[0].polygon))
    return next(face.name for face in net.faces[2:] if len(edge & set(_rounded(face.polygon))) == 2)


def _rounded(polygon: Polygon) -> Iterator[tuple[float, float]]:
    return ((round(x, 4), round(y, 4)) for x, y in polygon)


def _paints(net: Net, face: Face, hinge: str) -> Polygon:
    """Where a face may paint: beyond its own edges only where a tab or the cut follows, never on a neighbour."""
    if face.name in {NEAR, FAR}:
        return grown(face.polygon, _BLEED)
    strip = net.faces[2:]
    box = bounds(face.polygon)
    aside = 0.0 if face.name == hinge else _BLEED
    above = _BLEED if face is strip[0] else 0.0
    below = _BLEED if face is strip[-1] else 0.0
    return box_points(box.grown_sides(aside, above, aside, below))


def _flat(component: Component, options: Scenery) -> Cutout:
    length, width = options.length, options.width
    trim = derived_trim(length, width, _FLAT_BLEED)
    outline = _rectangle(options)
    inner: Polygon = ()
    if options.form == "hole":
        if 2 * options.rim > min(length, width) - 5:
            raise CannotMake(
                f"found a rim of {options.rim:g} mm around {length:g} x {width:g} mm; expected a hole of 5 mm at "
                f"least: a rim of {(min(length, width) - 5) / 2:g} mm would do",
                "rim",
            )
        if options.style == "pit":
            outline = _ellipse(length, width)
        else:
            rim = options.rim
            inner = box_points(Box(rim, rim, length - 2 * rim, width - 2 * rim))

    def panel(side: Side) -> Panel:
        finish = options.finish if side == "front" else options.behind or options.finish
        values = _values(component, structs.replace(options, finish=finish), "top")
        layout = component.layout if side == "front" else component.back or component.layout
        values |= {"facing": "right" if side == "front" else "left"}
        label = f"{component.id}/{side}"
        paints = grown(outline, _FLAT_BLEED)
        return Panel(label, layout or LAYOUT, trim, values, outline=paints, shape=outline, side=side)

    front = panel("front")
    back = (panel("back"),) if options.behind or component.back else ()
    cuts = (outline, inner) if inner else (outline,)
    return Cutout(
        component.id, component.title, trim.size, (front, *back), cuts, copies=options.each, bleed=_FLAT_BLEED
    )


def _rectangle(options: Scenery) -> Polygon:
    length, width = options.length, options.width
    corner = min(_CORNER, length / 6, width / 6)
    return (
        (corner, 0.0),
        (length - corner, 0.0),
        (length, corner),
        (length, width - corner),
        (length - corner, width),
        (corner, width),
        (0.0, width - corner),
        (0.0, corner),
    )


def _ellipse(length: float, width: float) -> Polygon:
    angles = (math.tau * step / 72 for step in range(72))
    return tuple((length / 2 * (1 + math.sin(angle)), width / 2 * (1 - math.cos(angle))) for angle in angles)


def _values(component: Component, options: Scenery, part: str) -> dict[str, object]:
    """What a layout sees: the options, the part, shades of the colour, and where things of a car stand."""
    return {
        "form": options.form,
        "style": options.style,
        "finish": options.finish,
        "part": part,
        "text": options.text,
        "art": options.art,
        "colour": options.colour,
        "light": paler(options.colour, 0.35),
        "dark": _darker(options.colour, 0.4),
        "length": options.length,
        "width": options.width,
        "height": options.height,
        "rim": options.rim,
        "spots": _spots(component.id, part, options.finish),
        **(_car(options) if options.style in CARS else {}),
    }


def _car(options: Scenery) -> dict[str, object]:
    """The points of its body and windows seen from the side, and the stretches of its faces seen from above, in mm."""
    body = CARS[options.style]
    points = [(x * options.length, y * options.height) for x, y in body.points]
    stretches = [
        {"name": name, "from": round(start[0], 3), "to": round(end[0], 3)}
        for name, start, end in zip(body.names, points, points[1:], strict=False)
        if end[0] - start[0] > 1
    ]
    return {"body": points, "cabin": [points[at] for at in body.cabin], "stretches": stretches}


def _spots(*names: str) -> tuple[tuple[float, float, float], ...]:
    """Places for rust, holes and cracks, x, y and size from 0 to 1: always the same for a face of that name."""
    chance = random.Random("/".join(names))
    return tuple(
        (round(chance.random(), 3), round(chance.random(), 3), round(chance.random(), 3)) for _ in range(_SPOTS)
    )


def _darker(colour: str, part: float) -> str:
    channels = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(c * (1 - part)):02x}" for c in channels)

"""Gradients of SVG as shadings of a PDF, painted into a clip."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import pairwise

from msgspec import Struct

from cardgen.errors import PictureProblem
from cardgen.faces.card.canvas import Canvas
from cardgen.faces.card.display import BLACK, Colour, Matrix
from cardgen.faces.card.outlines import nums
from cardgen.faces.card.svg_read import GRADIENTS, Element, colour, length, matrix, share
from cardgen.model.painted import Part

# Larger than whatever a gradient fills.
_ANYWHERE = (-1e5, -1e5, 2e5, 2e5)


class Gradient(Struct, frozen=True):
    """A gradient: its stops from 0 to 1, and its two ends: x1 y1 x2 y2, or fx fy fr cx cy r. `is_relative` says that
    the numbers are parts of the box that it fills; `matrix` moves them."""

    stops: tuple[tuple[float, Colour], ...]
    ends: tuple[float, ...]
    is_relative: bool
    matrix: Matrix


def gradient(element: Element, named: Mapping[str, Element], opacity: float, ink: Colour) -> Gradient | Colour | None:
    """The gradient that an element describes; one colour where it has one stop, None where it is none.

    Raises PictureProblem for one that cannot be drawn.
    """
    if element.name not in GRADIENTS:
        if element.name == "pattern":
            raise PictureProblem("it uses `pattern`, which the card engine does not draw")
        return None
    chain = [element]
    while (next_ := named.get(chain[-1].get("href").removeprefix("#"))) is not None and next_ not in chain:
        chain.append(next_)
    said: dict[str, str] = {}
    for one in reversed(chain):
        said |= one.attributes
    holder = next((one for one in chain if one.children), element)
    stops = _stops(holder, opacity, ink)
    if len(stops) < 2:
        return stops[0][1] if stops else None
    if said.get("spreadmethod", "pad") != "pad":
        raise PictureProblem(
            f"it uses a gradient that is repeated (`{said['spreadmethod']}`), which the card engine does not draw"
        )
    relative = said.get("gradientunits", "objectBoundingBox") != "userSpaceOnUse"

    def value(key: str, default: str) -> float:
        return length(said.get(key, default), 1.0)

    if element.name == "lineargradient":
        ends: tuple[float, ...] = (value("x1", "0"), value("y1", "0"), value("x2", "100%"), value("y2", "0"))
    else:
        cx, cy, r = value("cx", "50%"), value("cy", "50%"), value("r", "50%")
        fx, fy = (value(key, "") if key in said else centre for key, centre in (("fx", cx), ("fy", cy)))
        ends = (fx, fy, value("fr", "0"), cx, cy, r)
    return Gradient(stops, ends, relative, matrix(said.get("gradienttransform", "")))


def _stops(element: Element, opacity: float, ink: Colour) -> tuple[tuple[float, Colour], ...]:
    stops: list[tuple[float, Colour]] = []
    for child in element.children:
        if child.name != "stop":
            continue
        at = max(share(child.get("offset", "0")), stops[-1][0] if stops else 0.0)
        said = child.get("stop-color", "black")
        found = ink if said.lower() == "currentcolor" else colour(said) or BLACK
        alpha = found[3] * share(child.get("stop-opacity", "1")) * opacity
        stops.append((at, (*found[:3], alpha)))
    return tuple(stops)


def paint_gradient(canvas: Canvas, paint: Gradient, box: tuple[float, float, float, float]) -> None:
    """Fill the current clip with a gradient; `box` is the box of the shape that it fills."""
    x, y, width, height = box
    if paint.is_relative:
        if not width or not height:
            return
        canvas.move((width, 0, 0, height, x, y))
    canvas.move(paint.matrix)
    alphas = {stop[3] for _, stop in paint.stops}
    if alphas != {1.0}:
        mask = Canvas(canvas.parts, is_form=True)
        grey = [(at, stop[3:]) for at, stop in paint.stops]
        mask.op(f"/{mask.use(_shading(paint.ends, grey, 'Gray'))} sh\n")
        form = mask.form(_ANYWHERE, is_group=True, space="Gray")
        canvas.mask(form)
    canvas.op(f"/{canvas.use(_shading(paint.ends, [(at, stop[:3]) for at, stop in paint.stops], 'RGB'))} sh\n")


def _shading(ends: tuple[float, ...], stops: Sequence[tuple[float, tuple[float, ...]]], space: str) -> Part:
    kind = 2 if len(ends) == 4 else 3
    # A function is told where it begins and ends; outside of its stops a gradient has their colours.
    first, last = stops[0], stops[-1]
    whole = [*([(0.0, first[1])] if first[0] > 0 else []), *stops, *([(1.0, last[1])] if last[0] < 1 else [])]
    pairs = [(a, b) for a, b in pairwise(whole) if b[0] > a[0]]
    functions = "".join(f"<</FunctionType 2/Domain[0 1]/C0[{nums(*a[1])}]/C1[{nums(*b[1])}]/N 1>>" for a, b in pairs)
    bounds = nums(*(a[0] for a, _ in pairs[1:]))
    encode = " ".join(["0 1"] * len(pairs))
    function = f"<</FunctionType 3/Domain[0 1]/Functions[{functions}]/Bounds[{bounds}]/Encode[{encode}]>>"
    places = " ".join(f"{value:.6f}" for value in ends)
    entries = (
        f"/ShadingType {kind}/ColorSpace/Device{space}/Coords[{places}]/Domain[0 1]/Extend[true true]"
        f"/Function{function}"
    ).encode("ascii")
    return Part("Shading", f"S{sha256(entries).hexdigest()[:16]}", entries)

"""What shows the place on a track: a rider that straddles the strip's edge, a sleeve round it, an arrow for boards."""

from __future__ import annotations

import math
from typing import Any

from cardgen.components.trims import derived_trim
from cardgen.geometry import Polygon, Size, moved, quarter_turns, translation
from cardgen.model.component import Component, TrackPiece
from cardgen.model.cutout import Cutout, Fold, Glue, Panel
from cardgen.model.game import Track

# How much a sleeve is wider inside than the strip, so that card of 250 g/m2 slides and does not fall out.
PLAY = 1.0
# The sleeve on either side of its window.
POST = 5.0
TAB = 8.0
# The window is larger than a number's cell by this on every side.
WINDOW_EASE = 0.3
# Room to take a marker between two fingers.
LEAST_WIDTH = 14.0
BLEED = 1.5


def make_marker(component: Component, options: TrackPiece, track: Track, row: dict[str, Any]) -> list[Cutout]:
    """The marker of one track, as many as there are sets; `row` is a row of its steps as tracks.py lays it out."""
    label = f"{component.id}/{track.id}-{options.marker}"
    if options.marker == "none":
        return []
    if options.marker == "slider":
        return [_slider(component, label, track, options, row)]
    make = _rider if options.form == "strip" else _arrow
    return [make(component, label, track, options, row)]


def _front(component: Component, label: str, form: str, size: Size, outline: Polygon, **more: object) -> Panel:
    trim = derived_trim(size.width, size.height, BLEED)
    values = {"form": form, **more}
    return Panel(label, component.back or "_base/marker", trim, values, outline=outline)


def _house(width: float, height: float, point: float) -> Polygon:
    """What an arrow with its tip at the top paints on: its outline and the bleed, but not below its foot."""
    # Moving both slopes outwards by the bleed lifts the tip by this much.
    tip = BLEED * math.hypot(width / 2, point) / (width / 2)
    shoulder = point - tip + (width / 2 + BLEED) * point / (width / 2) - point
    left, right = -BLEED, width + BLEED
    return (width / 2, -tip), (right, shoulder), (right, height), (left, height), (left, shoulder)


def _rider(component: Component, label: str, track: Track, options: TrackPiece, row: dict[str, Any]) -> Cutout:
    """An arrow in front, a tongue behind, the fold on the strip's lower edge: it stays by the strip's own weight."""
    # From the strip's lower edge to the numbers; the tongue ends inside of the upper edge.
    front = options.height - row["y"] - row["height"] + row["lane"]
    back = options.height - row["y"]
    width = max(options.cell, LEAST_WIDTH)
    point = min(front - 1.0, 0.4 * width)
    size = Size(width, front + back)
    middle = width / 2
    cut = ((middle, 0.0), (width, point), (width, size.height), (0.0, size.height), (0.0, point))
    panel = _front(component, label, "arrow", Size(width, front), _house(width, front, point), point=point)
    fold = Fold(((0.0, front), (width, front)))
    return Cutout(label, track.title, size, (panel,), cuts=(cut,), folds=(fold,), copies=options.sets, bleed=BLEED)


def _arrow(component: Component, label: str, track: Track, options: TrackPiece, row: dict[str, Any]) -> Cutout:
    """An arrow for a board: two halves, foot to foot, folded and glued, so that it is stiff and has two faces."""
    # As long as the lane that it lies on and a little more, and no wider than fingers need.
    width = LEAST_WIDTH
    half = max(row["lane"] + 2.0, 10.0)
    point = 0.4 * width
    size = Size(width, 2 * half)
    middle = width / 2
    cut = (
        (middle, 0.0), (width, point), (width, size.height - point), (middle, size.height),
        (0.0, size.height - point), (0.0, point),
    )  # fmt: skip
    face = Size(width, half)
    outline = _house(width, half, point)
    upper = _front(component, label, "arrow", face, outline, point=point)
    turn = quarter_turns(2, face).then(translation(0.0, half))
    lower = Panel(upper.label, upper.layout, upper.trim, upper.values, matrix=turn, outline=moved(outline, turn))
    fold = Fold(((0.0, half), (width, half)))
    return Cutout(
        label, track.title, size, (upper, lower), cuts=(cut,), folds=(fold,), copies=options.sets, bleed=BLEED
    )


def _slider(component: Component, label: str, track: Track, options: TrackPiece, row: dict[str, Any]) -> Cutout:
    """A sleeve: a back, a front with a window on the number, and a tab that is glued inside of the back.

    Laid flat from the top: back, front, tab. Inside it is the strip's height and `PLAY` more.
    """
    inside = options.height + PLAY
    window = options.cell + 2 * WINDOW_EASE
    width = max(window + 2 * POST, LEAST_WIDTH)
    size = Size(width, 2 * inside + TAB)
    left = (width - window) / 2
    top = inside + PLAY / 2 + row["y"] + row["bar"] - WINDOW_EASE
    bottom = inside + PLAY / 2 + row["y"] + row["bar"] + row["number"] + WINDOW_EASE
    hole = ((left, top), (left + window, top), (left + window, bottom), (left, bottom))
    taper = 2.0
    edge = 2 * inside
    outline = (
        (0.0, 0.0), (width, 0.0), (width, edge), (width - taper, size.height), (taper, size.height), (0.0, edge),
    )  # fmt: skip
    front = Size(width, inside)
    paint = ((-BLEED, inside), (width + BLEED, inside), (width + BLEED, edge), (-BLEED, edge))
    panel = _front(
        component, label, "slider", front, paint,
        window={"x": left, "y": top - inside, "width": window, "height": bottom - top},
    )  # fmt: skip
    placed = Panel(panel.label, panel.layout, panel.trim, panel.values, matrix=translation(0.0, inside), outline=paint)
    folds = (Fold(((0.0, inside), (width, inside))), Fold(((0.0, edge), (width, edge))))
    glue = Glue(((0.0, edge), (width, edge), (width - taper, size.height), (taper, size.height)))
    return Cutout(
        label,
        track.title,
        size,
        (placed,),
        cuts=(outline, hole),
        folds=folds,
        glue=(glue,),
        copies=options.sets,
        bleed=BLEED,
    )

"""Counters: round or square, one- or two-sided, each a panel with an icon, a sign and a word."""

from __future__ import annotations

from msgspec import structs

from cardgen.components.trims import derived_trim
from cardgen.errors import CannotMake
from cardgen.geometry import circle, translation
from cardgen.model.component import Component, CounterItem, Counters, CounterSide
from cardgen.model.cutout import Cutout, Note, Panel
from cardgen.model.face import Side
from cardgen.model.game import Game
from cardgen.units import format_mm

# How far a round counter paints beyond its cut; square ones keep a white rim instead, so that they may touch.
BLEED = 1.5
# Circle punches for paper that are sold widely (the facts on print list 22 and 29 mm, and 25 mm counters).
PUNCHES = (22.0, 25.0, 29.0)
# Around a counter that is punched: as much paper as the punch needs to hold and its user to see.
PUNCH_MARGIN = 3.0
# A single piece prints on A4 and Letter with margins of 10 mm.
LARGEST = 186.0
# Words on a smaller one would be too small to read.
LEAST_WORDED = 16.0


def make_counters(component: Component, game: Game) -> list[Cutout]:
    """The counters of a component, one cutout for each kind, or for each sign of its series.

    Square ones are cut straight and share their cuts; round ones have their circle to cut along, and, where a circle
    punch of their size is sold, the room around it and the punch's size beside it. Raises CannotMake when a counter
    is too large for the paper, or too small for its words.
    """
    options = component.options
    assert isinstance(options, Counters)
    most = LARGEST if options.shape == "square" else LARGEST - 2 * BLEED
    if options.size > most:
        problem = f"a counter of {format_mm(options.size)} mm is larger than a sheet has room for: at most"
        raise CannotMake(f"{problem} {format_mm(most)} mm would do", "size")
    return [cutout for item in options.items for cutout in _item(component, options, item)]


def _item(component: Component, options: Counters, item: CounterItem) -> list[Cutout]:
    for side, values in (("front", item.front), ("back", item.back)):
        if values is None:
            continue
        path = f"items.{item.id}.{side}"
        if not (values.icon or values.sign or values.text or item.series):
            raise CannotMake("this side is empty: an `icon`, a `sign` or a `text` would do", path)
        if values.text and options.size < LEAST_WORDED:
            problem = f"a counter of {format_mm(options.size)} mm is too small for words: {format_mm(LEAST_WORDED)} mm"
            raise CannotMake(f"{problem}, or an icon alone, would do", f"{path}.text")
    if not item.series:
        return [_counter(component, options, item, item.id, item.front, item.back)]
    return [
        _counter(component, options, item, f"{item.id}-{at}", _signed(item.front, sign), _signed(item.back, sign))
        for at, sign in enumerate(item.series, 1)
    ]


def _signed(side: CounterSide | None, sign: str) -> CounterSide | None:
    return None if side is None else structs.replace(side, sign=sign)


def _counter(
    component: Component,
    options: Counters,
    item: CounterItem,
    name: str,
    front: CounterSide | None,
    back: CounterSide | None,
) -> Cutout:
    size, label = options.size, f"{component.id}/{name}"
    punched = options.shape == "round" and any(abs(size - punch) < 0.05 for punch in PUNCHES)
    margin = 0.0 if options.shape == "square" else PUNCH_MARGIN if punched else BLEED
    sides: tuple[tuple[Side, CounterSide | None], ...] = (("front", front), ("back", back))
    panels = tuple(
        _panel(component, options, label, side, values, margin) for side, values in sides if values is not None
    )
    whole = derived_trim(size + 2 * margin, size + 2 * margin).size
    middle = whole.width / 2
    cuts = () if options.shape == "square" else (circle(middle, middle, size / 2),)
    # In the corner that the circle leaves free.
    notes = (Note(whole.width - 3.4, whole.height - 0.8, f"Ø{format_mm(size)}", 4.5),) if punched else ()
    title = f"{item.title} {front.sign}" if front and item.series else item.title
    return Cutout(label, title, whole, panels, cuts, notes=notes, copies=item.copies, group=component.id)


def _panel(
    component: Component, options: Counters, label: str, side: Side, values: CounterSide, margin: float
) -> Panel:
    size = options.size
    layout = (component.back if side == "back" else "") or component.layout or "_base/counter"
    piece = {**structs.asdict(values), "form": options.shape}
    if options.shape == "square":
        return Panel(f"{label}/{side}", layout, derived_trim(size, size), piece, side=side)
    middle = margin + size / 2
    return Panel(
        f"{label}/{side}",
        layout,
        derived_trim(size, size, BLEED),
        piece,
        matrix=translation(margin, margin),
        outline=circle(middle, middle, size / 2 + BLEED),
        shape=circle(size / 2, size / 2, size / 2),
        side=side,
    )

"""Boxes below each other: the flow of blocks with their margins, and boxes that are placed absolutely."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cardgen.faces.card.boxes import Box
from cardgen.faces.card.flex import lay_flex
from cardgen.faces.card.fragments import Fragment, Held, Waiting, shift_relative, waiting_in
from cardgen.faces.card.lines import lay_lines
from cardgen.faces.card.replaced import lay_picture
from cardgen.faces.card.sizes import shrunk_to_fit
from cardgen.faces.card.tables import lay_table
from cardgen.faces.card.used import Used, fill_width, used_values
from cardgen.faces.card.values import used


class Flow(NamedTuple):
    """A laid out block: how far its border is below the margins that it meets, the margins that what follows meets, and
    whether it is so empty that margins above and below it meet."""

    fragment: Fragment
    top: float
    margins: list[float]
    is_through: bool = False


def collapsed(margins: list[float]) -> float:
    """What margins that meet come to."""
    return max(0.0, *margins) + min(0.0, *margins) if margins else 0.0


def lay_block(box: Box, values: Used, width: float, waiting: list[Waiting], margins: list[float] | None = None) -> Flow:
    """Lay out a box in the flow of one that is `width` wide. `margins` are those above, which its own may meet.

    What is taken out of the flow is added to `waiting`.
    """
    margins = [] if margins is None else margins
    values.mt, values.mb = values.mt or 0.0, values.mb or 0.0
    if box.kind == "block":
        fill_width(values, width)
        return lay_container(box, values, waiting, margins)
    if box.kind == "table":
        fragment = lay_table(box, values, width, waiting, lay_container, place_absolute)
        fill_width(values, width)
    elif box.kind == "picture":
        fragment = lay_picture(box, values, width, is_block=True)
    elif box.kind == "flex":
        fragment = lay_flex(box, values, width, waiting, lay_block, place_absolute)
    else:
        raise ValueError(f"`{box.style.display}` stands outside of a table")
    return Flow(fragment, collapsed([*margins, values.mt]), [])


def framed(box: Box, values: Used, width: float, height: float) -> Fragment:
    """The fragment of a box with this content size, nothing in it yet."""
    return Fragment(
        box, width + values.across, height + values.along,
        border=(values.bt, values.br, values.bb, values.bl), padding=(values.pt, values.pr, values.pb, values.pl),
    )  # fmt: skip


def lay_container(box: Box, values: Used, waiting: list[Waiting], margins: list[float] | None = None) -> Flow:
    """Lay out a box that holds blocks or lines; its width and margins are known."""
    width = values.width
    assert width is not None
    met = [] if margins is None else margins
    met.append(values.mt or 0.0)
    # As long as nothing stands between them, the margins of the first blocks inside meet those above.
    is_open = not (values.bt or values.pt or box.is_context)
    own = waiting_in(box, waiting)
    y, current = (0.0, met) if is_open else (collapsed(met) + values.bt + values.pt, [])
    fragment = framed(box, values, width, 0.0)
    # what waits in each part, to be moved with it
    groups: list[tuple[Fragment | None, int, int]] = []
    has_flow = False
    if box.has_lines:
        y += collapsed(current)
        current, start, first = [], len(own), y
        lines = lay_lines(box, width, values.height, own, lay_atom, place_absolute)
        for line in lines:
            line.x, line.y = line.x + values.bl + values.pl, line.y + y
        fragment.inside = lines
        for each in own[start:]:
            each.x, each.y = each.x + values.bl + values.pl, each.y + first
        groups.append((None, start, len(own)))
        if lines:
            y = lines[-1].y + lines[-1].height
            has_flow = True
    else:
        y, current, has_flow = _lay_inside(box, values, width, own, fragment, groups, y, current, is_open)
    top = collapsed(met)
    is_through = False
    if not has_flow:
        if values.height in (None, 0.0) and not (values.min_height or values.bt or values.pt or values.bb or values.pb):
            is_through = True
        else:
            y += collapsed(current)
            current = []
    elif values.height is not None:
        current = []
    if values.bb or values.pb or box.is_context:
        y += collapsed(current)
        current = []
    height = max(0.0, y - top - values.bt - values.pt) if values.height is None else values.height
    fragment.height = height + values.along
    _settle(fragment, own, groups, top)
    if own is not waiting:
        for each in own:
            place_absolute(each, fragment)
    for part in fragment.inside:
        shift_relative(part, width, height)
    fragment.height = max(min(height, values.max_height), values.min_height) + values.along
    return Flow(fragment, top, current, is_through)


def _lay_inside(
    box: Box, values: Used, width: float, own: list[Waiting], fragment: Fragment,
    groups: list[tuple[Fragment | None, int, int]], y: float, current: list[float], is_open: bool,
) -> tuple[float, list[float], bool]:  # fmt: skip
    """Lay out the blocks of a box from `y` downwards: where they end, the margins there, whether there were any."""
    left = values.bl + values.pl
    has_flow = False
    for child in box.inside:
        start = len(own)
        if child.is_absolute:
            at = y + collapsed(current)
            x = left if not child.is_marker else fragment.width if box.style.is_rtl else 0.0
            place = Fragment(child, 0.0, 0.0, x=x, y=at)
            fragment.inside.append(place)
            own.append(Waiting(place, x, at, x, at))
            groups.append((None, start, start + 1))
            continue
        inner = used_values(child, width, values.height)
        if is_open and not has_flow:
            lower = collapsed([*current, inner.mt or 0.0]) - collapsed(current)
            for each in fragment.inside:
                each.y += lower
            for _, at_start, at_end in groups:
                for waits in own[at_start:at_end]:
                    waits.y, waits.own_y = waits.y + lower, waits.own_y + lower
        flow = lay_block(child, inner, width, own, current)
        part = flow.fragment
        part.x, part.y = left + (inner.ml or 0.0), y + flow.top
        if box.style.is_rtl:
            part.x = left + width - (inner.mr or 0.0) - part.width
        if not flow.is_through:
            y = part.y + part.height
        current = flow.margins
        current.append(inner.mb or 0.0)
        fragment.inside.append(part)
        groups.append((part, start, len(own)))
        has_flow = True
    return y, current, has_flow


def _settle(fragment: Fragment, own: list[Waiting], groups: list[tuple[Fragment | None, int, int]], top: float) -> None:
    """From places below the margin to places in the fragment."""
    for part in fragment.inside:
        part.y -= top
    for moved_part, start, end in groups:
        for each in own[start:end]:
            if moved_part is not None:
                each.x, each.y = each.x + moved_part.x, each.y + moved_part.y
            else:
                each.y -= top
                if each.fragment in fragment.inside:
                    each.own_y -= top


# --- in lines -----------------------------------------------------------------------------------------------------


def lay_atom(box: Box, width: float, height: float | None, waiting: list[Waiting]) -> tuple[Fragment, float]:
    """Lay out what stands in a line as one: its fragment, its margins to the left of its x, and the width it takes."""
    values = used_values(box, width, height).without_auto_margins()
    assert values.ml is not None and values.mr is not None and values.mt is not None and values.mb is not None
    if box.kind == "picture":
        fragment = lay_picture(box, values, width, is_block=False)
        baseline = None
    else:
        if values.width is None:
            values.width = shrunk_to_fit(box, width - values.ml - values.mr - values.across)
        values.width = max(values.min_width, min(values.max_width, values.width))
        fragment = lay_container(box, values, waiting).fragment
        baseline = baseline_of(fragment, last=True) if box.style.overflow == "visible" else None
    fragment.x, fragment.above = values.ml, values.mt
    fragment.outer = fragment.height + values.mt + values.mb
    fragment.baseline = fragment.outer if not baseline else baseline + values.mt
    return fragment, fragment.width + values.ml + values.mr


def baseline_of(fragment: Fragment, last: bool = False, kinds: tuple[str, ...] = ()) -> float | None:
    """Where the first (or last) baseline lies below the top of a fragment; of lines, and of boxes of these kinds."""
    if fragment.box is None or fragment.box.kind in kinds:
        return fragment.baseline
    for part in reversed(fragment.inside) if last else fragment.inside:
        if part.box is None or not part.box.is_absolute:
            found = baseline_of(part, last, kinds)
            if found is not None:
                return part.y + found
    return None


# --- placed absolutely --------------------------------------------------------------------------------------------


def place_absolute(waits: Waiting, around: Fragment) -> None:
    """Lay out a box that waits for its containing block, which is now there, and put it to its place."""
    top, right, bottom, left = around.border
    held = Held(
        around.width - left - right, around.height - top - bottom, waits.x - left, waits.y - top,
        waits.own_x - (waits.x - left), waits.own_y - (waits.y - top),
    )  # fmt: skip
    lay_absolute(waits.fragment, held)


def lay_apart(box: Box, around: Fragment, held: Held) -> Fragment:
    """Lay out a face that holds nothing but absolute boxes. `around` is such a face and `held` what its boxes wait in:
    all of them wait at the same place."""
    face = Fragment(box, around.width, around.height, around.x, around.y, border=around.border, padding=around.padding)
    for child in box.inside:
        found = child.laid.get(held) if child.is_settled and child.laid is not None else None
        if not isinstance(found, Fragment):
            found = Fragment(child, 0.0, 0.0)
            lay_absolute(found, held)
            if child.is_settled and child.laid is not None:
                child.laid[held] = found
        face.inside.append(found)
    return face


def lay_absolute(fragment: Fragment, held: Held) -> None:
    """Lay out an absolute box anew, in place."""
    box = fragment.box
    assert box is not None
    if box.laid is None:
        new = _lay_absolute(box, held)
    else:
        known = (held.width, held.height, held.x, held.y)
        found = box.laid.get(known)
        new = box.laid[known] = found if isinstance(found, Fragment) else _lay_absolute(box, held)
    for name in _TAKEN:
        setattr(fragment, name, getattr(new, name))
    fragment.x, fragment.y, fragment.held = held.dx + new.x, held.dy + new.y, held


# What an absolute fragment has from its box's layout.
_TAKEN = ("width", "height", "inside", "border", "padding", "baseline", "rules", "drawn")


def _lay_absolute(box: Box, held: Held) -> Fragment:
    """The fragment of an absolute box, placed in the containing block's padding box."""
    values = used_values(box, held.width, held.height)
    style = box.style
    left, right = (None if side is None else used(side, held.width) for side in (style.left, style.right))
    top, bottom = (None if side is None else used(side, held.height) for side in (style.top, style.bottom))
    waiting: list[Waiting] = []
    if box.kind == "picture":
        new = lay_picture(box, values, held.width, is_block=False)
        x, y = _replaced_place(values, new, held, (top, right, bottom, left), style.is_rtl)
    else:
        x_of = _across(box, values, held, left, right, style.is_rtl)
        y_of = _along(values, held, top, bottom)
        new = _lay_placed(box, values, held, waiting)
        for each in waiting:
            place_absolute(each, new)
        assert values.ml is not None and values.mt is not None
        x, y = x_of(new.width) + values.ml, y_of(new.height) + values.mt
    new.x, new.y = x, y
    return new


def _lay_placed(box: Box, values: Used, held: Held, waiting: list[Waiting]) -> Fragment:
    if box.kind == "flex":
        return lay_flex(box, values, held.width, waiting, lay_block, place_absolute)
    if box.kind == "table":
        return lay_table(box, values, held.width, waiting, lay_container, place_absolute)
    return lay_container(box, values, waiting).fragment


def _across(
    box: Box, values: Used, held: Held, left: float | None, right: float | None, is_rtl: bool
) -> Callable[[float], float]:
    """Settle width and side margins; the answer tells, by the width of the border box, where the margin box begins."""
    stated = values.width
    if stated is None:
        values.ml, values.mr = values.ml or 0.0, values.mr or 0.0
        room = held.width - values.across - values.ml - values.mr - (left or 0.0) - (right or 0.0)
        values.width = room if left is not None and right is not None else shrunk_to_fit(box, room)
    assert values.width is not None
    limited = max(values.min_width, min(values.max_width, values.width))
    if stated is not None or limited != values.width:
        values.width = limited
        if left is not None and right is not None:
            _side_margins(values, held.width - values.across - left - right - limited, is_rtl)
    values.ml, values.mr = values.ml or 0.0, values.mr or 0.0
    margins = values.ml + values.mr
    if left is not None:
        return lambda width: left
    if right is not None:
        return lambda width: held.width - right - width - margins
    if box.is_marker:
        return lambda width: held.x if is_rtl else held.x - width + values.across
    return lambda width: held.width - width - margins if is_rtl else held.x


def _side_margins(values: Used, rest: float, is_rtl: bool) -> None:
    """Margins between both edges that are stated, and a width that is: what is left of the room."""
    if values.ml is None and values.mr is None:
        values.ml, values.mr = (rest / 2, rest / 2) if rest >= 0 else (rest, 0.0) if is_rtl else (0.0, rest)
    elif values.ml is None or (values.mr is not None and is_rtl):
        values.ml = rest - (values.mr or 0.0) if values.ml is None else rest
    else:
        values.mr = rest


def _along(values: Used, held: Held, top: float | None, bottom: float | None) -> Callable[[float], float]:
    """As `_across`, for the height; a height that follows from what is inside stays open."""
    room = held.height - values.along
    if top is not None and bottom is not None and values.height is not None:
        rest = room - top - bottom - values.height
        if values.mt is None and values.mb is None:
            values.mt = values.mb = rest / 2
        elif values.mt is None:
            values.mt = rest - (values.mb or 0.0)
    values.mt, values.mb = values.mt or 0.0, values.mb or 0.0
    margins = values.mt + values.mb
    if top is not None:
        if values.height is None and bottom is not None:
            values.height = room - margins - top - bottom
        return lambda height: top
    if bottom is not None:
        return lambda height: held.height - bottom - height - margins
    return lambda height: held.y


def _replaced_place(
    values: Used, new: Fragment, held: Held, sides: tuple[float | None, float | None, float | None, float | None],
    is_rtl: bool,
) -> tuple[float, float]:  # fmt: skip
    """Where a picture's border begins."""
    top, right, bottom, left = sides
    if left is None and right is None:
        left, right = (None, held.width - held.x) if is_rtl else (held.x, None)
    elif left is not None and right is not None and is_rtl and values.ml is not None and values.mr is not None:
        left = None
    if top is None and bottom is None:
        top = held.y
    x = _one_way(values.ml, values.mr, new.width, held.width, left, right)
    y = _one_way(values.mt, values.mb, new.height, held.height, top, bottom)
    return x, y


def _one_way(
    before: float | None, after: float | None, size: float, room: float, start: float | None, end: float | None
) -> float:
    """One coordinate of a picture: its margins, its size, what it has room in, and its distances from both ends."""
    if start is not None and end is not None and (before is None or after is None):
        rest = room - size - start - end
        if before is None and after is None:
            return start + (rest // 2 if rest >= 0 else 0.0)
        return start + (rest if before is None else before)
    if start is not None:
        return start + (before or 0.0)
    return room - (end or 0.0) - (after or 0.0) - size

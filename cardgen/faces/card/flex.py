"""Rows and columns of boxes that share the room they have (CSS Flexible Box Layout, as the reference engine does it)."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from cardgen.faces.card.boxes import Box
from cardgen.faces.card.fragments import Fragment, Unplaced, Waiting, shift_relative, waiting_in
from cardgen.faces.card.sizes import least_width, most_width
from cardgen.faces.card.used import Used, fill_width, used_values
from cardgen.faces.card.values import used

# `blocks.lay_block`, which lays out the items.
LayBlock = Callable[..., Any]


class Item(Struct):
    """An item on its way to its size. Sizes are those of the content, in px; `extra` is what its edges add along the
    direction of the items."""

    box: Box
    values: Used
    base: float = 0.0
    extra: float = 0.0
    start: float = 0.0
    target: float = 0.0
    factor: float = 0.0
    is_frozen: bool = False
    x: float = 0.0
    y: float = 0.0
    # where the first baseline lies below the top of its margin box
    baseline: float = 0.0
    auto_margins: tuple[bool, bool, bool, bool] = (False, False, False, False)


class Row(Struct):
    """Items beside each other, and how high (in a column: how wide) their line is."""

    items: list[Item] = field(default_factory=list)
    cross: float = 0.0


def lay_flex(
    box: Box, values: Used, width: float, waiting: list[Waiting], lay_block: LayBlock, resolve: Callable[..., None]
) -> Fragment:
    """Lay out a flex box in one that is `width` wide."""
    style = box.style
    is_row = style.flex_direction == "row"
    outside = width - (values.ml or 0.0) - (values.mr or 0.0) - values.across
    room = values.width if values.width is not None else outside
    wide = replace(values)
    fill_width(wide, width)
    inner = wide.width or 0.0
    row_gap = used(style.row_gap, values.height or 0.0)
    column_gap = used(style.column_gap, values.width or 0.0)
    gap, cross_gap = (column_gap, row_gap) if is_row else (row_gap, column_gap)
    main_room = room if is_row else values.height if values.height is not None else inf
    items, absent = _items(box, values, is_row, main_room, inner, lay_block)
    if is_row:
        fill_width(values, width)
        main = values.width or 0.0
    else:
        if values.height is None:
            values.height = sum(item.start + item.extra for item in items) + gap * max(0, len(items) - 1)
        main = values.height = max(values.min_height, min(values.height, values.max_height))
    rows = _rows(items, main, gap, style.flex_wrap == "wrap")
    for row in rows:
        _flex(row, main, gap, is_row)
        for item in row.items:
            _cross_size(item, is_row, inner, lay_block)
    _size_rows(rows, box, values, is_row, room, cross_gap)
    for row in rows:
        for item in row.items:
            if _alignment(item, box) == "stretch":
                _stretch(item, row.cross, is_row)
        _justify(row, main, gap, style.justify_content, is_row)
    if not is_row:
        fill_width(values, width)
    at = 0.0
    for row in rows:
        _align(row, box, at, is_row)
        at += row.cross + cross_gap
    if is_row and values.height is None:
        values.height = sum(row.cross for row in rows) + cross_gap * max(0, len(rows) - 1)
    assert values.width is not None and values.height is not None
    fragment = Fragment(
        box, values.width + values.across, values.height + values.along,
        border=(values.bt, values.br, values.bb, values.bl), padding=(values.pt, values.pr, values.pb, values.pl),
    )  # fmt: skip
    _put(box, fragment, values, inner, rows, absent, waiting, lay_block, resolve)
    return fragment


def _items(
    box: Box, values: Used, is_row: bool, room: float, inner: float, lay_block: LayBlock
) -> tuple[list[Item], list[tuple[Box, float]]]:
    """The items with their first sizes, and what is taken out of the flow, with how far along it would stand."""
    items: list[Item] = []
    absent: list[tuple[Box, float]] = []
    at = 0.0
    for child in box.inside:
        if child.is_absolute:
            absent.append((child, at))
            continue
        tall = values.height if is_row else None if room == inf else room
        own = used_values(child, room if is_row else inner, tall)
        item = Item(child, own)
        item.auto_margins = (own.mt is None, own.mr is None, own.mb is None, own.ml is None)
        if child.style.min_width is None:
            own.min_width = _content_width(child, own)
        if child.style.min_height is None:
            own.min_height = _content_height(child, own, inner, lay_block)
        _base_size(item, is_row, room, inner, lay_block)
        least, most = (own.min_width, own.max_width) if is_row else (own.min_height, own.max_height)
        item.start = max(least, min(item.base, most))
        at += item.base + item.extra
        items.append(item)
    return items, absent


def _free(box: Box, **changes: Any) -> Box:
    """A copy of a box with a style of its own."""
    return replace(box, style=replace(box.style, **changes))


def _content_width(box: Box, values: Used) -> float:
    content = least_width(_free(box, width=None, min_width=0.0, max_width=inf), outer=False)
    transferred = None
    if box.natural is not None and box.natural.ratio and box.natural.height:
        transferred = box.natural.height * box.natural.ratio
        content = max(values.min_width, min(values.max_width, content))
    stated = values.width if values.width is not None else transferred
    return content if stated is None else min(stated, content)


def _content_height(box: Box, values: Used, inner: float, lay_block: LayBlock) -> float:
    free = _free(box, height=None, min_height=0.0, max_height=inf)
    if free.style.width is None:
        free = _free(free, width=most_width(free))
    own = used_values(free, inner, None)
    fragment = lay_block(free, own, inner, Unplaced()).fragment
    content: float = fragment.height - own.along
    transferred = None
    if box.natural is not None:
        if box.natural.ratio and box.natural.width:
            transferred = box.natural.width / box.natural.ratio
            content = max(values.min_height, min(values.max_height, content))
        elif not box.natural.width:
            content = 0.0
    stated = values.height if values.height is not None else transferred
    return content if stated is None else min(stated, content)


def _base_size(item: Item, is_row: bool, room: float, inner: float, lay_block: LayBlock) -> None:
    """The size that an item begins with, and what its edges add."""
    child, own = item.box, item.values
    basis = child.style.flex_basis
    stated = (own.width if is_row else own.height) if basis is None else used(basis, room)
    if stated is not None:
        item.base = stated
        margins = (own.ml, own.mr) if is_row else (own.mt, own.mb)
        item.extra = (own.across if is_row else own.along) + sum(margin or 0.0 for margin in margins)
    elif is_row:
        item.base = most_width(_free(child, min_width=0.0, max_width=inf), outer=False)
        item.extra = most_width(child) - item.base
    else:
        free = _free(child, min_height=0.0, max_height=inf)
        values = used_values(free, inner, None)
        flow = lay_block(free, values, inner, Unplaced())
        item.base = flow.fragment.height - values.along + max(0.0, *flow.margins, 0.0)
        item.extra = values.along + (values.mt or 0.0) + (values.mb or 0.0)


def _rows(items: list[Item], main: float, gap: float, wraps: bool) -> list[Row]:
    """The items in lines that fit, if they may wrap."""
    rows: list[Row] = []
    row, size = Row(), 0.0
    for index, item in enumerate(items):
        size += item.start + item.extra + (gap if index else 0.0)
        if wraps and size > main and row.items:
            rows.append(row)
            row, size = Row(), item.start + item.extra
        row.items.append(item)
    return [*rows, row] if row.items else rows


def _flex(row: Row, main: float, gap: float, is_row: bool) -> None:
    """Let the items grow or shrink until they fill the line."""
    gaps = gap * (len(row.items) - 1)
    grows = sum(item.start + item.extra for item in row.items) < main
    for item in row.items:
        style = item.box.style
        item.factor = style.flex_grow if grows else style.flex_shrink
        item.is_frozen = item.factor == 0 or (item.base > item.start if grows else item.base < item.start)
        item.target = item.start if item.is_frozen else item.base
    free_at_first = main - gaps - sum(item.target + item.extra for item in row.items)
    while not all(item.is_frozen for item in row.items):
        loose = [item for item in row.items if not item.is_frozen]
        fixed = sum(item.target + item.extra for item in row.items if item.is_frozen)
        free = main - gaps - fixed - sum(item.base + item.extra for item in loose)
        factors = sum(item.factor for item in loose)
        if factors < 1 and abs(free_at_first * factors) < abs(free):
            free = free_at_first * factors
        weights = [item.factor * (1.0 if grows else item.base) for item in loose]
        whole = sum(weights)
        change = 0.0
        wanted: list[tuple[Item, float, float]] = []
        for item, weight in zip(loose, weights, strict=True):
            target = item.base + (free * weight / whole if whole and free else 0.0)
            own = item.values
            least, most = (own.min_width, own.max_width) if is_row else (own.min_height, own.max_height)
            item.target = max(least, min(target, most))
            wanted.append((item, target, item.target - target))
            change += item.target - target
        for item, _, own_change in wanted:
            item.is_frozen = change == 0 or (own_change > 0 if change > 0 else own_change < 0)
    for item in row.items:
        if is_row:
            item.values.width = item.target
        else:
            item.values.height = item.target


def _cross_size(item: Item, is_row: bool, inner: float, lay_block: LayBlock) -> None:
    """How large an item is across the direction of the items, when nothing stretches it."""
    own = item.values
    own.mt, own.mb = own.mt or 0.0, own.mb or 0.0
    values = replace(own)
    if not is_row and item.box.kind == "block":
        fill_width(values, inner)  # as wide as it may be, whatever it holds
        wide = values.width or 0.0
    else:
        flow = lay_block(item.box, values, inner, Unplaced())
        fragment: Fragment = flow.fragment
        wide = fragment.width - own.across
        item.baseline = (_first_baseline(fragment) or 0.0) + own.mt
        if is_row:
            own.height = fragment.height - own.along + max(0.0, *flow.margins, 0.0)
            return
    if own.width is None:
        wide = min(max(least_width(item.box, outer=False), wide), most_width(item.box, outer=False))
    own.width = wide


def _first_baseline(fragment: Fragment) -> float | None:
    if fragment.box is None:
        return fragment.baseline
    for part in fragment.inside:
        if part.box is None or not part.box.is_absolute:
            found = _first_baseline(part)
            if found is not None:
                return part.y + found
    return None


def _outer(item: Item, is_row: bool) -> float:
    """An item's size across the direction of the items, with its margins."""
    own = item.values
    if is_row:
        return (own.height or 0.0) + own.along + (own.mt or 0.0) + (own.mb or 0.0)
    return (own.width or 0.0) + own.across + (own.ml or 0.0) + (own.mr or 0.0)


def _size_rows(rows: list[Row], box: Box, values: Used, is_row: bool, room: float, gap: float) -> None:
    stated = values.height if is_row else values.width
    if len(rows) == 1 and stated is not None:
        rows[0].cross = stated
    else:
        for row in rows:
            aligned = [item for item in row.items if is_row and item.box.style.align_self == "baseline"]
            others = [item for item in row.items if item not in aligned]
            above = max((item.baseline for item in aligned), default=0.0)
            below = max((_outer(item, is_row) - item.baseline for item in aligned), default=0.0)
            row.cross = max(above + below, max((_outer(item, is_row) for item in others), default=0.0))
    if len(rows) == 1:
        least, most = (values.min_height, values.max_height) if is_row else (values.min_width, values.max_width)
        rows[0].cross = max(least, min(rows[0].cross, most))
    whole = stated if is_row else room
    if whole is not None and rows:
        more = whole - sum(row.cross for row in rows) - gap * (len(rows) - 1)
        for row in rows:
            row.cross += more / len(rows)


def _alignment(item: Item, box: Box) -> str:
    own = item.box.style.align_self
    return box.style.align_items if own == "auto" else own


def _stretch(item: Item, cross: float, is_row: bool) -> None:
    own, style = item.values, item.box.style
    top, right, bottom, left = item.auto_margins
    if is_row and style.height is None and not (top or bottom):
        own.height = cross - own.along - (own.mt or 0.0) - (own.mb or 0.0)
    elif not is_row and style.width is None and not (left or right):
        own.width = cross - own.across - (own.ml or 0.0) - (own.mr or 0.0)


def _justify(row: Row, main: float, gap: float, how: str, is_row: bool) -> None:
    """Place the items of a line along it; margins of `auto` take what is left."""
    free = main - gap * (len(row.items) - 1)
    autos = 0
    for item in row.items:
        own, (_, right, _, left) = item.values, item.auto_margins
        if is_row:
            free -= (own.width or 0.0) + own.across + (own.ml or 0.0) + (own.mr or 0.0)
            autos += left + right
        else:
            free -= (own.height or 0.0) + own.along + (own.mt or 0.0) + (own.mb or 0.0)
    if autos:
        for item in row.items:
            _, right, _, left = item.auto_margins
            item.values.ml = free / autos if left else item.values.ml
            item.values.mr = free / autos if right else item.values.mr
        free = 0.0
    count = len(row.items)
    begin, between = {
        "flex-end": (free, 0.0),
        "center": (free / 2, 0.0),
        "space-around": (free / count / 2, free / count),
        "space-evenly": (free / (count + 1), free / (count + 1)),
        "space-between": (0.0, free / (count - 1) if count > 1 else 0.0),
    }.get(how, (0.0, 0.0))
    at = begin
    for item in row.items:
        own = item.values
        if is_row:
            item.x = at
            at += (own.width or 0.0) + own.across + (own.ml or 0.0) + (own.mr or 0.0)
        else:
            item.y = at
            at += (own.height or 0.0) + own.along + (own.mt or 0.0) + (own.mb or 0.0)
        at += gap + between


def _align(row: Row, box: Box, at: float, is_row: bool) -> None:
    """Place the items of a line across it; the line begins at `at`."""
    lowest = max((item.baseline for item in row.items if is_row and _alignment(item, box) == "baseline"), default=0.0)
    for item in row.items:
        rest = row.cross - _outer(item, is_row)
        top, right, bottom, left = item.auto_margins
        before, after = (top, bottom) if is_row else (left, right)
        how = _alignment(item, box)
        shift = 0.0
        if before or after:
            share = max(0.0, rest) / (before + after)
            if is_row:
                item.values.mt = share if before else item.values.mt
                item.values.mb = share if after else item.values.mb
            else:
                item.values.ml = share if before else item.values.ml
                item.values.mr = share if after else item.values.mr
        elif how == "flex-end":
            shift = rest
        elif how == "center":
            shift = rest / 2
        elif how == "baseline" and is_row:
            shift = lowest - item.baseline
        if is_row:
            item.y = at + shift
        else:
            item.x = at + shift


def _put(
    box: Box, fragment: Fragment, values: Used, inner: float, rows: list[Row], absent: list[tuple[Box, float]],
    waiting: list[Waiting], lay_block: LayBlock, resolve: Callable[..., None],
) -> None:  # fmt: skip
    """Lay out the items with the sizes that they have come to, and put them into the fragment."""
    own = waiting_in(box, waiting)
    left, top = values.bl + values.pl, values.bt + values.pt
    is_row = box.style.flex_direction == "row"
    for child, at in absent:
        x, y = (left + at, top) if is_row else (left, top + at)
        place = Fragment(child, 0.0, 0.0, x=x, y=y)
        fragment.inside.append(place)
        own.append(Waiting(place, x, y, x, y))
    for row in rows:
        for item in row.items:
            start = len(own)
            part: Fragment = lay_block(item.box, item.values, inner, own).fragment
            part.x = left + item.x + (item.values.ml or 0.0)
            if box.style.is_rtl:
                part.x = left + (values.width or 0.0) - item.x - part.width - (item.values.mr or 0.0)
            part.y = top + item.y + (item.values.mt or 0.0)
            for each in own[start:]:
                each.x, each.y = each.x + part.x, each.y + part.y
            fragment.inside.append(part)
    if own is not waiting:
        for each in own:
            resolve(each, fragment)
    for part in fragment.inside:
        shift_relative(part, values.width or 0.0, values.height or 0.0)

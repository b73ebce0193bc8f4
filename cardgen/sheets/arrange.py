"""Cutouts of many sizes on the fewest sheets, so that a guillotine can take them apart. Millimetres.

Every cutout is packed as a cell: its box with half of the gap that it needs on every side. rectpack's guillotine
algorithms put cells on sheets; each is good at something else, so several are tried, with several orders, and the best
result is taken. Nothing here is random.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from msgspec import Struct

from cardgen.geometry import Box, Size
from cardgen.model.cutout import Cutout
from cardgen.model.sheet import Laid
from cardgen.sheets.cutting import cut_list

# What stays free around a cutout that scissors cut.
OUTLINE_ROOM = 2.0
# rectpack counts in whole numbers, since sums of fractions would not fit where they just fit: ten thousandths of a mm.
_PER_MM = 10_000
# Where a cell goes (best area, best short side, best long side) and how what is left is split: along the shorter or the
# longer axis of it or of its rest, to the larger or the smaller area. Of rectpack's 18 pairs these eight needed the
# fewest sheets over 25 random sets of pieces; with all 18 no set of the benchmarks needed fewer.
_ALGORITHMS = ("BafSas", "BlsfSlas", "BssfMaxas", "BlsfSas", "BssfLlas", "BssfLas", "BafMaxas", "BlsfMinas")
# So many results that cannot be bettered in sheets are enough to choose the one with the fewest cuts from.
_ENOUGH = 12


class Spot(Struct, frozen=True):
    """Where one copy of a cutout lies: which of the cutouts it is, its box on the area, whether it lies on its side."""

    index: int
    box: Box
    turned: bool


class _Cell(Struct, frozen=True):
    """A cutout with the room around it, in ten thousandths of a mm; `lies`: on its side. A clipped one may not turn."""

    index: int
    width: int
    height: int
    turns: bool = True
    lies: bool = False


# What is kept together: one cutout, or all of a group.
_Bundle = tuple[_Cell, ...]


class _Bin(Struct):
    """A sheet of rectpack's, with the cells put on it in order and the area that they leave."""

    sheet: Any
    cells: list[_Cell]
    free: int


class _Score(NamedTuple):
    """How good a packing is, the less the better: groups parted, sheets, sheets with backs."""

    parted: int
    sheets: int
    backs: int


_ORDERS: tuple[Callable[[_Cell], int], ...] = (
    lambda cell: _area(cell),
    lambda cell: max(cell.width, cell.height),
    lambda cell: min(cell.width, cell.height),
)


def room_around(cutout: Cutout, bleed: float, gap: float = 0.0) -> float:
    """What a cutout needs on every side, in mm: room for its bleed or for scissors, half a gap. Without, it touches
    others that need none, and one cut parts the two."""
    return max(bleed, gap / 2, 0.0 if cutout.straight else OUTLINE_ROOM)


def arrange(
    cutouts: Sequence[Cutout], bleeds: Sequence[float], gap: float, area: Size, backs: bool
) -> list[list[Spot]]:
    """Every copy of every cutout on sheets with an `area` in mm; each fits it, alone and with its bleed.

    `gap` is the least gap between pieces in mm; what bleed and scissors need comes from the cutouts.

    Cutouts of one group lie on one sheet if one can hold them. Where `backs` are printed, cutouts with a back lie on
    sheets of their own, which come first; others fill these up only where that saves a sheet.
    """
    cells = [_cell(index, cutout, bleeds[index], gap, area) for index, cutout in enumerate(cutouts)]
    # A group stays together, whichever of its cutouts has a back.
    groups = {cutout.group for cutout in cutouts if backs and cutout.two_sided} - {""}
    behind = [backs and (cutout.two_sided or cutout.group in groups) for cutout in cutouts]
    first, second = _bundles(cutouts, cells, behind), _bundles(cutouts, cells, [not has for has in behind])
    packing = [*_best(first, cutouts, area), *_best(second, cutouts, area)]
    if first and second and _least([*first, *second], area) < len(packing):
        mixed = _best([*first, *second], cutouts, area, len(first))
        packing = mixed if len(mixed) < len(packing) else packing
    sheets = [_spots(target, cutouts) for target in packing]
    # As they were given: by the first cutout on each, those with a back before those without.
    return sorted(sheets, key=lambda spots: (not any(behind[spot.index] for spot in spots), spots[0].index))


def _cell(index: int, cutout: Cutout, bleed: float, gap: float, area: Size) -> _Cell:
    room, size = room_around(cutout, bleed, gap), cutout.size
    width, height = _up(size.width + 2 * room), _up(size.height + 2 * room)
    most = _down(area.width), _down(area.height)
    if (width <= most[0] and height <= most[1]) or (height <= most[0] and width <= most[1]):
        return _Cell(index, width, height)
    # Too large with all its room. It needs none at the area's edge, so the cell ends there.
    if _up(size.width + 2 * bleed) <= most[0] and _up(size.height + 2 * bleed) <= most[1]:
        return _Cell(index, min(width, most[0]), min(height, most[1]), turns=False)
    return _Cell(index, min(height, most[0]), min(width, most[1]), turns=False, lies=True)


def _up(mm: float) -> int:
    # A thousandth of a unit is rounding, not size.
    return math.ceil(mm * _PER_MM - 1e-3)


def _down(mm: float) -> int:
    return math.floor(mm * _PER_MM + 1e-3)


def _bundles(cutouts: Sequence[Cutout], cells: Sequence[_Cell], wanted: Sequence[bool]) -> list[_Bundle]:
    groups: dict[str, list[_Cell]] = {}
    bundles: list[_Bundle] = []
    for cutout, cell, is_wanted in zip(cutouts, cells, wanted, strict=True):
        if is_wanted and cutout.group:
            groups.setdefault(cutout.group, []).extend([cell] * cutout.copies)
        elif is_wanted:
            bundles += [(cell,)] * cutout.copies
    return [*(tuple(group) for group in groups.values() if group), *bundles]


def _least(bundles: Sequence[_Bundle], area: Size) -> int:
    """No packing needs fewer sheets than this: the cells' area by a sheet's."""
    used = sum(_area(cell) for bundle in bundles for cell in bundle)
    return -(-used // (_down(area.width) * _down(area.height)))


def _best(bundles: Sequence[_Bundle], cutouts: Sequence[Cutout], area: Size, first: int = 0) -> list[_Bin]:
    """The packing that parts the fewest groups, on the fewest sheets, the fewest with backs, with the fewest cuts.

    The `first` bundles have sheets of their own before the others fill these up.
    """
    if not bundles:
        return []
    least = _least(bundles, area)
    found: list[tuple[_Score, list[_Bin]]] = []
    for score, packing in _packings(bundles, area, first):
        found.append((score, packing))
        if sum(other.parted == 0 and other.sheets == least for other, _ in found) >= _ENOUGH:
            break
    best = min(score for score, _ in found)
    equal = [packing for score, packing in found if score == best][:_ENOUGH]
    return min(equal, key=lambda packing: sum(_cuts(target, cutouts) for target in packing))


def _packings(bundles: Sequence[_Bundle], area: Size, first: int) -> Iterator[tuple[_Score, list[_Bin]]]:
    import rectpack.guillotine as algorithms

    width, height = _down(area.width), _down(area.height)

    def empty(algorithm: Any) -> _Bin:
        # Never merged: sections joined across an earlier split could no longer be cut from edge to edge.
        return _Bin(algorithm(width, height, merge=False), [], width * height)

    for order, name in itertools.product(_ORDERS, _ALGORITHMS):
        make = partial(empty, getattr(algorithms, f"Guillotine{name}"))
        bins: list[_Bin] = []
        # What must lie on sheets with backs is packed first; the rest fills up.
        parted = _fill(bins, bundles[:first], make, order)
        backs = len(bins)
        parted += _fill(bins, bundles[first:], make, order)
        yield _Score(parted, len(bins), backs), bins


def _fill(bins: list[_Bin], bundles: Sequence[_Bundle], make: Callable[[], _Bin], order: Callable[[_Cell], int]) -> int:
    """Put bundles on the sheets, and on more where they are needed. The number of groups that were parted."""
    singles = [bundle[0] for bundle in bundles if len(bundle) == 1]
    groups = [sorted(bundle, key=order, reverse=True) for bundle in bundles if len(bundle) > 1]
    parted = 0
    for group in sorted(groups, key=lambda group: -sum(map(_area, group))):
        if any(_put_all(bins, at, group, make) for at in range(len(bins))):
            continue
        bins.append(make())
        if not _put_all(bins, len(bins) - 1, group, make):
            bins.pop()
            singles += group
            parted += 1
    for cell in sorted(singles, key=order, reverse=True):
        fitting = [(fitness, at) for at, target in enumerate(bins) if (fitness := _fitness(target, cell)) is not None]
        if not fitting:
            bins.append(make())
        _put(bins[min(fitting)[1] if fitting else -1], cell)
    return parted


def _put_all(bins: list[_Bin], at: int, group: Sequence[_Cell], make: Callable[[], _Bin]) -> bool:
    """Put a whole group on a sheet, or nothing of it."""
    if sum(map(_area, group)) > bins[at].free:
        return False
    before = list(bins[at].cells)
    if all(_put(bins[at], cell) for cell in group):
        return True
    # rectpack takes nothing back: the sheet is made again as it was.
    bins[at] = make()
    for cell in before:
        _put(bins[at], cell)
    return False


def _fitness(target: _Bin, cell: _Cell) -> int | None:
    if _area(cell) > target.free:
        return None
    target.sheet.rot = cell.turns
    fitness: int | None = target.sheet.fitness(cell.width, cell.height)
    return fitness


def _put(target: _Bin, cell: _Cell) -> bool:
    target.sheet.rot = cell.turns
    if target.sheet.add_rect(cell.width, cell.height, cell.index) is None:
        return False
    target.cells.append(cell)
    target.free -= _area(cell)
    return True


def _area(cell: _Cell) -> int:
    return cell.width * cell.height


def _spots(target: _Bin, cutouts: Sequence[Cutout]) -> list[Spot]:
    spots = []
    for placed, cell in zip(target.sheet.rectangles, target.cells, strict=True):
        turned = cell.lies != ((placed.width, placed.height) != (cell.width, cell.height))
        size = cutouts[cell.index].size
        size = size.turned() if turned else size
        # In the middle of its cell; where the cell was clipped the room is smaller, and the same on both sides.
        x = (placed.x + (placed.width - size.width * _PER_MM) / 2) / _PER_MM
        y = (placed.y + (placed.height - size.height * _PER_MM) / 2) / _PER_MM
        spots.append(Spot(cell.index, Box(x, y, size.width, size.height), turned))
    return sorted(spots, key=lambda spot: (spot.index, spot.box.y, spot.box.x))


def _cuts(target: _Bin, cutouts: Sequence[Cutout]) -> int:
    sheet = target.sheet
    laid = [Laid("", "", spot.box, cutouts[spot.index].straight) for spot in _spots(target, cutouts)]
    frame = Box(0.0, 0.0, sheet.width / _PER_MM, sheet.height / _PER_MM).grown(1.0)
    return len(cut_list(laid, frame) or ())

"""Maps of the table: to scale on one page, or in full size over pages that overlap. Millimetres."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from cardgen.components.trims import derived_trim
from cardgen.errors import CannotMake
from cardgen.geometry import EPSILON_MM, Box, Size, box_points
from cardgen.model.component import Component, Map, Zone
from cardgen.model.cutout import Cutout, Glue, Panel
from cardgen.model.game import Game

LAYOUT = "_base/map"
UNITS = {"in": 25.4, "cm": 10.0}
# A page that A4 and Letter both hold with margins of 10 mm.
PAGE = Size(186.0, 250.0)
# Where the board may lie on the page: its notes below it, or beside it.
_BELOW = Box(9.0, 24.0, 171.0, 172.0)
_BESIDE = Box(9.0, 24.0, 106.0, 220.0)
_SCALES = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50)
# A stretch of a zone at least so large on a page says there what it is.
_NAMED = Size(50.0, 14.0)
# Grid lines nearer to each other than this are grey, not lines; slanted ones of a zone are this far apart.
_LEAST_GRID = 1.5
_HATCH, _HATCH_FULL = 4.0, 12.0


class _Tile(Struct, frozen=True):
    """A page of a tiled map: its name, what it shows of the board, and how much of that lies under its neighbours."""

    name: str
    box: Box
    right: float
    below: float


def make_map(component: Component, game: Game) -> list[Cutout]:
    """The map's page; tiled, an overview and the pages row by row.

    Raises CannotMake for zones beyond the board and for an overlap that leaves no page.
    """
    options = component.options
    assert isinstance(options, Map)
    board = Box(0.0, 0.0, options.width, options.depth)
    for zone in options.zones:
        if not board.contains(Box(zone.x, zone.y, zone.width, zone.height)):
            raise CannotMake(
                f"found the zone `{zone.id}` from ({zone.x:g}, {zone.y:g}) to ({zone.x + zone.width:g}, "
                f"{zone.y + zone.height:g}) mm; expected it on the board of {board.width:g} x {board.height:g} mm",
                f"zones.{zone.id}",
            )
    if options.form == "page":
        return [_page(component, options, ())]
    tiles = tiles_of(board, options.overlap)
    return [_page(component, options, tiles), *(_tile(component, options, tile) for tile in tiles)]


def tiles_of(board: Box, overlap: float) -> tuple[_Tile, ...]:
    """The fewest pages of one size that cover the board, each lying over its left and upper neighbours by `overlap`."""
    options = []
    for page in (PAGE, PAGE.turned()):
        columns = max(1, math.ceil((board.width - overlap) / (page.width - overlap) - EPSILON_MM))
        rows = max(1, math.ceil((board.height - overlap) / (page.height - overlap) - EPSILON_MM))
        options.append((columns * rows, columns, rows))
    _, columns, rows = min(options)
    width = (board.width + (columns - 1) * overlap) / columns
    height = (board.height + (rows - 1) * overlap) / rows
    if min(width, height) < 2 * overlap:
        raise CannotMake(
            f"found an overlap of {overlap:g} mm on pages of {width:g} x {height:g} mm; expected half a page at most: "
            f"{min(width, height) / 2:g} mm would do",
            "overlap",
        )
    return tuple(
        _Tile(
            f"{_letters(row)}{column + 1}",
            Box(column * (width - overlap), row * (height - overlap), width, height),
            overlap if column + 1 < columns else 0.0,
            overlap if row + 1 < rows else 0.0,
        )
        for row in range(rows)
        for column in range(columns)
    )


def _letters(row: int) -> str:
    return (_letters(row // 26 - 1) if row >= 26 else "") + chr(ord("A") + row % 26)


def _page(component: Component, options: Map, tiles: Sequence[_Tile]) -> Cutout:
    """One page with all of the board, as large as a round scale allows; a wide board stands on its side."""
    choices = []
    for room in (_BELOW, _BESIDE):
        for turned in (False, True):
            size = Size(options.width, options.depth)
            size = size.turned() if turned else size
            need = max(size.width / room.width, size.height / room.height)
            scale = next((scale for scale in _SCALES if scale >= need - EPSILON_MM), math.ceil(need))
            choices.append((scale, turned, room is _BESIDE, room, size))
    scale, turned, beside, room, size = min(choices, key=lambda choice: choice[:3])
    board = Box(room.x, room.y, size.width / scale, size.height / scale)

    def placed(box: Box) -> Box:
        if turned:
            box = Box(options.depth - box.bottom, box.x, box.height, box.width)
        return Box(board.x + box.x / scale, board.y + box.y / scale, box.width / scale, box.height / scale)

    face = Box(0.0, 0.0, PAGE.width, PAGE.height)
    zones = [_zone(zone, placed(_zone_box(zone)), face, named=True) for zone in options.zones]
    values = {
        **_values(component, options, board, scale, zones),
        "turned": turned,
        "beside": beside,
        "notes": options.notes,
        "tiles": [{"name": tile.name, **_box(placed(tile.box))} for tile in tiles],
        "marks": _marks(size, UNITS[options.unit], scale),
    }
    label = f"{component.id}/overview" if tiles else component.id
    panel = Panel(label, component.layout or LAYOUT, derived_trim(PAGE.width, PAGE.height), values)
    return Cutout(label, component.title, PAGE, (panel,), group=component.id)


def _marks(size: Size, unit: float, scale: float) -> list[dict[str, object]]:
    """The numbers along the page's edges of the board: every so many units that they do not touch. Places in mm."""
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000) if step * unit / scale >= 7)
    across = {"x": size.width, "y": size.height}
    return [
        {"axis": axis, "count": count, "at": round(count * unit / scale, 4)}
        for axis, long in across.items()
        for count in range(0, math.floor(long / unit + EPSILON_MM) + 1, step)
    ]


def _tile(component: Component, options: Map, tile: _Tile) -> Cutout:
    size = Size(round(tile.box.width, 4), round(tile.box.height, 4))
    left = options.overlap if tile.box.x > EPSILON_MM else 0.0
    top = options.overlap if tile.box.y > EPSILON_MM else 0.0
    own = tile.box.grown_sides(-left, -top, -tile.right, -tile.below)
    zones = []
    for zone in options.zones:
        box = _zone_box(zone)
        if not box.overlaps(tile.box):
            continue
        shown = _common(box, own)
        named = shown is not None and shown.width >= _NAMED.width and shown.height >= _NAMED.height
        if zone.round:
            named = tile.box.contains(box)
        moved = Box(box.x - tile.box.x, box.y - tile.box.y, box.width, box.height)
        place = Box(shown.x - tile.box.x, shown.y - tile.box.y, shown.width, shown.height) if shown else moved
        zones.append(_zone(zone, moved, Box(0.0, 0.0, size.width, size.height), named, place, _HATCH_FULL))
    board = Box(-tile.box.x, -tile.box.y, options.width, options.depth)
    # The names of the pages that come to lie over its strips.
    row, column = tile.name.rstrip("0123456789"), int(tile.name.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    beside = f"{row}{column + 1}" if tile.right else ""
    under = f"{_after(row)}{column}" if tile.below else ""
    values = {
        **_values(component, options, board, 1.0, zones),
        "tile": tile.name,
        "next": beside,
        "under": under,
        "right": tile.right,
        "below": tile.below,
        "left_over": left,
        "top_over": top,
    }
    label = f"{component.id}/{tile.name}"
    glue = []
    if tile.right:
        area = box_points(Box(size.width - tile.right, 0.0, tile.right, size.height))
        glue.append(Glue(area, beside))
    if tile.below:
        area = box_points(Box(0.0, size.height - tile.below, size.width - tile.right, tile.below))
        glue.append(Glue(area, under))
    panel = Panel(label, component.layout or LAYOUT, derived_trim(size.width, size.height), values)
    return Cutout(label, f"{component.title} {tile.name}", size, (panel,), glue=tuple(glue), group=component.id)


def _after(letters: str) -> str:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return _letters(number)


def _values(
    component: Component, options: Map, board: Box, scale: float, zones: list[dict[str, object]]
) -> dict[str, object]:
    """What the page and the tiles have in common; the board in the face's own mm."""
    return {
        "title": component.title,
        "board": _box(board),
        "scale": scale,
        "unit": options.unit,
        "across": _lines(board.x, board.width, options.grid / scale),
        "down": _lines(board.y, board.height, options.grid / scale),
        "width": options.width / UNITS[options.unit],
        "depth": options.depth / UNITS[options.unit],
        "zones": zones,
        "tile": "",
        "tiles": [],
        "marks": [],
        "notes": (),
    }


def _lines(start: float, long: float, step: float) -> list[float]:
    """Where the grid's lines cross an edge from `start` on; of lines that would touch, every other one is left out."""
    while step < _LEAST_GRID:
        step *= 2
    return [round(start + at * step, 4) for at in range(1, math.ceil(long / step - EPSILON_MM))]


def _hatch(box: Box, step: float) -> list[tuple[float, float, float, float]]:
    """Slanted lines across a box, `step` mm apart along its edges, from the corner of the face on."""
    found = []
    offset = (box.x + box.y) % step
    for at in range(1, math.ceil((box.width + box.height + offset) / step)):
        along = at * step - offset
        x, y = min(along, box.width), min(along, box.height)
        start = box.x + x, box.y + along - x
        end = box.x + along - y, box.y + y
        found.append((round(start[0], 3), round(start[1], 3), round(end[0], 3), round(end[1], 3)))
    return found


def _zone_box(zone: Zone) -> Box:
    return Box(zone.x, zone.y, zone.width, zone.height)


def _zone(
    zone: Zone, box: Box, face: Box, named: bool, place: Box | None = None, hatch: float = _HATCH
) -> dict[str, object]:
    """A zone as the layout draws it on a face; `place` is where its title may stand, `hatch` how far lines are apart."""
    shown = _common(box, face)
    hatched = zone.pattern == "hatch" and not zone.round
    return {
        **_box(box),
        "id": zone.id,
        "title": zone.title if named else "",
        "round": zone.round,
        "colour": zone.colour,
        "pattern": zone.pattern,
        "lines": _hatch(shown, hatch) if hatched and shown is not None else [],
        "place": _box(place if place is not None and not zone.round else box),
    }


def _box(box: Box) -> dict[str, float]:
    return {"x": round(box.x, 4), "y": round(box.y, 4), "width": round(box.width, 4), "height": round(box.height, 4)}


def _common(one: Box, other: Box) -> Box | None:
    x, y = max(one.x, other.x), max(one.y, other.y)
    right, bottom = min(one.right, other.right), min(one.bottom, other.bottom)
    return Box(x, y, right - x, bottom - y) if right - x > EPSILON_MM and bottom - y > EPSILON_MM else None

"""Dice to cut out, fold and glue: the net of a solid with tabs, its faces as panels. Millimetres."""

from __future__ import annotations

import cmath
import itertools
import math
from collections.abc import Sequence

from msgspec import Struct

from cardgen.components.dice_faces import die_of, die_values, numeral_values
from cardgen.components.polygons import inside, overlap
from cardgen.components.solids import Solid, solid
from cardgen.components.trims import derived_trim
from cardgen.components.unfold import Flat, Side, unfolded
from cardgen.errors import CannotMake
from cardgen.geometry import Matrix, Point, Polygon, Size, bounds, inscribed, moved
from cardgen.model.component import Component, Net
from cardgen.model.cutout import Cutout, Fold, Glue, Note, Panel
from cardgen.model.game import Game
from cardgen.units import format_mm

LAYOUT = "_base/die-net-face"
# Below it nobody can hold the die, and below the other no side of a face can be folded in paper.
LEAST_DIE = 6.0
LEAST_SIDE = 5.0
# How deep a tab must be to hold.
LEAST_TAB = 1.5
# The colour of a face runs on over its tabs by so much, so that a joint that gapes a little shows no white.
BLEED = 1.0
# The ends of a tab rise at this angle where there is room; air is left to what is beside them.
_STEEP = math.radians(50)
_FLAT = math.radians(18)
_AIR = math.radians(4)
# A tab ends before the middle of the face that it is glued behind.
_REACH = 0.85
# A number of a pair stands so far outside of a side, in a box of that size.
_AWAY = 2.1
_NUMBER = 5.5
_NUMBER_ROOM = Size(2.6, 2.2)


def make_net(component: Component, game: Game) -> list[Cutout]:
    """One net, as often as there are sets.

    Opposite faces sum to the number of faces and one, numerals from 0 on to one less than that number (a d10 from 0 to
    9: to 9). A numeral stands on a side of its face; on a d10 its top points to the pole where five faces meet. Pairs
    of a tab and the side that it is glued behind are numbered in the order of gluing.

    Raises CannotMake for a die that is too small to fold or that has another number of faces than the solid.
    """
    options = component.options
    assert isinstance(options, Net)
    form = solid(options.solid)
    values = _values(options, form, game)
    flat = unfolded(options.solid)
    least = _least(flat)
    if options.size < least:
        raise CannotMake(
            f"a {options.solid} of {format_mm(options.size)} mm is too small to fold from paper; "
            f"{format_mm(least)} mm or more would do",
            "size",
        )
    net = lay_out(flat, options.size, options.tab)
    notes = _notes(net)
    half = _NUMBER_ROOM.width / 2, _NUMBER_ROOM.height / 2
    box = bounds(net.outline, *(((x - half[0], y - half[1]), (x + half[0], y + half[1])) for x, y, _ in notes))
    home = Matrix(e=-box.x, f=-box.y)
    panels = tuple(
        _panel(component, net, face, values[form.numbers[face] - 1], home) for face in range(len(form.faces))
    )
    return [
        Cutout(
            component.id,
            component.title,
            Size(box.width, box.height),
            panels,
            cuts=(moved(net.outline, home),),
            folds=tuple(Fold(moved(line, home)) for line in net.folds),
            glue=tuple(Glue(moved(tab, home), str(at), str(at)) for at, tab in enumerate(net.tabs, 1)),
            notes=tuple(_note(*note, home) for note in notes),
            copies=options.sets,
            group=component.id,
        )
    ]


def _least(flat: Flat) -> float:
    """The size, in mm, below which a die of that solid has sides or tabs that are too small to fold."""
    side = min(abs(q - p) for p, q in map(flat.side, flat.outline))
    reach = _REACH * inscribed(flat.faces[0])[2]
    return math.ceil(10 * max(LEAST_DIE, LEAST_SIDE / side, LEAST_TAB / reach)) / 10


class Laid(Struct, frozen=True):
    """A net at its size, mm: faces, the lines to fold, tabs in the order of gluing, and the one outline to cut.

    `tabbed` are the sides that the tabs hang on, `bare` those that lie on them once they are glued.
    """

    flat: Flat
    faces: tuple[Polygon, ...]
    folds: tuple[Polygon, ...]
    tabs: tuple[Polygon, ...]
    outline: Polygon
    tabbed: tuple[Side, ...]
    bare: tuple[Side, ...]
    size: float


def lay_out(flat: Flat, size: float, tab: float) -> Laid:
    """The net with tabs of a solid whose opposite faces are `size` mm apart; tabs are `tab` mm deep where there is room.

    Raises CannotMake when a tab finds no room.
    """
    faces = tuple(tuple((x * size, y * size) for x, y in face) for face in flat.faces)
    ends = {side: (p * size, q * size) for side in flat.outline for p, q in [flat.side(side)]}
    free = _free(flat, ends)
    tabs: dict[Side, Polygon] = {}
    used: dict[Side, tuple[float, float]] = {}
    order: list[Side] = []
    for pair in flat.joins:
        found = [(side, *_tab(flat, faces, ends, free, used, tabs, side, tab)) for side in pair]
        # Of two sides the one with more room for it, the first one when they are alike.
        side, polygon, slants, depth = max(found, key=lambda one: round(one[3], 3))
        if depth < LEAST_TAB:
            raise CannotMake(
                f"found no room for a tab of {format_mm(LEAST_TAB)} mm on a {flat.solid.id} of {format_mm(size)} mm; "
                "a larger die would do",
                "size",
            )
        tabs[side], used[side] = polygon, slants
        order.append(side)
    outline: list[Point] = []
    for side in flat.outline:
        outline += tabs[side][:-1] if side in tabs else [_point(ends[side][0])]
    folded = [flat.side(side) for side, _ in flat.folds]
    lines = [(_point(p * size), _point(q * size)) for p, q in folded]
    lines += [(_point(ends[side][0]), _point(ends[side][1])) for side in order]
    bare = tuple(flat.beyond(side) for side in order)
    return Laid(
        flat, faces, tuple(lines), tuple(tabs[side] for side in order), tuple(outline), tuple(order), bare, size
    )


def _free(flat: Flat, ends: dict[Side, tuple[complex, complex]]) -> dict[Side, float]:
    """The angle outside of the net where a side of the outline ends, by side."""
    found = {}
    for side, following in itertools.pairwise((*flat.outline, flat.outline[0])):
        (p, q), (_, r) = ends[side], ends[following]
        # The outline runs counter-clockwise on paper, its inside to the left.
        found[side] = 2 * math.pi - cmath.phase((r - q) / (p - q)) % (2 * math.pi)
    return found


def _tab(
    flat: Flat,
    faces: Sequence[Polygon],
    ends: dict[Side, tuple[complex, complex]],
    free: dict[Side, float],
    used: dict[Side, tuple[float, float]],
    tabs: dict[Side, Polygon],
    side: Side,
    wanted: float,
) -> tuple[Polygon, tuple[float, float], float]:
    """The tab that a side has room for, its angles at either end and its depth; none, and 0, where there is none."""
    at = flat.outline.index(side)
    before, behind = flat.outline[at - 1], flat.outline[(at + 1) % len(flat.outline)]
    p, q = ends[side]
    # Glued, the tab lies behind the face beyond: its corners there are at the same ends of the side, q and p.
    beyond = faces[flat.beyond(side)[0]]
    start = flat.beyond(side)[1]
    slants = []
    for taken, open_, corner in (
        (used.get(before, (0.0, 0.0))[1], free[before], (start + 1) % len(beyond)),
        (used.get(behind, (0.0, 0.0))[0], free[side], start),
    ):
        slants.append(min(_STEEP, open_ - taken - _AIR, _angle(beyond, corner) - _AIR))
    if min(slants) < _FLAT:
        return (), (0.0, 0.0), 0.0
    lost = sum(1 / math.tan(slant) for slant in slants)
    # A quarter of the side at least is left of the tab's far end.
    depth = min(wanted, 0.75 * abs(q - p) / lost, _REACH * inscribed(beyond)[2])
    others = [face for number, face in enumerate(faces) if number != side[0]]
    while depth >= LEAST_TAB:
        found = flap(p, q, depth, slants[0], slants[1])
        if not any(overlap(found, other) for other in (*others, *tabs.values())):
            return found, (slants[0], slants[1]), depth
        depth *= 0.9
    return (), (0.0, 0.0), 0.0


def flap(p: complex, q: complex, depth: float, at_p: float, at_q: float) -> Polygon:
    """A strip of a depth outside of the side from p to q of a face, its ends rising at two angles, in radians."""
    along = (q - p) / abs(q - p)
    out = along * 1j
    return (
        _point(p),
        _point(p + depth * (out + along / math.tan(at_p))),
        _point(q + depth * (out - along / math.tan(at_q))),
        _point(q),
    )


def _angle(polygon: Polygon, corner: int) -> float:
    here, before, behind = (complex(*polygon[(corner + by) % len(polygon)]) for by in (0, -1, 1))
    return abs(cmath.phase((before - here) / (behind - here)))


def _point(z: complex) -> Point:
    return z.real, z.imag


def _values(options: Net, form: Solid, game: Game) -> Sequence[object]:
    count = len(form.faces)
    if not options.die:
        return numeral_values(count, options.first)
    die = die_of(game, options.die, "die")
    if len(die.faces) != count:
        raise CannotMake(
            f"the die `{die.id}` has {len(die.faces)} faces and a {form.id} has {count}: expected as many; "
            f"another `solid` or another `die` would do",
            "die",
        )
    # Larger faces alone have room for the letter beside the sign.
    return die_values(die, letter=form.id == "d6")


def _panel(component: Component, net: Laid, face: int, values: object, home: Matrix) -> Panel:
    assert isinstance(values, dict)
    up = _upright(net, face)
    # From the net to the face: turned so that `up` is up the page, then its box to 0, 0.
    turn = Matrix(-up.imag, -up.real, up.real, -up.imag)
    turned = moved(net.faces[face], turn)
    box = bounds(turned)
    into = turn.then(Matrix(e=-box.x, f=-box.y))
    # Rounded so that equal faces are equal pictures.
    shape = tuple((round(x, 4), round(y, 4)) for x, y in moved(net.faces[face], into))
    trim = derived_trim(round(box.width, 4), round(box.height, 4), BLEED)
    return Panel(
        f"{component.id}/{net.flat.solid.numbers[face]}",
        component.layout or LAYOUT,
        trim,
        values,
        into.inverse().then(home),
        moved(_painted(net, face), home),
        shape,
    )


def _upright(net: Laid, face: int) -> complex:
    """Where the top of a face's sign points to, on the net."""
    points = [complex(*point) for point in net.faces[face]]
    corners = net.flat.solid.faces[face]
    middle = sum(points) / len(points)
    poles = [z for z, corner in zip(points, corners, strict=True) if corner in net.flat.solid.poles]
    if poles:
        # Along the kite's axis: through its pole and the corner across.
        across = points[(points.index(poles[0]) + 2) % len(points)]
        return (poles[0] - across) / abs(poles[0] - across)
    sides = itertools.pairwise((*points, points[0]))
    tops = [z - middle for z in points] if len(points) % 2 else [(p + q) / 2 - middle for p, q in sides]
    # Whichever is upright on the net, or nearest to it.
    best = min(tops, key=lambda z: (round(z.imag / abs(z), 6), round(z.real, 6)))
    return best / abs(best)


def _painted(net: Laid, face: int) -> Polygon:
    """A face with a strip of its tabs. Beyond the sides that get cut it paints nothing: there the line must show."""
    tabs = dict(zip(net.tabbed, net.tabs, strict=True))
    painted: list[Point] = []
    for at, point in enumerate(net.faces[face]):
        painted.append(point)
        if (face, at) in tabs:
            p, a, b, q = (complex(*corner) for corner in tabs[face, at])
            part = min(1.0, BLEED / abs(((a - p) / (q - p)).imag * abs(q - p)))
            painted += [_point(p + part * (a - p)), _point(q + part * (b - q))]
    return tuple(painted)


def _notes(net: Laid) -> list[tuple[float, float, str]]:
    """The numbers of the pairs, each with its middle: in the tabs, and outside of the sides that come to lie on them
    where there is room."""
    notes = []
    taken = (*net.faces, *net.tabs)
    half = _NUMBER_ROOM.width / 2, _NUMBER_ROOM.height / 2
    for at, (tab, bare) in enumerate(zip(net.tabs, net.bare, strict=True), 1):
        x, y = (sum(point[axis] for point in tab) / len(tab) for axis in (0, 1))
        notes.append((x, y, str(at)))
        p, q = (end * net.size for end in net.flat.side(bare))
        for part in (0.5, 0.35, 0.65, 0.8, 0.2):
            z = p + part * (q - p) + _AWAY * (q - p) / abs(q - p) * 1j
            around = [(z.real + dx, z.imag + dy) for dx in (-half[0], 0.0, half[0]) for dy in (-half[1], 0.0, half[1])]
            if not any(inside(point, other) for point in around for other in taken):
                notes.append((z.real, z.imag, str(at)))
                break
    return notes


def _note(x: float, y: float, text: str, home: Matrix) -> Note:
    # A note stands on its baseline: half a numeral's height below its middle.
    below = 0.35 * _NUMBER * 25.4 / 72
    return Note(*home.apply(x, y + below), text, _NUMBER)

"""Nets folded in arithmetic: every side meets its partner, nothing overlaps, the die comes out right."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.components.nets import Laid, lay_out, make_net
from cardgen.components.unfold import Side, unfolded
from cardgen.diagnostics import Span
from cardgen.errors import CannotMake
from cardgen.geometry import Polygon, area, bounds, moved
from cardgen.model.component import Component, Net
from cardgen.model.cutout import Cutout
from cardgen.model.game import Die, Game
from tests.nets.games import dice_game

Vector = tuple[float, float, float]
SOLIDS = ("d6", "d8", "d10", "d12", "d20")
EXACT = 1e-6
# The angles between faces, from the books; those of a d10 between kites of one belt (its long sides) and of both.
DIHEDRAL = {
    "d6": 90.0,
    "d8": math.degrees(math.acos(-1 / 3)),
    "d12": math.degrees(math.acos(-1 / math.sqrt(5))),
    "d20": math.degrees(math.acos(-math.sqrt(5) / 3)),
}
D10_LONG = math.degrees(math.acos((1 - math.sqrt(5)) / 2))
D10_SHORT = 90.0

sizes = st.floats(12, 100)
tabs = st.floats(2, 20)
solids = st.sampled_from(SOLIDS)


def component(**options: object) -> Component:
    return Component("die", "Die", "net", Net(**options), "", "", Span("dice.yaml", 1, 1), {})  # type: ignore[arg-type]


def made(game: Game | None = None, **options: object) -> Cutout:
    (cutout,) = make_net(component(**options), game or dice_game())
    return cutout


def flap_side(polygon: Polygon, at: int) -> tuple[tuple[float, float], tuple[float, float]]:
    return polygon[at], polygon[(at + 1) % len(polygon)]


def turned(point: Vector, p: Vector, q: Vector, degrees: float) -> Vector:
    """A point turned about the line from p to q, right-handed (Rodrigues)."""
    length = math.dist(p, q)
    k = tuple((b - a) / length for a, b in zip(p, q, strict=True))
    v = tuple(a - b for a, b in zip(point, p, strict=True))
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    kv = (k[1] * v[2] - k[2] * v[1], k[2] * v[0] - k[0] * v[2], k[0] * v[1] - k[1] * v[0])
    d = sum(a * b for a, b in zip(k, v, strict=True)) * (1 - c)
    x, y, z = (v[i] * c + kv[i] * s + k[i] * d + p[i] for i in range(3))
    return x, y, z


def folded(net: Laid) -> list[list[Vector]]:
    """Every face of the net in space, the print outside, after folding each line by the angle of the solid."""
    # Off the paper: x to the right, y up, the print towards +z. All of it is moved fold by fold.
    flat = [[(x, -y, 0.0) for x, y in face] for face in net.faces]
    hanging: dict[int, list[tuple[int, int]]] = {}
    for (face, at), (other, there) in net.flat.folds:
        hanging.setdefault(face, []).append((at, other))
        hanging.setdefault(other, []).append((there, face))
    done, order = {0}, [0]
    below: dict[int, list[int]] = {}
    folds: list[tuple[int, int, int]] = []
    for face in order:
        for at, other in hanging.get(face, []):
            if other not in done:
                done.add(other)
                order.append(other)
                below.setdefault(face, []).append(other)
                folds.append((face, at, other))
    assert len(done) == len(net.faces), "the net hangs together"

    def all_below(face: int) -> list[int]:
        return [face, *(far for near in below.get(face, []) for far in all_below(near))]

    for face, at, other in reversed(folds):
        p, q = flat[face][at], flat[face][(at + 1) % len(flat[face])]
        shorter = min(math.dist(a, b) for a, b in itertools.pairwise((*net.faces[face], net.faces[face][0])))
        between = DIHEDRAL.get(net.flat.solid.id) or (D10_SHORT if math.dist(p, q) < shorter * 1.01 else D10_LONG)
        # Counter-clockwise sides, the face beyond to the right: a turn by a positive angle takes it up, by less down.
        for moving in all_below(other):
            flat[moving] = [turned(point, p, q, 180 - between) for point in flat[moving]]
    return flat


def normal(points: Sequence[Vector]) -> Vector:
    a, b, c = points[:3]
    u, v = [b[i] - a[i] for i in range(3)], [c[i] - a[i] for i in range(3)]
    n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    length = math.hypot(*n)
    return n[0] / length, n[1] / length, n[2] / length


def dot(a: Vector, b: Vector) -> float:
    return sum(p * q for p, q in zip(a, b, strict=True))


def ends(points: Sequence[Vector], at: int) -> tuple[Vector, Vector]:
    return points[at], points[(at + 1) % len(points)]


def convex_apart(a: Polygon, b: Polygon) -> bool:
    """Whether a side of one of two convex polygons has all of the other beyond it."""
    for one, other in ((a, b), (b, a)):
        turn = 1 if area(one) > 0 else -1
        for (x0, y0), (x1, y1) in itertools.pairwise((*one, one[0])):
            long = math.hypot(x1 - x0, y1 - y0)
            if all(turn * ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) / long <= EXACT for x, y in other):
                return True
    return False


@pytest.mark.parametrize("id", SOLIDS)
@given(size=sizes, tab=tabs)
@settings(max_examples=8)
def test_folded_every_side_meets_its_partner(id: str, size: float, tab: float) -> None:
    net = lay_out(unfolded(id), size, tab)
    space = folded(net)
    for (face, at), (other, there) in net.flat.joins:
        p, q = ends(space[face], at)
        r, s = ends(space[other], there)
        assert math.dist(p, s) < EXACT
        assert math.dist(q, r) < EXACT
    # The print lies outside, and opposite faces are as far apart as the die is large.
    middle = tuple(sum(p[i] for face in space for p in face) / sum(map(len, space)) for i in range(3))
    for face, points in enumerate(space):
        out = dot(normal(points), (points[0][0] - middle[0], points[0][1] - middle[1], points[0][2] - middle[2]))
        assert out == pytest.approx(size / 2, abs=1e-5)
        across = space[net.flat.solid.opposite[face]]
        assert dot(normal(points), normal(across)) == pytest.approx(-1, abs=1e-9)


@given(id=solids, size=sizes, tab=tabs)
@settings(max_examples=40)
def test_faces_and_tabs_do_not_overlap(id: str, size: float, tab: float) -> None:
    net = lay_out(unfolded(id), size, tab)
    for a, b in itertools.combinations((*net.faces, *net.tabs), 2):
        assert convex_apart(a, b)
    parts = sum(abs(area(part)) for part in (*net.faces, *net.tabs))
    assert abs(area(net.outline)) == pytest.approx(parts, rel=1e-9)


@given(id=solids, size=sizes, tab=tabs)
@settings(max_examples=40)
def test_each_pair_has_one_tab_that_lies_behind_the_other_face(id: str, size: float, tab: float) -> None:
    net = lay_out(unfolded(id), size, tab)
    pairs = [{*pair} for pair in net.flat.joins]
    assert [{a, b} for a, b in zip(net.tabbed, net.bare, strict=True)] == pairs
    for shape, side, bare in zip(net.tabs, net.tabbed, net.bare, strict=True):
        assert_behind(net, shape, side, bare)


def assert_behind(net: Laid, shape: Polygon, side: Side, bare: Side) -> None:
    p, q = (complex(*end) for end in flap_side(net.faces[side[0]], side[1]))
    r, s = (complex(*end) for end in flap_side(net.faces[bare[0]], bare[1]))
    turn = (s - r) / (p - q)
    assert abs(turn) == pytest.approx(1, abs=1e-9), "the sides are as long as each other"
    for corner in shape:
        z = r + (complex(*corner) - q) * turn
        for (x0, y0), (x1, y1) in itertools.pairwise((*net.faces[bare[0]], net.faces[bare[0]][0])):
            # Counter-clockwise on paper: inside is where this is negative.
            assert ((x1 - x0) * (z.imag - y0) - (y1 - y0) * (z.real - x0)) / math.hypot(x1 - x0, y1 - y0) < EXACT


@pytest.mark.parametrize("id", SOLIDS)
def test_pairs_close_like_a_zip(id: str) -> None:
    flat = unfolded(id)
    opened = list(flat.outline)
    for one, other in flat.joins:
        a, b = opened.index(one), opened.index(other)
        assert (b - a) % len(opened) in (1, len(opened) - 1)
        opened = [side for side in opened if side not in (one, other)]
    assert opened == []
    assert len(flat.folds) == len(flat.faces) - 1


# Print facts, "Dice": the largest edges on A4 with margins of 10 mm, tabs not counted.
@pytest.mark.parametrize(("id", "edge"), [("d6", 63), ("d20", 50), ("d8", 79)])
def test_nets_fit_a4_at_the_largest_edges(id: str, edge: float) -> None:
    flat = unfolded(id)
    p, q = flat.side(flat.outline[0])
    box = bounds(*flat.faces)
    short, long = sorted((box.width * edge / abs(q - p), box.height * edge / abs(q - p)))
    assert short <= 190
    assert long <= 277


@pytest.mark.parametrize("id", SOLIDS)
def test_the_signs_lie_on_the_faces_that_their_numbers_say(id: str) -> None:
    cutout = made(solid=id, size=30.0)
    count = len(cutout.panels)
    net = lay_out(unfolded(id), 30.0, 5.0)
    space = folded(net)
    directions = {
        int(str(panel.values["sign"])): normal(points) for panel, points in zip(cutout.panels, space, strict=True)
    }
    assert sorted(directions) == list(range(1, count + 1))
    for number, direction in directions.items():
        assert dot(direction, directions[count + 1 - number]) == pytest.approx(-1, abs=1e-9)
    if id == "d6":
        one, two, three = directions[1], directions[2], directions[3]
        triple = dot(one, normal([(0.0, 0.0, 0.0), two, three]))
        assert triple == pytest.approx(1, abs=1e-9), "1, 2, 3 run counter-clockwise"


@pytest.mark.parametrize("id", SOLIDS)
def test_a_panel_lies_where_its_face_lies_and_is_not_mirrored(id: str) -> None:
    cutout = made(solid=id, size=30.0)
    for panel in cutout.panels:
        m = panel.matrix
        assert m.a * m.d - m.b * m.c == pytest.approx(1)
        placed = moved(panel.shape, m)
        assert panel.outline is not None
        for x, y in placed:
            assert min(math.dist((x, y), point) for point in panel.outline) < 1e-3
        box = bounds(panel.shape)
        assert (box.x, box.y) == pytest.approx((0, 0), abs=1e-3)
        assert (box.width, box.height) == pytest.approx((panel.trim.size.width, panel.trim.size.height), abs=1e-3)


@pytest.mark.parametrize(("id", "level"), [("d6", True), ("d8", True), ("d12", True), ("d20", True), ("d10", False)])
def test_numerals_stand_on_a_side_and_those_of_a_d10_point_to_its_poles(id: str, level: bool) -> None:
    for panel in made(solid=id, size=30.0).panels:
        points = panel.shape
        lowest = max(y for _, y in points)
        standing = [x for x, y in points if lowest - y < 1e-3]
        assert len(standing) == (2 if level else 1)
        if not level:
            # The kite's sharp end is on top, both ends in the middle.
            (top,) = [x for x, y in points if y < 1e-3]
            assert (top, standing[0]) == pytest.approx([panel.trim.size.width / 2] * 2, abs=1e-3)
            widest = min(y for x, y in points if x < 1e-3)
            assert widest > panel.trim.size.height / 2


def test_equal_faces_are_of_one_trim() -> None:
    for id in SOLIDS:
        assert len({panel.trim for panel in made(solid=id, size=22.0).panels}) == 1


def test_a_d10_from_nought_sums_to_nine() -> None:
    cutout = made(solid="d10", size=24.0, first=0)
    space = folded(lay_out(unfolded("d10"), 24.0, 5.0))
    facing = [
        (int(str(panel.values["sign"])), normal(points)) for panel, points in zip(cutout.panels, space, strict=True)
    ]
    assert sorted(number for number, _ in facing) == list(range(10))
    for number, direction in facing:
        (across,) = [other for other, there in facing if dot(direction, there) < -1 + 1e-9]
        assert number + across == 9


@pytest.mark.parametrize(("id", "marked"), [("d6", set()), ("d8", set()), ("d10", {"6", "9"}), ("d20", {"6", "9"})])
def test_six_and_nine_are_told_apart_where_there_are_both(id: str, marked: set[str]) -> None:
    assert {panel.values["sign"] for panel in made(solid=id, size=30.0).panels if panel.values["underlined"]} == marked


def test_a_net_shows_a_die_of_the_game() -> None:
    cutout = made(die="white", size=20.0)
    shown = sorted((panel.label, panel.values["sign"]) for panel in cutout.panels)
    assert shown == list(zip([f"die/{n}" for n in range(1, 7)], ["blank", "1", "1", "1", "2", "2!"], strict=True))
    assert {panel.values["colour"] for panel in cutout.panels} == {"#f6f1e4"}


def test_tabs_are_numbered_in_pairs_and_all_lies_in_the_box() -> None:
    for id in SOLIDS:
        cutout = made(solid=id, size=24.0, sets=3)
        assert cutout.copies == 3
        assert [glue.name for glue in cutout.glue] == [str(n) for n in range(1, len(cutout.glue) + 1)]
        assert {note.text for note in cutout.notes} == {glue.name for glue in cutout.glue}
        assert {fold.kind for fold in cutout.folds} == {"mountain"}
        box = bounds(*cutout.cuts, *(panel.outline for panel in cutout.panels if panel.outline))
        assert box.x >= -EXACT
        assert box.y >= -EXACT
        assert box.right <= cutout.size.width + EXACT
        assert box.bottom <= cutout.size.height + EXACT


@pytest.mark.parametrize(
    ("options", "path", "words"),
    [
        ({"size": 3.0}, "size", "a d6 of 3 mm is too small to fold from paper; 6 mm or more would do"),
        (
            {"size": 9.0, "solid": "d12"},
            "size",
            "a d12 of 9 mm is too small to fold from paper; 11.2 mm or more would do",
        ),
        ({"die": "five"}, "die", "the die `five` has 5 faces and a d6 has 6: expected as many"),
        ({"die": "white", "solid": "d10"}, "die", "the die `white` has 6 faces and a d10 has 10: expected as many"),
        ({"die": "green"}, "die", "there is no die `green`; the game's dice: white, five, scatter"),
    ],
)
def test_what_cannot_be_made_is_said(options: dict[str, object], path: str, words: str) -> None:
    with pytest.raises(CannotMake, match="^" + words.replace("`", "`")) as caught:
        made(**options)
    assert caught.value.path == path


@pytest.mark.parametrize("id", SOLIDS)
def test_the_smallest_die_that_is_named_can_be_made(id: str) -> None:
    with pytest.raises(CannotMake) as caught:
        made(solid=id, size=1.0)
    least = float(str(caught.value).partition("; ")[2].split(" mm")[0])
    assert made(solid=id, size=least).panels
    with pytest.raises(CannotMake):
        made(solid=id, size=least - 0.2)


def test_dice_games_are_what_the_tests_say() -> None:
    assert isinstance(dice_game().dice["five"], Die)

"""Maps: to scale on a page, whole in full size, and the shipped ones as the rules have them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import cardgen
from cardgen.components.maps import make_map, tiles_of
from cardgen.diagnostics import Span
from cardgen.errors import CannotMake
from cardgen.geometry import EPSILON_MM, Box
from cardgen.model.component import Component, Map, Zone
from cardgen.model.cutout import Cutout
from cardgen.model.game import Game
from tests.components.drawn import boxes_of
from tests.nets.games import dice_game
from tests.support import edit, load, write_project

ROOT = Path(__file__).resolve().parents[2]
INCH = 25.4


def pages(**options: object) -> list[Cutout]:
    made = replace(Map(), **options)  # type: ignore[arg-type]
    return make_map(Component("m", "M", "map", made, "", "", Span("x.yaml", 1, 1), {}), dice_game())


@cache
def shipped(game: str) -> Game:
    return load(ROOT).games[game]


@given(st.floats(100, 2000), st.floats(100, 2000), st.floats(0, 40))
def test_tiles_cover_the_board_and_overlap_as_stated(width: float, depth: float, overlap: float) -> None:
    tiles = tiles_of(Box(0, 0, width, depth), overlap)
    boxes = [tile.box for tile in tiles]
    assert len({tile.name for tile in tiles}) == len(tiles)
    # One size; no larger than what A4 and Letter hold.
    short, long = sorted((boxes[0].width, boxes[0].height))
    assert short <= 186 + EPSILON_MM
    assert long <= 250 + EPSILON_MM
    assert all((box.width, box.height) == pytest.approx((boxes[0].width, boxes[0].height)) for box in boxes)
    assert max(box.right for box in boxes) == pytest.approx(width)
    assert max(box.bottom for box in boxes) == pytest.approx(depth)
    # What each shows by itself adds up to the board: nothing is missing, nothing is there twice.
    own = sum((tile.box.width - tile.right) * (tile.box.height - tile.below) for tile in tiles)
    assert own == pytest.approx(width * depth)


def test_a_square_table_is_nine_pages_and_an_overview() -> None:
    made = pages(form="tiled")
    assert [piece.label for piece in made] == [
        "m/overview", "m/A1", "m/A2", "m/A3", "m/B1", "m/B2", "m/B3", "m/C1", "m/C2", "m/C3",
    ]  # fmt: skip
    assert {(piece.size.width, piece.size.height) for piece in made[1:]} == {(176, 176)}
    assert [item.name for item in made[1].glue] == ["A2", "B1"]
    assert not made[9].glue


def test_a_page_takes_the_largest_round_scale() -> None:
    (square,), (long,) = pages(), pages(width=1016.0)
    assert square.panels[0].values["scale"] == 3
    assert long.panels[0].values["scale"] == 5
    assert long.panels[0].values["turned"] is True


@given(st.floats(100, 3000), st.floats(100, 3000))
def test_the_board_lies_on_the_page_and_keeps_its_shape(width: float, depth: float) -> None:
    (page,) = pages(width=width, depth=depth)
    values = page.panels[0].values
    board, scale = values["board"], values["scale"]
    assert isinstance(board, dict)
    assert isinstance(scale, int | float)
    sides = (width, depth) if not values["turned"] else (depth, width)
    assert (board["width"] * scale, board["height"] * scale) == pytest.approx(sides, abs=0.01)
    assert Box(0, 0, 186, 250).contains(Box(board["x"], board["y"], board["width"], board["height"]))


@pytest.mark.parametrize(
    ("options", "words", "path"),
    [
        ({"zones": (Zone("z", "Z", 400, 0, 200, 10),)}, "expected it on the board of 508 x 508 mm", "zones.z"),
        ({"form": "tiled", "width": 60.0, "depth": 60.0, "overlap": 50.0}, "30 mm would do", "overlap"),
    ],
)
def test_what_cannot_be_drawn_is_told(options: dict[str, object], words: str, path: str) -> None:
    with pytest.raises(CannotMake, match=words) as refused:
        pages(**options)
    assert refused.value.path == path


@pytest.mark.parametrize(
    ("id", "width"), [("map-20x20", 20), ("map-40x20", 40), ("map-20x20-full", 20), ("map-40x20-full", 40)]
)
def test_the_shipped_tables_are_set_up_by_the_rules(id: str, width: int) -> None:
    options = shipped("twd").components[id].options
    assert isinstance(options, Map)
    assert (options.width, options.depth) == pytest.approx((width * INCH, 20 * INCH))
    zones = {zone.id: zone for zone in options.zones}
    walkers, kill = zones["walkers"], zones["kill-zone"]
    # Five inches from both deployment edges; the whole width of the table.
    assert walkers.y == pytest.approx(5 * INCH)
    assert options.depth - walkers.y - walkers.height == pytest.approx(5 * INCH)
    assert (walkers.x, walkers.width) == pytest.approx((0, width * INCH))
    assert kill.round
    assert (kill.width, kill.height) == (120, 120)
    middle = (kill.x + 60, kill.y + 60)
    assert middle == pytest.approx((options.width / 2, options.depth / 2))


@pytest.mark.parametrize(
    ("id", "size"),
    [("map-village", (600, 500)), ("map-citadel", (600, 600)), ("map-city", (600, 750)), ("map-capital", (750, 750))],
)
def test_the_arenas_have_the_sizes_of_their_levels(id: str, size: tuple[float, float]) -> None:
    options = shipped("arena").components[id].options
    assert isinstance(options, Map)
    assert (options.width, options.depth) == size


def test_a_zone_is_drawn_to_scale_on_the_page_and_in_full_size(tmp_path: Path) -> None:
    prints = 'prints:\n  map: {title: Map, version: "1", components: [page, full]}\n'
    game = edit("cards/g/game.yaml", 'prints:\n  items: {title: Items, version: "1", kinds: [item]}\n', prints)
    zone = "zones: {z: {title: Zone, x: 194mm, y: 194mm, width: 120mm, height: 120mm, round: yes}}"
    text = f"page: {{make: map, title: Page, {zone}}}\nfull: {{make: map, title: Full, form: tiled, {zone}}}\n"
    _, report = cardgen.build(write_project(tmp_path, {**game, "cards/g/components/m.yaml": text}), tmp_path / "out")
    assert not report.items, [item.message for item in report]
    pdf = tmp_path / "out" / "g" / "en" / "map.pdf"

    with pikepdf.open(pdf) as document:
        count = len(document.pages)
    assert count == 11
    boxes = [box for page in range(count) for box in boxes_of(pdf, page)]
    circles = [box.width for box in boxes if abs(box.width - box.height) < 0.01 and box.width > 30]
    assert any(width == pytest.approx(120, abs=0.02) for width in circles)
    assert any(width == pytest.approx(40, abs=0.02) for width in circles)

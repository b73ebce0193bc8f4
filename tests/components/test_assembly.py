"""The assembly page: its pictures are the pieces' own geometry, its steps what the pieces need."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from cardgen.components.assembly import PAGE, make_assembly
from cardgen.components.finished import finished
from cardgen.components.makers import MAKERS
from cardgen.components.pictures import fitting, path, picture
from cardgen.components.trims import derived_trim
from cardgen.diagnostics import Report, Span
from cardgen.errors import CannotMake
from cardgen.geometry import Box, Polygon, Size, box_points
from cardgen.load.project import load_project
from cardgen.model.component import Assembly, Component, Net
from cardgen.model.cutout import Cutout, Fold, Glue, Note, Panel
from cardgen.model.game import Game
from cardgen.model.project import Project
from cardgen.model.sheet import SheetWords

SHIPPED = ("twd", "arena", "zombies", "zcorps")
OUTLINE: Polygon = ((0, 0), (60, 0), (60, 30), (50, 40), (10, 40), (0, 30))
TAB: Polygon = ((0, 30), (60, 30), (50, 40), (10, 40))


@pytest.fixture(scope="module")
def project(root: Path) -> Project:
    found = load_project(root, Report())
    assert found is not None
    return found


def piece(**changes: Any) -> Cutout:
    trim = derived_trim(60, 30)
    panel = Panel("piece", "game/face", trim, {})
    plain = Cutout(
        "piece", "A piece", Size(60, 40), (panel,), (OUTLINE,), folds=(Fold(((0, 30), (60, 30))),),
        glue=(Glue(TAB, "1", "1"),), notes=(Note(3, 5, "1"), Note(30, 39, "a piece")),
    )  # fmt: skip
    return structs.replace(plain, **changes)


def points(d: str) -> list[tuple[float, float]]:
    numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", d)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def page_of(game: Game, *names: str) -> list[dict[str, Any]]:
    """The blocks of the assembly page of the game's components with these names."""
    component = Component("page", "Page", "assembly", Assembly(names), "", "", Span("c.yaml", 1, 1), {})
    panels: list[Any] = [cutout.panels[0].values for cutout in make_assembly(component, game)]
    return [block for values in panels for block in values["blocks"]]


# Pictures


@given(st.floats(0.1, 1.0))
def test_a_picture_is_the_outline_made_smaller(scale: float) -> None:
    made = picture(piece(), scale)
    assert (made["width"], made["height"]) == (pytest.approx(60 * scale, abs=0.01), pytest.approx(40 * scale, abs=0.01))
    for drawn, own in ((made["cuts"], OUTLINE), (made["glue"], TAB), (made["mountain"], ((0, 30), (60, 30)))):
        for (x, y), (own_x, own_y) in zip(points(drawn), own, strict=True):
            assert (x, y) == (pytest.approx(own_x * scale, abs=0.002), pytest.approx(own_y * scale, abs=0.002))
    assert made["straight"] == "" and made["valley"] == "" and len(made["faces"]) == 1


def test_what_reaches_beyond_the_size_is_in_the_picture() -> None:
    made = picture(piece(size=Size(40, 20)), 1.0)
    assert made["width"] == 60 and made["height"] == 40


def test_numbers_are_those_beside_the_tabs_else_those_on_them() -> None:
    assert [number["text"] for number in picture(piece(), 1.0)["numbers"]] == ["1"]
    tabs = picture(piece(notes=()), 0.5)["numbers"]
    assert tabs == [{"text": "1", "x": 15.0, "y": 17.5}]


def test_a_straight_piece_shows_its_box() -> None:
    made = picture(piece(cuts=(), folds=(), glue=()), 1.0)
    assert points(made["straight"]) == list(box_points(Box(0, 0, 60, 40))) and made["cuts"] == ""


def test_paths_are_closed_areas_or_open_lines() -> None:
    assert path(((0, 0), (1, 0.5))) == "M0 0 L1 0.5 Z"
    assert path(((0, 0), (1, 0.5)), False) == "M0 0 L1 0.5"
    assert path(()) == ""


@given(st.lists(st.tuples(st.floats(5, 300), st.floats(5, 300)), min_size=1, max_size=4))
def test_pictures_beside_each_other_fit_the_room(sizes: list[tuple[float, float]]) -> None:
    scale = fitting([Size(*size) for size in sizes], Size(100, 40), 5)
    assert 0 < scale <= 1
    assert sum(width for width, _ in sizes) * scale + 5 * (len(sizes) - 1) <= 100 + 1e-6
    assert max(height for _, height in sizes) * scale <= 40 + 1e-6


@pytest.mark.parametrize(("solid", "visible"), [("d6", 3), ("d8", 4), ("d10", 5), ("d12", 6), ("d20", 10)])
def test_half_of_a_die_is_seen(solid: Any, visible: int) -> None:
    die = Component("die", "Die", "net", Net(solid, size=30.0), "", "", Span("c.yaml", 1, 1), {})
    made = finished(die, [], Size(30, 30))
    assert made is not None and len(made["faces"]) == visible
    assert max(made["width"], made["height"]) == pytest.approx(30, abs=0.01)
    for face in made["faces"]:
        assert 0 <= face["light"] <= 1
        assert all(
            -0.01 <= x <= made["width"] + 0.01 and -0.01 <= y <= made["height"] + 0.01 for x, y in points(face["path"])
        )


# Blocks and steps


def test_pieces_that_are_made_alike_have_one_block(project: Project) -> None:
    twd = project.games["twd"]
    (die,) = page_of(twd, "die-red", "die-white", "die-d6")
    assert die["titles"] == [twd.components[id].title for id in ("die-red", "die-white", "die-d6")]
    assert len(page_of(twd, "die-red", "die-d10", "die-d20")) == 3


def test_many_pieces_of_a_kind_are_not_all_named(project: Project) -> None:
    dice = ("die-red", "die-orange", "die-white", "die-blue", "die-black")
    (block,) = page_of(project.games["twd"], *dice)
    assert len(block["titles"]) == 5 and block["titles"][-1] == "…"


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("die-red", ["score", "cut_outline", "fold_mountain", "glue_numbers"]),
        ("dice-stickers", ["label_paper", "cut_straight", "stick"]),
        ("supply-counters", ["both_sides", "cut_outline"]),
        ("turn-counters", ["cut_straight"]),
        ("wreck-sedan", ["score", "cut_outline", "fold_mountain", "fold_valley", "glue_numbers"]),
        (
            "survivor-pawns",
            ["score", "cut_outline", "fold_mountain", "fold_valley", "glue_halves", "feet_on_base"],
        ),
        ("kill-zone-outline", ["cut_straight", "trace"]),
        ("long-ruler", ["both_sides", "cut_straight", "join_letters"]),
    ],
)
def test_steps_are_told_in_the_order_of_doing_them(project: Project, name: str, steps: list[str]) -> None:
    (block,) = page_of(project.games["twd"], name)
    assert block["steps"] == steps


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_pages_explain_every_fold_and_stay_on_the_paper(project: Project, name: str) -> None:
    game = project.games[name]
    pages = [item for item in game.components.values() if isinstance(item.options, Assembly)]
    known = {part.name for part in structs.fields(SheetWords)}
    told: list[str] = []
    for cutout in (cutout for page in pages for cutout in make_assembly(page, game)):
        assert cutout.size == PAGE == Size(186, 250)
        values: Any = cutout.panels[0].values
        boxes: list[Box] = []
        for block in values["blocks"]:
            told += block["titles"]
            assert set(block["steps"]) <= known
            box = Box(block["x"], block["y"], block["width"], block["height"])
            assert box.right <= PAGE.width - 3.9 and box.bottom <= PAGE.height - 6.9
            assert not any(box.overlaps(other) for other in boxes)
            boxes.append(box)
            for one in block["pictures"]:
                assert one["x"] + one["width"] <= block["steps_x"] and one["y"] + one["height"] <= block["height"]
    for item in game.components.values():
        if item.make in {"table", "assembly", "odds", "rulings"} or not any(
            cutout.folds for cutout in MAKERS[item.make](item, game)
        ):
            continue
        assert item.title in told or "…" in told


def test_words_are_there_in_every_shipped_language(project: Project) -> None:
    english = project.words["en"]
    for lang in ("es", "ru"):
        words = project.words[lang]
        same = [
            part.name
            for part in structs.fields(words)
            if " " in getattr(words, part.name) and getattr(words, part.name) == getattr(english, part.name)
        ]
        assert same == []


@pytest.mark.parametrize(("name", "says"), [("turn-card", "is a table"), ("assembly", "is an assembly page")])
def test_what_is_not_assembled_is_told(project: Project, name: str, says: str) -> None:
    with pytest.raises(CannotMake, match=says) as caught:
        page_of(project.games["twd"], "die-red", name)
    assert caught.value.path == "of.1"


def test_a_game_with_nothing_to_put_together_has_no_page(project: Project) -> None:
    twd = project.games["twd"]
    tables = {id: item for id, item in twd.components.items() if item.make in {"table", "assembly"}}
    with pytest.raises(CannotMake, match="nothing that is folded"):
        page_of(structs.replace(twd, components=tables))


def test_a_component_that_makes_nothing_has_no_block(project: Project) -> None:
    game = project.games["twd"]
    nobody = structs.replace(game, cards={id: card for id, card in game.cards.items() if card.kind != "survivor"})
    cutouts = make_assembly(nobody.components["kit-assembly"], nobody)
    assert cutouts and "Survivor pawns" not in str([panel.values for cutout in cutouts for panel in cutout.panels])

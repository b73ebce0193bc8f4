"""Pawns: what is folded meets, what is glued covers its base, what goes into a slit fits it; letters, pictures, errors."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import structs

from cardgen.components.makers import MAKERS
from cardgen.components.pawns import BORDER, PAPER, letters, make_pawns
from cardgen.diagnostics import Report, Span
from cardgen.errors import CannotMake
from cardgen.faces.assets import Assets
from cardgen.faces.engines import Job, render
from cardgen.faces.make import FaceMaker
from cardgen.geometry import Matrix, Polygon, area, bounds, moved
from cardgen.load.project import load_project
from cardgen.model.card import Card, Deck
from cardgen.model.component import Component, Pawns, scaled
from cardgen.model.cutout import Cutout, Panel
from cardgen.model.face import Face
from cardgen.model.game import Game
from cardgen.model.project import Project

PLACE = Span("cards/g/components/pawns.yaml", 1, 1)
FOOT_OF_FOLD = [(fold, foot) for fold in ("head", "feet") for foot in ("slot", "folded", "tab")]
FOOT_OF_FOLD.remove(("feet", "tab"))
BASES = ("none", "round", "square", "oblong")
WAYS = [(fold, foot, base) for fold, foot in FOOT_OF_FOLD for base in BASES]


def card(id: str = "ada", copies: int = 1, **values: Any) -> Card:
    return Card(id, "hero", {"name": id.title(), "pawn": f"{id}.svg", **values}, copies, PLACE, {})


def game(*cards: Card, decks: dict[str, Deck] | None = None) -> Game:
    known = {each.id: each for each in cards or (card(),)}
    return Game("g", "G", "", "1", "en", ("en",), "", "", {}, {}, {}, {}, {}, {}, {}, known, decks or {}, {}, "en")


def component(**options: Any) -> Component:
    options.setdefault("kinds", ("hero",))
    return Component("p", "P", "pawns", Pawns(**options), "", "", PLACE, {})


def pawns(**options: Any) -> list[Cutout]:
    return make_pawns(component(**options), game())


def sides(cutout: Cutout) -> tuple[Panel, Panel]:
    front, behind = (panel for panel in cutout.panels if panel.layout == "_base/pawn")
    return front, behind


def flat(cutout: Cutout) -> list[Panel]:
    return [panel for panel in cutout.panels if panel.layout == "_base/pawn-base"]


def close(one: Polygon, other: Polygon) -> bool:
    return len(one) == len(other) and all(math.dist(a, b) < 1e-6 for a, b in zip(one, other, strict=True))


def on_edge(point: tuple[float, float], polygon: Polygon) -> bool:
    """Whether a point lies on the outline of a polygon."""
    for a, b in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if math.dist(a, point) + math.dist(point, b) < math.dist(a, b) + 1e-6:
            return True
    return False


def crosses(polygon: Polygon) -> bool:
    """Whether two sides of a polygon that are no neighbours cut each other."""

    def left(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    edges = list(zip(polygon, (*polygon[1:], polygon[0]), strict=True))
    return any(
        left(*one, other[0]) * left(*one, other[1]) < -1e-9 and left(*other, one[0]) * left(*other, one[1]) < -1e-9
        for at, one in enumerate(edges)
        for other in edges[at + 2 :]
    )


@pytest.mark.parametrize(("fold", "foot", "base"), WAYS)
@given(
    width=st.floats(8, 70),
    height=st.floats(10, 75),
    size=st.floats(10, 40),
    factor=st.sampled_from([0.5, 0.75, 1, 1.2]),
)
def test_a_strip_folds_onto_itself(
    fold: str, foot: str, base: str, width: float, height: float, size: float, factor: float
) -> None:
    wish = component(fold=fold, foot=foot, base=base, width=width, height=height, base_size=size)
    options = scaled(wish.options, factor)
    try:
        pawn = make_pawns(structs.replace(wish, options=options), game())[0]
    except CannotMake:
        assume(False)
        raise
    (outline,) = pawn.cuts
    assert not crosses(outline)
    around = bounds(outline)
    assert (around.x, around.y) == pytest.approx((0, 0), abs=1e-6)
    assert (around.width, around.height) == pytest.approx((pawn.size.width, pawn.size.height))
    # Folded along its middle, the outline lies on itself, and the front behind the back, seen through the paper.
    middle = pawn.size.height / 2
    over = Matrix(1, 0, 0, -1, 0, 2 * middle)
    assert all(on_edge(point, outline) for point in moved(outline, over))
    front, behind = sides(pawn)
    through = Matrix(-1, 0, 0, 1, options.width, 0)
    for x, y in ((0.0, 0.0), (options.width, 0.0), (1.0, options.height)):
        assert through.then(behind.matrix).then(over).apply(x, y) == pytest.approx(front.matrix.apply(x, y), abs=1e-6)
    # Every fold ends at the outline, and lies where the other half has one too.
    lines = [fold.line for fold in pawn.folds]
    for line in lines:
        assert all(on_edge(point, outline) for point in line)
        assert any(close(moved(line, over), other) for other in lines)
    # No face paints outside of what is cut out, nor on another.
    assert sum(abs(area(panel.outline or ())) for panel in pawn.panels) <= abs(area(outline)) + 1e-6
    for panel in pawn.panels:
        box = bounds(panel.outline or ())
        assert around.grown(1e-6).contains(box)
        assert close(panel.outline or (), moved(panel.shape, panel.matrix))


@pytest.mark.parametrize(("fold", "foot", "base"), WAYS)
def test_sizes(fold: str, foot: str, base: str) -> None:
    made = pawns(fold=fold, foot=foot, base=base, width=25, height=42)
    front, _ = sides(made[0])
    assert (front.trim.size.width, front.trim.size.height) == (25, 42)
    frame = bounds(front.values["frame"])  # type: ignore[arg-type]
    assert (frame.x, frame.y, frame.right, frame.bottom) == pytest.approx((BORDER, BORDER, 25 - BORDER, 42 - BORDER))
    assert len(made) == (1 if base == "none" else 2)
    if base != "none":
        assert (made[1].size.width, made[1].size.height) == (40 if base == "oblong" else 25, 25)
        assert made[1].group == made[0].group
    if foot == "slot":
        # Half an inch below the feet.
        assert made[0].size.height == pytest.approx(2 * (42 + 12.7))


def test_heads_and_feet_are_where_the_fold_says() -> None:
    front, behind = sides(pawns(fold="head")[0])
    assert front.matrix.apply(12.5, 0) == pytest.approx(behind.matrix.apply(12.5, 0))
    front, behind = sides(pawns(fold="feet")[0])
    assert front.matrix.apply(12.5, 42)[1] == pytest.approx(42)
    assert behind.matrix.apply(12.5, 42)[1] == pytest.approx(42 + 2 * 12.7)


@pytest.mark.parametrize(("base", "whole"), [("round", math.pi * 12.5**2), ("square", 625.0), ("oblong", 1000.0)])
def test_a_foot_folded_outwards_covers_its_base(base: str, whole: float) -> None:
    pawn, plate = pawns(foot="folded", base=base)
    assert sum(abs(area(panel.outline or ())) for panel in flat(pawn)) == pytest.approx(whole, rel=0.001)
    assert abs(area(plate.cuts[0])) == pytest.approx(whole, rel=0.001)
    assert plate.panels == () and plate.glue[0].area == plate.cuts[0]
    # The halves of a foot are folded towards the viewer and away: there the print lies inside.
    assert [fold.kind for fold in pawn.folds] == ["mountain", "valley", "valley"]


@pytest.mark.parametrize(("base", "wide", "deep"), [("round", 15, 20), ("square", 25, 25), ("oblong", 40, 25)])
def test_feet_joined_stand_on_a_plate_below_two_flaps(base: str, wide: float, deep: float) -> None:
    pawn, plate = pawns(fold="feet", foot="folded", base=base)
    flaps = [bounds(panel.outline or ()) for panel in flat(pawn)]
    assert [(flap.width, flap.height) for flap in flaps] == [pytest.approx((wide, deep / 2))] * 2
    # Between the flaps is the plate, as deep as both.
    first, second = sorted(flaps, key=lambda flap: flap.y)
    assert second.y - first.bottom == pytest.approx(deep)
    corners = plate.glue[0].area
    if base == "round":
        assert [math.dist(corner, (12.5, 12.5)) for corner in corners] == pytest.approx([12.5] * 4)
    assert sum(area(glue.area) for glue in pawn.glue) == pytest.approx(area(bounds_of(corners)))


def bounds_of(polygon: Polygon) -> Polygon:
    box = bounds(polygon)
    return (box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom)


@pytest.mark.parametrize("foot", ["slot", "tab"])
@pytest.mark.parametrize("base", ["round", "square", "oblong"])
@given(width=st.floats(8, 60), size=st.floats(10, 40))
def test_what_goes_through_a_base_fits_its_slit(foot: str, base: str, width: float, size: float) -> None:
    pawn, plate = pawns(foot=foot, base=base, base_size=size, width=width)
    ((start, end),) = plate.slits
    outline = pawn.cuts[0]
    widest = pawn.size.height - 2.0
    tab = [x for x, y in outline if y > widest - 5 and abs(x - pawn.size.width / 2) < (end[0] - start[0]) / 2]
    assert tab and max(tab) - min(tab) < end[0] - start[0] < max(tab) - min(tab) + 1
    # Paper is left at both ends of the slit.
    edge = bounds(plate.cuts[0])
    assert start[0] - edge.x > 0.08 * size and edge.right - end[0] > 0.08 * size


def test_bases_give_a_pawn_its_size_where_none_is_stated() -> None:
    def side(**options: Any) -> tuple[float, float]:
        trim = sides(pawns(**options)[0])[0].trim
        return trim.size.width, trim.size.height

    assert side() == (25, 42)
    assert side(base="square", base_size=20) == (25, 42)
    assert side(base="round", base_size=40) == (40, 57)
    assert side(base="oblong", base_size=25) == (40, 42)
    assert side(base="round", base_size=40, width=25) == (25, 42)
    assert side(base="round", base_size=40, height=50) == (40, 50)


def test_bases_of_the_cards_own() -> None:
    cards = game(card("elf", mm=20), card("ogre", mm=40.0))
    made = make_pawns(component(base="square", base_from="mm", foot="folded"), cards)
    plates = {plate.label: plate.size.width for plate in made if plate.label.endswith("/base")}
    assert plates == {"p/elf/base": 20, "p/ogre/base": 40}
    options = scaled(Pawns(kinds=("hero",), base="square", base_from="mm", foot="folded"), 0.5)
    made = make_pawns(structs.replace(component(), options=options), cards)
    assert [plate.size.width for plate in made if plate.label.endswith("/base")] == [10, 20]
    for value in (None, 0, "small", True):
        with pytest.raises(CannotMake, match=r"card `elf` has .* in `mm`; expected the size of its base") as caught:
            make_pawns(component(base="square", base_from="mm"), game(card("elf", mm=value)))
        assert caught.value.path == "base_from"


def test_letters() -> None:
    names = [letters(at) for at in range(26 * 27)]
    assert (names[0], names[25], names[26], names[27], names[-1]) == ("A", "Z", "AA", "AB", "ZZ")
    assert len(set(names)) == len(names)


def test_copies_are_lettered_and_take_pictures_in_turn() -> None:
    walker = card("walker", copies=3, pawn=["one.svg", "two.svg"])
    made = make_pawns(component(), game(card(), walker))
    assert [pawn.label for pawn in made] == ["p/ada", "p/walker-a", "p/walker-b", "p/walker-c"]
    assert [pawn.title for pawn in made] == ["Ada", "Walker A", "Walker B", "Walker C"]
    told = [(sides(pawn)[0].values["letter"], sides(pawn)[0].values["art"]) for pawn in made]
    assert told == [("", "ada.svg"), ("A", "one.svg"), ("B", "two.svg"), ("C", "one.svg")]


def test_which_cards() -> None:
    cards = game(card(), card("bo", 2), decks={"few": Deck("few", "Few", {"bo": 3}, PLACE)})

    def made(**options: Any) -> list[str]:
        return [pawn.label for pawn in make_pawns(component(**options), cards)]

    assert made() == ["p/ada", "p/bo-a", "p/bo-b"]
    assert made(each=1) == ["p/ada", "p/bo"]
    assert made(kinds=(), deck="few") == ["p/bo-a", "p/bo-b", "p/bo-c"]
    assert made(kinds=(), deck="few", each=1) == ["p/bo"]
    assert made(only={"ada": 2}) == ["p/ada-a", "p/ada-b"]
    assert made(only={}) == []
    with pytest.raises(CannotMake, match="expected `kinds` or a `deck`"):
        made(kinds=())


def test_a_back_is_the_front_mirrored_unless_it_is_given() -> None:
    def behind(part: Component, *cards: Card) -> dict[str, object]:
        panel = sides(make_pawns(part, game(*cards))[0])[1]
        return dict(panel.values)

    assert behind(component())["mirrored"] is True
    given_back = behind(component(), card(pawn_back="ada-back.svg"))
    assert (given_back["mirrored"], given_back["art"]) == (False, "ada-back.svg")
    part = structs.replace(component(), layout="g/pawn", back="g/behind")
    panels = make_pawns(part, game())[0].panels
    assert [panel.layout for panel in panels] == ["g/pawn", "g/behind"]
    assert [panel.values["mirrored"] for panel in panels] == [False, False]
    # Both are printed on the same side of the paper.
    assert {panel.side for panel in panels} == {"front"}


def test_a_card_without_a_picture_or_a_name() -> None:
    bare = Card("bare", "hero", {}, 1, PLACE, {})
    front, _ = sides(make_pawns(component(), game(bare))[0])
    assert (front.values["art"], front.values["name"]) == ("", "bare")


@pytest.mark.parametrize(
    ("options", "path", "says"),
    [
        ({"width": 300, "height": 42}, "width", "a pawn 300 mm wide and 42 mm tall unfolds to 300 x 109.4 mm"),
        ({"width": 300}, "width", "250 mm wide at most"),
        ({"height": 200}, "height", "112 mm tall at most"),
        ({"base": "square", "base_size": 80, "foot": "folded", "fold": "feet"}, "fold", "45 mm tall at most"),
        ({"base": "oblong", "base_size": 80, "foot": "folded", "height": 150}, "height", "85 mm tall at most"),
        ({"fold": "feet", "foot": "tab"}, "foot", "state `fold: head`, or `foot: folded`"),
    ],
)
def test_what_cannot_be_made(options: dict[str, Any], path: str, says: str) -> None:
    with pytest.raises(CannotMake) as caught:
        pawns(**options)
    assert says in str(caught.value)
    assert caught.value.path == path


@given(st.floats(8, 400), st.floats(10, 400), st.sampled_from(WAYS), st.floats(10, 80))
def test_whatever_is_made_fits_the_paper(width: float, height: float, way: tuple[str, str, str], size: float) -> None:
    fold, foot, base = way
    try:
        made = pawns(fold=fold, foot=foot, base=base, width=width, height=height, base_size=size)
    except CannotMake as error:
        assert error.path in ("width", "height", "base_size", "fold")
        return
    for cutout in made:
        small, large = sorted((cutout.size.width, cutout.size.height))
        assert small <= PAPER.width and large <= PAPER.height


# What the shipped sets have


@pytest.fixture(scope="module")
def project(root: Path) -> Project:
    project = load_project(root, Report())
    assert project is not None
    return project


def parts(game: Game) -> list[Component]:
    return [part for part in game.components.values() if part.make == "pawns"]


def test_every_shipped_pawn_has_a_picture_of_its_own(project: Project) -> None:
    for each in project.games.values():
        made = [cutout for part in parts(each) for cutout in MAKERS["pawns"](part, each)]
        fronts = [sides(cutout)[0] for cutout in made if not cutout.label.endswith("/base")]
        assert fronts, each.id
        shown: dict[str, set[str]] = {}
        for front in fronts:
            art = str(front.values["art"])
            assert project.shelf.find(f"cards/{each.id}/art/{art}") is not None, front.label
            shown.setdefault(art, set()).add(front.values["card"]["id"])  # type: ignore[index]
        assert all(len(cards) == 1 for cards in shown.values()), shown


@pytest.mark.parametrize("leave_out", [(), ("backgrounds", "fills")])
@pytest.mark.parametrize("foot", ["folded", "tab"])
def test_faces_are_drawn_and_their_names_fit(project: Project, leave_out: tuple[str, ...], foot: str) -> None:
    report = Report()
    maker = FaceMaker(project, report)
    groups: dict[tuple[str, str], dict[str, Face]] = {}
    for each in project.games.values():
        for part in parts(each):
            part = structs.replace(part, options=structs.replace(part.options, foot=foot))  # type: ignore[type-var]
            for cutout in MAKERS["pawns"](part, each):
                for panel in cutout.panels:
                    face = maker.make_panel(panel, part, each, leave_out)  # type: ignore[arg-type]
                    assert face is not None, panel.label
                    groups.setdefault((face.layout, face.trim.id), {})[face.key] = face
    assert [item.message for item in report] == []
    for faces in groups.values():
        found = render(Job(tuple(faces.values()), Assets(project.shelf), project.fonts))
        assert (found.failures, found.complaints, found.undrawn, found.strays) == ((), (), (), ())
        assert [fit for fit in found.fits if fit.overflow > 0.05] == []


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Ada", ["Ada"]),
        ("Corporal Lindqvist", ["Corporal", "Lindqvist"]),
        ("Maximiliane-Josephine von Hohenzollern-X", ["Maximiliane-Josephine", "von Hohenzollern-X"]),
        ("Rindfleischetikettierungsüberwachung", ["Rindfleischetikettierungsüberwachung"]),
        ("a b c d e f g h i j k l m n o p q r s", ["a b c d e f g", "h i j k l m n", "o p q r s"]),
    ],
)
def test_a_long_name_on_a_base_breaks_between_words_and_never_leaves_it(name: str, lines: list[str]) -> None:
    made = make_pawns(component(foot="folded", base="round"), game(card(name=name)))
    (plate,) = (cutout for cutout in made if cutout.notes)
    assert " ".join(note.text for note in plate.notes) == name, "nothing is lost"
    assert [note.text for note in plate.notes] == lines
    assert all(0 < note.room < plate.size.width for note in plate.notes), "a writer draws it smaller where it is longer"
    middle = sum(note.y for note in plate.notes) / len(plate.notes)
    assert math.isclose(middle, plate.size.height / 2)
    heights = [note.y for note in plate.notes]
    assert heights == sorted(set(heights))

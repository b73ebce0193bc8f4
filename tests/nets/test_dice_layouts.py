"""The faces of dice as they are drawn: the shipped layouts with the shipped dice."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.components.makers import MAKERS
from cardgen.diagnostics import Report, Span
from cardgen.faces.assets import Assets
from cardgen.faces.engines import Job, render
from cardgen.faces.make import FaceMaker
from cardgen.load.project import load_project
from cardgen.model.component import Component, Net, Stickers
from cardgen.model.face import Face
from cardgen.model.game import Die, Game
from cardgen.model.project import Project
from tests.nets.games import SCATTER, WHITE, dice_game


@pytest.fixture(scope="module")
def project(root: Path) -> Project:
    project = load_project(root, Report())
    assert project is not None
    return project


def components(game: Game) -> list[Component]:
    return [component for component in game.components.values() if component.make in ("net", "stickers")]


def drawn(project: Project, game: Game, parts: list[Component], leave_out: tuple[str, ...] = ()) -> list[Face]:
    """The faces of components, after drawing them and finding nothing to complain about."""
    report = Report()
    maker = FaceMaker(project, report)
    groups: dict[tuple[str, str], dict[str, Face]] = {}
    for part in parts:
        for cutout in MAKERS[part.make](part, game):
            for panel in cutout.panels:
                face = maker.make_panel(panel, part, game, leave_out)  # type: ignore[arg-type]
                assert face is not None
                groups.setdefault((face.layout, face.trim.id), {})[face.key] = face
    assert [item.message for item in report] == []
    for faces in groups.values():
        found = render(Job(tuple(faces.values()), Assets(project.shelf), project.fonts))
        assert (found.failures, found.complaints, found.undrawn, found.strays) == ((), (), (), ())
        assert [fit for fit in found.fits if fit.overflow > 0.05] == []
    return [face for faces in groups.values() for face in faces.values()]


def test_every_shipped_game_has_its_dice(project: Project) -> None:
    for game in project.games.values():
        shown: set[str] = set()
        for part in components(game):
            for cutout in MAKERS[part.make](part, game):
                shown |= {str(panel.values["die"]) for panel in cutout.panels}
        assert shown - {""} == set(game.dice), game.id


def test_faces_of_shipped_dice_are_drawn(project: Project) -> None:
    for game in project.games.values():
        assert drawn(project, game, components(game))


def test_low_ink_has_dark_signs_on_paper(project: Project) -> None:
    game = project.games["zombies"]
    for face in drawn(project, game, components(game), ("backgrounds", "fills")):
        assert "#f6f1e4" not in face.html.replace("background-color: #f6f1e4", "")


def test_words_headshots_and_many_successes_are_drawn(project: Project) -> None:
    rich = Die("rich", "Rich", "R", "#1f4e82", "#f6f1e4", "", ("0", "4!!!!", "3!!!", "2!!", "1!", "9"))
    game = dice_game(WHITE, SCATTER, rich)
    parts: list[tuple[str, Stickers | Net]] = [
        ("stickers", Stickers(("white", "scatter", "rich"))),
        ("stickers", Stickers(("scatter",), size=9.0)),
        ("net", Net("d6", "scatter", 15.0)),
    ]
    here = Span("dice.yaml", 1, 1)
    assert drawn(project, game, [Component("s", "S", make, options, "", "", here, {}) for make, options in parts])


def test_equal_faces_are_one_picture(project: Project) -> None:
    game = dice_game()
    here = Span("dice.yaml", 1, 1)
    for options in (Net("d6", "white", 20.0), Net("d6", "white", 17.3)):
        assert len(drawn(project, game, [Component("s", "S", "net", options, "", "", here, {})])) == 4

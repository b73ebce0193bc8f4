"""Keys of faces: equal keys are one picture, so they must be equal exactly where the picture is."""

from __future__ import annotations

from pathlib import Path

from msgspec import structs

from cardgen.diagnostics import Report
from cardgen.faces.make import FaceMaker
from cardgen.i18n.translate import translate
from tests.support import load, write_project

SILENT = '<div class="ground"></div><img src="{{ icon_url("blank") }}" alt="{{ labels.points }}">'


def keys(root: Path, layout: str | None) -> tuple[str, str]:
    """The key of one card's front in the source and in a translation that changes nothing on it."""
    project = load(write_project(root, {} if layout is None else {"layouts/g/item.html.j2": layout}))
    game = project.games["g"]
    maker = FaceMaker(project, Report())
    made = [
        maker.make(game.cards["rope"], each, "front")
        for each in (game, structs.replace(translate(game, "es", {}), lang="es"))
    ]
    assert made[0] is not None and made[1] is not None
    return made[0].key, made[1].key


def test_what_says_something_has_a_picture_for_every_language(tmp_path: Path) -> None:
    source, translation = keys(tmp_path, None)
    assert source != translation


def test_what_says_nothing_has_one_picture_for_all(tmp_path: Path) -> None:
    source, translation = keys(tmp_path, '{% set css = ["g/item.css"] %}\n' + SILENT)
    assert source == translation

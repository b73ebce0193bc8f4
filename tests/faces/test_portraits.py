"""Whoever has no picture gets the plain silhouette of the pawns, on every face that frames a portrait."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from cardgen.components.makers import MAKERS
from cardgen.diagnostics import Report
from cardgen.faces.make import FaceMaker
from cardgen.load.project import load_project

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("pictured", [True, False])
def test_a_character_without_a_picture_has_a_silhouette_on_card_and_sheet(pictured: bool) -> None:
    report = Report()
    project = load_project(ROOT, report)
    assert project is not None
    game = project.games["zcorps"]
    card = next(card for card in game.cards.values() if card.kind == "person")
    if not pictured:
        card = structs.replace(card, values={**card.values, "pawn": None})
        game = structs.replace(game, cards={**game.cards, card.id: card})
    maker = FaceMaker(project, report)
    front = maker.make(card, game, "front")
    assert front is not None
    faces = [front.html]
    for part in game.components.values():
        for cutout in MAKERS["sheets"](part, game) if part.make == "sheets" else ():
            for panel in cutout.panels:
                if cutout.label.endswith(card.id):
                    sheet = maker.make_panel(panel, part, game)
                    assert sheet is not None
                    faces.append(sheet.html)
    assert len(faces) == 2 and not report.has_errors()
    for html in faces:
        frame = html.split('class="frame"')[1].split("</div><")[1].split("\n")[0]
        assert ('class="figure"' in frame, 'class="nobody"' in frame) == (pictured, not pictured)
        assert pictured or "/pawn" in frame

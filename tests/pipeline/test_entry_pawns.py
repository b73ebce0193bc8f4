"""Pawns of a band's entries in a kit: their own names and photographs on the bases of their types."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs
from PIL import Image

from cardgen.components.pawns import make_pawns
from cardgen.diagnostics import Report, Span
from cardgen.faces.assets import Assets
from cardgen.faces.engines import Job, render
from cardgen.faces.make import FaceMaker
from cardgen.model.kit import KitPart
from cardgen.pdf.raster import page_image
from cardgen.pipeline.components import with_faces
from cardgen.pipeline.entries import with_entries
from cardgen.pipeline.judged import judge_files
from cardgen.pipeline.kits.parts import check_kit, kit_of

ROOT = Path(__file__).resolve().parents[2]
BAND = """\
title: Two of a Kind
kind: warband
faction: drakojia
avatars:
  - {card: ash-colossus, name: First Vent, photo: photos/vent.jpg}
  - {card: ash-colossus, name: Second Vent}
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A project with nothing but a band of a shipped game and a photograph."""
    (tmp_path / "cardgen.yaml").write_text("name: ours\ngames: [arena]\n")
    (tmp_path / "cards/arena/bands").mkdir(parents=True)
    (tmp_path / "cards/arena/bands/ours.yaml").write_text(BAND)
    (tmp_path / "cards/arena/art/photos").mkdir(parents=True)
    Image.new("RGB", (600, 900), "#b23a28").save(tmp_path / "cards/arena/art/photos/vent.jpg")
    return tmp_path


def test_a_pawn_shows_the_photograph_and_the_name_of_its_entry(own: Path) -> None:
    report = Report()
    found = judge_files(own, [own / "cards/arena/bands/ours.yaml"], (), report)
    assert found is not None
    game = with_entries(found[1], found[2][0].band, report)[0]
    (pawns,) = [item for item in kit_of(game, found[2], report).wanted if item.part.component == "avatar-pawns"]
    assert pawns.component is not None and dict(pawns.cards) == {"ours-1": 1, "ours-2": 1}
    made = make_pawns(pawns.component, game)
    card = game.cards["ash-colossus"]
    shown = {cutout.title: cutout.panels[0].values["art"] for cutout in made if not cutout.label.endswith("/base")}
    assert shown == {"First Vent": "photos/vent.jpg", "Second Vent": card.values["pawn"]}
    bases = [cutout.size for cutout in made if cutout.label.endswith("/base")]
    assert [(size.width, size.height) for size in bases] == [(card.values["base_mm"],) * 2] * 2


def test_only_what_is_made_of_cards_can_be_made_of_entries() -> None:
    report = Report()
    found = judge_files(ROOT, [ROOT / "cards/arena/bands/ash-and-office.yaml"], (), report)
    assert found is not None
    part = KitPart("", "ruler", "", "", "", "card", Span("game.yaml", 1, 1), entries=True)
    check_kit(structs.replace(found[1], kit=(part,)), report)
    (problem,) = [item for item in report.items if item.code == "CG408"]
    assert "`ruler` is not" in problem.message


@pytest.mark.slow
def test_a_photograph_fills_the_frame_of_its_pawn(own: Path) -> None:
    """Also where it is less high than the pawn: the frame is no box with a block in it; outside of its arch it ends."""
    Image.new("RGB", (600, 300), "#b23a28").save(own / "cards/arena/art/photos/vent.jpg")
    report = Report()
    found = judge_files(own, [own / "cards/arena/bands/ours.yaml"], (), report)
    assert found is not None
    project, game = found[0], with_entries(found[1], found[2][0].band, report)[0]
    (pawns,) = [item for item in kit_of(game, found[2], report).wanted if item.part.component == "avatar-pawns"]
    assert pawns.component is not None
    cutout = next(each for each in make_pawns(pawns.component, game) if each.title == "First Vent")
    filled = with_faces(cutout, pawns.component, game, FaceMaker(project, report), ())
    assert filled is not None
    face = next(face for face in filled[1].values() if "vent.jpg" in face.html)
    drawn = page_image(render(Job((face,), Assets(project.shelf), project.fonts)).pdf, 0, 100)
    red = [
        (x, y)
        for x in range(drawn.width)
        for y in range(drawn.height)
        if (pixel := drawn.getpixel((x, y)))[0] > 150 and pixel[1] < 90
    ]
    # Two millimetres: the white border, and what the bleed adds.
    near = 2 / 25.4 * 100 + face.trim.bleed / 25.4 * 100
    middle = [y for x, y in red if abs(x - drawn.width / 2) < 3]
    left = [y for x, y in red if x < near + 4]
    assert min(middle) < near
    assert not left or min(left) > min(middle) + 10

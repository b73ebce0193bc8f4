"""Pawns of a band's entries in a kit: their own names and photographs on the bases of their types."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs
from PIL import Image

from cardgen.components.pawns import make_pawns
from cardgen.diagnostics import Report, Span
from cardgen.model.kit import KitPart
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

"""A band's entries as cards to print."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from cardgen.diagnostics import Report
from cardgen.errors import CardgenError
from cardgen.faces.make import FaceMaker
from cardgen.load.project import load_bands, load_project
from cardgen.model.band import Band
from cardgen.model.project import Project
from cardgen.pipeline.entries import entry_card, entry_cards
from cardgen.pipeline.entry_prints import print_entries
from cardgen.pipeline.products import Options
from cardgen.workers import open_workers

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def project() -> Project:
    report = Report()
    found = load_project(ROOT, report)
    assert found is not None and not report.has_errors()
    return found


def band(project: Project, game: str, id: str) -> Band:
    return next(item for item in load_bands(project.shelf, project.games[game], Report()) if item.id == id)


def test_an_avatar_is_printed_as_it_was_trained(project: Project) -> None:
    report = Report()
    game = project.games["arena"]
    hedda, *_ = entry_cards(game, band(project, "arena", "the-undercroft"), report)
    assert len(report) == 0
    values = hedda.values
    assert (hedda.id, hedda.kind) == ("the-undercroft-1", "avatar")
    assert (values["name"], values["role"]) == ("Hedda Three-Stones", "Quarry Thane")
    attributes = values["attributes"]
    assert isinstance(attributes, dict)
    # Trained: combat 8, movement 6, popularity 7, strength 7; the rest is the type's.
    assert [attributes[name] for name in ("combat", "movement", "popularity", "strength", "agility", "armour")] == [
        8, 6, 7, 7, 4, 6,
    ]  # fmt: skip
    # Derived fields follow: sprint is twice Movement and half of it.
    assert (values["walk"], values["run"], values["sprint"]) == (6, 12, 15)
    # 65 to recruit; 15, 11, 7 and 14 for training (ADM-006); 12 + 6, 10 + 12, 22 and 12 for what was chosen.
    assert values["cost"] == 65 + (7 + 8) + (5 + 6) + 7 + 14 + 18 + 22 + 22 + 12
    assert [item if isinstance(item, str) else item["id"] for item in values["feats"]] == [  # type: ignore[attr-defined]
        "measured-blow", "shield-turn",
    ]  # fmt: skip
    assert [item if isinstance(item, str) else item["id"] for item in values["blows"]] == [  # type: ignore[attr-defined]
        "stand-the-ground", "hook-and-drag",
    ]  # fmt: skip
    assert values["maxima"] == game.cards["quarry-thane"].values["maxima"]


def test_an_impostor_has_less(project: Project) -> None:
    game = project.games["arena"]
    found = entry_card(game, band(project, "arena", "twice-twice-freed"), 1, Report())
    real = entry_card(game, band(project, "arena", "lamps-and-laurels"), 1, Report())
    assert found is not None and real is not None
    assert (real.values["soul"], found.values["soul"]) == (4, 3)
    assert "reads-the-sand" in real.values["feats"] and "reads-the-sand" not in found.values["feats"]  # type: ignore[operator]


def test_entries_without_wishes_are_their_own_cards(project: Project) -> None:
    game = project.games["twd"]
    group = next(iter(load_bands(project.shelf, game, Report())))
    for card in entry_cards(game, group, Report()):
        assert any(card.values == other.values for other in game.cards.values() if other.kind == card.kind)


def test_a_card_that_is_not_there(project: Project) -> None:
    assert entry_card(project.games["arena"], band(project, "arena", "the-undercroft"), 99, Report()) is None


def test_what_cannot_be_worked_out_is_told_and_none(project: Project) -> None:
    report = Report()
    game = project.games["arena"]
    kind = game.bands["warband"]
    changed = structs.replace(kind, card={**kind.card, "cost": "it.card.cost // 0", "soul": "it.train.soul"})
    game = structs.replace(game, bands={**game.bands, "warband": changed})
    card = entry_card(game, band(project, "arena", "the-undercroft"), 1, report)
    assert card is not None and card.values["cost"] is None and card.values["soul"] is None
    assert {item.arguments["field"] for item in report} == {"cost", "soul"}
    assert {item.code for item in report} == {"CG630"}
    # It is printed all the same, with a question mark for its cost.
    face = FaceMaker(project, report).make(structs.replace(card, values={**card.values, "soul": 3}), game, "front")
    assert face is not None and ">?<" in face.html


def test_every_avatar_of_the_shipped_bands_fits_its_card(project: Project, tmp_path: Path) -> None:
    report = Report()
    with open_workers(1) as workers:
        for id in ("lamps-and-laurels", "glass-and-ink"):
            made = print_entries(
                project,
                project.games["arena"],
                band(project, "arena", id),
                tmp_path / f"{id}.pdf",
                Options(),
                workers,
                report,
            )
            # Two to a sheet, whole, and a back behind each.
            assert made.pages == 6 and made.paper == (210.0, 297.0)
    assert [str(item.message) for item in report] == []


def test_a_band_without_cards_says_so(project: Project, tmp_path: Path) -> None:
    game = project.games["arena"]
    with open_workers(1) as workers, pytest.raises(CardgenError, match="no entry of `Two Against One`"):
        print_entries(
            project, game, band(project, "arena", "two-against-one"), tmp_path / "x.pdf", Options(), workers, Report()
        )


def test_the_first_word_of_an_effect_stays_a_word(project: Project) -> None:
    game = project.games["arena"]
    face = FaceMaker(project, Report()).make(game.cards["green-hands"], game, "front")
    assert face is not None
    # "A friend …": the sign holds on to the first letter, and no space is lost behind it.
    assert "A</span>&nbsp;friend recovers" in face.html or "A</span>\u00a0friend recovers" in face.html
    face = FaceMaker(project, Report()).make(game.cards["undertow"], game, "front")
    assert face is not None and "T</span>he target" in face.html

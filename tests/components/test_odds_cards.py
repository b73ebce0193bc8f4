"""Cards of odds and of rulings: what stands on their faces, and what is said of odds and rulings that do not exist."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from cardgen.components.odds import make_odds, trimmed
from cardgen.components.rulings import make_rulings
from cardgen.diagnostics import Report, Span
from cardgen.errors import CannotMake
from cardgen.model.component import Component, OddsCards, OddsFace, RulingCards
from cardgen.model.game import Game
from cardgen.model.odds import Chance
from cardgen.pipeline.odds import with_answers
from tests.support import load

ROOT = Path(__file__).resolve().parent.parent.parent


@cache
def shipped(game: str) -> Game:
    return load(ROOT).games[game]


def odds(*faces: OddsFace, game: str = "twd") -> tuple[Component, Game]:
    component = Component("o", "Odds", "odds", OddsCards(faces), "", "", Span("o.yaml", 1, 1), {})
    report = Report()
    made = with_answers(shipped(game), component, report)
    assert not report.items
    return component, made


def test_a_table_has_a_cell_for_each_row_and_column() -> None:
    face = OddsFace("f", "Win", "attack({row}, {column})", ("wins",), ("1white", "2blue"), ("0", "1red", "6white"))
    ((front, back),) = [cutout.panels for cutout in make_odds(*odds(face))]
    table = front.values["table"]
    assert isinstance(table, dict)
    assert back.side == "back" and "table" not in back.values
    assert [row["head"] for row in table["rows"]] == [[{"die": "white"}], [{"die": "blue"}, {"die": "blue"}]]
    assert table["columns"][0] == [{"text": "0"}]
    cells = [[cell["text"] for cell in row["cells"]] for row in table["rows"]]
    # A Survivor die shows a blank once in six; two Veteran dice never show nothing.
    assert cells[0][0] == "83" and cells[1][0] == "100"
    assert float(table["rows"][0]["cells"][0]["share"]) == pytest.approx(5 / 6, abs=1e-3)


def test_what_is_possible_is_never_shown_as_nothing_or_as_certain() -> None:
    rare = OddsFace("f", "Win", "attack({row}, {column})", ("wins",), ("1white", "4blue"), ("3blue", "1red"))
    ((front, _),) = [cutout.panels for cutout in make_odds(*odds(rare))]
    rows = front.values["table"]["rows"]  # type: ignore[index]
    assert rows[0]["cells"][0]["text"] == "0" and rows[0]["cells"][0]["share"] == 0.0
    many = OddsFace("f", "Win", "walkers({row}, 4blue)", ("wounds",), ("1", "2", "5"))
    ((front, _),) = [cutout.panels for cutout in make_odds(*odds(many))]
    texts = [row["cells"][0]["text"] for row in front.values["table"]["rows"]]  # type: ignore[index]
    # One walker cannot; three dice of at most 2 against at least four successes seldom can.
    assert texts[0] == "0" and texts[1] == "<1" and 1 < int(texts[2]) < 100


def test_faces_are_paired_on_cards() -> None:
    faces = [OddsFace(f"f{number}", f"Face {number}", "panic") for number in range(5)]
    cards = make_odds(*odds(*faces))
    shown = [[panel.values.get("heading") for panel in card.panels] for card in cards]
    assert shown == [["Face 0", "Face 1"], ["Face 2", "Face 3"], ["Face 4", None]]
    assert all(card.is_card for card in cards)


def test_long_rows_of_numbers_lose_their_rare_ends() -> None:
    weights = [1, *range(1, 40), 1]
    chance = Chance("t", "T", tuple((at, Fraction(weight, sum(weights))) for at, weight in enumerate(weights)))
    bars = trimmed(chance)["bars"]
    assert isinstance(bars, list)
    assert len(bars) == 18 and max(bar["long"] for bar in bars) == 100.0


@pytest.mark.parametrize(
    ("face", "said"),
    [
        (OddsFace("f", "F", "attack(2white)", ("won",)), "no result `won`"),
        (OddsFace("f", "F", "attack({row})", (), ("1white",)), "one result"),
        (OddsFace("f", "F", "panic", ("does",), ("1",)), "neither yes or no"),
    ],
)
def test_faces_that_cannot_be_made(face: OddsFace, said: str) -> None:
    component = Component("o", "Odds", "odds", OddsCards((face,)), "", "", Span("o.yaml", 1, 1), {})
    game = shipped("twd")
    made = with_answers(game, component, Report())
    with pytest.raises(CannotMake, match=said):
        make_odds(component, made)


def test_a_call_that_does_not_exist_is_told_at_its_face() -> None:
    face = OddsFace("f", "F", "atack(2white)")
    component = Component(
        "o", "Odds", "odds", OddsCards((face,)), "", "", Span("o.yaml", 1, 1), {"faces.f.asks": (7, 5)}
    )
    report = Report()
    with_answers(shipped("twd"), component, report)
    ((item,)) = list(report)
    assert item.code == "CG406" and item.span == Span("o.yaml", 7, 5) and "did you mean `attack`" in item.message


def rulings(*notes: str, pack: str = "twd-released") -> Component:
    return Component("r", "Rulings", "rulings", RulingCards(pack, notes), "", "", Span("r.yaml", 1, 1), {})


def test_a_ruling_names_the_keywords_that_it_touches() -> None:
    ((front, _),) = [card.panels for card in make_rulings(rulings("FAQ-008"), shipped("twd"))]
    assert front.values["id"] == "FAQ-008" and front.values["touches"] == ["Shotgun"]


def test_without_names_all_rulings_of_the_pack_are_printed() -> None:
    game = shipped("twd")
    faces = [panel for card in make_rulings(rulings(), game) for panel in card.panels if "id" in panel.values]
    assert [panel.values["id"] for panel in faces] == list(game.packs["twd-released"].notes)


@pytest.mark.parametrize(
    ("component", "said"),
    [(rulings("FAQ-999"), "no note `FAQ-999`"), (rulings(pack="twd-relesed"), "did you mean `twd-released`")],
)
def test_rulings_that_do_not_exist(component: Component, said: str) -> None:
    with pytest.raises(CannotMake, match=said):
        make_rulings(component, shipped("twd"))


def test_keywords_know_their_rulings() -> None:
    words = shipped("twd").keywords
    assert "FAQ-008" in words["shotgun"].rulings and "FAQ-006" in words["sharp"].rulings
    assert words["bulky"].rulings == ()

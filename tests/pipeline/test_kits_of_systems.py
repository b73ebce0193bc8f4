"""Kits of the games that are not two groups of figures: characters round a table, and a table of players."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import pytest
from msgspec import structs

from cardgen.diagnostics import Report
from cardgen.faces.assets import Assets
from cardgen.faces.engines import Job, render
from cardgen.faces.make import FaceMaker
from cardgen.model.game import Game
from cardgen.pdf.painted import rendering_pdf
from cardgen.pipeline.entries import band_card_id, with_band_card
from cardgen.pipeline.judged import judge_files
from cardgen.pipeline.kits.make import make_kit
from cardgen.pipeline.kits.pages import LAYOUT, pages_of
from cardgen.pipeline.kits.parts import KitParts, check_kit, kit_of
from cardgen.pipeline.products import Options
from cardgen.pipeline.roster import PAGE, roster_pdf
from cardgen.rules.bands import Judgement
from cardgen.workers import open_workers
from tests.rules.shipped import judged, project, shipped_bands, text_of

ROOT = Path(__file__).resolve().parents[2]
CHARACTERS, TABLES = ROOT / "cards/zcorps/bands", ROOT / "cards/zombies/bands"
# Somebody whom the set does not know, as a player writes them down.
STRANGER = """\
title: Ida Storm
calling: Welder
characteristics:
  agility: {dice: 3}
  strength: {dice: 4, pips: 1}
  knowledge: {dice: 2}
  dexterity: {dice: 3, pips: 2}
  perception: {dice: 2}
  presence: {dice: 2}
skills:
  - {name: demolition, under: knowledge, dice: 5}
character_points: 4
nerve_points: 2
stress: 0
wounds: 0
carries: [stab-vest, stab-vest]
"""


def parts_of(game: Game, judgements: list[Judgement]) -> KitParts:
    """The parts of a kit, worked out without drawing anything."""
    report = Report()
    for judgement in judgements:
        game = with_band_card(game, judgement.band, report)
    found = kit_of(game, judgements, report)
    # bands whose set-ups differ are told about; nothing else may be
    assert {item.code for item in report.items} <= {"CG407"}
    return found


def cards_of(parts: KitParts) -> Counter[str]:
    """All cards that are printed as cards."""
    return sum((Counter(item.cards) for item in parts.wanted if item.component is None), Counter())


def each_of(parts: KitParts) -> dict[str, int | None]:
    """How many of each component, None for as many as it has."""
    return {item.component.id: item.each for item in parts.wanted if item.component is not None}


def made_of(parts: KitParts, component: str) -> dict[str, int]:
    """The cards that a component is made of."""
    (item,) = [item for item in parts.wanted if item.component is not None and item.component.id == component]
    assert item.component is not None
    return dict(item.component.options.only)  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def two() -> KitParts:
    game = project().games["zcorps"]
    return parts_of(game, [judged(game, text_of(game, name)) for name in ("nadia-ferro", "emmerich-falk")])


def test_every_rule_of_the_shipped_kits_compiles() -> None:
    for game in project().games.values():
        report = Report()
        check_kit(game, report)
        assert not report.items


def test_a_band_of_characters_brings_their_cards_their_gear_and_the_order_of_turns(two: KitParts) -> None:
    gear = {"dressing-kit", "headlamp", "tram-crank", "door-leaf"}
    # judged from a text, both bands are called `one`
    assert cards_of(two) == Counter({"one-card": 2, "order-card": 1} | dict.fromkeys(gear, 1))
    assert made_of(two, "character-sheets") == made_of(two, "character-pawns") == {"one-card": 2}


def test_and_what_a_player_and_the_game_master_look_things_up_in(two: KitParts) -> None:
    each = each_of(two)
    for card in ("dice-card", "action-card", "shooting-card", "wound-card", "stress-card"):
        assert each[card] == 2
    assert {"folding-screen", "risen-pawns", "dice-stickers", "order-markers"} <= each.keys()
    # five points and one at the start, and what they have left is never more
    assert (each["character-points"], each["nerve-points"]) == (10, 2)


def test_a_characters_card_says_what_its_file_says() -> None:
    """Falk's file has fewer points than his printed card; whatever it does not say is as printed."""
    game = project().games["zcorps"]
    band = judged(
        game, text_of(game, "emmerich-falk").replace("strength: {dice: 3, pips: 2}", "strength: {dice: 5}")
    ).band
    made = with_band_card(game, band, Report()).cards[band_card_id(band)].values
    printed = game.cards["emmerich-falk"].values
    assert (made["character_points"], printed["character_points"]) == (2, 5)
    assert (made["line"], made["pawn"]) == (printed["line"], printed["pawn"])
    # derived anew: doubled by a nerve point, and what resists damage
    assert (made["strength_doubled"], made["resistance"]) == ("10D", "5D")
    assert made["carries"] == ["tram-crank", "door-leaf"] != printed["carries"]


def test_files_of_shipped_characters_say_what_their_cards_say() -> None:
    game = project().games["zcorps"]
    found = 0
    for band in shipped_bands(game).values():
        if band.id not in game.cards or band.expected != "legal" or band.values.get("wounds"):
            continue
        made = with_band_card(game, band, Report()).cards[band_card_id(band)].values
        printed = game.cards[band.id].values
        fields = ["name", "calling", "line", "pawn", "characteristics", "character_points", "nerve_points", "worth"]
        if band.id != "nadia-ferro":  # she has left her pistol at home, and counts her skills in another order
            fields += ["skills", "carries"]
            found += 1
        for name in fields:
            one, other = made[name], printed[name]
            same = list(one) == list(other) if name == "carries" else one == other  # type: ignore[call-overload]
            assert same, (band.id, name)
    assert found == 8


def test_in_another_language_the_card_has_the_characters_name_in_it() -> None:
    report = Report()
    found = judge_files(ROOT, [CHARACTERS / "nadia-ferro.yaml"], ("ru",), report)
    assert found is not None
    made = with_band_card(found[1], found[2][0].band, report).cards["nadia-ferro-card"].values
    assert (made["name"], made["calling"]) == tuple(
        found[1].cards["nadia-ferro"].values[key] for key in ("name", "calling")
    )
    assert made["name"] == "Надя Ферро"


def test_somebody_the_set_does_not_know_has_a_card_and_a_sheet_too(tmp_path: Path) -> None:
    game = project().games["zcorps"]
    judgement = judged(game, STRANGER)
    assert judgement.verdict == "legal"
    report = Report()
    with open_workers(1) as workers:
        kit = make_kit(project(), game, [judgement], tmp_path, Options(), workers, report)
    assert not report.items, [item.message for item in report]
    copies = Counter({cutout.label: cutout.copies for file in kit.files for cutout in file.product.cutouts})
    assert copies["one-card"] == 1 and copies["stab-vest"] == 2 and copies["character-sheets/one-card"] == 1
    held = kit.files[0].product.game.cards["one-card"].values
    assert (held["name"], held["calling"], held["character_points"]) == ("Ida Storm", "Welder", 4)


def test_a_letter_that_no_font_has_is_told_where_it_is_written(tmp_path: Path) -> None:
    game = project().games["zcorps"]
    judgement = judged(game, STRANGER.replace("Ida Storm", "Ida 漢 Storm"))
    report = Report()
    with open_workers(1) as workers:
        make_kit(project(), game, [judgement], tmp_path, Options(), workers, report)
    # the layouts that print it are not to blame
    assert [(item.code, str(item.span), item.arguments["context"]) for item in report.sorted()] == [
        ("CG308", "cards/zcorps/bands/one.yaml:1:8", "one/title")
    ]
    report = Report()
    roster_pdf(project(), game, judgement, report)
    assert [(item.code, str(item.span)) for item in report.items] == [("CG308", "cards/zcorps/bands/one.yaml:1:8")]


def test_such_a_letter_of_a_card_is_told_for_the_kits_that_hold_it(tmp_path: Path) -> None:
    game = project().games["zcorps"]
    vest = game.cards["stab-vest"]
    game = structs.replace(
        game,
        cards={**game.cards, vest.id: structs.replace(vest, values={**vest.values, "name": "Vest 漢"})},
        strings={
            **game.strings, "stab-vest/name": structs.replace(game.strings["stab-vest/name"], text="Vest 漢"),
            "tow-chain/name": structs.replace(game.strings["tow-chain/name"], text="Chain 漢"),
        },
    )  # fmt: skip
    report = Report()
    with open_workers(1) as workers:
        make_kit(project(), game, [judged(game, STRANGER)], tmp_path, Options(), workers, report)
    assert [(item.code, item.arguments["context"]) for item in report.items] == [("CG308", "stab-vest/name")]
    assert report.items[0].span == game.strings["stab-vest/name"].span


def test_a_checklist_tells_dice_codes_and_breaks_no_name(tmp_path: Path) -> None:
    names = ["emmerich-falk", "gregor-mahl", "nadia-ferro", "ola-brandt", "wick"]
    found = judge_files(ROOT, [CHARACTERS / f"{name}.yaml" for name in names], ("ru",), Report())
    assert found is not None
    for judgement in found[2]:
        assert judgement.title == found[1].cards[judgement.band.id].values["name"]
    wick = found[2][-1]
    assert wick.summary == "Ловкость 4D+1, Сила 2D, Знание 2D+1, Сноровка 3D+1, Восприятие 3D+2, Присутствие 2D+1"
    assert [(line.name, line.details) for line in wick.entries[:2]] == [("Уклонение", ("5D+2",)), ("Бег", ("5D+1",))]
    context = next(pages_of(found[1], found[2], [], KitParts((), ())))
    face = FaceMaker(project(), Report()).make_page(LAYOUT, context, found[1], PAGE, "checklist/1")
    assert face is not None
    path = tmp_path / "page.pdf"
    path.write_bytes(rendering_pdf(render(Job((face,), Assets(project().shelf), project().fonts))))
    text = subprocess.run(["pdftotext", path, "-"], check=True, capture_output=True, text=True).stdout
    assert text.count("ПО ПРАВИЛАМ") == 5 and "Уклонение 5D+2" in text
    # a name may stand in two lines, but no word does
    assert {"Вик", "Эммерих", "Фальк", "Грегор", "Маль"} <= set(text.split())


def test_six_characters_sit_at_a_table_and_seven_do_not() -> None:
    assert project().games["zcorps"].bands["character"].tables == 6
    assert project().games["zombies"].bands["table"].tables == 1
    assert project().games["twd"].bands["group"].tables == 2


def table(name: str) -> KitParts:
    report = Report()
    found = judge_files(ROOT, [TABLES / f"{name}.yaml"], (), report)
    assert found is not None and not report.has_errors()
    return parts_of(found[1], found[2])


def test_four_players_who_say_who_they_are_get_these_four() -> None:
    parts = table("saturday-opening")
    people = {"cook", "guard", "courier", "mechanic"}
    cards = cards_of(parts)
    game = project().games["zombies"]
    assert {id for id in cards if game.cards[id].kind == "player"} == people
    assert sum(cards[id] for id in cards if game.cards[id].kind == "event") == 27 and cards["helipad-card"] == 1
    assert made_of(parts, "player-pawns") == made_of(parts, "turned-pawns") == dict.fromkeys(people, 1)


def test_a_table_that_is_only_planned_gets_its_kit() -> None:
    parts = table("friday")
    assert made_of(parts, "player-pawns") == dict.fromkeys(("jogger", "tourist", "cook"), 1)
    assert each_of(parts)["life-counters"] == 15


def test_counters_are_as_many_as_the_caps_allow() -> None:
    each = each_of(table("saturday-opening"))
    # ZOM-004: five lives at most for each of four, five bullets at the start
    assert (each["life-counters"], each["bullet-counters"]) == (20, 20)
    for card in ("living-card", "escape-card", "zombie-card", "player-board"):
        assert each[card] == 4
    assert {"die-d20", "dice-stickers", "zombie-pawns", "reference-page"} <= each.keys()


def test_players_who_have_not_chosen_get_all_six() -> None:
    parts = table("late-shift")
    cards, game = cards_of(parts), project().games["zombies"]
    assert sum(count for id, count in cards.items() if game.cards[id].kind == "player") == 6
    assert each_of(parts)["life-counters"] == 25
    pawns = [item.component for item in parts.wanted if item.component and item.component.id == "player-pawns"]
    assert [component.options.only for component in pawns if component] == [None]  # type: ignore[union-attr]


def test_a_part_that_is_made_of_no_cards_cannot_be_of_the_band_itself() -> None:
    game = project().games["zcorps"]
    part = structs.replace(game.kit[0], component="folding-screen")
    report = Report()
    check_kit(structs.replace(game, kit=(part,)), report)
    assert [item.code for item in report.items] == ["CG408"] and "made of cards" in report.items[0].message

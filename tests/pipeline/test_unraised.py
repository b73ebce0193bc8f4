"""Prints that changed and kept their version, and posts that say what changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from cardgen.diagnostics import Report
from cardgen.faces.make import FaceMaker
from cardgen.i18n.translate import translate
from cardgen.model.sheet import SheetWords
from cardgen.pipeline.versions.diff import card_texts, compare_cards, own_texts
from cardgen.pipeline.versions.pairs import faces_of
from cardgen.pipeline.versions.posts import Post, as_bbcode, as_markdown
from cardgen.pipeline.versions.release import before_of
from cardgen.pipeline.versions.unraised import Before, check_versions
from tests.rules.shipped import project as shipped
from tests.support import BASE, edit, load, write_project

CARDS = BASE["cards/g/cards/items.yaml"]
GAME = BASE["cards/g/game.yaml"]


@pytest.mark.parametrize(
    ("changes", "prints"),
    [
        ({}, []),
        ({"cards/g/cards/items.yaml": CARDS.replace("Axe", "Great Axe")}, ["items"]),
        ({"cards/g/cards/items.yaml": CARDS.replace("copies: 2", "copies: 3")}, ["items"]),
        ({"cards/g/cards/items.yaml": CARDS + "saw:\n  kind: item\n  name: Saw\n"}, ["items"]),
        (
            {
                "cards/g/cards/items.yaml": CARDS.replace("Axe", "Great Axe"),
                "cards/g/game.yaml": GAME.replace(
                    'items: {title: Items, version: "1"', 'items: {title: Items, version: "2"'
                ),
            },
            [],
        ),
        ({"cards/g/game.yaml": GAME.replace("title: Items", "title: Things")}, []),
    ],
)
def test_a_print_that_changed_raises_its_version(tmp_path: Path, changes: dict[str, str], prints: list[str]) -> None:
    old = load(write_project(tmp_path / "old"))
    new = load(write_project(tmp_path / "new", changes)).games["g"]
    report = Report()
    before = before_of(old.games["g"], old, ["en"])
    check_versions(new, before, {"en": card_texts(new)}, {"en": own_texts(new)}, report)
    assert [(item.code, item.arguments["print"]) for item in report] == [("CG556", id) for id in prints]


def test_components_and_booklets_are_what_their_prints_hold() -> None:
    game = shipped().games["twd"]
    texts = own_texts(game)
    prints = {item.id: item.version for item in game.prints.values()}
    component = next(context for context in texts if context.startswith("components/threat-"))
    old = {**texts, component: "other", "booklets/rules.the-turn": "other"}
    before = Before("0", {"en": card_texts(game)}, {"en": old}, prints)
    report = Report()
    check_versions(game, before, {"en": card_texts(game)}, {"en": texts}, report)
    id = component.partition("/")[2].partition(".")[0]
    wanted = {item.id for item in game.prints.values() if id in item.components or item.booklet == "rules"}
    assert {item.arguments["print"] for item in report} == wanted and len(wanted) >= 2


def test_cards_with_odds_have_their_picture_in_a_review() -> None:
    # Of a game as it is loaded, and in another language, every card that is printed has a face.
    loaded, report = shipped(), Report()
    game = loaded.games["twd"]
    wanted = [id for id, card in game.cards.items() if game.kinds[card.kind].odds and game.kinds[card.kind].front]
    assert len(wanted) > 10
    other = translate(game, "es", {})
    for one in (game, other):
        assert faces_of(one, wanted, FaceMaker(loaded, report)).keys() == set(wanted)
    assert [item.message for item in report if item.severity == "error"] == []


def test_a_post_keeps_icons_and_lists(tmp_path: Path) -> None:
    game = load(
        write_project(
            tmp_path / "p",
            edit("cards/g/cards/items.yaml", '"**Chop** it."', "|-\n    Pay:\n    - [coin] *twice*\n    - 1 health"),
        )
    ).games["g"]
    old = structs.replace(
        game,
        cards={
            **game.cards,
            "axe": structs.replace(game.cards["axe"], values={**game.cards["axe"].values, "rules": "Pay [coin]."}),
        },
    )
    changed = tuple(compare_cards(card_texts(old), card_texts(game)))
    post = Post(game, SheetWords(), (), "1", changed, 0, ())
    assert "rules: Pay \\[coin\\]. → Pay: • \\[coin\\] twice • 1 health" in as_markdown(post)
    assert "rules: Pay (coin). → Pay: • (coin) twice • 1 health" in as_bbcode(post)

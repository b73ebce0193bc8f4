"""What is offered to mend a band: nothing that an entry has already, all the culprits at once, whole entries last."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cardgen.model.band import Band, Entry
from cardgen.model.game import Game
from cardgen.rules.bands import judge_band
from cardgen.rules.changes import changes_of, gets_twice
from cardgen.rules.mends import stated_mends, suggested, together
from cardgen.rules.suggest import mend, relieve
from cardgen.rules.wrongs import Fault, ended, lessens, worsened
from cardgen.studio.bandroom import Task, reasons_against
from tests.rules.conftest import Bands
from tests.rules.shipped import shipped_bands
from tests.rules.test_mends import band_of, games

BAND = """title: Mine
kind: warband
faction: urok
gold: 900
avatars:
  - {card: tusk-marshal, name: Zoe, traits: [TRAITS]}
"""
ALL = "thick-hide, long-arms, small-target, crowd-shy"


def of(traits: str, more: str = "") -> Band:
    return band_of(BAND.replace("TRAITS", traits) + more)


def own_type(popularity: int) -> Game:
    """The game with an orc of somebody's own, born with nothing."""
    game = games()["arena"]
    card = game.cards["tusk-marshal"]
    values = {
        **card.values,
        "innate": {**card.values["innate"], "traits": ()},
        "attributes": {**card.values["attributes"], "popularity": popularity},
    }  # type: ignore[dict-item]
    return replace(game, cards={**game.cards, card.id: replace(card, values=values)})


def seen_by(game: Game, band: Band) -> Band:
    """The band with the card as this game has it."""
    entries: Any = band.values["avatars"]
    card = game.cards["tusk-marshal"]
    made = tuple(
        Entry({**item, "card": Entry({**item["card"], **card.values}, item.span)}, item.span) for item in entries
    )
    return replace(band, values=Entry({**band.values, "avatars": made}, band.values.span))


def swapped_in(game: Game, band: Band) -> set[str]:
    changes = changes_of(game, game.bands[band.kind], band.values)
    return {change.new["id"] for change in changes if change.swap and "traits" in change.path}


def test_nothing_is_put_in_the_place_of_something_that_the_entry_has_in_its_list_or_is_born_with() -> None:
    game = games()["arena"]
    born = swapped_in(game, of("small-target"))
    assert "thick-hide" not in born and {"crowd-shy", "goat-footed"} <= born
    assert "crowd-shy" not in swapped_in(game, of("small-target, crowd-shy"))
    own = own_type(4)
    assert "thick-hide" in swapped_in(own, seen_by(own, of("small-target, crowd-shy")))
    assert "thick-hide" not in swapped_in(own, seen_by(own, of("thick-hide, small-target, crowd-shy")))


@pytest.mark.parametrize("game_id", ["arena", "twd"])
def test_no_change_of_a_shipped_band_gives_an_entry_a_card_twice_or_leaves_too_few(game_id: str) -> None:
    game = games()[game_id]
    for band in shipped_bands(game).values():
        kind = game.bands[band.kind]
        for change in changes_of(game, kind, band.values):
            entries: Any = change.values[kind.entries]
            assert len(entries) >= max(1, kind.fields[kind.entries].min_items), change.text
            if (
                change.swap
                and change.path[0] == kind.entries
                and isinstance(change.path[-1], int)
                and len(change.path) > 2
            ):
                listed: Any = change.values
                for step in change.path[:-1]:
                    listed = listed[step]
                assert Counter(card["id"] for card in listed)[change.new["id"]] == 1, (band.id, change.text)


def test_two_changes_of_one_list_do_not_put_the_same_card_in_it() -> None:
    game, band = games()["arena"], of("long-arms, small-target")
    changes = {change.text: change for change in changes_of(game, game.bands[band.kind], band.values)}
    one, other = (changes[f"Iron Stomach instead of {name} (Zoe)"] for name in ("Long Arms", "Small Target"))
    else_ = changes["Goat-Footed instead of Small Target (Zoe)"]
    assert gets_twice([one, other]) and not gets_twice([one, else_]) and not gets_twice([one])


def test_what_is_closed_to_the_race_is_first_left_out_then_replaced_and_its_entry_last() -> None:
    game = games()["arena"]
    bo = "  - {card: tusk-marshal, name: Bo}\n"
    band = of("thick-hide, small-target, crowd-shy", bo)
    found = mend(game, band, seconds=60)
    assert found.exact and found.mends[0].changes == ("leave out Small Target (Zoe)",)
    relief = relieve(game, band, 60).single["ADM-022", "Zoe"]
    assert relief[0].changes == ("leave out Small Target (Zoe)",)
    assert not any(item.gone for item in found.mends)
    told = [change for item in (*found.mends, *relief) for change in item.changes]
    assert not any(change.startswith(("Thick Hide instead", "Crowd-Shy instead")) for change in told)
    alone = relieve(game, band, 60, swaps=False).single["ADM-022", "Zoe"]
    assert [(item.changes, item.gone) for item in alone] == [
        (("leave out Small Target (Zoe)",), 0), (("leave out Zoe",), 1),
    ]  # fmt: skip


def test_all_that_is_closed_is_left_out_at_once_and_nobody_is_left_out_who_is_alone() -> None:
    game, band = games()["arena"], of(ALL)
    assert {item.rule for item in judge_band(game, band).findings if item.counts} == {"ADM-009", "ADM-022"}
    both = ("leave out Small Target (Zoe)", "leave out Long Arms (Zoe)")
    stated = stated_mends(game, band)
    assert stated["ADM-022", "Zoe"][0].changes == both
    # What must go for one rule is what is too much by the other: no more goes than has to.
    whole = together(game, band)
    assert whole is not None and whole.legal and whole.mend.changes == both
    relief = relieve(game, band, 60, swaps=False)
    offered = [item for items in (*stated.values(), *relief.single.values(), relief.whole) for item in items]
    assert offered and all(item.values is not None and item.values["avatars"] for item in offered)
    found = mend(game, of("long-arms, small-target"), most=250, seconds=60)
    assert found.mends[0].changes == tuple(sorted(both))


@pytest.mark.parametrize("order", [ALL, "long-arms, small-target, thick-hide, crowd-shy"])
def test_as_many_are_left_out_as_are_too_many_and_less_wrong_is_not_something_new(order: str) -> None:
    """Popularity 4 allows one of four: leaving out the two that are closed leaves one too many, not a new finding."""
    game = own_type(4)
    band = seen_by(game, of(order))
    stated = stated_mends(game, band)
    assert len(stated["ADM-009", "Zoe"][0].changes) == 3
    assert set(stated["ADM-022", "Zoe"][0].changes) == {"leave out Long Arms (Zoe)", "leave out Small Target (Zoe)"}
    whole = together(game, band)
    assert whole is not None and whole.legal and len(whole.mend.changes) == 3
    assert {"leave out Long Arms (Zoe)", "leave out Small Target (Zoe)"} <= set(whole.mend.changes)


def test_what_rules_state_is_suggested_where_a_search_would_leave_out_whole_entries(bands: Bands) -> None:
    game, (band,) = bands(one="title: B\nlimit: 9\nmembers: [{card: axe, skill: 4}]\n")
    found = suggested(game, band)
    assert ("lower skill of Axe from 4 to 3",) in [item.changes for item in found.mends]
    assert all(item.values is not None and item.values["members"] for item in found.mends)


@pytest.mark.parametrize("trained", ["", "small-target", "small-target, crowd-shy, old-scar", ALL])
def test_what_is_closed_is_told_with_its_reason_whatever_else_is_wrong_already(trained: str) -> None:
    band = of(trained)
    ids = ["long-arms", "small-target", "goat-footed"]
    reasons = reasons_against(Task(pickle.dumps(games()["arena"]), band), ("avatars", 0, "traits"), ids)
    assert "Long Arms" in reasons["long-arms"] and reasons["long-arms"].startswith("ADM-022: ")
    assert "Small Target" in reasons["small-target"] and reasons["small-target"].startswith("ADM-022: ")
    # Open to everybody; there is room for three.
    full = trained.count(",") >= 2
    assert reasons.get("goat-footed", "").startswith("ADM-009: ") == full and ("goat-footed" in reasons) == full


def test_one_of_two_of_the_same_name_is_told_what_does_not_go_with_it() -> None:
    band = of("", "  - {card: tusk-marshal, name: Zoe, traits: [small-target]}\n")
    task = Task(pickle.dumps(games()["arena"]), band)
    assert set(reasons_against(task, ("avatars", 0, "traits"), ["long-arms", "goat-footed"])) == {"long-arms"}


@pytest.mark.parametrize(
    ("traits", "rule", "amiss"),
    [
        ("small-target", "ADM-022", 1),
        ("small-target, long-arms", "ADM-022", 2),
        (ALL, "ADM-009", 1),
        ("", "ADM-009", 0),
    ],
)
def test_a_finding_knows_by_how_much_its_rule_is_broken(traits: str, rule: str, amiss: float) -> None:
    (found,) = [item for item in judge_band(games()["arena"], of(traits)).findings if item.rule == rule]
    assert found.amiss == amiss


FAULTS = st.lists(
    st.builds(
        Fault,
        st.sampled_from("AB"),
        st.sampled_from("xy"),
        st.booleans(),
        st.text("0123456789", min_size=9),
        st.integers(1, 3).map(float),
    ),
    max_size=4,
).map(lambda items: tuple(sorted(items)))


@given(FAULTS, FAULTS)
def test_what_is_less_wrong_is_not_worse(before: tuple[Fault, ...], more: tuple[Fault, ...]) -> None:
    after = tuple(sorted((*before, *more)))
    assert worsened(before, after) == {item.key for item in more}
    assert not worsened(after, before)
    assert ended(after, before) == {item.key for item in more}
    assert lessens(after, before) == bool(more) and not lessens(before, after)
    milder = tuple(replace(item, actual="less", amiss=item.amiss / 2) for item in before)
    assert not worsened(before, milder) and worsened(milder, before) == {item.key for item in before}
    # Found as before, with less allowed.
    stricter = tuple(replace(item, amiss=item.amiss * 2) for item in before)
    assert not worsened(before, stricter)

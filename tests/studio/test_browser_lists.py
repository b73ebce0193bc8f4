"""Lists put in another order, and what the rules say of one card, in a real Chromium."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import Page, expect

from tests.studio.browser import MARKS, drawn, opened, saved, wait_drawn, wrote

pytestmark = MARKS

BAND = """title: Three of Us
limit: 200
members:
  # she leads
  - {card: skip, leader: yes, hands: [hatchet, crowbar]}
  - card: peck  # he follows
  - {card: rook}
"""
URL = "/g/twd/bands/three-of-us"


@pytest.fixture
def band(root: Path) -> Path:
    path = root / "cards/twd/bands/three-of-us.yaml"
    path.write_text(BAND, "utf-8")
    return path


def order(page: Page) -> list[str]:
    return [text.strip() for text in page.locator("#editor .entries > li > details > summary").all_inner_texts()]


def test_an_entry_is_dragged_and_its_comments_go_with_it(page: Page, band: Path) -> None:
    opened(page, URL)
    page.locator("[data-handle='members.2']").hover()
    page.mouse.down()
    box = page.locator("[data-handle='members.0']").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + 5, steps=6)
    expect(page.locator(".drop-before")).to_have_attribute("data-entry", "0")
    page.mouse.up()
    expect(page.locator("#moved")).to_have_text("Rook: place 1 of 3")
    assert order(page) == ["Rook", "Skip", "Peck"]
    wrote(page, band, "members:\n  - {card: rook}\n  # she leads\n  - {card: skip,")
    wrote(page, band, "- card: peck  # he follows")
    expect(page.locator("#preview")).to_have_attribute("alt", re.compile("Rook"))
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#editor .entries > li").first).to_contain_text("Skip")
    wrote(page, band, BAND)


def test_an_entry_is_moved_with_the_keyboard_and_keeps_the_focus(page: Page, band: Path) -> None:
    opened(page, URL)
    handle = page.get_by_role("button", name="Move: Skip")
    handle.press("ArrowDown")
    expect(page.locator("#moved")).to_have_text("Skip: place 2 of 3")
    expect(handle).to_be_focused()
    page.keyboard.press("End")
    expect(page.locator("#moved")).to_have_text("Skip: place 3 of 3")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Home")
    expect(page.locator("#moved")).to_have_text("Skip: place 1 of 3")
    expect(handle).to_be_focused()
    assert order(page) == ["Skip", "Peck", "Rook"]


def test_a_save_asked_for_before_is_not_taken_for_the_move(page: Page, band: Path) -> None:
    opened(page, URL)
    # Every save is held back until it is let go.
    page.evaluate(
        """() => {
          const fetched = window.fetch.bind(window), held = [];
          window.letGo = () => held.shift()();
          window.fetch = async (url, asked) => {
            if (!String(url).endsWith("/save")) return fetched(url, asked);
            const kind = asked.body.get("_op") ? "move" : "plain";
            await new Promise((free) => {
              held.push(free);
              document.body.dataset.held = kind;
            });
            return fetched(url, asked);
          };
          document.querySelector("#editor").dispatchEvent(new Event("studio-sync"));
        }"""
    )
    held = page.locator("body")
    expect(held).to_have_attribute("data-held", "plain")
    handle = page.get_by_role("button", name="Move: Skip")
    handle.press("End")
    page.evaluate("window.letGo()")
    expect(held).to_have_attribute("data-held", "move")
    expect(page.locator("#moved")).to_have_text("")
    expect(handle).to_be_focused()
    page.evaluate("window.letGo()")
    expect(page.locator("#moved")).to_have_text("Skip: place 3 of 3")
    expect(handle).to_be_focused()
    assert order(page) == ["Peck", "Rook", "Skip"]


def test_keys_pressed_faster_than_saves_lead_where_they_say(page: Page, band: Path) -> None:
    opened(page, URL)
    handle = page.get_by_role("button", name="Move: Skip")
    handle.focus()
    # In one task of the page: no answer can come in between.
    page.evaluate(
        """for (const key of ["ArrowDown", "End", "ArrowDown"])
          document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))"""
    )
    expect(page.locator("#moved")).to_have_text("Skip: place 3 of 3")
    expect(handle).to_be_focused()
    assert order(page) == ["Peck", "Rook", "Skip"]
    wrote(page, band, "members:\n  - card: peck  # he follows\n  - {card: rook}\n  # she leads\n  - {card: skip,")


def test_what_is_dropped_where_it_was_changes_nothing(page: Page, band: Path) -> None:
    opened(page, URL)
    page.locator("[data-handle='members.1']").hover()
    page.mouse.down()
    page.mouse.move(300, 300)
    page.keyboard.press("Escape")
    page.mouse.up()
    page.locator("[data-handle='members.1']").hover()
    page.mouse.down()
    page.mouse.up()
    page.wait_for_timeout(600)
    assert band.read_text("utf-8") == BAND


def test_cards_in_a_list_of_an_entry_are_moved(page: Page, band: Path) -> None:
    opened(page, URL)
    page.locator("#f-members-0 > summary").click()
    page.locator("[data-handle='members.0.hands.0']").press("ArrowDown")
    saved(page)
    wrote(page, band, "hands: [crowbar, hatchet]")
    expect(page.locator("[data-handle='members.0.hands.1']")).to_be_focused()


def test_the_cost_of_a_card_stands_beside_its_fields(page: Page) -> None:
    page.goto("/g/twd/cards/hatchet")
    wait_drawn(page)
    count = drawn(page)
    figure = page.locator("#panel .figure")
    expect(figure).to_have_text("8")
    page.locator("#f-points").fill("11")
    wait_drawn(page, count)
    expect(figure).to_have_text("11")
    page.locator("#f-points").fill("999")
    expect(page.locator("#panel")).to_contain_text("cannot be judged yet")

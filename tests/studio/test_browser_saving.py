"""Saving in a real Chromium: what fails is told until it works, and nothing that was chosen is lost at any speed."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
import yaml

from tests.studio.conftest import copied

pytest.importorskip("playwright")

from playwright.sync_api import Browser, Page, expect

from tests.studio.browser import MARKS, PATIENCE, Server, saved, wait_drawn, wrote

pytestmark = MARKS
EQUIPMENT = "cards/twd/cards/equipment.yaml"

CHOOSE = """([name, values]) => {
  for (const value of values) {
    const select = document.querySelector(`[name="${name}"]`);
    select.value = value;
    select.dispatchEvent(new Event("change", { bubbles: true }));
  }
}"""
LIST = "a.members.0.carries"


def quick(root: Path, name: str) -> tuple[Path, str]:
    """A copy of a shipped band that may be spoilt, and its address."""
    path = root / f"cards/twd/bands/{name}.yaml"
    path.write_text((root / "cards/twd/bands/granary-100.yaml").read_text("utf-8"), "utf-8")
    return path, f"/g/twd/bands/{name}"


def carried(path: Path) -> list[str]:
    """What the first member of a band's file carries."""
    return list(yaml.safe_load(path.read_text("utf-8"))["members"][0].get("carries", []))


def test_seven_choices_at_once_all_arrive(page: Page, root: Path) -> None:
    path, url = quick(root, "quick")
    page.goto(url)
    wait_drawn(page)
    names = (
        page.locator(f"select[name='{LIST}']")
        .locator("option")
        .evaluate_all("(all) => all.map((one) => one.value).filter(Boolean).slice(0, 7)")
    )
    assert len(names) == 7
    before = carried(path)
    page.evaluate(CHOOSE, [LIST, names])
    until = time.monotonic() + PATIENCE
    while len(carried(path)) < len(before) + 7 and time.monotonic() < until:
        page.wait_for_timeout(50)
    assert carried(path) == [*before, *names]
    saved(page)
    expect(page.locator(".conflicts")).to_have_count(0)


def test_what_is_typed_while_a_choice_is_saved_stays(page: Page, root: Path) -> None:
    path, url = quick(root, "typed")
    page.goto(url)
    wait_drawn(page)
    first = page.locator(f"select[name='{LIST}']")
    value = first.locator("option").nth(1).get_attribute("value")
    page.evaluate(CHOOSE, [LIST, [value, value]])
    page.locator("#f-title").fill("Typed meanwhile")
    wrote(page, path, "Typed meanwhile")
    expect(page.locator("#f-title")).to_have_value("Typed meanwhile")
    saved(page)


def test_a_broken_file_leaves_a_standing_reason_until_a_save_works(page: Page, root: Path) -> None:
    path, url = quick(root, "broken")
    good = path.read_text("utf-8")
    page.goto(url)
    wait_drawn(page)
    path.write_text("title: [", "utf-8")
    page.locator("#f-title").fill("Held back")
    page.keyboard.press("Tab")
    status = page.locator(".status")
    expect(status).to_have_text(re.compile(r"Not saved: .*broken\.yaml cannot be read"))
    expect(status.locator(".bad")).to_be_visible()
    page.wait_for_timeout(1500)
    expect(status).to_have_text(re.compile("Not saved"))
    assert path.read_text("utf-8") == "title: ["
    path.write_text(good, "utf-8")
    wrote(page, path, "Held back")
    saved(page)


def test_a_studio_that_was_started_anew_is_saved_to(browser: Browser, tmp_path: Path) -> None:
    root = copied(tmp_path)
    server = Server(root)
    context = browser.new_context(base_url=server.url, locale="en")
    page = context.new_page()
    page.goto("/g/twd/cards/hatchet")
    wait_drawn(page)
    server.stop()
    page.locator("#f-name").fill("Typed alone")
    page.keyboard.press("Tab")
    expect(page.locator(".status")).to_have_text(re.compile("Not saved: Studio does not answer"))
    again = Server(root, int(server.url.rpartition(":")[2]))
    try:
        wrote(page, root / EQUIPMENT, "name: Typed alone")
        saved(page)
        page.locator("#f-name").fill("And on")
        page.keyboard.press("Tab")
        wrote(page, root / EQUIPMENT, "name: And on")
    finally:
        context.close()
        again.stop()

"""A newer catalogue, looked at and installed in a real Chromium."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.studio.conftest import copied
from tests.studio.test_catalogue import BAND, TROUPE, newer

pytest.importorskip("playwright")

from playwright.sync_api import Page, expect

from tests.studio.browser import MARKS, wrote

pytestmark = MARKS


@pytest.fixture(scope="module")
def game() -> str:
    return "arena"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, game: str) -> Path:
    """The arena with no other bands than the one that is looked at."""
    made = copied(tmp_path_factory.mktemp("browser"), game)
    for path in (made / "cards/arena/bands").glob("*.yaml"):
        path.unlink()
    return made


@pytest.mark.parametrize("width", [1360, 420])
def test_a_pack_is_looked_at_decided_on_and_installed(page: Page, root: Path, width: int) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page.set_viewport_size({"width": width, "height": 900})
    (root / TROUPE).write_text(BAND, "utf-8")
    page.goto("/g/arena/bands/troupe")
    page.get_by_role("link", name="Catalogue").click()
    page.wait_for_url("**/catalogue", wait_until="load")
    pack = {"name": "axes.zip", "mimeType": "application/zip", "buffer": newer(root, 20 + width % 100)}
    page.locator("input[name=pack]").set_input_files(files=[pack])  # type: ignore[list-item]
    page.get_by_role("button", name="See what it changes").click()
    troupe = page.get_by_role("region", name="The Troupe")
    ember = troupe.get_by_role("group", name="Ember")
    expect(ember.locator(".figure")).to_have_text(re.compile(r"\d+ → \d+"))
    for side in ("as it is", "as it will be"):
        card = troupe.get_by_role("img", name=f"The card Ember {side}")
        card.scroll_into_view_if_needed()
        expect(card).to_have_js_property("complete", True)
        expect(card).not_to_have_js_property("naturalWidth", 0)
    assert Axe().run(page).violations_count == 0
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width, "nothing is wider than the window"
    ember.get_by_label("Keep playing the paper").focus()
    page.keyboard.press("Space")
    page.get_by_label("Install it all the same").check() if page.get_by_label(
        "Install it all the same"
    ).count() else None
    page.get_by_role("button", name="Install it", exact=True).press("Enter")
    expect(page.locator("#update")).to_contain_text("is installed")
    wrote(page, root / TROUPE, 'name: Cinder, weapons: [long-axe], version: "0.3"')
    wrote(page, root / TROUPE, 'name: Ember, weapons: [long-axe], version: "0.1"')
    page.goto("/g/arena/bands/troupe")
    expect(page.locator("#panel .versions")).to_contain_text("mixes versions")
    expect(page.locator("#panel .versions li").first).to_have_text(re.compile("0.1.*Ember"))


def test_a_pack_that_cannot_be_used_says_why(page: Page) -> None:
    page.goto("/g/arena/catalogue")
    pack = {"name": "holiday.zip", "mimeType": "application/zip", "buffer": b"not a zip"}
    page.locator("input[name=pack]").set_input_files(files=[pack])  # type: ignore[list-item]
    page.get_by_role("button", name="See what it changes").click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be unpacked")
    page.get_by_role("link", name="Another pack").click()
    expect(page.get_by_role("button", name="See what it changes")).to_be_visible()

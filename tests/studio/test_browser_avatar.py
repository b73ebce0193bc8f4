"""The way of somebody who makes an avatar: from nothing to paper, in a real Chromium."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from tests.studio.conftest import copied
from tests.studio.test_pictures import picture

pytest.importorskip("playwright")

from playwright.sync_api import Page, expect

from tests.studio.browser import MARKS, Server, drawn, open_browser, wait_drawn

pytestmark = MARKS


@pytest.fixture
def made(tmp_path: Path) -> Iterator[tuple[Page, Path]]:
    root = copied(tmp_path, "arena")
    server = Server(root)
    try:
        with open_browser() as browser:
            page = browser.new_page(base_url=server.url, viewport={"width": 1360, "height": 1000}, locale="en")
            page.set_default_timeout(30_000)
            expect.set_options(timeout=30_000)
            yield page, root
    finally:
        server.stop()


def test_an_avatar_from_nothing_to_paper(made: tuple[Page, Path]) -> None:
    page, root = made
    # A band of one's own, begun with the avatar that is chosen.
    page.goto("/g/arena/bands")
    page.get_by_role("option", name=re.compile("^Ash Colossus")).click(button="right")
    page.get_by_role("menuitem", name="New band with these").click()
    page.get_by_label("Title").fill("The Long Ember")
    page.get_by_label("Whose it is").fill("Marta")
    page.get_by_role("button", name="Make it").click()
    page.wait_for_url("**/bands/marta/the-long-ember")
    wait_drawn(page)
    panel = page.locator("#panel")
    # Trained too far: the card shows it, the verdict says why.
    count = drawn(page)
    page.locator("#f-avatars-0-train-agility").fill("9")
    wait_drawn(page, count)
    expect(panel.locator(".verdict")).to_contain_text("illegal")
    expect(panel.locator("#findings")).to_contain_text("ADM-007")
    # Mended by what is offered.
    page.keyboard.press("Tab")
    panel.get_by_role("button", name="Show what would mend it").click()
    page.locator("#mends").get_by_role("button", name=re.compile("from 9 to 5")).first.click()
    expect(page.locator("#f-avatars-0-train-agility")).to_have_value("5")
    expect(panel.locator("#findings")).not_to_contain_text("ADM-007")
    # A photograph of one's own miniature.
    count = drawn(page)
    before = page.locator("#preview").get_attribute("src")
    page.locator("[data-upload='f-avatars-0-photo']").click()
    photo = {"name": "mini.jpg", "mimeType": "image/jpeg", "buffer": picture(300, 400)}
    page.locator("#crop input[type=file]").set_input_files(files=[photo])  # type: ignore[list-item]
    page.get_by_role("button", name="Use it").click()
    wait_drawn(page, count)
    assert page.locator("#preview").get_attribute("src") != before
    source = str(page.locator("#preview").get_attribute("src"))
    shown = Image.open(io.BytesIO(base64.b64decode(source.partition(",")[2]))).convert("RGB")
    found = shown.getcolors(shown.width * shown.height) or []
    red = sum(count for count, (r, g, b) in found if r > 230 and g < 40 and b < 40)  # type: ignore[misc]
    assert red > 200, "the photograph is on the card"
    # Another is recruited, and all of it printed.
    page.locator("select[name='a.avatars']").select_option("bone-advocate")
    expect(page.locator("#editor .entries > li")).to_have_count(2)
    page.get_by_role("button", name="Print my band").click()
    page.get_by_role("button", name="Print", exact=True).click()
    expect(page.locator("#band-job")).to_contain_text("Done", timeout=240_000)
    for link in page.locator("#band-job .files a[data-view]").all():
        assert page.request.get(str(link.get_attribute("href"))).body().startswith(b"%PDF")
    assert "photo: photos/mini-" in (root / "cards/arena/bands/marta/the-long-ember.yaml").read_text("utf-8")

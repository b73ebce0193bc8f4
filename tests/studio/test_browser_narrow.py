"""Studio in windows of any width, beside a scroll bar that takes room: no page scrolls sideways."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.studio.conftest import copied
from tests.studio.test_catalogue import newer

pytest.importorskip("playwright")

from playwright.sync_api import Page, expect

from tests.studio.browser import MARKS, PATIENCE, open_browser, wait_drawn

pytestmark = MARKS

WIDTHS = (320, 420, 768, 1360)
WIDER = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const wide = [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > width)
    .map((one) => `${one.tagName}.${one.className}#${one.id} ${Math.round(one.getBoundingClientRect().right)}`).slice(0, 12);
  return [`${document.documentElement.scrollWidth} of ${width}`, ...wide];
}"""
LONG = """title: {title}
kind: warband
faction: gollnir
gold: 900
avatars:
  - {{card: rime-breaker, name: {name}, train: {{agility: 9}}}}
  - {{card: rime-breaker, name: {name}}}
"""
PAGES = (
    "/",
    "/g/arena/bands",
    "/g/arena/bands/ash-and-office",
    "/g/arena/bands/landslide?mend=1",
    "/g/arena/bands/the-quarrymasters-and-stonecutters-of-the-lower-galleries",
    "/g/arena/cards",
    "/g/arena/cards?kind=trait",
    "/g/arena/cards/ash-colossus",
    "/g/arena/catalogue",
    "/g/arena/print",
    "/g/arena/review/es?state=all",
    "/g/arena/review/es/ash-colossus?state=all",
    "/g/arena/review/ru/game?state=all",
    "/g/arena/cards/nobody",
)


@pytest.fixture(scope="module")
def game() -> str:
    return "arena"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, game: str) -> Path:
    """A project that has a band with names as long as they may be, which no window can break at a space."""
    made = copied(tmp_path_factory.mktemp("browser"), game)
    long = LONG.format(title="Quarrymasters" * 9, name="Stonecutter" * 3)
    (made / "cards/arena/bands/the-quarrymasters-and-stonecutters-of-the-lower-galleries.yaml").write_text(
        long, "utf-8"
    )
    return made


@pytest.fixture(scope="module")
def barred(server: Any) -> Iterator[Page]:
    """A page whose scroll bar stands beside it."""
    with open_browser(bars=True) as browser:
        page = browser.new_page(base_url=server.url)
        page.set_default_timeout(PATIENCE * 1000)
        page.set_viewport_size({"width": 420, "height": 800})
        page.goto("/g/arena/cards")
        room = page.evaluate("() => innerWidth - document.documentElement.clientWidth")
        assert room > 5, "the scroll bar takes no room"
        yield page


def too_wide(page: Page) -> dict[int, list[str]]:
    found = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        found[width] = page.evaluate(WIDER)
    return {width: wide for width, wide in found.items() if wide}


@pytest.mark.parametrize("lang", ["en", "es"])
def test_no_page_scrolls_sideways(barred: Page, lang: str) -> None:
    barred.set_extra_http_headers({"accept-language": lang})
    found = {}
    for url in PAGES:
        barred.goto(url)
        if re.search(r"^/g/arena/(bands|cards)/(?!nobody)", url):
            wait_drawn(barred)
        if "mend" in url:
            expect(barred.locator("#fix-all")).to_be_visible()
        found[url] = too_wide(barred)
    assert {url: wide for url, wide in found.items() if wide} == {}


def test_what_a_pack_changes_and_dialogs_scroll_nobody_sideways(barred: Page, root: Path, tmp_path: Path) -> None:
    pack = tmp_path / "newer.zip"
    pack.write_bytes(newer(root, 30))
    barred.goto("/g/arena/catalogue")
    barred.locator("input[type=file]").set_input_files(pack)
    barred.locator("#offer").click()
    expect(barred.locator("form.update")).to_be_visible()
    assert too_wide(barred) == {}
    barred.goto("/g/arena/bands/ash-and-office")
    wait_drawn(barred)
    for opener in ("[data-open='#print-band']", "[data-open='#remove']", "[data-upload='f-avatars-0-photo']"):
        barred.set_viewport_size({"width": 1360, "height": 800})
        button = barred.locator(opener).first
        button.evaluate("one => { const item = one.closest('details'); if (item) item.open = true; }")
        button.click()
        dialog = barred.locator("dialog[open]")
        expect(dialog).to_be_visible()
        assert too_wide(barred) == {}, opener
        for width in WIDTHS:
            barred.set_viewport_size({"width": width, "height": 800})
            assert dialog.evaluate("one => one.scrollWidth - one.clientWidth") <= 0, (opener, width)
        barred.keyboard.press("Escape")

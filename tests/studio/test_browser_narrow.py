"""Studio on a telephone: no page scrolls sideways."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import Page

from tests.studio.browser import MARKS, wait_drawn

pytestmark = MARKS

WIDER = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > width + 1)
    .map((one) => `${one.tagName}.${one.className}#${one.id} ${Math.round(one.getBoundingClientRect().right)}`).slice(0, 12);
}"""


@pytest.fixture(scope="module")
def game() -> str:
    return "arena"


@pytest.mark.parametrize("lang", ["en", "es"])
def test_no_page_scrolls_sideways_at_420_pixels(page: Page, lang: str) -> None:
    page.set_viewport_size({"width": 420, "height": 800})
    page.set_extra_http_headers({"accept-language": lang})
    found = {}
    for url in ("", "bands", "bands/ash-and-office", "cards", "cards/ash-colossus", "catalogue", "print", "review"):
        page.goto(f"/g/arena/{url}" if url else "/")
        if url.startswith(("bands/", "cards/")):
            wait_drawn(page)
        found[url] = page.evaluate(WIDER)
    assert {url: wide for url, wide in found.items() if wide} == {}

"""Reviewing a translation in a real Chromium: by keyboard, in two tabs, while others write."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from tests.studio.conftest import copied

pytest.importorskip("playwright")

from playwright.sync_api import Locator, Page, Route, expect

from tests.studio.browser import MARKS, PATIENCE, WORK, Gate, wrote

pytestmark = MARKS

PO = "cards/twd/i18n/es.po"
EQUIPMENT = "cards/twd/cards/equipment.yaml"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set of which four texts are not done: two are stale, one is missing, one was never reviewed."""
    root = copied(tmp_path_factory.mktemp("review"))
    cards = (root / EQUIPMENT).read_text("utf-8")
    cards = cards.replace("name: Camp Hatchet", "name: Old Camp Hatchet").replace("name: Crowbar", "name: Bent Crowbar")
    (root / EQUIPMENT).write_text(cards, "utf-8")
    text = (root / PO).read_text("utf-8")
    text = re.sub(r'(msgctxt "fire-axe/name"\nmsgid ".*"\nmsgstr )".*"', r'\1""', text)
    text = re.sub(r'(msgctxt "combat-knife/name")', r"#, fuzzy\n\1", text)
    (root / PO).write_text(text, "utf-8")
    return root


@pytest.fixture
def page(page: Page) -> Page:
    page.on("dialog", lambda dialog: dialog.accept())
    return page


def row(page: Page, context: str) -> Locator:
    return page.locator(f'article[data-context="{context}"]')


def picture(page: Page, count: int = 0) -> str:
    """The translated card's picture, once it was drawn again."""
    place = page.locator('[data-picture="target"]')
    until = time.monotonic() + PATIENCE
    while int(place.get_attribute("data-drawn") or 0) <= count:
        assert time.monotonic() < until, "no picture came"
        page.wait_for_timeout(20)
    return place.get_attribute("src") or ""


def test_the_difference_is_marked_the_text_is_measured_and_accepted(page: Page, root: Path) -> None:
    page.goto("/g/twd/review/es/hatchet?state=stale")
    name = row(page, "hatchet/name")
    expect(name.locator("ins")).to_have_text("Old ")
    expect(name.locator(".state")).to_have_text("source changed")
    before = picture(page)
    assert page.locator('[data-picture="source"]').get_attribute("src") != before
    drawn = int(page.locator('[data-picture="target"]').get_attribute("data-drawn") or 0)
    name.get_by_role("textbox").fill("Hacha vieja de campamento")
    assert picture(page, drawn) != before, "the card is drawn with what is typed"
    expect(name.locator(".fit")).to_have_text(re.compile("fits"))
    wrote(page, root / PO, "Hacha vieja de campamento")
    expect(name.locator(".state")).to_have_text("source changed")
    name.get_by_role("button", name="It is right").click()
    expect(name.locator(".state")).to_have_text("done")
    wrote(page, root / PO, 'msgid "Old Camp Hatchet"\nmsgstr "Hacha vieja de campamento"')


def test_from_text_to_text_by_keyboard(page: Page, root: Path) -> None:
    page.goto("/g/twd/review/es/fire-axe?state=open")
    expect(page.get_by_role("link", name="Fire Axe")).to_have_attribute("aria-current", "page")
    area = row(page, "fire-axe/name").get_by_role("textbox")
    area.focus()
    page.keyboard.type("Hacha de bombero")
    page.keyboard.press("Alt+ArrowDown")
    expect(row(page, "fire-axe/rules").get_by_role("textbox")).to_be_focused()
    page.keyboard.press("Alt+ArrowUp")
    expect(area).to_be_focused()
    page.keyboard.press("Control+Enter")
    # Nothing else of this card is open: the next card of the list is shown.
    page.wait_for_url(re.compile("/review/es/(?!fire-axe)"))
    wrote(page, root / PO, 'msgctxt "fire-axe/name"\nmsgid "Fire Axe"\nmsgstr "Hacha de bombero"')
    assert "open" in page.url


def test_two_tabs_and_an_editor_lose_nothing(page: Page, root: Path) -> None:
    page.goto("/g/twd/review/es/crowbar?state=all")
    other = page.context.new_page()
    other.goto("/g/twd/review/es/crowbar?state=all")
    here, there = (row(one, "crowbar/name").get_by_role("textbox") for one in (page, other))
    there.fill("Palanca de la otra")
    other.keyboard.press("Tab")
    # What nobody types in follows.
    expect(here).to_have_value("Palanca de la otra")
    # Both write: it is asked. What is typed is saved by itself soon, but not before the other has written.
    gate = Gate(page, "**/save")
    here.fill("Palanca mía")
    text = (root / PO).read_text("utf-8")
    (root / PO).write_text(text.replace("Palanca de la otra", "Palanca del editor"), "utf-8")
    gate.open()
    page.keyboard.press("Tab")
    ask = row(page, "crowbar/name").locator(".conflict")
    expect(ask).to_contain_text("Palanca del editor")
    assert "Palanca mía" not in (root / PO).read_text("utf-8")
    ask.get_by_role("button", name="Keep mine").click()
    wrote(page, root / PO, "Palanca mía")
    expect(ask).to_have_count(0)
    expect(there).to_have_value("Palanca mía")
    other.close()


def test_the_other_text_can_be_taken(page: Page, root: Path) -> None:
    page.goto("/g/twd/review/es/combat-knife?state=all")
    area = row(page, "combat-knife/flavour").get_by_role("textbox")
    old = area.input_value()
    gate = Gate(page, "**/save")
    area.fill(f"{old} Mío.")
    text = (root / PO).read_text("utf-8")
    (root / PO).write_text(text.replace(old, "Otra línea del editor."), "utf-8")
    gate.open()
    page.keyboard.press("Tab")
    ask = row(page, "combat-knife/flavour").locator(".conflict")
    ask.get_by_role("button", name="Take what is on the disk").click()
    expect(area).to_have_value("Otra línea del editor.")
    page.wait_for_timeout(1800)
    assert "Mío." not in (root / PO).read_text("utf-8")


def test_what_does_not_fit_is_measured_and_listed(page: Page, root: Path) -> None:
    text = (root / PO).read_text("utf-8")
    context = 'msgctxt "twin-machetes/flavour"'
    at = text.index("msgstr", text.index(context))
    end = text.index("\n\n", at)
    (root / PO).write_text(text[:at] + f'msgstr "{"larguísima línea " * 30}"' + text[end:], "utf-8")
    page.goto("/g/twd/review/es?state=unfit")
    expect(page.locator(".units a").first).to_contain_text("Twin Machetes", timeout=WORK * 1000)
    long = row(page, "twin-machetes/flavour")
    expect(long.locator(".fit")).to_have_text(re.compile("mm too long"))
    # It is asked about before it is accepted; what was typed is kept as a draft until then.
    long.locator("textarea").press("End")
    long.locator("textarea").press_sequentially("de más")
    long.get_by_role("button", name="It is right").click()
    expect(long.locator(".status")).to_have_text(re.compile("mm too long. Kept as a draft"))
    expect(long.locator(".state")).to_have_text("done")
    long.locator("textarea").press("Control+Enter")
    expect(long.locator(".status")).to_have_text("Saved")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("address", ["hatchet?state=all", "labels?state=all", "crowbar?state=stale"])
def test_axe_finds_nothing(page: Page, address: str, theme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    page.goto(f"/g/twd/review/es/{address}")
    page.wait_for_timeout(1500)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_the_review_speaks_spanish(page: Page) -> None:
    page.goto("/g/twd/review/ru/hatchet?state=all")
    page.get_by_role("button", name="Español").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Revisión")
    expect(row(page, "hatchet/name").locator(".fit")).to_have_text(re.compile("cabe"))


def test_what_was_measured_before_the_page_listened_is_shown_all_the_same(page: Page, root: Path) -> None:
    """The word that measuring is done may come between the page and its connection for such words."""
    page.goto("/g/twd/review/es?state=unfit")
    expect(page.locator("#measuring")).to_have_count(0, timeout=WORK * 1000)
    # A page as it was sent while cards were measured, of a Studio that is long done with it.
    asked = 0

    def early(route: Route) -> None:
        nonlocal asked
        asked += 1
        if asked > 1:
            route.continue_()
            return
        answer = route.fetch()
        told = '<p class="faint" id="measuring" role="status">Cards are being measured</p>'
        body, count = re.subn(r'(<section class="units"[^>]*>)', rf"\1{told}", answer.text(), count=1)
        assert count == 1, body
        route.fulfill(response=answer, body=body)

    page.route("**/review/es?state=unfit", early)
    page.goto("/g/twd/review/es?state=unfit")
    expect(page.locator("#measuring")).to_have_count(0)
    assert asked >= 3, "the page, what it asks for, the page as it is now"

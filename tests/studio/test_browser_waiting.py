"""What a page shows while it waits: a verdict that is asked for, a form that was sent, a Studio that was started anew."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from tests.studio.conftest import ROOT, copied

pytest.importorskip("playwright")

from playwright.sync_api import Browser, Page, expect

from tests.studio.browser import MARKS, PATIENCE, Gate, Server, drawn, opened, wait_drawn, wrote

pytestmark = MARKS

BAND = (ROOT / "cards/twd/bands/granary-100.yaml").read_text("utf-8").partition("\nexpect:")[0] + "\n"
assert BAND.count("\nlimit: 100\n") == 1
FILE, URL = "cards/twd/bands/waiting.yaml", "/g/twd/bands/waiting"
ASKED, VERDICT = re.compile(r"\basked\b"), "#panel .verdict strong"


@pytest.fixture
def band(root: Path) -> Path:
    path = root / FILE
    path.write_text(BAND, "utf-8")
    return path


def test_a_verdict_is_grey_until_it_is_judged_anew(page: Page, band: Path) -> None:
    opened(page, URL)
    panel = page.locator("#panel")
    expect(page.locator(VERDICT)).to_have_text("legal")
    expect(panel).not_to_have_class(ASKED)
    gate = Gate(page, "**/preview")
    page.locator("#f-limit").fill("1")
    expect(panel).to_have_class(ASKED)
    gate.wait()
    # What stands there is still of what was.
    expect(page.locator(VERDICT)).to_have_text("legal")
    expect(panel).to_have_class(ASKED)
    gate.open()
    expect(page.locator(VERDICT)).to_have_text("illegal")
    expect(panel).not_to_have_class(ASKED)


def test_a_verdict_stays_grey_when_it_cannot_be_judged(page: Page, band: Path) -> None:
    opened(page, URL)
    page.route("**/preview", lambda route: route.abort())
    page.locator("#f-limit").fill("150")
    expect(page.locator("#notes")).to_contain_text("Studio does not answer")
    expect(page.locator("#panel")).to_have_class(ASKED)
    page.unroute("**/preview")
    page.locator("#f-limit").fill("151")
    expect(page.locator("#panel")).not_to_have_class(ASKED)


def test_a_fix_makes_the_verdict_grey_before_it_is_saved(page: Page, band: Path) -> None:
    band.write_text(BAND.replace("limit: 100", "limit: 60"), "utf-8")
    opened(page, URL)
    expect(page.locator(VERDICT)).to_have_text("illegal")
    page.locator("#show-fixes").click()
    fix = page.locator("#mends [data-save-to]").first
    fix.wait_for()
    gate = Gate(page, "**/save")
    fix.click()
    expect(page.locator("#panel")).to_have_class(ASKED)
    expect(page.locator(VERDICT)).to_have_text("illegal")
    gate.open()
    expect(page.locator("#panel")).not_to_have_class(ASKED)


def test_a_form_that_is_sent_twice_makes_one(page: Page, root: Path) -> None:
    """Both presses carry the same mark; what is asked for after the answer carries another."""
    page.goto("/g/twd/bands")
    before = {path.name for path in (root / "cards/twd/bands").glob("*.yaml")}
    marks: list[str] = []
    page.on(
        "request",
        lambda it: (
            marks.extend(re.findall(r"_once=([^&]+)|name=\"_once\"\s+(\S+)", it.post_data or ""))
            if it.url.endswith("/bands/new")
            else None
        ),
    )
    page.locator(".head [data-open='#new-band']").click()
    page.locator("#new-band [name=title]").fill("Pressed Twice")
    gate = Gate(page, "**/bands/new")
    # As two presses before the first answer, whichever way they come.
    page.locator("#new-band form").evaluate("(form) => { form.requestSubmit(); form.requestSubmit(); }")
    gate.wait()
    gate.open()
    page.wait_for_url(re.compile("/g/twd/bands/pressed-twice"))
    made = {path.name for path in (root / "cards/twd/bands").glob("*.yaml")} - before
    assert made == {"pressed-twice.yaml"}
    assert marks and len(set(marks)) == 1


def test_a_form_that_was_answered_may_be_sent_again(page: Page, root: Path) -> None:
    """A refusal, or an answer that leaves the page where it is, uses its mark up."""
    page.goto("/g/twd/bands")
    page.locator(".head [data-open='#new-band']").click()
    mark = page.locator("#new-band [name=_once]")
    first = mark.input_value()
    page.locator("#new-band [name=title]").evaluate("(input) => input.removeAttribute('required')")
    page.locator("#make-band").click()
    expect(page.locator("#notes")).not_to_be_empty()
    expect(mark).not_to_have_value(first)
    page.locator("#new-band [name=title]").fill("Asked Again")
    page.locator("#make-band").click()
    page.wait_for_url(re.compile("/g/twd/bands/asked-again"))
    assert (root / "cards/twd/bands/asked-again.yaml").exists()


def test_a_studio_that_was_started_anew_judges_anew_by_itself(browser: Browser, tmp_path: Path) -> None:
    """Whoever looks at an open band sees what holds now, without touching the page."""
    root = copied(tmp_path)
    path = root / FILE
    path.write_text(BAND, "utf-8")
    server = Server(root)
    context = browser.new_context(base_url=server.url, locale="en")
    page = context.new_page()
    expect.set_options(timeout=60_000)
    opened(page, URL)
    expect(page.locator(VERDICT)).to_have_text("legal")
    server.process.kill()
    server.stop()
    # While nobody looks after it, somebody else changes the file, and the page is asked and gets no answer.
    page.locator("#f-title").fill("Typed alone")
    expect(page.locator("#panel")).to_have_class(ASKED)
    path.write_text(BAND.replace("limit: 100", "limit: 7"), "utf-8")
    again = Server(root, int(server.url.rpartition(":")[2]))
    try:
        expect(page.locator(VERDICT)).to_have_text("illegal")
        expect(page.locator("#panel")).not_to_have_class(ASKED)
        wrote(page, path, "Typed alone")
        assert "limit: 7" in path.read_text("utf-8")
        # The status says so as well, until the next save of the page says something else.
        expect(page.locator("#f-limit")).to_have_value("7")
        # Nor is anything asked once more as long as it is the same Studio: what is under way comes to an end.
        until, count = time.monotonic() + PATIENCE, -1
        while count != drawn(page):
            assert time.monotonic() < until, "it is drawn again and again"
            count = drawn(page)
            page.wait_for_timeout(1500)
    finally:
        context.close()
        again.stop()


def test_a_studio_that_was_started_anew_judges_an_untouched_page(browser: Browser, tmp_path: Path) -> None:
    root = copied(tmp_path)
    (root / FILE).write_text(BAND, "utf-8")
    server = Server(root)
    context = browser.new_context(base_url=server.url, locale="en")
    page = context.new_page()
    opened(page, URL)
    count = drawn(page)
    server.process.kill()
    server.stop()
    again = Server(root, int(server.url.rpartition(":")[2]))
    try:
        wait_drawn(page, count)
        expect(page.locator(VERDICT)).to_have_text("legal")
    finally:
        context.close()
        again.stop()


def test_whoever_asks_for_fixes_sees_that_they_are_looked_for(page: Page, band: Path) -> None:
    band.write_text(BAND.replace("limit: 100", "limit: 60"), "utf-8")
    opened(page, URL)
    gate = Gate(page, "**/mends")
    page.locator("#show-fixes").click()
    expect(page.locator("#mends")).to_have_text(re.compile("Looking for"))
    gate.open()
    expect(page.locator("#mends .searching")).to_have_count(0)
    page.locator("#mends [data-save-to]").first.wait_for()

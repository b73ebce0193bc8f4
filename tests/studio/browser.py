"""A real Chromium over a real Studio, for the browser tests, the benchmark and the pictures of the documentation."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

# The background networking is off: nothing here may ask anybody but Studio.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
    "--no-pings",
]


def chromium() -> str | None:
    """The system's Chromium."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


# In seconds: only a machine that is busy with much else takes so long.
PATIENCE = 60
# The same of what workers do with a whole band or game: sheets, measurements of every card.
WORK = 300

# Every module of browser tests has these.
MARKS = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(chromium() is None, reason="there is no Chromium"),
    # What Playwright leaves to the collector is its own.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning"),
]


@contextmanager
def open_browser(bars: bool = False) -> Iterator[Browser]:
    """A Chromium; with `bars` its scroll bars take room beside the page, as those of most desktops do."""
    with sync_playwright() as playwright:
        # The engine hides the system's fonts from the process that it is imported in, and with that from this one's
        # children; a Chromium without any font ends at the first page that needs one.
        own = {name: value for name, value in os.environ.items() if name != "FONTCONFIG_FILE"}
        browser = playwright.chromium.launch(
            executable_path=chromium(),
            args=ARGUMENTS,
            env=own,
            ignore_default_args=["--hide-scrollbars"] if bars else None,
        )
        try:
            yield browser
        finally:
            browser.close()


class Server:
    """Studio in a process of its own, as `cardgen studio` starts it."""

    def __init__(self, project: Path, port: int = 0) -> None:
        command = [
            sys.executable,
            "-m",
            "cardgen",
            "studio",
            "--no-open",
            "--port",
            str(port),
            "--project",
            str(project),
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line
        self.url = found[0].rstrip("/")

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        if self.process.stdout is not None:
            self.process.stdout.close()


def drawn(page: Page) -> int:
    """How many previews the page has shown."""
    return int(page.locator("#preview").get_attribute("data-drawn") or 0)


def wait_drawn(page: Page, more_than: int = 0) -> None:
    """Wait for a preview after the first `more_than`; by asking, for a page's policy lets nobody evaluate texts."""
    until = time.monotonic() + PATIENCE
    while drawn(page) <= more_than:
        assert time.monotonic() < until, "no preview came"
        page.wait_for_timeout(20)


def opened(page: Page, url: str) -> Page:
    """The page at an address, once its first preview is there."""
    page.goto(url)
    wait_drawn(page)
    return page


def saved(page: Page) -> None:
    expect(page.locator(".status")).to_have_text(re.compile("Saved"))


def wrote(page: Page, path: Path, text: str, absent: bool = False) -> None:
    """Wait until a file says something, or no longer says it; one that is not there says nothing."""

    def said() -> str:
        return path.read_text("utf-8") if path.exists() else ""

    until = time.monotonic() + PATIENCE
    while (text in said()) == absent:
        assert time.monotonic() < until, said()
        page.wait_for_timeout(50)


class Gate:
    """Holds the requests to an address until it is opened."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.waiting: list[Route] = []
        self.is_open = False
        page.route(address, self._came)

    def _came(self, route: Route) -> None:
        if self.is_open:
            route.continue_()
        else:
            self.waiting.append(route)

    def open(self) -> None:
        """Let those that wait go on, and all that come."""
        self.is_open = True
        while self.waiting:
            self.waiting.pop(0).continue_()

    def wait(self) -> None:
        """Until something waits."""
        until = time.monotonic() + PATIENCE
        while not self.waiting:
            assert time.monotonic() < until, "the page has asked nothing"
            self.page.wait_for_timeout(20)

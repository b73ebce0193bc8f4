"""A real Chromium over a real Studio, for the browser tests, the benchmark and the pictures of the documentation."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Error, Page, Playwright, sync_playwright

# The background networking is off: nothing here may ask anybody but Studio.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-dev-shm-usage",
    "--disable-gpu",
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


class Browsers:
    """A Chromium that is there whenever it is asked for: one that has ended, under load or by its own fault, is started
    anew."""

    def __init__(self, playwright: Playwright) -> None:
        self._playwright = playwright
        self._browser: Browser | None = None

    def get(self) -> Browser:
        """A browser that has just shown a page."""
        for _ in range(3):
            if self._browser is None or not self._browser.is_connected():
                self._browser = self._playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
            try:
                page = self._browser.new_page()
                page.goto("about:blank")
                page.close()
            except Error:
                self._browser = None
                continue
            return self._browser
        raise AssertionError("Chromium does not stay open")

    def close(self) -> None:
        """End the browser, if there is one."""
        if self._browser is not None and self._browser.is_connected():
            self._browser.close()


@contextmanager
def open_browsers() -> Iterator[Browsers]:
    with sync_playwright() as playwright:
        made = Browsers(playwright)
        try:
            yield made
        finally:
            made.close()


@contextmanager
def open_browser() -> Iterator[Browser]:
    with open_browsers() as made:
        yield made.get()


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
    until = time.monotonic() + 20
    while drawn(page) <= more_than:
        assert time.monotonic() < until, "no preview came"
        page.wait_for_timeout(20)

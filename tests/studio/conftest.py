"""A small project of two games' cards to edit, and Studio over it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from cardgen.studio.app import create_app

ROOT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1:8321"


def copied(folder: Path, game: str = "twd") -> Path:
    """A project of its own: one game to change as one likes, the rest as it is shipped."""
    root = folder / "project"
    shutil.copytree(ROOT / "cards" / game, root / "cards" / game)
    (root / "cardgen.yaml").write_text(f"name: A shelf of games\ngames: [{game}]\n")
    return root


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return copied(tmp_path)


class Browser:
    """Studio, asked as its own pages ask it."""

    def __init__(self, client: TestClient, token: str) -> None:
        self.client = client
        self.token = token

    def get(self, url: str, **more: Any) -> Any:
        return self.client.get(url, **more)

    def post(self, url: str, fields: list[tuple[str, str]] | dict[str, str], **headers: str) -> Any:
        body = urlencode(fields)
        sent = {
            "x-csrf-token": self.token,
            "content-type": "application/x-www-form-urlencoded",
            "hx-request": "true",
            **headers,
        }
        return self.client.post(url, content=body, headers=sent)

    def refresh(self) -> Any:
        """See what lies on the disk, as Studio does by itself; the workshop."""
        app: Any = self.client.app
        app.state.studio.workshop.refresh()
        return app.state.studio.workshop

    def form(self, url: str) -> list[tuple[str, str]]:
        """What the editor's form on a page would send."""
        answer = self.get(url)
        assert answer.status_code == 200, answer.text
        return form_of(answer.text)


class _Form(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.inside = self.select = self.area = ""
        self.value: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if tag == "form":
            self.inside = told.get("id") or ""
        if self.inside not in ("editor", "*"):
            return
        name = told.get("name") or ""
        if tag == "input" and name and (told.get("type") not in ("checkbox", "radio") or "checked" in told):
            self.found.append((name, told.get("value") or ""))
        elif tag == "select":
            self.select, self.value = name, None
        elif tag == "option" and self.select and (self.value is None or "selected" in told):
            self.value = told.get("value") or ""
        elif tag == "textarea":
            self.area, self.value = name, ""

    def handle_data(self, data: str) -> None:
        if self.area:
            self.value = (self.value or "") + data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = ""
        elif tag == "select" and self.select:
            self.found.append((self.select, self.value or ""))
            self.select = ""
        elif tag == "textarea" and self.area:
            self.found.append((self.area, self.value or ""))
            self.area = ""


def form_of(html: str, whole: bool = False) -> list[tuple[str, str]]:
    """The names and values of the editor's form in a page, or of all of a piece of it."""
    reader = _Form()
    reader.inside = "*" if whole else ""
    reader.feed(html)
    return reader.found


def changed(form: list[tuple[str, str]], **values: str) -> list[tuple[str, str]]:
    """The form with other values of fields (`name` stands for `v.name`)."""
    known = {f"v.{name}": value for name, value in values.items()}
    return [(name, known.get(name, value)) for name, value in form]


@pytest.fixture
def studio(project: Path) -> Iterator[Browser]:
    app = create_app(project, [HOST], jobs=1, watch=False)
    with TestClient(app, base_url=f"http://{HOST}") as client:
        yield Browser(client, app.state.studio.token)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Studio for tests that only look."""
    app = create_app(copied(tmp_path_factory.mktemp("shown")), [HOST], jobs=2, watch=False)
    with TestClient(app, base_url=f"http://{HOST}") as client:
        yield Browser(client, app.state.studio.token)


# --- in a browser ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium."""
    from tests.studio.browser import open_browser

    with open_browser() as made:
        yield made


@pytest.fixture(scope="module")
def game() -> str:
    """The game whose copy the browser's project has; modules may say another."""
    return "twd"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, game: str) -> Path:
    """The project that the server of a module shows."""
    return copied(tmp_path_factory.mktemp("browser"), game)


@pytest.fixture(scope="module")
def server(root: Path) -> Iterator[Any]:
    """Studio in a process of its own."""
    from tests.studio.browser import Server

    made = Server(root)
    yield made
    made.stop()


@pytest.fixture
def page(browser: Any, server: Any) -> Iterator[Any]:
    """A page of Studio that no script error may happen on."""
    from playwright.sync_api import expect

    from tests.studio.browser import PATIENCE

    context = browser.new_context(base_url=server.url, viewport={"width": 1360, "height": 900}, locale="en")
    made = context.new_page()
    made.set_default_timeout(PATIENCE * 1000)
    expect.set_options(timeout=PATIENCE * 1000)
    said: list[str] = []
    made.on("pageerror", lambda error: said.append(str(error)))
    made.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    yield made
    context.close()
    assert [text for text in said if "Failed to load resource" not in text] == []

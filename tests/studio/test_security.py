"""Who may ask Studio, what it refuses, and what its answers forbid."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.studio.conftest import Browser

CARD = "/g/twd/cards/hatchet"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:80", "localhost.evil.example:8321"])
def test_another_host_is_refused(shown: Browser, host: str) -> None:
    assert shown.get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [{"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}, {"x-csrf-token": "guess"},
     {"x-csrf-token": ""}, {"origin": "https://127.0.0.1:8321"}],
)  # fmt: skip
def test_another_site_cannot_change_anything(shown: Browser, headers: dict[str, str]) -> None:
    assert shown.post(f"{CARD}/save", {"v.name": "Evil"}, **headers).status_code == 403


def test_our_own_pages_can(shown: Browser) -> None:
    answer = shown.post(f"{CARD}/preview", shown.form(CARD), origin="http://127.0.0.1:8321")
    assert answer.status_code == 200


@pytest.mark.parametrize("url", ["/", CARD, "/static/studio.js", "/nothing"])
def test_every_answer_carries_the_policy(shown: Browser, url: str) -> None:
    headers = shown.get(url).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("url", ["/", CARD, "/g/twd/cards", "/g/twd/bands", "/g/twd/bands/granary-100", "/g/twd/print"])
def test_pages_hold_no_inline_script_or_style(shown: Browser, url: str) -> None:
    text = shown.get(url).text
    assert " style=" not in text
    assert "<style" not in text
    assert " onclick" not in text
    assert all("src=" in part.partition(">")[0] for part in text.split("<script")[1:])
    assert "//" not in text.replace("http://", "") or 'src="//' not in text


def test_too_much_is_refused(shown: Browser) -> None:
    assert shown.post(f"{CARD}/save", {"v.name": "x" * 2_100_000}).status_code == 413

    def endless() -> object:
        for _ in range(40):
            yield b"x" * 100_000

    headers = {"x-csrf-token": shown.token, "content-type": "application/x-www-form-urlencoded"}
    assert shown.client.post(f"{CARD}/save", content=endless(), headers=headers).status_code in (400, 413)


@pytest.mark.parametrize(
    "url",
    ["/g/twd/art/../../../cardgen.yaml", "/g/twd/art/%2e%2e/%2e%2e/game.yaml", "/font/../cardgen.yaml",
     "/static/../app.py", "/static/%2e%2e/app.py", "/g/twd/art/..%2fgame.yaml", "/g/twd/art/nope.svg"],
)  # fmt: skip
def test_nothing_outside_is_read(shown: Browser, url: str) -> None:
    assert shown.get(url).status_code in (404, 422)


def test_a_link_that_leads_out_is_not_followed(studio: Browser, project: Path) -> None:
    outside = project.parent / "secret.svg"
    outside.write_text("<svg/>")
    (project / "cards/twd/art/link.svg").symlink_to(outside)
    assert studio.get("/g/twd/art/link.svg").status_code == 404


def test_a_drawing_may_do_nothing_by_itself(shown: Browser) -> None:
    headers = shown.get("/g/twd/art/hatchet.svg").headers
    assert headers["content-type"] == "image/svg+xml"
    assert "sandbox" in headers["content-security-policy"]


def test_texts_of_cards_are_never_markup(studio: Browser) -> None:
    form = studio.form(CARD)
    evil = "<img src=x onerror=alert(1)>"
    studio.post(f"{CARD}/save", [(name, evil if name == "v.name" else value) for name, value in form])
    for url in (CARD, "/g/twd/cards"):
        assert evil not in studio.get(url).text


def test_a_band_cannot_be_written_outside(studio: Browser, project: Path) -> None:
    before = set(project.rglob("*"))
    studio.post("/g/twd/bands/new", {"kind": "group", "title": "../../x", "owner": "../../..", "_recruit": "skip"})
    assert {path.relative_to(project).parts[:3] for path in set(project.rglob("*")) - before} <= {
        ("cards", "twd", "bands")
    }

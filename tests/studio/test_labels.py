"""A label that pushes something out of its place is named by Studio's warnings as `check` names it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cardgen.studio.app import create_app
from tests.faces.test_findings import LABELLED, translated
from tests.studio.conftest import HOST, Browser
from tests.support import write_project

LONG = "Puntos que vale esta carta en la mesa, y mas que eso todavia, sin fin"
PO = "cards/g/i18n/es.po"


@pytest.fixture
def labelled(tmp_path: Path) -> Iterator[tuple[Browser, Path]]:
    root = write_project(tmp_path / "p", {**LABELLED, PO: translated(LONG)})
    app = create_app(root, [HOST], jobs=1, watch=False)
    with TestClient(app, base_url=f"http://{HOST}") as client:
        yield Browser(client, app.state.studio.token), root


def warnings(studio: Browser, lang: str) -> dict[str, str]:
    form = [*studio.form("/g/g/cards/axe"), ("_lang", lang)]
    answer = studio.post("/g/g/cards/axe/preview", form)
    assert answer.status_code == 200
    found: dict[str, str] = answer.json()["warnings"]
    return found


def test_the_label_is_named_with_its_line(labelled: tuple[Browser, Path]) -> None:
    studio, root = labelled
    assert warnings(studio, "en") == {}
    (told,) = (text for text in warnings(studio, "es").values() if "`.much`" in text)
    assert f"what may push it out is `labels/points` ({PO}:8:1)" in told
    # Mended in the catalog, as an editor or the review does: nobody is blamed any more.
    (root / PO).write_text(translated("Puntos"), "utf-8")
    studio.refresh()
    assert warnings(studio, "es") == {}


def test_a_card_s_own_text_is_told_beside_its_field(labelled: tuple[Browser, Path]) -> None:
    studio, root = labelled
    (root / PO).write_text(translated("Puntos", "Hacha " * 30 + "fin"), "utf-8")
    studio.refresh()
    found = warnings(studio, "es")
    assert set(found) == {"name"}
    assert "labels/" not in found["name"] and PO not in found["name"]

"""What the forms of a band's entries offer: how far training goes, options with their cost and whether they fit."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cardgen.studio.app import create_app
from tests.studio.conftest import HOST, Browser, changed, copied

URL = "/g/arena/bands/trained"
BAND = """title: Trained
kind: warband
faction: gollnir
gold: 900
avatars:
  - {card: rime-breaker, name: Ash}
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, Path]]:
    root = copied(tmp_path_factory.mktemp("trained"), "arena")
    (root / "cards/arena/bands/trained.yaml").write_text(BAND, "utf-8")
    app = create_app(root, [HOST], jobs=1, watch=False)
    with TestClient(app, base_url=f"http://{HOST}") as client:
        yield Browser(client, app.state.studio.token), root


def field(page: str, path: str) -> str:
    """The input of a field and what stands below it."""
    found = re.search(rf'<input[^>]*name="v\.{re.escape(path)}"[^>]*>.*?</div>', page, re.S)
    assert found is not None, path
    return html.unescape(found[0])


def test_training_says_what_is_printed_and_how_far_it_goes(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    page = studio.get(URL).text
    agility = field(page, "avatars.0.train.agility")
    assert 'placeholder="5"' in agility and 'max="7"' in agility and 'min="3"' in agility
    assert "printed 5; from 3 to 7" in agility and "disabled" not in agility
    soul = field(page, "avatars.0.train.soul")
    assert "disabled" in soul and "The soul cannot be trained." in soul
    spanish = studio.get(URL, headers={"accept-language": "es"}).text
    assert "impreso 3. El alma no se adiestra." in field(spanish, "avatars.0.train.soul")


def test_training_follows_the_type_and_the_readings_that_are_chosen(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    form = studio.form(URL)
    look = studio.post(f"{URL}/preview", changed(form, **{"avatars.0.card": "glasswood-archer"})).json()
    assert look["spans"]["avatars.0.train.agility"] == ["7", "printed 7; from 3 to 9", "3", "9"]
    look = studio.post(f"{URL}/preview", [*form, ("r.C37", "one")]).json()
    assert look["spans"]["avatars.0.train.agility"] == ["5", "printed 5; from 1 to 7", "1", "7"]


def test_quick_lists_tell_costs_and_what_does_not_fit_and_leave_out_what_everybody_has(
    served: tuple[Browser, Path],
) -> None:
    studio, _ = served
    page = studio.get(URL).text
    traits = re.search(r'<select name="a\.avatars\.0\.traits".*?</select>', page, re.S)
    actions = re.search(r'<select name="a\.avatars\.0\.actions".*?</select>', page, re.S)
    assert traits is not None and actions is not None
    assert re.search(r'value="long-memory">[^<]* · \d+</option>', traits[0])
    assert 'value="walk"' not in actions[0] and actions[0].count("<option") > 20
    sent = [("_path", "avatars.0.traits"), ("_judged", "1"), ("_quick", "1")]
    reasons = studio.post(f"{URL}/options", [*studio.form(URL), *sent]).json()
    assert reasons["long-memory"].startswith("ADM-022: ") and "hearth-luck" not in reasons
    whole = studio.post(f"{URL}/options", [*studio.form(URL), ("_path", "avatars.0.actions")]).text
    assert "Sprint" not in re.findall(r'aria-describedby[^>]*>([^<]*)<|">([^<]*)</button>', whole)
    assert "a.avatars.0.actions&#34;: &#34;walk" not in whole


def test_a_card_that_nobody_filled_in_is_not_called_legal(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    answer = studio.post("/g/arena/cards/new", {"name": "Nobody Yet", "kind": "avatar"})
    url = answer.headers["hx-redirect"]
    panel = studio.post(f"{url}/preview", studio.form(url)).json()["panel"]
    assert "not filled in yet" in panel and "<strong>legal" not in panel
    assert all(word in panel for word in ("Race", "Profession", "God", "Attributes"))
    form = changed(studio.form(url), race="elf", god="galanion", cost="40", **{"attributes.agility": "7"})
    panel = studio.post(f"{url}/preview", form).json()["panel"]
    assert "not filled in yet" not in panel and "<strong>legal" in panel
    panel = studio.post(f"{url}/preview", changed(form, name="")).json()["panel"]
    assert "<strong>legal" not in panel and "<strong>Name</strong>" in panel


def test_a_band_without_a_type_is_not_called_legal(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    panel = studio.post(f"{URL}/preview", changed(studio.form(URL), **{"avatars.0.card": ""})).json()["panel"]
    assert "<strong>legal" not in panel and "Type of avatar" in panel

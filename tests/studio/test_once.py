"""What is clicked twice is made once: cards, bands and prints."""

from __future__ import annotations

import re
from typing import Any

import pytest

from cardgen.studio.once import KEPT, Once
from tests.studio.conftest import Browser


def marks(studio: Browser, url: str) -> list[str]:
    return re.findall(r'name="_once" value="([^"]+)"', studio.get(url).text)


def counts(studio: Browser) -> tuple[int, int, int]:
    app: Any = studio.client.app
    workshop, jobs = app.state.studio.workshop, app.state.studio.jobs
    game = workshop.project.games["twd"]
    return len(game.cards), len(workshop.band_names(game)), len(jobs.jobs)


@pytest.mark.parametrize(
    ("page", "url", "fields", "place"),
    [
        ("cards?kind=equipment", "cards/new", {"kind": "equipment", "name": "Twice"}, 0),
        ("bands", "bands/new", {"kind": "", "title": "Twice"}, 1),
        ("print", "print", {"print": ""}, 2),
    ],
)
def test_a_double_click_makes_one(studio: Browser, page: str, url: str, fields: dict[str, str], place: int) -> None:
    app: Any = studio.client.app
    game = app.state.studio.workshop.project.games["twd"]
    known = {"kind": next(iter(game.bands)), "print": next(iter(game.prints))}
    fields = {name: value or known[name] for name, value in fields.items()}
    found = marks(studio, f"/g/twd/{page}")
    assert len(found) == 1 and found != marks(studio, f"/g/twd/{page}")
    before = counts(studio)
    answers = [studio.post(f"/g/twd/{url}", {**fields, "_once": found[0]}) for _ in range(2)]
    assert answers[0].headers.get("hx-redirect") or answers[0].status_code == 200
    assert answers[1].status_code == 204 and not answers[1].headers.get("hx-redirect")
    assert counts(studio)[place] == before[place] + 1
    # What is asked for anew is another one.
    assert studio.post(f"/g/twd/{url}", {**fields, "_once": "another"}).status_code in (200, 204)
    assert counts(studio)[place] == before[place] + 2


def test_a_band_is_printed_once_by_a_double_click(studio: Browser) -> None:
    app: Any = studio.client.app
    game = app.state.studio.workshop.project.games["twd"]
    url = f"/g/twd/bands/{app.state.studio.workshop.band_names(game)[0]}"
    mark = marks(studio, url)
    assert [studio.post(f"{url}/print", {"_once": mark[0]}).status_code for _ in range(2)] == [200, 204]
    assert counts(studio)[2] == 1


def test_marks_are_forgotten_in_their_order() -> None:
    once = Once()
    assert once.first("a") and not once.first("a") and once.first(None) and once.first("") and once.first("")
    assert all(once.first(str(number)) for number in range(KEPT))
    assert once.first("a") and not once.first(str(KEPT - 1))


def test_a_new_band_names_whom_it_begins_with_and_tiles_say_how_many_are_recruited(studio: Browser) -> None:
    app: Any = studio.client.app
    page = studio.get("/g/twd/bands").text
    told = re.search(r'data-none="Nobody is selected; it begins with ([^"]+)\."', page)
    assert told is not None
    kind = next(iter(app.state.studio.workshop.project.games["twd"].bands))
    made = studio.post("/g/twd/bands/new", {"kind": kind, "title": "Begun"}).headers["hx-redirect"]
    panel = studio.post(f"{made}/preview", studio.form(made)).json()["panel"]
    assert f'<th scope="row">{told[1]}</th>' in panel
    assert 'data-some="Recruit {count}"' in page
    spanish = studio.get("/g/twd/bands", headers={"accept-language": "es"}).text
    assert 'data-some="Reclutar {count}"' in spanish and "empieza con " in spanish

"""Pages and what they do, asked without a browser."""

from __future__ import annotations

import base64
import io
import json
import threading
from pathlib import Path

import pytest
from PIL import Image
from starlette.testclient import TestClient

from cardgen.studio.app import create_app
from tests.studio.conftest import HOST, Browser, changed, copied, form_of

CARD = "/g/twd/cards/hatchet"
BAND = "/g/twd/bands/granary-100"
FILE = "cards/twd/cards/equipment.yaml"


@pytest.mark.parametrize(
    "url",
    ["/", "/g/twd/cards", "/g/twd/cards?kind=survivor", CARD, "/g/twd/bands", BAND, "/g/twd/catalogue", "/g/twd/print"],
)
@pytest.mark.parametrize("lang", ["en", "es"])
def test_every_page_is_there_in_both_languages(shown: Browser, url: str, lang: str) -> None:
    answer = shown.get(url, headers={"accept-language": lang})
    assert answer.status_code == 200
    assert f'<html lang="{lang}">' in answer.text
    assert ("Bandas" if lang == "es" else "Bands") in answer.text


@pytest.mark.parametrize(
    "url", ["/g/nope/cards", "/g/twd/cards/nope", "/g/twd/bands/nope", "/g/twd/bands/../../x", "/x"]
)
def test_what_is_not_there_is_told(shown: Browser, url: str) -> None:
    assert shown.get(url).status_code in (404, 422)


def test_a_preview_is_the_engines_picture_of_what_is_typed(shown: Browser) -> None:
    form = shown.form(CARD)
    look = shown.post(f"{CARD}/preview", changed(form, name="Bone Saw")).json()
    assert look["errors"] == {}
    assert look["size"] == [63.0, 88.0]
    picture = Image.open(io.BytesIO(base64.b64decode(look["png"].partition(",")[2])))
    assert picture.size == pytest.approx((63 / 25.4 * 110, 88 / 25.4 * 110), abs=2)
    again = shown.post(f"{CARD}/preview", form).json()
    assert again["png"] != look["png"]


def test_an_invalid_value_is_told_at_its_field_and_not_saved(studio: Browser, project: Path) -> None:
    before = (project / FILE).read_bytes()
    form = changed(studio.form(CARD), points="many")
    look = studio.post(f"{CARD}/preview", form).json()
    assert "whole number" in look["errors"]["points"]
    assert "png" not in look
    assert "Not saved" in studio.post(f"{CARD}/save", form).text
    assert (project / FILE).read_bytes() == before


def test_saving_changes_one_line_and_undo_brings_the_very_bytes_back(studio: Browser, project: Path) -> None:
    before = (project / FILE).read_text("utf-8")
    answer = studio.post(f"{CARD}/save", changed(studio.form(CARD), points="9"))
    assert "Saved" in answer.text
    after = (project / FILE).read_text("utf-8")
    differing = [(a, b) for a, b in zip(before.splitlines(), after.splitlines(), strict=True) if a != b]
    assert len(differing) == 1
    assert differing[0][1] == differing[0][0].replace("points: 8", "points: 9")
    assert "hatchet" in studio.post(f"{CARD}/undo", {}).text
    assert (project / FILE).read_text("utf-8") == before
    studio.post(f"{CARD}/redo", {})
    assert (project / FILE).read_text("utf-8") == after


def test_two_tabs_do_not_lose_each_others_work(studio: Browser, project: Path) -> None:
    one, two = studio.form(CARD), studio.form(CARD)
    studio.post(f"{CARD}/save", changed(one, points="9"))
    answer = studio.post(f"{CARD}/save", changed(two, name="Bone Saw"))
    assert "Merged" in answer.text
    assert answer.headers["hx-retarget"] == "#editor-body"
    told = dict(form_of(answer.text, whole=True))
    assert (told["v.points"], told["v.name"]) == ("9", "Bone Saw")


def test_the_same_field_in_two_tabs_is_asked_about(studio: Browser, project: Path) -> None:
    one, two = studio.form(CARD), studio.form(CARD)
    studio.post(f"{CARD}/save", changed(one, name="Mine"))
    written = (project / FILE).read_bytes()
    answer = studio.post(f"{CARD}/save", changed(two, name="Theirs"))
    assert 'name="c.name"' in answer.text
    assert (project / FILE).read_bytes() == written
    answer = studio.post(f"{CARD}/save", [*changed(two, name="Theirs"), ("c.name", "theirs")])
    assert dict(form_of(answer.text, whole=True))["v.name"] == "Mine"
    studio.post(f"{CARD}/save", [*changed(two, name="Theirs"), ("c.name", "mine")])
    assert b"name: Theirs" in (project / FILE).read_bytes()


def test_a_change_on_the_disk_is_merged(studio: Browser, project: Path) -> None:
    form = studio.form(CARD)
    text = (project / FILE).read_text("utf-8")
    (project / FILE).write_text(text.replace("Camp Hatchet", "Camp Axe"), "utf-8")
    answer = studio.post(f"{CARD}/save", changed(form, points="9"))
    told = dict(form_of(answer.text, whole=True))
    assert (told["v.points"], told["v.name"]) == ("9", "Camp Axe")
    assert (project / FILE).read_text("utf-8").count("# ") == text.count("# ")


def test_a_file_that_is_broken_on_the_disk_is_not_overwritten(studio: Browser, project: Path) -> None:
    form = studio.form(CARD)
    (project / FILE).write_text("hatchet: [", "utf-8")
    assert studio.post(f"{CARD}/save", changed(form, points="9")).status_code in (200, 422)
    assert (project / FILE).read_text("utf-8") == "hatchet: ["


def test_items_are_added_moved_and_taken_out(studio: Browser) -> None:
    form = [(name, "blue" if name == "a.dice" else value) for name, value in studio.form(CARD)]
    told = form_of(studio.post(f"{CARD}/save", form).text, whole=True)
    assert [value for name, value in told if name.startswith("v.dice.")] == ["white", "blue"]
    told = form_of(studio.post(f"{CARD}/save", [*told, ("_op", "up:dice.1")]).text, whole=True)
    assert [value for name, value in told if name.startswith("v.dice.")] == ["blue", "white"]
    told = form_of(studio.post(f"{CARD}/save", [*told, ("_op", "remove:dice.0")]).text, whole=True)
    assert [value for name, value in told if name.startswith("v.dice.")] == ["white"]


def test_a_card_is_made_and_removed(studio: Browser, project: Path) -> None:
    before = (project / FILE).read_bytes()
    answer = studio.post("/g/twd/cards/new", {"kind": "equipment", "name": "Étau d'or", "like": ""})
    assert answer.headers["hx-redirect"] == "/g/twd/cards/etau-d-or"
    assert "Étau d&#39;or" in studio.get("/g/twd/cards/etau-d-or").text
    base = dict(studio.form("/g/twd/cards/etau-d-or"))["_base"]
    assert studio.post("/g/twd/cards/etau-d-or/remove", {"_base": base}).headers["hx-redirect"] == "/g/twd/cards"
    assert (project / FILE).read_bytes().strip() == before.strip()


def test_a_band_is_judged_while_it_is_typed(shown: Browser) -> None:
    form = shown.form(BAND)
    assert "verdict legal" in shown.post(f"{BAND}/preview", form).json()["panel"]
    panel = shown.post(f"{BAND}/preview", changed(form, limit="90")).json()["panel"]
    assert "verdict illegal" in panel
    assert "TWD-001" in panel
    assert "7 over" in panel


def test_a_fix_is_applied_by_one_click(studio: Browser, project: Path) -> None:
    form = changed(studio.form(BAND), limit="90")
    fixes = studio.post(f"{BAND}/mends", [*form, ("_search", "long")]).text
    vals = next(part for part in fixes.split("data-with='")[1:]).partition("'")[0]
    tree = json.loads(vals.replace("&#34;", '"').replace("&#39;", "'"))["_tree"]
    assert "Saved" in studio.post(f"{BAND}/save", [*form, ("_tree", tree)]).text
    assert "verdict legal" in studio.post(f"{BAND}/preview", studio.form(BAND)).json()["panel"]
    assert "# A group as a player writes it." in (project / "cards/twd/bands/granary-100.yaml").read_text("utf-8")


def test_recruiting_and_options(studio: Browser) -> None:
    answer = studio.post(f"{BAND}/recruit", {"_recruit": "skip peck"})
    assert answer.text.count("<li>") == 4
    assert "illegal" in answer.text
    form = [*studio.form(BAND), ("_path", "members.0.hands"), ("_judged", "1")]
    options = studio.post(f"{BAND}/options", form).text
    assert 'class="unfit"' in options
    assert "TWD-" in options


def test_a_new_band_belongs_to_its_user(studio: Browser, project: Path) -> None:
    fields = {"kind": "group", "title": "Night Shift", "owner": "Ana María", "_recruit": "skip"}
    answer = studio.post("/g/twd/bands/new", fields)
    assert answer.headers["hx-redirect"] == "/g/twd/bands/Ana%20Mar%C3%ADa/night-shift"
    assert (project / "cards/twd/bands/Ana María/night-shift.yaml").is_file()
    assert "owner=Ana%20Mar%C3%ADa" in studio.get("/g/twd/bands").text


def test_rulings_are_switched(studio: Browser, project: Path) -> None:
    form = studio.form(BAND)
    panel = studio.post(f"{BAND}/preview", form).json()["panel"]
    names = [name for name, _ in form_of(panel, whole=True) if name.startswith("r.")]
    if not names:
        pytest.skip("this pack has no rulings")
    part = panel.partition(f'name="{names[0]}"')[2].partition("</select>")[0]
    other = next(
        piece.partition('"')[0]
        for piece in part.split('<option value="')[1:]
        if " selected" not in piece.partition(">")[0]
    )
    studio.post(f"{BAND}/save", [*form, (names[0], other)])
    assert f"{names[0][2:]}: {other}" in (project / "cards/twd/bands/granary-100.yaml").read_text("utf-8")


def test_fifty_previews_at_once_are_all_answered(shown: Browser) -> None:
    form = shown.form(CARD)
    answers: list[int] = []

    def ask(number: int) -> None:
        fields = [*changed(form, name=f"No. {number}"), ("_page", f"page-{number}")]
        answers.append(shown.post(f"{CARD}/preview", fields).status_code)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * 50


def test_a_worker_that_died_is_replaced(studio: Browser) -> None:
    form = studio.form(CARD)
    assert "png" in studio.post(f"{CARD}/preview", form).json()
    pool = studio.client.app.state.studio.previews.pool  # type: ignore[attr-defined]
    for process in list(pool._pool._processes.values()):
        process.kill()
    for name in ("One", "Two", "Three"):
        answer = studio.post(f"{CARD}/preview", changed(form, name=name))
        if answer.status_code == 200:
            break
    assert "png" in answer.json()


def test_a_shipped_game_is_taken_in(studio: Browser, project: Path) -> None:
    (project / "cardgen.yaml").write_text("# ours\nname: A shelf\n", "utf-8")
    home = studio.get("/").text
    assert "/games/arena" in home and "/games/twd" not in home
    assert studio.post("/games/arena", {}).headers["hx-redirect"] == "/g/arena/bands"
    assert (project / "cardgen.yaml").read_text("utf-8") == "# ours\nname: A shelf\ngames: [twd, arena]\n"
    assert "/games/arena" not in studio.get("/").text
    assert studio.get("/g/arena/bands").status_code == 200
    for wrong in ("arena", "nothing", "..%2F..%2Fetc"):
        assert studio.post(f"/games/{wrong}", {}).status_code == 404


def test_the_rules_about_one_card_stand_beside_it(tmp_path: Path) -> None:
    app = create_app(copied(tmp_path, "arena"), [HOST], jobs=1, watch=False)
    with TestClient(app, base_url=f"http://{HOST}") as client:
        arena = Browser(client, app.state.studio.token)
        url = "/g/arena/cards/disarm"
        panel = arena.post(f"{url}/preview", arena.form(url)).json()["panel"]
        assert "verdict legal" in panel and "ADM-012" not in panel
        dear = [(name, "5" if name == "v.cost" else value) for name, value in arena.form(url)]
        panel = arena.post(f"{url}/preview", dear).json()["panel"]
        assert "verdict illegal" in panel and "ADM-012" in panel and "costs 5 to train" in panel
        # What the rules say keeps nobody from saving, as with bands.
        assert "Saved" in arena.post(f"{url}/save", dear).text
        panel = arena.post("/g/arena/cards/ash-colossus/preview", arena.form("/g/arena/cards/ash-colossus")).json()[
            "panel"
        ]
        assert '<span class="figure">77</span> gold' in panel

"""Studio in Spanish says what the game says in Spanish: fields, hints, choices, rules, names. What is edited stays the source."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from cardgen.diagnostics import Report
from cardgen.load.nodes import parse_yaml
from cardgen.load.project import load_project
from cardgen.model.wording import names_of
from cardgen.studio.app import create_app
from cardgen.studio.naming import title_of
from cardgen.studio.tongues import AUTONYMS, NAMES, language_name
from cardgen.studio.words import LANGUAGES
from tests.studio.conftest import HOST, ROOT, Browser, changed, copied

BAND = "/g/arena/bands/the-first-warband"
ES = {"accept-language": "es"}

WRONG = """title: Rota
kind: warband
faction: gollnir
gold: 900
avatars:
  - card: {card}
    train: {{agility: 10}}
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, Path]]:
    root = copied(tmp_path_factory.mktemp("words"), "arena")
    project = load_project(root, Report())
    assert project is not None
    weak = next(
        card.id
        for card in project.games["arena"].cards.values()
        if card.kind == "avatar"
        and not card.id.startswith("cast-")
        and (card.values["maxima"] or {}).get("agility") == 8
    )  # type: ignore[attr-defined]
    (root / "cards/arena/bands/rota.yaml").write_text(WRONG.format(card=weak), "utf-8")
    app = create_app(root, [HOST], jobs=1, watch=False)
    with TestClient(app, base_url=f"http://{HOST}") as client:
        yield Browser(client, app.state.studio.token), root


def seen(answer: object) -> str:
    """The text of a page as it is read."""
    return html.unescape(re.sub(r"<[^>]+>", " ", answer.text))  # type: ignore[attr-defined]


def test_forms_say_fields_hints_and_choices_in_the_language_of_the_page(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    text = seen(studio.get("/g/arena/bands/rota", headers=ES))
    for wanted in (
        "Agilidad", "Habilidad de Combate", "Adiestramiento", "Monedas de oro", "Lo que puede costar la banda.",
        "Nivel del encuentro", "Aldea", "Rasgos adiestrados, aparte de los innatos.",
    ):  # fmt: skip
        assert wanted in text, wanted
    for english in ("Agility", "Combat skill", "What the band may cost.", "Village"):
        assert english not in text, english
    again = seen(studio.get("/g/arena/bands/rota", headers={"accept-language": "en"}))
    assert "Combat skill" in again and "Habilidad de Combate" not in again


def test_rules_are_told_and_mended_in_the_language_of_the_page(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    form = studio.form("/g/arena/bands/rota")
    look = studio.post("/g/arena/bands/rota/preview", form, **ES).json()
    panel = html.unescape(look["panel"])
    assert "se adiestra hasta Agilidad 10" in panel or "Agilidad 10" in panel
    assert "trained to" not in panel and "mo" in panel
    mends = html.unescape(studio.post("/g/arena/bands/rota/mends", form, **ES).text)
    assert re.search(r"poner Agilidad a 8", mends), mends
    assert "lower" not in mends and "instead of" not in mends


@pytest.mark.parametrize("game", ["arena", "twd", "zombies", "zcorps"])
def test_every_text_of_every_form_is_translated(game: str) -> None:
    """Whatever a form of a shipped game says, it says in Spanish and Russian as well."""
    project = load_project(ROOT, Report())
    assert project is not None
    made = project.games[game]
    told = [context for context in made.strings if context.startswith("fields/")]
    names = {name for kind in (*made.kinds.values(), *made.bands.values()) for name in names_of(kind.fields)}
    titled = {context.removesuffix(".title").rpartition("/")[2] for context in told if context.endswith(".title")}
    assert names == titled
    assert all(made.strings[context].span.line for context in told)


def test_lists_recruits_and_searches_know_both_names(served: tuple[Browser, Path]) -> None:
    studio, root = served
    project = load_project(root, Report())
    assert project is not None
    source = project.games["arena"].cards
    page = studio.get("/g/arena/cards?kind=trait", headers=ES).text
    items = re.findall(r'<li data-text="([^"]*)">.*?<span>([^<]*)</span>', page, re.S)
    assert len(items) > 20
    differing = [
        (text, name) for text, name in items if html.unescape(name).lower() != html.unescape(text).split("  ")[0]
    ]
    assert differing
    for text, name in items:
        id = html.unescape(text).split()[-1]
        assert html.unescape(name).lower() in html.unescape(text)
        assert str(source[id].values["name"]).lower() in html.unescape(text)
    kind = next(iter(re.findall(r'aria-current="true">([^<]*) <small>', page)))
    assert kind == "Rasgos"


def test_what_is_edited_is_the_source_and_the_page_says_so(served: tuple[Browser, Path]) -> None:
    studio, root = served
    project = load_project(root, Report())
    assert project is not None
    card = next(card for card in project.games["arena"].cards.values() if card.kind == "trait")
    url = f"/g/arena/cards/{card.id}"
    page = studio.get(url, headers=ES)
    assert f'value="{html.escape(str(card.values["name"]))}"' in page.text
    assert "Aquí se edita el texto original, en inglés." in seen(page)
    assert "traducción: español" in seen(page)
    assert 'class="about translated"' in page.text
    assert "edits-source" not in studio.get(url, headers={"accept-language": "en"}).text


def test_saving_from_a_spanish_page_changes_what_was_typed_and_nothing_else(served: tuple[Browser, Path]) -> None:
    studio, root = served
    file = root / "cards/arena/bands/rota.yaml"
    before = file.read_text("utf-8")
    form = changed(studio.form("/g/arena/bands/rota"), gold="901")
    assert studio.post("/g/arena/bands/rota/save", form, **ES).status_code == 200
    assert file.read_text("utf-8") == before.replace("900", "901")


def test_paths_are_said_by_their_titles() -> None:
    project = load_project(ROOT, Report())
    assert project is not None
    game = project.games["arena"]
    tree = {"avatars": [{"card": "x", "name": "Ash", "weapons": ["one"]}]}
    assert title_of("avatars.0.weapons.0", game.bands["warband"].fields, tree, game) == "Avatars · Ash · Weapons · 1"  # type: ignore[arg-type]
    assert (
        title_of("avatars.0.train.combat", game.bands["warband"].fields, tree, game)
        == "Avatars · Ash · Training · Combat skill"
    )  # type: ignore[arg-type]


def test_languages_are_called_by_their_own_names(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    assert [language_name(code) for code in ("en", "es", "ru", "pt-BR", "xx")] == [
        "English", "español", "русский", "português (BR)", "xx",
    ]  # fmt: skip
    page = studio.get("/g/arena/print").text
    assert '<option value="ru" lang="ru">русский</option>' in page
    assert all(f">{name}</button>" in page for name in LANGUAGES.values())


def test_pages_call_languages_in_their_own(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    assert NAMES.keys() == LANGUAGES.keys()
    for names in NAMES.values():
        assert names.keys() == AUTONYMS.keys() and len(set(names.values())) == len(names)
    assert [language_name(code, "es") for code in ("en", "ru", "pt-BR", "xx")] == [
        "inglés",
        "ruso",
        "portugués (BR)",
        "xx",
    ]
    assert language_name("de", "eu") == "Deutsch"
    for lang, name in (("en", "English → Russian"), ("es", "inglés → ruso")):
        assert name in seen(studio.get("/g/arena/review/ru", headers={"accept-language": lang})), lang


def test_the_board_of_many_bands_is_called_by_many(served: tuple[Browser, Path]) -> None:
    studio, _ = served
    workshop = studio.client.app.state.studio.workshop  # type: ignore[attr-defined]
    game = workshop.game("arena")
    for lang, title in (("en", "Bands"), ("es", "Bandas")):
        kind = workshop.translated(game, lang).bands["warband"].title
        page = studio.get("/g/arena/bands", headers={"accept-language": lang}).text
        assert re.findall(r"<h1>(.*?)</h1>", page) == [title]
        # What kind they are of is told beside it.
        assert page.count(f'<a href="?kind=warband" aria-current="true">{kind}</a>') == 1


def test_all_mends_that_go_together_are_one_click_and_make_the_band_legal(served: tuple[Browser, Path]) -> None:
    studio, root = served
    url, file = "/g/arena/bands/mended", root / "cards/arena/bands/mended.yaml"
    file.write_text(
        "title: Mended\nkind: warband\nfaction: gollnir\ngold: 900\navatars:\n"
        "  - {card: rime-breaker, name: Ash, train: {agility: 10, combat: 10}, traits: [long-memory, stone-mason]}\n"
        "  - {card: quarry-thane, name: Bo, feats: [shoulder-roll], actions: [walk]}\n",
        "utf-8",
    )
    form = studio.form(url)
    assert "illegal" in studio.post(f"{url}/preview", form).json()["panel"]
    answer = html.unescape(studio.post(f"{url}/mends", form).text)
    # What rules state is there at once, every rule with its own; a search is asked for by the page afterwards.
    for rule in ("ADM-007-agility", "ADM-007-combat", "ADM-022", "ADM-022-agility", "ADM-023"):
        assert f"What would end {rule}" in answer, rule
    assert '"_search": "quick"' in answer
    tree = re.search(r"id=\"fix-all\"[^>]*data-with=\'(.*?)\'>", answer)
    assert tree is not None and "Together these make it legal" in answer
    assert "does not make it legal" not in answer
    sent = [(name, value) for name, value in form if name != "_tree"] + [("_tree", json.loads(tree[1])["_tree"])]
    assert "Saved" in studio.post(f"{url}/save", sent).text
    assert "verdict legal" in studio.post(f"{url}/preview", studio.form(url)).json()["panel"]
    assert "agility: 7" in file.read_text("utf-8") and "long-memory" not in file.read_text("utf-8")


@pytest.mark.parametrize("char", ["\u202e", "\u2066", "\x07", "\x85", "\u2028"])
def test_a_control_character_in_a_name_is_refused_beside_its_field(served: tuple[Browser, Path], char: str) -> None:
    studio, root = served
    file = root / "cards/arena/bands/rota.yaml"
    before = file.read_bytes()
    form = changed(studio.form("/g/arena/bands/rota"), **{"avatars.0.name": f"Ash{char}hsA"})
    look = studio.post("/g/arena/bands/rota/preview", form).json()
    assert look["errors"] == {"avatars.0.name": f"found the control character U+{ord(char):04X}"}
    assert look["titles"]["avatars.0.name"].endswith("· Name")
    assert "Not saved" in studio.post("/g/arena/bands/rota/save", form).text
    assert file.read_bytes() == before
    # What YAML says of the same name, escaped or not, is the same.
    for text in (f"a: {char}", f'a: "\\u{ord(char):04x}"'):
        report = Report()
        parse_yaml(text.encode(), "x.yaml", report)
        assert [item.message for item in report] == [f"found the control character U+{ord(char):04X}"]
    for url, fields in (
        ("/g/arena/bands/new", {"title": f"A{char}b", "kind": "warband"}),
        ("/g/arena/cards/new", {"name": f"A{char}b", "kind": "trait"}),
    ):
        answer = studio.post(url, fields)
        assert answer.status_code == 422 and "control character" in answer.text

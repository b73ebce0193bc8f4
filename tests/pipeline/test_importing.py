"""Cards out of JSON as card databases have it: one file a pack, translations mirrored by code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.diagnostics import Report
from cardgen.i18n.states import states_of
from cardgen.pipeline.importing import import_json, slug
from cardgen.pipeline.translation.exchange import own_catalog
from cardgen.text.foreign import from_html, from_plain
from cardgen.text.markup import icons_of, plain, to_html
from tests.support import edit, load, write_project

MAP = """\
game: g
kind: item
cards: pack/*.json
id: code
copies: quantity
only: {type_code: [asset, event]}
fields:
  name: name
  rules: {from: text, markup: html}
  points: {from: cost, default: "0"}
  size: {from: size_code, values: {S: small, L: large}}
  traits: traits
translations: translations/{lang}/pack/{file}.json
languages: [es]
"""
CORE: list[dict[str, Any]] = [
    {
        "code": "01001",
        "name": "Axe",
        "text": "<b>Chop</b> it: [Action]. Roll *two* dice.<br>Then rest.",
        "type_code": "asset",
        "quantity": 2,
        "cost": 3,
        "size_code": "S",
        "traits": "Item. Weapon.",
    },
    {"code": "01002", "name": "Rain", "type_code": "event", "cost": None, "size_code": "L", "quantity": 1},
    {"code": "01003", "name": "A place", "type_code": "location"},
]
SPANISH = [
    {
        "code": "01001",
        "name": "Hacha",
        "text": "<b>Corta</b>: [Action]. Tira *dos* dados.<br>Y descansa.",
        "traits": "Objeto. Arma.",
    },
    {"code": "01002", "name": "Rain"},
    {"code": "09999", "name": "De otro sitio"},
]


def project(tmp_path: Path) -> Path:
    game = edit("cards/g/game.yaml", "languages: [en]", "languages: [en, es]")["cards/g/game.yaml"]
    fields = "      size: {type: choice, values: {small: Small, large: Large}}\n      traits: {type: list, of: {type: text}}\n"
    game = game.replace("      points:", f"{fields}      points:")
    root = write_project(tmp_path / "p", {"cards/g/game.yaml": game, "cards/g/cards/items.yaml": None})
    icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><path d="M0 0h10v10z"/></svg>'
    write(root / "layouts/g/icons/action.svg", icon)
    return root


def write(path: Path, data: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")


def run(tmp_path: Path, *, map_text: str = MAP, core: object = CORE, spanish: object = SPANISH) -> tuple[Path, Report]:
    root = project(tmp_path)
    source = tmp_path / "json"
    write(source / "map.yaml", map_text)
    write(source / "pack/core.json", core)
    write(source / "translations/es/pack/core.json", spanish)
    report = Report()
    import_json(load(root, Report()), source / "map.yaml", report)
    return root, report


def test_cards_and_translations_are_taken(tmp_path: Path) -> None:
    root, report = run(tmp_path)
    assert not report.items, [item.message for item in report]
    game = load(root).games["g"]
    axe = game.cards["01001"]
    assert axe.copies == 2
    assert axe.values["name"] == "Axe"
    assert axe.values["rules"] == "**Chop** it: [action]. Roll \\*two\\* dice.\nThen rest."
    assert (axe.values["points"], axe.values["size"], axe.values["traits"]) == (3, "small", ("Item", "Weapon"))
    assert game.cards["01002"].values["points"] == 0
    assert "01003" not in game.cards
    catalog = own_catalog(load(root), game, "es", Report())
    states = {item.context: item.state for item in states_of(game, catalog, "es")}
    assert states["01001/name"] == states["01001/rules"] == states["01001/traits.1"] == "done"
    assert states["01002/name"] == "missing", "what stands there in the source's words was left for later"


def test_an_import_again_changes_nothing(tmp_path: Path) -> None:
    root, _ = run(tmp_path)
    files = {path: path.read_bytes() for path in (root / "cards").rglob("*") if path.is_file()}
    import_json(load(root, Report()), tmp_path / "json/map.yaml", Report())
    assert {path: path.read_bytes() for path in (root / "cards").rglob("*") if path.is_file()} == files


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"map_text": MAP.replace("kind: item", "kind: thing")}, "CG104"),
        ({"map_text": MAP.replace("game: g", "game: h")}, "CG104"),
        ({"map_text": MAP.replace("  name: name", "  nam: name")}, "CG102"),
        ({"map_text": MAP.replace("id: code", "key: code")}, "CG100"),
        ({"map_text": MAP.replace("pack/*.json", "packs/*.json")}, "CG001"),
        ({"map_text": MAP.replace("pack/*.json", "../pack/*.json")}, "CG001"),
        ({"core": "{"}, "CG551"),
        ({"core": "[" * 100_000}, "CG551"),
        ({"core": 7}, "CG551"),
        ({"core": [*CORE, CORE[0]]}, "CG552"),
        ({"core": [*CORE, 3]}, "CG552"),
        ({"core": [*CORE, {"name": "x", "type_code": "asset"}]}, "CG552"),
        ({"map_text": MAP.replace("languages: [es]", "languages: [de]")}, "CG104"),
        ({"spanish": [{"code": "01001", "name": "Hacha", "text": "Corta."}]}, "CG206"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, change: dict[str, Any], code: str) -> None:
    _, report = run(tmp_path, **change)
    assert code in {item.code for item in report}, [item.message for item in report]


@pytest.mark.parametrize(
    ("stated", "taken", "told"),
    [
        (2, 2, ""),
        ("3", 3, ""),
        (0, 0, ""),
        (None, 1, ""),
        (100_000, 999, "100000"),
        (-1, 0, "-1"),
        (2.5, 1, "2.5"),
        ("two", 1, '"two"'),
        (True, 1, "true"),
    ],
)
def test_copies_that_cannot_be_taken_as_they_are_are_told(
    tmp_path: Path, stated: object, taken: int, told: str
) -> None:
    root, report = run(tmp_path, core=[{**CORE[0], "quantity": stated}])
    assert load(root, Report()).games["g"].cards["01001"].copies == taken
    assert [item.arguments["found"] for item in report if item.code == "CG553"] == ([told] if told else [])


def test_a_language_without_any_file_is_told(tmp_path: Path) -> None:
    _, report = run(tmp_path, map_text=MAP.replace("translations/{lang}", "trans/{lang}"))
    ((code, file),) = [(item.code, item.span.file) for item in report if item.span]
    assert (code, file) == ("CG554", "trans/es/pack/{file}.json")


def test_names_in_brackets_that_are_no_icons_are_words(tmp_path: Path) -> None:
    text = "[[Ally]] and [relic]: [action] [[Ally]]."
    root, report = run(
        tmp_path,
        core=[{**CORE[0], "text": text}],
        spanish=[{**SPANISH[0], "text": "[[Aliado]] y [reliquia]: [action] [[Aliado]]."}],
    )
    (told,) = report.items
    assert told.code == "CG555"
    assert told.message.startswith("6 names in brackets") and "[ally], [aliado]" in told.message
    rules = load(root).games["g"].cards["01001"].values["rules"]
    assert plain(rules, "!") == "[Ally] and [relic]: ! [Ally]."
    assert icons_of(rules) == ["action"]
    catalog = own_catalog(load(root), load(root).games["g"], "es", Report())
    assert catalog is not None
    assert plain(catalog.entries["01001/rules"].target, "!") == "[Aliado] y [reliquia]: ! [Aliado]."


def test_what_was_wrong_with_other_packs_before_is_not_told_again(tmp_path: Path) -> None:
    root = project(tmp_path)
    write(root / "cards/g/cards/older.yaml", "old:\n  kind: item\n  nam: Old\n")
    source = tmp_path / "json"
    write(source / "map.yaml", MAP)
    write(source / "pack/core.json", [{**CORE[0], "cost": 99}])
    write(source / "translations/es/pack/core.json", SPANISH)
    report = Report()
    import_json(load(root, Report()), source / "map.yaml", report)
    assert {item.span.file for item in report if item.span} == {"cards/g/cards/core.yaml"}


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=60))
def test_plain_text_reads_the_same_as_markup(text: str) -> None:
    made = from_plain(text)
    assert plain(made) == text
    to_html(made, lambda _: "")


@given(st.text(max_size=60))
def test_any_html_becomes_markup_that_can_be_read(text: str) -> None:
    assert isinstance(from_html(text), str)


@pytest.mark.parametrize(
    ("html", "markup"),
    [
        ("<b>Forced</b> – you <i>must</i>.", "**Forced** – you *must*."),
        ("[reaction] After you move&hellip;", "[reaction] After you move…"),
        ("[Free Action]", "[free-action]"),
        ("<ul><li>One</li><li>Two</li></ul>", "- One\n- Two"),
        ("a<br/>b<br>c", "a\nb\nc"),
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ('<span class="x">plain</span>', "plain"),
        ("5 * 3 [not an icon!]", "5 \\* 3 \\[not an icon!]"),
    ],
)
def test_html(html: str, markup: str) -> None:
    assert from_html(html) == markup
    assert icons_of(from_html("[Free Action]")) == ["free-action"]


@pytest.mark.parametrize(("text", "id"), [("01001", "01001"), ("Área 51!", "area-51"), ("***", ""), ("A_b", "a-b")])
def test_slugs(text: str, id: str) -> None:
    assert slug(text) == id


DOZEN = {
    "es": "Hacha", "fr": "Hache", "de": "Axt", "it": "Ascia", "pl": "Siekiera", "cs": "Sekyra", "pt": "Machado",
    "ru": "Топор", "uk": "Сокира", "el": "Τσεκούρι", "ja": "斧", "zh": "斧头", "ko": "도끼",
}  # fmt: skip


def test_a_dozen_languages(tmp_path: Path) -> None:
    """As card databases mirror them, a folder a language; each has what it has, and none another's."""
    root = project(tmp_path)
    game_file = root / "cards/g/game.yaml"
    game_file.write_text(
        game_file.read_text("utf-8").replace("languages: [en, es]", f"languages: [en, {', '.join(DOZEN)}]"), "utf-8"
    )
    source = tmp_path / "json"
    write(source / "map.yaml", MAP.replace("languages: [es]", f"languages: [{', '.join(DOZEN)}]"))
    write(source / "pack/core.json", CORE)
    for lang, name in DOZEN.items():
        write(source / f"translations/{lang}/pack/core.json", [{"code": "01001", "name": name}])
    report = Report()
    import_json(load(root, Report()), source / "map.yaml", report)
    assert not report.items, [item.message for item in report]
    loaded = load(root)
    game = loaded.games["g"]
    for lang, name in DOZEN.items():
        catalog = own_catalog(loaded, game, lang, Report())
        assert catalog is not None and catalog.lang == lang
        states = {item.context: item for item in states_of(game, catalog, lang)}
        assert (states["01001/name"].state, states["01001/name"].target) == ("done", name)
        assert states["01001/rules"].state == "missing"

"""Verdicts in other languages: the program's own words, titles in place of ids, packs by their titles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pytest
from msgspec import structs

from cardgen.model.band import Entry
from cardgen.model.game import Field, Game
from cardgen.model.rules import Finding, Pack, Rule
from cardgen.model.sheet import SheetWords
from cardgen.pipeline.roster import context
from cardgen.rules.bands import judge_band
from cardgen.rules.costs import priced, readings_of
from cardgen.rules.engine import judge, label
from cardgen.rules.explain import explain, listing
from cardgen.rules.filters import lookup
from cardgen.rules.missing import MissingData
from cardgen.rules.packs import context_of
from cardgen.rules.suggest import mend
from tests.rules.conftest import Bands
from tests.rules.shipped import judged, project, translated
from tests.rules.test_engine import GOOD

GAMES = ("twd", "arena", "zombies", "zcorps")
LANGUAGES = ("es", "ru")
SPANISH = SheetWords(
    yes="sí",
    no="no",
    none="ninguno",
    decimal=",",
    range="de {low} a {high}",
    numbered="{name} n.º {number}",
    not_judged="{subject}: sin juzgar ({problem})",
    not_stated="falta {name}",
    not_in_table="{name} no está",
    no_row="ninguna fila para {name}",
)


def spanish(game: Game) -> Game:
    """A game that speaks Spanish wherever the program speaks."""
    return structs.replace(game, lang="es", speech={"es": SPANISH})


def messages(bands: Bands, text: str) -> list[str]:
    game, (band,) = bands(one=text)
    return [item.message for item in judge_band(spanish(game), band).problems if item.counts]


@pytest.mark.parametrize(
    ("value", "english", "said"),
    [
        (True, "yes", "sí"),
        (False, "no", "no"),
        (None, "none", "ninguno"),
        ((), "none", "ninguno"),
        ((0.5, 3), "0.5, 3", "0,5, 3"),
        ((True, None), "yes, none", "sí, ninguno"),
        ({"name": "Axe"}, "Axe", "Axe"),
        ("none", "none", "none"),  # a text that somebody wrote stays as it is
    ],
)
def test_a_value_is_called_in_the_language(value: Any, english: str, said: str) -> None:
    assert (label(value), label(value, SPANISH)) == (english, said)


def test_a_range_is_said_in_the_language(bands: Bands) -> None:
    text = "title: B\nlimit: 9\nmembers: [{card: axe}, {card: rope, skill: 7}]\n"
    assert messages(bands, text) == ["Rope has skill 7; allowed: de 1 a 3"]


def test_what_is_not_stated_is_said_in_the_language(bands: Bands) -> None:
    assert messages(bands, "title: B\nmembers: [{card: axe}]\n") == ["B: sin juzgar (falta `limit`)"]


def test_a_field_is_called_as_its_form_calls_it(bands: Bands) -> None:
    """A person sees titles; whoever writes the file sees the name behind."""
    game, (band,) = bands(one="title: B\nmembers: [{card: axe}]\n")
    (kind,) = game.bands.values()
    titled = structs.replace(
        kind, fields={**kind.fields, "limit": structs.replace(kind.fields["limit"], title="Purse")}
    )
    named = structs.replace(game, bands={kind.id: titled})
    assert [item.message for item in judge_band(named, band).problems] == [
        "B: cannot be judged (Purse (`limit`) is not stated)"
    ]
    # Two fields of one name and two titles: nobody knows which is meant.
    other = structs.replace(game.kinds["item"].fields["points"], title="Prize")
    cards = structs.replace(game.kinds["item"], fields={**game.kinds["item"].fields, "limit": other})
    both = structs.replace(named, kinds={**game.kinds, "item": cards})
    assert [item.message for item in judge_band(both, band).problems] == ["B: cannot be judged (`limit` is not stated)"]


def test_what_a_table_lacks_is_said_in_the_language() -> None:
    for key, table, english, said in [
        ("x", {"a": 1}, "`x` is not in the table", "`x` no está"),
        (9, [{"from": 1, "to": 3}], "no row of the table covers `9`", "ninguna fila para `9`"),
    ]:
        with pytest.raises(MissingData) as caught:
            lookup(key, table)
        assert (str(caught.value), caught.value.lack.said(SPANISH)) == (english, said)


def test_entries_of_one_name_are_numbered_in_the_language(bands: Bands) -> None:
    game, (band,) = bands(one="title: B\nlimit: 1\nmembers: [{card: axe}, {card: axe}]\n")
    for spoken, number in [(game, "no. 2"), (spanish(game), "n.º 2")]:
        changes = {change for item in mend(spoken, band).mends for change in item.changes}
        assert f"leave out Axe {number}" in changes


def test_a_project_in_another_language_from_the_start_speaks_it(bands: Bands) -> None:
    """The words are those of the game's own language, translated or not."""
    game, _ = bands(one=GOOD)
    assert game.says == SheetWords()
    assert structs.replace(game, source="es", lang="", speech={"es": SPANISH}).says == SPANISH
    assert structs.replace(game, lang="fr", speech={"es": SPANISH}).says == SheetWords()


def test_words_that_name_themselves_end_nothing() -> None:
    """Words of a project are no templates: what they hold in braces is filled in once or stays."""
    odd = structs.replace(SPANISH, not_stated="{name} {name.__class__} {other}")
    with pytest.raises(MissingData) as caught:
        lookup("{name}", {})
    assert caught.value.lack.said(structs.replace(odd, not_in_table="{name} {0}")) == "`{name}` {0}"


# --- the shipped games -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_shipped_words_of_verdicts_are_translated(lang: str) -> None:
    english, said = SheetWords(), project().words[lang]
    own = ("yes", "none", "decimal", "range", "numbered", "not_judged", "not_stated", "not_in_table", "no_row")
    assert [name for name in own if getattr(english, name) == getattr(said, name)] == []


def ids(game: Game) -> set[str]:
    """Ids that are called something else: of choices, kinds, keywords and cards."""
    called: dict[str, set[str]] = {}

    def note(id: str, title: str) -> None:
        called.setdefault(id, set()).add(title)

    def walk(fields: Mapping[str, Field]) -> None:
        for field in fields.values():
            inner = field.of or field
            for value, title in inner.values.items():
                note(value, title)
            walk(inner.fields)

    for kind in (*game.bands.values(), *game.kinds.values()):
        walk(kind.fields)
    for id, kind in game.kinds.items():
        note(id, kind.title)
    for id, word in game.keywords.items():
        note(id, word.title)
    for id, card in game.cards.items():
        note(id, str(card.values.get("name", id)))
    return {id for id, titles in called.items() if id not in titles and not id.isdigit()}


def findings(game: Game, pack: Pack, rule: Rule) -> Iterator[Finding]:
    """What a rule says of its own examples, its message being what is filled into it."""
    filled = "|".join(f"{{{name}}}" for name in ("actual", "limit", "offenders", *rule.values))
    bare = structs.replace(game, words={})
    for example in rule.examples:
        seen = {**context_of(pack, game), **example.given}
        band = seen.get("band")
        if isinstance(band, Entry):
            known = {**seen, "rulings": readings_of(pack, example.rulings)}
            seen["band"] = priced(game.bands[str(band["kind"])], band, known)
        asked = structs.replace(rule, message=filled)
        yield from judge(pack, [asked], seen, "X", example.span, example.rulings, {}, bare)


@pytest.mark.parametrize(("id", "lang"), list(product(GAMES, LANGUAGES)))
def test_no_id_and_no_english_word_is_filled_into_a_message(id: str, lang: str) -> None:
    game = translated(project().games[id], lang)
    english = {"yes", "none", *([] if lang == "es" else ["no"])}
    unsaid, looked_at = ids(game), 0
    for pack in game.packs.values():
        for rule in pack.rules.values():
            # Names of the examples' own cast are no ids; neither are those of cards that have none.
            for finding in findings(game, pack, rule):
                if finding.verdict != "illegal":
                    continue
                looked_at += 1
                parts = {part for value in finding.message.split("|") for part in value.split(", ")}
                assert parts & (unsaid | english) == set(), (rule.id, finding.message)
                assert " to " not in finding.message, rule.id
    assert looked_at > 20


@pytest.mark.parametrize(("id", "lang"), list(product(GAMES, LANGUAGES)))
def test_what_cannot_be_judged_is_said_in_the_language(id: str, lang: str) -> None:
    game = translated(project().games[id], lang)
    told = [
        finding.message
        for pack in game.packs.values()
        for rule in pack.rules.values()
        for finding in findings(game, pack, rule)
        if finding.verdict == "unknown"
    ]
    assert told
    assert [text for text in told if "cannot be judged" in text or "not stated" in text] == []


TITLES = {
    ("arena", "arena"): ("Bandas, adiestramiento y encuentros", "Отряды, обучение и встречи"),
    ("twd", "twd-playtest"): ("Las reglas del playtest", "Правила плейтеста"),
    ("twd", "twd-released"): ("El juego publicado", "Изданная игра"),
    ("zcorps", "zcorps"): ("Personajes y pruebas con códigos D", "Персонажи и проверки с кодами кубиков"),
    ("zombies", "zombies"): (
        "Una variante casera de un juego de zombis y un helicóptero",
        "Домашний вариант игры с зомби и одним вертолётом",
    ),
}


def test_there_is_no_other_pack() -> None:
    assert set(TITLES) == {(game.id, id) for game in project().games.values() for id in game.packs}


@pytest.mark.parametrize("key", TITLES, ids="-".join)
def test_titles_of_packs_are_translated(key: tuple[str, str]) -> None:
    game, pack = key
    source = project().games[game]
    place = source.strings[f"packs/{pack}.title"].span
    lines = (project().shelf.roots[0] / place.file).read_text("utf-8").splitlines()
    assert lines[place.line - 1].startswith("title: ")
    for lang, title in zip(LANGUAGES, TITLES[key], strict=True):
        assert translated(source, lang).packs[pack].title == title


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_roster_speaks_one_language(lang: str) -> None:
    """Its head with the pack's title, and the readings that the band states."""
    game = translated(project().games["arena"], lang)
    text = "title: Five\nkind: warband\nfaction: drakojia\ngold: 700\navatars: [{card: ash-colossus}]\nrulings: {C32: final}\n"
    sheet: Any = context(game, judged(game, text))
    assert sheet["band"]["pack"] == TITLES["arena", "arena"][LANGUAGES.index(lang)]
    assert sheet["rulings"] == [{"id": "C32", "reading": game.words["rules/C32.final"]}]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_breaks_a_rule_and_what_mends_it_are_sentences_on_a_roster(lang: str) -> None:
    game = translated(project().games["arena"], lang)
    text = "title: Five\nkind: warband\nfaction: drakojia\ngold: 7\navatars: [{card: ash-colossus}]\n"
    sheet: Any = context(game, judged(game, text))
    told = [text for item in sheet["problems"] for text in (item["message"], item["fix"]) if text]
    assert len(told) > 1
    assert all(text[-1] in ".!?…" and not text.endswith("..") for text in told), told


@pytest.mark.parametrize("lang", LANGUAGES)
def test_explain_speaks_one_language(lang: str) -> None:
    game = translated(project().games["arena"], lang)
    pack = game.packs["arena"]
    assert listing(game, pack).startswith(f"arena · arena: {TITLES['arena', 'arena'][LANGUAGES.index(lang)]}\n")
    told = explain(game, pack, "ADM-001")
    assert told is not None and game.words["rules/C32.question"] in told

"""A game in another language: every text that a translator sees is the one that is printed, or the source is."""

from __future__ import annotations

from pathlib import Path

from msgspec import structs

from cardgen.diagnostics import Report, Span
from cardgen.i18n.catalog import Catalog, Entry
from cardgen.i18n.translate import translate, usable
from cardgen.load.project import load_project
from cardgen.load.strings import game_strings
from cardgen.model.game import Game
from tests.support import BASE, write_project

FIELDS = """\
      size: {type: choice, values: {s: Small, l: Large}}
      words: {type: list, of: {type: keyword}}
      note: {type: keyword}
      dice: {type: list, of: {type: die}}
      parts: {type: list, of: {type: record, fields: {a: {type: text}, b: {type: rich}}}}
      results: {type: bands, track: threat, of: {type: rich}}
      secret: {type: text, translate: false}
"""
VALUES = """\
  size: s
  words: [sharp, {shots: 2}]
  note: {named: The Note}
  dice: [white]
  parts: [{a: A one, b: "B [star]"}, {a: A two}]
  results: {low: "*Low* it is.", high: High it is.}
  secret: Secret
"""


def game_of(root: Path) -> Game:
    game = BASE["cards/g/game.yaml"]
    game = game.replace("      points: {type", f"{FIELDS}      points: {{type")
    game = game.replace("tracks:\\n", "tracks:\\n").replace(
        "keywords:\n", "keywords:\n  named: {title: Named, parameter: text, text: It has a name.}\n"
    )
    game = game.replace(
        "kinds:\n", 'tables:\n  t: {title: Table, columns: [C one], rows: [["Cell *one*"]]}\nkinds:\n', 1
    )
    game = game.replace('version: "1"\n', 'version: "1"\nsubtitle: Sub\ncredits: Me\n', 1)
    items = BASE["cards/g/cards/items.yaml"].replace('  rules: "**Chop** it."\n', f'  rules: "**Chop** it."\n{VALUES}')
    report = Report()
    project = load_project(write_project(root, {"cards/g/game.yaml": game, "cards/g/cards/items.yaml": items}), report)
    assert project is not None and not report.items, [item.message for item in report]
    return project.games["g"]


def catalog(game: Game, **changes: str) -> Catalog:
    entries = {
        context: Entry(source.text, f"«{source.text}»", False, Span("es.po", 9, 1), Span("es.po", 7, 1))
        for context, source in game.strings.items()
    }
    return Catalog("es", "es.po", entries)


def test_every_text_is_translated_where_it_stands(tmp_path: Path) -> None:
    game = game_of(tmp_path)
    report = Report()
    texts = usable(game, catalog(game), report).texts
    assert not report.items
    assert texts.keys() == game.strings.keys()
    translated = translate(game, "es", texts)
    # The translated game shows the translations at just the places where the source showed the sources.
    place = Report()
    from cardgen.load.reader import Reader

    again = game_strings(translated, "f", Reader(place))
    assert {context: source.text for context, source in again.items()} == {
        context: f"«{source.text}»" for context, source in game.strings.items()
    }
    assert translated.lang == "es"
    axe = translated.cards["axe"]
    assert axe.values["secret"] == "Secret"
    words = axe.values["words"]
    assert isinstance(words, tuple)
    assert [word.title for word in words] == ["«Sharp»", "«Shots» (2)"]
    assert axe.values["note"].title == "«Named» («The Note»)"  # type: ignore[attr-defined]
    assert axe.values["dice"][0].title == "«White die»"  # type: ignore[index]


def test_without_translations_nothing_changes(tmp_path: Path) -> None:
    game = game_of(tmp_path)
    translated = translate(game, "es", {})
    assert translated.cards == game.cards
    assert (translated.kinds, translated.prints, translated.labels) == (game.kinds, game.prints, game.labels)


def one(tmp_path: Path, context: str, entry: Entry | None) -> tuple[dict[str, str], list[str]]:
    game = game_of(tmp_path)
    entries = dict(catalog(game).entries)
    if entry is None:
        del entries[context]
    else:
        entries[context] = entry
    report = Report()
    texts = usable(game, Catalog("es", "es.po", entries), report).texts
    return texts, [f"{item.span} {item.code}" for item in report]


TARGET, CONTEXT = Span("es.po", 9, 1), Span("es.po", 7, 1)


def test_what_is_missing_fuzzy_or_empty_is_the_source(tmp_path: Path) -> None:
    for entry, code in (
        (None, "CG202"),
        (Entry("Axe", "Hacha", True, TARGET, CONTEXT), "CG212"),
        (Entry("Axe", "", False, TARGET, CONTEXT), "CG202"),
        (Entry("Axe", " \n", False, TARGET, CONTEXT), "CG202"),
    ):
        texts, problems = one(tmp_path, "axe/name", entry)
        assert "axe/name" not in texts
        assert problems == [f"es.po:1:1 {code}"]


def test_what_is_stale_is_the_source(tmp_path: Path) -> None:
    texts, problems = one(tmp_path, "axe/name", Entry("Hatchet", "Hacha", False, TARGET, CONTEXT))
    assert "axe/name" not in texts
    assert problems == ["es.po:7:1 CG203"]


def test_tokens_must_be_kept_in_any_order(tmp_path: Path) -> None:
    assert one(tmp_path, "axe/rules", Entry("**Chop** it.", "Lo **corta**.", False, TARGET, CONTEXT))[1] == []
    for target in ("Corta.", "**Corta** [star].", "*Corta*."):
        texts, problems = one(tmp_path, "axe/rules", Entry("**Chop** it.", target, False, TARGET, CONTEXT))
        assert "axe/rules" not in texts
        assert problems == ["es.po:9:1 CG206"]


def test_a_line_stays_a_line(tmp_path: Path) -> None:
    assert one(tmp_path, "axe/name", Entry("Axe", "Ha\ncha", False, TARGET, CONTEXT))[1] == ["es.po:9:1 CG208"]
    assert one(tmp_path, "axe/rules", Entry("**Chop** it.", "**Cor\nta**.", False, TARGET, CONTEXT))[1] == []


def test_what_is_no_text_of_the_game_is_told_unless_something_of_it_was_lost(tmp_path: Path) -> None:
    extra = Entry("x", "y", False, TARGET, CONTEXT)
    assert one(tmp_path, "axe/nam", extra)[1] == ["es.po:7:1 CG204"]


def test_who_is_kept_at_an_older_catalogue_speaks_the_language_where_the_text_is_the_same(tmp_path: Path) -> None:
    """What an older catalogue said otherwise stays as it was: its translation would be of another text."""
    game = game_of(tmp_path)
    axe = game.cards["axe"]
    older = structs.replace(axe, values={**axe.values, "note": None, "parts": ({"a": "A one", "b": "B once"},)})
    gone = structs.replace(axe, id="gone")
    game = structs.replace(game, kept={"0": {"axe": older, "gone": gone}})
    kept = translate(game, "es", {item: f"«{source.text}»" for item, source in game.strings.items()}).kept["0"]
    assert kept["axe"].values["name"] == "«Axe»"
    assert kept["axe"].values["parts"] == ({"a": "A one", "b": "B once"},)
    assert kept["axe"].values["note"] is None
    assert kept["gone"].values["name"] == axe.values["name"]

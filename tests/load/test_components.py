"""Components as they are read: shapes and options classes agree, names are checked, texts are found and replaced."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from cardgen.components.makers import MAKERS
from cardgen.diagnostics import Report
from cardgen.i18n.translate import translate
from cardgen.load.component_shapes import INSIDE, MAKES, NAMED
from cardgen.load.shapes import REQUIRED
from cardgen.model.component import Counters, Stickers, scaled, words_of
from cardgen.model.game import Game
from tests.support import BASE, load, write_project

COMPONENTS = """\
dice:
  make: stickers
  title: Dice
  dice: [white]
  size: 12mm
tokens:
  make: counters
  title: Tokens
  items:
    coin: {title: Coin, front: {sign: "1", text: One}, back: {text: Spent}}
"""


def game(tmp_path: Path, components: str = COMPONENTS, prints: str = "") -> tuple[Game, Report]:
    files = dict(BASE)
    files["cards/g/components/all.yaml"] = components
    files["cards/g/game.yaml"] += prints
    report = Report()
    return load(write_project(tmp_path, files), report).games["g"], report


@pytest.mark.parametrize("make", sorted(MAKES))
def test_a_maker_has_a_shape_with_the_fields_and_defaults_of_its_options(make: str) -> None:
    options, keys = MAKES[make]
    fields = {part.name: part for part in structs.fields(options)}
    # What a kit or a scale asks for is stated by no file.
    assert keys.keys() == fields.keys() - {"only", "factor"}
    for name, key in keys.items():
        if key.default is REQUIRED or name in NAMED:
            continue
        assert key.default == fields[name].default, name


def test_every_shape_has_a_maker_and_every_maker_a_shape() -> None:
    assert MAKES.keys() == MAKERS.keys()


def test_records_inside_of_options_are_values_of_their_classes(tmp_path: Path) -> None:
    found, report = game(tmp_path)
    assert not report.items
    options = found.components["tokens"].options
    assert isinstance(options, Counters)
    assert options.items[0].front.text == "One" and options.items[0].back is not None
    assert isinstance(options.items[0].back, INSIDE["back"])
    assert found.components["dice"].options == Stickers(("white",), 12.0)


def test_texts_of_components_are_strings_and_are_translated_in_place(tmp_path: Path) -> None:
    found, _ = game(tmp_path)
    wanted = {
        "components/dice.title": "Dados",
        "components/tokens.items.coin.front.text": "Uno",
        "components/tokens.items.coin.back.text": "Gastada",
    }
    assert wanted.keys() <= found.strings.keys()
    spanish = translate(found, "es", wanted)
    assert spanish.components["dice"].title == "Dados"
    assert dict(words_of(spanish.components["tokens"].options)) == {
        "items.coin.title": "Coin",
        "items.coin.front.text": "Uno",
        "items.coin.back.text": "Gastada",
    }


def test_scaling_takes_every_length_and_nothing_else() -> None:
    options = scaled(Stickers(("white",), 16.0, 1.5, 3), 0.75)
    assert options == Stickers(("white",), 12.0, 1.125, 3)


@pytest.mark.parametrize(
    ("components", "code", "place", "said"),
    [
        ("dice:\n  make: stickers\n  title: Dice\n  dice: [wite]\n", "CG104", (4, 10), "white"),
        ("dice:\n  make: stickers\n  title: Dice\n  size: 3mm\n", "CG022", (4, 9), ""),
        ("dice:\n  make: stikers\n  title: Dice\n", "CG024", (2, 9), "stickers"),
        ("dice:\n  make: stickers\n  title: Dice\n  sizes: 12mm\n", "CG102", (4, 3), "size"),
        ("dice:\n  title: Dice\n", "CG025", (2, 3), "stickers"),
        ("dice: 5\n", "CG020", (1, 7), ""),
        ("t:\n  make: track\n  title: T\n  tracks: [thret]\n", "CG104", (4, 12), "threat"),
        ("p:\n  make: stickers\n  title: T\n  layout: g/itm\n", "CG104", (4, 11), "g/item"),
    ],
)
def test_mistakes_are_told_at_their_place(
    tmp_path: Path, components: str, code: str, place: tuple[int, int], said: str
) -> None:
    _, report = game(tmp_path, components)
    assert [item.code for item in report.items] == [code]
    span = report.items[0].span
    assert span is not None and (span.line, span.column) == place
    assert said in report.items[0].hint


def test_prints_hold_components_or_cards_and_name_such_as_exist(tmp_path: Path) -> None:
    prints = '  stickers: {title: S, version: "1", components: [dyce]}\n'
    prints += '  both: {title: S, version: "1", components: [dice], kinds: [item]}\n'
    _, report = game(tmp_path, prints=prints)
    assert sorted(item.code for item in report.items) == ["CG104", "CG114"]
    assert "`dice`" in next(item.hint for item in report.items if item.code == "CG104")


def test_a_component_of_the_same_name_twice_is_told(tmp_path: Path) -> None:
    files = dict(BASE)
    files["cards/g/components/a.yaml"] = files["cards/g/components/b.yaml"] = "dice: {make: stickers, title: Dice}\n"
    report = Report()
    load(write_project(tmp_path, files), report)
    assert [item.code for item in report.items] == ["CG105"]

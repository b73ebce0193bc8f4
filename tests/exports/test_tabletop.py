"""Decks for Tabletop Simulator: grids of the right size, saved objects that keep their identity."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from cardgen.exports.tabletop import PLAIN_BACK, best_grid
from cardgen.geometry import Size
from cardgen.units import MM_PER_INCH
from tests.exports.exporting import BACKS, OWN_BACKS, cards, exported, profiles

SCHEMA = json.loads(Path(__file__).with_name("saved_object.schema.json").read_text("utf-8"))
TTS = profiles()["tts"]
RED = (0xCC, 0, 0)


def made(root: Path, changes: dict[str, str], **wanted: object) -> tuple[dict[str, Any], list[Path]]:
    """The one object that was saved, after a look at all that is always true of it, and the pictures."""
    *pictures, path = exported(root, "tts", changes, **wanted)
    assert path.suffix == ".json"
    saved = json.loads(path.read_text("utf-8"))
    jsonschema.validate(saved, SCHEMA)
    (found,) = saved["ObjectStates"]
    inside = found.get("ContainedObjects", [])
    assert found.get("DeckIDs", []) == [card["CardID"] for card in inside]
    guids = [found["GUID"], *(card["GUID"] for card in inside)]
    assert len(set(guids)) == len(guids)
    for card in inside or [found]:
        deck, cell = divmod(card["CardID"], 100)
        (sheet,) = card["CustomDeck"].values()
        assert list(card["CustomDeck"]) == [str(deck)] and found["CustomDeck"][str(deck)] == sheet
        # The last cell is what others see of a hidden card; no card lies on it.
        assert cell < sheet["NumWidth"] * sheet["NumHeight"] - 1
    for picture in pictures:
        digest = hashlib.sha256(picture.read_bytes()).hexdigest()
        assert digest.startswith(picture.stem.rpartition("-")[2])
        with Image.open(picture) as opened:
            assert max(opened.size) < 4096
    return found, pictures


def local(url: str) -> Path:
    return Path(unquote(urlparse(url).path))


def cell(sheet: dict[str, Any], number: int, url: str = "FaceURL") -> Image.Image:
    with Image.open(local(sheet[url])) as picture:
        width, height = picture.width // sheet["NumWidth"], picture.height // sheet["NumHeight"]
        assert (width * sheet["NumWidth"], height * sheet["NumHeight"]) == picture.size
        x, y = number % sheet["NumWidth"] * width, number // sheet["NumWidth"] * height
        return picture.crop((x, y, x + width, y + height))


def middle(picture: Image.Image) -> Any:
    return picture.getpixel((picture.width // 2, picture.height // 2))


def test_a_deck_with_copies(tmp_path: Path) -> None:
    deck, pictures = made(tmp_path, {**BACKS, **cards(5, copies=3)})
    assert deck["Name"] == "DeckCustom" and deck["Nickname"] == "Items" and deck["Description"] == "Test Game: Items 1"
    assert [card["Nickname"] for card in deck["ContainedObjects"]] == [f"Card {n}" for n in range(5) for _ in range(3)]
    assert [id % 100 for id in deck["DeckIDs"]] == [n for n in range(5) for _ in range(3)]
    (sheet,) = deck["CustomDeck"].values()
    assert not sheet["UniqueBack"] and sheet["BackIsHidden"]
    assert {local(sheet["FaceURL"]), local(sheet["BackURL"])} == set(pictures)
    assert deck["Transform"]["rotZ"] == 180  # face down


def test_cells_show_their_cards_and_the_last_the_back(tmp_path: Path) -> None:
    deck, _ = made(tmp_path, {**BACKS, **cards(4)})
    (sheet,) = deck["CustomDeck"].values()
    last = sheet["NumWidth"] * sheet["NumHeight"] - 1
    assert middle(cell(sheet, last)) == RED
    assert [cell(sheet, n).getpixel((9, 9)) for n in range(4)] == [(0x33, 0x66, 0x99)] * 4
    assert cell(sheet, 0).tobytes() != cell(sheet, 1).tobytes()
    with Image.open(local(sheet["BackURL"])) as back:
        assert middle(back) == RED and back.width / back.height == pytest.approx(63 / 88, abs=0.01)


def test_a_back_for_each(tmp_path: Path) -> None:
    deck, _ = made(tmp_path, {**OWN_BACKS, **cards(3)})
    (sheet,) = deck["CustomDeck"].values()
    assert sheet["UniqueBack"]
    backs = [cell(sheet, n, "BackURL").tobytes() for n in range(3)]
    assert len(set(backs)) == 3
    # What is hidden tells nothing.
    last = sheet["NumWidth"] * sheet["NumHeight"] - 1
    assert cell(sheet, last).tobytes() == cell(sheet, last, "BackURL").tobytes()


def test_cards_without_backs_get_a_plain_one(tmp_path: Path) -> None:
    deck, _ = made(tmp_path, cards(2))
    (sheet,) = deck["CustomDeck"].values()
    with Image.open(local(sheet["BackURL"])) as back:
        assert middle(back) == PLAIN_BACK


def test_more_cards_than_a_grid_holds(tmp_path: Path) -> None:
    deck, pictures = made(tmp_path, {**BACKS, **cards(80)})
    assert len(deck["DeckIDs"]) == 80 and len(deck["CustomDeck"]) == 2
    first, second = sorted({id // 100 for id in deck["DeckIDs"]})
    assert second == first + 1
    # Two grids of forty, and the one back that is written for each of them.
    assert sorted(id % 100 for id in deck["DeckIDs"]) == sorted([*range(40), *range(40)])
    assert len(set(pictures)) == 3


def test_one_card_is_no_deck(tmp_path: Path) -> None:
    card, _ = made(tmp_path, cards(1))
    assert card["Name"] == "CardCustom" and card["Nickname"] == "Card 0"


def test_objects_keep_their_identity_and_pictures_change_their_name(tmp_path: Path) -> None:
    before, old = made(tmp_path / "a", {**BACKS, **cards(3)})
    changed = cards(3)["cards/g/cards/items.yaml"].replace("Card 1", "Other")
    after, new = made(tmp_path / "b", {**BACKS, "cards/g/cards/items.yaml": changed})
    assert before["GUID"] == after["GUID"] and before["DeckIDs"] == after["DeckIDs"]
    assert [c["GUID"] for c in before["ContainedObjects"]] == [c["GUID"] for c in after["ContainedObjects"]]
    # The fronts are others; the back is the same file.
    assert len({path.name for path in old} & {path.name for path in new}) == 1
    more, _ = made(tmp_path / "c", {**BACKS, **cards(3, copies=2)})
    assert {c["GUID"] for c in before["ContainedObjects"]} < {c["GUID"] for c in more["ContainedObjects"]}


def test_pictures_on_the_web(tmp_path: Path) -> None:
    deck, pictures = made(tmp_path, {**BACKS, **cards(2)}, base_url="https://example.org/cards/")
    (sheet,) = deck["CustomDeck"].values()
    assert {sheet["FaceURL"], sheet["BackURL"]} == {f"https://example.org/cards/{path.name}" for path in pictures}


def test_jpg(tmp_path: Path) -> None:
    _, pictures = made(tmp_path, {**BACKS, **cards(2)}, picture="jpg")
    assert {path.suffix for path in pictures} == {".jpg"}


@given(st.integers(1, 69), st.floats(20, 150), st.floats(20, 150))
def test_a_grid_holds_all_cards_and_one_more(count: int, width: float, height: float) -> None:
    grid = best_grid(count, Size(width, height), TTS)
    assert count + 1 <= grid.columns * grid.rows
    assert 2 <= grid.columns <= 10 and 2 <= grid.rows <= 7
    assert grid.columns * grid.width <= 4095 and grid.rows * grid.height <= 4095
    assert grid.dpi <= 300
    # Cells keep the shape of the cards, to a pixel.
    assert grid.width == pytest.approx(width / MM_PER_INCH * grid.dpi, abs=1)
    assert grid.height == pytest.approx(height / MM_PER_INCH * grid.dpi, abs=1)


def test_seventy_are_too_many() -> None:
    with pytest.raises(ValueError, match="more than a grid holds"):
        best_grid(70, Size(63, 88), TTS)


def test_few_cards_are_printed_fine() -> None:
    assert best_grid(8, Size(63, 88), TTS).dpi == 300
    full = best_grid(69, Size(63, 88), TTS)
    assert (full.columns, full.rows) == (10, 7) and full.dpi > 160

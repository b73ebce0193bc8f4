"""Decks for Tabletop Simulator: pictures of many cards in a grid, and a saved object that makes a deck of them.

The program numbers a card 100 x deck + cell, cells being counted from 0, row by row. It keeps pictures by their address:
a picture that changes must change its name, so names are hashes of contents. The last cell of a grid is what others see
of a hidden card. Objects keep their GUID from export to export, so that what refers to them still finds them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from cardgen.exports.cards import ExportCard
from cardgen.exports.job import File, Job
from cardgen.exports.pages import Frame, pages_pdf
from cardgen.exports.pictures import dots_to_the_inch, encoded
from cardgen.geometry import Size
from cardgen.model.export import ExportProfile
from cardgen.pdf.raster import page_image
from cardgen.pipeline.build import imprint_of
from cardgen.units import MM_PER_INCH

if TYPE_CHECKING:
    from PIL import Image

# The back of cards that have none: the ink of the sets.
PLAIN_BACK = (0x1F, 0x20, 0x22)
# Fewer columns or rows are no grid to the program.
_LEAST = 2
_NAME_LENGTH = 16
_Cells = Sequence[str | None]


class Cells(Struct, frozen=True):
    """A grid for cards of one size: how many each way, and a cell's pixels."""

    columns: int
    rows: int
    width: int
    height: int
    dpi: float


class _Sheet(Struct, frozen=True):
    """Cards that lie on one picture, with its files and what the saved object says of it."""

    deck: int
    cards: Sequence[ExportCard]
    custom: Mapping[str, Any]


def best_grid(count: int, cell: Size, profile: ExportProfile) -> Cells:
    """The grid for `count` cards of `cell` mm and the hidden one that gives them the most pixels; of equals, the one
    with the fewest cells. Raises ValueError when a grid of the profile has not so many cells."""
    best: Cells | None = None
    for rows in range(_LEAST, profile.rows + 1):
        columns = max(_LEAST, -(-(count + 1) // rows))
        if columns > profile.columns:
            continue
        most = profile.most_pixels or 16_384
        dpi = min(profile.dpi, most * MM_PER_INCH / columns / cell.width, most * MM_PER_INCH / rows / cell.height)
        width, height = (max(1, int(side / MM_PER_INCH * dpi + 1e-6)) for side in (cell.width, cell.height))
        found = Cells(columns, rows, width, height, dpi)
        if best is None or (-found.dpi, columns * rows) < (-best.dpi, best.columns * best.rows):
            best = found
    if best is None:
        raise ValueError(f"{count} cards and a hidden one are more than a grid holds")
    return best


def deck_files(job: Job) -> Iterator[File]:
    """The pictures of a print, then the saved object that names them."""
    sizes: dict[Frame, list[ExportCard]] = {}
    for card, frame in job.cards:
        sizes.setdefault(frame, []).append(card)
    most = job.profile.columns * job.profile.rows - 1
    first = _deck_number(job)
    sheets: list[_Sheet] = []
    for frame, cards in sizes.items():
        # Evenly: the fewer cards a picture has, the more pixels each.
        parts = -(-len(cards) // most)
        share = -(-len(cards) // parts)
        for at in range(0, len(cards), share):
            chosen = cards[at : at + share]
            files, custom = _pictures(job, frame, chosen)
            yield from files.items()
            sheets.append(_Sheet(first + len(sheets), chosen, custom))
    text = json.dumps(saved_object(job, sheets), ensure_ascii=False, indent=2)
    yield f"{job.name()}.json", f"{text}\n".encode()


def _pictures(job: Job, frame: Frame, cards: Sequence[ExportCard]) -> tuple[dict[str, bytes], dict[str, Any]]:
    """The files of one grid, and what the saved object says of them."""
    grid = best_grid(len(cards), frame.page, job.profile)
    keys = list(dict.fromkeys(key for card in cards for _, key in card.faces()))
    pdf = pages_pdf([(key, frame) for key in keys], job.drawn, imprint_of(job.product))
    backs = list(dict.fromkeys(card.back for card in cards))
    single = len(backs) == 1
    # What others see of a hidden card tells nothing of it: the back that most cards have.
    usual = max(backs, key=lambda back: sum(card.copies for card in cards if card.back == back))

    def cell(key: str | None) -> Image.Image:
        from PIL import Image

        size = grid.width, grid.height
        if key is None:
            return Image.new("RGB", size, PLAIN_BACK)
        picture = page_image(pdf, keys.index(key), grid.dpi)
        return picture if picture.size == size else picture.resize(size, Image.Resampling.LANCZOS)

    def whole(cells: _Cells) -> bytes:
        from PIL import Image

        picture = Image.new("RGB", (grid.columns * grid.width, grid.rows * grid.height), PLAIN_BACK)
        last = grid.columns * grid.rows - 1
        for at, key in [*enumerate(cells), (last, usual)]:
            picture.paste(cell(key), (at % grid.columns * grid.width, at // grid.columns * grid.height))
        return encoded(picture, job.picture, grid.dpi)

    front = whole([card.front for card in cards])
    if single and usual is not None:
        dpi = dots_to_the_inch(job.profile, frame.page)
        back = encoded(page_image(pdf, keys.index(usual), dpi), job.picture, dpi)
    elif single:
        back = encoded(cell(None), job.picture, grid.dpi)
    else:
        back = whole([card.back for card in cards])
    names = [_named(job, data) for data in (front, back)]
    custom = {
        "FaceURL": _address(job, names[0]),
        "BackURL": _address(job, names[1]),
        "NumWidth": grid.columns,
        "NumHeight": grid.rows,
        "BackIsHidden": True,
        "UniqueBack": not single,
        "Type": 0,
    }
    return dict(zip(names, (front, back), strict=True)), custom


def _named(job: Job, data: bytes) -> str:
    return f"{job.name()}-{hashlib.sha256(data).hexdigest()[:_NAME_LENGTH]}.{job.picture}"


def _address(job: Job, name: str) -> str:
    return f"{job.base_url.rstrip('/')}/{name}" if job.base_url else (job.folder / name).resolve().as_uri()


# --- the saved object ------------------------------------------------------------------------------------------------


def _number(text: str, most: int) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big") % most


def _deck_number(job: Job) -> int:
    """Where a print's decks are numbered from: its own, so that decks of different prints on one table differ."""
    return 100 * (10 + _number(job.product.name, 9_000))


class _Guids:
    """GUIDs by what they stand for: six hexadecimal digits, the same in every export, each once in a file."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def of(self, what: str) -> str:
        guid, tries = "", 0
        while not guid or guid in self._used:
            guid = f"{_number(f'{what} {tries}' if tries else what, 1 << 24):06x}"
            tries += 1
        self._used.add(guid)
        return guid


def saved_object(job: Job, sheets: Sequence[_Sheet]) -> dict[str, Any]:
    """The saved object of a print: one deck, face down, or the one card that it is."""
    guids, product = _Guids(), job.product
    about = f"{product.game.title}: {product.print.title} {product.print.version}".strip()
    deck_guid = guids.of(product.name)
    cards = [
        _card(card, sheet, cell, guids.of(f"{product.name}/{card.label}/{copy}"), about)
        for sheet in sheets
        for cell, card in enumerate(sheet.cards)
        for copy in range(card.copies)
    ]
    if len(cards) == 1:
        made = {**cards[0], "Name": "CardCustom"}
    else:
        made = {
            **_object("DeckCustom", deck_guid, product.print.title, about),
            "HideWhenFaceDown": True,
            "Hands": False,
            "SidewaysCard": False,
            "DeckIDs": [card["CardID"] for card in cards],
            "CustomDeck": {str(sheet.deck): sheet.custom for sheet in sheets},
            "ContainedObjects": cards,
        }
    return {
        "SaveName": "",
        "Date": "",
        "VersionNumber": "",
        "GameMode": "",
        "GameType": "",
        "GameComplexity": "",
        "Tags": [],
        "Gravity": 0.5,
        "PlayArea": 0.5,
        "Table": "",
        "Sky": "",
        "Note": "",
        "TabStates": {},
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        "ObjectStates": [made],
    }


def _card(card: ExportCard, sheet: _Sheet, cell: int, guid: str, about: str) -> dict[str, Any]:
    return {
        **_object("Card", guid, card.title, about),
        "HideWhenFaceDown": True,
        "Hands": True,
        "SidewaysCard": False,
        "CardID": 100 * sheet.deck + cell,
        "CustomDeck": {str(sheet.deck): sheet.custom},
    }


def _object(name: str, guid: str, nickname: str, description: str) -> dict[str, Any]:
    return {
        "GUID": guid,
        "Name": name,
        # Turned by 180 degrees about z: it lies face down.
        "Transform": {
            "posX": 0.0,
            "posY": 1.0,
            "posZ": 0.0,
            "rotX": 0.0,
            "rotY": 180.0,
            "rotZ": 180.0,
            "scaleX": 1.0,
            "scaleY": 1.0,
            "scaleZ": 1.0,
        },
        "Nickname": nickname,
        "Description": description,
        "GMNotes": "",
        "ColorDiffuse": {"r": 0.713, "g": 0.713, "b": 0.713},
        "Locked": False,
        "Grid": True,
        "Snap": True,
        "IgnoreFoW": False,
        "Autoraise": True,
        "Sticky": True,
        "Tooltip": True,
        "GridProjection": False,
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
    }

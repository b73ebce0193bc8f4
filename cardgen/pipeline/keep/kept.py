"""What builds of other processes have left of a project, and what this one leaves: cards, filled faces,
drawings, the contents of sheets."""

from __future__ import annotations

import zlib
from functools import cached_property
from pathlib import Path

from cardgen.faces.filled import Filled, KeptFace
from cardgen.files import MB, open_shelf
from cardgen.load.recall import KeptBlock, Recall, RecallingShelf
from cardgen.pdf.sheets import Sheets, StoredSheet
from cardgen.pipeline.keep.disk import DiskDrawings
from cardgen.pipeline.keep.sealed import Place, Table, open_place
from cardgen.text.settled import remember, remembered

_CARDS, _SETTLED = "cards", "settled"
# Bytes: of the sheets of more than ten thousand cards nothing is kept.
MOST_SHEETS = 20 * MB


class Kept:
    """What is kept of a project; each is read when it is asked for, and written by `flush` when it is not the same."""

    def __init__(self, place: Place, wanted: object) -> None:
        """`wanted` tells what is built, and how: faces and sheets of something else would only be in the way."""
        self._place = place
        self._faces, self._sheets = f"faces {wanted!r}", f"sheets {zlib.ZLIB_RUNTIME_VERSION} {wanted!r}"
        self.drawings = DiskDrawings(place)
        self._settled = place.find(_SETTLED, list[bytes]) or []
        remember(self._settled)

    @cached_property
    def recall(self) -> Recall:
        """What was read of the project's cards."""
        return Recall(self._cards.values)

    @cached_property
    def _cards(self) -> Table[KeptBlock]:
        return Table(self._place, _CARDS, dict[bytes, KeptBlock])

    @cached_property
    def filled(self) -> Filled:
        """The faces that were filled."""
        return Filled(self._filled.values)

    @cached_property
    def _filled(self) -> Table[KeptFace]:
        return Table(self._place, self._faces, dict[bytes, KeptFace])

    @cached_property
    def sheets(self) -> Sheets:
        """The sheets as they were stored."""
        return Sheets(self._stored.values)

    @cached_property
    def _stored(self) -> Table[StoredSheet]:
        return Table(self._place, self._sheets, dict[bytes, StoredSheet])

    def shelf(self, project: Path) -> RecallingShelf:
        """Where the project is read from."""
        return RecallingShelf(open_shelf(project).roots, self.recall)

    def _are_there(self, cards: dict[bytes, KeptBlock]) -> bool:
        return all(self._cards.values.get(key) == block for key, block in cards.items())

    def flush(self) -> None:
        """Write what is new, and remove what is too much."""
        self.drawings.flush()
        new = False
        settled = remembered()
        if settled != self._settled:
            self._place.keep(_SETTLED, settled)
            new = True
        if "recall" in self.__dict__ and self.recall.is_new:
            cards = self.recall.to_keep()
            if not self._are_there(cards):
                self._cards.keep(cards)
                new = True
        if "filled" in self.__dict__ and self.filled.is_new:
            self._filled.keep(self.filled.now)
            new = True
        if "sheets" in self.__dict__ and self.sheets.is_new and _size(self.sheets) <= MOST_SHEETS:
            self._stored.keep(self.sheets.now)
            new = True
        if new:
            self._place.prune()


def _size(sheets: Sheets) -> int:
    return sum(len(sheet.data) for sheet in sheets.now.values())


def open_kept(project: Path, wanted: object) -> Kept | None:
    """What is kept of a project; None where there is no place for the key that seals it."""
    place = open_place(project)
    return Kept(place, wanted) if place is not None else None

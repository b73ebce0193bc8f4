"""What layouts see of a game, its cards, a trim and the ink: plain values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cardgen.model.face import LeaveOut
from cardgen.model.game import Game
from cardgen.model.trim import Trim


class CardsView(dict[str, dict[str, object]]):
    """The cards of a game by id, which notices being read by a layout."""

    read = False

    def __contains__(self, key: object) -> bool:
        self.read = True
        return super().__contains__(key)

    def __getitem__(self, key: str) -> dict[str, object]:
        self.read = True
        return super().__getitem__(key)

    def __iter__(self) -> Iterator[str]:
        self.read = True
        return super().__iter__()

    def __len__(self) -> int:
        self.read = True
        return super().__len__()

    def items(self) -> Any:
        """Ids and cards."""
        self.read = True
        return super().items()


def game_view(game: Game) -> dict[str, object]:
    """A game as layouts see it, but for its cards."""
    return {
        "id": game.id,
        "title": game.title,
        "subtitle": game.subtitle,
        "version": game.version,
        "credits": game.credits,
        "dice": game.dice,
        "keywords": game.keywords,
        "tracks": game.tracks,
        "tables": game.tables,
        "kinds": game.kinds,
    }


def trim_view(trim: Trim) -> dict[str, object]:
    """A trim, its lengths in mm."""
    return {
        "id": trim.id,
        "width": trim.size.width,
        "height": trim.size.height,
        "bleed": trim.bleed,
        "safe": trim.safe,
        "corner": trim.corner,
    }


def ink_view(leave_out: tuple[LeaveOut, ...]) -> dict[str, bool]:
    """What of the ink a face is drawn with."""
    return {"backgrounds": "backgrounds" not in leave_out, "low_ink": "fills" in leave_out}

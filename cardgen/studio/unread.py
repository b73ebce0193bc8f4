"""Files of a game's cards that cannot be read: which, where, and what is said of the cards that stand in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import quote

from msgspec import Struct

from cardgen.diagnostics import Span
from cardgen.model.game import Game
from cardgen.pipeline.unread import excused as may_stand
from cardgen.pipeline.unread import unread_files
from cardgen.studio.saying import Problems

if TYPE_CHECKING:
    from cardgen.studio.workshop import Workshop


class Unread(Struct, frozen=True):
    """A file of cards that cannot be read, and the line where that shows."""

    game: str
    file: str
    line: int

    @property
    def short(self) -> str:
        """Its name without the folders."""
        return self.file.rpartition("/")[2]

    @property
    def url(self) -> str:
        """The page that mends it."""
        return f"/g/{self.game}/unread/{quote(self.file.removeprefix(f'cards/{self.game}/cards/'))}"


def unread(workshop: Workshop, game: Game) -> tuple[Unread, ...]:
    """The files of a game's cards that could not be read when the project was read last."""
    return tuple(Unread(game.id, span.file, span.line) for span in unread_files(workshop.report, game.id))


def excused(problems: Problems, game: Game, files: Sequence[Unread]) -> Problems:
    """Problems of a band by path; a card that is not there, while a file cannot be read, may stand in that file."""
    spans = [Span(item.file, item.line) for item in files]
    return {path: may_stand(items, game, spans) for path, items in problems.items()}

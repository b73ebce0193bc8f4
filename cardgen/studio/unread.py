"""Files of a game's cards that cannot be read: which, where, and what is said of the cards that stand in them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from msgspec import Struct, structs

from cardgen.model.game import Game
from cardgen.studio.saying import Problems

if TYPE_CHECKING:
    from cardgen.studio.workshop import Workshop

# Codes of files that are not read at all, or not in full.
UNREADABLE = frozenset(f"CG0{number:02}" for number in range(1, 15))


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
    start = f"cards/{game.id}/cards/"
    found: dict[str, Unread] = {}
    for item in workshop.report.sorted():
        if item.code in UNREADABLE and item.span is not None and item.span.file.startswith(start):
            found.setdefault(item.span.file, Unread(game.id, item.span.file, item.span.line))
    return tuple(found.values())


def excused(problems: Problems, game: Game, files: tuple[Unread, ...]) -> Problems:
    """Problems of a band; a card that is not there, while a file cannot be read, may stand in that file."""
    if not files:
        return problems
    told = {"file": ", ".join(item.short for item in files), "line": files[0].line}
    return {
        path: tuple(
            structs.replace(item, code="CG127", arguments={"name": item.arguments["name"], **told}, hint="")
            if item.code == "CG104"
            and item.arguments["name"] not in game.cards
            and set(str(item.arguments["what"]).split(" or ")) <= {"card", *game.kinds}
            else item
            for item in items
        )
        for path, items in problems.items()
    }

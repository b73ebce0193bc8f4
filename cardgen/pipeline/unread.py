"""Files of a game's cards that cannot be read, and what is said of the cards that may stand in them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from cardgen.diagnostics import Diagnostic, Report, Span
from cardgen.model.game import Game

# Codes of files that are not read at all, or not in full.
UNREADABLE = frozenset(f"CG0{number:02}" for number in range(1, 15))


def unread_files(report: Report, game: str) -> list[Span]:
    """Where each file of a game's cards that could not be read shows that first."""
    found: dict[str, Span] = {}
    for item in report.sorted():
        if item.code in UNREADABLE and item.span is not None and item.span.file.startswith(f"cards/{game}/cards/"):
            found.setdefault(item.span.file, item.span)
    return list(found.values())


def excused(items: Sequence[Diagnostic], game: Game, files: Sequence[Span]) -> tuple[Diagnostic, ...]:
    """What is wrong with a band; a card that is not there, while a file cannot be read, may stand in that file."""
    if not files:
        return tuple(items)
    told = {"file": ", ".join(span.file.rpartition("/")[2] for span in files), "line": files[0].line}
    return tuple(
        structs.replace(item, code="CG127", arguments={"name": item.arguments["name"], **told}, hint="")
        if item.code == "CG104"
        and item.arguments["name"] not in game.cards
        and set(str(item.arguments["what"]).split(" or ")) <= {"card", *game.kinds}
        else item
        for item in items
    )

"""Where a language is added that no game has yet: a shipped game's list of them is copied into the project first."""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.errors import FileProblem
from cardgen.files import Shelf


def adding_language(shelf: Shelf, games: Iterable[str]) -> str:
    """How a project gives a language to one of these games, as a hint."""
    own, shipped = [], []
    for file in (f"cards/{id}/game.yaml" for id in games):
        try:
            if Shelf(shelf.roots[:1]).find(file) is not None:
                own.append(file)
            elif (path := shelf.find(file)) is not None:
                shipped.append(f"copy `{path}` to `{file}` of the project and name it in `languages` there")
        except FileProblem:
            own.append(file)  # reading tells what is wrong
    if own:
        there = f"name it in `languages` of {f'`{own[0]}`' if len(own) == 1 else 'a game.yaml'}"
        return f"{there}, or for a shipped game {shipped[0]}" if shipped else there
    return shipped[0] if shipped else "name it in `languages` of a game.yaml"

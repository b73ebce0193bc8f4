"""Targets of a command: `game` or `game/print`, in which languages."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from cardgen.diagnostics import Report, did_you_mean
from cardgen.errors import UsageError
from cardgen.load.languages import adding_language
from cardgen.model.game import Game, Print
from cardgen.model.project import Project


class Target(Struct, frozen=True):
    """One game in one language, and which of its prints."""

    game: Game
    lang: str
    prints: tuple[Print, ...]


def choose(
    project: Project, names: Iterable[str], languages: Iterable[str], report: Report | None = None
) -> list[Target]:
    """The targets that the user named; every game and its languages when none is.

    Raises UsageError for a game, print or language that does not exist. What `report` says is broken is left out.
    """
    broken = {item.span.file for item in report or () if item.severity == "error" and item.span}
    wanted: dict[str, list[Print]] = {}
    for name in dict.fromkeys(names) or project.games:
        id, _, print_id = name.partition("/")
        game = project.games.get(id)
        if f"cards/{id}/game.yaml" in broken and (game is None or (print_id and print_id not in game.prints)):
            continue
        if game is None:
            raise UsageError(_unknown("game", id, project.games))
        if print_id and print_id not in game.prints:
            raise UsageError(_unknown(f"print of {id}", print_id, game.prints))
        chosen = wanted.setdefault(id, [])
        chosen += [item for item in game.prints.values() if print_id in ("", item.id) and item not in chosen]
    asked = list(languages)
    offered = {lang for id in wanted for lang in project.games[id].languages}
    for lang in asked:
        if wanted and lang not in offered:
            told = _unknown("language", lang, offered)
            raise UsageError(f"{told}; to add it, {adding_language(project.shelf, wanted)}")
    targets = []
    for id, prints in wanted.items():
        game = project.games[id]
        preferred = asked or [lang for lang in project.languages if lang in game.languages] or game.languages
        targets += [Target(game, lang, tuple(prints)) for lang in preferred if lang in game.languages]
    return targets


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    hint = did_you_mean(name, known)
    return f"there is no {what} `{name}`" + (f"; {hint}" if hint else "")

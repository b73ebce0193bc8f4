"""From bands' files to their judgements."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cardgen.diagnostics import Report, did_you_mean
from cardgen.errors import UsageError
from cardgen.load.languages import adding_language
from cardgen.load.project import load_project, read_band
from cardgen.model.game import Game
from cardgen.model.project import Project
from cardgen.pipeline.languages import in_language
from cardgen.pipeline.unread import excused, unread_files
from cardgen.pipeline.verdicts import known_rules
from cardgen.rules.bands import Judgement, judge_band


def judge_file(
    root: Path, path: Path, languages: tuple[str, ...], report: Report
) -> tuple[Project, Game, Judgement] | None:
    """The project, the game and the judgement of a band's file, or None after reporting why there is none.

    Raises UsageError for a file that is not `cards/<game>/bands/*.yaml` of the project, or an unknown language.
    """
    found = judge_files(root, [path], languages, report)
    return None if found is None else (found[0], found[1], found[2][0])


def judge_files(
    root: Path, paths: Sequence[Path], languages: tuple[str, ...], report: Report
) -> tuple[Project, Game, list[Judgement]] | None:
    """As `judge_file`, for several bands, which must be of one game."""
    project = load_project(root, report)
    if project is None:
        return None
    names = [_name(project, path) for path in paths]
    games = list(dict.fromkeys(name.split("/")[1] for name in names))
    if len(games) > 1:
        raise UsageError(f"these bands are of different games: {', '.join(games)}")
    game = project.games.get(games[0])
    if game is None:
        raise UsageError(f"there is no game `{games[0]}`; {did_you_mean(games[0], project.games)}")
    if languages and languages[0] not in game.languages:
        known = did_you_mean(languages[0], game.languages) or f"known: {', '.join(game.languages)}"
        adding = adding_language(project.shelf, [game.id])
        raise UsageError(f"there is no language `{languages[0]}`; {known}; to add it, {adding}")
    if languages and languages[0] != game.source:
        # What is missing in the translation is for `check` to tell.
        game = in_language(game, languages[0], project.shelf, {}, Report())
    judgements = []
    for name in names:
        told = Report()
        band = read_band(project.shelf, game, name, told)
        report.extend(excused(told.items, game, unread_files(report, game.id)))
        if band is None or not known_rules(game, band, report):
            return None
        judgements.append(judge_band(game, band))
    return project, game, judgements


def _name(project: Project, path: Path) -> str:
    """The name on the shelf of a band's file."""
    for root in project.shelf.roots:
        if path.is_relative_to(root.resolve()):
            name = path.relative_to(root.resolve()).as_posix()
            break
    else:
        raise UsageError(f"`{path.name}` lies outside of the project; put it into `cards/<game>/bands/`")
    parts = name.split("/")
    if len(parts) < 4 or parts[0] != "cards" or parts[2] != "bands" or not name.endswith(".yaml"):
        raise UsageError(f"`{name}` is no band: bands are `cards/<game>/bands/*.yaml`")
    return name

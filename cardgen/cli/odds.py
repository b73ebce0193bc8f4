"""`cardgen odds EXPR`: the exact odds of a game's dice, as text for people and as fractions for programs."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli.common import Common, common_options, unknown
from cardgen.cli.show import show_text
from cardgen.diagnostics import Report
from cardgen.errors import UsageError

if TYPE_CHECKING:
    from cardgen.model.game import Game
    from cardgen.model.odds import Chance
    from cardgen.model.sheet import SheetWords
    from cardgen.pipeline.odds import Answer

# Of the bars, in characters; and fractions with a longer denominator are shown as percentages only.
BAR, LONGEST = 30, 12
# What is less probable in sum is told in one line.
RAREST = 0.0001


@click.command("odds")
@click.argument("expr", required=False, metavar="[EXPR]")
@click.option("--game", "game_id", metavar="GAME", help="Whose dice.  [default: the only game that has them]")
@common_options
def odds_command(expr: str | None, game_id: str | None, common: Common) -> None:
    """Compute EXPR exactly: dice such as `2white+1blue`, or a situation of a game such as `attack(2white, 1red)`.

    Without EXPR the situations are listed. With --format json every chance is a fraction.
    """
    from cardgen.odds.pools import OddsProblem
    from cardgen.pipeline.odds import answer

    games, words = _games(common)
    if game_id is not None:
        if game_id not in {game.id for game in games}:
            raise UsageError(unknown("game", game_id, (game.id for game in games)))
        games = [game for game in games if game.id == game_id]
    if expr is None:
        _list(games, common.format)
        return
    answers: dict[str, Answer] = {}
    problems: dict[str, str] = {}
    for game in games:
        try:
            answers[game.id] = answer(game, expr)
        except OddsProblem as error:
            problems[game.id] = str(error)
    if not answers:
        raise UsageError(_most_relevant(games, expr, problems))
    if len(answers) > 1:
        raise UsageError(
            f"`{expr}` can be rolled in {' and '.join(answers)}; say which with `--game {next(iter(answers))}`"
        )
    ((id, found),) = answers.items()
    if common.format == "json":
        click.echo(json.dumps(_as_json(id, found, words), ensure_ascii=False, indent=1))
    else:
        _print(found)


def _most_relevant(games: list[Game], expr: str, problems: dict[str, str]) -> str:
    """What to say when no game can roll it: the problem of the game that it is most likely about, and the others' only
    where they are as likely. A game that has the situation comes before one that has its dice, and that before one with
    something of a similar name."""
    if not problems:
        return "there are no games"
    words = re.findall(r"[a-z][\w-]*", expr)

    def likely(game: Game) -> tuple[bool, int, bool]:
        known = sum(word in game.dice or word in game.odds for word in words)
        return words[:1] != [] and words[0] in game.odds, known, "did you mean" in problems[game.id]

    most = max(map(likely, games))
    told = {game.id: problems[game.id] for game in games if likely(game) == most}
    if len(set(told.values())) == 1:
        return next(iter(told.values()))
    return "; ".join(f"{id}: {text}" for id, text in told.items())


def _games(common: Common) -> tuple[list[Game], SheetWords]:
    """The games in the language asked for, and what it calls yes and no."""
    from cardgen.load.project import load_project
    from cardgen.model.sheet import SheetWords
    from cardgen.pipeline.languages import in_language

    report = Report()
    project = load_project(common.project, report)
    if project is None:
        show_text(report)
        sys.exit(1)
    lang = next(iter(common.languages), "")
    games = list(project.games.values())
    games = [in_language(game, lang, project.shelf, {}, Report()) if lang in game.languages else game for game in games]
    return games, project.words.get(lang, SheetWords())


def _list(games: list[Game], format: str) -> None:
    if format == "json":
        shown = [
            {
                "game": game.id,
                "dice": {die.id: list(die.faces) for die in game.dice.values()},
                "situations": {
                    item.id: {
                        "title": item.title,
                        "about": item.about,
                        "source": item.source,
                        "given": {
                            given.id: given.dice if given.number is None else given.number
                            for given in item.given.values()
                        },
                        "results": {result.id: result.title for result in item.results.values()},
                    }
                    for item in game.odds.values()
                },
            }
            for game in games
        ]
        click.echo(json.dumps(shown, ensure_ascii=False, indent=1))
        return
    for game in games:
        if game.odds:
            click.echo(f"{game.id}: {game.title}")
        for item in game.odds.values():
            given = ", ".join(
                f"{told.id}={told.dice or '0'}" if told.number is None else f"{told.id}={told.number}"
                for told in item.given.values()
            )
            click.echo(f"  {item.id}({given})  {item.title}")


def _print(found: Answer) -> None:
    told = ", ".join(f"{found.situation.given[name].title} {value or '0'}" for name, value in found.given.items())
    click.echo(found.situation.title + (f": {told}" if told else ""))
    if found.situation.about:
        click.echo(textwrap.fill(found.situation.about, 100, initial_indent="  ", subsequent_indent="  "))
    if found.situation.source:
        click.echo(f"  source: {found.situation.source}")
    for chance in found.chances:
        click.echo("")
        if all(isinstance(value, bool) for value, _ in chance.outcomes):
            click.echo(f"{chance.title}: {_percent(chance.of(True))}{_fraction(chance.of(True))}")
            continue
        mean = chance.mean
        click.echo(chance.title + ("" if mean is None else f" (mean {float(mean):.2f}{_fraction(mean)})"))
        _bars(chance)


def _bars(chance: Chance) -> None:
    names = [chance.values.get(str(value), str(value)) for value, _ in chance.outcomes]
    wide = max(len(name) for name in names)
    most = max(share for _, share in chance.outcomes)
    for name, (value, share) in zip(names, chance.outcomes, strict=True):
        more = ""
        if chance.mean is not None and isinstance(value, int):
            left = chance.at_least(value)
            if left < RAREST and value != chance.outcomes[0][0]:
                # a long end of rows that all say 0.00 % tells nobody anything
                click.echo(f"  {name.rjust(wide)} or more  less than {_percent(RAREST)}")
                return
            more = f"  {_percent(left):>8} or more"
        bar = "█" * round(float(share / most) * BAR) or "▏"
        label = name.ljust(wide) if chance.mean is None else name.rjust(wide)
        click.echo(f"  {label}  {_percent(share):>8}{more}  {bar}{_fraction(share)}")


def _percent(share: Any) -> str:
    return f"{float(share * 100):.2f} %"


def _fraction(share: Any) -> str:
    text = str(share)
    return f"  {text}" if 1 < len(text) <= LONGEST and "/" in text else ""


def _title(chance: Chance, value: object, words: SheetWords) -> str:
    """What an outcome is called in the language asked for, be it yes or no."""
    if isinstance(value, bool):
        return chance.values.get(str(value), words.yes if value else words.no)
    return chance.values.get(str(value), str(value))


def _as_json(game: str, found: Answer, words: SheetWords) -> dict[str, Any]:
    return {
        "game": game,
        "situation": found.situation.id or None,
        "title": found.situation.title,
        "given": dict(found.given),
        "results": {
            chance.id: {
                "title": chance.title,
                "mean": None if chance.mean is None else str(chance.mean),
                "outcomes": [
                    {"value": value, "title": _title(chance, value, words), "chance": str(share)}
                    for value, share in chance.outcomes
                ],
            }
            for chance in found.chances
        },
    }

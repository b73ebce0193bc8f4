"""`cardgen explain ID` and `cardgen rules`: what the rules are, why, and by which source."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from cardgen.cli.common import Common, common_options, unknown
from cardgen.cli.show import show_text
from cardgen.diagnostics import Report, did_you_mean
from cardgen.errors import UsageError

if TYPE_CHECKING:
    from cardgen.model.game import Game


@click.command("explain")
@click.argument("id", metavar="ID")
@common_options
def explain_command(id: str, common: Common) -> None:
    """Explain a rule, note, ruling, formula, keyword, card, die, situation or source, or a code of a diagnostic.

    ID may be written in any case, or be the title that is printed, in the language of --lang. A game's texts are told in
    that language; what has no translation is marked with the language that it is in.
    """
    from cardgen.codes import CODES
    from cardgen.rules.explain import explain, explain_keyword, id_called, ids_of
    from cardgen.rules.things import explain_things, names_of_things

    if not id.strip():
        raise UsageError("what is to be explained? name a rule, a keyword, a card …; `cardgen rules` lists the rules")
    if id.upper() in CODES:
        code = CODES[id.upper()]
        _say(common, f"{id.upper()} ({code.severity}): {code.message}\n\n{code.about}")
        return
    known = set[str]()
    games = _games(common)
    id = id_called(games, id)
    for game in games:
        for pack in game.packs.values():
            text = explain(game, pack, id)
            if text is not None:
                _say(common, text)
                return
            known |= ids_of(pack)
    for game in games:
        if id in game.keywords:
            _say(common, explain_keyword(game, id))
            return
        known |= {*game.keywords}
    # Several games may have a die or a card of one name.
    found = [text for game in games for text in explain_things(game, id)]
    if found:
        _say(common, "\n\n".join(found))
        return
    for game in games:
        known |= names_of_things(game)
    hint = did_you_mean(id, known) or "`cardgen rules` lists rules and notes, `cardgen odds` dice and situations"
    raise UsageError(f"there is nothing called `{id}`; {hint}")


@click.command("rules")
@click.argument("game", required=False)
@common_options
def rules_command(game: str | None, common: Common) -> None:
    """List the rules, notes and formulas of all games, or of one."""
    from cardgen.rules.explain import entries, listing

    games = _games(common)
    if game is not None and game not in {item.id for item in games}:
        raise UsageError(unknown("game", game, [item.id for item in games]))
    chosen = [(item, pack) for item in games if game in (None, item.id) for pack in item.packs.values()]
    if common.format == "json":
        packs = [{"game": item.id, "pack": pack.id, "entries": entries(item, pack)} for item, pack in chosen]
        click.echo(json.dumps(packs, ensure_ascii=False, indent=1))
        return
    for item, pack in chosen:
        click.echo(listing(item, pack))


def _say(common: Common, text: str) -> None:
    click.echo(json.dumps({"text": text}, ensure_ascii=False) if common.format == "json" else text)


def _games(common: Common) -> list[Game]:
    """The games, in the language that was asked for."""
    from cardgen.load.languages import adding_language
    from cardgen.load.project import load_project
    from cardgen.pipeline.languages import in_language

    report = Report()
    project = load_project(common.project, report)
    if project is None:
        show_text(report)
        sys.exit(1)
    lang = next(iter(common.languages), "")
    games = list(project.games.values())
    if lang and all(lang not in game.languages for game in games):
        told = unknown("language", lang, {name for game in games for name in game.languages})
        raise UsageError(f"{told}; to add it, {adding_language(project.shelf, project.games)}")
    # What is missing in a translation is for `check` to tell.
    return [in_language(game, lang, project.shelf, {}, Report()) if lang in game.languages else game for game in games]

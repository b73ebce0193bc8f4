"""Whether a translated set says what it must: what it is from, who made it, and where mistakes are told."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cardgen.diagnostics import Report, Span
from cardgen.load.shared import WORDS_FILE, lacking_words
from cardgen.model.game import Game
from cardgen.model.project import Project
from cardgen.pipeline.languages import catalog_name, catalog_of
from cardgen.pipeline.targets import Target

# What stands where somebody's name is to stand.
PLACEHOLDERS = frozenset({"FULL NAME", "YOUR NAME"})


def check_credits(project: Project, targets: Iterable[Target], report: Report) -> None:
    """Report what the games of the targets lack to be handed on in a translation."""
    told: set[str] = set()
    unsaid: set[str] = set()
    judged: set[str] = set()
    for target in targets:
        game, lang = target.game, target.lang
        if lang == game.source:
            continue
        stated = {
            "`credits`": game.credits,
            "`licence`": game.licence,
            "`report_url`": game.report_url,
        }
        lacks = ", ".join(name for name, value in stated.items() if not value)
        if lacks and game.id not in told:
            told.add(game.id)
            report.add("CG238", Span(f"cards/{game.id}/game.yaml", 1, 1), lang=lang, what=lacks)
        if lang not in unsaid:
            unsaid.add(lang)
            _check_words(project, lang, report)
        if game.id not in judged:
            judged.add(game.id)
            _check_filled_in(game, report)
        catalog = catalog_of(game, lang, project.shelf, Report())
        if catalog is not None and not catalog.translators:
            what = "its translators: the header's `X-Translators` or `Last-Translator`"
            report.add("CG238", Span(catalog_name(game.id, lang), 1, 1), lang=lang, what=what)


def _check_words(project: Project, lang: str, report: Report) -> None:
    """Report the words of sheets that a language does not have, which are printed in English."""
    lacks = lacking_words(project.shelf, lang)
    if not lacks:
        return
    what = f"the words of its sheets: an entry `{lang}` in this file"
    if lang in project.words:
        count = f"{len(lacks)} {'word' if len(lacks) == 1 else 'words'}"
        what = f"{count} of its sheets: {', '.join(lacks[:3])}{', …' if len(lacks) > 3 else ''}"
    hint = f"`cardgen i18n words {lang}` prints the entry to fill in"
    report.add("CG238", Span(WORDS_FILE), hint, lang=lang, what=what)


def _check_filled_in(game: Game, report: Report) -> None:
    """Report what stands in a game as `cardgen new` wrote it, or tells of mistakes to nobody."""
    place = Span(f"cards/{game.id}/game.yaml", 1, 1)
    if game.credits.strip().upper() in PLACEHOLDERS:
        report.add("CG243", place, key="credits", found=game.credits)
    address = game.report_url
    if re.match(r"mailto:\s*(\?|$)", address, re.IGNORECASE):
        report.add("CG244", place, found=address)

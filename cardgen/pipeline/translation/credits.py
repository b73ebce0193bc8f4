"""Whether a translated set says what it must: what it is from, who made it, and where mistakes are told."""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.diagnostics import Report, Span
from cardgen.model.project import Project
from cardgen.pipeline.languages import catalog_name, catalog_of
from cardgen.pipeline.targets import Target


def check_credits(project: Project, targets: Iterable[Target], report: Report) -> None:
    """Report what the games of the targets lack to be handed on in a translation."""
    told: set[str] = set()
    unsaid: set[str] = set()
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
        if lang not in project.words and lang not in unsaid:
            unsaid.add(lang)
            place = Span("layouts/_words.yaml")
            report.add("CG238", place, lang=lang, what=f"the words of its sheets: an entry `{lang}` in this file")
        catalog = catalog_of(game, lang, project.shelf, Report())
        if catalog is not None and not catalog.translators:
            what = "its translators: the header's `X-Translators` or `Last-Translator`"
            report.add("CG238", Span(catalog_name(game.id, lang), 1, 1), lang=lang, what=what)

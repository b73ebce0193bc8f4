"""The wording of a game in one language: each text by itself, beside its source, and beside the others."""

from __future__ import annotations

from cardgen.diagnostics import Report, Span
from cardgen.i18n.catalog import Catalog
from cardgen.i18n.checks import faults_of_text, faults_of_translation
from cardgen.i18n.glossary import slips_of
from cardgen.i18n.states import state_of
from cardgen.model.game import Game
from cardgen.text.markup import plain

# Shorter texts are labels and names, which grammar inflects: a sentence has no reason to differ.
SENTENCE_WORDS = 4


def check_source(game: Game, report: Report) -> None:
    """What is wrong with the texts of the source language by themselves."""
    for context, source in game.strings.items():
        for fault in faults_of_text(source.text, game.source, source.rich):
            report.add(fault.code, source.span, context=context, lang=game.source, **fault.arguments)


def check_wording(game: Game, catalog: Catalog, report: Report) -> None:
    """What is wrong with the finished translations of a game (in its source language); unfinished ones may wait."""
    lang = catalog.lang
    terms = game.glossaries.get(lang, ())
    said: dict[str, tuple[str, str]] = {}
    for context, source in game.strings.items():
        entry = catalog.entries.get(context)
        if entry is None or state_of(source, entry, terms) not in ("done", "same"):
            continue
        about: dict[str, str] = {"context": context, "lang": lang}
        for fault in faults_of_translation(source.text, entry.target, lang, source.rich):
            report.add(fault.code, entry.span, **about, **fault.arguments)
        for slip in slips_of(source.text, entry.target, terms):
            told = about | {"term": slip.term.source}
            hint = f"see {slip.term.span}"
            match slip.kind:
                case "unused":
                    report.add("CG232", entry.span, hint, expected=slip.term.target, **told)
                case "forbidden":
                    report.add("CG233", entry.span, hint, word=slip.word, expected=slip.term.target, **told)
                case "kept":
                    report.add("CG234", entry.span, hint, **told)
        if len(plain(source.text).split()) >= SENTENCE_WORDS:
            _one_translation(source.text, entry.target, entry.span, said, about, report)


def _one_translation(
    source: str, target: str, span: Span, said: dict[str, tuple[str, str]], about: dict[str, str], report: Report
) -> None:
    other, where = said.setdefault(source, (target, about["context"]))
    if other != target:
        shown = {"source": source[:60], "target": target[:60], "other": other[:60], "where": where}
        report.add("CG231", span, **shown, **about)

"""The wording of a game in one language: each text by itself, beside its source, and beside the others."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cardgen.diagnostics import Report, Span
from cardgen.i18n.catalog import Catalog
from cardgen.i18n.checks import faults_of_translation
from cardgen.i18n.glossary import slips_of
from cardgen.i18n.states import limit_of, state_of
from cardgen.model.game import Game
from cardgen.text.markup import plain

# Shorter texts are labels and names, which grammar inflects: a sentence has no reason to differ.
SENTENCE_WORDS = 4


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
        waived = waived_by(entry.comments)
        for fault in faults_of_translation(source.text, entry.target, lang, source.rich, game.source):
            if fault.code not in waived:
                report.add(fault.code, entry.span, **about, **fault.arguments)
        for slip in slips_of(source.text, entry.target, terms):
            told = about | {"term": slip.term.source}
            code = {"unused": "CG232", "forbidden": "CG233", "kept": "CG234"}[slip.kind]
            if code not in waived:
                hint = f"see {slip.term.span}"
                report.add(code, entry.span, hint, word=slip.word, expected=slip.term.target, **told)
        most = limit_of(game, context)
        if most is not None and len(entry.target) > most and "CG240" not in waived:
            report.add("CG240", entry.span, found=len(entry.target), most=most, **about)
        if "CG231" not in waived and len(plain(source.text).split()) >= SENTENCE_WORDS:
            _one_translation(source.text, entry.target, entry.span, said, about, report)


def waived_by(comments: Sequence[str]) -> frozenset[str]:
    """The codes that a translator's comment waives for its entry: `ok CG232: said by the verb`."""
    found = (re.match(r"ok (CG\d{3})\s*:\s*\S", line) for line in comments)
    return frozenset(match[1] for match in found if match)


def _one_translation(
    source: str, target: str, span: Span, said: dict[str, tuple[str, str]], about: dict[str, str], report: Report
) -> None:
    other, where = said.setdefault(source, (target, about["context"]))
    if other != target:
        shown = {"source": source[:60], "target": target[:60], "other": other[:60], "where": where}
        report.add("CG231", span, **shown, **about)

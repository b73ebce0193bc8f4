"""Reads `cards/<game>/glossary/<lang>.yaml`: the terms that a translation keeps to."""

from __future__ import annotations

import re
from pathlib import Path

from cardgen.diagnostics import Report, Span
from cardgen.files import Shelf
from cardgen.load.languages import adding_language
from cardgen.load.reader import BAD, Reader
from cardgen.load.shared import names_in, read_node
from cardgen.load.translation_shapes import GLOSSARY
from cardgen.model.game import Game
from cardgen.model.translation import Glossaries, Term


def read_glossaries(shelf: Shelf, game: Game, report: Report) -> Glossaries:
    """The glossaries of a game by language; what is wrong with one is reported and left out."""
    found: dict[str, tuple[Term, ...]] = {}
    for name in names_in(shelf, f"cards/{game.id}/glossary", ".yaml", report):
        lang = Path(name).stem
        if lang not in game.languages:
            report.add("CG235", Span(name, 1, 1), adding_language(shelf, [game.id]), lang=lang)
            continue
        root = read_node(shelf, name, report)
        reader = Reader(report)
        raw = BAD if root is None else reader.read(root, GLOSSARY)
        if raw is BAD:
            continue
        terms = []
        for id, item in raw.items():
            target = item["target"] or (item["source"] if item["keep"] else "")
            if not target:
                report.add("CG025", reader.span(name, id), key="target", what=f"term `{id}`")
                continue
            # Without stems the target itself, as it is written, is what shows that the term is used.
            stems = item["stems"] or (re.sub(r"\s*\([^)]*\)", "", target).strip(),)
            span = reader.span(name, id)
            unless = item["unless"]
            terms.append(Term(id, item["source"], target, stems, item["forbidden"], item["keep"], span, unless))
        found[lang] = tuple(terms)
    return found

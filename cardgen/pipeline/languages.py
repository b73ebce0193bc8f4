"""A game in one of its languages, with its texts checked."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.diagnostics import Report, Span
from cardgen.errors import FileProblem
from cardgen.files import MAX_PO, Shelf
from cardgen.i18n.catalog import read_catalog
from cardgen.i18n.translate import translate, usable
from cardgen.model.game import Game
from cardgen.pipeline.odds import with_odds
from cardgen.pipeline.texts import check_texts


def in_language(game: Game, lang: str, shelf: Shelf, characters: Mapping[str, frozenset[int]], report: Report) -> Game:
    """The game in `lang`; what is missing, stale or cannot be printed is reported and stays in the source language."""
    if lang == game.source:
        check_texts(game, {}, None, shelf, characters, report)
        return with_odds(game, report)
    file = f"cards/{game.id}/i18n/{lang}.po"
    texts: dict[str, str] = {}
    catalog = None
    try:
        if shelf.find(file) is None:
            report.add("CG209", Span(file), lang=lang)
        else:
            catalog = read_catalog(shelf.read(file, MAX_PO), lang, file, report)
    except FileProblem as error:
        report.add("CG001", Span(file), problem=str(error))
    if catalog is not None:
        texts = usable(game, catalog, report)
    translated = translate(game, lang, texts)
    check_texts(translated, texts, catalog, shelf, characters, report)
    return with_odds(translated, report)

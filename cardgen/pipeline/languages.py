"""A game in one of its languages, with its texts checked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from cardgen.diagnostics import Report, Span
from cardgen.errors import FileProblem
from cardgen.files import MAX_PO, Shelf
from cardgen.i18n.checks import check_source
from cardgen.model.band import Band
from cardgen.model.font import in_language as fonts_in
from cardgen.model.game import Game
from cardgen.model.project import Project
from cardgen.model.translation import Policy
from cardgen.pipeline.texts import check_band_texts, check_texts, role_characters

if TYPE_CHECKING:  # catalogs are loaded for translations alone
    from cardgen.i18n.catalog import Catalog

# What to read with: whatever the project prints, its texts can be looked at.
_LENIENT = Policy()


def in_language(game: Game, lang: str, shelf: Shelf, characters: Mapping[str, frozenset[int]], report: Report) -> Game:
    """The game in `lang`; what is missing, stale or cannot be printed is reported and stays in the source language."""
    return _in_language(game, lang, shelf, characters, _LENIENT, report)[0]


def to_print(
    project: Project,
    game: Game,
    lang: str,
    characters: Mapping[str, frozenset[int]],
    report: Report,
    only_looked_at: bool = False,
) -> Game | None:
    """The game in `lang` as the project's policy has it printed, its wording checked; None when that refuses it.

    What is only looked at is never refused: the refusal is one problem among the others.
    """
    if lang == game.source:
        check_source(game, report)
    made, refused = _in_language(game, lang, project.shelf, characters, project.policy, report, wording=True)
    return None if refused and not only_looked_at else made


def check_printed(project: Project, game: Game, cards: Collection[str], bands: Sequence[Band], report: Report) -> None:
    """Check the texts of a game in its language, of its cards those of `cards` alone, and what `bands` say."""
    characters = role_characters(project.shelf, fonts_in(project.fonts, game.lang), report)
    strings = {
        context: source
        for context, source in game.strings.items()
        if (id := context.partition("/")[0]) in cards or id not in game.cards
    }
    catalog = None if game.lang == game.source else catalog_of(game, game.lang, project.shelf, Report())
    told = {context: game.words[context] for context in strings if context in game.words}
    check_texts(structs.replace(game, strings=strings), told, catalog, project.shelf, characters, report)
    check_band_texts(bands, game.lang, characters, report)


def catalog_of(game: Game, lang: str, shelf: Shelf, report: Report) -> Catalog | None:
    """The translations of a game into `lang`; None after reporting that there are none that can be read."""
    file = catalog_name(game.id, lang)
    try:
        if shelf.find(file) is None:
            report.add("CG209", Span(file), lang=lang)
            return None
        from cardgen.i18n.catalog import read_catalog

        return read_catalog(shelf.read(file, MAX_PO), lang, file, report)
    except FileProblem as error:
        report.add("CG001", Span(file), problem=str(error))
        return None


def catalog_name(game: str, lang: str) -> str:
    """Where the translations of a game lie in a project."""
    return f"cards/{game}/i18n/{lang}.po"


def _in_language(
    game: Game,
    lang: str,
    shelf: Shelf,
    characters: Mapping[str, frozenset[int]],
    policy: Policy,
    report: Report,
    wording: bool = False,
) -> tuple[Game, bool]:
    """The game in `lang`, and whether the policy refuses to print it."""
    if lang == game.source:
        check_texts(game, {}, None, shelf, characters, report)
        return _with_odds(game, report), False
    from cardgen.i18n.translate import translate, usable
    from cardgen.i18n.wording import check_wording

    catalog = catalog_of(game, lang, shelf, report)
    refused = catalog is None and policy.missing == "refuse"
    if refused:
        place = Span(catalog_name(game.id, lang))
        report.add("CG221", place, count=len(game.strings), state="missing", first="all of them", lang=lang)
    texts: dict[str, str] = {}
    if catalog is not None:
        found = usable(game, catalog, report, policy)
        texts, refused = found.texts, found.refused
        if wording:
            check_wording(game, catalog, report)
    translated = translate(game, lang, texts)
    check_texts(translated, texts, catalog, shelf, characters, report)
    translated = structs.replace(translated, translators=catalog.translators if catalog is not None else "")
    return _with_odds(translated, report), refused


def _with_odds(game: Game, report: Report) -> Game:
    if not any(kind.odds for kind in game.kinds.values()):
        return game
    from cardgen.pipeline.odds import with_odds

    return with_odds(game, report)

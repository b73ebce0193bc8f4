"""`i18n review`: source and translation side by side as they are printed, for reviewers on paper."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from cardgen.diagnostics import Report
from cardgen.faces.make import FaceMaker
from cardgen.i18n.states import TextState, states_of
from cardgen.i18n.translate import translate
from cardgen.model.game import Game
from cardgen.model.project import Project
from cardgen.model.translation import State
from cardgen.pipeline.translation.exchange import own_catalog
from cardgen.pipeline.versions.pairs import Line, Pair, draw_faces, faces_of, pairs_pdf
from cardgen.workers import Workers


class Reviewed(Struct, frozen=True):
    """The pages of a review as a PDF, how many cards they show, and how many texts that stand on none."""

    data: bytes
    cards: int
    texts: int


def review_pdf(
    project: Project, game: Game, lang: str, states: Collection[State], workers: Workers, report: Report
) -> Reviewed | None:
    """The pages with every card and every other text that is in one of the states; None when there is none.

    Whatever there is of a translation is shown as it would be printed, stale or not: that is what is reviewed. Raises
    CardgenError when a page cannot be drawn.
    """
    catalog = own_catalog(project, game, lang, report)
    if catalog is None:
        return None
    by_card: dict[str, list[TextState]] = {}
    others: list[Line] = []
    for item in states_of(game, catalog, lang):
        card, _, _ = item.context.partition("/")
        if card in game.cards:
            by_card.setdefault(card, []).append(item)
        elif item.state in states:
            others.append(_line(item, item.context))
    chosen = [card for card, items in by_card.items() if any(item.state in states for item in items)]
    if not chosen and not others:
        return None
    texts = {item.context: item.target for items in by_card.values() for item in items if item.target.strip()}
    texts |= {id: entry.target for id, entry in catalog.entries.items() if id in game.strings and entry.target.strip()}
    translated = translate(game, lang, texts)
    maker = FaceMaker(project, report)
    left, right = faces_of(game, chosen, maker), faces_of(translated, chosen, maker)
    quiet = Report()
    drawn = draw_faces(project, game, left.values(), workers, quiet)
    drawn |= draw_faces(project, translated, right.values(), workers, quiet)
    pairs = [
        Pair(
            card,
            str(translated.cards[card].values.get("name") or card),
            "",
            left.get(card),
            right.get(card),
            tuple(_line(item, item.context.partition("/")[2]) for item in by_card[card] if item.state in states),
        )
        for card in chosen
    ]
    title = f"{translated.title} {game.version}".strip() + f" · {game.source} → {lang}"
    data = pairs_pdf(project, translated, "review", title, pairs, drawn, workers, report, others)
    return Reviewed(data, len(pairs), len(others))


def _line(item: TextState, field: str) -> Line:
    was = ""
    if item.state == "stale" and item.entry is not None:
        was = item.entry.previous or item.entry.source
    return Line(field, item.source.text, item.target, item.state, was, compared=False)

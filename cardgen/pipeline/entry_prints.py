"""Prints the entries of a band, each as its own card."""

from __future__ import annotations

from pathlib import Path

from cardgen.diagnostics import Report
from cardgen.errors import CardgenError
from cardgen.faces.make import FaceMaker
from cardgen.model.band import Band
from cardgen.model.game import Game
from cardgen.model.product import Made
from cardgen.model.project import Project
from cardgen.pipeline.build import impositions, write_product
from cardgen.pipeline.draw import draw
from cardgen.pipeline.entries import with_entries
from cardgen.pipeline.fonts import label_fonts
from cardgen.pipeline.languages import check_printed
from cardgen.pipeline.odds import with_odds
from cardgen.pipeline.products import Options, make_product
from cardgen.rules.bands import cards_named
from cardgen.workers import Workers


def print_entries(
    project: Project, game: Game, band: Band, path: Path, options: Options, workers: Workers, report: Report
) -> Made:
    """Write the cards of a band's entries to `path`. Raises CardgenError when there are none that can be printed."""
    check_printed(project, game, {str(card["id"]) for card in cards_named(band.values)}, [band], report)
    changed, wanted = with_entries(game, band, report)
    changed = with_odds(changed, report)
    product = None
    if changed.decks[band.id].cards:
        product = make_product(project, changed, wanted, options, FaceMaker(project, report), report)
    if product is None:
        raise CardgenError(f"no entry of `{band.title}` has a card that can be printed")
    by_key = {key: made for made in draw(project, [product], workers, report) for key in made.keys}
    fonts = label_fonts(project)
    first: Made | None = None
    for imposition, suffix in impositions(project, product, by_key, report):
        where = path.with_name(f"{path.stem}{suffix}{path.suffix}")
        made = write_product(product, imposition, by_key, fonts, where, report)
        first = first or made
    if first is None:
        raise CardgenError(f"the cards of `{band.title}` could not be printed")
    return first

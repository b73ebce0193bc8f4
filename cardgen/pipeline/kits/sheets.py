"""The sheets of a kit: full grids of cards, and whatever is left over packed with everything else. Millimetres."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct, structs

from cardgen.diagnostics import Report
from cardgen.errors import DoesNotFit
from cardgen.model.cutout import Cutout
from cardgen.model.drawing import Drawing
from cardgen.model.game import Print
from cardgen.model.product import Product
from cardgen.model.project import Project
from cardgen.model.sheet import PAPERS, Imposition, Imprint, Piece, Sheet, SheetTemplate, SheetWords
from cardgen.model.trim import Trim
from cardgen.pipeline.build import imprint_of
from cardgen.pipeline.products import Options, choose_sheet
from cardgen.sheets.grid import compute_grid
from cardgen.sheets.impose import impose
from cardgen.sheets.pack import pack

# Grids whose rest is tried both ways: every one doubles the work.
MOST_PARTED = 3


class _Grid(Struct, frozen=True):
    """Cards of one trim on sheets of their own."""

    template: SheetTemplate
    trim: Trim
    cards: Sequence[Cutout]


def fewest_sheets(
    project: Project, product: Product, drawn: Collection[str], options: Options, report: Report
) -> Imposition | None:
    """The imposition that takes the fewest sheets, of the cutouts whose faces are `drawn`.

    Cards stand in the grids of their prints as far as they fill them; the rest of them either in grids of their own,
    or packed among all else. None when there is nothing, or after reporting what does not fit the paper.
    """
    cutouts = [cutout for cutout in product.cutouts if all(panel.key in drawn for panel in cutout.panels)]
    if not cutouts:
        return None
    try:
        grids = _grids(project, product, [cutout for cutout in cutouts if _is_card(product, cutout)], options)
        loose = [cutout for cutout in cutouts if not _is_card(product, cutout)]
        plans = list(_plans(grids, loose))
        sheets = [sum(map(_count, _parts(project, product, *plan, total=0))) for plan in plans]
        best = sheets.index(min(sheets))
        return _joined(_parts(project, product, *plans[best], total=sheets[best]))
    except DoesNotFit as error:
        report.add("CG408", product.print.span, problem=str(error))
        return None


def _is_card(product: Product, cutout: Cutout) -> bool:
    return cutout.label in product.game.cards and cutout.is_card


def _count(imposition: Imposition) -> int:
    return sum(1 for sheet in imposition.sheets if sheet.side == "front")


def _grids(project: Project, product: Product, cards: Sequence[Cutout], options: Options) -> list[_Grid]:
    """The cards by trim, each with the sheet that a print of the game has for it."""
    trims: dict[str, tuple[Trim, list[Cutout]]] = {}
    for cutout in cards:
        trim = cutout.panels[0].trim
        trims.setdefault(trim.id, (trim, []))[1].append(cutout)
    grids = []
    for trim, held in trims.values():
        item = _print_with(product, held[0].label)
        template = choose_sheet(project.sheets, trim, item, options, project.paper)
        if template is not None and template.arrange == "grid" and template.paper is not None:
            grids.append(_Grid(template, trim, held))
    return grids


def _print_with(product: Product, card: str) -> Print:
    game = product.game
    for item in game.prints.values():
        deck = game.decks.get(item.deck or "")
        if (deck is not None and card in deck.cards) or game.cards[card].kind in item.kinds:
            return item
    return product.print


def _plans(grids: Sequence[_Grid], loose: Sequence[Cutout]) -> Iterator[tuple[list[_Grid], list[Cutout]]]:
    """The ways to share out the cards: the rest of each grid on a sheet of its own, or among what is packed."""
    parted = grids[:MOST_PARTED]
    for choice in itertools.product((False, True), repeat=len(parted)):
        kept, packed = list(grids[MOST_PARTED:]), list(loose)
        for grid, apart in zip(parted, choice, strict=True):
            full, rest = _split(grid)
            kept.append(full if apart else grid)
            packed += rest if apart else []
        yield kept, packed


def _split(grid: _Grid) -> tuple[_Grid, list[Cutout]]:
    """As many cards as fill whole sheets, and the rest."""
    assert grid.template.paper is not None
    room = len(compute_grid(grid.template, grid.trim, PAPERS[grid.template.paper].size).slots)
    left = sum(card.copies for card in grid.cards) // room * room
    full, rest = [], []
    for card in grid.cards:
        here = min(left, card.copies)
        left -= here
        full.append(structs.replace(card, copies=here))
        rest.append(structs.replace(card, copies=card.copies - here))
    return _Grid(grid.template, grid.trim, full), [card for card in rest if card.copies]


def _joined(parts: Sequence[Imposition]) -> Imposition:
    """Impositions that are numbered one after the other as one."""
    sheets = [sheet for part in parts for sheet in part.sheets]
    duplex = next((part.duplex for part in parts if part.duplex is not None), None)
    if duplex is not None:
        # In a file that is printed on both sides every front needs something behind it, if only an empty page.
        backed = {sheet.number for sheet in sheets if sheet.side == "back"}
        empty = [Sheet(s.number, "back", s.paper, (), Drawing()) for s in sheets if s.number not in backed]
        sheets = sorted([*sheets, *empty], key=lambda sheet: (sheet.number, sheet.side != "front"))
    notes = tuple(dict.fromkeys(note for part in parts for note in part.notes))
    return structs.replace(parts[0], sheets=tuple(sheets), duplex=duplex, grid=None, notes=notes)


def _parts(
    project: Project, product: Product, grids: Sequence[_Grid], loose: Sequence[Cutout], total: int
) -> list[Imposition]:
    words = project.words.get(product.game.lang, SheetWords())
    imprint: Imprint = imprint_of(product)
    made: list[Imposition] = []
    first = 1
    for grid in grids:
        pieces = [_piece(card, grid.trim) for card in grid.cards if card.copies]
        if not pieces or grid.template.paper is None:
            continue
        paper = PAPERS[grid.template.paper].size
        made.append(
            impose(pieces, grid.template, grid.trim, paper, imprint, product.backs, product.flip, words, first, total)
        )
        first += _count(made[-1])
    if loose:
        assert product.template.paper is not None
        paper = PAPERS[product.template.paper].size
        backs, flip = product.backs, product.flip
        made.append(pack(loose, product.template, paper, imprint, backs, flip, words, first, total))
    return made


def _piece(card: Cutout, trim: Trim) -> Piece:
    keys = {panel.side: panel.key for panel in card.panels}
    return Piece(keys["front"], keys.get("back"), card.label, card.copies, trim.bleed > 0)

"""A kit from bands to files: what it holds, its faces, its sheets, its checklist."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import structs

from cardgen.diagnostics import Report
from cardgen.faces.make import FaceMaker
from cardgen.model.card import Deck, back_of
from cardgen.model.component import Component, Pawns
from cardgen.model.cutout import Cutout
from cardgen.model.face import Face
from cardgen.model.game import Game, Print
from cardgen.model.kit import Stock
from cardgen.model.product import Kit, KitFile, Product
from cardgen.model.project import Project
from cardgen.pipeline.build import variant_of, write_product
from cardgen.pipeline.cards import card_cutout
from cardgen.pipeline.components import make_cutouts, with_faces
from cardgen.pipeline.draw import draw
from cardgen.pipeline.entries import with_band_card, with_entries
from cardgen.pipeline.fonts import label_fonts
from cardgen.pipeline.kits.pages import checklist
from cardgen.pipeline.kits.parts import Wanted, kit_of
from cardgen.pipeline.kits.sheets import fewest_sheets
from cardgen.pipeline.languages import check_printed
from cardgen.pipeline.odds import with_odds
from cardgen.pipeline.products import Options, choose_sheet
from cardgen.rules.bands import Judgement, cards_named
from cardgen.workers import Workers

STOCKS: tuple[Stock, ...] = ("card", "label", "paper")
# What is only read needs no marks to cut it by.
PAGE_SHEET = "a4-page"


def make_kit(
    project: Project,
    game: Game,
    judgements: Sequence[Judgement],
    output: Path,
    options: Options,
    workers: Workers,
    report: Report,
) -> Kit:
    """Draw and write the kit of one or two bands below `output`; what cannot be made is reported and left out."""
    for judgement in judgements:
        if any(part.entries for part in game.kit):
            game = with_entries(game, judgement.band, report)[0]
        if any(part.itself for part in game.kit):
            game = with_band_card(game, judgement.band, report)
    # cards of entries and bands may show odds of their own
    game = with_odds(game, report)
    kit = kit_of(game, judgements, report)
    held = {id for item in kit.wanted for id in item.cards}
    held |= {str(card["id"]) for judgement in judgements for card in cards_named(judgement.band.values)}
    check_printed(project, game, held, [judgement.band for judgement in judgements], report)
    maker = FaceMaker(project, report)
    products: dict[Stock, Product] = {}
    counts: dict[str, int] = {}
    for stock in STOCKS:
        parts = [item for item in kit.wanted if item.part.stock == stock]
        product = _product(project, game, judgements, stock, parts, options, maker, counts, report) if parts else None
        if product is not None:
            products[stock] = product
    by_key = {key: made for made in draw(project, products.values(), workers, report) for key in made.keys}
    files: list[KitFile] = []
    for stock, product in products.items():
        imposition = fewest_sheets(project, product, by_key.keys(), options, report)
        if imposition is not None:
            files.append(KitFile(f"{len(files) + 1}-{stock}.pdf", stock, product, imposition, counts))
    fonts = label_fonts(project)
    folder = folder_of(output, game, judgements, options)
    made = []
    paper = options.paper or project.paper or "a4"
    page = checklist(project, game, judgements, files, kit, paper, report) if files else None
    if page is not None:
        product, imposition, drawn = page
        made.append(write_product(product, imposition, drawn, fonts, folder / "0-checklist.pdf", report))
    for file in files:
        made.append(write_product(file.product, file.imposition, by_key, fonts, folder / file.name, report))
    return Kit(tuple(files), tuple(item for item in made if item is not None))


def folder_of(output: Path, game: Game, judgements: Sequence[Judgement], options: Options) -> Path:
    """Where all files of a kit lie that is printed with these options, below the folder `output`."""
    return output / game.id / game.lang / f"{name_of(judgements)}{variant_of(options)}"


def name_of(judgements: Sequence[Judgement]) -> str:
    """The folder of a kit: `kit-` and the names of its bands."""
    return "-".join(["kit", *dict.fromkeys(judgement.band.id for judgement in judgements)])


def _product(
    project: Project,
    game: Game,
    judgements: Sequence[Judgement],
    stock: Stock,
    parts: Sequence[Wanted],
    options: Options,
    maker: FaceMaker,
    counts: dict[str, int],
    report: Report,
) -> Product | None:
    """Everything that is printed on one stock as cutouts, cards among them, with their faces.

    Counts the components into `counts`.
    """
    faces: dict[str, Face] = {}
    cutouts: list[Cutout] = []
    left_out: list[str] = []
    cards: dict[tuple[str, str | None], tuple[int, Deck | None]] = {}
    for item in parts:
        if item.component is None:
            deck = game.decks.get(item.part.deck)
            for id, copies in item.cards.items():
                # The same card may have one back in a deck and another one outside of it.
                back = back_of(game.cards[id], deck, game.kinds[game.cards[id].kind].back)
                before = cards[id, back][0] if (id, back) in cards else 0
                cards[id, back] = before + copies, deck
            continue
        made_here: list[Cutout] = []
        for cutout in make_cutouts(item.component, game, report):
            filled = with_faces(cutout, item.component, game, maker, options.leave_out)
            if filled is None:
                left_out.append(cutout.label)
                continue
            copies = filled[0].copies if item.each is None else item.each
            made_here.append(structs.replace(filled[0], copies=copies))
            faces |= filled[1]
        cutouts += made_here
        counts[item.component.id] = _count(item.component, made_here)
    for (id, _), (copies, deck) in cards.items():
        if copies < 1:
            continue
        made = card_cutout(game.cards[id], deck, copies, game, maker, options.leave_out)
        if made is None:
            left_out.append(id)
            continue
        cutouts.append(made[0])
        faces |= made[1]
    titles = " + ".join(judgement.band.title for judgement in judgements)
    span = parts[0].part.span
    sheet = PAGE_SHEET if stock == "paper" else None
    printed = Print(f"kit-{stock}", titles, game.version, "", None, (), sheet, options.backs or "duplex", span)
    template = choose_sheet(project.sheets, None, printed, options, project.paper)
    if template is None or not cutouts:
        return None
    product = Product(game, printed, None, template, printed.backs, (), faces, tuple(left_out), tuple(cutouts))
    return structs.replace(product, printer=options.printer, flip=options.turned)


def _count(component: Component, cutouts: Sequence[Cutout]) -> int:
    """How many things these are: pieces to cut, but a pawn and the base that it is glued to are one."""
    if isinstance(component.options, Pawns):
        return len({cutout.group for cutout in cutouts})
    return sum(cutout.copies for cutout in cutouts)

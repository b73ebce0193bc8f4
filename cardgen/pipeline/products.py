"""From targets to products: which cards, on which sheet, with which faces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct, structs

from cardgen.diagnostics import Report
from cardgen.faces.filled import Filled
from cardgen.faces.make import FaceMaker
from cardgen.model.card import Card, back_of
from cardgen.model.cutout import Cutout
from cardgen.model.face import Face, LeaveOut
from cardgen.model.font import in_language
from cardgen.model.game import Game, Print
from cardgen.model.printer import Printer
from cardgen.model.product import Product
from cardgen.model.project import Project
from cardgen.model.sheet import PAPERS, Backs, Flip, Marks, Piece, SheetTemplate
from cardgen.model.trim import Trim
from cardgen.pipeline.cards import card_cutout
from cardgen.pipeline.languages import to_print
from cardgen.pipeline.targets import Target
from cardgen.pipeline.texts import role_characters
from cardgen.pipeline.wishes import NO_WISH, Wish

# Of one print, copies counted: its file has thousands of pages, and its sheets are in memory as a whole.
MAX_PIECES = 50_000


class Options(Struct, frozen=True):
    """What a build may be told besides its targets. None keeps what the print or the project says."""

    paper: str | None = None
    backs: Backs | None = None
    marks: Marks | None = None
    sheet: str | None = None
    no_backgrounds: bool = False
    low_ink: bool = False
    wish: Wish = NO_WISH
    flip: Flip | None = None
    printer: Printer | None = None
    # how thick the paper of booklets is, in mm
    paper_thickness: float | None = None
    # nothing is printed of it: what the project refuses to print in a language can be looked at all the same
    only_looked_at: bool = False

    @property
    def turned(self) -> Flip:
        """The edge that the printer turns paper over along."""
        return self.flip or (self.printer.flip if self.printer is not None else "long-edge")

    @property
    def leave_out(self) -> tuple[LeaveOut, ...]:
        """What faces are drawn without."""
        if self.low_ink:
            return ("backgrounds", "fills")
        return ("backgrounds",) if self.no_backgrounds else ()


def make_products(
    project: Project,
    targets: Iterable[Target],
    options: Options,
    report: Report,
    filled: Filled | None = None,
    take: Callable[[Face], None] = lambda face: None,
) -> list[Product]:
    """The products of all targets with their faces filled; what cannot be made is reported and left out.

    Faces that `filled` has of the same are not filled again; `take` is given each of a card or a component at once.
    """
    targets = list(targets)
    characters = {
        lang: role_characters(project.shelf, in_language(project.fonts, lang), report)
        for lang in dict.fromkeys(target.lang for target in targets)
    }
    maker = FaceMaker(project, report, filled, take)
    products = []
    for target in targets:
        game = to_print(project, target.game, target.lang, characters[target.lang], report, options.only_looked_at)
        if game is None:
            continue
        for item in target.prints:
            product = make_product(project, game, game.prints[item.id], options, maker, report)
            if product is not None:
                products.append(product)
    return products


def _cards_of(game: Game, item: Print) -> list[tuple[Card, int]]:
    if item.deck is not None:
        deck = game.decks.get(item.deck)
        chosen = [(game.cards[id], copies) for id, copies in deck.cards.items()] if deck else []
    else:
        chosen = [(card, card.copies) for card in game.cards.values() if card.kind in item.kinds]
    return [(card, copies) for card, copies in chosen if copies > 0]


def make_product(
    project: Project, game: Game, item: Print, options: Options, maker: FaceMaker, report: Report
) -> Product | None:
    """One print of a game with its faces filled; None after reporting why it cannot be made."""
    if item.booklet:
        return _of_booklet(project, game, item, options, maker, report)
    if item.components:
        return _of_components(project, game, item, options, maker, report)
    if options.wish != NO_WISH:
        report.add("CG411", item.span, print=item.id)
    cards = _cards_of(game, item)
    if not cards:
        # A print of cards that could not be read is empty for that reason.
        if not report.has_errors():
            report.add("CG117", item.span, print=item.id)
        return None
    if _is_too_much(game, item, sum(copies for _, copies in cards), report):
        return None
    unseen = sorted({card.kind for card, _ in cards if game.kinds[card.kind].front is None})
    if unseen:
        if not report.has_errors():
            report.add("CG404", item.span, print=item.id, kinds=", ".join(unseen))
        return None
    trims = {game.kinds[card.kind].trim for card, _ in cards}
    if not trims <= project.trims.keys():
        return None  # which loading has reported
    deck = game.decks.get(item.deck or "")
    backed = any(back_of(card, deck, game.kinds[card.kind].back) is not None for card, _ in cards)
    # Cards of one trim stand in a grid, cards of several are packed.
    trim = project.trims[next(iter(trims))] if len(trims) == 1 else None
    template = choose_sheet(project.sheets, trim, item, options, project.paper, backed)
    if template is None:
        return None
    backs = options.backs or item.backs
    faces: dict[str, Face] = {}
    cutouts: list[Cutout] = []
    left_out = list(deck.lost) if deck is not None else []
    for card, copies in cards:
        made = card_cutout(card, deck, copies, game, maker, options.leave_out, backs != "none")
        if made is None:
            left_out.append(card.id)
            continue
        cutouts.append(made[0])
        faces |= made[1]
    product = Product(game, item, None, template, backs, (), faces, tuple(left_out), tuple(cutouts))
    product = structs.replace(product, printer=options.printer, flip=options.turned)
    return product if template.arrange == "packed" or not cutouts else _on_a_grid(product, report)


def _is_too_much(game: Game, item: Print, count: int, report: Report) -> bool:
    """Report a print of more pieces than one file may hold."""
    if count > MAX_PIECES:
        report.add("CG412", item.span, print=item.id, lang=game.lang, count=count, limit=MAX_PIECES)
    return count > MAX_PIECES


def _of_booklet(
    project: Project, game: Game, item: Print, options: Options, maker: FaceMaker, report: Report
) -> Product | None:
    """A booklet is one face that runs over pages of half the paper."""
    from cardgen.pipeline.booklets import BOOKLET, booklet_face, notes_faces
    from cardgen.sheets.booklet import page_size

    book = game.booklets.get(item.booklet)
    if book is None:
        return None  # which loading has reported
    paper = options.paper or project.paper or "a4"
    page = page_size(PAPERS[paper].size)
    face = booklet_face(book, item, game, page, maker, options.leave_out, report)
    if face is None:
        return None
    template = structs.replace(BOOKLET, paper=paper)
    faces = [face, *notes_faces(book, game, page, maker, options.leave_out)]
    product = Product(game, item, face.trim, template, "duplex", (), {each.key: each for each in faces})
    thickness = item.paper_thickness if options.paper_thickness is None else options.paper_thickness
    return structs.replace(product, printer=options.printer, flip=options.turned, thickness=thickness)


def _of_components(
    project: Project, game: Game, item: Print, options: Options, maker: FaceMaker, report: Report
) -> Product | None:
    from cardgen.pipeline.components import adapted, make_cutouts, remark_of, with_faces

    stated = [game.components[id] for id in item.components if id in game.components]
    wanted = [made for component in stated if (made := adapted(component, options.wish, report)) is not None]
    faces: dict[str, Face] = {}
    cutouts: list[Cutout] = []
    left_out = [id for id in item.components if id not in game.components]
    cut = [(component, make_cutouts(component, game, report)) for component in wanted]
    if _is_too_much(game, item, sum(cutout.copies for _, shapes in cut for cutout in shapes), report):
        return None
    for component, shapes in cut:
        if not shapes:
            left_out.append(component.id)
        for cutout in shapes:
            filled = with_faces(cutout, component, game, maker, options.leave_out)
            if filled is None:
                left_out.append(cutout.label)
                continue
            cutouts.append(filled[0])
            faces |= filled[1]
    if not cutouts:
        return None
    two_sided = any(cutout.two_sided for cutout in cutouts)
    template = choose_sheet(project.sheets, None, item, options, project.paper, two_sided)
    if template is None:
        return None
    backs = options.backs or item.backs
    remark = remark_of(wanted, options.wish)
    product = Product(
        game,
        item,
        None,
        template,
        backs,
        (),
        faces,
        tuple(left_out),
        tuple(cutouts),
        remark,
        options.printer,
        options.turned,
    )
    return product if template.arrange == "packed" else _on_a_grid(product, report)


def _on_a_grid(product: Product, report: Report) -> Product | None:
    """The product with its cutouts as pieces of one trim; None after reporting that they are something else."""
    trims = {panel.trim.id: panel.trim for cutout in product.cutouts for panel in cutout.panels}
    if len(trims) != 1 or not all(cutout.is_card for cutout in product.cutouts):
        shown = ", ".join(sorted(f"{trim.title}" for trim in trims.values()))
        hint = "name a sheet that packs pieces of many sizes, such as `a4-packed`, or none"
        report.add("CG403", product.print.span, hint, print=product.print.id, trims=shown)
        return None
    (trim,) = trims.values()
    pieces = []
    for cutout in product.cutouts:
        front, *behind = sorted(cutout.panels, key=lambda panel: panel.side == "back")
        back = behind[0].key if behind and product.backs != "none" else None
        pieces.append(Piece(front.key, back, cutout.label, cutout.copies, trim.bleed > 0))
    return structs.replace(product, trim=trim, pieces=tuple(pieces), cutouts=())


def choose_sheet(
    sheets: Mapping[str, SheetTemplate],
    trim: Trim | None,
    item: Print,
    options: Options,
    paper: str | None,
    has_backs: bool = True,
) -> SheetTemplate | None:
    """The sheet for a print: the one that is named, else the default for its trim, on the wanted paper.

    A trim of None stands for pieces of many sizes. Where backs that the print has are to be folded behind their fronts
    and nobody named a sheet for that, it is the one made for it.

    None when the named sheet does not exist (which loading has reported).
    """
    # Who names a sheet on the command line has named its paper.
    wanted = options.paper or (paper if options.sheet is None else None)
    name = options.sheet or item.sheet or _default_sheet(trim)
    template = sheets.get(name)
    if template is None:
        return None
    # A sheet lies on its own paper unless somebody asked for another.
    if template.paper is not None and wanted is not None and template.paper != wanted:
        sibling = f"{wanted}-{name.removeprefix(f'{template.paper}-')}"
        # On another paper it is another sheet, and says so: what was made for the one does not fit the other.
        moved = structs.replace(template, paper=wanted, id=f"{template.id} on {wanted}")
        template = sheets.get(sibling) or moved
    folded = has_backs and (options.backs or item.backs) == "gutterfold"
    stated = options.sheet is not None or (item.backs == "gutterfold" and item.sheet is not None)
    if folded and not stated and template.arrange == "grid" and template.paper is not None:
        free = structs.replace(template, columns=0, rows=0, orientation="auto", turn=None)
        template = sheets.get(f"{template.paper}-gutterfold", free)
    return structs.replace(template, marks=options.marks) if options.marks else template


def _default_sheet(trim: Trim | None) -> str:
    if trim is None:
        return "a4-packed"
    return "a4-3x3" if (trim.size.width, trim.size.height) == (63.0, 88.0) else "a4-auto"

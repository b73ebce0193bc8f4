"""Build: load and check, draw the faces, place them on sheets, write the files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct

from cardgen.diagnostics import Report, Span
from cardgen.errors import DoesNotFit, FileProblem
from cardgen.faces.filled import Filled
from cardgen.files import write_atomic
from cardgen.model.cutout import Cutout
from cardgen.model.face import Rendering
from cardgen.model.product import Item, Made, Product
from cardgen.model.project import Project
from cardgen.model.sheet import PAPERS, Imposition, Imprint, Piece, SheetWords
from cardgen.pdf.sheets import Sheets
from cardgen.pdf.writer import get_ready, write_pdf
from cardgen.pipeline.draw import Ahead, draw_each
from cardgen.pipeline.fonts import label_fonts
from cardgen.pipeline.keep.memory import Products
from cardgen.pipeline.keep.parts import Keeper
from cardgen.pipeline.products import Options, make_products
from cardgen.pipeline.targets import Target
from cardgen.pipeline.wishes import NO_WISH
from cardgen.sheets.correct import corrected, offset_of
from cardgen.sheets.estimates import estimate
from cardgen.sheets.impose import impose
from cardgen.units import format_mm
from cardgen.workers import Workers


class Built(Struct, frozen=True):
    """What a build wrote, in the order of its targets."""

    files: tuple[Made, ...]


def check(
    project: Project,
    targets: Iterable[Target],
    workers: Workers,
    report: Report,
    keeper: Keeper | None = None,
    filled: Filled | None = None,
) -> None:
    """Everything a build would complain about, without sheets: rules, texts, layouts, glyphs, fit."""
    targets = list(targets)
    _rules(project, targets, report, bands=True)
    ahead = Ahead(project, workers, keeper)
    products = make_products(project, targets, Options(only_looked_at=True), report, filled, ahead.take)
    for _ in draw_each(project, products, workers, report, keeper, ahead):
        pass  # what is wrong is told, and no drawing is needed


def build(
    project: Project,
    targets: Iterable[Target],
    output: Path,
    options: Options,
    workers: Workers,
    report: Report,
    written: Callable[[Made], None] = lambda made: None,
    keeper: Keeper | None = None,
    products: Products | None = None,
    filled: Filled | None = None,
    sheets: Sheets | None = None,
) -> Built:
    """Write every product of the targets below `output`, each as soon as its faces are drawn.

    What is sound is built, what is not is reported: cards with errors are left out of their print, which says so.
    `written` is called for each file when it is there. What `keeper` has drawn is not drawn again, and what `products`
    has written of the same is not written again; nor are faces filled again that `filled` has of the same, nor are
    `sheets` made again, where `products` has none.
    """
    targets = list(targets)
    # Bands are not printed: a draft of one is no reason not to print dice.
    _rules(project, targets, report, bands=False)
    ahead = Ahead(project, workers, keeper)
    waiting = make_products(project, targets, options, report, filled, ahead.take)
    fonts = label_fonts(project)
    drawn: dict[str, Rendering] = {}
    done: set[str] = set()
    files: list[Made] = []
    if waiting:
        get_ready()

    def write_ready() -> None:
        while waiting and waiting[0].faces.keys() <= done:
            product = waiting.pop(0)
            path = output / product.game.id / product.game.lang / f"{product.print.id}{variant(product, options)}"
            write = partial(_write_files, project, product, path, drawn, fonts, report, written)
            if products is None:
                files.extend(write(sheets))
            else:
                files.extend(products.write(str(path), _made_of(project, product, drawn, fonts), report, write))
            # What no later product needs would only keep memory.
            needed = {key for later in waiting for key in later.faces}
            for key in product.faces.keys() - needed:
                drawn.pop(key, None)

    write_ready()
    for rendering in draw_each(project, list(waiting), workers, report, keeper, ahead):
        drawn |= dict.fromkeys(rendering.keys, rendering)
        done |= {*rendering.keys, *(key for key, _ in rendering.failures)}
        write_ready()
    return Built(tuple(files))


def left_over(targets: Iterable[Target], output: Path, options: Options, files: Iterable[Made]) -> list[Path]:
    """The files below `output` that earlier builds of these targets wrote, and in whose place none of `files` stands."""
    written = {made.path for made in files}
    paths = [
        output / target.game.id / target.lang / f"{item.id}{variant_of(options)}.pdf"
        for target in targets
        for item in target.prints
    ]
    return [path for path in paths if path not in written and path.is_file()]


def _write_files(
    project: Project,
    product: Product,
    path: Path,
    drawn: Mapping[str, Rendering],
    fonts: tuple[bytes, ...],
    report: Report,
    written: Callable[[Made], None],
    sheets: Sheets | None,
) -> list[Made]:
    """Write the file of a product, or both where backs have one of their own, and tell of each."""
    files = []
    for imposition, suffix in impositions(project, product, drawn, report):
        file = path.with_name(f"{path.name}{suffix}.pdf")
        made = write_product(product, imposition, drawn, fonts, file, report, sheets)
        if made is not None:
            files.append(made)
            written(made)
    return files


def _made_of(
    project: Project, product: Product, drawn: Mapping[str, Rendering], fonts: tuple[bytes, ...]
) -> tuple[object, ...]:
    """All that the files of a product depend on."""
    return (
        imprint_of(product),
        project.words.get(product.game.lang),
        product.print,
        product.trim,
        product.template,
        product.backs,
        product.pieces,
        product.cutouts,
        product.printer,
        product.flip,
        product.thickness,
        tuple(product.faces),
        left_out(product, drawn),
        pages_of(product, drawn),
        [item.title for item in _contents(product, drawn)],
        fonts,
    )


def _rules(project: Project, targets: Iterable[Target], report: Report, bands: bool) -> None:
    # Verdicts do not depend on the language: each game is judged once, in its own words.
    for id in dict.fromkeys(target.game.id for target in targets):
        game = project.games[id]
        # What a game has none of is not loaded: half of what there is to load is about something that few games have.
        if game.packs or game.bands or bands:
            from cardgen.pipeline.verdicts import check_rules

            check_rules(project, game, report, bands)
        if game.kit:
            from cardgen.pipeline.kits.parts import check_kit

            check_kit(game, report)
        if game.odds:
            from cardgen.pipeline.odds import check_odds

            check_odds(game, report)
        if game.decks:
            from cardgen.pipeline.unprinted import check_printed

            check_printed(
                game, {item.id for target in targets if target.game.id == id for item in target.prints}, report
            )


def variant(product: Product, options: Options) -> str:
    """What the file's name says of how it differs from the print's own: paper, sheet, marks, ink, backs."""
    backs = f"-{product.backs.replace('none', 'nobacks')}" if product.backs != product.print.backs else ""
    paper = f"-{format_mm(product.thickness)}mm" if product.thickness != product.print.paper_thickness else ""
    return variant_of(options, bool(product.print.components)) + backs + (paper if product.print.booklet else "")


def variant_of(options: Options, wishes: bool = True) -> str:
    """What names of files and folders say of the options they were made with, but for backs; `wishes`: also of sizes."""
    wish = options.wish if wishes else NO_WISH
    parts = [
        f"{format_mm(wish.size)}mm" if wish.size is not None else None,
        f"x{wish.scale:.6g}" if wish.scale is not None else None,
        f"{wish.sets}-sets" if wish.sets is not None else None,
        options.sheet,
        options.paper if options.paper != "a4" else None,
        # a printer's profile says how it flips
        options.printer.id if options.printer is not None else None,
        options.flip if options.flip != (options.printer.flip if options.printer else "long-edge") else None,
        f"{options.marks}-marks" if options.marks else None,
        "lowink" if options.low_ink else "nobg" if options.no_backgrounds else None,
    ]
    return "".join(f"-{part}" for part in parts if part)


def impositions(
    project: Project, product: Product, by_key: Mapping[str, Rendering], report: Report
) -> Iterator[tuple[Imposition, str]]:
    """The sheets of a product and the suffix of their file: one file, or two when backs are separate."""
    pieces = [piece for piece in product.pieces if _is_drawn(piece, by_key)]
    cutouts = [cutout for cutout in product.cutouts if _is_whole(cutout, by_key)]
    missing = left_out(product, by_key)
    # A deck names its cards; of kinds there may be any in a file that could not be read whole.
    files = product.game.unread if product.print.kinds and not product.print.deck else ()
    if missing or files:
        named = [
            *missing[:5],
            *(["…"] if len(missing) > 5 else []),
            *(f"whatever else `{file}` holds" for file in files),
        ]
        report.add("CG405", product.print.span, print=product.name, cards=", ".join(named))
    pages = pages_of(product, by_key)
    if not pieces and not cutouts and not pages:
        return
    game, item, imprint = product.game, product.print, imprint_of(product)
    words = project.words.get(game.lang, SheetWords())
    paper = PAPERS[product.template.paper].size if product.template.paper else None
    if pages:
        from cardgen.sheets.booklet import booklet

        assert paper is not None  # a booklet's template names it
        yield booklet(pages, item.id, product.template, paper, imprint, product.flip, product.thickness), ""
        return
    try:
        if product.trim is not None:
            imposition = impose(
                pieces, product.template, product.trim, paper, imprint, product.backs, product.flip, words
            )
        else:
            from cardgen.sheets.pack import pack

            assert paper is not None  # a packed sheet names its paper
            backs = product.backs
            if backs == "gutterfold":
                two_sided = dict.fromkeys(cutout.label for cutout in cutouts if cutout.two_sided)
                if two_sided:
                    pieces_named = ", ".join([*two_sided][:5]) + (", …" if len(two_sided) > 5 else "")
                    report.add("CG409", item.span, print=item.id, lang=game.lang, pieces=pieces_named)
                    return
                backs = "none"
            imposition = pack(cutouts, product.template, paper, imprint, backs, product.flip, words)
    except DoesNotFit as error:
        report.add("CG401", item.span, print=item.id, lang=game.lang, problem=str(error))
        return
    for note in imposition.notes:
        if note.subject != "code":
            report.add("CG402", item.span, print=item.id, problem=note.text)
        elif game.lang != game.source:
            report.add("CG241", item.span, print=item.id, lang=game.lang)
    yield imposition, ""
    if imposition.backs is not None:
        yield imposition.backs, "-backs"


def pages_of(product: Product, by_key: Mapping[str, Rendering]) -> list[str]:
    """The keys of a booklet's pages, in order; none for any other print."""
    if not product.print.booklet:
        return []
    from cardgen.pipeline.booklets import pages_to_bind

    first, *notes = product.faces
    if first not in by_key:
        return []
    text = [key for key in by_key[first].keys if key == first or key.startswith(f"{first}/")]
    return pages_to_bind(text, [key for key in notes if key in by_key])


def imprint_of(product: Product) -> Imprint:
    """What a product's file says of itself."""
    game, item = product.game, product.print
    return Imprint(
        title=f"{game.title}: {item.title}",
        version=item.version,
        lang=game.lang,
        credits=" · ".join(part for part in (game.credits, game.licence) if part),
        subject=game.subtitle,
        remark=product.remark,
        translators=game.translators,
        report=_report_address(product),
        licence=game.licence,
    )


def _report_address(product: Product) -> str:
    """Where to tell of mistakes in this product, with what it is filled in: the card, where it holds but one.

    A set that has no such address states what it is told by: text, which is written as it is read.
    """
    labels = {piece.label for piece in product.pieces} | {cutout.label for cutout in product.cutouts}
    id = labels.pop() if len(labels) == 1 else product.print.id
    about = {"id": f"{product.game.id}/{id}", "version": product.print.version, "lang": product.game.lang}
    address = product.game.report_url
    for name, value in about.items():
        address = address.replace(f"{{{name}}}", quote(value, safe="/") if ":" in product.game.report_url else value)
    return address


def _is_drawn(piece: Piece, by_key: Mapping[str, Rendering]) -> bool:
    return piece.front in by_key and (piece.back is None or piece.back in by_key)


def _is_whole(cutout: Cutout, by_key: Mapping[str, Rendering]) -> bool:
    return all(panel.key in by_key for panel in cutout.panels)


def left_out(product: Product, by_key: Mapping[str, Rendering]) -> tuple[str, ...]:
    """The cards of a product that are not printed, because they have errors or could not be drawn."""
    undrawn = [piece.label for piece in product.pieces if not _is_drawn(piece, by_key)]
    undrawn += [cutout.label for cutout in product.cutouts if not _is_whole(cutout, by_key)]
    return tuple(dict.fromkeys((*product.left_out, *undrawn)))


def write_product(
    product: Product,
    imposition: Imposition,
    by_key: Mapping[str, Rendering],
    fonts: tuple[bytes, ...],
    path: Path,
    report: Report,
    sheets: Sheets | None = None,
) -> Made | None:
    """Write one file of a product, corrected for its printer; None after reporting that the disk refused."""
    imposition = corrected(imposition, product.printer, product.flip)
    tell_unmeasured(product, imposition, report)
    placed = [placement.face for sheet in imposition.sheets for placement in sheet.placements]
    used = {id(by_key[key]): by_key[key] for key in placed}
    data = write_pdf(imposition, list(used.values()), fonts, sheets)
    try:
        write_atomic(path, data)
    except FileProblem as error:
        report.add("CG501", Span(path.name), problem=str(error))
        return None
    taken = estimate(imposition)
    return Made(
        path=path,
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        pages=len(imposition.sheets),
        paper=(imposition.paper.width, imposition.paper.height),
        pieces=len(set(placed)),
        copies=len(placed),
        game=product.game.id,
        lang=product.game.lang,
        print=product.print.id,
        engines=tuple(sorted({face.engine for face in product.faces.values()})),
        left_out=left_out(product, by_key),
        contents=tuple(_contents(product, by_key)),
        sheets=taken.sheets,
        used=round(taken.used, 1),
    )


def tell_unmeasured(product: Product, imposition: Imposition, report: Report) -> None:
    """Report that a printer was not measured for pages that lie the way that these back pages do."""
    printer = product.printer
    lies = {sheet.paper for sheet in imposition.sheets if sheet.side == "back" and sheet.placements}
    if printer is None or imposition.template.paper is None:
        return
    for paper in lies:
        if offset_of(printer, paper, product.flip) is None:
            pages = "portrait" if paper.height >= paper.width else "landscape"
            hint = f"`cardgen calibrate --printer {printer.id} --sheet NAME` with a {pages} sheet, and measure that"
            report.add("CG410", product.print.span, hint, print=product.name, printer=printer.id, pages=pages)


def _contents(product: Product, by_key: Mapping[str, Rendering]) -> Iterator[Item]:
    for piece in product.pieces:
        if product.trim is not None and _is_drawn(piece, by_key):
            card = product.game.cards.get(piece.label)
            title = str(card.values.get("name") or piece.label) if card is not None else piece.label
            yield Item(piece.label, title, piece.copies, (product.trim.size.width, product.trim.size.height))
    for cutout in product.cutouts:
        if _is_whole(cutout, by_key):
            yield Item(cutout.label, cutout.title, cutout.copies, (cutout.size.width, cutout.size.height))

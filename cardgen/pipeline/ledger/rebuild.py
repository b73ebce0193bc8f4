"""Build only what changed: the cards that are missing, on the fewest sheets, and the list of old ones to take out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, structs

from cardgen.diagnostics import Report
from cardgen.model.cutout import Cutout, Panel
from cardgen.model.face import Rendering
from cardgen.model.ledger import CODE_LENGTH, Change, Changes
from cardgen.model.product import Made, Product
from cardgen.model.project import Project
from cardgen.model.sheet import Imposition, Piece, SheetWords
from cardgen.pipeline.build import impositions, left_out, variant, write_product
from cardgen.pipeline.draw import draw
from cardgen.pipeline.fonts import label_fonts
from cardgen.pipeline.kits.sheets import fewest_sheets
from cardgen.pipeline.ledger.held import Held, changes_of
from cardgen.pipeline.products import Options, choose_sheet
from cardgen.pipeline.verdicts import check_rules
from cardgen.sheets.listing import holds_list, with_list
from cardgen.workers import Workers

# On a packed sheet every card has a bleed of its own, as much as keeps the sheets few.
CARD_BLEED = 1.0
# A margin holds so many letters of the list; all of it is told by the command, and on the sheet where there is room.
MARGIN_LETTERS = 90


_Sheets = list[tuple[Product, Imposition, str]]


class OldOne(Struct, frozen=True):
    """Old cards of one name that are not to be played with any more: `copies` out of `of`; the others are kept."""

    label: str
    title: str
    copies: int
    of: int
    # of its front, where codes were printed
    code: str = ""
    # what is printed in its place; empty where nothing is
    instead: str = ""

    def told(self, words: SheetWords) -> str:
        """`Axe`, `Rope ×2`, `Rope (1 of 2)`, with the code where it has one."""
        many = f" ×{self.copies}" if self.copies > 1 else ""
        if self.copies < self.of:
            some = words.take_out_some.replace("{count}", str(self.copies)).replace("{total}", str(self.of))
            many = f" ({some})"
        return f"{self.title}{many}{f' [{self.code}]' if self.code else ''}"


class Part(Struct, frozen=True):
    """What is missing of one print: the reduced product, and the old cards that it replaces; none of them while their
    sheets could not be written."""

    changes: Changes
    options: Options
    product: Product | None
    old: tuple[OldOne, ...]


class Rebuilt(Struct, frozen=True):
    """The files that were written, and what changed, print by print."""

    files: tuple[Made, ...]
    parts: tuple[Part, ...]


def missing_of(held: Held) -> Part:
    """What must be printed of a print so that people hold it as it is now."""
    changes = changes_of(held)
    old = tuple(
        OldOne(
            change.old_label,
            change.old_title,
            change.to_take_out,
            change.old_copies,
            _old_code(held, change),
            change.label if change.to_print else "",
        )
        for change in changes.items
        if change.to_take_out
    )
    wanted = {change.label: change.to_print for change in changes.items if change.to_print}
    product = held.product
    return Part(changes, held.options, _reduced(product, wanted) if product is not None and wanted else None, old)


def _old_code(held: Held, change: Change) -> str:
    """The code on the old front; none where codes were not printed."""
    item = held.snapshot.items.get(change.old_label)
    return item.front[0][:CODE_LENGTH] if item is not None and item.front and held.snapshot.options.codes else ""


def _reduced(product: Product, wanted: Mapping[str, int]) -> Product:
    """A product with only so many copies of so many pieces."""
    pieces = tuple(
        structs.replace(piece, copies=wanted[piece.label]) for piece in product.pieces if piece.label in wanted
    )
    cutouts = tuple(
        structs.replace(cutout, copies=wanted[cutout.label])
        for cutout in product.cutouts
        if cutout.label in wanted and cutout.copies > 0
    )
    used = {key for piece in pieces for key in (piece.front, piece.back)}
    used |= {panel.key for cutout in cutouts for panel in cutout.panels}
    faces = {key: face for key, face in product.faces.items() if key in used}
    return structs.replace(product, pieces=pieces, cutouts=cutouts, faces=faces)


def rebuild(
    project: Project,
    held: Iterable[Held],
    output: Path,
    workers: Workers,
    report: Report,
    written: Callable[[Made], None] = lambda made: None,
) -> Rebuilt:
    """Write what is missing of every print below `output`, in files called `<print>-changed`.

    Cards of several prints of a game share their sheets where that saves one. What cannot be printed is reported.
    """
    parts = [missing_of(item) for item in held]
    for id in dict.fromkeys(part.changes.game for part in parts):
        if id in project.games:
            check_rules(project, project.games[id], report)
    products = [part.product for part in parts if part.product is not None]
    drawn = {key: made for made in draw(project, products, workers, report) for key in made.keys}
    parts = [_replaced(part, drawn) for part in parts]
    fonts = label_fonts(project)
    files = []
    done = {part.changes.name for part in parts if part.product is None}
    for members, sheets in _sheets(project, [part for part in parts if part.product is not None], drawn, report):
        whole = bool(sheets)
        for product, imposition, name in sheets:
            path = output / product.game.id / product.game.lang / name
            made = write_product(product, imposition, drawn, fonts, path, report)
            whole = whole and made is not None
            if made is not None:
                files.append(made)
                written(made)
        done |= {part.changes.name for part in members if whole}
    # Nobody is told to take out a card for which there is no new one.
    told = (part if part.changes.name in done else structs.replace(part, old=()) for part in parts)
    return Rebuilt(tuple(files), tuple(told))


def _replaced(part: Part, drawn: Mapping[str, Rendering]) -> Part:
    """The part without the old cards whose successors could not be drawn."""
    if part.product is None:
        return part
    lost = left_out(part.product, drawn)
    return structs.replace(part, old=tuple(one for one in part.old if one.instead not in lost))


def _sheets(
    project: Project, waiting: Sequence[Part], drawn: Mapping[str, Rendering], report: Report
) -> Iterator[tuple[Sequence[Part], _Sheets]]:
    """The sheets that are to be written, with the parts that are on them."""
    for group in _groups(waiting):
        common = _together(project, group, drawn, report)
        if common:
            yield group, common
            continue
        for part in group:
            yield [part], _apart(project, [part], drawn, report)


def _groups(parts: Sequence[Part]) -> list[list[Part]]:
    """Parts that may share sheets: cards of one game and language with backs alike; any other part alone.

    Components stay by themselves, because they are printed on other stock than cards.
    """
    groups: dict[object, list[Part]] = {}
    for at, part in enumerate(parts):
        product = part.product
        assert product is not None
        shared = (
            product.trim is not None
            and not product.print.components
            and product.template.arrange == "grid"
            and product.template.paper is not None
            and product.backs in ("duplex", "none")
            and part.options.sheet is None
        )
        key = (product.game.id, product.game.lang, product.backs, part.options) if shared else at
        groups.setdefault(key, []).append(part)
    return list(groups.values())


def _apart(project: Project, group: Sequence[Part], drawn: Mapping[str, Rendering], report: Report) -> _Sheets:
    """Each part on sheets of its own print."""
    found: _Sheets = []
    for part in group:
        assert part.product is not None
        own = Report()
        made: list[tuple[Imposition, str]] = []
        # First as if the last sheet held the whole list; where it does not, the margins say where that is.
        for listed in (True, False):
            own = Report()
            product = structs.replace(part.product, remark=_remark(project, part.product, part.old, listed))
            made = list(impositions(project, product, drawn, own))
            if not made or holds_list(made[0][0], len(part.old)):
                break
        report.extend(own.items)
        for imposition, suffix in made:
            name = f"{product.print.id}-changed{variant(product, part.options)}{suffix}.pdf"
            found.append((product, imposition if suffix else _with_old(project, product, imposition, part.old), name))
    return found


def _together(project: Project, group: Sequence[Part], drawn: Mapping[str, Rendering], report: Report) -> _Sheets:
    """All parts on common sheets; nothing where that would not save a sheet."""
    if len(group) < 2:
        return []
    separate = sum(_fronts(imposition) for _, imposition, _ in _apart(project, group, drawn, Report()))
    first, options = group[0].product, group[0].options
    assert first is not None
    products = [part.product for part in group if part.product is not None]
    titles = " + ".join(product.print.title for product in products)
    versions = list(dict.fromkeys(product.print.version for product in products))
    item = structs.replace(
        first.print,
        id="+".join(product.print.id for product in products),
        title=titles,
        version=versions[0] if len(versions) == 1 else first.game.version,
        sheet=None,
    )
    template = choose_sheet(project.sheets, None, item, options, project.paper)
    if template is None:
        return []
    old = [one for part in group for one in part.old]
    common = structs.replace(
        first,
        print=item,
        trim=None,
        template=template,
        pieces=(),
        faces={key: face for product in products for key, face in product.faces.items()},
        left_out=tuple(label for product in products for label in product.left_out),
        cutouts=tuple(_as_cutout(product, piece) for product in products for piece in product.pieces),
        remark="",
        printer=first.printer,
        flip=first.flip,
    )
    own = Report()
    imposition = None
    for listed in (True, False):
        own = Report()
        common = structs.replace(common, remark=_remark(project, common, old, listed))
        imposition = fewest_sheets(project, common, drawn.keys(), options, own)
        if imposition is None or holds_list(imposition, len(old)):
            break
    if imposition is None or _fronts(imposition) >= separate:
        return []
    report.extend(own.items)
    name = f"{item.id}-changed{variant(common, options)}.pdf"
    return [(common, _with_old(project, common, imposition, old), name)]


def _fronts(imposition: Imposition) -> int:
    return sum(1 for sheet in imposition.sheets if sheet.side == "front")


def _as_cutout(product: Product, piece: Piece) -> Cutout:
    """A card of a grid as something to be packed."""
    trim = product.trim
    assert trim is not None
    sides = [("front", piece.front), *([("back", piece.back)] if piece.back else [])]
    panels = tuple(
        Panel(piece.label, product.faces[key].layout, trim, {}, side=product.faces[key].side, key=key)
        for _, key in sides
    )
    card = product.game.cards.get(piece.label)
    title = str(card.values.get("name") or piece.label) if card is not None else piece.label
    return Cutout(piece.label, title, trim.size, panels, copies=piece.copies, bleed=min(trim.bleed, CARD_BLEED))


# --- the list of old ones --------------------------------------------------------------------------------------------


def _words(project: Project, product: Product) -> SheetWords:
    return project.words.get(product.game.lang, SheetWords())


def _remark(project: Project, product: Product, old: Sequence[OldOne], listed: bool) -> str:
    """What the margins say: the old ones to take out, as many as a line holds, and where all are told: on the last sheet
    when it has them `listed`."""
    if not old:
        return product.remark
    words = _words(project, product)
    names = [one.told(words) for one in old]
    more = words.take_out_listed if listed else words.take_out_told
    shown = len(names)

    def line() -> str:
        rest = f" {more.replace('{count}', str(len(names) - shown))}" if shown < len(names) else ""
        return f"{', '.join(names[:shown])}{rest}"

    while shown > 1 and len(line()) > MARGIN_LETTERS:
        shown -= 1
    told = f"{words.take_out}: {line()}"
    return f"{product.remark} · {told}" if product.remark else told


def _with_old(project: Project, product: Product, imposition: Imposition, old: Sequence[OldOne]) -> Imposition:
    words = _words(project, product)
    heading, lines = words.take_out, [one.told(words) for one in old]
    return with_list(imposition, heading[:1].upper() + heading[1:], lines, words.take_out_told)

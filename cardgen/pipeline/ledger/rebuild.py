"""Build only what changed: the cards that are missing, on the fewest sheets, and the list of old ones to take out."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cardgen.diagnostics import Report
from cardgen.model.cutout import Cutout, Panel
from cardgen.model.face import Rendering
from cardgen.model.ledger import CODE_LENGTH, Change, Changes
from cardgen.model.product import Made, Product
from cardgen.model.project import Project
from cardgen.model.sheet import Imposition, Piece, SheetWords
from cardgen.pipeline.build import impositions, variant, write_product
from cardgen.pipeline.draw import draw
from cardgen.pipeline.fonts import label_fonts
from cardgen.pipeline.kits.sheets import fewest_sheets
from cardgen.pipeline.ledger.held import Held, changes_of
from cardgen.pipeline.products import Options, choose_sheet
from cardgen.pipeline.verdicts import check_rules
from cardgen.sheets.listing import with_list
from cardgen.workers import Workers

# On a packed sheet every card has a bleed of its own, as much as keeps the sheets few.
CARD_BLEED = 1.0
# A margin holds so many letters of the list; all of it is told by the command, and on the sheet where there is room.
MARGIN_LETTERS = 90


@dataclass(frozen=True, slots=True)
class OldOne:
    """Old cards of one name that are not to be played with any more, and how many."""

    label: str
    title: str
    copies: int
    # of its front, where codes were printed
    code: str = ""

    def __str__(self) -> str:
        many = f" ×{self.copies}" if self.copies > 1 else ""
        return f"{self.title}{many}{f' [{self.code}]' if self.code else ''}"


@dataclass(frozen=True, slots=True)
class Part:
    """What is missing of one print: the reduced product, and the old cards that it replaces."""

    changes: Changes
    options: Options
    product: Product | None
    old: tuple[OldOne, ...]


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The files that were written, and what changed, print by print."""

    files: tuple[Made, ...]
    parts: tuple[Part, ...]


def missing_of(held: Held) -> Part:
    """What must be printed of a print so that people hold it as it is now."""
    changes = changes_of(held)
    old = tuple(
        OldOne(change.old_label, change.old_title, change.to_take_out, _old_code(held, change))
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
        dataclasses.replace(piece, copies=wanted[piece.label]) for piece in product.pieces if piece.label in wanted
    )
    cutouts = tuple(
        dataclasses.replace(cutout, copies=wanted[cutout.label])
        for cutout in product.cutouts
        if cutout.label in wanted and cutout.copies > 0
    )
    used = {key for piece in pieces for key in (piece.front, piece.back)}
    used |= {panel.key for cutout in cutouts for panel in cutout.panels}
    faces = {key: face for key, face in product.faces.items() if key in used}
    return dataclasses.replace(product, pieces=pieces, cutouts=cutouts, faces=faces)


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
    waiting = [part for part in parts if part.product is not None]
    products = [part.product for part in waiting if part.product is not None]
    drawn = {key: made for made in draw(project, products, workers, report) for key in made.keys}
    fonts = label_fonts(project)
    files = []
    for group in _groups(waiting):
        for product, imposition, name in _together(project, group, drawn, report) or _apart(
            project, group, drawn, report
        ):
            path = output / product.game.id / product.game.lang / name
            made = write_product(product, imposition, drawn, fonts, path, report)
            if made is not None:
                files.append(made)
                written(made)
    return Rebuilt(tuple(files), tuple(parts))


_Sheets = list[tuple[Product, Imposition, str]]


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
        product = dataclasses.replace(part.product, remark=_remark(project, part.product, part.old))
        for imposition, suffix in impositions(project, product, drawn, report):
            name = f"{product.print.id}-changed{variant(product, part.options)}{suffix}.pdf"
            listed = imposition if suffix else _with_old(project, product, imposition, part.old)
            found.append((product, listed, name))
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
    item = dataclasses.replace(
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
    common = dataclasses.replace(
        first,
        print=item,
        trim=None,
        template=template,
        pieces=(),
        faces={key: face for product in products for key, face in product.faces.items()},
        left_out=tuple(label for product in products for label in product.left_out),
        cutouts=tuple(_as_cutout(product, piece) for product in products for piece in product.pieces),
        remark="",
    )
    remark = _remark(project, common, old)
    common = dataclasses.replace(common, remark=remark, printer=first.printer, flip=first.flip)
    own = Report()
    imposition = fewest_sheets(project, common, drawn.keys(), options, own)
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


def _words(project: Project, product: Product) -> str:
    return project.words.get(product.game.lang, SheetWords()).take_out


def _remark(project: Project, product: Product, old: Sequence[OldOne]) -> str:
    """What the margins say: the old ones to take out, as many as a line holds."""
    if not old:
        return product.remark
    names = list(map(str, old))
    shown = len(names)
    while shown > 1 and len(", ".join(names[:shown])) > MARGIN_LETTERS:
        shown -= 1
    more = f" + {len(names) - shown}" if shown < len(names) else ""
    listed = f"{_words(project, product)}: {', '.join(names[:shown])}{more}"
    return f"{product.remark} · {listed}" if product.remark else listed


def _with_old(project: Project, product: Product, imposition: Imposition, old: Sequence[OldOne]) -> Imposition:
    heading = _words(project, product)
    return with_list(imposition, heading[:1].upper() + heading[1:], [str(one) for one in old])

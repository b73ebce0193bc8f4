"""The checklist of a kit: verdicts, files, what to lay out, and in which order each sheet is cut. A layout draws it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict

from cardgen.diagnostics import Report
from cardgen.faces.make import FaceMaker
from cardgen.geometry import Box
from cardgen.model.face import Face, Rendering
from cardgen.model.game import Game, Print
from cardgen.model.product import KitFile, Product
from cardgen.model.project import Project
from cardgen.model.sheet import Imposition, Laid, Piece, Sheet
from cardgen.pipeline.build import imprint_of
from cardgen.pipeline.draw import draw
from cardgen.pipeline.kits.parts import Wanted, disagreements
from cardgen.pipeline.roster import ONE_UP, PAGE
from cardgen.rules.bands import Judgement
from cardgen.rules.engine import label
from cardgen.sheets.cutting import cut_list
from cardgen.sheets.estimates import estimate
from cardgen.sheets.impose import impose
from cardgen.units import format_mm
from cardgen.workers import open_workers

LAYOUT = "_base/kit"
# How much a page takes: lines of a column, columns, and cuts in a line of one.
LINES, COLUMNS, CUTS_A_LINE = 54, 3, 4


class _Row(TypedDict):
    title: str
    count: int
    cards: list[dict[str, object]]


class _List(TypedDict):
    name: str
    rows: list[_Row]


class _Order(TypedDict):
    file: str
    sheets: str
    # the cuts in lines, each with its number, way and distance
    rows: list[list[dict[str, object]]]


def checklist(
    project: Project,
    game: Game,
    judgements: Sequence[Judgement],
    files: Sequence[KitFile],
    wanted: Sequence[Wanted],
    report: Report,
) -> tuple[Product, Imposition, Mapping[str, Rendering]] | None:
    """The pages as a product with its imposition and renderings; None after reporting why they cannot be drawn."""
    maker = FaceMaker(project, report)
    faces = []
    for number, context in enumerate(_pages(game, judgements, files, wanted), 1):
        face = maker.make_page(LAYOUT, context, game, PAGE, f"checklist/{number}")
        if face is None:
            return None
        faces.append(face)
    first = files[0].product.print
    title = " + ".join(judgement.band.title for judgement in judgements)
    printed = Print("kit-checklist", title, game.version, "", None, (), None, "none", first.span)
    pieces = [Piece(face.key, None, face.label, 1, bleed=False) for face in faces]
    by_face: dict[str, Face] = {face.key: face for face in faces}
    product = Product(game, printed, PAGE, ONE_UP, "none", tuple(pieces), by_face)
    with open_workers(1) as workers:
        by_key = {key: made for made in draw(project, [product], workers, report) for key in made.keys}
    if any(face.key not in by_key for face in faces):
        return None
    return product, impose(pieces, ONE_UP, PAGE, None, imprint_of(product), "none"), by_key


def _pages(
    game: Game, judgements: Sequence[Judgement], files: Sequence[KitFile], wanted: Sequence[Wanted]
) -> Iterator[dict[str, object]]:
    """What each page shows: the first what there is, the others how it is cut."""
    open_lines = {line.id for line, _ in disagreements(judgements)}
    agreed = [line for line in judgements[0].setup if line.value is not None and line.id not in open_lines]
    yield {
        "page": "contents",
        "bands": [_band(judgement) for judgement in judgements],
        "setup": [{"name": line.name, "value": label(line.value)} for line in agreed],
        "files": [_file(file) for file in files],
        "sheets": sum(file.sheets for file in files),
    }
    lists = [_List(name=file.name, rows=list(_rows(game, file, wanted))) for file in files]
    # What is only read is not cut.
    orders = [order for file in files if file.stock != "paper" for order in _orders(file)]
    rows = sum(2 + sum(1 + len(row["cards"]) // 6 for row in held["rows"]) for held in lists)
    pages = list(_columns(orders, LINES - rows - 4))
    together = len(pages) == 1
    yield {"page": "list", "files": lists, "columns": pages[0] if together else []}
    for columns in [] if together else _columns(orders, LINES):
        yield {"page": "cuts", "columns": columns}


def _columns(orders: Sequence[_Order], lines: int) -> Iterator[list[list[_Order]]]:
    """The orders in columns of so many lines, page by page; an order is not parted, however long it is."""
    page: list[list[_Order]] = [[]]
    for order in orders:
        if page[-1] and sum(map(_lines, [*page[-1], order])) > lines:
            if len(page) == COLUMNS:
                yield page
                page = []
            page.append([])
        page[-1].append(order)
    yield page


def _lines(order: _Order) -> int:
    """How many lines of a column an order takes, its heading and the space below included."""
    return 2 + len(order["rows"])


def _band(judgement: Judgement) -> dict[str, object]:
    limit = "" if judgement.limit is None else label(judgement.limit)
    total = "" if judgement.total is None else label(judgement.total)
    return {
        "title": judgement.band.title,
        "verdict": judgement.verdict,
        "total": total,
        "limit": limit,
        "unit": judgement.kind.unit,
        "entries": [{"name": line.name, "details": list(line.details)} for line in judgement.entries],
    }


def _file(file: KitFile) -> dict[str, object]:
    taken = estimate(file.imposition)
    return {
        "name": file.name,
        "stock": file.stock,
        "sheets": taken.sheets,
        "two_sided": file.imposition.duplex is not None,
        "used": round(taken.used),
    }


def _rows(game: Game, file: KitFile, wanted: Sequence[Wanted]) -> Iterator[_Row]:
    """One line of the checklist for each part: a deck and its size, the cards of a band, a component."""
    for item in wanted:
        if item.part.stock != file.stock:
            continue
        if item.component is not None:
            if file.counts.get(item.component.id):
                yield {"title": item.component.title, "count": file.counts[item.component.id], "cards": []}
        elif item.part.deck:
            yield {"title": game.decks[item.part.deck].title, "count": sum(item.cards.values()), "cards": []}
        else:
            names: list[dict[str, object]] = [
                {"name": str(game.cards[id].values.get("name") or id), "count": copies}
                for id, copies in item.cards.items()
            ]
            kinds = {game.cards[id].kind for id in item.cards}
            title = ", ".join(game.kinds[kind].title for kind in game.kinds if kind in kinds)
            yield {"title": title, "count": sum(item.cards.values()), "cards": names}


def _orders(file: KitFile) -> Iterator[_Order]:
    """How each sheet is cut, sheets that are cut alike together."""
    alike: dict[tuple[tuple[str, str], ...], list[int]] = {}
    for sheet in file.imposition.sheets:
        if sheet.side == "front":
            alike.setdefault(_cuts(sheet), []).append(sheet.number)
    for cuts, numbers in alike.items():
        if cuts:
            told: list[dict[str, object]] = [
                {"number": number, "axis": axis, "at": at} for number, (axis, at) in enumerate(cuts, 1)
            ]
            rows = [told[at : at + CUTS_A_LINE] for at in range(0, len(told), CUTS_A_LINE)]
            yield {"file": file.name, "sheets": _ranges(numbers), "rows": rows}


def _ranges(numbers: Sequence[int]) -> str:
    """`1–6, 8` for 1 2 3 4 5 6 8."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


def _cuts(sheet: Sheet) -> tuple[tuple[str, str], ...]:
    """A sheet's cuts in order: which way, and how far from the paper's left or upper edge, in mm."""
    cuts = sheet.cuts
    if not cuts and not sheet.laid:
        laid = [Laid(item.label, item.label, item.trim, True) for item in sheet.placements]
        cuts = cut_list(laid, Box(0.0, 0.0, sheet.paper.width, sheet.paper.height)) or ()
    return tuple((cut.axis, format_mm(round(cut.at, 1))) for cut in cuts)

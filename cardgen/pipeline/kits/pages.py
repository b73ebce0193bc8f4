"""The checklist of a kit: verdicts, files, what to lay out, and in which order each sheet is cut. A layout draws it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict

from msgspec import structs

from cardgen.diagnostics import Report
from cardgen.faces.make import FaceMaker
from cardgen.geometry import Polygon, bounds, box_points
from cardgen.model.face import Face, Rendering
from cardgen.model.game import Game, Print
from cardgen.model.product import KitFile, Product
from cardgen.model.project import Project
from cardgen.model.sheet import PAPERS, Cut, Imposition, Laid, Piece, Sheet
from cardgen.pipeline.build import imprint_of
from cardgen.pipeline.draw import draw
from cardgen.pipeline.kits.parts import KitParts, Wanted, disagreements
from cardgen.pipeline.roster import ONE_UP, PAGE
from cardgen.rules.bands import Judgement
from cardgen.rules.engine import label
from cardgen.sheets.cutting import cut_list
from cardgen.sheets.estimates import estimate
from cardgen.sheets.impose import impose
from cardgen.workers import open_workers

LAYOUT = "_base/kit"
# How many pictures of sheets a page takes.
PICTURES = 9
# How far a number stands before the beginning of its cut, in mm of the sheet.
BEFORE = 4.5


class _Row(TypedDict):
    title: str
    count: int
    cards: list[dict[str, object]]


def checklist(
    project: Project,
    game: Game,
    judgements: Sequence[Judgement],
    files: Sequence[KitFile],
    parts: KitParts,
    paper: str,
    report: Report,
) -> tuple[Product, Imposition, Mapping[str, Rendering]] | None:
    """The pages as a product with its imposition and renderings; None after reporting why they cannot be drawn."""
    maker = FaceMaker(project, report)
    size = PAPERS[paper].size
    trim = structs.replace(PAGE, id=f"page-{paper}", title=paper, size=size)
    faces = []
    for number, context in enumerate(pages_of(game, judgements, files, parts), 1):
        face = maker.make_page(LAYOUT, context, game, trim, f"checklist/{number}")
        if face is None:
            return None
        faces.append(face)
    first = files[0].product.print
    title = " + ".join(judgement.title for judgement in judgements)
    printed = Print("kit-checklist", title, game.version, "", None, (), None, "none", first.span)
    pieces = [Piece(face.key, None, face.label, 1, bleed=False) for face in faces]
    by_face: dict[str, Face] = {face.key: face for face in faces}
    product = Product(game, printed, trim, ONE_UP, "none", tuple(pieces), by_face)
    with open_workers(1) as workers:
        by_key = {key: made for made in draw(project, [product], workers, report) for key in made.keys}
    if any(face.key not in by_key for face in faces):
        return None
    return product, impose(pieces, ONE_UP, trim, None, imprint_of(product), "none"), by_key


def pages_of(
    game: Game, judgements: Sequence[Judgement], files: Sequence[KitFile], parts: KitParts
) -> Iterator[dict[str, object]]:
    """What each page shows: the first what there is, the second what to tick off, the others how it is cut."""
    yield {
        "page": "contents",
        "bands": [_band(judgement, game) for judgement in judgements],
        "setup": list(_setup(game, judgements)),
        "files": [_file(file) for file in files],
        "sheets": sum(file.sheets for file in files),
    }
    yield {
        "page": "list",
        "files": [{"name": file.name, "rows": list(_rows(game, file, parts.wanted))} for file in files],
        "missing": list(parts.missing),
    }
    # What is only read is not cut.
    pictures = [picture for file in files if file.stock != "paper" for picture in _pictures(file)]
    for at in range(0, len(pictures), PICTURES):
        yield {"page": "cuts", "pictures": pictures[at : at + PICTURES]}


def _setup(game: Game, judgements: Sequence[Judgement]) -> Iterator[dict[str, str]]:
    """The set-up lines; where the bands do not agree, what each of them says."""
    differing = {line.id: values for line, values in disagreements(judgements)}
    for line in judgements[0].setup:
        values = differing.get(line.id, [line.value])
        if any(value is not None for value in values):
            shown = " / ".join("?" if value is None else label(value, game.says) for value in values)
            yield {"name": line.name, "value": shown}


def _band(judgement: Judgement, game: Game) -> dict[str, object]:
    limit = "" if judgement.limit is None else label(judgement.limit, game.says)
    total = "" if judgement.total is None else label(judgement.total, game.says)
    return {
        "title": judgement.title,
        "summary": judgement.summary,
        "verdict": judgement.verdict,
        "total": total,
        "limit": limit,
        "unit": judgement.kind.unit,
        # What is attached to something names that as well.
        "entries": [{"name": line.name, "details": list(dict.fromkeys(line.details))} for line in judgement.entries],
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


def _pictures(file: KitFile) -> Iterator[dict[str, object]]:
    """Every front sheet with its pieces and its cuts, those that are cut alike as one."""
    alike: dict[tuple[tuple[Laid, ...], tuple[Cut, ...]], list[int]] = {}
    sheets: dict[tuple[tuple[Laid, ...], tuple[Cut, ...]], Sheet] = {}
    for sheet in file.imposition.sheets:
        if sheet.side == "front":
            key = _shape_of(sheet)
            alike.setdefault(key, []).append(sheet.number)
            sheets.setdefault(key, sheet)
    for (laid, cuts), numbers in alike.items():
        paper = sheets[laid, cuts].paper
        yield {
            "file": file.name,
            "sheets": _ranges(numbers),
            "width": paper.width,
            "height": paper.height,
            "pieces": [_path(polygon) for item in laid for polygon in item.outlines or (box_points(item.box),)],
            "cuts": [_line(cut) for cut in cuts],
        }


def _shape_of(sheet: Sheet) -> tuple[tuple[Laid, ...], tuple[Cut, ...]]:
    """What lies on a sheet, without its names, and its cuts."""
    if sheet.laid:
        return tuple(structs.replace(item, label="", title="") for item in sheet.laid), sheet.cuts
    laid = tuple(Laid("", "", item.trim, True) for item in sheet.placements)
    return laid, cut_list(laid, bounds(*(box_points(item.box) for item in laid)).grown(BEFORE)) or ()


def _path(polygon: Polygon) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in polygon) + "Z"


def _line(cut: Cut) -> dict[str, object]:
    """A cut from end to end, and where its number stands."""
    ends = (cut.at, cut.start, cut.at, cut.end) if cut.axis == "upright" else (cut.start, cut.at, cut.end, cut.at)
    x, y = (cut.at, cut.start - BEFORE) if cut.axis == "upright" else (cut.start - BEFORE, cut.at)
    return {
        "number": cut.number,
        "d": "M{:.1f} {:.1f}L{:.1f} {:.1f}".format(*ends),
        "x": round(x, 1),
        "y": round(y, 1),
    }


def _ranges(numbers: Sequence[int]) -> str:
    """`1–6, 8` for 1 2 3 4 5 6 8."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)

"""A band's roster: one page with its entries, verdict, set-up and waivers, as a layout that anyone may restyle."""

from __future__ import annotations

from msgspec import structs

from cardgen.diagnostics import Report
from cardgen.errors import CardgenError
from cardgen.faces.assets import Assets
from cardgen.faces.engines import Job, render
from cardgen.faces.make import FaceMaker
from cardgen.geometry import Size
from cardgen.model.game import Game
from cardgen.model.project import Project
from cardgen.model.sheet import PAPERS, Imprint, Piece, SheetTemplate
from cardgen.model.trim import Trim
from cardgen.pdf.writer import write_pdf
from cardgen.pipeline.fonts import label_fonts
from cardgen.pipeline.languages import check_printed
from cardgen.rules.bands import Judgement, cards_named
from cardgen.rules.engine import label
from cardgen.sheets.impose import impose

LAYOUT = "_base/roster"
PAGE = Trim("page", "A4", Size(210.0, 297.0), bleed=0.0, safe=10.0, corner=0.0)
ONE_UP = SheetTemplate(
    "single-1up", 1, "One face a page", None, 1, 1, margin=0.0, marks="none", ruler=False, labels=False
)


def roster_pdf(project: Project, game: Game, judgement: Judgement, report: Report, paper: str | None = None) -> bytes:
    """The roster as a PDF of one page, on `paper`, else the project's. Raises CardgenError when the layout fails (which is also reported)."""
    band = judgement.band
    check_printed(project, game, {str(card["id"]) for card in cards_named(band.values)}, [band], report)
    wanted = paper or project.paper or "a4"
    page = structs.replace(PAGE, id=f"page-{wanted}", title=wanted, size=PAPERS[wanted].size)
    face = FaceMaker(project, report).make_page(LAYOUT, context(game, judgement), game, page, band.title)
    if face is None:
        raise CardgenError("the roster could not be drawn; see the problems above")
    rendering = render(Job((face,), Assets(project.shelf), project.fonts))
    for _, problem in rendering.failures:
        raise CardgenError(f"the roster could not be drawn: {problem}")
    imprint = Imprint(band.title, game.version, game.lang, game.credits, game.title)
    imposition = impose([Piece(face.key, None, band.id, 1, False)], ONE_UP, page, None, imprint, "none")
    return write_pdf(imposition, [rendering], label_fonts(project))


def _sentence(text: str) -> str:
    """The text with a full stop where it ends with no mark: on paper what breaks a rule and what mends it share a line."""
    return f"{text}." if text and text[-1] not in ".!?…" else text


def context(game: Game, judgement: Judgement) -> dict[str, object]:
    """What the roster's layout sees: plain values only."""
    band, kind = judgement.band, judgement.kind
    total, limit = judgement.total, judgement.limit
    known = total is not None and limit is not None
    return {
        "band": {
            "title": judgement.title,
            "summary": judgement.summary,
            "kind": kind.title,
            "pack": judgement.pack.title,
        },
        "verdict": judgement.verdict,
        "priced": bool(kind.cost),
        "entries": [
            {
                "name": line.name,
                "details": ", ".join(line.details),
                "cost": label(line.value, game.says) if kind.cost else "",
            }
            for line in judgement.entries
        ],
        "total": label(total, game.says),
        "limit": label(limit, game.says) if kind.limit else "",
        "left": label(limit - total, game.says) if known and total <= limit else "",
        "over": label(total - limit, game.says) if known and total > limit else "",
        "unit": kind.unit,
        "setup": [
            {"name": line.name, "value": label(line.value, game.says), "source": line.source}
            for line in judgement.setup
        ],
        "problems": [
            {
                "rule": finding.rule,
                "severity": finding.severity,
                "verdict": finding.verdict,
                "message": _sentence(finding.message),
                "fix": _sentence(finding.fix),
                "source": finding.source,
                "waiver": finding.waiver,
            }
            for finding in judgement.problems
        ],
        "rulings": [
            {
                "id": id,
                "reading": game.words.get(f"rules/{id}.{reading}", judgement.pack.rulings[id].readings[reading]),
            }
            for id, reading in sorted(band.rulings.items())
            if id in judgement.pack.rulings
        ],
    }

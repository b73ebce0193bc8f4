"""Pictures of faces, one PNG each, from the same PDF that is printed."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from PIL import Image

from cardgen.diagnostics import Report
from cardgen.errors import FileProblem
from cardgen.exports.cards import cards_of, tell_others
from cardgen.files import write_atomic
from cardgen.model.face import Rendering
from cardgen.model.product import Product
from cardgen.model.project import Project
from cardgen.pdf.painted import face_pdf
from cardgen.pdf.raster import page_png
from cardgen.pipeline.draw import draw
from cardgen.workers import Workers


def export_png(
    project: Project,
    products: Iterable[Product],
    output: Path,
    dpi: float,
    bleed: bool,
    workers: Workers,
    report: Report,
    variant: str = "",
) -> Iterator[Path]:
    """Write `output/<game>/<lang>/png/<card>-<side>.png` (with bleed: `png-bleed`) for every face of a card, and yield each path.

    `variant` ends the folder's name, for faces that are drawn without something.

    Cards with errors and pieces that are no cards are left out and reported.

    `dpi` is the resolution; `bleed` keeps what lies beyond the cut, else pictures are the trim, to the pixel nearest.
    """
    chosen = list(products)
    renderings = draw(project, chosen, workers, report)
    drawn = {key: rendering for rendering in renderings for key in rendering.keys}
    pages = {key: (rendering, page) for rendering in renderings for page, key in enumerate(rendering.keys)}
    written: set[Path] = set()
    refused: list[FileProblem] = []
    for product in chosen:
        folder = output / product.game.id / product.game.lang / f"{'png-bleed' if bleed else 'png'}{variant}"
        cards, others = cards_of(product, drawn, report)
        tell_others(product, "png", others, report)
        for card in cards:
            for side, key in card.faces():
                path = folder / f"{card.label}-{side}.png"
                if path in written:
                    continue
                try:
                    write_atomic(path, face_png(*pages[key], dpi, bleed))
                except FileProblem as error:
                    refused.append(error)
                    continue
                written.add(path)
                yield path
    if refused:
        # A full disk refuses all that comes after: once is enough to know it.
        more = f"; {len(refused)} pictures are not written" if len(refused) > 1 else ""
        report.add("CG501", None, problem=f"{refused[0]}{more}")


def face_png(rendering: Rendering, page: int, dpi: float, bleed: bool) -> bytes:
    """The picture of one face at `dpi`, with its bleed or cut to the trim."""
    whole = page_png(*face_pdf(rendering, page), dpi)
    if bleed or not rendering.bleed:
        return whole
    edge = rendering.bleed / 25.4 * dpi
    size = rendering.trim.size
    with Image.open(io.BytesIO(whole)) as image:
        left = top = round(edge)
        right, bottom = left + round(size.width / 25.4 * dpi), top + round(size.height / 25.4 * dpi)
        target = io.BytesIO()
        image.crop((left, top, right, bottom)).save(target, "PNG", dpi=(dpi, dpi))
    return target.getvalue()

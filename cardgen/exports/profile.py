"""Exports by profile: the one way from a project's prints to the files that a service or a program takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct, structs

from cardgen.diagnostics import Report, Span
from cardgen.errors import DoesNotFit, FileProblem
from cardgen.exports.cards import Drawn, cards_of, tell_others
from cardgen.exports.deck_pdf import deck_pdf
from cardgen.exports.job import File, Framed, Job
from cardgen.exports.pages import frame_of
from cardgen.exports.pictures import face_pictures
from cardgen.exports.tabletop import deck_files
from cardgen.files import write_atomic
from cardgen.model.export import ExportKind, ExportProfile, Picture
from cardgen.model.product import Product
from cardgen.model.project import Project
from cardgen.model.trim import Trim
from cardgen.pipeline.draw import draw
from cardgen.pipeline.products import Options, make_products
from cardgen.pipeline.targets import Target
from cardgen.units import format_mm
from cardgen.workers import Workers

_FILES: Mapping[ExportKind, Callable[[Job], Iterator[File]]] = {
    "images": face_pictures,
    "grid": deck_files,
    "pdf": deck_pdf,
}


class Wanted(Struct, frozen=True):
    """What an export is told besides its targets: the kind of pictures (None: the profile's first), where they will lie
    on the web (empty: where they are written), and what faces are drawn without."""

    picture: Picture | None = None
    base_url: str = ""
    no_backgrounds: bool = False
    low_ink: bool = False

    @property
    def suffix(self) -> str:
        """What the folder's name says of it."""
        return "-lowink" if self.low_ink else "-nobg" if self.no_backgrounds else ""


def export(
    project: Project,
    profile: ExportProfile,
    targets: Iterable[Target],
    output: Path,
    wanted: Wanted,
    workers: Workers,
    report: Report,
) -> Iterator[Path]:
    """Write `output/<game>/<lang>/<profile>/…` for every print of the targets, and yield each path.

    What the service has no size for is reported and not written. Files of one print are written in the order in which
    they name each other, so that none names a file that is not there.
    """
    options = Options(no_backgrounds=wanted.no_backgrounds, low_ink=wanted.low_ink)
    project = structs.replace(project, trims={id: _safer(trim, profile) for id, trim in project.trims.items()})
    products = make_products(project, targets, options, report)
    drawn = {key: rendering for rendering in draw(project, products, workers, report) for key in rendering.keys}
    for product in products:
        cards = _framed(product, profile, drawn, report)
        if not cards:
            continue
        folder = output / product.game.id / product.game.lang / f"{profile.id}{wanted.suffix}"
        job = Job(profile, product, cards, drawn, wanted.picture or profile.formats[0], folder, wanted.base_url)
        for name, data in _FILES[profile.kind](job):
            try:
                write_atomic(folder / name, data)
            except FileProblem as error:
                report.add("CG501", Span(name), problem=str(error))
                break
            yield folder / name


def _safer(trim: Trim, profile: ExportProfile) -> Trim:
    """The trim with as much room at its edges as the service wants, for the check of what stands too near to the cut."""
    size = profile.size_for(trim)
    if size is None:
        return trim
    spare = min(size.cut.width - trim.size.width, size.cut.height - trim.size.height) / 2
    return structs.replace(trim, safe=max(trim.safe, profile.safe - spare))


def _framed(product: Product, profile: ExportProfile, drawn: Drawn, report: Report) -> list[Framed]:
    """The cards in their frames; a trim that the service does not print, or not with so little bleed, is reported, and
    so is what is no card, such as a counter of a size that nobody sells."""
    cards, others = cards_of(product, drawn, report)
    framed = []
    refused: set[str] = set()
    for card in cards:
        size = profile.size_for(card.trim)
        if size is None and product.trim is None:
            others.append(card.label)
            continue
        if size is None:
            if card.trim.id not in refused:
                sold = ", ".join(
                    f"{size.id} ({format_mm(size.cut.width)} x {format_mm(size.cut.height)})" for size in profile.sizes
                )
                found = f"{format_mm(card.trim.size.width)} x {format_mm(card.trim.size.height)}"
                report.add(
                    "CG530", product.print.span, profile=profile.title, print=product.name, found=found, sold=sold
                )
            refused.add(card.trim.id)
            continue
        try:
            frame = frame_of(card.trim.size, size.cut, profile.bleed, drawn[card.front].bleed)
        except DoesNotFit as error:
            if card.trim.id not in refused:
                report.add("CG531", product.print.span, profile=profile.title, print=product.name, problem=str(error))
            refused.add(card.trim.id)
            continue
        framed.append((card, frame))
    tell_others(product, profile.title, others, report)
    return framed

"""A picture a face, as print services and programs take them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cardgen.exports.job import File, Job
from cardgen.exports.pages import Frame, pages_pdf
from cardgen.geometry import Size
from cardgen.model.export import ExportProfile, Picture
from cardgen.pdf.raster import page_image
from cardgen.pipeline.build import imprint_of
from cardgen.units import MM_PER_INCH

if TYPE_CHECKING:
    from PIL import Image

# What a JPEG keeps of a face: nobody has seen a difference on paper at 95, at a fifth of a PNG's size.
_QUALITY = 95


def face_pictures(job: Job) -> Iterator[File]:
    """A file for every side of every card, in printing order."""
    pages = list(dict.fromkeys((key, frame) for card, frame in job.cards for _, key in card.faces()))
    pdf = pages_pdf(pages, job.drawn, imprint_of(job.product))
    # A back that all cards share is drawn once.
    made: dict[tuple[str, Frame], bytes] = {}
    for number, (card, frame) in enumerate(job.cards, 1):
        for side, key in card.faces():
            if (key, frame) not in made:
                dpi = dots_to_the_inch(job.profile, frame.page)
                picture = page_image(pdf, pages.index((key, frame)), dpi)
                made[key, frame] = encoded(picture, job.picture, dpi)
            yield f"{job.name(card.label, side, number, card.copies)}.{job.picture}", made[key, frame]


def dots_to_the_inch(profile: ExportProfile, page: Size) -> float:
    """The profile's resolution, less where a page of that size in mm would have too many pixels."""
    if not profile.most_pixels:
        return profile.dpi
    return min(profile.dpi, profile.most_pixels * MM_PER_INCH / max(page.width, page.height))


def encoded(picture: Image.Image, format: Picture, dpi: float) -> bytes:
    """The file of a picture; it says its resolution."""
    target = io.BytesIO()
    if format == "png":
        picture.save(target, "PNG", dpi=(dpi, dpi))
    else:
        picture.save(target, "JPEG", quality=_QUALITY, subsampling=0, dpi=(round(dpi), round(dpi)))
    return target.getvalue()

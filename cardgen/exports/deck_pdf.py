"""One PDF a print, a page a side, for services that print decks from PDFs."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.exports.job import File, Job
from cardgen.exports.pages import pages_pdf
from cardgen.pipeline.build import imprint_of


def deck_pdf(job: Job) -> Iterator[File]:
    """The file: each card's sides, as often as the profile wants copies. The writer sets the page boxes."""
    pages = []
    for card, frame in job.cards:
        sides = [(key, frame) for _, key in card.faces()]
        if job.profile.backs_first:
            sides.reverse()
        pages += sides * (card.copies if job.profile.copies == "each" else 1)
    yield f"{job.name()}.pdf", pages_pdf(pages, job.drawn, imprint_of(job.product))

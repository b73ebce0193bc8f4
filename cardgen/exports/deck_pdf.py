"""One PDF a print, a page a side, for services that print decks from PDFs."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.exports.job import File, Job
from cardgen.exports.pages import Frame, pages_pdf
from cardgen.pipeline.build import imprint_of


def deck_pdf(job: Job) -> Iterator[File]:
    """The file: each card's sides, as often as the profile wants copies. The writer sets the page boxes.

    Where backs come first a card without one has an empty page for it: the service counts pages.
    """
    pages: list[tuple[str | None, Frame]] = []
    for card, frame in job.cards:
        sides = [(card.back, frame), (card.front, frame)] if job.profile.backs_first else []
        sides = sides or [(key, frame) for _, key in card.faces()]
        pages += sides * (card.copies if job.profile.copies == "each" else 1)
    yield f"{job.name()}.pdf", pages_pdf(pages, job.drawn, imprint_of(job.product))

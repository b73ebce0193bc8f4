"""Every face that is shipped, drawn by the card engine and by the reference engine: the same pixels.

A sample is compared always, all faces in all languages with `./run test --all`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from comparing import DPI, differing, is_blank
from msgspec.structs import replace

from cardgen.faces.card.engine import render
from cardgen.faces.engines import Job
from cardgen.model.face import Face, Rendering
from cardgen.pdf.painted import rendering_pdf
from cardgen.pdf.raster import page_image
from tests.faces.card.shipped import GAMES, LANGUAGES, jobs_of

# Why the reference engine draws some faces otherwise.
EARLY = "it breaks a line after its first word where only the space at the end of a text does not fit any more"
SNAPPED = "an edge in the middle of a pixel falls to the other side of it"
DRIFT = "it rounds the space between letters to 1/1000 em, downwards, so that long spaced words drift"
# (language, label; an empty language is all of them) -> percent of pixels allowed.
EXPLAINED: dict[tuple[str, str], tuple[float, str]] = {
    ("en", "dutch-obi/front"): (3.0, EARLY),
    ("en", "tobias-wren/front"): (3.0, EARLY),
    ("es", "twin-machetes/front"): (7.0, EARLY),
    ("es", "nail-bat/front"): (5.0, EARLY),
    ("es", "common-actions/front"): (2.0, EARLY),
    ("es", "walkie-talkie/front"): (3.0, EARLY),
    ("", "second-look/back"): (0.25, SNAPPED),
    ("es", "dinner-bell/front"): (0.2, DRIFT),
    ("es", "old-neighbour/front"): (0.12, DRIFT),
    ("ru", "sabela-tor/front"): (0.15, DRIFT),
}


def compared(jobs: Iterable[Job]) -> Iterator[tuple[Face, float]]:
    """Each face with the percentage of its pixels that the two engines draw differently."""
    reference = pytest.importorskip("cardgen.faces.weasyprint")
    for job in jobs:
        ours, theirs = render(job), reference.render(job)
        assert not ours.failures and not ours.complaints and not ours.undrawn and not ours.refused, ours.failures
        assert set(ours.keys) == set(theirs.keys) == {face.key for face in job.faces}
        yield from differences(job, ours, theirs)


def differences(job: Job, ours: Rendering, theirs: Rendering) -> Iterator[tuple[Face, float]]:
    one, two = rendering_pdf(ours), rendering_pdf(theirs)
    for face in job.faces:
        drawn = page_image(one, ours.keys.index(face.key), DPI)
        expected = page_image(two, theirs.keys.index(face.key), DPI)
        assert not is_blank(expected)
        yield face, differing(drawn, expected)


def allowed(face: Face) -> float:
    most, _ = EXPLAINED.get((face.lang, face.label)) or EXPLAINED.get(("", face.label), (0.1, ""))
    return most


def too_different(found: Iterable[tuple[Face, float]]) -> list[str]:
    return [
        f"{face.label} ({face.layout}, {face.lang}): {percent:.3f} %"
        for face, percent in found
        if percent > allowed(face)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("number, game", list(enumerate(GAMES)))
def test_a_sample_of_shipped_faces(number: int, game: str) -> None:
    jobs = jobs_of(game, LANGUAGES[number % len(LANGUAGES)], 1)
    assert len(jobs) >= 5
    found = list(compared(jobs))
    assert len(found) == len(jobs)
    assert too_different(found) == []


@pytest.mark.parity
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_shipped_faces(game: str, lang: str) -> None:
    assert too_different(compared(jobs_of(game, lang))) == []


def test_a_face_that_is_drawn_otherwise_is_noticed() -> None:
    job = jobs_of("twd", "en", 1)[0]
    face = job.faces[0]
    other = replace(face, markup=face.markup.replace(b"</", b" and more</", 3))
    ((_, percent),) = differences(job, render(replace(job, faces=(other,))), render(job))
    assert percent > 0.1

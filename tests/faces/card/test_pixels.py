"""Every face that is shipped, drawn by the card engine and by the reference engine: the same pixels.

A sample is compared always, all faces in all languages with `./run test --all`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from comparing import DPI, differing, is_blank

from cardgen.diagnostics import Report
from cardgen.faces.card.engine import render
from cardgen.faces.engines import Job
from cardgen.model.face import Face, Rendering
from cardgen.pdf.painted import rendering_pdf
from cardgen.pdf.raster import page_image
from cardgen.pipeline.draw import jobs_of
from cardgen.pipeline.products import Options, make_products
from cardgen.pipeline.targets import Target

ROOT = Path(__file__).resolve().parents[3]
GAMES = ("arena", "twd", "zcorps", "zombies")
LANGUAGES = ("en", "es", "ru")
# Percent of pixels, and why the reference engine draws more of them otherwise.
EXPLAINED: dict[str, tuple[float, str]] = {}


@cache
def faces_of(project: Any, game: str, lang: str) -> dict[str, Face]:
    """The faces of all prints of a game whose layouts keep to the card profile."""
    report = Report()
    target = Target(project.games[game], lang, tuple(project.games[game].prints.values()))
    faces = {
        key: face
        for product in make_products(project, [target], Options(), report)
        for key, face in product.faces.items()
    }
    return {key: face for key, face in faces.items() if is_card(face)}


def is_card(face: Face) -> bool:
    source = (ROOT / "layouts" / f"{face.layout}.html.j2").read_text(encoding="utf-8")
    return not face.flow and 'set profile = "card"' in source


def sample(faces: dict[str, Face], number: int) -> dict[str, Face]:
    """One face of each layout and side: not always the first."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for key, face in faces.items():
        groups[face.layout, face.side].append(key)
    return {keys[number % len(keys)]: faces[keys[number % len(keys)]] for keys in groups.values()}


def compared(project: Any, faces: dict[str, Face]) -> Iterator[tuple[Face, float]]:
    """Each face with the percentage of its pixels that the two engines draw differently."""
    reference = pytest.importorskip("cardgen.faces.weasyprint")
    for job in jobs_of(project, faces, 1):
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


def too_different(found: Iterable[tuple[Face, float]]) -> list[str]:
    return [
        f"{face.label} ({face.layout}): {percent:.3f} %"
        for face, percent in found
        if percent > EXPLAINED.get(face.layout, (0.1, ""))[0]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("number, game", list(enumerate(GAMES)))
def test_a_sample_of_shipped_faces(project: Any, number: int, game: str) -> None:
    faces = sample(faces_of(project, game, LANGUAGES[number % len(LANGUAGES)]), 1)
    assert len(faces) >= 5
    found = list(compared(project, faces))
    assert len(found) == len(faces)
    assert too_different(found) == []


@pytest.mark.pixels
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_shipped_faces(project: Any, game: str, lang: str) -> None:
    assert too_different(compared(project, faces_of(project, game, lang))) == []


def test_a_face_that_is_drawn_otherwise_is_noticed(project: Any) -> None:
    faces = sample(faces_of(project, "twd", "en"), 0)
    key, face = next(iter(faces.items()))
    other = replace(face, html=face.html.replace("</", " and more</", 3))
    (job,) = jobs_of(project, {key: face}, 1)
    ((_, percent),) = differences(job, render(replace(job, faces=(other,))), render(job))
    assert percent > 0.1

"""Every shipped face of a layout that keeps to the card profile, and where both engines put its texts and boxes."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cardgen.diagnostics import Report
from cardgen.faces.assets import Assets
from cardgen.faces.card.fragments import Fragment
from cardgen.faces.card.layouter import Layouter
from cardgen.faces.engines import Job
from cardgen.model.face import Face, Fit, Stray
from cardgen.pipeline.products import Options, make_products
from cardgen.pipeline.targets import choose
from tests.support import load

ROOT = Path(__file__).resolve().parents[3]
PX_PER_MM = 96 / 25.4
GAMES = ("arena", "twd", "zcorps", "zombies")
LANGUAGES = ("en", "es", "ru")


class Line(NamedTuple):
    """A text in a line: its letters, and where it stands, in px from the trim's corner."""

    text: str
    x: float
    y: float
    width: float


class Seen(NamedTuple):
    """What an engine made of a face: its texts in the order of the tree, its fitted boxes, what is out of place."""

    lines: list[Line]
    fits: dict[str, Fit]
    strays: list[tuple[str, str, str]]


@lru_cache(maxsize=1)
def project() -> Any:
    """The shipped project."""
    return load(ROOT)


def jobs_of(game: str, lang: str, most: int | None = None) -> list[Job]:
    """The faces of a game in a language, at most so many of each layout."""
    products = make_products(project(), choose(project(), [game], [lang]), Options(), Report())
    groups: dict[tuple[str, str, str], list[Face]] = {}
    known = set[str]()
    for face in (face for product in products for face in product.faces.values()):
        if face.engine == "card" and face.key not in known:
            known.add(face.key)
            groups.setdefault((face.layout, face.side, repr(face.trim)), []).append(face)
    assets = Assets(project().shelf)
    return [Job(tuple(group[:most]), assets, project().fonts) for group in groups.values()]


def seen_by_card(job: Job) -> dict[str, Seen | None]:
    """What the engine `card` makes of the faces; None where it refuses."""
    layouter = Layouter(job)
    seen: dict[str, Seen | None] = {}
    for face in job.faces:
        root, measured, fits = layouter.fitted(face)
        lines: list[Line] = []
        _texts(root, root.x, root.y, lines)
        standing = measured.standing
        seen[face.key] = _seen(lines, list(standing.fits(face, fits)), standing.strays(face.key))
    assert not layouter.cascade.problems
    return seen


def _seen(lines: list[Line], fits: list[Fit], strays: tuple[Stray, ...]) -> Seen:
    return Seen(lines, {fit.field: fit for fit in fits}, sorted((each.kind, each.box, each.text) for each in strays))


def _texts(part: Fragment, x: float, y: float, lines: list[Line]) -> None:
    if part.text.strip():
        lines.append(Line(part.text.strip(), x, y, part.width))
    for child in part.inside:
        _texts(child, x + child.x, y + child.y, lines)


def seen_by_reference(job: Job) -> dict[str, Seen | None]:
    """What WeasyPrint makes of the faces; None for one that it could not draw."""
    engine: Any = pytest.importorskip("cardgen.faces.weasyprint")
    faces = {face.key: face for face in job.faces}
    with engine._listening(), engine.calm_collector():
        drawer = engine._Drawer(job)
        pages = drawer.layout(list(faces.values()), {})
        trim = job.faces[0].trim
        fits, strays = engine._fit(drawer, faces, pages, trim)
    seen: dict[str, Seen | None] = dict.fromkeys(faces)
    for key in pages:
        lines: list[Line] = []
        _reference_texts(pages[key].page._page_box, trim.bleed * PX_PER_MM, lines)
        own = tuple(stray for stray in strays if stray.key == key)
        seen[key] = _seen(lines, [fit for fit in fits if fit.key == key], own)
    return seen


def _reference_texts(box: Any, origin: float, lines: list[Line]) -> None:
    from weasyprint.formatting_structure.boxes import TextBox

    box = getattr(box, "_box", box)
    if isinstance(box, TextBox):
        if box.text.strip():
            top = box.position_y + box.margin_top
            lines.append(Line(box.text.strip(), box.position_x - origin, top - origin, box.width))
        return
    for child in box.children:
        _reference_texts(child, origin, lines)

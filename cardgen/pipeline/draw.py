"""Draws the faces of all products over workers, and reports what the engine found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from math import ceil

from cardgen.diagnostics import Report, Span
from cardgen.errors import FileProblem
from cardgen.faces.assets import Assets, picture_name
from cardgen.faces.engines import Job, render
from cardgen.faces.fit import fits
from cardgen.faces.images import MIN_DPI
from cardgen.model.face import Face, Rendering
from cardgen.model.product import Product
from cardgen.model.project import Project
from cardgen.workers import Workers

# Enough faces to make a document's fixed costs small, few enough to keep its boxes out of the way of memory.
MOST_FACES = 150


def draw(project: Project, products: Iterable[Product], workers: Workers, report: Report) -> list[Rendering]:
    """Draw every face once. Faces that could not be drawn are reported and are in no rendering."""
    return list(draw_each(project, products, workers, report))


def draw_each(project: Project, products: Iterable[Product], workers: Workers, report: Report) -> Iterator[Rendering]:
    """As `draw`, one rendering after the other, about in the order of the products, each when it is ready."""
    faces: dict[str, Face] = {}
    owners: dict[str, Product] = {}
    for product in products:
        faces |= product.faces
        for key in product.faces:
            owners.setdefault(key, product)
    renderings = []
    for rendering in workers.map(render, _jobs(project, faces, workers.jobs)):
        renderings.append(rendering)
        _report(rendering, faces, owners, report)
        yield rendering
    _report_pictures(project, renderings, faces, report)


def _jobs(project: Project, faces: Mapping[str, Face], jobs: int) -> list[Job]:
    groups: dict[tuple[str, ...], list[Face]] = {}
    for face in faces.values():
        groups.setdefault((face.engine, face.layout, face.side, face.trim.id, face.lang, *face.leave_out), []).append(
            face
        )
    share = ceil(len(faces) / max(1, jobs))
    assets = Assets(project.shelf)
    work = []
    for group in groups.values():
        # As many chunks as keep all workers busy, all of about the same size.
        count = max(ceil(len(group) / MOST_FACES), ceil(len(group) / max(1, share)))
        size = ceil(len(group) / count)
        work += [Job(tuple(group[at : at + size]), assets, project.fonts) for at in range(0, len(group), size)]
    return work


def _report(rendering: Rendering, faces: Mapping[str, Face], owners: Mapping[str, Product], report: Report) -> None:
    for key, problem in rendering.failures:
        report.add("CG304", _span(faces[key], owners[key]), face=faces[key].label, problem=problem)
    for fit in rendering.fits:
        if not fits(fit):
            face = faces[fit.key]
            span = _span(face, owners[fit.key], fit.field)
            overflow = f"{fit.overflow:.1f}"
            hint = f"shorten the text; it is already set at {fit.scale:.0%}, the least that the layout allows"
            report.add("CG309", span, hint, face=face.label, lang=face.lang, field=fit.field, overflow=overflow)
    if rendering.complaints and rendering.keys:
        face = faces[rendering.keys[0]]
        told = " ".join(str(item.arguments["chars"]) for item in report.items if item.code == "CG308")
        for complaint in rendering.complaints:
            glyph = re.search(r"\.notdef glyph .*\((U\+[0-9A-F]+)\)", complaint)
            if glyph and f"({glyph[1]})" in told:
                continue  # the text that lacks it was told about
            report.add("CG314", Span(f"layouts/{face.layout}.html.j2"), problem=complaint)


def _report_pictures(
    project: Project, renderings: Iterable[Rendering], faces: Mapping[str, Face], report: Report
) -> None:
    """Report pictures that the engine stumbled over, and whose coarsest use prints fewer dots than wanted."""
    uses = [(use.dpi, use.url, use, rendering) for rendering in renderings for use in rendering.pictures]
    assets, seen = Assets(project.shelf), set[str]()
    for url, problem in {entry for rendering in renderings for entry in rendering.undrawn}:
        report.add("CG312", Span(_file(assets, url)), name=picture_name(url) or url, problem=problem)
    for dpi, url, use, rendering in sorted(uses, key=lambda entry: entry[:2]):
        if dpi >= MIN_DPI or url in seen:
            continue
        seen.add(url)
        using = [faces[key] for key in rendering.keys]
        label = next((face.label for face in using if url in face.html), using[0].layout)
        file = _file(assets, url)
        wide, high = (ceil(mm / 25.4 * MIN_DPI) for mm in use.printed)
        hint = (
            f"it has {use.pixels[0]} x {use.pixels[1]} pixels on {use.printed[0]:.1f} x {use.printed[1]:.1f} mm; "
            f"use a picture of {wide} x {high} pixels or print it smaller"
        )
        name = picture_name(url) or url
        report.add("CG315", Span(file), hint, face=label, name=name, dpi=round(dpi), least=MIN_DPI)


def _file(assets: Assets, url: str) -> str:
    try:
        return assets.file(url) or url
    except FileProblem:
        return url


def _span(face: Face, product: Product, field: str = "") -> Span:
    card = product.game.cards[face.label.partition("/")[0]]
    return card.place(field)

"""Draws the faces of all products over workers, and reports what the engine found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import ceil

from msgspec import structs

from cardgen.diagnostics import Report, Span
from cardgen.errors import WorkerDied
from cardgen.faces.assets import Assets
from cardgen.faces.engines import COSTS, Job, render
from cardgen.faces.findings import Blamed, Findings
from cardgen.model.face import Face, Rendering
from cardgen.model.font import can_draw
from cardgen.model.product import Product
from cardgen.model.project import Project
from cardgen.pipeline.keep.parts import Keeper, faces_of
from cardgen.pipeline.translation.blame import Blame
from cardgen.workers import Workers, open_workers

# Enough faces to make a document's fixed costs small, few enough to keep its boxes out of the way of memory.
MOST_FACES = 150


def draw(
    project: Project, products: Iterable[Product], workers: Workers, report: Report, keeper: Keeper | None = None
) -> list[Rendering]:
    """Draw every face once. Faces that could not be drawn are reported and are in no rendering."""
    return list(draw_each(project, products, workers, report, keeper))


def draw_each(
    project: Project, products: Iterable[Product], workers: Workers, report: Report, keeper: Keeper | None = None
) -> Iterator[Rendering]:
    """As `draw`, one rendering after the other, about in the order of the products, each when it is ready.

    What `keeper` has is not drawn again.
    """
    faces: dict[str, Face] = {}
    owners: dict[str, Product] = {}
    for product in products:
        faces |= product.faces
        for key in product.faces:
            owners.setdefault(key, product)
    if not can_draw(project.fonts):
        return  # what is wrong with them was told where they were read
    found = []
    for rendering in _kept_and_drawn(project, faces, workers, keeper):
        yield rendering
        # What is said in the end needs neither the drawings nor their fonts.
        found.append(structs.replace(rendering, pdf=b"", fonts=(), painted=None))
        del rendering

    def place(face: Face, field: str) -> Span:
        game = owners[face.key].game
        if face.component:
            return game.components[face.component].span
        card = game.cards.get(face.label.partition("/")[0])
        return card.place(field) if card is not None else Span(f"layouts/{face.layout}.html.j2")

    blame = Blame(project.shelf)

    def blamed(face: Face, box: str, text: str) -> Blamed | None:
        return blame.of(owners[face.key].game, face, box, text)

    Findings(faces, place, Assets(project.shelf), report, blamed).tell(found)


def _kept_and_drawn(
    project: Project, faces: dict[str, Face], workers: Workers, keeper: Keeper | None
) -> Iterator[Rendering]:
    kept = keeper.find(faces.keys()) if keeper is not None else []
    yield from kept
    there = {key for rendering in kept for key in faces_of(rendering)}
    missing = {key: face for key, face in faces.items() if key not in there}
    for rendering in _drawn(jobs_of(project, missing, workers.jobs), workers):
        if keeper is not None:
            keeper.keep(rendering)
        yield rendering


def _drawn(jobs: list[Job], workers: Workers) -> Iterator[Rendering]:
    """The renderings of the jobs in order. When a worker dies, what was not drawn yet is tried again, each alone."""
    if not workers.are_remote and _is_little(jobs):
        workers = Workers()
    done = 0
    try:
        for rendering in _mapped(jobs, workers):
            done += 1
            yield rendering
    except WorkerDied:
        for job in jobs[done:]:
            yield from _drawn_alone(job)


def _is_little(jobs: list[Job]) -> bool:
    """Whether starting processes, and an engine in each, would take longer than drawing here; only for engines that
    take no process down with them."""
    faces = [face for job in jobs for face in job.faces]
    if any(face.engine != "card" for face in faces):
        return False
    each, start = COSTS["card"]
    return len(faces) * each < start


def _mapped(jobs: list[Job], workers: Workers) -> Iterator[Rendering]:
    if not workers.are_remote:
        return workers.map(render, jobs)
    from cardgen.faces.parcel import pack, render_from, without_assets

    return workers.map_with(render_from, [without_assets(job) for job in jobs], pack(jobs))


def _drawn_alone(job: Job) -> Iterator[Rendering]:
    """A job in a process of its own; when that dies as well, by halves, until the face at fault is found."""
    try:
        with open_workers(2) as workers:
            rendering = next(workers.map(render, [job]))
        yield rendering
    except WorkerDied:
        first = job.faces[0]
        if len(job.faces) == 1:
            failures = ((first.key, "the process that draws it is ended, by a picture, a font or want of memory"),)
            yield Rendering(b"", (), first.trim, first.trim.bleed, (), failures=failures)
            return
        half = len(job.faces) // 2
        for faces in (job.faces[:half], job.faces[half:]):
            yield from _drawn_alone(structs.replace(job, faces=faces))


def jobs_of(project: Project, faces: Mapping[str, Face], jobs: int) -> list[Job]:
    """The work of drawing faces, for so many workers: what one engine draws in one go stands together."""
    groups: dict[tuple[str, ...], list[Face]] = {}
    for face in faces.values():
        groups.setdefault(
            (
                face.engine,
                face.layout,
                face.side,
                repr(face.trim) if face.flow else face.trim.id,
                face.lang,
                *face.leave_out,
            ),
            [],
        ).append(face)
    share = ceil(len(faces) / max(1, jobs))
    assets = Assets(project.shelf)
    work = []
    for group in groups.values():
        # As many chunks as keep all workers busy, all of about the same size.
        count = max(ceil(len(group) / MOST_FACES), ceil(len(group) / max(1, share)))
        size = ceil(len(group) / count)
        work += [Job(tuple(group[at : at + size]), assets, project.fonts) for at in range(0, len(group), size)]
    return work

"""Draws the faces of all products over workers, and reports what the engine found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
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
# So many that belong together are drawn while the next ones are being filled.
AHEAD_FACES = 75

# A job that is being done, and what waits for its rendering.
Begun = tuple[Job, Callable[[], Rendering]]


class Ahead:
    """Begins to draw faces while others are still being filled; nothing is begun where that would not be faster.

    Faces that a keeper has are not drawn, and a few are not worth a process.
    """

    def __init__(self, project: Project, workers: Workers, keeper: Keeper | None = None) -> None:
        self._workers, self._fonts, self._assets = workers, project.fonts, Assets(project.shelf)
        self._pays = workers.jobs > 1 and not workers.are_remote
        self._kept = keeper.keys() if keeper is not None and self._pays else set[str]()
        self._waiting: dict[tuple[str, ...], dict[str, Face]] = {}
        self._begun: list[Begun] = []
        self._seen: set[str] = set()

    def take(self, face: Face) -> None:
        """Take in a face that was filled just now."""
        if not self._pays or face.key in self._kept or face.key in self._seen:
            return
        self._seen.add(face.key)
        group = self._waiting.setdefault(_group_of(face), {})
        group[face.key] = face
        if len(group) < AHEAD_FACES:
            return
        job = Job(tuple(group.values()), self._assets, self._fonts)
        group.clear()
        if not self._begun and _is_little([job]):
            return
        try:
            self._begun.append((job, self._workers.begin(render, job)))
        except WorkerDied:
            self._pays = False  # what is drawn in the end is drawn face by face

    def begun(self, wanted: Set[str]) -> list[Begun]:
        """The jobs that are being done, each with what gives its rendering; those of which all faces are wanted."""
        return [(job, result) for job, result in self._begun if all(face.key in wanted for face in job.faces)]


def draw(
    project: Project, products: Iterable[Product], workers: Workers, report: Report, keeper: Keeper | None = None
) -> list[Rendering]:
    """Draw every face once. Faces that could not be drawn are reported and are in no rendering."""
    return list(draw_each(project, products, workers, report, keeper))


def draw_each(
    project: Project,
    products: Iterable[Product],
    workers: Workers,
    report: Report,
    keeper: Keeper | None = None,
    ahead: Ahead | None = None,
) -> Iterator[Rendering]:
    """As `draw`, one rendering after the other, about in the order of the products, each when it is ready.

    What `keeper` has is not drawn again, and what was begun `ahead` is waited for.
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
    for rendering in _kept_and_drawn(project, faces, workers, keeper, ahead):
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
    project: Project, faces: dict[str, Face], workers: Workers, keeper: Keeper | None, ahead: Ahead | None
) -> Iterator[Rendering]:
    begun = ahead.begun(faces.keys()) if ahead is not None else []
    there = {face.key for job, _ in begun for face in job.faces}
    kept = keeper.find(faces.keys() - there) if keeper is not None else []
    yield from kept
    there.update(*map(faces_of, kept))
    missing = {key: face for key, face in faces.items() if key not in there}
    for rendering in _drawn(begun, jobs_of(project, missing, workers.jobs), workers):
        if keeper is not None:
            keeper.keep(rendering)
        yield rendering


def _drawn(begun: list[Begun], jobs: list[Job], workers: Workers) -> Iterator[Rendering]:
    """The renderings of the jobs in order, first of those that are `begun`. When a worker dies, what was not drawn yet
    is tried again, each alone."""
    if not begun and not workers.are_remote and _is_little(jobs):
        workers = Workers()
    every = [*(job for job, _ in begun), *jobs]
    done = 0
    try:
        for rendering in _mapped(begun, jobs, workers):
            done += 1
            yield rendering
    except WorkerDied:
        for job in every[done:]:
            yield from _drawn_alone(job)


def _is_little(jobs: list[Job]) -> bool:
    """Whether starting processes, and an engine in each, would take longer than drawing here; only for engines that
    take no process down with them."""
    faces = [face for job in jobs for face in job.faces]
    if any(face.engine != "card" for face in faces):
        return False
    each, start = COSTS["card"]
    return len(faces) * each < start


def _mapped(begun: list[Begun], jobs: list[Job], workers: Workers) -> Iterator[Rendering]:
    if not workers.are_remote:
        return workers.map(render, jobs, [result for _, result in begun])
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


def _group_of(face: Face) -> tuple[str, ...]:
    """What faces have alike that one engine draws in one go."""
    trim = repr(face.trim) if face.flow else face.trim.id
    return (face.engine, face.layout, face.side, trim, face.lang, *face.leave_out)


def jobs_of(project: Project, faces: Mapping[str, Face], jobs: int) -> list[Job]:
    """The work of drawing faces, for so many workers: what one engine draws in one go stands together."""
    groups: dict[tuple[str, ...], list[Face]] = {}
    for face in faces.values():
        groups.setdefault(_group_of(face), []).append(face)
    share = ceil(len(faces) / max(1, jobs))
    assets = Assets(project.shelf)
    work = []
    for group in groups.values():
        # As many chunks as keep all workers busy, all of about the same size.
        count = max(ceil(len(group) / MOST_FACES), ceil(len(group) / max(1, share)))
        size = ceil(len(group) / count)
        work += [Job(tuple(group[at : at + size]), assets, project.fonts) for at in range(0, len(group), size)]
    return work

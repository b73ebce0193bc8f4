"""Printing: a process of its own for every job, which tells how far it is, a line of JSON at a time.

python -m cardgen.studio.printing < job.json
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from cardgen.diagnostics import Report
from cardgen.errors import CardgenError

if TYPE_CHECKING:
    from cardgen.model.game import Game
    from cardgen.model.product import Made
    from cardgen.model.project import Project
    from cardgen.pipeline.products import Options
    from cardgen.rules.bands import Judgement
    from cardgen.studio.hub import Hub
from cardgen.studio.saying import message, phrase

MOST_JOBS = 20
MOST_RUNNING = 2


class Printed(Struct):
    """A file that a job wrote."""

    path: Path
    title: str
    pages: int


class PrintJob(Struct):
    """A job, and how far it is: `done` of `total` files; `state` is running, done, failed or stopped."""

    id: int
    title: str
    state: str = "running"
    done: int = 0
    total: int = 0
    files: list[Printed] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    process: asyncio.subprocess.Process | None = None


class Jobs:
    """The jobs since Studio was started."""

    def __init__(self, root: Path, hub: Hub) -> None:
        self.root = root
        self.hub = hub
        self.jobs: dict[int, PrintJob] = {}
        self._numbers = itertools.count(1)
        self._tasks: set[asyncio.Task[None]] = set()
        self._running = asyncio.Semaphore(MOST_RUNNING)

    def start(self, title: str, spec: Mapping[str, Any]) -> PrintJob:
        """Begin a job; see `main` for what `spec` says."""
        job = PrintJob(next(self._numbers), title)
        self.jobs[job.id] = job
        for id in list(self.jobs)[:-MOST_JOBS]:
            if self.jobs[id].state != "running":
                del self.jobs[id]
        task = asyncio.create_task(self._run(job, {**spec, "root": str(self.root)}))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return job

    async def _run(self, job: PrintJob, spec: Mapping[str, Any]) -> None:
        async with self._running:
            if job.state != "running":
                return
            pipe = asyncio.subprocess.PIPE
            command = (sys.executable, "-m", "cardgen.studio.printing")
            job.process = process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, limit=4_000_000
            )
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(json.dumps(spec).encode())
            process.stdin.close()
            async for line in process.stdout:
                self._note(job, json.loads(line))
                self.hub.tell("studio-job", {"id": job.id})
            code = await process.wait()
        if job.state == "running":
            job.state = "done" if code == 0 and job.files else "failed"
        self.hub.tell("studio-job", {"id": job.id})

    def _note(self, job: PrintJob, said: Mapping[str, Any]) -> None:
        if "total" in said:
            job.total = said["total"]
        if "file" in said:
            job.files.append(Printed(Path(said["file"]), said["title"], said["pages"]))
            job.done += 1
        if "problem" in said:
            job.problems.append(said["problem"])

    def stop(self, job: PrintJob) -> None:
        """End a job; files that are written stay."""
        if job.state == "running":
            job.state = "stopped"
            if job.process is not None and job.process.returncode is None:
                with suppress(ProcessLookupError):
                    job.process.terminate()

    def close(self) -> None:
        """End all jobs."""
        for job in self.jobs.values():
            self.stop(job)
        for task in self._tasks:
            task.cancel()


# --- in the process of a job -----------------------------------------------------------------------------------------


def main() -> int:
    """Do the job on stdin: `root`, `lang`, `page` (the language of who asks), `options`, and `targets` to build or a band's file to make a kit of."""
    spec = json.load(sys.stdin)
    report = Report()
    try:
        (_band if "band" in spec else _build)(spec, report)
    except CardgenError as error:
        _say(problem=phrase(spec["page"], str(error)))
    for item in report.sorted():
        if item.severity in {"error", "warning"}:
            told = message(spec["page"], item)
            _say(problem=f"{item.span}: {told}" if item.span else told)
    return 0


def _say(**what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def _options(spec: Mapping[str, Any], report: Report) -> Options:
    from cardgen.pipeline.printers import the_printer
    from cardgen.pipeline.products import Options

    printer = the_printer(spec["printer"], report) if spec.get("printer") else None
    if spec.get("printer") and printer is None:
        raise CardgenError(f"the profile of printer `{spec['printer']}` cannot be used")
    return Options(**spec["options"], printer=printer)


def _build(spec: Mapping[str, Any], report: Report) -> None:
    from cardgen.load.project import load_project
    from cardgen.pipeline.build import build
    from cardgen.pipeline.targets import choose
    from cardgen.workers import default_jobs, open_workers

    root = Path(spec["root"])
    options = _options(spec, report)
    with open_workers(default_jobs(), warm="cardgen.faces.weasyprint") as workers:
        project = load_project(root, report)
        if project is None:
            return
        targets = choose(project, spec["targets"], [spec["lang"]], report)
        _say(total=sum(len(target.prints) for target in targets))
        titles = {(t.game.id, item.id): item.title for t in targets for item in t.prints}

        def tell(made: Made) -> None:
            _say(file=str(made.path), title=titles.get((made.game, made.print), made.print), pages=made.pages)

        build(project, targets, root / "output", options, workers, report, tell)


def _band(spec: Mapping[str, Any], report: Report) -> None:
    from cardgen.files import write_atomic
    from cardgen.pipeline.judged import judge_files
    from cardgen.pipeline.kits.make import folder_of, make_kit
    from cardgen.pipeline.roster import roster_pdf
    from cardgen.workers import default_jobs, open_workers

    root = Path(spec["root"])
    options = _options(spec, report)
    found = judge_files(root, [root.resolve() / spec["band"]], (spec["lang"],), report)
    if found is None:
        return
    project, game, judgements = found
    folder = folder_of(root / "output", game, judgements, options)
    _say(total=2 if game.kit else 1)
    roster = folder / "roster.pdf"
    write_atomic(roster, roster_pdf(project, game, judgements[0], report, options.paper))
    _say(file=str(roster), title=spec["roster"], pages=1)
    own = _entries(project, game, judgements[0], folder / "cards.pdf", spec["cards"], options, report)
    if game.kit:
        with open_workers(default_jobs(), warm="cardgen.faces.weasyprint") as workers:
            kit = make_kit(project, game, judgements, root / "output", options, workers, report)
        _say(total=len(kit.made) + 1 + own)
        for made in kit.made:
            stock = made.path.stem.partition("-")[2]
            _say(file=str(made.path), title=spec["titles"].get(stock, made.path.stem), pages=made.pages)


def _entries(
    project: Project, game: Game, judgement: Judgement, path: Path, title: str, options: Options, report: Report
) -> bool:
    """The cards of the band's entries, where the game says how they look and its kit does not hold them; whether so."""
    from cardgen.pipeline.entry_prints import print_entries
    from cardgen.workers import Workers

    if not judgement.kind.card or any(part.entries for part in game.kit):
        return False
    try:
        made = print_entries(project, game, judgement.band, path, options, Workers(), report)
    except CardgenError as error:
        _say(problem=str(error))
        return False
    _say(file=str(made.path), title=title, pages=made.pages)
    return True


if __name__ == "__main__":
    sys.exit(main())

"""`cardgen watch`: builds, and builds again what changed whenever a file of the project is saved."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardgen.cli.build import look_options, manifest
from cardgen.cli.calibrate import chosen_printer
from cardgen.cli.common import (
    Common,
    cache_option,
    common_options,
    keeping,
    own_project,
    relative,
    unknown,
    working,
)
from cardgen.cli.show import as_json, counted, show, summary
from cardgen.diagnostics import Report
from cardgen.errors import CardgenError, UsageError

if TYPE_CHECKING:
    from watchfiles import Change

    from cardgen.model.product import Made
    from cardgen.pipeline.keep.warm import Warm
    from cardgen.workers import Workers

# Milliseconds: how long nothing must happen before a save counts as done, how long saves are gathered at most, how
# often folders are looked at that notifications say nothing about.
QUIET, GATHERED, LOOK = 15, 400, 500
_WATCHED = ("cards", "layouts", "fonts")


@click.command("watch")
@click.argument("targets", nargs=-1, metavar="[GAME[/PRINT]]...")
@look_options
@cache_option
@common_options
def watch_command(targets: tuple[str, ...], common: Common, printer: str | None, cache: bool, **choices: Any) -> None:
    """Build, then build what changed whenever a file is saved, until Ctrl-C. Options are those of `cardgen build`.

    A line tells what was done. Mistakes are told and waited for: the files stay as they were last sound.
    """
    own_project(common, targets)
    with ExitStack() as stack:
        workers = stack.enter_context(working(common))
        from cardgen.pipeline.keep.memory import Drawings
        from cardgen.pipeline.keep.warm import Wanted, Warm
        from cardgen.pipeline.products import Options

        report = Report()
        profile = chosen_printer(printer, report)
        if printer is not None and profile is None:
            show(report, common.format)
            sys.exit(1)
        options = Options(**choices, printer=profile)
        wanted = Wanted(common.project, targets, common.languages, common.output, options)
        kept = stack.enter_context(keeping(common, cache, "build", targets, {**choices, "printer": printer}))
        warm = Warm(wanted) if kept is None else Warm(wanted, Drawings(kept.drawings), kept.filled, kept.recall)
        _check_sheet(warm)
        watching = _Watching(warm, common)
        changes = _changes(warm.shelf.roots)
        next(changes)  # from here on nothing is missed
        try:
            watching.first(workers)
            for names in changes:
                if workers.are_broken:
                    workers = stack.enter_context(working(common))
                watching.again(workers, names)
        except KeyboardInterrupt:
            click.echo("stopped watching; every file that was written is whole", err=True)
    sys.exit(1 if watching.has_errors else 0)


def _check_sheet(warm: Warm) -> None:
    """Raises UsageError for a sheet that does not exist."""
    from cardgen.load.shared import read_sheets

    name = warm.wanted.options.sheet
    sheets = read_sheets(warm.shelf, Report()).sound
    if name is not None and name not in sheets:
        raise UsageError(unknown("sheet", name, sheets))


class _Watching:
    """Builds and tells; remembers what was told last, so that only news are told."""

    def __init__(self, warm: Warm, common: Common) -> None:
        self.warm = warm
        self.common = common
        self.has_errors = False
        self._told: tuple[str, ...] = ()

    def first(self, workers: Workers) -> None:
        """The first build. Raises UsageError for a target that does not exist."""
        self._build(workers, f"watching {relative(self.warm.wanted.root)}")

    def again(self, workers: Workers, names: tuple[str, ...]) -> None:
        """A build after these files changed; whatever is wrong is told, and the next change is waited for."""
        what = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        try:
            self._build(workers, what)
        except (CardgenError, OSError) as error:  # a target that is gone for now, a file that vanished under the reader
            self.has_errors = True
            self._told = ()
            click.echo(f"{time.strftime('%H:%M:%S')} {what}: {error}", err=True)

    def _build(self, workers: Workers, what: str) -> None:
        started = time.perf_counter()
        report = Report()
        written: list[Made] = []
        files = self.warm.build(workers, report, written.append)
        seconds = time.perf_counter() - started
        self.has_errors = report.has_errors(self.common.strict)
        if self.common.format == "json":
            self._json(what, files, written, seconds, report)
            return
        told = tuple(f"{item.span} {item.message}" for item in report)
        if told != self._told:
            show(report, self.common.format)
        self._told = told
        count = f"{len(written)} of {counted(len(files), 'file')}" if len(written) < len(files) else ""
        done = count or counted(len(files), "file")
        click.echo(f"{time.strftime('%H:%M:%S')} {what}: {done} in {seconds:.2f} s, {summary(report)}")

    def _json(self, what: str, files: tuple[Made, ...], written: list[Made], seconds: float, report: Report) -> None:
        import json

        said = {
            "changed": what,
            "seconds": round(seconds, 3),
            "files": len(files),
            "written": [manifest(made) for made in written],
            "problems": [as_json(item) for item in report],
        }
        click.echo(json.dumps(said, ensure_ascii=False))


def _changes(roots: tuple[Path, ...]) -> Iterator[tuple[str, ...]]:
    """The names of files that changed below the roots, each time that some did. The first comes at once and is empty:
    what changes from then on is told."""
    from watchfiles import watch

    yielded = False
    while True:
        places = _places(roots)
        folders = [Path(name) for name, inode in places.items() if inode and Path(name).is_dir()]
        watched = watch(
            *folders, step=QUIET, debounce=GATHERED, rust_timeout=LOOK if yielded else 1, yield_on_timeout=True
        )
        for changed in watched:
            names = {_name(Path(path), roots) for path in _lasting(changed)}
            now = _places(roots)
            names |= {_name(Path(name), roots) for name in now if now[name] != places[name]}
            if names or not yielded:
                yielded = True
                yield tuple(sorted(names))
            if now != places or not folders:
                break  # a folder that came, went or was replaced is watched anew
        else:
            return


def _lasting(changed: Iterable[tuple[Change, str]]) -> set[str]:
    """The paths that changed, but for files that came and went: many a program writes beside a file and renames."""
    kinds: dict[str, set[str]] = {}
    for kind, path in changed:
        kinds.setdefault(path, set()).add(kind.name)
    return {path for path, seen in kinds.items() if "added" not in seen or Path(path).exists()}


def _places(roots: tuple[Path, ...]) -> dict[str, tuple[int, ...]]:
    """What is watched, by path: folders as what they are, cardgen.yaml by when it was written."""
    found: dict[str, tuple[int, ...]] = {}
    for root in roots:
        for name in _WATCHED:
            found[str(root / name)] = _stat(root / name)[:2]
    found[str(roots[0] / "cardgen.yaml")] = _stat(roots[0] / "cardgen.yaml")
    return found


def _stat(path: Path) -> tuple[int, ...]:
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_size


def _name(path: Path, roots: tuple[Path, ...]) -> str:
    for root in roots:
        if path.is_relative_to(root):
            return path.relative_to(root).as_posix()
    return path.as_posix()

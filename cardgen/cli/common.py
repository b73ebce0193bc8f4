"""Options that several commands share, and the project they work on."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec import Struct

from cardgen.diagnostics import did_you_mean
from cardgen.errors import UnitError, UsageError
from cardgen.files import find_project, shipped_root
from cardgen.units import parse_length
from cardgen.workers import Workers, default_jobs, open_workers

if TYPE_CHECKING:
    from cardgen.pipeline.keep.kept import Kept

F = TypeVar("F", bound=Callable[..., Any])


class Common(Struct, frozen=True):
    """What the shared options say."""

    project: Path
    # whether it was named, rather than found from the current folder
    named: bool
    # whether there is none, and the shipped games stand in for it
    shipped: bool
    output: Path
    languages: tuple[str, ...]
    jobs: int
    format: str
    strict: bool
    # the address of a scheduler, `local`, or nothing
    cluster: str = ""


# What a project is made of: nothing is written there by `--output`.
DATA = ("cards", "layouts", "fonts")


class _Length(click.ParamType[float]):
    """A length with a unit, in mm."""

    name = "length"

    def __init__(self, least: float, most: float, wrong: str) -> None:
        """Of `least` to `most` mm; `wrong` says what another one is, behind `is`."""
        self.least, self.most, self.wrong = least, most, wrong

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Millimetres."""
        try:
            mm = parse_length(str(value)).mm
        except UnitError as error:
            self.fail(str(error), param, ctx)
        if not self.least <= mm <= self.most:
            self.fail(f"`{value}` is {self.wrong}", param, ctx)
        return mm


class _Percent(click.ParamType[float]):
    """A percentage, as a factor."""

    name = "percent"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """1.0 for 100 %."""
        found = re.fullmatch(r"(\d{1,4}(?:\.\d{1,3})?)\s*%", str(value))
        if found is None:
            self.fail(f"expected a percentage such as `75%`, found `{value}`", param, ctx)
        factor = float(found[1]) / 100
        if not 0.1 <= factor <= 10:
            self.fail(f"`{value}` is too far from 100%: 10% to 1000% can be had", param, ctx)
        return factor


class Within(click.FloatRange):
    """A number between two others; unlike click's own range it takes no `nan`, which is neither below nor above."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"`{value}` is no number from {self.min} to {self.max}", param, ctx)
        return number


LENGTH, PERCENT = _Length(1, 2000, "no size for something to cut out"), _Percent()
THICKNESS = _Length(0, 0.5, "no thickness of paper to fold: 0mm to 0.5mm")


def common_options(function: F) -> F:
    """Adds the shared options to a command; it receives them as one `Common`, by the name `common`."""

    def collect(*args: Any, **given: Any) -> Any:
        project = given.pop("project")
        root, shipped = _project_root(project)
        output = given.pop("output")
        if output and not shipped:
            _check_output(output, root)
        common = Common(
            root,
            project is not None,
            shipped,
            Path(output) if output else (Path.cwd() if shipped else root) / "output",
            tuple(dict.fromkeys(given.pop("lang"))),
            given.pop("jobs") or default_jobs(),
            given.pop("format"),
            given.pop("strict"),
            given.pop("cluster") or "",
        )
        return function(*args, common=common, **given)

    collect.__name__, collect.__doc__ = function.__name__, function.__doc__
    wrapped: Any = collect
    for option in reversed(
        [
            click.option("--project", metavar="DIR", help="The project's folder.  [default: the nearest cardgen.yaml]"),
            click.option("--lang", multiple=True, metavar="LANG", help="Language to build; repeatable."),
            click.option("--output", metavar="DIR", help="Where to write.  [default: output/ of the project]"),
            click.option("--jobs", type=click.IntRange(1, 256), help="Worker processes.  [default: one a core]"),
            click.option("--cluster", metavar="ADDRESS", help="Draw on a Dask cluster; `local` starts one here."),
            click.option("--format", type=click.Choice(["text", "json", "github"]), default="text", show_default=True),
            click.option("--strict", is_flag=True, help="Count warnings as problems (exit code 1)."),
        ]
    ):
        wrapped = option(wrapped)
    existing = getattr(function, "__click_params__", [])
    wrapped.__click_params__ = existing + wrapped.__click_params__
    return wrapped  # type: ignore[no-any-return]


def _project_root(given: str | None) -> tuple[Path, bool]:
    if given is None:
        found = find_project(Path.cwd())
        return (found, False) if found is not None else (shipped_root(), True)
    root = Path(given)
    if not root.is_dir():
        raise UsageError(f"`{given}` is not a folder")
    if not (root / "cardgen.yaml").is_file():
        raise UsageError(f"`{given}` is not a project: it has no cardgen.yaml")
    return root.resolve(), False


def _check_output(given: str, root: Path) -> None:
    """Raises UsageError for a folder of the project's own files: what is written would lie among what is read."""
    wanted = Path(given).resolve()
    for name in DATA:
        if wanted.is_relative_to((root / name).resolve()):
            raise UsageError(f"`{given}` is where the project's own files lie; name another folder, such as `output`")


def own_project(common: Common, targets: tuple[str, ...]) -> None:
    """Outside of a project a shipped game must be named. Raises UsageError."""
    if common.shipped and not targets:
        raise UsageError(
            "there is no cardgen.yaml here or above; go to a project, name one with `--project`, make one with "
            "`cardgen new DIR`, or name a shipped game as target"
        )


def noting_project(common: Common) -> None:
    """Outside of a project nothing can be noted or looked up. Raises UsageError."""
    if common.shipped:
        raise UsageError(
            "what was printed is noted in a project; make one with `cardgen new DIR`, or name one with `--project`"
        )


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """What to say of a name that does not exist: the nearest one, or all there are."""
    names = sorted(known)
    hint = did_you_mean(name, names) or f"known: {', '.join(names)}"
    return f"there is no {what} `{name}`; {hint}"


def cache_option(function: F) -> F:
    """Adds `--no-cache` to a command, which receives `cache`."""
    text = "Draw everything anew, and keep nothing for the next run."
    return click.option("--cache/--no-cache", default=True, help=text)(function)


@contextmanager
def keeping(
    common: Common, cache: bool, command: str, targets: tuple[str, ...], how: Mapping[str, Any] | None = None
) -> Iterator[Kept | None]:
    """What earlier runs have kept, if it may be used; what is new is kept in the end, whatever came of it.

    Each command has faces and sheets of its own, by targets and by `how`, the options that say what they look like.
    """
    if not cache or common.shipped:
        yield None
        return
    from cardgen.pipeline.keep.kept import open_kept

    stated = sorted((name, value) for name, value in (how or {}).items() if value not in (None, False))
    kept = open_kept(common.project, (command, targets, common.languages, stated))
    try:
        yield kept
    finally:
        if kept is not None:
            kept.flush()


def working(common: Common, cache: bool = False, once: bool = False) -> AbstractContextManager[Workers]:
    """The workers that the options ask for; they load the engine while the project is being read.

    With `cache`, and drawings of earlier runs there, they are not even started before somebody has work for them. With
    `once` they end when what they are asked for is done.
    """
    if common.cluster:
        from cardgen.cluster import open_cluster

        return open_cluster(common.cluster, common.jobs)
    from cardgen.faces.engines import engine_of

    if cache and any((common.project / ".cardgen" / "faces").glob("*/*.faces")):
        return open_workers(common.jobs, once=once)
    return open_workers(common.jobs, warm=engine_of(common.project), once=once)


def relative(path: Path) -> str:
    """A path for people: from here when it lies below, with forward slashes."""
    resolved, here = path.resolve(), Path.cwd().resolve()
    return (resolved.relative_to(here) if resolved.is_relative_to(here) else resolved).as_posix()

"""Options that several commands share, and the project they work on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from cardgen.errors import UsageError
from cardgen.faces.engines import DEFAULT_ENGINE, ENGINES
from cardgen.files import find_project, shipped_root
from cardgen.workers import Workers, default_jobs, open_workers

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Common:
    """What the shared options say."""

    project: Path
    # whether it was named, rather than found from the current folder
    named: bool
    output: Path
    languages: tuple[str, ...]
    jobs: int
    format: str
    strict: bool


def common_options(function: F) -> F:
    """Adds the shared options to a command; it receives them as one `Common`, by the name `common`."""

    def collect(*args: Any, **given: Any) -> Any:
        project = given.pop("project")
        root = _project_root(project)
        output = given.pop("output")
        common = Common(
            root,
            project is not None,
            Path(output) if output else _default_output(root),
            tuple(given.pop("lang")),
            given.pop("jobs") or default_jobs(),
            given.pop("format"),
            given.pop("strict"),
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
            click.option("--format", type=click.Choice(["text", "json", "github"]), default="text", show_default=True),
            click.option("--strict", is_flag=True, help="Count warnings as problems (exit code 1)."),
        ]
    ):
        wrapped = option(wrapped)
    existing = getattr(function, "__click_params__", [])
    wrapped.__click_params__ = existing + wrapped.__click_params__
    return wrapped  # type: ignore[no-any-return]


def _project_root(given: str | None) -> Path:
    if given is None:
        # Outside a project the shipped games are what there is to print.
        return find_project(Path.cwd()) or shipped_root()
    root = Path(given)
    if not root.is_dir():
        raise UsageError(f"`{given}` is not a folder")
    if not (root / "cardgen.yaml").is_file():
        raise UsageError(f"`{given}` is not a project: it has no cardgen.yaml")
    return root.resolve()


def _default_output(root: Path) -> Path:
    shipped = root.resolve() == shipped_root().resolve()
    installed = shipped and root.name == "_shipped"
    # Never write into an installed package.
    return (Path.cwd() if installed else root) / "output"


def working(common: Common) -> AbstractContextManager[Workers]:
    """The workers that the options ask for; they load the engine while the project is being read."""
    return open_workers(common.jobs, warm=ENGINES[DEFAULT_ENGINE])


def relative(path: Path) -> str:
    """A path for people: from here when it lies below, with forward slashes."""
    resolved, here = path.resolve(), Path.cwd().resolve()
    return (resolved.relative_to(here) if resolved.is_relative_to(here) else resolved).as_posix()

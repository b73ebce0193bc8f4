"""States of a project to compare: a folder, or a revision of the git repository that the project lies in."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cardgen.diagnostics import Report
from cardgen.errors import UsageError
from cardgen.files import Shelf, open_shelf, shipped_root, unpack
from cardgen.load.project import load_project
from cardgen.model.project import Project
from cardgen.scratch import scratch_folder

# The state of the project as it lies there, uncommitted changes included.
WORKING = "."


@contextmanager
def state_of(name: str, root: Path, report: Report) -> Iterator[Project | None]:
    """The project in one of its states; None after reporting why it cannot be read.

    Raises UsageError for a name that is neither a folder with a cardgen.yaml nor a revision.
    """
    folder = root if name == WORKING else Path(name)
    if (folder / "cardgen.yaml").is_file():
        yield load_project(folder, report)
        return
    with scratch_folder() as scratch:
        top = Path(scratch)
        unpack(_archive(name, root), top)
        if not (top / "cardgen.yaml").is_file():
            raise UsageError(f"there was no project here at `{name}`")
        # A clone ships what it holds: what came later must not shine through from below.
        shelf = Shelf((top,)) if root.resolve() == shipped_root().resolve() else open_shelf(top)
        yield load_project(top, report, shelf)


def _archive(revision: str, root: Path) -> bytes:
    """The project's folder at a revision, as a tar file."""
    if revision.startswith("-"):
        raise UsageError(f"`{revision}` is no revision")
    try:
        found = subprocess.run(
            ["git", "-C", str(root), "archive", "--format=tar", f"{revision}:./"],
            capture_output=True,
            check=False,
            timeout=120,
        )
    except FileNotFoundError:
        raise UsageError(
            f"`{revision}` is no folder with a project, and git, which would know revisions, is not installed; compare "
            "with a folder, such as a copy of it"
        ) from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"`{revision}` is no folder with a project, and git could not be asked: {error}") from None
    if found.returncode != 0:
        raise UsageError(_why_not(revision, root))
    return found.stdout


def _why_not(revision: str, root: Path) -> str:
    """Why git has no project there, in our words: git's own are for whoever types git, and in any language."""

    def knows(*question: str) -> bool:
        command = ["git", "-C", str(root), "rev-parse", "--quiet", *question]
        return subprocess.run(command, capture_output=True, check=False, timeout=120).returncode == 0

    if not knows("--git-dir"):
        return (
            f"`{revision}` is no folder with a project, and this project lies in no git repository, which would have "
            "revisions; compare with a folder, such as a copy of it"
        )
    if knows("--verify", f"{revision}^{{commit}}"):
        return f"there was no project here at `{revision}`"
    return f"`{revision}` is neither a folder with a project nor a revision; `git log --oneline` lists those"

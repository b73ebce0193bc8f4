"""Temporary files of other programs and libraries: in one folder, which is removed whatever becomes of the process."""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cardgen.errors import FileProblem

if sys.platform != "win32":
    import fcntl

_SCRATCH, _LOCK = "cardgen-", ".lock"
# Seconds after which a folder has been locked, if its process does that at all.
_SETTLED = 60.0


@contextmanager
def scratch_folder() -> Iterator[str]:
    """A folder for the temporary files of other programs and libraries; it is gone afterwards.

    It is named for this process, which holds a lock in it as long as it lives. Raises FileProblem when there is no room
    for it.
    """
    try:
        made = tempfile.TemporaryDirectory(prefix=f"{_SCRATCH}{os.getpid()}-", ignore_cleanup_errors=True)
    except OSError as error:
        raise FileProblem(temporary_refused(error)) from None
    with made as folder, _locked(Path(folder) / _LOCK):
        yield folder


def temporary_refused(error: OSError) -> str:
    """What to say when the system refuses a temporary file: which folder that is about, why, what helps."""
    folder = Path(tempfile.gettempdir()) if tempfile.tempdir else None
    if folder is not None and folder.name.startswith(_SCRATCH):
        folder = folder.parent
    where = f", `{folder}`," if folder is not None else ""
    return (
        f"the folder for temporary files{where} cannot be written to: {error.strerror or error}; "
        "make room there, or name another folder with the environment variable `TMPDIR`"
    )


if sys.platform == "win32":

    @contextmanager
    def _locked(path: Path) -> Iterator[None]:
        """Files in use cannot be removed there."""
        yield

    def sweep_scratch() -> None:
        """Whether the process of a folder is gone cannot be told cheaply there: nothing is removed."""

else:

    @contextmanager
    def _locked(path: Path) -> Iterator[None]:
        """Holds a lock on a new file; where there is no room for the file, or no lock for it, that is all."""
        handle = -1
        with suppress(OSError):
            handle = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            yield
        finally:
            if handle >= 0:
                os.close(handle)

    def sweep_scratch() -> None:
        """Remove the scratch folders that killed runs of this user have left: those whose lock nobody holds any
        more. What cannot be removed stays; nothing is raised."""
        with suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
            found = [entry.path for entry in entries if re.fullmatch(rf"{_SCRATCH}\d+-\w+", entry.name)]
            for path in found:
                if _is_left_over(Path(path)):
                    shutil.rmtree(path, ignore_errors=True)

    def _is_left_over(folder: Path) -> bool:
        pid = int(folder.name.removeprefix(_SCRATCH).split("-")[0])
        try:
            status = folder.lstat()
            if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
                return False
            # The number may be another process's by now, or one of another container: the lock tells. A new folder has
            # none yet.
            if _lives(pid) and time.time() - status.st_mtime < _SETTLED:
                return False
            handle = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except FileNotFoundError:
            return not _lives(pid)
        except OSError:
            return False
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        finally:
            os.close(handle)
        return True

    def _lives(pid: int) -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        except (OSError, OverflowError):
            return True
        return True


def use_scratch(folder: str) -> None:
    """Have this process put its temporary files into `folder`."""
    tempfile.tempdir = folder

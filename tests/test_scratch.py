"""Folders for temporary files: gone with their process, and after one that was killed, with the next."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from cardgen.errors import FileProblem
from cardgen.scratch import scratch_folder, sweep_scratch, temporary_refused

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="locks of files are told otherwise there")
HOLD = """
import sys, time
from cardgen.scratch import scratch_folder
with scratch_folder() as folder:
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_says_whose_it_is_and_goes() -> None:
    with scratch_folder() as folder:
        assert Path(folder).name.startswith(f"cardgen-{os.getpid()}-")
        # It has a lock, so that no other run takes it for left over.
        sweep_scratch()
        assert Path(folder).is_dir()
    assert not Path(folder).exists()


def test_what_a_killed_run_has_left_goes_with_the_next(temp: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(temp)}
    with subprocess.Popen([sys.executable, "-c", HOLD], env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        (folder / "pages.bin").write_bytes(b"x" * 1000)
        sweep_scratch()
        assert folder.is_dir(), "its process lives"
        process.kill()
        process.wait()
    sweep_scratch()
    assert not folder.exists()


def test_what_is_nobodys_scratch_stays(temp: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    (temp / f"cardgen-{gone.pid}-abcdef").mkdir()  # nobody had the time to lock it
    (temp / "cardgen-mine").mkdir()
    (temp / "other-1-abcdef").mkdir()
    (temp / f"cardgen-{os.getpid()}-abcdef").mkdir()
    (temp / "kept").mkdir()
    (temp / f"cardgen-{gone.pid}-link").symlink_to(temp / "kept")
    sweep_scratch()
    assert sorted(path.name for path in temp.iterdir()) == sorted(
        ["cardgen-mine", "other-1-abcdef", f"cardgen-{os.getpid()}-abcdef", "kept", f"cardgen-{gone.pid}-link"]
    )


def test_a_full_folder_for_temporary_files_is_named(temp: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(tempfile, "TemporaryDirectory", full)
    with pytest.raises(FileProblem, match=rf"temporary files, `{temp}`, cannot be written to: No space left .*TMPDIR"):
        scratch_folder().__enter__()
    # Inside of one it is the folder around it that is full.
    monkeypatch.setattr(tempfile, "tempdir", str(temp / "cardgen-1-abc"))
    assert f"`{temp}`" in temporary_refused(OSError(errno.ENOSPC, "No space left on device"))

"""Workers: in order, ended with their parent, nothing left behind."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
import weakref
from pathlib import Path

import pytest

from cardgen.errors import WorkerDied
from cardgen.workers import open_workers
from tests.support import write_project


def double(number: int) -> int:
    time.sleep(0.02 * (5 - number))
    return number * 2


def die(number: int) -> int:
    os._exit(9)


def temporary(number: int) -> str:
    return tempfile.mkdtemp()


@pytest.mark.parametrize("jobs", [1, 3])
def test_results_come_in_order(jobs: int) -> None:
    with open_workers(jobs) as workers:
        assert list(workers.map(double, range(5))) == [0, 2, 4, 6, 8]


class Big:
    """Something of which a test can see that nobody holds it."""


def big(number: int) -> Big:
    return Big()


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_was_begun_does_not_hold_its_result(jobs: int) -> None:
    with open_workers(jobs) as workers:
        begun = [workers.begin(big, number) for number in range(3)]
        for made in workers.map(big, [], begun):
            seen = weakref.ref(made)
            del made
            gc.collect()
        assert seen() is None and len(begun) == 3


def test_who_maps_once_has_no_processes_afterwards_and_may_ask_again() -> None:
    with open_workers(2, once=True) as workers:
        assert list(workers.map(double, range(4))) == [0, 2, 4, 6]
        # The last result is there while they end; nobody waits for that.
        for child in multiprocessing.active_children():
            child.join(10)
            assert not child.is_alive()
        assert list(workers.map(double, range(3))) == [0, 2, 4]


def test_a_worker_that_dies_is_told() -> None:
    with pytest.raises(WorkerDied, match="--jobs 1"), open_workers(2) as workers:
        list(workers.map(die, range(3)))


def test_what_workers_leave_is_removed() -> None:
    with open_workers(2) as workers:
        folders = [Path(folder) for folder in workers.map(temporary, range(3))]
        assert all(folder.is_dir() for folder in folders)
    assert not any(folder.exists() for folder in folders)


def build(project: Path, temp: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "cardgen", "build", "--jobs", "2"]
    environment = {**os.environ, "TMPDIR": str(temp)}
    return subprocess.Popen(
        command, cwd=project, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip


def many(tmp_path: Path) -> tuple[Path, Path]:
    cards = "".join(f"c{n}: {{kind: item, name: Card {n}, rules: {'word ' * 60}}}\n" for n in range(1000))
    temp = tmp_path / "temp"
    temp.mkdir()
    return write_project(tmp_path / "p", {"cards/g/cards/items.yaml": cards}), temp


def group(pid: int) -> list[int]:
    """The processes of a session that still run."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            stat = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if stat[3] == str(pid) and stat[0] != "Z":
            found.append(int(entry.name))
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_their_parent(tmp_path: Path, ending: signal.Signals) -> None:
    project, temp = many(tmp_path)
    running = build(project, temp)
    begun = time.monotonic() + 30
    while len(group(running.pid)) < 3 and running.poll() is None and time.monotonic() < begun:
        time.sleep(0.05)
    time.sleep(0.5)
    assert running.poll() is None, "the build was over before it could be ended"
    running.send_signal(ending)
    _, errors = running.communicate(timeout=20)
    deadline = time.monotonic() + 5
    while group(running.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert group(running.pid) == []
    assert not list(project.rglob("*.tmp"))
    if ending != signal.SIGKILL:
        assert running.returncode == 130
        assert errors.strip() == "stopped; every file that was written is whole"
        assert list(temp.iterdir()) == []


def test_a_build_leaves_no_temporary_file(tmp_path: Path) -> None:
    temp = tmp_path / "temp"
    temp.mkdir()
    for jobs in ("1", "2"):
        command = [sys.executable, "-m", "cardgen", "build", "--jobs", jobs]
        environment = {**os.environ, "TMPDIR": str(temp)}
        subprocess.run(command, cwd=write_project(tmp_path / jobs), env=environment, check=True, capture_output=True)
        assert list(temp.iterdir()) == []

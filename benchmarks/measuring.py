"""Runs a command and measures all of its processes: wall and processor time, memory, and what it wrote."""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import resource
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from msgspec import Struct

_PR_SET_CHILD_SUBREAPER = 36
# Seconds between two looks at the memory of a tree of processes.
LOOK = 0.01


class Run(Struct, frozen=True):
    """One command from start to end: seconds, MB summed over its processes (0: not looked at), bytes written."""

    wall: float
    cpu: float
    memory: float = 0.0
    size: int = 0


def adopt() -> None:
    """Have grandchildren that outlive their parents counted as ours (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def environment() -> dict[str, str]:
    """As an installed program has it: Python keeps what it compiled."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def once(command: list[str], file: Path | None = None, memory: bool = False) -> Run:
    """Run a command that writes `file`. Raises CalledProcessError when it fails.

    With `memory`, its processes are looked at all the time, which makes it slower: such a run is not for its times.
    """
    if file is not None:
        file.unlink(missing_ok=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    process = subprocess.Popen(
        command, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    peak = _Peak(process.pid) if memory else None
    assert process.stderr is not None
    errors = process.stderr.read()
    status = process.wait()
    wall = time.monotonic() - started
    most = peak.stop() if peak is not None else 0.0
    _reap()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if status != 0:
        raise subprocess.CalledProcessError(status, command, stderr=errors[-2000:].decode("utf-8", "replace"))
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(wall, cpu, most, file.stat().st_size if file is not None else 0)


def interleaved(
    commands: dict[str, tuple[list[str], Path]], runs: int, before: Callable[[str], None] = lambda name: None
) -> dict[str, Run]:
    """Medians of runs in turns, so that a slow minute of the machine falls on all; memory from one more run of each."""
    found: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, (command, file) in commands.items():
            before(name)
            found[name].append(once(command, file))
    results = {}
    for name, (command, file) in commands.items():
        before(name)
        most = once(command, file, memory=True).memory
        results[name] = median(found[name], most)
    return results


def median(runs: Iterable[Run], memory: float = 0.0) -> Run:
    """The median of each figure."""
    runs = list(runs)
    wall, cpu = (statistics.median(getattr(run, name) for run in runs) for name in ("wall", "cpu"))
    return Run(wall, cpu, memory or max(run.memory for run in runs), runs[-1].size)


def machine() -> str:
    """What the figures were measured on, and how busy it was."""
    name = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), name)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    return f"{os.cpu_count()} cores ({name}), {platform.system()}, Python {platform.python_version()}, load {load:.1f}"


class _Peak:
    """Adds up the memory of a process and its descendants again and again; what they share is counted once (PSS)."""

    def __init__(self, pid: int) -> None:
        self.most = 0.0
        self._pid = pid
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def _look(self) -> None:
        while not self._done.wait(LOOK):
            self.most = max(self.most, sum(map(pss, tree(self._pid))))

    def stop(self) -> float:
        self._done.set()
        self._thread.join()
        return self.most


def tree(pid: int) -> list[int]:
    """A process and all that it started."""
    found, todo = [], [pid]
    while todo:
        one = todo.pop()
        found.append(one)
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{one}/task").iterdir():
                todo += map(int, (task / "children").read_text().split())
    return found


def pss(pid: int) -> float:
    """The memory of a process in MB; what it shares counts by halves."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1000
    return 0.0


def _reap() -> None:
    """Wait for processes that the command has left behind."""
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            time.sleep(0.005)

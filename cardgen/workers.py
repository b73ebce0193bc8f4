"""One map over an executor: in this process, or over processes."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def default_jobs() -> int:
    """How many workers this machine has room for."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


class Workers:
    """Where work is done: `map` runs a function over items, in order. Made by `open_workers`."""

    def __init__(self, jobs: int, pool: ProcessPoolExecutor | None) -> None:
        self.jobs = jobs
        self._pool = pool

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """`map(function, items)` in order. The function and the items must be picklable; what it raises is raised."""
        return map(function, items) if self._pool is None else self._pool.map(function, items)


@contextmanager
def open_workers(jobs: int, warm: str = "") -> Iterator[Workers]:
    """Workers over at most `jobs` processes; with 1, this process itself.

    `warm` is a module that each process imports at once, while the caller is still reading files: importing a layout
    engine takes as long as drawing fifteen cards.
    """
    if jobs <= 1:
        yield Workers(1, None)
        return
    # Forking shares what is already loaded and starts in milliseconds; elsewhere a fresh interpreter is the safe way.
    method = "fork" if sys.platform == "linux" else "spawn"
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context(method)) as pool:
        if warm:
            for _ in range(jobs):
                pool.submit(_warm, warm)
        yield Workers(jobs, pool)


def _warm(module: str) -> None:
    # What is missing is told when it is needed, with the work that needs it.
    with suppress(Exception):
        import_module(module)

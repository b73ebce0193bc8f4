"""One map over an executor: in this process, or over processes."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def default_jobs() -> int:
    """How many workers this machine has room for."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def map_over(function: Callable[[T], R], items: Iterable[T], jobs: int) -> Iterator[R]:
    """`map(function, items)` in order, over at most `jobs` processes; in this process when one suffices.

    The function and the items must be picklable. Exceptions of the function are raised here.
    """
    work = list(items)
    if jobs <= 1 or len(work) <= 1:
        yield from map(function, work)
        return
    # Forking shares what is already loaded and starts in milliseconds; elsewhere a fresh interpreter is the safe way.
    method = "fork" if sys.platform == "linux" else "spawn"
    with ProcessPoolExecutor(min(jobs, len(work)), mp_context=multiprocessing.get_context(method)) as pool:
        yield from pool.map(function, work)

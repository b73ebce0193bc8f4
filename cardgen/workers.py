"""One map over an executor: in this process, or over processes that end with this one and leave nothing behind."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from importlib import import_module
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

from cardgen.errors import WorkerDied
from cardgen.scratch import scratch_folder, use_scratch

if TYPE_CHECKING:  # who works in one process needs none of it
    from concurrent.futures import Future, ProcessPoolExecutor

T = TypeVar("T")
S = TypeVar("S")
R = TypeVar("R")

_PR_SET_PDEATHSIG = 1


def default_jobs() -> int:
    """How many workers this machine has room for."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


class Workers:
    """Where work is done: `map` runs a function over items, in order. Here in this process; `open_workers` and
    `cluster.open_cluster` make others."""

    # whether they read files of another machine, or of none: what they need must be sent along
    are_remote = False
    # whether one died, and no other took its place
    are_broken = False

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = jobs
        # told after each item how many are done, of how many
        self.progress: Callable[[int, int], None] = _silent

    def map(self, function: Callable[[T], R], items: Sequence[T], begun: Sequence[Callable[[], R]] = ()) -> Iterator[R]:
        """`map(function, items)` in order, behind the results of what was `begun`; all is begun before any is waited
        for. The function and the items must be picklable.

        What the function raises is raised; WorkerDied when a process ended before its work was done.
        """
        left = deque([*begun, *(self.begin(function, item) for item in items)])
        for done in range(1, len(left) + 1):
            # Taken off, so that a result is there no longer than whoever asked for it wants it.
            result = left.popleft()()
            self.progress(done, len(begun) + len(items))
            if not left:
                self.rest()
            yield result

    def map_with(self, function: Callable[[T, S], R], items: Sequence[T], shared: S) -> Iterator[R]:
        """As `map` for a function that takes `shared` as well, which each worker is sent but once."""
        return self.map(With(function, shared), items)

    def begin(self, function: Callable[[T], R], item: T) -> Callable[[], R]:
        """What gives `function(item)`, as `map` does for many, when it is called, once: processes begin with it at once."""
        return partial(function, item)

    def rest(self) -> None:
        """All that `map` was asked for is done: whoever has work for them but once lets go of processes."""


class With(Struct, Generic[T, S, R], frozen=True):
    """A function of two values with the second one given. Picklable, unlike one that is defined inside another."""

    function: Callable[[T, S], R]
    shared: S

    def __call__(self, item: T) -> R:
        return self.function(item, self.shared)


def _silent(done: int, total: int) -> None:
    pass


class _Processes(Workers):
    """Workers in processes of this machine."""

    def __init__(self, jobs: int, folder: str, once: bool) -> None:
        """`folder` is where they put their temporary files."""
        super().__init__(jobs)
        self._folder, self._once = folder, once

    @cached_property
    def pool(self) -> ProcessPoolExecutor:
        """The processes, made when somebody has work for them: most builds after an edit have none."""
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        # Forking shares what is already loaded and starts in milliseconds; elsewhere a fresh interpreter is the safe way.
        context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        return ProcessPoolExecutor(self.jobs, context, initializer=_begin, initargs=(self._folder, os.getpid()))

    def end(self, wait: bool = True) -> None:
        """Have them end when they have done what was begun, and wait for that. Others take their place should there be
        more work."""
        if "pool" in self.__dict__:
            self.__dict__.pop("pool").shutdown(wait)

    def kill(self) -> None:
        """End them, whatever they do."""
        if "pool" in self.__dict__:
            import multiprocessing

            for child in multiprocessing.active_children():
                child.kill()
            self.__dict__.pop("pool").shutdown(wait=False, cancel_futures=True)

    def rest(self) -> None:
        """End them if there was work for them but once. The last results are there; nobody waits for their end."""
        if self._once:
            self.end(wait=False)

    def begin(self, function: Callable[[T], R], item: T) -> Callable[[], R]:
        """As in one process, but what is begun is being done."""
        from concurrent.futures.process import BrokenProcessPool

        def died() -> WorkerDied:
            self.are_broken = True
            return WorkerDied(
                "a worker process was ended from outside, by the system for want of memory perhaps; nothing that was "
                "written is half written. With `--jobs 1` everything is done in one process"
            )

        try:
            # Taken off when it is asked for: a future would keep its result as long as anybody holds what was begun.
            waiting = [self.pool.submit(function, item)]
        except BrokenProcessPool:
            raise died() from None

        def result() -> R:
            try:
                return waiting.pop().result()
            except BrokenProcessPool:
                raise died() from None

        return result


@contextmanager
def open_workers(jobs: int, warm: str = "", once: bool = False) -> Iterator[Workers]:
    """Workers over at most `jobs` processes; with 1, this process itself.

    `warm` is a module that each process imports at once, while the caller is still reading files: importing a layout
    engine takes as long as drawing fifteen cards. Who maps but `once` has their memory back while the results are being
    written.
    """
    if jobs <= 1:
        yield Workers()
        return
    with scratch_folder() as folder:
        workers = _Processes(jobs, folder, once)
        try:
            if warm:
                for _ in range(jobs):
                    workers.pool.submit(_warm, warm)
            yield workers
        except BaseException:
            # Ctrl-C, or a mistake of ours: nobody waits for what is being drawn.
            workers.kill()
            raise
        workers.end()


class Pool:
    """Workers of a server: processes that stay, that know nothing of its threads, and that are replaced when they die."""

    def __init__(self, jobs: int, warm: str = "") -> None:
        self.jobs = jobs
        self._warm = warm
        self._scratch = scratch_folder()
        self._folder = self._scratch.__enter__()
        self._pool = self._open()

    def _open(self) -> ProcessPoolExecutor:
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        # A fork would copy the server's threads' locks in whatever state they are.
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(self.jobs, context, initializer=_begin, initargs=(self._folder, os.getpid()))
        for _ in range(self.jobs):
            pool.submit(_warm, self._warm or "cardgen.workers")
        return pool

    def submit(self, function: Callable[..., R], *arguments: object) -> Future[R]:
        """The future of `function(*arguments)` in a worker. After a worker died others take its place."""
        from concurrent.futures.process import BrokenProcessPool

        try:
            return self._pool.submit(function, *arguments)
        except BrokenProcessPool:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = self._open()
            return self._pool.submit(function, *arguments)

    def close(self) -> None:
        """End the workers, whatever they do."""
        for process in list((self._pool._processes or {}).values()):
            process.kill()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._scratch.__exit__(None, None, None)


def _begin(folder: str, parent: int) -> None:
    # Ctrl-C goes to the whole group: the parent decides what becomes of the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform == "linux":
        import ctypes

        # A worker whose parent was killed would wait for work for ever.
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    # Workers end without cleaning up; whatever an engine puts into temporary files lies in one folder, which the parent
    # removes.
    use_scratch(folder)


def _warm(module: str) -> None:
    # What is missing is told when it is needed, with the work that needs it.
    with suppress(Exception):
        import_module(module)

"""Workers on other machines: the same map on a Dask cluster, which does over what lost workers had in hand.

Only here is Dask known, and only when a cluster is asked for is it loaded or a network touched.
"""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

from cardgen import __version__
from cardgen.errors import CardgenError, UsageError, WorkerDied
from cardgen.scratch import scratch_folder
from cardgen.workers import R, S, T, Workers

LOCAL = "local"
# Seconds until a scheduler that does not answer counts as absent.
PATIENCE = 10
# How many workers may die over one piece of work before it counts as the cause.
DEATHS = 3


class _Cluster(Workers):
    """Workers that a scheduler knows."""

    are_remote = True

    def __init__(self, jobs: int, client: Any) -> None:
        super().__init__(jobs)
        self._client = client

    def begin(self, function: Callable[[T], R], item: T) -> Callable[[], R]:
        """What gives `function(item)`, which is being done."""
        return partial(_result, [self._client.submit(function, item, pure=False, retries=DEATHS)])

    def map_with(self, function: Callable[[T, S], R], items: Sequence[T], shared: S) -> Iterator[R]:
        """As `map` for a function that takes `shared` as well, which each worker is sent but once."""
        # A task of its own rather than scattered: the scheduler can have it done again when its worker is lost.
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")
            sent = self._client.submit(_same, shared, pure=False, retries=DEATHS)
        begun = [
            partial(_result, [self._client.submit(function, item, sent, pure=False, retries=DEATHS)]) for item in items
        ]
        return self.map(_result, (), begun)


def _result(waiting: list[Any]) -> Any:
    """What the only future of a list gives. It is taken off, so that the cluster forgets the result once it is here."""
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError

    try:
        return waiting.pop().result()
    except KilledWorker:
        raise WorkerDied(f"{DEATHS} workers of the cluster ended over the same piece of work") from None
    except (FutureCancelledError, OSError) as error:
        raise CardgenError(f"the cluster is gone: {_short(error)}; nothing is half written") from None


@contextmanager
def open_cluster(address: str, jobs: int) -> Iterator[Workers]:
    """The workers of the scheduler at `address`, or `jobs` processes of this machine for `local`.

    Raises UsageError when Dask is not installed, CardgenError when no scheduler answers, when it has no workers, or
    when these have another cardgen.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise UsageError("`--cluster` needs Dask; `pip install 'cardgen[cluster]'` installs it") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        if address == LOCAL:
            folder = stack.enter_context(scratch_folder())
            address = stack.enter_context(
                LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=jobs, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None,
                    local_directory=folder, silence_logs=logging.CRITICAL,
                )
            )  # fmt: skip
        client = stack.enter_context(_connected(Client, address))
        yield _Cluster(_threads(client, str(address)), client)


@contextmanager
def _connected(make: Any, address: Any) -> Iterator[Any]:
    try:
        client = make(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise CardgenError(
            f"no scheduler answers at `{address}`: {_short(error)}; `dask scheduler` starts one and says its address"
        ) from None
    try:
        yield client
    finally:
        with contextlib.suppress(Exception):  # a cluster that is gone cannot be left politely
            client.close(timeout=2)


def _threads(client: Any, address: str) -> int:
    """How much the workers can do at once, after a look at what is installed there."""
    try:
        versions = client.run(_version)
    except ModuleNotFoundError:
        versions = {"some": "none"}
    if not versions:
        raise CardgenError(f"the scheduler at `{address}` has no workers; `dask worker {address}` starts one")
    other = {version for version in versions.values() if version != __version__}
    if other:
        raise CardgenError(
            f"workers of the cluster have cardgen {', '.join(sorted(other))}, this is {__version__}: "
            "install the same everywhere"
        )
    threads: int = sum(client.nthreads().values())
    return max(1, threads)


def _same(value: T) -> T:
    return value


def _version() -> str:
    from cardgen import __version__ as own

    return own


def _short(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:200]

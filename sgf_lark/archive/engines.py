"""Engines: who reads the partitions of an archive.

An engine calls one function for each partition, several at a time, and returns what comes of it in
order.  It reads only few partitions ahead, so that memory stays bounded.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Protocol, TypeVar

from sgf_lark.core import load_extra
from sgf_lark.files.workers import (
    MIN_TASKS_AHEAD,
    CrashError,
    Outcome,
    Task,
    answer_task,
    answered,
    pickled,
    run,
)

from .partitions import Partition

T = TypeVar("T")

#: Seconds to wait for a scheduler.
SCHEDULER_SECONDS = 10

#: The HTTP server of a scheduler on this machine: any free port, and nobody else reaches it.
_LOCAL_PAGES = {"dashboard_address": "127.0.0.1:0"}

#: Settings of Dask: a partition has its text with it, and that is no mistake.
_SETTINGS = {"distributed.admin.large-graph-warning-threshold": "1GB"}


class PartitionReader(Protocol):
    """Reads partitions."""

    def read(
        self, function: Callable[[Partition], T], partitions: Iterator[Partition]
    ) -> Generator[Outcome[T]]:
        """Yield the outcome of a function for each partition, in order.

        An outcome has a :class:`~sgf_lark.files.workers.CrashError` if the process died.
        """
        ...


class SchedulerError(ConnectionError):
    """A scheduler of Dask that cannot be used."""


class Processes:
    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    def read(
        self, function: Callable[[Partition], T], partitions: Iterator[Partition]
    ) -> Generator[Outcome[T]]:
        tasks = (Task(one.slices[0].source.path, one, one.size) for one in partitions)
        return run(function, tasks, self._jobs)


class Dask:
    """The workers of a Dask cluster.

    A file that is no archive is read by the worker, which has to see it by the same path.

    Args:
        client: The client of the cluster (``distributed.Client``, which has no types).
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    def read(
        self, function: Callable[[Partition], T], partitions: Iterator[Partition]
    ) -> Generator[Outcome[T]]:
        waiting = deque[tuple[str, Any]]()
        try:
            for partition in partitions:
                # not scattered: what is lost with its worker is sent again with its task
                future = self._client.submit(answer_task, function, pickled(partition), pure=False)
                waiting.append((partition.slices[0].source.path, future))
                del partition, future
                while len(waiting) >= self._limit():
                    yield self._outcome(*waiting.popleft())
            while waiting:
                yield self._outcome(*waiting.popleft())
        finally:
            for _, future in waiting:
                future.cancel()

    def _limit(self) -> int:
        threads: dict[str, int] = self._client.nthreads()
        return MIN_TASKS_AHEAD * max(1, sum(threads.values()))

    def _outcome(self, path: str, future: Any) -> Outcome[Any]:
        try:
            return answered(path, future.result())
        except _load_distributed().KilledWorker as error:
            return Outcome(path, None, CrashError(f"the workers that read it died ({error})"))
        except Exception as error:
            if self._client.status != "running":
                raise SchedulerError("the scheduler of Dask has ended") from error
            return Outcome(path, None, error)
        finally:
            future.release()


@contextmanager
def dask_engine(scheduler: str | None, jobs: int) -> Iterator[Dask]:
    """Connect to a Dask cluster.

    Args:
        scheduler: Its address, such as ``tcp://127.0.0.1:8786``; None for a cluster of processes on
            this machine, which ends with the context.

    Raises:
        SchedulerError: There is no scheduler at this address, or it has other versions.
    """
    distributed = _load_distributed()
    import dask

    with dask.config.set(_SETTINGS), ExitStack() as stack:
        if scheduler is None:
            cluster = distributed.LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address=None,
                scheduler_kwargs=_LOCAL_PAGES,
                silence_logs="CRITICAL",
            )
            stack.enter_context(cluster)
            client = stack.enter_context(distributed.Client(cluster))
        else:
            client = stack.enter_context(_connected(distributed, scheduler))
        yield Dask(client)


def _load_distributed() -> Any:
    return load_extra(
        "distributed", "this engine needs Dask (extra dask):  pip install 'sgf_lark[dask]'"
    )


@contextmanager
def _connected(distributed: Any, scheduler: str) -> Iterator[Any]:
    try:
        client = distributed.Client(scheduler, timeout=SCHEDULER_SECONDS)
    except (OSError, ValueError) as error:
        words = f"no scheduler of Dask answers at {scheduler}: start one there (dask scheduler)"
        raise SchedulerError(words) from error
    with client:
        _test_versions(client, scheduler)
        yield client


def _test_versions(client: Any, scheduler: str) -> None:
    """Test that the workers have the versions of this process."""
    with suppress(TimeoutError):
        client.wait_for_workers(1, timeout=SCHEDULER_SECONDS)
    if not client.nthreads():
        words = f"the scheduler at {scheduler} has no workers: start some (dask worker {scheduler})"
        raise SchedulerError(words)
    here = versions()
    for address, there in client.run(_versions_there).items():
        if there != here:
            words = f"the worker {address} has {there}, expected {here}: install the same versions"
            raise SchedulerError(words)


def versions() -> str:
    """Return the versions on which rows depend, as words."""
    import pyarrow as pa

    from sgf_lark._version import __version__
    from sgf_lark.report.tables import SCHEMA_VERSION

    return f"sgf_lark {__version__} (tables {SCHEMA_VERSION}), pyarrow {pa.__version__}"


def _versions_there() -> str:
    try:
        return versions()
    except ImportError as error:
        return f"not all packages ({error})"

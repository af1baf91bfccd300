"""Processes that work on files; each has one file at a time, or a few small ones.

A process has one file at a time, or one part of a huge file (see :mod:`.parts`), so that it is
known which file killed it.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, NoReturn, Protocol, TypeVar

from sgf_lark.text.archives import RecordBytes

from .processes import describe_end, end_with_parent, pickled, start_tracker, undisturbed

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from .parts import Part

Path = str | os.PathLike[str]
T = TypeVar("T")


class Work(Protocol):
    """Work for a process: a :class:`Task`, or another one that names its file and its size."""

    @property
    def path(self) -> Path: ...
    @property
    def content(self) -> object | None: ...
    @property
    def size(self) -> int: ...


W = TypeVar("W", bound=Work)


class Task(NamedTuple):
    """Work for a process.

    Attributes:
        path: The path of a file.
        options: Options for it alone.
        part: The part of the file to read; None for all of it.
        content: The bytes of a record in an archive, or the reason why there are none; None for
            a file that the process reads.
    """

    path: Path
    options: dict[str, Any]
    part: Part | None = None
    content: bytes | OSError | None = None

    @property
    def source(self) -> Path | RecordBytes:
        """The path, or the bytes of a record in an archive.

        Raises:
            OSError: The record cannot be read.
        """
        if isinstance(self.content, OSError):
            raise self.content
        return (
            self.path if self.content is None else RecordBytes(self.content, os.fspath(self.path))
        )

    @property
    def size(self) -> int:
        """The bytes of what is read; 0 if they are unknown."""
        if self.part is not None:
            return sum(end - start for start, end, _ in self.part.sections)
        return len(self.content) if isinstance(self.content, bytes) else size(self.path)


#: Limits of results that wait for that of an earlier path, for each process: the lower one for
#: files of any size, the higher one as long as the files have few bytes.
MIN_RESULTS_AHEAD, MAX_RESULTS_AHEAD = 4, 64
MAX_BYTES_AHEAD = 1 << 20

#: Bytes of a small file, and the limit of small files that are sent to a process at a time.  A
#: process reads one in less time than a message takes from process to process and back.
SMALL_BYTES, MAX_SENT = 1 << 14, 4

#: Seconds that a process has to end after its connection is closed.
EXIT_SECONDS = 5.0


class CrashError(RuntimeError):
    """The process that read a file ended before it was done."""


class Outcome(NamedTuple, Generic[T]):
    """The result of one file, or the error.

    Attributes:
        path: The path as given.
        result: The result; None if there is an error.
        error: None, or the reason why there is no result: an :class:`OSError` if the file
            cannot be opened, an :class:`~sgf_lark.SgfError` if it breaks its standard, a
            :class:`CrashError` if the process died, or any other exception that was raised.
    """

    path: Path
    result: T | None
    error: Exception | None


def size(path: Path) -> int:
    """Return the bytes of a file; 0 if they are unknown."""
    try:
        return os.stat(path).st_size  # noqa: PTH116  # any kind of path
    except (OSError, ValueError):
        return 0


def outcome_of(function: Callable[[W], T], task: W) -> Outcome[T]:
    return outcome(task.path, lambda: function(task))


def outcome(path: Path, function: Callable[[], T]) -> Outcome[T]:
    """Call a function for a file; return its result or its error."""
    try:
        return Outcome(path, function(), None)
    except Exception as error:  # noqa: BLE001  # one file must not stop the others
        return Outcome(path, None, error)


def in_processes(
    function: Callable[[W], T],
    tasks: Iterator[W],
    jobs: int,
    ahead: int = MIN_RESULTS_AHEAD,
) -> Generator[Outcome[T]]:
    """Yield the outcome of a function for each task, in order.

    Args:
        function: The function, of a module or a partial of one.
        tasks: The tasks.
        jobs: Limit of processes.
        ahead: Limit of large results that wait for an earlier one, for each process.
    """
    workers = _Workers(function, tasks, jobs, ahead)
    done: dict[int, Outcome[T]] = {}
    yielded = 0
    try:
        while True:
            done.update(workers.receive(0 if yielded in done else None))
            done.update(workers.send())
            if yielded in done:
                yield done.pop(yielded)
                del workers.ahead[yielded]
                yielded += 1
            elif not workers.ahead:
                return
    finally:
        workers.stop()


class _Workers:
    """The processes, and the tasks that they have or wait for.

    Args:
        function: The work for a task.
        tasks: The tasks.
        jobs: Limit of processes.
        most_ahead: Limit of large results that wait for an earlier one, for each process.

    Attributes:
        ahead: The bytes of each task that was begun and whose outcome is not yielded.
    """

    def __init__(
        self, function: Callable[[W], Any], tasks: Iterator[W], jobs: int, most_ahead: int
    ) -> None:
        self._function = function
        self._tasks: Iterator[tuple[int, Work]] = enumerate(tasks)
        self._jobs = jobs
        self._most_ahead = most_ahead
        self._workers: list[_Worker] = []
        self._waiting: deque[tuple[int, Work]] = deque()
        self.ahead: dict[int, int] = {}

    def receive(self, seconds: float | None) -> Iterator[tuple[int, Outcome[Any]]]:
        """Yield outcomes that have come; wait for one as long as that, or forever (None)."""
        from multiprocessing.connection import wait

        busy: dict[Any, _Worker] = {one.connection: one for one in self._workers if one.tasks}
        for connection in wait(list(busy), seconds) if busy else ():
            worker = busy[connection]
            yield from worker.receive()
            if worker.has_died:
                self._workers.remove(worker)
                self._waiting.extendleft(reversed(worker.tasks))

    def send(self) -> Iterator[tuple[int, Outcome[Any]]]:
        """Send tasks to processes that have too few; yield the error of one that cannot be sent."""
        while self._waiting or self._may_begin():
            if not self._waiting:
                following = next(self._tasks, None)
                if following is None:
                    return
                self._waiting.append(following)
                self.ahead[following[0]] = following[1].size
            number, task = self._waiting[0]
            # only a process that waits for a task is sure to take one with its content
            is_small = task.content is None and self.ahead[number] <= SMALL_BYTES
            worker = self._choose(is_small=is_small)
            if worker is None:
                return
            self._waiting.popleft()
            try:
                message = pickled(task)
            except Exception as error:  # noqa: BLE001  # classes of the caller can raise any
                yield number, Outcome(task.path, None, error)
            else:
                worker.begin(number, task, message)

    def _may_begin(self) -> bool:
        """Return whether results may wait for one more."""
        if len(self.ahead) < self._jobs * self._most_ahead:
            return True
        return (
            len(self.ahead) < self._jobs * MAX_RESULTS_AHEAD
            and sum(self.ahead.values()) < MAX_BYTES_AHEAD
        )

    def _choose(self, *, is_small: bool) -> _Worker | None:
        """Choose the process for a task: an idle one, a new one, or one with a few small tasks.

        None if the task has to wait for a process.
        """
        for worker in [worker for worker in self._workers if not worker.tasks]:
            if worker.process.is_alive():
                worker.has_small = is_small
                return worker
            worker.stop()
            self._workers.remove(worker)
        if len(self._workers) < self._jobs:
            worker = _Worker(self._function)
            worker.has_small = is_small
            self._workers.append(worker)
            return worker
        least = min(self._workers, key=lambda worker: len(worker.tasks))
        return least if is_small and least.has_small and len(least.tasks) < MAX_SENT else None

    def stop(self) -> None:
        """Kill the processes."""
        for worker in self._workers:
            worker.stop()


class _Worker:
    """The parent's side of a process.

    Attributes:
        tasks: Its tasks with their numbers; it works on the first one.
        has_small: Its tasks are small files.
        has_died: The process has died.
    """

    def __init__(self, function: Callable[[Any], Any]) -> None:
        from multiprocessing import get_context

        context = get_context()
        if context.get_start_method() != "fork":
            start_tracker()
        self.connection, other = context.Pipe()
        arguments = (other, self.connection, function)
        self.process = context.Process(target=_work, args=arguments, daemon=True)
        self._has_started = False  # the process has sent its first message
        self.tasks: deque[tuple[int, Work]] = deque()
        self.has_small = self.has_died = False
        with undisturbed():
            self.process.start()
        other.close()

    def begin(self, number: int, task: Work, message: bytes) -> None:
        """Send a task to the process."""
        self.tasks.append((number, task))
        with suppress(OSError):  # the process has just died: receive() reports it
            self.connection.send_bytes(message)

    def receive(self) -> Iterator[tuple[int, Outcome[Any]]]:
        """Receive a message: nothing, or the outcome of the first task and its number."""
        try:
            answer = self.connection.recv_bytes()
        except (EOFError, OSError):
            self.process.join(EXIT_SECONDS)
            was_killed = (self.process.exitcode or 0) < 0  # not by this process, which is next
            self.stop()
            self.has_died = True
            if not self._has_started and not was_killed:
                raise RuntimeError(
                    "cannot start processes: pass jobs=1, or call this function below"
                    " if __name__ == '__main__':"
                ) from None
            answer = pickled((None, CrashError(describe_end(self.process.exitcode))))
        if self._has_started or self.has_died:
            number, task = self.tasks.popleft()
            sent, error = _unpacked(answer)
            yield number, Outcome(task.path, *((None, error) if error else sent))
        self._has_started = True

    def stop(self) -> None:
        """Kill the process; it has no state to lose."""
        self.connection.close()
        self.process.kill()
        self.process.join()


def _work(
    connection: Connection, other_end: Connection, function: Callable[[Any], Any]
) -> NoReturn:
    """Worker loop: receive a path, send its outcome, exit when the parent closes the pipe."""
    other_end.close()  # so that the pipe closes when the parent does
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent()
    try:
        connection.send_bytes(b"")
        while True:
            task, error = _unpacked(connection.recv_bytes())
            result = Outcome("", None, error) if error else outcome_of(function, task)
            connection.send_bytes(_packed(result))
    except (EOFError, OSError):
        pass
    finally:
        os._exit(0)  # inherited buffers must not be written a second time


def _packed(outcome: Outcome[Any]) -> bytes:
    """Pickle a result and its error; if this fails, an error that gives the reason."""
    try:
        return pickled(outcome[1:])
    except Exception as error:  # noqa: BLE001  # classes of the caller can raise any
        reason = outcome.error or error
        what = "" if outcome.error else "the result cannot be pickled: "
        return pickled((None, RuntimeError(f"{what}{type(reason).__name__}: {reason}")))


def _unpacked(message: bytes) -> tuple[Any, Exception | None]:
    """Return what was sent, and the error if it cannot be unpickled."""
    import pickle

    try:
        return pickle.loads(message), None  # noqa: S301  # of the other process
    except Exception as unknown:  # noqa: BLE001  # classes of the caller can raise any
        return None, unknown

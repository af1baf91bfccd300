"""Load or check many files in several processes, in the order of their paths.

A process has one file at a time, or one part of a huge file (see :mod:`.parts`), so that it is
known which file killed it.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from io import BytesIO
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, NoReturn, TypeVar

from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.diagnostics.report import Report
from sgf_lark.grammar.time_limit import FIX_GRAMMAR, TimeLimitError, limited
from sgf_lark.model.collection import Collection
from sgf_lark.places import LineIndex, Span

from . import load as api
from .processes import describe_end, is_daemon, pickled, start_tracker, undisturbed

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from .parts import Cut, Part, PartResult

Path = str | os.PathLike[str]
T = TypeVar("T")


class Task(NamedTuple):
    """Work for a process.

    Attributes:
        path: The path of a file.
        options: Options for it alone.
        part: The part of the file to read; None for all of it.
    """

    path: Path
    options: dict[str, Any]
    part: Part | None = None


#: Work that is worth the start of a process, in bytes; and the bytes added for each file.
MIN_BYTES_FOR_PROCESSES, BYTES_PER_FILE = 1 << 20, 1 << 12

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


def load_many(
    paths: Iterable[Path],
    *,
    jobs: int | None = None,
    then: Callable[[Collection], Any] | None = None,
    **options: Any,
) -> Generator[Outcome[Any]]:
    """Load many files, several at a time.

    Files are read while the results are iterated over, only a few ahead.  No file stops the
    others.  The processes end when the iterator is closed or deleted.

    Args:
        paths: The paths of files; an endless iterator is allowed.
        jobs: The number of processes; 1 for only this one.  None for one on each core, if
            there is enough work.
        then: A function to call with each collection in the process that loaded it; only its
            result is sent back.  It must be a function of a module, so that processes find it.
        **options: Options of :func:`sgf_lark.load`: ``strict``, ``format``, ``encoding`` ...

    Yields:
        The outcome of each path, in the order of ``paths``: its collection (or the result of
        ``then``), or its error.

    Raises:
        ValueError: ``jobs`` is less than 1.
        RuntimeError: No process can be started.  Where processes are spawned, a script
            must not do its work outside ``if __name__ == "__main__":``.
    """
    api.load(BytesIO(), **options | {"strict": False})  # wrong options raise here, not per file
    load = partial(_load, then=then, options=options)
    return _each(load, (Task(path, {}) for path in paths), jobs)


def check_many(
    paths: Iterable[Path], *, jobs: int | None = None, **options: Any
) -> Generator[Report]:
    """Check many files, several at a time, as :func:`load_many` loads them.

    Processes share a file of a mebibyte or more, if it has several games.

    Args:
        paths, jobs: As for :func:`load_many`.
        **options: Options of :func:`sgf_lark.check`.

    Yields:
        A report on each file, in the order of ``paths``.  A file that cannot be checked has a
        diagnostic: F001 or F002 if it cannot be opened, F005 if the program fails.
    """
    api.check(BytesIO(), **options)  # wrong options raise here, not per file
    return reports(((path, {}) for path in paths), jobs, options)


def reports(
    items: Iterable[tuple[Path, dict[str, Any]]], jobs: int | None, options: dict[str, Any]
) -> Generator[Report]:
    """Check files as :func:`check_many` does; each path has options of its own, too."""
    check = partial(_check, options=options)
    is_custom = options.get("grammar") is not None or options.get("values") is not None
    tasks = (Task(*item) for item in items)
    return _reports(_each(check, tasks, jobs, None if is_custom else options), options)


def _reports(outcomes: Generator[Outcome[Report]], options: dict[str, Any]) -> Generator[Report]:
    with closing(outcomes):
        for outcome in outcomes:
            yield api.with_boards(_report(outcome), options)


def _load(
    task: Task, *, then: Callable[[Collection], Any] | None, options: dict[str, Any]
) -> object:
    collection = api.load(task.path, **options, **task.options)
    return collection if then is None else then(collection)


def _check(task: Task, *, options: dict[str, Any]) -> Report | PartResult | None:
    path, options = task.path, options | task.options
    if task.part is not None:
        from .parts import read_part

        return read_part(path, task.part, **options)
    if options.get("grammar") is None:
        return api.check(path, **options)
    with limited(size(path)):
        return api.check(path, **options)


def _report(outcome: Outcome[Report]) -> Report:
    """Return the report on a file; if it could not be checked, a report that gives the reason."""
    if outcome.result is not None:
        return outcome.result
    if isinstance(outcome.error, OSError):
        words = outcome.error.strerror or str(outcome.error)
        missing = isinstance(outcome.error, FileNotFoundError)
        name = "missing-file" if missing else "unreadable-file"
        finding = Finding(name, words[:1].lower() + words[1:], Span(0, 0))
    else:
        finding = _failed("checked", outcome.error)
    return Report(name=os.fspath(outcome.path), diagnostics=(finding.located(LineIndex("")),))


#: Help of a failure.
REPORT_IT = "this is a fault of the program, not of the file: please report it"


def failure(done: str, error: Exception | None) -> str:
    """Return the message about a failure of the program on a file.

    Args:
        done: The action that failed: ``checked``, ``fixed``.
        error: The exception that was raised.
    """
    reason = str(error) if isinstance(error, CrashError) else f"{type(error).__name__}: {error}"
    return f"this file could not be {done}, because the program failed: {reason}"


def _failed(done: str, error: Exception | None) -> Finding:
    if isinstance(error, TimeLimitError):
        message = f"this file could not be {done}, because {error}"
        return Finding("failed-check", message, Span(0, 0), FIX_GRAMMAR)
    return Finding("failed-check", failure(done, error), Span(0, 0), REPORT_IT)


def with_failure(report: Report, error: Exception) -> Report:
    """Return a report with a finding that the fixes of the file failed."""
    if any(finding.name == "failed-check" for finding in report):
        return report
    failed = _failed("fixed", error).located(LineIndex(""))
    return report.model_copy(update={"diagnostics": (failed, *report)})


# ---- the number of processes ----


def _each(
    function: Callable[[Task], Any],
    tasks: Iterable[Task],
    jobs: int | None,
    options: dict[str, Any] | None = None,
) -> Generator[Outcome[Any]]:
    """Return the outcome of a function for each file, in order.

    Args:
        function: The function.
        tasks: The files.
        jobs: Number of processes; None for one on each core, if there is much work.
        options: The options of :func:`sgf_lark.check`, if huge files are to be checked in parts.
    """
    if jobs is not None and jobs < 1:
        raise ValueError(f"invalid value {jobs} for jobs: expected at least 1")
    return _outcomes(function, tasks, jobs, options)


def _outcomes(
    function: Callable[[Task], Any],
    tasks: Iterable[Task],
    jobs: int | None,
    options: dict[str, Any] | None,
) -> Generator[Outcome[Any]]:
    waiting = iter(tasks)
    if jobs is None:
        first = list(islice(waiting, MIN_BYTES_FOR_PROCESSES // BYTES_PER_FILE))
        jobs = cores() if _is_much(first, alone=options is not None) else 1
        waiting = chain(first, waiting)
    if jobs == 1 or is_daemon():
        yield from (_outcome(function, task) for task in waiting)
    elif options is None:
        yield from _in_processes(function, waiting, jobs)
    else:
        yield from _in_parts(function, waiting, jobs, options)


def _in_parts(
    function: Callable[[Task], Any], tasks: Iterator[Task], jobs: int, options: dict[str, Any]
) -> Generator[Outcome[Any]]:
    """Return the outcome of a function for each file; huge files are checked in parts."""
    from .parts import join_results

    files: deque[tuple[Task, Cut | None]] = deque()

    def cut_tasks() -> Iterator[Task]:
        for task in tasks:
            cut = _cut(task, jobs, options) if size(task.path) >= MIN_BYTES_FOR_PROCESSES else None
            files.append((task, cut))
            yield from [task] if cut is None else [task._replace(part=part) for part in cut.parts]

    with closing(_in_processes(function, cut_tasks(), jobs)) as outcomes:
        for outcome in outcomes:
            task, cut = files.popleft()
            if cut is None:
                yield outcome
                continue
            results = [outcome.result]
            results += [outcome.result for outcome in islice(outcomes, len(cut.parts) - 1)]
            report = join_results(os.fspath(task.path), cut, results, options | task.options)
            del cut, results
            if report is not None:
                yield Outcome(task.path, report, None)
            else:
                yield from _in_processes(function, iter([task]), 1)


def _cut(task: Task, jobs: int, options: dict[str, Any]) -> Cut | None:
    """Return a file in parts; None if it cannot be cut, or read."""
    from .parts import cut_file

    options = options | task.options
    names = ("format", "encoding")
    try:
        return cut_file(task.path, jobs, **{name: options.get(name) for name in names})
    except (OSError, ValueError, MemoryError):
        return None  # the process that reads all of it gives the reason


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _is_much(tasks: list[Task], *, alone: bool) -> bool:
    """Return whether several processes are faster, including their start.

    One file is enough if it can be read in parts (``alone``).
    """
    return (alone or len(tasks) > 1) and sum(
        BYTES_PER_FILE + size(task.path) for task in tasks
    ) >= MIN_BYTES_FOR_PROCESSES


def size(path: Path) -> int:
    """Return the bytes of a file; 0 if they are unknown."""
    try:
        return os.stat(path).st_size  # noqa: PTH116  # any kind of path
    except (OSError, ValueError):
        return 0


def _outcome(function: Callable[[Task], T], task: Task) -> Outcome[T]:
    try:
        return Outcome(task.path, function(task), None)
    except Exception as error:  # noqa: BLE001  # one file must not stop the others
        return Outcome(task.path, None, error)


# ---- the processes ----


def _in_processes(
    function: Callable[[Task], T], tasks: Iterator[Task], jobs: int
) -> Generator[Outcome[T]]:
    workers = _Workers(function, tasks, jobs)
    done: dict[int, Outcome[T]] = {}
    yielded = 0
    try:
        while True:
            done.update(workers.receive(0 if yielded in done else None))
            workers.send()
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

    Attributes:
        ahead: The bytes of each task that was begun and whose outcome is not yielded.
    """

    def __init__(self, function: Callable[[Task], Any], tasks: Iterator[Task], jobs: int) -> None:
        self._function = function
        self._tasks = enumerate(tasks)
        self._jobs = jobs
        self._workers: list[_Worker] = []
        self._waiting: deque[tuple[int, Task]] = deque()
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

    def send(self) -> None:
        """Send tasks to the processes that have too few."""
        while self._waiting or self._may_begin():
            if not self._waiting:
                following = next(self._tasks, None)
                if following is None:
                    return
                self._waiting.append(following)
                self.ahead[following[0]] = _bytes_of(following[1])
            number, task = self._waiting[0]
            worker = self._choose(is_small=self.ahead[number] <= SMALL_BYTES)
            if worker is None:
                return
            self._waiting.popleft()
            worker.begin(number, task)

    def _may_begin(self) -> bool:
        """Return whether results may wait for one more."""
        if len(self.ahead) < self._jobs * MIN_RESULTS_AHEAD:
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


def _bytes_of(task: Task) -> int:
    """Return the bytes of a task; 0 if they are unknown."""
    sections = () if task.part is None else task.part.sections
    return sum(end - start for start, end, _ in sections) or size(task.path)


class _Worker:
    """The parent's side of a process.

    Attributes:
        tasks: Its tasks with their numbers; it works on the first one.
        has_small: Its tasks are small files.
        has_died: The process has died.
    """

    def __init__(self, function: Callable[[Task], Any]) -> None:
        from multiprocessing import get_context

        context = get_context()
        if context.get_start_method() != "fork":
            start_tracker()
        self.connection, other = context.Pipe()
        arguments = (other, self.connection, function)
        self.process = context.Process(target=_work, args=arguments, daemon=True)
        self._has_started = False  # the process has sent its first message
        self.tasks: deque[tuple[int, Task]] = deque()
        self.has_small = self.has_died = False
        with undisturbed():
            self.process.start()
        other.close()

    def begin(self, number: int, task: Task) -> None:
        """Send a task to the process."""
        self.tasks.append((number, task))
        with suppress(OSError):  # the process has just died: end() reports it
            self.connection.send(task)

    def receive(self) -> Iterator[tuple[int, Outcome[Any]]]:
        """Receive a message: nothing, or the outcome of the first task and its number."""
        try:
            answer = self.connection.recv_bytes()
        except (EOFError, OSError):
            self.process.join(EXIT_SECONDS)
            self.stop()
            self.has_died = True
            if not self._has_started:
                raise RuntimeError(
                    "cannot start processes: pass jobs=1, or call this function below"
                    " if __name__ == '__main__':"
                ) from None
            answer = pickled((None, CrashError(describe_end(self.process.exitcode))))
        if self._has_started:
            number, task = self.tasks.popleft()
            yield number, Outcome(task.path, *_unpacked(answer))
        self._has_started = True

    def stop(self) -> None:
        """Kill the process; it has no state to lose."""
        self.connection.close()
        self.process.kill()
        self.process.join()


def _work(
    connection: Connection, other_end: Connection, function: Callable[[Task], Any]
) -> NoReturn:
    """Worker loop: receive a path, send its outcome, exit when the parent closes the pipe."""
    other_end.close()  # so that the pipe closes when the parent does
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        connection.send_bytes(b"")
        while True:
            connection.send_bytes(_packed(_outcome(function, connection.recv())))
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
        return pickled((None, RuntimeError(f"{type(reason).__name__}: {reason}")))


def _unpacked(answer: bytes) -> tuple[Any, Exception | None]:
    import pickle

    try:
        return pickle.loads(answer)  # type: ignore[no-any-return]  # noqa: S301  # of _packed
    except Exception as unknown:  # noqa: BLE001  # classes of the caller can raise any
        return None, unknown

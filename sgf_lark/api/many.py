"""Many files at once: loaded or checked by several processes, in the order of their paths.

A process has one file at a time, so that one that dies leaves no doubt which file it was.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from io import BytesIO
from itertools import chain, islice
from multiprocessing import current_process, get_context
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

from sgf_lark.diagnostics.diagnostic import Finding
from sgf_lark.diagnostics.report import Report
from sgf_lark.grammar.time_limit import FIX_GRAMMAR, TimeLimitError, limited
from sgf_lark.model.collection import Collection
from sgf_lark.positions import LineIndex, Span

from . import load as api

Path = str | os.PathLike[str]
T = TypeVar("T")

#: A path, and options for it alone.
Item = tuple[Path, dict[str, Any]]

#: So many bytes at least are worth the start of a process; a file counts as so many more.
WORTH, EACH = 1 << 20, 1 << 12

#: So many results for each process may wait for an earlier one.
AHEAD = 4


#: So many seconds a process whose connection is cut may take to end by itself.
LAST_BREATH = 5.0


class CrashError(RuntimeError):
    """The process that had a file ended in the middle of it."""


class Outcome(NamedTuple, Generic[T]):
    """What became of one file.

    Attributes:
        path: As it was given.
        result: None if there is an error.
        error: None; or why there is no result: an :class:`OSError` for a file that cannot be
            opened, an :class:`~sgf_lark.SgfError` for one that breaks its standard, a
            :class:`CrashError` for one that the process did not survive, or whatever else
            was raised.
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

    Files are read while the results are iterated over, and only a few ahead.  No file stops
    the others.  Whoever stops iterating stops the processes (``close``, or forgetting the
    iterator).

    Args:
        paths: Of files; they may come from an iterator that never ends.
        jobs: How many processes; 1 for none but this one.  None for one on each core, if
            there is work enough for more than one.
        then: What to make of each collection, in the process that has loaded it; its result
            is all that is sent back.  A function of a module, so that processes find it.
        **options: Of :func:`sgf_lark.load`: ``strict``, ``format``, ``encoding`` and so on.

    Yields:
        A path, its collection (or what ``then`` made of it) and its error, in the order of
        ``paths``; one of the two last is None.

    Raises:
        ValueError: ``jobs`` is less than 1.
        RuntimeError: No process can be started.  Where processes are spawned, a script
            must not do its work outside ``if __name__ == "__main__":``.
    """
    api.load(BytesIO(), **options | {"strict": False})  # wrong options are the caller's mistake
    load = partial(_load, then=then, options=options)
    return _each(load, ((path, {}) for path in paths), jobs)


def check_many(
    paths: Iterable[Path], *, jobs: int | None = None, **options: Any
) -> Generator[Report]:
    """Check many files, several at a time; else as :func:`load_many`.

    Args:
        paths, jobs: As for :func:`load_many`.
        **options: Of :func:`sgf_lark.check`.

    Yields:
        A report on each file, in the order of ``paths``.  What keeps a file from being
        checked is a diagnostic, too: F001 or F002 if it cannot be opened, F005 if the
        program fails.
    """
    api.check(BytesIO(), **options)  # wrong options are the caller's mistake, not the files'
    return reports(((path, {}) for path in paths), jobs, options)


def reports(items: Iterable[Item], jobs: int | None, options: dict[str, Any]) -> Generator[Report]:
    """As :func:`check_many` does, for paths that have options of their own, too."""
    return _reports(_each(partial(_check, options=options), items, jobs))


def _reports(outcomes: Generator[Outcome[Report]]) -> Generator[Report]:
    with closing(outcomes):
        for one in outcomes:
            yield _report(one)


def _load(
    item: Item, *, then: Callable[[Collection], Any] | None, options: dict[str, Any]
) -> object:
    path, more = item
    collection = api.load(path, **options, **more)
    return collection if then is None else then(collection)


def _check(item: Item, *, options: dict[str, Any]) -> Report:
    path, more = item
    if options.get("grammar") is None:
        return api.check(path, **options, **more)
    with limited(size(path)):
        return api.check(path, **options, **more)


def _report(one: Outcome[Report]) -> Report:
    """The report of a file, or the one that there is none."""
    if one.result is not None:
        return one.result
    if isinstance(one.error, OSError):
        words = one.error.strerror or str(one.error)
        missing = isinstance(one.error, FileNotFoundError)
        name = "missing-file" if missing else "unreadable-file"
        finding = Finding(name, words[:1].lower() + words[1:], Span(0, 0))
    else:
        finding = _failed("checked", one.error)
    return Report(name=os.fspath(one.path), diagnostics=(finding.located(LineIndex("")),))


#: What to do about a failure.
REPORT_IT = "that is a fault of the program, whatever is in the file: please report it"


def failure(done: str, error: Exception | None) -> str:
    """Say that the program failed on a file, which could not be ``done``, and how."""
    reason = str(error) if isinstance(error, CrashError) else f"{type(error).__name__}: {error}"
    return f"this file could not be {done}, because the program failed: {reason}"


def _failed(done: str, error: Exception | None) -> Finding:
    if isinstance(error, TimeLimitError):
        message = f"this file could not be {done}, because {error}"
        return Finding("failed-check", message, Span(0, 0), FIX_GRAMMAR)
    return Finding("failed-check", failure(done, error), Span(0, 0), REPORT_IT)


def with_failure(report: Report, error: Exception) -> Report:
    """Return the report of a file on which the fixes failed, with that."""
    if any(one.name == "failed-check" for one in report):
        return report
    failed = _failed("fixed", error).located(LineIndex(""))
    return report.model_copy(update={"diagnostics": (failed, *report)})


# ---- how many processes ----


def _each(
    function: Callable[[Item], T], items: Iterable[Item], jobs: int | None
) -> Generator[Outcome[T]]:
    """The outcome of a function for each path, in order."""
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs is {jobs}: there must be at least 1")
    return _outcomes(function, items, jobs)


def _outcomes(
    function: Callable[[Item], T], items: Iterable[Item], jobs: int | None
) -> Generator[Outcome[T]]:
    waiting = iter(items)
    if jobs is None:
        first = list(islice(waiting, WORTH // EACH))
        jobs = cores() if _is_much(first) else 1
        waiting = chain(first, waiting)
    if jobs == 1 or current_process().daemon:  # a daemon must not have children
        yield from (_outcome(function, item) for item in waiting)
    else:
        yield from _in_processes(function, waiting, jobs)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _is_much(items: list[Item]) -> bool:
    """Whether several processes are done sooner, their start included."""
    return len(items) > 1 and sum(EACH + size(path) for path, _ in items) >= WORTH


def size(path: Path) -> int:
    """Bytes of a file; 0 if it cannot be told."""
    try:
        return os.stat(path).st_size  # noqa: PTH116  # any kind of path
    except (OSError, ValueError):
        return 0


def _outcome(function: Callable[[Item], T], item: Item) -> Outcome[T]:
    try:
        return Outcome(item[0], function(item), None)
    except Exception as error:  # noqa: BLE001  # whatever it is, the next file comes
        return Outcome(item[0], None, error)


# ---- the processes ----


def _in_processes(
    function: Callable[[Item], T], items: Iterator[Item], jobs: int
) -> Generator[Outcome[T]]:
    idle: list[_Worker] = []
    busy: dict[Any, _Worker] = {}
    done: dict[int, Outcome[T]] = {}
    given = told = 0
    try:
        while True:
            for connection in wait(list(busy), 0 if told in done else None) if busy else ():
                worker = busy.pop(connection)
                idle.append(worker)
                done[worker.number] = worker.end()
            free = min(jobs - len(busy), told + jobs * AHEAD - given)
            for item in islice(items, free):
                worker = _started(idle, function)
                busy[worker.connection] = worker
                worker.begin(given, item)
                given += 1
            if told in done:
                yield done.pop(told)
                told += 1
            elif not busy:
                return
    finally:
        for worker in (*idle, *busy.values()):
            worker.stop()


def _started(idle: list[_Worker], function: Callable[[Item], Any]) -> _Worker:
    """A process that has nothing to do."""
    while idle:
        worker = idle.pop()
        if worker.process.is_alive():
            return worker
        worker.stop()
    return _Worker(function)


class _Worker:
    """A process, seen from outside.

    Attributes:
        number: Of the path that it has, from 0.
    """

    def __init__(self, function: Callable[[Item], Any]) -> None:
        context = get_context()
        if context.get_start_method() != "fork":
            _start_tracker()
        self.connection, other = context.Pipe()
        arguments = (other, self.connection, function)
        self.process = context.Process(target=_work, args=arguments, daemon=True)
        self._path: Path = ""
        self._is_known = False  # it has said that it is there
        self.number = -1
        with _undisturbed():
            self.process.start()
        other.close()

    def begin(self, number: int, item: Item) -> None:
        """Give it a path."""
        self.number, self._path = number, item[0]
        with suppress(OSError):  # it has just died: whoever waits for it will see
            self.connection.send(item)

    def end(self) -> Outcome[Any]:
        """What it says of that path, or why it says nothing."""
        try:
            if not self._is_known:
                self.connection.recv_bytes()
                self._is_known = True
            answer = self.connection.recv_bytes()
        except (EOFError, OSError):
            self.process.join(LAST_BREATH)
            self.stop()
            if not self._is_known:
                raise RuntimeError(
                    "no process can be started to share the work: give jobs=1, or begin it"
                    " below  if __name__ == '__main__':"
                ) from None
            return Outcome(self._path, None, CrashError(_ending(self.process.exitcode)))
        try:
            result, error = pickle.loads(answer)  # noqa: S301  # of a process of our own
        except Exception as unknown:  # noqa: BLE001  # of classes of others
            return Outcome(self._path, None, unknown)
        return Outcome(self._path, result, error)

    def stop(self) -> None:
        """End it, whatever it is doing; it has nothing to lose."""
        self.connection.close()
        self.process.kill()
        self.process.join()


def _start_tracker() -> None:
    """Start what spawned processes share, before Ctrl-C is held back: it would let it through."""
    with suppress(ImportError):
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold Ctrl-C back while a process starts, which would die of it with many words."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _ending(code: int | None) -> str:
    """How a process ended, in words."""
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"the process that read it was ended by {signal.Signals(-code).name}"
    return f"the process that read it ended with {code}"


def _work(
    connection: Connection, other_end: Connection, function: Callable[[Item], Any]
) -> NoReturn:
    """What a process does: a path comes, its outcome goes, until nobody is there."""
    other_end.close()  # so that it shows when nobody else has it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the business of who started us
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        connection.send_bytes(b"")
        while True:
            connection.send_bytes(_packed(_outcome(function, connection.recv())))
    except (EOFError, OSError):
        pass
    finally:
        os._exit(0)  # nothing that was inherited is written a second time


def _packed(one: Outcome[Any]) -> bytes:
    """A result and its error for another process; if they cannot go there, why."""
    try:
        return pickle.dumps(one[1:], pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # noqa: BLE001  # of classes of others
        reason = one.error or error
        return pickle.dumps((None, RuntimeError(f"{type(reason).__name__}: {reason}")))

"""One runner: a function is called for each task, in several processes, in the order of the tasks.

A process works on one task at a time, so that it is known which one killed it.
"""

from __future__ import annotations

import gc
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, NoReturn, TypeAlias, TypeVar, cast

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

Path = str | os.PathLike[str]
T = TypeVar("T")


class Task(NamedTuple):
    path: Path
    payload: Any  # the argument of the function; an exception is the outcome itself
    size: int = 0  # the bytes of what is read; 0 if they are unknown


#: Limits of tasks whose results are not taken yet, for each process: the lower one for tasks of
#: any size, the higher one as long as all of them together have few bytes.
MIN_TASKS_AHEAD, MAX_TASKS_AHEAD = 2, 64
MAX_BYTES_AHEAD = 1 << 22

#: Bytes of a small task and of its message, and the limit of small tasks that are sent to a
#: process at a time.  A process reads one in less time than a message takes from process to
#: process and back; their messages fit in a pipe, so that sending them never waits.
SMALL_BYTES, SMALL_MESSAGE, MAX_SENT = 1 << 14, 1 << 11, 4

#: Seconds that a process has to end after its connection is closed.
EXIT_SECONDS = 5.0


class CrashError(RuntimeError):
    """The process that read a file ended before it was done."""

    __module__ = "sgf_lark"  # as tracebacks show it


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

    def get(self) -> T:
        """Return the result, or raise the error."""
        if self.error is not None:
            raise self.error
        return cast("T", self.result)


def size(path: Path) -> int:
    """Return the bytes of a file; 0 if they are unknown."""
    try:
        return os.stat(path).st_size  # noqa: PTH116  # any kind of path
    except (OSError, ValueError):
        return 0


def outcome(path: Path, function: Callable[[], T]) -> Outcome[T]:
    """Call a function for a file; return its result or its error."""
    try:
        return Outcome(path, function(), None)
    except Exception as error:  # noqa: BLE001  # one file must not stop the others
        return Outcome(path, None, error)


#: Is called with the path and the size of each task whose outcome is about to be yielded.
ShowProgress: TypeAlias = Callable[[Path, int], object]


def run(
    function: Callable[[Any], T],
    tasks: Iterator[Task],
    jobs: int,
    progress: ShowProgress | None = None,
) -> Generator[Outcome[T]]:
    """Yield the outcome of a function for each task, in order; draw only a few tasks ahead."""
    if jobs > 1 and not is_daemon():
        yield from in_processes(function, tasks, jobs, progress)
        return
    for task in tasks:
        done = _outcome_of(function, task)
        if progress is not None:
            progress(task.path, task.size)
        yield done


def _outcome_of(function: Callable[[Any], T], task: Task) -> Outcome[T]:
    if isinstance(task.payload, Exception):
        return Outcome(task.path, None, task.payload)
    return outcome(task.path, lambda: function(task.payload))


def in_processes(
    function: Callable[[Any], T],
    tasks: Iterator[Task],
    jobs: int,
    progress: ShowProgress | None = None,
    *,
    at_once: bool = False,
) -> Generator[Outcome[T]]:
    """Yield outcomes as :func:`run` does, and let no task end this process.

    With ``at_once`` all processes are started before the first task is drawn.
    """
    workers = _Workers(function, tasks, jobs)
    if at_once:
        workers.start()
    yielded = 0
    try:
        while True:
            workers.receive(0 if yielded in workers.done else None)
            workers.send()
            if yielded in workers.done:
                done, size = workers.done.pop(yielded), workers.ahead.pop(yielded)
                yielded += 1
                if progress is not None:
                    progress(done.path, size)
                yield done
            elif not workers.ahead:
                return
    finally:
        workers.stop()


class _Message(NamedTuple):
    """A task as it is sent."""

    number: int
    path: Path
    content: bytes
    is_small: bool


class _Workers:
    def __init__(self, function: Callable[[Any], Any], tasks: Iterator[Task], jobs: int) -> None:
        self._function = function
        self._tasks = enumerate(tasks)
        self._jobs = jobs
        self._workers: list[_Worker] = []
        self._waiting: deque[_Message] = deque()
        self.done: dict[int, Outcome[Any]] = {}
        # the bytes of each task that was begun and whose outcome is not yielded
        self.ahead: dict[int, int] = {}

    def start(self) -> None:
        self._workers += (_Worker(self._function) for _ in range(self._jobs))

    def receive(self, seconds: float | None) -> None:
        from multiprocessing.connection import wait

        busy: dict[Any, _Worker] = {one.connection: one for one in self._workers if one.tasks}
        for connection in wait(list(busy), seconds) if busy else ():
            worker = busy[connection]
            self.done.update(worker.receive())
            if worker.has_died:
                self._workers.remove(worker)
                self._waiting.extendleft(reversed(worker.tasks))

    def send(self) -> None:
        while self._waiting or self._draw():
            worker = self._choose(is_small=self._waiting[0].is_small)
            if worker is None:
                return
            worker.begin(self._waiting.popleft())

    def _draw(self) -> bool:
        """Let the next task wait for a process; False if there is none, or no room for results."""
        while self._has_room():
            number, task = next(self._tasks, (0, None))
            if task is None:
                return False
            self.ahead[number] = task.size
            packed = _outcome_of(pickled, task)
            if packed.result is None:
                self.done[number] = packed
                continue
            content = packed.result
            is_small = task.size <= SMALL_BYTES and len(content) <= SMALL_MESSAGE
            self._waiting.append(_Message(number, task.path, content, is_small))
            return True
        return False

    def _has_room(self) -> bool:
        count, jobs = len(self.ahead), self._jobs
        return count < jobs * MIN_TASKS_AHEAD or (
            count < jobs * MAX_TASKS_AHEAD and sum(self.ahead.values()) < MAX_BYTES_AHEAD
        )

    def _choose(self, *, is_small: bool) -> _Worker | None:
        """Choose the process for a task: an idle one, a new one, or one with a few small tasks.

        None if the task has to wait for a process.
        """
        for worker in [worker for worker in self._workers if not worker.tasks]:
            if worker.process.is_alive():
                return worker
            worker.stop()
            self._workers.remove(worker)
        if len(self._workers) < self._jobs:
            self._workers.append(_Worker(self._function))
            return self._workers[-1]
        least = min(self._workers, key=lambda worker: len(worker.tasks))
        may_wait = is_small and least.tasks[0].is_small and len(least.tasks) < MAX_SENT
        return least if may_wait else None

    def stop(self) -> None:
        for worker in self._workers:
            worker.stop()


class _Worker:
    def __init__(self, function: Callable[[Any], Any]) -> None:
        from multiprocessing import get_context

        context = get_context()
        if context.get_start_method() != "fork":
            start_tracker()
        self.connection, other = context.Pipe()
        arguments = (other, self.connection, function)
        self.process = context.Process(target=_work, args=arguments, daemon=True)
        self._has_started = False  # the process has sent its first message
        # its tasks; it works on the first one.  A large one is alone
        self.tasks: deque[_Message] = deque()
        self.has_died = False
        with undisturbed():
            self.process.start()
        other.close()

    def begin(self, message: _Message) -> None:
        self.tasks.append(message if message.is_small else message._replace(content=b""))
        with suppress(OSError):  # the process has just died: receive() reports it
            self.connection.send_bytes(message.content)

    def receive(self) -> Iterator[tuple[int, Outcome[Any]]]:
        """Receive a message: nothing, or the outcome of the first task and its number."""
        try:
            sent = self.connection.recv_bytes()
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
            sent = pickled((None, CrashError(describe_end(self.process.exitcode))))
        if self._has_started or self.has_died:
            message = self.tasks.popleft()
            yield message.number, answered(message.path, sent)
        self._has_started = True

    def stop(self) -> None:
        self.connection.close()
        self.process.kill()
        self.process.join()


def _work(
    connection: Connection, other_end: Connection, function: Callable[[Any], Any]
) -> NoReturn:
    """Worker loop: receive a task, send its answer, exit when the parent closes the pipe."""
    # Objects of other packages, such as a connection to a database, crash if they end in a process
    # that lacks their threads: the garbage that the parent had is left to the parent.
    gc.freeze()
    gc.enable()
    other_end.close()  # so that the pipe closes when the parent does
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent()
    try:
        connection.send_bytes(b"")
        while True:
            connection.send_bytes(answer_task(function, connection.recv_bytes()))
    except (EOFError, OSError):
        pass
    finally:
        os._exit(0)  # inherited buffers must not be written a second time


# ---- messages ----


def answer_task(function: Callable[[Any], Any], content: bytes) -> bytes:
    """Return the result of a function for a pickled payload, and its error, pickled."""
    import pickle

    done = outcome("", lambda: function(pickle.loads(content)))  # noqa: S301  # of the parent
    try:
        return pickled(done[1:])
    except Exception as error:  # noqa: BLE001  # classes of the caller can raise any
        reason = done.error or error
        what = "" if done.error else "the result cannot be pickled: "
        return pickled((None, RuntimeError(f"{what}{type(reason).__name__}: {reason}")))


def answered(path: Path, sent: bytes) -> Outcome[Any]:
    import pickle

    try:
        return Outcome(path, *pickle.loads(sent))  # noqa: S301  # of the other process
    except Exception as error:  # noqa: BLE001  # classes of the caller can raise any
        return Outcome(path, None, error)


def start_tracker() -> None:
    """Start the resource tracker before Ctrl-C is blocked: it would unblock it."""
    with suppress(ImportError):
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()


@contextmanager
def undisturbed() -> Iterator[None]:
    """Block Ctrl-C while a process starts, which would print a traceback, and collect no garbage.

    The process itself collects again as soon as it runs: workers._work says what it leaves alone.
    """
    blocks = hasattr(signal, "pthread_sigmask")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if blocks else ()
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
        if blocks:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def describe_end(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return f"the process that read it was killed by {signal.Signals(-code).name}"
    return f"the process that read it exited with {code}"


def end_with_parent() -> None:
    """End this process as soon as its parent has ended, even if it was killed."""
    from multiprocessing import parent_process
    from threading import Thread

    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> NoReturn:
    parent.join()
    os._exit(1)


def is_daemon() -> bool:
    """Return True in a process that must not have children."""
    from multiprocessing import current_process

    return current_process().daemon


def pickled(message: object) -> bytes:
    """Return the bytes of a task, or of a result and its error, as a message has them."""
    import pickle

    return pickle.dumps(message, pickle.HIGHEST_PROTOCOL)

"""Load or check many files in several processes, in the order of their paths."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from io import BytesIO
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, Unpack, overload

from sgf_lark.core import (
    Collection,
    Diagnostic,
    LoadOptions,
    MethodError,
    ReadOptions,
    Report,
    about_file,
    check as check_file,
    load as load_file,
    read_source,
    reason,
    require_paths,
    with_boards,
)
from sgf_lark.files.archives import NO_RECORDS, ArchiveReader, Member, RecordBytes, split_member
from sgf_lark.files.members import ArchiveError, is_archive
from sgf_lark.files.time_limit import FIX_GRAMMAR, TimeLimitError, limited

from .workers import (
    CrashError,
    Outcome,
    Path,
    ShowProgress,
    Task,
    in_processes,
    is_daemon,
    run,
    size,
)

if TYPE_CHECKING:
    from sgf_lark.core import CheckOptions

    from .pieces import Piece, PieceRead, SharedFile
    from .result_cache import Checked, ResultCache

T = TypeVar("T")

#: A path, the bytes of a record in an archive, or the text of a piece and it; and its own options.
Work: TypeAlias = tuple[Any, dict[str, Any]]

#: Work that is worth the start of a process, in bytes; and the bytes added for each file.
MIN_BYTES_FOR_PROCESSES, BYTES_PER_FILE = 1 << 20, 1 << 12


class CheckArguments(ReadOptions, total=False):
    """The options of :func:`sgf_lark.check`."""

    options: CheckOptions | None
    max_diagnostics: int | None


@overload
def load_many(
    paths: Iterable[Path],
    *,
    jobs: int | None = ...,
    progress: ShowProgress | None = ...,
    then: None = ...,
    **options: Unpack[LoadOptions],
) -> Generator[Outcome[Collection]]: ...
@overload
def load_many(
    paths: Iterable[Path],
    *,
    jobs: int | None = ...,
    progress: ShowProgress | None = ...,
    then: Callable[[Collection], T],
    **options: Unpack[LoadOptions],
) -> Generator[Outcome[T]]: ...
def load_many(
    paths: Iterable[Path],
    *,
    jobs: int | None = None,
    progress: ShowProgress | None = None,
    then: Callable[[Collection], Any] | None = None,
    **options: Unpack[LoadOptions],
) -> Generator[Outcome[Any]]:
    """Load many files, several at a time.

    Files are read while the results are iterated over, only a few ahead.  No file stops the
    others.  The processes end when the iterator is closed or deleted.

    Args:
        paths: The paths of files; an endless iterator is allowed.  An archive stands for all
            records in it, which have paths such as ``games.zip/a.sgf``; it is read once, here,
            one record after the other.  Give paths of records in a tar in their order there.
        jobs: The number of processes; 1 for only this one.  None for one on each core, if
            there is enough work.
        progress: A function to call before an outcome is yielded, and for each part of a huge
            file that processes share: with the path and the number of bytes that were read.
        then: A function to call with each collection in the process that loaded it; only its
            result is sent back.  It must be a function of a module, so that processes find it.
        **options: Options of :func:`sgf_lark.load`: ``strict``, ``format``, ``encoding`` ...

    Yields:
        The outcome of each path, in the order of ``paths``: its collection (or the result of
        ``then``), or its error.  An archive has one for each record in it, and one of its own
        if it cannot be read to its end.

    Raises:
        ValueError: ``jobs`` is less than 1.
        RuntimeError: No process can be started.  Where processes are spawned, a script
            must not do its work outside ``if __name__ == "__main__":``.
    """
    require_paths(paths)
    load_file(BytesIO(), **options | {"strict": False})  # wrong options raise here, not per file
    load = partial(_load, then=then, options={**options})
    return _each(load, ((path, {}) for path in paths), jobs, progress=progress)


def check_many(
    paths: Iterable[Path],
    *,
    jobs: int | None = None,
    progress: ShowProgress | None = None,
    **options: Unpack[CheckArguments],
) -> Generator[Report]:
    """Check many files, several at a time, as :func:`load_many` loads them.

    Processes share a file of a mebibyte or more, if it has several games.

    Args:
        paths, jobs, progress: As for :func:`load_many`.
        **options: Options of :func:`sgf_lark.check`.

    Yields:
        A report on each file, in the order of ``paths``.  A file that cannot be checked has a
        diagnostic: F001 or F002 if it cannot be opened or unpacked, F005 if the program fails.
    """
    require_paths(paths)
    check_file(BytesIO(), **options)  # wrong options raise here, not per file
    return reports(((path, {}) for path in paths), jobs, {**options}, progress=progress)


def reports(
    items: Iterable[Work],
    jobs: int | None,
    options: dict[str, Any],
    cache: ResultCache | None = None,
    progress: ShowProgress | None = None,
) -> Generator[Report]:
    """Check files as :func:`check_many` does."""
    check = partial(_check, options=options, cache=cache)
    outcomes = _each(check, items, jobs, options, cache, progress)
    return _reports(outcomes, options, cache)


def each_file(
    function: Callable[..., T],
    items: Iterable[Work],
    jobs: int | None,
    progress: ShowProgress | None = None,
) -> Generator[Outcome[T]]:
    """Call a function with the name, the bytes and the options of each file, several at a time."""
    return _each(partial(_call, function=function), items, jobs, progress=progress)


def _call(work: Work, *, function: Callable[..., T]) -> T:
    source, options = work
    data, name = read_source(source)
    return function(name, data, **options)


def _reports(
    outcomes: Generator[Outcome[Any]], options: dict[str, Any], cache: ResultCache | None
) -> Generator[Report]:
    try:
        with closing(outcomes):
            for outcome in outcomes:
                if cache is None or outcome.result is None:
                    report = report_of(outcome)
                else:
                    report, key = outcome.result
                    if key is not None:
                        cache.put(key, report)
                yield with_boards(report, options)
    finally:
        if cache is not None:
            cache.close()


def _load(
    work: Work, *, then: Callable[[Collection], Any] | None, options: dict[str, Any]
) -> object:
    collection = load_file(work[0], **options, **work[1])
    return collection if then is None else then(collection)


def _check(
    work: Work, *, options: dict[str, Any], cache: ResultCache | None
) -> Report | Checked | PieceRead:
    source, options = work[0], options | work[1]
    if isinstance(source, tuple):
        from .pieces import read_piece

        text, piece = source
        return read_piece(text, piece, **options)
    is_inside = isinstance(source, RecordBytes)
    with limited(options.get("grammar"), source.getbuffer().nbytes if is_inside else size(source)):
        if cache is None:
            return check_file(source, **options)
        data, name = read_source(source)
        return cache.check(data, name, options)


def report_of(outcome: Outcome[Report]) -> Report:
    """Return the report on a file; if it could not be checked, a report that gives the reason."""
    if outcome.result is not None:
        return outcome.result
    if isinstance(outcome.error, OSError):
        missing = isinstance(outcome.error, FileNotFoundError)
        name = "missing-file" if missing else "unreadable-file"
        finding = about_file(name, reason(outcome.error))
    else:
        finding = failed("checked", outcome.error)
    return Report(name=os.fspath(outcome.path), diagnostics=(finding,))


#: Help of a failure.
REPORT_IT = "this is a fault of the program, not of the file: please report it"

#: Help of a finding about a method of a custom transformer.
FIX_METHOD = "correct the method; one whose children cannot be meant raises ValueError"


def failure(done: str, error: Exception | None) -> tuple[str, str]:
    """Return the message about a failure on a file, and the help."""
    message = f"this file could not be {done}, because "
    if isinstance(error, TimeLimitError):
        return f"{message}{error}", FIX_GRAMMAR
    if isinstance(error, MethodError):
        return f"{message}{error}", FIX_METHOD
    why = str(error) if isinstance(error, CrashError) else f"{type(error).__name__}: {error}"
    return f"{message}the program failed: {why}", REPORT_IT


def failed(done: str, error: Exception | None) -> Diagnostic:
    """Return the finding that something could not be done with a file, with a help."""
    return about_file("failed-check", *failure(done, error))


def with_failure(report: Report, error: Exception) -> Report:
    """Return a report with a finding that the fixes of the file failed."""
    if any(finding.name == "failed-check" for finding in report):
        return report
    return report.model_copy(update={"diagnostics": (failed("fixed", error), *report)})


# ---- the number of processes ----


def _each(
    function: Callable[[Work], Any],
    items: Iterable[Work],
    jobs: int | None,
    options: dict[str, Any] | None = None,
    cache: ResultCache | None = None,
    progress: ShowProgress | None = None,
) -> Generator[Outcome[Any]]:
    if jobs is not None and jobs < 1:
        raise ValueError(f"invalid value {jobs} for jobs: expected at least 1")
    return _outcomes(function, map(_task_of, items), jobs, options, cache, progress)


def _task_of(work: Work) -> Task:
    source = work[0]
    if isinstance(source, RecordBytes):
        return Task(source.name, work, source.getbuffer().nbytes)
    if isinstance(source, OSError):
        return Task(source.filename, source)
    return Task(source, work, size(source))


def _outcomes(
    function: Callable[[Work], Any],
    tasks: Iterator[Task],
    jobs: int | None,
    options: dict[str, Any] | None,
    cache: ResultCache | None,
    progress: ShowProgress | None,
) -> Generator[Outcome[Any]]:
    if jobs is None:
        first = list(islice(tasks, MIN_BYTES_FOR_PROCESSES // BYTES_PER_FILE))
        jobs = cores() if _is_much(first, alone=options is not None) else 1
        tasks = chain(first, tasks)
    tasks = unpack_tasks(tasks)
    if options is None or jobs == 1 or is_daemon():
        yield from run(function, tasks, jobs, progress)
    else:
        yield from _in_pieces(function, tasks, jobs, options, cache, progress)


def _in_pieces(
    function: Callable[[Work], Any],
    tasks: Iterator[Task],
    jobs: int,
    options: dict[str, Any],
    cache: ResultCache | None,
    progress: ShowProgress | None,
) -> Generator[Outcome[Any]]:
    """Return the outcome of a function for each file; huge files are checked in pieces."""
    waiting: deque[tuple[SharedFile, Piece] | None] = deque()
    first = list(islice(tasks, jobs))
    # before its text is in memory, which would count as that of each process
    at_once = any(task.size >= MIN_BYTES_FOR_PROCESSES for task in first)
    tasks = chain(first, tasks)
    del first

    def cut_tasks() -> Iterator[Task]:
        for task in tasks:
            shared = None
            if task.size >= MIN_BYTES_FOR_PROCESSES:
                from .pieces import share_file

                shared = share_file(task, function, jobs, options, cache)
            if shared is None:
                waiting.append(None)
                yield task
                continue
            file, pieces = shared
            for piece in pieces:
                waiting.append((file, piece))
                yield file.task(piece)

    with closing(in_processes(function, cut_tasks(), jobs, progress, at_once=at_once)) as outcomes:
        for outcome in outcomes:
            shared = waiting.popleft()
            if shared is None:
                yield outcome
                continue
            file, piece = shared
            file.add(piece, outcome)
            if piece.is_last:
                yield file.outcome()
            del shared, file, piece, outcome


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _is_much(tasks: list[Task], *, alone: bool) -> bool:
    """Return whether several processes are faster, including their start.

    One file is enough if it can be read in pieces (``alone``), or is an archive.
    """
    alone = alone or any(is_archive(task.path) for task in tasks)
    total = sum(BYTES_PER_FILE + task.size for task in tasks)
    return (alone or len(tasks) > 1) and total >= MIN_BYTES_FOR_PROCESSES


def unpack_tasks(tasks: Iterable[Task]) -> Iterator[Task]:
    """Yield tasks for files with those of the records in archives, which are read here.

    So an archive is read once, from its beginning to its end.

    Args:
        tasks: Tasks whose payload is a path and options; for a record the path becomes its bytes.
    """
    archive: ArchiveReader | None = None
    try:
        for task in tasks:
            if isinstance(task.payload, Exception) or isinstance(task.payload[0], RecordBytes):
                yield task
                continue
            if is_archive(task.path) and not os.path.isdir(task.path):  # noqa: PTH112  # any path
                yield from _records_in(task)
                continue
            inside = split_member(task.path)
            if inside is None:
                yield task
                continue
            try:
                if archive is None or archive.path != inside[0]:
                    if archive is not None:
                        archive.close()
                    archive = ArchiveReader(inside[0])
                member = archive.find(inside[1])
            except OSError as error:
                yield task._replace(payload=error)
            else:
                yield _task_of_member(task, member)
    finally:
        if archive is not None:
            archive.close()


def _records_in(task: Task) -> Iterator[Task]:
    count = 0
    try:
        with closing(ArchiveReader(os.fspath(task.path))) as archive:
            for member in archive.members():
                count += 1
                yield _task_of_member(task._replace(path=member.path), member)
        if not count:
            raise ArchiveError(NO_RECORDS, os.fspath(task.path))
    except OSError as error:
        yield task._replace(payload=error)


def _task_of_member(task: Task, member: Member) -> Task:
    try:
        content = member.read()
    except OSError as error:
        return task._replace(payload=error)
    _, options = task.payload
    source = RecordBytes(content, os.fspath(task.path))
    return task._replace(payload=(source, options), size=len(content))

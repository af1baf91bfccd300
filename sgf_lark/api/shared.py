"""A huge file that several processes check, a piece each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from mmap import mmap
from typing import TYPE_CHECKING, Any

from sgf_lark.findings.finding import Finding
from sgf_lark.findings.limits import MAX_ALIKE, FindingLimit
from sgf_lark.text.archives import RecordBytes, is_compressed, read_record

from .joining import Joining, PieceRead
from .load import make_report
from .pieces import Piece, cut_record
from .workers import Outcome, Task, in_processes

if TYPE_CHECKING:
    from .result_cache import ResultCache

#: Bytes of a piece: enough to be worth a message, few beside the memory of a process.
MIN_PIECE, MAX_PIECE = 1 << 17, 1 << 22

#: Pieces for each process, so that all processes end at about the same time.
PIECES_PER_PROCESS = 4


class SharedFile:
    """A huge file; its bytes are read once, and are sent to the processes.

    Args:
        task: The task of checking all of it.
        data: Its bytes.
        function: Checks a piece, or the file, in a process.
        options: The options of :func:`sgf_lark.check` for it.
        cache: Keeps its report.
    """

    def __init__(
        self,
        task: Task,
        data: mmap,
        function: Callable[[Any], Any],
        options: dict[str, Any],
        cache: ResultCache | None,
    ) -> None:
        self._path, self._own = task.path, task.payload[1]
        self._data = data
        self._function = function
        self._options = options
        self._key = None if cache is None else cache.key(data, os.fspath(task.path), options)
        self._cache = cache
        chosen = options.get("options")
        self._joining = Joining(self._read, frozenset() if chosen is None else chosen.asked)
        self._text: list[str] = []
        self._about_encoding: list[Finding] = []
        self._findings: list[Finding] = []
        self._limit = FindingLimit(
            None if options.get("max_diagnostics") == 0 else MAX_ALIKE, by_game=False
        )
        self._error: Exception | None = None

    def pieces(self, jobs: int) -> Iterator[Piece] | None:
        """Cut the file for some processes; None if there is no certain place, or no need."""
        if self._cache is not None and self._key is not None and self._cache.has(self._key):
            return None
        size = len(self._data) // (jobs * PIECES_PER_PROCESS)
        size = min(MAX_PIECE, max(MIN_PIECE, size))
        return cut_record(self._data, size, self._options, most=len(self._data))

    def task(self, piece: Piece) -> Task:
        """Return the task of checking a piece."""
        data = self._data[piece.start : piece.end]
        return Task(self._path, ((data, piece), self._own), piece.size)

    def _read(self, piece: Piece) -> PieceRead[list[Finding]]:
        """Check a piece in a process of its own.

        Raises:
            Exception: It cannot be checked.
        """
        (outcome,) = in_processes(self._function, iter([self.task(piece)]), 1)
        if outcome.result is None:
            raise outcome.error or RuntimeError()
        read: PieceRead[list[Finding]] = outcome.result
        return read

    def add(self, piece: Piece, outcome: Outcome[Any]) -> None:
        """Add the outcome of the next piece; one that failed is read once more."""
        if self._error is not None:
            return
        self._text.append(piece.text(self._data[piece.start : piece.end]))
        self._about_encoding += piece.findings
        try:
            for joined in self._joining.add(outcome.result or self._read(piece)):
                found = [one.counted(joined.before) for one in joined.result]
                self._findings += self._limit.kept([*found, *joined.beside])
        except Exception as error:  # noqa: BLE001  # one file must not stop the others
            self._error = error

    def outcome(self) -> Outcome[Any]:
        """Return the report on all pieces, or the error of one."""
        if self._error is not None:
            return Outcome(self._path, None, self._error)
        most = self._options.get("max_diagnostics")
        findings = [*self._about_encoding, *self._findings, *self._limit.rest(outside=True)]
        name, text = os.fspath(self._path), "".join(self._text)
        report = make_report(name, text, findings, self._options.get("options")).capped(most)
        if self._cache is None:
            return Outcome(self._path, report, None)
        from .result_cache import Checked

        return Outcome(self._path, Checked(report, self._key), None)


def share_file(
    task: Task,
    function: Callable[[Any], Any],
    jobs: int,
    options: dict[str, Any],
    cache: ResultCache | None,
) -> tuple[SharedFile, Iterator[Piece]] | None:
    """Return a file and its pieces; None if it cannot be shared, or need not be."""
    if isinstance(task.payload, Exception):
        return None
    source, own = task.payload
    try:
        file = SharedFile(task, _mapped(source), function, options | own, cache)
        pieces = file.pieces(jobs)
    except (OSError, ValueError, MemoryError):
        return None  # the process that reads all of it gives the reason
    return None if pieces is None else (file, pieces)


def _mapped(source: RecordBytes | str | os.PathLike[str]) -> mmap:
    """Return the bytes of a record as they are now, mapped: processes that are forked share them.

    As bytes they would count as memory of each process, though none looks at them.

    Raises:
        OSError: It cannot be read, or it changes meanwhile.
    """
    if isinstance(source, RecordBytes) or is_compressed(source):
        data = source.getvalue() if isinstance(source, RecordBytes) else read_record(source)
        mapped = mmap(-1, len(data))
        mapped.write(data)
        return mapped
    with open(source, "rb", buffering=0) as file:  # noqa: PTH123  # any path
        mapped, done = mmap(-1, os.fstat(file.fileno()).st_size), 0
        with memoryview(mapped) as view:
            while count := file.readinto(view[done:]):
                done += count
    if done < len(mapped):
        raise OSError("it changed while it was read")
    return mapped

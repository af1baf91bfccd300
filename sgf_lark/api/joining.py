"""Pieces of a record: each is read by itself, and a fold says what their games have in common.

A piece begins and ends where a game seems to; its games are judged as if all before them were
valid.  Only one that does not end where its last game does is read again, with the text after it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import islice
from mmap import mmap
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, Unpack

from sgf_lark.check.across_games import FileFold, Summary, check_match_length, is_fragment
from sgf_lark.findings.finding import Finding
from sgf_lark.findings.limits import MAX_ALIKE, FindingLimit
from sgf_lark.fix.place import OF_TEXT
from sgf_lark.fix.syntax import MAX_TOKENS
from sgf_lark.grammar.tokens import tokenize
from sgf_lark.model.collection import GameTree
from sgf_lark.places import LineIndex
from sgf_lark.text.archives import RecordBytes, is_compressed, read_record

from .load import ReadOptions, ReadSetup, make_report
from .pieces import Piece, cut_record, join_pieces
from .pipeline import ReadState, end_games, read_games
from .workers import Outcome, Task, in_processes

if TYPE_CHECKING:
    from sgf_lark.settings.selection import CheckOptions

    from .result_cache import ResultCache

T = TypeVar("T")

#: Number of the first game of a piece, if it is not the first one: some findings are about the
#: first two games of a record.
FIRST_NUMBER = 2


class PieceRead(NamedTuple, Generic[T]):
    """A piece, the summary of its games, and what else comes of reading it.

    Attributes:
        begins, ends: It begins with a game that is no part of another, and ends with the last one.
    """

    piece: Piece
    summary: Summary
    result: T
    begins: bool = True
    ends: bool = True


# ---- reading a piece ----


def read_piece(
    text: str,
    piece: Piece,
    *,
    options: CheckOptions | None = None,
    max_diagnostics: int | None = None,
    each: Callable[[GameTree, ReadState], object] | None = None,
    name: str = "",
    **reading: Unpack[ReadOptions],
) -> PieceRead[list[Finding]]:
    """Check a piece; games are counted from its beginning, and places are those in the record.

    Args:
        text: The text of the piece.
        piece: The piece.
        options, max_diagnostics: As for :func:`sgf_lark.check`.
        each: A function to call with each game and the state of reading; then each game has its
            own limit of findings, and the text outside games one only if the piece is a record.
        name: The name of the record.
        **reading: Options of :func:`sgf_lark.check` by which a text is read.

    Returns:
        The findings, but for those about the encoding and about games of several pieces.
    """
    asked = frozenset[str]() if options is None else options.asked
    most = None if max_diagnostics == 0 else MAX_ALIKE
    setup = ReadSetup.for_check(options, reading)
    is_part = piece.is_part
    state = ReadState(*setup.state, asked=asked, is_part=is_part, name=name)
    fold = state.fold
    fold.limit = FindingLimit(most, outside=each is None or not is_part, by_game=each is not None)
    fold.begin(0 if piece.is_first else FIRST_NUMBER)
    is_last = piece.is_last or piece.is_alone
    state.more = not is_last
    findings: list[Finding] = []
    looking = 0  # the end of the last game with a fix that depends on the text after it
    begins = ends = True

    def add(found: list[Finding]) -> None:
        moved = (one.completed().moved(piece.first) for one in found)
        findings.extend(one.counted(-fold.begun) for one in moved)

    for game, more in read_games(text, setup.format, state):
        add(more)
        names = {finding.name for finding in more}
        if not is_last and names & LOOKING_AHEAD:
            looking = state.done
            ends = not names & LOOKING_FAR
        if game is not None and each is not None:
            each(game, state)
        if game is not None and fold.number == fold.begun + 1:
            begins = piece.is_first or piece.is_alone or not is_fragment(game)
        if not (begins and ends):
            break
    if not is_last:
        ends = ends and state.done == len(text) and (not looking or _has_room(text, looking))
        add(end_games(text, [], state))
    summary = fold.summary.in_file(LineIndex(text, piece.first, piece.place))
    return PieceRead(piece, summary, findings, begins, ends)


#: Findings whose fixes depend on all the text after them, and those that depend on some of it.
LOOKING_FAR = frozenset({"property-outside-games", "no-game-record", "unclosed-value"})
LOOKING_AHEAD = LOOKING_FAR | {"unclosed-tree", *OF_TEXT}


def _has_room(text: str, start: int) -> bool:
    """Return whether a place is so far from the end that no fix there depends on the next piece."""
    end = text.find("]", start)
    if end < 0:
        return False
    following = islice(tokenize(text, end, len(text)), MAX_TOKENS, None)
    return next(following, None) is not None


# ---- joining ----


class Joined(NamedTuple, Generic[T]):
    """A piece whose findings are complete.

    Attributes:
        piece: The piece.
        result: What comes of reading it.
        before: Number of the games before it in the record.
        beside: The findings about its games beside those before it, or about a number before
            them, with their numbers in the record.
    """

    piece: Piece
    result: T
    before: int
    beside: list[Finding]


class Joining(Generic[T]):
    """Joins the pieces of a record, in their order.

    Args:
        read: Reads a piece once more, which several were joined to, or which is to be alone.
        asked: Names of the strict rules that are checked.
        most: Limit of pieces that are read together, in bytes; None for none.
    """

    def __init__(
        self,
        read: Callable[[Piece], PieceRead[T]],
        asked: frozenset[str],
        most: int | None = None,
    ) -> None:
        self._read = read
        self._most = most
        self._fold = FileFold(FindingLimit(None), asked)
        self._last: PieceRead[T] | None = None
        self._waiting: list[PieceRead[T]] = []

    def add(self, new: PieceRead[T]) -> Iterator[Joined[T]]:
        """Add a piece; yield those before it that are complete."""
        last = self._last or new
        waiting = self._waiting
        is_counted = last.summary.games > 0 or not last.piece.is_first
        is_between_games = last.ends and new.begins and is_counted  # both are as in the record
        if last is not new and (waiting or not is_between_games):
            if self._most is not None and new.piece.end - last.piece.start > self._most:
                for read in (last, *waiting):
                    yield self._finished(self._read(read.piece._replace(is_alone=True)))
                last, waiting = new, []
            else:
                waiting = [*waiting, new]
        elif last is not new:
            yield self._finished(last)
            last = new
        # as much again is waited for, so that no byte is read many times
        is_enough = waiting and waiting[-1].piece.end - last.piece.end >= last.piece.size
        if waiting and (is_enough or new.piece.is_last):
            joined = join_pieces([read.piece for read in (last, *waiting)])
            last, waiting = self._read(joined), []
        self._last, self._waiting = last, waiting
        if new.piece.is_last:
            yield self._finished(last)

    def _finished(self, read: PieceRead[T]) -> Joined[T]:
        before = self._fold.number
        beside = self._fold.add(read.summary)
        if read.piece.is_last and self._fold.match is not None:
            beside += check_match_length(self._fold.match)
        return Joined(read.piece, read.result, before, beside)


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
        own = self._own | {"name": os.fspath(self._path)}
        return Task(self._path, ((data, piece), own), piece.size)

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

"""A huge text is checked by several processes: it is cut between two games.

A cut is only where it is certain that both sides mean the same apart: between two valid games with
no signs of a record between them, of which the second one begins as games do; and not soon after a
broken game, whose fix looks at the text that follows.  So no piece is read twice, and a fold says
what the games of all pieces have to do with one another.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from sgf_lark.core import (
    MAX_ALIKE,
    MAX_TOKENS,
    VALUE,
    Category,
    FileFold,
    FileJudge,
    Finding,
    FindingLimit,
    Format,
    LineColumn,
    LineIndex,
    Options,
    PropertyTable,
    ReadOptions,
    Summary,
    Tape,
    TapeReader,
    check_match_length,
    decode,
    make_report,
    reads_as_ggf,
    split_games,
)

from .archives import RecordBytes, read_record
from .workers import Outcome, Task, in_processes

if TYPE_CHECKING:
    from sgf_lark.core import CheckOptions, GameTree

    from .result_cache import ResultCache

#: Number of the first game of a piece, if it is not the first one: some findings are about the
#: first two games of a record.
FIRST_NUMBER = 2

#: Characters of a piece: enough to be worth a message, few beside the memory of a process.
MIN_PIECE, MAX_PIECE = 1 << 17, 1 << 22

#: Pieces for each process, so that all processes end at about the same time.
PIECES_PER_PROCESS = 4

#: Categories of what only the first node of a game has.
_OF_ROOT = {Category.ROOT, Category.GAME_INFO}


class Piece(NamedTuple):
    """A piece of a text: some games, and the text before them; or all of it."""

    start: int
    end: int
    place: LineColumn
    is_first: bool
    is_last: bool

    @classmethod
    def whole(cls, text: str) -> Piece:
        return cls(0, len(text), LineColumn(1, 1), is_first=True, is_last=True)

    @property
    def is_part(self) -> bool:
        return not (self.is_first and self.is_last)


# ---- cutting ----


def _given(options: Mapping[str, Any], name: str) -> Any:
    """Return an option of :func:`sgf_lark.load`, which settings may have, too."""
    checks: CheckOptions | None = options.get("options")
    own = options.get(name)
    return own if own is not None or checks is None else checks.reading.get(name)


def cut_text(text: str, size: int, options: Mapping[str, Any]) -> Iterator[Piece]:
    start, place = 0, LineColumn(1, 1)
    for cut in chain(_find_cuts(text, size, options), [len(text)]):
        yield Piece(start, cut, place, is_first=start == 0, is_last=cut == len(text))
        place = LineIndex(text[start:cut], start, place).locate(cut)
        start = cut


def _find_cuts(text: str, size: int, options: Mapping[str, Any]) -> Iterator[int]:
    format_ = options.get("format")
    table = _given(options, "table") or PropertyTable.standard()
    names = {ggf: _root_names(table, ggf=ggf) for ggf in (False, True)}
    readers = {ggf: TapeReader(text, ggf=ggf) for ggf in (False, True)}
    tape: Tape | None = None

    def read(start: int, ggf: bool) -> int | None:  # noqa: FBT001  # as of a span
        nonlocal tape
        tape = readers[ggf].read(start)
        return None if tape is None else tape.stop

    quiet = MAX_TOKENS  # at least as many tokens were read since the last broken game
    begun = done = end = 0  # games that begin as such, the last cut, the end of the last game
    before = frozenset[str]()  # the signs between two games
    ggf = reads_as_ggf(None if format_ is None else Format.named(format_), None)
    for span in split_games(text, ggf=ggf, end_of=read):
        if not span.is_game:
            before = _SIGNS & {*text[span.start : span.end]}
            continue
        if not end and "[" in before:
            return  # a fix of properties before the first game counts all brackets
        is_due = begun > 1 and quiet >= MAX_TOKENS and end - done >= size and not before
        if (is_due or begun <= 1) and tape is not None and _begins_game(tape, names[span.ggf]):
            if is_due:
                yield end
                done = end
            begun += 1
        quiet = 0 if tape is None else quiet + tape.marks.count(VALUE)
        before, end = frozenset(), span.end


#: The signs of a record.
_SIGNS = frozenset("()[];")


def _begins_game(tape: Tape, names: set[str]) -> bool:
    """Return whether the first node of a game has one of some names, and begins with a name."""
    found = [name for name, _ in tape.pairs(0)]
    return bool(found) and found[0].isupper() and not names.isdisjoint(found)


def _root_names(table: PropertyTable, *, ggf: bool) -> set[str]:
    """Return the names that are only in first nodes, in whatever format of a family, and game."""
    rules = [rule for rule in table if (rule.format is Format.GGF) is ggf]
    others = {rule.ident for rule in rules if rule.category not in _OF_ROOT}
    of_formats = [
        {rule.ident for rule in rules if rule.format is format_ and rule.game is None}
        for format_ in Format
        if (format_ is Format.GGF) is ggf
    ]
    return set.intersection(*of_formats) - others


# ---- reading ----


class PieceRead(NamedTuple):
    """The summary of the games of a piece, and the findings in it."""

    summary: Summary
    findings: list[Finding]


def read_piece(
    text: str,
    piece: Piece,
    *,
    options: CheckOptions | None = None,
    max_diagnostics: int | None = None,
    each: Callable[[GameTree, FileJudge], object] | None = None,
    name: str = "",
    **reading: Unpack[ReadOptions],
) -> PieceRead:
    """Check a piece; games are counted from its beginning, and places are those in the record.

    Args:
        each: A function to call with each game and its judge; then each game has its own limit of
            findings, and the text outside games one only if the piece is a record.
        **reading: Options of :func:`sgf_lark.check` by which a text is read.

    Returns:
        The findings, but for those about the encoding and about games of several pieces.
    """
    how, by_game = Options.of_check(options, reading), each is not None
    most, outside = None if max_diagnostics == 0 else MAX_ALIKE, not (each and piece.is_part)
    reader = how.reader(name, most)
    limit = FindingLimit(most, outside=outside, by_game=by_game)
    judge = how.judge(reader, limit, is_part=piece.is_part)
    fold = judge.fold
    fold.begin(0 if piece.is_first else FIRST_NUMBER)
    findings: list[Finding] = []
    for game, found in judge.judge_now(text, reader.read(text)):
        moved = (one.completed().moved(piece.start) for one in found)
        findings += (one.counted(-fold.begun) for one in moved)
        if game is not None and each is not None:
            each(game, judge)
    return PieceRead(fold.summary.in_file(LineIndex(text, piece.start, piece.place)), findings)


# ---- joining ----


class PieceJoiner:
    """Joins the pieces of a record, in their order: a fold over the summaries of their games."""

    def __init__(self, options: CheckOptions | None) -> None:
        asked = frozenset[str]() if options is None else options.asked
        self._fold = FileFold(FindingLimit(None), asked)

    def add(self, piece: Piece, summary: Summary) -> tuple[int, list[Finding]]:
        """Go on with the next piece.

        Returns:
            The number of games before it in the record, and the findings about its games beside
            those, with their numbers in the record.
        """
        before = self._fold.number
        beside = self._fold.add(summary)
        if piece.is_last and self._fold.match is not None:
            beside += check_match_length(self._fold.match)
        return before, beside


class SharedFile:
    """A huge file, whose pieces are checked by processes."""

    def __init__(
        self,
        task: Task,
        data: bytes,
        function: Callable[[Any], Any],
        options: dict[str, Any],
        cache: ResultCache | None,
    ) -> None:
        self._path, self._own, self._size = task.path, task.payload[1], len(data)
        self._function, self._options, self._cache = function, options, cache
        self._key = None if cache is None else cache.key(data, os.fspath(task.path), options)
        self._text, _, findings = decode(data, options.get("encoding"))
        self._findings = [*findings]
        most = options.get("max_diagnostics")
        self._limit = FindingLimit(None if most == 0 else MAX_ALIKE, by_game=False)
        self._joining = PieceJoiner(options.get("options"))
        self._error: Exception | None = None

    def pieces(self, jobs: int) -> Iterator[Piece] | None:
        """Cut the file for some processes; None if there is no place for a cut, or no need."""
        if self._cache is not None and self._key is not None and self._cache.has(self._key):
            return None
        size = len(self._text) // (jobs * PIECES_PER_PROCESS)
        pieces = cut_text(self._text, min(MAX_PIECE, max(MIN_PIECE, size)), self._options)
        first = next(pieces)
        return chain([first], pieces) if first.is_part else None

    def task(self, piece: Piece) -> Task:
        """Return the task of checking a piece; its size is its share of the bytes."""
        start, end = (at * self._size // len(self._text) for at in (piece.start, piece.end))
        own = self._own | {"name": os.fspath(self._path)}
        text = self._text[piece.start : piece.end]
        return Task(self._path, ((text, piece), own), end - start)

    def add(self, piece: Piece, outcome: Outcome[Any]) -> None:
        """Add the outcome of the next piece; one that failed is read once more, by itself."""
        if self._error is not None:
            return
        if outcome.result is None:
            (outcome,) = in_processes(self._function, iter([self.task(piece)]), 1)
        read: PieceRead | None = outcome.result
        if read is None:
            self._error = outcome.error or RuntimeError()
            return
        before, beside = self._joining.add(piece, read.summary)
        found = [one.counted(before) for one in read.findings]
        self._findings += self._limit.kept([*found, *beside])

    def outcome(self) -> Outcome[Any]:
        """Return the report on all pieces, or the error of one."""
        if self._error is not None:
            return Outcome(self._path, None, self._error)
        findings = [*self._findings, *self._limit.rest(outside=True)]
        name, options = os.fspath(self._path), self._options.get("options")
        report = make_report(name, self._text, findings, options)
        report = report.capped(self._options.get("max_diagnostics"))
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
    options = options | own
    if any(_given(options, name) is not None for name in ("grammar", "values", "transformer")):
        return None
    try:
        data = source.getvalue() if isinstance(source, RecordBytes) else read_record(source)
        file = SharedFile(task, data, function, options, cache)
        pieces = file.pieces(jobs)
    except (OSError, ValueError, MemoryError):
        return None  # the process that reads all of it gives the reason
    return None if pieces is None else (file, pieces)

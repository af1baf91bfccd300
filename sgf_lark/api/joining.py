"""Pieces of a record: each is read by itself, and a fold says what their games have in common.

A piece begins and ends where a game seems to; its games are judged as if all before them were
valid.  Only one that does not end where its last game does is read again, with the text after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from sgf_lark.check.across_games import FileFold, Summary, check_match_length, is_fragment
from sgf_lark.findings.finding import Finding
from sgf_lark.findings.limits import MAX_ALIKE, FindingLimit
from sgf_lark.fix.place import OF_TEXT
from sgf_lark.fix.syntax import MAX_TOKENS
from sgf_lark.grammar.tokens import tokenize
from sgf_lark.model.collection import GameTree
from sgf_lark.places import LineIndex
from sgf_lark.schema.formats import Engine, EngineName, Format, FormatName
from sgf_lark.schema.properties import PropertyTable

from .load import dialect_of
from .pieces import Piece, join_pieces
from .pipeline import ReadState, end_games, read_games

if TYPE_CHECKING:
    import os

    from sgf_lark.values.transformers import ValueTransformer

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


def read_piece(  # the options of check
    text: str,
    piece: Piece,
    *,
    format: Format | FormatName | None = None,
    table: PropertyTable | None = None,
    engine: Engine | EngineName = Engine.AUTO,
    options: Any = None,
    max_diagnostics: int | None = None,
    grammar: str | os.PathLike[str] | None = None,
    values: ValueTransformer | None = None,
    each: Callable[[GameTree, ReadState], object] | None = None,
    **_: Any,
) -> PieceRead[list[Finding]]:
    """Check a piece; games are counted from its beginning, and places are those in the record.

    Args:
        text: The text of the piece.
        piece: The piece.
        format, table, engine, options, max_diagnostics, grammar, values: As for
            :func:`sgf_lark.check`.
        each: A function to call with each game and the state of reading; then each game has its
            own limit of findings, and the text outside games one only if the piece is a record.

    Returns:
        The findings, but for those about the encoding and about games of several pieces.
    """
    format_ = None if format is None else Format.named(format)
    if table is None and options is not None:
        table = options.table
    table_, engine_ = table or PropertyTable.standard(), Engine(engine)
    asked = frozenset[str]() if options is None else options.asked
    most = None if max_diagnostics == 0 else MAX_ALIKE
    dialect = dialect_of(grammar, values, table)
    is_part = piece.ggf is not None
    state = ReadState(table_, engine_, dialect, asked=asked, is_part=is_part)
    fold = state.fold
    fold.limit = FindingLimit(most, outside=each is None or not is_part, by_game=each is not None)
    fold.begin(0 if piece.is_first else FIRST_NUMBER)
    is_last = piece.is_last or piece.is_alone
    state.ggf, state.more = piece.ggf, not is_last
    findings: list[Finding] = []
    looking = 0  # the end of the last game with a fix that depends on the text after it
    begins = ends = True

    def add(found: list[Finding]) -> None:
        moved = (one.completed().moved(piece.first) for one in found)
        findings.extend(one.counted(-fold.begun) for one in moved)

    for game, more in read_games(text, format_, state):
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
        if last is not new and (waiting or not _is_between_games(last, new)):
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


def _is_between_games(one: PieceRead[Any], other: PieceRead[Any]) -> bool:
    """Return whether a border is between two games: both are read as in the record."""
    is_counted = one.summary.games > 0 or not one.piece.is_first
    return one.ends and other.begins and is_counted

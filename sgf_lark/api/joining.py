"""Pieces of a record: each is read by itself, and what they have to do with one another is joined.

A piece is read as if all pieces before it were valid.  Its summary tells if it ends where its last
game does, and if nothing in it waits for a later game.  What depends on the text beside it is read
again together with that text, so that the findings are those of the complete record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from itertools import islice
from typing import Any, Generic, NamedTuple, TypeVar

from sgf_lark.check.across_games import (
    DIFFERENT,
    FirstOfKind,
    SeenKinds,
    check_match_length,
    report_differences,
)
from sgf_lark.check.consequences import is_fragment
from sgf_lark.diagnostics.finding import Finding
from sgf_lark.diagnostics.limits import MAX_ALIKE, FindingLimit
from sgf_lark.fix.place import OF_TEXT
from sgf_lark.fix.syntax import MAX_TOKENS
from sgf_lark.grammar.tokens import tokenize
from sgf_lark.model.collection import GameTree
from sgf_lark.places import Span
from sgf_lark.schema.formats import Engine, EngineName, Format, FormatName
from sgf_lark.schema.properties import PropertyTable

from .pieces import Piece, join_pieces
from .pipeline import ReadState, read_games

T = TypeVar("T")

#: Number of the first game of a piece, if it is not the first one: some findings are about the
#: first two games of a record.
FIRST_NUMBER = 2


class Beside(Enum):
    """The text on which the findings in a piece depend: that before it, or that after it."""

    BEFORE = "before"
    AFTER = "after"


class Summary(NamedTuple):
    """The facts about a piece on which other pieces of the record depend.

    Attributes:
        games: Number of games.
        depends: None, or the text on which its findings depend; then they are not complete.
        kinds: The first game of each format and kind, with its number in the piece.
        matches: True if each game belongs to a match of GGF whose number of games is given,
            False if none does; None for some of them.
        outside: Number of findings outside games.
    """

    games: int
    depends: Beside | None = None
    kinds: tuple[FirstOfKind, ...] = ()
    matches: bool | None = None
    outside: int = 0


class PieceRead(NamedTuple, Generic[T]):
    """A piece, its summary, and what else comes of reading it."""

    piece: Piece
    summary: Summary
    result: T


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
    each: Callable[[GameTree, ReadState], object] | None = None,
    **_: Any,
) -> PieceRead[list[Finding]]:
    """Check a piece; games are counted from its beginning, and places are those in the record.

    Args:
        text: The text of the piece.
        piece: The piece.
        format, table, engine, options, max_diagnostics: As for :func:`sgf_lark.check`.
        each: A function to call with each game and the state of reading.

    Returns:
        The findings, but for those about the encoding and about games of several kinds.
    """
    format_ = None if format is None else Format.named(format)
    if table is None and options is not None:
        table = options.table
    table_, engine_ = table or PropertyTable.standard(), Engine(engine)
    strict_rules = frozenset[str]() if options is None else options.asked
    state = ReadState(table_, engine_, None, None if max_diagnostics == 0 else MAX_ALIKE)
    is_last = piece.is_last or piece.is_alone
    state.ggf, state.more, state.is_part = piece.ggf, not is_last, True
    state.number = first = 0 if piece.is_first else FIRST_NUMBER
    # whoever joins the pieces counts those outside games
    state.limit = FindingLimit(None if max_diagnostics == 0 else MAX_ALIKE, outside=False)
    findings: list[Finding] = []
    kinds: list[FirstOfKind] = []
    seen = (0, 0)
    in_match = set[bool]()
    looking = 0  # the end of the last game with a fix that depends on the text after it

    def result(depends: Beside | None) -> PieceRead[list[Finding]]:
        matches = in_match.pop() if len(in_match) == 1 else None
        outside = sum(finding.game is None for finding in findings)
        summary = Summary(state.number - first, depends, tuple(kinds), matches, outside)
        return PieceRead(piece, summary, findings)

    for game, more in read_games(text, format_, table_, engine_, strict_rules, state=state):
        found = (one.completed().moved(piece.first) for one in more if one.rule not in DIFFERENT)
        findings += (one.counted(-first) for one in found)
        names = {finding.name for finding in more}
        if not is_last and names & LOOKING_AHEAD:
            if names & LOOKING_FAR:
                return result(Beside.AFTER)
            looking = state.done
        if game is None:
            continue
        if state.number == first and not (piece.is_first or piece.is_alone) and is_fragment(game):
            return result(Beside.BEFORE)
        in_match.add(state.match is not None)
        now = (len(state.kinds.formats), len(state.kinds.games))
        if now != seen:
            rules, (start, end) = game.nodes.rules, game.nodes.places.node(0, 0)
            named = rules.format if now[0] > seen[0] else None
            place = Span(start + piece.first, end + piece.first)
            played = (rules.game.number, rules.game.name)
            kinds.append(FirstOfKind(named, played, state.number - first, place))
            seen = now
        if each is not None:
            each(game, state)
    is_settled = is_last or (
        state.done == len(text)
        and (not looking or _has_room(text, looking))
        and state.fragments.is_settled
        and not check_match_length(state.match)
    )
    return result(None if is_settled else Beside.AFTER)


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
        summary: Its summary.
        result: What comes of reading it.
        before: Number of the games before it in the record.
        differences: The findings about games of several kinds in it, with their numbers there.
    """

    piece: Piece
    summary: Summary
    result: T
    before: int
    differences: list[Finding]


class Joining(Generic[T]):
    """Joins the pieces of a record, in their order.

    Args:
        read: Reads a piece once more, which several were joined to, or which is to be alone.
        most: Limit of pieces that are read together, in bytes; None for none.
    """

    def __init__(self, read: Callable[[Piece], PieceRead[T]], most: int | None = None) -> None:
        self._read = read
        self._most = most
        self._kinds = SeenKinds(set(), set())
        self._games = 0
        self._last: PieceRead[T] | None = None
        self._waiting: list[PieceRead[T]] = []

    def add(self, new: PieceRead[T]) -> Iterator[Joined[T]]:
        """Add a piece; yield those before it that are complete."""
        last = self._last or new
        waiting = self._waiting
        if last is not new and (waiting or _belongs(new, last)):
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
        summary, before = read.summary, self._games
        kinds = [kind._replace(number=kind.number + before) for kind in summary.kinds]
        self._games += summary.games
        return Joined(*read, before, [*report_differences(kinds, self._kinds)])


def _belongs(new: PieceRead[Any], before: PieceRead[Any]) -> bool:
    """Return whether a piece has to be read together with the one before it.

    In GGF a number of games belongs to all games after it, up to the next number.
    """
    first, second = before.summary, new.summary
    is_short = before.piece.is_first and first.games < FIRST_NUMBER
    is_one_match = first.matches is not False and second.matches is not True
    return (
        is_short or is_one_match or first.depends is Beside.AFTER or second.depends is Beside.BEFORE
    )

"""The typed values of properties.

Whole numbers are ``int``, real numbers :class:`~decimal.Decimal` (6.5 stays 6.5), texts
``str``, full dates :class:`datetime.date`, and a property without a value is ``True``.
Everything else is one of the frozen types below.
"""

import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from enum import IntEnum, IntFlag
from itertools import accumulate
from typing import Literal, TypeAlias, overload

from pydantic import SkipValidation

from .backgammon import (
    BackgammonMove as BackgammonMove,  # noqa: PLC0414  # values, too
    BackgammonRules as BackgammonRules,  # noqa: PLC0414
    CubeOwner as CubeOwner,  # noqa: PLC0414
    Dice as Dice,  # noqa: PLC0414
)
from .frozen import Model as Model  # noqa: PLC0414
from .points import BoardSize as BoardSize, Color as Color, Point as Point  # noqa: PLC0414  # values, too
from .results import Ending as Ending, Result as Result  # noqa: PLC0414


class Double(IntEnum):
    """The two strengths of an annotation; FF[1] and FF[3] call the type Triple."""

    NORMAL = 1
    EMPHASIZED = 2


_new, _set = object.__new__, object.__setattr__


class Pass(Model):
    """A move that plays nothing."""

    kind: Literal["pass"] = "pass"

    def __str__(self) -> str:
        return "pass"


PASS = Pass.model_construct()  # the same as Pass(), which would wait for its model


class Action(Model):
    """A move that is a word: ``double``, ``resign``, ``swap-pieces`` ... in lower case.

    Attributes:
        word: The word, in lower case.
    """

    kind: Literal["action"] = "action"
    word: str

    def __str__(self) -> str:
        return self.word


class Rectangle(Model):
    """A rectangle in a list of points, by the corners as the file names them.

    In a game whose board nobody described the corners stay text, and have no points.

    Attributes:
        first, second: Its corners, as the file has them.
    """

    kind: Literal["rectangle"] = "rectangle"
    first: Point | str
    second: Point | str

    @property
    def corners(self) -> tuple[Point, Point] | None:
        """Smallest and largest column and row; None if the corners are only text."""
        first, second = self.first, self.second
        if isinstance(first, str) or isinstance(second, str):
            return None
        if first.column <= second.column and first.row <= second.row:
            return first, second
        low = Point(min(first.column, second.column), min(first.row, second.row))
        return low, Point(max(first.column, second.column), max(first.row, second.row))

    def __str__(self) -> str:
        return f"{self.first}:{self.second}"

    def on_board(self, size: BoardSize) -> tuple[Point, Point] | None:
        """Return the corners of its part on a board; None if it has none there."""
        if self.corners is None:
            return None
        low, high = self.corners
        if low.column >= size.columns or low.row >= size.rows:
            return None
        return low, Point(min(high.column, size.columns - 1), min(high.row, size.rows - 1))


class Composed(Model):
    """Two values with a colon between.

    Attributes:
        first, second: The value before the colon, and the one after it.
    """

    kind: Literal["composed"] = "composed"
    first: "SkipValidation[Value]"
    second: "SkipValidation[Value]"

    def __str__(self) -> str:
        return f"{self.first}:{self.second}"


class Application(Model):
    """AP: the program that wrote the record; ``version`` is None if it left that out.

    Attributes:
        name: The name of the program.
        version: Its version; None if the record leaves it out.
    """

    kind: Literal["application"] = "application"
    name: str
    version: str | None

    def __str__(self) -> str:
        return " ".join(filter(None, (self.name, self.version)))


class Figure(Model):
    """FG: the settings of a printed figure.

    Attributes:
        flags: See :class:`FigureFlag`; a set bit switches a feature off.
        name: Title of the diagram.
    """

    kind: Literal["figure"] = "figure"
    flags: int
    name: str


class FigureFlag(IntFlag):
    """Bits of :attr:`Figure.flags` (FF[4], property FG)."""

    NO_COORDINATES = 1
    NO_NAME = 2
    NO_LIST_OF_UNSHOWN_MOVES = 4
    KEEP_CAPTURED_STONES = 256
    NO_HOSHI = 512
    IGNORE_FLAGS = 32768


class PartialDate(Model):
    """A year, or a year and a month.

    Attributes:
        year: The year.
        month: The month, from 1; None if only the year is given.
    """

    kind: Literal["partial-date"] = "partial-date"
    year: int
    month: int | None = None

    def __str__(self) -> str:
        return f"{self.year:04}" if self.month is None else f"{self.year:04}-{self.month:02}"


class Stamp(Model):
    """A moment of a GGF record: local time as printed, and the zone's name beside it.

    Attributes:
        moment: The time as printed.
        zone: The name of its zone.
    """

    kind: Literal["stamp"] = "stamp"
    moment: datetime
    zone: str

    def __str__(self) -> str:
        return f"{self.moment:%Y-%m-%d %H:%M:%S} {self.zone}"


class Invalid(Model):
    """A value that is not of its type, kept as the file has it.

    Attributes:
        raw: The text between the brackets.
        expected: A description of the valid values.
    """

    kind: Literal["invalid"] = "invalid"
    raw: str
    expected: str

    def __str__(self) -> str:
        return self.raw


# ---- games other than Go ----


class Step(Model):
    """A move from one point to another.

    Attributes:
        origin: Where the piece stood.
        target: Where it went.
        capture: The notation says that something is taken; None where it cannot say so.
    """

    kind: Literal["step"] = "step"
    origin: Point
    target: Point
    capture: bool | None = None

    def __str__(self) -> str:
        return f"{self.origin}{':' if self.capture else '-'}{self.target}"


class AmazonsMove(Model):
    """An amazon's way, and where its arrow went.

    Attributes:
        origin: Where the amazon stood.
        target: Where it went.
        arrow: Where its arrow went.
    """

    kind: Literal["amazons-move"] = "amazons-move"
    origin: Point
    target: Point
    arrow: Point

    def __str__(self) -> str:
        return f"{self.origin}-{self.target}-{self.arrow}"


class LinkCenter(Model):
    """Twixt before 2021: a shallow link, by the point half a row above its center.

    Attributes:
        point: Half a row above the center of the link.
    """

    kind: Literal["link-center"] = "link-center"
    point: Point


class Pod(Model):
    """An Octi pod: its square, and its prongs ``A`` (north) clockwise to ``H``.

    Attributes:
        point: Its square.
        prongs: The letters of its prongs, sorted; empty if they are left out.
    """

    kind: Literal["pod"] = "pod"
    point: Point
    prongs: str = ""


class OctiStep(Model):
    """One jump or step of a pod.

    Attributes:
        target: Where the pod lands.
        captured: For each pod taken with this step its prongs, or an empty text where the
            file leaves them out.
    """

    kind: Literal["octi-step"] = "octi-step"
    target: Point
    captured: tuple[str, ...] = ()


class OctiMove(Model):
    """Pods that move, each along its steps.

    Attributes:
        moves: Each pod with its steps.
    """

    kind: Literal["octi-move"] = "octi-move"
    moves: tuple[tuple[Pod, tuple[OctiStep, ...]], ...]


class ProngMove(Model):
    """A prong is added, or turned from one direction to another.

    Attributes:
        pod: The pod.
        prong: The letter of the prong.
        superprong: The added prong is a superprong.
        to: New direction of a prong that turns; None for a new prong.
    """

    kind: Literal["prong-move"] = "prong-move"
    pod: Pod
    prong: str
    superprong: bool = False
    to: str | None = None


# ---- GGF ----


class Period(Model):
    """A part of a clock.

    Attributes:
        seconds: The time.
        moves: For how many moves; None or 0 for all of them.
        not_added: It does not add up: what an initial time or an increment leaves is lost, and an
            extension begins anew each time.  In GGF it is an N before the moves.
    """

    kind: Literal["period"] = "period"
    seconds: float
    moves: int | None = None
    not_added: bool = False


#: The systems of :class:`Clock`.
ClockSystem: TypeAlias = Literal[
    "none",
    "absolute",
    "japanese",
    "canadian",
    "fischer",
    "bronstein",
    "simple",
    "hourglass",
    "extension",
    "other",
]

_NO_TIME = Period.model_construct(seconds=0)  # which waits for no model


class Clock(Model):
    """Thinking time of each player: of SGF what TM and OT say, of GGF what TI, TB or TW say.

    Attributes:
        system: ``none`` (no overtime), ``absolute``, ``japanese`` (byo-yomi), ``canadian``,
            ``fischer``, ``bronstein``, ``simple`` (a time for each move), ``hourglass``; of GGF
            also ``extension`` (once, for the rest of the game) and ``other``.
        initial: The main time; None if it is not known.
        increment: What each move adds; of Bronstein no more than the move took.
        extension: What follows when the time is up: the period of byo-yomi, for one move; that of
            Canadian overtime, for a number of stones; the time of each move of ``simple``.
        periods: The number of periods of byo-yomi.
        cap: The most seconds that increments add up to.
    """

    kind: Literal["clock"] = "clock"
    system: ClockSystem
    initial: Period | None = None
    increment: Period = _NO_TIME
    extension: Period = _NO_TIME
    periods: int | None = None
    cap: float | None = None


class InitialBoard(Model):
    """The initial board of a GGF game.

    Attributes:
        size: As the file says; 88 is the octagon of Othello.
        rows: Cells ``*`` black, ``O`` white, ``-`` empty, from the first row to the last.
        to_move: Who plays first.
    """

    kind: Literal["board"] = "board"
    size: int
    rows: tuple[str, ...]
    to_move: Color


class OthelloType(Model):
    """TY of an Othello game of GGF.

    Attributes:
        komi: The colors are bid for.
        size: 4, 6 ... 14, or 88 for the octagon.
        synchro: Two games with swapped colors.
        anti: Who has fewer discs wins.
        random: Discs of a random start; 0 if the number is left out; None for no such start.
        preference: Color that the asking player prefers.
    """

    kind: Literal["othello-type"] = "othello-type"
    size: int
    synchro: bool = False
    komi: bool = False
    anti: bool = False
    random: int | None = None
    preference: Color | None = None


class Played(Model):
    """A move of a GGF game.

    Attributes:
        move: The move itself, as SGF has it.
        evaluation: In view of the player who moves; None if the file gives none.
        seconds: Time used; None if the file gives none.
    """

    kind: Literal["played"] = "played"
    move: "SkipValidation[Value]"
    evaluation: Decimal | None = None
    seconds: Decimal | None = None

    def __str__(self) -> str:
        return str(self.move)


#: Any value of a property.
Value: TypeAlias = (
    bool
    | int
    | Decimal
    | str
    | Color
    | Double
    | Point
    | BoardSize
    | Pass
    | Action
    | Rectangle
    | Composed
    | Application
    | Figure
    | tuple[date | PartialDate, ...]
    | Stamp
    | Result
    | Invalid
    | BackgammonMove
    | Dice
    | CubeOwner
    | BackgammonRules
    | Step
    | AmazonsMove
    | LinkCenter
    | Pod
    | OctiMove
    | ProngMove
    | Clock
    | InitialBoard
    | OthelloType
    | Played
)


#: A move: ``node.move.value``, and ``node["B"]`` without what GGF notes beside it.
MoveValue: TypeAlias = (
    str
    | Point
    | Pass
    | Action
    | BackgammonMove
    | Step
    | AmazonsMove
    | LinkCenter
    | OctiMove
    | ProngMove
    | Invalid
)


def points_of(value: object) -> Iterator[Point]:
    """Yield all points that a value names."""
    match value:
        case Point():
            yield value
        case Rectangle(first=first, second=second) | Composed(first=first, second=second):
            yield from (point for point in (first, second) if isinstance(point, Point))
        case LinkCenter() | Pod():
            yield value.point
        case Played():
            yield from points_of(value.move)
        case _:
            yield from _points_of_move(value)


def _points_of_move(value: object) -> Iterator[Point]:
    match value:
        case Step():
            yield from (value.origin, value.target)
        case AmazonsMove():
            yield from (value.origin, value.target, value.arrow)
        case BackgammonMove():
            for pair in value.pairs:
                yield from pair
        case ProngMove():
            yield value.pod.point
        case OctiMove():
            for pod, steps in value.moves:
                yield pod.point
                yield from (step.target for step in steps)


class PointList(Sequence[Point]):
    """The points of a list such as AB or TR; rectangles are expanded on demand.

    A rectangle of a million points costs as much as one point until it is walked through.
    Points come in the order of the file; a rectangle's row by row.  A list may name a
    point twice, and then holds it twice: several checkers on one point of backgammon.

    Attributes:
        entries: The points and rectangles as the file names them.
    """

    __slots__ = ("entries",)

    def __init__(self, entries: tuple[Point | Rectangle, ...]) -> None:
        self.entries = entries

    def __iter__(self) -> Iterator[Point]:
        for entry in self.entries:
            if isinstance(entry, Point):
                yield entry
            elif entry.corners is not None:
                (left, top), (right, bottom) = entry.corners
                for row in range(top, bottom + 1):
                    for column in range(left, right + 1):
                        yield Point(column, row)

    def _counts(self) -> Iterator[int]:
        for entry in self.entries:
            if isinstance(entry, Point):
                yield 1
            elif entry.corners is None:
                yield 0
            else:
                low, high = entry.corners
                yield (high.column - low.column + 1) * (high.row - low.row + 1)

    @property
    def total(self) -> int:
        """The number of points, also where it is more than ``len`` can return."""
        return sum(self._counts())

    def __len__(self) -> int:
        total = self.total
        if total > sys.maxsize:
            raise OverflowError(f"{total} points are more than len() can return; use total")
        return total

    def __bool__(self) -> bool:
        return any(self._counts())

    @overload
    def __getitem__(self, index: int) -> Point: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Point]: ...
    def __getitem__(self, index: int | slice) -> Point | Sequence[Point]:
        ends = list(accumulate(self._counts()))
        total = ends[-1] if ends else 0
        if isinstance(index, slice):
            return tuple(self._point(ends, number) for number in range(*index.indices(total)))
        if not -total <= index < total:
            raise IndexError(f"there is no point {index}")
        return self._point(ends, index % total)

    def _point(self, ends: list[int], index: int) -> Point:
        at = bisect_right(ends, index)
        entry = self.entries[at]
        if isinstance(entry, Point):
            return entry
        low, high = entry.corners or (Point(0, 0), Point(0, 0))
        row, column = divmod(index - (ends[at - 1] if at else 0), high.column - low.column + 1)
        return Point(low.column + column, low.row + row)

    def on_board(self, size: BoardSize) -> "PointList":
        """Return the part of the list that is on a board: its walk is bounded by the board."""
        entries: list[Point | Rectangle] = []
        for entry in dict.fromkeys(self.entries):
            if isinstance(entry, Point):
                if entry.column < size.columns and entry.row < size.rows:
                    entries.append(entry)
            elif (corners := entry.on_board(size)) is not None:
                low, high = corners
                entries.append(low if low == high else Rectangle(first=low, second=high))
        return PointList(tuple(entries))

    def __contains__(self, point: object) -> bool:
        for entry in self.entries:
            if isinstance(entry, Point):
                if entry == point:
                    return True
            elif entry.corners is not None and isinstance(point, Point):
                low, high = entry.corners
                if low.column <= point.column <= high.column and low.row <= point.row <= high.row:
                    return True
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PointList) and self.entries == other.entries

    def __hash__(self) -> int:
        return hash(self.entries)

    def __repr__(self) -> str:
        return f"PointList({self.entries!r})"


#: Any ``node[ident]``: a value, or those of a list.
NodeValue: TypeAlias = Value | tuple[Value, ...] | PointList

"""The state of a game on its board: it changes in place, and goes back to earlier positions.

One class a game, each in its own module, says how its pieces move.  It knows no record and no
finding.  :class:`.Board` is the frozen handle that users have; the checks and the positions of a
record drive a state directly, because that costs nothing for each node.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator
from decimal import Decimal
from functools import partial, reduce
from operator import xor
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, TypeAlias

from sgf_lark.core import (
    GAMES,
    PASS,
    RULES,
    Action,
    BoardSize,
    Color,
    Ending,
    Game,
    Pass,
    Point,
    Result,
    Value,
    late,
    points_of,
)
from sgf_lark.pictures.parts import BoardKind, Stone

from .coordinates import Coordinates
from .symmetry import NO_SYMMETRIES, Symmetries, Transformation

if TYPE_CHECKING:
    from sgf_lark.core import Content, Finding, GameTree
    from sgf_lark.pictures.diagram import Diagram


class GameEnd(NamedTuple):
    """The end of a game, as its board shows it; no move after it is illegal for that.

    See :attr:`.Board.outcome`.

    Attributes:
        winner: None after a draw, and where the board does not tell: after two passes of Go the
            points are counted, and which stones are dead is a question for the players.
        reason: The words after the winner, such as "five in a line".
        points: What the winner gets; None where a win is a win.
        is_draw: Nobody has won.
    """

    winner: Color | None
    reason: str
    points: int | None = None
    is_draw: bool = False

    @property
    def words(self) -> tuple[str, str]:
        """Who has won, and the reason."""
        if self.winner is None:
            return "Draw" if self.is_draw else "Over", self.reason
        return f"{self.winner.name.capitalize()} wins", self.reason

    def __str__(self) -> str:
        return ": ".join(self.words)


class Score(NamedTuple):
    """The points of both sides; see :meth:`.Board.score`.

    >>> print(Score(Decimal(44), Decimal("43.5")))
    B+0.5
    """

    black: Decimal
    white: Decimal

    @property
    def margin(self) -> Decimal:
        """Black's points without White's: negative where White has more."""
        return self.black - self.white

    @property
    def winner(self) -> Color | None:
        """The side with more points; None for a draw."""
        return (Color.BLACK if self.margin > 0 else Color.WHITE) if self.margin else None

    def __str__(self) -> str:
        return f"{self.winner}+{abs(self.margin):f}" if self.winner else "Draw"


def given_up(last: Value | None, to_play: Color | None) -> GameEnd | None:
    """Return the end by a last move that is a word, as Hex and Lines of Action have them."""
    if isinstance(last, Action) and last.word in {"resign", "forfeit"}:
        return GameEnd(to_play, f"the other side {last.word}s")
    return None


#: The ways in which a game ends: after the winner, or alone.
ENDINGS = {
    Ending.RESIGNATION: "by resignation",
    Ending.TIME: "on time",
    Ending.FORFEIT: "by forfeit",
    Ending.LEFT: "because the opponent left",
    Ending.DRAW: "Draw",
    Ending.VOID: "No result",
    Ending.UNKNOWN: "Unknown",
    Ending.MUTUAL: "by agreement",
}


def words_of_result(result: Result) -> tuple[str, ...]:
    """Return the words for a result of a record, as a board shows them at the end.

    None where nobody knows it.
    """
    if result.winner is None:
        return () if result.ending in {None, Ending.UNKNOWN} else (ENDINGS[result.ending],)
    won = f"{result.winner.name.capitalize()} wins"
    if result.ending is not None:
        return won, ENDINGS[result.ending]
    return (won,) if result.margin is None else (won, str(result))


class Verdict(NamedTuple):
    """The legality of a move; true if it is legal.

    Attributes:
        name: The rule that it breaks, a key of :data:`sgf_lark.RULES`; "" for a legal move.
        reason: The words after the move, such as "is played on a black stone".
        help: Advice to whoever checks a record.
        is_lost: The board cannot be known after the move: it was carried out as far as it could be.
        is_disputed: Programs differ about the rule, and the move may be legal for some.
        joint: The characters between the move and the reason.
    """

    name: str = ""
    reason: str = ""
    help: str = "a move before it may be missing or wrong"
    is_lost: bool = False
    is_disputed: bool = False
    joint: str = " "

    @property
    def ok(self) -> bool:
        """The move is legal."""
        return not self.name

    @property
    def code(self) -> str:
        """The code of the rule that it breaks, such as ``G605``; "" for a legal move."""
        return RULES[self.name].code if self.name else ""

    def sentence(self, move: str) -> str:
        """Return what is wrong with a move: its text, and the reason."""
        return f"{move}{self.joint}{self.reason}"

    def __bool__(self) -> bool:
        return not self.name

    def __repr__(self) -> str:
        if not self.name:
            return f"<Verdict {self.reason or 'legal'}>"
        return f"<Verdict {self.code} {self.name}: {self.reason}>"


class Feature(NamedTuple):
    """A part of a position: what stands somewhere, or another fact that decides how it goes on."""

    points: tuple[Point, ...] = ()  # where; several in order
    color: Color | None = None
    what: str = ""  # the number of equal pieces, if there are several; or a word such as ko
    prongs: str = ""

    def transformed(self, to: Transformation) -> Feature:
        points = self.points and tuple(sorted(map(to.point, self.points)))
        color = self.color and to.color(self.color)
        return Feature(points, color, self.what, self.prongs and to.prongs(self.prongs))


#: Makes an empty state of a game.
StateMaker: TypeAlias = "Callable[[Game, BoardSize], State]"

#: Returns the first move of a record; None without one.
FirstMove: TypeAlias = Callable[[], tuple[Color, Value] | None]

#: The number of a feature on the board of a game.
FeatureNumber: TypeAlias = Callable[[Game, BoardSize, Feature], int]

#: No point holds more pieces.
MOST = 0xFF

#: The verdict about a legal move.
LEGAL = Verdict()

#: The verdict about a value that is a move of another game, or a pass where there is none.
NO_MOVE = Verdict("illegal-move", "is no move of this game", "correct the move")


class State(ABC):
    """A board of one game that changes in place."""

    work: int  # steps spent on what costs more than a stone does; see MAX_WORK

    #: The class of each game whose module is loaded, by the number of the game.
    by_number: ClassVar[dict[int, type[State]]] = {}

    # What a game says of itself.

    number_of_game: int | None
    kind: ClassVar[BoardKind] = BoardKind.LINES
    #: The name of a piece in :class:`.Stone`.
    piece: ClassVar[str] = "stone"
    #: How its points are named.
    names: ClassVar[type[Coordinates]] = Coordinates
    #: The turns and mirrors that keep its rules, and how they move its points.
    symmetries: ClassVar[Symmetries] = NO_SYMMETRIES
    transformation: ClassVar[type[Transformation]] = Transformation
    #: The sides move by turns.
    takes_turns: ClassVar[bool] = True
    #: Its moves are points, but for words such as a pass.
    moves_are_points: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "number_of_game" in vars(cls) and cls.number_of_game is not None:
            State.by_number[cls.number_of_game] = cls

    @classmethod
    def check(cls, game: GameTree, asked: frozenset[str]) -> Iterator[Finding]:  # noqa: ARG003  # of Go
        """Check a record by the rules of the game: here, the legality of its moves."""
        return late.check_moves(game)

    @classmethod
    def begins_with_pieces(cls) -> bool:
        """Tell if the game has pieces on the board before the first move."""
        return cls.put_start is not State.put_start

    def __init__(self, size: BoardSize, *, rules: str = "") -> None:  # noqa: ARG002  # of Go
        self.size = size
        # the side to move; None if it is not known
        self.to_play: Color | None = self.game.first_color
        self.number = 0
        self.last: Value | None = None  # the last move; None before the first one, and after setup
        self.black_captured = self.white_captured = 0
        # all pieces are known.  If not, only what follows from a move itself is judged
        self.is_known = True
        self.work = 0

    @property
    def game(self) -> Game:
        return GAMES[self.number_of_game or 0]

    @property
    def coordinates(self) -> Coordinates:
        return Coordinates.of(self.number_of_game, self.size)

    @property
    def rows_from_bottom(self) -> bool:
        """Row 0 is drawn at the bottom."""
        return self.game.rows_from_bottom

    # ---- what is on it ----

    @property
    def ko(self) -> Point | None:
        return None

    @abstractmethod
    def at(self, point: Point) -> Any:
        """Return what is on a point of the board; None if it is empty."""

    @abstractmethod
    def pieces(self) -> Iterator[Stone]:
        """Yield what is on the board, in the order of rows and columns."""

    def position(self) -> Hashable:
        """Return what decides how the game can go on: equal only to that of an equal board."""
        return (self.size, self.to_play, tuple(self.pieces()))

    def missing(self) -> Iterable[Point]:
        """Return the points that the board does not have, such as the corners of the octagon."""
        return ()

    def features(self) -> Iterator[Feature]:
        """Yield the parts of the position: pieces, the side to move, and what else counts.

        The rules do not, nor the positions before.
        """
        for point, color, piece, amount, prongs in self.pieces():
            what = piece if color is None else str(amount) if amount > 1 else ""
            yield Feature((point,), color, what, prongs)
        yield from self.other_features()

    def other_features(self) -> Iterator[Feature]:
        for point in self.missing():
            yield Feature((point,), what="missing")
        if self.to_play is not None:
            yield Feature(color=self.to_play, what="to-play")
        if self.ko is not None:
            yield Feature((self.ko,), what="ko")

    def put_feature(self, feature: Feature) -> None:
        """Add a part of a position to a board; the opposite of :meth:`features`."""
        if (
            feature.color is None
            or len(feature.points) != 1
            or not (feature.what or "1").isdecimal()
        ):
            raise ValueError(f"no part of a position of {self.game.name}: {feature.what!r}")
        ident = "AB" if feature.color is Color.BLACK else "AW"
        for _ in range(min(int(feature.what or 1), MOST)):
            self.put_points(feature.points[0], feature.points[0], ident)

    @classmethod
    def read_picture(cls, lines: list[str], game: Game, make: StateMaker) -> State:
        """Return the position of a picture, as :meth:`.Board.text` draws it."""
        return late.read_rows(lines, game, make)

    def put_sign(self, point: Point, color: Color | None, what: str, rest: str) -> None:  # noqa: ARG002  # of Octi
        """Put down what a picture shows on a point."""
        if what != "missing":
            self.put_feature(Feature((point,), color, what))

    def put_drawn(self, lines: list[str], starts: list[int], rows: list[int]) -> None:  # noqa: B027
        """Put down what a picture shows between the points: the links of Twixt."""

    def xor_features(self, number: FeatureNumber) -> int:
        return reduce(xor, map(partial(number, self.game, self.size), self.features()), 0)

    def stone_sets(self) -> tuple[int, int] | None:
        """Return the black and the white stones as sets of points.

        Returns:
            For each side a number with the bit ``row * (columns + 1) + column`` for each of its
            stones; None if the game has other pieces, or the board a side of more than 52.
        """
        return None

    def diagram(self) -> Diagram:
        from sgf_lark.pictures.diagram import Diagram

        names, end = self.coordinates, self.end()
        return Diagram.model_construct(  # whose validation makes each piece anew
            kind=self.kind,
            size=self.size,
            piece=self.piece,
            stones=tuple(self.pieces()),
            last=tuple(self.points_of_last()),
            column_names=names.columns,
            row_names=names.rows,
            rows_from_bottom=self.rows_from_bottom,
            hoshi=self.hoshi(),
            to_play=self.to_play if end is None else None,
            ending=() if end is None else end.words,
            game=self.game.name,
            number=self.number,
        )

    def position_id(self, color: Color | None = None) -> str:  # noqa: ARG002  # of backgammon
        """Return GNU Backgammon's name of a position; see :meth:`.Board.position_id`."""
        raise ValueError(f"a Position ID is of backgammon, not of {self.game.name}")

    def points_of_last(self) -> Iterable[Point]:
        return points_of(self.last)

    def hoshi(self) -> tuple[Point, ...]:
        return ()

    # ---- moves ----

    @abstractmethod
    def judge(self, move: Value, color: Color) -> Verdict:
        """Tell if a move is legal; the board does not change.

        Whose turn it is does not count.  All points of the move are on the board.
        """

    @abstractmethod
    def play(self, move: Value, color: Color) -> Verdict:
        """Carry out a move, legal or not, as FF[4] demands (KO); return what :meth:`judge` says.

        An illegal move is carried out as far as it makes sense on a board.
        """

    @abstractmethod
    def moves(self, color: Color) -> Iterator[Value]:
        """Yield the legal moves of a side, in the order of the board; a pass where it is one."""

    def end(self) -> GameEnd | None:
        """Return how the game has ended; None if it goes on, or the board does not tell."""
        return None

    def score(self, way: str, dead: Iterable[Point]) -> tuple[Decimal, Decimal]:  # noqa: ARG002
        """Return the points of Black and of White, without komi; see :meth:`.Board.score`."""
        raise ValueError(f"{self.game.name} has no points: outcome says who has won")

    def group(self, point: Point) -> Iterable[Point]:  # noqa: ARG002  # of some games
        """Return the pieces that are connected with one, see :meth:`.Board.group`."""
        raise ValueError(f"{self.game.name} has no groups")

    def liberties(self, point: Point) -> Iterable[Point]:  # noqa: ARG002  # of Go
        """Return the empty points beside a group, see :meth:`.Board.liberties`."""
        raise ValueError(f"{self.game.name} has no liberties")

    def connects(self, color: Color) -> bool:  # noqa: ARG002  # of some games
        """Tell if a side connects what it has to, see :meth:`.Board.connected`."""
        raise ValueError(f"nothing is to be connected in {self.game.name}")

    def faults(self) -> Iterator[str]:
        """Yield what cannot be in a game, in words; see :attr:`.Board.status`."""
        yield from ()

    def read_move(self, text: str) -> Value:
        """Return the move that people write so, such as ``Q16``."""
        return PASS if text.strip().lower() in {"", "pass"} else self.coordinates.point(text)

    def read_move_of(self, text: str, color: Color) -> Value:  # noqa: ARG002  # of backgammon
        """Return the move that people write so if a side plays it; see :meth:`read_move`."""
        return self.read_move(text)

    def read_piece(self, text: str) -> Value:
        """Return what setup puts down where people write so: a point, or a pod of Octi."""
        return self.coordinates.point(text)

    def name_move(self, move: Value) -> str:
        """Return a move as people write it; the opposite of :meth:`read_move`."""
        if isinstance(move, Pass | Action):
            return move.word if isinstance(move, Action) else "pass"
        return self.coordinates.name(move) if isinstance(move, Point) else str(move)

    def has(self, point: Point) -> bool:
        """Return True if a point is on the board."""
        columns, rows = self.size
        return 0 <= point.column < columns and 0 <= point.row < rows

    # ---- setup ----

    @abstractmethod
    def put_points(self, low: Point, high: Point, ident: str) -> bool:
        """Set all points between two corners, as setup does: nothing is captured.

        Args:
            ident: ``AB``, ``AW``, ``AE``, or what else the game sets up (``AA`` of Amazons).

        Returns:
            False if all of them held that; in a game with other pieces than stones always True.
        """

    def put_start(self) -> None:  # noqa: B027  # empty in many games
        """Set up the usual start of the game: here, the empty board.

        Where nobody knows it, the board stays as it is, and :attr:`is_known` becomes False.
        """

    def put_start_of(self, root: Content, first: FirstMove) -> None:  # noqa: ARG002  # of some games
        """Set up the usual start of a record; in some games its first node or move says which."""
        self.put_start()

    def put_setting(self, ident: str, value: object) -> None:
        """Carry out a property of setup that is no list of points.

        Args:
            ident: ``PL``, or what else the game sets up: ``DI`` of backgammon, pods of Octi.
            value: One value of the property; one that is none of it changes nothing.
        """
        if ident == "PL" and isinstance(value, Color):
            self.to_play = value

    def settings_of(self, dice: Any, cube: object, owner: Any) -> Iterator[tuple[str, object]]:  # noqa: ARG002  # of backgammon
        """Yield dice and cube as properties of setup; see :meth:`.Board.set_up`."""
        raise ValueError(f"no dice and no cube in {self.game.name}: they are of backgammon")

    # ---- symmetries ----

    @abstractmethod
    def transformed(self, to: Transformation) -> Self:
        """Return a state of its own that is turned, mirrored or has its sides exchanged.

        All of the position goes with it: what was taken, the last move and what is forbidden.
        """

    def finish_transformed(self, other: State, to: Transformation) -> None:
        """Give a state that has the pieces already what else changes in every game."""
        other.to_play = self.to_play and to.color(self.to_play)
        other.number, other.is_known, other.work = self.number, self.is_known, self.work
        other.black_captured, other.white_captured = self.black_captured, self.white_captured
        if to.exchanges_sides:
            other.black_captured, other.white_captured = self.white_captured, self.black_captured
        try:
            other.last = None if self.last is None else to.value(self.last)
        except ValueError:  # of Twixt before 2021: the center of a steep link
            other.last = None

    # ---- the way back ----

    @property
    def status(self) -> tuple[Any, ...]:
        """Return what changes beside the pieces, for :meth:`rewind`."""
        return self.to_play, self.number, self.last, self.black_captured, self.white_captured

    @status.setter
    def status(self, status: tuple[Any, ...]) -> None:
        self.to_play, self.number, self.last, self.black_captured, self.white_captured = status

    @property
    @abstractmethod
    def mark(self) -> Any:
        """Return the present position, for :meth:`rewind`."""

    @abstractmethod
    def rewind(self, mark: Any) -> None:
        """Go back to an earlier position; later marks are forgotten."""

    @abstractmethod
    def copy(self) -> Self:
        """Return a state of its own with the same position, without the way back."""

"""Boards for users: a position of any game that has rules, which never changes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from decimal import Decimal
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias, Unpack

from sgf_lark.core import (
    GAMES,
    LONGEST_SIDE,
    PASS,
    BoardSize,
    Color,
    CubeOwner,
    Game,
    Model,
    Point,
    Value,
    color_of,
    game_and_size,
    knows_points,
    late,
    name_in_words,
    no_attribute,
    number_of_game,
    plural,
    points_of,
    side_and_move,
)

from .coordinates import EXAMPLE, AnyPoint, places_of, point_at, size_of
from .state import GameEnd, Score, State, Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sgf_lark.pictures.diagram import Diagram, Picture, SvgOptions
    from sgf_lark.pictures.parts import TextStyle

    from .symmetry import Symmetry

    #: What may be on a point; the text is that of an arrow.
    Contents: TypeAlias = Color | str | late.Checkers | tuple[late.HeldPod, ...] | None


class IllegalMoveError(ValueError):
    """A move that the rules of its game forbid.

    Attributes:
        verdict: The rule and the reason.
    """

    __module__ = "sgf_lark"  # as tracebacks show it

    def __init__(self, message: str, verdict: Verdict) -> None:
        super().__init__(message)
        self.verdict = verdict


def state_of(game: Game, size: BoardSize, rules: str = "") -> State:
    """Return a state of a game with an empty board (ValueError: it has none of that size)."""
    if why := _why_no_board(game):
        raise ValueError(f"no board of {name_in_words(game.name)}: {why}")
    if min(size) < 1 or max(size) > LONGEST_SIDE:
        raise ValueError(
            f"no board of {size[0]} by {size[1]}: expected sides of 1 to {LONGEST_SIDE}"
        )
    found = late.find_state(game.number)
    if found is not None:
        return found(size, rules=rules)
    return late.OtherState(size, rules=rules, game=game)


def _why_no_board(game: Game) -> str:
    """Return the reason why a game has no board; "" if it has one."""
    if not game.has_board:
        return "it is played without one"
    if knows_points(game):
        return ""
    if game.is_custom:
        return "it has no rules, and its points are no columns and rows"
    return "its points are not defined"


class LegalMoves(tuple[Value, ...]):  # noqa: SLOT001  # with attributes
    """The legal moves of a side; a move is also found by its name.

    Attributes:
        board, color: The board and the side.
    """

    board: Board
    color: Color

    def __contains__(self, move: object) -> bool:
        if isinstance(move, str):
            try:
                move = self.board._state.read_move_of(move, self.color)  # noqa: SLF001
            except ValueError:
                return False
        return super().__contains__(move)


class Board:
    """A position of a game: pieces, the side to move, and what else decides about moves.

    It never changes: :meth:`play` returns another board.  (Only the one of
    ``game.positions(live=True)`` does; :meth:`copy` keeps it.)

    >>> board = Board("Go", 9)
    >>> board = board.play("E5").play("E6")
    >>> board["E5"], board.to_play
    (<Color.BLACK: 'B'>, <Color.BLACK: 'B'>)

    >>> Board(19), Board("Hex"), Board(9, game="Amazons")
    (<Board Go 19x19 after 0 moves, Black to play>, ...)

    Args:
        first: The game by its name, or a :class:`Game`; a number alone is the size of a Go board.
        size: The side of the board, or columns and rows; the usual board if None.
        game: The game again, where ``first`` is the size: its name, or its number in GM.
        rules: Of Go: the rules as RU names them, which decide about suicide and superko.
        empty: Without the pieces with which the game begins.

    Raises:
        ValueError: The points of that game are not defined, so that it has no board, or it is
            not played on such a board.
        TypeError: The size is neither a number nor two, or there are two games or sizes.
    """

    __slots__ = ("_state",)
    _state: State

    def __init__(
        self,
        first: Game | int | str | tuple[int, int] | None = None,
        /,
        size: int | tuple[int, int] | None = None,
        *,
        game: Game | int | str | None = None,
        rules: str = "",
        empty: bool = False,
    ) -> None:
        wanted_game, size = game_and_size(first, size, game)
        found = find_game(wanted_game)
        asked = None if size is None else size_of(size)
        wanted = asked or found.size or found.usual_size or BoardSize(15, 15)
        state = state_of(found, wanted, rules)
        if asked and state.size != asked:
            raise ValueError(f"no board of {found.name} has a size of its own: leave it out")
        if not empty:
            state.put_start()
        _set(self, "_state", state)

    @classmethod
    def of(cls, state: State) -> Board:
        """Return the view of a state, which changes with it."""
        board = cls.__new__(cls)
        _set(board, "_state", state)
        return board

    @classmethod
    def from_text(cls, text: str, game: Game | int | str = 1, *, rules: str = "") -> Board:
        """Return the board of a picture, as :meth:`text` draws it, or of a :meth:`notation`.

        A picture shows no ko, no dice that are still to be played, and one kind of pod on a point,
        with the prongs that are known.

        >>> Board.from_text("Go 3x3 W B:B2").text("ascii").splitlines()
        ['  A B C', '3 . . .', '2 . X .', '1 . . .', 'O White to play']

        Args:
            text: Lines in any style, coordinates among them; or the line.
            game: Of a picture, as the board takes it.  A line names its game.
            rules: As the board takes them.

        Raises:
            ValueError: It is no board of the game.
        """
        make = partial(state_of, rules=rules)
        line = late.read_line(text.strip(), find_game, make)
        return cls.of(late.read_picture(text, find_game(game), make) if line is None else line)

    def notation(self) -> str:
        """Return the position in one line, which :meth:`from_text` reads.

        The game, the size, the side to move, then the pieces and what else decides how the game
        goes on, such as a ko, dice, or the cube; not the rules, nor the positions before.

        >>> Board("Go", 9).play("E5").play("E6").notation()
        'Go 9x9 B B:E5 W:E6'
        """
        return late.line_of(self._state)

    if not TYPE_CHECKING:  # it would hide wrong names from type checkers

        def __getattr__(self, name: str) -> NoReturn:
            raise no_attribute(self, name)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a board never changes ({name}): play() returns another one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a board never changes ({name})")

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the parts for a pickle, and for a copy by :mod:`copy`."""
        return Board.of, (self._state.copy(),)

    def copy(self) -> Board:
        """Return a board of its own, which stays as it is now: see ``positions(live=True)``."""
        return Board.of(self._state.copy())

    # ---- what is on it ----

    @property
    def game(self) -> Game:
        """The game."""
        return self._state.game

    @property
    def size(self) -> BoardSize:
        """Columns and rows; 26 and 1 of backgammon: 24 points, bar and tray."""
        return self._state.size

    @property
    def to_play(self) -> Color | None:
        """The side to move; None if it is not known."""
        return self._state.to_play

    @property
    def number(self) -> int:
        """Moves played, passes included, from the start or from where the record begins."""
        return self._state.number

    @property
    def last(self) -> Value | None:
        """The last move; None before the first one, and after setup."""
        return self._state.last

    @property
    def captured(self) -> dict[Color, int]:
        """The number of pieces of each color that were taken."""
        state = self._state
        return {Color.BLACK: state.black_captured, Color.WHITE: state.white_captured}

    @property
    def ko(self) -> Point | None:
        """The point on which a ko forbids to play (Go); None for no ko."""
        return self._state.ko

    def position_id(self, color: Color | str | None = None) -> str:
        """Return the Position ID of GNU Backgammon: 14 characters for a position of checkers.

        Args:
            color: The side on roll; who is to play if None.

        Raises:
            ValueError: The game is another one, or the side on roll is not known.
        """
        return self._state.position_id(color_of(color) if color else None)

    def point(self, place: AnyPoint) -> Point:
        """Return a point by its name or its column and row.

        Raises:
            ValueError: There is no such point on this board.
            TypeError: It is neither a text nor two numbers.
        """
        names = self._state.coordinates
        point = names.point(place) if isinstance(place, str) else point_at(place)
        if not self._state.has(point):
            raise ValueError(f"no point {tuple(point)} on {names.board}")
        return point

    def __getitem__(self, place: AnyPoint) -> Contents:
        """Return what is on a point: a Color, or None.

        Args:
            place: The name of a point (``Q16``, ``d3``), a Point, or column and row from 0.

        Returns:
            The color of a stone; None for an empty point.  Amazons has ``ARROW`` for an arrow,
            backgammon :class:`~sgf_lark.games.backgammon.Checkers`, Octi a
            tuple of :class:`~sgf_lark.games.octi.HeldPod`.

        Raises:
            ValueError: There is no such point on this board.
        """
        held: Contents = self._state.at(self.point(place))
        return held

    def stone(self, place: AnyPoint) -> Color | None:
        """Return the color of the piece on a point; None for an empty one, and what has no color.

        ``board[place]`` says in each game what is there: this is enough where a piece is a stone.

        Raises:
            ValueError: There is no such point on this board; or there are pieces of both sides.
        """
        point = self.point(place)
        colors = {one.color for one in self._state.pieces() if one.point == point}
        if len(colors) > 1:
            raise ValueError(f"pieces of both sides are on {self._state.coordinates.name(point)}")
        return colors.pop() if colors else None

    def stones(self, color: Color | str | None = None) -> tuple[Point, ...]:
        """Return the points with pieces of a color (None: of either), row by row."""
        wanted = set(Color) if color is None else {color_of(color)}
        return tuple(
            stone.point
            for stone in self._state.pieces()
            if stone.color is not None and stone.color in wanted
        )

    def __eq__(self, other: object) -> bool:
        """Tell if all that decides how the game can go on is equal."""
        if not isinstance(other, Board):
            return NotImplemented
        return self._position == other._position

    def __hash__(self) -> int:
        return hash(self._position)

    @property
    def _position(self) -> Hashable:
        return self.game.number, self.game.name, self._state.position()

    # ---- moves ----

    def legal(self, move: Value, color: Color | str | None = None) -> Verdict:
        """Tell if a move is legal, and why not.

        Args:
            move: A value as ``node.move.value`` has it, or a text such as ``Q16`` or ``W Q16``.
            color: Who plays; who is to play if None.  Whose turn it is does not count.

        Raises:
            ValueError: The text is no move of this game.
            TypeError: It is neither a text nor a value.
        """
        return self._judge(*self._move(move, color))

    def _judge(self, move: Value, color: Color) -> Verdict:
        state = self._state
        if not all(map(state.has, points_of(move))):
            return Verdict("point-off-board", "lies outside the board")
        return state.judge(move, color)

    def _move(self, move: Value, color: Color | str | None) -> tuple[Value, Color]:
        move, who = find_side(move, color, self.to_play)
        if isinstance(move, str):
            move = self._state.read_move_of(move, who)
        elif type(move) is tuple:
            move = point_at(move)
        elif type(move) is not Point and not isinstance(move, Model):
            raise TypeError(
                f"no move {move!r}: expected a text such as {EXAMPLE!r}, column and row from 0, "
                "or a value as node.move.value has it"
            )
        return move, who

    def legal_moves(self, color: Color | str | None = None) -> LegalMoves:
        """Return all legal moves of a side, in the order of the board; none if the game is over.

        ``"E5" in board.legal_moves()`` is True as well as ``Point(4, 4) in ...``.

        Backgammon: one play for each position to which the roll can lead; if the dice are not
        known, the plays of all 21 rolls and a double.  ``set_up(dice=(3, 1))`` gives the dice.

        Args:
            color: Who plays; who is to play if None.
        """
        _, who = self._move(PASS, color)
        moves = LegalMoves(() if self.is_over else self._state.moves(who))
        moves.board, moves.color = self, who
        return moves

    def name(self, move: Value) -> str:
        """Return a move as people write it, such as ``Q16`` or ``d1-d7-g7``."""
        return self._state.name_move(move)

    def play(self, move: Value, color: Color | str | None = None, *, force: bool = False) -> Board:
        """Return the board after a move.

        Args:
            move, color: As :meth:`legal` takes them.
            force: Carry out an illegal move as well, as KO demands in a record (FF[4], KO).

        Raises:
            IllegalMoveError: The move is illegal.
            ValueError: The text is no move of this game.
            TypeError: It is neither a text nor a value.
        """
        value, who = self._move(move, color)
        verdict = self._judge(value, who)
        if not (verdict or (force and verdict.name != "point-off-board")):
            shown = self._state.name_move(value)
            message = verdict.sentence(f"{who.name.capitalize()} {shown}")
            raise IllegalMoveError(message, verdict)
        state = self._state.copy()
        state.play(value, who)
        return Board.of(state)

    def set_up(
        self,
        *,
        black: AnyPoint | Iterable[AnyPoint] = (),
        white: AnyPoint | Iterable[AnyPoint] = (),
        empty: AnyPoint | Iterable[AnyPoint] = (),
        to_play: Color | str | None = None,
        dice: tuple[int, int] | None = None,
        cube: int | None = None,
        cube_owner: CubeOwner | str | None = None,
    ) -> Board:
        """Return the board with other pieces; setup never captures.

        Args:
            black, white, empty: Points, or a single one; of backgammon each naming is one checker
                more, of Octi one pod, whose prongs may be named (``46CD``) and are not known
                otherwise.
            to_play: The side to move; as before if None.
            dice: Of backgammon: a roll that is to be played.
            cube: Of backgammon: the value of the doubling cube.
            cube_owner: Of backgammon: who may double: ``b``, ``w``, ``c`` (both).

        Raises:
            ValueError: There is no such point, side or roll, or the game has no dice.
            TypeError: A point is neither a text nor two numbers.
        """
        state = self._state.copy()
        for ident, places in (("AE", empty), ("AB", black), ("AW", white)):
            for place in places_of(places):
                piece = state.read_piece(place) if isinstance(place, str) else self.point(place)
                if isinstance(piece, Point):
                    state.put_points(piece, piece, ident)
                else:
                    state.put_setting(ident, piece)
        state.last = None
        state.is_known = True
        state.put_setting("PL", color_of(to_play) if to_play else None)
        if not all(setting is None for setting in (dice, cube, cube_owner)):
            for ident, value in state.settings_of(dice, cube, cube_owner):
                state.put_setting(ident, value)
        return Board.of(state)

    # ---- the end ----

    @property
    def is_over(self) -> bool:
        """The game has ended; False where the board does not tell.  No move is illegal for it."""
        return self._state.end() is not None

    @property
    def outcome(self) -> GameEnd | None:
        """The end of the game: the winner and the reason; None if it goes on.

        Go: two consecutive passes, Othello: nobody can move, Gomoku: five stones in a line or more,
        backgammon: all checkers are off, or a drop, Lines of Action: all pieces of a side are
        connected, Hex and Twixt: a side connects its edges, Amazons: the side to move cannot,
        Octi: all pods of a side were taken, Gess: a side has no ring.

        >>> board = Board("Gomoku+Renju").set_up(black=["c3", "d3", "e3", "f3"], to_play="B")
        >>> print(board.play("g3").outcome)
        Black wins: five in a line
        """
        return self._state.end()

    def score(
        self,
        way: Literal["area", "territory"] = "area",
        *,
        komi: Decimal | float = 0,
        dead: AnyPoint | Iterable[AnyPoint] = (),
    ) -> Score:
        """Return the points of both sides, as the pieces stand, whether the game is over or not.

        Go: stones and the points that only they reach (area), or these points and the prisoners
        (territory, where the eyes of a seki count, too).  Othello: discs.  Amazons: free squares
        to which only one side can come.  Backgammon: what the winner gets.

        Args:
            way: Of Go: how points are counted.
            komi: White's points for moving second.
            dead: Of Go: stones that are dead, at least one of each group, or a single one.

        Raises:
            ValueError: The game has no points, the way is none of the two, or komi is not finite.
            TypeError: A point is neither a text nor two numbers, or komi is no number.
        """
        if way not in {"area", "territory"}:
            raise ValueError(f"no way {way!r} to count: expected 'area' or 'territory'")
        if not isfinite(komi):
            raise ValueError(f"komi is {komi}: expected a number of points")
        black, white = self._state.score(way, map(self.point, places_of(dead)))
        return Score(black, white + Decimal(str(komi)))

    def group(self, place: AnyPoint) -> tuple[Point, ...]:
        """Return the points of all pieces connected with one, row by row; none for an empty point.

        Raises:
            ValueError: The game has no groups: it is not Go, Hex, Twixt or Lines of Action.
        """
        return self._connected_at(place, self._state.group)

    def liberties(self, place: AnyPoint) -> tuple[Point, ...]:
        """Return the empty points beside the group of a stone of Go, row by row.

        Raises:
            ValueError: The game is another one.
        """
        return self._connected_at(place, self._state.liberties)

    def _connected_at(
        self, place: AnyPoint, find: Callable[[Point], Iterable[Point]]
    ) -> tuple[Point, ...]:
        point = self.point(place)
        return tuple(find(point) if self._state.at(point) is not None else ())

    def connected(self, color: Color | str) -> bool:
        """Tell if a side connects its edges (Hex, Twixt) or all its pieces (Lines of Action).

        Raises:
            ValueError: The game is another one.
        """
        return self._state.connects(color_of(color))

    @property
    def status(self) -> tuple[str, ...]:
        """Faults of the position in words: what no game leads to, such as no liberties.

        >>> Board("Go", 9).set_up(black=["A1"], white=["A2", "B1"]).status
        ('the group at A1 has no liberty',)
        """
        return tuple(self._state.faults())

    # ---- keys, symmetries, arrays ----

    @property
    def key(self) -> int:
        """The key of the position, 64 bits: equal for equal pieces, side to move and ko.

        It is the same on every machine and in every version (:mod:`sgf_lark.positions.keys`).
        Rules and earlier positions do not count.
        """
        return late.key(self._state)

    @property
    def key_symmetric(self) -> int:
        """The smallest key of all symmetric positions, and so equal for all of them."""
        return min(late.symmetric_keys(self._state).values())

    def canonical(self) -> tuple[Board, Symmetry]:
        """Return the symmetric position with the smallest key, and the symmetry that leads to it.

        >>> first, second = (Board("Go", 9).play(move) for move in ("C4", "D7"))
        >>> first.canonical()[0] == second.canonical()[0]
        True
        """
        keys = late.symmetric_keys(self._state)
        to = min(keys, key=keys.__getitem__)
        return Board.of(self._state.transformed(to)), to.symmetry

    def transformed(self, symmetry: Symmetry | str) -> Board:
        """Return the board turned or mirrored, with all that belongs to the position.

        Where a symmetry keeps the rules only with exchanged sides, they are exchanged: in Hex
        with a reflection in a diagonal, in Twixt with a quarter turn as well, in Octi with half
        a turn or with exchanged rows, in backgammon with half a turn.

        Raises:
            ValueError: There is no such symmetry, or it does not keep the rules of the game.
        """
        number = self._state.number_of_game
        return Board.of(
            self._state.transformed(late.transformation(number, self.size, late.Symmetry(symmetry)))
        )

    def recolored(self) -> Board:
        """Return the position in which each side is as the other one was.

        Black's pieces become White's, and it is the other side's turn.  Where the sides differ in
        more than color, the board is turned as well: transposed in Hex and Twixt, by half a turn
        in Octi and backgammon.
        """
        return Board.of(
            self._state.transformed(late.recoloring(self._state.number_of_game, self.size))
        )

    def array(self) -> NDArray[np.int8]:
        """Return the pieces as an array of numpy, ``array[point.row, point.column]``.

        Returns:
            Rows and columns, int8: 0 empty, 1 black, 2 white, 3 what belongs to neither (an arrow
            of Amazons) or to both (pods of Octi), -1 a square that the board does not have (of
            the octagon).  Backgammon: 2 rows (black, white) and 26 columns (24 points, bar, tray)
            with the numbers of checkers.

        Raises:
            ImportError: numpy is not installed: it is the extra ``sgf_lark[numpy]``.
        """
        return late.array(self._state)

    def planes(
        self,
        names: str | Iterable[str] = "stones",
        *,
        before: Sequence[Board] = (),
        history: int = 8,
    ) -> NDArray[np.int8]:
        """Return planes as an array of numpy, ``planes[plane, point.row, point.column]``.

        Args:
            names: ``stones`` (black, white), ``agz17``, or names: ``black``, ``white``, ``own``
                and ``other`` (of the side to move), ``empty``, ``ko``, ``last`` (the points of the
                last move), ``legal`` (points of legal moves), ``to_play`` (1 everywhere if Black
                is to play).  ``agz17`` is what AlphaGo Zero sees (Silver and others, 2017,
                Methods): own and other stones of this position, of the one before and so on,
                then ``to_play``: 2 * history + 1 planes.
            before: Of ``agz17``: the boards before this one, the latest last.  A board does not
                know them; ``game.positions()`` yields them.  Missing ones are empty planes.
            history: Of ``agz17``: positions, this one included.

        Returns:
            Planes, rows and columns, int8: 0 or 1, or the number of pieces on a point.

        Raises:
            ImportError: numpy is not installed: it is the extra ``sgf_lark[numpy]``.
            ValueError: There is no such plane, the side to move is not known and a plane wants
                it, or the boards before are of another game or size.
        """
        states = [board._state for board in before[-history:]]  # noqa: SLF001  # its own class
        return late.planes(self._state, names, states, history)

    # ---- pictures ----

    def diagram(self) -> Diagram:
        """Return the picture of the board, as data."""
        return self._state.diagram()

    def text(self, style: TextStyle = "unicode") -> str:
        """Return the picture as lines of text; see :func:`sgf_lark.pictures.text.draw_text`."""
        return self.diagram().text(style)

    def svg(self, **options: Unpack[SvgOptions]) -> Picture:
        """Return the picture as SVG; see :func:`sgf_lark.pictures.svg.draw_svg`."""
        return self.diagram().svg(**options)

    def _repr_svg_(self) -> str:
        return str(self.svg())

    def _repr_html_(self) -> str:
        return late.image_of(self._repr_svg_())

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        columns, rows = self.size
        who = f", {self.to_play.name.capitalize()} to play" if self.to_play else ""
        size = f" {columns}x{rows}" if self.game.has_size else ""
        return f"<Board {self.game.name}{size} after {plural(self.number, 'move')}{who}>"


_set = object.__setattr__


def find_side(move: Any, color: Color | str | None, to_play: Color | None) -> tuple[Any, Color]:
    """Return a move without its side, and that side: of its text, as given, or to play."""
    named, given = None, None if color is None else color_of(color)
    if isinstance(move, str):
        named, move = side_and_move(move)
    if named is not None and given not in {None, named}:
        raise ValueError(
            f"the move is {named.name.capitalize()}'s by its text: leave out the color"
        )
    who = named or given or to_play
    if who is None:
        raise ValueError("the side to move is not known: give the color")
    return move, who


def find_game(wanted: Game | int | str) -> Game:
    """Return a game by itself, its number or its name in any case."""
    if isinstance(wanted, str):
        wanted = number_of_game(wanted) or wanted
    if isinstance(wanted, Game):
        return wanted
    if isinstance(wanted, int) and wanted in GAMES:
        return GAMES[wanted]
    raise ValueError(f"no game {wanted!r}: GAMES lists the standard's, such as 1 or 'Go'")

"""The state of a game of pieces in cells, one in each, or of a game whose rules are not known."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache, partial, reduce
from itertools import compress, count
from operator import xor
from typing import TYPE_CHECKING, Any, ClassVar, Self

from sgf_lark.core import (
    LETTERED_SIDE,
    Action,
    BoardSize,
    Color,
    Game,
    InitialBoard,
    Memo,
    Pass,
    Point,
    Step,
    Value,
    name_in_words,
    reach,
)
from sgf_lark.pictures.parts import BoardKind, Stone

from .grid import BLACK, BORDER, EMPTY, NAMES, SETUP_CELLS, STONES, WHITE, CellGrid
from .state import LEGAL, Feature, FeatureNumber, State, Verdict

if TYPE_CHECKING:
    from .symmetry import Transformation

#: The contents of cells by the symbols of a first board of GGF (BO); " " pads a short row.
CELLS_OF_BO = {ord(symbol): held for held, symbol in enumerate("-*O ")}

#: The sides by the contents of cells.
COLORS_OF_CELLS = {BLACK: Color.BLACK, WHITE: Color.WHITE}


#: What cells hold if the sides are exchanged.
EXCHANGED = {BLACK: WHITE, WHITE: BLACK}


class CellState(CellGrid, State):
    """Cells that are changed one by one; each change is logged, so that it can be taken back.

    A subclass whose rules need more than the cells overrides :attr:`.State.status`.
    """

    #: What a cell may hold that is of no side, as a feature has it.
    neutral: ClassVar[str | None] = None

    def __init__(self, size: BoardSize, *, rules: str = "") -> None:
        CellGrid.__init__(self, *size)
        State.__init__(self, size, rules=rules)
        self.rules = rules

    @property
    def mark(self) -> tuple[int, tuple[Any, ...]]:  # type: ignore[override]  # with the status
        return self.log_length, self.status

    def rewind(self, mark: tuple[int, tuple[Any, ...]]) -> None:  # type: ignore[override]
        """Go back to an earlier position; each change is taken back once."""
        length, self.status = mark
        CellGrid.rewind(self, length)

    def copy(self) -> Self:
        """Return a state of its own with the same position, without the way back."""
        other = self.empty(self.size)
        other.cells[:] = self.cells
        other.is_known = self.is_known
        other.status = self.status
        return other

    def empty(self, size: BoardSize) -> Self:
        """Return a state with the same rules and an empty board of a size."""
        return type(self)(size, rules=self.rules)

    def transformed(self, to: Transformation) -> Self:
        other = self.empty(to.new_size)
        exchanged = EXCHANGED if to.exchanges_sides else {}
        columns, rows = self.size
        for row in range(rows):
            first = self.cell(Point(0, row))
            for column, held in enumerate(self.cells[first : first + columns]):
                if held != EMPTY:
                    cell = other.cell(to.point(Point(column, row)))
                    other.cells[cell] = exchanged.get(held, held)
        self.finish_transformed(other, to)
        return other

    # ---- what is on it ----

    def at(self, point: Point) -> Any:
        return COLORS_OF_CELLS.get(self.cells[self.cell(point)])

    def pieces(self) -> Iterator[Stone]:
        columns, rows = self.size
        for row in range(rows):
            first = self.cell(Point(0, row))
            for column, held in enumerate(self.cells[first : first + columns]):
                if held != EMPTY and (stone := self.stone(Point(column, row), held)):
                    yield stone

    def stone(self, point: Point, held: int) -> Stone | None:
        """Return what a cell that is not empty holds; None for what is no piece."""
        color = COLORS_OF_CELLS.get(held)
        return None if color is None else Stone(point, color, self.piece)

    def position(self) -> Hashable:
        return self.size, self.to_play, bytes(self.cells)

    def put_feature(self, feature: Feature) -> None:
        points, color, what, _ = feature
        if len(points) != 1 or what != ("" if color else self.neutral):
            super().put_feature(feature)
        else:
            self.put(self.cell(points[0]), STONES[color] if color else BORDER)

    def xor_features(self, number: FeatureNumber) -> int:
        """Return the exclusive or of the numbers of the features; those of pieces are kept."""
        if not self._has_stones_only:
            return super().xor_features(number)
        others = map(partial(number, self.game, self.size), self.other_features())
        found = reduce(xor, others, 0)
        for held, color in COLORS_OF_CELLS.items():
            known = numbers_of_pieces(self.game, self.size, color, number, border=1)
            chosen = compress(count(), self.cells.translate(_CHOSEN[held]))
            found = reduce(xor, map(known.__getitem__, chosen), found)
        return found

    def stone_sets(self) -> tuple[int, int] | None:
        if not self._has_stones_only:
            return None
        cells = self.cells[: self.cell(Point(0, 0)) - 1 : -1]  # the last one first
        black, white = (int(cells.translate(_DIGITS[held]), 2) for held in (BLACK, WHITE))
        return black, white

    def cells_with(self, held: int) -> int:
        """Return the cells that hold something as a set: a bit each, the last cell first."""
        return int(self.cells.translate(_DIGITS[held]), 2)

    @property
    def _has_stones_only(self) -> bool:
        kind = type(self)
        return max(self.size) <= LETTERED_SIDE and (
            kind.features is State.features
            and kind.pieces is CellState.pieces
            and kind.stone is CellState.stone
        )

    def point_of(self, cell: int) -> Point:
        """Return the point of a cell: the opposite of :meth:`.Grid.cell`."""
        row, column = divmod(cell, self.step)
        return Point(column - 1, row - 1)

    # ---- changes ----

    def put_points(self, low: Point, high: Point, ident: str) -> bool:
        held = BORDER if ident == "AA" else SETUP_CELLS[ident]
        if low == high:
            return self.put(self.cell(low), held)  # without work, for lists of many points
        return self.put_rectangle(low, high, held)

    def put_taking(self, cell: int, held: int) -> None:
        """Set a cell; a piece that was there is captured."""
        old = self.cells[cell]
        if old:
            self.take(old)
        self.put(cell, held)

    def take(self, held: int) -> None:
        """Count a piece that is taken; an empty cell does not count."""
        self.black_captured += held == BLACK
        self.white_captured += held == WHITE

    def move_piece(self, origin: int, target: int) -> None:
        """Move what is on a cell to another one; a piece that was there is captured."""
        held = self.cells[origin]
        if held in COLORS_OF_CELLS and origin != target:
            self.put(origin, EMPTY)
            self.put_taking(target, held)

    def put_board(self, setup: InitialBoard) -> None:
        """Set up the first board of a game of GGF (BO), which has as many rows and columns.

        A short row is in the middle of its line: the octagon of Othello lacks the corners.
        """
        width = self.size.columns
        for row, cells in enumerate(setup.rows):
            cut = (width - len(cells)) // 2
            padded = " " * cut + cells + " " * (width - len(cells) - cut)
            first = self.cell(Point(0, row))
            self.cells[first : first + width] = padded.translate(CELLS_OF_BO).encode()
        self.to_play = setup.to_move

    # ---- moves ----

    def empty_points(self) -> Iterator[Point]:
        columns, rows = self.size
        for row in range(rows):
            first = self.cell(Point(0, row))
            held = self.cells[first : first + columns]
            column = held.find(EMPTY)
            while column >= 0:
                yield Point(column, row)
                column = held.find(EMPTY, column + 1)

    def judge_placement(self, point: Point) -> Verdict:
        """Tell if a piece may be put down on a point: it must be empty."""
        held = self.cells[self.cell(point)]
        if held == EMPTY:
            return LEGAL
        reason = f"is played on a {NAMES[held]} stone"
        return Verdict("occupied-point", reason, "correct the move")

    def finish_move(self, move: Value, color: Color) -> None:
        """Count a move that was carried out, and let the other side play."""
        self.number += 1
        self.last = move
        self.to_play = color.opponent

    def joined(self) -> Callable[[int], Iterator[int]] | None:
        """Return the function that yields the pieces joined to one; None without groups."""
        return None

    def group(self, point: Point) -> Iterable[Point]:
        joined = self.joined()
        if joined is None:
            return super().group(point)
        return map(self.point_of, sorted(reach([self.cell(point)], joined)))

    def joins_edges(self, color: Color, *, down: bool) -> bool:
        """Tell if joined pieces go from the first row, or column, to the last one."""
        columns, rows = self.size
        first, held, joined = self.cell(Point(0, 0)), self.stone_of(color), self.joined()
        edge = range(first, first + columns)
        far = (rows - 1) * self.step
        if not down:
            edge, far = range(first, first + rows * self.step, self.step), columns - 1
        starts = (cell for cell in edge if self.cells[cell] == held)
        found = reach(starts, joined) if joined else ()
        return any(cell + far in found for cell in edge)

    def near(self, *steps: int) -> Callable[[int], Iterator[int]]:
        """Return the function that yields the neighbours of a cell that hold the same."""
        cells = self.cells
        ways = [*steps, *(-step for step in steps)]
        return lambda cell: (cell + way for way in ways if cells[cell + way] == cells[cell])

    def stone_of(self, color: Color) -> int:
        return STONES[color]


@lru_cache(maxsize=1 << 5)  # those of 52 by 52 for two kinds of numbers take two megabytes
def numbers_of_pieces(
    game: Game, size: BoardSize, color: Color, number: FeatureNumber, border: int
) -> Memo[int, int]:
    """Return the numbers of pieces of one color on boards of one size, by their cells."""

    def number_at(cell: int) -> int:
        row, column = divmod(cell, size.columns + 1)
        return number(game, size, Feature((Point(column - border, row - border),), color))

    return Memo(number_at)


#: Tables that leave the digit 1 of one kind of cell, and 0 of the others.
_DIGITS = {
    held: bytes(b"01"[other == held] for other in range(256)) for held in (EMPTY, *COLORS_OF_CELLS)
}

#: Tables that leave 1 of one kind of cell, and 0 of the others.
_CHOSEN = {held: bytes(other == held for other in range(256)) for held in COLORS_OF_CELLS}


# ---- a game without rules ----

#: The verdict about a move that only the rules of its game could carry out.
NOT_CARRIED_OUT = Verdict(reason="is not carried out: its moves are not defined", is_lost=True)


class OtherState(CellState):
    """A board of any size, for any game: stones where a record puts them.

    A move to a point puts down a stone and a move from point to point moves one; nothing else
    happens.  Other moves are carried out by nobody, and the board is not known after them.
    """

    kind = BoardKind.CELLS
    piece = "piece"

    def __init__(self, size: BoardSize, *, rules: str = "", game: Game) -> None:
        self._game = game
        self.number_of_game = game.number
        super().__init__(size, rules=rules)

    @property
    def game(self) -> Game:
        return self._game

    def empty(self, size: BoardSize) -> Self:
        """Return a state of the same game with an empty board of a size."""
        return type(self)(size, rules=self.rules, game=self._game)

    def put_start(self) -> None:
        """Leave the board as it is: nobody knows the start."""
        self.is_known = False

    # ---- moves ----

    def judge(self, move: Value, color: Color) -> Verdict:  # noqa: ARG002  # no rules
        """Return that a move is legal: no rule forbids it."""
        return LEGAL if isinstance(move, Point | Step | Pass | Action) else NOT_CARRIED_OUT

    def play(self, move: Value, color: Color) -> Verdict:
        """Put down a stone or move one; it replaces what was on its point."""
        if isinstance(move, Point):
            self.put_taking(self.cell(move), STONES[color])
        elif isinstance(move, Step):
            self.move_piece(self.cell(move.origin), self.cell(move.target))
        self.finish_move(move, color)
        return self.judge(move, color)

    def moves(self, color: Color) -> Iterator[Value]:  # noqa: ARG002  # no rules
        """Raise ValueError: nobody knows which moves are legal."""
        raise ValueError(
            f"the legal moves of {name_in_words(self._game.name)} are not known:"
            " it has no rules here"
        )

    # ---- names ----

    def read_move(self, text: str) -> Value:
        """Return the move of a text: a point, two points such as ``a1-b2``, or ``pass``."""
        origin, separator, target = text.replace(":", "-").partition("-")
        if not separator:
            return super().read_move(text)
        point = self.coordinates.point
        return Step(origin=point(origin), target=point(target))

    def name_move(self, move: Value) -> str:
        """Return a move as people write it: the opposite of :meth:`read_move`."""
        if isinstance(move, Step):
            return "-".join(map(self.coordinates.name, (move.origin, move.target)))
        return super().name_move(move)

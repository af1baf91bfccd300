"""Boards and the moves of games as arrays of numpy, for programs that learn.

Row and column of an array are those of a :class:`~sgf_lark.Point`: row 0 is the upper one in most
games, and the lower one in Lines of Action and Octi.  A stack of planes has the shape (planes,
rows, columns).  numpy is imported when an array is asked for, not before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.core import BoardSize, Color, Pass, Point, load_extra, points_of
from sgf_lark.pictures.parts import BoardKind

from .replay import Replay
from .start import start
from .state import State

if TYPE_CHECKING:
    from numpy import float32, int8, int64
    from numpy.typing import NDArray

    from sgf_lark.core import GameTree

    Array = NDArray[int8]

#: The contents of an array: pieces of each side, what belongs to neither (an arrow) or to both
#: (pods of Octi), and squares that the board does not have (the corners of the octagon).
BLACK, WHITE, NEITHER, MISSING = 1, 2, 3, -1
_NUMBERS = {Color.BLACK: BLACK, Color.WHITE: WHITE, None: NEITHER}

#: The planes that have a name of their own; see :func:`planes`.
STACKS = {"stones": ("black", "white")}

#: Planes for a program like AlphaGo Zero.
AGZ17 = "agz17"


class _Numpy:
    """numpy, imported when something of it is used."""

    def __getattr__(self, name: str) -> Any:
        numpy = load_extra(
            "numpy", "arrays need numpy (extra numpy):  pip install 'sgf_lark[numpy]'"
        )
        return vars(self).setdefault(name, getattr(numpy, name))


np: Any = _Numpy()


def array(state: State) -> Array:
    """Return the pieces of a position; see :meth:`.Board.array`."""
    if state.kind is BoardKind.POINTS:
        return _stack([_pieces(state, color)[0] for color in Color])
    found: Array = np.zeros((state.size.rows, state.size.columns), np.int8)
    for stone in state.pieces():
        found[stone.point.row, stone.point.column] |= _NUMBERS[stone.color]
    for point in state.missing():
        found[point.row, point.column] = MISSING
    return found


def planes(
    state: State, names: str | Iterable[str], before: Sequence[State], history: int
) -> Array:
    """Return planes of a position; see :meth:`.Board.planes`."""
    if names == AGZ17:
        return _stack(_agz(state, before, history))
    return _stack([_PLANES[name](state) for name in _names_of(names)])


# ---- many positions at once ----


class Examples(NamedTuple):
    """Moves and the positions before them, for programs that learn; an entry for each move.

    Attributes:
        planes: Moves, planes, rows, columns, int8; ``own`` are the pieces of the side that moves.
        players: The side that moves, int8: 1 Black, -1 White.
        moves: The point of the move, row * columns + column, int64; rows * columns for a
            pass, -1 for another word, such as a swap.
        results: In view of the side that moves, float32: 1 it won, 0 a draw, -1 it lost, nan for
            a game without a result.
    """

    planes: NDArray[int8]
    players: NDArray[int8]
    moves: NDArray[int64]
    results: NDArray[float32]


class PackedMoves(NamedTuple):
    """The same in a small part of the space, before planes are made of it."""

    game: int
    size: BoardSize
    # before each move the black and the white stones, as stone_sets has them, each in the bytes
    # that a board needs
    stones: bytes
    planes: list[Array]  # before each move the planes that stones do not show
    # as in Examples
    players: list[int]
    moves: list[int]
    result: int | None  # 1 if Black won, 0, -1, or None


#: The planes that follow from stones, moves and players.
_OF_STONES = frozenset({"black", "white", "own", "other", "to_play"})


def planes_apart(names: str | Iterable[str], history: int) -> tuple[str, ...]:
    """Return the planes that are to be made position by position, such as ``legal``."""
    _require_history(history)
    wanted = () if names == AGZ17 else _names_of(names)
    return tuple(name for name in wanted if name not in _OF_STONES)


def planes_of(state: State, names: Iterable[str], color: Color) -> list[Array]:
    """Return planes of a position in which a side moves, whoever's turn it is."""
    before, state.to_play = state.to_play, color
    found = [_PLANES[name](state) for name in names]
    state.to_play = before
    return found


def unpack_moves(packed: PackedMoves, names: str | Iterable[str], history: int) -> Examples:
    """Return the examples of a game; see :meth:`.GameTree.planes`."""
    (columns, rows), count = packed.size, len(packed.moves)
    width, players = columns + 1, np.array(packed.players, np.int8)
    moves = np.array(packed.moves, np.int64)
    cells = np.frombuffer(packed.stones, np.uint8).reshape(count, 2, -(-rows * width // 8))
    bits = np.unpackbits(cells, axis=2, count=rows * width, bitorder="little")
    stones = bits.reshape(count, 2, rows, width)[..., :columns].view(np.int8)
    whose = (players < 0).astype(np.intp)
    at = np.arange(count)
    if names == AGZ17:
        planes = np.zeros((count, 2 * history + 1, rows, columns), np.int8)
        for back in range(min(history, count)):
            planes[back:, 2 * back] = stones[at[: count - back], whose[back:]]
            planes[back:, 2 * back + 1] = stones[at[: count - back], 1 - whose[back:]]
        planes[:, -1] = (players > 0)[:, None, None]
        return Examples(planes, players, moves, _results(packed.result, players))
    wanted, apart = _names_of(names), planes_apart(names, history)
    planes = np.zeros((count, len(wanted), rows, columns), np.int8)
    made = np.array(packed.planes, np.int8).reshape(count, len(apart), rows, columns)
    for number, name in enumerate(wanted):
        plane = planes[:, number]
        if name in apart:
            plane[:] = made[:, apart.index(name)]
        elif name in {"black", "white"}:
            plane[:] = stones[:, int(name == "white")]
        elif name in {"own", "other"}:
            plane[:] = stones[at, whose if name == "own" else 1 - whose]
        else:
            plane[:] = (players > 0)[:, None, None]
    return Examples(planes, players, moves, _results(packed.result, players))


def _require_history(history: int) -> None:
    if history < 1:
        raise ValueError(f"history is {history}: expected at least 1, the position itself")


def _results(result: int | None, players: NDArray[int8]) -> NDArray[float32]:
    numbers: NDArray[float32] = players.astype("float32")
    return numbers * (float("nan") if result is None else result) + 0  # no negative zero


def _names_of(names: str | Iterable[str]) -> tuple[str, ...]:
    """Return the names of planes (ValueError: there is no such plane, or there are none)."""
    wanted = STACKS.get(names, (names,)) if isinstance(names, str) else tuple(names)
    unknown = [name for name in wanted if name not in _PLANES]
    if unknown or not wanted:
        known = ", ".join((*STACKS, AGZ17, *_PLANES))
        raise ValueError(f"no plane {', '.join(unknown)!r}: expected {known}")
    return wanted


# ---- single planes ----


def _agz(state: State, before: Sequence[State], history: int) -> list[Array]:
    """Return own and other pieces of this and earlier positions, and the side to move."""
    _require_history(history)
    own = _side(state)
    earlier = [*reversed(before[max(len(before) - history + 1, 0) :])]
    found: list[Array] = []
    for position in (state, *earlier):
        if (position.number_of_game, position.size) != (state.number_of_game, state.size):
            raise ValueError("the boards before are of another game or size")
        found += [_pieces(position, own), _pieces(position, own.opponent)]
    blank = _filled(state, 0)
    found += [blank] * (2 * history - len(found))
    return [*found, _to_play(state)]


def _stack(parts: list[Array]) -> Array:
    stacked: Array = np.stack(parts)
    return stacked


def _filled(state: State, value: int) -> Array:
    plane: Array = np.full((state.size.rows, state.size.columns), value, np.int8)
    return plane


def _points(state: State, points: Iterable[Point]) -> Array:
    plane = _filled(state, 0)
    for point in points:
        plane[point.row, point.column] = 1
    return plane


def _pieces(state: State, color: Color) -> Array:
    plane = _filled(state, 0)
    for stone in state.pieces():
        if stone.color is color:
            plane[stone.point.row, stone.point.column] += stone.amount
    return plane


def _empty(state: State) -> Array:
    plane = _filled(state, 1)
    for point in (*state.missing(), *(stone.point for stone in state.pieces())):
        plane[point.row, point.column] = 0
    return plane


def _side(state: State) -> Color:
    """Return the side to move (ValueError: it is not known)."""
    if state.to_play is None:
        raise ValueError("the side to move is not known: set_up(to_play=...) gives it")
    return state.to_play


def _to_play(state: State) -> Array:
    return _filled(state, int(_side(state) is Color.BLACK))


def _legal(state: State) -> Array:
    moves = state.moves(_side(state))
    return _points(state, (move for move in moves if isinstance(move, Point)))


#: The planes by their names.
_PLANES: dict[str, Callable[[State], Array]] = {
    "black": lambda state: _pieces(state, Color.BLACK),
    "white": lambda state: _pieces(state, Color.WHITE),
    "own": lambda state: _pieces(state, _side(state)),
    "other": lambda state: _pieces(state, _side(state).opponent),
    "empty": _empty,
    "ko": lambda state: _points(state, filter(None, (state.ko,))),
    "last": lambda state: _points(state, points_of(state.last)),
    "legal": _legal,
    "to_play": _to_play,
}


# ---- the examples of a game ----


def make_examples(game: GameTree, names: str | Iterable[str], history: int) -> Examples:
    """Return the arrays of a game; see :meth:`.GameTree.planes`."""
    names = names if isinstance(names, str) else tuple(names)
    return unpack_moves(pack_moves(game, planes_apart(names, history)), names, history)


def pack_moves(game: GameTree, apart: tuple[str, ...]) -> PackedMoves:
    """Return the moves of the main line, up to one that leaves the board unknown."""
    nodes = game.nodes
    state = start(nodes.contents, nodes.rules)
    number = state.number_of_game
    if not state.moves_are_points:
        name = state.game.name
        raise ValueError(f"the moves of {name} are no points: positions() has its boards")
    columns, rows = state.size
    length = -(-rows * (columns + 1) // 8)
    stones: list[bytes] = []
    planes: list[Array] = []
    players: list[int] = []
    moves: list[int] = []

    def finish() -> None:
        move = state.last
        if len(moves) < len(players):
            at = move.row * columns + move.column if isinstance(move, Point) else -1
            moves.append(rows * columns if isinstance(move, Pass) else at)

    def begin(node: int, color: Color, closely: int) -> None:  # noqa: ARG001
        finish()
        black, white = state.stone_sets() or _sets_of(state)
        stones.append(black.to_bytes(length, "little") + white.to_bytes(length, "little"))
        players.append(1 if color is Color.BLACK else -1)
        if apart:
            planes.extend(planes_of(state, apart, color))

    replay = Replay(nodes.contents, nodes.rules, state, before=begin)
    for _, _, _, is_known in replay.of_nodes(nodes.tape, nodes.tree.main_line(), None):
        finish()
        if not is_known:
            del players[-1:], moves[-1:], stones[-1:], planes[len(planes) - len(apart) :]
            break
    result = game.info.result
    outcome = None if result is None else result.outcome
    return PackedMoves(number or 0, state.size, b"".join(stones), planes, players, moves, outcome)


def _sets_of(state: State) -> tuple[int, int]:
    """Return the pieces of each side, as :meth:`.State.stone_sets` has them."""
    width, sets = state.size.columns + 1, dict.fromkeys(Color, 0)
    for stone in state.pieces():
        if stone.color is not None:
            sets[stone.color] |= 1 << stone.point.row * width + stone.point.column
    return sets[Color.BLACK], sets[Color.WHITE]

"""Boards as arrays of numpy, for programs that learn.

Row and column of an array are those of a :class:`~sgf_lark.Point`: row 0 is the upper one in most
games, and the lower one in Lines of Action and Octi.  A stack of planes has the shape (planes,
rows, columns).  numpy is imported when an array is asked for, not before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from sgf_lark.schema.games import GameNumber
from sgf_lark.schema.values import Color, Point

from .state import State, points_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.int8]

#: The contents of an array: pieces of each side, what belongs to neither (an arrow) or to both
#: (pods of Octi), and squares that the board does not have (the corners of the octagon).
BLACK, WHITE, NEITHER, MISSING = 1, 2, 3, -1
_NUMBERS = {Color.BLACK: BLACK, Color.WHITE: WHITE, None: NEITHER}

#: The planes that have a name of their own; see :func:`planes`.
STACKS = {"stones": ("black", "white")}

#: Planes for a program like AlphaGo Zero.
AGZ17 = "agz17"


def load_numpy() -> Any:
    """Return numpy.

    Raises:
        ImportError: It is not installed; the error says how to install it.
    """
    try:
        import numpy as np
    except ImportError as error:
        raise ImportError("arrays need numpy:  pip install numpy") from error
    return np


def array(state: State) -> Array:
    """Return the pieces of a position; see :meth:`.Board.array`."""
    np = load_numpy()
    if state.number_of_game == GameNumber.BACKGAMMON:
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
    wanted = STACKS.get(names, (names,)) if isinstance(names, str) else tuple(names)
    unknown = [name for name in wanted if name not in _PLANES]
    if unknown or not wanted:
        known = ", ".join((*STACKS, AGZ17, *_PLANES))
        raise ValueError(f"no plane {', '.join(unknown)!r}: expected {known}")
    return _stack([_PLANES[name](state) for name in wanted])


def _agz(state: State, before: Sequence[State], history: int) -> list[Array]:
    """Return own and other pieces of this and earlier positions, and the side to move."""
    if history < 1:
        raise ValueError(f"history is {history}: expected at least 1, the position itself")
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
    """Return arrays of one shape as one array with one dimension more."""
    stacked: Array = load_numpy().stack(parts)
    return stacked


def _filled(state: State, value: int) -> Array:
    """Return a plane with one value everywhere."""
    np = load_numpy()
    plane: Array = np.full((state.size.rows, state.size.columns), value, np.int8)
    return plane


def _points(state: State, points: Iterable[Point]) -> Array:
    """Return a plane with 1 on some points."""
    plane = _filled(state, 0)
    for point in points:
        plane[point.row, point.column] = 1
    return plane


def _pieces(state: State, color: Color) -> Array:
    """Return a plane with the number of pieces of a side on each point."""
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
    """Return the side to move.

    Raises:
        ValueError: It is not known.
    """
    if state.to_play is None:
        raise ValueError("the side to move is not known: set_up(to_play=...) gives it")
    return state.to_play


def _to_play(state: State) -> Array:
    return _filled(state, int(_side(state) is Color.BLACK))


def _legal(state: State) -> Array:
    """Return a plane with 1 where a legal move is a point."""
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

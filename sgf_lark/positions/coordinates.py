"""Names of points as people write them: ``Q16`` in Go, ``d3`` in Othello, ``bar`` in backgammon.

Source: GTP version 2, 2.11 (Go); the pages of FF[4] about the games; for Gomoku the custom of
Renju (columns a to o, rows from the bottom).
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any, NamedTuple, TypeAlias

from sgf_lark.core import (
    BOTH_CASES,
    IN_LETTERS,
    LETTERS,
    BoardSize,
    Point,
    column_name,
    column_number,
    late,
)

#: A point: its name, or its column and row from 0.
AnyPoint: TypeAlias = str | tuple[int, int]

#: The name of a point in messages.
EXAMPLE = "C4"


class Coordinates(NamedTuple):
    """The names of the points of a board; a game with other names has a class of its own."""

    game: int | None
    size: BoardSize
    # the rows of Amazons are numbered as GGF does, which has the first one in row 0
    is_ggf: bool = False

    @classmethod
    def of(cls, game: int | None, size: BoardSize, *, is_ggf: bool = False) -> Coordinates:
        state = late.find_state(game)
        names: Coordinates = (cls if state is None else state.names)(game, size, is_ggf)
        return names

    @property
    def letters(self) -> str:
        return LETTERS

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, from the left."""
        return tuple(column_name(number, self.letters) for number in range(self.size.columns))

    @property
    def rows(self) -> tuple[str, ...]:
        """The names of the rows, by the row of a point; none of backgammon."""
        numbers = range(1, self.size.rows + 1)
        return tuple(map(str, reversed(numbers) if self._is_turned else numbers))

    def name(self, point: Point) -> str:
        """Return the name of a point; column and row from 0 of one off the board."""
        return self.name_on_board(point) if self.has(point) else str(tuple(point))

    def name_on_board(self, point: Point) -> str:
        row = self.size.rows - point.row if self._is_turned else point.row + 1
        return f"{column_name(point.column, self.letters)}{row}"

    def point(self, name: str) -> Point:
        """Return the point of a name, in any case (ValueError: it is no point of this board).

        In games whose points are two letters in SGF, ``pd`` is accepted as well as ``Q16``.
        """
        plain = name.strip()
        found = self.read(plain) if plain.isascii() and len(plain) <= MAX_NAME_LENGTH else None
        if found is None or not self.has(found):
            raise ValueError(f"no point {name!r} on {self.board}")
        return found

    def has(self, point: Point) -> bool:
        columns, rows = self.size
        return 0 <= point.column < columns and 0 <= point.row < rows

    @property
    def _is_turned(self) -> bool:
        return self.game in IN_LETTERS and not self.is_ggf

    @property
    def board(self) -> str:
        """The board in words, for messages."""
        return f"a board of {self.size.columns} by {self.size.rows}"

    def read(self, name: str) -> Point | None:
        """Return a point, perhaps off the board; None if the name has another form."""
        if self.game in IN_LETTERS and not self.is_ggf and len(name) == TWO and name.isalpha():
            return Point(BOTH_CASES.index(name[0]), BOTH_CASES.index(name[1]))
        letters = name.rstrip("0123456789")
        digits = name[len(letters) :]
        alphabet = self.letters.upper()
        if not digits or not letters or set(letters.upper()) - set(alphabet):
            return None
        row = int(digits)
        return Point(
            column_number(letters.upper(), alphabet),
            self.size.rows - row if self._is_turned else row - 1,
        )


#: Characters of a point of SGF with two letters.
TWO = 2

#: No name of a point is longer.
MAX_NAME_LENGTH = 8


def pair_of(pair: Iterable[int], message: str) -> tuple[int, int]:
    """Return two numbers; the numbers of numpy are accepted."""
    try:
        first, second = map(index, pair)
    except (TypeError, ValueError):
        raise TypeError(message) from None
    return first, second


def point_at(place: Any) -> Point:
    """Return the point in a column and a row, on the board or not."""
    expected = f"expected a name such as {EXAMPLE!r}, or column and row from 0"
    return Point(*pair_of(place, f"no point {place!r}: {expected}"))


def places_of(places: object) -> Iterable[Any]:
    """Return places, of which one may stand alone."""
    if isinstance(places, Iterable) and not isinstance(places, str | Point):
        return places
    return (places,)


def size_of(size: int | Iterable[int]) -> BoardSize:
    """Return a size from the side of a board, or from columns and rows."""
    both = size if isinstance(size, Iterable) else (size, size)
    expected = "expected the side of the board such as 9, or columns and rows such as (9, 13)"
    return BoardSize(*pair_of(both, f"no size {size!r}: {expected}"))

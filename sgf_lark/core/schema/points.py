"""The two colors, points, sizes of boards, and the letters of columns.

Source: GTP version 2, 2.11, for vertices of up to 25 columns, which leave out I; beyond them
programs go on with two letters, as Hex and Twixt do (FF[4], Hex, Point).
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

#: The letters of columns in Go, which leave out I.
GO_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
LETTERS = "abcdefghijklmnopqrstuvwxyz"

#: The letters of columns and rows of SGF, in their order.
BOTH_CASES = LETTERS + LETTERS.upper()


def column_name(number: int, letters: str) -> str:
    """Return the name of a column from 0: A ... Z, AA, AB ..."""
    name = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, len(letters))
        name = letters[digit] + name
    return name


def column_number(name: str, letters: str) -> int:
    """Return the number of a column, from 0; ValueError for other characters."""
    number = 0
    for letter in name:
        number = number * len(letters) + letters.index(letter) + 1
    return number - 1


class Color(StrEnum):
    """A player."""

    BLACK = "B"
    WHITE = "W"

    @property
    def opponent(self) -> Color:
        return Color.WHITE if self is Color.BLACK else Color.BLACK


#: The sides by their signs and their words.
_SIDES = {name: one for one in Color for name in (one.value.lower(), one.name.lower())}


def color_of(color: Color | str) -> Color:
    """Return the color of ``B`` or ``W``, ``black`` or ``white``, in any case; or ValueError."""
    if isinstance(color, Color):
        return color
    found = _SIDES.get(str(color).casefold())
    if found is None:
        raise ValueError(f"no color {color!r}: expected B or W")
    return found


def side_and_move(text: str) -> tuple[Color | None, str]:
    """Return the color and the move of a text such as ``W D6``, as a move is printed."""
    side, blank, move = text.strip().partition(" ")
    color = _SIDES.get(side.casefold()) if blank else None
    return (None, text) if color is None else (color, move.strip())


class Point(NamedTuple):
    """A place on a board, columns and rows counted from 0.

    Columns run from the left.  Rows run as the game's own notation counts them: from the
    top in Go, Othello, Gomoku, Amazons, Gess, Hex and Twixt, from the bottom in Lines of
    Action and Octi.  A backgammon point is a column, 0 for ``a`` to 25 for ``z`` (24 is
    the bar, 25 the tray), in row 0.
    """

    column: int
    row: int

    def __str__(self) -> str:
        return f"({self.column}, {self.row})"

    def gtp(self, rows: int = 19) -> str:
        """Return the vertex of Go: ``Q16`` for column 15, row 3 of 19 rows.

        Columns are A to Z without I, then AA, AB ...; rows are counted from the bottom.

        Args:
            rows: The rows of the board.

        Raises:
            ValueError: The board has no such point.

        Source:
            GTP version 2, 2.11.
        """
        if self.column < 0 or not 0 <= self.row < rows:
            raise ValueError(f"no point {tuple(self)} on a board of {rows} rows")
        return f"{column_name(self.column, GO_LETTERS)}{rows - self.row}"

    @classmethod
    def from_gtp(cls, vertex: str, rows: int = 19) -> Point:
        """Return the point of a vertex of Go in any case; the opposite of :meth:`gtp`.

        >>> Point.from_gtp("Q16")
        Point(column=15, row=3)

        Args:
            vertex: Such as ``Q16``; ``pass`` is no point.
            rows: The rows of the board.

        Raises:
            ValueError: It is no vertex, or the board has no such row.
        """
        match = VERTEX.fullmatch(vertex.strip())
        if match is None or not 1 <= int(match[2]) <= rows:
            raise ValueError(f"no point {vertex!r} on a board of {rows} rows")
        return cls(column_number(match[1].upper(), GO_LETTERS), rows - int(match[2]))


#: A vertex of GTP: letters without I, and a number.
VERTEX = re.compile(r"([A-HJ-Za-hj-z]{1,3})([1-9][0-9]{0,3})", re.ASCII)


class BoardSize(NamedTuple):
    """Columns and rows of a board."""

    columns: int
    rows: int

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}"

    @property
    def is_square(self) -> bool:
        """As many columns as rows."""
        return self.columns == self.rows

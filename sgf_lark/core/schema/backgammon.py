"""The values of backgammon, and its points as the players count them.

Source: FF[4], Backgammon.  In a record both sides have one system: White goes from
``x`` (column 23) to ``a`` (0), Black from ``a`` to ``x``; both come in from the bar ``y`` (24) and
leave for the tray ``z`` (25).  A player counts the points from the own end, 24 to 1.
"""

from enum import StrEnum
from itertools import groupby
from typing import Literal

from .frozen import Model
from .points import Color, Point

#: Columns of the bar and the tray in a record.
BAR, TRAY = 24, 25

#: The number of the bar as players count, and of the tray.  The numbers that both sides give to a
#: point add up to that of the bar.
BAR_NUMBER, OFF_NUMBER = 25, 0


def number_of_place(column: int, color: Color) -> int:
    """Return a side's number of a column (0 to 25): 1 to 24, 25 for the bar, 0 for the tray."""
    if column >= BAR:
        return BAR_NUMBER if column == BAR else OFF_NUMBER
    return column + 1 if color is Color.WHITE else BAR - column


class BackgammonMove(Model):
    """A roll and the checkers moved with it.

    ``str()`` is the move as players write it: ``62: 24/18 13/11``.

    Attributes:
        dice: Two numbers from 1 to 6, in the order of the file.
        pairs: From which point to which, 0 to 4 times.
    """

    kind: Literal["backgammon-move"] = "backgammon-move"
    dice: tuple[int, int]
    pairs: tuple[tuple[Point, Point], ...]

    @property
    def side(self) -> Color | None:
        """The side whose way the checkers go; None if none is moved, or they go both ways.

        Of checkers that come in or leave, the shorter way counts.
        """
        ways = {color: self.numbers(color) for color in Color}
        pips = {
            color: sum(start - end for start, end in way)
            for color, way in ways.items()
            if all(start > end for start, end in way)
        }
        shortest = [color for color in pips if pips[color] == min(pips.values())]
        return shortest[0] if len(shortest) == 1 else None

    def numbers(self, color: Color | None = None) -> tuple[tuple[int, int], ...]:
        """Return from which point to which, as the side that plays counts them.

        Each player's own home has the points 1 to 6, and checkers go from larger numbers to
        smaller ones: ``((24, 18), (13, 11))``.

        Args:
            color: The side that counts, usually that of the move.  None for the side whose way
                the checkers go; for White if they go no side's way.

        Returns:
            For each of ``pairs`` two numbers: 1 to 24; 25 for the bar, 0 for the tray.
        """
        color = color or self.side or Color.WHITE
        return tuple(
            (number_of_place(start.column, color), number_of_place(end.column, color))
            for start, end in self.pairs
        )

    def notation(self, color: Color | None = None) -> str:
        """Return the checkers' ways as players write them: ``24/18 13/11``, ``bar/22 6/off(2)``.

        Hits are not marked: the move alone does not know them.  It is empty if no checker is
        moved.

        Args:
            color: The side that counts, as for :meth:`numbers`.
        """
        parts = [
            f"{_NAMES.get(start, start)}/{_NAMES.get(end, end)}"
            for start, end in self.numbers(color)
        ]
        counted = [(part, len([*same])) for part, same in groupby(parts)]
        return " ".join(part if times == 1 else f"{part}({times})" for part, times in counted)

    def __str__(self) -> str:
        dice = "{}{}".format(*self.dice)
        return f"{dice}: {self.notation()}" if self.pairs else dice


#: The places that are no points, in the words of players.
_NAMES = {BAR_NUMBER: "bar", OFF_NUMBER: "off"}


class Dice(Model):
    """Two dice.

    Attributes:
        dice: The two numbers, 1 to 6 each.
    """

    kind: Literal["dice"] = "dice"
    dice: tuple[int, int]


class CubeOwner(StrEnum):
    """Who may double next in backgammon; NONE in a game without a cube."""

    BLACK = "b"
    WHITE = "w"
    CENTERED = "c"
    NONE = "n"


class BackgammonRules(Model):
    """RU of a backgammon game.

    Attributes:
        rule: ``Crawford`` or ``Jacoby``.
        crawford_game: This is the Crawford game of the match.
    """

    kind: Literal["backgammon-rules"] = "backgammon-rules"
    rule: str
    crawford_game: bool = False

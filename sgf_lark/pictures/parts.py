"""The parts of a diagram: pieces, marks, labels, lines, each with its points.

They are apart from the diagram, whose model takes longer to import than a board.
"""

from enum import StrEnum
from typing import Literal, NamedTuple, TypeAlias

from sgf_lark.core import Color, Point

#: The themes of pictures, and those of pages: ``auto`` is that of the reader's system.
Theme: TypeAlias = Literal["light", "dark", "print", "wood"]
PageTheme: TypeAlias = Literal["auto", "light", "dark", "print", "wood"]

#: The styles of pictures in text.
TextStyle: TypeAlias = Literal["unicode", "ascii", "sgfmill", "gnugo"]


class BoardKind(StrEnum):
    """The geometry of a board: one for each way to draw it, not for each game."""

    LINES = "lines"  # stones on the crossings: Go, Gomoku, Gess
    CELLS = "cells"  # pieces in squares: Othello, Amazons, Lines of Action, Octi, chess
    RHOMBUS = "rhombus"  # hexagons: Hex
    HOLES = "holes"  # pegs in holes, links between them: Twixt
    POINTS = "points"  # backgammon: 24 points, the bar (column 24) and the tray (column 25)


class MarkKind(StrEnum):
    """The forms of markup on a point (FF[4]: CR, MA, SL, SQ, TR; FF[3]: M), and our own."""

    CIRCLE = "circle"
    CROSS = "cross"
    SELECTED = "selected"
    SQUARE = "square"
    TRIANGLE = "triangle"
    FINDING = "finding"


class Stone(NamedTuple):
    """A piece, or several equal ones, on a point.

    Attributes:
        point: The place, rows counted as the game does: see :class:`~sgf_lark.Point`.
        color: The side; None for what belongs to nobody, such as an arrow of Amazons.
        piece: ``stone``, ``disc``, ``peg``, ``piece``, ``amazon``, ``arrow``, ``pod`` or
            ``checker``.
        amount: Equal pieces on the point, from 1.
        prongs: Of a pod of Octi: its prongs, ``A`` to ``H``.
    """

    point: Point
    color: Color | None
    piece: str = "stone"
    amount: int = 1
    prongs: str = ""


class Link(NamedTuple):
    """A link of Twixt between two pegs."""

    first: Point
    second: Point
    color: Color


class Number(NamedTuple):
    """The number of a move, on its stone."""

    point: Point
    number: int


class Mark(NamedTuple):
    """A mark on a point."""

    point: Point
    kind: MarkKind


class Label(NamedTuple):
    """A short text on a point: LB, or the letter of a variation."""

    point: Point
    text: str


class TerritoryPoint(NamedTuple):
    """A point of a side's territory: TB, TW."""

    point: Point
    color: Color


class Line(NamedTuple):
    """A line (LN) or an arrow (AR) from one point to another."""

    first: Point
    second: Point

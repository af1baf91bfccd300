"""Patterns of stones: pictures in text and parts of boards, and where they can lie on a board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Literal, NamedTuple

from sgf_lark.archive.rows.canonical import Array, LineBoard
from sgf_lark.archive.rows.line import ways
from sgf_lark.core import BoardSize, Color, Point
from sgf_lark.positions.arrays import BLACK, WHITE, np
from sgf_lark.positions.board import Board, find_game
from sgf_lark.positions.notation import EMPTY_SIGNS, SIGNS
from sgf_lark.positions.symmetry import Symmetry

#: Where a pattern lies.
Where = Literal["corner", "side", "anywhere", "whole"]

#: In a pattern: an empty point, and one with anything on it.
EMPTY, ANYTHING = 0, -1

#: The signs of a picture; those of stones and empty points are those of pictures of boards.
_CELLS = {sign: BLACK if color is Color.BLACK else WHITE for sign, color in SIGNS.items()}
_CELLS |= dict.fromkeys(EMPTY_SIGNS, EMPTY) | {"x": BLACK, "#": BLACK, "*": ANYTHING}
_EDGE = re.compile(r"[\s|+-]*-[\s|+-]*")


class Pattern(NamedTuple):
    """Points of a board, in a rectangle.

    Attributes:
        cells: The contents of its points: BLACK, WHITE, EMPTY or ANYTHING.
        edges: If it lies at the edges of the board: above, below, left, right.
    """

    cells: Array
    edges: tuple[bool, ...]

    @classmethod
    def read(cls, text: str) -> Pattern:
        """Return the pattern of a picture.

        Raises:
            ValueError: A sign is not known, rows have several lengths, or there is no row.
        """
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        rows = [line for line in lines if not _EDGE.fullmatch(line)]
        edges = [bool(_EDGE.fullmatch(lines[at])) for at in (0, -1) if lines]
        edges += [any(row[at] == "|" for row in rows) for at in (0, -1)]
        signs = ["".join(row.strip("|").split()) for row in rows]
        unknown = sorted({*"".join(signs)} - _CELLS.keys())
        if unknown or len({*map(len, signs)}) != 1:
            wrong = f"no sign of one: {unknown[0]!r}" if unknown else "its rows have one length"
            words = "X and O are stones, . is empty, * anything, | and - are edges"
            raise ValueError(f"this is no picture of a pattern: {wrong} ({words})")
        cells = [[_CELLS[sign] for sign in row] for row in signs]
        return cls(np.array(cells), tuple(edges))

    @classmethod
    def of(cls, board: Board, where: Where) -> Pattern:
        """Return a part of a board: the smallest one with all its stones that lies there.

        Raises:
            ValueError: It has no stones.
        """
        cells = board.array()
        stones = np.argwhere(cells > EMPTY)
        if not len(stones):
            raise ValueError("a pattern has at least one stone")
        least = np.stack([stones.min(axis=0), stones.max(axis=0) + 1], axis=1).ravel()
        ends = (0, cells.shape[0], 0, cells.shape[1])
        found = []
        for edges in product((False, True), repeat=4):
            top, bottom, left, right = np.where(edges, ends, least)
            found.append(cls(cells[top:bottom, left:right], edges))
        return min((one for one in found if one.where == where), key=lambda one: one.cells.size)

    @property
    def where(self) -> Where:
        """The place where it lies, as its edges say."""
        if all(self.edges):
            return "whole"
        at_row, at_column = any(self.edges[:2]), any(self.edges[2:])
        return "corner" if at_row and at_column else "side" if any(self.edges) else "anywhere"

    def at(self, where: Where) -> Pattern:
        """Return it at another place.

        Raises:
            ValueError: Its edges do not say where it lies there.
        """
        if where in {"corner", "side"} and where != self.where:
            raise ValueError(f"a picture of a {where} needs its edges: | beside it, - above, below")
        return self if where in {"corner", "side"} else self._replace(edges=(where == "whole",) * 4)

    def places(
        self, board: LineBoard, *, symmetric: bool, colors: bool
    ) -> Iterator[tuple[Array, bool]]:
        """Yield the points that it can lie on, in its order, and if colors are exchanged.

        The first place is as it is drawn, as far right and up as can be.

        Args:
            board: The board.
            symmetric: Turned and mirrored, too, as far as the game is the same then.
            colors: With colors exchanged, too.
        """
        rows, columns = self.cells.shape
        frame = np.zeros((3, 3), bool)
        frame[[0, 2, 1, 1], [1, 1, 0, 2]] = self.edges
        for way in ways(find_game(board.gm or 0), BoardSize(columns, rows)):
            is_turned = way.symmetry is not Symmetry.IDENTITY
            if (is_turned and not symmetric) or (way.exchanges_sides and not colors):
                continue
            order = _turn(np.arange(rows * columns).reshape(rows, columns), way.symmetry)
            down, across = map(np.arange, order.shape)
            edges = _turn(frame, way.symmetry)
            tops = _firsts(board.rows - len(down), *edges[::2, 1])
            lefts = _firsts(board.columns - len(across), *edges[1, ::2])
            for top, left in product(tops, reversed(lefts)):
                points = np.empty(order.size, np.int64)
                points[order] = (top + down)[:, None] * board.columns + left + across
                yield points, way.exchanges_sides


def _turn(cells: Array, symmetry: Symmetry) -> Array:
    """Return rows of cells after a symmetry."""
    corner = symmetry.point(Point(0, 0), BoardSize(2, 2))
    turned = cells.T if symmetry.exchanges_axes else cells
    return turned[:: -1 if corner.row else 1, :: -1 if corner.column else 1]


def _firsts(room: int, at_start: bool, at_end: bool) -> range:  # noqa: FBT001  # two of an array
    """Return the first rows or columns at which a pattern can lie."""
    return range(room if at_end else 0, 1 if at_start else room + 1)

"""Gess: a piece is 3 by 3 points with stones of one side, and goes where its stones point.

Source: FF[4], Gess, for points, moves and the edge; the rules of the Archimedeans (Eureka 53,
1994) for the start, the movement and the end: a side without a ring, which is eight stones around
an empty point, has lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import reduce
from operator import and_
from string import ascii_letters

from sgf_lark.core import BoardSize, Color, Content, GameNumber, Point, Step, Value, points_of
from sgf_lark.pictures.parts import BoardKind
from sgf_lark.positions.cell_state import COLORS_OF_CELLS, CellState
from sgf_lark.positions.grid import EMPTY, NAMES, ROW, STONES
from sgf_lark.positions.state import LEGAL, NO_MOVE, FirstMove, GameEnd, Verdict
from sgf_lark.positions.symmetry import ALL_SYMMETRIES

#: Where the stones of a side stand on the usual board, by rows from its own edge: 43.
START = {
    1: "..#.#.########.#.#..",
    2: ".###.#.####.#.#.###.",
    3: "..#.#.########.#.#..",
    6: "..#..#..#..#..#..#..",
}

#: Points that a piece goes without a stone in its center.
SHORT = 3

#: A move as FF[4] writes it, or with names of points: "cc:cf", "c18-c15".
_STEP = re.compile(r"([a-zA-Z]{2}|[a-zA-Z]+[0-9]+)\s*[-:]\s*([a-zA-Z]{2}|[a-zA-Z]+[0-9]+)")


class GessState(CellState):
    """A board of any size; its edge holds no stones after a move."""

    number_of_game = GameNumber.GESS
    kind = BoardKind.CELLS
    symmetries = ALL_SYMMETRIES

    def __init__(self, size: BoardSize, *, rules: str = "") -> None:
        super().__init__(size, rules=rules)
        #: From the center of a piece to its nine points, and in the eight directions.
        self._piece = tuple(row * self.step + column for row in (-1, 0, 1) for column in (-1, 0, 1))
        self._directions = tuple(filter(None, self._piece))

    def put_start(self, upper: Color = Color.WHITE) -> None:
        """Set up the 43 stones of each side; no start is known but that of a usual board."""
        self.is_known = self.size == self.game.size
        if not self.is_known:
            return
        top, rows = STONES[upper], self.size.rows
        for row, cells in START.items():
            for column, held in enumerate(cells):
                if held == "#":
                    self.put(self.cell(Point(column, row)), top)
                    self.put(self.cell(Point(column, rows - 1 - row)), 3 - top)

    def put_start_of(self, root: Content, first: FirstMove) -> None:
        """Set up the start from which the first move is legal.

        If there is none, the usual one is set up, and the board is not known.
        """
        found = first()
        if found is None:
            super().put_start_of(root, first)
            return
        color, move = found
        for upper in (Color.WHITE, Color.BLACK):
            self.put_start(upper)
            if all(map(self.has, points_of(move))) and self.judge(move, color):
                return
        self.put_start()
        self.is_known = False

    # ---- moves ----

    def judge(self, move: Value, color: Color) -> Verdict:
        """Tell if a move is legal; of a board that is not known, only its two points count."""
        if not isinstance(move, Step):
            return NO_MOVE
        known = self.is_known
        if self._is_edge(move.origin) or self._is_edge(move.target):
            reason = "has the center of a piece on the edge of the board"
            return Verdict("edge-center", reason, "a piece is 3 by 3 points", is_lost=known)
        between = self.line(move.origin, move.target)
        if between is None:
            return Verdict("illegal-move", "does not move along a line", is_lost=known)
        reason = ""
        if known:
            way = [*between, self.cell(move.target)]
            reason = self._reason(self.cell(move.origin), way, between.step, STONES[color])
        return Verdict("illegal-move", reason, is_lost=True) if reason else LEGAL

    def _is_edge(self, point: Point) -> bool:
        columns, rows = self.size
        return point.column in {0, columns - 1} or point.row in {0, rows - 1}

    def _reason(self, origin: int, way: list[int], step: int, own: int) -> str:
        cells = self.cells
        held = {cells[origin + offset] for offset in self._piece}
        if 3 - own in held:
            return f"moves a piece that holds {NAMES[3 - own]} stones"
        if own not in held:
            return f"moves a piece without {NAMES[own]} stones"
        if cells[origin + step] == EMPTY:
            return "moves in a direction in which the piece has no stone"
        if cells[origin] == EMPTY and len(way) > SHORT:
            return (
                f"moves {len(way)} points, but without a stone in its center a piece moves"
                f" at most {SHORT}"
            )
        self.work += len(way)
        own_points = self._points_at(origin)
        if any(self._stops(center, own_points) for center in way[:-1]):
            return "continues after stones that stop it"
        return ""

    def _points_at(self, center: int) -> frozenset[int]:
        return frozenset(center + offset for offset in self._piece)

    def _stops(self, center: int, own_points: frozenset[int]) -> bool:
        """Tell if stones stop a piece at a center: others than its own."""
        cells = self.cells
        return any(
            cells[center + offset] != EMPTY and center + offset not in own_points
            for offset in self._piece
        )

    def play(self, move: Value, color: Color) -> Verdict:
        """Carry out a move: the nine points at its origin go to its target."""
        verdict = self.judge(move, color)
        if isinstance(move, Step):
            self._move_piece(self.cell(move.origin), self.cell(move.target))
            self._clear_edge()
        self.finish_move(move, color)
        return verdict

    def _move_piece(self, origin: int, target: int) -> None:
        on_board = {EMPTY, *COLORS_OF_CELLS}
        piece = {offset: self.cells[origin + offset] for offset in self._piece}
        for offset, held in piece.items():
            if held in on_board:
                self.put(origin + offset, EMPTY)
        for offset, held in piece.items():
            if self.cells[target + offset] in on_board:
                self.put_taking(target + offset, held if held in on_board else EMPTY)
            elif held in COLORS_OF_CELLS:
                self.take(held)

    def _clear_edge(self) -> None:
        columns, rows = self.size
        self.work += max(self.size) // ROW
        first, down = self.cell(Point(0, 0)), self.step
        low, right = first + (rows - 1) * down, first + columns - 1
        for edge in (
            range(first, first + columns),
            range(low, low + columns),
            range(first, low + 1, down),
            range(right, right + rows * down, down),
        ):
            if any(self.cells[edge.start : edge.stop : edge.step]):
                for cell in edge:
                    self.put_taking(cell, EMPTY)

    def moves(self, color: Color) -> Iterator[Value]:
        """Yield the legal moves of a side, by the centers of its pieces.

        A piece goes on until stones stop it, so that each direction has about a move a point.
        """
        if not self.is_known:
            return
        own = STONES[color]
        columns, rows = self.size
        for row in range(1, rows - 1):
            for column in range(1, columns - 1):
                center = Point(column, row)
                origin = self.cell(center)
                held = {self.cells[origin + offset] for offset in self._piece}
                if own in held and 3 - own not in held:
                    for target in sorted(self._targets(origin)):
                        yield Step(origin=center, target=self.point_of(target))

    def _targets(self, origin: int) -> Iterator[int]:
        cells, own_points = self.cells, self._points_at(origin)
        for step in self._directions:
            if cells[origin + step] == EMPTY:
                continue
            at, gone = origin + step, 1
            while not self._is_edge(self.point_of(at)):
                yield at
                if self._stops(at, own_points) or (gone == SHORT and cells[origin] == EMPTY):
                    break
                at, gone = at + step, gone + 1

    # ---- the end ----

    def end(self) -> GameEnd | None:
        """Return the end: a side has no ring.  Without any, who broke the last one is not known."""
        if not self.is_known or self.to_play is None:
            return None
        sides = [color for color in Color if self._has_ring(self.stone_of(color))]
        if len(sides) == len(Color):
            return None
        if not sides:
            return GameEnd(None, "neither side has a ring")
        return GameEnd(sides[0], "the other side has no ring")

    def _has_ring(self, held: int) -> bool:
        stones = self.cells_with(held)
        around = [stones >> way if way > 0 else stones << -way for way in self._directions]
        return reduce(and_, around) & self.cells_with(EMPTY) != 0

    def faults(self) -> Iterator[str]:
        if any(self._is_edge(stone.point) for stone in self.pieces()):
            yield "stones are on the edge"

    # ---- names ----

    def read_move(self, text: str) -> Value:
        """Return the move of a text such as ``cc:cf``: the center before and after it."""
        match = _STEP.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"no move {text!r}: expected two points such as 'cc:cf'")
        origin, target = map(self.coordinates.point, match.groups())
        return Step(origin=origin, target=target)

    def name_move(self, move: Value) -> str:
        """Return a move as its page writes it: the opposite of :meth:`read_move`."""
        if isinstance(move, Step) and max(self.size) <= len(ascii_letters):
            return ":".join(
                ascii_letters[point.column] + ascii_letters[point.row]
                for point in (move.origin, move.target)
            )
        if isinstance(move, Step):
            return ":".join(map(self.coordinates.name, (move.origin, move.target)))
        return super().name_move(move)

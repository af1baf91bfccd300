"""Amazons: an amazon goes along a free line, and shoots an arrow along another one.

Source: FF[4], Amazons; GGF, the page of the format.  The game has no pass: who cannot move
has lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, Final, Self

from sgf_lark.core import (
    AmazonsMove,
    BoardSize,
    Color,
    GameNumber,
    InitialBoard,
    Point,
    Value,
    reach,
)
from sgf_lark.pictures.parts import BoardKind, Stone
from sgf_lark.positions.cell_state import COLORS_OF_CELLS, CellState
from sgf_lark.positions.coordinates import Coordinates
from sgf_lark.positions.grid import BORDER, EMPTY, NAMES, STONES
from sgf_lark.positions.state import LEGAL, NO_MOVE, GameEnd, Verdict
from sgf_lark.positions.symmetry import ALL_SYMMETRIES

#: What ``board[...]`` has for an arrow.
ARROW: Final = "arrow"

#: Three points as people write them, and as FF[4] does.
_MOVE = re.compile(r"([a-z]+[0-9]+)[-\s]*([a-z]+[0-9]+)[-/(\s]*([a-z]+[0-9]+)\)?", re.IGNORECASE)
_LETTERS = re.compile(r"([a-zA-Z]{2})" * 3)


class AmazonsState(CellState):
    number_of_game = GameNumber.AMAZONS
    kind = BoardKind.CELLS
    piece = "amazon"
    symmetries = ALL_SYMMETRIES
    neutral = ARROW

    def __init__(self, size: BoardSize, *, rules: str = "") -> None:
        super().__init__(size, rules=rules)
        self.from_bottom = False  # row 0 is the lowest one: in GGF, whose rows are those of BO
        step = self.step
        self._directions = (-step - 1, -step, 1 - step, -1, 1, step - 1, step, step + 1)

    def empty(self, size: BoardSize) -> Self:
        """Return a state with the same rules and an empty board of a size."""
        other = super().empty(size)
        other.from_bottom = self.from_bottom
        return other

    def put_start(self) -> None:
        """Set up the four amazons of each side; no start is known but that of a usual board."""
        self.is_known = self.size == self.game.size
        if self.is_known:
            for color, points in self.game.start.items():
                for point in points:
                    self.put(self.cell(point), STONES[color])

    def put_board(self, setup: InitialBoard) -> None:
        """Set up the first board of a GGF game; its first row is the lowest one."""
        super().put_board(setup)
        self.from_bottom = True

    # ---- what is on it ----

    @property
    def coordinates(self) -> Coordinates:
        return super().coordinates._replace(is_ggf=self.from_bottom)

    @property
    def rows_from_bottom(self) -> bool:
        return self.from_bottom

    def at(self, point: Point) -> Any:
        """Return the color of an amazon, :data:`ARROW`, or None."""
        return ARROW if self.cells[self.cell(point)] == BORDER else super().at(point)

    def stone(self, point: Point, held: int) -> Stone | None:
        return Stone(point, None, ARROW) if held == BORDER else super().stone(point, held)

    # ---- moves ----

    def judge(self, move: Value, color: Color) -> Verdict:
        if not isinstance(move, AmazonsMove):
            return NO_MOVE
        if not self.is_known:
            return LEGAL
        own, origin = STONES[color], self.cell(move.origin)
        if self.cells[origin] != own:
            reason = f"moves no {NAMES[own]} amazon"
        else:
            reason = self._reason(move.origin, move.target, origin, "amazon") or self._reason(
                move.target, move.arrow, origin, "arrow"
            )
        return Verdict("illegal-move", reason, is_lost=True) if reason else LEGAL

    def _reason(self, start: Point, end: Point, lifted: int, what: str) -> str:
        between = self.line(start, end)
        if between is None:
            return f"sends its {what} along no line"
        cells, last = self.cells, self.cell(end)
        if cells[last] and last != lifted:
            return f"sends its {what} over a square that is not free"
        for at in between:
            if cells[at] and at != lifted:
                return f"sends its {what} over a square that is not free"
        return ""

    def play(self, move: Value, color: Color) -> Verdict:
        """Carry out a move: an amazon at its origin goes to its target and shoots."""
        verdict = self.judge(move, color)
        if isinstance(move, AmazonsMove) and self.cells[self.cell(move.origin)] in COLORS_OF_CELLS:
            self.move_piece(self.cell(move.origin), self.cell(move.target))
            self.put_taking(self.cell(move.arrow), BORDER)
        self.finish_move(move, color)
        return verdict

    def moves(self, color: Color) -> Iterator[Value]:
        """Yield the legal moves of a side, by their origins and targets."""
        own = STONES[color]
        for stone in list(self.pieces()):
            origin = self.cell(stone.point)
            if self.cells[origin] != own:
                continue
            for target in self._reached(origin, origin):
                for arrow in self._reached(target, origin):
                    yield AmazonsMove(
                        origin=stone.point,
                        target=self.point_of(target),
                        arrow=self.point_of(arrow),
                    )

    # ---- the end ----

    def end(self) -> GameEnd | None:
        """Return the end: the side to move cannot, and has lost."""
        if not self.is_known or self.to_play is None or next(self.moves(self.to_play), None):
            return None
        return GameEnd(self.to_play.opponent, "the other side cannot move")

    def score(self, way: str, dead: Iterable[Point]) -> tuple[Decimal, Decimal]:  # noqa: ARG002
        """Return the free squares to which a side can come, and the other one cannot."""
        cells, amazons = self.cells, (self.stone_of(color) for color in Color)
        starts = ([cell for cell, held in enumerate(cells) if held == own] for own in amazons)

        def near(cell: int) -> Iterator[int]:
            return (cell + way for way in self._directions if cells[cell + way] == EMPTY)

        black, white = (reach(start, near).difference(start) for start in starts)
        return Decimal(len(black - white)), Decimal(len(white - black))

    def faults(self) -> Iterator[str]:
        """Yield that a side has more amazons than at the start of the usual board."""
        for color, points in self.game.start.items() if self.size == self.game.size else ():
            if (count := self.count(self.stone_of(color))) > len(points):
                yield f"{color.name.capitalize()} has {count} amazons, {len(points)} at the start"

    def _reached(self, start: int, lifted: int) -> list[int]:
        cells, reached = self.cells, []
        for direction in self._directions:
            at = start + direction
            while cells[at] == EMPTY or at == lifted:
                reached.append(at)
                at += direction
        return sorted(reached)

    # ---- names ----

    def read_move(self, text: str) -> Value:
        """Return the move of a text such as ``d1-d7-g7`` or ``djddgd``: from, to, arrow."""
        text = text.strip()
        match = _LETTERS.fullmatch(text) or _MOVE.fullmatch(text)
        if match is None:
            raise ValueError(f"no move {text!r}: expected from, to and arrow such as 'd1-d7-g7'")
        origin, target, arrow = map(self.coordinates.point, match.groups())
        return AmazonsMove(origin=origin, target=target, arrow=arrow)

    def name_move(self, move: Value) -> str:
        """Return a move as people write it: the opposite of :meth:`read_move`."""
        if isinstance(move, AmazonsMove):
            return "-".join(map(self.coordinates.name, (move.origin, move.target, move.arrow)))
        return super().name_move(move)

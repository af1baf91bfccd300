"""Lines of Action: a piece goes as far as there are pieces on its line.

Source: FF[4], Lines of Action; the rules of the Mind Sports Olympiad, 1 to 4 and 8.
The game ends when all pieces of a side are connected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sgf_lark.core import (
    PASS,
    Action,
    BoardSize,
    Color,
    Content,
    GameNumber,
    Pass,
    Point,
    Step,
    Value,
    plural,
    reach,
)
from sgf_lark.pictures.parts import BoardKind
from sgf_lark.positions.cell_state import CellState
from sgf_lark.positions.grid import BLACK, BORDER, EMPTY, NAMES, ROW, STONES, WHITE
from sgf_lark.positions.state import LEGAL, NO_MOVE, FirstMove, GameEnd, Verdict, given_up
from sgf_lark.positions.symmetry import ALL_SYMMETRIES

#: The moves that are words, but for a pass.
WORDS = frozenset({"resign", "forfeit", "escape"})

#: Advice about a pass.
_HELP = "a pass is for who has no move; a move may be missing"

#: A move as people write it: two points, and the mark of a capture.
_STEP = re.compile(r"([a-z]+[0-9]+)\s*([-:x]?)\s*([a-z]+[0-9]+)", re.IGNORECASE)


#: SU: the first board that the page describes.
STANDARD_SETUPS = frozenset({"", "standard", "loa"})


class LoaState(CellState):
    number_of_game = GameNumber.LINES_OF_ACTION
    kind = BoardKind.CELLS
    piece = "piece"
    symmetries = ALL_SYMMETRIES

    def put_start_of(self, root: Content, first: FirstMove) -> None:
        """Set up the usual start, if SU names no other one."""
        setup = next((prop.raw[0] for prop in root if prop.ident == "SU" and prop.raw), "")
        self.is_known = setup.lower() in STANDARD_SETUPS
        if self.is_known:
            super().put_start_of(root, first)

    def put_start(self) -> None:
        """Set up Black along the first and last row, White along the first and last column."""
        columns, rows = self.size
        cells, step = self.cells, self.step
        for row in (0, rows - 1):  # without a log: nothing goes back to before the start
            first = self.cell(Point(1, row))
            cells[first : first + columns - 2] = bytes([BLACK]) * (columns - 2)
        for column in (0, columns - 1):
            first = self.cell(Point(column, 1))
            cells[first : first + (rows - 2) * step : step] = bytes([WHITE]) * (rows - 2)

    # ---- moves ----

    def judge(self, move: Value, color: Color) -> Verdict:
        """Tell if a move is legal; only a side that cannot move passes."""
        if not self.is_known or isinstance(move, Action):
            return LEGAL
        if isinstance(move, Pass):
            if next(self._steps(STONES[color]), None) is None:
                return LEGAL
            return Verdict("needless-pass", "passes, but can move", _HELP)
        return self._judge_step(move, STONES[color]) if isinstance(move, Step) else NO_MOVE

    def _judge_step(self, move: Step, own: int) -> Verdict:
        origin, target = self.cell(move.origin), self.cell(move.target)
        if self.cells[origin] != own:
            return Verdict("illegal-move", f"moves no {NAMES[own]} piece", is_lost=True)
        between = self.line(move.origin, move.target)
        if between is None:
            return Verdict("illegal-move", "does not move along a line", is_lost=True)
        pieces = self._count(origin, between.step)
        reason = ""
        if len(between) + 1 != pieces:
            squares = plural(len(between) + 1, "square")
            reason = f"moves {squares}, but must move {pieces}, the number of pieces on its line"
        elif 3 - own in [self.cells[cell] for cell in between]:
            reason = "jumps over a piece of the other side"
        elif self.cells[target] == own:
            reason = "ends on a piece of its own side"
        return Verdict("illegal-move", reason, is_lost=True) if reason else LEGAL

    def _count(self, origin: int, step: int) -> int:
        self.work += max(self.size) // ROW
        cells, count = self.cells, 1
        for direction in (step, -step):
            at = origin + direction
            while (held := cells[at]) != BORDER:
                if held:
                    count += 1
                at += direction
        return count

    def play(self, move: Value, color: Color) -> Verdict:
        """Carry out a move: whatever is at its origin goes to its target."""
        verdict = self.judge(move, color)
        if isinstance(move, Step):
            self.move_piece(self.cell(move.origin), self.cell(move.target))
        self.finish_move(move, color)
        return verdict

    def moves(self, color: Color) -> Iterator[Value]:
        """Yield the legal moves of a side, by their origins; a pass if there are no others."""
        step = None
        for origin, target in sorted(self._steps(STONES[color])):
            step = Step(
                origin=self.point_of(origin),
                target=self.point_of(target),
                capture=self.cells[target] != EMPTY,
            )
            yield step
        if step is None and self.is_known:
            yield PASS

    def _steps(self, own: int) -> Iterator[tuple[int, int]]:
        for line in _lines(self.size, self.step):
            self.work += 1 + len(line) // ROW
            held = self.cells[line.start : line.stop : line.step]
            if own not in held:
                continue
            for way, cells in ((line, held), (line[::-1], held[::-1])):
                for origin, target in _steps_along(cells, own):
                    yield way[origin], way[target]

    # ---- the end ----

    def end(self) -> GameEnd | None:
        """Return the end: all pieces of a side are connected, or it has given up.

        Where both are, nobody has won: rules differ about who has.
        """
        sides = [color for color in Color if self.connects(color)] if self.is_known else []
        if not sides:
            return given_up(self.last, self.to_play)
        winner = sides[0] if len(sides) == 1 else None
        return GameEnd(winner, "all pieces are connected")

    def connects(self, color: Color) -> bool:
        """Tell if all pieces of a side are connected, in straight and diagonal lines."""
        held = self.stone_of(color)
        first, count = self.cells.find(held), self.count(held)
        return count > 0 and len(reach([first], self.joined())) == count

    def joined(self) -> Callable[[int], Iterator[int]]:
        """Return the function that yields the pieces beside one, in eight directions."""
        return self.near(1, self.step, self.step + 1, self.step - 1)

    def faults(self) -> Iterator[str]:
        columns, rows = self.size
        for color, most in ((Color.BLACK, 2 * (columns - 2)), (Color.WHITE, 2 * (rows - 2))):
            if (count := self.count(self.stone_of(color))) > most:
                yield f"{color.name.capitalize()} has {count} pieces, {most} at the start"

    # ---- names ----

    def read_move(self, text: str) -> Value:
        """Return the move of a text such as ``b1-b3``, ``b1:b3`` (a capture) or ``pass``."""
        word = text.strip().lower()
        if word in WORDS:
            return Action(word=word)
        match = _STEP.fullmatch(word)
        if word == "pass":
            return PASS
        if match is None:
            raise ValueError(f"no move {text!r}: expected two points such as 'b1-b3', or 'pass'")
        origin, separator, target = match.groups()
        return Step(
            origin=self.coordinates.point(origin),
            target=self.coordinates.point(target),
            capture=separator in {":", "x"} if separator else None,
        )

    def name_move(self, move: Value) -> str:
        """Return a move as its page writes it: the opposite of :meth:`read_move`."""
        if isinstance(move, Step):
            separator = ":" if move.capture else "-"
            return (
                self.coordinates.name(move.origin) + separator + self.coordinates.name(move.target)
            )
        return super().name_move(move)


def _steps_along(cells: bytes | bytearray, own: int) -> Iterator[tuple[int, int]]:
    far = len(cells) - cells.count(EMPTY)
    enemy = -1
    for origin, held in enumerate(cells[: len(cells) - far]):
        if held != own:
            continue
        if enemy <= origin:
            enemy = cells.find(3 - own, origin + 1)
            enemy = enemy if enemy >= 0 else len(cells)
        if enemy >= origin + far and cells[origin + far] != own:
            yield origin, origin + far


def _lines(size: BoardSize, down: int) -> tuple[range, ...]:
    """Return the cells of all lines: rows, columns and diagonals of two cells or more."""
    columns, rows = size
    first, last = down + 1, down + columns  # of the first row
    lines = [range(first + row * down, first + row * down + columns) for row in range(rows)]
    lines += [range(cell, cell + rows * down, down) for cell in range(first, last + 1)]
    for step, corner, sign in ((down + 1, first, 1), (down - 1, last, -1)):
        heads = [(corner + sign * away, columns - away, rows) for away in range(columns)]
        heads += [(corner + away * down, columns, rows - away) for away in range(1, rows)]
        for head, wide, high in heads:
            lines.append(range(head, head + min(wide, high) * step, step))
    return tuple(line for line in lines if len(line) > 1)

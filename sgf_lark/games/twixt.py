"""Twixt: pegs in holes, and links a knight's move long between pegs of one side.

Source: FF[4], Twixt.  White connects the top and the bottom, Black the left and the right, and
neither plays on the other's border rows.  All legal links of a new peg are added with it.  The
page of 2021 has a notation for moves that remove links, and for others that add them, of which
its grammar knows nothing; so links stay until a peg goes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import product
from typing import TYPE_CHECKING, Self

from sgf_lark.core import LETTERS, BoardSize, Color, GameNumber, LinkCenter, Point, Value
from sgf_lark.pictures.parts import BoardKind, Link
from sgf_lark.positions.cell_state import COLORS_OF_CELLS, CellState
from sgf_lark.positions.coordinates import Coordinates
from sgf_lark.positions.grid import EMPTY, ROW, SETUP_CELLS, STONES
from sgf_lark.positions.state import LEGAL, NO_MOVE, Feature, GameEnd, Verdict
from sgf_lark.positions.symmetry import Symmetries, Symmetry, Transformation

if TYPE_CHECKING:
    from sgf_lark.pictures.diagram import Diagram

#: The links of a peg, by columns and rows to the other end: a bit for each of the four to the
#: right.  A link is kept with the peg at its left.
STEPS = ((1, -2), (2, -1), (2, 1), (1, 2))

#: RU: a side's own links may cross each other.
OWN_LINKS_CROSS = frozenset({"pp"})


class TwixtCoordinates(Coordinates):
    """Names with the letters of columns in upper case."""

    __slots__ = ()

    @property
    def letters(self) -> str:
        return LETTERS.upper()


class TwixtState(CellState):
    """A board of Twixt, of any size; the four corners have no holes.

    After the cells of the pegs come as many cells with the links of each peg to its right, so
    that they are taken back and copied with them.
    """

    number_of_game = GameNumber.TWIXT
    kind = BoardKind.HOLES
    piece = "peg"
    names = TwixtCoordinates
    symmetries = Symmetries(
        frozenset(symmetry for symmetry in Symmetry if not symmetry.exchanges_axes),
        frozenset(symmetry for symmetry in Symmetry if symmetry.exchanges_axes),
        Symmetry.TRANSPOSE,
    )
    moves_are_points = True

    def __init__(self, size: BoardSize, *, rules: str = "") -> None:
        super().__init__(size, rules=rules)
        #: The cell of a peg's links is as many cells after its own.
        self._links = len(self.cells)
        self.cells += bytes(self._links)
        columns, rows = size
        self._corners = tuple(
            Point(column, row) for row, column in product((0, rows - 1), (0, columns - 1))
        )
        #: The other end of each link of a peg: direction, columns, rows, cells, and if the peg
        #: is at its left.
        self._reach = [
            (way, sign * column, sign * row, sign * (column + row * self.step), sign == 1)
            for way, (column, row) in enumerate(STEPS)
            for sign in (1, -1)
        ]
        self._own_links_cross = rules.strip().lower() in OWN_LINKS_CROSS

    def diagram(self) -> Diagram:
        """Return the picture of the board, with its links and without its corners."""
        links = tuple(
            Link(first, second, COLORS_OF_CELLS[self.cells[self.cell(first)]])
            for first, second in self.links()
        )
        update = {"links": links, "missing": self._corners}
        return super().diagram().model_copy(update=update)

    def links(self) -> Iterator[tuple[Point, Point]]:
        """Yield the two pegs of each link, the left one first."""
        for cell in self._linked(self._links, len(self.cells)):
            left = self.point_of(cell)
            for way, (column, row) in enumerate(STEPS):
                if self.cells[self._links + cell] >> way & 1:
                    yield left, Point(left.column + column, left.row + row)

    def position(self) -> Hashable:
        """Return what decides how the game can go on, the rule about own links among it."""
        return self.size, self.to_play, self._own_links_cross, bytes(self.cells)

    def features(self) -> Iterator[Feature]:
        """Yield the parts of the position: pegs, links, the side to move."""
        yield from super().features()
        for pegs in self.links():
            color = COLORS_OF_CELLS[self.cells[self.cell(pegs[0])]]
            yield Feature(tuple(sorted(pegs)), color, "link")

    def put_feature(self, feature: Feature) -> None:
        """Add a peg without links, or a link."""
        points, color, what, _ = feature
        pegs = sorted(points)
        held = {self.cells[self.cell(peg)] for peg in pegs}
        if what != "link" or color is None or held != {STONES[color]}:
            super().put_feature(feature)
            return
        left, right = pegs[0], pegs[-1]
        step = (right.column - left.column, right.row - left.row)
        if step not in STEPS or pegs != [left, right]:
            raise ValueError(f"no link of Twixt: {self.coordinates.name(left)} to another peg")
        self._put_link(self.cell(left), STEPS.index(step), on=True)

    def transformed(self, to: Transformation) -> Self:
        other = super().transformed(to)
        for pegs in self.links():
            left, right = sorted(map(to.point, pegs))
            way = STEPS.index((right.column - left.column, right.row - left.row))
            other._put_link(other.cell(left), way, on=True)  # noqa: SLF001  # its own class
        return other

    # ---- moves ----

    def judge(self, move: Value, color: Color) -> Verdict:
        """Tell if a peg may be put into a hole: an empty one within the other side's border.

        The center of a link, a move before 2021, is between two pegs of one side.
        """
        if isinstance(move, LinkCenter):
            return self._judge_link(move.point)
        if not isinstance(move, Point):
            return NO_MOVE
        sides = move.column in {0, self.size.columns - 1}
        ends = move.row in {0, self.size.rows - 1}
        if sides and ends:
            return Verdict("forbidden-hole", "is a corner, which has no hole", "correct it")
        if sides if color is Color.WHITE else ends:
            who = "White connects top and bottom" if sides else "Black connects left and right"
            reason = f"is a hole beyond the other side's border: {who}"
            return Verdict("forbidden-hole", reason, "correct it, or the color")
        return self.judge_placement(move)

    def play(self, move: Value, color: Color) -> Verdict:
        """Put down a peg with its links; it replaces one that is in its hole.

        The center of a link leaves the board as it is.
        """
        verdict = self.judge(move, color)
        if isinstance(move, Point):
            self._put_peg(move, self.stone_of(color))
        self.finish_move(move, color)
        return verdict

    def moves(self, color: Color) -> Iterator[Value]:
        return (point for point in self.empty_points() if self.judge(point, color))

    def put_drawn(self, lines: list[str], starts: list[int], rows: list[int]) -> None:
        """Put down the links of a picture; those that hide others are read first."""
        from sgf_lark.pictures.text import ASCII, HOLE_LINES, HOLE_WIDTH, UNICODE, link_signs

        text = [line.ljust(starts[-1] + HOLE_WIDTH) for line in lines]
        covered: set[tuple[int, int]] = set()
        pegs = {point: color for point, color, *_ in self.pieces()}
        seen: list[tuple[int, Point, int]] = []
        for left, way in [*product(pegs, range(len(STEPS)))][::-1]:
            (across, down), x, y = STEPS[way], starts[left.column], rows[left.row]
            if pegs.get(Point(left.column + across, left.row + down)) is not pegs[left]:
                continue
            for signs in (UNICODE, ASCII):
                drawn = link_signs(signs, HOLE_WIDTH * across, HOLE_LINES * down)
                cells = {(y + to_row, x + to_column): sign for to_column, to_row, sign in drawn}
                shown = {at for at, sign in cells.items() if text[at[0]][at[1]] in f"{sign}()"}
                if cells.keys() <= shown | covered:
                    seen.append((len(shown - covered), left, way))
                    covered |= cells.keys()
                    break
        links: set[tuple[Point, int]] = set()
        for _, left, way in sorted(seen, reverse=True):  # of two that cross, that which shows more
            column, row = left
            if links.isdisjoint(
                (Point(column + c, row + r), other) for c, r, other in CROSSING[way]
            ):
                links.add((left, way))
                right = Point(column + STEPS[way][0], row + STEPS[way][1])
                self.put_feature(Feature((left, right), pegs[left], "link"))

    def read_move(self, text: str) -> Value:
        """Return the move that people write so: a hole, or the center of a link such as ``C2*``."""
        name, star, rest = text.strip().partition("*")
        if star and not rest:
            return LinkCenter(point=self.coordinates.point(name))
        return super().read_move(text)

    def name_move(self, move: Value) -> str:
        if isinstance(move, LinkCenter):
            return f"{self.coordinates.name(move.point)}*"
        return super().name_move(move)

    def _judge_link(self, center: Point) -> Verdict:
        """Tell if a center is that of a link: over two columns and one row.

        Source: FF[4], Twixt before 2021: the center of a shallow link, half a row below a hole.
        """
        left, right = center.column - 1, center.column + 1
        high, low = center.row, center.row + 1
        if left < 0 or not self.has(Point(right, low)):
            return OFF_BOARD_LINK
        pairs = ((Point(left, high), Point(right, low)), (Point(left, low), Point(right, high)))
        pegs = [[self.cells[self.cell(point)] for point in pair] for pair in pairs]
        return LEGAL if any(first == second != EMPTY for first, second in pegs) else NO_LINK

    # ---- the end ----

    def end(self) -> GameEnd | None:
        """Return the end: a side connects its borders; a draw if no hole is left."""
        winner = next(filter(self.connects, Color), None)
        if winner is not None:
            return GameEnd(winner, "connects its borders")
        if self.to_play is not None and next(self.moves(self.to_play), None) is None:
            return GameEnd(None, "no hole is left", is_draw=True)
        return None

    def connects(self, color: Color) -> bool:
        """Tell if links of a side go from one of its borders to the other: White's is the top."""
        return self.joins_edges(color, down=color is Color.WHITE)

    def joined(self) -> Callable[[int], Iterator[int]]:
        return self._linked_with

    def _linked_with(self, cell: int) -> Iterator[int]:
        for way, left, _ in self._ends(self.point_of(cell), cell, self.cells[cell]):
            if self.cells[self._links + left] >> way & 1:
                column, row = STEPS[way]
                yield cell + column + row * self.step if left == cell else left

    def faults(self) -> Iterator[str]:
        """Yield that a side has a peg in a hole beyond the other side's border."""
        for point, color, *_ in self.pieces():
            at, end = point if color is Color.WHITE else point[::-1], self.size
            if at[0] in {0, (end if color is Color.WHITE else end[::-1])[0] - 1}:
                yield f"{self.coordinates.name(point)} is a hole beyond the other side's border"

    # ---- pegs and links ----

    def put_points(self, low: Point, high: Point, ident: str) -> bool:
        """Set all holes between two corners, as setup does.

        One peg gets its links as a move does; those of a rectangle get none, because the order
        of its pegs would decide about them.
        """
        if low == high:
            self._put_peg(low, SETUP_CELLS[ident])
        elif self.put_rectangle(low, high, SETUP_CELLS[ident]):
            for corner in self._corners:
                self.put(self.cell(corner), EMPTY)
            self._cut_links(low, high)
        return True

    def _put_peg(self, point: Point, held: int) -> None:
        """Set a hole; its links go with the peg that was there.  A corner stays empty."""
        cells, cell = self.cells, self.cell(point)
        old = cells[cell]
        if old == held or point in self._corners:
            return
        if old != EMPTY:
            for way, left, _ in self._ends(point, cell, old):
                self._put_link(left, way, on=False)
        self.put(cell, held)
        if held == EMPTY:
            return
        for way, left, start in self._ends(point, cell, held):
            if not self._is_crossed(start, left, way):
                self._put_link(left, way, on=True)

    def _ends(self, point: Point, cell: int, held: int) -> Iterator[tuple[int, int, Point]]:
        """Yield the links that a peg may have to others of its side: direction and left end."""
        cells, (columns, rows) = self.cells, self.size
        for way, column, row, by, is_left in self._reach:
            if cells[cell + by] != held:
                continue
            other = Point(point.column + column, point.row + row)
            if 0 <= other.column < columns and 0 <= other.row < rows:
                yield way, cell if is_left else cell + by, point if is_left else other

    def _put_link(self, left: int, way: int, *, on: bool) -> None:
        links = self.cells[self._links + left]
        self.put(self._links + left, links | 1 << way if on else links & ~(1 << way))

    def _is_crossed(self, at: Point, left: int, way: int) -> bool:
        for column, row, other in CROSSING[way]:
            start = Point(at.column + column, at.row + row)
            if not self.has(start):
                continue
            cell = self.cell(start)
            if self.cells[self._links + cell] >> other & 1 and not (
                self._own_links_cross and self.cells[cell] == self.cells[left]
            ):
                return True
        return False

    def _cut_links(self, low: Point, high: Point) -> None:
        first = self.cell(Point(0, max(low.row - 2, 0))) + self._links
        last = self.cell(Point(0, min(high.row + 3, self.size.rows))) + self._links
        self.work += 1 + (last - first) // (ROW * ROW)
        for cell in [*self._linked(first, last)]:
            self.work += len(STEPS)
            left = self.point_of(cell)
            for way, (column, row) in enumerate(STEPS):
                right = Point(left.column + column, left.row + row)
                if _is_within(low, high, left) or _is_within(low, high, right):
                    self._put_link(cell, way, on=False)

    def _linked(self, first: int, last: int) -> Iterator[int]:
        linked = bytes(self.cells[first:last]).translate(LINKED)
        at = linked.find(1)
        while at >= 0:
            yield first - self._links + at
            at = linked.find(1, at + 1)


OFF_BOARD_LINK = Verdict(
    "illegal-move", "is the center of no link: it would end off the board", "correct it"
)
NO_LINK = Verdict(
    "illegal-move",
    "is the center of no link: it has no two pegs of one side at its ends",
    "correct it; a peg may be missing before",
)


def _is_within(low: Point, high: Point, point: Point) -> bool:
    return low.column <= point.column <= high.column and low.row <= point.row <= high.row


#: Cells with links become 1.
LINKED = bytes([0]) + bytes([1]) * 255


def _side(first: tuple[int, int], second: tuple[int, int], point: tuple[int, int]) -> int:
    """Return on which side of a line a point is: more than 0, less, or 0 for on it."""
    return (second[0] - first[0]) * (point[1] - first[1]) - (second[1] - first[1]) * (
        point[0] - first[0]
    )


def _cross(way: int, column: int, row: int, other: int) -> bool:
    """Return True if the link from (0, 0) and the one from another hole cross between ends."""
    right, down = STEPS[other]
    ends, others = ((0, 0), STEPS[way]), ((column, row), (column + right, row + down))
    return (
        _side(*ends, others[0]) * _side(*ends, others[1]) < 0
        and _side(*others, ends[0]) * _side(*others, ends[1]) < 0
    )


#: The links that cross each link: from its left end to theirs, and their direction.
CROSSING = tuple(
    tuple(
        (column, row, other)
        for column, row, other in product(range(-2, 3), range(-4, 5), range(len(STEPS)))
        if _cross(way, column, row, other)
    )
    for way in range(len(STEPS))
)

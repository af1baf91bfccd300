"""Rows of the tables positions, lives and analysis.

A position is one of the main line, before a move or the last one.  Its key is that of the position
before, changed by what the move changed (:mod:`.keys`); where a game has other pieces than stones,
each key is found anew.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache, partial
from typing import Any, NamedTuple

from sgf_lark.core import (
    ANALYSIS_PROGRAMS,
    LETTERED_SIDE,
    BoardSize,
    Color,
    Game,
    Memo,
    Nodes,
    Point,
    find_analyses,
)
from sgf_lark.positions.board import Board
from sgf_lark.positions.keys import KEY_BITS, KEY_MASK, hash_number, packed_numbers
from sgf_lark.positions.position import walk
from sgf_lark.positions.state import Feature, State
from sgf_lark.positions.symmetry import symmetries

from .line import PASSED, board_size
from .scan import Scan

#: The side of a corner.
CORNER = 9

#: Stones that may come and go in a game, and for each of its nodes: of more, which only a record
#: that sets up a board again and again has, no rows are made.
MAX_CHANGES, MAX_CHANGES_PER_NODE = 1 << 14, 1 << 4

#: The keys of corners that a board does not have: upper right and left, lower right and left.
NO_CORNERS = (None,) * 4


class Keys(NamedTuple):
    packed: int  # the keys after each symmetry of the board: 64 bits each, the first the lowest
    # those of the corners; None if the board has none, or other pieces than stones
    corners: tuple[int, ...] | None


def find_positions(
    game_id: int, nodes: Nodes, scanned: Scan, moves: list[int]
) -> Iterator[tuple[int | None, ...]]:
    """Yield the positions of the main line of a game, as far as they are known.

    A game without rules has none, nor has one on a board with a side of more than 52.
    """
    running: _Running | None = None
    for node, played, board in known_positions(nodes, scanned):
        running = running or _Running(board)
        if has_too_many(running.changes, node):
            return
        keys, maps = running.keys(), running.maps
        at = bisect_right(scanned.nodes, node)
        following = moves[at] if at < len(moves) and scanned.nodes[at] <= scanned.end else None
        following = following if following is None or following >= PASSED else None
        ways = [keys.packed >> KEY_BITS * way & KEY_MASK for way in range(len(maps))]
        smallest = min(ways)
        symmetric = following
        if following is not None and following != PASSED:
            symmetric = min(
                to[following] for key, to in zip(ways, maps, strict=True) if key == smallest
            )
        head = game_id, played, node, ways[0], smallest, following, symmetric
        yield *head, *(keys.corners or NO_CORNERS)


def known_positions(nodes: Nodes, scanned: Scan) -> Iterator[tuple[int, int, Board]]:
    """Yield node, number of moves and board of positions before a move, and of the last one."""
    wanted = {node - 1 for node in scanned.nodes if node <= scanned.end} | {scanned.end}
    try:
        steps = walk(nodes, None, is_all=False, live=True)
    except ValueError:
        return
    for node, number, _, is_known, board, _ in steps:
        if not is_known or max(board.size) > LETTERED_SIDE:
            return
        if node in wanted:
            yield node, number, board


def has_too_many(changes: int, node: int) -> bool:
    """Return True if more stones have come and gone up to a node than games have."""
    return changes > MAX_CHANGES + MAX_CHANGES_PER_NODE * node


class _Running:
    """The keys of a board that changes."""

    def __init__(self, board: Board) -> None:
        self._state: State = board._state  # noqa: SLF001  # the live view of it
        self._stones = (0, 0)
        self.changes = 0
        self._of_stones = 0
        self._of_corners = 0
        self._others: dict[Any, int] = {}
        game, size = board.game, board.size
        self.maps, self._tables = tables_of(game, size)
        self._has_corners = board.game.has_size and min(size) >= CORNER

    def keys(self) -> Keys:
        state = self._state
        sets = state.stone_sets()
        if sets is None:
            return Keys(state.xor_features(packed_numbers), None)
        of_stones, of_corners = self._of_stones, self._of_corners
        for table, now, before in zip(self._tables, sets, self._stones, strict=True):
            changed = now ^ before
            self.changes += changed.bit_count()
            while changed:
                at = changed.bit_length() - 1
                changed ^= 1 << at
                number, corners = table[at]
                of_stones ^= number
                of_corners ^= corners
        self._stones, self._of_stones, self._of_corners = sets, of_stones, of_corners
        smallest = None
        if self._has_corners:  # of each corner and its reflection
            keys = [of_corners >> KEY_BITS * at & KEY_MASK for at in range(2 * len(NO_CORNERS))]
            smallest = tuple(map(min, keys[::2], keys[1::2]))
        return Keys(of_stones ^ self._number_of_others(), smallest)

    def _number_of_others(self) -> int:
        """Return the number of what is no stone; squares that are missing stay so."""
        state = self._state
        what = state.to_play, state.ko
        found = self._others.get(what)
        if found is None:
            found = 0
            for feature in state.other_features():
                found ^= packed_numbers(state.game, state.size, feature)
            self._others[what] = found
        return found


class BoardTables(NamedTuple):
    """Tables for the positions on the boards of one game and size."""

    maps: list[list[int]]  # for each symmetry of the board the points after it, by their numbers
    # for each color the numbers of its stones, for keys and for corners, by their bits
    numbers: list[Memo[int, tuple[int, int]]]


# Those of 52 by 52 take four megabytes.  Positions of 400 real files read once: 2.2 s CPU with
# their check, 3.0 without it.
@lru_cache(maxsize=1 << 4)
def tables_of(game: Game, size: BoardSize) -> BoardTables:
    columns, rows = size
    points = [Point(column, row) for row in range(rows) for column in range(columns)]
    maps = [
        [row * columns + column for column, row in map(way.point, points)]
        for way in symmetries(game.number, size)
    ]
    return BoardTables(maps, [Memo(partial(_numbers_at, game, size, color)) for color in Color])


def _numbers_at(game: Game, size: BoardSize, color: Color, bit: int) -> tuple[int, int]:
    row, column = divmod(bit, size.columns + 1)
    point = Point(column, row)
    number = packed_numbers(game, size, Feature((point,), color))
    return number, _corner_numbers(point, size, color)


# ---- corners ----


def _corner_numbers(point: Point, size: BoardSize, color: Color) -> int:
    """Return the numbers of a stone in the corners: two for each, for its reflection, too.

    A corner is turned so that its point is the upper right one.  The number of a stone is the
    first 8 bytes of the SHA-256 of ``corner:``, its lines from the right and from above, from 0,
    and the color: ``corner:3,2:B`` for Q17.
    """
    column, row = point
    left, top = column, row
    right, bottom = size.columns - 1 - column, size.rows - 1 - row
    packed = 0
    for at, (across, down) in enumerate(
        ((right, top), (left, top), (right, bottom), (left, bottom))
    ):
        if across < CORNER and down < CORNER:
            for place, lines in enumerate(((across, down), (down, across))):
                text = f"corner:{lines[0]},{lines[1]}:{color}"
                packed |= hash_number(text.encode()) << KEY_BITS * (2 * at + place)
    return packed


def find_lives(game_id: int, nodes: Nodes, scanned: Scan) -> list[tuple[Any, ...]]:
    """Return the stones of the main line of a game, as far as its positions are known.

    Games with other pieces than stones have none.
    """
    rows: list[tuple[int, str, int, int]] = []
    born: dict[tuple[int, str], int] = {}
    before, number, width = (0, 0), -1, 1
    for node, number, board in known_positions(nodes, scanned):  # the last one
        now = board._state.stone_sets()  # noqa: SLF001  # the live view of it
        if now is None or has_too_many(len(rows) + len(born), node):
            return []
        width = board.size.columns + 1
        for color, held, earlier in zip(Color, now, before, strict=True):
            changed = held ^ earlier
            while changed:
                at = changed.bit_length() - 1
                changed ^= 1 << at
                if held >> at & 1:
                    born[at, color.value] = number
                else:
                    rows.append((at, color.value, born.pop((at, color.value)), number))
        before = now
    rows += [(at, color, first, number + 1) for (at, color), first in born.items()]
    # a row of cells has one more than the board
    return [(game_id, at - at // width, *life) for at, *life in rows]


def find_evaluations(
    game_id: int, nodes: Nodes, scanned: Scan
) -> Iterator[tuple[int | float | str | None, ...]]:
    """Yield what engines say of the positions of a game, those of variations too."""
    size = board_size(nodes)
    for node in dict.fromkeys(nodes.having({*ANALYSIS_PROGRAMS, "C"})):
        head = game_id, node, node <= scanned.end, nodes.move_number(node)
        for analysis in find_analyses(nodes, node):
            best = None
            if analysis.moves and size is not None:
                at = analysis.moves[0].point
                best = at.row * size.columns + at.column if isinstance(at, Point) else PASSED
            yield *head, *analysis[:-1], best

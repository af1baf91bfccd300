"""The tree of the first moves of games, and numbers of the games of each position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.boards.arrays import load_numpy
from sgf_lark.boards.coordinates import Coordinates
from sgf_lark.schema.tables import load_pyarrow
from sgf_lark.schema.values import Color, Point

from .lines import PASS, Array, LineBoard

if TYPE_CHECKING:
    import pyarrow as pa

#: The winners, as they are counted.
_WINNERS = {"black_wins": "B", "white_wins": "W", "draws": "draw"}


class _Node(NamedTuple):
    """A position of the tree.

    Attributes:
        depth: Number of moves.
        games: Number of games.
        low: The first of its games, in the order of the lines.
        rank: Of its last move.
        parent: The number of the position before.
    """

    depth: int
    games: int
    low: int
    rank: int
    parent: int


class OpeningTree:
    """The positions after the first moves of games.

    Attributes:
        board: The board.
        first: The side that begins.
        before: The points of the moves before the tree.
        min_games: Number of games of a position, at least.
    """

    def __init__(
        self, board: LineBoard, first: Color, before: Sequence[int], min_games: int
    ) -> None:
        self.board = board
        self.first = first
        self.before = before
        self.min_games = min_games
        self.names = Coordinates.of(board.gm, board.size)

    def count(self, games: pa.Table, chosen: Array, ranks: Array) -> pa.Table:
        """Return the table of :class:`.Openings`.

        Args:
            games: Columns of the table games.
            chosen: Numbers of the games that are counted.
            ranks: Of their moves, those of ``before`` included.
        """
        np, pa = load_numpy(), load_pyarrow()
        order = np.lexsort(ranks.T[::-1]) if len(ranks) else np.arange(0)
        nodes = self._in_order(list(self._nodes(ranks[order][:, len(self.before) :])))
        rows = games.take(chosen[order])
        lows = np.array([node.low for _, node in nodes], np.int64)
        counts = np.array([node.games for _, node in nodes], np.int64)
        sums = _Sums(lows, lows + counts)
        won = {name: sums.add(_flags(rows["winner"], side)) for name, side in _WINNERS.items()}
        known = sum(won.values(), start=np.zeros(len(nodes), np.int64))
        score = np.where(
            known > 0, (won["black_wins"] + won["draws"] / 2) / np.maximum(known, 1), np.nan
        )
        years = _years(rows["date_first"])
        above = np.array([node.parent for _, node in nodes], np.int64)
        numbers = {number: at for at, (number, _) in enumerate(nodes)}
        parents = np.array([numbers.get(number, 0) for number in above.tolist()], np.int64)
        return pa.table(
            {
                **self._moves(nodes, parents.tolist()),
                "games": pa.array(counts),
                "share": pa.array(counts / np.maximum(counts[parents], 1)),
                **{name: pa.array(values) for name, values in won.items()},
                "unknown": pa.array(counts - known),
                "black_score": pa.array(score, from_pandas=True),
                "year_first": sums.extreme(years, np.minimum),
                "year_last": sums.extreme(years, np.maximum),
                "strength": pa.array(sums.mean(_strengths(rows)), from_pandas=True),
            }
        )

    def _nodes(self, ranks: Array) -> Iterator[_Node]:
        """Yield the positions, those of a depth after those of the depth before."""
        np = load_numpy()
        yield _Node(0, len(ranks), 0, 0, 0)
        last = self.board.columns * self.board.rows  # the rank of a pass
        changed = np.zeros(len(ranks), bool)
        changed[:1] = True
        above, number = np.zeros(len(ranks), np.int64), 1
        for depth, column in enumerate(ranks.T, 1):
            changed[1:] |= column[1:] != column[:-1]
            lows = np.flatnonzero(changed)
            counts = np.diff(lows, append=len(column))
            kept = (column[lows] <= last) & (counts >= self.min_games) & (above[lows] >= 0)
            numbers = np.full(len(lows), -1)
            numbers[kept] = np.arange(number, number + kept.sum())
            for low, count in zip(lows[kept].tolist(), counts[kept].tolist(), strict=True):
                yield _Node(depth, count, low, int(column[low]), int(above[low]))
            above = np.repeat(numbers, counts)
            number += int(kept.sum())

    @staticmethod
    def _in_order(nodes: list[_Node]) -> list[tuple[int, _Node]]:
        """Return the positions with their numbers, each before its continuations."""
        children: dict[int, list[int]] = {}
        for number, node in enumerate(nodes[1:], 1):
            children.setdefault(node.parent, []).append(number)
        ordered, waiting = [], [0]
        while waiting:
            number = waiting.pop()
            ordered.append((number, nodes[number]))
            more = children.get(number, ())
            waiting += sorted(more, key=lambda at: (nodes[at].games, -nodes[at].rank))
        return ordered

    def _moves(self, nodes: list[tuple[int, _Node]], parents: list[int]) -> dict[str, Any]:
        """Return the columns that name moves."""
        pa = load_pyarrow()
        paths = [" ".join(self._name(point) for point in self.before)]
        names: list[str | None] = [None]
        points: list[int | None] = [None]
        for (_, node), parent in zip(nodes[1:], parents[1:], strict=True):
            point = self.board.point(node.rank)
            name = self._name(point)
            names.append(name)
            points.append(point)
            paths.append(f"{paths[parent]} {name}".lstrip())
        sides = [self.first, self.first.opponent]
        colors = [
            sides[(len(self.before) + node.depth - 1) % 2].value if node.depth else None
            for _, node in nodes
        ]
        return {
            "moves": pa.array(paths, pa.string()),
            "depth": pa.array([node.depth for _, node in nodes], pa.int32()),
            "move": pa.array(names, pa.string()),
            "color": pa.array(colors, pa.string()),
            "point": pa.array(points, pa.int32()),
        }

    def _name(self, point: int) -> str:
        if point == PASS:
            return "pass"
        row, column = divmod(point, self.board.columns)
        return self.names.name(Point(column, row))


# ---- numbers of positions ----


class _Sums(NamedTuple):
    """Sums over the games of each position.

    Attributes:
        lows: The first game of each.
        highs: The end of them.
    """

    lows: Array
    highs: Array

    def add(self, values: Array) -> Array:
        """Return the sum of values of the games."""
        np = load_numpy()
        sums = np.concatenate([[0], np.cumsum(values)])
        found: Array = sums[self.highs] - sums[self.lows]
        return found

    def mean(self, values: Array) -> Array:
        """Return the mean of the values that are numbers; NaN without any."""
        np = load_numpy()
        known = ~np.isnan(values)
        number = self.add(known.astype(np.int64))
        total = self.add(np.where(known, values, 0.0))
        found: Array = np.where(number > 0, total / np.maximum(number, 1), np.nan)
        return found

    def extreme(self, values: Array, function: Any) -> Any:
        """Return the smallest or largest of the values that are numbers, as an Arrow array."""
        np, pa = load_numpy(), load_pyarrow()
        out = np.inf if function is np.minimum else -np.inf
        values = np.append(np.where(np.isnan(values), out, values), out)
        pairs = np.stack([self.lows, self.highs], axis=1).ravel()
        found = function.reduceat(values, pairs)[::2] if len(pairs) else values[:0]
        found = np.where(np.isinf(found), np.nan, found)
        return pa.array(found, from_pandas=True).cast(pa.int32())


def _flags(column: pa.ChunkedArray, value: str) -> Array:
    from pyarrow import compute

    np = load_numpy()
    flags: Array = (
        compute.equal(column, value).fill_null(fill_value=False).to_numpy().astype(np.int64)
    )
    return flags


def _years(column: pa.ChunkedArray) -> Array:
    from pyarrow import compute

    np = load_numpy()
    years: Array = compute.year(column).to_numpy().astype(np.float64)
    return years


def _strengths(rows: pa.Table) -> Array:
    np = load_numpy()
    both = [
        rows[name].to_numpy().astype(np.float64) for name in ("black_strength", "white_strength")
    ]
    mean: Array = (both[0] + both[1]) / 2
    return mean

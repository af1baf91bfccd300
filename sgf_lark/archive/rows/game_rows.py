"""Rows of the tables games, moves and positions, collected for many games.

>>> rows = GameRows()
>>> for number, game in enumerate(collection):
...     rows.add(game, RowPlace("games.sgf", game=number))
>>> batches = rows.batches()  # {"games": pyarrow.RecordBatch, "moves": pyarrow.RecordBatch}
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import repeat
from typing import TYPE_CHECKING, Any

from sgf_lark.core import LETTERED_SIDE, GameTree, Nodes, RuleSet
from sgf_lark.report.tables import load_pyarrow

from .game_facts import GameFacts, RowPlace
from .lives import find_lives
from .points import NONE, PointsOfKinds, board_size, points_of_kinds
from .positions import find_positions
from .scan import ANNOTATIONS, TIMES, Scan, game_id
from .table_rows import TableRows, real, whole

if TYPE_CHECKING:
    import pyarrow as pa

#: The tables of which a game has rows.
TABLES = ("games", "moves", "positions", "lives")


class GameRows:
    """Collects rows of games.  Games are kept no longer than :meth:`add` takes.

    Args:
        tables: Of games, moves, positions and lives the tables that are wanted.
        points: The points of moves of other games.

    Raises:
        ValueError: There is no such table.

    Attributes:
        rows: The rows of each table.
    """

    def __init__(
        self, tables: Iterable[str] = ("games", "moves"), points: PointsOfKinds | None = None
    ) -> None:
        self.rows = {table: TableRows(table) for table in tables}
        unknown = self.rows.keys() - {*TABLES}
        if unknown:
            raise ValueError(f"no table {min(unknown)!r} of a game: there are {', '.join(TABLES)}")
        self._points = points_of_kinds() if points is None else points

    def add(self, game: GameTree, place: RowPlace) -> int:
        """Add the rows of a game.

        Args:
            game: The game, with all its nodes.
            place: Where it is.

        Returns:
            Its ``game_id``.

        Raises:
            ValueError: Nodes of the game were left out (``info_only``).
        """
        nodes = game.nodes
        nodes.require_all()
        number = game_id(place.source, place.member, place.offset)
        scanned, size = Scan(nodes), board_size(nodes)
        points = self._points[nodes.rules, size]
        moves = points.of(scanned.idents, scanned.raws)
        rows = self.rows
        if "games" in rows:
            rows["games"].add(GameFacts(number, game, place, scanned, points, moves))
        if "moves" in rows:
            rows["moves"].extend(MoveFacts(number, nodes, scanned, moves))
        is_lettered = size is None or max(size) <= LETTERED_SIDE
        if "positions" in rows and is_lettered:
            rows["positions"].add_rows(find_positions(number, nodes, scanned, moves))
        if "lives" in rows and is_lettered:
            rows["lives"].add_rows(find_lives(number, nodes, scanned))
        return number

    def batches(self) -> dict[str, pa.RecordBatch]:
        """Return the rows that were added since the last call, a batch for each table.

        Raises:
            ImportError: pyarrow or numpy is not installed; the error says how to install it.
        """
        return {table: rows.batches()[0] for table, rows in self.rows.items()}


class MoveFacts:
    """The facts about the moves of a game, of each a list with an entry for each move.

    Args:
        game_id: The key of the game.
        nodes: Of the game.
        scanned: Their contents.
        moves: The points of the moves.
    """

    def __init__(self, game_id: int, nodes: Nodes, scanned: Scan, moves: list[int]) -> None:
        played, tree = scanned.nodes, nodes.tree
        count = len(played)
        plays = bytearray(len(nodes))
        for node in played:
            plays[node] = True
        on_main = bisect_right(played, scanned.end)
        self.game_id = repeat(game_id, count)
        self.node = played
        self.parent = map(nodes.parents.__getitem__, played)
        self.path = tree.paths(played)
        self.main = [True] * on_main + [False] * (count - on_main)
        self.number = map(tree.counts(plays).__getitem__, played)
        self.color, self.raw = scanned.idents, scanned.raws
        self.point = [point if point > NONE else None for point in moves]
        none: list[Any] = [None] * count
        self.time_left, self.periods, self.comment = none, none[:], none[:]
        self.annotations = [0] * count
        self._look_beside(scanned, nodes.rules)

    def _look_beside(self, scanned: Scan, rules: RuleSet) -> None:
        """Read what nodes have beside their moves."""
        readings = rules.readings
        for at, beside in scanned.beside.items():
            time, period = TIMES[scanned.idents[at]]
            for ident, raws in beside.items():
                if ident == "C":
                    value = readings[ident][raws].value
                    self.comment[at] = value if isinstance(value, str) else None
                elif ident == time:
                    self.time_left[at] = real(readings[ident][raws].value)
                elif ident == period:
                    self.periods[at] = whole(readings[ident][raws].value)
                else:
                    self.annotations[at] |= ANNOTATIONS.get(ident, 0)


def tabulate(game: GameTree) -> pa.Table:
    """Return the moves of a game as a table, as :meth:`sgf_lark.GameTree.to_arrow` has it."""
    arrow, rows = load_pyarrow(), GameRows(["moves"])
    rows.add(game, RowPlace())
    return arrow.Table.from_batches([*rows.batches().values()])

"""Rows of the tables games, moves and positions, collected for many games.

>>> rows = GameRows()
>>> for number, game in enumerate(collection):
...     rows.add(game, Place("games.sgf", game=number))
>>> batches = rows.batches()  # {"games": pyarrow.RecordBatch, "moves": pyarrow.RecordBatch}
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.boards.keys import turned_keys
from sgf_lark.model.collection import GameTree
from sgf_lark.model.nodes import Nodes
from sgf_lark.model.positions.replay import Replay
from sgf_lark.model.positions.start import BACKGAMMON_SIZE, start
from sgf_lark.model.ruleset import RuleSet
from sgf_lark.schema.games import LETTERED_SIDE
from sgf_lark.schema.tables import HASH_BYTES, load_pyarrow, record_batch, tables

from .canonical import canonical_columns
from .info_columns import info_columns, real, whole
from .line import MainLine, dyer
from .points import LONG, NONE, Points, PointsOfKinds, board_size
from .positions import add_positions
from .scan import ANNOTATIONS, TIMES, Scan, canonical_value, game_id
from .setups import find_setups

if TYPE_CHECKING:
    import pyarrow as pa

#: The tables of which a game has rows.
TABLES = ("games", "moves", "positions")

#: Columns of games that are made of those of many games at once.
CANONICAL = ("canon", "canon_hash")

#: In place of the size of a board that is not known.
NO_BOARD = BACKGAMMON_SIZE


class RowPlace(NamedTuple):
    """The place of a game: the columns of ``games`` that it does not know of itself.

    Attributes:
        source: The path or address of the file.
        member: The name of the record in an archive; "" for other files.
        game: The number of the game in its record, from 0.
        offset, length: The bytes of the game in its record.
        bytes_hash: Of these bytes: :func:`.bytes_hash`.
        encoding: The encoding of the text.
        errors, warnings, infos: The numbers of findings in the game.
    """

    source: str = ""
    member: str = ""
    game: int = 0
    offset: int = 0
    length: int = 0
    bytes_hash: bytes = bytes(HASH_BYTES)
    encoding: str = "UTF-8"
    errors: int = 0
    warnings: int = 0
    infos: int = 0


class GameRows:
    """Collects rows of games.  Games are kept no longer than :meth:`add` takes.

    Args:
        tables: Of games, moves and positions the tables that are wanted.

    Raises:
        ValueError: There is no such table.
    """

    def __init__(self, tables: Iterable[str] = ("games", "moves")) -> None:
        self.tables = tuple(tables)
        unknown = [table for table in self.tables if table not in TABLES]
        if unknown:
            raise ValueError(f"no table {unknown[0]!r} of a game: there are {', '.join(TABLES)}")
        self._points = PointsOfKinds()
        self._clear()

    def _clear(self) -> None:
        self._columns: dict[str, dict[str, list[Any]]] = {
            table: {column.name: [] for column in tables()[table] if column.name not in CANONICAL}
            for table in self.tables
        }

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
        points = self._points.of(nodes.rules, size)
        moves = points.of(scanned.idents, scanned.raws)
        if "games" in self.tables:
            row = {
                "game_id": number,
                **place._asdict(),
                "text_hash": scanned.text_hash,
                "format": str(game.format),
                "gm": whole(game.game),
                "kind": game.game_name,
                "columns": size and whole(size.columns),
                "rows": size and whole(size.rows),
                **info_columns(game.info, nodes.contents[0], game.format),
                "nodes": len(nodes),
                "variations": len(nodes.tree.starts),
                "depth": max(nodes.tree.depths) + 1,
                "comments": scanned.comments,
                **_line_columns(nodes, scanned, points, moves),
            }
            columns = self._columns["games"]
            for name, values in columns.items():
                values.append(row[name])
        if "moves" in self.tables:
            self._add_moves(number, nodes, scanned, moves)
        if "positions" in self.tables and (size is None or max(size) <= LETTERED_SIDE):
            add_positions(self._columns["positions"], number, nodes, scanned, moves)
        return number

    def _add_moves(self, number: int, nodes: Nodes, scanned: Scan, moves: list[int]) -> None:
        columns, played = self._columns["moves"], scanned.nodes
        plays = bytearray(len(nodes))
        for node in played:
            plays[node] = True
        numbers = nodes.tree.counts(plays)
        on_main = bisect_right(played, scanned.end)
        columns["game_id"] += repeat(number, len(played))
        columns["node"] += played
        columns["parent"] += map(nodes.parents.__getitem__, played)
        columns["path"] += nodes.tree.paths(played)
        columns["main"] += [True] * on_main + [False] * (len(played) - on_main)
        columns["number"] += map(numbers.__getitem__, played)
        columns["color"] += scanned.idents
        columns["point"] += [point if point > NONE else None for point in moves]
        columns["raw"] += scanned.raws
        for name, values in move_columns(scanned, nodes.rules).items():
            columns[name] += values

    @property
    def counts(self) -> dict[str, int]:
        """The number of rows of each table since the last call of :meth:`batches`."""
        return {table: len(columns["game_id"]) for table, columns in self._columns.items()}

    def shorten(self, counts: Mapping[str, int]) -> None:
        """Keep that number of rows of each table, also if :meth:`add` raised in the middle."""
        for table, columns in self._columns.items():
            for values in columns.values():
                del values[counts[table] :]

    def batches(self) -> dict[str, pa.RecordBatch]:
        """Return the rows that were added since the last call, a batch for each table.

        Raises:
            ImportError: pyarrow or numpy is not installed; the error says how to install it.
        """
        found = {}
        for table, columns in self._columns.items():
            more = canonical_columns(columns) if table == "games" else {}
            found[table] = record_batch(table, columns | more)
        self._clear()
        return found


def _line_columns(
    nodes: Nodes, scanned: Scan, points: Points, moves: list[int]
) -> Mapping[str, Any]:
    """Return the columns that the main line has."""
    count = bisect_right(scanned.nodes, scanned.end)
    line, idents, raws = moves[:count], scanned.idents[:count], scanned.raws[:count]
    setups = find_setups(nodes, scanned, points.size)
    is_long = LONG in line
    game = nodes.rules.game
    row: dict[str, Any] = dict.fromkeys(
        ("line", "line_hash", "line_hash_symmetric", "dyer", "dyer_symmetric")
    )
    if line and setups.parts is not None:
        made = MainLine(game, points.size or NO_BOARD, idents, setups.parts)
        if is_long or points.size is None:
            hashes = made.of_values([*map(points.value, idents, raws)])
        else:
            words = [raw for raw, point in zip(raws, line, strict=True) if point == NONE]
            hashes = made.of_points(line, [*map(canonical_value, words)])
        row["line_hash"], row["line_hash_symmetric"] = hashes
    if not is_long and points.size is not None and max(line, default=NONE) > NONE:
        row["line"] = line
        row["dyer"], row["dyer_symmetric"] = dyer(game, points.size, line)
    key, symmetric = final_keys(nodes)
    return row | {
        "moves": count,
        "first_color": idents[0] if idents else None,
        "setup_black": whole(setups.black),
        "setup_white": whole(setups.white),
        "key_final": key,
        "key_final_symmetric": symmetric,
    }


def tabulate(game: GameTree) -> pa.Table:
    """Return the moves of a game as a table, as :meth:`sgf_lark.GameTree.to_arrow` has it."""
    arrow, rows = load_pyarrow(), GameRows(["moves"])
    rows.add(game, RowPlace())
    return arrow.Table.from_batches([*rows.batches().values()])


def final_keys(nodes: Nodes) -> tuple[int | None, int | None]:
    """Return the key of the last position of the main line, and its symmetric key.

    None if the board is not known: no rules are known, the first board is missing, or a move
    could not be carried out.
    """
    if nodes.end is not None:  # the check of the game has played it
        keys = turned_keys(nodes.end)
        return keys[0], min(keys)
    try:
        state = start(nodes.contents, nodes.rules)
    except ValueError:
        return None, None
    replay = Replay(nodes.contents, nodes.rules, state)
    for _ in replay.of_nodes(nodes.tape, nodes.tree.main_line(), None):
        pass
    if not replay.is_known:
        return None, None
    keys = turned_keys(state)
    return keys[0], min(keys)


def move_columns(scanned: Scan, rules: RuleSet) -> dict[str, list[Any]]:
    """Return the columns of the nodes with a move, an entry for each of them.

    Args:
        scanned: The contents of the nodes.
        rules: Reads them.
    """
    count = len(scanned.nodes)
    none: list[Any] = [None] * count
    left, periods, comments, annotations = none, none[:], none[:], [0] * count
    readers = rules.list_readers
    for at, beside in scanned.beside.items():
        time, period = TIMES[scanned.idents[at]]
        for ident, raws in beside.items():
            if ident == "C":
                value = readers[ident](raws)
                comments[at] = value if isinstance(value, str) else None
            elif ident == time:
                left[at] = real(readers[ident](raws))
            elif ident == period:
                periods[at] = whole(readers[ident](raws))
            else:
                annotations[at] |= ANNOTATIONS.get(ident, 0)
    return {
        "time_left": left,
        "periods": periods,
        "comment": comments,
        "annotations": annotations,
    }

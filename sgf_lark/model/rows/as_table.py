"""A game as a table of its moves, whose modules are imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa


class TabledGame:
    """Base of games: their rows."""

    def to_arrow(self: Any) -> pa.Table:
        """Return the moves of all nodes as a table: the rows that the game has in an archive.

        >>> game.to_arrow().select(["number", "color", "point"]).to_pydict()
        {'number': [1, 2], 'color': ['B', 'W'], 'point': [72, 288]}

        Its columns are those of the table ``moves``: ``node``, ``parent``, ``path``, ``main``,
        ``number`` (from 1), ``color`` (B or W), ``point`` (row x columns + column, -1 a pass),
        ``raw``, ``time_left`` (seconds), ``periods``, ``comment`` and ``annotations``.  Its
        ``game_id`` is that of a game without a file.

        Raises:
            ImportError: pyarrow is not installed; the error says how to install it.
            ValueError: Nodes of the game were left out (``info_only``).
        """
        from sgf_lark.schema.tables import load_pyarrow

        from .game_rows import GameRows, Place

        arrow, rows = load_pyarrow(), GameRows(["moves"])
        rows.add(self, Place())
        table: pa.Table = arrow.Table.from_batches([*rows.batches().values()])
        return table

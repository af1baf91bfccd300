"""Rows of games, until those of the model take their place."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.model.collection import GameTree
from sgf_lark.schema.tables import HASH_BYTES, record_batch, tables

if TYPE_CHECKING:
    import pyarrow as pa


def bytes_hash(content: bytes) -> bytes:
    """Return the hash of the bytes of a game."""
    return hashlib.sha256(content).digest()[:HASH_BYTES]


class Place(NamedTuple):
    """The place of a game: the columns of ``games`` that it does not know of itself."""

    source: str = ""
    member: str = ""
    game: int = 0
    offset: int = 0
    length: int = 0
    bytes_hash: bytes = bytes(HASH_BYTES)
    encoding: str = "UTF-8"


class GameRows:
    """Collects rows of games."""

    def __init__(self, names: Iterable[str]) -> None:
        self._columns: dict[str, dict[str, list[Any]]] = {
            name: {column.name: [] for column in tables()[name]} for name in names
        }

    @property
    def counts(self) -> dict[str, int]:
        """The number of rows of each table."""
        return {name: len(columns["game_id"]) for name, columns in self._columns.items()}

    def add(self, game: GameTree, place: Place) -> int:
        """Add the rows of a game; return its key."""
        key = f"{place.source}\0{place.member}\0{place.offset}".encode("utf-8", "surrogateescape")
        game_id = int.from_bytes(hashlib.sha256(key).digest()[:8]) & ~(1 << 63)
        values = place._asdict() | {
            "game_id": game_id,
            "format": str(game.format),
            "text_hash": bytes(HASH_BYTES),
            "nodes": len(game.nodes),
            "kind": game.game_name,
            "gm": game.game,
        }
        if "games" in self._columns:
            for column in tables()["games"]:
                default = None if column.nullable else 0
                self._columns["games"][column.name].append(values.get(column.name, default))
        return game_id

    def batches(self) -> dict[str, pa.RecordBatch]:
        """Return the rows, a batch for each table."""
        return {name: record_batch(name, columns) for name, columns in self._columns.items()}

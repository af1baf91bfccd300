"""Results of queries: tables, and the texts of their values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.findings.members import record_path
from sgf_lark.schema.tables import text_of

if TYPE_CHECKING:
    import pyarrow as pa


class ResultTable(NamedTuple):
    """A table to show.

    Attributes:
        name: Its name, as a key of JSON: ``sizes``.
        title: Its title; "" if it is the only one.
        schema: Its columns.
        batches: Its rows.
        bars: Labels and numbers of a distribution, which a terminal shows instead of the rows.
    """

    name: str
    title: str
    schema: pa.Schema
    batches: Iterable[pa.RecordBatch]
    bars: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, table: pa.Table, name: str = "rows", title: str = "") -> ResultTable:
        """Return a table in memory as a result."""
        return cls(name, title, table.schema, table.to_batches())

    def placed(self) -> ResultTable:
        """Return the table with source, member and game in one column, as people read them."""
        import pyarrow as pa

        at = self.schema.names.index(PLACE[0])
        rest = [name for name in self.schema.names if name not in PLACE]
        names = [*rest[:at], "place", *rest[at:]]
        fields = [
            pa.field("place", pa.string()) if name == "place" else self.schema.field(name)
            for name in names
        ]

        def place(batch: pa.RecordBatch) -> pa.RecordBatch:
            columns = (batch.column(name).to_pylist() for name in PLACE)
            places = pa.array([_place(*row) for row in zip(*columns, strict=True)], pa.string())
            arrays = [places if name == "place" else batch.column(name) for name in names]
            return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields))

        return self._replace(schema=pa.schema(fields), batches=map(place, self.batches))

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self.schema.names)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows, with values of Python."""
        for batch in self.batches:
            yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


#: Columns that together say where a game is; they are beside each other.
PLACE = ("source", "member", "game")


def _place(source: str, member: str, game: int) -> str:
    """Return the place of a game as ``show`` reads it: ``games.zip/a.sgf#2``."""
    return record_path(source, member) + f"#{game + 1}" * bool(game)


# ---- numbers for people ----


def is_number(type_: pa.DataType) -> bool:
    """Return whether a column has numbers."""
    from pyarrow import types

    return bool(types.is_integer(type_) or types.is_floating(type_) or types.is_decimal(type_))


def shower(field: pa.Field) -> Callable[[Any], str]:
    """Return a function that gives the text of a value of a column, for people.

    Numbers have thousands separators, but for years, keys and hashes; parts are percentages.
    """
    from pyarrow import types

    if not is_number(field.type) or types.is_uint64(field.type) or field.name in CODES:
        return text_of
    is_share = field.name.startswith("share") or field.name.endswith("_score")
    return _percentage if is_share and types.is_floating(field.type) else _grouped


#: Columns whose numbers do not count anything.
CODES = {"game_id", "gm", "year", "year_first", "year_last"}


def _percentage(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def _grouped(value: Any) -> str:
    """Return a number with thousands separators; the larger it is, the fewer decimals."""
    if value is None:
        return ""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value == value // 1:
        return f"{int(value):,}"
    decimals = 1 if abs(value) >= MANY else 2 if abs(value) >= 1 else 4
    return f"{value:,.{decimals}f}".rstrip("0").rstrip(".")


#: Numbers from this one on have one decimal.
MANY = 100

"""Games of an archive that meet a condition in SQL: their rows, and copies of them."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from sgf_lark.archive.records.copying import Copied, CopiedRecord, copy_records, write_collection
from sgf_lark.core import require_archive
from sgf_lark.report.tables import arrow_schema, json_value, load_pyarrow, text_of

from .sql import QueryError, load_duckdb

if TYPE_CHECKING:
    import pyarrow as pa

    from sgf_lark.archive.archive import Archive

#: The forms in which rows are written.
RowForm: TypeAlias = Literal["csv", "jsonl", "parquet"]


def select(archive: Archive, condition: str) -> Selection:
    """Select games by a condition in SQL about the columns of ``games``.

    Args:
        condition: One expression, such as ``komi = 6.5 and black = 'Aoki' and errors = 0``.  It may
            have queries about the other tables: ``game_id in (select game_id from findings where
            code = 'G601')``.

    Raises:
        QueryError: It is no condition, or about something that the tables do not have; the error
            has the place of the mistake.
        ImportError: duckdb is not installed.
    """
    require_archive(archive)
    _require_expression(archive, condition)
    return Selection(archive, condition)


class Selection:
    """Games that meet a condition, in the order of the archive; :func:`select` tests it."""

    def __init__(self, archive: Archive, condition: str) -> None:
        self.archive = archive
        self.condition = condition

    def __repr__(self) -> str:
        return f"<Selection {self.condition!r} of {self.archive!r}>"

    @cached_property
    def count(self) -> int:
        """The number of games."""
        answer = self.archive.sql(f"SELECT count(*) FROM games WHERE {self._where}")  # noqa: S608
        count: int = answer[0][0].as_py()
        return count

    def rows(self, columns: Sequence[str] | None = None) -> pa.RecordBatchReader:
        """Return the rows of the games in batches.

        Args:
            columns: Names of columns of ``games``; None for all, with the schema of the table.

        Raises:
            KeyError: There is no such column.
        """
        pa, schema = load_pyarrow(), arrow_schema("games")
        wanted = pa.schema([schema.field(name) for name in columns]) if columns else schema
        names = ", ".join(f'"{name}"' for name in wanted.names)
        query = f"SELECT {names} FROM games WHERE {self._where}"  # noqa: S608  # it can only read
        reader = self.archive.stream(query)
        # DuckDB does not know that hashes have a fixed size, and which columns have no nulls.
        batches = (batch.cast(wanted) for batch in reader)
        return pa.RecordBatchReader.from_batches(wanted, batches)

    def write(self, file: IO[bytes], form: RowForm, columns: Sequence[str] | None = None) -> int:
        """Write the rows of the games to a file that is open for bytes; return their number.

        Args:
            form: ``csv``, ``jsonl`` (an object a line) or ``parquet``.  In the first two, hashes
                are hexadecimal digits and days as in ISO 8601.
            columns: As for :meth:`rows`.

        Raises:
            ValueError: There is no such form.
            KeyError: There is no such column.
        """
        if form not in get_args(RowForm):
            raise ValueError(f"no form {form!r}: expected {', '.join(get_args(RowForm))}")
        reader = self.rows(columns)
        if form == "parquet":
            return _write_parquet(reader, file)
        write = _write_csv if form == "csv" else _write_jsonl
        return write(reader.schema.names, _values(reader), file)

    def write_sgf(self, file: IO[bytes]) -> Copied:
        """Write the games as one collection in SGF and UTF-8 to a file that is open for bytes.

        The bytes of a game stay as they are, unless it is in another encoding or in GGF: then it is
        written again, with CA, or converted to FF[4].  A game with errors is written again in the
        canonical layout: without its end, it would swallow the next one.

        Returns:
            The number of games, and the records that could not be read or have changed, of which
            nothing is written.
        """
        return write_collection(self.archive, self._where, file)

    def copy_to(
        self,
        directory: str | os.PathLike[str],
        on_record: Callable[[CopiedRecord], object] | None = None,
    ) -> Copied:
        """Copy the games to a directory, in the folders of their sources.

        A record of which every game is selected is copied byte for byte.  Of another one, the
        selected games are copied byte for byte, a line break between them, and what is outside
        them is left out; a byte order mark stays.  Compressed records are unpacked, and
        an archive of records becomes a folder of its name.  A file that exists is never
        overwritten; one with the same content counts as copied.

        Args:
            directory: The directory; it is created.
            on_record: A function that is called with each record.

        Returns:
            The numbers of files and games, and what could not be copied: records that are gone or
            have changed since the archive was built, and names that other files have.

        Raises:
            OSError: The directory cannot be written, or the disk is full.
        """
        return copy_records(self.archive, self._where, directory, on_record)

    @property
    def _where(self) -> str:
        """The condition in brackets; its first line is the second one, a comment ends in it."""
        return f"(\n{self.condition}\n)"


def _require_expression(archive: Archive, condition: str) -> None:
    """Test that a text is one expression, and that it can be asked."""
    duckdb = load_duckdb()
    if not condition.strip():
        raise QueryError("the condition is empty: for all games it is 'true'")
    try:
        archive.sql(f"SELECT game FROM games WHERE (\n{condition}\n) LIMIT 0")  # noqa: S608
        duckdb.SQLExpression(condition)
    except QueryError as error:
        place = error.place
        if place is not None:
            place = place._replace(line=place.line - 1)
            if not 1 <= place.line <= condition.count("\n") + 1:
                place = None
        raise QueryError(error.message, condition, place) from None
    except duckdb.Error:
        words = "expected one condition, such as  komi = 6.5 AND black = 'Aoki'"
        raise QueryError(words, condition) from None


# ---- rows ----


def _values(reader: Iterable[pa.RecordBatch]) -> Iterator[tuple[Any, ...]]:
    for batch in reader:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _write_parquet(reader: pa.RecordBatchReader, file: IO[bytes]) -> int:
    load_pyarrow()
    import pyarrow.parquet as pq

    count = 0
    with pq.ParquetWriter(file, reader.schema, compression="zstd") as writer:
        for batch in reader:
            writer.write_batch(batch)
            count += batch.num_rows
    return count


def _write_csv(names: list[str], rows: Iterable[tuple[Any, ...]], file: IO[bytes]) -> int:
    """Write the lines of RFC 4180; nulls and empty texts are empty."""
    count = 0
    text = io.TextIOWrapper(file, "utf-8", newline="")
    try:
        writer = csv.writer(text)
        writer.writerow(names)
        for count, row in enumerate(rows, 1):  # noqa: B007  # counted
            writer.writerow(map(text_of, row))
    finally:
        text.detach()
    return count


def _write_jsonl(names: list[str], rows: Iterable[tuple[Any, ...]], file: IO[bytes]) -> int:
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007  # counted
        line = dict(zip(names, map(json_value, row), strict=True))
        file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
    return count

"""Archives that were built: their tables as Arrow, pandas and Polars, and answers in SQL."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from sgf_lark.core import load_extra, reason, similar
from sgf_lark.files.members import ArchiveError
from sgf_lark.report.tables import (
    MAX_ROWS,
    arrow_schema,
    columns_of,
    draw_table,
    load_pyarrow,
    show_in_notebooks,
    tables,
)

from .queries.sql import (
    MAX_QUERY_BYTES,
    VIEWS,
    Aliases,
    Database,
    Parameters,
    tabulate_aliases,
    time_limit_or_default,
)
from .store import Manifest, require_manifest

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.dataset as ds


def read(
    directory: str | os.PathLike[str],
    memory: int = MAX_QUERY_BYTES,
    *,
    aliases: Aliases | None = None,
) -> Archive:
    """Open an archive that ``sgf-lark archive build`` or :func:`build` made.

    Only its manifest is read; rows are read when they are asked for.

    Args:
        memory: Limit of the memory of a query, in bytes; what needs more goes to a temporary
            folder.
        aliases: Other spellings of names, for the tables ``players`` and ``pairs`` of queries:
            ``{"Lee Sedol": ["Yi Se-tol"]}``, or the path of a file of TOML with such lines.

    Raises:
        ArchiveError: There is no archive, its tables have another version, or a part of it is
            missing or changed; the aliases cannot be read.
        ImportError: pyarrow is not installed.
    """
    return Archive(directory, memory, aliases)


class Archive:
    """The tables of an archive; arguments and errors are those of :func:`read`.

    Each table is an :class:`ArchiveTable`: ``archive.games.to_table(["black"], filter=...)`` reads
    what is wanted of it, ``to_batches`` a batch at a time; ``to_pandas`` and ``to_polars`` make
    frames of it.  The schemas are those of :func:`sgf_lark.archive.arrow_schema`, and rows are
    ordered by source, record, game and node.  A table that was not built has no rows.

    It is also a context: at its end, the memory and files of queries are given back.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        memory: int = MAX_QUERY_BYTES,
        aliases: Aliases | None = None,
    ) -> None:
        self.directory = Path(directory)
        self.manifest: Manifest = require_manifest(self.directory)
        self._memory = memory
        self._aliases = tabulate_aliases(aliases or {})
        self._tables = {name: ArchiveTable(name, self._open(name)) for name in tables()}

    @property
    def games(self) -> ArchiveTable:
        """A row for each game."""
        return self._tables["games"]

    @property
    def moves(self) -> ArchiveTable:
        """A row for each move, those of variations too."""
        return self._tables["moves"]

    @property
    def findings(self) -> ArchiveTable:
        """A row for each finding of ``check``."""
        return self._tables["findings"]

    @property
    def positions(self) -> ArchiveTable:
        """A row for each position of the main lines; empty if they were not built."""
        return self._tables["positions"]

    @property
    def lives(self) -> ArchiveTable:
        """A row for each stone of the main lines; empty if they were not built."""
        return self._tables["lives"]

    @property
    def analysis(self) -> ArchiveTable:
        """A row for each analysis of a position by an engine; empty if they were not built."""
        return self._tables["analysis"]

    @property
    def sources(self) -> ArchiveTable:
        """A row for each file that was read."""
        return self._tables["sources"]

    def table(self, name: str) -> ArchiveTable:
        """Return a table by its name.

        Raises:
            KeyError: There is no such table.
        """
        columns_of(name)
        return self._tables[name]

    def sql(
        self,
        query: str,
        parameters: Parameters | None = None,
        *,
        time_limit: float | None = None,
    ) -> pa.Table:
        """Answer a query in SQL, as DuckDB reads it, about the tables of the archive.

        The query cannot change the archive, nor open any other file.  A notebook shows the first
        rows of its answer, as those of any table of Arrow from then on.

        Args:
            query: One statement, such as ``select black, count(*) from games group by black``.
            parameters: The values of ``?``, ``$1`` or ``$name`` in it.
            time_limit: Limit in seconds; 0 for none.  By default there is none on a terminal
                (standard error is one), where Ctrl-C ends a query; elsewhere it is 60.

        Raises:
            QueryError: It cannot be answered; the error has the place of the mistake.
            QueryTimeoutError: It takes longer than the limit.
            ValueError: The limit is negative.
            ImportError: duckdb is not installed.
        """
        show_in_notebooks(load_pyarrow().Table)
        return self._database.ask(query, parameters, time_limit_or_default(time_limit))

    def stream(self, query: str, parameters: Parameters | None = None) -> pa.RecordBatchReader:
        """Answer a query, as :meth:`sql` does, in batches: an answer may be larger than the memory.

        There is no time limit: what happens between two batches may take as long as it likes.

        Raises:
            QueryError: It cannot be answered; also when a batch is read.
            ImportError: duckdb is not installed.
        """
        pa = load_pyarrow()
        database = self.database()
        try:
            reader = database.stream(query, parameters)
        except BaseException:
            database.close()
            raise
        batches = _until_read(reader, database)
        return pa.RecordBatchReader.from_batches(reader.schema, batches)

    def database(self) -> Database:
        """Open the tables as a database of its own, to be closed by the caller.

        Raises:
            ImportError: duckdb is not installed.
        """
        datasets = {name: table.dataset for name, table in self._tables.items()}
        return Database({**datasets, "aliases": self._aliases}, self._memory, VIEWS)

    @cached_property
    def _database(self) -> Database:
        return self.database()

    def close(self) -> None:
        """Give back what queries use; the tables stay readable."""
        database = self.__dict__.pop("_database", None)
        if database is not None:
            database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        counts = (f"{self.manifest.rows(name)} {name}" for name in tables())
        return f"<Archive {str(self.directory)!r}: {', '.join(counts)}>"

    def _repr_html_(self) -> str:
        counts = {name: self.manifest.rows(name) for name in tables()}
        facts = {"table": list(counts), "rows": list(counts.values())}
        return draw_table(load_pyarrow().table(facts))

    def _open(self, table: str) -> Any:
        load_pyarrow()
        import pyarrow.dataset as ds

        schema, paths = arrow_schema(table), list[str]()
        for part in self.manifest.parts:
            if table not in part.bytes:
                continue
            path = self.directory / part.file(table)
            try:
                size = path.stat().st_size
            except OSError as error:
                words = f"a part of this archive cannot be read: {reason(error)}"
                raise ArchiveError(words, os.fspath(path)) from None
            if size != part.bytes[table]:
                words = (
                    f"a part of this archive was changed: it has {size} bytes, not"
                    f" {part.bytes[table]}"
                )
                raise ArchiveError(words, os.fspath(path))
            paths.append(os.fspath(path))
        if not paths:
            return ds.dataset(schema.empty_table())
        return ds.dataset(paths, schema=schema, format="parquet")


def _until_read(reader: pa.RecordBatchReader, database: Database) -> Iterator[pa.RecordBatch]:
    try:
        yield from reader
    finally:
        reader.close()
        database.close()


class ArchiveTable:
    """A table of an archive; rows are read when they are asked for.

    >>> archive.games.to_pandas(["black", "komi"])

    Whatever takes Arrow takes it as it is: ``pyarrow.table(archive.games)``,
    ``polars.DataFrame(archive.games)``, ``pandas.DataFrame.from_arrow(archive.games)``, and DuckDB.

    Attributes:
        dataset: Its rows as a dataset of pyarrow, for programs that read lazily what they need of
            it, such as ``polars.scan_pyarrow_dataset(archive.moves.dataset)``.
    """

    def __init__(self, name: str, dataset: ds.Dataset) -> None:
        self.name = name
        self.dataset = dataset

    @property
    def schema(self) -> pa.Schema:
        """The names and types of the columns, as :func:`sgf_lark.archive.arrow_schema` has them."""
        return self.dataset.schema

    @property
    def column_names(self) -> list[str]:
        names: list[str] = self.schema.names
        return names

    @property
    def num_rows(self) -> int:
        """Number of rows; none of them is read."""
        count: int = self.dataset.count_rows()
        return count

    def __len__(self) -> int:
        return self.num_rows

    def to_table(
        self,
        columns: Sequence[str] | None = None,
        filter: pc.Expression | None = None,  # as pyarrow calls it
    ) -> pa.Table:
        """Return rows as a table of Arrow.

        Args:
            columns: The columns; None for all.
            filter: The rows, as ``pyarrow.compute.field("komi") == 6.5``; None for all.

        Raises:
            KeyError: There is no such column.
            TypeError: ``columns`` is one name.
        """
        return self.dataset.to_table(columns=self._known(columns), filter=filter)

    def to_batches(
        self,
        columns: Sequence[str] | None = None,
        filter: pc.Expression | None = None,  # as pyarrow calls it
    ) -> Iterator[pa.RecordBatch]:
        """Yield rows in batches of Arrow, not all in memory; as :meth:`to_table`."""
        found: Iterator[pa.RecordBatch] = self.dataset.to_batches(
            columns=self._known(columns), filter=filter
        )
        return found

    def to_pandas(
        self,
        columns: Sequence[str] | None = None,
        filter: pc.Expression | None = None,  # as pyarrow calls it
    ) -> pd.DataFrame:
        """Return rows for pandas, with Arrow's types: numbers with nulls stay integers.

        Raises:
            ImportError: pandas is not installed; other errors are those of :meth:`to_table`.
        """
        pandas = load_extra(
            "pandas", "DataFrames need pandas (extra frames):  pip install 'sgf_lark[frames]'"
        )
        return self.to_table(columns, filter).to_pandas(types_mapper=pandas.ArrowDtype)

    def to_polars(
        self,
        columns: Sequence[str] | None = None,
        filter: pc.Expression | None = None,  # as pyarrow calls it
    ) -> pl.DataFrame:
        """Return rows for Polars.

        Raises:
            ImportError: Polars is not installed; other errors are those of :meth:`to_table`.
        """
        words = "DataFrames of Polars need polars (extra frames):  pip install 'sgf_lark[frames]'"
        # A table without batches has no types for Polars.
        found: pl.DataFrame = load_extra("polars", words).DataFrame(self.to_table(columns, filter))
        return found

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return all rows as a stream of Arrow's PyCapsule interface."""
        reader: Any = self.dataset.scanner().to_reader()
        stream: object = reader.__arrow_c_stream__(requested_schema)
        return stream

    def __repr__(self) -> str:
        return (
            f"<ArchiveTable {self.name!r}: {self.num_rows} rows, {len(self.column_names)} columns>"
        )

    def _repr_html_(self) -> str:
        return draw_table(self.dataset.head(MAX_ROWS), self.num_rows)

    def _known(self, columns: Sequence[str] | None) -> list[str] | None:
        if columns is None:
            return None
        if isinstance(columns, str):
            raise TypeError(f"expected the names of columns such as [{columns!r}], not one str")
        names = self.column_names
        for column in columns:
            if column not in names:
                raise KeyError(f"{self.name} has no column {column!r}{similar(column, names)}")
        return list(columns)

"""A table of an archive, as Arrow, pandas and Polars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sgf_lark.settings.selection import similar

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.dataset as ds


class ArchiveTable:
    """A table of an archive; rows are read when they are asked for.

    >>> archive.games
    <ArchiveTable 'games': 7 rows, 65 columns>
    >>> archive.games.to_pandas(["black", "komi"])

    Whatever takes Arrow takes it as it is: ``pyarrow.table(archive.games)``,
    ``polars.DataFrame(archive.games)``, ``pandas.DataFrame.from_arrow(archive.games)``, and DuckDB.

    Args:
        name: Its name.
        dataset: Its rows.

    Attributes:
        name: Its name.
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
        """The names of the columns."""
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
        """Yield rows in batches of Arrow, so that not all of them are in memory.

        Args:
            columns: As for :meth:`to_table`.
            filter: As for :meth:`to_table`.

        Raises:
            KeyError: As :meth:`to_table`.
            TypeError: As :meth:`to_table`.
        """
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

        Args:
            columns: As for :meth:`to_table`.
            filter: As for :meth:`to_table`.

        Raises:
            ImportError: pandas is not installed.
            KeyError: As :meth:`to_table`.
            TypeError: As :meth:`to_table`.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("DataFrames need pandas:  pip install pandas") from error
        return self.to_table(columns, filter).to_pandas(types_mapper=pd.ArrowDtype)

    def to_polars(
        self,
        columns: Sequence[str] | None = None,
        filter: pc.Expression | None = None,  # as pyarrow calls it
    ) -> pl.DataFrame:
        """Return rows for Polars.

        Args:
            columns: As for :meth:`to_table`.
            filter: As for :meth:`to_table`.

        Raises:
            ImportError: Polars is not installed.
            KeyError: As :meth:`to_table`.
            TypeError: As :meth:`to_table`.
        """
        try:
            import polars as pl
        except ImportError as error:
            raise ImportError("DataFrames of Polars need polars:  pip install polars") from error
        # A table without batches has no types for Polars.
        return pl.DataFrame(self.to_table(columns, filter))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return all rows as a stream of Arrow's PyCapsule interface."""
        reader: Any = self.dataset.scanner().to_reader()
        stream: object = reader.__arrow_c_stream__(requested_schema)
        return stream

    def __repr__(self) -> str:
        return (
            f"<ArchiveTable {self.name!r}: {self.num_rows} rows, {len(self.column_names)} columns>"
        )

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

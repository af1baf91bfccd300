"""Queries in SQL about tables, answered by DuckDB, and the names of players in them.

The tables are Arrow datasets, and DuckDB itself may open no file: no query can read, write or load
anything else, whatever it says.
"""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar
from weakref import finalize

from sgf_lark.core import fold_name, load_extra, reason, similar, visible
from sgf_lark.files.members import ArchiveError
from sgf_lark.report.tables import load_pyarrow
from sgf_lark.report.terminal import cells

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa


#: Limit of the memory of a query, in bytes: what needs more is moved to a temporary folder.
MAX_QUERY_BYTES = 2 << 30

#: Seconds between two looks for Ctrl-C and the time limit while a query runs.
SECONDS_A_LOOK = 0.1

#: The time limit in seconds of a query where nobody sits at a terminal and can press Ctrl-C.
UNATTENDED_SECONDS = 60.0

T = TypeVar("T")

#: The values of ``?`` and ``$1`` in a query, or of ``$name``.
Parameters: TypeAlias = Sequence[Any] | Mapping[str, Any]


class QueryPlace(NamedTuple):
    """A place in the text of a query.

    Attributes:
        line: From 1.
        column: From 1, in characters.
        length: Number of characters; 0 if it is a point between two.
    """

    line: int
    column: int
    length: int


class QueryError(ValueError):
    """A query that cannot be answered.

    Attributes:
        place: The place of the mistake; None if it is not known.
    """

    def __init__(self, message: str, query: str = "", place: QueryPlace | None = None) -> None:
        super().__init__(message, query, place)
        self.message = message
        self.query = query
        self.place = place

    def __str__(self) -> str:
        return "\n".join((self.message, *self.excerpt))

    @property
    def excerpt(self) -> tuple[str, ...]:
        """The line of the mistake, and a line that marks it; empty if its place is not known."""
        if self.place is None:
            return ()
        line, column, length = self.place
        text = visible(self.query.split("\n")[line - 1].replace("\t", " "))
        return f"  {text}", f"  {' ' * cells(text[: column - 1])}{'^' * max(1, length)}"


class QueryTimeoutError(QueryError):
    """A query that takes longer than its time limit."""


def time_limit_or_default(seconds: float | None) -> float:
    """Return the time limit of a query in seconds, infinite for none.

    Args:
        seconds: The limit; 0 for none; None for none on a terminal (standard error is one), where
            Ctrl-C ends a query, and for 60 elsewhere.

    Raises:
        ValueError: It is negative, or no number.
    """
    if seconds is None:
        attended = sys.stderr is not None and sys.stderr.isatty()
        return math.inf if attended else UNATTENDED_SECONDS
    if not seconds >= 0:
        raise ValueError(f"invalid time limit {seconds}: expected seconds, or 0 for none")
    return seconds or math.inf


class Database:
    """Tables that queries are asked about; each thread needs one of its own.

    Args:
        memory: Limit of the memory of a query, in bytes.
        views: Queries about the tables, by the names under which their rows are tables, too.

    Raises:
        ImportError: duckdb is not installed.
    """

    def __init__(
        self,
        tables: Mapping[str, pa.dataset.Dataset | pa.Table],
        memory: int = MAX_QUERY_BYTES,
        views: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        engine = load_duckdb()
        self._memory = memory
        folder = mkdtemp(prefix="sgf_lark-")
        self._remove = finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self._columns = {name: table.schema.names for name, table in tables.items()}
        self.connection: duckdb.DuckDBPyConnection = engine.connect(":memory:")
        with suppress(engine.InvalidInputException):  # a notebook without ipywidgets has no bar
            self.connection.execute("SET enable_progress_bar = false")
        for setting, value in (
            ("temp_directory", folder),
            ("memory_limit", f"{memory >> 10}KiB"),
            ("errors_as_json", True),
            ("python_enable_replacements", False),
            ("autoinstall_known_extensions", False),
            ("autoload_known_extensions", False),
            ("enable_external_access", False),
            ("lock_configuration", True),
        ):
            text = str(value).replace("'", "''")
            shown = f"'{text}'" if isinstance(value, str) else text.lower()
            self.connection.execute(f"SET {setting} = {shown}")
        for name, table in tables.items():
            self.connection.register(name, table)
        for name, query in views.items():
            self.connection.execute(f"CREATE TEMP VIEW {name} AS {query}")
            self._columns[name] = self.connection.table(name).columns
        self._thread = ThreadPoolExecutor(1)

    def close(self) -> None:
        """Close the connection and remove the temporary folder."""
        self._thread.shutdown()
        self.connection.close()
        self._remove()

    def ask(
        self, query: str, parameters: Parameters | None = None, time_limit: float = math.inf
    ) -> pa.Table:
        """Return the answer to a query: one statement that gives rows.

        Args:
            time_limit: Limit in seconds.

        Raises:
            QueryError: It cannot be answered.
            QueryTimeoutError: It takes longer than the limit.
        """
        return self._ask(query, parameters, "to_arrow_table", _Deadline(query, time_limit))

    def stream(
        self, query: str, parameters: Parameters | None = None, time_limit: float = math.inf
    ) -> pa.RecordBatchReader:
        """Return the answer in batches, as :meth:`ask` does, errors included.

        No other query is asked until the last one is read, nor does the time limit end before.
        """
        deadline = _Deadline(query, time_limit)
        is_renamed = hasattr(load_duckdb().DuckDBPyRelation, "to_arrow_reader")
        method = "to_arrow_reader" if is_renamed else "fetch_record_batch"  # the name in DuckDB 1.4
        reader = self._ask(query, parameters, method, deadline)
        batches = self._read(reader, query, parameters, deadline)
        return load_pyarrow().RecordBatchReader.from_batches(reader.schema, batches)

    def _read(
        self,
        reader: pa.RecordBatchReader,
        query: str,
        parameters: Parameters | None,
        deadline: _Deadline,
    ) -> Iterator[pa.RecordBatch]:
        pa = load_pyarrow()
        with reader:
            while True:
                try:
                    yield self._wait(reader.read_next_batch, deadline)
                except StopIteration:
                    return
                except (OSError, pa.ArrowInvalid) as error:  # of DuckDB, through Arrow
                    raise self.explain(error, query, parameters) from None

    def _ask(
        self, query: str, parameters: Parameters | None, method: str, deadline: _Deadline
    ) -> Any:
        duckdb, pa = load_duckdb(), load_pyarrow()
        try:
            statements = self.connection.extract_statements(query)
            if len(statements) != 1:
                raise QueryError(f"expected one statement, found {len(statements)}", query)
            kinds = duckdb.StatementType
            if statements[0].type not in {kinds.SELECT, kinds.EXPLAIN, kinds.MULTI}:
                raise QueryError("expected a query such as SELECT: nothing can be changed", query)
            # The text, and not the statement: parameters of a statement are not typed.
            ask = partial(self.connection.sql, query, params=parameters)
            return self._wait(getattr(self._wait(ask, deadline), method), deadline)
        except (duckdb.Error, pa.ArrowInvalid) as error:
            raise self.explain(error, query, parameters) from None

    def _wait(self, work: Callable[[], T], deadline: _Deadline) -> T:
        """Return the result of some work of DuckDB, which Ctrl-C and the deadline end.

        DuckDB looks for Ctrl-C between two batches, and one batch may take hours.
        """
        deadline.check()
        future = self._thread.submit(work)
        try:
            while not wait([future], SECONDS_A_LOOK).done:
                deadline.check()
        except (KeyboardInterrupt, QueryTimeoutError):
            self.connection.interrupt()
            wait([future])
            raise
        return future.result()

    def explain(
        self, error: Exception, query: str, parameters: Parameters | None = None
    ) -> QueryError:
        """Return an error of DuckDB in words, with its place."""
        said, prefix = _read_error(error), ""
        if "position" not in said:
            # Only a query that is prepared has the places of names that are not known.
            prefix = "EXPLAIN "
            try:
                self.connection.execute(f"{prefix}{query}", parameters).fetchall()
            except load_duckdb().Error as again:
                found = _read_error(again)
                said = found if "position" in found else said
        message = str(said.get("exception_message", error)).strip()
        name, kind = str(said.get("name", "")), said.get("error_subtype")
        if kind == "COLUMN_NOT_FOUND":
            known = {column for columns in self._columns.values() for column in columns}
            message = f"there is no column '{name}'{similar(name, sorted(known - {name}))}"
            if f'"{name}"' in query:
                message = f"there is no column '{name}'; a text is in single quotes: '{name}'"
        elif kind == "MISSING_ENTRY":
            kind = str(said.get("type", "name")).lower()
            known = set(self._columns) if kind == "table" else {str(said.get("candidates", ""))}
            message = f"there is no {kind} '{name}'{similar(name, sorted(known - {''}))}"
        elif said.get("exception_type") == "Out of Memory":
            message = (
                f"it needs more memory than its limit of {self._memory >> 20} MiB;"
                " sgf_lark.archive.read() has a parameter for another one"
            )
        return QueryError(message, query, _place(said, query, len(prefix)))


class _Deadline:
    def __init__(self, query: str, seconds: float) -> None:
        self._query = query
        self._seconds = seconds
        self._end = monotonic() + seconds

    def check(self) -> None:
        if monotonic() > self._end:
            raise QueryTimeoutError(
                f"no answer within the time limit of {self._seconds:g} s; for another limit use"
                " time_limit, on the command line --time-limit (0 for none)",
                self._query,
            )


def load_duckdb() -> Any:
    return load_extra(
        "duckdb", "queries need duckdb (extra archive):  pip install 'sgf_lark[archive]'"
    )


def _read_error(error: Exception) -> dict[str, Any]:
    """Return the parts of an error of DuckDB: its text has an object of JSON."""
    text = str(error)
    try:
        said = json.loads(text[text.index("{") :])
    except ValueError:
        return {"exception_message": text.partition(" Error: ")[2] or text}
    return said if isinstance(said, dict) else {}


#: A word, or a sign, in bytes.
_WORD = re.compile(rb"[\w\x80-\xff]+|.?", re.DOTALL)


def _place(said: Mapping[str, Any], query: str, skipped: int) -> QueryPlace | None:
    """Return the place of an error; its position counts bytes.

    DuckDB 1.4 says no length, which is that of a word then; its parser counts characters.
    """
    try:
        at = max(0, int(said["position"]) - skipped)
        length = json.loads(said["location"])[1] if "location" in said else None
    except (KeyError, ValueError):
        return None
    if length is None and said.get("exception_type") == "Parser":
        at = len(query[:at].encode())
    data = query.encode()
    before = data[:at].decode(errors="ignore")
    rest = data[len(before.encode()) :]
    if length is None:
        length = len((_WORD.match(rest) or [b""])[0])
    hit = rest[:length].decode(errors="ignore").split("\n")[0]
    line = before.count("\n") + 1
    return QueryPlace(line, len(before) - (before.rfind("\n") + 1) + 1, len(hit))


#: Other spellings of names, or the path of a file of TOML that has them.
Aliases: TypeAlias = Mapping[str, list[str]] | str | os.PathLike[str]


def tabulate_aliases(aliases: Aliases) -> pa.Table:
    """Return the table of folded names and of the players that have them.

    Args:
        aliases: For each name its other spellings; or the path of a file with lines such as
            ``"Lee Sedol" = ["Yi Se-tol", "李世乭"]``.

    Raises:
        ArchiveError: The file cannot be read, a name has no list of names, or two names have one
            spelling.
    """
    file = "aliases" if isinstance(aliases, Mapping) else os.fspath(aliases)
    try:
        players = _join_spellings(
            aliases
            if isinstance(aliases, Mapping)
            else tomllib.loads(Path(file).read_text(encoding="utf-8"))
        )
    except (OSError, ValueError) as error:
        raise ArchiveError(reason(error), file) from None
    pa = load_pyarrow()
    names = [pa.array(texts, pa.string()) for texts in (players.keys(), players.values())]
    return pa.table(names, ["folded", "player"])


def _join_spellings(names: Mapping[str, Any]) -> dict[str | None, str | None]:
    players = dict[str | None, str | None]()
    for name, others in names.items():
        if not isinstance(others, list) or not all(isinstance(other, str) for other in others):
            raise ValueError(f'aliases of "{name}": expected other spellings, as ["Yi Se-tol"]')
        for other in (name, *others):
            player = players.setdefault(fold_name(other), fold_name(name))
            if player != fold_name(name):
                raise ValueError(f"'{other}' is a spelling of '{player}' and of '{name}'")
    return players


_PLAYERS = """
WITH sides AS (
    SELECT black AS name, black_player AS folded, black_rank AS rank, black_strength AS strength,
        'B' AS color, winner, date_first, date_last, true AS is_first
    FROM games
    UNION ALL SELECT white, white_player, white_rank, white_strength,
        'W', winner, date_first, date_last, black IS DISTINCT FROM white
    FROM games
), named AS (
    SELECT sides.*, coalesce(aliases.player, folded) AS player
    FROM sides LEFT JOIN aliases USING (folded)
)
SELECT name, player,
    nullif(array_to_string([one.rank FOR one IN list_sort(list_distinct(
        list({'strength': strength, 'rank': rank}) FILTER (rank IS NOT NULL)
    ))], ', '), '') AS ranks,
    count(*) FILTER (is_first) AS games,
    count(*) FILTER (color = 'B') AS black, count(*) FILTER (color = 'B' AND winner = 'B')
        AS black_won,
    count(*) FILTER (color = 'W') AS white, count(*) FILTER (color = 'W' AND winner = 'W')
        AS white_won,
    min(date_first) AS date_first, max(date_last) AS date_last
FROM named WHERE player IS NOT NULL GROUP BY name, player
ORDER BY sum(count(*)) OVER (PARTITION BY player) DESC, player, games DESC, name
"""

_PAIRS = """
WITH named AS (
    SELECT coalesce(one.player, black_player) AS black, winner, date_first, date_last,
        coalesce(other.player, white_player) AS white
    FROM games LEFT JOIN aliases AS one ON one.folded = black_player
        LEFT JOIN aliases AS other ON other.folded = white_player
)
SELECT least(black, white) AS player, greatest(black, white) AS opponent, count(*) AS games,
    count(*) FILTER (winner = CASE WHEN black < white THEN 'B' ELSE 'W' END) AS won,
    count(*) FILTER (winner = CASE WHEN black < white THEN 'W' ELSE 'B' END) AS lost,
    count(*) FILTER (winner = 'draw') AS drawn,
    min(date_first) AS date_first, max(date_last) AS date_last
FROM named WHERE black <> white GROUP BY ALL ORDER BY games DESC, 1, 2
"""

#: The tables that are counted from others, by their names.
VIEWS = {"players": _PLAYERS, "pairs": _PAIRS}

"""The command ``sgf-lark archive sql``."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from sgf_lark.cli.interface import argument, command, option
from sgf_lark.cli.output import fail
from sgf_lark.core import plural, reason
from sgf_lark.files.paths import STDIN
from sgf_lark.report.tables import tables

from .arguments import ARCHIVE, PlayerOptions, reported_errors
from .tables import ResultTable

if TYPE_CHECKING:
    from sgf_lark.archive import Archive


class QueryOptions(PlayerOptions, section="Options"):
    """The limit of a query, and the form of its result."""

    time_limit: float | None = option(
        "Stop a query that takes longer; 0 for no limit.  [default: none on a terminal,"
        " otherwise 60]",
        metavar="SECONDS",
    )


@command(
    ARCHIVE,
    argument(
        "query",
        "[QUERY]",
        "A query in the SQL of DuckDB, a file that ends in .sql, or - for standard input."
        "  [default: standard input, if it is no terminal]",
    ),
)
def sql(folder: Path, query: str | None, options: QueryOptions) -> None:
    """Query the tables of an archive in SQL.

    The tables are games, moves, findings, sources and, if they were built, positions; players and
    pairs of them are counted from games. 'DESCRIBE games' lists the columns of one. A query can
    change nothing, and read no other file.

    Exit code: 1 if the query takes longer than the time limit, 2 if it is wrong.

    Examples:
        sgf-lark archive sql go.archive "FROM games LIMIT 5"
        sgf-lark archive sql go.archive "DESCRIBE games"
    """
    from sgf_lark.archive import read
    from sgf_lark.archive.queries.sql import time_limit_or_default

    try:
        seconds = time_limit_or_default(options.time_limit)
    except ValueError as error:
        fail(f"--time-limit: {error}")
    with (
        reported_errors(),
        read(folder, aliases=options.aliases) as archive,
        closing(archive.database()) as database,
    ):
        answer = database.stream(_read_query(query, archive), time_limit=seconds)
        table = ResultTable("rows", "", answer.schema, answer)
        options.show([table], folder, str(folder), limit=options.limit)


def _read_query(query: str | None, archive: Archive) -> str:
    """Return the text of a query; exit if there is none."""
    text = query or ""
    if query == STDIN or (query is None and not sys.stdin.isatty()):
        text = sys.stdin.read()
    elif query is not None and query.lower().endswith(".sql"):
        try:
            text = Path(query).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            fail(f"cannot read {query}: {reason(error)}")
    if not text.strip():
        counts = {name: archive.table(name).num_rows for name in tables()}
        known = (f"{name} ({plural(count, 'row')})" for name, count in counts.items())
        fail(f"QUERY is missing; the tables are {', '.join(known)}")
    return text

"""The command ``sgf-lark archive stats``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sgf_lark.cli.errors import did_you_mean
from sgf_lark.cli.interface import command, option

from .arguments import ARCHIVE, PlayerOptions, reported_errors
from .tables import ResultTable

if TYPE_CHECKING:
    from sgf_lark.archive.queries.stats import StatsTable

#: Default limit of the rows of each table on a terminal.
MAX_ROWS = 15


class StatsOptions(PlayerOptions, section="Output"):
    """The tables, their form and their file."""

    tables: tuple[str, ...] = option(
        "Show only this table, such as years; the names are those of json.",
        "--table",
        metavar="NAME",
    )


@command(ARCHIVE)
def stats(folder: Path, shown: StatsOptions) -> None:
    """Count the games of an archive, by many columns.

    By format, game, board size, rules, program and year; their lengths and results; findings by
    rule, and the programs whose games have the most; players and pairs of them. A page (html)
    has plots.

    Examples:
        sgf-lark archive stats go.archive
        sgf-lark archive stats go.archive --format html -o go.html
    """
    from sgf_lark.archive import read
    from sgf_lark.archive.queries import stats as queries

    tables, limit = shown.tables, shown.limit
    with reported_errors(), read(folder, aliases=shown.aliases) as archive:
        found = queries.stats(archive, queries.MAX_ROWS if limit is None else None)
        if shown.form == "html" and not tables:
            shown.show_page(found.html(f"Statistics of {folder}"), folder)
            return
        known = {table.name: table for table in found.tables}
        for name in tables:
            if name not in known:
                hint = did_you_mean(name, known) or f": expected {', '.join(known)}"
                raise click.UsageError(f"--table: no table '{name}'{hint}")
        chosen = [known[name] for name in tables or known]
        results = [
            ResultTable.of(table.rows, table.name, table.title)._replace(
                bars=() if tables or limit is not None else _bars(table)
            )
            for table in chosen
            if table.rows.num_rows or tables
        ]
        shown.show(results, folder, f"Statistics of {folder}", limit=limit, most=MAX_ROWS)


def _bars(table: StatsTable) -> tuple[tuple[str, int], ...]:
    """Return labels and numbers of a distribution; empty if the table is none."""
    from sgf_lark.archive.queries.stats import find_bars

    return tuple((bar.label, bar.number) for bar in find_bars(table))

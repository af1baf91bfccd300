"""Statistics of an archive: counts, lengths, results, strengths, findings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.core import GO, HIGHEST_AMATEUR, PROFESSIONAL_STEP, require_archive
from sgf_lark.pictures.pages.markup import Html, join, tag
from sgf_lark.pictures.pages.page import STYLE as PLOTS, Bar, draw_bars, end_page, start_page

if TYPE_CHECKING:
    import pyarrow as pa

    from sgf_lark.archive.archive import Archive

#: Findings about moves that the rules of the game forbid.
ILLEGAL_MOVES = (
    *("occupied-point", "point-off-board", "suicide", "ko-capture", "illegal-move"),
    *("needless-pass", "missing-pass", "out-of-turn", "dice-moves"),
)

#: Default limit of the rows of a table.
MAX_ROWS = 1000

#: Limit of the bars of a histogram; the last one has everything above.
MAX_BARS = 40

#: Limits of the games of a program that is listed as one with many findings: fewer give no rate.
#: In a small archive a hundredth of all games is enough.
MIN_GAMES = 10


class StatsTable(NamedTuple):
    """A table of statistics.

    Attributes:
        name: Its name, as a key of JSON.
        rows: Its rows.  Shares are parts of the games that the table counts, from 0 to 1.
        plot: The columns of the label and the height of a bar, if its rows are a distribution.
    """

    name: str
    title: str
    rows: pa.Table
    plot: tuple[str, str] | None = None


@dataclass(frozen=True, repr=False)
class Stats:
    """Statistics of an archive.

    Attributes:
        tables: The tables, the most important first.
    """

    tables: tuple[StatsTable, ...]

    def __getitem__(self, name: str) -> pa.Table:
        """Return the rows of a table by its name.

        Raises:
            KeyError: There is no such table.
        """
        for table in self.tables:
            if table.name == name:
                return table.rows
        raise KeyError(name)

    def __repr__(self) -> str:
        return f"<Stats: {', '.join(table.name for table in self.tables)}>"

    def _repr_html_(self) -> str:
        shown = [table for table in self.tables if table.rows.num_rows]
        return join(
            part for table in shown for part in (tag("h4", table.title), _table(table.rows))
        )

    def to_dict(self) -> dict[str, list[dict[str, Any]]]:
        """Return the rows of each table by its name."""
        return {table.name: table.rows.to_pylist() for table in self.tables}

    def html(self, title: str = "Statistics") -> Html:
        """Return a page with tables and plots that needs no other file, and no script."""

        sections = [_section(table) for table in self.tables if table.rows.num_rows]
        return join(
            (
                start_page(title, style=Html(PLOTS + STYLE)),
                tag("header", tag("h1", tag("bdi", title))),
                tag("main", tag("div", *sections, class_="stats")),
                end_page(),
            )
        )


def stats(archive: Archive, limit: int | None = MAX_ROWS) -> Stats:
    """Count the games, moves and findings of an archive.

    The tables: ``totals``; ``lengths`` by the kind of game, and ``length_histogram``; ``results``
    and ``margins``; ``strengths``; ``formats``, ``kinds``, ``sizes``, ``rules``, ``programs``,
    ``years``, ``encodings``; ``handicaps`` and ``komi``; ``findings`` by rule; ``worst_programs``;
    ``players`` by their names as written, and ``pairs`` of them.
    Lengths are numbers of moves of the main line.  The histograms are those of the most frequent
    kind of game: a point and a move are not the same in all of them.

    Args:
        limit: Limit of the rows of a table; None for no limit.

    Raises:
        ImportError: duckdb is not installed.
    """
    require_archive(archive)
    at_most = {"limit": limit}
    lengths = archive.sql(_LENGTHS, at_most)
    kind = lengths["kind"][0].as_py() if lengths.num_rows else None
    name = f"{kind} games" if kind else "games of unknown kind"
    tables = [
        StatsTable("totals", "In all", archive.sql(_TOTALS, {"illegal": list(ILLEGAL_MOVES)})),
        StatsTable("lengths", "Lengths by kind of game, in moves", lengths),
        StatsTable(
            *("length_histogram", f"Lengths of {name}, in moves"),
            *(_histogram(archive, "moves", kind), PLOT),
        ),
        StatsTable("results", "Results", archive.sql(_RESULTS, at_most)),
        StatsTable(
            *("margins", f"Margins of {name}, in points"),
            *(_histogram(archive, "margin", kind), PLOT),
        ),
        StatsTable(
            *("strengths", "Strengths of players"),
            *(archive.sql(_STRENGTHS, at_most | _SCALE), ("rank", "players")),
        ),
    ]
    for name, title, columns in _BREAKDOWNS:
        plot = ("year", "games") if name == "years" else None
        order = _ORDERS.get(name, "games DESC, 1")
        where = _ONLY_GO if name in {"handicaps", "komi"} else "true"
        query = _BREAKDOWN.format(columns=columns, order=order, where=where)
        tables.append(StatsTable(name, title, archive.sql(query, at_most), plot))
    tables += [
        StatsTable("findings", "Findings by rule", archive.sql(_FINDINGS, at_most)),
        StatsTable(
            *("worst_programs", "Programs with the most errors and warnings a game"),
            archive.sql(_WORST_PROGRAMS, at_most | {"least": MIN_GAMES}),
        ),
        StatsTable("players", "Players", archive.sql("FROM players LIMIT $limit", at_most)),
        StatsTable("pairs", "Pairs of players", archive.sql("FROM pairs LIMIT $limit", at_most)),
    ]
    return Stats(tuple(tables))


def _histogram(archive: Archive, column: str, kind: str | None) -> pa.Table:
    where = "kind IS NOT DISTINCT FROM $kind"
    if column == "margin":  # after a resignation it is what was counted up to then
        where += " AND ending IN ('score', 'draw')"
    ends = archive.sql(_ENDS.format(column=column, where=where), {"kind": kind}).to_pylist()[0]
    width = class_width(ends["top"] or 0)
    last = min(int((ends["most"] or 0) // width), MAX_BARS - 1)
    bounds = {"kind": kind, "width": width, "last": last}
    return archive.sql(_CLASSES.format(column=column, where=where), bounds)


#: The columns of a plot of a histogram.
PLOT = ("from", "games")


def class_width(top: float) -> int:
    """Return the width of the classes of a histogram: 1, 2, 5, 10, 20, 50 ..."""
    width, factor = 1, 0
    while top / width >= MAX_BARS - 1:
        width = (1, 2, 5)[factor % 3] * 10 ** (factor // 3)
        factor += 1
    return width


_ENDS = """
SELECT quantile_cont({column}, 0.99) AS top, max({column}) AS most FROM games WHERE {where}
"""

_CLASSES = """
WITH bars AS (
    SELECT least(floor({column} / $width), $last)::INTEGER AS bar, count(*) AS games
    FROM games WHERE {column} >= 0 AND {where} GROUP BY bar
)
SELECT bar * $width AS "from",
    CASE WHEN bar < $last THEN (bar + 1) * $width END AS below,
    coalesce(games, 0) AS games
FROM range($last + 1) AS every(bar) LEFT JOIN bars USING (bar)
WHERE (SELECT count(*) FROM bars) > 0
ORDER BY bar
"""

_TOTALS = """
WITH counted AS (
    SELECT count(*) AS games, coalesce(sum(moves), 0) AS moves, coalesce(sum(nodes), 0) AS nodes,
        count(*) FILTER (errors > 0) AS errors, count(*) FILTER (warnings > 0) AS warnings,
        count(*) FILTER (errors = 0 AND warnings = 0) AS clean,
        count(*) FILTER (handicap > 1 AND komi > 0.5) AS handicap_komi
    FROM games
), found AS (
    SELECT count(DISTINCT game_id) FILTER (code[1] = 'S') AS syntax,
        count(DISTINCT game_id) FILTER (list_contains($illegal, name)) AS illegal
    FROM findings WHERE severity <> 'info'
), files AS (
    SELECT count(*) AS files, coalesce(sum(records), 0) AS records,
        coalesce(sum(bytes), 0) AS bytes
    FROM sources
), facts AS (
    SELECT unnest([
        ('files', files.files, NULL), ('records', files.records, NULL),
        ('bytes', files.bytes, NULL), ('games', games, games), ('nodes', counted.nodes, NULL),
        ('moves of all lines', (SELECT count(*) FROM moves), NULL),
        ('moves of main lines', counted.moves, NULL),
        ('games without errors and warnings', clean, clean),
        ('games with errors', errors, errors), ('games with syntax errors', syntax, syntax),
        ('games with illegal moves', illegal, illegal),
        ('games with warnings', warnings, warnings),
        ('handicap games with a komi above 0.5', handicap_komi, handicap_komi)
    ]) AS fact, games
    FROM counted, found, files
)
SELECT fact[1] AS fact, fact[2]::BIGINT AS number, fact[3] / nullif(games, 0) AS share FROM facts
"""

_LENGTHS = """
SELECT kind, count(*) AS games, min(moves) AS least, quantile_cont(moves, 0.25) AS quarter,
    quantile_cont(moves, 0.5) AS median, avg(moves) AS mean,
    quantile_cont(moves, 0.75) AS three_quarters, max(moves) AS most
FROM games GROUP BY kind ORDER BY games DESC, kind LIMIT $limit
"""

_RESULTS = """
SELECT CASE winner WHEN 'B' THEN 'Black' WHEN 'W' THEN 'White' WHEN 'draw' THEN 'draw' END
    AS winner, ending, count(*) AS games, count(*) / sum(count(*)) OVER () AS share,
    quantile_cont(margin, 0.5) AS median_margin, avg(moves) AS mean_length
FROM games GROUP BY ALL ORDER BY games DESC, 1, 2 LIMIT $limit
"""

_STRENGTHS = """
WITH players AS (
    SELECT black_strength AS strength, winner = 'B' AS won FROM games
    UNION ALL SELECT white_strength, winner = 'W' FROM games
)
SELECT CASE WHEN strength < 1 THEN (1 - strength)::INTEGER || 'k'
        WHEN strength = floor(strength) THEN strength::INTEGER || 'd'
        ELSE round((strength - $amateur) / $step)::INTEGER || 'p'
    END AS rank, strength, count(*) AS players, count(*) FILTER (won) AS won
FROM players WHERE strength IS NOT NULL GROUP BY ALL ORDER BY strength LIMIT $limit
"""

_SCALE = {"amateur": HIGHEST_AMATEUR, "step": PROFESSIONAL_STEP}

_BREAKDOWN = """
SELECT {columns}, count(*) AS games, count(*) / sum(count(*)) OVER () AS share,
    count(*) FILTER (errors > 0) AS with_errors, avg(moves) AS mean_length
FROM games WHERE {where} GROUP BY ALL ORDER BY {order} LIMIT $limit
"""

_ONLY_GO = f"kind = '{GO.name}'"
_WINNERS = (
    "count(*) FILTER (winner = 'B') AS black_won, count(*) FILTER (winner = 'W') AS white_won"
)

#: The tables that count games by some columns.
_BREAKDOWNS = (
    ("formats", "By format", "format"),
    ("kinds", "By kind of game", "kind"),
    ("sizes", "By board size", "kind, columns, rows"),
    ("rules", "By rules", "rules"),
    ("programs", "By program", "application AS program"),
    ("years", "By year", "year(date_first) AS year"),
    ("encodings", "By encoding", "encoding"),
    ("handicaps", "Games of Go by handicap", f"coalesce(handicap, 0) AS handicap, {_WINNERS}"),
    ("komi", "Games of Go by komi", f"komi, {_WINNERS}"),
)
_ORDERS = {"sizes": "games DESC, 1, 2, 3", "years": "year NULLS LAST", "handicaps": "handicap"}

_FINDINGS = """
SELECT code, name, severity, count(*) AS findings,
    count(DISTINCT (source, member)) AS files, count(DISTINCT game_id) AS games
FROM findings GROUP BY code, name, severity
ORDER BY array_position(['error', 'warning', 'info'], severity), findings DESC, code
LIMIT $limit
"""

_WORST_PROGRAMS = """
SELECT application AS program, count(*) AS games, sum(errors)::BIGINT AS errors,
    sum(warnings)::BIGINT AS warnings, (sum(errors) + sum(warnings)) / count(*) AS a_game,
    count(*) FILTER (errors > 0) / count(*) AS share_with_errors
FROM games WHERE application IS NOT NULL
GROUP BY program HAVING count(*) >= least($least, (SELECT count(*) FROM games) / 100)
    AND a_game > 0
ORDER BY a_game DESC, program LIMIT $limit
"""


#: Most rows of a table on a page; the others are counted.
MAX_PAGE_ROWS = 15

#: Years of a plot; of more years it has the decades, of more decades the centuries.
MAX_YEARS = 40

#: Columns with parts of a number, shown as percentages.
_SHARES = {"share", "share_with_errors"}

#: Columns whose numbers count nothing: no separators.
_NAMES = {"year", "columns", "rows", "komi", "handicap", "strength"}

#: The style of the page; without it there are tables in a sensible order.
STYLE = Html(
    """
.stats { columns: 2 30rem; column-gap: 1.5rem; margin: 1.5rem 0; }
.stats section { break-inside: avoid; margin: 0 0 1.5rem; padding: 1rem 1.1rem;
  background: var(--card); border: 1px solid var(--line); border-radius: .4rem; }
.stats .rows { overflow-x: auto; }
.stats table { border-collapse: collapse; width: 100%; font-size: .9rem; }
.stats th { color: var(--soft); font-weight: 400; vertical-align: bottom; }
.stats th, .stats td { padding: .25rem .6rem .25rem 0; text-align: start;
  overflow-wrap: break-word; }
.stats td.text { max-width: 16rem; }
.stats .number { text-align: end; font-variant-numeric: tabular-nums; }
.stats tbody tr { border-top: 1px solid var(--line); }
.stats .share { min-width: 5.5rem; background: linear-gradient(to right, var(--hit) var(--part),
  transparent var(--part)) no-repeat left center / 100% 80%; }
.stats p { margin: .6rem 0 0; }
"""
)


def _section(table: StatsTable) -> Html:
    name, title, rows, _ = table
    plot = draw_bars(find_bars(table), title) if table.plot else Html()
    shown = Html() if name in _PLOTS_ALONE else _table(rows)
    return tag("section", tag("h2", title), plot, shown, id=name)


#: Tables of which the plot shows everything.
_PLOTS_ALONE = {"length_histogram", "margins", "strengths", "years"}


def find_bars(table: StatsTable) -> list[Bar]:
    """Return the bars of the plot of a table; none if its rows are no distribution."""
    name, _, rows, plot = table
    if plot is None:
        return []
    labels, counts = (rows[column].to_pylist() for column in plot)
    games = {label: count for label, count in zip(labels, counts, strict=True) if label is not None}
    if name == "years":
        return list(_years(games))
    names = map(str, labels)
    if "below" in rows.schema.names:
        names = map(_class, labels, rows["below"].to_pylist())
    return [
        Bar(str(label), count, f"{words}: {count:,}")
        for (label, count), words in zip(games.items(), names, strict=True)
    ]


def _class(first: int, below: int | None) -> str:
    if below is None:
        return f"{first} or more"
    return str(first) if below == first + 1 else f"{first} to {below - 1}"


def _years(games: dict[int, int]) -> Iterator[Bar]:
    """Yield a bar for each year, decade or century between the first and the last one."""
    if not games:
        return
    span = max(games) - min(games)
    width = 1 if span < MAX_YEARS else 10 if span < 10 * MAX_YEARS else 100
    counts: dict[int, int] = {}
    for year, count in games.items():
        counts[year // width * width] = counts.get(year // width * width, 0) + count
    for first in range(min(counts), max(counts) + 1, width):
        name = str(first) if width == 1 else f"{first} to {first + width - 1}"
        yield Bar(str(first), counts.get(first, 0), f"{name}: {counts.get(first, 0):,}")


def _table(rows: pa.Table) -> Html:
    names = rows.schema.names
    texts = {name for name in names if str(rows.schema.field(name).type) == "string"}
    heads = [
        tag("th", name.replace("_", " "), scope="col", class_=None if name in texts else "number")
        for name in names
    ]
    lines = [
        tag("tr", *(_cell(name, value, is_text=name in texts) for name, value in row.items()))
        for row in rows.slice(0, MAX_PAGE_ROWS).to_pylist()
    ]
    left = rows.num_rows - len(lines)
    more = tag("p", f"and {left:,} more", class_="soft") if left > 0 else Html()
    table = tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *lines))
    return join((tag("div", table, class_="rows"), more))


def _cell(name: str, value: Any, *, is_text: bool) -> Html:
    if value is None:
        missing = "not given" if is_text and name != "winner" else "\N{EN DASH}"
        return tag("td", missing, class_="soft" if is_text else "soft number")
    if is_text:
        return tag("td", tag("bdi", str(value)), class_="text")
    if name in _SHARES:
        part = f"--part:{value:.1%}"
        return tag("td", f"{value:.1%}", class_="number share", style=part)
    if name in _NAMES:
        return tag("td", f"{value:g}", class_="number")
    if isinstance(value, date):
        return tag("td", f"{value}", class_="number")
    shown = f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"
    return tag("td", shown, class_="number")

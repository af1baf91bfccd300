"""Statistics as a page: plots of distributions, tables with bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from sgf_lark.pictures.pages.markup import Html, join, tag
from sgf_lark.pictures.pages.page import end_page, start_page
from sgf_lark.pictures.pages.plots import STYLE as PLOTS, Bar, draw_bars

if TYPE_CHECKING:
    import pyarrow as pa

#: The fields of a :class:`~sgf_lark.archive.queries.stats.StatsTable`.
TableFields: TypeAlias = "tuple[str, str, pa.Table, tuple[str, str] | None]"

#: Most rows of a table on a page; the others are counted.
MAX_ROWS = 15

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


def draw_stats(tables: Sequence[TableFields], title: str) -> Html:
    """Return statistics as a page that needs no other file, and no script.

    Args:
        tables: The tables.
        title: The title.
    """
    sections = [_section(table) for table in tables if table[2].num_rows]
    return join(
        (
            start_page(title, style=Html(PLOTS + STYLE)),
            tag("header", tag("h1", tag("bdi", title))),
            tag("main", tag("div", *sections, class_="stats")),
            end_page(),
        )
    )


def _section(table: TableFields) -> Html:
    name, title, rows, _ = table
    shown = Html() if name in _PLOTS_ALONE else _table(rows)
    return tag("section", tag("h2", title), draw_plot(table), shown, id=name)


#: Tables of which the plot shows everything.
_PLOTS_ALONE = {"length_histogram", "margins", "strengths", "years"}


def draw_plot(table: TableFields) -> Html:
    """Return the plot of a table; empty if its rows are no distribution."""
    return draw_bars(find_bars(table), table[1]) if table[3] else Html()


def find_bars(table: TableFields) -> list[Bar]:
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
    """Return the name of a class of a histogram."""
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
        for row in rows.slice(0, MAX_ROWS).to_pylist()
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
    shown = f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"
    return tag("td", shown, class_="number")

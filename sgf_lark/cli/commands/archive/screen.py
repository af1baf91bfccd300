"""Tables on a terminal: as wide as it is, numbers on the right."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from sgf_lark.findings.terminal import has_unicode, visible

from .results import is_number, shower

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from sgf_lark.report.base import ReportConsole

    from .results import ResultTable

#: Cells between two columns; the least ones of a column of texts, so that all columns fit, and if
#: the last ones are left out.
GAP, MIN_TEXT, MIN_TEXT_ALONE = 2, 12, 24

#: Columns of paths, of which the end says more than the beginning.
PLACES = {"place", "source", "member"}

#: Rows whose texts give the columns their widths; further ones are shown in the same widths.
MEASURED_ROWS = 1000


class Screen:
    """Shows tables, one below the other.

    Args:
        console: The console of a terminal.
    """

    def __init__(self, console: ReportConsole) -> None:
        self._console = console
        self._is_first = True

    def show(self, table: ResultTable, limit: int) -> None:
        """Show a table.

        Args:
            table: The table.
            limit: Limit of the rows; 0 for none.
        """
        console, shows = self._console, [shower(field) for field in table.schema]
        rows = (
            [visible(show(value)) for show, value in zip(shows, row, strict=True)]
            for row in table.rows()
        )
        shown = rows if not limit else islice(rows, limit)
        if not self._is_first:
            console.write("\n")
        self._is_first = False
        if table.title:
            console.write((table.title, "bold"), "\n")
        chart = draw_chart(table.bars, self._cells) if has_unicode(console.encoding) else []
        if chart:
            console.write("".join(f"{line}\n" for line in chart))
            console.write_wrapped(2, (f"(--table {table.name} shows the numbers)", "dim"))
            return
        block = list(islice(shown, MEASURED_ROWS))
        numbers = [is_number(field.type) for field in table.schema]
        widths = fit(_natural(table.columns, block), numbers, self._cells)
        places = [at for at, name in enumerate(table.columns[: len(widths)]) if name in PLACES]
        has_head, count = True, 0
        while has_head or block:
            for row in block if places else ():
                for at in places:
                    row[at] = crop_left(row[at], widths[at])
            self._print(self._table(table, widths, numbers, has_head=has_head), block)
            has_head, count = False, count + len(block)
            block = list(islice(shown, MEASURED_ROWS))
        more = sum(1 for _ in rows) if limit else 0
        note = _note(count, more, len(widths), len(table.columns))
        if note:
            console.write_wrapped(2, (note, "dim"))

    @property
    def _cells(self) -> int:
        return self._console.cells or 80

    def _table(
        self, table: ResultTable, widths: list[int], numbers: list[bool], *, has_head: bool
    ) -> Table:
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        shown = Table(
            box=SIMPLE_HEAD,
            show_edge=False,
            pad_edge=False,
            padding=(0, 1, 0, 0),
            show_header=has_head,
        )
        for name, width, number in zip(table.columns, widths, numbers, strict=False):
            shown.add_column(
                visible(name),
                width=width,
                no_wrap=True,
                overflow="ellipsis",
                justify="right" if number else "left",
            )
        return shown

    def _print(self, table: Table, rows: list[list[str]]) -> None:
        from rich.text import Text

        for row in rows:
            table.add_row(*(Text(text) for text in row[: len(table.columns)]))
        if self._console.on_terminal is not None:
            self._console.on_terminal.print(table, soft_wrap=False)


def _note(rows: int, more: int, columns: int, all_columns: int) -> str:
    """Return what is not shown of a table, and the options that show it; "" for nothing."""
    parts, options = [], []
    if more:
        parts.append(f"{rows:,} of {rows + more:,} rows")
        options.append("--limit 0 shows all rows")
    if columns < all_columns:
        parts.append(f"{columns} of {all_columns} columns")
        options.append("--format csv shows all columns")
    if not rows:
        parts.append("no rows")
    return f"({'; '.join((', '.join(parts), *options))})" if parts else ""


def _natural(columns: list[str], rows: list[list[str]]) -> list[int]:
    """Return the widths of the columns if no text is cut."""
    from rich.cells import cell_len

    heads = [cell_len(name) for name in columns]
    for row in rows:
        heads = [max(width, cell_len(text)) for width, text in zip(heads, row, strict=True)]
    return heads


def crop_left(text: str, cells: int) -> str:
    """Return the end of a text that fits, after an ellipsis if it is cut."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= cells:
        return text
    return "\N{HORIZONTAL ELLIPSIS}" + set_cell_size(text[::-1], cells - 1)[::-1].lstrip()


def fit(widths: list[int], numbers: list[bool], cells: int) -> list[int]:
    """Return the widths of columns on a terminal: the longest texts are cut until all fit.

    If they do not fit, the last columns are left out.

    Args:
        widths: The widths of all columns if no text is cut.
        numbers: The columns have numbers, which are not cut.
        cells: The width of the terminal.
    """
    least = MIN_TEXT
    for count in range(len(widths), 0, -1):
        room = cells - GAP * (count - 1)
        for most in range(cells, least - 1, -1):
            columns = zip(widths[:count], numbers, strict=False)
            fitting = [width if number else min(width, most) for width, number in columns]
            if sum(fitting) <= room:
                return fitting
        least = MIN_TEXT_ALONE
    return [cells]


#: Lines of the bars of a chart, and the widest bar.
CHART_LINES, MAX_BAR = 5, 3

#: Bars of a line by the eighths that they fill.
EIGHTHS = " ▁▂▃▄▅▆▇█"


def draw_chart(bars: Sequence[tuple[str, int]], cells: int) -> list[str]:
    """Return the lines of a chart: bars from left to right, labels below; none without room.

    Args:
        bars: Labels and numbers, from 0.
        cells: The width of the terminal.
    """
    most = max((number for _, number in bars), default=0)
    scale = f"{most:,} "
    width = min((cells - len(scale) - 1) // max(len(bars), 1), MAX_BAR)
    if not most or width < 1:
        return []
    lines = []
    for line in range(CHART_LINES - 1, -1, -1):
        head = scale if line == CHART_LINES - 1 else " " * len(scale)
        lines.append(head + "".join(_bar(number / most, line) * width for _, number in bars))
    labels = ""
    for at, (label, _) in enumerate(bars):
        place = at * width
        if len(labels) <= place and place + len(label) <= cells - len(scale):
            labels = f"{labels:<{place}}{label} "
    return [line.rstrip() for line in (*lines, " " * len(scale) + labels)]


def _bar(height: float, line: int) -> str:
    """Return the piece of a bar in a line, counted from below; the lowest shows every number."""
    eighths = round(height * CHART_LINES * 8) - line * 8
    least = 1 if height and not line else 0
    return EIGHTHS[min(max(eighths, least), 8)]

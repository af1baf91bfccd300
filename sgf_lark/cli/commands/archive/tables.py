"""Tables of archives: on a terminal as wide as it is, else as text, JSON, CSV or a page.

They are written row by row, so that no table is too large.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from sgf_lark.cli.grammars import write_result
from sgf_lark.cli.interface import NumberFrom, PathType, argument, option
from sgf_lark.cli.options import OutputOptions
from sgf_lark.cli.output import WRONG, console, fail
from sgf_lark.core import reason, visible
from sgf_lark.files.members import record_path
from sgf_lark.report.tables import (
    draw_rows,
    is_number,
    json_value,
    load_pyarrow,
    shower,
    text_of_cell,
)
from sgf_lark.report.terminal import GAP, Row, cells, has_unicode, visible_json

if TYPE_CHECKING:
    import pyarrow as pa

    from sgf_lark.pictures.diagram import Diagram
    from sgf_lark.report.base import ReportConsole


#: The forms of tables.
TableForm: TypeAlias = Literal["text", "json", "csv", "html"]


class ResultTable(NamedTuple):
    name: str  # its name, as a key of JSON: sizes
    title: str  # its title; "" if it is the only one
    schema: pa.Schema
    batches: Iterable[pa.RecordBatch]
    # labels and numbers of a distribution, which a terminal shows instead of the rows
    bars: tuple[tuple[str, int], ...] = ()
    pictures: Sequence[Diagram] = ()

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


# ---- all forms ----

#: Default limit of the rows of a table on a terminal.
MAX_ROWS = 100


def protect_archive(output: Path | None, archive: Path) -> None:
    """Exit if a file for a result is in the folder of the archive."""
    if output is not None and output.resolve().is_relative_to(archive.resolve()):
        fail(f"{output}: this is in the folder of the archive; choose another file")


# ---- on a terminal ----

#: The least cells of a column of texts, so that all columns fit, and if the last ones are left out.
MIN_TEXT, MIN_TEXT_ALONE = 12, 24

#: Columns of paths, of which the end says more than the beginning.
PLACES = {"place", "source", "member"}

#: Rows whose texts give the columns their widths; further ones are shown in the same widths.
MEASURED_ROWS = 1000


class Screen:
    """Shows tables, one below the other."""

    def __init__(self, console: ReportConsole) -> None:
        self._console = console
        self._is_first = True

    def show(self, table: ResultTable, limit: int) -> None:
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
        uncut = [max(map(cells, column)) for column in zip(table.columns, *block, strict=True)]
        widths = fit(uncut, numbers, self._cells)
        columns = {
            "widths": widths,
            "right": [at for at, number in enumerate(numbers) if number],
            "ends": [at for at, name in enumerate(table.columns) if name in PLACES],
        }
        console.write_table([Row([(name, "bold") for name in table.columns])], **columns)
        rule = "\N{BOX DRAWINGS LIGHT HORIZONTAL}" if has_unicode(console.encoding) else "-"
        console.write(rule * (sum(widths) + len(GAP) * (len(widths) - 1)), "\n")
        count = 0
        while block:
            console.write_table(map(Row, block), **columns)
            count += len(block)
            block = list(islice(shown, MEASURED_ROWS))
        more = sum(1 for _ in rows) if limit else 0
        note = _note(count, more, len(widths), len(table.columns))
        if note:
            console.write_wrapped(2, (note, "dim"))

    @property
    def _cells(self) -> int:
        return self._console.cells or 80


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


def fit(widths: list[int], numbers: list[bool], width: int) -> list[int]:
    """Return the widths of columns on a terminal: the longest texts are cut until all fit.

    If they do not fit, the last columns are left out.
    """
    least = MIN_TEXT
    for count in range(len(widths), 0, -1):
        room = width - len(GAP) * (count - 1)
        for most in range(width, least - 1, -1):
            columns = zip(widths[:count], numbers, strict=False)
            fitting = [wanted if number else min(wanted, most) for wanted, number in columns]
            if sum(fitting) <= room:
                return fitting
        least = MIN_TEXT_ALONE
    return [width]


#: Lines of the bars of a chart, and the widest bar.
CHART_LINES, MAX_BAR = 5, 3

#: Bars of a line by the eighths that they fill.
EIGHTHS = " ▁▂▃▄▅▆▇█"


def draw_chart(bars: Sequence[tuple[str, int]], cells: int) -> list[str]:
    """Return the lines of a chart: bars from left to right, labels below; none without room."""
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
    eighths = round(height * CHART_LINES * 8) - line * 8
    least = 1 if height and not line else 0
    return EIGHTHS[min(max(eighths, least), 8)]


# ---- for programs ----


def _lines(tables: Sequence[ResultTable], limit: int | None, _: str) -> Iterator[str]:
    """Yield lines with tabs between the columns, which programs such as cut read.

    Numbers have six digits that count; JSON and CSV have all.
    """
    for number, table in enumerate(tables):
        if table.title:
            yield "\n" * bool(number) + f"{visible(table.title)}\n"
        yield "\t".join(map(visible, table.columns)) + "\n"
        for row in islice(table.rows(), limit):
            yield "\t".join(visible(text_of_cell(_short(value))) for value in row) + "\n"


def _short(value: Any) -> Any:
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _json(tables: Sequence[ResultTable], limit: int | None, _: str) -> Iterator[str]:
    if len(tables) == 1:
        yield from _array(tables[0], limit)
        yield "\n"
        return
    yield "{\n"
    for number, table in enumerate(tables):
        yield (",\n" if number else "") + f"{json.dumps(table.name)}: "
        yield from _array(table, limit)
    yield "\n}\n"


def _array(table: ResultTable, limit: int | None) -> Iterator[str]:
    yield "["
    mark = "\n"
    for row in islice(table.rows(), limit):
        items = dict(zip(table.columns, map(json_value, row), strict=True))
        yield mark + visible_json(json.dumps(items, ensure_ascii=False))
        mark = ",\n"
    yield "\n]"


def _csv(tables: Sequence[ResultTable], limit: int | None, _: str) -> Iterator[str]:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(tables[0].columns if len(tables) == 1 else VALUE_COLUMNS)
    for table in tables:
        for number, row in enumerate(islice(table.rows(), limit)):
            if len(tables) == 1:
                writer.writerow(map(text_of_cell, row))
            else:
                values = zip(table.columns, row, strict=True)
                lines = ((table.name, number, name, text_of_cell(value)) for name, value in values)
                writer.writerows(lines)
            yield buffer.getvalue()
            buffer.seek(buffer.truncate(0))
    yield buffer.getvalue()


#: The columns of several tables as CSV.
VALUE_COLUMNS = ("table", "row", "column", "value")

# ---- pages ----


def _page(tables: Sequence[ResultTable], limit: int | None, title: str) -> Iterator[str]:
    from sgf_lark.pictures.pages.markup import Html, tag
    from sgf_lark.pictures.pages.page import end_page, picture, start_page

    yield start_page(title, style=Html(STYLE))
    yield tag("header", tag("h1", tag("bdi", title))) + "\n<main>\n"
    for table in tables:
        yield "<section>\n"
        if table.title:
            yield tag("h2", table.title) + "\n"
        if table.pictures:
            yield tag("div", *map(picture, table.pictures), class_="boards") + "\n"
        yield from draw_rows(table.schema, table.rows(), limit)
        yield "</section>\n"
    yield "</main>\n" + end_page()


#: The style of tables; without it they are text in a sensible order.
STYLE = """
main { overflow-x: auto; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; }
th, td { padding: .25rem .75rem .25rem 0; text-align: start; vertical-align: top;
  overflow-wrap: break-word; }
th, .number, .day { white-space: nowrap; }
th { border-bottom: 1px solid var(--line); }
tbody tr + tr td { border-top: 1px solid var(--line); }
.boards { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; }
.boards figure { max-width: 24rem; margin: 0; }
.number { text-align: end; font-variant-numeric: tabular-nums; }
"""


#: The functions that yield the parts of a text from tables, the limit of their rows and a title.
WRITERS = {"text": _lines, "json": _json, "csv": _csv, "html": _page}


#: The folder of an archive.
ARCHIVE = argument(
    "folder",
    "ARCHIVE",
    "The folder of an archive that 'sgf-lark archive build' made; or records, as for 'build', whose"
    " archive is kept in the folder for caches.",
    PathType(Path),
)


class FormOptions(OutputOptions, section="Output"):
    """The form of tables, and their file."""

    form: TableForm = option(
        "The form of the tables: as text, for other programs, or as a page.",
        "--format",
        default="text",
    )

    def show(
        self,
        tables: Sequence[ResultTable],
        archive: Path,
        title: str,
        *,
        limit: int | None = None,
        most: int = MAX_ROWS,
    ) -> None:
        """Write tables in the form to the file or to standard output."""
        protect_archive(self.output, archive)
        if self.form == "text" and self.output is None and sys.stdout.isatty():
            screen = Screen(console(sys.stdout))
            for table in tables:
                screen.show(table, most if limit is None else limit)
        else:
            write_result(WRITERS[self.form](tables, limit or None, title), self.output)

    def show_page(self, page: str, archive: Path) -> None:
        """Write a text about an archive, such as a page."""
        protect_archive(self.output, archive)
        write_result([page], self.output)


class TableOptions(FormOptions, section="Output"):
    """The form of tables, their length and their file."""

    limit: int | None = option(
        "Show at most N rows of a table; 0 for all. The default is all, on a terminal 100, of"
        " statistics 15.",
        type=NumberFrom(0),
    )


class PlayerOptions(TableOptions, section="Output"):
    """The spellings of players, and the form of tables."""

    aliases: Path | None = option(
        'Count other spellings as one player: a file of TOML with lines such as "Lee Sedol" ='
        ' ["Yi Se-tol"].',
        metavar="FILE",
    )


class _NoPandas:
    """Finds no pandas."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name=name)


def _start_pyarrow() -> None:
    """Let pyarrow look for pandas in vain: it would import it, which takes 0.4 seconds."""
    sys.meta_path.insert(0, _NoPandas)
    try:
        load_pyarrow().scalar(True)  # the first value looks for it  # noqa: FBT003
    finally:
        sys.meta_path.remove(_NoPandas)


@contextmanager
def reported_errors() -> Iterator[None]:
    """Exit with a message if a package is missing, a folder no archive, a query wrong or slow."""
    from sgf_lark.archive import ArchiveError, QueryError, QueryTimeoutError

    try:
        _start_pyarrow()
        yield
    except ImportError as error:
        fail(str(error))
    except ArchiveError as error:
        first, *more = reason(error).split("\n")
        fail(f"{error.filename}: {first}", more=more)
    except QueryTimeoutError as error:
        fail(error.message, WRONG)
    except QueryError as error:
        fail(error.message, more=error.excerpt)

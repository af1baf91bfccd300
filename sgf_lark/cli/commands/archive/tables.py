"""Tables of archives as text, JSON, CSV or a page; row by row, so that no table is too large."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from sgf_lark.cli.grammars import write
from sgf_lark.cli.output import console, fail
from sgf_lark.findings.terminal import visible, visible_json
from sgf_lark.schema.tables import json_value, text_of

from .arguments import TableForm
from .results import ResultTable, is_number, shower

if TYPE_CHECKING:
    import pyarrow as pa

#: Default limit of the rows of a table on a terminal.
MAX_ROWS = 100


def show_tables(
    tables: Sequence[ResultTable],
    form: TableForm,
    output: Path | None,
    *,
    title: str,
    archive: Path,
    limit: int | None = None,
    most: int = MAX_ROWS,
) -> None:
    """Write tables in a form to a file or to standard output.

    Args:
        tables: The tables.
        form: The form.
        output: The file; None for standard output.
        title: The title of a page.
        archive: The folder of the archive, in which no file is replaced.
        limit: Limit of the rows of a table; 0 for none, None for the default.
        most: The default limit on a terminal; elsewhere there is none.
    """
    protect_archive(output, archive)
    if form == "text" and output is None and sys.stdout.isatty():
        from .screen import Screen

        screen = Screen(console(sys.stdout))
        for table in tables:
            screen.show(table, most if limit is None else limit)
        return
    writers = {
        "text": _lines,
        "json": _json,
        "csv": _csv,
        "html": _page,
    }
    write(writers[form](tables, limit or None, title), output)


def show_page(page: str, output: Path | None, *, archive: Path) -> None:
    """Write a text, such as a page, to a file or to standard output.

    Args:
        page: The text.
        output: As for :func:`show_tables`.
        archive: As for :func:`show_tables`.
    """
    protect_archive(output, archive)
    write([page], output)


def protect_archive(output: Path | None, archive: Path) -> None:
    """Exit if a file for a result is in the folder of the archive."""
    if output is not None and output.resolve().is_relative_to(archive.resolve()):
        fail(f"{output}: this is in the folder of the archive; choose another file")


def _lines(tables: Sequence[ResultTable], limit: int | None, _: str) -> Iterator[str]:
    """Yield lines with tabs between the columns, which programs such as cut read."""
    for number, table in enumerate(tables):
        if table.title:
            yield "\n" * bool(number) + f"{visible(table.title)}\n"
        yield "\t".join(map(visible, table.columns)) + "\n"
        for row in islice(table.rows(), limit):
            yield "\t".join(visible(text_of(value)) for value in row) + "\n"


def _json(tables: Sequence[ResultTable], limit: int | None, _: str) -> Iterator[str]:
    """Yield an array of objects, one a line; of several tables an object that has the arrays."""
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
    """Yield the lines of RFC 4180; of several tables a line a value, with table, row and column."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(tables[0].columns if len(tables) == 1 else VALUE_COLUMNS)
    for table in tables:
        for number, row in enumerate(islice(table.rows(), limit)):
            if len(tables) == 1:
                writer.writerow(map(text_of, row))
            else:
                values = zip(table.columns, row, strict=True)
                lines = ((table.name, number, name, text_of(value)) for name, value in values)
                writer.writerows(lines)
            yield buffer.getvalue()
            buffer.seek(buffer.truncate(0))
    yield buffer.getvalue()


#: The columns of several tables as CSV.
VALUE_COLUMNS = ("table", "row", "column", "value")

# ---- pages ----


def _page(tables: Sequence[ResultTable], limit: int | None, title: str) -> Iterator[str]:
    """Yield a page that needs no other file."""
    from sgf_lark.pictures.pages.markup import Html, tag
    from sgf_lark.pictures.pages.page import end_page, start_page

    yield start_page(title, style=Html(STYLE))
    yield tag("header", tag("h1", tag("bdi", title))) + "\n<main>\n"
    for table in tables:
        yield "<section>\n"
        if table.title:
            yield tag("h2", table.title) + "\n"
        yield from _table(table, limit)
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
.number { text-align: end; font-variant-numeric: tabular-nums; }
"""


def _kind(type_: pa.DataType) -> str | None:
    """Return the class of the cells of a column; None for texts."""
    from pyarrow import types

    return "number" if is_number(type_) else "day" if types.is_date(type_) else None


def _table(table: ResultTable, limit: int | None) -> Iterator[str]:
    from sgf_lark.pictures.pages.markup import join, tag

    kinds = [_kind(field.type) for field in table.schema]
    columns = zip(table.columns, kinds, strict=True)
    heads = (tag("th", name, scope="col", class_=kind) for name, kind in columns)
    yield f"<table>\n<thead>{tag('tr', join(heads))}</thead>\n<tbody>\n"
    shows = [shower(field) for field in table.schema]
    for row in islice(table.rows(), limit):
        cells = zip(row, kinds, shows, strict=True)
        yield (
            tag(
                "tr",
                join(
                    tag("td", visible(show(value)), class_=kind, dir=None if kind else "auto")
                    for value, kind, show in cells
                ),
            )
            + "\n"
        )
    yield "</tbody>\n</table>\n"

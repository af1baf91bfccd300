"""Rows of Arrow as HTML, and their values as texts for people."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from sgf_lark.core import visible
from sgf_lark.pictures.pages.markup import Html, join, tag

from .tables import text_of

if TYPE_CHECKING:
    import pyarrow as pa

#: Most rows of a table in a notebook; the others are counted.
MAX_ROWS = 20

#: Most characters of a text in such a table, and of all of it as text.
MAX_CELL, MAX_TEXT = 50, 2000


def show_in_notebooks(kind: type) -> None:
    """Let the current notebook show tables of Arrow, unless it has a way to do so.

    Args:
        kind: Their class.
    """
    ipython = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    forms = shell.display_formatter.formatters if shell else {}
    if forms and kind not in forms["text/html"]:
        forms["text/html"].for_type(kind, draw_table)
        forms["text/plain"].for_type(
            kind, lambda table, printer, _: printer.text(str(table)[:MAX_TEXT])
        )


def draw_table(table: pa.Table, count: int | None = None) -> Html:
    """Return the first rows of a table, for a notebook.

    Args:
        table: The table.
        count: The number of all rows, if the table has only the first ones.
    """
    columns = (column.to_pylist() for column in table.slice(0, MAX_ROWS).columns)
    left = (table.num_rows if count is None else count) - MAX_ROWS
    more = tag("p", f"and {left:,} more") if left > 0 else Html()
    return join((*draw_rows(table.schema, zip(*columns, strict=True), most=MAX_CELL), more))


def is_number(type_: pa.DataType) -> bool:
    """Return whether a column has numbers."""
    from pyarrow import types

    return bool(types.is_integer(type_) or types.is_floating(type_) or types.is_decimal(type_))


def shower(field: pa.Field) -> Callable[[Any], str]:
    """Return a function that gives the text of a value of a column, for people.

    Numbers have thousands separators, but for years, keys and hashes; parts are percentages.
    """
    from pyarrow import types

    if not is_number(field.type) or types.is_uint64(field.type) or field.name in CODES:
        return text_of
    is_share = field.name.startswith("share") or field.name.endswith("_score")
    return _percentage if is_share and types.is_floating(field.type) else _grouped


#: Columns whose numbers do not count anything.
CODES = {"game_id", "gm", "year", "year_first", "year_last"}


def _percentage(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def _grouped(value: Any) -> str:
    """Return a number with thousands separators; the larger it is, the fewer decimals."""
    if value is None:
        return ""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value == value // 1:
        return f"{int(value):,}"
    decimals = 1 if abs(value) >= MANY else 2 if abs(value) >= 1 else 4
    return f"{value:,.{decimals}f}".rstrip("0").rstrip(".")


#: Numbers from this one on have one decimal.
MANY = 100


def _kind(type_: pa.DataType) -> str | None:
    """Return the class of the cells of a column; None for texts."""
    from pyarrow import types

    return "number" if is_number(type_) else "day" if types.is_date(type_) else None


def draw_rows(
    schema: pa.Schema,
    rows: Iterable[tuple[Any, ...]],
    limit: int | None = None,
    most: int | None = None,
) -> Iterator[str]:
    """Yield the pieces of a table in HTML, one for each row.

    Args:
        schema: The columns.
        rows: Their values, as Python has them.
        limit: Limit of the rows.
        most: Limit of the characters of a text.
    """
    kinds = [_kind(field.type) for field in schema]
    heads = (
        tag("th", name, scope="col", class_=kind)
        for name, kind in zip(schema.names, kinds, strict=True)
    )
    yield Html(f"<table>\n<thead>{tag('tr', join(heads))}</thead>\n<tbody>\n")
    shows = [shower(field) for field in schema]
    for row in islice(rows, limit):
        cells = (
            tag("td", visible(show(value)[:most]), class_=kind, dir=None if kind else "auto")
            for value, kind, show in zip(row, kinds, shows, strict=True)
        )
        yield Html(tag("tr", *cells) + "\n")
    yield Html("</tbody>\n</table>\n")

"""The tables of an archive of games, and their columns.

They are in ``tables.tsv`` beside this module: their version, then a row for each column, which also
says where its values are read from.  pyarrow is imported when a schema is asked for, not before.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.core import load_extra, visible
from sgf_lark.pictures.pages.markup import Html, join, tag

if TYPE_CHECKING:
    import pyarrow as pa


_, _VERSION, *_COLUMNS = (
    line.split("\t")
    for line in Path(__file__).with_name("tables.tsv").read_text(encoding="utf-8").splitlines()
)

#: Version of the tables; a change of a column makes another one.
SCHEMA_VERSION = int(_VERSION[1])

#: Bytes of a hash.
HASH_BYTES = 16


class Column(NamedTuple):
    name: str
    # int32, int64, uint64, float64, string, bool, date, hash (HASH_BYTES bytes) or points (a list
    # of numbers)
    type: str
    nullable: bool
    # the attribute of the facts from which its values are read, such as info.komi; - if they are
    # made of many rows at once
    attribute: str
    meaning: str


def tables() -> Mapping[str, tuple[Column, ...]]:
    """Return the columns of each table, by its name: games, moves, findings ..."""
    found: dict[str, list[Column]] = {}
    for table, name, type_, null, attribute, meaning in _COLUMNS:
        found.setdefault(table, []).append(Column(name, type_, null == "yes", attribute, meaning))
    return {table: tuple(columns) for table, columns in found.items()}


def columns_of(table: str) -> tuple[Column, ...]:
    """Return the columns of a table (KeyError: there is no such table)."""
    known = tables()
    if table not in known:
        raise KeyError(f"no table {table!r}: there are {', '.join(known)}")
    return known[table]


def load_pyarrow() -> Any:
    return load_extra(
        "pyarrow", "tables need pyarrow (extra archive):  pip install 'sgf_lark[archive]'"
    )


def arrow_schema(table: str) -> pa.Schema:
    """Return the Arrow schema of a table; its metadata has the version, fields their meanings.

    Args:
        table: games, moves, findings, positions, lives, analysis or sources.

    Raises:
        ImportError: pyarrow is not installed.
        KeyError: There is no such table.
    """
    pa = load_pyarrow()
    types = {
        "int32": pa.int32(),
        "int64": pa.int64(),
        "uint64": pa.uint64(),
        "float64": pa.float64(),
        "string": pa.string(),
        "bool": pa.bool_(),
        "date": pa.date32(),
        "hash": pa.binary(HASH_BYTES),
        "points": pa.list_(pa.int32()),
    }
    fields = [
        pa.field(column.name, types[column.type], column.nullable, {"meaning": column.meaning})
        for column in columns_of(table)
    ]
    return pa.schema(
        fields, {"sgf_lark.table": table, "sgf_lark.schema_version": str(SCHEMA_VERSION)}
    )


def record_batch(table: str, columns: Mapping[str, Sequence[Any]]) -> pa.RecordBatch:
    pa = load_pyarrow()
    schema = arrow_schema(table)
    arrays = [_array(pa, columns[field.name], field.type) for field in schema]
    for field, array in zip(schema, arrays, strict=True):
        if array.null_count and not field.nullable:
            raise ValueError(f"a row of {table} has no {field.name}")
    return pa.record_batch(arrays, schema=schema)


def _array(pa: Any, values: Any, type_: pa.DataType) -> Any:
    if isinstance(values, pa.Array):
        return values
    try:
        return pa.array(values, type_)
    except UnicodeEncodeError:
        escaped = [None if value is None else escape_surrogates(str(value)) for value in values]
        return pa.array(escaped, type_)


def escape_surrogates(text: str) -> str:
    r"""Return a text that is Unicode, as the JSON of check has it.

    A name of a file that is no Unicode has lone surrogates, which become ``\udc82``.
    """
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


# ---- values ----


def text_of_cell(value: object) -> str:
    """Return the text of a value: empty for none, hashes as hexadecimal digits, days as in ISO."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        return json.dumps(json_value(value), ensure_ascii=False)
    return value.isoformat() if isinstance(value, date | datetime | time) else str(value)


def json_value(value: Any) -> Any:
    """Return a value as JSON has it: hashes as hexadecimal digits, days as in ISO 8601."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, dict):
        return {str(key): json_value(item) for key, item in value.items()}
    return [json_value(item) for item in value] if isinstance(value, list) else text_of_cell(value)


#: Most rows of a table in a notebook; the others are counted.
MAX_ROWS = 20

#: Most characters of a text in such a table, and of all of it as text.
MAX_CELL, MAX_TEXT = 50, 2000


def show_in_notebooks(kind: type) -> None:
    """Let the current notebook show tables of Arrow, unless it has a way to do so."""
    ipython = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    forms = shell.display_formatter.formatters if shell else {}
    if forms and kind not in forms["text/html"]:
        forms["text/html"].for_type(kind, draw_table)
        forms["text/plain"].for_type(
            kind, lambda table, printer, _: printer.text(str(table)[:MAX_TEXT])
        )


def draw_table(table: pa.Table, count: int | None = None) -> Html:
    columns = (column.to_pylist() for column in table.slice(0, MAX_ROWS).columns)
    left = (table.num_rows if count is None else count) - MAX_ROWS
    more = tag("p", f"and {left:,} more") if left > 0 else Html()
    return join((*draw_rows(table.schema, zip(*columns, strict=True), most=MAX_CELL), more))


def is_number(type_: pa.DataType) -> bool:
    from pyarrow import types

    return bool(types.is_integer(type_) or types.is_floating(type_) or types.is_decimal(type_))


def shower(field: pa.Field) -> Callable[[Any], str]:
    """Return a function that gives the text of a value of a column, for people.

    Numbers have thousands separators, but for years, keys and hashes; parts are percentages.
    """
    from pyarrow import types

    if not is_number(field.type) or types.is_uint64(field.type) or field.name in CODES:
        return text_of_cell
    is_share = field.name.startswith("share") or field.name.endswith("_score")
    return _percentage if is_share and types.is_floating(field.type) else _grouped


#: Columns whose numbers do not count anything.
CODES = {"game_id", "gm", "year", "year_first", "year_last"}


def _percentage(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def _grouped(value: Any) -> str:
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
    from pyarrow import types

    return "number" if is_number(type_) else "day" if types.is_date(type_) else None


def draw_rows(
    schema: pa.Schema,
    rows: Iterable[tuple[Any, ...]],
    limit: int | None = None,
    most: int | None = None,
) -> Iterator[str]:
    """Yield the pieces of a table in HTML, one for each row."""
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

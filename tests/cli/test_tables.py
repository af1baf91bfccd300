"""Tables of archives: what people see on a terminal, and what programs read."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import Any, get_args

import pyarrow as pa
import pytest
from rich.cells import cell_len
from support.terminal import CONTROL

from sgf_lark.cli.commands.archive.tables import (
    FormOptions,
    ResultTable,
    Screen,
    TableForm,
    draw_chart,
    fit,
)
from sgf_lark.report.base import ReportConsole

pytestmark = pytest.mark.elsewhere

PLAYERS = pa.table(
    {
        "player": ["青木 一郎", 'B"e,rg', "a\x1b[31m\n", None],
        "games": pa.array([1_234_567, 12, 0, None], pa.int32()),
        "key": pa.array([2**64 - 1, 1_000_000, 0, None], pa.uint64()),
        "year": pa.array([1996, 2001, -5, None], pa.int32()),
        "share": [0.5, 0.25, float("nan"), None],
        "sum": pa.array([Decimal(10**25), Decimal(1), Decimal(2), None], pa.decimal128(38, 0)),
        "first": pa.array([date(1996, 5, 27), date(1, 1, 1), None, None], pa.date32()),
        "hash": pa.array([b"\x01\xff", b"", None, None], pa.binary()),
        "line": [[72, -1], [], None, None],
        "rated": [True, False, None, None],
        "note": ["long " * 40, "", "", ""],
    }
)


def result(table: pa.Table, title: str = "", name: str = "players") -> ResultTable:
    return ResultTable(name, title, table.schema, table.to_batches())


class Terminal(io.StringIO):
    """What a person would see."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True

    def lines(self) -> list[str]:
        return CONTROL.sub("", self.getvalue()).splitlines()


def on_terminal(table: pa.Table, width: int, limit: int = 0, **options: Any) -> list[str]:
    terminal = Terminal()
    Screen(ReportConsole(terminal, width=width, **options)).show(result(table, "Players"), limit)
    return terminal.lines()


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., bytes]:
    """Return a function that writes tables into a file, and returns its bytes."""

    def write(form: TableForm, *tables: ResultTable, limit: int | None = None) -> bytes:
        file, archive = tmp_path / "out", tmp_path / "go.archive"
        FormOptions(form=form, output=file).show(tables, archive, "go <b>", limit=limit)
        return file.read_bytes()

    return write


# ---- on a terminal ----


@pytest.mark.parametrize("width", [60, 80, 120, 300])
def test_a_table_is_never_wider_than_the_terminal(width: int) -> None:
    lines = on_terminal(PLAYERS, width)

    assert max(map(cell_len, lines)) <= width
    assert lines[0] == "Players"
    assert any("1,234,567" in line for line in lines)


def test_numbers_are_on_the_right_and_have_separators_but_for_keys_and_years() -> None:
    lines = on_terminal(PLAYERS.select(["player", "games", "key", "year", "share"]), 80)

    assert [line.rstrip() for line in lines] == [
        "Players",
        "player           games                   key  year  share",
        "─" * 57,
        "青木 一郎    1,234,567  18446744073709551615  1996  50.0%",
        'B"e,rg              12               1000000  2001  25.0%',
        r"a\x1b[31m\n          0                     0    -5   nan%",
        "",
    ]


@pytest.mark.parametrize(
    ("number", "shown"),
    [(2.0, "2"), (0.00012, "0.0001"), (6.5, "6.5"), (3.14159, "3.14"), (12345.678, "12,345.7")],
)
def test_a_number_has_the_fewer_decimals_the_larger_it_is(number: float, shown: str) -> None:
    assert on_terminal(pa.table({"mean": [number, float("inf")]}), 80)[3].strip() == shown


def test_columns_without_room_are_left_out_and_counted() -> None:
    lines = on_terminal(PLAYERS, 60)

    assert lines[-1] == "(5 of 11 columns; --format csv shows all columns)"
    assert lines[1].split() == ["player", "games", "key", "year", "share"]


def test_long_texts_are_cut_so_that_the_others_are_seen() -> None:
    (note,) = [line for line in on_terminal(PLAYERS.select(["note", "player"]), 40) if "青" in line]

    assert note.startswith("long long")
    assert "…" in note
    assert note.rstrip().endswith("青木 一郎")


def test_of_a_long_path_the_end_is_shown() -> None:
    paths = pa.table({"source": [f"archive/of/many/games/of/the/year/{n}.sgf" for n in range(2)]})

    assert on_terminal(paths, 20)[-2:] == ["…s/of/the/year/0.sgf", "…s/of/the/year/1.sgf"]


def test_rows_over_the_limit_are_counted() -> None:
    many = pa.table({"n": range(2541)})

    assert on_terminal(many, 80, 3)[-1] == "(3 of 2,541 rows; --limit 0 shows all rows)"
    assert len(on_terminal(many, 80, 0)) == 2541 + 3
    assert on_terminal(many.slice(0, 0), 80)[-1] == "(no rows)"


def test_columns_fit_every_terminal() -> None:
    all_widths = ([5, 30, 3, 80], [200], [1, 1], [25, 25, 25])
    all_numbers = ([True, False, True, False], [False] * 4)
    for cells, widths, numbers in product(range(1, 60), all_widths, all_numbers):
        found = fit(widths, numbers[: len(widths)], cells)
        assert found, (cells, widths)
        assert sum(found) + 2 * (len(found) - 1) <= cells, (cells, widths)


def test_no_color_means_no_escape_sequence() -> None:
    terminal = Terminal()
    Screen(ReportConsole(terminal, width=80, color_system=None)).show(result(PLAYERS), 0)

    assert "\x1b" not in terminal.getvalue()


def test_a_distribution_is_a_chart() -> None:
    bars = [("0", 10), ("20", 0), ("40", 1), ("60", 80), ("80", 40)]

    assert draw_chart(bars, 40) == [
        "80          ███",
        "            ███",
        "            ███▄▄▄",
        "            ██████",
        "   ▅▅▅   ▁▁▁██████",
        "   0  20 40 60 80",
    ]
    assert draw_chart(bars, 9)[-1] == "   0 40"
    assert draw_chart(bars, 8) == draw_chart([], 80) == draw_chart([("0", 0)], 80) == []


def test_a_chart_says_how_to_see_its_numbers() -> None:
    terminal = Terminal()
    screen = Screen(ReportConsole(terminal, width=60))
    screen.show(result(PLAYERS, "Years", "years")._replace(bars=(("1996", 2), ("1997", 4))), 10)

    assert terminal.lines()[0] == "Years"
    assert terminal.lines()[-1] == "(--table years shows the numbers)"


# ---- for programs ----


def test_a_pipe_gets_a_line_a_row_with_tabs(written: Callable[..., bytes]) -> None:
    lines = written("text", result(PLAYERS, "Players")).decode().splitlines()

    assert lines[:2] == ["Players", "\t".join(PLAYERS.column_names)]
    assert lines[2].split("\t")[:4] == ["青木 一郎", "1234567", "18446744073709551615", "1996"]
    assert lines[4].split("\t")[0] == r"a\x1b[31m\n"
    assert len(lines) == 2 + len(PLAYERS)


def test_json_has_the_types_of_the_columns(written: Callable[..., bytes]) -> None:
    rows = json.loads(written("json", result(PLAYERS)))

    assert rows[0] == {
        "player": "青木 一郎",
        "games": 1_234_567,
        "key": 2**64 - 1,
        "year": 1996,
        "share": 0.5,
        "sum": 10**25,
        "first": "1996-05-27",
        "hash": "01ff",
        "line": [72, -1],
        "rated": True,
        "note": "long " * 40,
    }
    assert rows[2]["share"] is None
    assert {value for name, value in rows[3].items() if name != "note"} == {None}


def test_json_of_several_tables_has_each_by_its_name(written: Callable[..., bytes]) -> None:
    small = PLAYERS.select(["games"]).slice(0, 1)
    both = written("json", result(small, "A", "first"), result(small, "B", "second"))

    assert json.loads(both) == {name: [{"games": 1_234_567}] for name in ("first", "second")}


def test_csv_is_read_back_by_other_programs(written: Callable[..., bytes]) -> None:
    data = written("csv", result(PLAYERS))
    rows = list(csv.DictReader(io.StringIO(data.decode(), newline="")))

    assert data.count(b"\r\n") == 1 + len(PLAYERS)
    assert [row["player"] for row in rows] == ["青木 一郎", 'B"e,rg', "a\x1b[31m\n", ""]
    assert [rows[0][name] for name in ("first", "hash", "rated", "line")] == [
        "1996-05-27",
        "01ff",
        "true",
        "[72, -1]",
    ]


def test_csv_of_several_tables_is_one_table_of_values(written: Callable[..., bytes]) -> None:
    small = PLAYERS.select(["games", "first"]).slice(0, 1)
    both = written("csv", result(small, "A", "a"), result(small, "B", "b"))

    assert [*csv.reader(io.StringIO(both.decode(), newline=""))] == [
        ["table", "row", "column", "value"],
        *(
            [name, "0", column, value]
            for name in "ab"
            for column, value in (("games", "1234567"), ("first", "1996-05-27"))
        ),
    ]


def test_a_page_needs_no_other_file_and_shows_texts_as_texts(
    written: Callable[..., bytes],
) -> None:
    page = written("html", result(PLAYERS, "Players <i>")).decode()

    assert "<h1><bdi>go &lt;b&gt;</bdi></h1>" in page
    assert "<h2>Players &lt;i&gt;</h2>" in page
    assert '<td class="number">1,234,567</td>' in page
    assert page.count("<tr>") == 1 + len(PLAYERS)
    assert not any(word in page for word in ("http://", "https://", "<script", "\x1b"))


@pytest.mark.parametrize("form", get_args(TableForm))
def test_a_limit_holds_in_every_form(form: TableForm, written: Callable[..., bytes]) -> None:
    numbers = pa.table({"n": [1111, 2222, 3333]})
    text = written(form, result(numbers), limit=2).decode().replace(",", "")

    assert "2222" in text
    assert "3333" not in text
    assert "3333" in written(form, result(numbers), limit=0).decode().replace(",", "")


def test_no_file_in_the_folder_of_the_archive_is_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games" / "part-00000.parquet"
    with pytest.raises(SystemExit) as ended:
        FormOptions(form="csv", output=file).show([result(PLAYERS)], tmp_path, "")

    assert ended.value.code == 2
    assert "is in the folder of the archive; choose another file" in capsys.readouterr().err
    assert not os.path.lexists(file)

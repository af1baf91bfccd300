"""Archives are opened as Arrow, pandas, Polars and SQL, which read the same values."""

from __future__ import annotations

import gc
import math
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from inspect import isfunction
from pathlib import Path
from typing import Any

import pytest
from support.archives import Row, write_archive
from support.lanes import one_in

import sgf_lark
from sgf_lark.archive.queries.sql import time_limit_or_default
from sgf_lark.report.tables import SCHEMA_VERSION, arrow_schema, tables

#: Values of each type that programs get wrong; a column without nulls has 0 and "" for None.
HARD: dict[str, list[Any]] = {
    "int32": [-(2**31), None, 2**31 - 1],
    "int64": [-(2**63), None, 2**63 - 1],
    "uint64": [2**64 - 1, None, 2**63 + 1],
    "float64": [6.5, None, -0.1],
    "string": ["青木 '\"\n\t;", None, "\0\U0001f600"],
    "bool": [True, False, True],
    "date": [date(1500, 1, 1), None, date(9999, 12, 31)],
    "hash": [bytes(range(16)), None, b"\xff" * 16],
    "points": [[0, -1, 360], None, []],
}


#: A query that takes years.
ENDLESS = "select count(*) from range(10000000) a, range(10000000) b, games c, games d"


def rows_of(table: str) -> list[Row]:
    """Rows with the hard values in every column; where no null may be, those of other rows."""
    return [
        {
            column.name: HARD[column.type][at]
            if column.nullable or HARD[column.type][at] is not None
            else HARD[column.type][0]
            for column in tables()[table]
        }
        for at in range(3)
    ]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sgf_lark.archive.Archive]:
    parts = {table: [rows[:2], rows[2:]] for table in tables() for rows in [rows_of(table)]}
    directory = write_archive(tmp_path_factory.mktemp("archive") / "hard", **parts)
    with sgf_lark.archive.read(directory) as opened:
        yield opened


@pytest.fixture
def pandas() -> Any:
    return pytest.importorskip("pandas", reason="pandas is not installed")


@pytest.fixture
def polars() -> Any:
    return pytest.importorskip("polars", reason="polars is not installed")


# ---- values ----


@pytest.mark.parametrize("table", one_in(3, tables()))
def test_pyarrow_and_duckdb_read_the_same_values(
    archive: sgf_lark.archive.Archive, table: str
) -> None:
    expected = rows_of(table)

    assert archive.table(table).to_table().to_pylist() == expected
    assert archive.sql(f"from {table}").to_pylist() == expected
    assert archive.stream(f"from {table}").read_all().to_pylist() == expected


@pytest.mark.usefixtures("polars")
@pytest.mark.parametrize("table", one_in(3, tables()))
def test_pandas_and_polars_read_the_same_values(
    archive: sgf_lark.archive.Archive, table: str, pandas: Any
) -> None:
    def without_nan(value: Any) -> Any:
        """A value of a frame as Python has it."""
        if hasattr(value, "tolist"):
            return value.tolist()
        return None if value is pandas.NA else value

    expected = rows_of(table)
    frame = archive.table(table).to_pandas()

    assert archive.table(table).to_polars().to_dicts() == expected
    assert [
        {name: without_nan(value) for name, value in row.items()}
        for row in frame.to_dict(orient="records")
    ] == expected


def test_the_tables_have_the_schema_of_the_version_in_order(
    archive: sgf_lark.archive.Archive,
) -> None:
    named = [archive.games, archive.moves, archive.findings, archive.positions]
    named += [archive.lives, archive.analysis, archive.sources]

    for table, dataset in zip(tables(), named, strict=True):
        assert dataset.schema.equals(arrow_schema(table), check_metadata=True)
        assert archive.table(table) is dataset


@pytest.mark.usefixtures("pandas")
def test_pandas_keeps_integers_with_nulls_and_early_dates(
    archive: sgf_lark.archive.Archive,
) -> None:
    types = archive.games.to_pandas(["gm", "date_first", "line_hash"]).dtypes

    assert [str(type_) for type_ in types] == [
        "int32[pyarrow]",
        "date32[day][pyarrow]",
        "uint64[pyarrow]",
    ]


@pytest.mark.usefixtures("pandas", "polars")
def test_pandas_and_polars_take_columns_and_a_filter(archive: sgf_lark.archive.Archive) -> None:
    import pyarrow.compute as pc

    wanted = pc.field("date_first") < pc.scalar(date(1600, 1, 1))

    assert archive.games.to_pandas(["game"], wanted).to_dict("records") == [{"game": -(2**31)}]
    assert archive.games.to_polars(["game"], wanted).to_dicts() == [{"game": -(2**31)}]
    for read in (archive.games.to_pandas, archive.games.to_polars):
        with pytest.raises(KeyError, match="games has no column 'blck'; did you mean 'black'"):
            read(["blck"])


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("line_hash = ?", 2**63 + 1),
        ("line_hash > ?", 2**64 - 2),
        ("date_last < ?", date(1501, 1, 1)),
        ("bytes_hash = ?", b"\xff" * 16),
        ("black = ?", "\0\U0001f600"),
        ("komi is null and ? = 1", 1),
        ("line = ?", [0, -1, 360]),
        ("game_id = ?", 2**63 - 1),
    ],
)
def test_sql_finds_rows_by_hard_values(
    archive: sgf_lark.archive.Archive, condition: str, value: object
) -> None:
    found = archive.sql(f"from games where {condition}", [value])

    assert found.num_rows == 1


def test_a_table_that_was_not_built_has_its_columns_and_no_rows(tmp_path: Path) -> None:
    with sgf_lark.archive.read(write_archive(tmp_path / "a", games=rows_of("games"))) as archive:
        assert archive.positions.num_rows == 0
        assert archive.positions.to_table().column_names == arrow_schema("positions").names
        assert archive.sql("select key, corner_ne from positions").num_rows == 0
        assert "3 games, 0 moves" in repr(archive)


@pytest.mark.usefixtures("pandas", "polars")
def test_a_frame_of_a_table_that_was_not_built_has_its_columns(tmp_path: Path) -> None:
    with sgf_lark.archive.read(write_archive(tmp_path / "a", games=rows_of("games"))) as archive:
        assert archive.positions.to_polars().columns == arrow_schema("positions").names
        assert list(archive.positions.to_pandas()) == arrow_schema("positions").names


def test_an_archive_that_is_not_closed_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "it's").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "it's"))
    directory = write_archive(tmp_path / "a", games=rows_of("games"))
    archive = sgf_lark.archive.read(directory)
    stream = archive.stream("from games")

    assert archive.sql("from games").num_rows == 3
    assert len(list((tmp_path / "it's").iterdir())) == 2
    del archive, stream
    gc.collect()
    assert list((tmp_path / "it's").iterdir()) == []


def test_only_parts_that_the_manifest_names_are_read(tmp_path: Path) -> None:
    directory = write_archive(tmp_path / "a", games=rows_of("games"))
    part = directory / "games" / f"{0:032x}.parquet"
    part.with_name(f"{1:032x}.parquet").write_bytes(part.read_bytes())
    part.with_name(".part-00002.parquet.tmp").write_bytes(b"PAR1")

    assert sgf_lark.archive.read(directory).games.num_rows == 3


def test_pyarrow_and_duckdb_take_a_table_as_it_is(archive: sgf_lark.archive.Archive) -> None:
    import duckdb
    import pyarrow as pa

    expected = rows_of("moves")
    moves = archive.moves

    assert pa.table(moves).to_pylist() == expected
    with duckdb.connect() as connection:
        connection.register("mine", moves)
        for query in ("from mine", "from moves"):
            assert connection.sql(query).to_arrow_table().to_pylist() == expected


def test_pandas_and_polars_take_a_table_as_it_is_and_its_dataset(
    archive: sgf_lark.archive.Archive, pandas: Any, polars: Any
) -> None:
    expected = rows_of("moves")
    moves = archive.moves
    lazy = polars.scan_pyarrow_dataset(moves.dataset).filter(polars.col("color") == "")
    colors = pandas.DataFrame.from_arrow(moves)["color"].tolist()

    assert polars.DataFrame(moves).to_dicts() == expected
    assert colors == [row["color"] for row in expected]
    assert lazy.collect().to_dicts() == [row for row in expected if row["color"] == ""]


def test_a_table_tells_its_rows_and_columns(archive: sgf_lark.archive.Archive) -> None:
    moves = archive.moves

    assert len(moves) == moves.num_rows == sum(batch.num_rows for batch in moves.to_batches()) == 3
    assert moves.column_names == [column.name for column in tables()["moves"]]
    assert repr(moves) == "<ArchiveTable 'moves': 3 rows, 14 columns>"


@pytest.mark.parametrize("name", ["stats", "dupes", "openings", "select"])
def test_a_path_is_no_archive_that_is_open(name: str) -> None:
    words = ["komi = 6.5"] if name == "select" else []
    with pytest.raises(
        TypeError, match=r"^expected an Archive: sgf_lark\.archive\.read\('go\.archive'\) opens it$"
    ):
        getattr(sgf_lark.archive, name)("go.archive", *words)


def test_wrong_names_of_tables_and_columns_are_named(archive: sgf_lark.archive.Archive) -> None:
    with pytest.raises(KeyError, match="no table 'game': there are games, moves, findings"):
        archive.table("game")
    for read in (archive.games.to_table, archive.games.to_batches):
        with pytest.raises(KeyError, match="games has no column 'blck'; did you mean 'black'"):
            read(["blck"])
        with pytest.raises(TypeError, match="names of columns such as \\['black'\\], not one str"):
            read("black")


# ---- queries ----


def test_sql_takes_parameters_by_place_and_by_name(archive: sgf_lark.archive.Archive) -> None:
    query = "select game from games where komi = {} and black_strength = {}"

    for shown, values in (("?", [6.5, 6.5]), ("$komi", {"komi": 6.5})):
        found = archive.sql(query.format(shown, shown), values)
        assert found.to_pylist() == [{"game": -(2**31)}]


@pytest.mark.parametrize(
    "query",
    [
        "select * from '{file}'",
        "select * from read_text('{file}')",
        "select * from read_csv('{file}')",
        "select * from glob('{folder}/*')",
        "with x as (copy games to '{part}' (use_tmp_file false)) select 1",
        "with x as (copy games to '{folder}/out.csv') select 1",
        "explain analyze copy games to '{folder}/out.csv'",
        "copy games to '{folder}/out.csv'",
        "export database '{folder}/out'",
        "attach '{folder}/out.db'",
        "install httpfs",
        "load httpfs",
        "set enable_external_access = true",
        "drop view games",
        "create table games2 as select 1",
        "select 1; drop view games",
        "call pragma_version()",
        "select * from tuples",
        "",
    ],
)
def test_a_query_can_neither_change_nor_open_anything_else(
    archive: sgf_lark.archive.Archive, tmp_path: Path, query: str
) -> None:
    tuples = archive.games  # a name of Python is no table
    file = tmp_path / "secret.txt"
    file.write_text("secret")
    part = archive.directory / "games" / f"{0:032x}.parquet"
    before = part.read_bytes()

    with pytest.raises(sgf_lark.archive.QueryError):
        archive.sql(query.format(file=file, folder=tmp_path, part=part))
    assert part.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]
    assert archive.sql("select count(*) from games").to_pylist() == [{"count_star()": 3}]
    assert tuples.num_rows == 3


@pytest.mark.parametrize(
    ("query", "message", "marked"),
    [
        (
            "select game from games\nwhere komii = 6.5",
            "there is no column 'komii'; did you mean 'komi'?",
            "komii",
        ),
        ("select * from gams", "there is no table 'gams'; did you mean 'games'?", "gams"),
        ("select * from games where (komi = 1", 'syntax error at or near "1"', "1"),
        ("select '青', from games where komi = = 1", 'syntax error at or near "="', "="),
        (
            "select cast('Aoki' as int)",
            "Could not convert string 'Aoki' to INT32",
            "cast('Aoki' as int)",
        ),
        ("select ?", "Values were not provided for the following parameters: 1", None),
        ("select 1; select 2", "expected one statement, found 2", None),
        ("drop table games", "expected a query such as SELECT: nothing can be changed", None),
    ],
)
def test_a_wrong_query_is_an_error_in_words_with_its_place(
    archive: sgf_lark.archive.Archive, query: str, message: str, marked: str | None
) -> None:
    with pytest.raises(sgf_lark.archive.QueryError) as caught:
        archive.sql(query)
    error, hit = caught.value, None
    if error.place:
        line, column, length = error.place
        hit = query.split("\n")[line - 1][column - 1 :][:length]

    assert (error.message, hit) == (message, marked)
    assert error.query == query


def test_an_error_marks_its_place_below_wide_characters(archive: sgf_lark.archive.Archive) -> None:
    with pytest.raises(sgf_lark.archive.QueryError) as caught:
        archive.sql("select 1,\n'青木', blak from games")

    assert str(caught.value).split("\n") == [
        "there is no column 'blak'; did you mean 'black'?",
        "  '青木', blak from games",
        "          ^^^^",
    ]


def test_after_an_error_and_after_a_stream_left_open_queries_go_on(
    archive: sgf_lark.archive.Archive,
) -> None:
    with pytest.raises(sgf_lark.archive.QueryError):
        archive.sql("select nothing")
    stream = archive.stream("select * from range(1000000)")
    first = stream.read_next_batch()

    assert archive.sql("select 1 as a").to_pylist() == [{"a": 1}]
    assert sum(batch.num_rows for batch in stream) == 1_000_000 - first.num_rows


def test_an_error_of_a_row_is_in_words(archive: sgf_lark.archive.Archive) -> None:
    words = r"(?s)^Could not convert string '.+' to INT32"  # rows are read at the same time
    with pytest.raises(sgf_lark.archive.QueryError, match=words):
        archive.sql("select cast(black as int) from games")
    with pytest.raises(sgf_lark.archive.QueryError, match=words):
        archive.stream("select cast(black as int) from games").read_all()


def test_an_error_late_in_a_stream_is_in_words(archive: sgf_lark.archive.Archive) -> None:
    late = "select if(range > 900000, ('x' || range)::int, 0) from range(1000000)"
    stream = archive.stream(late)

    with pytest.raises(
        sgf_lark.archive.QueryError, match=r"^Could not convert string 'x9.....' "
    ) as caught:
        stream.read_all()
    assert caught.value.place is not None


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no signals for threads here")
def test_ctrl_c_ends_a_query_at_once(archive: sgf_lark.archive.Archive) -> None:
    main = threading.main_thread().ident
    assert main is not None
    ctrl_c = threading.Timer(0.2, signal.pthread_kill, (main, signal.SIGINT))
    ctrl_c.start()
    with pytest.raises(KeyboardInterrupt):
        archive.sql(ENDLESS, time_limit=0)
    ctrl_c.join(timeout=100)

    assert archive.sql("select 1 as a").to_pylist() == [{"a": 1}]


@pytest.mark.parametrize("endless", [ENDLESS, "select * from range(1000000000000)"])
def test_a_time_limit_ends_a_query(archive: sgf_lark.archive.Archive, endless: str) -> None:
    with closing(archive.database()) as database:
        with pytest.raises(sgf_lark.archive.QueryTimeoutError, match=r"the time limit of 0\.2 s;"):
            for _ in database.stream(endless, time_limit=0.2):
                pass
        assert database.ask("select 1 as a").to_pylist() == [{"a": 1}]


def test_a_table_of_an_endless_query_ends_by_its_time_limit(
    archive: sgf_lark.archive.Archive,
) -> None:
    with pytest.raises(sgf_lark.archive.QueryTimeoutError, match=r"the time limit of 0\.2 s;"):
        archive.sql(ENDLESS, time_limit=0.2)

    assert archive.sql("select 1 as a", time_limit=0).to_pylist() == [{"a": 1}]
    with pytest.raises(ValueError, match="invalid time limit -1: expected seconds, or 0 for none"):
        archive.sql("select 1", time_limit=-1)


@pytest.mark.parametrize(("is_terminal", "seconds"), [(True, math.inf), (False, 60)])
def test_there_is_no_time_limit_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, *, is_terminal: bool, seconds: float
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal, raising=False)

    assert time_limit_or_default(None) == seconds
    assert time_limit_or_default(5) == 5


@pytest.mark.night
def test_a_query_that_needs_much_memory_uses_the_disk_or_says_so(tmp_path: Path) -> None:
    directory = write_archive(tmp_path / "a")
    with sgf_lark.archive.read(directory, memory=32 << 20) as archive:
        sorted_ = archive.sql(
            "select count(*) as n from (select range::varchar || repeat('x', 50) as text"
            " from range(500000) order by text desc limit 450000)"
        )
        with pytest.raises(sgf_lark.archive.QueryError, match="memory than its limit of 32 MiB"):
            archive.sql("select list(range) from range(10000000)")

    assert sorted_.to_pylist() == [{"n": 450_000}]


# ---- opening ----


def test_what_is_no_archive_is_reported_in_words(tmp_path: Path) -> None:
    directory = write_archive(tmp_path / "a", games=rows_of("games"))
    part = directory / "games" / f"{0:032x}.parquet"
    manifest = directory / "_manifest.json"
    text = manifest.read_text()

    def reported(path: Path = directory) -> str:
        with pytest.raises(sgf_lark.archive.ArchiveError) as caught:
            sgf_lark.archive.read(path)
        return caught.value.strerror or ""

    assert reported(tmp_path) == "this is no folder of sgf-lark archive build"
    assert reported(tmp_path / "nothing") == "this is no folder of sgf-lark archive build"
    manifest.write_text(text.replace(f'"schema": {SCHEMA_VERSION}', '"schema": 99'))
    words = f"this archive has tables of version 99, expected {SCHEMA_VERSION}: run  sgf-lark"
    assert reported() == f"{words} archive build -o {directory}"
    manifest.write_text(text[:50])
    assert reported().startswith("the manifest is damaged")
    manifest.write_text(text)
    size = part.stat().st_size
    with part.open("ab") as file:
        file.write(b"x")
    changed = f"a part of this archive was changed: it has {size + 1} bytes, not {size}"
    assert reported() == changed
    part.unlink()
    assert reported() == "a part of this archive cannot be read: no such file or directory"


def test_a_closed_archive_keeps_its_tables_and_asks_again(tmp_path: Path) -> None:
    archive = sgf_lark.archive.read(write_archive(tmp_path / "a", games=rows_of("games")))
    with archive:
        archive.sql("select 1")
    archive.close()

    assert archive.games.num_rows == 3
    assert archive.sql("select count(*) as n from games").to_pylist() == [{"n": 3}]
    archive.close()


def test_modules_do_not_hide_the_functions_of_their_names() -> None:
    import sgf_lark.archive.batches
    import sgf_lark.archive.build
    import sgf_lark.archive.queries.select

    for name in ("batches", "build", "partitions", "select", "stats", "read"):
        assert isfunction(getattr(sgf_lark.archive, name)), name
    assert {"Archive", "build", "read"} <= {*dir(sgf_lark.archive)}
    with pytest.raises(AttributeError, match="has no attribute 'load'"):
        sgf_lark.archive.load  # type: ignore[attr-defined]  # noqa: B018  # asking is what is tested


@pytest.mark.night
def test_the_package_is_a_public_name_and_loads_nothing_heavy() -> None:
    code = (
        "import sys, sgf_lark; [getattr(sgf_lark.archive, name) for name in dir(sgf_lark.archive)];"
        "print({'pyarrow', 'duckdb', 'numpy', 'pandas', 'polars', 'dask'} & {*sys.modules})"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, check=True, timeout=100
    )

    assert done.stdout.strip() == b"set()"

"""Games are selected by a condition in SQL, and copied byte for byte from their sources."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import os
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.archives import archive_of, write_archive
from support.corpus import large, names, required
from support.lanes import one_in

import sgf_lark
from sgf_lark.archive import Archive, QueryError, read, select
from sgf_lark.archive.queries.select import safe_parts
from sgf_lark.report.tables import arrow_schema

pytestmark = pytest.mark.usefixtures("one_database")

AOKI = b"(;FF[4]GM[1]SZ[19]PB[Aoki]KM[6.5];B[pd];W[dp])"
BAKER = b"(;FF[4]GM[1]SZ[19]PB[Baker]KM[0.5];B[dd])"
TWO = b"first words\n" + AOKI + b"\r\n between \n" + BAKER + b"\nlast words\n"
CHINESE = "(;FF[4]CA[GB18030]GM[1]SZ[19]PB[青木]KM[6.5];B[pd])".encode("gb18030")
WIDE = ("\ufeff" + "(;FF[4]GM[1]PB[青木];B[aa])\n(;FF[4]GM[1]PB[Baker];B[bb])\n").encode(
    "utf-16-le"
)
GGF = b"(;GM[Othello]PC[GGS]PB[Aoki]PW[b]RE[+4.000]TY[8]BO[8 " + (
    b"-" * 27 + b"O*------*O" + b"-" * 27 + b" *]B[d3//1]W[c5])"
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of records of many kinds, and the archive of them."""
    folder = tmp_path_factory.mktemp("select")
    games = folder / "games"
    (games / "2001").mkdir(parents=True)
    (games / "aoki.sgf").write_bytes(AOKI + b"\n")
    (games / "2001" / "two.sgf").write_bytes(TWO)
    (games / "packed.sgf.gz").write_bytes(gzip.compress(AOKI + b" \n"))
    with zipfile.ZipFile(games / "old.zip", "w") as archive:
        archive.writestr("a/aoki.sgf", AOKI + b"\n\n")
        archive.writestr("../../out.sgf", AOKI)
        archive.writestr("baker.sgf", BAKER)
    with tarfile.open(games / "older.tar.bz2", "w:bz2") as older:
        for number in range(5):
            info = tarfile.TarInfo(f"{number}/game.sgf")
            data = AOKI.replace(b"pd", b"pc") if number % 2 else BAKER
            info.size = len(data)
            older.addfile(info, io.BytesIO(data))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        archive_of(folder / "go.archive", "games")
    return folder


@pytest.fixture
def files(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of them, which is the current folder."""
    monkeypatch.chdir(shutil.copytree(built, tmp_path / "work"))
    return tmp_path / "work"


@pytest.fixture(scope="module")
def opened(built: Path) -> Iterator[Archive]:
    with read(built / "go.archive") as archive:
        yield archive


@pytest.fixture
def archive(built: Path, opened: Archive, monkeypatch: pytest.MonkeyPatch) -> Archive:
    """The archive, for tests that leave its sources as they are."""
    monkeypatch.chdir(built)
    return opened


# ---- the condition ----


@pytest.mark.parametrize(
    ("condition", "count"),
    one_in(
        3,
        [
            ("true", 12),
            ("komi = 6.5 and black = 'Aoki' and errors = 0", 7),
            ("black = 'Baker' -- only these", 5),
            ("game_id in (select game_id from moves where raw = 'pc')", 2),
            ("source like '%.zip' or komi is null", 3),
            ("list_contains(line, 72)", 5),
        ],
    ),
)
def test_games_are_selected_by_a_condition(archive: Archive, condition: str, count: int) -> None:
    chosen = select(archive, condition)

    assert chosen.count == count
    assert chosen.rows().read_all().num_rows == count


@pytest.mark.parametrize(
    ("condition", "message", "place"),
    [
        ("komii = 6.5", "there is no column 'komii'; did you mean 'komi'?", (1, 1, 5)),
        ("komi = 1\nand blck = 'x'", "there is no column 'blck'; did you mean 'black'?", (2, 5, 4)),
        ("komi = = 1", 'syntax error at or near "="', (1, 8, 1)),
        ("", "the condition is empty: for all games it is 'true'", None),
        ("moves > 1) or (true", "expected one condition, such as", None),
        ("true) limit 1 --", None, None),
        ("moves, komi", "expected one condition, such as", None),
        ("true order by komi", None, None),
        ("true; drop view games", None, None),
        ("sum(moves) > 1", "WHERE clause cannot contain aggregates!", (1, 1, 10)),
        ("source in (select content from read_text('/etc/hosts'))", None, None),
        ("black = 'Aoki", None, None),
    ],
)
def test_a_wrong_condition_is_an_error_with_its_place(
    archive: Archive, condition: str, message: str | None, place: tuple[int, ...] | None
) -> None:
    with pytest.raises(QueryError) as caught:
        select(archive, condition)
    error = caught.value

    assert error.message.startswith(message or "")
    assert message is None or (error.place and tuple(error.place)) == place
    assert error.query in {condition, ""}


@pytest.mark.night
def test_rows_come_in_the_order_of_the_archive_also_of_many(tmp_path: Path) -> None:
    games = [{"game_id": number, "moves": number % 7} for number in range(4500)]
    parts = [games[at : at + 750] for at in range(0, 4500, 750)]
    with read(write_archive(tmp_path / "many", games=parts)) as archive:
        rows = select(archive, "moves < 6").rows(["game_id"]).read_all()

    assert rows["game_id"].to_pylist() == [game["game_id"] for game in games if game["moves"] != 6]


# ---- rows ----


def test_rows_are_written_as_parquet_with_the_schema_of_games(archive: Archive) -> None:
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    count = select(archive, "black = 'Aoki'").write(buffer, "parquet")
    table = pq.read_table(buffer)

    assert count == table.num_rows == 7
    assert table.schema.equals(arrow_schema("games"))
    assert table.to_pylist() == [
        row for row in archive.games.to_table().to_pylist() if row["black"] == "Aoki"
    ]


def test_rows_are_written_as_csv_and_lines_of_json(archive: Archive) -> None:
    chosen = select(archive, "komi = 6.5")
    columns = ["source", "game", "bytes_hash", "komi", "line", "date_first", "line_hash"]
    rows = chosen.rows(columns).read_all().to_pylist()
    text, lines = io.BytesIO(), io.BytesIO()

    assert chosen.write(text, "csv", columns) == chosen.write(lines, "jsonl", columns) == 7
    expected = [{**row, "bytes_hash": row["bytes_hash"].hex()} for row in rows]
    assert [json.loads(line) for line in lines.getvalue().splitlines()] == expected
    found = list(csv.DictReader(io.StringIO(text.getvalue().decode(), newline="")))
    assert [row["bytes_hash"] for row in found] == [row["bytes_hash"] for row in expected]
    assert [json.loads(row["line"]) for row in found] == [row["line"] for row in rows]
    assert {row["date_first"] for row in found} == {""}
    assert [int(row["line_hash"]) for row in found] == [row["line_hash"] for row in rows]


def test_an_unknown_form_or_column_is_an_error(archive: Archive) -> None:
    with pytest.raises(ValueError, match="no form 'xml': expected csv, jsonl, parquet"):
        select(archive, "true").write(io.BytesIO(), "xml")  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="blck"):
        select(archive, "true").rows(["blck"])


# ---- copies ----


def tree(folder: Path) -> dict[str, bytes]:
    """The files below a folder and their bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_records_are_copied_byte_for_byte_in_their_folders(
    archive: Archive, tmp_path: Path
) -> None:
    copied = select(archive, "true").copy_to(tmp_path / "out")

    assert tree(tmp_path / "out") == {
        "games/aoki.sgf": AOKI + b"\n",
        "games/2001/two.sgf": TWO,
        "games/packed.sgf": AOKI + b" \n",
        "games/old.zip/a/aoki.sgf": AOKI + b"\n\n",
        "games/old.zip/out.sgf": AOKI,
        "games/old.zip/baker.sgf": BAKER,
        **{
            f"games/older.tar.bz2/{number}/game.sgf": (
                AOKI.replace(b"pd", b"pc") if number % 2 else BAKER
            )
            for number in range(5)
        },
    }
    assert (copied.files, copied.present, copied.games, copied.problems) == (11, 0, 12, [])


def test_of_a_record_only_the_selected_games_are_copied(archive: Archive, tmp_path: Path) -> None:
    select(archive, "source like '%two.sgf' and black = 'Baker'").copy_to(tmp_path / "out")

    assert tree(tmp_path / "out") == {"games/2001/two.sgf": BAKER}


def test_a_byte_order_mark_stays_with_the_games_after_it(files: Path, tmp_path: Path) -> None:
    (files / "wide.sgf").write_bytes(WIDE * 1)
    with read(archive_of(tmp_path / "a", "wide.sgf", folder=str(files))) as archive:
        select(archive, "black = 'Baker'").copy_to(tmp_path / "one")
        select(archive, "true").copy_to(tmp_path / "all")

    assert [game.root["PB"] for game in sgf_lark.load(tmp_path / "one" / "wide.sgf")] == ["Baker"]
    assert (tmp_path / "one" / "wide.sgf").read_bytes().startswith(b"\xff\xfe(\0;\0")
    assert (tmp_path / "all" / "wide.sgf").read_bytes() == WIDE


def test_a_second_copy_writes_nothing_and_overwrites_nothing(
    archive: Archive, tmp_path: Path
) -> None:
    chosen, out = select(archive, "komi = 6.5"), tmp_path / "out"
    chosen.copy_to(out)
    (out / "games" / "aoki.sgf").write_bytes(b"mine")
    before = tree(out)
    copied = chosen.copy_to(out)

    assert tree(out) == before
    assert (copied.files, copied.present) == (0, 6)
    assert [(record.record, record.problem) for record in copied.problems] == [
        ("games/aoki.sgf", "another file has this name; it was not overwritten")
    ]


def test_a_source_that_changed_or_is_gone_is_reported_and_not_copied(
    files: Path, tmp_path: Path
) -> None:
    (files / "games" / "aoki.sgf").write_bytes(AOKI.replace(b"pd", b"qq") + b"\n")
    (files / "games" / "2001" / "two.sgf").write_bytes(TWO[:40])
    (files / "games" / "old.zip").unlink()
    packed = files / "games" / "older.tar.bz2"
    packed.write_bytes(packed.read_bytes()[:100])
    with read("go.archive") as archive:
        copied = select(archive, "true").copy_to(tmp_path / "out")
    problems = {record.record: record.problem for record in copied.problems}

    changed = "it was changed since the archive was built: build it again"
    assert problems["games/aoki.sgf"] == problems["games/2001/two.sgf"] == changed
    assert problems["games/old.zip/baker.sgf"] == "no such file or directory"
    assert len([name for name in problems if "older.tar.bz2" in name]) == 5
    assert tree(tmp_path / "out") == {"games/packed.sgf": AOKI + b" \n"}
    assert copied.games == 1
    assert sum(record.games for record in copied.problems) == 10 + 1


def test_the_copies_do_not_depend_on_the_current_folder(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = archive_of(tmp_path / "a", "games/aoki.sgf", folder=str(files))
    monkeypatch.chdir(tmp_path)
    with read(made) as archive:
        copied = select(archive, "true").copy_to("out")

    assert tree(tmp_path / "out") == {"games/aoki.sgf": AOKI + b"\n"}
    assert copied.problems == []


def test_remote_records_and_archives_are_copied_too(files: Path, tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    for name in ("aoki.sgf", "old.zip", "older.tar.bz2", "2001/two.sgf"):
        memory.pipe(f"/far/{name}", (files / "games" / name).read_bytes())
    with read(archive_of(tmp_path / "a", "memory://far/")) as archive:
        copied = select(archive, "black = 'Aoki'").copy_to(tmp_path / "out")
    memory.rm("/far", recursive=True)

    assert copied.problems == []
    assert tree(tmp_path / "out") == {
        "memory/far/aoki.sgf": AOKI + b"\n",
        "memory/far/2001/two.sgf": AOKI,
        "memory/far/old.zip/a/aoki.sgf": AOKI + b"\n\n",
        "memory/far/old.zip/out.sgf": AOKI,
        **{
            f"memory/far/older.tar.bz2/{number}/game.sgf": AOKI.replace(b"pd", b"pc")
            for number in (1, 3)
        },
    }


@pytest.mark.night
def test_records_of_the_corpus_are_copied_as_they_are_and_joined_without_loss(
    tmp_path: Path,
) -> None:
    real = required()
    buffer = io.BytesIO()
    records = [real / name for name in names() if not large(name)]
    with read(archive_of(tmp_path / "a", *records)) as archive:
        chosen = select(archive, "true")
        copied = chosen.copy_to(tmp_path / "out")
        joined = chosen.write_sgf(buffer)
        nodes = archive.games.to_table(["nodes"])["nodes"].to_pylist()

    assert copied.problems == joined.problems == []
    assert copied.games == joined.games == len(nodes)
    for path, data in tree(tmp_path / "out").items():
        if not Path("/", path).is_file():  # packed in the corpus
            continue
        assert data == Path("/", path).read_bytes(), path
    assert [len(game.nodes) for game in sgf_lark.loads(buffer.getvalue(), strict=False)] == nodes


def test_sources_that_would_have_one_name_are_numbered_the_same_way_again(
    files: Path, tmp_path: Path
) -> None:
    (files / "aoki.sgf").write_bytes(AOKI)
    (files / "games" / "aoki.sgf.bz2").write_bytes(bz2.compress(BAKER))
    (files.parent / "aoki.sgf").write_bytes(BAKER)
    made = archive_of(
        tmp_path / "a", "aoki.sgf", "../aoki.sgf", "games/aoki.sgf", "games/aoki.sgf.bz2",
        folder=str(files),
    )  # fmt: skip
    with read(made) as archive:
        first = select(archive, "true").copy_to(tmp_path / "out")
        second = select(archive, "true").copy_to(tmp_path / "out")

    assert tree(tmp_path / "out") == {
        "aoki.sgf": BAKER,
        "aoki-2.sgf": AOKI,
        "games/aoki.sgf": AOKI + b"\n",
        "games/aoki-2.sgf": BAKER,
    }
    assert (first.files, second.files, second.present) == (4, 0, 4)


@pytest.mark.parametrize(
    ("source", "member", "path"),
    [
        ("games/a.sgf", "", "games/a.sgf"),
        ("/data/a.sgf", "", "data/a.sgf"),
        ("../../a.sgf", "", "a.sgf"),
        ("a.zip", "../../etc/passwd", "a.zip/etc/passwd"),
        ("a.zip", "/etc/x.sgf", "a.zip/etc/x.sgf"),
        ("a.zip", "C:\\x\\y.sgf", "a.zip/C_/x/y.sgf"),
        ("a.sgf.gz", "", "a.sgf"),
        ("s3://bucket/a.sgf", "", "s3/bucket/a.sgf"),
        ("a\0b\x1b\n.sgf", "", "a_b__.sgf"),
        ("a\\udc82b.sgf", "", "a_b.sgf"),
        ("..", "", "game.sgf"),
    ],
)
def test_no_name_leads_out_of_the_directory(source: str, member: str, path: str) -> None:
    assert "/".join(safe_parts(source, member)) == path


def test_a_folder_in_the_way_is_a_problem_of_one_record(archive: Archive, tmp_path: Path) -> None:
    (tmp_path / "out" / "games" / "aoki.sgf").mkdir(parents=True)
    (tmp_path / "out" / "games" / "2001").write_bytes(b"a file")
    copied = select(archive, "source not like '%.zip'").copy_to(tmp_path / "out")

    assert {record.record for record in copied.problems} == {
        "games/aoki.sgf",
        "games/2001/two.sgf",
    }
    assert copied.files == 6
    assert not list((tmp_path / "out").glob(".copy-*"))


def test_a_full_disk_ends_the_copying(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("sgf_lark.archive.queries.select._write_all", full)
    with pytest.raises(OSError, match="No space left"):
        select(archive, "true").copy_to(tmp_path / "out")

    assert tree(tmp_path / "out") == {}


def test_progress_is_reported_record_by_record(archive: Archive, tmp_path: Path) -> None:
    seen: list[tuple[str, int]] = []
    select(archive, "source like '%two%' or source like '%aoki%'").copy_to(
        tmp_path / "out", lambda record: seen.append((record.record, record.games))
    )

    assert seen == [("games/2001/two.sgf", 2), ("games/aoki.sgf", 1)]


# ---- one collection ----


def test_games_become_one_collection_in_utf_8(files: Path, tmp_path: Path) -> None:
    shutil.rmtree(files / "games")
    (files / "chinese.sgf").write_bytes(CHINESE)
    (files / "othello.ggf").write_bytes(GGF)
    (files / "two.sgf").write_bytes(TWO)
    (files / "wide.sgf").write_bytes(WIDE)
    buffer = io.BytesIO()
    shutil.rmtree(files / "go.archive")
    with read(archive_of(tmp_path / "a", ".")) as archive:
        copied = select(archive, "true").write_sgf(buffer)
    text = buffer.getvalue().decode("utf-8")
    games = sgf_lark.loads(buffer.getvalue())

    assert (copied.games, copied.problems) == (6, [])
    assert [game.root["PB"] for game in games] == [
        *("青木", "Aoki", "Aoki", "Baker", "青木", "Baker"),
    ]
    assert [game.root.get("CA") for game in games][:2] == ["UTF-8", "UTF-8"]
    assert AOKI.decode() + "\n" in text
    assert games[1].game_name == "Othello"
    assert "words" not in text


def test_a_game_without_its_end_does_not_swallow_the_next_one(files: Path, tmp_path: Path) -> None:
    (files / "a.sgf").write_bytes(AOKI[:-1] + b"\n")
    (files / "b.sgf").write_bytes(AOKI.replace(b"]KM", b"KM"))
    (files / "c.sgf").write_bytes(BAKER)
    buffer = io.BytesIO()
    with read(archive_of(tmp_path / "a", "a.sgf", "b.sgf", "c.sgf")) as archive:
        nodes = archive.games.to_table(["nodes"])["nodes"].to_pylist()
        select(archive, "true").write_sgf(buffer)

    assert [len(game.nodes) for game in sgf_lark.loads(buffer.getvalue())] == nodes
    assert buffer.getvalue().endswith(BAKER + b"\n")


def test_games_that_changed_are_left_out_of_the_collection(files: Path) -> None:
    (files / "games" / "aoki.sgf").write_bytes(BAKER)
    buffer = io.BytesIO()
    with read("go.archive") as archive:
        chosen = select(archive, "source in ('games/aoki.sgf', 'games/2001/two.sgf')")
        copied = chosen.write_sgf(buffer)

    assert [record.record for record in copied.problems] == ["games/aoki.sgf"]
    assert buffer.getvalue() == AOKI + b"\n" + BAKER + b"\n"

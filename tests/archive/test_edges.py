"""Edges of archives: counts that are too small, games beside the main line, games that changed."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from support.archives import archive_of, batch, write_archive
from support.built_archives import built, rows
from support.lanes import one_in

import sgf_lark
from sgf_lark.archive import find, openings, read, store
from sgf_lark.archive.partitions import partitions
from sgf_lark.archive.records import merging
from sgf_lark.archive.records.reading import CHANGED, find_game_places, read_bytes
from sgf_lark.archive.rows.game_rows import GameRows, RowPlace
from sgf_lark.archive.sources import find_sources
from sgf_lark.archive.store import WORK

GAME = "(;FF[4]GM[1]SZ[9]AB[aa];B[bb];W[cc]{})"


def game_row(text: str) -> dict[str, object]:
    rows = GameRows()
    rows.add(sgf_lark.loads(text, strict=False)[0], RowPlace("a.sgf"))
    (row,) = rows.batches()["games"].to_pylist()
    return dict(row)


@pytest.mark.parametrize(
    "variation", [";AB[dd]", ";B[dd]AB[ee]", ";B[dd];AE[aa]", ";W[ee]AW[ff];B[gg]"]
)
def test_setup_in_a_variation_is_none_of_the_main_line(variation: str) -> None:
    alone = game_row(GAME.format(";B[dd]"))
    other = game_row(GAME.format(f"(;B[dd])({variation})"))
    same = [
        name for name in alone if name.endswith("_hash") and name not in {"text_hash", "bytes_hash"}
    ]

    assert same
    assert {name: other[name] for name in (*same, "line", "setup_black", "setup_white")} == {
        name: alone[name] for name in (*same, "line", "setup_black", "setup_white")
    }


def test_setup_after_the_first_move_counts_as_no_handicap() -> None:
    row = game_row(GAME.format(";AB[dd][ee];AW[ff]"))

    assert (row["setup_black"], row["setup_white"]) == (1, 0)


def test_a_game_that_changed_is_left_out_and_those_beside_it_are_read(tmp_path: Path) -> None:
    texts = [GAME.format(f"C[{number}]").encode() for number in range(3)]
    file = tmp_path / "a.sgf"
    file.write_bytes(b"".join(texts))
    archive = read(archive_of(tmp_path / "archive", file))
    places = find_game_places(archive, archive.games.to_table()["game_id"].to_pylist())
    file.write_bytes(b"".join([texts[0], texts[1].replace(b"C[1]", b"C[x]"), texts[2]]))

    first, second, third = (data for _, data in read_bytes(places))

    assert (first, third) == (texts[0], texts[2])
    assert isinstance(second, OSError)
    assert CHANGED in str(second)


def test_each_table_that_is_asked_for_has_rows_of_a_small_board_and_no_other_has() -> None:
    captured = "(;FF[4]GM[1]SZ[{}];B[ba];W[aa];B[ab];W[dd])"
    rows = {}
    for size in (9, 60):
        made = GameRows(["positions", "lives"])
        made.add(sgf_lark.loads(captured.format(size), strict=False)[0], RowPlace("a.sgf"))
        rows[size] = {table: batch.num_rows for table, batch in made.batches().items()}

    assert all(rows[9].values())
    assert not any(rows[60].values())


@pytest.mark.parametrize(("size", "is_cut"), [(100, True), (100_000, False)])
def test_a_large_record_in_an_archive_is_read_in_parts(
    tmp_path: Path,
    size: int,
    is_cut: bool,  # noqa: FBT001
) -> None:
    text = GAME.format(";B[dd]") * 12
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
        file.writestr("a.sgf", text)
    sources = [*find_sources([tmp_path / "a.zip"])]

    parts = [one.content for part in partitions(sources, size) for one in part.slices]
    (whole,) = [one for part in partitions(sources, size, cuts=False) for one in part.slices]

    assert b"".join(filter(None, parts)) == whole.content == text.encode()
    assert (len(parts) > 1) == is_cut


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> sgf_lark.archive.Archive:
    folder = tmp_path_factory.mktemp("small")
    (folder / "a.sgf").write_text(GAME.format("") * 2, encoding="utf-8")
    return read(archive_of(folder / "archive", folder / "a.sgf"))


@pytest.mark.parametrize("wrong", [{"moves": 0}, {"min_games": 0}, {"handicap": -1}])
def test_an_opening_has_at_least_one_move_and_one_game(
    small: sgf_lark.archive.Archive, wrong: dict[str, int]
) -> None:
    smallest = {"moves": 1, "min_games": 1, "handicap": 0, "size": 9}

    openings(small, **smallest)  # type: ignore[arg-type]  # options by name
    with pytest.raises(ValueError, match="at least one move and one game, and no negative handi"):
        openings(small, **smallest | wrong)  # type: ignore[arg-type]  # options by name


def test_rows_are_written_as_soon_as_they_are_a_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "GROUP_ROWS", {})
    monkeypatch.setattr(store, "DEFAULT_GROUP_ROWS", 4)
    (tmp_path / WORK).mkdir()
    writer = store.PartWriter(tmp_path)
    rows = [batch("moves", [{"game_id": number}] * 2) for number in range(5)]

    writer.add("moves", rows)
    part = writer.finish("0")

    written = pq.ParquetFile(tmp_path / part.file("moves"))
    groups = range(written.num_row_groups)
    assert [written.metadata.row_group(number).num_rows for number in groups] == [4, 4, 2]


@pytest.mark.parametrize(
    ("moves", "is_copy"),
    [("pd dp", True), ("pd qq", True), ("qq rr", False), ("pd", True), ("qq", False)],
)
def test_a_game_is_a_copy_if_half_of_its_moves_are_those_of_another(
    moves: str,
    is_copy: bool,  # noqa: FBT001
) -> None:
    kept, other = (
        sgf_lark.loads(
            "(;FF[4]GM[1]SZ[19]{})".format("".join(f";B[{one}]" for one in line.split()))
        )[0]
        for line in ("pd dp", moves)
    )

    if is_copy:
        assert merging._turn(kept, other) is other  # noqa: SLF001  # it is as it should be
    else:
        with pytest.raises(ValueError, match="less than half of the moves are equal"):
            merging._turn(kept, other)  # noqa: SLF001


@pytest.mark.parametrize(
    ("following", "move", "color"),
    one_in(
        4, [(";B[bc]", "C5", "B"), (";W[bc]", "C5", "W"), (";B[aa]", None, None), ("", None, None)]
    ),
)
def test_the_move_after_a_pattern_is_one_within_it_shown_in_the_upper_right(
    tmp_path: Path, following: str, move: str | None, color: str | None
) -> None:
    tables = GameRows(["games", "lives", "positions"])
    text = f"(;FF[4]GM[1]SZ[5];B[cc];W[dc]{following})"
    tables.add(sgf_lark.loads(text)[0], RowPlace("a.sgf"))
    rows = {name: [rows] for name, rows in tables.batches().items()}
    archive = read(write_archive(tmp_path / "archive", "", **rows))

    (found,) = find(archive, ".XO", symmetric=False, colors=False).table.to_pylist()

    assert (found["move"], found["color"]) == (move, color)


@pytest.mark.parametrize(
    "after",
    [
        "[bb][cc]",
        "PB[late]RE[B+R]",
        ";B[bb]",
        ")PB[x]",
        "PB[x](;FF[4]GM[1]SZ[9];B[bb])",
        " x",
        "\n",
    ],
)
def test_what_is_after_the_last_game_has_the_findings_of_a_check(
    after: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games").mkdir()
    file = Path("games/a.sgf")
    file.write_text(f"(;FF[4]GM[1]SZ[9]PB[first];B[aa]){after}")

    built()

    said = [(row["code"], row["message"]) for row in rows("out", "findings")]
    assert said == [(one.code, one.message) for one in sgf_lark.check(file)]
    assert bool(said) is bool(after.strip())
    assert rows("out", "games")[0]["black"] == "first"

"""The rows of a record that was cut are those of the complete record."""

from __future__ import annotations

import hashlib
import os
import random
import sys
import time
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from support.chance import record
from support.damage import PIECES
from support.lanes import amount

from sgf_lark import check, load
from sgf_lark.archive.batches import PartitionRows, batches, join_partitions, read_partition
from sgf_lark.archive.engines import Processes
from sgf_lark.archive.partitions import Partition, partitions
from sgf_lark.archive.rows.game_rows import GameRows, RowPlace
from sgf_lark.archive.sources import find_sources
from sgf_lark.core.api.load import make_report
from sgf_lark.core.fix import syntax
from sgf_lark.core.model.collection import GameTree
from sgf_lark.core.schema.properties import PropertyTable
from sgf_lark.files import pieces

if TYPE_CHECKING:
    from pathlib import Path

GGF = (
    "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--"
    "------------------------- *]B[F5];)"
)
ENCODINGS = ("utf-8", "utf-8", "gb18030", "cp932", "utf-16", "utf-8-sig", "latin-1", "hz")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be cuts soon after broken games."""
    for module in (pieces, syntax):
        monkeypatch.setattr(module, "MAX_TOKENS", 20)


def rows_of(
    path: Path, size: int, *, cuts: bool = True, jobs: int = 1
) -> tuple[dict[str, Any], int]:
    """Return the rows of each table, and the number of partitions."""
    parts = list(partitions(find_sources([path]), size, cuts=cuts))
    outcomes = Processes(jobs).read(read_partition if jobs == 1 else read_late, iter(parts))
    read = ((part, outcome.result) for part, outcome in zip(parts, outcomes, strict=True))
    results = list(join_partitions((part, rows) for part, rows in read if rows))
    names = ("games", "moves", "findings")
    batches = {name: [batch for one in results for batch in one.tables[name]] for name in names}
    for name in names:
        assert sum(one.rows[name] for result in results for one in result.slices) == sum(
            batch.num_rows for batch in batches[name]
        )
    tables = {name: pa.Table.from_batches(found).to_pylist() for name, found in batches.items()}
    # that a number of games is wrong is known when all of them are read
    tables["findings"].sort(key=lambda row: (row["offset"], row["end_offset"], row["name"]))
    return tables, len(parts)


def chance_text(dice: random.Random) -> str:
    """Return some games, most of them valid."""
    if dice.random() < 0.25:
        numbers = ("", "1\n", "2 ", "hm ")
        games = [dice.choice(numbers) + GGF for _ in range(dice.randint(3, 30))]
        text = dice.choice(("", "\n")).join(games)
    else:
        between = dice.choice(("", "\n", "\n\n", "text\n", ")"))
        table = PropertyTable.standard()
        text = between.join(record(table, dice) for _ in range(dice.randint(3, 15)))
    if dice.random() < 0.4:
        for _ in range(dice.randint(1, 3)):
            at = dice.randrange(len(text))
            text = text[:at] + dice.choice(PIECES) + text[at:]
    return text


#: Texts in several languages, with a place for CA.
SIMPLIFIED = "(;GM[1]FF[4]{}PB[陈祖德]PW[聂卫平]C[中国围棋 黑中盘胜];B[aa])"
TRADITIONAL = "(;GM[1]FF[4]{}PB[張栩]PW[李昌鎬]C[這是一個測試 黑先白死];B[aa])"
JAPANESE = "(;GM[1]FF[4]{}PB[坂田栄男]PW[趙治勲]C[これは囲碁の棋譜です];B[aa])"
FRENCH = "(;GM[1]FF[4]{}PB[Éric]PW[François]C[où ça];B[aa])"
WRITTEN = (
    *[("gb18030", SIMPLIFIED), ("big5", TRADITIONAL), ("cp932", JAPANESE), ("euc_jp", JAPANESE)],
    *[("latin-1", FRENCH), ("cp1252", FRENCH), ("utf-8", JAPANESE), ("utf-8", SIMPLIFIED)],
    *[("hz", SIMPLIFIED), ("utf-7", FRENCH), ("iso2022_jp", JAPANESE)],
)


def encoded_games(dice: random.Random) -> bytes:
    """Return games in an encoding, that of others and none, with some damaged bytes."""
    encoding, text = dice.choice(WRITTEN)
    charset = dice.choice(("", "", f"CA[{encoding}]", "CA[UTF-8]", "CA[nonsense]"))
    games = [text.format(charset).encode(encoding, "replace")]
    for _ in range(dice.randint(4, 20)):
        chance = dice.random()
        if chance < 0.4:
            games.append(b"(;GM[1]FF[4]PB[a]PW[b];B[aa])")
        elif chance < 0.95:
            games.append(text.format(dice.choice(("", charset))).encode(encoding, "replace"))
        else:
            games.append(FRENCH.format(dice.choice(("CA[latin-1]", ""))).encode("latin-1"))
    data = b"\n".join(games)
    if dice.random() < 0.4:
        for _ in range(dice.choice((1, 2, 40))):
            at = dice.randrange(len(data))
            data = data[:at] + bytes([dice.randrange(128, 256)]) + data[at + dice.randint(0, 1) :]
    return data if dice.random() < 0.9 else b"\xef\xbb\xbf" + data


@pytest.mark.both_lanes
def test_a_piece_is_decoded_as_the_complete_record(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    for seed in range(amount(2, 30)):
        dice = random.Random(seed)  # noqa: S311  # no secret
        data = encoded_games(dice)
        path.write_bytes(data)

        cut, _ = rows_of(path, dice.choice((50, 200, 500)))

        assert cut == rows_of(path, 0, cuts=False)[0], seed
        for row in cut["games"]:
            game = data[row["offset"] : row["offset"] + row["length"]]
            assert row["bytes_hash"] == hashlib.sha256(game).digest()[:16], seed


@pytest.mark.night
@pytest.mark.both_lanes
def test_any_split_in_any_number_of_processes_and_any_order_gives_the_same_rows(
    tmp_path: Path,
) -> None:
    path = tmp_path / "games.sgf"
    for seed in range(amount(2, 30)):
        dice = random.Random(seed)  # noqa: S311  # no secret
        path.write_bytes(chance_text(dice).encode(dice.choice(ENCODINGS), "replace"))
        expected, _ = rows_of(path, 0, cuts=False)

        size = dice.choice([1, 1, 300, 900])
        assert rows_of(path, size, jobs=dice.choice([1, 2, 3]))[0] == expected, seed


def read_late(partition: Partition) -> PartitionRows:
    time.sleep(random.Random(os.getpid() + time.monotonic_ns()).choice([0, 0, 0.01]))  # noqa: S311
    return read_partition(partition)


@pytest.mark.both_lanes
def test_rows_are_those_of_check_and_load(tmp_path: Path) -> None:
    dice = random.Random(7)  # noqa: S311  # no secret
    path = tmp_path / "games.sgf"
    for _ in range(amount(1, 30)):
        data = chance_text(dice).encode(dice.choice(ENCODINGS), "replace")
        path.write_bytes(data)

        rows, _ = rows_of(path, 300)

        report, games = check(path), load(path, strict=False)
        assert pa.Table.from_pylist(rows["findings"], report.to_arrow().schema).drop_columns(
            ["game_id"]
        ) == report.to_arrow().drop_columns(["game_id"])
        assert [row["nodes"] for row in rows["games"]] == [len(game) for game in games]
        counts = [
            sum(one.game == row["game"] and one.severity == "error" for one in report)
            for row in rows["games"]
        ]
        assert [row["errors"] for row in rows["games"]] == counts
        offsets = [(row["offset"], row["offset"] + row["length"]) for row in rows["games"]]
        assert all(end <= start for (_, end), (start, _) in pairwise(offsets))
        for start, end in offsets:
            assert 0 <= start < end <= len(data)


def test_a_record_on_which_the_program_fails_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        (tmp_path / f"{name}.sgf").write_text(f"(;FF[4]GM[1]PB[{name}];B[aa])")
    add = GameRows.add

    def fail(rows: GameRows, game: GameTree, place: RowPlace) -> int:
        if place.source.endswith("b.sgf"):
            raise ZeroDivisionError
        return add(rows, game, place)

    monkeypatch.setattr(GameRows, "add", fail)
    (part,) = partitions(find_sources([tmp_path]))
    tables = read_partition(part).tables
    (games,), (findings,) = tables["games"], tables["findings"]

    assert [row["black"] for row in games.to_pylist()] == ["a", "c"]
    failed = [row for row in findings.to_pylist() if row["code"] == "F005"]
    assert [row["source"] for row in failed] == [str(tmp_path / "b.sgf")]


@pytest.mark.parametrize("waiting", [1, 1 << 15])
def test_a_record_whose_rows_no_table_holds_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waiting: int
) -> None:
    monkeypatch.setattr(sys.modules[read_partition.__module__], "MAX_WAITING_ROWS", waiting)
    for name in "abcd":
        (tmp_path / f"{name}.sgf").write_text(f"(;FF[4]GM[1]PB[{name}];B[aa])")
    add = GameRows.add

    def exceed(rows: GameRows, game: GameTree, place: RowPlace) -> int:
        number = {"b": 1 << 31, "c": None}.get(place.source[-5], 0)
        return add(rows, game, place._replace(game=number))  # type: ignore[arg-type]  # wrong

    monkeypatch.setattr(GameRows, "add", exceed)
    (part,) = partitions(find_sources([tmp_path]))
    found = read_partition(part)
    games, findings = (
        pa.Table.from_batches(found.tables[name]).to_pylist() for name in ("games", "findings")
    )

    assert [row["black"] for row in games] == ["a", "d"]
    failed = [row["source"][-5] for row in findings if row["code"] == "F005"]
    assert failed == ["b", "c"]
    assert [one.rows["games"] for one in found.slices] == [1, 0, 0, 1]


def test_each_record_is_read_once_though_the_program_fails_on_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = sys.modules[read_partition.__module__]
    monkeypatch.setattr(module, "MAX_WAITING_ROWS", 9)
    for number in range(16):
        text = f"(;FF[4]GM[1]PB[{number}];B[aa];W[bb](;B[cc])(;B[dd]KM[1]))" * (1 + number % 3)
        (tmp_path / f"{number:02}.sgf").write_text(text + "x" * (number % 2))
    (part,) = partitions(find_sources([tmp_path]))
    (wanted,) = partitions(find_sources([tmp_path / f"{n:02}.sgf" for n in range(0, 16, 2)]))
    expected = read_partition(wanted)
    calls = []
    report = make_report

    def fail(record: str, *facts: Any) -> Any:
        calls.append(record)
        if len(calls) % 2 == 0:
            raise ZeroDivisionError
        return report(record, *facts)

    monkeypatch.setattr(module, "make_report", fail)
    found = read_partition(part)

    assert len(calls) == 16
    for name in ("games", "moves"):
        rows, wanted_rows = map(pa.Table.from_batches, (found.tables[name], expected.tables[name]))
        assert rows.equals(wanted_rows)
    findings = pa.Table.from_batches(found.tables["findings"]).to_pylist()
    assert sum(row["code"] == "F005" for row in findings) == 8
    assert [row for row in findings if row["code"] != "F005"] == [
        row for batch in expected.tables["findings"] for row in batch.to_pylist()
    ]
    for name, table in found.tables.items():
        assert sum(one.rows[name] for one in found.slices) == sum(map(len, table))


@pytest.mark.night
def test_findings_outside_games_have_one_limit_for_a_record(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    games = [f"game {number}\n(;FF[4]GM[1];B[aa])\n" for number in range(1_300)]
    path.write_text("".join(games))

    cut, count = rows_of(path, 10_000)

    assert count > 3
    assert cut == rows_of(path, 0, cuts=False)[0]
    outside = [row for row in cut["findings"] if row["name"] == "text-outside-games"]
    assert len(outside) == 1_001
    assert "300 more" in outside[-1]["message"]


def test_wrong_arguments_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("(;FF[4]GM[1])")
    (partition,) = partitions(find_sources([tmp_path]))

    with pytest.raises(TypeError, match="expected paths such as"):
        next(find_sources(str(tmp_path)))
    with pytest.raises(
        TypeError, match=r"expected sources as find_sources\(\) yields them, not str"
    ):
        next(partitions([str(tmp_path)]))  # type: ignore[list-item]
    for table in ("game", "sources"):
        with pytest.raises(KeyError, match=f"no table '{table}' of a partition"):
            next(batches(partition, table))
    with pytest.raises(TypeError, match="expected the names of tables such as"):
        read_partition(partition, "games")

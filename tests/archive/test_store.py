"""The folder of an archive: its manifest, its parts and its chunks."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from sgf_lark.api.joining import Beside, Summary
from sgf_lark.archive.batches import PartitionRows, SliceRows, read_partition
from sgf_lark.archive.partitions import partitions
from sgf_lark.archive.sources import find_sources
from sgf_lark.archive.store import chunks, files, manifest as manifests, parts
from sgf_lark.archive.store.chunks import Chunk
from sgf_lark.archive.store.manifest import MANIFEST, WORK, Manifest, PartFile
from sgf_lark.archive.store.parts import TableRows, TableWriter
from sgf_lark.check.across_games import FirstOfKind
from sgf_lark.places import LineColumn, Span
from sgf_lark.schema.formats import Format
from sgf_lark.schema.tables import SCHEMA_VERSION, record_batch
from sgf_lark.text.archives import ArchiveError

pa = pytest.importorskip("pyarrow")


def positions(start: int, end: int) -> Any:
    """Rows of the smallest table, numbered."""
    count = end - start
    numbers = list(range(start, end))
    columns: dict[str, list[Any]] = dict.fromkeys(
        ("game_id", "number", "node", "key", "key_symmetric"), numbers
    )
    for name in ("next", "next_symmetric"):
        columns[name] = [None if number % 3 else number for number in numbers]
    for corner in ("ne", "nw", "se", "sw"):
        columns[f"corner_{corner}"] = [None] * count
    return pa.Table.from_batches([record_batch("positions", columns)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / WORK).mkdir()
    return tmp_path


def write(folder: Path, pieces: list[Any]) -> tuple[PartFile, ...]:
    writer = TableWriter("positions", folder, folder / WORK)
    for piece in pieces:
        writer.add(piece)
    writer.end_part()
    writer.publish()
    return writer.parts


# ---- the manifest ----


def test_a_manifest_is_read_as_it_was_written(folder: Path) -> None:
    part = PartFile("games/part-00003.parquet", 5, 100, "ab")
    written = Manifest(
        SCHEMA_VERSION, "1", {"positions": True}, "/x", ("a", "b\udce9"), {"games": (part,)}
    )

    manifests.write_manifest(folder, written)

    assert manifests.read_manifest(folder) == manifests.require_manifest(folder) == written
    assert part.number == 3
    assert list(os.scandir(folder / WORK)) == []


@pytest.mark.parametrize(
    "file", ["games/../../x.parquet", "/etc/part-00000.parquet", "moves/part-00000.parquet"]
)
def test_a_manifest_cannot_name_files_elsewhere(folder: Path, file: str) -> None:
    manifests.write_manifest(folder, Manifest(SCHEMA_VERSION, "1"))
    facts = json.loads((folder / MANIFEST).read_bytes())
    facts["tables"] = {"games": [{"file": file, "rows": 1, "bytes": 1, "sha256": ""}]}
    (folder / MANIFEST).write_text(json.dumps(facts))

    with pytest.raises(ArchiveError, match="damaged"):
        manifests.read_manifest(folder)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": 1, "tables": []}', "[" * 10**5])
def test_a_damaged_manifest_is_an_error_in_words(folder: Path, text: str) -> None:
    (folder / MANIFEST).write_text(text)

    with pytest.raises(ArchiveError, match="damaged"):
        manifests.read_manifest(folder)


def test_only_the_folder_of_a_complete_archive_of_this_version_is_read(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="no folder of sgf-lark archive build"):
        manifests.require_manifest(tmp_path)
    (tmp_path / WORK).mkdir()
    with pytest.raises(ArchiveError, match="not complete"):
        manifests.require_manifest(tmp_path)
    manifests.write_manifest(tmp_path, Manifest(SCHEMA_VERSION + 1, "2"))
    with pytest.raises(ArchiveError, match=f"version {SCHEMA_VERSION + 1}"):
        manifests.require_manifest(tmp_path)


# ---- the parts ----


def test_equal_rows_make_equal_bytes_in_whatever_pieces_they_come(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "DEFAULT_GROUP_ROWS", 64)
    monkeypatch.setattr(parts, "PART_BYTES", 5000)
    rows, pieces, start = positions(0, 1000), list[Any](), 0
    while start < 1000:
        size = 1 + start * 7919 % 200
        pieces.append(rows.slice(start, size))
        start += size
    other = tmp_path / "other"
    (other / WORK).mkdir(parents=True)

    once, again = write(folder, [rows]), write(other, pieces)

    assert once == again
    assert len(once) > 2
    for part in once:
        data = (folder / part.file).read_bytes()
        assert data == (other / part.file).read_bytes()
        assert len(data) == part.bytes
    assert TableRows(folder, "positions", once).starts[-1] == 1000


def test_rows_are_read_by_their_numbers_across_parts_and_row_groups(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "DEFAULT_GROUP_ROWS", 64)
    monkeypatch.setattr(parts, "PART_BYTES", 5000)
    rows = positions(0, 500)
    reader = TableRows(folder, "positions", write(folder, [rows]))

    for start, end in [(0, 500), (0, 0), (63, 65), (100, 400), (499, 500), (7, 8)]:
        read = [*reader.read(start, end)]
        assert sum(piece.num_rows for piece in read) == end - start
        if read:
            assert pa.concat_tables(read).equals(rows.slice(start, end - start))
    reader.close()


def test_a_part_that_cannot_be_written_leaves_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fsync(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fsync)
    writer = TableWriter("positions", folder, folder / WORK)
    writer.add(positions(0, 10))

    with pytest.raises(OSError, match=r"No space left on device: '.*positions-00000\.tmp'"):
        writer.end_part()
    writer.discard()

    assert [path for path in folder.rglob("*") if path.is_file()] == []


# ---- the chunks ----


def test_each_chunk_of_a_record_that_was_cut_is_read_as_it_was_written(tmp_path: Path) -> None:
    kinds = ["", "GM[1]", "GM[2]SZ[8]", "GM[99]", "AP[x]"]
    record = tmp_path / "games.sgf"
    record.write_text("\n".join(f"(;FF[{4 - n % 2}]{kinds[n % 5]};C[{n}])" for n in range(50)))
    found = [*partitions(find_sources([record]), 100)]
    assert len(found) > 5
    for partition in found:
        chunk = Chunk.of(read_partition(partition))
        chunks.write_chunk(tmp_path, "0", chunk)
        assert chunks.read_chunk(tmp_path, "0") == chunk


def test_one_batch_of_a_chunk_is_decoded_at_a_time() -> None:
    batches = positions(0, 20000).to_batches(max_chunksize=500)
    chunk = Chunk.of(PartitionRows(0, {"positions": batches}, ()))
    before = pa.total_allocated_bytes()
    peaks = [pa.total_allocated_bytes() - before for _ in chunk.read().tables["positions"]]

    assert len(peaks) == len(batches)
    assert max(peaks) < sum(batch.nbytes for batch in batches) / 8


def test_a_chunk_is_read_as_it_was_written_and_not_if_it_is_damaged(tmp_path: Path) -> None:
    batches = positions(3, 90).to_batches(max_chunksize=20)
    place = Span(1, 2)
    at = LineColumn(1, 2), LineColumn(1, 3)
    kind = FirstOfKind(Format.FF4, (1, "Go"), 3, place, at)
    summary = Summary(1, Beside.AFTER, (kind,), None, 2)
    numbers = SliceRows("a\udce9", "", {"positions": 87}, 1, 2, 1, None, summary)
    rows = PartitionRows(3, {"positions": batches}, (numbers,))
    key = chunks.key_of(["a\udce9", 1])
    chunks.write_chunk(tmp_path, key, Chunk.of(rows))

    chunk = chunks.read_chunk(tmp_path, key)

    assert chunk is not None
    read = chunk.read()
    assert {name: [*found] for name, found in read.tables.items()} == rows.tables
    assert read._replace(tables=rows.tables) == rows
    assert chunks.chunk_keys(tmp_path) == {key}
    assert chunks.read_chunk(tmp_path, "0") is None
    path = tmp_path / f"{key}{chunks.SUFFIX}"
    data = path.read_bytes()
    for damaged in (b"", data[:-1], data[:40], b"\0" * len(data), data + b"\0"):
        path.write_bytes(damaged)
        assert chunks.read_chunk(tmp_path, key) is None


def test_a_chunk_cannot_name_what_is_called(tmp_path: Path) -> None:
    class Forged:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "made"),)

    rows: Any = Forged()
    chunks.write_chunk(tmp_path, "0", Chunk(rows, {}))

    assert chunks.read_chunk(tmp_path, "0") is None
    assert not (tmp_path / "made").exists()


# ---- the lock ----


def test_one_build_locks_a_folder_and_its_children_do_not(tmp_path: Path) -> None:
    with files.locked(tmp_path):
        (begin, go_on), (started, starts) = os.pipe(), os.pipe()
        child = os.fork()
        if not child:
            os.close(go_on)
            os.write(starts, b"1")
            os.read(begin, 1)
            os._exit(0)
        os.read(started, 1)
        with pytest.raises(ArchiveError, match="another process"), files.locked(tmp_path):
            pass

    with files.locked(tmp_path):  # the child lives
        os.close(go_on)
    os.waitpid(child, 0)
    for descriptor in (begin, started, starts):
        os.close(descriptor)

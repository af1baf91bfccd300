"""The folder of an archive: its manifest, groups of sources, and parts."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from sgf_lark.archive import store
from sgf_lark.archive.run import EncodedRows
from sgf_lark.archive.sources import Failure, Source
from sgf_lark.archive.store import (
    MANIFEST,
    WORK,
    Manifest,
    PartRange,
    PartWriter,
    StoredPart,
    arrange,
    group_sources,
)
from sgf_lark.files.members import ArchiveError
from sgf_lark.report.tables import SCHEMA_VERSION, arrow_schema, record_batch

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


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
    return record_batch("positions", columns)


def source(path: str, size: int = 100, modified: int | None = 5, kind: str = "file") -> Source:
    return Source(path, kind, size, modified, path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / WORK).mkdir()
    return tmp_path


# ---- the manifest ----


def test_a_manifest_is_read_as_it_was_written(folder: Path) -> None:
    part = StoredPart("0" * 32, (("1" * 32, {"games": 2}), ("2" * 32, {"games": 3})), {"games": 9})
    written = Manifest(
        SCHEMA_VERSION, "1", {"positions": True}, "/x", ("a", "b\udce9"), ("games",), (part,)
    )

    store.write_manifest(folder, written)

    assert store.read_manifest(folder) == store.require_manifest(folder) == written
    assert written.rows("games") == 5
    assert list(os.scandir(folder / WORK)) == []


@pytest.mark.parametrize(
    ("name", "table"), [("../../x", "games"), ("/etc/passwd", "games"), ("0" * 32, "../games")]
)
def test_a_manifest_cannot_name_files_elsewhere(folder: Path, name: str, table: str) -> None:
    store.write_manifest(folder, Manifest(SCHEMA_VERSION, "1"))
    facts = json.loads((folder / MANIFEST).read_bytes())
    facts["parts"] = [[name, [[name, {table: 1}]], {table: 1}]]
    (folder / MANIFEST).write_text(json.dumps(facts))

    with pytest.raises(ArchiveError, match="damaged"):
        store.read_manifest(folder)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": 1, "tables": []}', "[" * 10**5])
def test_a_damaged_manifest_is_an_error_in_words(folder: Path, text: str) -> None:
    (folder / MANIFEST).write_text(text)

    with pytest.raises(ArchiveError, match="damaged"):
        store.read_manifest(folder)


def test_only_the_folder_of_a_complete_archive_of_this_version_is_read(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="no folder of sgf-lark archive build"):
        store.require_manifest(tmp_path)
    (tmp_path / WORK).mkdir()
    with pytest.raises(ArchiveError, match="not complete"):
        store.require_manifest(tmp_path)
    store.write_manifest(tmp_path, Manifest(SCHEMA_VERSION + 1, "2"))
    with pytest.raises(ArchiveError, match=f"version {SCHEMA_VERSION + 1}"):
        store.require_manifest(tmp_path)


# ---- groups ----


def test_one_new_source_changes_one_group() -> None:
    paths = [f"games/{number:05}.sgf" for number in range(20_000)]
    before = list(group_sources(map(source, paths), 0))
    after = list(group_sources(map(source, sorted([*paths, "games/12345b.sgf"])), 0))

    assert [one.path for group in before for one in group.sources] == paths
    assert 100 < len(before) < 250
    assert len({group.key for group in after} - {group.key for group in before}) == 1


def test_groups_have_limits_and_large_files_and_archives_are_alone() -> None:
    sizes = {"b": 3 << 20, "c": 3 << 20, "d": 9 << 20, "f.zip": 10}
    groups = group_sources(
        [source(path, sizes.get(path, 1)) for path in [*"abcde", "f.zip", "g"]], 0
    )

    assert ["".join(one.path for one in group.sources) for group in groups] == [
        *("ab", "c", "d", "e", "f.zip", "g")
    ]
    many = [source(f"{number:05}", 1) for number in range(3_000)]
    assert max(len(group.sources) for group in group_sources(many, 0)) <= 1024


def test_the_key_of_a_group_depends_on_all_that_its_rows_depend_on() -> None:
    def key(one: Source, facts: object = 0) -> str:
        (group,) = group_sources([one], facts)
        return group.key

    faulty = Source("a", "file", 0, None, "a", Failure("missing-file", "gone"))
    known = [
        *(key(source("a")), key(source("b")), key(source("a", 101)), key(source("a", 100, 6))),
        *(key(source("a"), 1), key(faulty), key(faulty._replace(fault=Failure("x", "y")))),
    ]

    assert len(set(known)) == len(known)
    assert key(source("a")) == known[0]
    assert key(faulty) == known[5]
    without_time = source("a", modified=None)
    assert key(without_time) != key(without_time)


# ---- parts ----


def read(folder: Path, parts: list[StoredPart]) -> list[int]:
    """The numbers of the rows of parts."""
    tables = [pq.read_table(folder / part.file("positions")) for part in parts]
    return [number for table in tables for number in table["game_id"].to_pylist()]


def test_parts_are_kept_copied_and_compacted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "DEFAULT_GROUP_ROWS", 16)
    places = [
        PartRange(StoredPart(name, ((name, {"positions": 40}),), sizes), 0, 1)
        for name, sizes in _written(folder, 10)
    ]

    assert arrange(folder, places) == [place.part for place in places]
    monkeypatch.setattr(store, "MAX_PARTS", 4)
    compacted = arrange(folder, places)
    assert len(compacted) <= 4
    assert read(folder, compacted) == list(range(400))
    assert [key for part in compacted for key, _ in part.groups] == [
        place.part.name for place in places
    ]
    first = compacted[0]
    schema = pq.read_schema(folder / first.file("positions"))
    assert schema.equals(arrow_schema("positions"), check_metadata=True)
    # the second group of a part goes, the others stay
    left = [PartRange(first, at, at + 1) for at in range(len(first.groups)) if at != 1]
    assert read(folder, arrange(folder, left)) == [
        number for number in range(40 * len(first.groups)) if not 40 <= number < 80
    ]


def _written(folder: Path, count: int) -> list[tuple[str, Any]]:
    found = []
    for number in range(count):
        writer = PartWriter(folder)
        batch = positions(40 * number, 40 * number + 40)
        writer.add("positions", [batch.slice(0, 7), batch.slice(7)])
        part = writer.finish(f"{number:032x}")
        found.append((part.name, part.bytes))
    return found


def test_a_part_that_cannot_be_written_leaves_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fsync(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fsync)
    writer = PartWriter(folder)
    writer.add("positions", [positions(0, 10)])

    with pytest.raises(OSError, match="No space left on device"):
        writer.finish("0" * 32)
    writer.discard()

    assert [path for path in folder.rglob("*") if path.is_file()] == []


def test_one_batch_of_encoded_rows_is_decoded_at_a_time() -> None:
    batches = [positions(start, start + 500) for start in range(0, 20_000, 500)]
    encoded = EncodedRows("positions", batches)
    before = pa.total_allocated_bytes()
    peaks = [pa.total_allocated_bytes() - before for _ in encoded]

    assert list(encoded) == batches
    assert max(peaks) < sum(batch.nbytes for batch in batches) / 8


# ---- the lock ----


def test_one_build_locks_a_folder_and_its_children_do_not(tmp_path: Path) -> None:
    with store.locked(tmp_path):
        (begin, go_on), (started, starts) = os.pipe(), os.pipe()
        child = os.fork()
        if not child:
            os.close(go_on)
            os.write(starts, b"1")
            os.read(begin, 1)
            os._exit(0)
        os.read(started, 1)
        with pytest.raises(ArchiveError, match="another process"), store.locked(tmp_path):
            pass

    with store.locked(tmp_path):  # the child lives
        os.close(go_on)
    os.waitpid(child, 0)
    for descriptor in (begin, started, starts):
        os.close(descriptor)

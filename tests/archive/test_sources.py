"""Sources of an archive: what is read of folders, archives and addresses, and what is reported."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import pickle
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from sgf_lark.archive.batches import read_partition
from sgf_lark.archive.partitions import PARTITION_BYTES, partitions
from sgf_lark.archive.sources import Source, find_sources

pytestmark = pytest.mark.elsewhere

GAME = "(;FF[4]GM[1]SZ[19]PB[{}];B[aa])"


def game(name: str) -> bytes:
    return GAME.format(name).encode()


def rows(*arguments: str | Path, size: int = PARTITION_BYTES) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of the tables games and findings."""
    tables: dict[str, list[dict[str, Any]]] = {"games": [], "findings": []}
    for part in partitions(find_sources(arguments), size):
        read = read_partition(pickle.loads(pickle.dumps(part)), ("games", "findings"))
        for name, batches in read.tables.items():
            tables[name] += [row for batch in batches for row in batch.to_pylist()]
    return tables


def names(*arguments: str | Path) -> list[tuple[str, str, str]]:
    """Return source, member and black player of each game."""
    return [(row["source"], row["member"], row["black"]) for row in rows(*arguments)["games"]]


def faults(*arguments: str | Path) -> list[tuple[str, str, str]]:
    """Return source, member and code of what cannot be read."""
    found = rows(*arguments)["findings"]
    return [
        (row["source"], row["member"], row["code"]) for row in found if row["code"].startswith("F")
    ]


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(path: str, data: bytes) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(data)


def tar_of(members: dict[str, bytes], mode: str = "w", **options: Any) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode, **options) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def zip_of(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


# ---- what is found ----


def test_sources_are_in_the_order_of_their_paths() -> None:
    for name in ("g/b.sgf", "g/a/z.sgf", "g/a.sgf", "g/a-b/c.sgf", "g/B.SGF", "other.sgf"):
        write(name, game("x"))
    write("g/readme.txt", b"no game")

    found = [source.path for source in find_sources(["other.sgf", "./g/", "g/a", "g/*.sgf"])]

    assert found == [
        *("g/B.SGF", "g/a-b/c.sgf", "g/a.sgf", "g/a/z.sgf", "g/b.sgf", "other.sgf"),
    ]


def test_gitignore_does_not_matter() -> None:
    write("g/.git/config", b"")
    write("g/.gitignore", b"*.sgf\n")
    write("g/a.sgf", game("a"))

    assert names("g") == [("g/a.sgf", "", "a")]


def test_a_source_knows_size_and_time() -> None:
    write("a.sgf", game("a"))
    os.utime("a.sgf", ns=(0, 12345))

    (source,) = find_sources(["a.sgf"])

    assert source == Source("a.sgf", "file", len(game("a")), 12345, os.path.abspath("a.sgf"))  # noqa: PTH100
    assert not source.changed()
    write("a.sgf", game("ab"))
    assert source.changed()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.sgf.gz", gzip.compress(game("a"), mtime=0)),
        ("a.sgf.bz2", bz2.compress(game("a"))),
        ("a.sgf.xz", lzma.compress(game("a"))),
        ("a.sgfs", game("a")),
        ("a.mgt", game("a")),
    ],
)
def test_a_compressed_file_is_one_record(name: str, data: bytes) -> None:
    write(f"g/{name}", data)

    assert names("g") == [(f"g/{name}", "", "a")]


@pytest.mark.parametrize("suffix", ["zip", "tar", "tar.gz", "tgz", "tar.bz2", "tar.xz"])
def test_the_records_of_archives_are_in_their_order(suffix: str) -> None:
    members = {"b.sgf": game("b"), "x/a.sgf": game("a"), "readme.txt": b"", "c.sgf": b"oops"}
    mode = {"tgz": "w:gz"}.get(suffix, "w:" + suffix.rpartition(".")[2]).replace("w:tar", "w")
    write(f"g/a.{suffix}", zip_of(members) if suffix == "zip" else tar_of(members, mode))
    write("g/z.sgf", game("z"))

    path = f"g/a.{suffix}"
    found = names("g")
    assert found == [(path, "b.sgf", "b"), (path, "x/a.sgf", "a"), ("g/z.sgf", "", "z")]
    assert [row["member"] for row in rows("g")["findings"] if row["severity"] == "error"] == [
        "c.sgf"
    ]


# ---- what is reported ----


def test_what_is_no_file_is_reported_and_not_followed() -> None:
    write("outside/a.sgf", game("a"))
    write("g/b.sgf", game("b"))
    Path("g/link.sgf").symlink_to("../outside/a.sgf")
    Path("g/folder").symlink_to("../outside")
    Path("g/broken.sgf").symlink_to("nothing")
    os.mkfifo("g/pipe.sgf")
    Path("g/zero.sgf").symlink_to("/dev/zero")

    assert names("g") == [("g/b.sgf", "", "b")]
    assert faults("g") == [
        (f"g/{name}", "", "F001")
        for name in ("broken.sgf", "folder", "link.sgf", "pipe.sgf", "zero.sgf")
    ]


def test_what_is_not_there_is_reported() -> None:
    Path("empty").mkdir()
    write("a.zip", zip_of({"readme.txt": b""}))

    assert faults("missing.sgf", "x*.sgf", "empty", "a.zip", "/dev/zero") == [
        *[("/dev/zero", "", "F001"), ("a.zip", "", "F003"), ("empty", "", "F003")],
        *[("missing.sgf", "", "F002"), ("x*.sgf", "", "F002")],
    ]


def test_a_file_that_vanishes_is_reported() -> None:
    write("a.sgf", game("a"))
    write("b.sgf", game("b"))
    (part,) = partitions(find_sources(["a.sgf", "b.sgf"]))
    Path("a.sgf").unlink()

    tables = read_partition(part).tables
    (games,), (findings,) = tables["games"], tables["findings"]

    assert [row["black"] for row in games.to_pylist()] == ["b"]
    assert [row["code"] for row in findings.to_pylist() if row["game"] is None] == ["F002"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_what_may_not_be_read_is_reported() -> None:
    write("g/a.sgf", game("a"))
    write("g/b/c.sgf", game("c"))
    Path("g/a.sgf").chmod(0)
    Path("g/b").chmod(0)

    assert faults("g") == [("g/a.sgf", "", "F001"), ("g/b/", "", "F001")]


def test_names_that_lead_upwards_stay_in_the_archive() -> None:
    members = {"../../etc/a.sgf": game("a"), "/b.sgf": game("b"), "c\\d.sgf": game("c")}
    write("t.tar", tar_of(members))
    write("z.zip", zip_of(members))

    for path in ("t.tar", "z.zip"):
        assert names(path) == [
            (path, "etc/a.sgf", "a"),
            (path, "b.sgf", "b"),
            (path, "c/d.sgf", "c"),
        ]


def test_links_and_devices_in_an_archive_are_reported() -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for number, kind in enumerate((tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE)):
            info = tarfile.TarInfo(f"{number}.sgf")
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
    write("t.tar", out.getvalue())

    assert faults("t.tar") == [("t.tar", f"{number}.sgf", "F001") for number in range(3)]


def test_encrypted_and_broken_members_do_not_stop_the_others() -> None:
    data = bytearray(zip_of({"a.sgf": game("a"), "b.sgf": game("b"), "c.sgf": game("c") * 9}))
    first, second = data.find(b"PK\x01\x02"), data.find(b"PK\x01\x02", data.find(b"PK\x01\x02") + 1)
    data[first + 8] |= 1  # encrypted
    data[data.find(b"b.sgf") + 8] ^= 0xFF
    assert second > first
    write("z.zip", bytes(data))

    assert [one[:2] for one in names("z.zip")] == [("z.zip", "c.sgf")] * 9
    assert faults("z.zip") == [("z.zip", "a.sgf", "F001"), ("z.zip", "b.sgf", "F001")]


@pytest.mark.parametrize("suffix", ["zip", "tar.bz2"])
def test_other_files_in_an_archive_are_counted_in_an_info(suffix: str) -> None:
    members = {"b/readme.txt": b"x", "a.sgf": game("a"), "c.zip": zip_of({"d.sgf": game("d")})}
    write(f"a.{suffix}", zip_of(members) if suffix == "zip" else tar_of(members, "w:bz2"))

    found = rows(f"a.{suffix}")
    (info,) = (row for row in found["findings"] if row["code"] == "F007")
    assert (info["severity"], info["source"]) == ("info", f"a.{suffix}")
    assert info["message"] == "2 files in it not read, the first one is b/readme.txt"
    assert len(found["games"]) == 1


@pytest.mark.parametrize("name", ["b.sgf.gz", "b.tar.bz2", "b.zip"])
def test_a_bomb_is_reported(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sgf_lark.files.archives.MIN_UNPACKED_BYTES", 1 << 16)
    zeros = game("a") + bytes(1 << 22)
    data = {
        "b.sgf.gz": lambda: gzip.compress(zeros),
        "b.tar.bz2": lambda: tar_of({"a.sgf": zeros}, "w:bz2"),
        "b.zip": lambda: zip_of({"a.sgf": zeros}),
    }[name]()
    write(f"g/{name}", data)
    write("g/c.sgf", game("c"))

    assert names("g") == [("g/c.sgf", "", "c")]
    assert {(source, code) for source, _, code in faults("g")} == {(f"g/{name}", "F001")}


def test_an_archive_that_is_cut_off_keeps_what_was_read() -> None:
    members = {f"{number}.sgf": game("x" * 500) for number in range(30)}
    data = tar_of(members)
    write("t.tar", data[: len(data) // 2])

    assert len(names("t.tar")) > 5
    assert ("t.tar", "", "F001") in faults("t.tar") or len(faults("t.tar")) == 1


# ---- names in odd encodings ----


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are Unicode there")
def test_a_name_that_is_no_unicode_is_escaped() -> None:
    write(os.fsdecode(b"g/\x8a\x8e.sgf"), game("a"))
    write("g/棋.sgf", game("b"))

    assert names("g") == [("g/\\udc8a\\udc8e.sgf", "", "a"), ("g/棋.sgf", "", "b")]


def test_a_member_that_is_no_unicode_is_escaped_in_a_tar() -> None:
    write("t.tar", tar_of({"\udc8a\udc8e.sgf": game("a")}, errors="surrogateescape"))

    assert names("t.tar") == [("t.tar", "\\udc8a\\udc8e.sgf", "a")]


def zip_with_names(names: list[bytes]) -> bytes:
    """Return a zip archive whose names are bytes in a charset that it does not declare."""
    stand_ins = [(b"N%03d" % at).ljust(len(name), b"x") for at, name in enumerate(names)]
    data = zip_of({stand_in.decode(): game("a") for stand_in in stand_ins})
    for name, stand_in in zip(names, stand_ins, strict=True):
        data = data.replace(stand_in, name)
    return data


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        *[("cp932", "坂田栄男.sgf"), ("gb18030", "陈祖德.sgf"), ("big5", "李昌鎬.sgf")],
        *[("cp949", "이창호.sgf"), ("utf-8", "坂田.sgf"), ("cp437", "für Jörg.sgf")],
    ],
)
def test_names_in_a_zip_are_decoded_by_the_charset_of_all(encoding: str, name: str) -> None:
    write("z.zip", zip_with_names([name.encode(encoding), b"plain name.sgf"]))

    assert names("z.zip") == [("z.zip", name, "a"), ("z.zip", "plain name.sgf", "a")]


# ---- addresses ----


@pytest.fixture
def bucket() -> Any:
    """Return a file system in memory."""
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    system.store.clear()
    for path, data in {
        "/g/b.sgf": game("b"),
        "/g/sub/a.sgf.gz": gzip.compress(game("a")),
        "/g/sub/t.tar.bz2": tar_of({"m.sgf": game("m")}, "w:bz2"),
        "/g/z.zip": zip_of({"z.sgf": game("z")}),
        "/g/readme.txt": b"",
    }.items():
        system.pipe(path, data)
    return system


@pytest.mark.usefixtures("bucket")
def test_files_with_addresses_are_read() -> None:
    root = "memory:///g/"
    folder = [
        (f"{root}b.sgf", "", "b"),
        (f"{root}sub/a.sgf.gz", "", "a"),
        (f"{root}sub/t.tar.bz2", "m.sgf", "m"),
        (f"{root}z.zip", "z.sgf", "z"),
    ]
    assert names("memory://g") == names("memory://g/") == folder
    assert names(f"{root}*.sgf") == folder[:1]
    assert names(f"{root}z.zip", f"{root}b.sgf") == [folder[0], folder[3]]
    (source,) = find_sources([f"{root}b.sgf"])
    assert (source.kind, source.size) == ("remote", len(game("b")))


def test_a_large_file_with_an_address_is_cut(bucket: Any) -> None:
    bucket.pipe("/g/large.sgfs", b"\n".join(game(f"n{number}") for number in range(99)))

    parts = list(partitions(find_sources(["memory://g/large.sgfs"]), 200))

    assert len(parts) > 5
    assert len(rows("memory://g/large.sgfs", size=200)["games"]) == 99


@pytest.mark.usefixtures("bucket")
def test_addresses_without_records_are_reported() -> None:
    assert faults("memory://nothing.sgf", "memory://g/*.txt") == [
        ("memory://g/*.txt", "", "F003"),
        ("memory://nothing.sgf", "", "F002"),
    ]


def test_without_fsspec_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)

    with pytest.raises(ImportError, match=r"pip install .sgf_lark\[remote\]"):
        list(find_sources(["s3://bucket/a.sgf"]))


@pytest.mark.night
def test_files_in_a_bucket_of_s3_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    s3fs = pytest.importorskip("s3fs")
    pytest.importorskip("flask")  # of the server
    server = pytest.importorskip("moto.server").ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    try:
        host, port = server.get_host_and_port()
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "nobody")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "nothing")
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        system = s3fs.S3FileSystem()
        system.mkdir("games")
        system.pipe("games/a/b.sgf", game("b"))
        system.pipe("games/z.zip", zip_of({"z.sgf": game("z")}))

        found = [("s3://games/a/b.sgf", "", "b"), ("s3://games/z.zip", "z.sgf", "z")]
        assert names("s3://games/") == found
        assert names("s3://games/a/*.sgf") == found[:1]
        assert faults("s3://games/none.sgf") == [("s3://games/none.sgf", "", "F002")]
    finally:
        server.stop()


def test_a_partition_is_read_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("in/a.sgf", game("A"))
    Path("link").symlink_to("in")
    parts = list(partitions(find_sources(["in", "link/../in/a.sgf"])))
    here = [read_partition(part) for part in parts]
    monkeypatch.chdir(tmp_path.parent)

    assert [read_partition(part) for part in parts] == here
    assert [one.games for rows in here for one in rows.slices] == [1, 1]

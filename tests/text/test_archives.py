"""Records in archives and compressed files: what is read of them, and what they may cost."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import struct
import tarfile
import tracemalloc
import warnings
import zipfile
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.lanes import one_in

from sgf_lark.files import archives
from sgf_lark.files.archives import ArchiveReader, open_record, read_record
from sgf_lark.files.members import ArchiveError, is_archive

RECORD = b"(;FF[4]GM[1]SZ[19];B[pd])"

#: What makes an archive of names and contents, by its suffix.
KINDS = ("zip", "tar", "tar.gz", "tgz", "tar.bz2", "tar.xz")

#: What compresses one file, by its suffix.
COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
}


def pack(kind: str, contents: Iterable[tuple[str, bytes]]) -> bytes:
    """Return an archive."""
    file = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that a name comes twice
            for name, content in contents:
                archive.writestr(name, content)
        return file.getvalue()
    mode: Any = "w:" + {"tar": "", "tgz": "gz"}.get(kind, kind.removeprefix("tar."))
    with tarfile.open(fileobj=file, mode=mode) as archive:
        for name, content in contents:
            add(archive, name, content)
    return file.getvalue()


def add(archive: tarfile.TarFile, name: str, content: bytes = b"", **fields: Any) -> None:
    """Add a file to a tar archive."""
    info = tarfile.TarInfo(name)
    info.size = len(content)
    for field, value in fields.items():
        setattr(info, field, value)
    archive.addfile(info, io.BytesIO(content))


def written(folder: Path, name: str, content: bytes | bytearray) -> str:
    """Write a file; return its path."""
    (folder / name).write_bytes(content)
    return str(folder / name)


def names(path: str) -> list[str]:
    """Return the names of the records in an archive."""
    with closing(ArchiveReader(path)) as archive:
        return [member.path.removeprefix(f"{path}/") for member in archive.members()]


@pytest.mark.parametrize("kind", KINDS)
def test_each_record_of_an_archive_has_a_path(kind: str, tmp_path: Path) -> None:
    contents = [("b.sgf", RECORD), ("2001/A.SGF", b"x" * 70_000), ("note.txt", b"")]
    path = written(tmp_path, f"games.{kind}", pack(kind, contents))

    assert names(path) == ["b.sgf", "2001/A.SGF"]
    assert read_record(f"{path}/b.sgf") == RECORD
    assert read_record(Path(path) / "2001" / "A.SGF") == b"x" * 70_000
    with open_record(f"{path}/2001/A.SGF") as file:
        assert file.read(3) == b"xxx"


@pytest.mark.parametrize("suffix", COMPRESSORS)
def test_a_compressed_file_is_one_record(suffix: str, tmp_path: Path) -> None:
    twice = COMPRESSORS[suffix](RECORD) + COMPRESSORS[suffix](b"x" * 70_000)
    path = written(tmp_path, f"a.SGF.{suffix}", twice)

    assert read_record(path) == RECORD + b"x" * 70_000
    assert archives.is_record(path)
    assert not is_archive(path)


def test_an_archive_itself_is_its_only_record(tmp_path: Path) -> None:
    one = written(tmp_path, "one.zip", pack("zip", [("a.sgf", RECORD), ("readme", b"")]))
    two = written(tmp_path, "two.tar", pack("tar", [("a.sgf", RECORD), ("b.sgf", b"")]))
    none = written(tmp_path, "none.tgz", pack("tgz", [("readme", b"")]))

    assert read_record(one) == RECORD
    with pytest.raises(ArchiveError, match=r"has 2 records: name one \(.*two.tar/a.sgf\)"):
        read_record(two)
    with pytest.raises(ArchiveError, match=r"no files that end in \.sgf"):
        read_record(none)


def test_a_record_that_an_archive_does_not_have_is_a_missing_file(tmp_path: Path) -> None:
    path = written(tmp_path, "a.zip", pack("zip", [("a.sgf", RECORD)]))
    for missing in (f"{path}/b.sgf", f"{path}/a.sgf/a.sgf", f"{tmp_path}/b.zip/a.sgf"):
        with pytest.raises(FileNotFoundError):
            read_record(missing)


def test_a_folder_may_be_named_like_an_archive(tmp_path: Path) -> None:
    (tmp_path / "a.zip").mkdir()
    path = written(tmp_path / "a.zip", "a.sgf", RECORD)
    assert read_record(path) == RECORD
    assert archives.split_member(path) is None
    with pytest.raises(OSError, match=r"directory|denied"):
        read_record(tmp_path / "a.zip")


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_a_name_leads_nowhere_but_into_its_archive(kind: str, tmp_path: Path) -> None:
    strange = ["/etc/a.sgf", "../../b.sgf", "x/./..//c.sgf", "y\\..\\d.sgf"]
    path = written(tmp_path, f"a.{kind}", pack(kind, [(name, RECORD) for name in strange]))
    assert names(path) == ["etc/a.sgf", "b.sgf", "x/c.sgf", "y/d.sgf"]
    assert read_record(f"{path}/../../b.sgf") == RECORD


def test_names_that_are_not_utf8_are_kept_apart(tmp_path: Path) -> None:
    data = pack("zip", [("????.sgf", RECORD), ("!!!!.sgf", b"")])
    data = data.replace(b"????", "青木".encode("gbk")).replace(b"!!!!", "äö".encode())
    first, second = names(written(tmp_path, "a.zip", data))
    assert (first, second) == ("\u255f\u03b1\u2500\u255b.sgf", "äö.sgf")
    assert read_record(f"{tmp_path}/a.zip/{first}") == RECORD


def test_of_two_records_with_one_name_the_first_is_read(tmp_path: Path) -> None:
    for kind in KINDS:
        path = written(tmp_path, f"a.{kind}", pack(kind, [("a.sgf", RECORD), ("./a.sgf", b"x")]))
        with closing(ArchiveReader(path)) as archive:
            first, second = archive.members()
        assert first.path == second.path
        assert read_record(first.path) == RECORD
        assert "another record of this name" in second.fault
        with pytest.raises(ArchiveError, match="of this name"):
            second.read()


def test_archives_in_archives_and_what_macos_packs_are_no_records(tmp_path: Path) -> None:
    inner = pack("zip", [("a.sgf", RECORD)])
    others = [("b.zip", inner), ("b.sgf.gz", gzip.compress(RECORD)), ("__MACOSX/._c.sgf", b"")]
    path = written(tmp_path, "a.zip", pack("zip", [*others, ("c.sgf", RECORD)]))
    assert names(path) == ["c.sgf"]
    with pytest.raises(FileNotFoundError):
        read_record(f"{path}/b.zip/a.sgf")


def test_links_devices_and_files_with_holes_are_not_read(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        add(archive, "a.sgf", type=tarfile.SYMTYPE, linkname="/etc/passwd")
        add(archive, "b.sgf", type=tarfile.LNKTYPE, linkname="a.sgf")
        add(archive, "c.sgf", type=tarfile.CHRTYPE)
        add(archive, "d.sgf", pax_headers={"GNU.sparse.map": "0,0", "GNU.sparse.size": "9" * 12})
    link = zipfile.ZipInfo("a.sgf")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        packed.writestr(link, "/etc/passwd")

    for path in (f"{tmp_path}/a.tar", f"{tmp_path}/a.zip"):
        with closing(ArchiveReader(path)) as opened:
            for member in opened.members():
                with pytest.raises(ArchiveError, match="a link, a device or a file with holes"):
                    member.read()


def test_what_a_zip_needs_a_password_or_another_method_for_is_not_read(tmp_path: Path) -> None:
    data = bytearray(pack("zip", [("a.sgf", RECORD)]))
    central = data.index(b"PK\1\2")
    data[central + 8] |= 1
    encrypted = written(tmp_path, "a.zip", data)
    with pytest.raises(ArchiveError, match="encrypted"):
        read_record(f"{encrypted}/a.sgf")
    with zipfile.ZipFile(tmp_path / "b.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.sgf", RECORD)
    with pytest.raises(ArchiveError, match="not compressed by deflate"):
        read_record(tmp_path / "b.zip")


def test_of_a_zip_with_a_wrong_size_only_what_has_the_right_checksum_is_read(
    tmp_path: Path,
) -> None:
    for change in (-20, 20):
        data = bytearray(pack("zip", [("a.sgf", RECORD * 9)]))
        for at in (data.index(b"PK\3\4") + 22, data.index(b"PK\1\2") + 24):
            struct.pack_into("<I", data, at, len(RECORD * 9) + change)
        path = written(tmp_path, "a.zip", data)
        if change > 0:
            assert read_record(path) == RECORD * 9
            continue
        with pytest.raises(ArchiveError, match="CRC"):
            read_record(path)


@pytest.mark.parametrize("kind", [*KINDS, *COMPRESSORS])
def test_an_archive_that_is_cut_off_is_told_from_one_that_ends(kind: str, tmp_path: Path) -> None:
    noise = random.Random(1).randbytes(5000)  # noqa: S311  # the same every time
    data = COMPRESSORS[kind](noise) if kind in COMPRESSORS else pack(kind, [("a.sgf", noise)])
    for size in (0, 3, 700, 4000):
        with pytest.raises(ArchiveError, match=r"cut off|cannot be unpacked"):
            read_record(written(tmp_path, f"a.{kind}", data[:size]))


def test_a_broken_header_is_no_end_of_a_tar(tmp_path: Path) -> None:
    data = bytearray(pack("tar", [("a.sgf", RECORD), ("b.sgf", RECORD)]))
    data[1024] ^= 1
    with closing(ArchiveReader(written(tmp_path, "a.tar", data))) as archive:
        members = archive.members()
        assert next(members).path.endswith("a.sgf")
        with pytest.raises(ArchiveError, match="bad checksum"):
            next(members)


# ---- bombs ----


@pytest.fixture
def _few_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits a thousand times lower."""
    monkeypatch.setattr(archives, "MIN_UNPACKED_BYTES", 1 << 15)
    monkeypatch.setattr(archives, "MAX_RECORD_BYTES", 1 << 17)


ZEROS = bytes(10_000_000)


@pytest.mark.usefixtures("_few_bytes")
@pytest.mark.parametrize("kind", one_in(3, [*KINDS, *COMPRESSORS]))
def test_a_bomb_goes_off_before_it_is_large(kind: str, tmp_path: Path) -> None:
    data = COMPRESSORS[kind](ZEROS) if kind in COMPRESSORS else pack(kind, [("a.sgf", ZEROS)])
    path = written(tmp_path, f"a.{kind}", data)
    tracemalloc.start()
    try:
        with pytest.raises(ArchiveError, match=r"more than 100 times its size|more than 0 MiB"):
            read_record(path)
        table = 1 << 23 if kind.endswith("xz") else 0  # of the format itself
        assert tracemalloc.get_traced_memory()[1] - table < 2_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.usefixtures("_few_bytes")
def test_the_limit_is_one_for_all_records_of_an_archive(tmp_path: Path) -> None:
    contents = [(f"{number}.sgf", ZEROS[:100_000]) for number in range(40)]
    for kind in ("zip", "tar.xz"):
        path = written(tmp_path, f"a.{kind}", pack(kind, contents))
        with closing(ArchiveReader(path)) as archive:
            contents_read = (member.read() for member in archive.members())
            with pytest.raises(ArchiveError, match="more than 100 times its size"):
                deque(contents_read, 0)


@pytest.mark.usefixtures("_few_bytes")
def test_what_lies_before_a_record_is_not_unpacked_without_end(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tgz", pack("tgz", [("big", ZEROS), ("a.sgf", RECORD)]))
    with pytest.raises(ArchiveError, match="more than 100 times its size"):
        read_record(f"{path}/a.sgf")


def test_a_name_without_end_is_not_read(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tar", pack("tar", [(f"{'x' * 100_000}.sgf", RECORD)]))
    with pytest.raises(ArchiveError, match="a name in it is too long"):
        names(path)


def test_headers_without_end_are_not_read(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        for _ in range(5000):
            add(archive, "x", b"30 comment=abcdefghijklmnopqr\n", type=tarfile.XHDTYPE)
    with pytest.raises(ArchiveError, match="a name in it is too long"):
        names(f"{tmp_path}/a.tar")


def test_more_memory_than_xz_needs_is_not_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MAX_XZ_MEMORY", 1 << 20)
    with pytest.raises(ArchiveError, match=r"[Mm]emory"):
        read_record(written(tmp_path, "a.xz", lzma.compress(RECORD)))


def test_records_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_RECORDS", 3)
    contents = [(f"{number}.sgf", RECORD) for number in range(5)]
    path = written(tmp_path, "a.zip", pack("zip", contents))
    with pytest.raises(ArchiveError, match="more than 3 records"):
        names(path)


@pytest.mark.parametrize("kind", [*KINDS, *COMPRESSORS])
def test_no_damage_raises_anything_but_an_error_of_the_file(kind: str, tmp_path: Path) -> None:
    chance = random.Random(kind)  # noqa: S311  # the same damage every time
    contents = [(f"{number}.sgf", RECORD * number) for number in range(4)]
    whole = COMPRESSORS[kind](RECORD) if kind in COMPRESSORS else pack(kind, contents)
    for _ in range(40):
        data = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        path = written(tmp_path, f"a.{kind}", data[: chance.randint(len(data) // 2, 2 * len(data))])
        try:
            for one in [path] if kind in COMPRESSORS else names(path):
                read_record(one if kind in COMPRESSORS else f"{path}/{one}")
        except OSError:
            pass

"""Records in compressed files and archives: ``game.sgf.gz``, ``games.zip/2001/a.sgf``.

An archive is read forward, in blocks, and is never unpacked to a disk.  Archives in archives are
not opened.
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import islice
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeAlias

from sgf_lark.core import Evidence, fits, guess
from sgf_lark.files.members import (
    COMPRESSED,
    ArchiveError,
    FilePath,
    archive_ends,
    is_archive,
    is_compressed,
)
from sgf_lark.foreign import SUFFIXES as OF_FORMATS

if TYPE_CHECKING:
    from bz2 import BZ2Decompressor
    from gzip import GzipFile
    from lzma import LZMADecompressor
    from tarfile import TarFile, TarInfo
    from zipfile import ZipInfo

#: Suffixes of game records, in lower or upper case; other files of folders and archives are
#: ignored.
SUFFIXES = (".sgf", ".sgfs", ".ggf", ".mgt", ".tsgf", ".sgf.txt", *OF_FORMATS)

#: Limit of a record that is read into memory, in bytes.
MAX_RECORD_BYTES = 1 << 27

#: Limit of the records of an archive: their names are kept, to find those that come twice.
MAX_RECORDS = 1_000_000

#: Limit of what a tar archive has between two files, in bytes: their names.
MAX_HEADER_BYTES = 1 << 13

#: Limit of all that is unpacked from a file: a multiple of its bytes, and what any file may give.
MAX_RATIO, MIN_UNPACKED_BYTES = 100, 1 << 25

#: Limit of the memory that a file in the format xz may ask for, in bytes.
MAX_XZ_MEMORY = 1 << 27

#: Bytes that are read at a time.
BLOCK = 1 << 14

#: The methods of compression that are read in a zip: none, and deflate.  Others unpack a block at
#: once, however large it is.
_STORED, _DEFLATED = 0, 8

_ENCRYPTED, _UTF8 = 0x1, 0x800  # flags of a member

#: A stream of bytes, of which only :meth:`read` is called.
Readable: TypeAlias = "IO[bytes] | GzipFile | _Blocks"

#: The name of a member, the function that opens it, and the reason why it cannot be read, or "".
_FoundMembers: TypeAlias = Iterator[tuple[str, Callable[[], Readable], str]]


class RecordBytes(io.BytesIO):
    """The bytes of a record; its name is its path."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name


# ---- paths ----


def is_record(name: str) -> bool:
    """Return whether a name ends as that of a record, compressed or not."""
    name = name.lower()
    return (name.rpartition(".")[0] if name.endswith(COMPRESSED) else name).endswith(SUFFIXES)


def split_member(path: FilePath) -> tuple[str, str] | None:
    """Return the archive of a path and the name of the member in it; None for other paths.

    A folder with such a name is no archive.
    """
    name = os.fsdecode(path)
    for at in archive_ends(name):
        with suppress(OSError, ValueError):
            if stat.S_ISREG(os.stat(name[:at]).st_mode):  # noqa: PTH116  # any path
                return name[:at], name[at + 1 :]
    return None


def _safe_name(name: str) -> str:
    """Return the name of a member without what makes a path absolute or leads upwards."""
    parts = name.replace("\\", "/").split("/")
    return "/".join(part for part in parts if part not in {"", ".", ".."})


# ---- records by path ----


def open_record(path: FilePath) -> IO[bytes]:
    """Open a record: a file, a compressed file, a record in an archive.

    Raises:
        ArchiveError: The archive cannot be read, or has several records and the path names none.
        OSError: The file cannot be read.
    """
    if is_archive(path) and not os.path.isdir(path):  # noqa: PTH112  # any path
        return _open_only(os.fspath(path))
    if is_compressed(path):
        return open_unpacked(open(path, "rb"), os.fspath(path))  # noqa: PTH123  # closed there
    try:
        return open(path, "rb", buffering=0)  # noqa: PTH123  # the caller closes it
    except (FileNotFoundError, NotADirectoryError):
        inside = split_member(path)
        if inside is None:
            raise
    archive = ArchiveReader(inside[0])
    try:
        return archive.find(inside[1]).opened(archive.close)
    except BaseException:
        archive.close()
        raise


def read_record(path: FilePath) -> bytes:
    """Return the bytes of a record; else as :func:`open_record`."""
    with open_record(path) as file:
        return (
            read_unpacked(file, os.fspath(path))
            if isinstance(file, io.BufferedReader)
            else file.read()
        )


def read_unpacked(file: IO[bytes], path: str) -> bytes:
    blocks, left = list[bytes](), MAX_RECORD_BYTES
    while block := file.read(BLOCK):
        blocks.append(block)
        left -= len(block)
        if left < 0:
            words = f"it has more than {MAX_RECORD_BYTES >> 20} MiB: unpack it first"
            raise ArchiveError(words, path)
    return b"".join(blocks)


def _open_only(path: str) -> IO[bytes]:
    with closing(ArchiveReader(path)) as archive:
        data, count, first = b"", 0, ""
        for member in archive.members():
            if not count:
                data, first = member.read(), member.path
            count += 1
    if count == 1:
        return RecordBytes(data, path)
    if not count:
        raise ArchiveError(NO_RECORDS, path)
    words = f"this archive has {count} records: name one ({first}), or use load_many for all"
    raise ArchiveError(words, path)


#: Message about a file whose last bytes are missing.
CUT_OFF = "it is cut off: its end is missing"

#: Message about an archive in which nothing is a record.
NO_RECORDS = f"this archive has no files that end in {', '.join(SUFFIXES)}"


def open_unpacked(file: IO[bytes], path: str) -> IO[bytes]:
    size = file.seek(0, os.SEEK_END)
    if not size:
        file.close()
        raise ArchiveError(CUT_OFF, path)  # gzip reads nothing of it, as if that were right
    file.seek(0)
    budget = Budget(size)
    return _reader(lambda: unpack(file, path), path, budget, file.close)


def _reader(
    opener: Callable[[], Readable], path: str, budget: Budget | None, close: Callable[[], None]
) -> IO[bytes]:
    try:
        with _faults(path):
            return io.BufferedReader(Unpacked(opener(), budget, close, path))
    except BaseException:
        close()
        raise


@contextmanager
def _faults(path: str) -> Iterator[None]:
    """Raise an ArchiveError for whatever the modules that unpack raise on broken bytes."""
    try:
        yield
    except ArchiveError:
        raise
    except EOFError:
        raise ArchiveError(CUT_OFF, path) from None
    except Exception as error:  # noqa: BLE001  # there is no list of what they raise
        raise ArchiveError(f"it cannot be unpacked: {error}", path) from None


# ---- streams that are unpacked, with a limit for what comes out of them ----


class Budget:
    """The bytes that may still be unpacked from a file."""

    def __init__(self, size: int) -> None:
        self._left = max(MIN_UNPACKED_BYTES, size * MAX_RATIO)

    def spend(self, count: int) -> None:
        """Count bytes that were unpacked (ValueError: they are too many)."""
        self._left -= count
        if self._left < 0:
            raise ValueError(f"it grows to more than {MAX_RATIO} times its size")


class Unpacked(io.RawIOBase):
    """A stream that is unpacked, read in blocks."""

    def __init__(
        self,
        file: Readable,
        budget: Budget | None,
        close: Callable[[], None],
        path: str,
    ) -> None:
        self._file = file
        self._budget = budget
        self._close = close
        self._path = path

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        with _faults(self._path):
            data = self._file.read(len(buffer))
            if self._budget is not None:
                self._budget.spend(len(data))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the stream, and what is below it."""
        if not self.closed:
            super().close()
            self._close()


class Gate:
    """The stream of a tar archive, which counts what is read of it."""

    def __init__(self, file: Readable, budget: Budget) -> None:
        self._file = file
        self._budget = budget
        self._done = 0
        self.end: int | None = None  # no block is read from here on; None for any

    def read(self, size: int) -> bytes:
        if self.end is not None and self._done >= self.end:
            raise ValueError("a name in it is too long")
        data = self._file.read(size)
        self._done += len(data)
        self._budget.spend(len(data))
        return data


def unpack(file: IO[bytes], path: str) -> Readable:
    """Return the unpacked stream of a file, by the suffix of its path."""
    suffix = path.lower().rpartition(".")[2]
    if suffix in {"gz", "tgz"}:
        import gzip

        return gzip.GzipFile(fileobj=file)
    if suffix in {"bz2", "tbz2", "tbz"}:
        import bz2

        return _Blocks(file, bz2.BZ2Decompressor)
    if suffix in {"xz", "txz"}:
        import lzma

        return _Blocks(file, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, MAX_XZ_MEMORY))
    return file


class _Blocks:
    """The unpacked stream of bz2 or xz; that of Python sets no limit to the memory of xz."""

    def __init__(
        self, file: IO[bytes], make: Callable[[], BZ2Decompressor | LZMADecompressor]
    ) -> None:
        self._file = file
        self._make = make
        self._decompressor = make()

    def read(self, size: int) -> bytes:
        """Return the next bytes; none at the end (EOFError: the file is cut off)."""
        while True:
            data = b""
            if self._decompressor.eof:
                data = self._decompressor.unused_data or self._file.read(BLOCK)
                if not data.strip(b"\0"):  # what fills up a file of the format xz
                    return b""
                self._decompressor = self._make()
            elif self._decompressor.needs_input:
                data = self._file.read(BLOCK)
                if not data:
                    raise EOFError
            data = self._decompressor.decompress(data, size)
            if data:
                return data


def strict_header() -> type[TarInfo]:
    """Return the header of a tar archive that is an error if it is damaged, and not the end."""
    import tarfile

    class Header(tarfile.TarInfo):
        @classmethod
        def fromtarfile(cls, archive: tarfile.TarFile) -> Header:
            try:
                return super().fromtarfile(archive)
            except (tarfile.InvalidHeaderError, tarfile.TruncatedHeaderError) as error:  # type: ignore[attr-defined]
                raise tarfile.ReadError(str(error)) from None

    return Header


# ---- archives ----


class Member(NamedTuple):
    path: str  # the path of the archive, a slash, and the name of the record in it
    opener: Callable[[], Readable]  # opens it; in a tar archive only before the next one is found
    budget: Budget | None  # the limit of what is unpacked, if the opener does not have one
    fault: str  # the reason why it cannot be read; "" if it can

    def opened(self, close: Callable[[], None] = lambda: None) -> IO[bytes]:
        """Open it (ArchiveError: it cannot be read)."""
        if self.fault:
            raise ArchiveError(self.fault, self.path)
        return _reader(self.opener, self.path, self.budget, close)

    def read(self) -> bytes:
        """Return its bytes (ArchiveError: it cannot be read)."""
        with self.opened() as file:
            return read_unpacked(file, self.path)


class ArchiveReader:
    """An archive that is read forward (OSError: the file cannot be read).

    Args:
        file: The file, open at its beginning; None to open the path.

    Attributes:
        others: Number of files that are no records, among the members found so far.
        first_other: The name of the first of them; "" if there is none.
    """

    def __init__(self, path: str, file: IO[bytes] | None = None) -> None:
        self.path = path
        self.others, self.first_other = 0, ""
        self._is_zip = path.lower().endswith(".zip")
        self._file = file or open(path, "rb")  # noqa: PTH123,SIM115  # closed by close()
        self._rest: Iterator[Member] = iter(())
        self._by_path: dict[str, Member] | None = None

    def close(self) -> None:
        self._file.close()

    def members(self) -> Iterator[Member]:
        """Yield the records from the beginning on, in their order."""
        with _faults(self.path):
            budget = Budget(self._file.seek(0, os.SEEK_END))
        seen = set[int]()
        self._file.seek(0)
        found = (_in_zip if self._is_zip else _in_tar)(self._file, self.path, budget)
        while True:
            with _faults(self.path):
                following = next(found, None)
            if following is None:
                return
            name, opener, fault = _safe_name(following[0]), *following[1:]
            if not name.lower().endswith(SUFFIXES) or "/._" in f"/{name}":
                self.others += 1  # what macOS packs beside a file begins with ._
                self.first_other = self.first_other or name
                continue
            if len(seen) >= MAX_RECORDS:
                raise ArchiveError(f"it has more than {MAX_RECORDS} records", self.path)
            again = hash(name) in seen and "the archive has another record of this name before it"
            seen.add(hash(name))
            path = f"{self.path}/{name}"
            yield Member(path, opener, budget if self._is_zip else None, again or fault)

    def find(self, name: str) -> Member:
        """Find a record: in a zip at once; in a tar from the last one that was found on."""
        path = f"{self.path}/{_safe_name(name)}"
        if self._is_zip:
            if self._by_path is None:
                self._by_path = {}
                for member in self.members():
                    self._by_path.setdefault(member.path, member)
            if path in self._by_path:
                return self._by_path[path]
        for _ in range(0 if self._is_zip else 2):
            for member in self._rest:
                if member.path == path:
                    return member
            self._rest = self.members()
        raise FileNotFoundError(errno.ENOENT, "there is no such record in the archive", path)


def _in_zip(file: IO[bytes], path: str, budget: Budget) -> _FoundMembers:  # noqa: ARG001  # as _in_tar
    from zipfile import ZipFile

    archive = ZipFile(file)
    codec = _guess_of_names(archive.infolist())
    for info in archive.infolist():
        if not info.is_dir():
            yield _zip_name(info, codec), partial(archive.open, info), _zip_fault(info)


def _is_undeclared(info: ZipInfo) -> bool:
    return not info.flag_bits & _UTF8 and not info.filename.isascii()


def _guess_of_names(infos: Iterable[ZipInfo]) -> str | None:
    """Return the codec of names in an Eastern charset; None if they are none.

    Programs of the East write the charset of their system, for which a zip has no field.  One
    guess for all names of an archive is better than one for each.
    """
    undeclared = (info.filename.encode("cp437") for info in infos if _is_undeclared(info))
    names = list(
        islice((name for name in undeclared if not fits(name, "utf-8")), MAX_GUESSED_NAMES)
    )
    raw = b"\n".join(names)
    in_pairs = sum(len(run) for run in _PAIRS.findall(raw))
    beyond = sum(byte >= _BEYOND_ASCII for byte in raw)
    if beyond < MIN_GUESSED_BYTES or 2 * in_pairs < beyond:
        return None  # Western names have single bytes beyond ASCII
    codec, is_sure = guess(Evidence(raw))
    return codec if is_sure and codec in EASTERN else None


#: Names by which the charset of all names is guessed.
MAX_GUESSED_NAMES = 100

#: Bytes beyond ASCII that are enough for a guess: two characters often fit several charsets.
MIN_GUESSED_BYTES = 5

#: Charsets in which names are guessed.
EASTERN = frozenset({"gb18030", "cp932", "cp949", "big5hkscs", "euc_jp"})

_BEYOND_ASCII = 0x80
_PAIRS = re.compile(rb"[\x80-\xff]{2,}")


def _zip_name(info: ZipInfo, codec: str | None) -> str:
    name = info.filename
    if _is_undeclared(info):
        for one in ("utf-8", codec):
            with suppress(UnicodeError):
                if one is not None:
                    return name.encode("cp437").decode(one)
    return name


def _zip_fault(info: ZipInfo) -> str:
    if stat.S_ISLNK(info.external_attr >> 16):
        return IS_LINK
    if info.flag_bits & _ENCRYPTED:
        return "it is encrypted: unpack the archive with its password first"
    if info.compress_type not in {_STORED, _DEFLATED}:
        return "it is not compressed by deflate: unpack the archive first"
    return ""


def _in_tar(file: IO[bytes], path: str, budget: Budget) -> _FoundMembers:
    import tarfile

    gate = Gate(unpack(file, path), budget)
    gate.end = MAX_HEADER_BYTES
    options: dict[str, Any] = {"fileobj": gate, "tarinfo": strict_header()}  # it only reads
    with tarfile.open(mode="r|", bufsize=BLOCK, **options) as archive:
        while True:
            gate.end = archive.offset + MAX_HEADER_BYTES
            info = archive.next()
            gate.end = None
            if info is None:
                return
            archive.members.clear()  # type: ignore[attr-defined]  # it keeps all that it has read
            if not info.isdir():
                yield info.name, partial(_extract, archive, info), _tar_fault(info)


def _extract(archive: TarFile, info: TarInfo) -> IO[bytes]:
    file = archive.extractfile(info)
    if file is None:
        raise ValueError(IS_LINK)
    return file


def _tar_fault(info: TarInfo) -> str:
    if not info.isreg() or info.issparse():
        return IS_LINK
    return ""


#: Message about a member that has no content of its own.
IS_LINK = "it is a link, a device or a file with holes: unpack the archive first"

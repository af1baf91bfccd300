"""Streams that are unpacked from a compressed file, with a limit for what comes out of them."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from typing import IO, TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tarfile import TarInfo

#: Limit of all that is unpacked from a file: a multiple of its bytes, and what any file may give.
MAX_RATIO, MIN_UNPACKED_BYTES = 100, 1 << 25

#: Limit of the memory that a file in the format xz may ask for, in bytes.
MAX_XZ_MEMORY = 1 << 27

#: Bytes that are read at a time.
BLOCK = 1 << 14


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int, /) -> bytes:
        """Return at most this many bytes; none at the end."""


class Budget:
    """The bytes that may still be unpacked from a file.

    Args:
        size: The bytes of the file.
    """

    def __init__(self, size: int) -> None:
        self._left = max(MIN_UNPACKED_BYTES, size * MAX_RATIO)

    def spend(self, count: int) -> None:
        """Count bytes that were unpacked.

        Raises:
            ValueError: They are too many.
        """
        self._left -= count
        if self._left < 0:
            raise ValueError(f"it grows to more than {MAX_RATIO} times its size")


class Unpacked(io.RawIOBase):
    """A stream that is unpacked, read in blocks.

    Args:
        file: What unpacks it.
        budget: The limit; None if ``file`` has one.
        close: A function to call at the end.
        faults: A context in which everything is read.
    """

    def __init__(
        self,
        file: Readable,
        budget: Budget | None,
        close: Callable[[], None],
        faults: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._file = file
        self._budget = budget
        self._close = close
        self._faults = faults

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Read a block, as of any raw stream."""
        with self._faults():
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
    """The stream of a tar archive, which counts what is read of it.

    Args:
        file: The stream.
        budget: The limit.

    Attributes:
        end: No block is read from here on; None for any.
    """

    def __init__(self, file: Readable, budget: Budget) -> None:
        self._file = file
        self._budget = budget
        self._done = 0
        self.end: int | None = None

    def read(self, size: int) -> bytes:
        """Return the next bytes.

        Raises:
            ValueError: They are too many.
        """
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


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Blocks:
    """The unpacked stream of bz2 or xz; the standard library's sets no limit to the memory of xz.

    Args:
        file: The compressed file.
        make: Makes a decompressor, of which each stream in the file needs one.
    """

    def __init__(self, file: IO[bytes], make: Callable[[], _Decompressor]) -> None:
        self._file = file
        self._make = make
        self._decompressor = make()

    def read(self, size: int) -> bytes:
        """Return the next bytes; none at the end.

        Raises:
            EOFError: The file is cut off.
        """
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


@cache
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

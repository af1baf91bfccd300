"""Games of an archive, read again from the files in which they are."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import groupby
from operator import attrgetter
from typing import IO, TYPE_CHECKING, NamedTuple, TypeAlias

from sgf_lark.archive.rows.scan import bytes_hash
from sgf_lark.archive.sources import Source, is_address
from sgf_lark.core import GameTree, load
from sgf_lark.files import archives
from sgf_lark.files.members import ArchiveError, is_compressed, record_path
from sgf_lark.report.tables import load_pyarrow

if TYPE_CHECKING:
    from sgf_lark.archive.archive import Archive

#: Bytes that are read at once where a file is skipped.
BLOCK = 1 << 20

#: Message about a game that is not as it was.
CHANGED = "it was changed since the archive was built: build it again"

#: A byte of a name that is no Unicode, as sources have it.
ESCAPED_BYTE = re.compile(r"\\udc([89a-f][0-9a-f])")


class GamePlace(NamedTuple):
    """The place of a game, as in the table games."""

    game_id: int
    # its file, and the name of its record in an archive
    source: str
    member: str
    game: int  # its number in its record, from 0
    offset: int
    length: int
    bytes_hash: bytes
    encoding: str
    format: str  # FF1, FF3, FF4 or GGF
    errors: int


#: A place, and the bytes of the game there, or the reason why there are none.
PlacedBytes: TypeAlias = tuple[GamePlace, bytes | OSError]


def find_game_places(archive: Archive, games: Iterable[int]) -> list[GamePlace]:
    """Return the places of games, in the order of the archive, in which they are read fastest."""
    pa = load_pyarrow()
    from pyarrow import compute

    keys = pa.array(games, pa.int64())
    rows = archive.games.to_table(
        columns=list(GamePlace._fields), filter=compute.field("game_id").isin(keys)
    )
    return [GamePlace(*row) for row in zip(*rows.to_pydict().values(), strict=True)]


def read_bytes(places: Iterable[GamePlace], folder: str = "") -> Iterator[PlacedBytes]:
    """Yield the bytes of games.

    A file is opened once for the games of it that follow each other.

    Args:
        places: Their places, as :func:`find_game_places` returns them.
        folder: The folder to which relative sources belong, as ``Manifest.folder``.

    Yields:
        Each place, with the bytes of the game.  In place of those of a game that cannot be read,
        or that was changed since the archive was built, an OSError says so.
    """
    for record, found in open_records(places, folder):
        broken: OSError | None = None
        for place in found:
            try:
                if broken is None:
                    record.skip(place.offset)
                yield place, broken or record.read_game(place)
            except UnreadableError as failed:
                if not isinstance(failed, ChangedGameError):
                    broken = failed.error
                yield place, failed.error


def open_records(
    places: Iterable[GamePlace], folder: str
) -> Iterator[tuple[RecordReader, Iterator[GamePlace]]]:
    """Yield the records of games that follow each other, each with the places of its games."""
    for source, games in groupby(places, attrgetter("source")):
        with closing(OpenedSource(source, folder)) as opened:
            for member, found in groupby(games, attrgetter("member")):
                with closing(RecordReader(opened, member)) as record:
                    yield record, found


def read_placed_game(place: GamePlace, data: bytes) -> GameTree:
    source = archives.RecordBytes(data, place.member or place.source)
    games = load(source, strict=False, validate=False, encoding=place.encoding)
    if not len(games):
        raise ArchiveError("there is no game any more", place_name(place))
    return games[0]


def place_name(place: GamePlace) -> str:
    return record_path(place.source, place.member)


def find_path(source: str) -> str:
    """Return the path of a source: one with a name that is no Unicode is escaped in tables."""
    if "\\udc" not in source or os.path.lexists(source):
        return source
    return ESCAPED_BYTE.sub(lambda found: chr(0xDC00 + int(found[1], 16)), source)


class OpenedSource:
    """A source of which records are read; it is opened for the first of them."""

    def __init__(self, source: str, folder: str) -> None:
        is_remote = is_address(source)
        self._path = source if is_remote else find_path(os.path.join(folder, source))  # noqa: PTH118
        kind = "remote" if is_remote else "file"
        self._open: Callable[[], IO[bytes]] = Source(source, kind, 0, None, self._path).open
        self._file: IO[bytes] | None = None
        self._container: archives.ArchiveReader | None = None

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    @contextmanager
    def record(self, member: str) -> Iterator[IO[bytes]]:
        """Open a record: of an archive that with a name; of another file, all of it."""
        self._file = self._file or self._open()
        if member:
            self._container = self._container or archives.ArchiveReader(self._path, self._file)
            with self._container.find(member).opened() as file:
                yield file
        elif is_compressed(self._path):
            with closing(archives.open_unpacked(self._open(), self._path)) as file:
                yield file
        else:
            self._file.seek(0)
            yield self._file


class UnreadableError(Exception):
    """A record that cannot be read or copied, as opposed to a disk that is full."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error)
        self.error = error


class ChangedGameError(UnreadableError):
    """A game that is not as it was."""


class RecordReader:
    """A record that is read from its beginning to its end."""

    def __init__(self, opened: OpenedSource, member: str) -> None:
        self._opened = opened.record(member)
        self._file: IO[bytes] | None = None
        self._at = 0

    def close(self) -> None:
        if self._file is not None:
            self._opened.__exit__(None, None, None)

    def blocks(self, end: int | None) -> Iterator[bytes]:
        """Yield the bytes up to a place, or all (UnreadableError: they cannot be read)."""
        while end is None or self._at < end:
            with reported():
                block = self._open().read(BLOCK if end is None else min(BLOCK, end - self._at))
            if not block:
                return
            self._at += len(block)
            yield block

    def skip(self, end: int) -> None:
        """Read on to a place without keeping what is read (UnreadableError: it cannot be read)."""
        with reported():
            file = self._open()
            if file.seekable():
                file.seek(end - self._at, os.SEEK_CUR)
                self._at = end
        deque(self.blocks(end), maxlen=0)

    def read_game(self, place: GamePlace) -> bytes:
        data = b"".join(self.blocks(place.offset + place.length))
        if bytes_hash(data) != place.bytes_hash:
            raise ChangedGameError(ArchiveError(CHANGED, place_name(place)))
        return data

    def _open(self) -> IO[bytes]:
        if self._file is None:
            self._file = self._opened.__enter__()
        return self._file


@contextmanager
def reported() -> Iterator[None]:
    """Raise an error of a file as :class:`UnreadableError`."""
    try:
        yield
    except OSError as error:
        raise UnreadableError(error) from None

"""Copies of games of an archive, byte for byte from their sources."""

from __future__ import annotations

import codecs
import filecmp
import io
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, TYPE_CHECKING, NamedTuple

from sgf_lark.convert.convert import convert
from sgf_lark.core import Format, dump, reason
from sgf_lark.files.members import ArchiveError, is_compressed
from sgf_lark.files.writing import usual_mode

from .reading import (
    ESCAPED_BYTE,
    GamePlace,
    RecordReader,
    UnreadableError,
    open_records,
    parse_game,
    place_name,
    read_bytes,
    reported,
)

if TYPE_CHECKING:
    from sgf_lark.archive.archive import Archive

#: Most files of one name that are numbered.
MAX_NUMBER = 1000

#: Byte order marks, the longer ones first: that of UTF-32 begins with that of UTF-16.
_MARKS = (
    *(codecs.BOM_UTF8, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE),
    *(codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE),
)

#: Characters that no name of a file has on some system.
_UNSAFE = re.compile(r'[\x00-\x1f\x7f\\:*?"<>|]')


class CopiedRecord(NamedTuple):
    """A record, and what became of it.

    Attributes:
        record: Its path, or that of its archive and its name there.
        games: Number of its selected games.
        file: The copy; None if there is none.
        is_new: The copy was not there before.
        problem: The reason why there is no copy; "" if there is one.
    """

    record: str
    games: int
    file: Path | None = None
    is_new: bool = False
    problem: str = ""


@dataclass
class Copied:
    """Numbers of what was copied.

    Attributes:
        files: Number of files that were written.
        present: Number of files that were there before, with the same content.
        games: Number of the games in all of these files.
        problems: The records that were not copied.
    """

    files: int = 0
    present: int = 0
    games: int = 0
    problems: list[CopiedRecord] = field(default_factory=list)

    def add(self, record: CopiedRecord) -> None:
        """Count a record."""
        if record.problem:
            self.problems.append(record)
            return
        self.games += record.games
        self.files += record.is_new
        self.present += not record.is_new


def copy_records(
    archive: Archive,
    where: str,
    directory: str | os.PathLike[str],
    on_record: Callable[[CopiedRecord], object] | None = None,
) -> Copied:
    """Copy games; see :meth:`.Selection.copy_to`."""
    target = Path(directory)
    target.mkdir(parents=True, exist_ok=True)
    partial = _partial_records(archive, where)
    taken: set[str] = set()
    copied = Copied()
    for reader, games in open_records(_places(archive, where), archive.manifest.folder):
        selected = [*games]
        first = selected[0]
        write = _write_selected if (first.source, first.member) in partial else _write_all
        problem, path, is_new = "", None, False
        with NamedTemporaryFile(dir=target, prefix=".copy-", delete=False) as file:
            temporary = Path(file.name)
        try:
            with temporary.open("wb") as copy:
                copy.writelines(write(reader, selected))
            path, is_new = _publish(temporary, target, first, taken)
        except UnreadableError as error:
            problem = reason(error.error)
        finally:
            temporary.unlink(missing_ok=True)
        record = CopiedRecord(place_name(first), len(selected), path, is_new, problem)
        copied.add(record)
        if on_record is not None:
            on_record(record)
    return copied


def write_collection(archive: Archive, where: str, file: IO[bytes]) -> Copied:
    """Write games as one collection in UTF-8; see :meth:`.Selection.write_sgf`."""
    copied = Copied()
    for place, data in read_bytes(_places(archive, where), archive.manifest.folder):
        try:
            if isinstance(data, OSError):
                raise data
            game = _in_utf8(place, data)
        except (OSError, ValueError) as error:
            copied.add(CopiedRecord(place_name(place), 1, problem=reason(error)))
            continue
        file.write(game + b"\n")
        copied.games += 1
    copied.files = 1
    return copied


def _places(archive: Archive, where: str) -> Iterator[GamePlace]:
    """Yield the places of games, in the order of the archive, in which they are read fastest."""
    names = ", ".join(f'"{name}"' for name in GamePlace._fields)
    for batch in archive.stream(f"SELECT {names} FROM games WHERE {where}"):  # noqa: S608
        columns = (column.to_pylist() for column in batch.columns)
        yield from map(GamePlace._make, zip(*columns, strict=True))


def _partial_records(archive: Archive, where: str) -> set[tuple[str, str]]:
    query = f"""
        WITH selected AS (SELECT game_id FROM games WHERE {where})
        SELECT source, member FROM games LEFT JOIN selected ON games.game_id = selected.game_id
        GROUP BY source, member HAVING count(selected.game_id) BETWEEN 1 AND count(*) - 1
    """  # noqa: S608  # it can only read
    rows = archive.sql(query).to_pydict()
    return set(zip(rows["source"], rows["member"], strict=True))


# ---- a record ----


def _write_all(record: RecordReader, games: list[GamePlace]) -> Iterator[bytes]:
    for place in games:
        yield from record.blocks(place.offset)
        yield record.read_game(place)
    yield from record.blocks(None)


def _write_selected(record: RecordReader, games: list[GamePlace]) -> Iterator[bytes]:
    head = next(record.blocks(games[0].offset), b"")
    between = next((mark for mark in _MARKS if head.startswith(mark)), b"")
    for place in games:
        yield between
        record.skip(place.offset)
        yield record.read_game(place)
        between = _line_break(place.encoding)


def _line_break(encoding: str) -> bytes:
    wide = encoding.lower().startswith(("utf-16", "utf-32", "utf_16", "utf_32"))
    data = "\n".encode(encoding) if wide else b"\n"
    return next((data.removeprefix(mark) for mark in _MARKS if data.startswith(mark)), data)


# ---- names ----


def _publish(temporary: Path, target: Path, place: GamePlace, taken: set[str]) -> tuple[Path, bool]:
    """Give a copy its name (UnreadableError: another file has the name, or it cannot be a name).

    Returns:
        The path, and whether it was not there before.
    """
    wanted = target.joinpath(*safe_parts(place.source, place.member))
    with reported():
        wanted.parent.mkdir(parents=True, exist_ok=True)
        for number in range(1, MAX_NUMBER):
            stem = wanted.stem if number == 1 else f"{wanted.stem}-{number}"
            path = wanted.with_name(f"{stem}{wanted.suffix}")
            if str(path) in taken:
                continue
            taken.add(str(path))
            if not os.path.lexists(path):
                temporary.chmod(usual_mode())
                temporary.rename(path)
                return path, True
            if path.is_file() and filecmp.cmp(temporary, path, shallow=False):
                return path, False
            break
    words = "another file has this name; it was not overwritten"
    raise UnreadableError(ArchiveError(words, str(wanted)))


def safe_parts(source: str, member: str) -> list[str]:
    """Return the parts of the path of a copy: relative, no way up, no odd characters."""
    if not member and is_compressed(source):
        source = source.rpartition(".")[0]
    source = ESCAPED_BYTE.sub("_", source)
    parts = f"{source.replace('://', '/')}/{member}".replace("\\", "/").split("/")
    kept = [_UNSAFE.sub("_", part) for part in parts if part not in {"", ".", ".."}]
    return kept or ["game.sgf"]


# ---- one collection ----


def _in_utf8(place: GamePlace, data: bytes) -> bytes:
    """Return a game in SGF and UTF-8 (OSError, ValueError: it cannot be read or converted)."""
    if not place.errors and place.format != Format.GGF.value and _is_utf8(data, place.encoding):
        return data
    game = convert(parse_game(place, data), "sgf")
    buffer = io.BytesIO()
    # A game with errors may have no end, and would swallow the next one.
    dump(game, buffer, style="canonical" if place.errors else "preserve", encoding="utf-8")
    return buffer.getvalue()


def _is_utf8(data: bytes, encoding: str) -> bool:
    if codecs.lookup(encoding).name in {"utf-8", "utf-8-sig"}:
        return not data.startswith(codecs.BOM_UTF8)
    return data.isascii() and data.decode(encoding, "replace") == data.decode("ascii")

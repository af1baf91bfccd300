"""Games of an archive that meet a condition in SQL: their rows, and copies of them."""

from __future__ import annotations

import codecs
import csv
import filecmp
import io
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

from sgf_lark.archive.records.reading import (
    ESCAPED_BYTE,
    GamePlace,
    RecordReader,
    UnreadableError,
    open_records,
    place_name,
    read_bytes,
    read_placed_game,
    reported,
)
from sgf_lark.convert.convert import convert
from sgf_lark.core import Format, dump, reason, require_archive
from sgf_lark.files.members import ArchiveError, is_compressed
from sgf_lark.files.writing import usual_mode
from sgf_lark.report.tables import arrow_schema, json_value, load_pyarrow, text_of_cell

from .sql import QueryError, load_duckdb

if TYPE_CHECKING:
    import pyarrow as pa

    from sgf_lark.archive.archive import Archive


#: The forms in which rows are written.
RowForm: TypeAlias = Literal["csv", "jsonl", "parquet"]


def select(archive: Archive, condition: str) -> Selection:
    """Select games by a condition in SQL about the columns of ``games``.

    Args:
        condition: One expression, such as ``komi = 6.5 and black = 'Aoki' and errors = 0``.  It may
            have queries about the other tables: ``game_id in (select game_id from findings where
            code = 'G601')``.

    Raises:
        QueryError: It is no condition, or about something that the tables do not have; the error
            has the place of the mistake.
        ImportError: duckdb is not installed.
    """
    require_archive(archive)
    _require_expression(archive, condition)
    return Selection(archive, condition)


class Selection:
    """Games that meet a condition, in the order of the archive; :func:`select` tests it."""

    def __init__(self, archive: Archive, condition: str) -> None:
        self.archive = archive
        self.condition = condition

    def __repr__(self) -> str:
        return f"<Selection {self.condition!r} of {self.archive!r}>"

    @cached_property
    def count(self) -> int:
        """The number of games."""
        answer = self.archive.sql(f"SELECT count(*) FROM games WHERE {self._where}")  # noqa: S608
        count: int = answer[0][0].as_py()
        return count

    def rows(self, columns: Sequence[str] | None = None) -> pa.RecordBatchReader:
        """Return the rows of the games in batches.

        Args:
            columns: Names of columns of ``games``; None for all, with the schema of the table.

        Raises:
            KeyError: There is no such column.
        """
        pa, schema = load_pyarrow(), arrow_schema("games")
        wanted = pa.schema([schema.field(name) for name in columns]) if columns else schema
        names = ", ".join(f'"{name}"' for name in wanted.names)
        query = f"SELECT {names} FROM games WHERE {self._where}"  # noqa: S608  # it can only read
        reader = self.archive.stream(query)
        # DuckDB does not know that hashes have a fixed size, and which columns have no nulls.
        batches = (batch.cast(wanted) for batch in reader)
        return pa.RecordBatchReader.from_batches(wanted, batches)

    def write(self, file: IO[bytes], form: RowForm, columns: Sequence[str] | None = None) -> int:
        """Write the rows of the games to a file that is open for bytes; return their number.

        Args:
            form: ``csv``, ``jsonl`` (an object a line) or ``parquet``.  In the first two, hashes
                are hexadecimal digits and days as in ISO 8601.
            columns: As for :meth:`rows`.

        Raises:
            ValueError: There is no such form.
            KeyError: There is no such column.
        """
        if form not in get_args(RowForm):
            raise ValueError(f"no form {form!r}: expected {', '.join(get_args(RowForm))}")
        reader = self.rows(columns)
        if form == "parquet":
            return _write_parquet(reader, file)
        write = _write_csv if form == "csv" else _write_jsonl
        return write(reader.schema.names, _values(reader), file)

    def write_sgf(self, file: IO[bytes]) -> Copied:
        """Write the games as one collection in SGF and UTF-8 to a file that is open for bytes.

        The bytes of a game stay as they are, unless it is in another encoding or in GGF: then it is
        written again, with CA, or converted to FF[4].  A game with errors is written again in the
        canonical layout: without its end, it would swallow the next one.

        Returns:
            The number of games, and the records that could not be read or have changed, of which
            nothing is written.
        """
        return write_collection(self.archive, self._where, file)

    def copy_to(
        self,
        directory: str | os.PathLike[str],
        on_record: Callable[[CopiedRecord], object] | None = None,
    ) -> Copied:
        """Copy the games to a directory, in the folders of their sources.

        A record of which every game is selected is copied byte for byte.  Of another one, the
        selected games are copied byte for byte, a line break between them, and what is outside
        them is left out; a byte order mark stays.  Compressed records are unpacked, and
        an archive of records becomes a folder of its name.  A file that exists is never
        overwritten; one with the same content counts as copied.

        Args:
            directory: The directory; it is created.
            on_record: A function that is called with each record.

        Returns:
            The numbers of files and games, and what could not be copied: records that are gone or
            have changed since the archive was built, and names that other files have.

        Raises:
            OSError: The directory cannot be written, or the disk is full.
        """
        return copy_records(self.archive, self._where, directory, on_record)

    @property
    def _where(self) -> str:
        """The condition in brackets; its first line is the second one, a comment ends in it."""
        return f"(\n{self.condition}\n)"


def _require_expression(archive: Archive, condition: str) -> None:
    """Test that a text is one expression, and that it can be asked."""
    duckdb = load_duckdb()
    if not condition.strip():
        raise QueryError("the condition is empty: for all games it is 'true'")
    try:
        archive.sql(f"SELECT game FROM games WHERE (\n{condition}\n) LIMIT 0")  # noqa: S608
        duckdb.SQLExpression(condition)
    except QueryError as error:
        place = error.place
        if place is not None:
            place = place._replace(line=place.line - 1)
            if not 1 <= place.line <= condition.count("\n") + 1:
                place = None
        raise QueryError(error.message, condition, place) from None
    except duckdb.Error:
        words = "expected one condition, such as  komi = 6.5 AND black = 'Aoki'"
        raise QueryError(words, condition) from None


# ---- rows ----


def _values(reader: Iterable[pa.RecordBatch]) -> Iterator[tuple[Any, ...]]:
    for batch in reader:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _write_parquet(reader: pa.RecordBatchReader, file: IO[bytes]) -> int:
    load_pyarrow()
    import pyarrow.parquet as pq

    count = 0
    with pq.ParquetWriter(file, reader.schema, compression="zstd") as writer:
        for batch in reader:
            writer.write_batch(batch)
            count += batch.num_rows
    return count


def _write_csv(names: list[str], rows: Iterable[tuple[Any, ...]], file: IO[bytes]) -> int:
    """Write the lines of RFC 4180; nulls and empty texts are empty."""
    count = 0
    text = io.TextIOWrapper(file, "utf-8", newline="")
    try:
        writer = csv.writer(text)
        writer.writerow(names)
        for count, row in enumerate(rows, 1):  # noqa: B007  # counted
            writer.writerow(map(text_of_cell, row))
    finally:
        text.detach()
    return count


def _write_jsonl(names: list[str], rows: Iterable[tuple[Any, ...]], file: IO[bytes]) -> int:
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007  # counted
        line = dict(zip(names, map(json_value, row), strict=True))
        file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
    return count


# ---- copies of games, byte for byte ----

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
    game = convert(read_placed_game(place, data), "sgf")
    buffer = io.BytesIO()
    # A game with errors may have no end, and would swallow the next one.
    dump(game, buffer, style="canonical" if place.errors else "preserve", encoding="utf-8")
    return buffer.getvalue()


def _is_utf8(data: bytes, encoding: str) -> bool:
    if codecs.lookup(encoding).name in {"utf-8", "utf-8-sig"}:
        return not data.startswith(codecs.BOM_UTF8)
    return data.isascii() and data.decode(encoding, "replace") == data.decode("ascii")

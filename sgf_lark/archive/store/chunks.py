"""Chunks: the tables of one partition, as they come from the process that has read it.

A chunk is one file of the folder of unfinished work.  Its name is the digest of all that its rows
depend on, so a run that was killed goes on with the chunks that it finds.  It consists of
:data:`MAGIC`, the length of the head, the head in JSON, the pickled numbers of its slices, a stream
of Arrow for each table, and the digest of all this.
"""

from __future__ import annotations

import io
import json
import os
import pickle
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.schema.tables import arrow_schema, load_pyarrow

from .files import write_file

if TYPE_CHECKING:
    import pyarrow as pa

    from sgf_lark.archive.batches import PartitionRows

#: First bytes of a chunk: another form has others.
MAGIC = b"sgf_lark chunk 1\n"

#: Suffix of a chunk, bytes of the length of its head, and of its digest.
SUFFIX, LENGTH_BYTES, DIGEST_BYTES = ".chunk", 8, 16

#: Compression of the streams: it costs less time than to send and write what it saves.
COMPRESSION = "zstd"


#: The classes of what is pickled; a chunk that names others is no chunk.
_CLASSES = {
    ("sgf_lark.archive.batches", "PartitionRows"),
    ("sgf_lark.archive.batches", "SliceRows"),
    ("sgf_lark.api.joining", "Beside"),
    ("sgf_lark.api.joining", "Summary"),
    ("sgf_lark.check.across_games", "FirstOfKind"),
    ("sgf_lark.places", "LineColumn"),
    ("sgf_lark.places", "Span"),
    ("sgf_lark.schema.formats", "Format"),
    ("sgf_lark.schema.games", "GameNumber"),
}


class Chunk(NamedTuple):
    """The rows of a partition.

    Attributes:
        numbers: The numbers of its slices, and no rows.
        tables: A stream of Arrow for each table.
    """

    numbers: PartitionRows
    tables: dict[str, bytes]

    @classmethod
    def of(cls, rows: PartitionRows) -> Chunk:
        """Return the chunk of the rows of a partition."""
        pa = load_pyarrow()
        options = pa.ipc.IpcWriteOptions(compression=COMPRESSION, use_threads=False)
        streams: dict[str, bytes] = {}
        for table, batches in rows.tables.items():
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, arrow_schema(table), options=options) as stream:
                for batch in batches:
                    stream.write_batch(batch)
            streams[table] = sink.getvalue().to_pybytes()
        return cls(rows._replace(tables={}), streams)

    def read(self) -> PartitionRows:
        """Return the rows; they are decoded batch by batch, each time that they are asked for."""
        return self.numbers._replace(
            tables={table: Stream(data) for table, data in self.tables.items()}
        )


class Stream:
    """The rows of a table, encoded.

    Args:
        data: A stream of Arrow.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows, a batch at a time."""
        ipc = load_pyarrow().ipc
        options = ipc.IpcReadOptions(use_threads=False)
        with ipc.open_stream(self._data, options=options) as stream:
            yield from stream


def key_of(facts: object) -> str:
    """Return the name of the chunk of some facts: they are as JSON can hold them."""
    text = json.dumps(facts, sort_keys=True)
    return blake2b(text.encode(), digest_size=DIGEST_BYTES).hexdigest()


def write_chunk(folder: Path, key: str, chunk: Chunk) -> None:
    """Write a chunk.

    Raises:
        OSError: It cannot be written; there is none of this key then.
    """
    contents = {"": pickle.dumps(chunk.numbers, pickle.HIGHEST_PROTOCOL), **chunk.tables}
    head = json.dumps([[name, len(data)] for name, data in contents.items()]).encode()
    blocks = [MAGIC, len(head).to_bytes(LENGTH_BYTES, "big"), head, *contents.values()]
    path = folder / f"{key}{SUFFIX}"
    write_file(path, *blocks, _digest(blocks), below=folder, is_lasting=False)


def read_chunk(folder: Path, key: str) -> Chunk | None:
    """Return a chunk; None if there is none, or it is damaged."""
    try:
        data = (folder / f"{key}{SUFFIX}").read_bytes()
    except OSError:
        return None
    body = memoryview(data)[:-DIGEST_BYTES]
    if not data.startswith(MAGIC) or _digest([body]) != data[-DIGEST_BYTES:]:
        return None
    try:
        return _chunk(body)
    except Exception:  # noqa: BLE001  # there is no list of what a forged one raises
        return None


def _chunk(body: memoryview) -> Chunk:
    start = len(MAGIC) + LENGTH_BYTES
    end = start + int.from_bytes(body[len(MAGIC) : start], "big")
    contents: dict[str, bytes] = {}
    for name, length in json.loads(bytes(body[start:end])):
        contents[name] = bytes(body[end : end + length])
        end += length
    return Chunk(_Numbers(io.BytesIO(contents.pop(""))).load(), contents)


class _Numbers(pickle.Unpickler):
    """Reads the numbers of slices, and nothing else that a file could name."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _CLASSES:
            raise pickle.UnpicklingError(f"{module}.{name}")
        return super().find_class(module, name)


def chunk_keys(folder: Path) -> set[str]:
    """Return the keys of the chunks in a folder."""
    with os.scandir(folder) as entries:
        return {entry.name.removesuffix(SUFFIX) for entry in entries if entry.name.endswith(SUFFIX)}


def _digest(blocks: Sequence[bytes | memoryview]) -> bytes:
    digest = blake2b(digest_size=DIGEST_BYTES)
    for block in blocks:
        digest.update(block)
    return digest.digest()

"""Chunks: the tables of one partition, as they come from the process that has read it.

A chunk is one file of the folder of unfinished work.  Its name is the digest of all that its rows
depend on, so a run that was killed goes on with the chunks that it finds.  It consists of
:data:`MAGIC`, the length of the head, the head in JSON, a stream of Arrow for each table, and the
digest of all this.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sgf_lark.schema.tables import arrow_schema, load_pyarrow

from .files import write_file

if TYPE_CHECKING:
    import pyarrow as pa

#: First bytes of a chunk: another form has others.
MAGIC = b"sgf_lark chunk 1\n"

#: Suffix of a chunk, bytes of the length of its head, and of its digest.
SUFFIX, LENGTH_BYTES, DIGEST_BYTES = ".chunk", 8, 16

#: Compression of the streams: it costs less time than to send and write what it saves.
COMPRESSION = "zstd"


class Chunk(NamedTuple):
    """The tables of a partition.

    Attributes:
        head: Facts about what was read, as JSON can hold them.
        tables: A stream of Arrow for each table.
    """

    head: dict[str, Any]
    tables: dict[str, bytes]

    def read(self, table: str) -> pa.Table:
        """Return the rows of a table."""
        pa = load_pyarrow()
        options = pa.ipc.IpcReadOptions(use_threads=False)
        with pa.ipc.open_stream(self.tables[table], options=options) as stream:
            return stream.read_all().replace_schema_metadata(arrow_schema(table).metadata)


def encode_tables(tables: Mapping[str, Iterable[pa.RecordBatch]]) -> dict[str, bytes]:
    """Return a stream of Arrow for each table."""
    pa = load_pyarrow()
    options = pa.ipc.IpcWriteOptions(compression=COMPRESSION, use_threads=False)
    streams: dict[str, bytes] = {}
    for table, batches in tables.items():
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, arrow_schema(table), options=options) as stream:
            for batch in batches:
                stream.write_batch(batch)
        streams[table] = sink.getvalue().to_pybytes()
    return streams


def key_of(facts: object) -> str:
    """Return the name of the chunk of some facts: they are as JSON can hold them."""
    text = json.dumps(facts, sort_keys=True)
    return blake2b(text.encode(), digest_size=DIGEST_BYTES).hexdigest()


def write_chunk(folder: Path, key: str, chunk: Chunk) -> None:
    """Write a chunk.

    Raises:
        OSError: It cannot be written; there is none of this key then.
    """
    head = json.dumps(
        {"head": chunk.head, "tables": [[name, len(data)] for name, data in chunk.tables.items()]}
    ).encode()
    blocks = [MAGIC, len(head).to_bytes(LENGTH_BYTES, "big"), head, *chunk.tables.values()]
    write_file(folder / f"{key}{SUFFIX}", *blocks, _digest(blocks), below=folder)


def read_chunk(folder: Path, key: str) -> Chunk | None:
    """Return a chunk; None if there is none, or it is damaged."""
    try:
        data = (folder / f"{key}{SUFFIX}").read_bytes()
    except OSError:
        return None
    body = memoryview(data)[:-DIGEST_BYTES]
    if not data.startswith(MAGIC) or _digest([body]) != data[-DIGEST_BYTES:]:
        return None
    start = len(MAGIC) + LENGTH_BYTES
    end = start + int.from_bytes(data[len(MAGIC) : start], "big")
    facts = json.loads(data[start:end])
    tables: dict[str, bytes] = {}
    for name, length in facts["tables"]:
        tables[name] = bytes(body[end : end + length])
        end += length
    return Chunk(facts["head"], tables)


def chunk_keys(folder: Path) -> set[str]:
    """Return the keys of the chunks in a folder."""
    with os.scandir(folder) as entries:
        return {entry.name.removesuffix(SUFFIX) for entry in entries if entry.name.endswith(SUFFIX)}


def _digest(blocks: Sequence[bytes | memoryview]) -> bytes:
    digest = blake2b(digest_size=DIGEST_BYTES)
    for block in blocks:
        digest.update(block)
    return digest.digest()

"""Tasks for the records in archives, which are read here, and not by the processes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import closing

from sgf_lark.text.archives import (
    NO_RECORDS,
    ArchiveError,
    ArchiveReader,
    Member,
    RecordBytes,
    is_archive,
    split_member,
)

from .workers import Task


def unpack_tasks(tasks: Iterable[Task]) -> Iterator[Task]:
    """Yield tasks for files with those of the records in archives, which are read here.

    So an archive is read once, from its beginning to its end.

    Args:
        tasks: Tasks whose payload is a path and options; for a record the path becomes its bytes.
    """
    archive: ArchiveReader | None = None
    try:
        for task in tasks:
            if isinstance(task.payload, Exception) or isinstance(task.payload[0], RecordBytes):
                yield task
                continue
            if is_archive(task.path) and not os.path.isdir(task.path):  # noqa: PTH112  # any path
                yield from _records_in(task)
                continue
            inside = split_member(task.path)
            if inside is None:
                yield task
                continue
            try:
                if archive is None or archive.path != inside[0]:
                    if archive is not None:
                        archive.close()
                    archive = ArchiveReader(inside[0])
                member = archive.find(inside[1])
            except OSError as error:
                yield task._replace(payload=error)
            else:
                yield _task_of(task, member)
    finally:
        if archive is not None:
            archive.close()


def _records_in(task: Task) -> Iterator[Task]:
    """Yield a task for each record in an archive, and for the reason why there are no more."""
    count = 0
    try:
        with closing(ArchiveReader(os.fspath(task.path))) as archive:
            for member in archive.members():
                count += 1
                yield _task_of(task._replace(path=member.path), member)
        if not count:
            raise ArchiveError(NO_RECORDS, os.fspath(task.path))
    except OSError as error:
        yield task._replace(payload=error)


def _task_of(task: Task, member: Member) -> Task:
    """Return a task that has the bytes of its record, or the reason why there are none."""
    try:
        content = member.read()
    except OSError as error:
        return task._replace(payload=error)
    _, options = task.payload
    source = RecordBytes(content, os.fspath(task.path))
    return task._replace(payload=(source, options), size=len(content))

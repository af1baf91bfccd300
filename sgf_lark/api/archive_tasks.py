"""Tasks for the records in archives, which are read here, and not by the processes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import closing

from sgf_lark.text.archives import NO_RECORDS, Archive, ArchiveError, is_archive, split_member

from .workers import Task


def unpack_tasks(tasks: Iterable[Task]) -> Iterator[Task]:
    """Yield the tasks with those of the records in archives, which are read here.

    So an archive is read once, from its beginning to its end.
    """
    archive: Archive | None = None
    try:
        for task in tasks:
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
                    archive = Archive(inside[0])
                yield task._replace(content=archive.find(inside[1]).read())
            except OSError as error:
                yield task._replace(content=error)
    finally:
        if archive is not None:
            archive.close()


def _records_in(task: Task) -> Iterator[Task]:
    """Yield a task for each record in an archive, and for the reason why there are no more."""
    count = 0
    try:
        with closing(Archive(os.fspath(task.path))) as archive:
            for member in archive.members():
                count += 1
                try:
                    content: bytes | OSError = member.read()
                except OSError as error:
                    content = error
                yield task._replace(path=member.path, content=content)
        if not count:
            raise ArchiveError(NO_RECORDS, os.fspath(task.path))
    except OSError as error:
        yield task._replace(content=error)

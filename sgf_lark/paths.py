"""From what stands on the command line to the files that are meant."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from glob import glob, has_magic
from pathlib import Path
from typing import NamedTuple

#: How the names of game records end, in any case; in a folder only such files count.
SUFFIXES = (".sgf", ".ggf", ".mgt", ".tsgf")

#: The name that stands for standard input.
STDIN = "-"


class Missing(NamedTuple):
    """A path that leads to no file.

    Attributes:
        path: As it was given.
        reason: What is wrong with it, in words.
    """

    path: str
    reason: str


def find_files(paths: Iterable[str]) -> Iterator[str | Missing]:
    """The files that paths name, each once, in the order of the paths.

    Args:
        paths: Files; folders, which stand for the game records in them and below, in the
            order of their names; patterns such as ``games/*.sgf`` and ``**/*.sgf``, where
            the shell left them as they were; ``-`` for standard input.

    Yields:
        The path of a file, or ``-``, or what is wrong with a path.  A path that does not
        exist is given back as a file: whoever opens it hears why it cannot be read.
    """
    seen: set[str] = set()
    for path in paths:
        for found in _one(path):
            key = found if found == STDIN else os.path.realpath(found)
            if key not in seen:
                seen.add(key)
                yield found
            elif False:
                pass


def _one(path: str) -> Iterator[str]:
    if path == STDIN or Path(path).is_file():
        yield path


__all__ = ["STDIN", "SUFFIXES", "Missing", "find_files"]

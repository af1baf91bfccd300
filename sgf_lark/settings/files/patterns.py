"""Patterns of file names as in ``.gitignore``, matched while folders are walked.

``pathspec`` translates each pattern.  Names without a wildcard, which most patterns are, are
looked up: a walk over 500,000 files has no time for twenty expressions a file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple
from warnings import catch_warnings, simplefilter

#: The expression of pathspec for ``*/`` and ``**/``, which finds any folder above, too.
_ANY_FOLDER = "(?P<ps_d>/)"

#: The group of pathspec that matches the end of a folder.
_FOLDER_END = "ps_d"

#: A pattern that is a name, or the name of a folder.
_NAME = re.compile(r"(!?)([^\s*?\[\]\\/!#][^*?\[\]\\/\s]*)(/?)")

#: Begins the path of a file outside the folder of the patterns: no anchored pattern matches it.
OUTSIDE = "\0"


class _Line(NamedTuple):
    """A pattern: its number, its verdict, and what it matches.

    Attributes:
        number: Its place in the list; a later one comes first.
        ignores: False for a pattern with ``!``.
        only_folders: Of a name: it ends in ``/``.
        expression: Of another pattern.
    """

    number: int
    ignores: bool
    only_folders: bool = False
    expression: re.Pattern[str] | None = None


class Patterns:
    """Patterns of one folder, the last of which that matches decides.

    They are asked about a folder before what is in it: what is in an ignored folder is ignored,
    and is not asked about.

    Args:
        lines: The patterns; empty ones and comments are skipped.

    Raises:
        ValueError: A line is no pattern; see :func:`of_lines`.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._names: dict[str, list[_Line]] = {}
        self._others: list[_Line] = []
        for number, line in enumerate(lines):
            self._add(number, line)
        self._others.reverse()

    def _add(self, number: int, line: str) -> None:
        name = _NAME.fullmatch(line)
        if name is not None:
            entry = _Line(number, not name[1], bool(name[3]))
            self._names.setdefault(name[2], []).insert(0, entry)
            return
        from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

        if line.rstrip(" ").endswith("/**/"):
            line = line.rstrip(" ") + "*/"  # pathspec takes x/**/ for x/
        with catch_warnings():
            simplefilter("ignore", FutureWarning)  # of Python about "[[]"
            pattern = GitIgnoreSpecPattern(line)
        expression = pattern.regex
        if pattern.include is not None and expression is not None:
            if expression.pattern == _ANY_FOLDER:
                expression = re.compile(f"{_ANY_FOLDER}$")
            self._others.append(_Line(number, pattern.include, expression=expression))

    def __bool__(self) -> bool:
        return bool(self._names or self._others)

    def verdict(self, path: str, name: str, *, is_folder: bool) -> bool | None:
        """Return True if a path is ignored, False if ``!`` excepts it; None if nothing matches.

        Args:
            path: The path from the folder of the patterns, with ``/`` between its parts.
            name: Its last part.
            is_folder: It is a folder; none above it is ignored.
        """
        best = None
        for line in self._names.get(name, ()):
            if is_folder or not line.only_folders:
                best = line
                break
        target = f"{path}/" if is_folder else path
        for line in self._others:
            if best is not None and line.number < best.number:
                break
            if _matches(line.expression, target, is_folder=is_folder):
                return line.ignores
        return None if best is None else best.ignores


def _matches(expression: re.Pattern[str] | None, target: str, *, is_folder: bool) -> bool:
    """Return whether a pattern matches a path itself, not only a folder above it."""
    match = None if expression is None else expression.search(target)
    if match is None:
        return False
    if _FOLDER_END in match.re.groupindex and match[_FOLDER_END]:
        return match.end() == len(target)
    return not is_folder or match.end() < len(target)


@lru_cache(maxsize=1 << 8)  # most settings files have the same usual patterns
def of_settings(lines: tuple[str, ...]) -> Patterns:
    """Return patterns of settings or of the command line; the same object for equal ones.

    A leading ``./`` is the folder, which it is not in ``.gitignore``.

    Raises:
        ValueError: A line is no pattern.
    """
    return Patterns(line[1:] if line.startswith("./") else line for line in lines)


def of_lines(lines: Iterable[str]) -> Patterns:
    """Return the patterns of a ``.gitignore``; as in git, an invalid line matches nothing."""
    valid = []
    for line in lines:
        try:
            Patterns((line,))
        except ValueError:
            continue
        valid.append(line)
    return Patterns(valid)


class Scope(NamedTuple):
    """Patterns at a folder that is walked: what comes before a name in the paths they match."""

    patterns: Patterns
    prefix: str

    def below(self, name: str) -> Scope:
        """Return the same patterns in a subfolder."""
        return Scope(self.patterns, f"{self.prefix}{name}/")

    def verdict(self, name: str, *, is_folder: bool) -> bool | None:
        """Return the verdict on a name in the folder; see :meth:`Patterns.verdict`."""
        return self.patterns.verdict(self.prefix + name, name, is_folder=is_folder)


def scope(patterns: Patterns, base: str, folder: str) -> Scope:
    """Return patterns of one folder at another one, which may be outside.

    Args:
        patterns: The patterns.
        base: The absolute path of the folder from which they count.
        folder: The absolute path of the folder that is walked.
    """
    return Scope(patterns, prefix(base, folder))


def prefix(base: str, folder: str) -> str:
    """Return the path from one absolute folder to another, with a final ``/`` unless empty."""
    if folder == base:
        return ""
    above = base if base.endswith(os.sep) else base + os.sep
    if folder.startswith(above):
        return f"{folder[len(above) :]}/".replace(os.sep, "/")
    path = os.path.splitdrive(folder)[1].replace(os.sep, "/").strip("/")
    return f"{OUTSIDE}/{path}/" if path else f"{OUTSIDE}/"

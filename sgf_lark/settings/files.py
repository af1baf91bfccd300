"""The records in a folder: the walk that skips what settings and ``.gitignore`` exclude.

``pathspec`` translates each pattern.  Names without a wildcard, which most patterns are, are
looked up: a walk over 500,000 files has no time for twenty expressions a file.

The ``.gitignore`` files count only inside a repository, up to its root, and with its
``.git/info/exclude``; the file of a deeper folder comes first.  Source: gitignore(5),
gitrepository-layout(5).
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias
from warnings import catch_warnings, simplefilter

from sgf_lark.core import OUTSIDE, prefix

#: The expression of pathspec for ``*/`` and ``**/``, which finds any folder above, too.
_ANY_FOLDER = "(?P<ps_d>/)"

#: The group of pathspec that matches the end of a folder.
_FOLDER_END = "ps_d"

#: A pattern that is a name, or the name of a folder.
_NAME = re.compile(r"(!?)([^\s*?\[\]\\/!#][^*?\[\]\\/\s]*)(/?)")


#: The name of the file, and that of the folder (or file) that makes a folder a repository.
GITIGNORE, GIT = ".gitignore", ".git"

#: Limit of a file of patterns in bytes.
MAX_BYTES = 1 << 20


class Patterns:
    """Patterns of one folder, the last of which that matches decides.

    They are asked about a folder before what is in it: what is in an ignored folder is ignored,
    and is not asked about.  A line that is no pattern is a ValueError.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        #: Numbers and verdicts of names (of files and folders, of folders), and of expressions.
        self._names: dict[tuple[str, bool], tuple[int, bool]] = {}
        self._others: list[tuple[int, bool, re.Pattern[str]]] = []
        for number, line in enumerate(lines):
            if name := _NAME.fullmatch(line):
                for is_folder in (True,) if name[3] else (False, True):
                    self._names[name[2], is_folder] = number, not name[1]
            elif found := _translate(line):
                self._others.insert(0, (number, *found))

    def __bool__(self) -> bool:
        return bool(self._names or self._others)

    def verdict(self, path: str, name: str, *, is_folder: bool) -> bool | None:
        """Return True if a path is ignored, False if ``!`` excepts it; None if nothing matches.

        Args:
            path: The path from the folder of the patterns, with ``/`` between its parts.
            is_folder: It is a folder; none above it is ignored.
        """
        last, verdict = self._names.get((name, is_folder), (-1, None))
        target = f"{path}/" if is_folder else path
        for number, ignores, expression in self._others:
            if number < last:
                break
            if _matches(expression, target, is_folder=is_folder):
                return ignores
        return verdict


def _matches(expression: re.Pattern[str], target: str, *, is_folder: bool) -> bool:
    match = expression.search(target)
    if match is None:
        return False
    if _FOLDER_END in expression.groupindex and match[_FOLDER_END]:
        return match.end() == len(target)
    return not is_folder or match.end() < len(target)


def _translate(line: str) -> tuple[bool, re.Pattern[str]] | None:
    """Return verdict and expression of a pattern; None for a comment."""
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    if line.rstrip(" ").endswith("/**/"):
        line = line.rstrip(" ") + "*/"  # pathspec takes x/**/ for x/
    with catch_warnings():
        simplefilter("ignore", FutureWarning)  # of Python about "[[]"
        pattern = GitIgnoreSpecPattern(line)
    expression = pattern.regex
    if pattern.include is None or expression is None:
        return None
    is_any = expression.pattern == _ANY_FOLDER
    return pattern.include, re.compile(f"{_ANY_FOLDER}$") if is_any else expression


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

    def is_valid(line: str) -> bool:
        try:
            return bool(Patterns((line,)))
        except ValueError:
            return False

    return Patterns(filter(is_valid, lines))


#: Patterns with the absolute path of the folder from which each counts; the first verdict decides.
Layers: TypeAlias = tuple[tuple[Patterns, str], ...]


def _asker(layers: Layers, folder: str) -> Callable[[str, bool], bool]:
    """Return the function that tells if patterns ignore a name in a folder, and if it is one."""
    here = [(patterns.verdict, prefix(base, folder)) for patterns, base in layers if patterns]

    def ignores(name: str, is_folder: bool) -> bool:  # noqa: FBT001
        found = (ask(start + name, name, is_folder=is_folder) for ask, start in here)
        return next((verdict for verdict in found if verdict is not None), False)

    return ignores


# ---- git ----


def _git_above(folder: str) -> Layers | None:
    """Return the patterns that files above a folder have; None outside repositories."""
    above: list[Path] = []
    for parent in Path(folder).parents:
        above.insert(0, parent)
        if os.path.lexists(parent / GIT):
            layers: Layers | None = None
            for here in above:
                names = [name for name in (GIT, GITIGNORE) if os.path.lexists(here / name)]
                layers = _git_in(layers, os.fspath(here), names)
            return layers
    return None


def _git_in(layers: Layers | None, folder: str, names: Collection[str]) -> Layers | None:
    """Return the patterns for what is in a folder with some names, its own file first."""
    if GIT in names:  # a repository begins
        layers = _read(_git_folder(folder) / "info" / "exclude", folder)
    if layers is not None and GITIGNORE in names:
        layers = (*_read(Path(folder, GITIGNORE), folder), *layers)
    return layers


def _read(file: Path, folder: str) -> Layers:
    try:
        if not file.is_file() or file.stat().st_size > MAX_BYTES:
            return ()
        text = file.read_bytes().decode("utf-8-sig", errors="surrogateescape")
    except OSError:
        return ()
    return ((of_lines(line.removesuffix("\r") for line in text.split("\n")), folder),)


def _git_folder(folder: str) -> Path:
    """Return the folder with the ``info`` of a repository; a worktree and a submodule name it."""
    git = Path(folder, GIT)
    try:
        if git.is_file():
            named = git.read_text(encoding="utf-8", errors="surrogateescape")
            git = Path(folder, named.removeprefix("gitdir:").strip())
        common = git / "commondir"
        if common.is_file():
            return git / common.read_text(encoding="utf-8", errors="surrogateescape").strip()
    except (OSError, ValueError):
        pass
    return git


# ---- the choice of records ----

#: Tells a record by its name, where no pattern does.
IsRecord: TypeAlias = Callable[[str], bool]


class Found(NamedTuple):
    """A record, or what cannot be read: a folder, or a name that is no file."""

    path: str  # the path, which begins with that of the folder as it was given
    real: str  # the same without links, by which a file is known
    error: OSError | None = None  # none, or the reason why it cannot be read


class RecordChoice(NamedTuple):
    """The choice of records in a folder and below, as far as one settings file applies."""

    # the patterns that exclude, each with the absolute path of its folder; the first one with a
    # verdict decides
    excluded: Layers = ()
    # the patterns of records, with the folder; None for those by their suffix
    included: tuple[Patterns, str] | None = None
    respects_git: bool = True


class Selections(Protocol):
    def at(self, folder: str, names: Container[str] | None = None) -> RecordChoice | None:
        """Return the selection that begins to apply at a folder; None for that of its parent."""


def is_excluded(path: str, selection: RecordChoice) -> bool:
    """Return whether patterns exclude a file, or a folder above it; git has no say in this."""
    layers = selection.excluded
    here, name = os.path.split(os.path.abspath(path))  # noqa: PTH100  # links stay
    is_folder = False
    while layers:
        if _asker(layers, here)(name, is_folder):
            return True
        here, name = os.path.split(here)
        layers = tuple(one for one in layers if not prefix(one[1], here).startswith(OUTSIDE))
        is_folder = True
    return False


# ---- walks ----

#: Messages about entries that are not read.
IS_LINK = "it is a link, which is not followed"
NO_FILE = "it is a pipe, a socket or a device, and no file"


def walk_in_order(folder: str, is_record: IsRecord, key: Callable[[str], str]) -> Iterator[Found]:
    """Yield all records in a folder and below in the order of their paths, as texts.

    No settings and no ``.gitignore`` exclude any, and no link is followed.  A link, pipe, socket
    or device with the name of a record, and a link to a folder, is yielded with an error.
    """
    waiting = [(Found(folder, os.path.realpath(folder)), True)]
    while waiting:
        here, is_folder = waiting.pop()
        if not is_folder:
            yield here
            continue
        try:
            entries = _entries(here.path)
        except OSError as error:
            yield Found(here.path + os.sep, here.real, error)
            continue
        found: list[tuple[str, Found, bool]] = []
        for name, entry in entries.items():
            path, real = _joined(here.path, name), _joined(here.real, name)
            if _is_folder(entry):
                found.append((key(name) + os.sep, Found(path, real), True))
            elif is_record(name) or _is_link_to_folder(entry):
                found.append((key(name), Found(path, real, _fault(entry)), False))
        found.sort(key=itemgetter(0), reverse=True)
        waiting += map(itemgetter(1, 2), found)


def walk_folder(
    folder: str, selections: Selections, is_record: IsRecord, skipped: list[str] | None = None
) -> Iterator[Found]:
    """Yield the records in a folder and below, sorted by name, files before subfolders.

    Excluded folders are not read.  Links to folders, and links to files outside the folder, are
    skipped, and so are pipes, sockets and devices, which nobody may ever write to.  The folder
    itself is walked even if it is excluded.
    """
    top = os.path.abspath(folder)  # noqa: PTH100  # links stay
    top_real = os.path.realpath(folder)
    waiting = [(folder, top, top_real, selections.at(top) or RecordChoice(), _git_above(top))]
    while waiting:
        path, absolute, real, choice, git = waiting.pop()
        try:
            names = _entries(path)
        except OSError as error:
            yield Found(path, real, error)
            continue
        choice = selections.at(absolute, names) or choice
        git = _git_in(git, absolute, names)
        excludes = _asker(choice.excluded, absolute)
        ignores = _asker(git or () if choice.respects_git else (), absolute)
        included = choice.included
        includes = _asker((included,), absolute) if included else lambda name, _: is_record(name)
        subfolders = []
        for name in sorted(names):
            entry = names[name]
            is_folder = _is_folder(entry)
            if not is_folder and not includes(name, False):  # noqa: FBT003
                continue
            if excludes(name, is_folder) or ignores(name, is_folder):
                if skipped is not None and absolute == top:
                    skipped.append(name)
                continue
            path_below, real_below = _joined(path, name), _joined(real, name)
            if is_folder:
                below = path_below, _joined(absolute, name), real_below
                subfolders.append((*below, choice, git))
            elif entry.is_file(follow_symlinks=False):
                yield Found(path_below, real_below)
            elif entry.is_symlink() and (target := _target(entry, top_real)) is not None:
                yield Found(path_below, target)
        waiting += reversed(subfolders)


def _entries(folder: str) -> dict[str, os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return {entry.name: entry for entry in entries}


def _joined(folder: str, name: str) -> str:
    return folder + name if folder.endswith(os.sep) else folder + os.sep + name


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _is_link_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_symlink() and entry.is_dir()
    except OSError:
        return False


def _fault(entry: os.DirEntry[str]) -> OSError | None:
    """Return the reason why an entry is not read; None for a file."""
    try:
        if entry.is_file(follow_symlinks=False):
            return None
        return OSError(errno.EINVAL, IS_LINK if entry.is_symlink() else NO_FILE, entry.path)
    except OSError as error:
        return error


def _target(entry: os.DirEntry[str], top: str) -> str | None:
    """Return the file that a link names; None for a folder or pipe, and outside ``top``.

    A link to nothing gives a path, so that opening it tells the reason.
    """
    target = os.path.realpath(entry.path)
    is_other = os.path.exists(target) and not os.path.isfile(target)  # noqa: PTH110, PTH113
    return None if is_other or os.path.commonpath([top, target]) != top else target

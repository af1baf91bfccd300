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
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias
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

    @classmethod
    def at(cls, folder: str, patterns: Patterns, base: str) -> Scope:
        """Return patterns of one folder at another one, which may be outside.

        Args:
            folder: The absolute path of the folder that is walked.
            patterns: The patterns.
            base: The absolute path of the folder from which they count.
        """
        return cls(patterns, prefix(base, folder))

    def below(self, name: str) -> Scope:
        """Return the same patterns in a subfolder."""
        return Scope(self.patterns, f"{self.prefix}{name}/")

    def verdict(self, name: str, *, is_folder: bool) -> bool | None:
        """Return the verdict on a name in the folder; see :meth:`Patterns.verdict`."""
        return self.patterns.verdict(self.prefix + name, name, is_folder=is_folder)


def prefix(base: str, folder: str) -> str:
    """Return the path from one absolute folder to another, with a final ``/`` unless empty."""
    if folder == base:
        return ""
    above = base if base.endswith(os.sep) else base + os.sep
    if folder.startswith(above):
        return f"{folder[len(above) :]}/".replace(os.sep, "/")
    path = os.path.splitdrive(folder)[1].replace(os.sep, "/").strip("/")
    return f"{OUTSIDE}/{path}/" if path else f"{OUTSIDE}/"


#: The name of the file, and that of the folder (or file) that makes a folder a repository.
GITIGNORE, GIT = ".gitignore", ".git"

#: Limit of a file of patterns in bytes.
MAX_BYTES = 1 << 20

#: The patterns that apply to a folder, those of the deepest file first; None outside repositories.
Scopes: TypeAlias = tuple[Scope, ...] | None


def find_scopes(folder: str) -> Scopes:
    """Return the patterns that files above a folder have for it; not those of its own file.

    Args:
        folder: An absolute path.
    """
    above = [*Path(folder).parents]
    inside = []
    for parent in above:
        inside.append(parent)
        if os.path.lexists(parent / GIT):
            break
    else:
        return None
    scopes: Scopes = None
    steps = [*reversed(inside), Path(folder)]
    for here, deeper in pairwise(steps):
        names = [name for name in (GIT, GITIGNORE) if os.path.lexists(here / name)]
        scopes = scopes_below(enter_folder(scopes, os.fspath(here), names), deeper.name)
    return scopes


def enter_folder(scopes: Scopes, folder: str, names: Collection[str]) -> Scopes:
    """Return the patterns for what is in a folder, those of its own file included.

    Args:
        scopes: Those that files above have for the folder.
        folder: Its absolute path.
        names: The names in it.
    """
    if GIT in names:  # a repository begins
        exclude = _read(_git_folder(folder) / "info" / "exclude")
        scopes = () if exclude is None else (Scope(exclude, ""),)
    if scopes is not None and GITIGNORE in names:
        own = _read(Path(folder, GITIGNORE))
        if own is not None:
            scopes = (Scope(own, ""), *scopes)
    return scopes


def scopes_below(scopes: Scopes, name: str) -> Scopes:
    """Return the patterns of a folder for one of its subfolders."""
    return None if scopes is None else tuple([one.below(name) for one in scopes])


def is_ignored(scopes: Scopes, name: str, *, is_folder: bool) -> bool:
    """Return whether the patterns of a folder ignore a name in it."""
    for one in scopes or ():
        verdict = one.verdict(name, is_folder=is_folder)
        if verdict is not None:
            return verdict
    return False


def _read(file: Path) -> Patterns | None:
    """Return the patterns of a file; None if it has none, or cannot be read."""
    try:
        if not file.is_file() or file.stat().st_size > MAX_BYTES:
            return None
        data = file.read_bytes()
    except OSError:
        return None
    text = data.decode("utf-8-sig", errors="surrogateescape")
    return of_lines(line.removesuffix("\r") for line in text.split("\n")) or None


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


#: Tells a record by its name, where no pattern does.
IsRecord: TypeAlias = Callable[[str], bool]


class Found(NamedTuple):
    """A record, or what cannot be read: a folder, or a name that is no file.

    Attributes:
        path: The path, which begins with that of the folder as it was given.
        real: The same without links, by which a file is known.
        error: None, or the reason why it cannot be read.
    """

    path: str
    real: str
    error: OSError | None = None


class RecordChoice(NamedTuple):
    """The choice of records in a folder and below, as far as one settings file applies.

    Attributes:
        excluded: The patterns that exclude, each with the absolute path of its folder; the first
            one with a verdict decides.
        included: The patterns of records, with the folder; None for those by their suffix.
        respects_git: What a repository ignores is excluded, too.
    """

    excluded: tuple[tuple[Patterns, str], ...] = ()
    included: tuple[Patterns, str] | None = None
    respects_git: bool = True

    def at(self, folder: str) -> Scoped:
        """Return the selection at a folder, an absolute path."""
        scopes = tuple([Scope.at(folder, *pair) for pair in self.excluded if pair[0]])
        included = None if self.included is None else Scope.at(folder, *self.included)
        return Scoped(self, scopes, included)


class Scoped(NamedTuple):
    """A selection at a folder that is walked."""

    selection: RecordChoice
    excluded: tuple[Scope, ...]
    included: Scope | None

    def below(self, name: str) -> Scoped:
        """Return the selection at a subfolder."""
        included = None if self.included is None else self.included.below(name)
        excluded = tuple([one.below(name) for one in self.excluded])
        return Scoped(self.selection, excluded, included)

    def excludes(self, name: str, *, is_folder: bool) -> bool:
        """Return whether patterns exclude a name in the folder."""
        for one in self.excluded:
            verdict = one.verdict(name, is_folder=is_folder)
            if verdict is not None:
                return verdict
        return False

    def includes(self, name: str, is_record: IsRecord) -> bool:
        """Return whether a file of the folder is a record by its name."""
        if self.included is None:
            return is_record(name)
        return self.included.verdict(name, is_folder=False) is True


class Selections(Protocol):
    """The selection of each folder."""

    def at(self, folder: str, names: Container[str] | None = None) -> RecordChoice | None:
        """Return the selection that begins to apply at a folder; None for that of its parent.

        Args:
            folder: The absolute path.
            names: The names in it; None for the folder where a walk begins, which has a selection
                in any case.
        """


def is_excluded(path: str, selection: RecordChoice) -> bool:
    """Return whether patterns exclude a file, or a folder above it; git has no say in this."""
    here, name = os.path.split(os.path.abspath(path))  # noqa: PTH100  # links stay
    is_folder = False
    while True:
        inside = tuple(
            [pair for pair in selection.excluded if not is_folder or _is_in(here, pair[1])]
        )
        if not inside:
            return False
        if selection._replace(excluded=inside).at(here).excludes(name, is_folder=is_folder):
            return True
        here, name = os.path.split(here)
        is_folder = True


def _is_in(path: str, folder: str) -> bool:
    """Return whether an absolute path is a folder or below it."""
    return not prefix(folder, path).startswith(OUTSIDE)


def walk_in_order(folder: str, is_record: IsRecord, key: Callable[[str], str]) -> Iterator[Found]:
    """Yield all records in a folder and below in the order of their paths, as texts.

    No settings and no ``.gitignore`` exclude any, and no link is followed.  A link, pipe, socket
    or device with the name of a record, and a link to a folder, is yielded with an error.

    Args:
        folder: The path of a folder, which may be a link.
        is_record: Tells a record by its name.
        key: Returns the text by which a name is ordered.
    """
    waiting: list[Found | _Names] = [_Names(folder, os.path.realpath(folder))]
    while waiting:
        here = waiting.pop()
        if isinstance(here, Found):
            yield here
            continue
        try:
            with os.scandir(here.path) as opened:
                entries = list(opened)
        except OSError as error:
            yield Found(here.path + os.sep, here.real, error)
            continue
        found: list[tuple[str, Found | _Names]] = []
        for entry in entries:
            path, real = _joined(here.path, entry.name), _joined(here.real, entry.name)
            if _is_folder(entry):
                found.append((key(entry.name) + os.sep, _Names(path, real)))
            elif is_record(entry.name) or _is_link_to_folder(entry):
                found.append((key(entry.name), Found(path, real, _fault(entry))))
        found.sort(key=itemgetter(0), reverse=True)
        waiting += map(itemgetter(1), found)


class _Names(NamedTuple):
    """A folder that is walked: its path, and the same without links."""

    path: str
    real: str


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
        words = IS_LINK if entry.is_symlink() else NO_FILE
    except OSError as error:
        return error
    return OSError(errno.EINVAL, words, entry.path)


#: Messages about entries that are not read.
IS_LINK = "it is a link, which is not followed"
NO_FILE = "it is a pipe, a socket or a device, and no file"


def walk(
    folder: str, selections: Selections, is_record: IsRecord, skipped: list[str] | None = None
) -> Iterator[Found]:
    """Yield the records in a folder and below, sorted by name, files before subfolders.

    Excluded folders are not read.  Links to folders, and links to files outside the folder, are
    skipped, and so are pipes, sockets and devices, which nobody may ever write to.  The folder
    itself is walked even if it is excluded.

    Args:
        folder: The path of a folder.
        selections: The selection of each folder.
        is_record: Tells a record by its name, where the selection has no patterns of records.
        skipped: Gets the names of excluded records and folders in the folder itself.
    """
    top = os.path.abspath(folder)  # noqa: PTH100  # links stay
    real = os.path.realpath(folder)
    first = selections.at(top) or RecordChoice()
    waiting = [_Folder(folder, top, real, first.at(top), find_scopes(top))]
    while waiting:
        here = waiting.pop()
        names = here.read()
        if names is None:
            yield Found(here.path, here.real, here.error)
            continue
        here = here.entered(selections, names)
        subfolders = []
        for name in sorted(names):
            entry = names[name]
            is_folder = _is_folder(entry)
            if not is_folder and not here.selected.includes(name, is_record):
                continue
            if here.skips(name, is_folder=is_folder):
                if skipped is not None and here.absolute == top:
                    skipped.append(name)
            elif is_folder:
                subfolders.append(here.below(name))
            elif entry.is_file(follow_symlinks=False):
                yield Found(_joined(here.path, name), _joined(here.real, name))
            elif entry.is_symlink() and (target := _target(entry, real)) is not None:
                yield Found(_joined(here.path, name), target)
        waiting += reversed(subfolders)


class _Folder:
    """A folder that is walked.

    Args:
        path: The path as it was given.
        absolute: The same from the root.
        real: The same without links.
        selected: The selection that applies.
        git: The patterns of the files of a repository above it.
    """

    def __init__(self, path: str, absolute: str, real: str, selected: Scoped, git: Scopes) -> None:
        self.path = path
        self.absolute = absolute
        self.real = real
        self.selected = selected
        self.git = git
        self.error: OSError | None = None

    def read(self) -> dict[str, os.DirEntry[str]] | None:
        """Return the entries of the folder; None if it cannot be read."""
        try:
            with os.scandir(self.path) as entries:
                return {entry.name: entry for entry in entries}
        except OSError as error:
            self.error = error
            return None

    def entered(self, selections: Selections, names: Collection[str]) -> _Folder:
        """Return the folder with what its own files say."""
        own = selections.at(self.absolute, names)
        if own is not None:
            self.selected = own.at(self.absolute)
        self.git = enter_folder(self.git, self.absolute, names)
        return self

    def below(self, name: str) -> _Folder:
        """Return a subfolder."""
        return _Folder(
            _joined(self.path, name),
            _joined(self.absolute, name),
            _joined(self.real, name),
            self.selected.below(name),
            scopes_below(self.git, name),
        )

    def skips(self, name: str, *, is_folder: bool) -> bool:
        """Return whether a name in the folder is excluded."""
        if self.selected.excluded and self.selected.excludes(name, is_folder=is_folder):
            return True
        if not self.git or not self.selected.selection.respects_git:
            return False
        return is_ignored(self.git, name, is_folder=is_folder)


def _joined(folder: str, name: str) -> str:
    return folder + name if folder.endswith(os.sep) else folder + os.sep + name


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry is a folder, and no link to one."""
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _target(entry: os.DirEntry[str], top: str) -> str | None:
    """Return the file that a link names; None for a folder or pipe, and outside ``top``.

    A link to nothing gives a path, so that opening it tells the reason.
    """
    target = os.path.realpath(entry.path)
    is_other = os.path.exists(target) and not os.path.isfile(target)  # noqa: PTH110, PTH113
    if is_other or os.path.commonpath([top, target]) != top:
        return None
    return target

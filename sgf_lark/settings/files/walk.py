"""The records in a folder: the walk that skips what settings and ``.gitignore`` exclude."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Collection, Container, Iterator
from operator import itemgetter
from typing import NamedTuple, Protocol, TypeAlias

from sgf_lark.settings.files import gitignore
from sgf_lark.settings.files.patterns import OUTSIDE, Patterns, Scope, prefix, scope

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
        scopes = tuple([scope(*pair, folder) for pair in self.excluded if pair[0]])
        included = None if self.included is None else scope(*self.included, folder)
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
    waiting = [_Folder(folder, top, real, first.at(top), gitignore.at_folder(top))]
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

    def __init__(
        self, path: str, absolute: str, real: str, selected: Scoped, git: gitignore.Scopes
    ) -> None:
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
        self.git = gitignore.enter(self.git, self.absolute, names)
        return self

    def below(self, name: str) -> _Folder:
        """Return a subfolder."""
        return _Folder(
            _joined(self.path, name),
            _joined(self.absolute, name),
            _joined(self.real, name),
            self.selected.below(name),
            gitignore.below(self.git, name),
        )

    def skips(self, name: str, *, is_folder: bool) -> bool:
        """Return whether a name in the folder is excluded."""
        if self.selected.excluded and self.selected.excludes(name, is_folder=is_folder):
            return True
        if not self.git or not self.selected.selection.respects_git:
            return False
        return gitignore.is_ignored(self.git, name, is_folder=is_folder)


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

"""The ``.gitignore`` files of a repository: which apply to a folder.

Only inside a repository, up to its root, and with its ``.git/info/exclude``; the file of a
deeper folder comes first.  Source: gitignore(5), gitrepository-layout(5).
"""

from __future__ import annotations

import os
from collections.abc import Collection
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

from sgf_lark.settings.files.patterns import Patterns, Scope, of_lines

#: The name of the file, and that of the folder (or file) that makes a folder a repository.
GITIGNORE, GIT = ".gitignore", ".git"

#: Limit of a file of patterns in bytes.
MAX_BYTES = 1 << 20

#: The patterns that apply to a folder, those of the deepest file first; None outside repositories.
Scopes: TypeAlias = tuple[Scope, ...] | None


def at_folder(folder: str) -> Scopes:
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
        scopes = below(enter(scopes, os.fspath(here), _names(here)), deeper.name)
    return scopes


def _names(folder: Path) -> list[str]:
    return [name for name in (GIT, GITIGNORE) if os.path.lexists(folder / name)]


def enter(scopes: Scopes, folder: str, names: Collection[str]) -> Scopes:
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


def below(scopes: Scopes, name: str) -> Scopes:
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

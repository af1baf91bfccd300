"""The owner of the repository, in its address that pyproject.toml and pages have.

``python -m tests.support.owner NAME`` writes the name into all of them.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

from .places import ROOT

#: The name of nobody: the address is not known yet.
PLACEHOLDER = "OWNER"

#: Names that GitHub gives.
_NAME = re.compile(r"(?=.{1,39}\Z)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")

#: An address of the project at its host.
ADDRESS = re.compile(r"https://github\.com/[\w-]+/sgf_lark\b")


def address_of(root: Path) -> str:
    """Return the address that pyproject.toml gives."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["urls"]["Repository"])


def pages(root: Path) -> list[Path]:
    """Return pyproject.toml and the pages of a checkout that may have the address."""
    folders = ("sgf_lark", "grammars", "tests")
    inside = (file for folder in folders for file in (root / folder).rglob("*.md"))
    return [root / "pyproject.toml", *root.glob("*.md"), *sorted(inside)]


def set_owner(root: Path, name: str) -> list[Path]:
    """Write the address with this owner, and return the files that were changed.

    Raises:
        ValueError: Nobody can have the name, or a page has another address than pyproject.toml.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of an owner: letters, digits, single hyphens inside")
    old = address_of(root)
    new = f"https://github.com/{name}/sgf_lark"
    texts = {file: file.read_text(encoding="utf-8") for file in pages(root)}
    for file, text in texts.items():
        if other := {*ADDRESS.findall(text)} - {old}:
            raise ValueError(f"{file} has {other.pop()}, and pyproject.toml has {old}")
    named = [file for file, text in texts.items() if ADDRESS.search(text)]
    for file in named:
        file.write_text(ADDRESS.sub(new, texts[file]), encoding="utf-8")
    return named


if __name__ == "__main__":
    if len(sys.argv) != 2:  # the program and a name
        sys.exit("usage: python -m tests.support.owner NAME")
    try:
        changed = set_owner(ROOT, sys.argv[1])
    except ValueError as error:
        sys.exit(f"error: {error}")
    print(*(file.relative_to(ROOT) for file in changed), sep="\n")  # noqa: T201

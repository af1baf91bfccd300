"""The house in numbers: modules, folders, imports, floors, docstrings, caches.

``python -m tests.support.house [FOLDER]`` prints them for a folder of Python modules, the
package of this checkout if none is named; a checkout of another commit gives the numbers
of before.  ``--lanes`` also runs both lanes of the tests and prints their seconds.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
import time
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parents[2] / "sgf_lark"

#: Openings that say neither what comes back nor what a thing is.
QUESTIONS = re.compile(r"(What|How|Whether|Where|Which)\b")

#: Dictionaries of a process or an object that remember results.
_CACHE = re.compile(
    r"@(?:\w+\.)?(?:lru_cache|cache)\b|_known\b[^=\n]*= *(?:\{|dict)|_seen\b[^=\n]*= *(?:\{|dict)"
)


class Import(NamedTuple):
    """One import of one of our modules by another; names of modules without the package's."""

    importer: str
    imported: str
    line: int

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.imported}"


class House:
    """The modules of a package, parsed.

    Attributes:
        modules: A tree for each module by its dotted name; a package's ``__init__`` has the
            name of the package, the one at the top ``__init__``.
    """

    def __init__(self, folder: Path = PACKAGE) -> None:
        self.folder = folder
        self.files: dict[str, Path] = {}
        for file in sorted(folder.rglob("*.py")):
            parts = file.relative_to(folder).with_suffix("").parts
            if parts[-1] == "__init__" and len(parts) > 1:
                parts = parts[:-1]
            self.files[".".join(parts)] = file
        self.texts = {name: file.read_text(encoding="utf-8") for name, file in self.files.items()}
        self.modules = {name: ast.parse(text) for name, text in self.texts.items()}
        self.imports = [one for name in self.modules for one in self._imports_of(name)]

    def is_package(self, module: str) -> bool:
        """Return whether a module is the ``__init__`` of a folder."""
        return self.files[module].name == "__init__.py"

    def package(self, module: str) -> str:
        """Return the package that a module is in; "" at the top."""
        return (
            module
            if self.is_package(module) and module != "__init__"
            else module.rpartition(".")[0]
        )

    def _imports_of(self, module: str) -> list[Import]:
        """List all imports of ours, those for types and those inside of functions, too."""
        top = self.folder.name
        package = self.package(module)
        found = []
        for node in ast.walk(self.modules[module]):
            if isinstance(node, ast.Import):
                bases = [(alias.name, node.lineno) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                above = [top, *filter(None, package.split("."))]
                above = above[: len(above) - node.level + 1] if node.level else []
                base = ".".join([*above, *filter(None, [node.module])])
                bases = [(f"{base}.{alias.name}", node.lineno) for alias in node.names]
            else:
                continue
            found += [
                Import(module, name, line)
                for base, line in bases
                if (name := self._module_of(base)) is not None and name != module
            ]
        return found

    def _module_of(self, name: str) -> str | None:
        top, _, rest = name.partition(".")
        if top != self.folder.name:
            return None
        while rest and rest not in self.modules:
            rest = rest.rpartition(".")[0]
        return rest or "__init__"

    def circles(self) -> list[list[str]]:
        """Return the groups of modules that import each other, directly or not."""
        edges: dict[str, set[str]] = {name: set() for name in self.modules}
        for one in self.imports:
            if not self.is_package(one.imported):
                edges[one.importer].add(one.imported)
        return [group for group in strongly_connected(edges) if len(group) > 1]

    def _room(self, module: str) -> str:
        return self.package(module) or module

    def _arrows(self) -> set[tuple[str, str]]:
        return {(one.importer, one.imported) for one in self.imports if one.imported != "__init__"}

    def floors(self) -> int:
        """Return the length of the longest chain of packages that import one another."""
        return floors({(self._room(start), self._room(end)) for start, end in self._arrows()})

    def floors_of_modules(self) -> int:
        """Return the length of the longest chain of modules that import one another."""
        return floors(self._arrows())

    def folders(self) -> Counter[str]:
        """Count the modules of each folder, without ``__init__``."""
        return Counter(self.package(name) for name in self.modules if not self.is_package(name))

    @staticmethod
    def import_statements(tree: ast.Module) -> list[ast.ImportFrom]:
        """Return the statements ``from .. import`` of a module that name modules of ours."""
        return [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            and (node.level or (node.module or "").startswith(PACKAGE.name))
        ]

    def docstrings(self) -> list[tuple[str, int, str]]:
        """Return module, line and first line of each docstring."""
        kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        return [
            (name, getattr(node, "lineno", 1), text.partition("\n")[0])
            for name, tree in self.modules.items()
            for node in ast.walk(tree)
            if isinstance(node, kinds) and (text := ast.get_docstring(node))
        ]


@cache
def house() -> House:
    """Return the modules of this checkout, parsed once for all tests."""
    return House()


def strongly_connected(edges: dict[str, set[str]]) -> list[list[str]]:
    """Return the strongly connected groups of a graph (Kosaraju), importers before imported."""
    order: list[str] = []
    seen: set[str] = set()
    for root, first in edges.items():
        stack = [(root, iter(sorted(first)))] if root not in seen else []
        seen.add(root)
        while stack:
            node, rest = stack[-1]
            after = next((one for one in rest if one not in seen), None)
            if after is None:
                order.append(node)
                stack.pop()
            else:
                seen.add(after)
                stack.append((after, iter(sorted(edges[after]))))
    back: dict[str, set[str]] = {name: set() for name in edges}
    for name, others in edges.items():
        for other in others:
            back[other].add(name)
    groups, done = [], set[str]()
    for root in reversed(order):
        if root in done:
            continue
        group, todo = [], [root]
        done.add(root)
        while todo:
            node = todo.pop()
            group.append(node)
            new = back[node] - done
            done |= new
            todo += new
        groups.append(sorted(group))
    return groups


def floors(arrows: set[tuple[str, str]]) -> int:
    """Return the most rooms on a way along the arrows; a circle counts as one room."""
    edges: dict[str, set[str]] = {name: set() for arrow in arrows for name in arrow}
    for start, end in arrows:
        edges[start].add(end)
    groups = strongly_connected(edges)
    group_of = {name: number for number, group in enumerate(groups) for name in group}
    height: dict[int, int] = {}
    for number, group in reversed([*enumerate(groups)]):  # what is imported comes later
        below = {group_of[end] for name in group for end in edges[name]} - {number}
        height[number] = 1 + max((height[one] for one in below), default=0)
    return max(height.values(), default=0)


def numbers(house: House) -> dict[str, int | str]:
    """Return the numbers of a house, by what they count."""
    folders = house.folders()
    largest = max(folders, key=lambda one: folders[one])
    docs = house.docstrings()
    questions = sum(QUESTIONS.match(line) is not None for *_, line in docs)
    lines = {name: text.count("\n") for name, text in house.texts.items()}
    longest = max(lines, key=lambda one: lines[one])
    return {
        "modules": sum(folders.values()),
        "folders": len(folders),
        "largest folder": f"{folders[largest]} ({largest or 'top'})",
        "floors of packages": house.floors(),
        "floors of modules": house.floors_of_modules(),
        "circles of modules": len(house.circles()),
        "lines": sum(lines.values()),
        "longest module": f"{lines[longest]} ({longest})",
        "docstrings": len(docs),
        "docstrings that begin with What, How, Whether, Where, Which": questions,
        "memo tables": sum(len(_CACHE.findall(text)) for text in house.texts.values()),
    }


def lane(*arguments: str) -> float:
    """Run the tests with these arguments; return the seconds."""
    start = time.monotonic()
    subprocess.run([sys.executable, "-m", "pytest", "-q", *arguments], check=True)  # noqa: S603
    return time.monotonic() - start


def main() -> None:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description="The house in numbers.")
    parser.add_argument("folder", nargs="?", type=Path, default=PACKAGE)
    parser.add_argument("--lanes", action="store_true", help="run both lanes of the tests, too")
    arguments = parser.parse_args()
    for what, count in numbers(House(arguments.folder)).items():
        print(f"{count!s:>24}  {what}")  # noqa: T201
    if arguments.lanes:
        print(f"{lane():24.0f}  seconds of the day lane")  # noqa: T201
        print(f"{lane('-m', 'night'):24.0f}  seconds of the night lane")  # noqa: T201


if __name__ == "__main__":
    main()

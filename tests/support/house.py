"""The house in numbers: code lines, names, imports, circles, docstrings, caches, walks.

``python -m tests.support.house [FOLDER ...]`` prints them for a package, that of this checkout if
none is named; the folder of another checkout gives the numbers of its commit, and several folders
a column each, such as before and after.  ``--lanes`` also runs both lanes of the tests and prints
their seconds.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import time
import tokenize
from collections import Counter
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parents[2] / "sgf_lark"

#: The program that counts modules at run time; it knows nothing of this folder's modules.
WALKS = Path(__file__).parent / "walks.py"

#: Openings that say neither what comes back nor what a thing is.
QUESTIONS = re.compile(r"(What|How|Whether|Where|Which)\b")

#: Dictionaries of a process or an object that remember results.
_CACHE = re.compile(
    r"@(?:\w+\.|partial\()?(?:lru_cache|cache|by_grammar)\b"
    r"|_known\b[^=\n]*= *(?:\{|dict)|_seen\b[^=\n]*= *(?:\{|dict)"
)

#: Tokens that are no code.
_NO_CODE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE),
    *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
}

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)

#: Classes of what a game is made of, which no code asks for: there is one form.
_FORMS = {"Tape", "Nodes", "UnreadNodes"}

#: Lines of a function that is short.
_SHORT = 2


class Import(NamedTuple):
    """One import of one of our modules by another; names of modules without the package's."""

    importer: str
    imported: str
    line: int

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.imported}"


class House:
    """The modules of a package, parsed when somebody asks for that."""

    def __init__(self, folder: Path = PACKAGE) -> None:
        self.folder = folder
        self.files: dict[str, Path] = {}
        for file in sorted(folder.rglob("*.py")):
            parts = file.relative_to(folder).with_suffix("").parts
            if parts[-1] == "__init__" and len(parts) > 1:
                parts = parts[:-1]
            self.files[".".join(parts)] = file
        self.texts = {name: file.read_text(encoding="utf-8") for name, file in self.files.items()}

    @cached_property
    def modules(self) -> dict[str, ast.Module]:
        """A tree for each module by its dotted name.

        A package's ``__init__`` has the name of the package, the one at the top ``__init__``.
        """
        return {name: ast.parse(text) for name, text in self.texts.items()}

    @cached_property
    def nodes(self) -> dict[str, list[ast.AST]]:
        """All nodes of each of those trees."""
        return {name: list(ast.walk(tree)) for name, tree in self.modules.items()}

    @cached_property
    def imports(self) -> list[Import]:
        """All imports of our modules by each other."""
        return [one for name in self.modules for one in self._imports_of(name)]

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
        """List all imports of ours: those for types, in functions and by name, too.

        ``import_module`` counts if its name is written out.
        """
        top = self.folder.name
        package = f"{top}.{self.package(module)}".rstrip(".")
        found = []
        for node in self.nodes[module]:
            match node:
                case ast.Import():
                    bases = [alias.name for alias in node.names]
                case ast.ImportFrom():
                    start = "." * node.level + (f"{node.module}." if node.module else "")
                    bases = [start + alias.name for alias in node.names]
                case ast.Call(func=func, args=[ast.Constant(value=str() as name), *_]) if (
                    "import_module" in {getattr(func, "id", ""), getattr(func, "attr", "")}
                ):
                    bases = [name]
                case _:
                    continue
            for base in bases:
                imported = self._module_of(importlib.util.resolve_name(base, package))
                if imported is not None and imported != module:
                    found.append(Import(module, imported, node.lineno))
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

    def import_statements(self, module: str) -> list[ast.ImportFrom]:
        """Return the statements ``from .. import`` of a module that name modules of ours."""
        return [
            node
            for node in self.nodes[module]
            if isinstance(node, ast.ImportFrom)
            and (node.level or (node.module or "").startswith(PACKAGE.name))
        ]

    def docstrings(self) -> list[tuple[str, int, str]]:
        """Return module, line and first line of each docstring."""
        return [
            (name, getattr(node, "lineno", 1), text.partition("\n")[0])
            for name, nodes in self.nodes.items()
            for node in nodes
            if isinstance(node, _DOCUMENTED) and (text := ast.get_docstring(node))
        ]

    def code_lines(self) -> int:
        """Count the lines with code: no docstrings, comments, blanks."""
        return sum(len(self._code_lines_of(module)) for module in self.modules)

    def docstring_lines(self) -> int:
        """Count the lines of docstrings."""
        return sum(len(_lines_of_docstrings(tree)) for tree in self.modules.values())

    def lines_of_frame(self) -> int:
        """Count the lines with code that are imports, or heads of functions and classes."""
        return sum(
            len(
                {line for node in nodes for line in _lines_of_frame(node)}
                & self._code_lines_of(name)
            )
            for name, nodes in self.nodes.items()
        )

    def defined(self, *kinds: type[ast.AST]) -> int:
        """Count the definitions of some kinds, wherever they are."""
        return sum(isinstance(node, kinds) for nodes in self.nodes.values() for node in nodes)

    def asked_forms(self) -> list[str]:
        """Return the places that ask which form a game has; methods that compare may."""
        found = []
        for module, nodes in self.nodes.items():
            comparing = {
                part
                for node in nodes
                if isinstance(node, ast.FunctionDef) and node.name == "__eq__"
                for part in ast.walk(node)
            }
            found += [
                f"{module}:{node.lineno} {ast.unparse(node)}"
                for node in nodes
                if isinstance(node, ast.Call) and node not in comparing
                if ast.unparse(node.func) == "isinstance"
                if _FORMS.intersection(re.findall(r"\w+", ast.unparse(node.args[1])))
            ]
        return found

    def _code_lines_of(self, module: str) -> set[int]:
        lines: set[int] = set()
        for token in tokenize.generate_tokens(io.StringIO(self.texts[module]).readline):
            if token.type not in _NO_CODE:
                lines.update(range(token.start[0], token.end[0] + 1))
        return lines - _lines_of_docstrings(self.modules[module])

    def doubles(self) -> dict[str, list[str]]:
        """Return the names of classes and aliases that several modules define, and these.

        What is defined under a condition, such as ``TYPE_CHECKING``, is no definition.
        """
        homes: dict[str, list[str]] = {}
        for module, tree in self.modules.items():
            for name in {name for node in tree.body if (name := _defined(node))}:
                homes.setdefault(name, []).append(module)
        return {name: homes[name] for name in sorted(homes) if len(homes[name]) > 1}

    def one_use(self) -> list[str]:
        """Return the functions whose body has one or two lines and that are used once.

        Uses are counted by name, so that a name that is defined twice, or that something else
        has, too, is left out; so are functions with decorators, and what stubs hand on.
        """
        defined: Counter[str] = Counter()
        used: Counter[str] = Counter()
        short: dict[str, str] = {}
        for stub in self.folder.rglob("*.pyi"):
            used.update(re.findall(r"\w+", stub.read_text(encoding="utf-8")) * 2)
        for module, tree in self.modules.items():
            for node in ast.walk(tree):
                match node:
                    case ast.FunctionDef() | ast.AsyncFunctionDef():
                        defined[node.name] += 1
                        body = node.body[ast.get_docstring(node, clean=False) is not None :]
                        end = body[-1].end_lineno or 0 if body else 0
                        is_short = body and end - body[0].lineno < _SHORT
                        if is_short and not node.decorator_list and not is_special(node.name):
                            short[node.name] = f"{module}:{node.lineno} {node.name}"
                    case ast.Name(id=name) | ast.Attribute(attr=name):
                        used[name] += 1
                    case ast.Constant(value=str() as name) if name.isidentifier():
                        used[name] += 1
        return [at for name, at in short.items() if defined[name] == 1 and used[name] == 1]

    def walks(self) -> dict[str, tuple[int, int]] | None:
        """Return modules entered and changes of module by walk; None if it cannot be imported."""
        ran = subprocess.run(  # noqa: S603
            [sys.executable, "-P", str(WALKS), self.folder.name],
            env={**os.environ, "PYTHONPATH": str(self.folder.resolve().parent)},
            capture_output=True,
            text=True,
            check=False,
            timeout=100,
        )
        if ran.returncode:
            return None
        return {what: tuple(counts) for what, counts in json.loads(ran.stdout).items()}


def is_special(name: str) -> bool:
    """Return whether a name is one that Python itself calls."""
    return name.startswith("__") and name.endswith("__")


def _defined(node: ast.stmt) -> str | None:
    """Return the name of the class or alias that a statement defines."""
    match node:
        case ast.ClassDef(name=name):
            return name
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation) if (
            ast.unparse(annotation).rpartition(".")[2] == "TypeAlias"
        ):
            return name
    return None


def _lines_of_frame(node: ast.AST) -> range:
    """Return the lines of an import, or of the head of a definition, up to its body."""
    match node:
        case ast.Import() | ast.ImportFrom():
            return range(node.lineno, (node.end_lineno or node.lineno) + 1)
        case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
            return range(node.lineno, max(node.body[0].lineno, node.lineno + 1))
    return range(0)


def _lines_of_docstrings(tree: ast.Module) -> set[int]:
    lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            lines.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return lines


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


def numbers(house: House) -> dict[str, int]:
    """Return the numbers of a house, by what they count."""
    folders = house.folders()
    docs = house.docstrings()
    questions = sum(QUESTIONS.match(line) is not None for *_, line in docs)
    code, frame = house.code_lines(), house.lines_of_frame()
    found = {
        "code lines": code,
        "lines of imports and signatures": frame,
        "per cent of the code lines that these are": round(100 * frame / code) if code else 0,
        "names defined in several modules": len(house.doubles()),
        "circles of modules": len(house.circles()),
        "functions of one or two lines used once": len(house.one_use()),
        "places that ask which form a game has": len(house.asked_forms()),
        "functions": house.defined(ast.FunctionDef, ast.AsyncFunctionDef),
        "classes": house.defined(ast.ClassDef),
        "modules": sum(folders.values()),
        "folders": len(folders),
        "floors of packages": house.floors(),
        "floors of modules": house.floors_of_modules(),
        "docstring lines": house.docstring_lines(),
        "docstrings": len(docs),
        "docstrings that begin with What, How, Whether, Where, Which": questions,
        "memo tables": sum(len(_CACHE.findall(text)) for text in house.texts.values()),
    }
    for what, (modules, changes) in (house.walks() or {}).items():
        found[f"modules entered by: {what}"] = modules
        found[f"changes of module by: {what}"] = changes
    return found


def lane(*arguments: str) -> float:
    """Run the tests with these arguments; return the seconds."""
    start = time.monotonic()
    subprocess.run([sys.executable, "-m", "pytest", "-q", *arguments], check=True, timeout=3600)  # noqa: S603
    return time.monotonic() - start


def main() -> None:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description="The house in numbers.")
    parser.add_argument("folders", nargs="*", type=Path, default=[PACKAGE])
    parser.add_argument("--lanes", action="store_true", help="run both lanes of the tests, too")
    arguments = parser.parse_args()
    columns = [numbers(House(folder)) for folder in arguments.folders]
    for what in dict.fromkeys(what for column in columns for what in column):
        counts = [f"{column[what]:,}" if what in column else "" for column in columns]
        print(*(f"{count:>8}" for count in counts), f" {what}")  # noqa: T201
    if arguments.lanes:
        print(f"{lane():8.0f}  seconds of the day lane")  # noqa: T201
        print(f"{lane('-m', 'night'):8.0f}  seconds of the night lane")  # noqa: T201


if __name__ == "__main__":
    main()

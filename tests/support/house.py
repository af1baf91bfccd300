"""The house in numbers, to be reported: nothing fails by them.

``python -m tests.support.house [FOLDER ...]`` prints them for a package, that of this checkout if
none is named; several folders have a column each, such as that of another checkout and this one.
``--lane`` also runs the day lane and prints its CPU seconds.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import re
import resource
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.util import resolve_name
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parents[2] / "sgf_lark"

#: The program that counts modules at run time; it knows nothing of this folder's modules.
WALKS = Path(__file__).parent / "walks.py"

_IMPORT = re.compile(
    r"^ *(?:from ([\w.]+) import (\([^)]*\)|.*)|import (sgf_lark\.[\w.]+))", re.MULTILINE
)

#: Dictionaries of a process or an object that remember results.
_MEMO = re.compile(
    r"@(?:\w+\.|partial\()?(?:lru_cache|cache|by_grammar)\b"
    r"|_known\b[^=\n]*= *(?:\{|dict)|_seen\b[^=\n]*= *(?:\{|dict)"
)

_NO_CODE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE),
    *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
}
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Import(NamedTuple):
    """A name that one of our modules imports from another; names without the package's."""

    importer: str
    imported: str
    name: str


def modules(folder: Path = PACKAGE) -> dict[str, str]:
    """Return the text of each module of a package by its dotted name, such as ``cli.__init__``."""
    return {
        ".".join(file.relative_to(folder).with_suffix("").parts): file.read_text(encoding="utf-8")
        for file in sorted(folder.rglob("*.py"))
    }


def imports(texts: Mapping[str, str]) -> Iterator[Import]:
    """Yield the imports of modules by each other: those for types and in functions, too."""
    for importer, text in texts.items():
        package = f"sgf_lark.{importer}".rpartition(".")[0]
        for source, names, whole in _IMPORT.findall(text):
            base = resolve_name(source or whole, package)
            for name in re.findall(r"(\w+)(?: as \w+)?", re.sub(r"#.*", "", names)) or [""]:
                imported = _module_of(f"{base}.{name}", texts)
                if imported not in {None, importer}:
                    yield Import(importer, str(imported), name)


def _module_of(name: str, texts: Mapping[str, str]) -> str | None:
    top, *parts = name.split(".")
    for end in range(len(parts), -1, -1):
        for found in (".".join(parts[:end]), ".".join([*parts[:end], "__init__"])):
            if top == "sgf_lark" and found in texts:
                return found
    return None


def room(module: str) -> str:
    """Return the package at the top that a module is in; that at the top itself."""
    return module.partition(".")[0]


class Lines(NamedTuple):
    """The lines of a module by what is on them."""

    code: int
    frame: int  # of these, imports and the heads of functions and classes
    docstrings: int


def count_lines(text: str) -> Lines:
    """Count the lines of a module."""
    docstrings, frame, code = set[int](), set[int](), set[int]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            docstrings.update(range(first.lineno, (first.end_lineno or 0) + 1))
        if isinstance(node, ast.Import | ast.ImportFrom):
            frame.update(range(node.lineno, (node.end_lineno or 0) + 1))
        elif isinstance(node, _DOCUMENTED[1:]):
            frame.update(range(node.lineno, max(node.body[0].lineno, node.lineno + 1)))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _NO_CODE:
            code.update(range(token.start[0], token.end[0] + 1))
    code -= docstrings
    return Lines(len(code), len(code & frame), len(docstrings))


def is_core(module: str) -> bool:
    """Return whether a module belongs to the core."""
    return room(module) == "core"


def numbers(folder: Path) -> dict[str, int]:
    """Return the numbers of a package, by what they count."""
    texts = modules(folder)
    counted = {module: count_lines(text) for module, text in texts.items()}
    code, frame, docstrings = map(sum, zip(*counted.values(), strict=True))
    rooms = Counter[str]()
    for module, lines in counted.items():
        rooms[room(module) if "." in module else "the top"] += lines.code
    found = [*imports(texts)]
    used = {one[1:] for one in found if is_core(one.imported) and not is_core(one.importer)}
    up = {
        one[:2]
        for one in found
        if is_core(one.importer) and not is_core(one.imported) and "." in one.imported
    }
    return {
        "code lines": code,
        **{f"code lines of {name}": count for name, count in rooms.most_common()},
        "code lines of the core": sum(counted[one].code for one in texts if is_core(one)),
        "names of the core that others import": len(used),
        "imports from the core up": len(up),
        "docstring lines": docstrings,
        "per cent of the code lines that are imports and signatures": round(100 * frame / code),
        "memo tables": sum(len(_MEMO.findall(text)) for text in texts.values()),
        "modules": len(texts),
        **walks(folder),
    }


def walks(folder: Path) -> dict[str, int]:
    """Return modules entered and changes of module by walk."""
    ran = subprocess.run(  # noqa: S603  # this Python
        [sys.executable, "-P", str(WALKS), folder.name],
        env={**os.environ, "PYTHONPATH": str(folder.resolve().parent)},
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )
    return {
        f"{what} by: {walk}": count
        for walk, counts in json.loads(ran.stdout).items()
        for what, count in zip(("modules entered", "changes of module"), counts, strict=True)
    }


def day_lane() -> int:
    """Run the day lane; return its CPU seconds, those of its processes included."""
    subprocess.run([sys.executable, "-m", "pytest", "-q"], check=True, timeout=3600)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round(used.ru_utime + used.ru_stime)


def main() -> None:
    """Print the numbers."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.house", description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[PACKAGE])
    parser.add_argument("--lane", action="store_true", help="run the day lane, too")
    arguments = parser.parse_args()
    columns = [numbers(folder) for folder in arguments.folders]
    if arguments.lane:
        columns[-1]["CPU seconds of the day lane"] = day_lane()
    for what in dict.fromkeys(what for column in columns for what in column):
        counts = [f"{column[what]:,}" if what in column else "" for column in columns]
        print(*(f"{count:>8}" for count in counts), f" {what}")  # noqa: T201


if __name__ == "__main__":
    main()

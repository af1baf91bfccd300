"""Mutants: small faults, made on purpose, to see which ones the day's tests notice.

    python -m tests.support.mutants --count 20                       # another seed each time
    python -m tests.support.mutants --count 60 --seed 7 --folder core/read core/write --jobs 2

Each mutant is made in a copy of the project, never in the checkout.  The day's tests of its folder
run until one fails, those whose names are like the module's first; what survives them meets the
tests that see most: the small golden record, the catalogue, the messages, and those of the api.
This is a report: survivors are read by a person, some change nothing that anybody could see.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import os
import queue
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import cache_from_source
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from .places import ROOT

#: The folders of a run that names none.
USUAL = (
    *("archive", "convert", "games", "positions"),
    *(f"core/{name}" for name in ("check", "fix", "model", "read", "text", "values", "write")),
)

#: Where the tests of a room are, if they are not in a folder of its name.
TESTS = {"games": "boards", "positions": "boards", "files": "api"}

#: What meets the survivors of the tests of their own folder.
OTHERS = ("architecture/test_golden_small.py", "docs/test_catalogue.py", "findings", "fix", "api")

#: At most this part of the mutants is of one kind.
SHARE = 5

#: A mutant may wait for ever: a test, and all tests of a mutant, have this long.
TEST_SECONDS, SECONDS = 60, 900

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


class Mutant(NamedTuple):
    """One fault: what stands at a place of a module instead."""

    file: str
    kind: str
    line: int
    before: str
    after: str

    @property
    def folder(self) -> str:
        """The folder of its tests."""
        _, room, package, *_ = self.file.split("/")
        return package if room == "core" else TESTS.get(room, room)

    def diff(self) -> str:
        lines = self.before.splitlines(), self.after.splitlines()
        return "\n".join(difflib.unified_diff(*lines, self.file, self.file, "", "", 1, ""))


def find_mutants(file: Path) -> Iterator[Mutant]:
    """Yield all mutants of a module."""
    data = file.read_bytes()
    name = file.relative_to(ROOT).as_posix()
    lines = [0, *accumulate(map(len, data.splitlines(keepends=True)))]
    for node in _visible(ast.parse(data)):
        for kind, target, replacement in _changes(node):
            start = lines[target.lineno - 1] + target.col_offset
            end = lines[(target.end_lineno or 0) - 1] + (target.end_col_offset or 0)
            after = data[:start] + replacement.encode() + data[end:]
            yield Mutant(name, kind, target.lineno, data.decode(), after.decode())


def _visible(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what runs: no annotations, nothing for type checkers, no insides of f-strings."""
    if isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ):
        return
    yield node
    for field, value in ast.iter_fields(node):
        if field not in {"annotation", "returns", "decorator_list", "type_params"}:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _visible(child)


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.expr | ast.stmt, str]]:  # noqa: C901  # kinds
    """Yield kinds of faults at a node, what is replaced, and by what."""
    match node:
        case ast.Compare(left, [*operators], right):
            for number, operator in enumerate(operators):
                changed = [*operators]
                changed[number] = _COMPARED[type(operator)]()
                yield "comparison", node, ast.unparse(ast.Compare(left, changed, right))
        case ast.BoolOp(operator, values):
            other = ast.Or() if isinstance(operator, ast.And) else ast.And()
            yield "and, or", node, ast.unparse(ast.BoolOp(other, values))
            for number in range(len(values)):
                kept = [*values[:number], *values[number + 1 :]]
                left = kept[0] if len(kept) == 1 else ast.BoolOp(operator, kept)
                yield "dropped condition", node, f"({ast.unparse(left)})"
        case ast.UnaryOp(ast.Not(), operand):
            yield "dropped not", node, f"({ast.unparse(operand)})"
        case ast.Expr(ast.Call()):
            yield "dropped call", node, "pass"
        case ast.Constant(int(value)) if not isinstance(value, bool):
            yield "constant", node, str(value + 1)
        case ast.BinOp(left, ast.Add() | ast.Sub() as operator, right):
            sign = ast.Sub() if isinstance(operator, ast.Add) else ast.Add()
            yield "+, -", node, ast.unparse(ast.BinOp(left, sign, right))
        case ast.Continue():
            yield "continue", node, "break"
    if isinstance(node, ast.If | ast.IfExp):
        yield "if False", node.test, "False"


def draw(folders: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """Draw mutants, from each folder as many as from the others."""
    dice = random.Random(seed)  # noqa: S311  # no secrets
    drawn: list[Mutant] = []
    kinds: Counter[str] = Counter()
    for number, folder in enumerate(folders):
        files = sorted((ROOT / "sgf_lark" / folder).rglob("*.py"))
        mutants = [mutant for file in files for mutant in find_mutants(file)]
        dice.shuffle(mutants)
        wanted = count * (number + 1) // len(folders) - len(drawn)
        for mutant in mutants:
            if wanted and kinds[mutant.kind] < max(1, count // SHARE):
                kinds[mutant.kind] += 1
                wanted -= 1
                drawn.append(mutant)
    return drawn


def run(mutants: Sequence[Mutant], jobs: int) -> Iterator[tuple[Mutant, str]]:
    """Yield each mutant with the tests that noticed it: its own, others, or "".

    Each job has a copy of the project.  Tests that fail without a mutant, too, end the program.
    """
    with tempfile.TemporaryDirectory() as folder:
        copies: queue.Queue[Path] = queue.Queue()
        hidden = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")
        for number in range(jobs):
            copies.put(shutil.copytree(ROOT, Path(folder, str(number)), ignore=hidden))

        def run_one(mutant: Mutant) -> str:
            copy = copies.get()
            try:
                return _find_killer(copy, mutant)
            finally:
                copies.put(copy)

        unsure: dict[str, bool] = {}  # tests that killed, and never passed
        with ThreadPoolExecutor(jobs) as pool:
            for mutant, killer in zip(mutants, pool.map(run_one, mutants), strict=True):
                yield mutant, killer
                unsure[mutant.folder] = unsure.get(mutant.folder, True) and killer == "own"
        for name in (name for name, is_unsure in unsure.items() if is_unsure):
            if not _passes(copies.queue[0], [Path("tests", name)]):
                raise SystemExit(f"tests/{name} fails without a mutant")


def _find_killer(copy: Path, mutant: Mutant) -> str:
    file = copy / mutant.file
    own = copy / "tests" / mutant.folder
    words = {file.stem, file.parent.name}
    related = [test for test in sorted(own.rglob("test_*.py")) if words & {*test.stem.split("_")}]
    try:
        _write(file, mutant.after)
        if not _passes(copy, [*related, own]):
            return "own"
        others = [copy / "tests" / other for other in OTHERS if other != mutant.folder]
        return "" if _passes(copy, others) else "others"
    finally:
        _write(file, mutant.before)


def _write(file: Path, text: str) -> None:
    """Write a module; Python would take what it compiled within the same second for it."""
    file.write_text(text, encoding="utf-8")
    Path(cache_from_source(str(file))).unlink(missing_ok=True)


def _passes(copy: Path, tests: Sequence[Path]) -> bool:
    arguments = ["-x", "-q", "-p", "no:cacheprovider", f"--timeout={TEST_SECONDS}"]
    process = subprocess.Popen(  # noqa: S603  # this Python
        [sys.executable, "-m", "pytest", *arguments, *map(str, tests)],
        cwd=copy, env={**os.environ, "PYTHONPATH": str(copy)}, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        return process.wait(SECONDS) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(TEST_SECONDS)


def table(outcomes: Sequence[tuple[Mutant, str]]) -> Iterator[str]:
    """Yield a table of the outcomes by folder and by kind."""
    yield f"{'':20}{'mutants':>8}{'own':>8}{'others':>8}{'live':>8}"
    by_name: dict[str, list[str]] = {}
    for mutant, killer in sorted(outcomes, key=lambda one: one[0].folder):
        by_name.setdefault(mutant.folder, []).append(killer)
    for mutant, killer in sorted(outcomes, key=lambda one: one[0].kind):
        by_name.setdefault(mutant.kind, []).append(killer)
    for name, some in [*by_name.items(), ("all", [killer for _, killer in outcomes])]:
        found = Counter(some)
        yield f"{name:20}{len(some):8}{found['own']:8}{found['others']:8}{found['']:8}"


def main() -> None:
    """Draw mutants, run them and print what lives."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.mutants", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--count", type=int, default=20, help="mutants [default: 20]")
    parser.add_argument("--seed", type=int, help="draws the same ones again; it is printed")
    parser.add_argument("--folder", nargs="+", default=USUAL, help="of sgf_lark")
    parser.add_argument("--jobs", type=int, default=1, help="at a time [default: 1]")
    asked = parser.parse_args()
    seed = random.SystemRandom().randrange(10**6) if asked.seed is None else asked.seed
    say = sys.stdout.write
    say(f"seed {seed}\n")
    outcomes = []
    for mutant, killer in run(draw(asked.folder, asked.count, seed), asked.jobs):
        outcomes.append((mutant, killer))
        say(f"{mutant.file}:{mutant.line}: {mutant.kind}: {killer or 'LIVES'}\n")
        if not killer:
            say(f"{mutant.diff()}\n")
        sys.stdout.flush()
    say("\n".join(["", *table(outcomes), ""]))


if __name__ == "__main__":
    main()

"""The tables of `sgf_lark/README.md` for users of other libraries: each line of both sides runs."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from decimal import Decimal
from importlib import import_module
from typing import Any, NamedTuple

import pytest
from support.places import ROOT

import sgf_lark

PAGE = (ROOT / "sgf_lark" / "README.md").read_text(encoding="utf-8")

#: The other libraries of Python, and the modules and names that their lines use.
OTHERS = {
    "sgfmill": {
        "sgf": "sgfmill.sgf",
        "sgf_moves": "sgfmill.sgf_moves",
        "common": "sgfmill.common",
        "ascii_boards": "sgfmill.ascii_boards",
    },
    "sgf": {"sgf": "sgf"},
    "pysgf": {"GoGame": "pysgf:GoGame", "Move": "pysgf:Move"},
}
SABAKI = "@sabaki/sgf"


class Row(NamedTuple):
    """A row of a table: a task, the line of each side, and what ours gives."""

    task: str
    theirs: str
    ours: str
    gives: str


def rows(library: str) -> list[Row]:
    """The rows of the table for a library."""
    section = PAGE.partition(f"\n## From {library}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    head, *body = lines
    assert head == f"| task | {library} | sgf_lark | gives |"
    cells = [line.strip("|").split(" | ") for line in body]
    return [Row(*(cell.strip().strip("`") for cell in row)) for row in cells]


def names() -> dict[str, Any]:
    """The names that both sides begin with."""
    text = "".join(re.findall(r"^    (\(;.*)$", PAGE, re.MULTILINE))
    return {"text": text, "data": text.encode(), "io": io}


def run(line: str, known: dict[str, Any]) -> object:
    """Run a line; return the value of an expression, None for anything else."""
    try:
        code = compile(line, "<line>", "eval")
    except SyntaxError:
        exec(line, known)  # noqa: S102  # of the table
        return None
    return eval(code, known)  # noqa: S307  # of the table


def comparable(value: object) -> object:
    """A number or a text as both sides have it; None for what cannot be compared."""
    if isinstance(value, int | float | Decimal):
        return Decimal(str(value)) if not isinstance(value, bool) else value
    return value.lower() if isinstance(value, str) else None


def test_each_line_of_the_tables_of_tasks_runs() -> None:
    path = ROOT / "tests" / "records" / "nine.sgf"
    game = sgf_lark.load(path)[0]
    known = {name: getattr(sgf_lark, name) for name in sgf_lark.__all__}
    known |= names() | {"game": game, "node": game.nodes[5], "path": path}
    tasks = PAGE.partition("\n## Load\n")[2].partition("\n## Look\n")
    lines = [
        line for part in (tasks[0], tasks[2].partition("\n## Check")[0]) for line in rows_of(part)
    ]
    codes = [code for line in lines for code in re.findall(r"`(.*?)`", line.split(" | ")[1])]

    assert len(codes) > 12
    for code in codes:
        if "move.value.numbers" in code:
            known["node"] = sgf_lark.loads("(;FF[4]GM[6];W[31hefe])")[0].nodes[1]
        assert run(code, known) is not None or "rank" in code, code


def rows_of(text: str) -> list[str]:
    """The lines of the tables in a text, without their heads."""
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    return [line for table in tables for line in table.splitlines()[2:]]


@pytest.mark.parametrize("library", [*OTHERS, SABAKI])
def test_each_line_of_ours_gives_what_the_table_shows(library: str) -> None:
    known: dict[str, Any] = names() | {"sgf_lark": sgf_lark}

    assert len(rows(library)) > 8
    for row in rows(library):
        value = run(row.ours, known)
        if row.gives:
            assert repr(value) == row.gives, row


@pytest.mark.parametrize("library", OTHERS)
def test_each_line_of_another_library_of_python_runs_and_gives_the_same(library: str) -> None:
    pytest.importorskip(library, reason=f"{library} is not installed")
    known = names()
    for name, place in OTHERS[library].items():
        module, _, attribute = place.partition(":")
        found = import_module(module)
        known[name] = getattr(found, attribute) if attribute else found
    ours: dict[str, Any] = names() | {"sgf_lark": sgf_lark}
    compared = 0
    for row in rows(library):
        pair = comparable(run(row.theirs, known)), comparable(run(row.ours, ours))
        if row.gives and None not in pair and row.task != "write":
            compared += 1
            assert pair[0] == pair[1] or pair[1] == f"w {pair[0]}", row
    assert compared > 2


def test_each_line_of_sabaki_runs() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    program = [f"const sgf = require('{SABAKI}')"]
    if subprocess.run(  # noqa: S603
        [node, "-e", program[0]], capture_output=True, check=False, timeout=100
    ).returncode:
        pytest.skip(f"node has no {SABAKI} (npm install {SABAKI}, NODE_PATH)")
    text = json.dumps(names()["text"])
    program += [f"const text = {text}", "const data = Buffer.from(text)", "const all = []"]
    for row in rows(SABAKI):
        is_statement = row.theirs.startswith("let ")
        program.append(row.theirs if is_statement else f"all.push({row.theirs})")
    program.append("console.log(JSON.stringify(all))")
    done = subprocess.run(  # noqa: S603
        [node, "-e", "\n".join(program)], capture_output=True, check=False, timeout=100
    )

    assert done.returncode == 0, done.stderr.decode()
    values = json.loads(done.stdout)
    assert len(values) == sum(not row.theirs.startswith("let ") for row in rows(SABAKI))
    assert values[1:5] == [["gc", "cg"], "Aoki", 2, True]
    assert values[5:8] == [[3, 3], [[0, 0], [0, 1], [1, 0], [1, 1]], [[2024, 6, 1], [2024, 6, 2]]]

"""The tables for users of other libraries: each line of both sides runs."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from decimal import Decimal
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from support.places import ROOT
from support.readmes import GUIDES

import sgf_lark
from sgf_lark.core.schema import other_libraries

if TYPE_CHECKING:
    from pathlib import Path

PAGE = (ROOT / GUIDES / "migrate.md").read_text(encoding="utf-8")

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


LIBRARIES = [*dict.fromkeys(row.package for row in other_libraries.rows())]


def rows(library: str) -> list[other_libraries.Counterpart]:
    """The rows of the table for a library."""
    return [row for row in other_libraries.rows() if row.package == library]


def names(path: Path) -> dict[str, Any]:
    """The names that both sides begin with."""
    text = "".join(re.findall(r"^    (\(;.*)$", PAGE, re.MULTILINE))
    path.write_text(text)
    return {"text": text, "data": text.encode(), "path": path, "io": io}


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


def test_each_line_of_the_tables_of_tasks_runs(tmp_path: Path) -> None:
    path = ROOT / "tests" / "records" / "nine.sgf"
    game = sgf_lark.load(path)[0]
    known = {name: getattr(sgf_lark, name) for name in sgf_lark.__all__}
    known |= names(tmp_path / "game.sgf") | {"game": game, "node": game.nodes[5], "path": path}
    page = (ROOT / GUIDES / "program.md").read_text(encoding="utf-8")
    tasks = page.partition("\n## Load\n")[2].partition("\n## Look\n")
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


@pytest.mark.parametrize("library", LIBRARIES)
def test_each_line_of_ours_gives_what_the_table_shows(library: str, tmp_path: Path) -> None:
    known: dict[str, Any] = names(tmp_path / "game.sgf") | {"sgf_lark": sgf_lark}

    assert len(rows(library)) > 8
    for row in rows(library):
        value = run(row.ours, known)
        if row.gives:
            assert repr(value) == row.gives, row


@pytest.mark.parametrize("library", OTHERS)
def test_each_line_of_another_library_of_python_runs_and_gives_the_same(
    library: str, tmp_path: Path
) -> None:
    pytest.importorskip(library, reason=f"{library} is not installed")
    known = names(tmp_path / "theirs.sgf")
    for name, place in OTHERS[library].items():
        module, _, attribute = place.partition(":")
        found = import_module(module)
        known[name] = getattr(found, attribute) if attribute else found
    ours: dict[str, Any] = names(tmp_path / "ours.sgf") | {"sgf_lark": sgf_lark}
    compared = 0
    for row in rows(library):
        pair = comparable(run(row.theirs, known)), comparable(run(row.ours, ours))
        if row.gives and None not in pair and row.task != "write":
            compared += 1
            assert pair[0] == pair[1] or pair[1] == f"w {pair[0]}", row
    assert compared > 2


def test_each_line_of_sabaki_runs(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    program = [f"const sgf = require('{SABAKI}')"]
    if subprocess.run(  # noqa: S603
        [node, "-e", program[0]], capture_output=True, check=False, timeout=100
    ).returncode:
        pytest.skip(f"node has no {SABAKI} (npm install {SABAKI}, NODE_PATH)")
    text = json.dumps(names(tmp_path / "game.sgf")["text"])
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


# ---- the error about a name of another library ----


def thing(kind: str) -> Any:
    """An object of ours that somebody may take for one of another library."""
    collection = sgf_lark.loads("(;FF[4]GM[1]SZ[9];B[aa])")
    (game,) = collection
    things = {
        "sgf_lark": sgf_lark,
        "Collection": collection,
        "GameTree": game,
        "Node": game.nodes[1],
        "Draft": game.edit(),
        "Board": game.board(),
        "Move": game.nodes[1].move,
    }
    return things[kind]


NAMES = [name for row in other_libraries.rows() for name in row.names.split()]


def test_the_table_answers_many_names_each_once() -> None:
    assert len(NAMES) == len({*NAMES}) > 60


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_name_of_another_library_is_answered_with_ours(library: str) -> None:
    for row in rows(library):
        for kind, _, name in (one.partition(".") for one in row.names.split()):
            with pytest.raises(
                AttributeError, match=f"has no attribute '{name}': write "
            ) as raised:
                getattr(thing(kind), name)
            assert str(raised.value).endswith(f": write {row.ours}")


@pytest.mark.parametrize("kind", ["sgf_lark", "Collection", "GameTree", "Node", "Draft", "Board"])
def test_any_other_name_has_the_error_of_python(kind: str) -> None:
    for name in ("anything", "_get_komi", "__get_komi__"):
        with pytest.raises(AttributeError, match=f"has no attribute '{name}'$"):
            getattr(thing(kind), name)


def test_subclasses_know_the_names_too() -> None:
    class Mine(sgf_lark.GameTree):
        """A game of somebody else's."""

    game = Mine.new(9)
    with pytest.raises(AttributeError, match=r"'Mine' object .*: write game\.info\.komi"):
        game.komi  # type: ignore[attr-defined]  # noqa: B018


def test_the_children_of_a_node_are_no_entries_of_it() -> None:
    with pytest.raises(KeyError, match=r"no property 0: a node's children are node\.children\[0\]"):
        thing("Node")[0]

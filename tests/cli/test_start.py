"""A process imports and builds what its command needs, nothing else."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest
from support.lanes import is_night
from support.places import RECORDS, ROOT

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.elsewhere


CLEAN = "(;FF[4]GM[1]SZ[19]CA[UTF-8]PB[A]PW[B];B[pd];W[dp])"

#: Runs several commands, one after the other, in one process; tells what is imported after each.
PROGRAM = """
import json, sys
from sgf_lark.__main__ import main
for words in json.loads(sys.argv[1]):
    sys.argv[1:], code = words, 0
    try:
        main()
    except SystemExit as ended:
        code = ended.code or 0
    print("\\nimported", json.dumps([code, sorted(sys.modules)]), flush=True)
"""


class Ended(NamedTuple):
    """A command that has ended: its exit code, and the modules that are imported by then."""

    code: int
    modules: set[str]

    @property
    def ours(self) -> set[str]:
        """The modules of this package, without its name."""
        names = (name.partition(".") for name in self.modules)
        return {rest for package, _, rest in names if package == "sgf_lark" and rest}


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ended]:
    """Commands by their names; each one is run after those before it, in the same process."""
    folder = tmp_path_factory.mktemp("start")
    file, archive = folder / "one.sgf", str(folder / "archive")
    file.write_text(CLEAN)
    typed = {
        "version": ["--version"],
        "help": ["--help"],
        "help of check": ["check", "--help"],
        "check of a clean file": ["check", str(file), "--isolated"],
        "check": ["check", str(RECORDS / "go.sgf")],
        "build": ["archive", "build", str(RECORDS / "go.sgf"), "-o", archive],
        "sql": ["archive", "sql", archive, "from games"],
    }
    if is_night():
        typed |= {name: ["archive", name, archive] for name in ("dupes", "openings", "stats")}
        copies = str(folder / "copies")
        typed["select"] = ["archive", "select", archive, "moves > 0", "-o", copies]
    _run([typed["check of a clean file"]], ROOT)  # code is compiled, and what is derived is kept
    said = _run([*typed.values()], ROOT)
    return {name: Ended(code, {*found}) for name, (code, found) in zip(typed, said, strict=True)}


def _run(words: list[list[str]], folder: Path) -> list[tuple[int, list[str]]]:
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # who compiles a module imports more
    done = subprocess.run(  # noqa: S603  # this Python
        [sys.executable, "-X", "utf8", "-c", PROGRAM, json.dumps(words)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )
    heads = (line.partition("imported ") for line in done.stdout.splitlines())
    return [json.loads(rest) for before, found, rest in heads if found and not before]


#: Of other packages, what takes long.
HEAVY = {"pydantic", "lark", "rich.console", "xml", "urllib.request"}

#: Of Python and other packages, what nobody needs for a file without findings.
NEEDLESS = {
    *("lark", "interegular", "logging", "rich", "multiprocessing", "concurrent.futures"),
    *("asyncio", "tempfile", "zipfile", "importlib.resources", "importlib.metadata"),
    *("tomllib", "pickle", "calendar", "unicodedata"),
}

#: The same of this package: what writes, fixes, draws, and reads damaged games and grammars.
NEEDLESS_HERE = {
    *("core.fix", "core.write", "convert", "core.values.writer", "core.values.corrections"),
    *("core.values.transformers", "core.read.repair", "core.read.parse", "core.read.build"),
    *("core.read.mended", "core.check.producers", "core.findings.catalogue"),
    *("core.engine.generator", "core.engine.analysis", "core.grammar.source_text"),
    *("core.model.draft", "workbench.lint", "files.pieces"),
    *("pictures.diagram", "pictures.svg", "pictures.text"),
}

#: What a text needs less: the boards, and what reads bytes, files and settings.
NEEDLESS_FOR_TEXT = {
    *("positions", "pictures", "games.go_checks", "files.archives", "core.text.stream"),
    *("core.text.encoding", "core.text.detection", "core.text.byte_scan"),
    *("settings", "cli", "report", "files.many", "files.workers"),
}


def test_help_and_version_wait_for_no_model_and_no_grammar(ended: dict[str, Ended]) -> None:
    assert HEAVY & ended["help"].modules == set()
    models = {"lark", "sgf_lark.core.model.collection", "rich.console"}
    assert models & ended["help of check"].modules == set()


def test_a_check_imports_what_it_uses(ended: dict[str, Ended]) -> None:
    assert HEAVY & ended["check"].modules == {"pydantic"}


@pytest.mark.both_lanes
def test_no_command_of_archives_imports_pandas(ended: dict[str, Ended]) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    for name in [*ended][[*ended].index("build") :]:
        assert ended[name].code == 0
        assert {"pyarrow", "pandas"} & ended[name].modules == {"pyarrow"}, name


def test_a_file_without_findings_imports_no_fix_no_writer_and_no_other_command(
    ended: dict[str, Ended],
) -> None:
    check = ended["check of a clean file"]

    assert NEEDLESS & check.modules == set()
    assert NEEDLESS_HERE & check.ours == set()
    assert {name.rpartition(".")[2] for name in check.ours if name.startswith("games.")} == {
        *("go", "go_checks", "go_stones", "moves", "registry")
    }
    assert {name for name in check.ours if name.startswith("cli.commands.")} == {
        "cli.commands.check"
    }


#: Imports the package, reads a game, and tells what is imported after each; `json` is not.
READING = """
import sys
import sgf_lark
print(*sys.modules)
sgf_lark.loads("(;FF[4]GM[1]SZ[19]KM[6.5];B[pd];W[dp])")
print(*sys.modules)
"""


def test_a_first_game_is_read_without_boards_and_without_what_reads_files(
    ended: dict[str, Ended],
) -> None:
    assert ended["check of a clean file"].code == 0  # what is derived of grammars is kept
    done = subprocess.run(  # noqa: S603  # this Python
        [sys.executable, "-c", READING],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )
    imported, read = (Ended(0, {*line.split()}) for line in done.stdout.splitlines())

    assert imported.ours == {"_version", "core", "core.lazy"}
    assert {"typing", "re", "pathlib", "inspect", "ast"} & imported.modules == set()
    assert (NEEDLESS | {"json", "string", "locale", "shutil"}) & read.modules == set()
    assert (NEEDLESS_HERE | NEEDLESS_FOR_TEXT) & read.ours == set()


def test_a_command_is_imported_when_it_is_named(ended: dict[str, Ended]) -> None:
    def commands_of(name: str) -> set[str]:
        return {one for one in ended[name].ours if one.startswith("cli.commands.")}

    assert commands_of("help") == set()
    assert commands_of("check") == {"cli.commands.check"}


# ---- the page about imports ----

#: Runs lines, and tells what is imported after each.
LINES = """
import json, sys
text = "(;FF[4]GM[1]SZ[9]KM[6.5];B[aa];W[bb])"
names = {"text": text}
for line in json.loads(sys.argv[1]):
    exec(line, names)
    print(json.dumps(sorted(sys.modules)))
"""


def parts_of(modules: set[str]) -> set[str]:
    """The rooms and parts of the core that have modules among these, and some packages."""
    found = modules & {"pydantic", "lark", "rich", "click", "numpy"}
    for path in (name.split(".") for name in modules if name.startswith("sgf_lark.")):
        if path[1] == "core" and len(path) > 2:
            found.add(".".join(path[1:3]))
        elif len(path) > 2:
            found.add(path[1])
    return found - {f"core.{name}" for name in ("late", "memo", "places", "reach")}


def test_the_page_of_the_core_says_what_is_imported_when(ended: dict[str, Ended]) -> None:
    assert ended["check of a clean file"].code == 0  # what is derived of grammars is kept
    page = (ROOT / "sgf_lark" / "core" / "README.md").read_text(encoding="utf-8")
    section = page.partition("\n## What is imported when\n")[2]
    rows = re.findall(r"^\| `(.*?)` \| ?(.*?) ?\|$", section, re.MULTILINE)
    done = subprocess.run(  # noqa: S603  # this Python
        [sys.executable, "-c", LINES, json.dumps([line for line, _ in rows])],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )

    before: set[str] = set()
    for (line, said), printed in zip(rows, done.stdout.splitlines(), strict=True):
        now = parts_of({*json.loads(printed)})
        named = {*re.findall(r"`([\w.]+)`", said), *re.findall(r"; (\w+)$", said)}
        assert now - before == named, line
        before = now
    assert len(rows) > 9

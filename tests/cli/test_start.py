"""A process imports and builds what its command needs, nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.places import RECORDS, ROOT


def run(code: str, *arguments: str) -> str:
    command = [sys.executable, "-X", "utf8", "-c", code, *arguments]
    done = subprocess.run(  # noqa: S603  # this Python
        command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=100
    )
    return done.stdout


IMPORTED = """
import sys
from sgf_lark.__main__ import main
try:
    main()
except SystemExit:
    print(sorted({"pydantic", "lark", "rich.console", "xml", "urllib.request"} & {*sys.modules}))
"""


def test_help_waits_for_no_model_and_no_grammar() -> None:
    assert run(IMPORTED, "--help").endswith("\n[]\n")


def test_a_check_imports_what_it_uses() -> None:
    record = str(RECORDS / "go.sgf")

    assert run(IMPORTED, "check", record).endswith("\n['lark', 'pydantic']\n")


#: Runs several commands, one after the other, in one process.
ARCHIVE = """
import sys
from sgf_lark.__main__ import main
for words in WORDS:
    sys.argv[1:] = ["archive", *words]
    try:
        main()
    except SystemExit as ended:
        print(words[0], ended.code or 0, "pyarrow" in sys.modules, "pandas" in sys.modules)
"""


def test_no_command_of_archives_imports_pandas(tmp_path: Path) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    archive = str(tmp_path / "archive")
    commands = [
        ("build", str(RECORDS / "go.sgf"), "-o", archive),
        *((command, archive) for command in ("dupes", "openings", "stats")),
        ("select", archive, "moves > 0", "-o", str(tmp_path / "copies")),
        ("sql", archive, "from games"),
    ]

    said = run(ARCHIVE.replace("WORDS", repr(commands))).splitlines()
    for name, *_ in commands:
        assert f"{name} 0 True False" in said


CLEAN = "(;FF[4]GM[1]SZ[19]CA[UTF-8]PB[A]PW[B];B[pd];W[dp])"

#: Of this package, what a file without findings and with usual options does not need.
UNUSED = """
import sys
from sgf_lark.__main__ import main
try:
    main()
except SystemExit:
    mine = {name.partition(".")[2] for name in sys.modules if name.startswith("sgf_lark.")}
    others = {"rich", "multiprocessing", "tomllib"}
    unused = ("fix", "write", "convert.", "cli.commands")
    print(sorted(name for name in mine if name.startswith(unused)))
    print(sorted(name for name in mine if name.startswith("check.games.")))
    slow = {"values.corrections", "findings.catalogue", "engine.generator", "grammar.lint"}
    print(sorted(slow & mine))
    print(sorted(others & {*sys.modules}))
"""


def test_a_file_without_findings_imports_no_fix_no_writer_and_no_other_command(
    tmp_path: Path,
) -> None:
    file = tmp_path / "one.sgf"
    file.write_text(CLEAN)

    run(UNUSED, "check", str(file), "--isolated")

    assert run(UNUSED, "check", str(file), "--isolated").splitlines()[-4:] == [
        "['cli.commands', 'cli.commands.check']",
        "['check.games.go', 'check.games.moves', 'check.games.off_board', 'check.games.registry']",
        "[]",
        "[]",
    ]


LOADED = """
import sys
from sgf_lark.__main__ import main
try:
    main()
except SystemExit:
    print(sorted(name for name in sys.modules if name.startswith("sgf_lark.cli.commands.")))
"""


def test_a_command_is_imported_when_it_is_named() -> None:
    record = str(RECORDS / "go.sgf")

    assert run(LOADED, "check", record).endswith("\n['sgf_lark.cli.commands.check']\n")
    assert run(LOADED, "--help").endswith("\n[]\n")

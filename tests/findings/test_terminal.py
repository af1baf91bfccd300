"""Nothing that a file holds, or is called, reaches a terminal raw, in any command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import nursery
from support.lanes import one_in

from sgf_lark.core.findings.words import visible
from sgf_lark.report.terminal import visible_json
from sgf_lark.settings.forms import Output

pytestmark = pytest.mark.elsewhere

pty = pytest.importorskip("pty")  # Windows has none

#: Clears the screen, turns it red; the same for terminals that know one-byte controls; rings,
#: sets a title, turns the writing round, and gives a workflow a command.
EVIL = "\x1b[2J\x1b[31m\x9b31m\x07\x1b]0;owned\x07\u202e\n::error::owned"

#: The same, but for what cannot be in a grammar's line.
LINE = EVIL.partition("\n")[0]


def on_terminal(*arguments: object, folder: Path, text: bytes = b"") -> str:
    """What a command prints on a terminal."""
    ours, theirs = pty.openpty()
    stdin, typed = os.pipe()
    os.write(typed, text)
    os.close(typed)
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "dumb"}
    nursery().begin([*map(str, arguments)], [stdin, theirs, theirs], folder, environment)
    os.close(stdin)
    os.close(theirs)
    printed = bytearray()
    while True:
        try:
            part = os.read(ours, 1 << 16)
        except OSError:  # Linux says so when nobody holds the other end
            break
        if not part:
            break
        printed += part
    nursery().status()
    os.close(ours)
    return printed.decode("utf-8", "backslashreplace")


def harmless(printed: str, *, is_record: bool = False) -> bool:
    """No control character but line breaks, and no line of a message that commands a workflow."""
    lines = printed.replace("\r\n", "\n").split("\n")
    return all(
        one.replace("\t", "").isprintable() and (is_record or not one.startswith("::error::owned"))
        for one in lines
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Records and grammars with evil in their names and contents."""
    root = f"(;FF[4]GM[1]SZ[19]AP[{EVIL}]PB[{EVIL}]KM[{EVIL}]{LINE}"
    record = f"{root};B[{LINE}][aa]C[{EVIL}]C[{EVIL}];W[bb]W[cc]XX[{LINE}])"
    (tmp_path / f"{EVIL.replace('/', '')}.sgf").write_text(record, encoding="utf-8")
    (tmp_path / "e.sgf").write_text(record, encoding="utf-8")
    (tmp_path / "v.sgf").write_text(f"(;FF[4]GM[1]SZ[19]C[{EVIL}])", encoding="utf-8")
    (tmp_path / "g.lark").write_text(f'// {LINE}\nstart: "{LINE}" | /a/\n', encoding="utf-8")
    (tmp_path / "b.lark").write_text(f"start: {LINE}\n", encoding="utf-8")
    (tmp_path / f"{LINE}.lark").write_text("start: undefined\n", encoding="utf-8")
    (tmp_path / f"{LINE}.json").write_text('{"games": [7]}', encoding="utf-8")
    return tmp_path


COMMANDS = [
    *(("check", "--format", output, ".") for output in Output if output != "github"),
    ("check", "--diff", "."),
    ("check", "--diff", "--unsafe-fixes", "--level", "info", "."),
    ("check", "--fix", "--unsafe-fixes", "--level", "info", "."),
    ("check", "--fix", "-"),
    ("check", "--fix", "--exit-zero", f"{LINE}.sgf"),
    ("check", ".", "--output", f"{LINE}/{LINE}"),
    ("check", f"--{LINE}"),
    ("check", "--select", LINE, "."),
    ("check", "--encoding", LINE, "."),
    ("check", "--grammar", "b.lark", "e.sgf"),
    ("check", "--grammar", f"{LINE}.lark", "e.sgf"),
    ("fmt", "."),
    ("fmt", "--check", "."),
    ("fmt", "--diff", "."),
    ("fmt", "-"),
    ("fmt", f"{LINE}.sgf"),
    ("convert", "e.sgf", "--to", "sgf"),
    ("convert", "e.sgf", "--to", "ff3", "--level", "info"),
    ("convert", "e.sgf", "--to", "json"),
    ("convert", "v.sgf", "--to", "sgf"),
    ("convert", f"{LINE}.json", "--to", "sgf"),
    ("convert", "e.sgf", f"{EVIL}.sgf", "--to", "sgf"),
    *(("tree", "v.sgf", "--format", form) for form in ("text", "json", "sexp", "dot", "svg")),
    ("tree", "e.sgf"),
    ("tree", f"{LINE}.sgf"),
    ("tree", "--text", f"(;C[{EVIL}]"),
    ("tree", "--grammar", "b.lark", "e.sgf"),
    ("play", "--no-browser", f"{LINE}.lark.no"),
    ("play", "--no-browser", f"{LINE}.json"),
    ("explain", LINE),
    ("grammar", "show", "g.lark"),
    ("grammar", "show", "g.lark", "--format", "bare"),
    ("grammar", "show", f"{LINE}.no"),
    ("grammar", "path", f"{LINE}.lark"),
    ("grammar", "new", f"{LINE}.new"),
    ("grammar", "test", "g.lark", "--samples", "3"),
    ("grammar", "test", "ff4", "."),
    ("grammar", "compile", "g.lark", "--expressions"),
    ("grammar", "sample", "g.lark", "-n", "2"),
    ("grammar", "sample", "g.lark", "-n", "2", "--format", "jsonl"),
    ("grammar", "diff", "g.lark", "ff4", "e.sgf"),
    ("grammar", "diff", "g.lark", f"{LINE}.lark"),
    ("grammar", "explain", "e.sgf:2:5"),
    ("grammar", "explain", f"{LINE}.sgf:2:5"),
    ("grammar", "draw", "g.lark", "-o", f"{LINE}.svg"),
    ("grammar", "from-ebnf", "e.sgf"),
]


@pytest.mark.parametrize(
    "arguments",
    one_in(3, map(pytest.param, COMMANDS)),
    ids=lambda one: " ".join(map(ascii, one))[:60],
)
def test_no_command_prints_raw_what_a_file_holds(arguments: tuple[str, ...], folder: Path) -> None:
    text = (folder / "e.sgf").read_bytes()
    printed = on_terminal(*arguments, folder=folder, text=text)

    assert printed
    is_record = arguments[-1] == "-" or arguments[-1] == "sgf"  # its lines are its own
    assert harmless(printed, is_record=is_record), ascii(printed)
    assert "Traceback" not in printed


def test_github_gets_its_own_commands_only(folder: Path) -> None:
    printed = on_terminal("check", "--format", "github", ".", folder=folder)

    assert harmless(printed.replace("::error title=sgf-lark", ""))


def test_what_a_command_makes_is_exact_in_a_pipe(folder: Path) -> None:
    command = [sys.executable, "-m", "sgf_lark", "convert", "v.sgf", "--to", "sgf"]
    made = subprocess.run(command, cwd=folder, capture_output=True, check=False, timeout=100)  # noqa: S603  # our own

    assert made.stdout == (folder / "v.sgf").read_bytes()


def test_letters_that_are_seen_stay_and_others_are_written_out() -> None:
    assert visible("a\u3000é本\tb", keep="\t") == "a\u3000é本\tb"
    assert visible(EVIL).isprintable()
    assert visible("a\nb\x9b") == "a\\nb\\x9b"
    assert visible_json('"a\u009b\u202e\U000e0001"') == '"a\\u009b\\u202e\\udb40\\udc01"'

"""What `sgf-lark check` prints, and what it exits with."""

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from contextlib import redirect_stdout
from pathlib import Path
from typing import IO

import pytest
from click.testing import CliRunner, Result
from rich.console import Console
from support import commands
from support.places import write
from support.said import message_of, unsaid

from sgf_lark import __main__, __version__
from sgf_lark.cli.main import app
from sgf_lark.cli.progress import ProgressBar
from sgf_lark.files.many import BYTES_PER_FILE

pytestmark = pytest.mark.elsewhere

CLEAN = "(;FF[4]GM[1]SZ[19];B[pd])"
BROKEN = "(;FF[4]GM[1]SZ[19]\n;B[pd];W[zz9];X[1])"
WRONG = message_of("V301", BROKEN)
FIELDS = [
    *("file", "code", "name", "severity", "message"),
    *("line", "column", "end_line", "end_column", "offset", "end_offset"),
    *("game", "node_path", "move_number", "property", "value_index", "help", "fix"),
]

SGF_LARK = (sys.executable, "-m", "sgf_lark")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test works in a folder of its own, and no setting of the caller reaches it."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def check(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["check", *arguments], catch_exceptions=False)


def run(
    *arguments: str, text: bytes = b"", stdin: IO[bytes] | None = None, **environment: str
) -> commands.Done:
    """The command in a process of its own."""
    whole = os.environ | environment
    return commands.run(*arguments, folder=Path.cwd(), text=text, stdin=stdin, environment=whole)


def run_afresh(*arguments: str, **environment: str) -> commands.Done:
    """The command in a process of its own that begins with nothing."""
    return commands.afresh(*arguments, folder=Path.cwd(), environment=os.environ | environment)


# ---- the four forms ----


def test_full_shows_the_line_underlined_and_what_to_do() -> None:
    name = write("game.sgf", "(;FF[4]GM[1]SZ[19]\n;B[pd];W[dd]AB[cc])")
    result = check(name)

    assert result.stdout == (
        "game.sgf:2:13: error: setup (AB) and move (W) in one node [T206 setup-with-move]\n"
        "    2 | ;B[pd];W[dd]AB[cc])\n"
        "      |             ^^^^^^\n"
        "        move 2\n"
        "        help: move the setup into its own node before the move: ;AB[cc];W[dd]\n"
        "\n"
        "1 file: 1 error\n"
        "1 fixable with --fix --unsafe-fixes\n"
    )
    assert result.exit_code == 1


def test_concise_is_one_line_a_finding() -> None:
    result = check(write("game.sgf", BROKEN), "--format", "concise")

    assert result.stdout == (
        f"game.sgf:2:10: V301 {WRONG}\n1 file: 1 error; 1 info not shown (--level info)\n"
    )
    assert result.exit_code == 1


def test_json_is_one_array_with_everything_in_it() -> None:
    result = check(write("game.sgf", BROKEN), "--format", "json")
    items = json.loads(result.stdout)

    assert [list(item) for item in items] == [FIELDS, FIELDS]
    assert items[0] == {
        "file": "game.sgf",
        "code": "V301",
        "name": "wrong-value",
        "severity": "error",
        "message": WRONG,
        "line": 2,
        "column": 10,
        "end_line": 2,
        "end_column": 13,
        "offset": 28,
        "end_offset": 31,
        "game": 0,
        "node_path": "2",
        "move_number": 2,
        "property": "W",
        "value_index": 0,
        "help": "",
        "fix": None,
    }
    assert items[1]["name"] == "unknown-property"


def test_json_of_clean_files_is_an_empty_array() -> None:
    result = check(write("game.sgf", CLEAN), "--format", "json")

    assert (result.stdout, result.exit_code) == ("[]\n", 0)


def test_jsonl_is_one_object_a_line() -> None:
    write("a.sgf", BROKEN)
    write("b.sgf", BROKEN)
    result = check(".", "--format", "jsonl")
    items = [json.loads(line) for line in result.stdout.splitlines()]

    assert [item["file"] for item in items] == ["./a.sgf", "./a.sgf", "./b.sgf", "./b.sgf"]
    assert all(list(item) == FIELDS for item in items)


# ---- what is shown ----


def test_infos_are_shown_when_asked_for() -> None:
    result = check(write("game.sgf", BROKEN), "--format", "concise", "--level", "info")

    assert "D501 X is not a property of FF[4]" in result.stdout
    assert result.stdout.endswith("\n1 file: 1 error, 1 info\n")


def test_warnings_are_hidden_when_only_errors_are_asked_for() -> None:
    name = write("game.sgf", f"Hello\n{CLEAN}")

    assert check(name).exit_code == 1
    result = check(name, "--level", "error")
    assert result.stdout == "1 file: nothing wrong; 1 warning not shown (--level warning)\n"
    assert result.exit_code == 0


def test_json_leaves_out_what_is_below_the_level() -> None:
    result = check(write("game.sgf", BROKEN), "--format", "json", "--level", "error")

    assert [item["code"] for item in json.loads(result.stdout)] == ["V301"]


def test_infos_alone_are_no_reason_to_fail() -> None:
    name = write("game.sgf", "(;FF[4]X[1])")

    assert check(name, "--level", "info").exit_code == 0
    assert check(name, "--format", "json").exit_code == 0


def test_the_underline_stands_below_wide_letters() -> None:
    result = check(write("game.sgf", "(;FF[4]PB[青木]\tSZ[大小]C[x])"), "--encoding", "utf-8")

    assert result.stdout.splitlines()[1:3] == [
        "    1 | (;FF[4]PB[青木]    SZ[大小]C[x])",
        "      |                       ^^^^",
    ]


def test_a_long_line_is_cut_around_the_place() -> None:
    result = check(write("game.sgf", "(;FF[4]C[" + "x" * 5000 + "]SZ[big]C[" + "y" * 5000 + "])"))
    shown, under = (line[8:] for line in result.stdout.splitlines()[1:3])

    assert len(shown) < 110
    assert (shown[0], shown[-1]) == ("…", "…")
    assert shown[under.index("^") : under.index("^") + 3] == "big"


def test_the_game_is_told_where_there_are_several() -> None:
    result = check(write("games.sgf", f"{CLEAN}\n(;FF[4](;B[pd])(;B[dd];W[zz9]))"))

    assert "\n        game 2, move 2, in a variation\n" in result.stdout


def test_a_terminal_line_is_never_longer_than_the_terminal() -> None:
    from sgf_lark.report.text import Excerpt

    excerpt = Excerpt("棋" * 40, "青木" * 3, "譜" * 40)

    assert "".join(excerpt.crop(40)) == "棋棋棋棋棋棋 …"[::-1] + "青木青木青木" + "譜譜譜譜譜譜 …"
    assert excerpt.crop(400) is excerpt
    assert Excerpt("", "青" * 40, "").crop(31) == ("", "青青青青青青青青青 …", "")


# ---- which files ----


def test_a_folder_stands_for_the_records_below_it() -> None:
    for name in ("b/x.SGF", "b/deep/y.ggf", "a.mgt", "c.tsgf", "notes.txt", "b/sgf"):
        write(name, BROKEN)
    result = check(".", "--format", "jsonl", "--level", "error", "--as", "ff4")
    found = list(dict.fromkeys(json.loads(line)["file"] for line in result.stdout.splitlines()))

    assert found == ["./a.mgt", "./c.tsgf", "./b/x.SGF", "./b/deep/y.ggf"]


def test_a_file_that_is_named_is_checked_whatever_its_suffix() -> None:
    assert check(write("notes.txt", BROKEN)).exit_code == 1


def test_patterns_are_understood_where_the_shell_left_them() -> None:
    for name in ("a.sgf", "b.sgf", "c/d.sgf"):
        write(name, CLEAN)

    assert check("*.sgf").stdout == "2 files: nothing wrong\n"
    assert check("**/*.sgf").stdout == "3 files: nothing wrong\n"


def test_a_file_that_is_named_twice_is_checked_once() -> None:
    write("a.sgf", CLEAN)

    assert check("a.sgf", ".", "./a.sgf", "*.sgf").stdout == "1 file: nothing wrong\n"


def test_a_name_like_a_pattern_is_a_name_if_there_is_such_a_file() -> None:
    assert "[bold]x[/].sgf:2:10: " in check(write("[bold]x[/].sgf", BROKEN)).stdout


def test_standard_input_is_read_as_bytes() -> None:
    text = "(;FF[4]CA[Big5]SZ[圍])".encode("big5")
    result = run("check", "-", "--format", "concise", text=text)
    first, *_ = result.stdout.decode().splitlines()

    assert first.startswith("<stdin>:1:19: V301 ")
    assert unsaid(first, "'圍'", "SZ") == []


def test_a_line_break_in_a_name_does_not_break_the_line() -> None:
    result = check(write("new\nline\x1b.sgf", BROKEN), "--format", "concise")

    assert result.stdout.startswith("new\\nline\\x1b.sgf:2:10: ")


def test_escape_sequences_of_a_record_do_not_reach_the_terminal() -> None:
    result = check(write("game.sgf", "(;FF[4]SZ[\x1b[31m])"), "--level", "info")

    assert "\x1b" not in result.stdout


# ---- what cannot be read ----


def test_an_unreadable_file_does_not_stop_the_others() -> None:
    write("game.sgf", BROKEN)
    result = check("no.sgf", "no*.ggf", "game.sgf", "--format", "concise")

    assert result.stderr == ""
    assert result.stdout == (
        "no.sgf:1:1: F002 no such file or directory\n"
        "no*.ggf:1:1: F002 no file matches this pattern\n"
        f"game.sgf:2:10: V301 {WRONG}\n"
        "1 file: 1 error; 1 info not shown (--level info); 2 files could not be read\n"
    )
    assert result.exit_code == 2


def test_a_folder_without_records_is_reported(folder: Path) -> None:
    (folder / "empty").mkdir()
    result = check("empty")

    assert result.stdout == (
        "empty: error: this folder has no files that end in .sgf, .sgfs, .ggf, .mgt, .tsgf,"
        " .sgf.txt, .ngf, .ugf, .ugi, .gib, .mat [F003 no-records]\n"
        "\n"
        "1 file could not be read\n"
    )
    assert result.exit_code == 2


@pytest.mark.night
@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no /dev/zero")
def test_a_device_without_end_is_unreadable_and_a_pipe_is_not() -> None:
    write("game.sgf", BROKEN)
    told = ":1:1: F001 this is a device, not a file: it may never end\n"
    for name, stdin, expected in (
        ("/dev/zero", "/dev/null", f"/dev/zero{told}"),
        ("-", "/dev/zero", f"-{told}"),
        ("/dev/null", "/dev/null", ""),
        ("-", "game.sgf", f"<stdin>:2:10: V301 {WRONG}\n"),
        ("/dev/stdin", "game.sgf", f"/dev/stdin:2:10: V301 {WRONG}\n"),
    ):
        with Path(stdin).open("rb") as file:
            done = run("check", "--format", "concise", name, stdin=file)
        assert done.stdout.decode().startswith(expected)
        assert done.stderr == b""
    check_it = f"{shlex.quote(sys.executable)} -m sgf_lark check --format concise"
    command = ["bash", "-c", f"{check_it} <(cat game.sgf) /dev/stdin < <(cat game.sgf)"]
    piped = subprocess.run(  # noqa: S603  # our own command
        command, capture_output=True, timeout=60, check=False
    )
    named, standard, *_ = piped.stdout.decode().splitlines()
    assert named.endswith(f":2:10: V301 {WRONG}")
    assert standard == f"/dev/stdin:2:10: V301 {WRONG}"
    assert piped.stderr == b""


def test_an_unreadable_file_is_an_item_of_json() -> None:
    result = check("no.sgf", "--format", "json", "--exit-zero")
    (item,) = json.loads(result.stdout)

    assert list(item) == FIELDS
    assert (item["file"], item["code"], item["name"]) == ("no.sgf", "F002", "missing-file")
    assert (item["line"], item["column"], item["game"]) == (1, 1, None)
    assert item["message"] == "no such file or directory"
    assert result.exit_code == 2


# ---- exit codes and options ----


def test_nothing_wrong_exits_with_0() -> None:
    result = check(write("game.sgf", CLEAN))

    assert (result.stdout, result.exit_code) == ("1 file: nothing wrong\n", 0)


def test_without_a_path_the_current_folder_is_checked() -> None:
    write("game.sgf", BROKEN)
    result = CliRunner().invoke(app, ["check", "--format", "concise"])

    assert "game.sgf:" in result.stdout
    assert result.exit_code == 1


def test_standard_input_has_the_settings_and_the_name_that_it_is_given() -> None:
    write("sgf-lark.toml", '[per-file-ignores]\n"old/*" = ["ALL"]\n')
    for name, code in (("old/game.sgf", 0), ("new/game.sgf", 1)):
        arguments = ["check", "--format", "concise", "--stdin-filename", name]
        result = CliRunner().invoke(app, arguments, input=BROKEN)

        assert result.exit_code == code
        assert (f"{name}:" in result.stdout) is bool(code)


def test_quiet_prints_findings_only() -> None:
    name = write("game.sgf", BROKEN)
    loud, quiet = check(name, "--format", "concise"), check(name, "--format", "concise", "-q")

    assert loud.stdout.startswith(quiet.stdout)
    assert "1 file" in loud.stdout.removeprefix(quiet.stdout)


def test_exit_zero_is_for_those_who_only_look() -> None:
    result = check(write("game.sgf", BROKEN), "--exit-zero")

    assert "1 error" in result.stdout
    assert result.exit_code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["x.sgf", "--stdin-filename", "y.sgf"],
        ["x.sgf", "--format", "xml"],
        ["x.sgf", "--as", "ff9"],
        ["x.sgf", "--encoding", "klingon"],
    ],
)
def test_bad_use_exits_with_2(arguments: list[str]) -> None:
    write("x.sgf", CLEAN)
    result = check(*arguments)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert "error: " in result.stderr


def test_a_record_is_read_as_what_the_caller_says() -> None:
    name = write("game.sgf", "(;FF[4]GM[1]SZ[19];B[])")

    assert check(name).exit_code == 0
    assert "pass B[] needs FF[4]" in check(name, "--as", "ff3").stdout


def test_an_encoding_can_be_given(folder: Path) -> None:
    (folder / "game.sgf").write_bytes("(;FF[4]SZ[Ж])".encode("cp1251"))

    first, *_ = check("game.sgf", "--encoding", "cp1251").stdout.splitlines()
    assert unsaid(first, "'Ж'", "SZ", "V301") == []


# ---- the process around it ----


def test_the_help_is_for_people_who_know_a_game() -> None:
    for arguments in (["--help"], ["check", "--help"], ["check", "-h"]):
        result = run(*arguments)
        assert result.returncode == 0
        assert b"game records" in result.stdout
        assert not {b"Lark", b"pydantic", b"parser"} & set(result.stdout.split())


def test_the_version_is_told_with_and_without_click() -> None:
    assert run_afresh("--version").stdout.decode() == f"sgf-lark {__version__}\n"
    assert CliRunner().invoke(app, ["--version"]).stdout == f"sgf-lark {__version__}\n"


def test_a_missing_extra_is_explained_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "click", None)
    monkeypatch.delitem(sys.modules, "sgf_lark.cli.main")
    monkeypatch.setattr(sys, "argv", ["sgf-lark", "check", "x.sgf"])
    with pytest.raises(SystemExit) as caught:
        __main__.main()

    assert caught.value.code == (
        "error: sgf-lark needs click and rich (extra cli):  pip install 'sgf_lark[cli]'"
    )


def test_a_missing_module_of_another_kind_is_not_explained_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sgf_lark.cli.interface", None)
    monkeypatch.delitem(sys.modules, "sgf_lark.cli.main")
    monkeypatch.setattr(sys, "argv", ["sgf-lark", "check", "x.sgf"])
    with pytest.raises(ModuleNotFoundError):
        __main__.main()


def test_colors_are_for_terminals() -> None:
    name = write("game.sgf", BROKEN)

    assert b"\x1b" not in run("check", name).stdout
    assert b"\x1b[1;31merror" in run("check", name, FORCE_COLOR="1").stdout
    assert b"\x1b" not in run("check", name, FORCE_COLOR="1", NO_COLOR="1").stdout


@pytest.mark.parametrize(
    ("form", "encoding", "shown"),
    [
        ("concise", "ascii", rb"game\.sgf:1:11: V301 (?=.*\bSZ\b).*'\\u5927'.*\n"),
        ("jsonl", "latin-1", rb"'\\u5927'"),
    ],
)
def test_letters_that_the_terminal_lacks_do_not_stop_the_report(
    form: str, encoding: str, shown: bytes
) -> None:
    name = write("game.sgf", "(;FF[4]SZ[大])")
    terminal = io.TextIOWrapper(io.BytesIO(), encoding)
    with redirect_stdout(terminal), pytest.raises(SystemExit):
        app(["check", name, "--format", form, "--level", "error"], prog_name="sgf-lark")
    terminal.seek(0)

    assert re.search(shown, terminal.buffer.read())


def test_a_reader_that_leaves_ends_it_quietly() -> None:
    name = write("game.sgf", "(;FF[4]" + ";KO[zz9]" * 1000 + ")")
    command = shlex.join([*SGF_LARK, "check", name, "--format", "concise"])
    result = subprocess.run(  # noqa: S602  # a pipe is what is tested
        f"({command}; echo $? >&2) | head -n 1",
        shell=True,
        capture_output=True,
        check=False,
        timeout=100,
    )

    assert result.stdout.count(b"\n") == 1
    assert result.stderr == b"141\n"


@pytest.mark.parametrize("command", ["check --fix --level info", "fmt", "convert --to ff4 -o new"])
def test_a_reader_that_leaves_does_not_stop_the_writing_of_files(command: str) -> None:
    names = [write(f"{number}.sgf", "(;FF[3]GM[1]SZ[19] ;B[zz]KM[6,5])") for number in range(3)]
    reader, writer = os.pipe()
    os.close(reader)
    words = [*SGF_LARK, *command.split(), *names]
    result = subprocess.run(  # noqa: S603  # a process of ours
        words, stdout=writer, stderr=writer, check=False, timeout=100
    )
    os.close(writer)

    folder = Path("new" if "new" in command else ".")
    assert result.returncode == 141
    assert len({(folder / name).read_bytes() for name in names}) == 1
    assert b"KM[6,5])" not in (folder / names[-1]).read_bytes()


@pytest.mark.night
@pytest.mark.parametrize(
    ("words", "done"),
    [
        ("check --fix", "checked"),
        ("check --diff", "checked"),
        ("fmt -q", "formatted"),
        ("convert --to ff4 -o out/", "converted"),
    ],
)
def test_ctrl_c_ends_it_and_says_how_far_it_got(words: str, done: str, folder: Path) -> None:
    write("a.sgf", CLEAN)
    os.mkfifo(folder / "slow.sgf")
    pipe = subprocess.PIPE
    command = [*SGF_LARK, *words.split(), "a.sgf", "slow.sgf", "no.sgf"]
    with (
        subprocess.Popen(command, stdout=pipe, stderr=pipe) as process,  # noqa: S603  # our own
        (folder / "slow.sgf").open("wb"),  # opens when the command reads
    ):
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)

    assert (stdout, stderr) == (b"", b"interrupted: 1 of 3 files %b\n" % done.encode())
    assert process.returncode == 130


@pytest.mark.night
def test_results_come_file_by_file(folder: Path) -> None:
    write("a.sgf", BROKEN)
    os.mkfifo(folder / "b.sgf")
    with subprocess.Popen(  # noqa: S603  # our own command
        [*SGF_LARK, "check", "a.sgf", "b.sgf", "--format", "concise"], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"a.sgf:2:10: ")
        (folder / "b.sgf").write_text(CLEAN, encoding="utf-8")


# ---- waiting ----


def terminal() -> Console:
    return Console(file=io.StringIO(), force_terminal=True, width=80, color_system=None)


def wait() -> None:
    """Until the timers have run that wait for nothing."""
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer) and not thread.interval:
            thread.join(timeout=100)


def test_who_waits_long_sees_how_far_it_is() -> None:
    console = terminal()
    with ProgressBar(console, [700_000, 300_000], delay=0) as bar:
        bar.show_file("[bold]a.sgf")
        wait()
        with bar.paused():
            console.print("found")
    shown = console.file.getvalue()  # type: ignore[attr-defined]

    assert "checking [bold]a.sgf" in shown
    assert "1/2, " in shown
    assert re.search(r"\d+ files/s, \d+\.\d MB/s", shown)
    assert "\nfound\n" in shown.replace("\r", "\n").replace("\x1b[2K", "").replace("\x1b[1A", "")


def test_the_bar_goes_on_within_a_file_and_never_beyond_it() -> None:
    with ProgressBar(terminal(), [700_000, 300_000], delay=60) as bar:
        (task,) = bar._bar.tasks  # noqa: SLF001  # of a library
        done = []
        for size in (400_000, 200_000, 200_000):
            bar.advance("a.sgf", size)
            done.append(task.completed)
        with bar.paused():
            pass
        done.append(task.completed)

    assert done == [400_000, 600_000, 700_000, 700_000 + BYTES_PER_FILE]


@pytest.mark.parametrize("seconds", [0.0, 60.0])
def test_the_time_left_is_estimated_from_seconds_of_work(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sgf_lark.cli.progress.ESTIMATE_SECONDS", seconds)
    console = terminal()
    with ProgressBar(console, [10_000] * 4, delay=0) as bar:
        bar.show_file("a.sgf")
        wait()
        for _ in range(3):
            with bar.paused():
                pass

    assert (" left" in console.file.getvalue()) == (not seconds)  # type: ignore[attr-defined]


def test_who_waits_a_moment_sees_nothing() -> None:
    console = terminal()
    with ProgressBar(console, [1], delay=60) as bar, bar.paused():
        pass

    assert console.file.getvalue() == ""  # type: ignore[attr-defined]


def test_no_bar_appears_where_nobody_watches() -> None:
    console = Console(file=io.StringIO())
    with ProgressBar(console, [1], delay=0) as bar:
        bar.show_file("a.sgf")
        wait()

    assert console.file.getvalue() == ""  # type: ignore[attr-defined]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
@pytest.mark.night
@pytest.mark.parametrize("form", ["full", "json"])
def test_a_report_that_the_disk_does_not_hold_is_a_plain_error(folder: Path, form: str) -> None:
    write("a.sgf", "(;FF[4]GM[1]SZ[19]KM[6,5])")
    command = f"{sys.executable} -m sgf_lark check a.sgf --format {form} > /dev/full"
    result = subprocess.run(  # noqa: S602  # our own
        command, shell=True, cwd=folder, capture_output=True, check=False, timeout=100
    )

    assert result.returncode == 2
    assert result.stderr == b"error: cannot write the output: no space left on device\n"


# ---- fixable findings ----


def test_a_fix_that_was_tried_and_would_do_harm_is_not_offered_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = write("a.sgf", "(;FF[4]GM[1]SZ[19]KM[6,5];B[aa]W[bb])")
    assert "1 fixable with --fix, 1 more with --unsafe-fixes" in check(name).stdout
    monkeypatch.setattr("sgf_lark.core.api.fix.keeps_meaning", lambda *_, **__: False)
    fixed = check(name, "--fix", "--jobs", "1").stdout

    assert "2 errors" in fixed
    assert "1 fixable with --fix --unsafe-fixes" in fixed
    assert "fixable with --fix," not in fixed


def test_every_form_counts_as_fixable_what_fix_would_fix() -> None:
    name = write("a.sgf", "(;FF[4]GM[1]SZ[19]KM[6,5];B[aa]C[\\[a\\]])")
    for form in "full", "statistics":
        offer = check(name, "--format", form).stdout.splitlines()[-1]
        made = check(name, "--format", form, "--diff").stderr

        assert (offer, made[:9]) == ("[*] 1 fixable with --fix", "1 finding")
    assert "[*] 2 fixable" in check(name, "--format", "statistics", "--level", "info").stdout

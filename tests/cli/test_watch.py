"""`check --watch`: checks again when a file changes, and waits in between."""

import io
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner

from sgf_lark.cli.commands import check as watch
from sgf_lark.cli.main import app
from sgf_lark.core.check.selection import CheckOptions
from sgf_lark.core.grammar import grammars
from sgf_lark.files.paths import Unreadable, find_files
from sgf_lark.settings.settings import FileOptions

pytestmark = pytest.mark.elsewhere

NO_SETTINGS = FileOptions(CheckOptions(), isolated=True)

CLEAN = "(;FF[4]GM[1]SZ[19];B[pd])"
BROKEN = "(;FF[4]GM[1]SZ[19]\n;B[pd];W[zz9])"

SGF_LARK = (sys.executable, "-m", "sgf_lark")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    Path("a.sgf").write_text(CLEAN)
    return tmp_path


class Checks:
    """Checks that print nothing; the last lines of their reports are kept."""

    def __init__(self, *arguments: str) -> None:
        self.arguments = arguments
        self.said: list[str] = []

    def find(self) -> Iterable[str | Unreadable]:
        return find_files(self.arguments, NO_SETTINGS)

    def find_grammars(self) -> Iterable[str]:
        by_file = FileOptions(CheckOptions())
        for file in self.find():
            by_file.settings_of(str(file))
        return by_file.find_grammars()

    def run(self) -> int:
        done = CliRunner().invoke(app, ["check", *self.arguments, "--format", "concise"])
        self.said.append(done.stdout.splitlines()[-1] if done.stdout else done.stderr)
        return done.exit_code


def rounds(*steps: Callable[[], object], arguments: tuple[str, ...] = (".",)) -> list[str]:
    """What each check says, if the steps are done between them; then the user ends it.

    Each wait does a step; a check follows only if that changed something.
    """
    checks = Checks(*arguments)
    waiting = [*steps]

    def wait(seconds: float) -> None:
        assert seconds >= watch.MIN_WAIT
        if not waiting:
            raise KeyboardInterrupt
        waiting.pop(0)()

    with pytest.raises(KeyboardInterrupt):
        watch.watch_files(lambda: checks, wait=wait)
    return checks.said


class Silent(Checks):
    """A check of a file that nobody runs."""

    def __init__(self) -> None:
        super().__init__("a.sgf")

    def run(self) -> int:
        return 0


def nothing() -> None:
    """Change nothing."""


def test_a_changed_a_new_and_a_removed_file_are_checked() -> None:
    said = rounds(
        nothing,
        lambda: Path("a.sgf").write_text(BROKEN),
        nothing,
        nothing,
        lambda: Path("b.sgf").write_text(BROKEN),
        lambda: Path("a.sgf").unlink(),
        lambda: Path("note.txt").write_text("no record"),
    )

    assert said == [
        "1 file: nothing wrong",
        "1 file: 1 error",
        "2 files: 2 errors",
        "1 file: 1 error",
    ]


def test_changed_settings_and_grammars_are_a_reason_to_check() -> None:
    assert len(rounds(lambda: Path("sgf-lark.toml").write_text('ignore = ["V"]\n'))) == 2
    snapshot = watch.take_snapshot(Checks("."), ["own.lark"])
    Path("own.lark").write_text("start:\n")
    assert watch.take_snapshot(Checks("."), ["own.lark"]) != snapshot


def test_a_changed_grammar_that_settings_name_is_a_reason_to_check() -> None:
    shipped = grammars.path("ff4").read_text(encoding="utf-8")
    Path("mine.lark").write_text(f'{shipped}\nwarmth: NUMBER "C"\n')
    Path("sgf-lark.toml").write_text('grammar = "mine.lark"\nproperties = {XT = "warmth"}\n')
    Path("a.sgf").write_text("(;FF[4]GM[1]SZ[9]XT[21C])")

    said = rounds(lambda: Path("mine.lark").write_text(f'{shipped}\nwarmth: NUMBER "F"\n'))

    assert said == ["1 file: nothing wrong", "1 file: 1 error"]


def test_records_in_archives_are_watched() -> None:
    def pack(*names: str) -> None:
        with zipfile.ZipFile("games.zip", "w") as archive:
            for name in names:
                archive.writestr(name, CLEAN)

    pack("a.sgf")
    said = rounds(nothing, lambda: pack("a.sgf", "b.sgf"), arguments=("games.zip",))

    assert said == ["1 file: nothing wrong", "2 files: nothing wrong"]


def test_a_file_of_the_same_size_and_time_may_be_another(folder: Path) -> None:
    before = watch.take_snapshot(Checks(str(folder)))
    Path("new").write_text(CLEAN)
    status = Path("a.sgf").stat()
    os.utime("new", ns=(status.st_atime_ns, status.st_mtime_ns))
    Path("new").replace("a.sgf")

    assert watch.take_snapshot(Checks(str(folder))) != before


def test_many_files_are_looked_at_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(0, 1000, 5))
    waits: list[float] = []

    def wait(pause: float) -> None:
        waits.append(pause)
        if len(waits) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(watch, "monotonic", lambda: next(seconds))
    with pytest.raises(KeyboardInterrupt):
        watch.watch_files(Silent, wait=wait)

    assert waits == [watch.MIN_WAIT, 50, 50]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_only_a_terminal_is_cleared(
    stream: type[io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    out, err = stream(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)

    def end(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        watch.watch_files(Silent, wait=end)

    assert out.getvalue() == (watch.CLEAR if stream is Terminal else "")
    assert "; watching 1 file, Ctrl-C ends\n" in err.getvalue()


def test_standard_input_cannot_be_watched() -> None:
    done = CliRunner().invoke(app, ["check", "-", "--watch"])

    assert done.exit_code == 2
    assert "--watch: standard input does not change" in " ".join(done.stderr.split())


def test_a_mistake_in_the_settings_does_not_end_it_and_ctrl_c_does() -> None:
    Path("sub").mkdir()
    Path("a.sgf").rename("sub/a.sgf")
    settings = Path("sub/sgf-lark.toml")
    settings.write_text("level = 1\n")
    command = [*SGF_LARK, "check", "sub", "--watch", "--format", "concise"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:  # noqa: S603  # our own
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stderr.readline().startswith("sub/sgf-lark.toml:1:9: error: expected ")
        while "watching" not in process.stderr.readline():
            pass
        settings.write_text('level = "error"\n')
        assert process.stdout.readline() == "1 file: nothing wrong\n"
        assert "watching 1 file" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)

    assert (stdout, stderr, process.returncode) == ("", "", 130)

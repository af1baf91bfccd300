"""Completion: what is offered, and that bash, zsh and fish offer it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest
from click.testing import CliRunner
from support.terminal import Shell as Screen

from sgf_lark.cli.completion import Shell, script_for
from sgf_lark.cli.main import app

pytestmark = pytest.mark.elsewhere


def complete(line: str, monkeypatch: pytest.MonkeyPatch, shell: str = "bash") -> list[str]:
    """Return what a shell is given for a line, whose last word is at the cursor."""
    words = f"sgf-lark {line}"
    monkeypatch.setenv("_SGF_LARK_COMPLETE", f"{shell}_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    word = str(line.count(" ") + 1) if shell != "fish" else line.rpartition(" ")[2]
    monkeypatch.setenv("COMP_CWORD", word)
    done = CliRunner().invoke(app, prog_name="sgf-lark")
    assert not done.exit_code
    return done.stdout.split("\n")[:-1]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("ch", ["check"]),
        ("--ver", ["--version"]),
        ("grammar sh", ["show"]),
        ("check --form", ["--format"]),
        ("check --format con", ["concise"]),
        ("check --level ", ["error", "warning", "info"]),
        ("check --level = inf", ["info"]),
        ("check --select V30", [f"V30{number}" for number in range(1, 10)]),
        ("check --ignore wrong-va", ["wrong-value"]),
        ("check --ignore V301,synt", ["V301,syntax"]),
        ("check --ignore a.sgf --err", ["--error"]),
        ("check --grammar games/oth", ["games/othello"]),
        ("check --encoding gb", ["gb18030"]),
        ("explain Kom", ["Komi"]),
        ("explain extend-s", ["extend-select"]),
        ("explain convert.m", ["convert.minutes"]),
        ("explain T21", [f"T21{number}" for number in range(10)]),
        ("show a.sgf --numbers l", ["last"]),
        ("grammar show ff", ["ff1", "ff3", "ff4"]),
        ("arc", ["archive"]),
        ("archive b", ["build"]),
        ("archive dupes go.archive --by d", ["dyer"]),
    ],
)
def test_completion_offers(line: str, offered: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert complete(line, monkeypatch) == [f"plain,{value}" for value in offered]


@pytest.mark.parametrize("line", ["check a", "check -- a", "check --grammar own", "check -o a"])
def test_the_shell_completes_files(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert complete(line, monkeypatch) == [f"file,{line.rpartition(' ')[2]}"]


def test_an_empty_word_gets_groups_of_rules_and_no_list_of_hundreds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    offered = complete("check --select ", monkeypatch)

    assert offered[:3] == ["plain,ALL", "plain,file", "plain,syntax"]
    assert len(offered) < 12


def test_zsh_and_fish_get_a_summary_beside_each_value(monkeypatch: pytest.MonkeyPatch) -> None:
    summary = "a value that is not of its type"

    assert f"plain\nV301\n{summary}" in "\n".join(complete("explain V30", monkeypatch, "zsh"))
    assert f"plain,V301\t{summary}" in complete("explain V30", monkeypatch, "fish")
    assert complete("check --level=in", monkeypatch, "fish") == ["plain,--level=info"]


@pytest.mark.night
@pytest.mark.parametrize(
    ("words", "offered"),
    [("check --select wrong-v", "wrong-value"), ("archive dupes --mer", "--merge")],
)
def test_completion_of_options_waits_for_no_model_and_no_table(words: str, offered: str) -> None:
    code = (
        "import sys, sgf_lark.__main__ as program\n"
        "try:\n    program.main()\nexcept SystemExit:\n    pass\n"
        "print({'lark', 'pydantic', 'rich', 'pyarrow'} & {*sys.modules}, file=sys.stderr)"
    )
    environment = os.environ | {
        "_SGF_LARK_COMPLETE": "bash_complete",
        "COMP_WORDS": f"sgf-lark {words}",
        "COMP_CWORD": str(words.count(" ") + 1),
    }
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        env=environment,
        text=True,
        timeout=100,
    )

    assert done.stdout == f"plain,{offered}\n"
    assert done.stderr.splitlines()[-1] == "set()"


@pytest.mark.parametrize("shell", Shell)
def test_the_script_is_shown_and_installed_once(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ZDOTDIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    rc = tmp_path / f".{shell}rc"
    rc.write_text("# mine")
    shown = CliRunner().invoke(app, ["--show-completion", shell]).stdout

    for is_first in (True, False):
        done = CliRunner().invoke(app, ["--install-completion", shell])
        assert not done.exit_code
        script = Path(done.stdout.partition("wrote ")[2].partition("\n")[0])
        assert script.read_text() == shown == script_for(app, shell)
        assert rc.read_text().startswith("# mine")
        assert rc.read_text().count("sgf-lark") <= 3
        is_added = f"added to {rc} what reads it" in done.stdout
        assert is_added == (is_first and shell is not Shell.FISH)


@pytest.mark.parametrize("option", ["--install-completion", "--show-completion"])
@pytest.mark.parametrize("word", ["tcsh", "check"])
def test_another_shell_is_answered_with_the_shells_that_there_are(
    option: str, word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    done = CliRunner().invoke(app, [option, word])

    assert done.exit_code == 2
    expected = f"invalid value '{word}' for {option}: expected bash, zsh or fish"
    assert f"error: {expected}\n" in done.stderr
    assert not done.stdout
    assert not [*tmp_path.iterdir()]


# ---- the shells themselves ----

#: Settings that give each shell a prompt that a test knows.
PROMPTS = {
    "bash": (".bashrc", "PS1='READY> '\n"),
    "zsh": (".zshrc", "PS1='READY> '\n"),
    "fish": (
        ".config/fish/config.fish",
        "function fish_prompt; echo -n 'READY> '; end\nset fish_greeting\n",
    ),
}

#: Keys before the Tab key, and what it adds, in one line and then in lines of their own.
KEYS = [
    ("sgf-lark che", "check"),
    ("--form", "--format"),
    ("con", "concise"),
    ("--level=inf", "info"),
    ("--select wrong-va", "wrong-value"),
    ("--ignore V301,wrong-va", "V301,wrong-value"),
    ("gam", "game\\ one.sgf"),
    ("\x15sgf-lark explain Kom", "Komi"),
    ("\x15sgf-lark check --grammar games/oth", "games/othello"),
    ("\x15sgf-lark grammar sh", "show"),
]


def try_shell(name: str, home: Path, keys: list[tuple[str, str]]) -> None:
    """Install the completion in a shell, open another one, and complete lines in it."""
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"{name} is not installed")
    command = home / "bin" / "sgf-lark"
    command.parent.mkdir()
    root = Path(__file__).parents[2]
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{root}" exec "{sys.executable}" -m sgf_lark "$@"\n')
    command.chmod(0o755)
    file, prompt = PROMPTS[name]
    (home / file).parent.mkdir(parents=True, exist_ok=True)
    (home / file).write_text(prompt)
    (home / "game one.sgf").write_text("(;FF[4])")
    path = f"{command.parent}:/usr/bin:/bin"
    environment = {"HOME": str(home), "PATH": path, "TERM": "xterm", "LANG": "C.UTF-8"}
    with Screen([program, "-i"], environment, folder=home) as shell:
        shell.type("", until="READY> ")
        shell.type(f"sgf-lark --install-completion {name}\r", until="the next shell that you open")
    with Screen([program, "-i"], environment, folder=home) as shell:
        shell.type("", until="READY> ")
        sleep(0.5)
        for typed, completed in keys:
            shell.type(f"{typed}\t", until=completed)


def test_bash_completes_a_command(tmp_path: Path) -> None:
    try_shell("bash", tmp_path, KEYS[:1])


@pytest.mark.night
@pytest.mark.must
@pytest.mark.parametrize("name", PROMPTS)
def test_a_shell_completes_commands_options_values_and_files(name: str, tmp_path: Path) -> None:
    try_shell(name, tmp_path, KEYS)

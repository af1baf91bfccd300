"""Completion: what is offered, and that bash, zsh and fish offer it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest
from support.command_list import COMMANDS
from support.terminal import Shell

from sgf_lark.cli.interface import completion


def complete(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], shell: str
) -> list[str]:
    """Return what a shell is given for a line, whose last word is at the cursor."""
    *words, word = line.split(" ")
    monkeypatch.setenv(completion.SHELL, shell)
    monkeypatch.setenv(completion.WORDS, "\n".join(words))
    monkeypatch.setenv(completion.WORD, word)
    with pytest.raises(SystemExit) as ended:
        COMMANDS[()].main([], prog_name="sgf-lark")
    assert not ended.value.code
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("ch", ["check"]),
        ("--ver", ["--version"]),
        ("grammar sh", ["show"]),
        ("check --form", ["--format"]),
        ("check --format con", ["concise"]),
        ("check --format = con", ["concise"]),
        ("check --level ", ["error", "warning", "info"]),
        ("check --select V30", [f"V30{number}" for number in range(1, 10)]),
        ("check --ignore wrong-va", ["wrong-value"]),
        ("check --ignore V301,synt", ["V301,syntax"]),
        ("check --ignore a.sgf --err", ["--error"]),
        ("check --grammar games/oth", ["games/othello"]),
        ("check --grammar own", ["own/", "own.lark"]),
        ("check --encoding gb", ["gb18030"]),
        ("check a", []),
        ("explain Kom", ["Komi"]),
        ("explain T21", [f"T21{number}" for number in range(10)]),
        ("show a.sgf --numbers l", ["last"]),
        ("grammar show ff", ["ff1", "ff3", "ff4"]),
        ("check -- a", []),
        ("arc", ["archive"]),
        ("archive b", ["build"]),
        ("archive dupes go.archive --by d", ["dyer"]),
        ("archive select go.archive true --columns black,white_te", ["black,white_team"]),
    ],
)
def test_completion_offers(
    line: str,
    offered: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.lark").touch()
    Path("own").mkdir()

    assert complete(line, monkeypatch, capsys, "bash") == offered


def test_an_empty_word_gets_groups_of_rules_and_no_list_of_hundreds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    offered = complete("check --select ", monkeypatch, capsys, "bash")

    assert offered[:3] == ["ALL", "file", "syntax"]
    assert len(offered) < 12


def test_zsh_and_fish_get_a_summary_beside_each_value(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = "V301\ta value that is not of its type"

    assert line in complete("explain V30", monkeypatch, capsys, "zsh")
    assert line in complete("explain V30", monkeypatch, capsys, "fish")
    assert complete("check --level=in", monkeypatch, capsys, "fish") == ["--level=info"]


@pytest.mark.parametrize(
    ("words", "word", "offered"),
    [("check\n--select", "wrong-v", b"wrong-value"), ("archive\ndupes", "--mer", b"--merge")],
)
def test_completion_of_options_waits_for_no_model_and_no_table(
    words: str, word: str, offered: bytes
) -> None:
    code = (
        "import sys, sgf_lark.__main__ as program\n"
        "try:\n    program.main()\nexcept SystemExit:\n    pass\n"
        "print({'lark', 'pydantic', 'rich', 'pyarrow'} & {*sys.modules}, file=sys.stderr)"
    )
    environment = os.environ | {
        completion.SHELL: "bash",
        completion.WORDS: words,
        completion.WORD: word,
    }
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, check=True, env=environment
    )

    assert done.stdout == offered + b"\n"
    assert done.stderr.splitlines()[-1] == b"set()"


@pytest.mark.parametrize("shell", completion.SCRIPTS)
def test_the_script_is_shown_and_installed_once(
    shell: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(completion, "detect_shell", lambda: shell)
    for name in ("ZDOTDIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    rc = tmp_path / f".{shell}rc"
    rc.write_text("# mine")

    with pytest.raises(SystemExit):
        COMMANDS[()].main(["--show-completion"], prog_name="sgf-lark")
    assert capsys.readouterr().out == completion.SCRIPTS[shell]

    for _ in range(2):
        with pytest.raises(SystemExit) as ended:
            COMMANDS[()].main(["--install-completion"], prog_name="sgf-lark")
        assert not ended.value.code
    said = capsys.readouterr().out
    script = Path(said.partition("wrote ")[2].partition("\n")[0])
    assert script.read_text() == completion.SCRIPTS[shell]
    assert rc.read_text().startswith("# mine")
    assert rc.read_text().count("sgf-lark") <= 3
    assert said.count(f"added to {rc} what reads it") == (shell != "fish")


@pytest.mark.parametrize("option", ["--install-completion", "--show-completion"])
@pytest.mark.parametrize("word", ["nonsense", "check"])
def test_a_word_after_an_option_for_completion_is_an_error_and_nothing_is_written(
    option: str,
    word: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(completion, "detect_shell", lambda: "bash")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(SystemExit) as ended:
        COMMANDS[()].main([option, word], prog_name="sgf-lark")

    assert ended.value.code == 2
    said = capsys.readouterr()
    assert f"Error: unexpected argument '{word}'\n" in said.err
    assert not said.out
    assert not [*tmp_path.iterdir()]


def test_another_shell_is_told_which_shells_there_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(completion, "detect_shell", lambda: "tcsh")
    with pytest.raises(SystemExit) as ended:
        COMMANDS[()].main(["--install-completion"], prog_name="sgf-lark")

    assert ended.value.code == 2
    said = "there is completion for bash, zsh and fish, and this is tcsh"
    assert said in capsys.readouterr().err


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
    ("--level=inf", "--level=info"),
    ("--select wrong-va", "wrong-value"),
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
    with Shell([program, "-i"], environment, folder=home) as shell:
        shell.type("", until="READY> ")
        shell.type("sgf-lark --install-completion\r", until="the next shell that you open")
    with Shell([program, "-i"], environment, folder=home) as shell:
        shell.type("", until="READY> ")
        sleep(0.5)
        for typed, completed in keys:
            shell.type(f"{typed}\t", until=completed)


def test_bash_completes_a_command(tmp_path: Path) -> None:
    try_shell("bash", tmp_path, KEYS[:1])


@pytest.mark.night
@pytest.mark.parametrize("name", PROMPTS)
def test_a_shell_completes_commands_options_values_and_files(name: str, tmp_path: Path) -> None:
    try_shell(name, tmp_path, KEYS)

"""Help: each command at each width, as people read it."""

from __future__ import annotations

import io
import re
import shlex
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from support.command_list import COMMANDS, choices, options_of
from support.every_command import MORE, examples, write_files
from support.lanes import by_night, one_in

from sgf_lark.archive.build import build
from sgf_lark.cli.interface import Command, CommandGroup
from sgf_lark.cli.main import app

WIDTHS = (80, by_night(60), by_night(120))

#: Words of Python, and of programs that parse command lines.
JARGON = re.compile(r"<[a-z]|list\[|\bstr\b|\bint\b|range\b.*<|x[<>]=|\{[A-Z]|\]\]|None|True|False")


def help_of(words: tuple[str, ...], width: int, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the help of a command on a terminal of a width."""
    monkeypatch.setenv("COLUMNS", str(width))
    context: Any = None
    for number in range(len(words) + 1):
        command = COMMANDS[words[:number]]
        name = ("sgf-lark", *words)[number]
        context = command.context_class(
            command, info_name=name, parent=context, **app.context_settings
        )
    return click.unstyle(context.get_help())


@pytest.mark.parametrize("width", WIDTHS)
def test_help_fits_the_terminal_and_cuts_nothing(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for words in COMMANDS:
        shown = help_of(words, width, monkeypatch)

        assert max(map(len, shown.splitlines())) <= min(width, 100), words
        assert not re.search(r"\w\.\.\.$", shown.partition("\n\n")[2], re.MULTILINE), words
        assert not JARGON.search(shown), words


#: Options whose choices are those of ``check``, as the help says.
LINKED = {("form", "convert"), ("form", "merge")}


def test_each_option_and_each_choice_is_in_the_help(monkeypatch: pytest.MonkeyPatch) -> None:
    for words, command in COMMANDS.items():
        shown = set(re.findall(r"[\w-]+", help_of(words, 80, monkeypatch)))
        brief = command if isinstance(command, Command) and command.is_brief else None
        bundles = brief.bundles.values() if brief else ()
        common = [bundle for bundle in bundles if bundle.is_common]
        told_elsewhere = {option.name for bundle in common for option in bundle.options()}

        for option in options_of(words):
            assert max(option.opts, key=len) in shown, words
            if option.name not in told_elsewhere and (option.name, *words) not in LINKED:
                assert {*option.opts} <= shown, words
                assert {*choices(option)} <= shown, words


def test_options_that_three_commands_share_are_explained_once() -> None:
    (check, *others) = [COMMANDS[name,] for name in ("check", "fmt", "convert")]

    assert isinstance(check, Command)
    for command in others:
        assert isinstance(command, Command)
        common = {bundle for bundle in command.bundles.values() if bundle.is_common}
        assert len(common) > 3
        assert common < {*check.bundles.values()}


@pytest.mark.parametrize("is_terminal", [False, True])
def test_headings_are_bold_on_a_terminal_and_nothing_is_in_a_pipe(is_terminal: bool) -> None:  # noqa: FBT001
    shown = CliRunner().invoke(app, ["check", "--help"], color=is_terminal).output

    assert ("\x1b[1mRules\x1b[0m:" in shown) == is_terminal
    assert ("\x1b" in shown) == is_terminal


def test_no_color_is_honored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    assert "\x1b" not in CliRunner().invoke(app, ["check", "--help"], color=True).output


def test_the_summary_of_a_command_is_its_first_sentence() -> None:
    for words, command in COMMANDS.items():
        if words:
            group = COMMANDS[words[:-1]]
            assert isinstance(group, CommandGroup)
            summary = group.commands[words[-1]].short_help or "?"
            assert " ".join((command.help or "").split()).startswith(summary), words


def test_the_most_used_commands_have_examples() -> None:
    shown = {line.split()[1] for line in examples()}

    assert {"check", "fmt", "convert", "show", "explain", "tree", "grammar"} <= shown


def test_a_program_that_tries_all_commands_has_an_example_of_each() -> None:
    tried = [tuple(line.split()[1:]) for line in [*examples(), *MORE]]

    for words, command in COMMANDS.items():
        if not isinstance(command, click.Group):
            assert any(each[: len(words)] == words for each in tried), words


#: Servers run until they are stopped, the playground may need wheels, and the site takes half a
#: minute: see tests/workbench, tests/server and tests/site.
NOT_TRIED = "sgf-lark play ", "sgf-lark server ", "sgf-lark site "
TRIED = [line for line in examples() if not line.startswith(NOT_TRIED)]


@pytest.mark.parametrize("line", one_in(12, TRIED))
def test_each_example_works(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    if "archive" in line:
        build(["game.sgf"], "go.archive", jobs=1, patterns=True)
    output, errors = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with redirect_stdout(output), redirect_stderr(errors), pytest.raises(SystemExit) as ended:
        COMMANDS[()].main(shlex.split(re.sub(r" > [\w.]+$", "", line))[1:], prog_name="sgf-lark")

    assert ended.value.code in {0, 1}, errors.getvalue()

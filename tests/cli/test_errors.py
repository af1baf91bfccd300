"""Errors of the command line: exit code 2, in words that people know."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from support.command_list import COMMANDS, choices, options_of
from support.lanes import amount, one_in

from sgf_lark.cli import errors
from sgf_lark.cli.interface import NumberFrom

pytestmark = pytest.mark.elsewhere

#: Words of Python, pydantic and click.
JARGON = re.compile(
    r"Value error|Input should|[Vv]alidation|Traceback|\bint\b|\bstr\b|integer|Invalid value"
    r"|not one of|\bNone\b|<class|pydantic|Errno|requires an argument|\(Possible|unable to parse"
)

#: Wrong values of options whose values are no choices and no numbers.
WRONG = {
    **dict.fromkeys(("--select", "--extend-select", "--ignore"), "V999"),
    **dict.fromkeys(("--error", "--warn", "--info"), "no-such-rule"),
    "--config": "none/settings.toml",
    "--encoding": "nonsense",
    "--grammar": "none/x.lark",
    "--start": "no_such_rule",
    "--output": "a.sgf/x.svg",
    "--game": "Nonsense",
    "--move": "x",
    "--split": "x",
    "--numbers": "x",
    "--range": "x",
}

#: Arguments with which the commands work, and options that others need.
ARGUMENTS = {
    ("check",): ["a.sgf"],
    ("fmt",): ["a.sgf", "--check"],
    ("convert",): ["a.sgf", "--to", "ff3"],
    ("show",): ["a.sgf", "--format", "svg"],
    ("tree",): ["a.sgf"],
    ("archive", "build"): ["a.sgf", "-o", "go.archive"],
    ("archive", "select"): ["go.archive", "true", "-o", "copies"],
    ("archive", "stats"): ["go.archive"],
    ("archive", "dupes"): ["go.archive"],
    ("archive", "openings"): ["go.archive"],
    ("archive", "sql"): ["go.archive", "FROM games"],
    ("grammar", "show"): ["ff4"],
    ("grammar", "test"): ["ff4"],
    ("grammar", "lint"): ["ff4"],
    ("grammar", "sample"): ["ff4"],
    ("grammar", "diff"): ["ff4", "ff3"],
    ("grammar", "explain"): ["a.sgf:1:1"],
    ("grammar", "draw"): ["ff4", "-o", "x.svg"],
    ("grammar", "from-ebnf"): ["a.ebnf"],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test works in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    Path("a.sgf").write_text("(;FF[4]GM[1]SZ[9];B[ee])\n", encoding="utf-8")
    Path("a.ebnf").write_text('A = "a".\n', encoding="utf-8")


class Done(NamedTuple):
    """The result of a command."""

    exit_code: int
    output: str
    stderr: str


def run(*arguments: str) -> Done:
    """Run a command; the commands are made once for all tests."""
    output, errors = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    with redirect_stdout(output), redirect_stderr(errors), pytest.raises(SystemExit) as ended:
        COMMANDS[()].main(list(arguments), prog_name="sgf-lark")
    output.seek(0)
    return Done(int(ended.value.code or 0), output.read(), errors.getvalue())


def options(words: tuple[str, ...]) -> Iterator[tuple[str, click.Option]]:
    """Return the options of a command by their longest names."""
    for option in options_of(words):
        yield max(option.opts, key=len), option


def wrong_values(name: str, option: click.Option) -> Iterator[str]:
    if option.is_flag:
        yield f"{name}=x"
    elif choices(option):
        yield f"{name}=wrong"
        yield f"{name}="
    elif isinstance(option.type, NumberFrom):
        yield f"{name}=x"
        yield f"{name}={option.type.least - 1}"
    elif name in WRONG:
        yield f"{name}={WRONG[name]}"


@pytest.mark.both_lanes
@pytest.mark.parametrize(
    "words", one_in(3, [pytest.param(words) for words in COMMANDS if words]), ids=" ".join
)
def test_a_wrong_value_of_an_option_is_explained_without_python(words: tuple[str, ...]) -> None:
    arguments = ARGUMENTS.get(words, [])
    typed = ["--typed"] if "--typed" in dict(options(words)) else []
    for name, option in options(words):
        for wrong in islice(wrong_values(name, option), amount(1, 2)):
            more = typed if name in {"--game", "--size"} else []
            done = run(*words, *arguments, *more, wrong)
            said = done.stderr.partition("error: ")[2] or done.stderr
            assert done.exit_code == 2, (wrong, done.output)
            assert said, wrong
            assert not JARGON.search(said), said
            assert len(said) < 600, said
        if not option.is_flag:
            said = run(*words, *arguments, name).stderr
            assert f"{name} needs a value: " in said


def test_a_misspelled_option_is_answered_with_the_right_one() -> None:
    for words in COMMANDS:
        for name in dict(options(words)):
            if len(name) > len("--warn"):
                said = run(*words, f"{name[:-2]}{name[-1]}{name[-2]}x").stderr
                assert f"error: no option {name[:-2]}" in said, words
                assert "\nhelp: did you mean --" in said, words


def test_a_missing_argument_is_named() -> None:
    for words, command in COMMANDS.items():
        if any(param.required for param in command.params):
            done = run(*words)
            assert done.exit_code == 2, words
            assert re.search(r"error: \S.* is missing", done.stderr), words
            assert not JARGON.search(done.stderr), words


def test_a_wrong_command_is_answered_with_the_right_one() -> None:
    assert "error: no command 'chek'\nhelp: did you mean check?\n" in run("chek").stderr
    assert "to check this file or folder: sgf-lark check a.sgf" in run("a.sgf").stderr
    assert "error: got unexpected extra argument (b)\n" in run("tree", "a.sgf", "b").stderr


def test_a_command_of_another_tool_is_answered_with_ours() -> None:
    assert "error: no command 'lint'\nhelp: 'sgf-lark check' does that\n" in run("lint").stderr
    for word, ours in errors.OTHER_COMMANDS.items():
        words = word.split()
        said = f"error: no command '{words[-1]}'\nhelp: 'sgf-lark {ours}' does that\n"
        assert said in run(*words).stderr
        assert tuple(words) not in COMMANDS
        path = [name for name in ours.split() if not name.startswith("-")]
        length = max(length for length in range(3) if tuple(path[:length]) in COMMANDS)
        known = {name for param in COMMANDS[tuple(path[:length])].params for name in param.opts}
        assert {name for name in ours.split() if name.startswith("-")} <= {*known, "--help"}


def test_an_option_of_another_tool_is_answered_with_ours() -> None:
    said = run("check", "--output-format", "json").stderr
    assert "error: no option --output-format\nhelp: --format does that\n" in said
    assert "error: no option -V\nhelp: --version does that\n" in run("-V").stderr
    for theirs, ours in errors.OTHER_OPTIONS.items():
        having = [words for words in COMMANDS if ours.split()[0] in dict(options(words))]
        assert having, ours
        hints = [
            f"no option {theirs}\nhelp: {ours} does that" in run(*each, theirs).stderr
            for each in having
        ]
        assert any(hints), theirs
    for option, ours in errors.INSTEAD.items():
        command, theirs = option.split()
        words = next(words for words in COMMANDS if words and words[-1] == command)
        said = f"error: no option {theirs}\nhelp: {ours} does that\n"
        assert said in run(*words, theirs).stderr


@pytest.mark.parametrize("words", [["check"], ["fmt"], ["convert", "--to", "ff4"]], ids=" ".join)
def test_an_empty_path_is_said_to_be_empty(words: list[str]) -> None:
    for paths in ([""], ["a.sgf", ""]):
        done = run(*words, *paths)
        assert done.exit_code == 2
        assert done.stderr.endswith("error: PATHS: a path is empty\n")
        assert not done.output


@pytest.mark.parametrize("name", ["-dash.sgf", "--dash.sgf", "-q5.sgf"])
def test_a_file_whose_name_begins_as_an_option_is_answered_with_how_to_write_it(name: str) -> None:
    hint = f"help: for the file {name}: ./{name}, or -- before it\n"
    assert hint not in run("check", name).stderr

    Path(name).write_text("(;FF[4]GM[1]SZ[9];B[ee])\n", encoding="utf-8")
    done = run("check", "a.sgf", name)
    assert done.exit_code == 2
    assert "error: no option -" in done.stderr
    assert done.stderr.endswith(hint)
    assert run("check", f"./{name}").exit_code == run("check", "--", name).exit_code == 0
    assert hint not in run("check", "--no-such", "--", name).stderr


def test_the_case_of_a_format_does_not_matter() -> None:
    for command in (["check"], ["show"], ["convert", "--to", "json"]):
        done = run(*command, "a.sgf", "--as", "FF1")
        assert done.exit_code in {0, 1}, done.stderr


def test_control_characters_in_arguments_are_escaped() -> None:
    for wrong in (
        ["a\x1b"],
        ["check", "--\x1bx"],
        ["check", "--level", "\x1b"],
        ["show", "a", "\x1b"],
    ):
        done = run(*wrong)
        assert done.exit_code == 2
        assert "\x1b" not in done.output


def test_an_encoding_where_a_format_is_expected_is_answered_by_its_option() -> None:
    said = run("convert", "--to", "utf-8", "a.sgf").stderr

    assert "\nhelp: --to-encoding utf-8 chooses the encoding\n" in said
    assert "\nhelp: did you mean ff4?\n" in run("convert", "--to", "ff5", "a.sgf").stderr

"""Help: each command at each width, as people read it."""

from __future__ import annotations

import io
import re
import shlex
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from support.command_list import COMMANDS, shown_params
from support.lanes import one_in

from sgf_lark.archive.build import build
from sgf_lark.cli.interface.help import MIN_OPTIONS, Section
from sgf_lark.cli.interface.parameters import choices

WIDTHS = (60, 80, 120)

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
            command, info_name=name, parent=context, help_option_names=["-h", "--help"]
        )
    return str(context.get_help())


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_help_fits_the_terminal_and_cuts_nothing(
    words: tuple[str, ...], width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = help_of(words, width, monkeypatch)

    assert max(map(len, shown.splitlines())) <= min(width, 100)
    assert not re.search(r"\w\.\.\.$", shown.partition("\n\n")[2], re.MULTILINE)
    assert not JARGON.search(shown)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_each_option_and_each_choice_is_in_the_help(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = set(re.findall(r"[\w-]+", help_of(words, 80, monkeypatch)))

    for param in shown_params(words):
        assert {*choices(param)} <= shown
        assert param.param_type_name == "argument" or {*param.opts} <= shown


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_the_options_of_a_long_help_are_in_sections(words: tuple[str, ...]) -> None:
    options = [param for param in shown_params(words) if param.param_type_name == "option"]
    if len(options) + 1 >= MIN_OPTIONS:
        assert {param.name for param in options if param.rich_help_panel not in [*Section]} == set()


@pytest.mark.parametrize("words", [words for words in COMMANDS if words], ids=" ".join)
def test_the_summary_of_a_command_is_its_first_sentence(words: tuple[str, ...]) -> None:
    rows = COMMANDS[words[:-1]].summaries.values()
    (summary,) = [names[words[-1]] for names in rows if words[-1] in names]

    assert " ".join(COMMANDS[words].help.split()).startswith(summary)


def examples() -> list[str]:
    """Return the examples of all commands."""
    texts = [command.help.partition("\nExamples:\n")[2] for command in COMMANDS.values()]
    return [line.strip() for text in texts for line in text.splitlines()]


def test_the_most_used_commands_have_examples() -> None:
    shown = {line.split()[1] for line in examples()}

    assert {"check", "fmt", "convert", "show", "explain", "tree", "grammar"} <= shown


@pytest.mark.parametrize("line", one_in(3, examples()))
def test_each_example_works(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games").mkdir()
    for name in ("game.sgf", "old.sgf", "games/a.sgf"):
        Path(name).write_text("(;FF[4]GM[1]SZ[9];B[ee];W[cc];B[gg])\n", encoding="utf-8")
    rows = "-------- -------- -------- ---O*--- ---*O--- -------- -------- --------"
    game = f"(;GM[Othello]PC[GGS/os]PB[a]PW[b]TY[8]BO[8 {rows} *];B[d3])"
    Path("game.ggf").write_text(game, encoding="utf-8")
    with ZipFile("games.zip", "w") as archive:
        archive.write("game.sgf")
    if "archive" in line:
        build(["game.sgf"], "go.archive", jobs=1)
    output, errors = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with redirect_stdout(output), redirect_stderr(errors), pytest.raises(SystemExit) as ended:
        COMMANDS[()].main(shlex.split(line)[1:], prog_name="sgf-lark")

    assert ended.value.code in {0, 1}, errors.getvalue()

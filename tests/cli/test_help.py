"""Help: each command at each width, as people read it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support.command_list import COMMANDS, shown_params

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

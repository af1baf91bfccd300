"""Options: one name means one thing in every command."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from sgf_lark.cli.main import app

#: Options whose help differs from command to command, and the reason for it.
REASONS = {
    "--diff": "changes are those of fixes, or of the layout",
    "--format": "always the form of the output: each command has its own forms",
    "--game": "of a typed grammar, whose default is Go; samples are of any game",
    "--level": "convert says what its severities mean: losses, guesses, changes",
    "--output": "always the file for the result; pictures and figures say which files",
    "--size": "of a picture in pixels, of a board in points",
    "--to": "of convert a format of records, of an archive also a form of tables",
    "--typed": "a typed grammar, or records made by one",
}

#: Options of all commands that read records.
OF_READERS = {"--as", "--encoding"}


def commands(group: Any = None, *path: str) -> Iterator[tuple[str, Any]]:
    group = get_command(app) if group is None else group
    for name in getattr(group, "commands", ()):
        command = group.commands[name]
        if getattr(command, "commands", None):
            yield from commands(command, *path, name)
        else:
            yield " ".join((*path, name)), command


def options(command: Any) -> Iterator[Any]:
    return (one for one in command.params if one.param_type_name == "option" and not one.hidden)


def test_options_of_one_name_are_one_option() -> None:
    known: dict[str, set[tuple[object, ...]]] = defaultdict(set)
    for _, command in commands():
        for option in options(command):
            for name in option.opts:
                known[name].add((option.help, option.is_flag, option.multiple))
    differ = {name for name, kinds in known.items() if len(kinds) > 1 and name[:2] == "--"}

    assert differ <= {*REASONS}


def test_commands_that_read_one_record_or_many_decode_and_read_it_as_told() -> None:
    readers = {
        name: {spelling for option in options(command) for spelling in option.opts}
        for name, command in commands()
        if name in {"check", "convert", "show", "tree", "grammar explain"}
    }

    assert len(readers) == 5
    for name, names in readers.items():
        assert names >= OF_READERS, name


def test_the_result_goes_to_o_or_output_in_every_command_that_writes_one() -> None:
    for name, command in commands():
        spellings = [{*option.opts} for option in options(command)]
        assert all(("-o" in one) == ("--output" in one) for one in spellings), name

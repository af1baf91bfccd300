"""The commands of ``sgf-lark``, with those of its groups."""

from __future__ import annotations

from collections.abc import Iterator

import click

from sgf_lark.cli.interface import LazyCommand
from sgf_lark.cli.main import app


def commands() -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Return the commands and groups by the words that name them."""
    waiting: list[tuple[tuple[str, ...], click.Command]] = [((), app)]
    while waiting:
        words, command = waiting.pop(0)
        command = command.load() if isinstance(command, LazyCommand) else command
        yield words, command
        if isinstance(command, click.Group):
            waiting += [((*words, name), each) for name, each in command.commands.items()]


COMMANDS = dict(commands())


def options_of(words: tuple[str, ...]) -> list[click.Option]:
    """Return the options of a command."""
    return [param for param in COMMANDS[words].params if isinstance(param, click.Option)]


def choices(param: click.Parameter) -> list[str]:
    """Return the values that a parameter can have, if they are few."""
    return [str(value) for value in getattr(param.type, "choices", ())]

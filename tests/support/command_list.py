"""The commands of ``sgf-lark``, with those of its groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from sgf_lark.cli.main import app


def commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Return the commands and groups by the words that name them."""
    waiting: list[tuple[tuple[str, ...], Any]] = [((), get_command(app))]
    while waiting:
        words, command = waiting.pop(0)
        yield words, command
        below = getattr(command, "commands", {})
        waiting += [((*words, name), below[name]) for name in below]


COMMANDS = dict(commands())


def shown_params(words: tuple[str, ...]) -> list[Any]:
    """Return the arguments and options of a command, but for old names of options."""
    return [param for param in COMMANDS[words].params if not getattr(param, "hidden", False)]

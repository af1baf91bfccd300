"""Commands that are made once in a process, as many run in it: Typer makes each from a function."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from typer import testing

from sgf_lark.cli.interface import lazy
from sgf_lark.cli.main import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Callable

_command_in = lazy.command_in


@cache
def _command_made_once(module: str, name: str) -> Callable[[], Any]:
    return cache(_command_in(module, name))


def share_commands() -> None:
    """Let all runs of a command in this process, and in forks of it, share what is made of it."""
    lazy.command_in = _command_made_once
    testing._get_command = cache(testing._get_command)  # type: ignore[attr-defined]  # noqa: SLF001


def make_commands() -> None:
    """Make all of them now."""
    for section in COMMANDS.values():
        for module, name, _ in section.values():
            _command_made_once(module, name)()

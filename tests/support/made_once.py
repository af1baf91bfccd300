"""Work that many tests would do again, and that nobody looks at.

Typer makes each command from a function, for each run of it; Lark compares terminals.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from lark import lexer
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


def _compares_if_strict(make: Callable[..., None]) -> Callable[..., None]:
    """Let Lark compare terminals in strict mode alone.

    Else it compares them all, if the package for that is installed, for a log that nobody reads:
    three quarters of the time of a typed grammar.
    """

    def quick(self: object, conf: Any, *arguments: Any, **options: Any) -> None:
        compares = lexer.has_interegular
        lexer.has_interegular = compares and conf.strict
        try:
            make(self, conf, *arguments, **options)
        finally:
            lexer.has_interegular = compares

    return quick


def compare_terminals_if_strict() -> None:
    """Let Lark compare terminals in strict mode alone, in this process and in forks of it."""
    for kind in (lexer.BasicLexer, lexer.ContextualLexer):
        kind.__init__ = _compares_if_strict(kind.__init__)  # type: ignore[method-assign]

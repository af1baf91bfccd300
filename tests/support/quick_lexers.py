"""Comparisons of Lark that many tests would make again, and that nobody looks at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lark import lexer

if TYPE_CHECKING:
    from collections.abc import Callable


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

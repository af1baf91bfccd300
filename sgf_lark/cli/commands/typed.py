"""Options and output of the typed grammar: ``sgf-lark grammar show --typed`` and others.

Slow imports are in the functions that need them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from sgf_lark.cli.grammars import open_grammar, read_grammar
from sgf_lark.cli.interface import Bundle, flag, option
from sgf_lark.cli.output import console, fail
from sgf_lark.findings.terminal import say

if TYPE_CHECKING:
    from sgf_lark.schema.formats import Format
    from sgf_lark.workbench.translation import Translation, TypedTranslation

T = TypeVar("T")


class TypedOptions(Bundle, section="Typed grammar"):
    """The typed grammar of a format."""

    typed: bool = flag("The typed grammar: each property of the table with values of its type.")
    game: str | None = option(
        "With --typed: the game, by its name or number.  [default: Go, in GGF Othello]",
        metavar="GAME",
    )
    size: str | None = option(
        "With --typed: the board, such as 19 or 19:13.  [default: points may be anywhere]",
        metavar="SIZE",
    )

    def make(self, make: Callable[..., T], name: str) -> T | None:
        """Return what a function makes of a typed grammar; None if it is not asked for.

        An option that is wrong, or that only the typed grammar has, ends the command.
        """
        from sgf_lark.grammar.loader import GrammarSource

        if not self.typed:
            for option_, value in (("--game", self.game), ("--size", self.size)):
                if value is not None:
                    fail(f"{option_} needs --typed")
            return None
        file, size = read_grammar(name), self.size
        own = open_grammar(name) if isinstance(file, GrammarSource) else None
        if size is not None and not re.fullmatch(r"[0-9]{1,4}(:[0-9]{1,4})?", size):
            fail(f"invalid size '{size}': expected one such as 19 or 19:13")
        sides = [int(side) for side in (size or "").split(":") if side]
        board = None if size is None else (sides[0], sides[-1])
        try:
            return make("ff4" if own else format_named(name), self.game, board, grammar=own)
        except ValueError as error:
            fail(str(error))


def format_named(name: str) -> Format:
    """Return the format of a shipped grammar; exit if it is that of no format."""
    from sgf_lark.schema.formats import Format

    try:
        return Format(name.upper())
    except ValueError:
        known = ", ".join(format_.grammar for format_ in Format)
        fail(f"--typed needs the grammar of a format ({known}), not {name}")


def show_typed(typed: TypedTranslation, *, expressions: bool) -> None:
    """Print the properties of a typed grammar, and what it does not express."""
    show_translations(typed.properties, expressions=expressions)
    done = sum(row.translated for row in typed.properties)
    say(f"{done} of {len(typed.properties)} properties with typed values")
    say("not expressed:")
    for limit in typed.limits:
        say(f"  {limit}")


def show_translations(rules: Sequence[Translation], *, expressions: bool) -> None:
    """Print rules or properties with their translation, a line each."""
    from sgf_lark.report.alignment import Row

    rows = []
    for rule in rules:
        rows.append(Row([rule.rule], [rule.how]))
        if expressions and rule.expression:
            expression = rule.expression.encode("unicode_escape").decode("ascii")
            rows.append(Row([""], [expression.replace("\\\\", "\\")]))
    console(sys.stdout).write_table(rows)

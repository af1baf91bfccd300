"""Options and output of the typed grammar: ``sgf-lark grammar show --typed`` and others.

Slow imports are in the functions that need them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from sgf_lark.cli.grammars import open_grammar, read_grammar
from sgf_lark.cli.interface.help import Section
from sgf_lark.cli.output import fail
from sgf_lark.diagnostics.terminal import say

if TYPE_CHECKING:
    from sgf_lark.schema.formats import Format
    from sgf_lark.workbench.translation import Translation, TypedTranslation

T = TypeVar("T")

TypedOption = Annotated[
    bool,
    typer.Option(
        "--typed",
        help="The typed grammar: each property of the table with values of its type.",
        rich_help_panel=Section.TYPED,
    ),
]
TypedGameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="GAME",
        help="With --typed: the game, by its name or number.  [default: Go, in GGF Othello]",
        show_default=False,
        rich_help_panel=Section.TYPED,
    ),
]
TypedSizeOption = Annotated[
    str | None,
    typer.Option(
        "--size",
        metavar="SIZE",
        help="With --typed: the board, such as 19 or 19:13.  [default: points may be anywhere]",
        show_default=False,
        rich_help_panel=Section.TYPED,
    ),
]


def need_typed(game: str | None, size: str | None) -> None:
    """Exit if an option is given that only the typed grammar has."""
    for option, value in (("--game", game), ("--size", size)):
        if value is not None:
            fail(f"{option} needs --typed")


def of_typed(make: Callable[..., T], name: str, game: str | None, size: str | None) -> T:
    """Return what a function makes of the arguments of a typed grammar; exit if one is wrong."""
    from sgf_lark.grammar.loader import Source

    file = read_grammar(name)
    own = open_grammar(name) if isinstance(file, Source) else None
    if size is not None and not re.fullmatch(r"[0-9]{1,4}(:[0-9]{1,4})?", size):
        fail(f"invalid size '{size}': expected one such as 19 or 19:13")
    sides = [int(side) for side in (size or "").split(":") if side]
    board = None if size is None else (sides[0], sides[-1])
    try:
        return make("ff4" if own else format_named(name), game, board, grammar=own)
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
    width = max((len(rule.rule) for rule in rules), default=0)
    for rule in rules:
        say(f"{rule.rule:<{width}}  {rule.how}")
        if expressions and rule.expression:
            expression = (
                rule.expression.encode("unicode_escape").decode("ascii").replace("\\\\", "\\")
            )
            say(f"{'':<{width}}  {expression}")
